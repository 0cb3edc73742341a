//! Negation normal form, rewritten small while it is built.
//!
//! The rules are the usual equivalences (Etessami and Holzmann, *Optimizing Büchi automata*, CONCUR
//! 2000, section 3; Somenzi and Bloem, *Efficient Büchi automata from LTL formulae*, CAV 2000,
//! section 3): constants, idempotence, distribution of `<>` over `||` and `[]` over `&&`, pure
//! eventualities and universalities, and syntactic implication.
//!
//! *Entry point:* [`normal`].
//! *Invariant:* every function here that makes a node returns a formula with the same models as the
//! plain node.

use crate::formula::{Arena, Formula, Id, Node};

/// `formula`, or its negation where `positive` is false, in negation normal form.
pub fn normal(arena: &mut Arena, formula: &Formula, positive: bool) -> Id {
    match (formula, positive) {
        (Formula::True, true) | (Formula::False, false) => arena.intern(Node::True),
        (Formula::True, false) | (Formula::False, true) => arena.intern(Node::False),
        (Formula::Atom(atom), _) => arena.intern(Node::Literal(*atom, positive)),
        (Formula::Not(a), _) => normal(arena, a, !positive),
        (Formula::And(a, b), true) | (Formula::Or(a, b), false) => {
            let (a, b) = (normal(arena, a, positive), normal(arena, b, positive));
            and(arena, a, b)
        }
        (Formula::Or(a, b), true) | (Formula::And(a, b), false) => {
            let (a, b) = (normal(arena, a, positive), normal(arena, b, positive));
            or(arena, a, b)
        }
        (Formula::Implies(a, b), true) => {
            let (a, b) = (normal(arena, a, false), normal(arena, b, true));
            or(arena, a, b)
        }
        (Formula::Implies(a, b), false) => {
            let (a, b) = (normal(arena, a, true), normal(arena, b, false));
            and(arena, a, b)
        }
        (Formula::Equivalent(a, b), _) => {
            // Both polarities of both sides: a && b || !a && !b, with b's sense turned for the
            // negation.
            let (a1, b1) = (normal(arena, a, true), normal(arena, b, positive));
            if positive && a1 == b1 {
                return arena.intern(Node::True);
            }
            let (a0, b0) = (normal(arena, a, false), normal(arena, b, !positive));
            if !positive && a1 == b0 {
                return arena.intern(Node::False);
            }
            let both = and(arena, a1, b1);
            let neither = and(arena, a0, b0);
            or(arena, both, neither)
        }
        (Formula::Next(a), _) => {
            let a = normal(arena, a, positive);
            next(arena, a)
        }
        (Formula::Always(a), true) | (Formula::Eventually(a), false) => {
            let a = normal(arena, a, positive);
            always(arena, a)
        }
        (Formula::Eventually(a), true) | (Formula::Always(a), false) => {
            let a = normal(arena, a, positive);
            eventually(arena, a)
        }
        (Formula::Until(a, b), true) | (Formula::Release(a, b), false) => {
            let (a, b) = (normal(arena, a, positive), normal(arena, b, positive));
            until(arena, a, b)
        }
        (Formula::Release(a, b), true) | (Formula::Until(a, b), false) => {
            let (a, b) = (normal(arena, a, positive), normal(arena, b, positive));
            release(arena, a, b)
        }
        // a W b is b R (a || b); its negation is !b U (!a && !b).
        (Formula::WeakUntil(a, b), true) => {
            let (a, b) = (normal(arena, a, true), normal(arena, b, true));
            let either = or(arena, a, b);
            release(arena, b, either)
        }
        (Formula::WeakUntil(a, b), false) => {
            let (a, b) = (normal(arena, a, false), normal(arena, b, false));
            let neither = and(arena, a, b);
            until(arena, b, neither)
        }
    }
}

