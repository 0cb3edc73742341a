//! What a trace leaves out of a long transition: a loop of a million iterations is one transition, and
//! no reader follows each of its steps.
//!
//! *Entry points:* [`Omission::of`] before a transition is annotated, [`StepAnnotation::leaves_out`] for
//! each step.
//! *Invariant:* the first and the last steps of a transition are annotated, and all steps with notes
//! (locks, threads) up to a number. Of every other statement the last execution is there, so that an
//! access that a report names is one of the trace.

use std::ops::Range;

use rustc_hash::FxHashMap;

use axle_c::Program;
use axle_c::code::Op;

use crate::observers::step_annotation::{AnnotatedStep, Note, StepAnnotation};
use crate::state::program_state::Thread;

/// Steps of a transition that are annotated at its beginning, and at its end.
const FIRST: u64 = 5_000;
const LAST: u64 = 5_000;

/// Steps with notes that are annotated between.
const NOTED: usize = 5_000;

/// The steps of a transition that are left out.
#[derive(Clone, Default, Debug)]
pub(crate) struct Omission {
    /// By their numbers in the transition; and the number of the next step.
    range: Range<u64>,
    next: u64,
    noted: usize,
    /// The last execution of each step of the user's code by a thread.
    last: FxHashMap<(usize, u32, u32), u64>,
}

impl Omission {
    /// For a transition with a number of steps.
    pub fn of(steps: u64) -> Omission {
        let range = if steps > FIRST + LAST { FIRST..steps - LAST } else { 0..0 };
        Omission { range, ..Omission::default() }
    }

    /// The last executions in their order, behind the steps that are left out.
    fn last_steps(&mut self) -> impl Iterator<Item = AnnotatedStep> {
        let mut last: Vec<_> = std::mem::take(&mut self.last).into_iter().collect();
        last.sort_unstable_by_key(|&(_, number)| number);
        let text = format!("some of the last {} operations are left out before this", self.range.end - FIRST);
        let mut notes = vec![Note { text, ..Note::default() }];
        last.into_iter().map(move |((thread, code, pc), _)| AnnotatedStep {
            thread,
            code,
            pc,
            notes: std::mem::take(&mut notes),
            ..AnnotatedStep::default()
        })
    }
}

impl StepAnnotation {
    /// Whether the next step of a thread is left out. It changes neither objects nor threads.
    pub(crate) fn leaves_out(&mut self, program: &Program, thread: &Thread, t: usize) -> bool {
        let number = self.omission.next;
        self.omission.next += 1;
        if number == self.omission.range.end && number > 0 {
            self.annotated.extend(self.omission.last_steps());
        }
        if !self.omission.range.contains(&number) {
            return false;
        }
        let is_user = |code: u32| program.codes.get(code as usize).is_some_and(|code| !code.ours);
        if let Some(frame) = thread.frames.iter().rev().find(|frame| is_user(frame.code)) {
            self.omission.last.insert((t, frame.code, frame.pc), number);
        }
        let frame = thread.frames.last();
        let op = frame.and_then(|frame| program.codes.get(frame.code as usize)?.ops.get(frame.pc as usize));
        !matches!(
            op,
            None | Some(
                Op::Lib { .. }
                    | Op::Call { .. }
                    | Op::Return { .. }
                    | Op::Live { .. }
                    | Op::LiveVla { .. }
                    | Op::Dead { .. }
            )
        )
    }

    /// Whether a step is left out once it is annotated.
    pub(crate) fn omits(&mut self, annotated: &AnnotatedStep) -> bool {
        if !self.omission.range.contains(&(self.omission.next.saturating_sub(1))) {
            return false;
        }
        let locks = |note: &Note| note.acquires.is_some() || note.releases.is_some();
        let is_noted = !annotated.notes.is_empty() || annotated.input.is_some();
        self.omission.noted += usize::from(is_noted);
        let is_shown = is_noted && self.omission.noted <= NOTED || annotated.notes.iter().any(locks);
        !is_shown
    }

    /// Whether the present step is one that is left out, so that it takes little time.
    pub(crate) fn is_brief(&self) -> bool {
        self.omission.range.contains(&self.omission.next)
    }
}
