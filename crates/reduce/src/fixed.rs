//! Constant values: globals that are not written after the prologue, and the parameters and locals
//! that no edge of their process type writes. With their values an expression such as `fork[(_pid +
//! 1) % n]` denotes one element.
//!
//! *Entry points:* [`fixed_locals`] finds these locals, [`Values::value`] evaluates with them.
//! *Invariant:* a value is only returned if the interpreter's evaluation would cause no fault and
//! yield the same value.

use axle_model::access::{self, Action, ChannelNumbers, Purpose, addresses, variables, written_locals};
use axle_model::eval::{Environment, eval};
use axle_model::{Base, BinOp, ChanRef, Expr, Model, Place, ProcId, Process, Step, Type};

/// An existing process: its type, and the values of its constant locals. Its number is its index in
/// a list.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
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
    /// A process that is created later, with unknown number.
    New(&'a Instance),
    /// An unknown process of a type.
    Some(ProcId),
    /// No process: an expression of a property.
    Nobody,
}

impl Who<'_> {
    /// The type of the process.
    pub fn proc(&self) -> Option<ProcId> {
        match self {
            Who::One(_, instance) | Who::New(instance) => Some(instance.proc),
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

/// For each local of a type, whether it is a scalar that keeps its initial value and improves the
/// analysis: it denotes a channel or an element, selects between two, or bounds a counter.
pub fn fixed_locals(process: &Process) -> Vec<bool> {
    let (telling, written) = (telling_locals(process), written_locals(process));
    let fixed =
        |local: usize| telling[local] && !written[local] && process.locals[local].ty.scalar().is_some();
    (0..process.locals.len()).map(fixed).collect()
}

/// For each local, whether its value determines the footprint of an edge or how often it can be
/// executed.
fn telling_locals(process: &Process) -> Vec<bool> {
    let mut telling = vec![false; process.locals.len()];
    let mut mark = |e: &Expr| {
        variables(e, &mut |place| {
            if let Base::Local(id) = place.base {
                telling[id.index()] = true;
            }
        });
    };
    for edge in &process.edges {
        access::edge(edge, &mut |action| {
            if let Action::Evaluate(expr, Purpose::Channel | Purpose::Address) = action {
                mark(expr);
            }
        });
    }
    axle_model::walk::process(process, &mut |e| match e {
        Expr::Load(place) => addresses(place).for_each(&mut mark),
        Expr::Query(_, chan) | Expr::CanReceive { chan, .. } => mark(chan),
        Expr::Cond(cond, ..) => mark(cond),
        Expr::Binary(BinOp::Lt | BinOp::Le | BinOp::Gt | BinOp::Ge, _, a, b) => {
            mark(a);
            mark(b);
        }
        _ => {}
    });
    telling
}

impl Values<'_> {
    /// The value of an expression, if it is constant while the process exists.
    pub fn value(&self, who: Who, expr: &Expr) -> Option<i64> {
        eval(&mut Known { values: self, who }, expr).ok()
    }

    fn load(&self, who: Who, place: &Place) -> Option<i64> {
        match (&place.base, who) {
            (Base::Local(id), Who::One(_, instance) | Who::New(instance)) if place.path.is_empty() => {
                instance.locals[id.index()]
            }
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

/// The evaluation with constant values.
struct Known<'a> {
    values: &'a Values<'a>,
    who: Who<'a>,
}

/// The value depends on the state, or the evaluation fails.
struct Unknown;

impl Environment for Known<'_> {
    type Stop = Unknown;

    fn primary(&mut self, expr: &Expr) -> Result<i64, Unknown> {
        let known = match expr {
            Expr::Load(place) => self.values.load(self.who, place),
            Expr::SelfPid => match self.who {
                Who::One(pid, _) => Some(pid.into()),
                Who::New(_) | Who::Some(_) | Who::Nobody => None,
            },
            Expr::Channel(chan) => match (chan, self.who) {
                (ChanRef::Global(_), _) => Some(0),
                (ChanRef::Own(_), Who::One(pid, _)) => Some(pid),
                (ChanRef::Own(_), Who::New(_) | Who::Some(_) | Who::Nobody) => None,
            }
            .map(|pid| ChannelNumbers::new(self.values.model).reference(*chan, pid).into()),
            Expr::Query(..)
            | Expr::CanReceive { .. }
            | Expr::Timeout
            | Expr::ProcessCount
            | Expr::LastPid
            | Expr::NonProgress
            | Expr::Enabled(_)
            | Expr::Location(_)
            | Expr::Priority(_)
            | Expr::AtLocation { .. }
            | Expr::Const(_)
            | Expr::Unary(..)
            | Expr::Binary(..)
            | Expr::Convert(..)
            | Expr::And(..)
            | Expr::Or(..)
            | Expr::Cond(..) => None,
        };
        known.ok_or(Unknown)
    }

    fn division_by_zero(&mut self) -> Result<i64, Unknown> {
        Err(Unknown)
    }
}
