//! Walks every expression of a model, for analyses that ask whether something occurs.

use crate::{Base, Comm, Edge, Effect, Expr, Formula, Model, Pattern, Place, Process, PropertyKind, Step};

/// Calls `see` on every expression of the model, inner ones and those of its properties included.
pub fn exprs(model: &Model, see: &mut impl FnMut(&Expr)) {
    model.prologue.iter().for_each(|e| effect(e, see));
    model.processes.iter().for_each(|p| process(p, see));
    for property in &model.properties {
        match &property.kind {
            PropertyKind::Never(p) | PropertyKind::Trace(p) | PropertyKind::NoTrace(p) => process(p, see),
            PropertyKind::Ltl(f) => formula(f, see),
        }
    }
}

/// Calls `see` on every expression of one process type.
pub fn process(process: &Process, see: &mut impl FnMut(&Expr)) {
    process.prologue.iter().for_each(|e| effect(e, see));
    process.provided.iter().for_each(|e| expr(e, see));
    process.edges.iter().for_each(|e| edge(e, see));
}

/// Calls `see` on every expression of one edge.
pub fn edge(edge: &Edge, see: &mut impl FnMut(&Expr)) {
    expr(&edge.guard, see);
    match &edge.comm {
        Some(Comm::Send { chan, args, .. }) => {
            expr(chan, see);
            args.iter().for_each(|a| expr(a, see));
        }
        Some(Comm::Receive { chan, patterns, .. }) => {
            expr(chan, see);
            patterns.iter().for_each(|p| pattern(p, see));
        }
        None => {}
    }
    edge.effects.iter().for_each(|e| effect(e, see));
}

/// Calls `see` on `e` and every expression inside it.
pub fn expr(e: &Expr, see: &mut impl FnMut(&Expr)) {
    see(e);
    match e {
        Expr::Const(_)
        | Expr::Channel(_)
        | Expr::Timeout
        | Expr::SelfPid
        | Expr::ProcessCount
        | Expr::LastPid
        | Expr::NonProgress => {}
        Expr::Load(p) => place(p, see),
        Expr::Unary(_, _, a)
        | Expr::Convert(_, a)
        | Expr::Query(_, a)
        | Expr::Enabled(a)
        | Expr::Location(a)
        | Expr::Priority(a) => expr(a, see),
        Expr::Binary(_, _, a, b) | Expr::And(a, b) | Expr::Or(a, b) => {
            expr(a, see);
            expr(b, see);
        }
        Expr::Cond(a, b, c) => [a, b, c].into_iter().for_each(|e| expr(e, see)),
        Expr::CanReceive { chan, patterns, .. } => {
            expr(chan, see);
            patterns.iter().for_each(|p| pattern(p, see));
        }
        Expr::AtLocation { pid, .. } => expr(pid, see),
    }
}

fn place(p: &Place, see: &mut impl FnMut(&Expr)) {
    if let Base::Remote { pid, .. } = &p.base {
        expr(pid, see);
    }
    for step in &p.path {
        if let Step::Index(e) = step {
            expr(e, see);
        }
    }
}

fn pattern(p: &Pattern, see: &mut impl FnMut(&Expr)) {
    match p {
        Pattern::Bind(p) => place(p, see),
        Pattern::Match(e) => expr(e, see),
        Pattern::Any => {}
    }
}

fn effect(e: &Effect, see: &mut impl FnMut(&Expr)) {
    match e {
        Effect::Assign(p, value) => {
            place(p, see);
            expr(value, see);
        }
        Effect::Clear(p) => place(p, see),
        Effect::Assert(cond, _) => expr(cond, see),
        Effect::Print(_, args) => args.iter().for_each(|a| expr(a, see)),
        Effect::Run { args, priority, into, .. } => {
            args.iter().for_each(|a| expr(a, see));
            priority.iter().for_each(|e| expr(e, see));
            into.iter().for_each(|p| place(p, see));
        }
        Effect::SetPriority(pid, value) => {
            expr(pid, see);
            expr(value, see);
        }
        Effect::Exit => {}
    }
}

fn formula(f: &Formula, see: &mut impl FnMut(&Expr)) {
    match f {
        Formula::Atom(e, _) => expr(e, see),
        Formula::Not(a) | Formula::Next(a) | Formula::Always(a) | Formula::Eventually(a) => formula(a, see),
        Formula::And(a, b)
        | Formula::Or(a, b)
        | Formula::Implies(a, b)
        | Formula::Equivalent(a, b)
        | Formula::Until(a, b)
        | Formula::WeakUntil(a, b)
        | Formula::Release(a, b) => {
            formula(a, see);
            formula(b, see);
        }
    }
}
