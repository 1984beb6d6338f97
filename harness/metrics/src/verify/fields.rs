//! One JSON value against another.

use serde_json::Value;

use super::{Difference, Verdict};

/// The verdict on `published`; fields that are not identical are added to `differences` with their path.
///
/// A field that is null and one that is not there mean the same, as they do to the readers.
pub(super) fn compare(
    path: &str,
    published: &Value,
    recomputed: &Value,
    differences: &mut Vec<Difference>,
) -> Verdict {
    match (published, recomputed) {
        (Value::Object(p), Value::Object(r)) => {
            let keys = p.keys().chain(r.keys().filter(|k| !p.contains_key(*k)));
            let field = |key: &String| {
                let path = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
                let null = &Value::Null;
                let (published, known) = (p.get(key).unwrap_or(null), r.get(key));
                if known.is_none() && !published.is_null() {
                    note(differences, &path, published, null);
                    return Verdict::CannotBeChecked;
                }
                compare(&path, published, known.unwrap_or(null), differences)
            };
            keys.map(field).max().unwrap_or(Verdict::Identical)
        }
        (Value::Array(p), Value::Array(r)) if p.len() == r.len() => {
            let pairs = p.iter().zip(r).enumerate();
            let verdicts =
                pairs.map(|(i, (p, r))| compare(&format!("{path}[{i}]"), p, r, differences));
            verdicts.max().unwrap_or(Verdict::Identical)
        }
        _ => {
            let verdict = leaf(published, recomputed);
            if verdict != Verdict::Identical {
                note(differences, path, published, recomputed);
            }
            verdict
        }
    }
}

fn note(differences: &mut Vec<Difference>, path: &str, published: &Value, recomputed: &Value) {
    differences.push(Difference {
        path: path.to_owned(),
        published: published.clone(),
        recomputed: recomputed.clone(),
    });
}

fn leaf(published: &Value, recomputed: &Value) -> Verdict {
    let whole = |v: &Value| v.is_u64() || v.is_i64();
    let same_json = published == recomputed;
    match (published.as_f64(), recomputed.as_f64()) {
        // Whole numbers above 2⁵³ have neighbours that are the same float.
        (Some(_), Some(_)) if whole(published) && whole(recomputed) && !same_json => {
            Verdict::Differs
        }
        (Some(p), Some(r)) if p.to_bits() == r.to_bits() => Verdict::Identical,
        (Some(p), Some(r)) if printed(p) == printed(r) => Verdict::EqualAsPrinted,
        (None, None) if same_json => Verdict::Identical,
        _ => Verdict::Differs,
    }
}

/// Three decimals are coarse for small numbers, three significant digits for large ones; both must agree.
fn printed(x: f64) -> (String, String) {
    (format!("{x:.3}"), format!("{x:.2e}"))
}
