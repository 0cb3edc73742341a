//! The next step of a given execution: the processes that do not take it are executed only as far as
//! the position of the step among all successors depends on them.
//!
//! Successors are grouped by process. Those after the executing process need not be computed, and
//! only those of this process are needed in detail.
//!
//! *Entry points:* [`Interpreter::successor`], [`Interpreter::step_at`], [`Interpreter::steps_by`].
//!
//! *Invariant:* positions and steps are those of [`Interpreter::steps`].

use super::detail::{StepDetail, Steps};
use super::edge::Ask;
use super::{Expansion, Interpreter, priority};
use crate::batch::Batch;
use crate::successors::{Grow, Successors};

/// The process that makes a certain step.
#[derive(Clone, Copy)]
struct Executing {
    pid: u32,
    /// The position of its first successor.
    first: u32,
    ask: Ask,
}

impl Interpreter {
    /// The successor at a position; none if there are fewer. Widens the layout for new processes.
    pub fn successor(&mut self, state: &[u8], position: u32) -> Option<Vec<u8>> {
        let mut batch = Batch::default();
        self.executing(state, position, &mut batch)?;
        let width = self.machine.layout.width();
        let start = position as usize * width;
        Some(batch.states[start..start + width].to_vec())
    }

    /// The step to the successor at a position, in detail; none if there are fewer. Widens the
    /// layout for new processes.
    pub fn step_at(&mut self, state: &[u8], position: u32) -> Option<StepDetail> {
        let mover = self.executing(state, position, &mut Batch::default())?;
        let mut own = self.detailed(state, mover.pid, mover.ask);
        let index = (position - mover.first) as usize;
        (index < own.len()).then(|| own.swap_remove(index))
    }

    /// The steps of a process that are possible without `timeout`, in detail, and the position of
    /// the first one among all successors. Widens the layout for new processes.
    pub fn steps_by(&mut self, state: &[u8], pid: u32) -> (u32, Vec<StepDetail>) {
        let mut batch = Batch::default();
        self.widening(state, |interpreter, state| {
            interpreter.expand_with(state, &mut batch, None, |expansion, _, state| {
                expansion.attempt(state, Ask::default(), |other| other < pid).map(|_| ())
            })
        });
        (batch.ends[0], self.detailed(state, pid, Ask::default()))
    }

    /// Runs an operation on a state, again with a wider layout as long as it needs one.
    fn widening<T>(
        &mut self,
        state: &[u8],
        mut operation: impl FnMut(&mut Interpreter, &[u8]) -> Result<T, Grow>,
    ) -> T {
        loop {
            let wide = self.widened(state);
            match operation(self, &wide) {
                Ok(result) => return result,
                Err(Grow { size }) => self.grow(size),
            }
        }
    }

    /// The process whose step leads to the successor at a position. `batch` then holds the
    /// successors up to this one at least.
    fn executing(&mut self, state: &[u8], position: u32, batch: &mut Batch) -> Option<Executing> {
        self.widening(state, |interpreter, state| {
            let found = std::cell::Cell::new(None);
            interpreter.expand_with(state, batch, None, |expansion, _, state| {
                found.set(expansion.up_to(state, position)?);
                Ok(())
            })?;
            Ok(found.get())
        })
    }

    /// The steps of one process in detail.
    fn detailed(&mut self, state: &[u8], pid: u32, ask: Ask) -> Vec<StepDetail> {
        self.widening(state, |interpreter, state| {
            let mut steps = Steps::default();
            interpreter.expand_with(
                state,
                &mut Batch::default(),
                Some(&mut steps),
                |expansion, _, state| expansion.attempt(state, ask, |other| other == pid).map(|_| ()),
            )?;
            Ok(steps.steps)
        })
    }
}

impl Expansion<'_> {
    /// Emits successors up to the one at a position, and returns the process that makes its step.
    fn up_to(&mut self, state: &[u8], position: u32) -> Result<Option<Executing>, Grow> {
        for timeout in [false, true] {
            if timeout && !self.uses_timeout {
                break;
            }
            let ask = Ask { timeout, ..Ask::default() };
            let lead = priority::highest(self.machine, state, timeout, self.log);
            let mut executable = false;
            for pid in 0..self.machine.count(state) {
                if lead.is_some_and(|lead| self.machine.priority(state, pid) != lead) {
                    continue;
                }
                let first = self.emit.count();
                executable |= self.attempt_process(state, ask, pid)?;
                if self.emit.count() > position {
                    return Ok(Some(Executing { pid, first, ask }));
                }
                if self.emit.cut.is_some() {
                    return Ok(None);
                }
            }
            if executable {
                break;
            }
        }
        Ok(None)
    }
}
