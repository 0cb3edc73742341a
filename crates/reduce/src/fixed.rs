//! Constant values: globals that are not written after the prologue, and the parameters and locals
//! that no edge of their process type writes. With their values an expression such as `fork[(_pid +
//! 1) % n]` denotes one element.
//!
//! *Entry points:* [`fixed_locals`] finds these locals, [`Values::value`] evaluates with them.
//! *Invariant:* a value is only returned if the interpreter's evaluation would cause no fault and
//! yield the same value.

use axle_model::{
    Base, BinOp, ChanRef, Comm, Effect, Expr, IntType, Model, Pattern, Place, ProcId, Process, Step, Type,
    UnOp,
};

/// An existing process: its type, and the values of its constant locals. Its number is its index in
/// a list.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Instance {
    /// The type.
    pub proc: ProcId,
    /// For each local, its value, if it is a constant scalar with a known value.
    pub locals: Vec<Option<i64>>,
}

/// Constant values of a model.
#[derive(Clone, Debug)]
pub struct Values<'m> {
    /// The model.
    pub model: &'m Model,
    /// For each global that is not written after the prologue, its scalars in order of declaration
    /// and element.
    pub globals: Vec<Option<Vec<i64>>>,
}

/// The evaluating process.
#[derive(Clone, Copy, Debug)]
pub enum Who<'a> {
    /// The process with this number.
    One(u32, &'a Instance),
    /// An unknown process of a type.
    Some(ProcId),
    /// No process: an expression of a property.
    Nobody,
}

impl Who<'_> {
    /// The type of the process.
    pub fn proc(&self) -> Option<ProcId> {
        match self {
            Who::One(_, instance) => Some(instance.proc),
            Who::Some(proc) => Some(*proc),
            Who::Nobody => None,
        }
    }
}

/// Maximum number of distinguished scalars of a variable.
pub const MOST_LEAVES: usize = 1024;

/// Number of scalars of a type; `None` if there are more than [`MOST_LEAVES`].
pub fn leaves(model: &Model, ty: &Type) -> Option<usize> {
    let count = match ty {
        Type::Int(..) | Type::Chan => 1,
        Type::Record(id) => {
            let fields = &model.records[id.index()].fields;
            fields.iter().map(|f| leaves(model, &f.ty)).sum::<Option<usize>>()?
        }
        Type::Array(of, len) => leaves(model, of)?.checked_mul(*len as usize)?,
    };
    (count <= MOST_LEAVES).then_some(count)
}

/// The first reference to channels of processes, and the number of references per process.
pub fn own_channels(model: &Model) -> (u32, u32) {
    let stride = model.processes.iter().map(|p| p.channels.len() as u32).max().unwrap_or(0);
    (model.channels.len() as u32 + 1, stride)
}

/// Calls `see` for every variable that an effect or a receive of an edge writes.
pub fn written(edge: &axle_model::Edge, see: &mut impl FnMut(&Place)) {
    for effect in &edge.effects {
        match effect {
            Effect::Assign(place, _) | Effect::Clear(place) | Effect::Run { into: Some(place), .. } => {
                see(place)
            }
            Effect::Assert(..)
            | Effect::Print(..)
            | Effect::Run { into: None, .. }
            | Effect::SetPriority(..)
            | Effect::Exit => {}
        }
    }
    if let Some(Comm::Receive { patterns, .. }) = &edge.comm {
        for pattern in patterns {
            if let Pattern::Bind(place) = pattern {
                see(place);
            }
        }
    }
}

/// For each local of a type, whether it is a scalar that keeps its initial value and improves the
/// analysis: it denotes a channel or an element, selects between two, or bounds a counter.
pub fn fixed_locals(process: &Process) -> Vec<bool> {
    let mut fixed = telling_locals(process);
    for (fixed, variable) in fixed.iter_mut().zip(&process.locals) {
        *fixed &= variable.ty.scalar().is_some();
    }
    for edge in &process.edges {
        written(edge, &mut |place| {
            if let Base::Local(id) = place.base {
                fixed[id.index()] = false;
            }
        });
    }
    fixed
}

