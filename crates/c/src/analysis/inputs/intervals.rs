//! Sets of integers as sorted lists of disjoint, non-adjacent intervals.
//!
//! *Entry points:* [`union`], [`meet`], [`without`].
//! *Invariant:* every result is in this normal form, so equal sets are equal values.

/// Intervals with inclusive bounds.
pub type Set = Vec<(i128, i128)>;

/// Normalises: sorts the intervals and joins adjacent ones.
fn tidy(mut parts: Set) -> Set {
    parts.sort_unstable();
    let mut set: Set = Vec::with_capacity(parts.len());
    for (low, high) in parts {
        match set.last_mut() {
            Some(last) if low <= last.1.saturating_add(1) => last.1 = last.1.max(high),
            _ => set.push((low, high)),
        }
    }
    set
}

/// The union.
pub fn union(a: &Set, b: &Set) -> Set {
    tidy(a.iter().chain(b).copied().collect())
}

/// The intersection.
pub fn meet(a: &Set, b: &Set) -> Set {
    let pairs = a.iter().flat_map(|x| b.iter().map(move |y| (x.0.max(y.0), x.1.min(y.1))));
    tidy(pairs.filter(|(low, high)| low <= high).collect())
}

/// The difference of the first and the second set.
pub fn without(a: &Set, b: &Set) -> Set {
    let mut left = a.clone();
    for &(low, high) in b {
        let pieces = left.iter().flat_map(|&(x, y)| [(x, y.min(low - 1)), (x.max(high + 1), y)]);
        left = tidy(pieces.filter(|(x, y)| x <= y).collect());
    }
    left
}

/// The number of elements.
pub fn count(a: &Set) -> i128 {
    a.iter().map(|(low, high)| high - low + 1).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_of_small_numbers_are_what_their_members_say() {
        // All sets over 0..6, as bits.
        let set = |bits: u32| tidy((0..6).filter(|i| bits >> i & 1 == 1).map(|i| (i, i)).collect());
        let bits = |set: &Set| {
            (0..6).filter(|i| set.iter().any(|(a, b)| a <= i && i <= b)).map(|i| 1 << i).sum::<u32>()
        };
        for a in 0..64u32 {
            for b in 0..64 {
                assert_eq!(bits(&union(&set(a), &set(b))), a | b);
                assert_eq!(bits(&meet(&set(a), &set(b))), a & b);
                assert_eq!(bits(&without(&set(a), &set(b))), a & !b);
                assert_eq!(union(&set(a), &set(b)), set(a | b));
            }
            assert_eq!(count(&set(a)), i128::from(a.count_ones()));
        }
    }
}
