//! Dead variables: a variable whose value is not read again before it is written is reset to 0, so
//! that states that differ in it alone are equal.
//!
//! Strong liveness, backwards over the automaton of each process type to a fixpoint: reading a
//! variable in order to write a dead one does not make it live. The pass covers locals, and globals
//! that one process uses exclusively ([`super::occurs::owners`]). Variables that other processes or
//! properties read are left alone, and so are constant references to channels and elements: a reset
//! would make them variable and partial-order reduction less precise.
//!
//! *Entry point:* [`reset`].
//! *Source:* A. Aho, R. Sethi and J. Ullman, Compilers, 1986, section 10.6.
//! *Invariant:* no value is reset that a later evaluation needs, including whether that evaluation
//! fails.

use axle_model::access::{self, Action, Purpose, Source, stores, stores_of_effect, variables};
use axle_model::{Base, Edge, Effect, Expr, LocalId, Model, Place, ProcId, Process};

use super::asked::Asked;
use super::occurs::{fault_loads, owners, seen_by, surely_stored};
use crate::fixed::fixed_locals;
use crate::variables::Numbers;

/// Adds the resets. Returns their number.
pub fn reset(model: &mut Model, asked: &Asked) -> usize {
    let owners = owners(model, &asked.visible.expressions);
    let seen = seen_by(model, &asked.visible.expressions);
    let numbers = Numbers::new(model);
    let mut added = 0;
    for index in 0..model.processes.len() {
        let proc = ProcId::new(index);
        let process = model.process(proc);
        let private = (0..model.globals.len()).filter(|&g| owners[g] == Some(proc));
        let fixed = fixed_locals(process);
        let locals = (0..process.locals.len()).filter(|&l| !seen[numbers.local(proc, l)] && !fixed[l]);
        let bases: Vec<Base> = private
            .map(|g| Base::Global(axle_model::GlobalId::new(g)))
            .chain(locals.map(|l| Base::Local(LocalId::new(l))))
            .collect();
        let liveness = Liveness { model, proc, bases: &bases, truncation: asked.truncation };
        let live = liveness.solve();
        let (edges, entry) = liveness.resets(&live);
        let process = &mut model.processes[index];
        added += entry.len() + edges.iter().map(Vec::len).sum::<usize>();
        process.prologue.extend(entry);
        for (edge, resets) in process.edges.iter_mut().zip(edges) {
            edge.effects.extend(resets);
        }
    }
    added
}

/// The variables that are live, by their position in a list.
type Live = Vec<bool>;

/// Liveness in one process type.
struct Liveness<'a> {
    model: &'a Model,
    proc: ProcId,
    /// The variables that only the process itself accesses.
    bases: &'a [Base],
    truncation: bool,
}

