//! How an execution violates a timeline: the steps that match its marks, and the mark that is missing
//! or forbidden.
//!
//! The ways to match the marks are followed together, step by step, as the states of an automaton:
//! *seeking* the next mark while the bars hold, *waiting* for a required mark that never comes, and
//! *guarding* against a forbidden one. Each state refers to the matches that lead to it. A violation
//! that ends latest in the timeline is shown, because it has matched most.
//!
//! *Entry point:* [`violation`].
//! *Invariant:* there is a result if and only if [`axle_ltl::timeline::oracle`] finds a violation; tests
//! compare them.
//! *Cost:* linear in the product of the steps and the marks.

use std::rc::Rc;

use axle_ltl::Formula;
use axle_ltl::timeline::{MarkKind, Timeline};

/// An execution as the propositions of a timeline see it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Word {
    /// For each position, whether each proposition holds.
    pub letters: Vec<Vec<bool>>,
    /// The position at which the cycle begins; without a cycle, the last letter repeats.
    pub cycle: Option<usize>,
}

/// What became of a mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It is matched at this position.
    Matched(usize),
    /// It is required and never matched.
    Missing,
    /// It is forbidden and occurs at this position.
    Occurs(usize),
    /// The violation does not depend on it.
    Irrelevant,
}

/// The last match of a chain.
struct Match {
    mark: usize,
    position: usize,
    before: Chain,
}

type Chain = Option<Rc<Match>>;

