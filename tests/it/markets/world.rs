//! A made-up world of settled markets and encyclopaedia articles, in the shapes in which the public APIs give them. The
//! seed decides everything, and each market knows what must become of it.

use rand_chacha::{
    ChaCha8Rng,
    rand_core::{Rng, SeedableRng},
};
use serde_json::{Value, json};

pub const DAY: i64 = 86_400;
/// 2026-01-01T00:00:00Z
pub const FROM: i64 = 1_767_225_600;
/// 2026-12-01T00:00:00Z
pub const TO: i64 = 1_796_083_200;

/// What must become of a market.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    /// It closed outside the window or is too small: no candidate at all.
    Outside,
    /// It leaves at the screen for this reason.
    Screened(&'static str),
    /// It and its like are one event or question, of which one stays.
    OneOf(u64),
    /// It is on its own.
    Drawable,
}

/// A market, its prices and its articles.
#[derive(Debug, Clone)]
pub struct Made {
    pub id: String,
    pub fate: Fate,
    pub yes: bool,
    pub disputed: bool,
    pub settled: i64,
    pub market: Value,
    pub history: Value,
    pub articles: Vec<Page>,
}

/// An article with its revisions, oldest first.
#[derive(Debug, Clone)]
pub struct Page {
    pub pageid: u64,
    pub title: String,
    pub revisions: Vec<Revision>,
}

#[derive(Debug, Clone)]
pub struct Revision {
    pub revid: u64,
    pub at: i64,
    pub size: u64,
    pub text: String,
}

/// Everything that the server plays.
pub struct World {
    pub made: Vec<Made>,
}

pub fn stamp(at: i64) -> String {
    let days = at.div_euclid(DAY);
    let second = at.rem_euclid(DAY);
    // Days to a date, after Howard Hinnant's civil_from_days.
    let z = days + 719_468;
    let era = z.div_euclid(146_097);
    let doe = z.rem_euclid(146_097);
    let yoe = (doe - doe / 1460 + doe / 36_524 - doe / 146_096) / 365;
    let doy = doe - (365 * yoe + yoe / 4 - yoe / 100);
    let mp = (5 * doy + 2) / 153;
    let (day, month) = (doy - (153 * mp + 2) / 5 + 1, if mp < 10 { mp + 3 } else { mp - 9 });
    let year = yoe + era * 400 + i64::from(month <= 2);
    format!(
        "{year:04}-{month:02}-{day:02}T{:02}:{:02}:{:02}Z",
        second / 3600,
        second / 60 % 60,
        second % 60
    )
}

/// A name that no other number has.
pub fn name(mut number: u64) -> String {
    const SYLLABLES: [&str; 12] =
        ["ka", "lo", "mir", "dun", "vesh", "tor", "el", "bra", "shu", "qin", "zo", "fal"];
    let mut out = String::from("Or");
    for _ in 0..5 {
        out.push_str(SYLLABLES[(number % 12) as usize]);
        number /= 12;
    }
    out
}

/// The bridge, pact or port that question `number` is about; its one right article has this title.
pub fn matter(number: u64) -> String {
    let thing = ["accord", "bridge", "charter", "ferry", "levy", "reservoir"][number as usize % 6];
    format!("{} {thing}", name(number))
}

fn question(number: u64) -> String {
    let verb = ["be signed", "be suspended", "be reopened", "be ratified", "be abandoned"]
        [number as usize % 5];
    format!("Will the {} {verb}", matter(number))
}

const DEADLINES: [&str; 6] = [
    " by March 31?",
    " before the end of April?",
    " in May 2026?",
    " on or before 30 June 2026?",
    " by 2026-07-31?",
    " this year?",
];
const TAGS: [&str; 8] =
    ["middle-east", "ukraine", "europe", "asia", "latin-america", "politics", "economy", "science"];
