use crate::common::{root, tell, text};

/// The committed schemas are those that the types give; after a change of a type run
/// `recount schema --write harness/records/schema/v1`.
#[test]
fn committed_schemas_are_up_to_date() {
    let fresh = tempfile::tempdir().expect("folder");
    assert_eq!(tell(&["schema", "--write", text(fresh.path())]).code, 0);
    let committed = root().join("harness/records/schema/v1");
    let list = |folder: &std::path::Path| -> Vec<String> {
        let mut names: Vec<_> = std::fs::read_dir(folder)
            .expect("schemas")
            .map(|e| e.expect("entry").file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    };
    assert_eq!(list(fresh.path()), list(&committed));
    for name in list(&committed) {
        let read =
            |folder: &std::path::Path| std::fs::read_to_string(folder.join(&name)).expect("text");
        assert_eq!(read(fresh.path()), read(&committed), "{name} is out of date");
    }
}

#[test]
fn unknown_format_lists_the_known_ones() {
    let told = tell(&["schema", "recount.nothing"]);
    assert_eq!(told.code, 2);
    assert!(told.err.contains("recount.record"), "{}", told.err);
}
