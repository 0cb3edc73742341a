//! Infinite words that go round a cycle, and two independent ways to ask whether one is in a
//! language.
//!
//! [`satisfies`] evaluates a formula directly by its definition and uses no automaton; [`accepts`]
//! runs an automaton. The tests hold the two against each other, and evidence judges every lasso by
//! the first.

use crate::automaton::Automaton;
use crate::formula::Formula;

/// The word `prefix cycle cycle cycle ...`; each letter gives the values of up to 64 propositions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lasso {
    /// Letters before the cycle.
    pub prefix: Vec<u64>,
    /// The letters of the cycle: at least one.
    pub cycle: Vec<u64>,
}

impl Lasso {
    /// Number of different positions.
    pub fn len(&self) -> usize {
        self.prefix.len() + self.cycle.len()
    }

    /// Never: a lasso has at least the one position of its cycle.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// The letter at a position.
    pub fn letter(&self, at: usize) -> u64 {
        match at.checked_sub(self.prefix.len()) {
            None => self.prefix[at],
            Some(at) => self.cycle[at],
        }
    }

    /// The position that follows.
    pub fn next(&self, at: usize) -> usize {
        if at + 1 == self.len() { self.prefix.len() } else { at + 1 }
    }
}

/// Whether the word satisfies the formula, by the definition of each operator.
pub fn satisfies(word: &Lasso, formula: &Formula) -> bool {
    truth(word, formula)[0]
}

/// The truth of a formula at every position.
pub fn truth(word: &Lasso, formula: &Formula) -> Vec<bool> {
    let n = word.len();
    let both = |a: &Formula, b: &Formula, op: fn(bool, bool) -> bool| {
        let (a, b) = (truth(word, a), truth(word, b));
        (0..n).map(|i| op(a[i], b[i])).collect()
    };
    match formula {
        Formula::True => vec![true; n],
        Formula::False => vec![false; n],
        Formula::Atom(atom) => (0..n).map(|i| word.letter(i) >> atom & 1 == 1).collect(),
        Formula::Not(a) => truth(word, a).into_iter().map(|v| !v).collect(),
        Formula::And(a, b) => both(a, b, |a, b| a && b),
        Formula::Or(a, b) => both(a, b, |a, b| a || b),
        Formula::Implies(a, b) => both(a, b, |a, b| !a || b),
        Formula::Equivalent(a, b) => both(a, b, |a, b| a == b),
        Formula::Next(a) => {
            let a = truth(word, a);
            (0..n).map(|i| a[word.next(i)]).collect()
        }
        Formula::Eventually(a) => least(word, &vec![true; n], &truth(word, a)),
        Formula::Until(a, b) => least(word, &truth(word, a), &truth(word, b)),
        Formula::Always(a) => greatest(word, &vec![false; n], &truth(word, a)),
        Formula::Release(a, b) => greatest(word, &truth(word, a), &truth(word, b)),
        Formula::WeakUntil(a, b) => {
            let (a, b) = (truth(word, a), truth(word, b));
            let until = least(word, &a, &b);
            let always = greatest(word, &vec![false; n], &a);
            (0..n).map(|i| until[i] || always[i]).collect()
        }
    }
}

/// `a U b`: the least solution of `u = b || a && next u`.
fn least(word: &Lasso, a: &[bool], b: &[bool]) -> Vec<bool> {
    let mut u = b.to_vec();
    // Twice round is enough for a fact to travel from any position to any other.
    for _ in 0..2 {
        for i in (0..u.len()).rev() {
            u[i] = b[i] || (a[i] && u[word.next(i)]);
        }
    }
    u
}

/// `a R b`: the greatest solution of `u = b && (a || next u)`.
fn greatest(word: &Lasso, a: &[bool], b: &[bool]) -> Vec<bool> {
    let mut u = b.to_vec();
    for _ in 0..2 {
        for i in (0..u.len()).rev() {
            u[i] = b[i] && (a[i] || u[word.next(i)]);
        }
    }
    u
}

/// Whether the automaton has an accepting run over the word: the product of the two is an automaton
/// over a single letter, which accepts where a component that can be reached carries all marks.
pub fn accepts(automaton: &Automaton, word: &Lasso) -> bool {
    let positions = word.len() as u32;
    let at = |state: u32, position: usize| state * positions + position as u32;
    let mut product = Automaton {
        initial: at(automaton.initial, 0),
        states: vec![Vec::new(); automaton.states.len() * word.len()],
        sets: automaton.sets,
    };
    for (state, out) in automaton.states.iter().enumerate() {
        for position in 0..word.len() {
            let here = at(state as u32, position) as usize;
            for t in out.iter().filter(|t| t.label.holds(word.letter(position))) {
                let to = at(t.to, word.next(position));
                product.states[here].push(crate::Transition { to, ..*t });
            }
        }
    }
    !is_empty(&product)
}

/// Whether the automaton has no accepting run at all.
pub fn is_empty(automaton: &Automaton) -> bool {
    let scc = crate::scc::components(automaton);
    let all = automaton.all_marks();
    !(0..scc.cyclic.len() as u32).any(|c| scc.accepting(c, all))
}
