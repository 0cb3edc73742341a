//! The temporal properties of a model as automata for the search.
//!
//! *Entry point:* [`stated`]. A formula is negated and translated (`axle-ltl`), and its monitor
//! finds bad prefixes; a never claim is translated edge by edge; labels are the fixed claims of
//! `axle-search`. The propositions are collected as a list of atoms, each once, for the observer.
//!
//! *Invariant:* a claim accepts exactly the runs that violate the property. A property that has no
//! claim comes with the reason, and its verdict is unknown.

use std::sync::OnceLock;

use axle_ltl::bad_prefix::Monitor;
use axle_ltl::prologue::prologue;
use axle_ltl::{Automaton, Effort, TooLarge, bad_prefix, translate_within};
use axle_model::{Atomicity, Effect, Expr, LocId, Model, Origin, Process, PropertyKind};
use axle_search::claim::{Claim, Cube, Edge, Guard, Literal, Location};
use axle_search::event_trace::Events;
use axle_step::Interrupt;
use axle_step::observe::Atom;

use crate::prologue::behind_prologue;

/// A temporal property with its automata.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stated {
    /// Its name in reports and for `--only`.
    pub name: String,
    /// Its meaning in a few words.
    pub meaning: String,
    /// The source location; none for labels.
    pub origin: Origin,
    /// The automaton of the violating runs, or the reason why there is none.
    pub claim: Result<Claim, String>,
    /// The monitor of a formula that has bad prefixes.
    pub bad_prefixes: Option<BadPrefixes>,
    /// The propositions of the claim.
    pub atoms: Vec<Atom>,
    /// The atoms as written.
    pub texts: Vec<String>,
    /// Where it comes from.
    pub source: Source,
    /// Whether it is checked without being asked for: labels only where there are some.
    pub by_default: bool,
    /// Whether it is known to be stutter-invariant, once that was asked.
    pub is_stutter_invariant: OnceLock<bool>,
}

/// The bad prefixes of a formula: finite runs that violate it however they continue.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BadPrefixes {
    /// The deterministic automaton over the same propositions as the claim.
    pub monitor: Monitor,
    /// The same as a claim that reaches an end location on bad prefixes and accepts no infinite
    /// run. A search for it is breadth-first, because no state can be on an accepting cycle.
    pub claim: Claim,
}

impl BadPrefixes {
    /// Those of a formula; none if it has none, no run satisfies it, or its monitor is too large.
    pub fn of(formula: &axle_ltl::Formula, atoms: usize, interrupt: &Interrupt) -> Option<BadPrefixes> {
        if let Some((end, inner)) = prologue(formula) {
            let own = BadPrefixes::of(inner, atoms, interrupt)?;
            let is_cancelled = || interrupt.ask().is_some();
            let effort = &mut Effort::cancelled_by(Effort::OPTIONAL, &is_cancelled);
            let monitor = bad_prefix::monitor_within(formula, effort)?;
            return Some(BadPrefixes { monitor, claim: behind_prologue(own.claim, end) });
        }
        let is_cancelled = || interrupt.ask().is_some();
        let effort = &mut Effort::cancelled_by(Effort::OPTIONAL, &is_cancelled);
        let monitor = bad_prefix::monitor_within(formula, effort)?;
        let bad = monitor.bad.filter(|bad| *bad != 0)?;
        let locations = (0u32..)
            .zip(&monitor.states)
            .map(|(at, out)| Location {
                edges: merged(out.iter().map(|&(label, to)| (label, to, 0))),
                end: at == bad,
            })
            .collect();
        let claim = Claim { locations, initial: vec![0], sets: 1, atoms: atoms as u32 };
        Some(BadPrefixes { monitor, claim })
    }

    /// Whether every run that violates the formula has a bad prefix.
    pub fn is_safety(&self) -> bool {
        self.monitor.is_safety
    }
}

