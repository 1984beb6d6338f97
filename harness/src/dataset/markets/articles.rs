//! Which article a question is about, and what of it an item shows.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::{
    deadline,
    wiki::{Edit, Hit},
    wikitext::is_heading,
};

/// Fewer words of prose are no document: a list, a table, a disambiguation.
pub const MIN_WORDS: usize = 60;

/// An article that search found, with its history around settlement.
#[derive(Debug, Clone, PartialEq)]
pub struct Article {
    /// The page.
    pub hit: Hit,
    /// Place in the search results, from 1.
    pub search_rank: usize,
    /// Its edits in the window, any order.
    pub edits: Vec<Edit>,
    /// The revision that stood at settlement.
    pub standing: Edit,
}

/// A revision of an article as an item can show it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Text {
    /// Title of the article.
    pub title: String,
    /// Which revision.
    pub revid: u64,
    /// When the revision was made, seconds since 1970.
    pub at: i64,
    /// What is shown of it.
    pub text: String,
    /// Place in the search results, from 1.
    pub search_rank: usize,
    /// Number of edits in the window.
    pub edits: usize,
    /// See [`intensity`].
    pub intensity: f64,
}

/// How hard an article was edited: the sum over its edits of 1 + log2(1 + |bytes changed| / 100).
///
/// An edit counts whatever it does, and a large one counts more, but not so much more that one paste outweighs a week of
/// work. The oldest edit of the window has nothing to be compared with and counts 1. From 0 up; higher is harder.
#[must_use]
pub fn intensity(edits: &[Edit]) -> f64 {
    let mut edits = edits.to_vec();
    edits.sort_by_key(|e| (e.at, e.revid));
    let changed = edits.windows(2).map(|pair| pair[1].size.abs_diff(pair[0].size) as f64);
    edits.len() as f64 + changed.map(|bytes| (1.0 + bytes / 100.0).log2()).sum::<f64>()
}

/// The articles, the hardest edited first; on a tie, the one that search put first.
#[must_use]
pub fn ranked(mut articles: Vec<Article>) -> Vec<(Article, f64)> {
    articles.sort_by_key(|a| a.search_rank);
    let mut scored: Vec<_> = articles.into_iter().map(|a| (intensity(&a.edits), a)).collect();
    scored.sort_by(|a, b| b.0.total_cmp(&a.0));
    scored.into_iter().map(|(score, article)| (article, score)).collect()
}

/// What is searched for: the question's words without deadline and without the words that every question has.
#[must_use]
pub fn search_query(question: &str) -> String {
    let telling = deadline::key(question);
    let mut words = deadline::strip(question);
    words.retain(|w| telling.contains(w));
    words.truncate(20);
    words.join(" ")
}

/// The part of an article that an item shows, at most `most_words` words: the lead, then the paragraphs that share most
/// words with the question, in the article's order. Where something is left out stands "[…]". None when there is too
/// little prose.
#[must_use]
pub fn excerpt(paragraphs: &[String], question: &str, most_words: usize) -> Option<String> {
    let words_of = |p: &String| p.split_whitespace().count();
    let prose: usize = paragraphs.iter().filter(|p| !is_heading(p)).map(words_of).sum();
    if prose < MIN_WORDS {
        return None;
    }
    let telling: BTreeSet<String> = deadline::key(question).into_iter().collect();
    let shared = |p: &String| {
        let words: BTreeSet<String> = deadline::key(p).into_iter().collect();
        words.intersection(&telling).count()
    };
    let lead = paragraphs.iter().position(|p| !is_heading(p))?;
    let mut order: Vec<usize> =
        (0..paragraphs.len()).filter(|i| !is_heading(&paragraphs[*i])).collect();
    order.sort_by_cached_key(|i| (*i != lead, std::cmp::Reverse(shared(&paragraphs[*i])), *i));
    let (mut taken, mut room) = (BTreeSet::new(), most_words);
    for i in order {
        let words = words_of(&paragraphs[i]);
        if words <= room {
            room -= words;
            taken.insert(i);
        }
    }
    if taken.is_empty() {
        // The lead alone is too long.
        let cut: Vec<_> = paragraphs[lead].split_whitespace().take(most_words).collect();
        return Some(format!("{} […]", cut.join(" ")));
    }
    Some(joined(paragraphs, &taken))
}

/// The taken paragraphs with the heading over each, and a mark for each gap.
fn joined(paragraphs: &[String], taken: &BTreeSet<usize>) -> String {
    let mut lines: Vec<&str> = Vec::new();
    let mut gap = false;
    let mut heading = None;
    for (i, paragraph) in paragraphs.iter().enumerate() {
        if is_heading(paragraph) {
            heading = Some(paragraph.as_str());
        } else if taken.contains(&i) {
            if gap {
                lines.push("[…]");
            }
            lines.extend(heading.take());
            lines.push(paragraph);
            gap = false;
        } else {
            gap = true;
        }
    }
    if gap {
        lines.push("[…]");
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edit(revid: u64, size: u64) -> Edit {
        Edit { revid, at: revid as i64, size }
    }

    fn article(search_rank: usize, edits: Vec<Edit>) -> Article {
        let hit = Hit { pageid: search_rank as u64, title: format!("A{search_rank}") };
        Article { hit, search_rank, standing: edit(1, 1), edits }
    }

    #[test]
    fn many_edits_outweigh_one_large_paste_and_search_breaks_ties() {
        let busy: Vec<_> = (0..40).map(|i| edit(i, 1000 + 200 * i)).collect();
        let paste = vec![edit(1, 1000), edit(2, 90_000)];
        let first = |articles| ranked(articles)[0].0.search_rank;
        assert_eq!(first(vec![article(1, paste), article(3, busy.clone())]), 3);
        assert_eq!(first(vec![article(2, Vec::new()), article(1, Vec::new())]), 1);
        assert_eq!(intensity(&[]), 0.0);
        assert_eq!(intensity(&[edit(5, 100), edit(6, 200), edit(4, 100)]), 4.0);
        let mut shuffled = busy.clone();
        shuffled.reverse();
        assert_eq!(intensity(&shuffled), intensity(&busy));
    }

    #[test]
    fn search_asks_without_the_deadline() {
        assert_eq!(
            search_query("Will House and Senate pass the funding bill by November 30?"),
            "house and senate pass funding bill"
        );
    }

    #[test]
    fn the_excerpt_keeps_lead_and_what_the_question_is_about() {
        let filler = |word: &str| vec![word; 40].join(" ");
        let paragraphs: Vec<String> = [
            filler("lead"),
            "== One".into(),
            filler("alpha"),
            "== Two".into(),
            filler("treaty"),
            filler("beta"),
        ]
        .into();
        let text = excerpt(&paragraphs, "Will the treaty be signed?", 90).unwrap();
        let starts: Vec<_> = text.lines().map(|l| l.split(' ').next().unwrap()).collect();
        assert_eq!(starts, ["lead", "[…]", "==", "treaty", "[…]"]);
        assert!(text.contains("== Two") && !text.contains("== One"));
        assert_eq!(excerpt(&paragraphs[..1], "x", 90), None, "too little prose");
        let whole = excerpt(&paragraphs, "x", 9000).unwrap();
        assert!(!whole.contains("[…]"));
        assert_eq!(excerpt(&paragraphs, "x", 10).unwrap().split_whitespace().count(), 11);
    }
}
