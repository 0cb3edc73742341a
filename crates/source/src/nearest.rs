//! "Did you mean": the candidate nearest to a name, by the optimal string alignment distance
//! (insert, delete, replace, swap neighbours), as in Damerau, "A technique for computer detection
//! and correction of spelling errors" (1964). A suggestion is never further away than a third of
//! the name.
//!
//! *Entry point:* [`nearest`].

use strsim::osa_distance;

/// Names longer than this get no suggestion: the table is quadratic.
const LONGEST: usize = 64;

/// The candidate nearest to `name`, if one is near enough to be a slip of the hand. Upper and lower
/// case count as nearly the same. Among equally near ones the first in alphabetical order wins.
#[must_use]
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let length = name.chars().count();
    if length == 0 || length > LONGEST {
        return None;
    }
    let bound = 2 * (length / 3).max(1);
    candidates
        .into_iter()
        .filter(|candidate| *candidate != name && candidate.len() <= 4 * LONGEST)
        .filter_map(|candidate| Some((distance(name, candidate, bound)?, candidate)))
        .filter(|&(distance, candidate)| distance < 2 * candidate.chars().count())
        .min()
        .map(|(_, candidate)| candidate)
}

/// Twice the edit distance, if it is no more than the bound; a change of case alone costs half an
/// edit.
fn distance(a: &str, b: &str, bound: usize) -> Option<usize> {
    // Each character too many costs an edit; this rules out most candidates.
    if 2 * a.chars().count().abs_diff(b.chars().count()) > bound {
        return None;
    }
    let folded = osa_distance(&a.to_lowercase(), &b.to_lowercase());
    Some(folded + osa_distance(a, b)).filter(|&cost| cost <= bound)
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn slips_of_the_hand_are_seen() {
        let names = ["counter", "mutex", "turn", "x"];
        for (written, meant) in [
            ("conter", Some("counter")),
            ("cuonter", Some("counter")),
            ("Mutex", Some("mutex")),
            ("trun", Some("turn")),
            ("turn", None),
            ("y", None),
            ("banana", None),
            ("", None),
        ] {
            assert_eq!(nearest(written, names), meant, "{written}");
        }
    }
}