/// For each local, whether its value determines the footprint of an edge or how often it can be
/// executed.
fn telling_locals(process: &Process) -> Vec<bool> {
    let mut telling = vec![false; process.locals.len()];
    let mut mark = |e: &Expr| {
        axle_model::walk::expr(e, &mut |inner| {
            if let Expr::Load(Place { base: Base::Local(id), .. }) = inner {
                telling[id.index()] = true;
            }
        });
    };
    let mut places: Vec<Place> = Vec::new();
    for edge in &process.edges {
        written(edge, &mut |place| places.push(place.clone()));
        if let Some(Comm::Send { chan, .. } | Comm::Receive { chan, .. }) = &edge.comm {
            mark(chan);
        }
    }
    axle_model::walk::process(process, &mut |e| match e {
        Expr::Load(place) => places.push(place.clone()),
        Expr::Query(_, chan) | Expr::CanReceive { chan, .. } => mark(chan),
        Expr::Cond(cond, ..) => mark(cond),
        Expr::Binary(BinOp::Lt | BinOp::Le | BinOp::Gt | BinOp::Ge, _, a, b) => {
            mark(a);
            mark(b);
        }
        _ => {}
    });
    for step in places.iter().flat_map(|place| &place.path) {
        if let Step::Index(index) = step {
            mark(index);
        }
    }
    telling
}

/// For each global, whether an edge or the prologue of a process writes it.
pub fn written_globals(model: &Model) -> Vec<bool> {
    let mut found = vec![false; model.globals.len()];
    let mut mark = |place: &Place| {
        if let Base::Global(id) = place.base {
            found[id.index()] = true;
        }
    };
    for process in &model.processes {
        process.edges.iter().for_each(|edge| written(edge, &mut mark));
        for effect in &process.prologue {
            if let Effect::Assign(place, _) | Effect::Clear(place) | Effect::Run { into: Some(place), .. } =
                effect
            {
                mark(place);
            }
        }
    }
    found
}

