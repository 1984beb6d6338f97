//! Which published entry is compared with which recomputed one.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::{Check, Difference, LISTS, NO_RECORDS, Verdict, fields::compare};

/// The recomputed file as JSON, when there is one.
pub(super) type Recomputed<'a> = Option<&'a Value>;

/// Fields that are checked together with the signature: what was computed, how, and what it is called.
const IDENTITY: [&str; 7] =
    ["schema", "metrics_version", "run_id", "dataset_id", "title", "signature", "plan"];

/// One check for each entry of a list, published or not. Entries are matched by the field that names them; of several
/// with one name the first is matched with the first, and so on.
fn matched(
    section: &str,
    name: &str,
    published: &Value,
    recomputed: Option<&Value>,
    unknown: &str,
) -> Vec<Check> {
    let named = |entry: &Value| entry[name].as_str().unwrap_or_default().to_owned();
    let mut unmatched: BTreeMap<String, Vec<&Value>> = BTreeMap::new();
    for entry in recomputed.and_then(Value::as_array).into_iter().flatten().rev() {
        unmatched.entry(named(entry)).or_default().push(entry);
    }
    let mut checks = Vec::new();
    for entry in published.as_array().into_iter().flatten() {
        let id = named(entry);
        let check = match unmatched.get_mut(&id).and_then(Vec::pop) {
            Some(expected) => entry_check(&id, section, entry, expected),
            None if recomputed.is_none() => unchecked(&id, section, NO_RECORDS),
            None => unchecked(&id, section, unknown),
        };
        checks.push(check);
    }
    for (id, entries) in unmatched {
        for entry in entries.into_iter().rev() {
            checks.push(missing(&id, section, entry));
        }
    }
    checks
}

pub(super) fn list_checks(list: &str, published: &Value, recomputed: Recomputed<'_>) -> Vec<Check> {
    let recomputed = recomputed.map(|r| &r[list]);
    let unknown = "this build computes no such entry";
    let mut checks = matched(list, "id", &published[list], recomputed, unknown);
    if !published[list].is_array() {
        checks.push(unchecked(list, "other", "it is not a list, as it should be"));
    }
    checks
}

/// Digest, size and lines of each input file.
pub(super) fn file_checks(published: &Value, recomputed: Recomputed<'_>) -> Vec<Check> {
    let published = &published["inputs"]["files"];
    let recomputed = recomputed.map(|r| &r["inputs"]["files"]);
    let mut checks = matched("files", "name", published, recomputed, "the file is not at hand");
    if !published.is_array() {
        checks.push(unchecked("inputs.files", "files", "it is not a list, as it should be"));
    }
    checks
}

/// Rows written, superseded and scored, and whatever else stands in `inputs` besides files.
pub(super) fn rows_check(published: &Value, recomputed: Recomputed<'_>) -> Check {
    let but_files = |file: &Value| {
        let mut rest = Map::new();
        let inputs = file["inputs"].as_object().into_iter().flatten();
        for (key, value) in inputs.filter(|(key, _)| *key != "files") {
            rest.insert(key.clone(), value.clone());
        }
        Value::Object(rest)
    };
    whole("inputs.rows", "inputs", &but_files(published), recomputed.map(but_files))
}

/// The signature line with the plan, versions and names that it stands for.
pub(super) fn signature_check(published: &Value, recomputed: Recomputed<'_>) -> Check {
    let identity = |file: &Value| {
        let mut fields = Map::new();
        for key in IDENTITY {
            fields.extend(file.get(key).map(|value| (key.to_owned(), value.clone())));
        }
        Value::Object(fields)
    };
    whole("signature", "signature", &identity(published), recomputed.map(identity))
}

/// Fields of the file that this build does not know.
pub(super) fn rest_checks(published: &Value) -> Vec<Check> {
    let known = |key: &str| LISTS.contains(&key) || IDENTITY.contains(&key) || key == "inputs";
    let fields = published.as_object().into_iter().flatten();
    fields
        .filter(|(key, _)| !known(key))
        .map(|(key, _)| unchecked(key, "other", "this build does not know the field"))
        .collect()
}

fn whole(id: &str, section: &str, published: &Value, recomputed: Option<Value>) -> Check {
    match recomputed {
        Some(expected) => entry_check(id, section, published, &expected),
        None => unchecked(id, section, NO_RECORDS),
    }
}

fn entry_check(id: &str, section: &str, published: &Value, recomputed: &Value) -> Check {
    let mut differences = Vec::new();
    let mut verdict = compare("", published, recomputed, &mut differences);
    if verdict == Verdict::Identical && recomputed["withheld"].is_string() {
        verdict = Verdict::Withheld;
    }
    let reason = match verdict {
        Verdict::Withheld => recomputed["withheld"].as_str().map(str::to_owned),
        Verdict::CannotBeChecked => {
            Some("this build does not know a field of the entry".to_owned())
        }
        _ => None,
    };
    Check { id: id.to_owned(), section: section.to_owned(), verdict, reason, differences }
}

fn unchecked(id: &str, section: &str, reason: &str) -> Check {
    Check {
        id: id.to_owned(),
        section: section.to_owned(),
        verdict: Verdict::CannotBeChecked,
        reason: Some(reason.to_owned()),
        differences: Vec::new(),
    }
}

fn missing(id: &str, section: &str, recomputed: &Value) -> Check {
    Check {
        id: id.to_owned(),
        section: section.to_owned(),
        verdict: Verdict::Differs,
        reason: Some("it is missing from the publication".to_owned()),
        differences: vec![Difference {
            path: String::new(),
            published: Value::Null,
            recomputed: recomputed.clone(),
        }],
    }
}
