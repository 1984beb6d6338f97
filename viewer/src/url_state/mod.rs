//! What the address says: which run is open under which settings (query string) and what of it is looked at (fragment).
//!
//! All state of the page lives here, so that a copied address shows a colleague the same thing. Pure text to value and
//! back; the only code that touches the browser's address is in `address`.

mod edits;
mod escape;
mod fragment;
mod query;
mod settings;

pub use edits::{Applied, Edit, Edits, RowKey};
pub use escape::{decode, encode};
pub use fragment::{Fragment, figure_href, question_href, section_anchor};
pub use query::Query;
pub use settings::{Settings, method_word, strategy_word};
