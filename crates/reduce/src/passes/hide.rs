//! Hidden variables: removes the storage of variables that influence nothing but other hidden
//! variables.
//!
//! A variable is needed if its value influences a guard, a communication, an index, a priority, a
//! needed variable, or whether an evaluation fails. Assignments to other variables are removed, or,
//! if their evaluation can fail, executed and cleared.
//!
//! *Entry point:* [`hide`].
//! *Source:* faint variables, flow-insensitive: R. Giegerich, U. Möncke and R. Wilhelm, Invariance
//! of approximate semantics with respect to program transformations, GI 1981.
//! *Invariant:* enabled edges, priorities and faults of evaluations are the same in the original
//! model.

use axle_model::access::{self, Action, Purpose, variables};
use axle_model::{Comm, Effect, Expr, Model, Pattern, Place, ProcId};

use super::asked::Asked;
use super::occurs::{fault_loads, may_fail, place_may_fail};
use crate::variables::Numbers;

/// Removes assignments to variables that are not needed. Returns the number of these variables.
pub fn hide(model: &mut Model, asked: &Asked) -> usize {
    let needed = needed(model, asked);
    let numbers = Numbers::new(model);
    let whole = model.clone();
    let hider = Hider { model: &whole, numbers: &numbers, needed: &needed, truncation: asked.truncation };
    let mut written = vec![false; numbers.count];
    let prologue = std::mem::take(&mut model.prologue);
    model.prologue = hider.effects(None, prologue, &mut written);
    for (index, process) in model.processes.iter_mut().enumerate() {
        let proc = ProcId::new(index);
        let mut prologue = hider.effects(Some(proc), std::mem::take(&mut process.prologue), &mut written);
        for param in 0..process.params as usize {
            // An argument that can be a fault is evaluated, and forgotten.
            if !needed[numbers.local(proc, param)] {
                prologue.insert(0, Effect::Clear(Place::local(axle_model::LocalId::new(param))));
            }
        }
        process.prologue = prologue;
        for edge in &mut process.edges {
            let mut first = Vec::new();
            if let Some(Comm::Receive { patterns, .. }) = &mut edge.comm {
                for pattern in patterns {
                    hider.pattern(proc, pattern, &mut first, &mut written);
                }
            }
            first.extend(std::mem::take(&mut edge.effects));
            edge.effects = hider.effects(Some(proc), first, &mut written);
        }
    }
    written.iter().filter(|written| **written).count()
}

/// For each variable, whether it is needed.
fn needed(model: &Model, asked: &Asked) -> Vec<bool> {
    let numbers = Numbers::new(model);
    let mut search =
        Search { model, numbers: &numbers, truncation: asked.truncation, needed: Vec::new(), grown: false };
    search.needed = vec![false; numbers.count];
    for expr in &asked.visible.expressions {
        search.ask(None, expr);
    }
    loop {
        search.grown = false;
        for effect in &model.prologue {
            search.effect(None, effect);
        }
        for (index, process) in model.processes.iter().enumerate() {
            let proc = Some(ProcId::new(index));
            process.provided.iter().for_each(|expr| search.ask(proc, expr));
            for effect in &process.prologue {
                search.effect(proc, effect);
            }
            for edge in &process.edges {
                let mut value = None;
                access::edge(edge, &mut |action| search.action(proc, action, &mut value));
            }
        }
        if !search.grown {
            return search.needed;
        }
    }
}

/// The fixpoint computation of the needed variables.
struct Search<'a> {
    model: &'a Model,
    numbers: &'a Numbers,
    truncation: bool,
    needed: Vec<bool>,
    grown: bool,
}

