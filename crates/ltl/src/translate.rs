//! From a formula to a generalised Büchi automaton, by way of a very weak alternating automaton.
//!
//! The method is that of Gastin and Oddoux (*Fast LTL to Büchi automata translation*, CAV 2001): a
//! state is a conjunction of temporal sub-formulas, its transitions come from expanding each
//! (section 3), and every `U` gives one acceptance set on transitions (section 4). A transition is
//! dropped where another reads more, demands less and accepts more; states with equal transitions
//! become one; what [`crate::simplify`] finds comes on top.
//!
//! *Entry point:* [`translate`].
//!
//! *Invariant:* a state's transitions accept exactly the words that satisfy all formulas in the
//! state.

use crate::automaton::{Automaton, Cube, Transition};
use crate::effort::Effort;
use crate::formula::{Arena, Formula, Id, Node};
use crate::normal;
use crate::simplify;
use rustc_hash::FxHashMap;

/// A set of formulas that must all hold from the next position on: sorted, without duplicates.
type Next = Vec<Id>;

/// One way to satisfy a formula now.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
struct Implicant {
    /// What must hold now.
    label: Cube,
    /// What must hold from the next position on.
    next: Next,
}

/// Why a formula cannot be translated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TooLarge {
    /// More than 64 propositions.
    Propositions,
    /// More than 64 different `U` sub-formulas.
    Untils,
    /// More states than [`MOST_STATES`].
    States,
    /// More work than the caller grants.
    Work,
    /// The caller cancelled the translation.
    Cancelled,
}

/// Where translation gives up: an automaton that no product with a model could use.
pub const MOST_STATES: usize = 20_000;

/// Comparisons that take as long as making an implicant.
const PAIR: usize = 8;

/// The automaton of the words that satisfy `formula`, simplified.
pub fn translate(formula: &Formula) -> Result<Automaton, TooLarge> {
    translate_within(formula, true, &mut Effort::of(Effort::NEEDED))
}

/// The automaton of the words that do not satisfy `formula`, simplified: what a search looks for.
pub fn translate_negation(formula: &Formula) -> Result<Automaton, TooLarge> {
    translate_within(formula, false, &mut Effort::of(Effort::NEEDED))
}

/// The automaton of a formula, or of its negation where `positive` is false, within an effort.
pub fn translate_within(
    formula: &Formula,
    positive: bool,
    effort: &mut Effort<'_>,
) -> Result<Automaton, TooLarge> {
    let mut arena = Arena::default();
    let root = normal::normal(&mut arena, formula, positive);
    let plain = construct(&mut arena, root, effort)?;
    simplify::simplify_within(plain, effort)
}

/// The automaton of a formula in normal form, simplified.
pub fn translate_normal(arena: &mut Arena, root: Id) -> Result<Automaton, TooLarge> {
    let effort = &mut Effort::of(Effort::NEEDED);
    let plain = construct(arena, root, effort)?;
    simplify::simplify_within(plain, effort)
}

/// The automaton as the construction gives it.
pub fn unsimplified(arena: &mut Arena, root: Id) -> Result<Automaton, TooLarge> {
    construct(arena, root, &mut Effort::of(Effort::NEEDED))
}

fn construct(arena: &mut Arena, root: Id, effort: &mut Effort<'_>) -> Result<Automaton, TooLarge> {
    let mut untils = Vec::new();
    collect_untils(arena, root, &mut Vec::new(), &mut untils)?;
    if untils.len() > 64 {
        return Err(TooLarge::Untils);
    }
    let mut builder = Builder {
        arena,
        untils,
        effort,
        ways: FxHashMap::default(),
        ids: FxHashMap::default(),
        todo: Vec::new(),
    };
    let mut states: Vec<Vec<Transition>> = Vec::new();
    let mut same: FxHashMap<Vec<Transition>, u32> = FxHashMap::default();
    let mut alias: Vec<u32> = Vec::new();
    builder.id(vec![root]);
    while let Some(set) = builder.todo.pop() {
        let id = builder.ids[&set] as usize;
        let out = builder.expand(&set)?;
        if builder.ids.len() > MOST_STATES {
            return Err(TooLarge::States);
        }
        if states.len() < builder.ids.len() {
            states.resize(builder.ids.len(), Vec::new());
            alias.extend(alias.len() as u32..builder.ids.len() as u32);
        }
        // A state with the transitions of an earlier one is that one.
        alias[id] = *same.entry(out.clone()).or_insert(id as u32);
        states[id] = out;
    }
    for out in &mut states {
        out.iter_mut().for_each(|t| t.to = alias[t.to as usize]);
    }
    Ok(Automaton { initial: alias[0], states, sets: builder.untils.len() as u32 })
}

