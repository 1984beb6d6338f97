use records::{SCHEMAS, json_schema};

use crate::{
    cli::SchemaArgs,
    error::{Error, io_text, write_file},
    terminal::print_line,
};

/// `recount schema`
pub fn run(args: &SchemaArgs) -> anyhow::Result<()> {
    if let Some(folder) = &args.write {
        std::fs::create_dir_all(folder)
            .map_err(|e| Error::Input(format!("{}: {}", folder.display(), io_text(&e))))?;
        for (name, make) in SCHEMAS {
            let text = format!("{}\n", serde_json::to_string_pretty(&make())?);
            write_file(&folder.join(format!("{name}.json")), text.as_bytes())?;
        }
        return Ok(());
    }
    let Some(name) = &args.format else {
        for (name, _) in SCHEMAS {
            print_line(name)?;
        }
        return Ok(());
    };
    let Some(schema) = json_schema(name) else {
        let known: Vec<_> = SCHEMAS.iter().map(|(n, _)| *n).collect();
        let text = format!("there is no format \"{name}\"; there are: {}", known.join(", "));
        return Err(Error::Usage(text).into());
    };
    print_line(&serde_json::to_string_pretty(&schema)?)?;
    Ok(())
}