/// The negation of a formula that is in normal form already.
pub fn negate(arena: &mut Arena, id: Id) -> Id {
    match arena.node(id) {
        Node::True => arena.intern(Node::False),
        Node::False => arena.intern(Node::True),
        Node::Literal(atom, sense) => arena.intern(Node::Literal(atom, !sense)),
        Node::And(a, b) => {
            let (a, b) = (negate(arena, a), negate(arena, b));
            or(arena, a, b)
        }
        Node::Or(a, b) => {
            let (a, b) = (negate(arena, a), negate(arena, b));
            and(arena, a, b)
        }
        Node::Next(a) => {
            let a = negate(arena, a);
            next(arena, a)
        }
        Node::Until(a, b) => {
            let (a, b) = (negate(arena, a), negate(arena, b));
            release(arena, a, b)
        }
        Node::Release(a, b) => {
            let (a, b) = (negate(arena, a), negate(arena, b));
            until(arena, a, b)
        }
    }
}

/// The operands of a chain of `&&` (or of `||`).
fn operands(arena: &Arena, id: Id, conjunction: bool, out: &mut Vec<Id>) {
    match arena.node(id) {
        Node::And(a, b) if conjunction => {
            operands(arena, a, true, out);
            operands(arena, b, true, out);
        }
        Node::Or(a, b) if !conjunction => {
            operands(arena, a, false, out);
            operands(arena, b, false, out);
        }
        _ => out.push(id),
    }
}

/// `a && b`.
pub fn and(arena: &mut Arena, a: Id, b: Id) -> Id {
    chain(arena, a, b, true)
}

/// `a || b`.
pub fn or(arena: &mut Arena, a: Id, b: Id) -> Id {
    chain(arena, a, b, false)
}

/// Conjunction or disjunction: operands sorted, implied ones dropped, `[]`, `<>`, `X` and `U`/`R`
/// with a common side gathered.
fn chain(arena: &mut Arena, a: Id, b: Id, conjunction: bool) -> Id {
    let (unit, zero) = if conjunction { (Node::True, Node::False) } else { (Node::False, Node::True) };
    let mut all = Vec::new();
    operands(arena, a, conjunction, &mut all);
    operands(arena, b, conjunction, &mut all);
    let mut gathered = true;
    while gathered {
        gathered = false;
        'pairs: for i in 0..all.len() {
            for j in 0..all.len() {
                if i != j
                    && let Some(one) = gather(arena, all[i], all[j], conjunction)
                {
                    let (low, high) = (i.min(j), i.max(j));
                    all.swap_remove(high);
                    all.swap_remove(low);
                    operands(arena, one, conjunction, &mut all);
                    gathered = true;
                    break 'pairs;
                }
            }
        }
    }
    all.sort();
    all.dedup();
    all.retain(|&id| arena.node(id) != unit);
    let zero_id = arena.intern(zero);
    if all.contains(&zero_id) || contradictory(arena, &all, conjunction) {
        return zero_id;
    }
    // In a conjunction the weaker of two operands says nothing; in a disjunction the stronger.
    let mut kept: Vec<Id> = Vec::with_capacity(all.len());
    for (i, &this) in all.iter().enumerate() {
        let covered = all.iter().enumerate().any(|(j, &other)| {
            i != j && {
                let (strong, weak) = if conjunction { (other, this) } else { (this, other) };
                implies(arena, strong, weak) && (j < i || !implies(arena, weak, strong))
            }
        });
        if !covered {
            kept.push(this);
        }
    }
    let mut result = match kept.pop() {
        Some(last) => last,
        None => return arena.intern(unit),
    };
    while let Some(operand) = kept.pop() {
        let node = if conjunction { Node::And(operand, result) } else { Node::Or(operand, result) };
        result = arena.intern(node);
    }
    result
}

