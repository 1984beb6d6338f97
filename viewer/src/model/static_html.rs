use records::{Results, Run};

use super::{
    glance,
    table::{Bar, Cell, Column, results_table},
};

/// Width of an interval bar in CSS pixels.
pub const BAR_WIDTH: f64 = 80.0;
/// Its height.
pub const BAR_HEIGHT: f64 = 9.0;

/// The published numbers as plain HTML, marked as not yet checked: what the page shows before its program has loaded,
/// and all that it shows without JavaScript.
#[must_use]
pub fn static_html(results: &Results) -> String {
    static_html_with_run(results, None)
}

/// As [`static_html`], with what `run.json` says about date, data set and repeats.
#[must_use]
pub fn static_html_with_run(results: &Results, run: Option<&Run>) -> String {
    let mut out = String::new();
    out.push_str("<header class=\"masthead\">");
    if let Some(date) = glance::date(run) {
        out.push_str(&format!("<p class=\"eyebrow\">{}</p>", escape(&date)));
    }
    out.push_str(&format!("<h1>{}</h1>", escape(&glance::title(results))));
    out.push_str(&format!("<p class=\"measured\">{}</p>", escape(&glance::measured(results, run))));
    if run.is_some() {
        let state = glance::data_state(run).join(" ");
        out.push_str(&format!("<p class=\"data-state\">{}</p>", escape(&state)));
    }
    out.push_str(&format!(
        "<p class=\"verdict\" id=\"verdict-sentence\" data-tone=\"unchecked\">{}</p></header>",
        escape(&glance::unchecked_sentence(results))
    ));
    table(results, &mut out);
    out
}

fn table(results: &Results, out: &mut String) {
    let table = results_table(results);
    let width = table.columns.len() + 1;
    out.push_str("<section><h2>Results</h2><div class=\"scroll\"><table class=\"results\">");
    out.push_str("<caption>Published numbers, not yet checked</caption><thead><tr>");
    out.push_str("<th scope=\"col\">arm</th>");
    for c in &table.columns {
        head(c, out);
    }
    out.push_str("</tr></thead>");
    for group in &table.groups {
        out.push_str(&format!(
            "<tbody><tr class=\"group\"><th scope=\"rowgroup\" colspan=\"{width}\"><span>{}</span></th></tr>",
            escape(&group.title)
        ));
        for row in &group.rows {
            out.push_str(&format!("<tr><th scope=\"row\">{}</th>", escape(&row.head)));
            for (cell, column) in row.cells.iter().zip(&table.columns) {
                match cell {
                    Some(cell) => self::cell(cell, column, out),
                    None => out.push_str("<td></td>"),
                }
            }
            out.push_str("</tr>");
        }
        out.push_str("</tbody>");
    }
    out.push_str("</table></div>");
    if table.hidden_rows > 0 {
        out.push_str(&format!("<p>{} more rows are in results.json.</p>", table.hidden_rows));
    }
    out.push_str("</section>");
}

fn head(column: &Column, out: &mut String) {
    out.push_str(&format!(
        "<th scope=\"col\"><abbr title=\"{}\">{}</abbr></th>",
        escape(&column.label),
        escape(&column.head)
    ));
}

fn cell(cell: &Cell, column: &Column, out: &mut String) {
    out.push_str(&format!(
        "<td><span class=\"figure\" data-figure=\"{}\" data-verdict=\"unchecked\"><span class=\"value\">{}</span></span>",
        escape(&cell.id),
        escape(&cell.text)
    ));
    if let Some(reason) = &cell.withheld {
        out.push_str(&format!("<span class=\"reason\">{}</span>", escape(reason)));
    }
    if let Some(bar) = cell.bar {
        out.push_str(&bar_svg(bar));
    } else if column.domain.is_some() {
        out.push_str("<span class=\"bar-space\"></span>");
    }
    if let Some(interval) = &cell.interval {
        out.push_str(&format!("<span class=\"hidden\">{}</span>", escape(interval)));
    }
    out.push_str("</td>");
}

/// Lines and dot of an interval bar in CSS pixels: lower, upper and point from the left, and zero when it is inside.
#[must_use]
pub fn bar_geometry(bar: Bar) -> (f64, f64, f64, Option<f64>) {
    // Half a dot of room on both sides, tenths of a pixel.
    let place = |v: f64| ((3.0 + v * (BAR_WIDTH - 6.0)) * 10.0).round() / 10.0;
    (place(bar.lower), place(bar.upper), place(bar.point), bar.zero.map(place))
}

fn bar_svg(bar: Bar) -> String {
    let (lower, upper, point, zero) = bar_geometry(bar);
    let middle = BAR_HEIGHT / 2.0;
    let zero = zero.map_or_else(String::new, |z| {
        format!("<line class=\"zero\" x1=\"{z}\" x2=\"{z}\" y1=\"0\" y2=\"{BAR_HEIGHT}\"/>")
    });
    format!(
        "<svg class=\"bar\" width=\"{BAR_WIDTH}\" height=\"{BAR_HEIGHT}\" viewBox=\"0 0 {BAR_WIDTH} {BAR_HEIGHT}\" aria-hidden=\"true\"><line class=\"track\" x1=\"0\" x2=\"{BAR_WIDTH}\" y1=\"{middle}\" y2=\"{middle}\"/>{zero}<line class=\"span\" x1=\"{lower}\" x2=\"{upper}\" y1=\"{middle}\" y2=\"{middle}\"/><circle cx=\"{point}\" cy=\"{middle}\" r=\"2.5\"/></svg>"
    )
}

/// Text as HTML text or attribute value.
#[must_use]
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            other => out.push(other),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::example;

    #[test]
    fn every_number_of_the_table_is_there_and_marked_unchecked() {
        let html = static_html(&example::results());
        for id in ["alpha/a0/accuracy", "alpha/a0/evidence_lift", "beta/a0/accuracy"] {
            assert!(
                html.contains(&format!("data-figure=\"{id}\" data-verdict=\"unchecked\"")),
                "{id}"
            );
        }
        assert!(html.contains("fewer than 20 items"));
        assert!(html.contains("Not yet checked"));
    }

    #[test]
    fn script_in_every_string_stays_text() {
        let evil = "<script>alert('x')</script>\"&";
        let mut results = example::results();
        results.title = evil.into();
        results.run_id = evil.into();
        results.dataset_id = evil.into();
        for f in &mut results.figures {
            f.id = evil.into();
            f.model = evil.into();
            f.arm = evil.into();
            f.unit = evil.into();
            f.withheld = f.withheld.as_ref().map(|_| evil.into());
        }
        let html = static_html(&results);
        assert!(!html.contains("<script"), "{html}");
        assert!(!html.contains("style="), "the page's policy forbids inline style");
    }

    #[test]
    fn it_is_well_formed() {
        let html = static_html(&example::results());
        for tag in
            ["header", "table", "thead", "tbody", "tr", "td", "th", "section", "div", "svg", "span"]
        {
            let open = html.matches(&format!("<{tag} ")).count()
                + html.matches(&format!("<{tag}>")).count();
            assert_eq!(open, html.matches(&format!("</{tag}>")).count(), "{tag}");
        }
    }
}
