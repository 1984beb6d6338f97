use super::{place::Place, server::Server, world::World};
use crate::common::{Told, recount, root, text};

/// The set runs through every arm, the report and the check like any other, and each of them says that nobody reviewed it.
#[test]
fn the_set_runs_through_every_arm_without_special_cases() {
    let server = Server::start(World::new(448, 21));
    let place = Place::new(&server);
    place.done("all");
    let folder = place.folder.path();
    for file in ["models.toml", "prices.toml"] {
        std::fs::copy(root().join("data").join(file), folder.join("data").join(file))
            .expect("copied");
    }
    let (data, cassettes, results) =
        (folder.join("data"), folder.join("cassettes"), folder.join("results"));
    let with = |arguments: &[&str]| -> Told {
        let mut command = recount(arguments);
        command.args(["--data", text(&data), "--cassettes", text(&cassettes)]);
        command.args(["--results", text(&results)]).output().expect("the binary starts").into()
    };
    let told = with(&[
        "run",
        "--dataset",
        "made",
        "--run",
        "r",
        "--models",
        "always_no,always_yes,random_p50,market_price,lexical",
        "--arms",
        "a0,a1,a2,closed_book,closed_book_forced",
    ]);
    assert_eq!(told.code, 0, "{}{}", told.out, told.err);
    let told = with(&["report", "--run", "r", "--resamples", "200"]);
    assert_eq!(told.code, 0, "{}{}", told.out, told.err);
    assert!(told.out.contains("lexical") && told.out.contains("market_price"), "{}", told.out);
    let told = with(&["verify", "r"]);
    assert_eq!(told.code, 0, "{}{}", told.out, told.err);
    assert!(
        format!("{}{}", told.out, told.err).contains("the data set is not reviewed"),
        "{}",
        told.out
    );
    let run = std::fs::read_to_string(results.join("r/run.json")).expect("run.json");
    assert!(run.contains("\"dataset_reviewed\": false"), "the page reads this: {run}");
}