/// One formula for two operands, where there is a smaller one.
fn gather(arena: &mut Arena, a: Id, b: Id, conjunction: bool) -> Option<Id> {
    let (left, right) = (arena.node(a), arena.node(b));
    match (left, right) {
        (Node::Next(a), Node::Next(b)) => {
            let inner = chain(arena, a, b, conjunction);
            Some(next(arena, inner))
        }
        // (a U c) && (b U c) = (a && b) U c; (a U b) || (a U c) = a U (b || c), so <> over ||.
        (Node::Until(a, c), Node::Until(b, d)) if conjunction && c == d => {
            let inner = and(arena, a, b);
            Some(until(arena, inner, c))
        }
        (Node::Until(a, b), Node::Until(c, d)) if !conjunction && a == c => {
            let inner = or(arena, b, d);
            Some(until(arena, a, inner))
        }
        // (a R b) && (a R c) = a R (b && c), so [] over &&; (a R c) || (b R c) = (a || b) R c.
        (Node::Release(a, b), Node::Release(c, d)) if conjunction && a == c => {
            // []<>p && []<>q stay apart: each is one acceptance set, together they are none.
            let both_recurrent =
                is_recurrence(arena, b) && is_recurrence(arena, d) && arena.node(a) == Node::False;
            if both_recurrent {
                return None;
            }
            let inner = and(arena, b, d);
            Some(release(arena, a, inner))
        }
        (Node::Release(a, b), Node::Release(c, d)) if !conjunction && b == d => {
            let inner = or(arena, a, c);
            Some(release(arena, inner, b))
        }
        // []<>p || []<>q = []<>(p || q).
        (Node::Release(a, b), Node::Release(c, d))
            if !conjunction && arena.node(a) == Node::False && arena.node(c) == Node::False =>
        {
            let (p, q) = (recurrent(arena, b)?, recurrent(arena, d)?);
            let inner = or(arena, p, q);
            let eventually = eventually(arena, inner);
            Some(always(arena, eventually))
        }
        // <>[]p && <>[]q = <>[](p && q).
        (Node::Until(a, b), Node::Until(c, d))
            if conjunction && arena.node(a) == Node::True && arena.node(c) == Node::True =>
        {
            let (p, q) = (persistent(arena, b)?, persistent(arena, d)?);
            let inner = and(arena, p, q);
            let always = always(arena, inner);
            Some(eventually(arena, always))
        }
        _ => None,
    }
}

fn is_recurrence(arena: &Arena, id: Id) -> bool {
    recurrent(arena, id).is_some()
}

/// `p` where the formula is `<>p`.
fn recurrent(arena: &Arena, id: Id) -> Option<Id> {
    match arena.node(id) {
        Node::Until(a, b) if arena.node(a) == Node::True => Some(b),
        _ => None,
    }
}

/// `p` where the formula is `[]p`.
fn persistent(arena: &Arena, id: Id) -> Option<Id> {
    match arena.node(id) {
        Node::Release(a, b) if arena.node(a) == Node::False => Some(b),
        _ => None,
    }
}

/// Whether two operands contradict each other (in a disjunction: cover everything).
fn contradictory(arena: &mut Arena, all: &[Id], conjunction: bool) -> bool {
    for (i, &a) in all.iter().enumerate() {
        if !matches!(arena.node(a), Node::Literal(..)) {
            continue;
        }
        let not_a = negate(arena, a);
        for (j, &b) in all.iter().enumerate() {
            if i != j && if conjunction { implies(arena, b, not_a) } else { implies(arena, not_a, b) } {
                return true;
            }
        }
    }
    false
}

/// `X a`.
pub fn next(arena: &mut Arena, a: Id) -> Id {
    // What must hold again and again, or forever from some point on, does not depend on the
    // starting point.
    let constant = matches!(arena.node(a), Node::True | Node::False);
    if constant || (is_eventual(arena, a) && is_universal(arena, a)) {
        return a;
    }
    arena.intern(Node::Next(a))
}

/// `<> a`.
pub fn eventually(arena: &mut Arena, a: Id) -> Id {
    let top = arena.intern(Node::True);
    until(arena, top, a)
}

/// `[] a`.
pub fn always(arena: &mut Arena, a: Id) -> Id {
    let bottom = arena.intern(Node::False);
    release(arena, bottom, a)
}

