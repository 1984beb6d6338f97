use leptos::prelude::*;

use super::save::sheet_buttons;
use crate::model::sheet::Sheet;

/// A table folded away until asked for.
#[component]
pub fn DataTable(
    /// What the table holds.
    caption: &'static str,
    /// The name of saved files, without its ending.
    name: &'static str,
    /// Its columns and rows.
    sheet: Sheet,
) -> impl IntoView {
    let table = sheet_table(caption, &sheet);
    view! {
        <details class="data">
            <summary>{caption} ", as a table"</summary>
            {table}
            {sheet_buttons(name, move || sheet.clone())}
        </details>
    }
    .into_any()
}

/// A table in its frame.
pub fn sheet_table(caption: &'static str, sheet: &Sheet) -> AnyView {
    let row = |row: &Vec<serde_json::Value>| {
        let mut cells = row.iter().map(Sheet::shown);
        view! {
            <tr>
                <th scope="row">{cells.next()}</th>
                {cells.map(|c| view! { <td>{c}</td> }).collect_view()}
            </tr>
        }
    };
    view! {
        <div class="scroll" role="region" aria-label=caption tabindex="0">
            <table>
                <caption>{caption}</caption>
                <thead>
                    <tr>
                        {sheet.head.iter().map(|h| view! { <th scope="col">{h.clone()}</th> }).collect_view()}
                    </tr>
                </thead>
                <tbody>{sheet.rows.iter().map(row).collect_view()}</tbody>
            </table>
        </div>
    }
    .into_any()
}
