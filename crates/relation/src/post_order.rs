//! The order in which the results of shared terms are computed: each once, after its operands, without
//! recursion.
//!
//! *Entry point:* [`post_order`].
//! *Invariant:* each term of the order precedes the terms that it is an operand of.

use std::hash::Hash;

use rustc_hash::FxHashSet;

/// The terms that the result of `root` needs and that are not known, each once and after its operands.
/// `operands` calls its second argument on each operand of a term.
pub fn post_order<Id: Copy + Eq + Hash>(
    root: Id,
    is_known: impl Fn(Id) -> bool,
    operands: impl Fn(Id, &mut dyn FnMut(Id)),
) -> Vec<Id> {
    let (mut order, mut placed) = (Vec::new(), FxHashSet::default());
    let mut stack = vec![root];
    while let Some(&id) = stack.last() {
        if placed.contains(&id) || is_known(id) {
            stack.pop();
            continue;
        }
        let before = stack.len();
        operands(id, &mut |operand| {
            if !placed.contains(&operand) && !is_known(operand) {
                stack.push(operand);
            }
        });
        if stack.len() == before {
            stack.pop();
            placed.insert(id);
            order.push(id);
        }
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operands_precede_and_known_terms_are_left_out() {
        // Each number has the two below it as operands, so that paths are many and terms few.
        let operands = |id: u32, see: &mut dyn FnMut(u32)| (id.saturating_sub(2)..id).for_each(see);
        assert_eq!(post_order(60, |id| id < 3, operands), (3..=60).collect::<Vec<_>>());
        assert_eq!(post_order(2, |id| id == 2, operands), []);
    }
}
