//! Formulas that begin to count behind a prologue: `!p W (p && f)` states that f holds from the first
//! state with p on, if there is one.
//!
//! *Entry points:* [`behind`] makes such a formula, [`prologue`] recognises one.
//! *Invariant:* `prologue(&behind(p, f))` is p and f.

use crate::formula::Formula;

/// The formula that f holds from the first state with the proposition `end` on.
pub fn behind(end: u32, formula: Formula) -> Formula {
    let atom = || Box::new(Formula::Atom(end));
    let later = Formula::And(atom(), Box::new(formula));
    Formula::WeakUntil(Box::new(Formula::Not(atom())), Box::new(later))
}

/// The proposition that ends the prologue of a formula, and the formula that counts from there on.
pub fn prologue(formula: &Formula) -> Option<(u32, &Formula)> {
    let Formula::WeakUntil(before, later) = formula else { return None };
    let (Formula::Not(none), Formula::And(first, inner)) = (&**before, &**later) else { return None };
    match (&**none, &**first) {
        (Formula::Atom(end), Formula::Atom(begin)) if end == begin => Some((*end, inner)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse;

    #[test]
    fn a_prologue_is_recognised() {
        let parsed = parse("(!p) W (p && [] (q -> <> r))").expect("a formula");
        let (end, inner) = prologue(&parsed.formula).expect("a prologue");
        assert_eq!(parsed.atoms[end as usize], "p");
        assert_eq!(behind(end, inner.clone()), parsed.formula);
        for text in ["p W (p && q)", "(!p) W (q && p)", "(!p) U (p && q)", "(!p) W q"] {
            assert_eq!(prologue(&parse(text).expect("a formula").formula), None, "{text}");
        }
    }
}
