//! The part of the verifier that looks at code: edges, effects, expressions, places, formulas.
//!
//! Each function takes the process whose code it looks at, or none for what no process executes
//! (the model's prologue, formulas); locals and own channels exist only in the first case.

use super::{Automaton, Rule, Verifier};
use crate::{
    Base, ChanRef, Comm, Edge, Effect, Expr, Formula, IntType, Pattern, Place, Process, Shape, Step, Type,
};

type Owner<'m> = Option<&'m Process>;

impl<'m> Verifier<'m> {
    pub(super) fn edge(&mut self, e: &'m Edge, p: &'m Process, kind: Automaton) {
        self.get(&p.locations, e.source, e.source.index());
        self.get(&p.locations, e.target, e.target.index());
        self.line(&e.text);
        e.origins.iter().for_each(|at| self.origin(*at));
        self.expr(&e.guard, Some(p));
        if let Some(comm) = &e.comm {
            self.comm(comm, p);
        }
        e.effects.iter().for_each(|effect| self.effect(effect, Some(p)));
        if let Some(i) = e.effects.iter().position(|effect| *effect == Effect::Exit) {
            self.exit(e, i);
        }
        match kind {
            Automaton::Process => {}
            Automaton::Claim => {
                let assertions = e.effects.iter().all(|effect| matches!(effect, Effect::Assert(..)));
                if e.comm.is_some() || !assertions {
                    self.report(Rule::Claim, "a claim sends, receives or changes something");
                }
            }
            Automaton::Events => {
                if !e.effects.is_empty() {
                    self.report(Rule::Events, "an event trace changes something");
                }
            }
        }
    }

    fn exit(&mut self, e: &Edge, at: usize) {
        let mut counts = false;
        crate::walk::expr(&e.guard, &mut |e| counts |= *e == Expr::ProcessCount);
        // Whatever could create a process between the guard and the end would make the guard a lie.
        let creates = e.comm.is_some() || e.effects.iter().any(|e| matches!(e, Effect::Run { .. }));
        if at + 1 != e.effects.len() || !counts || creates {
            self.report(
                Rule::ExitGuarded,
                "`exit` is not the last effect, its guard does not ask for nr_pr, or its edge communicates or \
                 creates a process",
            );
        }
    }

    pub(super) fn prologue(&mut self, effects: &'m [Effect], owner: Owner<'m>) {
        for effect in effects {
            if matches!(effect, Effect::Run { .. } | Effect::Exit) {
                self.report(Rule::Prologue, "a prologue creates or ends a process");
            }
            self.effect(effect, owner);
        }
    }

    /// Whether a variable may be written, and has one value.
    fn target(&mut self, place: &'m Place, owner: Owner<'m>) {
        self.writable(place);
        self.scalar_place(place, owner);
    }

    fn writable(&mut self, place: &Place) {
        if let Base::Remote { .. } = place.base {
            self.report(Rule::RemoteWrite, "a variable of another process is written");
        }
    }

    fn effect(&mut self, e: &'m Effect, owner: Owner<'m>) {
        match e {
            Effect::Assign(place, value) => {
                self.target(place, owner);
                self.expr(value, owner);
            }
            Effect::Clear(place) => {
                self.writable(place);
                self.place_type(place, owner);
            }
            Effect::Assert(cond, text) => {
                self.expr(cond, owner);
                self.line(text);
            }
            Effect::Print(_, args) => args.iter().for_each(|a| self.expr(a, owner)),
            Effect::Run { proc, args, priority, into } => {
                args.iter().for_each(|a| self.expr(a, owner));
                priority.iter().for_each(|e| self.expr(e, owner));
                into.iter().for_each(|place| self.target(place, owner));
                if let Some(started) = self.get(&self.model.processes, proc, proc.index())
                    && started.params as usize != args.len()
                {
                    let message = format!("{} arguments for {} parameters", args.len(), started.params);
                    self.report(Rule::RunArguments, message);
                }
            }
            Effect::SetPriority(pid, value) => {
                self.expr(pid, owner);
                self.expr(value, owner);
            }
            Effect::Exit => {
                if owner.is_none() {
                    self.report(Rule::Context, "no process could end here");
                }
            }
        }
    }

    fn comm(&mut self, comm: &'m Comm, p: &'m Process) {
        let (chan, given) = match comm {
            Comm::Send { chan, args, sorted: _ } => {
                args.iter().for_each(|a| self.expr(a, Some(p)));
                (chan, args.len())
            }
            Comm::Receive { chan, patterns, random: _, copy: _ } => {
                self.patterns(patterns, Some(p));
                (chan, patterns.len())
            }
        };
        self.expr(chan, Some(p));
        self.arity(chan, given, Some(p));
    }

    /// A channel that is named directly is known to have so many fields.
    fn arity(&mut self, chan: &Expr, given: usize, owner: Owner<'m>) {
        if let Some(shape) = self.known_shape(chan, owner)
            && given > shape.fields.len()
        {
            let message = format!("{given} arguments for {} fields", shape.fields.len());
            self.report(Rule::MessageArguments, message);
        }
    }

