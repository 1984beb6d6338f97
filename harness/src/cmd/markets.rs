use std::{io::BufReader, path::Path};

use records::FunnelStage;
use serde_json::json;

use crate::{
    cassette::is_plain_name,
    cli::{MarketsInitArgs, MarketsReviewArgs, MarketsSheetArgs, MarketsStepArgs, MarketsVerb},
    dataset::markets::{
        Work,
        client::Api,
        draw::{Labelled, Place},
        gather::{self, Reading},
        review::{Desk, Question, open, review},
        settings::{SETTINGS_FILE, Settings, template},
        sheet, steps, time,
    },
    error::{Error, io_text, read_text, write_file},
    terminal::{note, print_line},
};

/// `recount dataset markets …`
pub fn run(verb: &MarketsVerb, json: bool) -> anyhow::Result<()> {
    match verb {
        MarketsVerb::Init(args) => init(args, json),
        MarketsVerb::Harvest(args) => step(args, json, &[Step::Harvest]),
        MarketsVerb::Screen(args) => step(args, json, &[Step::Screen]),
        MarketsVerb::Collapse(args) => step(args, json, &[Step::Collapse]),
        MarketsVerb::Label(args) => step(args, json, &[Step::Label]),
        MarketsVerb::Draw(args) => step(args, json, &[Step::Draw]),
        MarketsVerb::Bundle(args) => step(args, json, &[Step::Bundle]),
        MarketsVerb::All(args) => step(args, json, &Step::ALL),
        MarketsVerb::Review(args) => review_items(args),
        MarketsVerb::Sheet(args) => sheet_of(args, json),
    }
}

#[derive(Clone, Copy)]
enum Step {
    Harvest,
    Screen,
    Collapse,
    Label,
    Draw,
    Bundle,
}

impl Step {
    const ALL: [Self; 6] =
        [Self::Harvest, Self::Screen, Self::Collapse, Self::Label, Self::Draw, Self::Bundle];
}

fn init(args: &MarketsInitArgs, json: bool) -> anyhow::Result<()> {
    let folder = &args.folder;
    let path = folder.join(SETTINGS_FILE);
    if path.exists() {
        return Err(Error::Usage(format!("{}: is there already; edit it", path.display())).into());
    }
    let name = folder.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
    if !is_plain_name(&name) {
        return Err(Error::Usage(format!(
            "{}: a data set's folder has letters, digits, dots, dashes and underscores",
            folder.display()
        ))
        .into());
    }
    let was_there = folder.exists();
    std::fs::create_dir_all(folder)
        .map_err(|e| Error::Input(format!("{}: {}", folder.display(), io_text(&e))))?;
    write_file(&path, template(&name, &args.from, &args.to, &args.contact).as_bytes())?;
    Settings::load(folder).inspect_err(|_| {
        // Best effort: what cannot be used should not be found by the next try.
        let _ = std::fs::remove_file(&path);
        if !was_there {
            let _ = std::fs::remove_dir(folder);
        }
    })?;
    let next = format!("look it over, then `recount dataset markets all {}`", folder.display());
    say(json, &json!({"settings": path}), &format!("{}: {next}", path.display()))
}

fn step(args: &MarketsStepArgs, json: bool, wanted: &[Step]) -> anyhow::Result<()> {
    let settings = Settings::load(&args.folder)?;
    let work = Work::new(&args.folder);
    let runtime = runtime()?;
    for step in wanted {
        match step {
            Step::Harvest => runtime.block_on(steps::harvest(&work, &settings, args.quiet))?,
            Step::Screen => steps::screen(&work, &settings)?,
            Step::Collapse => steps::collapse_step(&work, &settings)?,
            Step::Label => steps::label(&work, &settings)?,
            Step::Draw => steps::draw(&work, &settings)?,
            Step::Bundle => runtime.block_on(steps::bundle(&work, &settings, args.quiet))?,
        }
    }
    if args.quiet {
        return Ok(());
    }
    // A single step in the middle may be ahead of the others, and then there is no one funnel.
    let (Ok(funnel), Ok(rates)) = (steps::funnel(&work), steps::base_rates(&work)) else {
        return Ok(());
    };
    if json {
        print_line(&json!({"funnel": funnel, "base_rates": rates}).to_string())?;
        return Ok(());
    }
    print_line(&table(&funnel))?;
    for rate in rates.iter().filter(|r| r.of > 0) {
        let share = 100.0 * rate.yes as f64 / rate.of as f64;
        print_line(&format!(
            "{}: {} of {} settled YES ({share:.1} %)",
            rate.pool, rate.yes, rate.of
        ))?;
    }
    if matches!(wanted.last(), Some(Step::Bundle)) {
        let log = work.reviews()?;
        let material = Material::read(&work)?;
        let open = open(&material.questions()?, &log).len();
        let folder = args.folder.display();
        print_line(&if open == 0 {
            format!("every item is reviewed; check it with `recount bundle check {folder}`")
        } else {
            let items =
                if open == 1 { "1 item is".to_owned() } else { format!("{open} items are") };
            format!(
                "not reviewed: {items} open; go on with `recount dataset markets review {folder} --reviewer NAME`"
            )
        })?;
    }
    Ok(())
}

