//! Expansion of a subset of the processes of a state: their step functions are called individually,
//! without the driver. If generated code bails out, the interpreter expands the source, as
//! everywhere.
//!
//! *Entry point:* the [`Selective`] implementation of [`Compiled`].

use super::runtime::{self, bail};
use super::{Compiled, Outcome, Run};
use crate::batch::Batch;
use crate::fault::Fault;
use crate::successors::{EVERYONE, Grow, Selective};

impl Compiled {
    /// Expands the processes of a mask in one source; the successors are then in the buffer.
    fn some(&self, run: &mut Run, number: usize, mask: u64, out: &mut Batch) -> Outcome {
        run.aim(&self.tables, 1, out);
        run.ctx.fuel = runtime::FUEL;
        let (start, source) = (run.ctx.out, &run.states[number * run.width..(number + 1) * run.width]);
        let (mut to, mut left) = (start, mask);
        while left != 0 {
            let pid = left.trailing_zeros() as usize;
            left &= left - 1;
            let Some((proc, _)) = self.tables.standing(source, pid) else { break };
            let (step, slot) = (self.code.steps[proc.index()], self.tables.slot_bases[pid]);
            // SAFETY: the function of the type of the process in that slot; the context is set up,
            // with room for the successors of one source at `to`, and `source` is a whole state.
            to = unsafe { step(&mut run.ctx, source.as_ptr(), slot.into(), pid as u64, to) };
            if run.ctx.bail != bail::NONE {
                break;
            }
        }
        match run.ctx.bail {
            bail::NONE => {
                run.keep(out, to);
                Outcome::Done
            }
            bail::FULL => Outcome::Full,
            _ => Outcome::GaveUp,
        }
    }

    /// Expands a subset of the processes of one source, by generated code or by the interpreter.
    fn see_to_some(&mut self, run: &mut Run, number: usize, mask: u64, out: &mut Batch) -> Result<(), Grow> {
        let mut frames = std::mem::take(&mut self.frames);
        let outcome = loop {
            run.reset(&mut frames);
            match self.some(run, number, mask, out) {
                Outcome::Full => {
                    if !run.enlarge(out) {
                        break Outcome::Full;
                    }
                }
                outcome => break outcome,
            }
        };
        run.reset(&mut frames);
        self.frames = frames;
        if matches!(outcome, Outcome::GaveUp) {
            let source = &run.states[number * run.width..(number + 1) * run.width];
            self.interpret_some(source, number, mask, out)?;
        }
        out.ends.push((out.states.len() / run.width) as u32);
        Ok(())
    }

    /// Expands the processes of a mask in `source`, the state with this number, by the interpreter.
    fn interpret_some(
        &mut self,
        source: &[u8],
        number: usize,
        mask: u64,
        out: &mut Batch,
    ) -> Result<(), Grow> {
        let first = (out.states.len() / source.len()) as u32;
        self.scratch.most = out.most.map(|most| most.saturating_sub(out.states.len()));
        self.scratch.interrupt.clone_from(&out.interrupt);
        self.interpreter.expand_chosen(source, &[mask], &mut self.scratch)?;
        out.cut = out.cut.or(self.scratch.cut);
        self.interpreted += 1;
        out.states.extend_from_slice(&self.scratch.states);
        out.faults.extend(self.scratch.faults.iter().map(|fault| Fault {
            source: number as u32,
            successor: fault.successor.map(|s| s + first),
            ..*fault
        }));
        for (own, other) in self.taken.iter_mut().zip(self.interpreter.taken()) {
            for (own, other) in own.iter_mut().zip(other) {
                *own |= *other;
            }
        }
        Ok(())
    }
}

impl Selective for Compiled {
    fn expand_chosen(&mut self, states: &[u8], chosen: &[u64], out: &mut Batch) -> Result<(), Grow> {
        out.clear();
        let width = self.tables.layout.width();
        let sources = states.len() / width;
        assert_eq!((states.len(), chosen.len()), (sources * width, sources), "a mask for each whole state");
        let taken: Vec<*mut bool> = self.taken.iter_mut().map(|flags| flags.as_mut_ptr()).collect();
        let mut run = self.run(states, &taken);
        let mut expanded = Ok(());
        for (number, &mask) in chosen.iter().enumerate() {
            expanded = match mask {
                EVERYONE => self.see_to(&mut run, number, out),
                mask => self.see_to_some(&mut run, number, mask, out),
            };
            if expanded.is_err() || out.cut.is_some() {
                break;
            }
        }
        self.notes = run.notes;
        out.keep_to_limit();
        expanded
    }
}
