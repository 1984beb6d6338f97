//! How many rows there are and what became of them. These stand even below the floor.

use records::{Better, Status};

use super::Sheet;

pub(super) fn add(sheet: &mut Sheet<'_>) {
    let rows = sheet.rows;
    let mut count = |metric: &str, unit: &str, n: u64| {
        let figure = sheet.blank(metric, unit, Better::None);
        sheet.push(figure, Ok(n as f64));
    };
    count("attempted", "rows", rows.attempted);
    count("served", "rows", rows.n_served());
    count("n_items", "items", rows.n_items);
    for status in Status::ALL {
        count(&format!("status_{}", status.as_str()), "rows", rows.count(status));
    }
    let faults = rows.count(Status::HarnessFault);
    sheet.push_share("coverage", Better::Higher, rows.n_served(), rows.attempted);
    sheet.push_share("harness_fault_rate", Better::Lower, faults, rows.attempted);
}