impl Search<'_> {
    /// The value of an expression is needed.
    fn ask(&mut self, proc: Option<ProcId>, expr: &Expr) {
        variables(expr, &mut |place| self.mark(proc, place));
    }

    fn mark(&mut self, proc: Option<ProcId>, place: &Place) {
        if let Some(variable) = self.numbers.of(proc, place) {
            self.grown |= !self.needed[variable];
            self.needed[variable] = true;
        }
    }

    /// The value of an expression is assigned to a variable.
    fn pass(&mut self, proc: Option<ProcId>, expr: &Expr, into: Option<usize>) {
        let wanted = into.is_none_or(|variable| self.needed[variable]);
        match wanted || self.truncation {
            true => self.ask(proc, expr),
            false => self.evaluate(proc, expr),
        }
    }

    /// Of the value of an expression, only whether its evaluation fails is needed.
    fn evaluate(&mut self, proc: Option<ProcId>, expr: &Expr) {
        fault_loads(self.model, proc, expr, &mut |place| self.mark(proc, place));
    }

    fn effect(&mut self, proc: Option<ProcId>, effect: &Effect) {
        let mut value = None;
        access::effect(effect, &mut |action| self.action(proc, action, &mut value));
    }

    fn action<'m>(&mut self, proc: Option<ProcId>, action: Action<'m>, value: &mut Option<&'m Expr>) {
        match action {
            // The store that follows decides whether the value is needed.
            Action::Evaluate(expr, Purpose::Value) => *value = Some(expr),
            Action::Evaluate(expr, Purpose::Argument(started, param)) => {
                self.pass(proc, expr, Some(self.numbers.local(started, param.index())));
            }
            Action::Evaluate(expr, Purpose::Output) => self.evaluate(proc, expr),
            Action::Evaluate(
                expr,
                Purpose::Guard
                | Purpose::Channel
                | Purpose::Field
                | Purpose::Match
                | Purpose::Address
                | Purpose::Priority
                | Purpose::Assertion,
            ) => self.ask(proc, expr),
            Action::Store(place, _) => {
                if let Some(expr) = value.take() {
                    self.pass(proc, expr, self.numbers.of(proc, place));
                }
            }
            Action::Send { .. }
            | Action::Receive { .. }
            | Action::Create(_)
            | Action::SetPriority
            | Action::End => {}
        }
    }
}

/// Removes assignments.
struct Hider<'a> {
    model: &'a Model,
    numbers: &'a Numbers,
    needed: &'a [bool],
    truncation: bool,
}

impl Hider<'_> {
    /// The variable that is written here, if it is not needed.
    fn hidden(&self, proc: Option<ProcId>, place: &Place) -> Option<usize> {
        self.numbers.of(proc, place).filter(|&variable| !self.needed[variable])
    }

    fn effects(&self, proc: Option<ProcId>, effects: Vec<Effect>, written: &mut [bool]) -> Vec<Effect> {
        let mut out = Vec::with_capacity(effects.len());
        for effect in effects {
            match effect {
                Effect::Assign(place, value) => {
                    let Some(variable) = self.hidden(proc, &place) else {
                        out.push(Effect::Assign(place, value));
                        continue;
                    };
                    written[variable] = true;
                    let pure = !self.truncation
                        && !may_fail(self.model, proc, &value)
                        && !place_may_fail(self.model, proc, &place);
                    if !pure {
                        let whole = Place { base: place.base.clone(), path: Vec::new() };
                        out.extend([Effect::Assign(place, value), Effect::Clear(whole)]);
                    }
                }
                Effect::Run { proc: started, mut args, priority, mut into } => {
                    for (index, arg) in args.iter_mut().enumerate() {
                        let param = self.numbers.local(started, index);
                        if !self.needed[param] && !self.truncation && !may_fail(self.model, proc, arg) {
                            written[param] |= *arg != Expr::Const(0);
                            *arg = Expr::Const(0);
                        }
                    }
                    let hidden = into.as_ref().and_then(|place| self.hidden(proc, place));
                    let mut forget = None;
                    if let (Some(variable), Some(place)) = (hidden, &into) {
                        written[variable] = true;
                        match place_may_fail(self.model, proc, place) || self.truncation {
                            true => {
                                forget =
                                    Some(Effect::Clear(Place { base: place.base.clone(), path: Vec::new() }))
                            }
                            false => into = None,
                        }
                    }
                    out.push(Effect::Run { proc: started, args, priority, into });
                    out.extend(forget);
                }
                // What was never written is 0.
                other @ (Effect::Clear(_)
                | Effect::Assert(..)
                | Effect::Print(..)
                | Effect::SetPriority(..)
                | Effect::Exit) => out.push(other),
            }
        }
        out
    }

    /// Removes a variable from a receive, or adds its reset to `first`.
    fn pattern(&self, proc: ProcId, pattern: &mut Pattern, first: &mut Vec<Effect>, written: &mut [bool]) {
        let Pattern::Bind(place) = pattern else { return };
        let Some(variable) = self.hidden(Some(proc), place) else { return };
        written[variable] = true;
        if self.truncation || place_may_fail(self.model, Some(proc), place) {
            first.push(Effect::Clear(Place { base: place.base.clone(), path: Vec::new() }));
        } else {
            *pattern = Pattern::Any;
        }
    }
}
