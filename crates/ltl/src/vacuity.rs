//! Whether a formula that holds says anything: the questions to ask.
//!
//! A formula that holds is vacuous in a part if it would hold whatever stood there. Replacing the
//! part by `false` where it stands for something wanted (positively), by `true` where it stands for
//! a condition (negatively), gives the strongest of all replacements, so one more check answers for
//! all of them (Kupferman and Vardi, *Vacuity detection in temporal model checking*, STTT 2003,
//! section 3; Beer and others, CAV 1997).
//!
//! *Entry points:* [`strengthened`] and [`antecedents`].
//! *Invariant:* what is returned implies the formula.

use crate::formula::Formula;
use crate::print;

/// A formula with one part replaced by the strongest that could stand there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Strengthened {
    /// The part that was replaced.
    pub part: Formula,
    /// What stands there now: `true` or `false`.
    pub by: bool,
    /// The whole formula then.
    pub formula: Formula,
    /// Its place: at each operator on the way down, the left (0) or right (1) operand.
    pub place: Vec<u8>,
    /// Whether the part is a demand of the formula: what has to hold, or to happen, once the formula
    /// applies. If the formula holds without it, nothing was ever demanded.
    pub is_demand: bool,
}

/// Every part of a formula with its strongest replacement, outer parts before inner ones. The
/// formula as a whole is left out, and so is what lies under `<->`, where a part is wanted and a
/// condition at once.
pub fn strengthened(formula: &Formula) -> Vec<Strengthened> {
    let mut list = Vec::new();
    let context = Context { wanted: true, is_alternative: false, is_missing: false };
    descend(formula, context, &mut Vec::new(), &mut |part, (by, is_demand), place| {
        let mut whole = formula.clone();
        replace(&mut whole, place, by);
        list.push(Strengthened { part: part.clone(), by, formula: whole, place: place.to_vec(), is_demand });
    });
    list.sort_by_key(|one| one.place.len());
    list
}

/// The left sides of the implications in a formula, each once, as far as they speak of a single
/// state.
pub fn antecedents(formula: &Formula) -> Vec<Formula> {
    let mut list = Vec::new();
    let mut todo = vec![formula];
    while let Some(formula) = todo.pop() {
        if let Formula::Implies(left, _) = formula
            && left.is_plain()
            && !list.contains(&**left)
        {
            list.push((**left).clone());
        }
        todo.extend(formula.operands());
    }
    list
}

/// Tells of a strengthened formula in a few words.
pub fn told(one: &Strengthened, atoms: &[String]) -> String {
    format!("`{}` were `{}`", print::formula(&one.part, atoms), one.by)
}

/// The surroundings of a part.
#[derive(Clone, Copy)]
struct Context {
    /// The polarity: whether the part is wanted.
    wanted: bool,
    /// Whether it is one of several ways to satisfy the formula.
    is_alternative: bool,
    /// Whether it is the conjunction of what never happens in a violation.
    is_missing: bool,
}

/// Walks all parts but the whole; `context` is that of `formula`. A part is a demand if it is the right
/// side of an implication or an eventuality, or, in the negation of a formula (such as that of a
/// timeline), what never happens in a violation: all of it, or the last of several conditions, behind the
/// bars.
fn descend(
    formula: &Formula,
    context: Context,
    place: &mut Vec<u8>,
    see: &mut impl FnMut(&Formula, (bool, bool), &[u8]),
) {
    let Context { wanted, is_alternative, is_missing } = context;
    if matches!(formula, Formula::Equivalent(..)) {
        return;
    }
    for (index, part) in (0u8..).zip(formula.operands()) {
        let own = Context {
            wanted: match formula {
                Formula::Not(_) => !wanted,
                Formula::Implies(..) => (index == 0) != wanted,
                _ => wanted,
            },
            is_alternative: is_alternative || matches!(formula, Formula::Or(..)),
            is_missing: match formula {
                Formula::Always(_) => !wanted,
                Formula::And(..) => is_missing && index == 1,
                _ => false,
            },
        };
        let is_demand = match formula {
            Formula::Implies(..) | Formula::Until(..) => wanted && index == 1 && !is_alternative,
            Formula::Eventually(_) => wanted && !is_alternative,
            _ => own.is_missing,
        };
        place.push(index);
        if !matches!(part, Formula::True | Formula::False) {
            see(part, (!own.wanted, is_demand), place);
        }
        descend(part, own, place, see);
        place.pop();
    }
}

fn replace(formula: &mut Formula, place: &[u8], by: bool) {
    let Some((&index, rest)) = place.split_first() else {
        *formula = if by { Formula::True } else { Formula::False };
        return;
    };
    match formula {
        Formula::True | Formula::False | Formula::Atom(_) => {}
        Formula::Not(a) | Formula::Next(a) | Formula::Always(a) | Formula::Eventually(a) => {
            replace(a, rest, by);
        }
        Formula::And(a, b)
        | Formula::Or(a, b)
        | Formula::Implies(a, b)
        | Formula::Equivalent(a, b)
        | Formula::Until(a, b)
        | Formula::WeakUntil(a, b)
        | Formula::Release(a, b) => replace(if index == 0 { a } else { b }, rest, by),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::effort::Effort;
    use crate::stutter::intersection;
    use crate::{lasso, parse, translate, translate_negation};

    #[test]
    fn every_replacement_is_stronger_than_the_formula() {
        for text in include_str!("../tests/collections.txt").lines() {
            if text.starts_with('#') || text.is_empty() {
                continue;
            }
            let parsed = parse(text).expect(text);
            let negation = translate_negation(&parsed.formula).expect(text);
            for one in strengthened(&parsed.formula) {
                let Ok(stronger) = translate(&one.formula) else { continue };
                let both = intersection(&stronger, &negation, &mut Effort::of(u64::MAX)).expect(text);
                assert!(lasso::is_empty(&both), "{text}: {one:?}");
            }
        }
    }

    #[test]
    fn a_response_has_its_parts() {
        let parsed = parse("[] (p -> <> q)").expect("a formula");
        let told: Vec<String> =
            strengthened(&parsed.formula).iter().map(|one| told(one, &parsed.atoms)).collect();
        assert_eq!(
            told,
            ["`p -> <> q` were `false`", "`p` were `true`", "`<> q` were `false`", "`q` were `false`"]
        );
        let demands = |text: &str| {
            let parsed = parse(text).expect("a formula");
            let all = strengthened(&parsed.formula).into_iter().filter(|one| one.is_demand);
            all.map(|one| print::formula(&one.part, &parsed.atoms)).collect::<Vec<_>>()
        };
        assert_eq!(demands("[] (p -> <> q)"), ["<> q", "q"]);
        assert_eq!(demands("!<> (p && X [] !q)"), ["!q"]);
        // A timeline: of the bar and the required mark, only the mark is demanded.
        assert_eq!(demands("!<> (p && X [] (bar && !q))"), ["bar && !q", "!q"]);
        // A second way to satisfy the formula is no demand.
        assert_eq!(demands("[] (p -> (<> q || <> r))"), ["<> q || <> r"]);
        assert_eq!(demands("[] (p && q)"), Vec::<String>::new());
        let left = antecedents(&parse("[] (p && r -> <> (q -> X q))").expect("a formula").formula);
        assert_eq!(left.len(), 2);
    }
}
