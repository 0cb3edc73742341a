//! The differences between the files of two versions of a project.
//!
//! *Entry point:* [`differences`].

use std::collections::BTreeSet;

use axle_feaver::changes::versions::{Files, text};
use axle_feaver::jobs::error::StoreError;
use axle_feaver::results::database::Database;

use crate::view::alignment::{Pair, align};

/// Lines of a file that are compared; larger files are only named.
const MOST_LINES: usize = 20_000;

/// Equal lines around a difference.
const CONTEXT: usize = 2;

/// A file that differs between two versions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The path.
    pub path: String,
    /// `added`, `removed` or `changed`.
    pub kind: &'static str,
    /// The lines that differ with their neighbours, in groups.
    pub hunks: Vec<Vec<Line>>,
}

/// A line of a difference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// `+`, `-` or a space.
    pub sign: char,
    /// The number in the earlier version.
    pub old: Option<usize>,
    /// The number in the later version.
    pub new: Option<usize>,
    /// The text.
    pub text: String,
}

/// The files that differ.
///
/// # Errors
/// The history cannot be read.
pub fn differences(database: &dyn Database, old: &Files, new: &Files) -> Result<Vec<Difference>, StoreError> {
    let paths: BTreeSet<&String> = old.keys().chain(new.keys()).collect();
    let mut found = Vec::new();
    for path in paths {
        let (before, after) = (old.get(path), new.get(path));
        let kind = match (before, after) {
            (Some(before), Some(after)) if before.hash == after.hash => continue,
            (Some(_), Some(_)) => "changed",
            (Some(_), None) => "removed",
            _ => "added",
        };
        let hunks = match (before, after) {
            (Some(before), Some(after)) => hunks(&text(database, before)?, &text(database, after)?),
            _ => Vec::new(),
        };
        found.push(Difference { path: path.clone(), kind, hunks });
    }
    Ok(found)
}

/// The lines that differ, with a few equal ones around them.
fn hunks(old: &str, new: &str) -> Vec<Vec<Line>> {
    let (before, after): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
    if before.len().max(after.len()) > MOST_LINES {
        return Vec::new();
    }
    let line = |sign, old: Option<usize>, new: Option<usize>, text: &str| Line {
        sign,
        old: old.map(|at| at + 1),
        new: new.map(|at| at + 1),
        text: text.to_string(),
    };
    let lines: Vec<Line> = (align(&before, &after).into_iter())
        .map(|pair| match pair {
            Pair::Both(one, other) => line(' ', Some(one), Some(other), after[other]),
            Pair::First(one) => line('-', Some(one), None, before[one]),
            Pair::Second(other) => line('+', None, Some(other), after[other]),
        })
        .collect();
    let differs = |at: usize| lines[at].sign != ' ';
    let near = |at: usize| (at.saturating_sub(CONTEXT)..(at + CONTEXT + 1).min(lines.len())).any(differs);
    let mut hunks: Vec<Vec<Line>> = Vec::new();
    let mut last = None;
    for at in (0..lines.len()).filter(|at| near(*at)) {
        match hunks.last_mut() {
            Some(hunk) if last == Some(at.saturating_sub(1)) => hunk.push(lines[at].clone()),
            _ => hunks.push(vec![lines[at].clone()]),
        }
        last = Some(at);
    }
    hunks
}

#[cfg(test)]
mod tests {
    use super::hunks;

    #[test]
    fn differences_have_context_and_are_grouped() {
        let old: Vec<String> = (1..=30).map(|line| format!("line {line}")).collect();
        let mut new = old.clone();
        new[4] = "changed".into();
        new.push("added".into());
        let found = hunks(&old.join("\n"), &new.join("\n"));
        assert_eq!(found.len(), 2, "{found:?}");
        let text = |hunk: &[super::Line]| {
            hunk.iter().map(|line| format!("{}{}", line.sign, line.text)).collect::<Vec<_>>()
        };
        assert_eq!(text(&found[0]), [" line 3", " line 4", "-line 5", "+changed", " line 6", " line 7"]);
        assert_eq!(text(&found[1]), [" line 29", " line 30", "+added"]);
        assert_eq!((found[0][2].old, found[0][3].new), (Some(5), Some(5)));
    }
}
