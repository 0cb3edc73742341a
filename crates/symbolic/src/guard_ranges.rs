//! The values of variables where a step is executable, for the estimate of codes.
//!
//! A loop that counts to a number assigns no larger one, because a guard bounds the counter, in the step that
//! counts or in the one before. The range of a variable is narrowed by the comparisons that the guard of a group
//! requires; that of a local variable also by the groups that lead to the location of the group: to what
//! they assign, or by their guards.
//!
//! *Entry point:* [`GuardRanges`].
//! *Source:* intervals narrowed by conditions: P. Cousot, R. Cousot, "Static Determination of Dynamic Properties
//! of Programs", ISOP 1976.
//! *Invariant:* only an estimate: a value outside is found by the search.

use axle_model::{BinOp, UnOp};
use axle_relation::{Part, Range, Relation, Term, TermId, Terms, VariableId};
use rustc_hash::{FxHashMap, FxHashSet};

/// A comparison of a variable with a term.
#[derive(Clone, Copy)]
struct Comparison {
    variable: VariableId,
    op: BinOp,
    with: TermId,
}

/// A group as the estimate sees it.
struct Guarded {
    comparisons: Vec<Comparison>,
    /// For each update, whether the range of one of its variables may be narrower.
    narrowed: Vec<bool>,
    /// The variables that may have narrower ranges.
    variables: Vec<VariableId>,
    /// The groups that lead to its location, and whether a process is there at the start; none if that is
    /// not known.
    before: Option<(Vec<usize>, bool)>,
}

/// The groups of a relation, and what is known of them.
pub(crate) struct GuardRanges<'r> {
    relation: &'r Relation,
    groups: Vec<Guarded>,
    /// The ranges of the values that each update has assigned so far; none before the first.
    assigned: Vec<Vec<Option<Range>>>,
    /// Whether each group was evaluated.
    begun: Vec<bool>,
}