/// `a U b`.
pub fn until(arena: &mut Arena, a: Id, b: Id) -> Id {
    let top = arena.intern(Node::True);
    if matches!(arena.node(b), Node::True | Node::False) || implies(arena, a, b) || is_eventual(arena, b) {
        return b;
    }
    if arena.node(a) == Node::False {
        return b;
    }
    // Where !b implies a, waiting for b is all there is.
    if a != top {
        let not_b = negate_shallow(arena, b);
        if not_b.is_some_and(|not_b| implies(arena, not_b, a)) {
            return until(arena, top, b);
        }
    }
    match (arena.node(a), arena.node(b)) {
        (Node::Next(a), Node::Next(b)) => {
            let inner = until(arena, a, b);
            return next(arena, inner);
        }
        (Node::True, Node::Next(b)) => {
            let inner = until(arena, top, b);
            return next(arena, inner);
        }
        // a U (b U c) = b U c where a implies b; with a = true: <>(b U c) = <>c.
        (_, Node::Until(b1, c)) if arena.node(a) == Node::True || implies(arena, a, b1) => {
            let left = if arena.node(a) == Node::True { top } else { b1 };
            return until(arena, left, c);
        }
        // <>(b && c) with c eventual and universal = <>b && c.
        (Node::True, Node::And(..)) => {
            if let Some((rest, steady)) = split_steady(arena, b, true) {
                let inner = until(arena, top, rest);
                return and(arena, inner, steady);
            }
        }
        (Node::True, Node::Or(..)) => {
            if let Some((rest, steady)) = split_eventual(arena, b) {
                let inner = until(arena, top, rest);
                return or(arena, inner, steady);
            }
        }
        _ => {}
    }
    arena.intern(Node::Until(a, b))
}

/// `a R b`.
pub fn release(arena: &mut Arena, a: Id, b: Id) -> Id {
    let bottom = arena.intern(Node::False);
    if matches!(arena.node(b), Node::True | Node::False) || implies(arena, b, a) || is_universal(arena, b) {
        return b;
    }
    if arena.node(a) == Node::True {
        return b;
    }
    // Where b contradicts a, a never releases.
    if a != bottom {
        let not_a = negate_shallow(arena, a);
        if not_a.is_some_and(|not_a| implies(arena, b, not_a)) {
            return release(arena, bottom, b);
        }
    }
    match (arena.node(a), arena.node(b)) {
        (Node::Next(a), Node::Next(b)) => {
            let inner = release(arena, a, b);
            return next(arena, inner);
        }
        (Node::False, Node::Next(b)) => {
            let inner = release(arena, bottom, b);
            return next(arena, inner);
        }
        (_, Node::Release(b1, c)) if arena.node(a) == Node::False || implies(arena, b1, a) => {
            let left = if arena.node(a) == Node::False { bottom } else { b1 };
            return release(arena, left, c);
        }
        (Node::False, Node::Or(..)) => {
            if let Some((rest, steady)) = split_steady(arena, b, false) {
                let inner = release(arena, bottom, rest);
                return or(arena, inner, steady);
            }
        }
        _ => {}
    }
    arena.intern(Node::Release(a, b))
}

/// Splits a chain into the operands that do not care when they are looked at, and the rest.
fn split_steady(arena: &mut Arena, id: Id, conjunction: bool) -> Option<(Id, Id)> {
    split(arena, id, conjunction, |arena, id| is_eventual(arena, id) && is_universal(arena, id))
}

/// Splits a disjunction into pure eventualities and the rest.
fn split_eventual(arena: &mut Arena, id: Id) -> Option<(Id, Id)> {
    split(arena, id, false, is_eventual)
}

fn split(
    arena: &mut Arena,
    id: Id,
    conjunction: bool,
    pick: impl Fn(&Arena, Id) -> bool,
) -> Option<(Id, Id)> {
    let mut all = Vec::new();
    operands(arena, id, conjunction, &mut all);
    let (picked, rest): (Vec<Id>, Vec<Id>) = all.into_iter().partition(|&id| pick(arena, id));
    let join = |arena: &mut Arena, ids: Vec<Id>| {
        ids.into_iter().reduce(|a, b| if conjunction { and(arena, a, b) } else { or(arena, a, b) })
    };
    Some((join(arena, rest)?, join(arena, picked)?))
}