/// The reason for which a market leaves, and what is done to it.
type Spoiled = (&'static str, fn(&mut Value));
/// Every way to leave at the screen, with how the market is spoiled.
const SPOILED: [Spoiled; 16] = [
    ("multi_outcome", |m| m["negRisk"] = json!(true)),
    ("multi_outcome", |m| m["events"][0]["negRisk"] = json!("true")),
    ("not_yes_no", |m| m["outcomes"] = json!("[\"Up\", \"Down\"]")),
    ("not_yes_no", |m| m["outcomes"] = json!("[\"Yes\", \"No\", \"Draw\"]")),
    ("not_settled_cleanly", |m| m["outcomePrices"] = json!("[\"0\", \"0\"]")),
    ("not_settled_cleanly", |m| m["outcomePrices"] = json!(["0.584", "0.416"])),
    ("not_settled_cleanly", |m| m["outcomePrices"] = json!("[\"1\"")),
    ("uma_status_missing", |m| {
        m["umaResolutionStatus"] = json!(null);
        m["umaResolutionStatuses"] = json!("[]");
    }),
    ("empty_criteria", |m| m["description"] = json!("  ")),
    ("empty_criteria", |m| m["description"] = json!(null)),
    ("excluded_sports", |m| m["gameStartTime"] = json!("2026-03-01 18:00:00+00")),
    ("excluded_sports", |m| m["tags"] = json!([{"id": "1", "label": "NBA", "slug": "nba"}])),
    ("excluded_prices", |m| m["question"] = json!("Will the price of orichalcum rise?")),
    ("excluded_mentions", |m| m["question"] = json!("Will the mayor mention ferries?")),
    ("no_settlement_time", |m| m["closedTime"] = json!("soon")),
    ("thin_history", |_| {}),
];

/// The way in which a spoiled market is spoiled: each in its turn.
fn spoiled(number: u64) -> Spoiled {
    let turn = number / 16 * 5 + number % 16 / 3;
    SPOILED[turn as usize % SPOILED.len()]
}

impl World {
    /// `size` markets above the volume and inside the window, and a few that are not.
    pub fn new(size: u64, seed: u64) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut made: Vec<Made> = (0..size).map(|n| make(n, &mut rng)).collect();
        for (extra, spoil) in [
            (size, (|m: &mut Made| m.settled = FROM - 5 * DAY) as fn(&mut Made)),
            (size + 1, |m| m.settled = TO + DAY),
            (size + 2, |m| m.market["volumeNum"] = json!("199999.99")),
        ] {
            let mut one = make(extra * 16 + 1, &mut rng);
            spoil(&mut one);
            one.market["closedTime"] = json!(stamp(one.settled));
            one.fate = Fate::Outside;
            made.push(one);
        }
        // The API gives the latest closed first.
        made.sort_by_key(|m| std::cmp::Reverse(m.settled));
        Self { made }
    }

    pub fn find(&self, id: &str) -> &Made {
        self.made.iter().find(|m| m.id == id).unwrap_or_else(|| panic!("no market {id}"))
    }
}

fn make(number: u64, rng: &mut ChaCha8Rng) -> Made {
    let mut below = |n: u32| rng.next_u32() % n;
    let settled = FROM + 20 * DAY + i64::from(below(290)) * DAY + i64::from(below(86_400));
    let yes = below(3) == 0;
    let disputed = below(7) == 0;
    // Of sixteen: five are spoiled, two restate a question, the others are as they should be.
    let (fate, about, deadline) = match number % 16 {
        0 | 3 | 6 | 9 | 12 => (Fate::Screened(spoiled(number).0), number, 0),
        // Six questions of one event, six deadlines; their event is another for odd rounds.
        5 | 11 => {
            let family = number / 48;
            (Fate::OneOf(family), 1_000_000 + family, (number / 8) as usize % 6)
        }
        _ => (Fate::Drawable, number, number as usize % 6),
    };
    // Who restates a question settles with it.
    let (settled, yes) = match fate {
        Fate::OneOf(family) => (FROM + (20 + (family as i64 * 37) % 290) * DAY, family % 3 == 0),
        _ => (settled, yes),
    };
    let id = (500_000 + number).to_string();
    let own_event = !matches!(fate, Fate::OneOf(_)) || number % 16 == 11;
    let event = if own_event { format!("e{id}") } else { format!("family{about}") };
    let pair = |a: &str, b: &str| format!("[\"{a}\", \"{b}\"]");
    let swapped = number % 10 == 7;
    let (outcomes, prices) = match (swapped, yes) {
        (false, true) => (pair("Yes", "No"), pair("1", "0")),
        (false, false) => (pair("Yes", "No"), pair("0", "1")),
        (true, true) => (pair("No", "Yes"), pair("0", "1")),
        (true, false) => (pair("No", "Yes"), pair("1", "0")),
    };
    let tokens = if swapped {
        pair(&format!("{id}2"), &format!("{id}1"))
    } else {
        pair(&format!("{id}1"), &format!("{id}2"))
    };
    let statuses = if disputed {
        "[\"proposed\", \"disputed\", \"proposed\", \"resolved\"]"
    } else {
        "[\"proposed\", \"resolved\"]"
    };
    let mut market = json!({
        "id": id, "question": format!("{}{}", question(about), DEADLINES[deadline]),
        "conditionId": format!("0x{number:064x}"), "slug": format!("m-{number}"),
        "description": format!("This market resolves to Yes if the {} does. Otherwise it resolves to No.", matter(about)),
        "outcomes": outcomes, "outcomePrices": prices, "clobTokenIds": tokens,
        "volume": "250000.5", "volumeNum": if number.is_multiple_of(4) { json!("250000.5") } else { json!(250_000.5) },
        "closed": true, "active": true, "negRisk": false, "startDate": stamp(settled - 60 * DAY),
        "endDate": stamp(settled + DAY), "closedTime": stamp(settled).replace('T', " ").replace('Z', "+00"),
        "umaResolutionStatus": "resolved", "umaResolutionStatuses": statuses,
        "events": [{"id": event, "title": matter(about), "slug": "ev", "negRisk": false,
            "tags": [{"id": "9", "label": "x", "slug": TAGS[(number * 7 % 61) as usize % 8]}]}],
    });
    if let Fate::Screened(_) = fate {
        spoiled(number).1(&mut market);
    }
    let thin = fate == Fate::Screened("thin_history");
    let history = history(settled, yes, [0.08, 0.25, 0.44][below(3) as usize], thin);
    Made {
        articles: articles(about, number, settled, yes),
        id,
        fate,
        yes,
        disputed,
        settled,
        market,
        history,
    }
}

