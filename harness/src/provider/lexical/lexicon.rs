//! Lists of words that tell how something went, and of verbs that say the same.
//!
//! They are general English, written down by hand. A word is known by its stem.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::LazyLock,
};

use super::words::stem;

/// Two words that belong together, by their stems.
pub(super) type Pair = (String, String);

/// What a word says against an outcome.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Setback {
    /// What was to happen did not: "rejected", "postponed".
    Failed,
    /// What there was is no more: "abandoned", "resigned".
    Ended,
}

/// Verbs that say the same.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Synonyms {
    pub stems: BTreeSet<String>,
    pub pairs: BTreeSet<Pair>,
}

const FAILED: &str = "\
    await bar behind block collapse concede condemn deadlock decline defeat defer delay deny derail \
    disappoint disappointment disqualify eliminate fail failure falter forbid forfeit founder freeze \
    halt hinder impasse impossible incomplete inconclusive ineligible insufficient invalid lack lapse \
    lose miss object offline oppose opposition outvote overdue pause pending postpone postponement \
    prevent prohibit quash refusal refuse reject rejection reschedule scupper shelve shortfall stall \
    stop strand stumble thwart trail unable unconstitutional undecided unfinished unlawful unpaid \
    unresolved unsigned unsold unsuccessful vain veto wait withhold";
const ENDED: &str = "\
    abandon abolish abort annul axe bankrupt bury cancel close collapse demolish discontinue dismiss \
    dissolve ditch evict expel expire insolvent lift liquidate nullify oust overturn quit remove \
    repeal rescind resign resignation revoke sack scrap scuttle shut suspend terminate vacant void \
    withdraw withdrawal";
const FAILED_PAIRS: &str = "\
    at odds,come to nothing,empty handed,fall behind,fall short,fall through,hand back,instead of,\
    no result,on hold,out of reach,push back,put back,put off,rule out,run aground,short of,strike out,\
    throw out,too few,too late,turn away,turn down,vote against,vote down,without result,yet to";
const ENDED_PAIRS: &str = "\
    an end,break down,break off,break up,call off,do away,drop out,give up,go under,no longer,pull back,\
    pull out,set aside,step down,strike down,walk out";
/// Verbs whose second word may stand one word off: "put it off".
const SPLIT: &str = "break call give pull put rule set throw turn";

const SUCCESS: &str = "\
    accept achieve admit adopt agree applaud appoint approve arrive attain award back begin build carry \
    celebrate certify clear clinch complete conclude confirm cross deliver earn elect endorse enter \
    exceed finish free fulfil gather grant honour inaugurate install introduce join land launch open \
    pass play publish ratify reach recover release reopen restart restore resume return reward seal \
    secure select settle sign start succeed success successful surpass survive swear triumph unanimous \
    unlock unveil uphold visit welcome win";
const UNCHANGED: &str = "\
    continue former intact keep maintain persist remain retain same stay still unaffected unaltered \
    unbroken unchanged uninterrupted untouched usual";
const NEGATIONS: &str = "\
    cannot hardly neither never no nobody none nor not nothing nowhere without";
const PLANS: &str = "\
    advise aim believe call confident consider could debate demand discuss draft due expect favourite \
    fear forecast foresee goal hope intend likely may might must ought perhaps plan poll possible \
    possibly predict prepare probably promise propose recommend schedule seek shall should survey talk \
    target think threaten urge want warn will would";

/// Verbs of a question that asks for no change.
const ASKS_NO_CHANGE: &str = "\
    avoid continue intact keep maintain persist remain retain stay still survive unchanged without";
/// Verbs of a question that asks for a failure or an end.
const ASKS_END: &str = "\
    abandon abolish annul ban cancel cease close cut decline defer delay deny depart dismiss dissolve \
    drop end fail fall fine leave lift lose lower overturn postpone quash quit reduce refuse reject \
    remove repeal rescind resign revoke scrap shut stop suspend veto withdraw";