/// Pure eventuality: whenever it holds of a suffix it holds of the whole, so `<>` adds nothing.
pub fn is_eventual(arena: &Arena, id: Id) -> bool {
    match arena.node(id) {
        Node::True | Node::False => true,
        Node::Literal(..) => false,
        Node::And(a, b) | Node::Or(a, b) => is_eventual(arena, a) && is_eventual(arena, b),
        Node::Next(a) => is_eventual(arena, a),
        Node::Until(a, b) => arena.node(a) == Node::True || (is_eventual(arena, a) && is_eventual(arena, b)),
        Node::Release(a, b) => is_eventual(arena, a) && is_eventual(arena, b),
    }
}

/// Pure universality: whenever it holds it holds of every suffix, so `[]` adds nothing.
pub fn is_universal(arena: &Arena, id: Id) -> bool {
    match arena.node(id) {
        Node::True | Node::False => true,
        Node::Literal(..) => false,
        Node::And(a, b) | Node::Or(a, b) => is_universal(arena, a) && is_universal(arena, b),
        Node::Next(a) => is_universal(arena, a),
        Node::Release(a, b) => {
            arena.node(a) == Node::False || (is_universal(arena, a) && is_universal(arena, b))
        }
        Node::Until(a, b) => is_universal(arena, a) && is_universal(arena, b),
    }
}

/// Whether every word of `a` is one of `b`, as far as the shapes of the two show (never a wrong
/// yes).
pub fn implies(arena: &Arena, a: Id, b: Id) -> bool {
    implies_within(arena, a, b, 8)
}

fn implies_within(arena: &Arena, a: Id, b: Id, fuel: u32) -> bool {
    if a == b {
        return true;
    }
    let Some(fuel) = fuel.checked_sub(1) else { return false };
    let holds = |a, b| implies_within(arena, a, b, fuel);
    let (left, right) = (arena.node(a), arena.node(b));
    match (left, right) {
        (Node::False, _) | (_, Node::True) => return true,
        (Node::True, _) | (_, Node::False) => return false,
        _ => {}
    }
    let by_right = match right {
        Node::And(c, d) => return holds(a, c) && holds(a, d),
        Node::Or(c, d) => holds(a, c) || holds(a, d),
        // d alone gives c U d; c R d needs d and either c or nothing to release.
        Node::Until(_, d) => holds(a, d),
        Node::Release(c, d) => holds(a, c) && holds(a, d),
        _ => false,
    };
    if by_right {
        return true;
    }
    match left {
        Node::Or(c, d) => return holds(c, b) && holds(d, b),
        Node::And(c, d) if holds(c, b) || holds(d, b) => return true,
        Node::Until(c, d) if holds(c, b) && holds(d, b) => return true,
        Node::Release(_, d) if holds(d, b) => return true,
        _ => {}
    }
    match (left, right) {
        (Node::Next(a), Node::Next(b)) => holds(a, b),
        (Node::Until(a1, b1), Node::Until(a2, b2)) => holds(a1, a2) && holds(b1, b2),
        (Node::Release(a1, b1), Node::Release(a2, b2)) => holds(a1, a2) && holds(b1, b2),
        // []b gives b now and forever: it gives x U y where it gives y, seen above; and x R y where
        // b gives y.
        (Node::Release(a1, b1), _) if arena.node(a1) == Node::False && is_universal(arena, a) => {
            matches!(right, Node::Next(c) if holds(a, c)) || holds(b1, b)
        }
        _ => false,
    }
}

/// The negation of a propositional formula that is in the arena already; none where it is not at
/// hand.
fn negate_shallow(arena: &mut Arena, id: Id) -> Option<Id> {
    propositional(arena, id).then(|| negate(arena, id))
}

fn propositional(arena: &Arena, id: Id) -> bool {
    match arena.node(id) {
        Node::True | Node::False | Node::Literal(..) => true,
        Node::And(a, b) | Node::Or(a, b) => propositional(arena, a) && propositional(arena, b),
        Node::Next(_) | Node::Until(..) | Node::Release(..) => false,
    }
}
