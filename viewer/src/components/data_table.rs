use leptos::prelude::*;

/// A plot's numbers as a table, folded away until asked for.
#[component]
pub fn DataTable(
    /// What the table holds.
    caption: &'static str,
    /// One per column.
    head: Vec<&'static str>,
    /// One per row; the first cell heads its row.
    rows: Vec<Vec<String>>,
) -> impl IntoView {
    view! {
        <details class="data">
            <summary>"The plot's numbers"</summary>
            <div class="scroll" role="region" aria-label=caption tabindex="0">
                <table>
                    <caption>{caption}</caption>
                    <thead>
                        <tr>{head.into_iter().map(|h| view! { <th scope="col">{h}</th> }).collect_view()}</tr>
                    </thead>
                    <tbody>
                        {rows
                            .into_iter()
                            .map(|row| {
                                let mut cells = row.into_iter();
                                view! {
                                    <tr>
                                        <th scope="row">{cells.next()}</th>
                                        {cells.map(|c| view! { <td>{c}</td> }).collect_view()}
                                    </tr>
                                }
                            })
                            .collect_view()}
                    </tbody>
                </table>
            </div>
        </details>
    }
}
