//! Changes every expression of a model in place, inner ones first.
//!
//! *Entry points:* [`model`], [`expr`].
//! *Invariant:* every expression is seen once; what the callback puts in place is not looked into
//! again.

use crate::{Base, Comm, Edge, Effect, Expr, Formula, Model, Pattern, Place, Process, PropertyKind, Step};

/// Every expression of a model, its properties included.
pub fn model(model: &mut Model, see: &mut impl FnMut(&mut Expr)) {
    model.prologue.iter_mut().for_each(|e| effect(e, see));
    model.processes.iter_mut().for_each(|p| process(p, see));
    for property in &mut model.properties {
        match &mut property.kind {
            PropertyKind::Never(p) | PropertyKind::Trace(p) | PropertyKind::NoTrace(p) => process(p, see),
            PropertyKind::Ltl(f) => formula(f, see),
        }
    }
}

/// Every expression of a process type.
pub fn process(process: &mut Process, see: &mut impl FnMut(&mut Expr)) {
    process.prologue.iter_mut().for_each(|e| effect(e, see));
    process.provided.iter_mut().for_each(|e| expr(e, see));
    process.edges.iter_mut().for_each(|e| edge(e, see));
}

/// Every expression of an edge.
pub fn edge(edge: &mut Edge, see: &mut impl FnMut(&mut Expr)) {
    expr(&mut edge.guard, see);
    if let Some(c) = &mut edge.comm {
        comm(c, see);
    }
    edge.effects.iter_mut().for_each(|e| effect(e, see));
}

/// An expression and all inside it.
pub fn expr(e: &mut Expr, see: &mut impl FnMut(&mut Expr)) {
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
        | Expr::Priority(a)
        | Expr::AtLocation { pid: a, .. } => expr(a, see),
        Expr::Binary(_, _, a, b) | Expr::And(a, b) | Expr::Or(a, b) => {
            expr(a, see);
            expr(b, see);
        }
        Expr::Cond(a, b, c) => {
            expr(a, see);
            expr(b, see);
            expr(c, see);
        }
        Expr::CanReceive { chan, patterns, .. } => {
            expr(chan, see);
            patterns.iter_mut().for_each(|p| pattern(p, see));
        }
    }
    see(e);
}

/// All expressions of a communication.
pub fn comm(c: &mut Comm, see: &mut impl FnMut(&mut Expr)) {
    match c {
        Comm::Send { chan, args, .. } => {
            expr(chan, see);
            args.iter_mut().for_each(|a| expr(a, see));
        }
        Comm::Receive { chan, patterns, .. } => {
            expr(chan, see);
            patterns.iter_mut().for_each(|p| pattern(p, see));
        }
    }
}

fn place(p: &mut Place, see: &mut impl FnMut(&mut Expr)) {
    if let Base::Remote { pid, .. } = &mut p.base {
        expr(pid, see);
    }
    for step in &mut p.path {
        if let Step::Index(e) = step {
            expr(e, see);
        }
    }
}

fn pattern(p: &mut Pattern, see: &mut impl FnMut(&mut Expr)) {
    match p {
        Pattern::Bind(p) => place(p, see),
        Pattern::Match(e) => expr(e, see),
        Pattern::Any => {}
    }
}

/// All expressions of an effect.
pub fn effect(e: &mut Effect, see: &mut impl FnMut(&mut Expr)) {
    match e {
        Effect::Assign(p, value) => {
            place(p, see);
            expr(value, see);
        }
        Effect::Clear(p) => place(p, see),
        Effect::Assert(cond, _) => expr(cond, see),
        Effect::Print(_, args) => args.iter_mut().for_each(|a| expr(a, see)),
        Effect::Run { args, priority, into, .. } => {
            args.iter_mut().for_each(|a| expr(a, see));
            priority.iter_mut().for_each(|e| expr(e, see));
            into.iter_mut().for_each(|p| place(p, see));
        }
        Effect::SetPriority(pid, value) => {
            expr(pid, see);
            expr(value, see);
        }
        Effect::Exit => {}
    }
}

fn formula(f: &mut Formula, see: &mut impl FnMut(&mut Expr)) {
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
