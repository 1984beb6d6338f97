use serde_json::json;

use crate::{
    cli::DatasetArgs,
    dataset::{check as check_hashes, check_constraints, load},
    error::Error,
    terminal::{note, print_line},
};

/// `recount bundle check`
pub fn check(args: &DatasetArgs, json: bool) -> anyhow::Result<()> {
    let dataset = load(&args.dataset)?;
    for text in &dataset.notes {
        note(&format!("note: {text}"));
    }
    let mut problems = check_hashes(&dataset);
    problems.extend(check_constraints(&dataset));
    let manifest = &dataset.manifest;
    if json {
        let problems: Vec<_> = problems.iter().map(ToString::to_string).collect();
        print_line(
            &json!({
                "dataset_id": manifest.dataset_id,
                "signature": manifest.signature,
                "reviewed": manifest.reviewed,
                "items": dataset.items.len(),
                "problems": problems,
            })
            .to_string(),
        )?;
    } else {
        for problem in &problems {
            print_line(&problem.to_string())?;
        }
    }
    if !problems.is_empty() {
        let text = format!("{}: {} problems", manifest.dataset_id, problems.len());
        return Err(Error::Disagrees(text).into());
    }
    if json {
        return Ok(());
    }
    print_line(&format!(
        "{}: {} items, {} documents, {} bundles; every hash and all {} constraints hold",
        manifest.dataset_id,
        dataset.items.len(),
        dataset.documents.len(),
        dataset.bundles.len(),
        manifest.constraints.len()
    ))?;
    if !manifest.reviewed {
        print_line("not reviewed: no person has checked every item yet")?;
    }
    print_line(&manifest.signature)?;
    Ok(())
}