impl Values<'_> {
    /// The value of an expression, if it is constant while the process exists.
    pub fn value(&self, who: Who, expr: &Expr) -> Option<i64> {
        match expr {
            Expr::Const(value) => Some(*value),
            Expr::Load(place) => self.load(who, place),
            Expr::Unary(op, ty, operand) => Some(unary(*op, *ty, self.value(who, operand)?)),
            Expr::Binary(op, ty, a, b) => binary(*op, *ty, self.value(who, a)?, self.value(who, b)?),
            Expr::Convert(ty, operand) => Some(ty.wrap(self.value(who, operand)?)),
            Expr::And(a, b) => match self.value(who, a)? {
                0 => Some(0),
                _ => Some(i64::from(self.value(who, b)? != 0)),
            },
            Expr::Or(a, b) => match self.value(who, a)? {
                0 => Some(i64::from(self.value(who, b)? != 0)),
                _ => Some(1),
            },
            Expr::Cond(c, a, b) => match self.value(who, c)? {
                0 => self.value(who, b),
                _ => self.value(who, a),
            },
            Expr::SelfPid => match who {
                Who::One(pid, _) => Some(pid.into()),
                Who::Some(_) | Who::Nobody => None,
            },
            Expr::Channel(ChanRef::Global(index)) => Some(i64::from(*index) + 1),
            Expr::Channel(ChanRef::Own(index)) => match who {
                Who::One(pid, _) => {
                    let (first, stride) = own_channels(self.model);
                    Some(i64::from(first + pid * stride + index))
                }
                Who::Some(_) | Who::Nobody => None,
            },
            Expr::Query(..)
            | Expr::CanReceive { .. }
            | Expr::Timeout
            | Expr::ProcessCount
            | Expr::LastPid
            | Expr::NonProgress
            | Expr::Enabled(_)
            | Expr::Location(_)
            | Expr::Priority(_)
            | Expr::AtLocation { .. } => None,
        }
    }

    fn load(&self, who: Who, place: &Place) -> Option<i64> {
        match (&place.base, who) {
            (Base::Local(id), Who::One(_, instance)) if place.path.is_empty() => instance.locals[id.index()],
            (Base::Global(id), _) => {
                let values = self.globals[id.index()].as_ref()?;
                // The element of an array of length one is known, the validity of the index is not.
                let known = |step: &Step| match step {
                    Step::Index(index) => self.value(who, index).is_some(),
                    Step::Field(_) => true,
                };
                if !place.path.iter().all(known) {
                    return None;
                }
                let spots = self.spots(who, &self.model.globals[id.index()].ty, &place.path);
                match spots[..] {
                    [only] => values.get(only).copied(),
                    _ => None,
                }
            }
            (Base::Local(_) | Base::Remote { .. }, _) => None,
        }
    }

    /// The scalars that an access path of a variable of a type may denote, by position; none for an
    /// index out of range.
    pub fn spots(&self, who: Who, ty: &Type, path: &[Step]) -> Vec<usize> {
        let (mut ty, mut spots) = (ty, vec![0]);
        for step in path {
            match (step, ty) {
                (Step::Field(index), Type::Record(id)) => {
                    let fields = &self.model.records[id.index()].fields;
                    let before: usize =
                        fields[..*index as usize].iter().filter_map(|f| leaves(self.model, &f.ty)).sum();
                    spots.iter_mut().for_each(|spot| *spot += before);
                    ty = &fields[*index as usize].ty;
                }
                (Step::Index(index), Type::Array(of, len)) => {
                    let stride = leaves(self.model, of).unwrap_or(1);
                    let indices: Vec<usize> = match self.value(who, index) {
                        Some(i) if (0..i64::from(*len)).contains(&i) => vec![i as usize],
                        Some(_) => Vec::new(),
                        None => (0..*len as usize).collect(),
                    };
                    spots = (spots.iter())
                        .flat_map(|spot| indices.iter().map(move |index| spot + index * stride))
                        .collect();
                    ty = of;
                }
                // The verifier rejects other paths.
                (Step::Field(_) | Step::Index(_), _) => {}
            }
        }
        let width = leaves(self.model, ty).unwrap_or(1);
        spots.into_iter().flat_map(|spot| spot..spot + width).collect()
    }
}

/// A unary operator on a value.
pub(crate) fn unary(op: UnOp, ty: IntType, value: i64) -> i64 {
    match op {
        UnOp::Neg => ty.wrap(value.wrapping_neg()),
        UnOp::BitNot => ty.wrap(!value),
        UnOp::Not => i64::from(value == 0),
    }
}

/// A binary operator on two values; `None` for a fault and for operators that are not evaluated
/// here.
pub(crate) fn binary(op: BinOp, ty: IntType, a: i64, b: i64) -> Option<i64> {
    if ty.bits == 64 && !ty.signed {
        return None;
    }
    let value = match op {
        BinOp::Add => a.wrapping_add(b),
        BinOp::Sub => a.wrapping_sub(b),
        BinOp::Mul => a.wrapping_mul(b),
        BinOp::Div | BinOp::Rem if b == 0 => return None,
        BinOp::Div => a.wrapping_div(b),
        BinOp::Rem => a.wrapping_rem(b),
        BinOp::BitAnd => a & b,
        BinOp::BitOr => a | b,
        BinOp::BitXor => a ^ b,
        BinOp::Eq => i64::from(a == b),
        BinOp::Ne => i64::from(a != b),
        BinOp::Lt => i64::from(a < b),
        BinOp::Le => i64::from(a <= b),
        BinOp::Gt => i64::from(a > b),
        BinOp::Ge => i64::from(a >= b),
        BinOp::Shl | BinOp::Shr => return None,
    };
    match op {
        BinOp::Eq | BinOp::Ne | BinOp::Lt | BinOp::Le | BinOp::Gt | BinOp::Ge => Some(value),
        _ => Some(ty.wrap(value)),
    }
}