/// A state of the automaton behind the mark `from`.
#[derive(Clone)]
struct Thread {
    from: Option<usize>,
    aim: Aim,
    chain: Chain,
    since: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Aim {
    Seek,
    Wait,
    Guard(usize),
}

/// The fate of each mark in a violating execution; none if the execution violates nothing.
#[must_use]
pub fn violation(timeline: &Timeline, word: &Word) -> Option<Vec<Fate>> {
    let length = word.letters.len();
    let begin = word.cycle.filter(|begin| *begin < length).unwrap_or_else(|| length.saturating_sub(1));
    let round = length.checked_sub(begin).filter(|round| *round > 0)?;
    let end = length + (timeline.marks.len() + 1) * round;
    let mut threads = entered(timeline, None, &None, 0);
    for step in 0..end {
        let position = if step < length { step } else { begin + (step - begin) % round };
        let letter = &word.letters[position];
        let mut next: Vec<Thread> = Vec::new();
        for thread in &threads {
            match advance(timeline, thread, letter, position) {
                Advance::Violated(mark) => {
                    return Some(fates(timeline, &thread.chain, Fate::Occurs(position), mark));
                }
                Advance::To(reached) => reached.into_iter().for_each(|(matched, mut thread)| {
                    thread.since = if matched { step + 1 } else { thread.since };
                    add(&mut next, thread);
                }),
            }
        }
        threads = next;
    }
    let lasting = threads.into_iter().filter(|thread| thread.aim == Aim::Wait && thread.since + round <= end);
    let latest = lasting.max_by_key(|thread| thread.from)?;
    let missing = following(timeline, latest.from)?;
    Some(fates(timeline, &latest.chain, Fate::Missing, missing))
}

/// The next mark that is matched behind another one.
fn following(timeline: &Timeline, from: Option<usize>) -> Option<usize> {
    let first = from.map_or(0, |from| from + 1);
    (first..timeline.marks.len()).find(|&mark| timeline.marks[mark].kind != MarkKind::Forbidden)
}

/// The states right behind a mark.
fn entered(timeline: &Timeline, from: Option<usize>, chain: &Chain, since: usize) -> Vec<Thread> {
    let next = following(timeline, from);
    let first = from.map_or(0, |from| from + 1);
    let mut aims = Vec::new();
    if let Some(next) = next {
        aims.push(Aim::Seek);
        if timeline.marks[next].kind != MarkKind::Event {
            aims.push(Aim::Wait);
        }
    }
    aims.extend((first..next.unwrap_or(timeline.marks.len())).map(Aim::Guard));
    aims.into_iter().map(|aim| Thread { from, aim, chain: chain.clone(), since }).collect()
}

enum Advance {
    /// This forbidden mark occurs.
    Violated(usize),
    /// The next states, each with whether a mark was matched on the way.
    To(Vec<(bool, Thread)>),
}

fn advance(timeline: &Timeline, thread: &Thread, letter: &[bool], position: usize) -> Advance {
    let next = following(timeline, thread.from);
    let is_next = next.is_some_and(|next| value(&timeline.marks[next].condition, letter));
    let bars = |to: usize| {
        let Some(from) = thread.from else { return true };
        let over = timeline.bars.iter().filter(|bar| bar.from <= from && to <= bar.to);
        over.into_iter().all(|bar| value(&bar.condition, letter))
    };
    let stays = |stays: bool| if stays { vec![(false, thread.clone())] } else { Vec::new() };
    Advance::To(match (thread.aim, next) {
        (Aim::Guard(mark), _) if !is_next && value(&timeline.marks[mark].condition, letter) => {
            return Advance::Violated(mark);
        }
        (Aim::Guard(mark), _) => stays(!is_next && bars(mark)),
        (Aim::Wait, Some(next)) => stays(!is_next && bars(next)),
        (Aim::Seek, Some(next)) => {
            let mut reached = stays(bars(next));
            if is_next {
                let matched = Match { mark: next, position, before: thread.chain.clone() };
                let entered = entered(timeline, Some(next), &Some(Rc::new(matched)), 0);
                reached.extend(entered.into_iter().map(|thread| (true, thread)));
            }
            reached
        }
        (Aim::Wait | Aim::Seek, None) => Vec::new(),
    })
}

/// Adds a state. Of two equal ones that wait, the earlier one is kept: it has waited longer.
fn add(threads: &mut Vec<Thread>, thread: Thread) {
    let same = |one: &&mut Thread| one.from == thread.from && one.aim == thread.aim;
    match threads.iter_mut().find(same) {
        Some(known) if known.since > thread.since => *known = thread,
        Some(_) => {}
        None => threads.push(thread),
    }
}

fn fates(timeline: &Timeline, chain: &Chain, decisive: Fate, mark: usize) -> Vec<Fate> {
    let mut fates = vec![Fate::Irrelevant; timeline.marks.len()];
    fates[mark] = decisive;
    let mut last = chain.as_ref();
    while let Some(one) = last {
        fates[one.mark] = Fate::Matched(one.position);
        last = one.before.as_ref();
    }
    fates
}

/// The value of a formula without temporal operators.
fn value(formula: &Formula, letter: &[bool]) -> bool {
    let of = |formula: &Formula| value(formula, letter);
    match formula {
        Formula::True => true,
        Formula::Atom(atom) => letter.get(*atom as usize).copied().unwrap_or(false),
        Formula::Not(a) => !of(a),
        Formula::And(a, b) => of(a) && of(b),
        Formula::Or(a, b) => of(a) || of(b),
        Formula::Implies(a, b) => !of(a) || of(b),
        Formula::Equivalent(a, b) => of(a) == of(b),
        // Timelines contain no temporal operators.
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use axle_ltl::Lasso;
    use axle_ltl::timeline::{oracle, parse};

    use super::*;
    use axle_generate::Random;

    /// A word whose letters are bits.
    fn word(prefix: &[u64], cycle: &[u64], atoms: usize) -> Word {
        let letter = |bits: &u64| (0..atoms).map(|atom| bits >> atom & 1 == 1).collect();
        let cycle_at = (!cycle.is_empty()).then_some(prefix.len());
        Word { letters: prefix.iter().chain(cycle).map(letter).collect(), cycle: cycle_at }
    }

    #[test]
    fn the_missing_mark_and_the_matches_before_it_are_found() {
        let line = parse("e lifted = a\nr tone = b\nbar !c from lifted to tone\n").expect("a timeline");
        let found = violation(&line, &word(&[0, 1, 0], &[0, 0], line.atoms.len()));
        assert_eq!(found, Some(vec![Fate::Matched(1), Fate::Missing]));
        let tone = line.atoms.iter().position(|atom| atom.contains('b')).expect("an atom");
        assert_eq!(violation(&line, &word(&[0, 1, 1 << tone], &[0], line.atoms.len())), None);
    }

    #[test]
    fn a_forbidden_mark_is_shown_where_it_occurs() {
        let line = parse("e start = a\nx bad = b\nt done = c\n").expect("a timeline");
        let at = |name: &str| 1 << line.atoms.iter().position(|atom| atom.contains(name)).expect("an atom");
        let found = violation(&line, &word(&[0, at("a"), 0, at("b")], &[], line.atoms.len()));
        assert_eq!(found, Some(vec![Fate::Matched(1), Fate::Occurs(3), Fate::Irrelevant]));
        let satisfied = word(&[at("a"), at("c")], &[0], line.atoms.len());
        assert_eq!(violation(&line, &satisfied), None);
    }

    #[test]
    fn violations_are_those_of_the_oracle() {
        let texts = [
            "e p = a\nt q = b\n",
            "e p = a\nr q = b\nt s = c\nbar {!c} from p to q\n",
            "e p = a\nx q = b\nt s = c\nbar {!a} from p to s\n",
            "r p = a\ne q = b\nr s = c\nbar {a || b} from p to s\nbar {!c} from q to s\n",
            "e p = a\nx q = b\n",
        ];
        let mut numbers = Random::of(7, 0);
        let mut random = |below: u64| numbers.below(below);
        let mut violated = 0;
        for text in texts {
            let line = parse(text).expect("a timeline");
            for _ in 0..2000 {
                let letters = 1 << line.atoms.len();
                let prefix: Vec<u64> = (0..random(5)).map(|_| random(letters)).collect();
                let cycle: Vec<u64> = (0..1 + random(4)).map(|_| random(letters)).collect();
                let found = violation(&line, &word(&prefix, &cycle, line.atoms.len()));
                let lasso = Lasso { prefix: prefix.clone(), cycle: cycle.clone() };
                assert_eq!(found.is_some(), oracle::violates(&line, &lasso), "{text} {prefix:?} {cycle:?}");
                violated += usize::from(found.is_some());
            }
        }
        assert!(violated > 500, "{violated} violations");
    }
}
