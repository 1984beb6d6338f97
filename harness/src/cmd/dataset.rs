use std::{collections::BTreeMap, path::Path};

use records::{Bundle, Document, Manifest, bundle_digest, document_digest, parse_json};
use serde_json::json;

use crate::{
    cli::SignArgs,
    dataset::{load, sign_folder, signed},
    error::{Error, read_file, write_file},
    run_folder::read_log,
    terminal::print_line,
};

/// `recount dataset sign`
pub fn sign(args: &SignArgs, json: bool) -> anyhow::Result<()> {
    let folder = &args.dataset;
    if args.write {
        // Files are written from what was understood of them.
        if let Some(note) = load(folder)?.notes.first() {
            return Err(Error::Input(format!(
                "{note}. Signing would lose these fields: remove them first, or use a newer Recount"
            ))
            .into());
        }
        write_hashes(folder)?;
    }
    let path = folder.join("manifest.json");
    let name = path.display().to_string();
    let parsed = parse_json::<Manifest>(&name, &read_file(&path)?).map_err(Error::from)?;
    let Some(manifest) = parsed.rows.into_iter().next() else {
        return Err(Error::Input(format!("{name}: is empty")).into());
    };
    let signature = if args.write {
        sign_folder(folder, manifest)?
    } else {
        signed(folder, manifest)?.signature
    };
    if json {
        return Ok(print_line(&json!({"signature": signature}).to_string())?);
    }
    print_line(&signature)?;
    Ok(())
}

/// Puts the digests of documents and bundles into their lines.
fn write_hashes(folder: &Path) -> anyhow::Result<()> {
    let documents_path = folder.join("documents.jsonl");
    let bundles_path = folder.join("bundles.jsonl");
    let mut documents = read_log::<Document>(&documents_path)?;
    for d in &mut documents {
        d.sha256 = document_digest(&d.title, &d.as_of, &d.text);
    }
    let digests: BTreeMap<_, _> = documents.iter().map(|d| (&d.doc_id, &d.sha256)).collect();
    let mut bundles = read_log::<Bundle>(&bundles_path)?;
    for bundle in &mut bundles {
        for d in &mut bundle.documents {
            let digest = digests.get(&d.doc_id).ok_or_else(|| {
                Error::Input(format!(
                    "{}, {}: document {} is not in documents.jsonl",
                    bundles_path.display(),
                    bundle.item_id,
                    d.doc_id
                ))
            })?;
            d.sha256.clone_from(digest);
        }
        bundle.sha256 = bundle_digest(bundle.documents.iter().map(|d| d.sha256.as_str()));
    }
    write_lines(&documents_path, &documents)?;
    write_lines(&bundles_path, &bundles)
}

fn write_lines<T: serde::Serialize>(path: &Path, rows: &[T]) -> anyhow::Result<()> {
    let mut text = String::new();
    for row in rows {
        text.push_str(&serde_json::to_string(row)?);
        text.push('\n');
    }
    Ok(write_file(path, text.as_bytes())?)
}
