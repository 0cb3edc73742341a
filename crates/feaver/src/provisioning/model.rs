//! Provisioning of a model: fixed flags get their values in the prologue, and an additional process
//! chooses the others.
//!
//! The process `provisioning` is the youngest process at the start. Each of its steps chooses a
//! valuation of one component; the last one sets the variable `provisioned` and ends the process.
//! Until then no other process moves, because the guard of every edge at its entry location requires
//! `provisioned`. The state after the choice is therefore the initial state of the model with the
//! chosen values: process numbers, `_nr_pr` and the history of channels do not differ.
//!
//! A property is evaluated from that state on. A formula f becomes `!provisioned W (provisioned &&
//! f)`; this is omitted where f has no next operator and its propositions have the same values
//! throughout the choice. A never claim waits in an additional location until `provisioned` is set.
//!
//! *Entry point:* [`provision`].
//! *Invariant:* the executions after the choice are exactly those of the model with an initial
//! valuation that satisfies the constraint, and the property is evaluated on these.

use axle_model::access::{self, Action, Read};
use axle_model::{
    Access, Atomicity, Base, BinOp, Edge, EdgeId, Effect, Expr, Formula, GlobalId, Instance, IntType, LocId,
    Location, Model, Origin, Place, ProcId, Process, PropertyKind, Shown, Type, UnOp, Variable,
};

use super::Component;
use crate::project::Flag;

/// The name of the process that chooses.
pub const PROCESS: &str = "provisioning";

/// The variable that is set once everything is chosen.
pub const CHOSEN: &str = "provisioned";