/// Groups of synonyms: single words, then pairs of words after a bar.
const GROUPS: [&str; 40] = [
    "sign conclude initial ink seal|put name,put signature",
    "open reopen inaugurate unlock welcome admit|cut ribbon,throw open",
    "approve adopt pass endorse ratify back accept support carry agree consent authorise authorize clear \
     grant license permit vote|in favour,green light,go ahead",
    "elect choose appoint name pick select win crown nominate declare swear",
    "win award receive take present give beat clinch triumph|go to",
    "launch start begin commence enter run lift capture|take off,lift off,set off",
    "complete finish conclude|be done",
    "close shut end stop cease",
    "buy acquire sell purchase|take over,change hand",
    "lift scrap revoke drop abolish repeal withdraw abandon rescind remove end",
    "reject refuse dismiss decline veto deny|vote down,throw out,turn down",
    "resign leave quit depart go oust sack dismiss|step down",
    "stay remain keep retain continue survive stand leave",
    "exceed top surpass pass reach hit overtake attain",
    "rise increase grow climb raise jump",
    "fall drop decline lower cut reduce shrink decrease trim",
    "fine penalise penalize sentence convict impose order",
    "acquit free release discharge clear|walk out,walk free",
    "release publish issue present unveil appear print",
    "return restore recover arrive|give back,hand back,bring back,come back,come ashore,bring home",
    "move relocate shift transfer",
    "ban prohibit forbid bar outlaw",
    "build construct erect",
    "deliver supply arrive hand",
    "connect link join",
    "play hold stage host race gather convene meet assemble|take place",
    "join accede admit enter",
    "qualify advance reach",
    "postpone delay defer reschedule|put off",
    "merge unite fuse",
    "introduce launch|bring in,roll out,come into",
    "extend prolong renew",
    "uphold confirm stand affirm",
    "overturn quash annul|set aside,strike down",
    "settle agree resolve",
    "announce declare",
    "carry serve use",
    "operate run serve supply work",
    "resume restart return",
    "find rule convict blame fault",
];

pub(super) static SETBACKS: LazyLock<BTreeMap<String, Setback>> = LazyLock::new(|| {
    let of = |list, setback| stems(list).into_iter().map(move |stem| (stem, setback));
    of(FAILED, Setback::Failed).chain(of(ENDED, Setback::Ended)).collect()
});
pub(super) static SETBACK_PAIRS: LazyLock<BTreeMap<Pair, Setback>> = LazyLock::new(|| {
    let of = |list, setback| pairs(list).into_iter().map(move |pair| (pair, setback));
    of(FAILED_PAIRS, Setback::Failed).chain(of(ENDED_PAIRS, Setback::Ended)).collect()
});
pub(super) static SPLIT_STEMS: LazyLock<BTreeSet<String>> = LazyLock::new(|| stems(SPLIT));
pub(super) static SUCCESS_STEMS: LazyLock<BTreeSet<String>> = LazyLock::new(|| stems(SUCCESS));
pub(super) static UNCHANGED_STEMS: LazyLock<BTreeSet<String>> = LazyLock::new(|| stems(UNCHANGED));
pub(super) static NEGATION_STEMS: LazyLock<BTreeSet<String>> = LazyLock::new(|| stems(NEGATIONS));
pub(super) static PLAN_STEMS: LazyLock<BTreeSet<String>> = LazyLock::new(|| stems(PLANS));
pub(super) static NO_CHANGE_STEMS: LazyLock<BTreeSet<String>> =
    LazyLock::new(|| stems(ASKS_NO_CHANGE));
pub(super) static END_STEMS: LazyLock<BTreeSet<String>> = LazyLock::new(|| stems(ASKS_END));
static SYNONYMS: LazyLock<Vec<Synonyms>> = LazyLock::new(|| {
    let read = |group: &&str| {
        let (words, two) = group.split_once('|').unwrap_or((group, ""));
        Synonyms { stems: stems(words), pairs: pairs(two) }
    };
    GROUPS.iter().map(read).collect()
});

/// Every verb that says the same as that with the given stem, itself included; none but itself if it is in no group.
pub(super) fn synonyms(verb: &str) -> Synonyms {
    let mut all = Synonyms { stems: [verb.to_owned()].into(), pairs: BTreeSet::new() };
    for group in SYNONYMS.iter().filter(|group| group.stems.contains(verb)) {
        all.stems.extend(group.stems.iter().cloned());
        all.pairs.extend(group.pairs.iter().cloned());
    }
    all
}

/// Whether a verb with the given stem is in a group of synonyms.
pub(super) fn is_known_verb(stem: &str) -> bool {
    SYNONYMS.iter().any(|group| group.stems.contains(stem))
}

fn stems(list: &str) -> BTreeSet<String> {
    list.split_whitespace().map(stem).collect()
}

fn pairs(list: &str) -> BTreeSet<Pair> {
    let pair = |two: &str| {
        let mut words = two.split_whitespace().map(stem);
        words.next().zip(words.next())
    };
    list.split(',').filter_map(pair).collect()
}
