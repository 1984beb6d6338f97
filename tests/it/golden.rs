use serde_json::Value;

use crate::common::{root, tell, text};

/// `report --records` on the golden log gives the values that an independent program (numpy, scipy, statsmodels)
/// computed from it. The crate's own tests hold every figure to them; this one holds the command to the crate.
#[test]
fn bare_report_gives_the_golden_values() {
    let golden = root().join("harness/metrics/tests/golden/binary");
    let records = golden.join("records.jsonl");
    let told = tell(&[
        "report",
        "--records",
        text(&records),
        "--control",
        "closed_book_forced",
        "--out",
        "/dev/stdout",
    ]);
    assert_eq!(told.code, 0, "{}", told.err);
    let results: Value = serde_json::from_str(&told.out).expect("JSON and nothing else on stdout");
    let expected = std::fs::read(golden.join("expected.json")).expect("golden values");
    let expected: Value = serde_json::from_slice(&expected).expect("JSON");
    let figures = results["figures"].as_array().expect("figures");
    let mut compared = 0;
    for (series, values) in expected["figures"].as_object().expect("object") {
        for metric in ["accuracy", "brier", "ece", "confident_wrong_rate"] {
            let Some(want) = values.get(metric) else { continue };
            let id = format!("{series}/{metric}");
            let got = figures.iter().find(|f| f["id"] == id.as_str()).expect("a figure of that id");
            assert_eq!(got["value"].as_f64(), want["value"].as_f64(), "{id}");
            assert_eq!(
                got["interval"]["lower"].as_f64(),
                want["interval"]["lower"].as_f64(),
                "{id}"
            );
            assert_eq!(
                got["interval"]["upper"].as_f64(),
                want["interval"]["upper"].as_f64(),
                "{id}"
            );
            compared += 1;
        }
    }
    for (series, want) in expected["evidence_lift"].as_object().expect("object") {
        let id = format!("{series}/evidence_lift");
        let got = figures.iter().find(|f| f["id"] == id.as_str()).expect("a figure of that id");
        assert_eq!(got["value"].as_f64(), want["difference"].as_f64(), "{id}");
        compared += 1;
    }
    assert!(compared > 20, "only {compared} values compared");
}