impl<'r> GuardRanges<'r> {
    /// The groups of a relation.
    pub(crate) fn new(relation: &'r Relation) -> GuardRanges<'r> {
        let terms = &relation.terms;
        let part = |variable: VariableId| &relation.variables.list()[variable.index()].part;
        let (mut leading, mut unknown) =
            (FxHashMap::<(VariableId, i64), Vec<usize>>::default(), FxHashSet::default());
        for (number, group) in relation.groups.iter().enumerate() {
            for (variable, value) in &group.updates {
                match (part(*variable), terms.constant(*value)) {
                    (Part::Location(_), Some(value)) => {
                        leading.entry((*variable, value)).or_default().push(number)
                    }
                    (Part::Location(_), None) => drop(unknown.insert(*variable)),
                    _ => {}
                }
            }
        }
        let of_group = |group: &axle_relation::Group| {
            let mut comparisons = Vec::new();
            required(terms, group.enabled, true, &mut comparisons);
            let here = comparisons.iter().find_map(|one| match (part(one.variable), one.op) {
                (Part::Location(slot), BinOp::Eq) => Some((*slot, one.variable, terms.constant(one.with)?)),
                _ => None,
            });
            let here = here.filter(|(_, variable, _)| !unknown.contains(variable));
            let before = here.map(|(_, variable, at)| {
                let groups = leading.get(&(variable, at)).cloned().unwrap_or_default();
                (groups, relation.initial[variable.index()] == at)
            });
            let is_narrow = |variable: &VariableId| {
                let is_own = here
                    .is_some_and(|(slot, ..)| matches!(part(*variable), Part::Local(of, ..) if *of == slot));
                is_own || comparisons.iter().any(|one| one.variable == *variable)
            };
            let mut variables: Vec<VariableId> = comparisons.iter().map(|one| one.variable).collect();
            let mut narrowed = Vec::new();
            for (_, value) in &group.updates {
                let before = variables.len();
                variables.extend(terms.support([*value]).into_iter().filter(is_narrow));
                narrowed.push(variables.len() > before);
            }
            variables.sort_unstable();
            variables.dedup();
            Guarded { comparisons, narrowed, variables, before }
        };
        let assigned = relation.groups.iter().map(|group| vec![None; group.updates.len()]).collect();
        let groups: Vec<Guarded> = relation.groups.iter().map(of_group).collect();
        GuardRanges { relation, begun: vec![false; groups.len()], groups, assigned }
    }

    /// The ranges of the values that a group assigns, for ranges of the variables, and of all terms without
    /// the guard; none if the guard excludes the step.
    pub(crate) fn assigned(
        &mut self,
        group: usize,
        variables: &[Range],
        terms: &[Range],
    ) -> Option<&[Option<Range>]> {
        let Guarded { narrowed, variables: own, .. } = &self.groups[group];
        let mut narrow = FxHashMap::default();
        for variable in own {
            let arriving = self.arriving(group, *variable, variables, terms)?;
            narrow.insert(*variable, self.where_enabled(group, *variable, arriving, terms)?);
        }
        let updates = self.relation.groups[group].updates.iter().zip(narrowed);
        let values = updates.map(|((_, value), is_narrowed)| match is_narrowed {
            true => evaluated(&self.relation.terms, *value, (&narrow, variables)),
            false => terms[value.index()],
        });
        let values: Vec<Range> = values.collect();
        self.begun[group] = true;
        for (known, (low, high)) in self.assigned[group].iter_mut().zip(values) {
            *known = Some(known.map_or((low, high), |known| (known.0.min(low), known.1.max(high))));
        }
        Some(&self.assigned[group])
    }

    /// The number of groups that were evaluated.
    pub(crate) fn begun(&self) -> usize {
        self.begun.iter().filter(|begun| **begun).count()
    }

    /// The range of a variable where a group begins; none if nothing leads there yet.
    fn arriving(
        &self,
        group: usize,
        variable: VariableId,
        variables: &[Range],
        terms: &[Range],
    ) -> Option<Range> {
        let known = variables[variable.index()];
        let is_local = matches!(self.relation.variables.list()[variable.index()].part, Part::Local(..));
        let Some((before, is_first)) = self.groups[group].before.as_ref().filter(|_| is_local) else {
            return Some(known);
        };
        let initial = self.relation.initial[variable.index()];
        let first = is_first.then_some((initial, initial));
        let after = |other: &usize| {
            let mut updates = self.relation.groups[*other].updates.iter();
            match updates.position(|(of, _)| *of == variable) {
                Some(update) => self.assigned[*other][update],
                None => self.where_enabled(*other, variable, known, terms),
            }
        };
        let all = before.iter().filter_map(after).chain(first);
        all.reduce(|one, other| (one.0.min(other.0), one.1.max(other.1)))
    }

    /// The values of a range of a variable with which a group may be executable; none if it is not.
    fn where_enabled(
        &self,
        group: usize,
        variable: VariableId,
        range: Range,
        terms: &[Range],
    ) -> Option<Range> {
        let comparisons = self.groups[group].comparisons.iter().filter(|one| one.variable == variable);
        let range = comparisons.fold(range, |range, one| narrowed_by(range, one.op, terms[one.with.index()]));
        (range.0 <= range.1).then_some(range)
    }
}

/// The comparisons that hold wherever a condition has this truth value.
fn required(terms: &Terms, id: TermId, holds: bool, found: &mut Vec<Comparison>) {
    match (terms.get(id), holds) {
        (Term::And(a, b), true) | (Term::Or(a, b), false) => {
            required(terms, a, holds, found);
            required(terms, b, holds, found);
        }
        (Term::Unary(UnOp::Not, _, a), _) => required(terms, a, !holds, found),
        (Term::Binary(op, _, a, b), _) => {
            let Some(op) = (if holds { Some(op) } else { negated(op) }) else { return };
            let variable = |id: TermId| match terms.get(id) {
                Term::Variable(variable) => Some(variable),
                _ => None,
            };
            found.extend(variable(a).map(|variable| Comparison { variable, op, with: b }));
            let other = variable(b).zip(mirrored(op));
            found.extend(other.map(|(variable, op)| Comparison { variable, op, with: a }));
        }
        _ => {}
    }
}

/// The comparison that holds where this one does not.
fn negated(op: BinOp) -> Option<BinOp> {
    Some(match op {
        BinOp::Lt => BinOp::Ge,
        BinOp::Ge => BinOp::Lt,
        BinOp::Gt => BinOp::Le,
        BinOp::Le => BinOp::Gt,
        BinOp::Eq => BinOp::Ne,
        BinOp::Ne => BinOp::Eq,
        _ => return None,
    })
}

/// The comparison with the operands exchanged.
fn mirrored(op: BinOp) -> Option<BinOp> {
    Some(match op {
        BinOp::Lt => BinOp::Gt,
        BinOp::Gt => BinOp::Lt,
        BinOp::Le => BinOp::Ge,
        BinOp::Ge => BinOp::Le,
        BinOp::Eq | BinOp::Ne => op,
        _ => return None,
    })
}

/// The values of a range that a comparison with some value of another range admits; empty as (1, 0) or the
/// like.
fn narrowed_by((low, high): Range, op: BinOp, (least, most): Range) -> Range {
    match op {
        BinOp::Lt => (low, high.min(most.saturating_sub(1))),
        BinOp::Le => (low, high.min(most)),
        BinOp::Gt => (low.max(least.saturating_add(1)), high),
        BinOp::Ge => (low.max(least), high),
        BinOp::Eq => (low.max(least), high.min(most)),
        BinOp::Ne if least == most && low == least => (low.saturating_add(1), high),
        BinOp::Ne if least == most && high == most => (low, high.saturating_sub(1)),
        _ => (low, high),
    }
}

/// The range of a term where some variables have narrower ranges.
fn evaluated(
    terms: &Terms,
    root: TermId,
    (narrow, variables): (&FxHashMap<VariableId, Range>, &[Range]),
) -> Range {
    let mut known: FxHashMap<TermId, Range> = FxHashMap::default();
    for id in axle_relation::post_order(root, |_| false, |id, each| terms.operands(id, each)) {
        let of_variable = |variable: VariableId| {
            narrow.get(&variable).copied().unwrap_or_else(|| variables[variable.index()])
        };
        let range = crate::widths::interval(terms.get(id), of_variable, |of| known[&of]);
        let (low, high) = terms.range(id);
        known.insert(id, (range.0.max(low).min(high), range.1.min(high).max(low)));
    }
    known[&root]
}
