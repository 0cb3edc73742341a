//! Semantic slices: steps that change no relevant condition keep their guard and their change of location,
//! and lose their assignments (IDLE steps).
//!
//! The relevant conditions are the atoms of the property, of all guards, and of the weakest preconditions of
//! relevant conditions under the steps that are kept, to a fixpoint. A step is idle if, wherever it is
//! executable, each relevant condition has the same value after it. Preconditions may grow without end:
//! beyond a limit, the variables of a condition are relevant in its place.
//!
//! *Entry points:* [`slice`], [`slice_for`].
//! *Source:* Lowry and Subramaniam, "Abstraction for Analytic Verification of Concurrent Software Systems",
//! 1998, with the guards of kept steps among the conditions, which concurrency requires.
//! *Invariant:* states with the same location of each process and the same values of all relevant terms are
//! bisimilar in the two systems: error traces correspond one to one, group by group.

use axle_decide::model::Problem;
use axle_decide::term::{FALSE, TermId};
use axle_decide::watch::{Poll, Watch};
use axle_model::{EdgeId, ProcId};
use axle_outcome::{Limits, Stop};
use axle_relation::{Action, Relation};
use rustc_hash::FxHashSet;

use crate::atoms::atoms;
use crate::display::text;
use crate::place::{Places, support};
use crate::solver::Formulas;
use crate::wp::Wp;

/// The most conditions before those that grow are replaced by their variables.
const MOST_CONDITIONS: usize = 48;
/// The rounds in which preconditions become conditions.
const MOST_ROUNDS: usize = 2;

/// A slice.
#[derive(Clone, Debug)]
pub struct Slice {
    /// For each group, whether its assignments are dropped.
    pub is_idle: Vec<bool>,
    /// The edges of which all groups are idle although some had assignments.
    pub idle_edges: Vec<(ProcId, EdgeId)>,
    /// The relevant conditions and variables, as expressions.
    pub relevant: Vec<String>,
    /// The relation without the assignments of idle groups.
    pub relation: Relation,
}

/// The slice for the bad conditions at these positions.
///
/// # Errors
/// The analysis stopped.
pub fn slice(problem: &Problem, relation: &Relation, bads: &[usize], poll: Poll<'_>) -> Result<Slice, Stop> {
    let conditions: Vec<TermId> = bads.iter().map(|bad| problem.system.bads[*bad].condition).collect();
    slice_for(problem, relation, &conditions, &[], poll)
}

/// The slice for conditions, and for the values of these state variables: all formulas over them keep their
/// truth.
///
/// # Errors
/// The analysis stopped.
pub fn slice_for(
    problem: &Problem,
    relation: &Relation,
    conditions: &[TermId],
    variables: &[u32],
    poll: Poll<'_>,
) -> Result<Slice, Stop> {
    let mut watch = Watch::new(&Limits::default(), poll);
    let mut slicing = Slicing::new(problem, relation);
    for condition in conditions {
        slicing.add_condition(*condition);
    }
    for of in variables {
        slicing.add_value(problem.system.states[*of as usize].variable);
    }
    for command in &problem.commands {
        slicing.add_condition(command.enabled);
        // A location may depend on data.
        for (of, value) in &command.updates {
            if slicing.places.tracks(*of).is_some() {
                slicing.add_value(*value);
            }
        }
    }
    slicing.fixpoint(&mut watch)?;
    let mut sliced = relation.clone();
    for (group, is_kept) in sliced.groups.iter_mut().zip(&slicing.is_kept) {
        if !is_kept {
            group.updates.retain(|(of, _)| slicing.places.tracks(of.0).is_some());
        }
    }
    let terms = &slicing.formulas.terms;
    let relevant = slicing.relevant.iter().map(|term| text(&problem.system, terms, *term)).collect();
    let is_idle: Vec<bool> = slicing.is_kept.iter().map(|is_kept| !is_kept).collect();
    let idle_edges = edges(problem, relation, &slicing.places, &is_idle);
    Ok(Slice { is_idle, idle_edges, relevant, relation: sliced })
}

