//! Fair simulation between Büchi automata over explicit letters: a sound test of language inclusion
//! that needs no complement.
//!
//! In each round of a game, the spoiler takes a transition of the first automaton and the
//! duplicator answers with a transition of the second one that reads the same letter. The
//! duplicator wins a play if it takes marked transitions infinitely often, or the spoiler takes
//! them finitely often. The winner is computed by a nested fixpoint.
//!
//! *Entry point:* [`is_simulated`].
//! *Source:* T. Henzinger, O. Kupferman and S. Rajamani, Fair simulation, Information and
//! Computation 173, 2002; the fixpoint of a parity game with three priorities: E. Emerson and
//! C. Jutla, Tree automata, mu-calculus and determinacy, FOCS 1991.
//! *Invariant:* if the first automaton is simulated, the second one accepts all of its words. The
//! converse does not hold.
//! *Cost:* at most `MOST_WORK` pairs of states are evaluated for a letter; beyond, the answer is
//! no.

/// Pairs of states that are evaluated for a letter before the game is given up: less than 0.1 s.
const MOST_WORK: usize = 10_000_000;

/// A Büchi automaton with explicit letters.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Explicit {
    /// The initial state.
    pub initial: usize,
    /// For each state and letter, the targets of its transitions, and whether they are marked.
    pub states: Vec<Vec<Vec<(usize, bool)>>>,
}

/// Priority of a round: the duplicator's transition is marked.
const DUPLICATOR: usize = 0;
/// Priority of a round: only the spoiler's transition is marked.
const SPOILER: usize = 1;
/// Priority of a round: no transition is marked.
const NEITHER: usize = 2;

/// Whether the game proves that `large` accepts every word of `small`. States of `small` that
/// accept no word should be removed before, because the spoiler may enter them.
pub fn is_simulated(small: &Explicit, large: &Explicit) -> bool {
    let mut game = Game { small, large, work: 0 };
    let all = vec![true; small.states.len() * large.states.len()];
    game.winning(all).is_some_and(|won| won[game.pair(small.initial, large.initial)])
}

struct Game<'a> {
    small: &'a Explicit,
    large: &'a Explicit,
    work: usize,
}

impl Game<'_> {
    fn pair(&self, small: usize, large: usize) -> usize {
        small * self.large.states.len() + large
    }

    /// The pairs from which the duplicator wins: greatest fixpoint for marks of the duplicator,
    /// within it the least one for marks of the spoiler, within it the greatest one for the rest.
    fn winning(&mut self, all: Vec<bool>) -> Option<Vec<bool>> {
        let mut outer = all.clone();
        loop {
            let mut middle = vec![false; all.len()];
            loop {
                let mut inner = all.clone();
                loop {
                    let next = self.step([&outer, &middle, &inner])?;
                    if next == inner {
                        break;
                    }
                    inner = next;
                }
                if inner == middle {
                    break;
                }
                middle = inner;
            }
            if middle == outer {
                return Some(outer);
            }
            outer = middle;
        }
    }

    /// The pairs in which each transition of the spoiler has an answer into the set of the round's
    /// priority. `None` if the work is too much.
    fn step(&mut self, sets: [&Vec<bool>; 3]) -> Option<Vec<bool>> {
        let letters = self.small.states.first().map_or(1, Vec::len);
        self.work += sets[0].len() * letters;
        if self.work > MOST_WORK {
            return None;
        }
        let mut out = Vec::with_capacity(sets[0].len());
        for small in &self.small.states {
            for large in &self.large.states {
                let mut moves = small.iter().zip(large);
                out.push(moves.all(|(attacks, answers)| {
                    attacks.iter().all(|&(to, marked)| {
                        answers.iter().any(|&(other, answered)| {
                            let priority = match (answered, marked) {
                                (true, _) => DUPLICATOR,
                                (false, true) => SPOILER,
                                (false, false) => NEITHER,
                            };
                            sets[priority][self.pair(to, other)]
                        })
                    })
                }));
            }
        }
        Some(out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An automaton over one letter.
    fn unary(states: &[&[(usize, bool)]]) -> Explicit {
        Explicit { initial: 0, states: states.iter().map(|out| vec![out.to_vec()]).collect() }
    }

    #[test]
    fn marks_may_be_answered_later_and_must_be_answered_infinitely_often() {
        let always = unary(&[&[(0, true)]]);
        let every_second = unary(&[&[(1, false)], &[(0, true)]]);
        let once = unary(&[&[(1, true)], &[(1, false)]]);
        assert!(is_simulated(&always, &every_second) && is_simulated(&every_second, &always));
        assert!(is_simulated(&once, &always));
        assert!(!is_simulated(&always, &once) && !is_simulated(&every_second, &once));
    }

    #[test]
    fn a_letter_without_an_answer_is_no_simulation() {
        let repeats = Explicit { initial: 0, states: vec![vec![vec![(0, true)], vec![(0, false)]]] };
        let only = Explicit { initial: 0, states: vec![vec![vec![(0, true)], Vec::new()]] };
        assert!(is_simulated(&only, &repeats));
        assert!(!is_simulated(&repeats, &only));
    }
}
