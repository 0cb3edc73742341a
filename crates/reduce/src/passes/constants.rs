//! Constant propagation: what has one value in all states in which it can be asked for is written
//! as that value.
//!
//! Constant are globals that nothing writes after the model's prologue, and locals that only the
//! prologue of their process writes, once, or that are arguments which all `run`s give alike.
//! Expressions over constants are evaluated by [`crate::fixed`].
//!
//! *Entry point:* [`fill_in`].
//! *Invariant:* An expression that can be a fault stays as it is.

use axle_model::{Base, Comm, Effect, Expr, LocalId, Model, Pattern, Place, ProcId, Step, Type};

use crate::fixed::{Values, Who, leaves, written, written_globals};

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
            fold.expr(&mut edge.guard);
            match &mut edge.comm {
                Some(Comm::Send { chan, args, .. }) => {
                    fold.expr(chan);
                    args.iter_mut().for_each(|arg| fold.expr(arg));
                }
                Some(Comm::Receive { chan, patterns, .. }) => {
                    fold.expr(chan);
                    patterns.iter_mut().for_each(|pattern| fold.pattern(pattern));
                }
                None => {}
            }
            edge.effects.iter_mut().for_each(|effect| fold.effect(effect));
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
        let (place, value) = match effect {
            Effect::Assign(place, value) => (place, values.value(Who::Nobody, value)),
            Effect::Clear(place) => (place, None),
            Effect::Run { into: Some(place), .. } => (place, None),
            Effect::Assert(..)
            | Effect::Print(..)
            | Effect::Run { into: None, .. }
            | Effect::SetPriority(..)
            | Effect::Exit => continue,
        };
        let Base::Global(id) = place.base else { continue };
        let ty = &model.globals[id.index()].ty;
        let spots = values.spots(Who::Nobody, ty, &place.path);
        let scalar = leaf(model, ty, &place.path).and_then(Type::scalar);
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

/// The type at the end of a path into a variable.
fn leaf<'m>(model: &'m Model, ty: &'m Type, path: &[Step]) -> Option<&'m Type> {
    let mut ty = ty;
    for step in path {
        ty = match (step, ty) {
            (Step::Field(index), Type::Record(id)) => {
                &model.records[id.index()].fields.get(*index as usize)?.ty
            }
            (Step::Index(_), Type::Array(of, _)) => of,
            (Step::Field(_) | Step::Index(_), _) => return None,
        };
    }
    Some(ty)
}

/// For each local of a type, its value if that is the same in all processes of the type at all
/// times.
fn constant_locals(model: &Model, proc: ProcId) -> Vec<Option<i64>> {
    let process = model.process(proc);
    let mut values: Vec<Option<i64>> = vec![None; process.locals.len()];
    let mut writes = vec![0; process.locals.len()];
    for edge in &process.edges {
        written(edge, &mut |place| {
            if let Base::Local(id) = place.base {
                writes[id.index()] += 2;
            }
        });
    }
    for effect in &process.prologue {
        if let Effect::Assign(place, _) | Effect::Clear(place) | Effect::Run { into: Some(place), .. } =
            effect
            && let Base::Local(id) = place.base
        {
            writes[id.index()] += 1;
        }
        if let Effect::Assign(place, Expr::Const(value)) = effect
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
    let mut given = effects.chain(prologues).filter_map(|effect| match effect {
        Effect::Run { proc: started, args, .. } if *started == proc => Some(args.get(param.index())),
        _ => None,
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
    fn expr(&mut self, expr: &mut Expr) {
        let model = self.values.model;
        let int = |place: &Place| {
            // References to channels stay what they are.
            match leaf(model, super::occurs::type_of(model, Some(self.proc), place)?, &place.path)? {
                Type::Int(int, _) => Some(*int),
                Type::Chan | Type::Record(_) | Type::Array(..) => None,
            }
        };
        let value = match &*expr {
            Expr::Load(place) => match (&place.base, int(place)) {
                (Base::Local(id), Some(_)) if place.path.is_empty() => self.locals[id.index()],
                (Base::Global(_), Some(_)) => self.values.value(Who::Some(self.proc), expr),
                (Base::Global(_) | Base::Local(_) | Base::Remote { .. }, _) => None,
            },
            _ => None,
        };
        if let Some(value) = value {
            *expr = Expr::Const(value);
            self.changed += 1;
            return;
        }
        match expr {
            Expr::Load(place) => self.place(place),
            Expr::Unary(_, _, a)
            | Expr::Convert(_, a)
            | Expr::Query(_, a)
            | Expr::Enabled(a)
            | Expr::Location(a)
            | Expr::Priority(a)
            | Expr::AtLocation { pid: a, .. } => self.expr(a),
            Expr::Binary(_, _, a, b) | Expr::And(a, b) | Expr::Or(a, b) => {
                self.expr(a);
                self.expr(b);
            }
            Expr::Cond(a, b, c) => [a, b, c].into_iter().for_each(|e| self.expr(e)),
            Expr::CanReceive { chan, patterns, .. } => {
                self.expr(chan);
                patterns.iter_mut().for_each(|pattern| self.pattern(pattern));
            }
            Expr::Const(_)
            | Expr::Channel(_)
            | Expr::Timeout
            | Expr::SelfPid
            | Expr::ProcessCount
            | Expr::LastPid
            | Expr::NonProgress => return,
        }
        let folds = matches!(expr, Expr::Unary(..) | Expr::Binary(..) | Expr::Convert(..))
            || matches!(expr, Expr::And(..) | Expr::Or(..) | Expr::Cond(..));
        // What is known here is made of numbers alone: loads of what never changes have been filled
        // in.
        if folds && let Some(value) = self.numbers_only(expr) {
            *expr = Expr::Const(value);
            self.changed += 1;
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

    fn place(&mut self, place: &mut Place) {
        if let Base::Remote { pid, .. } = &mut place.base {
            self.expr(pid);
        }
        for step in &mut place.path {
            if let Step::Index(index) = step {
                self.expr(index);
            }
        }
    }

    fn pattern(&mut self, pattern: &mut Pattern) {
        match pattern {
            Pattern::Bind(place) => self.place(place),
            Pattern::Match(expr) => self.expr(expr),
            Pattern::Any => {}
        }
    }

    fn effect(&mut self, effect: &mut Effect) {
        match effect {
            Effect::Assign(place, value) => {
                self.place(place);
                self.expr(value);
            }
            Effect::Clear(place) => self.place(place),
            Effect::Assert(cond, _) => self.expr(cond),
            Effect::Print(_, args) => args.iter_mut().for_each(|arg| self.expr(arg)),
            Effect::Run { args, priority, into, .. } => {
                args.iter_mut().chain(priority).for_each(|expr| self.expr(expr));
                into.iter_mut().for_each(|place| self.place(place));
            }
            Effect::SetPriority(pid, value) => {
                self.expr(pid);
                self.expr(value);
            }
            Effect::Exit => {}
        }
    }
}