/// A price every twelve hours; it swings by `away` around even, and converges in the last two days.
fn history(settled: i64, yes: bool, away: f64, thin: bool) -> Value {
    let points: Vec<_> = (0..80)
        .rev()
        .filter(|step| !thin || *step < 8)
        .map(|step| {
            let p = match (step < 4, yes) {
                (true, true) => 0.99,
                (true, false) => 0.01,
                _ if step % 2 == 0 => 0.5 + away,
                _ => 0.5 - away,
            };
            let p = if step % 5 == 0 { json!(p.to_string()) } else { json!(p) };
            json!({"t": settled - step * DAY / 2, "p": p})
        })
        .collect();
    json!({"history": points})
}

/// What the wiki has about a matter, in the order in which search gives it: a survey that is older and calm, a table that
/// is edited hardest of all but has no prose, the right article, and three that share its name.
fn articles(about: u64, number: u64, settled: i64, yes: bool) -> Vec<Page> {
    let thing = matter(about);
    let words = |what: &str| {
        format!("The '''{what}''' concerns the [[{thing}]] of the province, and {} is what most of its [[people|inhabitants]] know it for.<ref>{{{{cite}}}}</ref> ", name(about))
            + &"It was first spoken of in the chronicle of the second surveyor and has been a matter of record since. ".repeat(5)
    };
    let calm = |slot: u64, title: String, born: i64| {
        let text = words(&title);
        page(
            about * 10 + slot,
            title,
            (0..3).map(|n| (born + n * 40 * DAY, text.clone())).collect(),
        )
    };
    let table = (0..60)
        .map(|n| {
            (
                settled - 6 * DAY + n * DAY / 6,
                format!("{{| class=wikitable\n| row || {}\n|}}", "x".repeat(400 * n as usize)),
            )
        })
        .collect();
    let verb = if yes { "was carried out" } else { "did not come about" };
    let before = format!(
        "{}\n== State of things ==\nNothing has been decided about the {thing}.",
        words(&thing)
    );
    let after = format!(
        "{}\n== State of things ==\nOn the day of settlement it became known that the matter of the {thing} {verb}.",
        words(&thing)
    );
    let mut right =
        vec![(settled - 300 * DAY, before.clone()), (settled - 45 * DAY, before.clone())];
    right.extend((0..30).map(|n| {
        let at = settled - 5 * DAY + n * DAY / 4;
        let state = if at < settled - DAY / 2 { &before } else { &after };
        (at, format!("{state}{}", " It was noted.".repeat(n as usize % 7)))
    }));
    let mut pages = vec![
        calm(1, format!("Politics of {}", name(about)), settled - 800 * DAY),
        page(about * 10 + 2, format!("List of {thing} dates"), table),
        page(about * 10 + 3, thing.clone(), right),
        calm(4, format!("{} district", name(about)), settled - 500 * DAY),
        calm(5, format!("History of {}", name(about)), settled - 700 * DAY),
        calm(6, format!("Aftermath of the {thing}"), settled + 30 * DAY),
    ];
    if number % 16 == 13 {
        // Here the wiki has one article only.
        pages.truncate(3);
        pages.remove(0);
    }
    pages
}

fn page(pageid: u64, title: String, states: Vec<(i64, String)>) -> Page {
    let revisions = states.into_iter().enumerate().map(|(n, (at, text))| Revision {
        revid: pageid * 100 + n as u64,
        at,
        size: text.len() as u64,
        text,
    });
    Page { pageid, title, revisions: revisions.collect() }
}
