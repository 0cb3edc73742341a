//! Occurrences of variables in expressions and effects, evaluations that can fail, and variables
//! with a single user.
//!
//! *Entry points:* [`may_fail`], [`fault_loads`], [`owners`].
//! *Invariant:* the evaluation of an expression without [`may_fail`] has a value in every state.

use axle_model::access::{addresses, declared_channel, places, places_of_effect, variables};
use axle_model::{Base, BinOp, Edge, Effect, Expr, Model, Place, ProcId, Query, Step, Type, walk};

use crate::variables::Numbers;

/// Whether the evaluation of a place can fail.
pub fn place_may_fail(model: &Model, proc: Option<ProcId>, place: &Place) -> bool {
    if matches!(place.base, Base::Remote { .. }) {
        return true;
    }
    let Some(mut ty) = model.variable_type(proc, place) else { return true };
    for step in &place.path {
        if let (Step::Index(index), Type::Array(_, len)) = (step, ty)
            && !matches!(**index, Expr::Const(index) if (0..i64::from(*len)).contains(&index))
        {
            return true;
        }
        let Some(inner) = model.type_at(ty, std::slice::from_ref(step)) else { return true };
        ty = inner;
    }
    false
}

/// Whether the evaluation of an expression can fail.
pub fn may_fail(model: &Model, proc: Option<ProcId>, expr: &Expr) -> bool {
    let mut found = false;
    walk::expr(expr, &mut |inner| {
        found |= match inner {
            Expr::Load(place) => place_may_fail(model, proc, place),
            Expr::Binary(BinOp::Div | BinOp::Rem, _, _, divisor) => {
                !matches!(**divisor, Expr::Const(value) if value != 0)
            }
            Expr::Query(Query::Len | Query::Full | Query::Empty | Query::NotFull | Query::NotEmpty, chan) => {
                !matches!(**chan, Expr::Channel(_))
            }
            Expr::CanReceive { .. } | Expr::Location(_) => true,
            Expr::Const(_)
            | Expr::Unary(..)
            | Expr::Binary(..)
            | Expr::Convert(..)
            | Expr::And(..)
            | Expr::Or(..)
            | Expr::Cond(..)
            | Expr::Channel(_)
            | Expr::Timeout
            | Expr::SelfPid
            | Expr::ProcessCount
            | Expr::LastPid
            | Expr::NonProgress
            | Expr::Enabled(_)
            | Expr::Priority(_)
            | Expr::AtLocation { .. } => false,
        };
    });
    found
}

/// Calls `see` for every place whose value decides whether the evaluation of an expression is a
/// fault: what its indices, divisors and references to channels and processes read, and the
/// conditions under which such a part is evaluated.
///
/// *Invariant:* if two states agree on these places, evaluation has the same faults in both.
pub fn fault_loads(model: &Model, proc: Option<ProcId>, expr: &Expr, see: &mut dyn FnMut(&Place)) {
    if !may_fail(model, proc, expr) {
        return;
    }
    let mut guarded = |cond: &Expr, parts: [&Expr; 2]| {
        match parts.iter().any(|part| may_fail(model, proc, part)) {
            true => variables(cond, &mut |place| see(place)),
            false => fault_loads(model, proc, cond, see),
        }
        parts.iter().for_each(|part| fault_loads(model, proc, part, see));
    };
    match expr {
        Expr::Load(place) => addresses(place).for_each(|inner| variables(inner, &mut |place| see(place))),
        Expr::And(a, b) | Expr::Or(a, b) => guarded(a, [b, b]),
        Expr::Cond(cond, a, b) => guarded(cond, [a, b]),
        Expr::Binary(BinOp::Div | BinOp::Rem, _, a, divisor) => {
            fault_loads(model, proc, a, see);
            variables(divisor, &mut |place| see(place));
        }
        Expr::Binary(_, _, a, b) => {
            fault_loads(model, proc, a, see);
            fault_loads(model, proc, b, see);
        }
        Expr::Unary(_, _, a) | Expr::Convert(_, a) => fault_loads(model, proc, a, see),
        Expr::Const(_)
        | Expr::Channel(_)
        | Expr::Query(..)
        | Expr::CanReceive { .. }
        | Expr::Timeout
        | Expr::SelfPid
        | Expr::ProcessCount
        | Expr::LastPid
        | Expr::NonProgress
        | Expr::Enabled(_)
        | Expr::Location(_)
        | Expr::Priority(_)
        | Expr::AtLocation { .. } => variables(expr, &mut |place| see(place)),
    }
}

