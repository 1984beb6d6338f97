//! A table as plain values: what is shown, and what is written as CSV or JSON, in full precision.

use serde_json::{Map, Value, json};

use crate::format;

/// Columns and rows; the first cell of a row heads it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Sheet {
    /// One name a column.
    pub head: Vec<String>,
    /// The rows, each as long as the head.
    pub rows: Vec<Vec<Value>>,
}

impl Sheet {
    /// A table without rows.
    #[must_use]
    pub fn new(head: &[&str]) -> Self {
        Self { head: head.iter().map(|h| (*h).to_owned()).collect(), rows: Vec::new() }
    }

    /// The table as CSV (RFC 4180), numbers to the last digit.
    #[must_use]
    pub fn csv(&self) -> String {
        let head: Vec<Value> = self.head.iter().map(|h| json!(h)).collect();
        let mut out = String::new();
        for row in std::iter::once(&head).chain(&self.rows) {
            let cells: Vec<_> = row.iter().map(csv_cell).collect();
            out.push_str(&cells.join(","));
            out.push_str("\r\n");
        }
        out
    }

    /// The table as a JSON array of objects.
    #[must_use]
    pub fn json(&self) -> String {
        let object = |row: &Vec<Value>| {
            let cells = self.head.iter().cloned().zip(row.iter().cloned());
            Value::Object(cells.collect::<Map<_, _>>())
        };
        let rows: Vec<Value> = self.rows.iter().map(object).collect();
        format!("{:#}\n", Value::Array(rows))
    }

    /// A cell as the page shows it: fractions with three decimals, whole numbers grouped, a dash for nothing.
    #[must_use]
    pub fn shown(value: &Value) -> String {
        match value {
            Value::Null => format::DASH.to_owned(),
            Value::String(text) => format::short(text),
            Value::Number(n) => match (n.as_u64(), n.as_f64()) {
                (Some(n), _) => format::count(n),
                (_, Some(v)) => format::decimals(v),
                _ => n.to_string(),
            },
            other => format::json(other),
        }
    }
}

/// Text in quotes where it needs them. A text that a spreadsheet would take for a formula gets an apostrophe before it.
fn csv_cell(value: &Value) -> String {
    let text = match value {
        Value::Null => return String::new(),
        Value::String(text) if text.starts_with(['=', '+', '-', '@', '\t', '\r']) => {
            format!("'{text}")
        }
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    if text.contains(['"', ',', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sheet() -> Sheet {
        let mut sheet = Sheet::new(&["name", "value", "n"]);
        sheet.rows.push(vec![json!("a, \"b\"\nc"), json!(0.1 + 0.2), json!(1234)]);
        sheet.rows.push(vec![json!("=1+1"), json!(-0.5), Value::Null]);
        sheet
    }

    #[test]
    fn csv_keeps_every_digit_and_starts_no_formula() {
        let csv = sheet().csv();
        let lines: Vec<_> = csv.split("\r\n").collect();
        assert_eq!(lines[0], "name,value,n");
        assert_eq!(lines[1], "\"a, \"\"b\"\"\nc\",0.30000000000000004,1234");
        assert_eq!(lines[2], "'=1+1,-0.5,");
    }

    #[test]
    fn json_reads_back_to_the_same_values() {
        let read: Value = serde_json::from_str(&sheet().json()).unwrap();
        assert_eq!(read[0]["value"], json!(0.1 + 0.2));
        assert_eq!(read[1]["name"], "=1+1");
        assert_eq!(read[1]["n"], Value::Null);
    }

    #[test]
    fn cells_are_shown_as_everywhere_in_the_page() {
        assert_eq!(Sheet::shown(&json!(1234)), "1,234");
        assert_eq!(Sheet::shown(&json!(-0.25)), "\u{2212}0.250");
        assert_eq!(Sheet::shown(&Value::Null), format::DASH);
    }
}