    fn known_shape(&self, chan: &Expr, owner: Owner<'m>) -> Option<&'m Shape> {
        let Expr::Channel(chan) = chan else { return None };
        let chan = match *chan {
            ChanRef::Global(i) => self.model.channels.get(i as usize),
            ChanRef::Own(i) => owner?.channels.get(i as usize),
        };
        self.model.shapes.get(chan?.shape.index())
    }

    fn patterns(&mut self, patterns: &'m [Pattern], owner: Owner<'m>) {
        for pattern in patterns {
            match pattern {
                Pattern::Bind(place) => self.target(place, owner),
                Pattern::Match(e) => self.expr(e, owner),
                Pattern::Any => {}
            }
        }
    }

    fn scalar_place(&mut self, place: &'m Place, owner: Owner<'m>) {
        if let Some(ty) = self.place_type(place, owner)
            && ty.scalar().is_none()
        {
            self.report(Rule::ScalarPlace, format!("{ty} is used as a single value"));
        }
    }

    /// The type at the end of the way, where there is one.
    fn place_type(&mut self, place: &'m Place, owner: Owner<'m>) -> Option<&'m Type> {
        let var = match &place.base {
            Base::Global(id) => self.get(&self.model.globals, id, id.index()),
            Base::Local(id) => match owner {
                Some(p) => self.get(&p.locals, id, id.index()),
                None => {
                    self.report(Rule::Context, format!("{id} belongs to no process here"));
                    None
                }
            },
            Base::Remote { proc, pid, local } => {
                self.expr(pid, owner);
                self.get(&self.model.processes, proc, proc.index())
                    .and_then(|p| self.get(&p.locals, local, local.index()))
            }
        };
        for step in &place.path {
            if let Step::Index(e) = step {
                self.expr(e, owner);
            }
        }
        let mut ty = &var?.ty;
        for step in &place.path {
            ty = match (step, ty) {
                (Step::Index(_), Type::Array(elem, _)) => elem,
                (Step::Field(i), Type::Record(id)) => {
                    // A record that does not exist is reported where the variable is declared.
                    let record = self.model.records.get(id.index())?;
                    match record.fields.get(*i as usize) {
                        Some(field) => &field.ty,
                        None => {
                            self.report(Rule::Path, format!("{id} has no field {i}"));
                            return None;
                        }
                    }
                }
                (Step::Index(_) | Step::Field(_), _) => {
                    self.report(Rule::Path, format!("no such way into {ty}"));
                    return None;
                }
            };
        }
        Some(ty)
    }

    fn int(&mut self, int: IntType) {
        if !(1..=64).contains(&int.bits) {
            self.report(Rule::Width, format!("{int} is no integer type"));
        }
    }

    pub(super) fn expr(&mut self, e: &'m Expr, owner: Owner<'m>) {
        match e {
            Expr::Const(_)
            | Expr::Timeout
            | Expr::SelfPid
            | Expr::ProcessCount
            | Expr::LastPid
            | Expr::NonProgress => {}
            Expr::Load(place) => self.scalar_place(place, owner),
            Expr::Unary(_, int, a) | Expr::Convert(int, a) => {
                self.int(*int);
                self.expr(a, owner);
            }
            Expr::Binary(_, int, a, b) => {
                self.int(*int);
                self.expr(a, owner);
                self.expr(b, owner);
            }
            Expr::And(a, b) | Expr::Or(a, b) => {
                self.expr(a, owner);
                self.expr(b, owner);
            }
            Expr::Cond(c, a, b) => [c, a, b].into_iter().for_each(|e| self.expr(e, owner)),
            Expr::Channel(chan) => self.chan_ref(*chan, owner),
            Expr::Query(_, a) | Expr::Enabled(a) | Expr::Location(a) | Expr::Priority(a) => {
                self.expr(a, owner);
            }
            Expr::CanReceive { chan, patterns, random: _ } => {
                self.expr(chan, owner);
                self.patterns(patterns, owner);
                self.arity(chan, patterns.len(), owner);
            }
            Expr::AtLocation { proc, pid, locs } => {
                self.expr(pid, owner);
                if let Some(p) = self.get(&self.model.processes, proc, proc.index()) {
                    for loc in locs {
                        self.get(&p.locations, loc, loc.index());
                    }
                }
            }
        }
    }

    fn chan_ref(&mut self, chan: ChanRef, owner: Owner<'m>) {
        match (chan, owner) {
            (ChanRef::Global(i), _) => {
                self.get(&self.model.channels, chan, i as usize);
            }
            (ChanRef::Own(i), Some(p)) => {
                self.get(&p.channels, chan, i as usize);
            }
            (ChanRef::Own(_), None) => {
                self.report(Rule::Context, format!("{chan} belongs to no process here"))
            }
        }
    }

    pub(super) fn formula(&mut self, f: &'m Formula) {
        match f {
            Formula::Atom(e, text) => {
                self.expr(e, None);
                self.line(text);
            }
            Formula::Not(a) | Formula::Next(a) | Formula::Always(a) | Formula::Eventually(a) => {
                self.formula(a)
            }
            Formula::And(a, b)
            | Formula::Or(a, b)
            | Formula::Implies(a, b)
            | Formula::Equivalent(a, b)
            | Formula::Until(a, b)
            | Formula::WeakUntil(a, b)
            | Formula::Release(a, b) => {
                self.formula(a);
                self.formula(b);
            }
        }
    }
}