/// Whether a receive certainly stores into its pattern at this position.
pub fn surely_stored(model: &Model, proc: ProcId, chan: &Expr, position: usize) -> bool {
    let holds = |shape: &axle_model::Shape| shape.fields.len() > position;
    match declared_channel(model, proc, chan) {
        Some(channel) => holds(&model.shapes[channel.shape.index()]),
        None => model.shapes.iter().all(holds),
    }
}

/// For each global, the process type that uses it exclusively: one process of the type exists from
/// the start, and no other process or property reads the variable.
pub fn owners(model: &Model, visible: &[Expr]) -> Vec<Option<ProcId>> {
    let mut users: Vec<Vec<ProcId>> = vec![Vec::new(); model.globals.len()];
    for (index, process) in model.processes.iter().enumerate() {
        let proc = ProcId::new(index);
        let mut see = |place: &Place| {
            if let Base::Global(id) = place.base
                && users[id.index()].last() != Some(&proc)
            {
                users[id.index()].push(proc);
            }
        };
        process.edges.iter().for_each(|edge| places(edge, &mut see));
        process.prologue.iter().for_each(|effect| places_of_effect(effect, &mut see));
        process.provided.iter().for_each(|expr| variables(expr, &mut see));
    }
    let seen = seen_by(model, visible);
    let alone: Vec<bool> = (0..model.processes.len()).map(|p| is_alone(model, ProcId::new(p))).collect();
    let only = |(global, users): (usize, &Vec<ProcId>)| match users[..] {
        [proc] if alone[proc.index()] && !seen[global] => Some(proc),
        _ => None,
    };
    users.iter().enumerate().map(only).collect()
}

/// Whether exactly one process of a type exists, from the start.
fn is_alone(model: &Model, proc: ProcId) -> bool {
    let runs = |created: ProcId| created == proc;
    let prologues = model.processes.iter().flat_map(|p| &p.prologue).chain(&model.prologue);
    model.start.iter().filter(|instance| instance.proc == proc).count() == 1
        && !model.processes.iter().flat_map(|p| p.creates()).any(runs)
        && !prologues.filter_map(Effect::creates).any(runs)
}

/// For each variable, whether a process that does not own it, or a property, reads it.
pub fn seen_by(model: &Model, visible: &[Expr]) -> Vec<bool> {
    let numbers = Numbers::new(model);
    let mut seen = vec![false; numbers.count];
    let mut mark = |expr: &Expr| {
        variables(expr, &mut |place| {
            if let Some(variable) = numbers.of(None, place) {
                seen[variable] = true;
            }
        });
    };
    visible.iter().for_each(&mut mark);
    for process in &model.processes {
        walk::process(process, &mut |expr| {
            if let Expr::Load(Place { base: Base::Remote { proc, local, .. }, .. }) = expr {
                seen[numbers.local(*proc, local.index())] = true;
            }
        });
    }
    seen
}

/// Whether an edge accesses only variables of its process and constants.
pub fn is_private(edge: &Edge, proc: ProcId, owners: &[Option<ProcId>], fixed: &[bool]) -> bool {
    let mut private = true;
    places(edge, &mut |place| {
        private &= match &place.base {
            Base::Global(id) => owners[id.index()] == Some(proc) || fixed[id.index()],
            Base::Local(_) => true,
            Base::Remote { .. } => false,
        };
    });
    private
}