/// The edges of which all groups are idle, and some had assignments.
fn edges(problem: &Problem, relation: &Relation, places: &Places, is_idle: &[bool]) -> Vec<(ProcId, EdgeId)> {
    let (mut kept, mut idle) = (FxHashSet::default(), FxHashSet::default());
    for ((group, command), is_idle) in relation.groups.iter().zip(&problem.commands).zip(is_idle) {
        let Action::Step { by, partner, .. } = group.action else { continue };
        let own = [Some(by), partner].into_iter().flatten().map(|of| (of.proc, of.edge));
        let has_assignments = command.updates.iter().any(|(of, _)| places.tracks(*of).is_none());
        match is_idle {
            false => kept.extend(own),
            true if has_assignments => idle.extend(own),
            true => {}
        }
    }
    let mut found: Vec<_> = idle.difference(&kept).copied().collect();
    found.sort_unstable();
    found
}

/// The analysis.
struct Slicing<'p> {
    problem: &'p Problem,
    places: Places,
    formulas: Formulas,
    /// Conditions, and values of variables.
    relevant: Vec<TermId>,
    known: FxHashSet<TermId>,
    preconditions: Vec<Wp>,
    is_kept: Vec<bool>,
    /// For each command, how many relevant terms were compared, and for kept ones moved backwards.
    compared: Vec<usize>,
    moved: Vec<usize>,
}