/// The source of a property.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Source {
    /// A formula over the atoms, which every run has to satisfy.
    Formula(axle_ltl::Formula),
    /// A never claim.
    Never,
    /// Acceptance labels of processes.
    Acceptance,
    /// Progress labels of processes.
    Progress,
    /// An event trace that every run follows, or that none follows to its end; or why it cannot be
    /// followed.
    Events(Result<Events, String>),
}

/// The name of the property that acceptance labels state.
pub const ACCEPTANCE: &str = "acceptance";
/// The name of the property that progress labels state.
pub const PROGRESS: &str = "progress";

/// A property by its name, without its automata.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Named {
    /// See [`Stated::name`].
    pub name: String,
    /// See [`Stated::by_default`].
    pub by_default: bool,
}

/// The names of everything that the model states about runs, in its order; labels last, whether or
/// not there are any.
pub fn names(model: &Model) -> Vec<Named> {
    let named = |name: &str, by_default| Named { name: name.to_string(), by_default };
    let labelled = |which: fn(&axle_model::Location) -> bool| {
        model.processes.iter().flat_map(|process| &process.locations).any(which)
    };
    let mut names: Vec<Named> = model.properties.iter().map(|property| named(&property.name, true)).collect();
    names.push(named(ACCEPTANCE, labelled(|location| location.accept)));
    names.push(named(PROGRESS, labelled(|location| location.progress)));
    names
}

/// Everything that the model states about runs, in the order of [`names`].
pub fn stated(model: &Model) -> Vec<Stated> {
    wanted(model, |_| true, &Interrupt::default())
}

/// The property of this name.
pub fn named(model: &Model, name: &str) -> Option<Stated> {
    wanted(model, |one| one.name == name, &Interrupt::default()).into_iter().next()
}

/// The wanted ones of everything that the model states about runs. Automata are made for them only,
/// until the callback says that they are not needed any more.
pub fn wanted(model: &Model, is_wanted: impl Fn(&Named) -> bool, interrupt: &Interrupt) -> Vec<Stated> {
    let names = names(model).into_iter().enumerate();
    let built = names.filter(|(_, named)| is_wanted(named)).map(|(index, named)| {
        let property = model.properties.get(index);
        let Some(property) = property else { return of_labels(named) };
        let (name, origin) = (property.name.clone(), property.origin);
        match &property.kind {
            PropertyKind::Ltl(formula) => {
                let mut table = Table::default();
                let formula = convert(formula, &mut table);
                of_formula(name, origin, formula, table, interrupt)
            }
            PropertyKind::Never(process) => of_never(name, origin, process),
            PropertyKind::Trace(process) => events(model, name, origin, (process, false)),
            PropertyKind::NoTrace(process) => events(model, name, origin, (process, true)),
        }
    });
    built.collect()
}

/// The property that a never claim states.
fn of_never(name: String, origin: Origin, process: &Process) -> Stated {
    let mut table = Table::default();
    let claim = never(process, &mut table);
    let (atoms, texts) = table.split();
    Stated {
        name,
        meaning: "no run matches the never claim".to_string(),
        origin,
        claim: claim.map(|claim| Claim { atoms: atoms.len() as u32, ..claim }),
        bad_prefixes: None,
        atoms,
        texts,
        source: Source::Never,
        by_default: true,
        is_stutter_invariant: OnceLock::new(),
    }
}

/// The property that acceptance or progress labels state.
fn of_labels(named: Named) -> Stated {
    let (meaning, claim, atom, text, source) = match named.name.as_str() {
        ACCEPTANCE => (
            "no run passes an accept label infinitely often",
            Claim::accepting(),
            Atom::Accepting,
            "a process is at an accept label",
            Source::Acceptance,
        ),
        _ => (
            "every infinite run passes a progress label infinitely often",
            Claim::non_progress(),
            Atom::Holds(Expr::NonProgress),
            "np_",
            Source::Progress,
        ),
    };
    Stated {
        name: named.name,
        meaning: meaning.to_string(),
        origin: Origin::NONE,
        claim: Ok(claim),
        bad_prefixes: None,
        atoms: vec![atom],
        texts: vec![text.to_string()],
        source,
        by_default: named.by_default,
        is_stutter_invariant: OnceLock::new(),
    }
}