/// A flag that cannot be chosen: its index, the problem, and a remedy.
pub type Unsuitable = (usize, String, &'static str);

/// Restricts the initial values of flags to the valuations of components.
///
/// # Errors
/// Flags whose variables cannot be chosen.
pub fn provision(model: &mut Model, flags: &[Flag], components: &[Component]) -> Result<(), Vec<Unsuitable>> {
    let mut unsuitable = Vec::new();
    let found: Vec<Option<GlobalId>> = (flags.iter().enumerate())
        .map(|(index, flag)| {
            let found = variable(model, flag);
            found.map_err(|(problem, remedy)| unsuitable.push((index, problem, remedy))).ok()
        })
        .collect();
    for (index, global) in found.iter().enumerate() {
        // Flags with one value get it behind the initial values, too.
        let Some(global) = *global else { continue };
        if let Some((problem, remedy)) = read_before_choice(model, &flags[index], global) {
            unsuitable.push((index, problem, remedy));
        }
    }
    if !unsuitable.is_empty() {
        return Err(unsuitable);
    }
    let globals: Vec<GlobalId> = found.into_iter().flatten().collect();
    let (fixed, chosen): (Vec<&Component>, Vec<&Component>) =
        components.iter().partition(|component| component.valuations.len() == 1);
    for component in fixed {
        let effects = assignments(component, &component.valuations[0], &globals);
        model.prologue.extend(effects);
    }
    if !chosen.is_empty() {
        choose(model, flags, &chosen, &globals);
    }
    Ok(())
}

/// The variable of a flag.
fn variable(model: &Model, flag: &Flag) -> Result<GlobalId, (String, &'static str)> {
    let name = &flag.variable.value;
    let index = model.globals.iter().position(|global| global.name == *name);
    let Some(index) = index else {
        let near = axle_source::nearest(name, model.globals.iter().map(|global| global.name.as_str()));
        let near = near.map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
        return Err((
            format!("the model has no global variable `{name}`{near}"),
            "declare it, for example as `bool`",
        ));
    };
    let Type::Int(int, _) = model.globals[index].ty else {
        let problem = format!("the variable `{name}` is not an integer");
        return Err((problem, "use a variable of type `bool`, `byte`, `short`, `int` or `mtype`"));
    };
    if let Some(value) = flag.values.iter().find(|value| int.wrap(**value) != **value) {
        let problem = format!("the variable `{name}` cannot have the value {value}");
        return Err((problem, "use a larger type, or other values"));
    }
    let id = GlobalId::new(index);
    if access::written_globals(model)[index] {
        let problem = format!("the variable `{name}` is written, but flags do not change during a run");
        return Err((problem, "remove the assignment, or copy the flag into another variable"));
    }
    Ok(id)
}

/// Whether the initial value of another variable depends on a flag.
fn read_before_choice(model: &Model, flag: &Flag, global: GlobalId) -> Option<(String, &'static str)> {
    let started = model.start.iter().map(|instance| &model.processes[instance.proc.index()]);
    let prologues = started.map(|process| &process.prologue).chain([&model.prologue]);
    let mut reads = false;
    for effect in prologues.flatten() {
        access::effect(effect, &mut |action| {
            if let Action::Evaluate(expr, _) = action {
                access::variables(expr, &mut |place| reads |= place.base == Base::Global(global));
            }
        });
    }
    let problem = format!("an initial value depends on the flag `{}`", flag.name.value);
    reads.then_some((problem, "assign the value in the first statement of a process instead"))
}

fn assignments(component: &Component, valuation: &[i64], globals: &[GlobalId]) -> Vec<Effect> {
    let pairs = component.flags.iter().zip(valuation);
    pairs.map(|(flag, value)| Effect::Assign(Place::global(globals[*flag]), Expr::Const(*value))).collect()
}

/// Adds the process that chooses, and lets everything else wait for it.
fn choose(model: &mut Model, flags: &[Flag], components: &[&Component], globals: &[GlobalId]) {
    let chosen = GlobalId::new(model.globals.len());
    model.globals.push(Variable {
        name: unused(CHOSEN, &mut model.globals.iter().map(|global| &*global.name)),
        ty: Type::Int(IntType::BIT, Shown::Bool),
        access: Access::Plain,
        origin: Origin::NONE,
    });
    let is_chosen = Expr::Load(Place::global(chosen));
    for started in model.start.iter().map(|instance| instance.proc).collect::<Vec<ProcId>>() {
        wait(&mut model.processes[started.index()], &is_chosen);
    }
    let observed = Observed { flags: globals, is_chosen: &is_chosen };
    for property in &mut model.properties {
        match &mut property.kind {
            PropertyKind::Ltl(formula) if observed.in_formula(formula) => {
                let inner = std::mem::replace(formula, Formula::Atom(Expr::TRUE, String::new()));
                *formula = after_choice(inner, &is_chosen, &model.globals[chosen.index()].name);
            }
            PropertyKind::Never(claim) => delay(claim, &is_chosen),
            PropertyKind::Ltl(_) | PropertyKind::Trace(_) | PropertyKind::NoTrace(_) => {}
        }
    }
    let proc = ProcId::new(model.processes.len());
    model.processes.push(chooser(flags, components, globals, chosen));
    model.start.push(Instance { proc, priority: 1 });
    model.semantics.max_processes = model.semantics.max_processes.max(model.start.len() as u32);
}

/// A name that is not in use.
fn unused(name: &str, used: &mut dyn Iterator<Item = &str>) -> String {
    let used: Vec<&str> = used.collect();
    let mut own = name.to_string();
    while used.contains(&own.as_str()) {
        own.push('_');
    }
    own
}

/// Lets a process that exists at the start wait for the choice at its entry location.
fn wait(process: &mut Process, is_chosen: &Expr) {
    let Some(entry) = process.locations.get(process.entry.index()) else { return };
    for id in &entry.out {
        let guard = &mut process.edges[id.index()].guard;
        // A type with several processes is treated once.
        let own = std::mem::replace(guard, Expr::TRUE);
        let waits = matches!(&own, Expr::And(first, _) if **first == *is_chosen) || own == *is_chosen;
        *guard = match (waits, own.is_true()) {
            (true, _) => own,
            (false, true) => is_chosen.clone(),
            (false, false) => Expr::And(Box::new(is_chosen.clone()), Box::new(own)),
        };
    }
}

/// What a property can observe of the choice.
struct Observed<'a> {
    flags: &'a [GlobalId],
    is_chosen: &'a Expr,
}