impl<'p> Slicing<'p> {
    fn new(problem: &'p Problem, relation: &Relation) -> Slicing<'p> {
        let commands = &problem.commands;
        Slicing {
            problem,
            places: Places::new(problem, relation, &[]),
            formulas: Formulas::new(problem, None),
            relevant: Vec::new(),
            known: FxHashSet::default(),
            preconditions: commands.iter().map(|command| Wp::new(&problem.system, command)).collect(),
            is_kept: vec![false; commands.len()],
            compared: vec![0; commands.len()],
            moved: vec![0; commands.len()],
        }
    }

    /// The atoms of a condition are relevant, apart from those about tracked variables only.
    fn add_condition(&mut self, condition: TermId) {
        let mut found = Vec::new();
        atoms(&mut self.formulas.terms, condition, &mut found);
        for atom in found {
            let variables = support(self.problem, &self.formulas.terms, &[atom]);
            let states = &self.problem.system.states;
            // The values of relevant variables determine the conditions over them.
            let is_determined = |of: &u32| {
                self.places.tracks(*of).is_some() || self.known.contains(&states[*of as usize].variable)
            };
            if !variables.iter().all(is_determined) {
                self.add(atom);
            }
        }
    }

    /// The variables of a value are relevant.
    fn add_value(&mut self, value: TermId) {
        for of in support(self.problem, &self.formulas.terms, &[value]) {
            if self.places.tracks(of).is_none() {
                self.add(self.problem.system.states[of as usize].variable);
            }
        }
    }

    fn add(&mut self, term: TermId) {
        if self.known.insert(term) {
            self.relevant.push(term);
        }
    }

    /// Compares and moves relevant terms until there are no new ones.
    fn fixpoint(&mut self, watch: &mut Watch<'_>) -> Result<(), Stop> {
        for round in 0.. {
            watch.check(self.formulas.memory())?;
            let before = (self.relevant.len(), self.is_kept.clone());
            for command in 0..self.problem.commands.len() {
                self.compare(command, watch)?;
                if self.is_kept[command] {
                    self.move_backwards(command, round);
                }
            }
            let is_complete = self
                .moved
                .iter()
                .zip(&self.is_kept)
                .all(|(moved, is_kept)| !is_kept || *moved == self.relevant.len());
            if before == (self.relevant.len(), self.is_kept.clone()) && is_complete {
                break;
            }
        }
        Ok(())
    }

    /// Keeps a command if some relevant term may have another value after it.
    fn compare(&mut self, command: usize, watch: &mut Watch<'_>) -> Result<(), Stop> {
        let guard = self.problem.commands[command].enabled;
        while !self.is_kept[command] && self.compared[command] < self.relevant.len() {
            let term = self.relevant[self.compared[command]];
            self.compared[command] += 1;
            let after = self.preconditions[command].after(&mut self.formulas.terms, term);
            if after == term || guard == FALSE {
                continue;
            }
            let same = self.formulas.terms.equal(after, term);
            let differ = self.formulas.terms.not(same);
            let conditions = [self.formulas.signal(guard), self.formulas.signal(differ)];
            self.is_kept[command] = self.formulas.is_satisfiable(&conditions, watch)?;
        }
        Ok(())
    }

    /// The preconditions of relevant terms under a kept command are relevant.
    fn move_backwards(&mut self, command: usize, round: usize) {
        while self.moved[command] < self.relevant.len() {
            let term = self.relevant[self.moved[command]];
            self.moved[command] += 1;
            let before = self.preconditions[command].after(&mut self.formulas.terms, term);
            if before == term {
                continue;
            }
            let is_condition = self.formulas.terms.width(term) == 1;
            if is_condition && round < MOST_ROUNDS && self.relevant.len() < MOST_CONDITIONS {
                self.add_condition(before);
            } else {
                self.add_value(before);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use axle_decide::system::Cause;
    use axle_outcome::FaultKind;

    use super::*;
    use axle_generate::Random;

    use crate::simulation::{cases, compiled, random_model};
    use crate::valuation::{Valuation, initial};

    /// The least number of steps to a bad state, or none within the limit of states; and whether all
    /// states were visited.
    fn shortest(problem: &Problem, bad: usize) -> (Option<usize>, bool) {
        let terms = &problem.system.terms;
        let mut valuation = Valuation::new(problem);
        let mut level = vec![initial(problem)];
        let mut known = HashSet::from([level[0].clone()]);
        for depth in 0.. {
            let mut next = Vec::new();
            for state in &level {
                valuation.begin(terms);
                if valuation.holds(terms, state, problem.system.bads[bad].condition) {
                    return (Some(depth), true);
                }
                for command in &problem.commands {
                    if valuation.holds(terms, state, command.enabled) {
                        let mut after = state.clone();
                        for (of, value) in &command.updates {
                            after[*of as usize] = valuation.value(terms, state, *value) as u64;
                        }
                        if known.insert(after.clone()) {
                            next.push(after);
                        }
                    }
                }
            }
            if next.is_empty() {
                return (None, true);
            }
            if known.len() > 3_000 {
                return (None, false);
            }
            level = next;
        }
        (None, false)
    }

    #[test]
    fn error_traces_of_random_models_correspond() {
        let number = cases("AXLE_ABSTRACT_SLICES", 60);
        let seed = cases("AXLE_ABSTRACT_SEED", 9);
        let mut random = Random::of(seed + 14, 0);
        let (mut models, mut reached, mut idle) = (0, 0, 0);
        for index in 0..number {
            let Some((model, relation)) = random_model(seed, index) else { continue };
            let problem = Problem::new(&model, &relation);
            let is_plain = |bad: &usize| {
                let cause = problem.system.bads[*bad].cause;
                !matches!(cause, Cause::Fault { kind: FaultKind::EndlessSequence, .. })
            };
            let bads: Vec<usize> = (0..problem.system.bads.len()).filter(is_plain).collect();
            if bads.is_empty() || problem.system.terms.len() > 6_000 {
                continue;
            }
            // The conditions of blocked states contain all guards: those of assertions say more.
            let is_assertion = |bad: &&usize| {
                let cause = problem.system.bads[**bad].cause;
                matches!(cause, Cause::Fault { kind: FaultKind::Assertion, .. })
            };
            let bad = bads.iter().find(is_assertion).copied().unwrap_or(bads[random.below(bads.len())]);
            let slice = slice(&problem, &relation, &[bad], &mut |_| None).expect("a slice");
            let sliced = Problem::new(&model, &slice.relation);
            let cause = problem.system.bads[bad].cause;
            let other = sliced.system.bads.iter().position(|of| of.cause == cause).expect("the same causes");
            let (expected, is_whole) = shortest(&problem, bad);
            let (found, is_whole_slice) = shortest(&sliced, other);
            if is_whole && is_whole_slice {
                assert_eq!(found, expected, "model {index}, {cause:?}\n{}", axle_model::dump::dump(&model));
                models += 1;
                reached += usize::from(found.is_some());
                idle += slice.idle_edges.len();
            }
        }
        println!("{models} models, {reached} with errors, {idle} idle edges");
        assert!(
            models > number as usize / 4 && reached as u64 > number / 20 && idle > 20,
            "{models} {reached} {idle}"
        );
    }

    /// What an error depends on is kept: without it, the error is not reachable.
    #[test]
    fn errors_of_a_slice_are_those_of_the_model() {
        let texts = [
            // An assignment that only a guard reads.
            "byte x, y; active proctype P() { x = 1 }
            active proctype Q() { x == 1 -> y = 1; assert(y == 0) }",
            // Assignments whose values are assigned further.
            "byte x, y, z = 1; active proctype P() { y = z; x = y; assert(x == 0) }",
        ];
        for text in texts {
            let model = compiled(text).expect("a program");
            let relation =
                Relation::new(&model, &axle_relation::Options::default(), &[]).expect("a relation");
            let problem = Problem::new(&model, &relation);
            let is_assertion = |bad: &usize| {
                let cause = problem.system.bads[*bad].cause;
                matches!(cause, Cause::Fault { kind: FaultKind::Assertion, .. })
            };
            let bad = (0..problem.system.bads.len()).find(is_assertion).expect("an assertion");
            let slice = slice(&problem, &relation, &[bad], &mut |_| None).expect("a slice");
            let sliced = Problem::new(&model, &slice.relation);
            let cause = problem.system.bads[bad].cause;
            let other = sliced.system.bads.iter().position(|of| of.cause == cause).expect("the same causes");
            let found = shortest(&problem, bad);
            assert!(matches!(found, (Some(_), true)), "{text}: {found:?}");
            assert_eq!(shortest(&sliced, other), found, "{text}");
        }
    }

    /// A statement that changes the property in a state which its condition admits is kept, although its
    /// precondition is true there; a statement that changes no value of a predicate is idle.
    #[test]
    fn preconditions_that_hold_are_no_reason_to_drop_a_statement() {
        let text = "int x = -1, y, z;
            active proctype P() { do :: x < 0 -> x = 1 :: x < 0 -> x = 7 :: y = y + 1 :: x > 5 -> x = x + 1; x = 6 :: z = y od }
            active proctype Monitor() { end: do :: assert(x < 2) od }";
        let model = compiled(text).expect("a program");
        let relation = Relation::new(&model, &axle_relation::Options::default(), &[]).expect("a relation");
        let problem = Problem::new(&model, &relation);
        let bads: Vec<usize> = (0..problem.system.bads.len()).collect();
        let slice = slice(&problem, &relation, &bads, &mut |_| None).expect("a slice");
        let process = &model.processes[0];
        let idle: Vec<String> = (slice.idle_edges.iter())
            .map(|(_, edge)| format!("{:?}", process.edges[edge.index()].effects))
            .collect();
        // Also the two assignments to x above 5, which leave it there.
        assert_eq!(idle.len(), 4, "{idle:?}, {:?}", slice.relevant);
        assert!(
            idle.iter().all(|effects| !effects.contains("Const(1))]") || effects.contains("Add")),
            "{idle:?}"
        );
    }
}
