//! Exact numbers of states.
//!
//! *Entry point:* [`count`].
//! *Cost:* one addition of big integers for each node.

use num_bigint::BigUint;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::package::Package;

/// The number of assignments of `bits` bits in a set over current variables.
pub(crate) fn count<P: Package>(package: &P, set: &P::Diagram, bits: u32) -> BigUint {
    let mut nodes: Vec<(u32, P::Diagram)> = Vec::new();
    let mut seen = FxHashSet::default();
    let mut stack = vec![set.clone()];
    while let Some(next) = stack.pop() {
        if let Some((variable, high, low)) = package.decompose(&next)
            && seen.insert(next.clone())
        {
            nodes.push((variable / 2, next));
            stack.extend([high, low]);
        }
    }
    // Successors precede their nodes.
    nodes.sort_by_key(|(bit, _)| std::cmp::Reverse(*bit));
    // The number of solutions over the bits from that of the node on.
    let mut counts: FxHashMap<P::Diagram, (u32, BigUint)> = FxHashMap::default();
    counts.insert(package.constant(false), (bits, BigUint::ZERO));
    counts.insert(package.constant(true), (bits, BigUint::from(1u32)));
    for (bit, node) in nodes {
        let Some((_, high, low)) = package.decompose(&node) else { continue };
        let below = |of: &P::Diagram| {
            let (first, count) = &counts[of];
            count << (first - bit - 1)
        };
        let sum = below(&high) + below(&low);
        counts.insert(node, (bit, sum));
    }
    let (first, count) = &counts[set];
    count << *first
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagrams::Diagrams;

    #[test]
    fn bits_that_do_not_matter_double_the_number() {
        let package = Diagrams::new(400, 1 << 12, 1 << 10).expect("memory");
        let cube = package.cube(&[(100, true), (160, false)]).expect("memory");
        let one = BigUint::from(1u32);
        assert_eq!(count(&package, &cube, 200), &one << 198);
        let rest = package.not(&cube).expect("memory");
        assert_eq!(count(&package, &rest, 200), (&one << 200) - (&one << 198));
        assert_eq!(count(&package, &package.constant(true), 200), one << 200);
        assert_eq!(count(&package, &package.constant(false), 200), BigUint::ZERO);
    }
}