impl Observed<'_> {
    /// Whether the value of a formula may depend on the states before the end of the choice.
    fn in_formula(&self, formula: &Formula) -> bool {
        match formula {
            Formula::Atom(expr, _) => self.in_expr(expr),
            Formula::Next(_) => true,
            Formula::Not(a) | Formula::Always(a) | Formula::Eventually(a) => self.in_formula(a),
            Formula::And(a, b)
            | Formula::Or(a, b)
            | Formula::Implies(a, b)
            | Formula::Equivalent(a, b)
            | Formula::Until(a, b)
            | Formula::WeakUntil(a, b)
            | Formula::Release(a, b) => self.in_formula(a) || self.in_formula(b),
        }
    }

    fn in_expr(&self, expr: &Expr) -> bool {
        let mut observed = expr == self.is_chosen;
        access::reads(expr, &mut |read| {
            observed |= match read {
                Read::Variable(place) => match &place.base {
                    Base::Global(global) => self.flags.contains(global),
                    Base::Local(_) | Base::Remote { .. } => false,
                },
                Read::Length(..) | Read::Messages(_) | Read::AtLocation(..) | Read::SelfPid => false,
                Read::ProcessCount
                | Read::Location(_)
                | Read::Priority(_)
                | Read::Enabled(_)
                | Read::LastPid
                | Read::NonProgress
                | Read::Timeout => true,
            };
        });
        observed
    }
}

/// The formula `!provisioned W (provisioned && f)`.
fn after_choice(formula: Formula, is_chosen: &Expr, name: &str) -> Formula {
    let atom = || Box::new(Formula::Atom(is_chosen.clone(), name.to_string()));
    let later = Formula::And(atom(), Box::new(formula));
    Formula::WeakUntil(Box::new(Formula::Not(atom())), Box::new(later))
}

/// Lets a never claim wait for the choice.
fn delay(claim: &mut Process, is_chosen: &Expr) {
    let from = LocId::new(claim.locations.len());
    let negated = Expr::Unary(UnOp::Not, IntType::I32, Box::new(is_chosen.clone()));
    let mut out = vec![EdgeId::new(claim.edges.len())];
    claim.edges.push(Edge { guard: negated, ..Edge::skip(from, from, "!provisioned") });
    for id in claim.locations[claim.entry.index()].out.clone() {
        let first = claim.edges[id.index()].clone();
        let guard = Expr::And(Box::new(is_chosen.clone()), Box::new(first.guard.clone()));
        out.push(EdgeId::new(claim.edges.len()));
        claim.edges.push(Edge { source: from, guard, ..first });
    }
    out.sort_by_key(|id| claim.edges[id.index()].rank);
    claim.locations.push(location(out, false));
    claim.entry = from;
}

fn location(out: Vec<EdgeId>, end: bool) -> Location {
    Location { out, labels: Vec::new(), end, accept: false, progress: false, origin: Origin::NONE }
}

/// The process that chooses.
fn chooser(flags: &[Flag], components: &[&Component], globals: &[GlobalId], chosen: GlobalId) -> Process {
    let (mut locations, mut edges) = (Vec::new(), Vec::new());
    for (index, component) in components.iter().enumerate() {
        let (source, target) = (LocId::new(index), LocId::new(index + 1));
        let mut out = Vec::new();
        for valuation in &component.valuations {
            let names = component.flags.iter().map(|flag| &flags[*flag].variable.value);
            let words: Vec<String> =
                names.zip(valuation).map(|(name, value)| format!("{name} = {value}")).collect();
            out.push(EdgeId::new(edges.len()));
            edges.push(Edge {
                effects: assignments(component, valuation, globals),
                keep: Atomicity::Release,
                ..Edge::skip(source, target, &words.join(", "))
            });
        }
        locations.push(location(out, false));
    }
    let (source, target) = (LocId::new(components.len()), LocId::new(components.len() + 1));
    // The process is the youngest, so it can always end.
    let youngest = Expr::int(BinOp::Sub, Expr::ProcessCount, Expr::Const(1));
    locations.push(location(vec![EdgeId::new(edges.len())], false));
    edges.push(Edge {
        guard: Expr::int(BinOp::Eq, Expr::SelfPid, youngest),
        effects: vec![Effect::Assign(Place::global(chosen), Expr::Const(1)), Effect::Exit],
        ..Edge::skip(source, target, "-end-")
    });
    locations.push(location(Vec::new(), true));
    Process { locations, edges, ..Process::named(PROCESS) }
}
