//! Shrinks a program while it satisfies a predicate: greedy descent over the edits of a tree.
//!
//! *Entry point:* [`shrink`].
//! *Source:* Zeller and Hildebrandt, "Simplifying and isolating failure-inducing input", IEEE TSE
//! 2002.
//! *Invariant:* every returned program satisfies the predicate.

use crate::tree::Tree;

/// The smallest tree found below `tree` that still `shows`; stops early when `out_of_time`.
pub fn shrink(tree: &Tree, shows: &mut dyn FnMut(&Tree) -> bool, out_of_time: &dyn Fn() -> bool) -> Tree {
    let (mut best, mut begin) = (tree.clone(), 0);
    loop {
        let edits = best.edits();
        // The edits before the last successful one were mostly tried already; they are tried again
        // at the end.
        let order = (begin..edits.len()).chain(0..begin.min(edits.len()));
        let mut smaller = None;
        for at in order {
            if out_of_time() {
                return best;
            }
            let Some(tree) = best.edited(&edits[at]) else { continue };
            if tree != best && shows(&tree) {
                smaller = Some((tree, at));
                break;
            }
        }
        match smaller {
            Some((tree, at)) => (best, begin) = (tree, at),
            None => return best,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_matter_is_left_out() {
        let part = |text: &str| Tree::Row(vec![Tree::text("if :: "), Tree::block(vec![Tree::text(text)])]);
        let tree = Tree::block(["a", "b", "boom", "c"].into_iter().map(part).collect());
        let small = shrink(&tree, &mut |tree| tree.to_string().contains("boom"), &|| false);
        assert_eq!(small.to_string(), "{ boom }");
        assert_eq!(shrink(&tree, &mut |_| true, &|| true), tree);
    }
}