/// An event trace is no claim: it watches what steps do, not states.
fn events(model: &Model, name: String, origin: Origin, (process, negated): (&Process, bool)) -> Stated {
    let meaning = match negated {
        false => "every run follows the event trace",
        true => "no run follows the event trace to its end",
    };
    Stated {
        name,
        meaning: meaning.to_string(),
        origin,
        claim: Err("an event trace constrains steps, not states".to_string()),
        bad_prefixes: None,
        atoms: Vec::new(),
        texts: Vec::new(),
        source: Source::Events(Events::new(model, process, negated)),
        by_default: true,
        is_stutter_invariant: OnceLock::new(),
    }
}

/// The property that every run satisfies a formula over the atoms of a table.
fn of_formula(
    name: String,
    origin: Origin,
    formula: axle_ltl::Formula,
    table: Table,
    interrupt: &Interrupt,
) -> Stated {
    let (atoms, texts) = table.split();
    Stated {
        name,
        meaning: axle_ltl::print::formula(&formula, &texts),
        origin,
        claim: claim_of(&formula, atoms.len(), interrupt),
        bad_prefixes: BadPrefixes::of(&formula, atoms.len(), interrupt),
        atoms,
        texts,
        source: Source::Formula(formula),
        by_default: true,
        is_stutter_invariant: OnceLock::new(),
    }
}

impl Stated {
    /// The property with the propositions of another formula behind its own, and that formula over both.
    #[must_use]
    pub fn with(&self, other: &axle_model::Formula) -> (Stated, axle_ltl::Formula) {
        let expr = |atom: &Atom| match atom {
            Atom::Holds(expr) => expr.clone(),
            // No formula has this proposition; a constant is none of the table either.
            Atom::Accepting => Expr::TRUE,
        };
        let mut table = Table(self.atoms.iter().map(expr).zip(self.texts.iter().cloned()).collect());
        let formula = convert(other, &mut table);
        let (added, texts) = Table(table.0.split_off(self.atoms.len())).split();
        let mut more = self.clone();
        more.atoms.extend(added);
        more.texts.extend(texts);
        (more, formula)
    }
}

/// The claim of the runs that do not satisfy a formula.
pub fn claim_of(formula: &axle_ltl::Formula, atoms: usize, interrupt: &Interrupt) -> Result<Claim, String> {
    if let Some((end, inner)) = prologue(formula) {
        return claim_of(inner, atoms, interrupt).map(|claim| behind_prologue(claim, end));
    }
    let is_cancelled = || interrupt.ask().is_some();
    let effort = &mut Effort::cancelled_by(Effort::NEEDED, &is_cancelled);
    let automaton = translate_within(formula, false, effort).map_err(|fault| {
        match fault {
            TooLarge::Propositions => "it has more than 64 different propositions",
            TooLarge::Untils => "it has more than 64 different `until` and `eventually`",
            TooLarge::States => "its automaton has more than 20,000 states",
            TooLarge::Work => "its automaton takes too much time to construct",
            TooLarge::Cancelled => "the check ended before its automaton was constructed",
        }
        .to_string()
    })?;
    Ok(from_automaton(&automaton, atoms))
}

/// An automaton as a claim; transitions between the same states with the same marks become one
/// edge.
pub fn from_automaton(automaton: &Automaton, atoms: usize) -> Claim {
    let locations = (automaton.states.iter())
        .map(|out| Location { edges: merged(out.iter().map(|t| (t.label, t.to, t.marks))), end: false })
        .collect();
    Claim { locations, initial: vec![automaton.initial], sets: automaton.sets, atoms: atoms as u32 }
}

