//! Two executions side by side: the longest common subsequence of their steps.
//!
//! *Entry point:* [`align`].
//! *Source:* R. A. Wagner and M. J. Fischer, "The String-to-String Correction Problem", JACM 21, 1974.
//! *Cost:* the product of the lengths without their common beginning and end; beyond `MOST_CELLS`
//! only those are aligned.

/// The most cells of the table.
const MOST_CELLS: usize = 4_000_000;

/// A row of the comparison: positions in the first and the second sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pair {
    /// The same in both.
    Both(usize, usize),
    /// Only in the first.
    First(usize),
    /// Only in the second.
    Second(usize),
}

/// Aligns two sequences.
#[must_use]
pub fn align<T: PartialEq>(first: &[T], second: &[T]) -> Vec<Pair> {
    let shorter = first.len().min(second.len());
    let begin = (0..shorter).find(|&at| first[at] != second[at]).unwrap_or(shorter);
    let end = (0..shorter - begin)
        .find(|&at| first[first.len() - 1 - at] != second[second.len() - 1 - at])
        .unwrap_or(shorter - begin);
    let (a, b) = (&first[begin..first.len() - end], &second[begin..second.len() - end]);
    let mut pairs: Vec<Pair> = (0..begin).map(|at| Pair::Both(at, at)).collect();
    pairs.extend(between(a, b).into_iter().map(|pair| match pair {
        Pair::Both(one, other) => Pair::Both(begin + one, begin + other),
        Pair::First(one) => Pair::First(begin + one),
        Pair::Second(other) => Pair::Second(begin + other),
    }));
    pairs.extend((0..end).map(|at| Pair::Both(first.len() - end + at, second.len() - end + at)));
    pairs
}

/// Aligns two sequences without common beginning and end.
fn between<T: PartialEq>(a: &[T], b: &[T]) -> Vec<Pair> {
    let mut pairs = Vec::new();
    let (mut i, mut j) = (0, 0);
    if a.len().saturating_mul(b.len()) <= MOST_CELLS {
        let width = b.len() + 1;
        // The length of the longest common subsequence of the rests behind each pair of positions.
        let mut rest = vec![0u32; (a.len() + 1) * width];
        for i in (0..a.len()).rev() {
            for j in (0..b.len()).rev() {
                rest[i * width + j] = match a[i] == b[j] {
                    true => rest[(i + 1) * width + j + 1] + 1,
                    false => rest[(i + 1) * width + j].max(rest[i * width + j + 1]),
                };
            }
        }
        while i < a.len() && j < b.len() {
            if a[i] == b[j] {
                pairs.push(Pair::Both(i, j));
                (i, j) = (i + 1, j + 1);
            } else if rest[(i + 1) * width + j] >= rest[i * width + j + 1] {
                pairs.push(Pair::First(i));
                i += 1;
            } else {
                pairs.push(Pair::Second(j));
                j += 1;
            }
        }
    }
    pairs.extend((i..a.len()).map(Pair::First));
    pairs.extend((j..b.len()).map(Pair::Second));
    pairs
}

#[cfg(test)]
mod tests {
    use super::Pair::{Both, First, Second};
    use super::*;

    #[test]
    fn common_steps_are_aligned() {
        let of = |text: &str| text.chars().collect::<Vec<char>>();
        assert_eq!(
            align(&of("abxc"), &of("abyyc")),
            [Both(0, 0), Both(1, 1), First(2), Second(2), Second(3), Both(3, 4)]
        );
        assert_eq!(align(&of(""), &of("a")), [Second(0)]);
        assert_eq!(align(&of("aa"), &of("a")), [Both(0, 0), First(1)]);
        assert_eq!(align(&of("xaybz"), &of("aqb")).iter().filter(|one| matches!(one, Both(..))).count(), 2);
    }
}
