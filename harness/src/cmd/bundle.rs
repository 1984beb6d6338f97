use crate::{
    cli::DatasetArgs,
    dataset::{check as check_hashes, check_constraints, load},
    error::Error,
    terminal::print_line,
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
        print_line(&problem.to_string())?;
    }
    let manifest = &dataset.manifest;
    if !problems.is_empty() {
        let text = format!("{}: {} problems", manifest.dataset_id, problems.len());
        return Err(Error::Disagrees(text).into());
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