/// Transitions as edges: those with equal targets and marks become one edge.
fn merged(transitions: impl Iterator<Item = (axle_ltl::Cube, u32, u64)>) -> Vec<Edge> {
    let mut edges: Vec<Edge> = Vec::new();
    for (label, to, marks) in transitions {
        let literals = (0..64u32).filter_map(|atom| {
            let there = |mask: u64| mask >> atom & 1 == 1;
            (there(label.must) || there(label.must_not)).then(|| Literal { atom, holds: there(label.must) })
        });
        let cube = Cube(literals.collect());
        match edges.iter_mut().find(|edge| edge.to == to && edge.marks == marks) {
            Some(edge) => edge.guard.0.push(cube),
            None => edges.push(Edge { guard: Guard(vec![cube]), asserts: None, to, marks }),
        }
    }
    edges
}

/// The conditions that claims ask about, each once.
#[derive(Clone, Default, Debug)]
pub struct Table(Vec<(Expr, String)>);

impl Table {
    /// The number of a condition.
    fn atom(&mut self, expr: &Expr, text: &str) -> u32 {
        let known = self.0.iter().position(|(e, _)| e == expr);
        known.unwrap_or_else(|| {
            self.0.push((expr.clone(), bare(text).to_string()));
            self.0.len() - 1
        }) as u32
    }

    fn split(self) -> (Vec<Atom>, Vec<String>) {
        self.0.into_iter().map(|(expr, text)| (Atom::Holds(expr), text)).unzip()
    }
}

/// A text without brackets around the whole of it.
fn bare(text: &str) -> &str {
    let Some(inner) = text.strip_prefix('(').and_then(|text| text.strip_suffix(')')) else { return text };
    let mut depth = 0i32;
    let closed_early = inner.chars().any(|c| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        depth < 0
    });
    if closed_early { text } else { bare(inner.trim()) }
}

/// A formula of the model as one over numbered atoms.
fn convert(formula: &axle_model::Formula, table: &mut Table) -> axle_ltl::Formula {
    use axle_ltl::Formula as To;
    use axle_model::Formula as From;
    let mut one = |f: &From| Box::new(convert(f, table));
    match formula {
        From::Atom(Expr::Const(value), _) => {
            if *value == 0 {
                To::False
            } else {
                To::True
            }
        }
        From::Atom(expr, text) => To::Atom(table.atom(expr, text)),
        From::Not(a) => To::Not(one(a)),
        From::And(a, b) => To::And(one(a), one(b)),
        From::Or(a, b) => To::Or(one(a), one(b)),
        From::Implies(a, b) => To::Implies(one(a), one(b)),
        From::Equivalent(a, b) => To::Equivalent(one(a), one(b)),
        From::Next(a) => To::Next(one(a)),
        From::Always(a) => To::Always(one(a)),
        From::Eventually(a) => To::Eventually(one(a)),
        From::Until(a, b) => To::Until(one(a), one(b)),
        From::WeakUntil(a, b) => To::WeakUntil(one(a), one(b)),
        From::Release(a, b) => To::Release(one(a), one(b)),
    }
}

/// A never claim as it stands: one location of the claim for each of the text. A location with an
/// accept label marks what leaves it, so that passing it again and again is accepting.
fn never(process: &Process, table: &mut Table) -> Result<Claim, String> {
    let mut locations = Vec::new();
    for index in 0..process.locations.len() {
        let from = LocId::new(index);
        let mut chain = Chain { process, table, seen: Vec::new(), edges: Vec::new() };
        chain.moves(from, &Some(Cube::default()), &[])?;
        let marks = u64::from(process.locations[index].accept);
        let edges = chain.edges.into_iter().map(|edge| Edge { marks, ..edge }).collect();
        let end = process.locations[index].out.is_empty();
        locations.push(Location { edges, end });
    }
    // An accepting claim without any accept label accepts nothing: there is one set, and no edge is
    // in it.
    Ok(Claim { locations, initial: vec![process.entry.0], sets: 1, atoms: 0 })
}