impl Liveness<'_> {
    fn process(&self) -> &Process {
        self.model.process(self.proc)
    }

    fn position(&self, place: &Place) -> Option<usize> {
        self.bases.iter().position(|base| *base == place.base)
    }

    fn uses(&self, expr: &Expr, live: &mut Live) {
        variables(expr, &mut |place| self.mark(place, live));
    }

    /// Of the value of an expression, only whether its evaluation fails is needed.
    fn evaluates(&self, expr: &Expr, live: &mut Live) {
        fault_loads(self.model, Some(self.proc), expr, &mut |place| self.mark(place, live));
    }

    fn mark(&self, place: &Place, live: &mut Live) {
        if let Some(at) = self.position(place) {
            live[at] = true;
        }
    }

    /// For each location, the variables that are live there.
    fn solve(&self) -> Vec<Live> {
        let process = self.process();
        let mut always = vec![false; self.bases.len()];
        process.provided.iter().for_each(|expr| self.uses(expr, &mut always));
        let mut live = vec![always; process.locations.len()];
        loop {
            let mut grown = false;
            for edge in process.edges.iter().rev() {
                let before = self.before(edge, live[edge.target.index()].clone());
                for (known, new) in live[edge.source.index()].iter_mut().zip(before) {
                    grown |= new && !*known;
                    *known |= new;
                }
            }
            if !grown {
                return live;
            }
        }
    }

    /// The variables that are live before an edge, from those that are live after it.
    fn before(&self, edge: &Edge, mut live: Live) -> Live {
        let mut actions = Vec::new();
        access::edge(edge, &mut |action| actions.push(action));
        // Whether the value of the store that follows is needed.
        let mut wanted = true;
        for action in actions.into_iter().rev() {
            match action {
                Action::Store(place, source) => {
                    wanted = self.position(place).is_none_or(|at| live[at]);
                    let certain = match (source, edge.receives_from()) {
                        (Source::Field(index), Some(chan)) => {
                            surely_stored(self.model, self.proc, chan, index)
                        }
                        (Source::Value | Source::Zero | Source::Number | Source::Field(_), _) => true,
                    };
                    if certain {
                        self.kill(place, &mut live);
                    }
                }
                Action::Evaluate(expr, purpose) => match purpose {
                    Purpose::Value if !wanted && !self.truncation => self.evaluates(expr, &mut live),
                    Purpose::Output => self.evaluates(expr, &mut live),
                    Purpose::Value
                    | Purpose::Guard
                    | Purpose::Channel
                    | Purpose::Field
                    | Purpose::Match
                    | Purpose::Address
                    | Purpose::Argument(..)
                    | Purpose::Priority
                    | Purpose::Assertion => self.uses(expr, &mut live),
                },
                Action::End => live.fill(false),
                Action::Send { .. } | Action::Receive { .. } | Action::Create(_) | Action::SetPriority => {}
            }
        }
        live
    }

    /// A whole variable is assigned.
    fn kill(&self, place: &Place, live: &mut Live) {
        if place.path.is_empty()
            && let Some(at) = self.position(place)
        {
            live[at] = false;
        }
    }

    /// The resets at the end of each edge, and at the end of the prologue.
    fn resets(&self, live: &[Live]) -> (Vec<Vec<Effect>>, Vec<Effect>) {
        let process = self.process();
        let clear = |at: usize| Effect::Clear(Place { base: self.bases[at].clone(), path: Vec::new() });
        let edges = process.edges.iter().map(|edge| {
            if edge.ends() {
                return Vec::new();
            }
            let mut written = vec![false; self.bases.len()];
            let mut mark = |place: &Place| {
                if let Some(at) = self.position(place) {
                    written[at] = true;
                }
            };
            stores(edge, &mut mark);
            let (before, after) = (&live[edge.source.index()], &live[edge.target.index()]);
            let ends = |at: &usize| !after[*at] && (before[*at] || written[*at]) && !self.is_clear(edge, *at);
            (0..self.bases.len()).filter(ends).map(clear).collect()
        });
        let edges = edges.collect();
        // Arguments and initial values that are not read.
        let mut first = vec![false; self.bases.len()];
        for (at, base) in self.bases.iter().enumerate() {
            if let Base::Local(local) = base {
                first[at] = local.index() < process.params as usize;
            }
        }
        // Of a global too: otherwise a loop has its states once with the first value and once
        // without.
        for effect in self.model.prologue.iter().chain(&process.prologue) {
            stores_of_effect(effect, &mut |place| {
                if let Some(at) = self.position(place) {
                    first[at] = true;
                }
            });
        }
        let entry = &live[process.entry.index()];
        let entry = (0..self.bases.len()).filter(|&at| first[at] && !entry[at]).map(clear).collect();
        (edges, entry)
    }

    /// Whether the last store of the effects of an edge to a variable is a reset of all of it.
    fn is_clear(&self, edge: &Edge, at: usize) -> bool {
        let mut clear = false;
        for effect in &edge.effects {
            let zero = effect.assignment().is_none_or(|(_, value)| *value == Expr::Const(0));
            access::effect(effect, &mut |action| match action {
                Action::Store(place, source) if place.base == self.bases[at] => {
                    clear = place.path.is_empty()
                        && match source {
                            Source::Zero => true,
                            Source::Value => zero,
                            Source::Field(_) | Source::Number => false,
                        };
                }
                Action::Store(..)
                | Action::Evaluate(..)
                | Action::Send { .. }
                | Action::Receive { .. }
                | Action::Create(_)
                | Action::SetPriority
                | Action::End => {}
            });
        }
        clear
    }
}
