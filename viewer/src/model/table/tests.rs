//! What the main table shows of a publication, and in which order.

use super::*;
use crate::model::example;

#[test]
fn baselines_come_first_and_models_keep_their_order() {
    let table = results_table(&example::results());
    let titles: Vec<_> = table.groups.iter().map(|g| g.title.as_str()).collect();
    assert_eq!(titles, ["baselines", "alpha", "beta"]);
    assert_eq!(table.groups[0].rows[0].head, "always_no");
    assert_eq!(table.groups[1].rows[0].head, "a0");
}

#[test]
fn a_withheld_cell_keeps_its_place_with_a_dash_and_the_reason() {
    let table = results_table(&example::results());
    let at = table.columns.iter().position(|c| c.metric == "accuracy").unwrap();
    let row = &table.groups[2].rows[0];
    let cell = row.cells[at].as_ref().unwrap();
    assert_eq!(cell.text, format::DASH);
    assert_eq!(cell.withheld.as_deref(), Some("fewer than 20 items"));
    assert_eq!(cell.bar, None);
}

#[test]
fn bars_lie_inside_their_column() {
    let table = results_table(&example::results());
    let bars = table.groups.iter().flat_map(|g| &g.rows).flat_map(|r| &r.cells);
    let bars: Vec<_> = bars.flatten().filter_map(|c| c.bar).collect();
    assert!(!bars.is_empty());
    for bar in bars {
        assert!(0.0 <= bar.lower && bar.lower <= bar.point);
        assert!(bar.point <= bar.upper && bar.upper <= 1.0);
    }
}

#[test]
fn the_lift_column_is_centred_on_zero() {
    let table = results_table(&example::results());
    let lift = table.columns.iter().find(|c| c.metric == "evidence_lift").unwrap();
    let (low, high) = lift.domain.unwrap();
    assert_eq!(low.to_bits(), (-high).to_bits());
}

#[test]
fn a_file_with_too_many_series_is_cut_and_the_rest_counted() {
    let mut results = example::results();
    let one = results.figures[0].clone();
    for i in 0..MAX_ROWS + 50 {
        results.figures.push(Figure { model: format!("m{i}"), id: format!("m{i}"), ..one.clone() });
    }
    let table = results_table(&results);
    let drawn: usize = table.groups.iter().map(|g| g.rows.len()).sum();
    assert_eq!(drawn, MAX_ROWS);
    assert_eq!(table.hidden_rows, 54);
}

#[test]
fn sorted_rows_stand_in_one_group_and_those_without_a_value_last() {
    let results = example::results();
    let order = |down| Order { sort: Some(("accuracy".into(), down)), ..Order::default() };
    for down in [false, true] {
        let table = ordered_table(&results, &order(down));
        assert_eq!(table.groups.len(), 1);
        let rows = &table.groups[0].rows;
        assert_eq!(rows.last().unwrap().head, "beta · a0");
        assert_eq!(rows.len(), 4);
    }
}

#[test]
fn a_slice_shows_its_own_figures_alone() {
    let mut results = example::results();
    let mut part = results.figures[2].clone();
    (part.id, part.slice) = ("alpha/a0/accuracy@set=main".into(), Some("set=main".into()));
    results.figures.push(part);
    assert_eq!(slices(&results), ["set=main"]);
    let order = Order { slice: Some("set=main".into()), ..Order::default() };
    let table = ordered_table(&results, &order);
    let cells: Vec<_> = table.groups.iter().flat_map(|g| &g.rows).flat_map(|r| &r.cells).collect();
    assert_eq!(cells.len(), 1);
    assert_eq!(cells[0].as_ref().unwrap().id, "alpha/a0/accuracy@set=main");
}

#[test]
fn the_export_has_every_figure_with_its_verdict() {
    let results = example::results();
    let sheet = figures_sheet(&results, |_| "identical");
    assert_eq!(sheet.rows.len(), results.figures.len());
    assert!(sheet.rows.iter().all(|r| r.len() == sheet.head.len()));
}