/// What an assertion says, and how it is written.
type Asserted = (Expr, String);

/// An atomic sequence of a claim as one transition: a claim changes nothing, so all conditions of
/// the sequence are evaluated in one state.
struct Chain<'a> {
    process: &'a Process,
    table: &'a mut Table,
    /// Locations inside the sequence.
    seen: Vec<LocId>,
    edges: Vec<Edge>,
}

impl Chain<'_> {
    /// Adds the moves from a location. `before` is what has to hold to come there; none where that
    /// is impossible.
    fn moves(&mut self, from: LocId, before: &Option<Cube>, asserted: &[Asserted]) -> Result<(), String> {
        let process = self.process;
        for id in &process.locations[from.index()].out {
            let edge = &process.edges[id.index()];
            if edge.comm.is_some() {
                return Err("the claim sends or receives".to_string());
            }
            let mut asserted = asserted.to_vec();
            for effect in &edge.effects {
                match effect {
                    Effect::Assert(expr, text) => asserted.push((expr.clone(), text.clone())),
                    Effect::Print(..) => {}
                    Effect::Assign(..)
                    | Effect::Clear(_)
                    | Effect::Run { .. }
                    | Effect::SetPriority(..)
                    | Effect::Exit => return Err("the claim changes something".to_string()),
                }
            }
            // Of higher ranks (`else`) it is asked that nothing of a lower rank can be taken.
            let mut cube = self.literal(before.clone(), &edge.guard, &edge.text, true);
            for lower in &process.locations[from.index()].out {
                let lower = &process.edges[lower.index()];
                if lower.rank < edge.rank {
                    cube = self.literal(cube, &lower.guard, &lower.text, false);
                }
            }
            if edge.keep == Atomicity::Release || process.locations[edge.target.index()].out.is_empty() {
                self.push(cube, &asserted, edge.target);
                continue;
            }
            if self.seen.contains(&edge.target) {
                return Err("the claim goes round inside an atomic sequence".to_string());
            }
            self.seen.push(edge.target);
            self.moves(edge.target, &cube, &asserted)?;
            self.seen.pop();
            // Where the sequence cannot go on, the claim rests in its middle.
            let mut blocked = cube;
            for next in &process.locations[edge.target.index()].out {
                let next = &process.edges[next.index()];
                if !next.is_else {
                    blocked = self.literal(blocked, &next.guard, &next.text, false);
                } else {
                    blocked = None;
                }
            }
            self.push(blocked, &asserted, edge.target);
        }
        Ok(())
    }

    fn push(&mut self, cube: Option<Cube>, asserted: &[Asserted], to: LocId) {
        let Some(cube) = cube else { return };
        let join = |(a, x): Asserted, (b, y): Asserted| {
            (Expr::And(Box::new(a), Box::new(b)), format!("{} && {}", bare(&x), bare(&y)))
        };
        let all = asserted.iter().cloned().reduce(join);
        let asserts = all.map(|(expr, text)| self.table.atom(&expr, &text));
        self.edges.push(Edge { guard: Guard(vec![cube]), asserts, to: to.0, marks: 0 });
    }

    /// Adds to a cube that a guard holds, or that it does not; none where that contradicts what is
    /// there.
    fn literal(&mut self, cube: Option<Cube>, guard: &Expr, text: &str, holds: bool) -> Option<Cube> {
        let mut cube = cube?;
        if let Expr::Const(value) = guard {
            return ((*value != 0) == holds).then_some(cube);
        }
        let literal = Literal { atom: self.table.atom(guard, text), holds };
        if cube.0.contains(&Literal { holds: !holds, ..literal }) {
            return None;
        }
        if !cube.0.contains(&literal) {
            cube.0.push(literal);
        }
        Some(cube)
    }
}
