//! The committed schemas are those that the types give; `recount schema --write harness/records/schema/v1` makes them.

use std::path::Path;

use records::SCHEMAS;

#[test]
fn committed_schemas_are_up_to_date() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("schema/v1");
    for (name, make) in SCHEMAS {
        let path = folder.join(format!("{name}.json"));
        let fresh = format!("{}\n", serde_json::to_string_pretty(&make()).expect("JSON"));
        let committed = std::fs::read_to_string(path).expect("a schema");
        assert!(committed == fresh, "{name} is out of date");
    }
}
