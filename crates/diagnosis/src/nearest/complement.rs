//! The complement of a claim: a claim of the executions that a never claim does not match.
//!
//! The claim becomes a Büchi automaton: its end locations and failed assertions lead into a location
//! from which everything is accepted. The executions of a word that it rejects have ranks: along an
//! execution ranks never grow, an edge with the mark leaves an odd rank, and no execution stays at an
//! even rank. The complement guesses the point from which on the ranks are tight (the largest one is
//! odd, and all odd ranks below occur), and then a ranking for each step.
//!
//! *Entry point:* [`complement`].
//! *Source:* O. Kupferman and M. Y. Vardi, "Weak Alternating Automata Are Not That Weak", ACM TOCL 2(3),
//! 2001; E. Friedgut, O. Kupferman and M. Y. Vardi, "Büchi Complementation Made Tighter", IJFCS 17(4),
//! 2006. The marks are on edges instead of locations.
//! *Invariant:* of each infinite execution, exactly one of the two claims accepts it or reaches an end.
//! *Cost:* exponential in the number of locations, so the number of locations of the complement is
//! limited.

use std::collections::HashMap;

use axle_search::claim::{Atom, Claim, Cube, Edge, Guard, Literal, Location};

/// Propositions that a claim may read.
const MOST_ATOMS: usize = 12;

/// Locations of a complement.
const MOST_LOCATIONS: usize = 5_000;

/// Edges of a complement.
const MOST_EDGES: usize = 200_000;

/// Rankings that are tried.
const MOST_RANKINGS: usize = 2_000_000;

/// The complement has too many locations.
struct TooLarge;

/// The claim of the infinite executions that a claim with one acceptance set does not match.
///
/// # Errors
/// The complement is too large.
pub(crate) fn complement(claim: &Claim) -> Result<Claim, String> {
    let buchi = Buchi::new(claim)?;
    let mut made = Made::default();
    let mut next = 0;
    let mut initial = claim.initial.clone();
    initial.sort_unstable();
    initial.dedup();
    made.number(State::Reached(initial));
    let mut locations = Vec::new();
    let (mut edges, mut left) = (0, MOST_RANKINGS);
    while let Some(state) = made.states.get(next).cloned() {
        next += 1;
        let mut out: Vec<Edge> = Vec::new();
        for letters in 0..buchi.classes.len() {
            let successors = buchi.successors(&state, letters, &mut left);
            for to in successors.map_err(|TooLarge| too_large())? {
                let (to, marks) = (made.number(to), u64::from(state.is_accepting()));
                let cubes = &buchi.classes[letters];
                match out.iter_mut().find(|edge| edge.to == to) {
                    Some(edge) => edge.guard.0.extend(cubes.iter().cloned()),
                    None => out.push(Edge { guard: Guard(cubes.clone()), asserts: None, to, marks }),
                }
            }
        }
        edges += out.len();
        if made.states.len() > MOST_LOCATIONS || edges > MOST_EDGES {
            return Err(too_large());
        }
        locations.push(Location { edges: out, end: false });
    }
    Ok(Claim { locations, initial: vec![0], sets: 1, atoms: claim.atoms })
}

fn too_large() -> String {
    format!(
        "the never claim is too large for this search: its complement has more than {MOST_LOCATIONS} \
         locations, or takes too much time to construct"
    )
}

/// An edge of the claim under the letters of one class.
#[derive(Clone, Copy)]
struct Move {
    to: u32,
    is_marked: bool,
}

/// The claim with letters in classes that it does not distinguish.
struct Buchi {
    /// The letters of each class.
    classes: Vec<Vec<Cube>>,
    /// For each location and class the moves; none where a move leads to an end.
    moves: Vec<Vec<Option<Vec<Move>>>>,
}