/// All `U` sub-formulas, each once; an error where a proposition does not fit a cube.
fn collect_untils(arena: &Arena, id: Id, seen: &mut Vec<Id>, out: &mut Vec<Id>) -> Result<(), TooLarge> {
    if seen.contains(&id) {
        return Ok(());
    }
    seen.push(id);
    match arena.node(id) {
        Node::Literal(atom, _) if atom >= 64 => return Err(TooLarge::Propositions),
        Node::True | Node::False | Node::Literal(..) => {}
        Node::Next(a) => collect_untils(arena, a, seen, out)?,
        Node::And(a, b) | Node::Or(a, b) | Node::Release(a, b) | Node::Until(a, b) => {
            if matches!(arena.node(id), Node::Until(..)) {
                out.push(id);
            }
            collect_untils(arena, a, seen, out)?;
            collect_untils(arena, b, seen, out)?;
        }
    }
    Ok(())
}

struct Builder<'a, 'e> {
    arena: &'a mut Arena,
    effort: &'a mut Effort<'e>,
    /// The `U` sub-formulas; their positions are the acceptance sets.
    untils: Vec<Id>,
    /// The ways to satisfy a formula now, by formula.
    ways: FxHashMap<Id, Vec<Implicant>>,
    /// States by their formulas.
    ids: FxHashMap<Next, u32>,
    /// States to expand.
    todo: Vec<Next>,
}

impl Builder<'_, '_> {
    fn id(&mut self, set: Next) -> u32 {
        let fresh = self.ids.len() as u32;
        *self.ids.entry(set).or_insert_with_key(|set| {
            self.todo.push(set.clone());
            fresh
        })
    }

    /// The transitions of a state, with their marks, dominated ones dropped.
    fn expand(&mut self, set: &Next) -> Result<Vec<Transition>, TooLarge> {
        let mut ways = vec![Implicant { label: Cube::TRUE, next: Vec::new() }];
        for &formula in set {
            let more = self.ways(formula)?;
            // Nothing is dropped here: which of two ways is better depends on the marks as well.
            ways = every_pair(&ways, &more, self.effort)?;
            ways.sort();
            ways.dedup();
        }
        let mut marked = Vec::with_capacity(ways.len());
        for way in ways {
            let marks = self.marks(&way)?;
            marked.push((way, marks));
        }
        marked.sort();
        marked.dedup();
        self.effort.spend(marked.len(), marked.len())?;
        let dominated = |i: usize| {
            marked.iter().enumerate().any(|(j, (way, marks))| {
                let (this, these) = &marked[i];
                let covers =
                    this.label.implies(way.label) && subset(&way.next, &this.next) && these & !marks == 0;
                let covered_back =
                    way.label.implies(this.label) && subset(&this.next, &way.next) && marks & !these == 0;
                i != j && covers && (!covered_back || j < i)
            })
        };
        let kept: Vec<usize> = (0..marked.len()).filter(|&i| !dominated(i)).collect();
        let mut out: Vec<Transition> = (kept.into_iter())
            .map(|i| Transition {
                label: marked[i].0.label,
                to: self.id(marked[i].0.next.clone()),
                marks: marked[i].1,
            })
            .collect();
        out.sort();
        Ok(out)
    }

    /// Set `u` holds a transition where the obligation `u` is not handed on, or is met by this very
    /// step.
    fn marks(&mut self, way: &Implicant) -> Result<u64, TooLarge> {
        let mut marks = 0;
        for set in 0..self.untils.len() {
            let until = self.untils[set];
            let pending = way.next.contains(&until);
            if !pending || self.meets(until, way)? {
                marks |= 1 << set;
            }
        }
        Ok(marks)
    }

    fn meets(&mut self, until: Id, way: &Implicant) -> Result<bool, TooLarge> {
        let met = |w: &Implicant| {
            !w.next.contains(&until) && way.label.implies(w.label) && subset(&w.next, &way.next)
        };
        let ways = self.ways(until)?;
        self.effort.spend(ways.len(), 1)?;
        Ok(ways.iter().any(met))
    }

