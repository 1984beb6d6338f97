use crate::{
    cli::DatasetArgs,
    dataset::{check as check_hashes, check_constraints, load},
    error::Error,
};

/// `recount bundle check`
pub fn check(args: &DatasetArgs) -> anyhow::Result<()> {
    let dataset = load(&args.dataset)?;
    for note in &dataset.notes {
        eprintln!("note: {note}");
    }
    let mut problems = check_hashes(&dataset);
    problems.extend(check_constraints(&dataset));
    for problem in &problems {
        println!("{problem}");
    }
    let manifest = &dataset.manifest;
    if !problems.is_empty() {
        let text = format!("{}: {} problems", manifest.dataset_id, problems.len());
        return Err(Error::Disagrees(text).into());
    }
    println!(
        "{}: {} items, {} documents, {} bundles; every hash and all {} constraints hold",
        manifest.dataset_id,
        dataset.items.len(),
        dataset.documents.len(),
        dataset.bundles.len(),
        manifest.constraints.len()
    );
    if !manifest.reviewed {
        println!("not reviewed: no person has checked every item yet");
    }
    println!("{}", manifest.signature);
    Ok(())
}