impl Buchi {
    fn new(claim: &Claim) -> Result<Buchi, String> {
        if claim.sets > 1 {
            return Err("the claim has several acceptance sets".to_string());
        }
        let mut atoms: Vec<Atom> = Vec::new();
        for (_, edge) in claim.edges() {
            atoms.extend(edge.guard.0.iter().flat_map(|cube| &cube.0).map(|literal| literal.atom));
            atoms.extend(edge.asserts);
        }
        atoms.sort_unstable();
        atoms.dedup();
        if atoms.len() > MOST_ATOMS {
            return Err(format!(
                "the never claim is too large for this search: it has more than {MOST_ATOMS} propositions"
            ));
        }
        let mut known: HashMap<Vec<(bool, bool)>, usize> = HashMap::new();
        let mut classes: Vec<Vec<Cube>> = Vec::new();
        let mut moves = vec![Vec::new(); claim.locations.len()];
        for letter in 0u32..1 << atoms.len() {
            let holds = |at: usize| letter >> at & 1 == 1;
            let literals = atoms.iter().enumerate();
            let cube = Cube(literals.map(|(at, &atom)| Literal { atom, holds: holds(at) }).collect());
            let mut valuation = vec![0u64; claim.words().max(1)];
            for literal in cube.0.iter().filter(|literal| literal.holds) {
                valuation[literal.atom as usize / 64] |= 1 << (literal.atom % 64);
            }
            // Whether each edge is enabled, and whether its assertion fails.
            let fails =
                |edge: &Edge| edge.asserts.is_some_and(|atom| !axle_search::claim::bit(&valuation, atom));
            let form: Vec<(bool, bool)> =
                claim.edges().map(|(_, edge)| (edge.guard.holds(&valuation), fails(edge))).collect();
            if let Some(&class) = known.get(&form) {
                classes[class].push(cube);
                continue;
            }
            known.insert(form, classes.len());
            classes.push(vec![cube]);
            for (location, moves) in claim.locations.iter().zip(&mut moves) {
                let enabled = || location.edges.iter().filter(|edge| edge.guard.holds(&valuation));
                let ends = enabled().any(|edge| fails(edge) || claim.locations[edge.to as usize].end);
                let own = enabled()
                    .map(|edge| Move { to: edge.to, is_marked: claim.sets == 0 || edge.marks & 1 == 1 });
                moves.push((!ends).then(|| own.collect()));
            }
        }
        Ok(Buchi { classes, moves })
    }

    /// The states behind a letter; none if the claim reaches an end.
    fn successors(&self, state: &State, letters: usize, left: &mut usize) -> Result<Vec<State>, TooLarge> {
        let of = |location: u32| self.moves[location as usize][letters].as_ref();
        match state {
            State::Rejected => Ok(vec![State::Rejected]),
            State::Reached(from) => {
                let mut to = Vec::new();
                for &location in from {
                    let Some(moves) = of(location) else { return Ok(Vec::new()) };
                    to.extend(moves.iter().map(|one| one.to));
                }
                to.sort_unstable();
                to.dedup();
                if to.is_empty() {
                    return Ok(vec![State::Rejected]);
                }
                let mut all = Vec::new();
                for rank in (1..2 * to.len() as u32).step_by(2) {
                    let bounds = vec![rank; to.len()];
                    let ranked = |ranks| State::Ranked {
                        ranks: to.iter().copied().zip(ranks).collect(),
                        open: Vec::new(),
                        rank,
                    };
                    all.extend(tight(&bounds, rank, left)?.into_iter().map(ranked));
                }
                all.push(State::Reached(to));
                Ok(all)
            }
            State::Ranked { ranks, open, rank } => {
                let mut bounds: Vec<(u32, u32)> = Vec::new();
                let mut followed = Vec::new();
                for &(location, own) in ranks {
                    let Some(moves) = of(location) else { return Ok(Vec::new()) };
                    for one in moves {
                        let bound = own - u32::from(one.is_marked && own % 2 == 1);
                        match bounds.iter_mut().find(|(to, _)| *to == one.to) {
                            Some((_, known)) => *known = bound.min(*known),
                            None => bounds.push((one.to, bound)),
                        }
                        if open.contains(&location) {
                            followed.push(one.to);
                        }
                    }
                }
                if bounds.is_empty() {
                    return Ok(vec![State::Rejected]);
                }
                bounds.sort_unstable();
                let most: Vec<u32> = bounds.iter().map(|(_, bound)| *bound).collect();
                let ranked = |own: Vec<u32>| {
                    let ranks: Vec<(u32, u32)> = bounds.iter().map(|(to, _)| *to).zip(own).collect();
                    // A breakpoint: all executions at even ranks have left these.
                    let is_followed = |to: u32| open.is_empty() || followed.contains(&to);
                    let open = ranks.iter().filter(|(to, own)| own % 2 == 0 && is_followed(*to));
                    State::Ranked { open: open.map(|(to, _)| *to).collect(), ranks, rank: *rank }
                };
                Ok(tight(&most, *rank, left)?.into_iter().map(ranked).collect())
            }
        }
    }
}

/// The rankings within bounds whose largest rank is `rank`, and in which all smaller odd ranks occur.
fn tight(bounds: &[u32], rank: u32, left: &mut usize) -> Result<Vec<Vec<u32>>, TooLarge> {
    let mut all = Vec::new();
    let mut open = vec![Vec::new()];
    while let Some(own) = open.pop() {
        *left = left.checked_sub(1).ok_or(TooLarge)?;
        let missing = (1..=rank).step_by(2).filter(|odd| !own.contains(odd)).count();
        let Some(&bound) = bounds.get(own.len()) else {
            all.extend((missing == 0).then_some(own));
            continue;
        };
        // Each missing rank takes a place.
        if missing <= bounds.len() - own.len() {
            open.extend(
                (0..=bound.min(rank)).map(|next| own.iter().copied().chain([next]).collect::<Vec<_>>()),
            );
        }
    }
    Ok(all)
}

