//! Which steps of a long execution are shown where there is room for some of them only.
//!
//! *Entry point:* [`abridge`].
//!
//! Steps are taken by what they explain: violations and nondeterministic outcomes first, then waiting
//! threads, switches between processes, synchronisation, accesses to shared memory, and steps of one
//! process on its own last. Among steps of one kind the later are nearer to the violation.
//!
//! *Invariant:* a kept step is always one of the given execution, in its order, and a single step is
//! never left out: the line that says so takes the same room.

use super::{NoteKind, Trace, TraceStep};

/// Steps at the begin and at the end that are always kept.
const FIRST: usize = 3;
const LAST: usize = 12;

/// How much a step explains; a smaller rank is kept first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    /// A violation, an outcome that no statement shows, the ends of the execution.
    Essential,
    /// A thread waits, goes on or wakes others.
    Waiting,
    /// Another process moves than before.
    Switch,
    /// Messages and synchronisation; the last step before another process moves.
    Synchronisation,
    /// Output, and reads of shared memory.
    Shared,
    /// Anything else.
    Local,
}

fn rank(trace: &Trace, at: usize) -> Rank {
    let step = &trace.steps[at];
    let other = |neighbour: Option<&TraceStep>| neighbour.is_some_and(|one| one.by.pid != step.by.pid);
    let has = |kind: NoteKind| step.notes.iter().any(|note| note.kind == kind && !note.text.is_empty());
    let is_end = at < FIRST || at + LAST >= trace.steps.len();
    let begins_cycle = trace.cycle == Some(step.step) && step.part == 1;
    if is_end || begins_cycle || !step.faults.is_empty() || has(NoteKind::Outcome) {
        Rank::Essential
    } else if has(NoteKind::Waiting) {
        Rank::Waiting
    } else if at.checked_sub(1).is_some_and(|before| other(trace.steps.get(before))) {
        Rank::Switch
    } else if step.partner.is_some()
        || !step.messages.is_empty()
        || has(NoteKind::Operation)
        || has(NoteKind::Input)
        || other(trace.steps.get(at + 1))
    {
        Rank::Synchronisation
    } else if !step.reads.is_empty() || !step.printed.is_empty() {
        Rank::Shared
    } else {
        Rank::Local
    }
}

/// The steps of an execution to show in about so many lines: true for each that is kept. Steps that
/// are left out take one line for each sequence of them.
#[must_use]
pub fn abridge(trace: &Trace, lines: usize) -> Vec<bool> {
    let own = |step: &TraceStep| 1 + step.faults.len();
    let total: usize = trace.steps.iter().map(own).sum();
    if total <= lines {
        return vec![true; trace.steps.len()];
    }
    let mut order: Vec<(Rank, usize)> = (0..trace.steps.len()).map(|at| (rank(trace, at), at)).collect();
    order.sort_by_key(|&(rank, at)| (rank, std::cmp::Reverse(at)));
    let mut kept = vec![false; trace.steps.len()];
    // All steps are left out: one line.
    let mut used = 1;
    for (_, at) in order {
        let is_kept = |at: Option<usize>| at.and_then(|at| kept.get(at).copied()).unwrap_or(true);
        // The sequence of omitted steps is cut in two, or ends here, or vanishes.
        let sides = [at.checked_sub(1), Some(at + 1)];
        let gaps = sides.into_iter().filter(|side| !is_kept(*side)).count();
        let needed = used + own(&trace.steps[at]) + gaps - 1;
        if needed <= lines {
            (kept[at], used) = (true, needed);
        }
    }
    // A gap of one step takes as much room as the step.
    for at in 1..kept.len().saturating_sub(1) {
        kept[at] |= kept[at - 1] && kept[at + 1];
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trace::{Mover, Note};

    fn step(number: u64, pid: u32) -> TraceStep {
        let by = Mover { pid, process: format!("t({pid})"), place: None, statement: "s".into() };
        TraceStep::of(number, by)
    }

    fn trace(threads: impl Iterator<Item = u32>) -> Trace {
        let steps = (1..).zip(threads).map(|(number, pid)| step(number, pid)).collect();
        Trace::of(steps)
    }

    /// The lines of an abridged trace.
    fn lines(kept: &[bool]) -> usize {
        let gaps = (0..kept.len()).filter(|&at| !kept[at] && (at == 0 || kept[at - 1])).count();
        kept.iter().filter(|kept| **kept).count() + gaps
    }

    #[test]
    fn short_traces_are_whole() {
        assert_eq!(abridge(&trace((0..60).map(|_| 0)), 60), vec![true; 60]);
    }

    #[test]
    fn steps_that_explain_are_kept() {
        let mut long = trace((0..200).map(|at| u32::from(at >= 100)));
        let note = |text: &str, kind| Note { text: text.into(), kind, gives: Vec::new(), takes: Vec::new() };
        long.steps[50].notes.push(note("wakes up without a signal", NoteKind::Outcome));
        long.steps[70].notes.push(note("locks m", NoteKind::Operation));
        let kept = abridge(&long, 40);
        for at in [0, 50, 70, 99, 100, 199] {
            assert!(kept[at], "{at}");
        }
        assert!(!kept[20]);
        assert!(lines(&kept) <= 40, "{}", lines(&kept));
    }

    #[test]
    fn the_lines_are_used_and_not_exceeded() {
        for most in [20, 33, 60] {
            for threads in [1, 2, 5] {
                let kept = abridge(&trace((0..500).map(|at| at % threads)), most);
                assert!((most - 1..=most).contains(&lines(&kept)), "{most} {threads} {}", lines(&kept));
            }
        }
    }
}
