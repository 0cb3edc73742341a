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

use axle_model::{Base, Comm, Edge, Effect, Expr, LocalId, Model, Pattern, Place, ProcId, Process};

use super::Asked;
use super::occurs::{Numbers, fault_loads, inside, loads, owners, seen_by, stored, surely_stored};
use crate::fixed::fixed_locals;

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
        loads(expr, &mut |place| self.mark(place, live));
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
        for effect in edge.effects.iter().rev() {
            self.before_effect(effect, &mut live);
        }
        match &edge.comm {
            Some(Comm::Send { chan, args, .. }) => {
                args.iter().chain([chan]).for_each(|expr| self.uses(expr, &mut live));
            }
            Some(Comm::Receive { chan, patterns, .. }) => {
                for (index, pattern) in patterns.iter().enumerate().rev() {
                    if let Pattern::Bind(place) = pattern {
                        if surely_stored(self.model, self.proc, chan, index) {
                            self.kill(place, &mut live);
                        }
                        inside(place).for_each(|expr| self.uses(expr, &mut live));
                    }
                }
                for pattern in patterns {
                    if let Pattern::Match(expr) = pattern {
                        self.uses(expr, &mut live);
                    }
                }
                self.uses(chan, &mut live);
            }
            None => {}
        }
        self.uses(&edge.guard, &mut live);
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

    fn before_effect(&self, effect: &Effect, live: &mut Live) {
        match effect {
            Effect::Assign(place, value) => {
                let wanted = self.position(place).is_none_or(|at| live[at]);
                self.kill(place, live);
                inside(place).for_each(|expr| self.uses(expr, live));
                match wanted || self.truncation {
                    true => self.uses(value, live),
                    false => self.evaluates(value, live),
                }
            }
            Effect::Clear(place) => {
                self.kill(place, live);
                inside(place).for_each(|expr| self.uses(expr, live));
            }
            Effect::Assert(cond, _) => self.uses(cond, live),
            Effect::Print(_, args) => args.iter().for_each(|arg| self.evaluates(arg, live)),
            Effect::Run { args, priority, into, .. } => {
                if let Some(place) = into {
                    self.kill(place, live);
                    inside(place).for_each(|expr| self.uses(expr, live));
                }
                args.iter().chain(priority).for_each(|expr| self.uses(expr, live));
            }
            Effect::SetPriority(pid, value) => {
                self.uses(pid, live);
                self.uses(value, live);
            }
            Effect::Exit => live.fill(false),
        }
    }

    /// The resets at the end of each edge, and at the end of the prologue.
    fn resets(&self, live: &[Live]) -> (Vec<Vec<Effect>>, Vec<Effect>) {
        let process = self.process();
        let clear = |at: usize| Effect::Clear(Place { base: self.bases[at].clone(), path: Vec::new() });
        let edges = process.edges.iter().map(|edge| {
            if edge.effects.iter().any(|effect| matches!(effect, Effect::Exit)) {
                return Vec::new();
            }
            let mut written = vec![false; self.bases.len()];
            let mut mark = |place: &Place| {
                if let Some(at) = self.position(place) {
                    written[at] = true;
                }
            };
            edge.effects.iter().for_each(|effect| stored(effect, &mut mark));
            if let Some(Comm::Receive { patterns, .. }) = &edge.comm {
                for pattern in patterns {
                    if let Pattern::Bind(place) = pattern {
                        mark(place);
                    }
                }
            }
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
            stored(effect, &mut |place| {
                if let Some(at) = self.position(place) {
                    first[at] = true;
                }
            });
        }
        let entry = &live[process.entry.index()];
        let entry = (0..self.bases.len()).filter(|&at| first[at] && !entry[at]).map(clear).collect();
        (edges, entry)
    }

    /// Whether the last assignment of an edge to a variable is a reset.
    fn is_clear(&self, edge: &Edge, at: usize) -> bool {
        let mut last = None;
        for effect in &edge.effects {
            stored(effect, &mut |place| {
                if place.base == self.bases[at] {
                    last = Some(effect);
                }
            });
        }
        match last {
            Some(Effect::Clear(place)) => place.path.is_empty(),
            Some(Effect::Assign(place, Expr::Const(0))) => place.path.is_empty(),
            _ => false,
        }
    }
}