/// A location of the complement.
#[derive(Clone, PartialEq, Eq, Hash)]
enum State {
    /// The locations that the claim can reach.
    Reached(Vec<u32>),
    /// The same with their ranks, the largest rank, and the locations whose executions have been at
    /// even ranks since the last breakpoint.
    Ranked { ranks: Vec<(u32, u32)>, open: Vec<u32>, rank: u32 },
    /// The claim is blocked: it matches no execution from here on.
    Rejected,
}

impl State {
    fn is_accepting(&self) -> bool {
        match self {
            State::Reached(_) => false,
            State::Ranked { open, .. } => open.is_empty(),
            State::Rejected => true,
        }
    }
}

/// The locations made so far.
#[derive(Default)]
struct Made {
    states: Vec<State>,
    numbers: HashMap<State, u32>,
}

impl Made {
    fn number(&mut self, state: State) -> u32 {
        let next = self.states.len() as u32;
        *self.numbers.entry(state.clone()).or_insert_with(|| {
            self.states.push(state);
            next
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use axle_check::judgement::judge::matches_word;

    /// A generator of small numbers (Knuth, MMIX).
    struct Numbers(u64);

    impl Numbers {
        fn below(&mut self, below: u64) -> u64 {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (self.0 >> 33) % below
        }
    }

    fn random(numbers: &mut Numbers) -> Claim {
        let count = 1 + numbers.below(3);
        let has_end = numbers.below(4) == 0;
        let mut locations = Vec::new();
        for _ in 0..count {
            let edges = (0..numbers.below(4)).map(|_| {
                let literals = (0..numbers.below(3))
                    .map(|atom| Literal { atom: atom as u32, holds: numbers.below(2) == 0 })
                    .collect();
                Edge {
                    guard: Guard(vec![Cube(literals)]),
                    asserts: (numbers.below(12) == 0).then_some(1),
                    to: numbers.below(count + u64::from(has_end)) as u32,
                    marks: u64::from(numbers.below(3) == 0),
                }
            });
            locations.push(Location { edges: edges.collect(), end: false });
        }
        if has_end {
            locations.push(Location { edges: Vec::new(), end: true });
        }
        Claim { locations, initial: vec![0], sets: 1, atoms: 2 }
    }

    #[test]
    fn a_word_is_matched_by_exactly_one_of_a_claim_and_its_complement() {
        let mut numbers = Numbers(39);
        let mut matched = [0, 0];
        for _ in 0..400 {
            let claim = random(&mut numbers);
            let other = complement(&claim).expect("small claims have complements");
            assert_eq!(other.check(), Ok(()));
            for _ in 0..60 {
                let mut word = |most| -> Vec<Vec<bool>> {
                    (0..most).map(|_| (0..2).map(|_| numbers.below(2) == 0).collect()).collect()
                };
                let (prefix, cycle) = (word(3), word(3));
                let by_claim = matches_word(&claim, &prefix, &cycle);
                assert_ne!(by_claim, matches_word(&other, &prefix, &cycle), "{claim:?} {prefix:?} {cycle:?}");
                matched[usize::from(by_claim)] += 1;
            }
        }
        assert!(matched.iter().all(|count| *count > 3_000), "{matched:?}");
    }

    #[test]
    fn a_claim_that_is_too_large_has_a_reason() {
        let edges: Vec<Edge> = (0..20)
            .map(|atom| Edge { guard: Guard::literal(atom, true), asserts: None, to: 0, marks: 1 })
            .collect();
        let wide =
            Claim { locations: vec![Location { edges, end: false }], initial: vec![0], sets: 1, atoms: 20 };
        assert!(complement(&wide).is_err_and(|reason| reason.contains("12 propositions")));
        // Every location leads to every other one under a letter of its own.
        let location = |at: u32| {
            let to = |to: u32| Edge {
                guard: Guard::literal((at + to) % 6, to.is_multiple_of(2)),
                asserts: None,
                to,
                marks: u64::from(to.is_multiple_of(3)),
            };
            Location { edges: (0..9).map(to).collect(), end: false }
        };
        let dense = Claim { locations: (0..9).map(location).collect(), initial: vec![0], sets: 1, atoms: 6 };
        assert!(complement(&dense).is_err_and(|reason| reason.contains("too large")));
    }
}