/// Prints one of the two.
fn say(json: bool, object: &serde_json::Value, text: &str) -> anyhow::Result<()> {
    if json {
        print_line(&object.to_string())?
    } else {
        print_line(text)?
    }
    Ok(())
}

fn runtime() -> Result<tokio::runtime::Runtime, Error> {
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|e| Error::Input(format!("no runtime: {}", io_text(&e))))
}

fn table(funnel: &[FunnelStage]) -> String {
    let width = funnel.iter().map(|s| s.stage.len()).max().unwrap_or(0);
    let lines: Vec<_> =
        funnel.iter().map(|s| format!("{:width$}  {:>7}", s.stage, s.remaining)).collect();
    lines.join("\n")
}

/// What a review is about.
struct Material {
    places: Vec<Place>,
    pool: Vec<Labelled>,
    readings: Vec<Reading>,
}

impl Material {
    fn read(work: &Work) -> Result<Self, Error> {
        Ok(Self {
            places: work.read("drawn.jsonl")?,
            pool: work.read("labelled.jsonl")?,
            readings: work.read("readings.jsonl")?,
        })
    }

    fn questions(&self) -> Result<Vec<Question<'_>>, Error> {
        let question = |place| question(place, &self.pool, &self.readings);
        self.places.iter().map(question).collect()
    }
}

fn question<'a>(
    place: &'a Place,
    pool: &'a [Labelled],
    readings: &'a [Reading],
) -> Result<Question<'a>, Error> {
    let id = place.candidate_id.as_str();
    let labelled = pool.iter().find(|l| l.candidate.candidate_id == id);
    let reading = readings.iter().find(|r| r.candidate_id == id);
    let (Some(labelled), Some(reading)) = (labelled, reading) else {
        return Err(Error::Input(format!(
            "{id} was drawn after the last bundle; run `recount dataset markets bundle` first"
        )));
    };
    Ok(Question { place, labelled, reading })
}

fn review_items(args: &MarketsReviewArgs) -> anyhow::Result<()> {
    let work = Work::new(&args.folder);
    let material = Material::read(&work)?;
    let mut input = BufReader::new(std::io::stdin());
    let mut desk = Desk {
        reviewer: &args.reviewer,
        input: &mut input,
        out: &mut std::io::stdout(),
        write: &mut |row| work.add_review(row),
    };
    review(&material.questions()?, work.reviews()?, &mut desk)?;
    say_what_follows(&args.folder);
    Ok(())
}

fn sheet_of(args: &MarketsSheetArgs, json: bool) -> anyhow::Result<()> {
    let settings = Settings::load(&args.folder)?;
    let work = Work::new(&args.folder);
    let material = Material::read(&work)?;
    let questions = material.questions()?;
    let log = work.reviews()?;
    let Some(file) = &args.read else {
        let path = args.folder.join("review-sheet.md");
        if path.exists() && sheet::is_filled(&read_text(&path)?) {
            return Err(Error::Input(format!(
                "{}: somebody wrote into this sheet; read it back with --read, then move it away",
                path.display()
            ))
            .into());
        }
        let sources = &settings.sources;
        let mut wiki = Api::open("wiki", &sources.wiki, sources, &work.fetched())?;
        let site = runtime()?.block_on(gather::site(&mut wiki))?;
        let text = sheet::write(&questions, &site, &settings.dataset_id, &log);
        write_file(&path, text.as_bytes())?;
        return say(json, &json!({"sheet": path}), &path.display().to_string());
    };
    let reviewer = args.reviewer.as_deref().unwrap_or_default();
    let rows = sheet::read(&read_text(file)?, &questions, &log, reviewer)
        .map_err(|problems| Error::Input(format!("{}: {}", file.display(), problems.join("; "))))?;
    for row in &rows {
        work.add_review(row)?;
    }
    let count = rows.len();
    let text =
        if count == 1 { "1 verdict read".to_owned() } else { format!("{count} verdicts read") };
    say(json, &json!({"verdicts": count}), &text)?;
    say_what_follows(&args.folder);
    Ok(())
}

fn say_what_follows(folder: &Path) {
    note(&format!(
        "`recount dataset markets bundle {0}` puts this into the data set and gives the places of rejected items to others",
        folder.display()
    ));
}

/// Somebody's name on the command line.
pub fn name(text: &str) -> Result<String, String> {
    let name = text.trim();
    (!name.is_empty()).then(|| name.to_owned()).ok_or_else(|| "is empty; give a name".to_owned())
}

/// A moment on the command line.
pub fn moment(text: &str) -> Result<String, String> {
    let whole = if text.len() == 10 { format!("{text}T00:00:00Z") } else { text.to_owned() };
    time::parse(&whole).map(time::rfc3339).ok_or_else(|| {
        "is no day such as 2026-01-31 and no time such as 2026-01-31T12:00:00Z".to_owned()
    })
}
