use leptos::prelude::*;

use super::save::sheet_buttons;
use crate::model::sheet::Sheet;

/// A table folded away until asked for, and drawn then.
#[component]
pub fn DataTable(
    /// What the table holds.
    caption: &'static str,
    /// The name of saved files, without its ending.
    name: &'static str,
    /// Its columns and rows.
    sheet: Sheet,
) -> impl IntoView {
    let unfolded = RwSignal::new(false);
    let table = move || {
        let sheet = unfolded.get().then(|| sheet.clone())?;
        Some(view! {
            {sheet_table(caption, &sheet)}
            {sheet_buttons(name, move || sheet.clone())}
        })
    };
    view! {
        <details class="data" on:toggle=move |_| unfolded.set(true)>
            <summary>{caption} ", as a table"</summary>
            {table}
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
