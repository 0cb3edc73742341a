//! "Did you mean": the candidate nearest to a name, by the optimal string alignment distance
//! (insert, delete, replace, swap neighbours), as in Damerau, "A technique for computer detection
//! and correction of spelling errors" (1964). A suggestion is never further away than a third of
//! the name.
//!
//! *Entry point:* [`nearest`].

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
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    // Each character too many costs an edit; this rules out most candidates.
    if 2 * a.len().abs_diff(b.len()) > bound {
        return None;
    }
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).map(|j| 2 * j).collect();
    for i in 1..=a.len() {
        let mut row = vec![2 * i; b.len() + 1];
        for j in 1..=b.len() {
            let (x, y) = (a[i - 1], b[j - 1]);
            let change = if x == y {
                0
            } else if x.eq_ignore_ascii_case(&y) || !x.is_ascii() && x.to_lowercase().eq(y.to_lowercase()) {
                1
            } else {
                2
            };
            row[j] = (last[j - 1] + change).min(last[j] + 2).min(row[j - 1] + 2);
            if i > 1 && j > 1 && x == b[j - 2] && a[i - 2] == y {
                row[j] = row[j].min(before[j - 2] + 2);
            }
        }
        // A swap reaches back two rows; all else only one.
        if row.iter().chain(&last).all(|&cost| cost > bound) {
            return None;
        }
        before = std::mem::replace(&mut last, row);
    }
    Some(last[b.len()]).filter(|&cost| cost <= bound)
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
