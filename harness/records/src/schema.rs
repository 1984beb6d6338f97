use schemars::schema_for;
use serde_json::Value;

use crate::{
    Bundle, Document, Index, Interaction, Item, Manifest, Record, Rejected, ResponseText, Results,
    Review, Run, Versioned,
};

/// Makes the JSON Schema of one format.
pub type MakeSchema = fn() -> Value;

/// Every format: its name and how to make its JSON Schema.
pub const SCHEMAS: [(&str, MakeSchema); 12] = [
    (Item::NAME, || schema_for!(Item).to_value()),
    (Document::NAME, || schema_for!(Document).to_value()),
    (Bundle::NAME, || schema_for!(Bundle).to_value()),
    (Manifest::NAME, || schema_for!(Manifest).to_value()),
    (Rejected::NAME, || schema_for!(Rejected).to_value()),
    (Review::NAME, || schema_for!(Review).to_value()),
    (Record::NAME, || schema_for!(Record).to_value()),
    (ResponseText::NAME, || schema_for!(ResponseText).to_value()),
    (Run::NAME, || schema_for!(Run).to_value()),
    (Results::NAME, || schema_for!(Results).to_value()),
    (Interaction::NAME, || schema_for!(Interaction).to_value()),
    (Index::NAME, || schema_for!(Index).to_value()),
];

/// The JSON Schema of the format called `name`, e.g. `recount.record`.
#[must_use]
pub fn json_schema(name: &str) -> Option<Value> {
    SCHEMAS.iter().find(|(n, _)| *n == name).map(|(_, make)| make())
}
