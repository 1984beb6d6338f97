use records::{Results, Run};

use super::{
    glance, receipt,
    table::{Bar, CUTS, Cell, Column, PARTS, ROWS, results_table},
};

/// The room of an interval bar, for where it is drawn smaller, as on paper.
pub const BAR_BOX: &str = "0 0 80 9";
/// Width of an interval bar in CSS pixels; `styles/results.css` says the same.
const BAR_WIDTH: f64 = 80.0;
/// Its height.
const BAR_HEIGHT: f64 = 9.0;

/// Where the sign of a verdict will be.
const PENDING: &str = "<span class=\"badge\" aria-hidden=\"true\">·</span>";

/// What stands in the place of a number that is not published.
const WITHHELD: &str = "<span class=\"badge\" data-tone=\"withheld\"><span class=\"sign\" aria-hidden=\"true\">—</span><span class=\"word\">withheld</span></span>";

/// The published numbers as plain HTML, marked as not yet checked: what the page shows before its program has loaded,
/// and all that it shows without JavaScript. Every part has the size of the checked one, which takes its place, so that
/// nothing moves under the reader; what will be pressed cannot be pressed yet.
#[must_use]
pub fn static_html(results: &Results) -> String {
    static_html_with_run(results, None, "")
}

/// As [`static_html`], with what `run.json` says about date, data set and repeats, and the digest of the file that all
/// of it is from.
#[must_use]
pub fn static_html_with_run(results: &Results, run: Option<&Run>, sha256: &str) -> String {
    let mut out = String::new();
    out.push_str("<header class=\"masthead\"><p class=\"eyebrow\">");
    if let Some(date) = glance::date(run) {
        out.push_str(&format!("<span>{}</span>", escape(&date)));
    }
    out.push_str("<span>from this site</span></p>");
    out.push_str(&format!("<h1>{}</h1>", escape(&glance::title(results))));
    out.push_str(&format!("<p class=\"measured\">{}</p>", escape(&glance::measured(results, run))));
    if run.is_some() {
        let state = glance::data_state(run).join(" ");
        out.push_str(&format!("<p class=\"data-state\">{}</p>", escape(&state)));
    }
    out.push_str(&format!(
        "<p class=\"verdict\" id=\"verdict-sentence\" data-tone=\"unchecked\" data-sha256=\"{}\">{}</p>",
        escape(sha256),
        escape(&glance::unchecked_sentence(results))
    ));
    out.push_str(&format!(
        "<p class=\"saves\"><button type=\"button\" disabled>{}</button><span class=\"note\">{} <a href=\"#method\">{}</a></span></p></header>",
        receipt::BUTTON,
        receipt::NOTE,
        receipt::MEANING
    ));
    table(results, &mut out);
    out
}

fn table(results: &Results, out: &mut String) {
    let table = results_table(results);
    let width = table.columns.len() + 2;
    out.push_str(&format!(
        "<section><h2>Results</h2><p class=\"note\">{ROWS} Numbers become links to their own pages; the bar below one is its interval. Heads will sort.</p>"
    ));
    out.push_str("<div class=\"choices\">");
    for [label, choice] in [PARTS, CUTS] {
        out.push_str(&format!(
            "<label><span>{label}</span><select disabled><option>{choice}</option></select></label>"
        ));
    }
    out.push_str("</div>");
    out.push_str("<div class=\"scroll\" role=\"region\" aria-label=\"Results table\" tabindex=\"0\"><table class=\"results\">");
    out.push_str("<caption>Published numbers, not yet checked</caption><thead><tr>");
    out.push_str("<th scope=\"col\">arm</th>");
    for c in &table.columns {
        head(c, out);
    }
    out.push_str("<th scope=\"col\">verdicts</th></tr></thead>");
    for group in &table.groups {
        out.push_str(&format!(
            "<tbody><tr class=\"group\"><th scope=\"rowgroup\" colspan=\"{width}\"><span>{}</span></th></tr>",
            escape(&group.title)
        ));
        for row in &group.rows {
            let name = escape(&row.head).replace('_', "_<wbr>");
            out.push_str(&format!("<tr><th scope=\"row\">{name}</th>"));
            for (cell, column) in row.cells.iter().zip(&table.columns) {
                match cell {
                    Some(cell) => self::cell(cell, column, out),
                    None => out.push_str("<td></td>"),
                }
            }
            out.push_str(
                "<td class=\"tallies\"><span class=\"tally\">not yet checked</span></td></tr>",
            );
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
        "<td><span class=\"figure\" data-figure=\"{}\" data-verdict=\"unchecked\">",
        escape(&cell.id)
    ));
    if cell.withheld.is_some() {
        out.push_str(WITHHELD);
    } else {
        out.push_str(&format!("<span class=\"value\">{}</span>{PENDING}", escape(&cell.text)));
    }
    out.push_str("</span>");
    if let Some(reason) = &cell.withheld {
        out.push_str(&format!("<span class=\"reason\">{}</span>", escape(reason)));
    }
    if let Some(bar) = cell.bar {
        out.push_str(&bar_svg(bar));
    } else if column.domain.is_some() && cell.withheld.is_none() {
        out.push_str("<span class=\"bar-space\"></span>");
    }
    if let Some(interval) = &cell.interval {
        out.push_str(&format!("<span class=\"hidden\">{}</span>", escape(interval)));
    }
    out.push_str("</td>");
}

/// An interval bar in CSS pixels: the paths of its line and of zero, where that is inside, and the place of its dot. What
/// is the same in all of them is in the styles: a table has hundreds of bars.
#[must_use]
pub fn bar_shape(bar: Bar) -> (String, Option<String>, f64) {
    // Half a dot of room on both sides, tenths of a pixel.
    let place = |v: f64| ((3.0 + v * (BAR_WIDTH - 6.0)) * 10.0).round() / 10.0;
    let span = format!("M{} {}H{}", place(bar.lower), BAR_HEIGHT / 2.0, place(bar.upper));
    let zero = bar.zero.map(|zero| format!("M{} 0V{BAR_HEIGHT}", place(zero)));
    (span, zero, place(bar.point))
}

fn bar_svg(bar: Bar) -> String {
    let (span, zero, point) = bar_shape(bar);
    let zero = zero.map_or_else(String::new, |d| format!("<path class=\"zero\" d=\"{d}\"/>"));
    format!(
        "<svg class=\"bar\" viewBox=\"{BAR_BOX}\" aria-hidden=\"true\">{zero}<path d=\"{span}\"/><circle cx=\"{point}\"/></svg>"
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
