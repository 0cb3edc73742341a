//! Constant propagation: what has one value in all states in which it can be asked for is written
//! as that value.
//!
//! Constant are globals that nothing writes after the model's prologue, and locals that only the
//! prologue of their process writes, once, or that are arguments which all `run`s give alike.
//! Expressions over constants are evaluated by [`crate::fixed`].
//!
//! *Entry point:* [`fill_in`].
//! *Invariant:* An expression that can be a fault stays as it is.

use axle_model::access::{self, Action, Purpose, stores, stores_of_effect, written_globals};
use axle_model::{Base, Expr, LocalId, Model, Place, ProcId, Type, rewrite};

use crate::fixed::{Values, Who, leaves};

/// Replaces constants by their values. Returns the number of changed expressions.
pub fn fill_in(model: &mut Model) -> usize {
    let whole = model.clone();
    let values = Values { model: &whole, globals: constant_globals(&whole) };
    let mut changed = 0;
    for (index, process) in model.processes.iter_mut().enumerate() {
        let proc = ProcId::new(index);
        let locals = constant_locals(&whole, proc);
        let mut fold = Fold { values: &values, proc, locals: &locals, changed: 0 };
        for edge in &mut process.edges {
            rewrite::edge(edge, &mut |expr| fold.expr(expr));
        }
        changed += fold.changed;
    }
    changed
}

/// For each global that nothing writes after the prologue, its scalars.
fn constant_globals(model: &Model) -> Vec<Option<Vec<i64>>> {
    let changing = written_globals(model);
    let zeros = |(index, variable): (usize, &axle_model::Variable)| {
        if changing[index] { None } else { leaves(model, &variable.ty).map(|count| vec![0; count]) }
    };
    let zeros = model.globals.iter().enumerate().map(zeros).collect();
    let mut values = Values { model, globals: zeros };
    for effect in &model.prologue {
        let value = effect.assignment().and_then(|(_, value)| values.value(Who::Nobody, value));
        let mut stored = None;
        stores_of_effect(effect, &mut |place| stored = Some(place));
        let Some(Place { base: Base::Global(id), path }) = stored else { continue };
        let ty = &model.globals[id.index()].ty;
        let spots = values.spots(Who::Nobody, ty, path);
        let scalar = model.type_at(ty, path).and_then(Type::scalar);
        let known = values.globals[id.index()].as_mut();
        match (known, value, scalar, &spots[..]) {
            (Some(known), Some(value), Some(int), [spot]) if *spot < known.len() => {
                known[*spot] = int.wrap(value);
            }
            _ => values.globals[id.index()] = None,
        }
    }
    values.globals
}

/// For each local of a type, its value if that is the same in all processes of the type at all
/// times.
fn constant_locals(model: &Model, proc: ProcId) -> Vec<Option<i64>> {
    let process = model.process(proc);
    let mut values: Vec<Option<i64>> = vec![None; process.locals.len()];
    let mut writes = vec![0; process.locals.len()];
    for edge in &process.edges {
        stores(edge, &mut |place| {
            if let Base::Local(id) = place.base {
                writes[id.index()] += 2;
            }
        });
    }
    for effect in &process.prologue {
        stores_of_effect(effect, &mut |place| {
            if let Base::Local(id) = place.base {
                writes[id.index()] += 1;
            }
        });
        if let Some((place, Expr::Const(value))) = effect.assignment()
            && let (Base::Local(id), true) = (&place.base, place.path.is_empty())
            && let Some(int) = process.locals[id.index()].ty.scalar()
            && id.index() >= process.params as usize
        {
            values[id.index()] = Some(int.wrap(*value));
        }
    }
    for (index, value) in values.iter_mut().enumerate() {
        // Before its only writer, in the prologue, nothing else of the process is evaluated but the
        // prologue.
        match writes[index] {
            0 => *value = Some(0),
            1 => {}
            _ => *value = None,
        }
    }
    for param in 0..process.params as usize {
        values[param] = match writes[param] {
            0 => same_argument(model, proc, LocalId::new(param)),
            _ => None,
        };
    }
    values
}

/// The value that every creation of a process gives to a parameter.
fn same_argument(model: &Model, proc: ProcId, param: LocalId) -> Option<i64> {
    let int = model.process(proc).locals[param.index()].ty.scalar()?;
    if model.start.iter().any(|instance| instance.proc == proc) {
        return None;
    }
    let prologues = model.processes.iter().flat_map(|p| &p.prologue).chain(&model.prologue);
    let effects = model.processes.iter().flat_map(|p| &p.edges).flat_map(|e| &e.effects);
    let mut given = effects.chain(prologues).filter(|effect| effect.creates() == Some(proc)).map(|effect| {
        let mut argument = None;
        access::effect(effect, &mut |action| match action {
            Action::Evaluate(expr, Purpose::Argument(_, to)) if to == param => argument = Some(expr),
            _ => {}
        });
        argument
    });
    let constant = |arg: Option<&Expr>| match arg {
        Some(Expr::Const(value)) => Some(int.wrap(*value)),
        _ => None,
    };
    let first = constant(given.next()?)?;
    given.all(|arg| constant(arg) == Some(first)).then_some(first)
}

/// Replaces constants in the code of a process type.
struct Fold<'a> {
    values: &'a Values<'a>,
    proc: ProcId,
    locals: &'a [Option<i64>],
    changed: usize,
}

impl Fold<'_> {
    /// Replaces an expression whose parts have been replaced before.
    fn expr(&mut self, expr: &mut Expr) {
        let value = match &*expr {
            Expr::Load(place) => self.variable(place, expr),
            // The expression is evaluated from numbers alone: loads of constants have been replaced.
            Expr::Unary(..)
            | Expr::Binary(..)
            | Expr::Convert(..)
            | Expr::And(..)
            | Expr::Or(..)
            | Expr::Cond(..) => self.numbers_only(expr),
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
            | Expr::AtLocation { .. } => None,
        };
        if let Some(value) = value {
            *expr = Expr::Const(value);
            self.changed += 1;
        }
    }

    /// The value of a variable that is a constant number; references to channels stay as they are.
    fn variable(&self, place: &Place, load: &Expr) -> Option<i64> {
        match self.values.model.type_of(Some(self.proc), place)? {
            Type::Int(..) => {}
            Type::Chan | Type::Record(_) | Type::Array(..) => return None,
        }
        match &place.base {
            Base::Local(id) if place.path.is_empty() => self.locals[id.index()],
            Base::Global(_) => self.values.value(Who::Some(self.proc), load),
            Base::Local(_) | Base::Remote { .. } => None,
        }
    }

    /// The value of an expression without variables.
    fn numbers_only(&self, expr: &Expr) -> Option<i64> {
        let mut plain = true;
        axle_model::walk::expr(expr, &mut |inner| {
            plain &= !matches!(inner, Expr::Load(_) | Expr::Channel(_))
        });
        if plain { self.values.value(Who::Some(self.proc), expr) } else { None }
    }
}
