//! Occurrences of variables in expressions and effects, evaluations that can fail, and variables
//! with a single user.
//!
//! *Entry points:* [`loads`], [`may_fail`], [`fault_loads`], [`owners`].
//! *Invariant:* the evaluation of an expression without [`may_fail`] has a value in every state.

use axle_model::{
    Base, BinOp, Comm, Edge, Effect, Expr, Model, Pattern, Place, ProcId, Query, Step, Type, walk,
};

/// Numbers for all variables of a model: globals first, then the locals of each process type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Numbers {
    first: Vec<usize>,
    /// Their number.
    pub count: usize,
}

impl Numbers {
    /// The numbers of a model's variables.
    pub fn new(model: &Model) -> Numbers {
        let mut count = model.globals.len();
        let mut first = Vec::new();
        for process in &model.processes {
            first.push(count);
            count += process.locals.len();
        }
        Numbers { first, count }
    }

    /// The variable at the root of a place that `proc` names; none for a local without a process.
    pub fn of(&self, proc: Option<ProcId>, place: &Place) -> Option<usize> {
        match &place.base {
            Base::Global(id) => Some(id.index()),
            Base::Local(id) => Some(self.local(proc?, id.index())),
            Base::Remote { proc, local, .. } => Some(self.local(*proc, local.index())),
        }
    }

    /// A local of a process type.
    pub fn local(&self, proc: ProcId, index: usize) -> usize {
        self.first[proc.index()] + index
    }
}

/// Calls `see` for every place that an expression reads.
pub fn loads(expr: &Expr, see: &mut impl FnMut(&Place)) {
    walk::expr(expr, &mut |inner| {
        if let Expr::Load(place) = inner {
            see(place);
        }
    });
}

/// The expressions in a place: indices and the process number of a remote reference.
pub fn inside(place: &Place) -> impl Iterator<Item = &Expr> {
    let pid = match &place.base {
        Base::Remote { pid, .. } => Some(&**pid),
        Base::Global(_) | Base::Local(_) => None,
    };
    let indices = place.path.iter().filter_map(|step| match step {
        Step::Index(index) => Some(&**index),
        Step::Field(_) => None,
    });
    pid.into_iter().chain(indices)
}

/// The type of a variable that `proc` names.
pub fn type_of<'m>(model: &'m Model, proc: Option<ProcId>, place: &Place) -> Option<&'m Type> {
    match &place.base {
        Base::Global(id) => model.globals.get(id.index()).map(|v| &v.ty),
        Base::Local(id) => model.process(proc?).locals.get(id.index()).map(|v| &v.ty),
        Base::Remote { proc, local, .. } => model.process(*proc).locals.get(local.index()).map(|v| &v.ty),
    }
}

/// Whether the evaluation of a place can fail.
pub fn place_may_fail(model: &Model, proc: Option<ProcId>, place: &Place) -> bool {
    if matches!(place.base, Base::Remote { .. }) {
        return true;
    }
    let Some(mut ty) = type_of(model, proc, place) else { return true };
    for step in &place.path {
        ty = match (step, ty) {
            (Step::Field(index), Type::Record(id)) => {
                match model.records[id.index()].fields.get(*index as usize) {
                    Some(field) => &field.ty,
                    None => return true,
                }
            }
            (Step::Index(index), Type::Array(of, len)) => {
                match **index {
                    Expr::Const(index) if (0..i64::from(*len)).contains(&index) => {}
                    _ => return true,
                }
                of
            }
            (Step::Field(_) | Step::Index(_), _) => return true,
        };
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
            true => loads(cond, &mut |place| see(place)),
            false => fault_loads(model, proc, cond, see),
        }
        parts.iter().for_each(|part| fault_loads(model, proc, part, see));
    };
    match expr {
        Expr::Load(place) => inside(place).for_each(|inner| loads(inner, &mut |place| see(place))),
        Expr::And(a, b) | Expr::Or(a, b) => guarded(a, [b, b]),
        Expr::Cond(cond, a, b) => guarded(cond, [a, b]),
        Expr::Binary(BinOp::Div | BinOp::Rem, _, a, divisor) => {
            fault_loads(model, proc, a, see);
            loads(divisor, &mut |place| see(place));
        }
        Expr::Binary(_, _, a, b) => {
            fault_loads(model, proc, a, see);
            fault_loads(model, proc, b, see);
        }
        Expr::Unary(_, _, a) | Expr::Convert(_, a) => fault_loads(model, proc, a, see),
        _ => loads(expr, &mut |place| see(place)),
    }
}

/// Whether a receive certainly stores into its pattern at this position.
pub fn surely_stored(model: &Model, proc: ProcId, chan: &Expr, position: usize) -> bool {
    use axle_model::ChanRef;
    let shape = match chan {
        Expr::Channel(ChanRef::Global(index)) => model.channels.get(*index as usize).map(|c| c.shape),
        Expr::Channel(ChanRef::Own(index)) => {
            model.process(proc).channels.get(*index as usize).map(|c| c.shape)
        }
        _ => None,
    };
    let holds = |shape: &axle_model::Shape| shape.fields.len() > position;
    match shape {
        Some(shape) => holds(&model.shapes[shape.index()]),
        None => model.shapes.iter().all(holds),
    }
}

/// Calls `see` for every place that an effect writes.
pub fn stored(effect: &Effect, see: &mut impl FnMut(&Place)) {
    match effect {
        Effect::Assign(place, _) | Effect::Clear(place) | Effect::Run { into: Some(place), .. } => see(place),
        Effect::Assert(..)
        | Effect::Print(..)
        | Effect::Run { into: None, .. }
        | Effect::SetPriority(..)
        | Effect::Exit => {}
    }
}

/// Calls `see` for every variable that an edge of a process writes or reads.
pub fn touched(edge: &Edge, see: &mut impl FnMut(&Place)) {
    walk::edge(edge, &mut |expr| {
        if let Expr::Load(place) = expr {
            see(place);
        }
    });
    edge.effects.iter().for_each(|effect| stored(effect, see));
    if let Some(Comm::Receive { patterns, .. }) = &edge.comm {
        for pattern in patterns {
            if let Pattern::Bind(place) = pattern {
                see(place);
            }
        }
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
        process.edges.iter().for_each(|edge| touched(edge, &mut see));
        process.prologue.iter().for_each(|effect| stored(effect, &mut see));
        walk::process(process, &mut |expr| {
            if let Expr::Load(place) = expr {
                see(place);
            }
        });
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
    let runs = |e: &Effect| matches!(e, Effect::Run { proc: started, .. } if *started == proc);
    let prologues = model.processes.iter().flat_map(|p| &p.prologue).chain(&model.prologue);
    model.start.iter().filter(|instance| instance.proc == proc).count() == 1
        && !model.processes.iter().flat_map(|p| &p.edges).flat_map(|e| &e.effects).any(runs)
        && !prologues.into_iter().any(runs)
}

/// For each variable, whether a process that does not own it, or a property, reads it.
pub fn seen_by(model: &Model, visible: &[Expr]) -> Vec<bool> {
    let numbers = Numbers::new(model);
    let mut seen = vec![false; numbers.count];
    let mut mark = |expr: &Expr| {
        loads(expr, &mut |place| {
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
    touched(edge, &mut |place| {
        private &= match &place.base {
            Base::Global(id) => owners[id.index()] == Some(proc) || fixed[id.index()],
            Base::Local(_) => true,
            Base::Remote { .. } => false,
        };
    });
    private
}