    /// How a formula can be satisfied now (the transition function of the alternating automaton).
    fn ways(&mut self, id: Id) -> Result<Vec<Implicant>, TooLarge> {
        if let Some(ways) = self.ways.get(&id) {
            return Ok(ways.clone());
        }
        let ways = match self.arena.node(id) {
            Node::True => vec![Implicant { label: Cube::TRUE, next: Vec::new() }],
            Node::False => Vec::new(),
            Node::Literal(atom, sense) => {
                let bit = 1 << atom;
                let label =
                    if sense { Cube { must: bit, must_not: 0 } } else { Cube { must: 0, must_not: bit } };
                vec![Implicant { label, next: Vec::new() }]
            }
            Node::And(a, b) => product(&self.ways(a)?, &self.ways(b)?, self.effort)?,
            Node::Or(a, b) => union(self.ways(a)?, self.ways(b)?, self.effort)?,
            Node::Next(a) => self.alternatives(a)?,
            Node::Until(a, b) => {
                let again = vec![Implicant { label: Cube::TRUE, next: vec![id] }];
                let stay = product(&self.ways(a)?, &again, self.effort)?;
                union(self.ways(b)?, stay, self.effort)?
            }
            Node::Release(a, b) => {
                let again = vec![Implicant { label: Cube::TRUE, next: vec![id] }];
                let go_on = union(self.ways(a)?, again, self.effort)?;
                product(&self.ways(b)?, &go_on, self.effort)?
            }
        };
        self.ways.insert(id, ways.clone());
        Ok(ways)
    }

    /// The formula as a disjunction of sets of formulas that are not conjunctions or disjunctions.
    fn alternatives(&mut self, id: Id) -> Result<Vec<Implicant>, TooLarge> {
        Ok(match self.arena.node(id) {
            Node::True => vec![Implicant { label: Cube::TRUE, next: Vec::new() }],
            Node::False => Vec::new(),
            Node::And(a, b) => product(&self.alternatives(a)?, &self.alternatives(b)?, self.effort)?,
            Node::Or(a, b) => union(self.alternatives(a)?, self.alternatives(b)?, self.effort)?,
            Node::Literal(..) | Node::Next(_) | Node::Until(..) | Node::Release(..) => {
                vec![Implicant { label: Cube::TRUE, next: vec![id] }]
            }
        })
    }
}

fn subset(small: &Next, large: &Next) -> bool {
    small.iter().all(|id| large.binary_search(id).is_ok())
}

/// Every way of one formula with every way of another, as ways of one formula: covered ones
/// dropped.
fn product(a: &[Implicant], b: &[Implicant], effort: &mut Effort<'_>) -> Result<Vec<Implicant>, TooLarge> {
    minimal(every_pair(a, b, effort)?, effort)
}

/// Every way of one with every way of the other, where they do not contradict.
fn every_pair(a: &[Implicant], b: &[Implicant], effort: &mut Effort<'_>) -> Result<Vec<Implicant>, TooLarge> {
    // A new implicant costs as much as some comparisons.
    effort.spend(a.len(), b.len().saturating_mul(PAIR))?;
    let mut out = Vec::with_capacity(a.len() * b.len());
    for x in a {
        for y in b {
            if let Some(label) = x.label.and(y.label) {
                let mut next = x.next.clone();
                next.extend(&y.next);
                next.sort();
                next.dedup();
                out.push(Implicant { label, next });
            }
        }
    }
    Ok(out)
}

fn union(
    mut a: Vec<Implicant>,
    b: Vec<Implicant>,
    effort: &mut Effort<'_>,
) -> Result<Vec<Implicant>, TooLarge> {
    a.extend(b);
    minimal(a, effort)
}

/// Drops ways of one formula that another covers. From a single formula a run remains in a `U` just
/// where the way hands on that very formula, so a way that demands less is never worse; of a set of
/// formulas this would be wrong, since there the obligation may be met and made anew in one step.
fn minimal(mut ways: Vec<Implicant>, effort: &mut Effort<'_>) -> Result<Vec<Implicant>, TooLarge> {
    ways.sort();
    ways.dedup();
    effort.spend(ways.len(), ways.len())?;
    let covered = |i: usize| {
        ways.iter()
            .enumerate()
            .any(|(j, way)| j != i && ways[i].label.implies(way.label) && subset(&way.next, &ways[i].next))
    };
    let kept: Vec<bool> = (0..ways.len()).map(|i| !covered(i)).collect();
    let mut keep = kept.into_iter();
    ways.retain(|_| keep.next() == Some(true));
    Ok(ways)
}
