//! Which values an input is tried with, and whether these stand for all. An input takes one value of each
//! class of values that the program treats alike where these are known (`inputs.rs` of the front end), and
//! else some that matter, small ones too; time stands still but for what is slept, and the machine is
//! always the same.
//!
//! *Entry points:* [`Machine::domain`], [`Site`].
//! *Invariant:* where [`Machine::is_whole`] is true, executions with other values differ in no verdict.

use axle_c::Binary;
use axle_c::Program;
use axle_c::analysis::clocks::seeds;
use axle_c::analysis::inputs::Classes;
use axle_c::analysis::liveness::is_live;
use axle_c::code::{Arg, Class, Code, Op};
use axle_c::library::Lib;

use crate::machine::{Execution, Machine};
use crate::semantics::library::asked_of_system;
use crate::state::settings::Watch;

/// A call of the library.
#[derive(Clone, Copy)]
pub(crate) struct Site<'p> {
    pub program: &'p Program,
    pub code: u32,
    pub pc: u32,
    /// Formulas may look at more than the program does.
    pub watch: &'p Watch,
}

impl<'p> Site<'p> {
    fn body(self) -> &'p Code {
        &self.program.codes[self.code as usize]
    }

    /// The classes of values of the input that is read here, where they are known.
    pub fn classes(self) -> Option<&'p Classes> {
        self.program.inputs.get(&(self.code, self.pc)).filter(|_| self.program_observes())
    }

    /// Whether the classes of inputs account for everything that formulas look at.
    fn program_observes(self) -> bool {
        let Watch { on, objects, steps: _, registers, slots } = self.watch;
        let is_known = |object: &u32| self.program.observed.contains(object);
        !on || registers.is_empty() && slots.is_empty() && objects.iter().all(is_known)
    }

    /// Whether the values that the input is tried with stand for all.
    pub fn is_whole(self, lib: Lib) -> bool {
        lib.has_few_values()
            || self.classes().is_some_and(|classes| classes.exact)
            || self.only_truth()
            || self.is_moot()
    }

    /// Whether the clock value, or the fact about the machine, is only printed, or only seeds `rand`, or is
    /// the same on every machine.
    pub fn is_known(self, lib: Lib) -> bool {
        seeds(self.body(), self.pc) || self.only_printed(lib) || self.is_the_same(lib)
    }

    fn is_the_same(self, lib: Lib) -> bool {
        let Some(Op::Lib { args, .. }) = self.body().ops.get(self.pc as usize) else { return false };
        let asked = |name: u64| asked_of_system(name as i32).is_some();
        lib == Lib::Sysconf && matches!(args.first(), Some(&Arg::Int(name)) if asked(name))
    }

    /// Whether the clock value is only printed.
    fn only_printed(self, lib: Lib) -> bool {
        lib.reads_time_or_process() && !self.watch.on && self.program.timers.contains(&self.code)
    }

    /// Whether the result only determines how long the thread sleeps.
    fn is_moot(self) -> bool {
        let code = self.body();
        let Some(Op::Lib { dst, .. }) = code.ops.get(self.pc as usize) else { return false };
        let (mut derived, mut small) = (vec![*dst], false);
        for pc in self.pc + 1..self.pc + 17 {
            if !derived.iter().any(|&reg| is_live(code, pc, reg)) {
                return true;
            }
            let Some(op) = code.ops.get(pc as usize) else { return false };
            let mut reads = false;
            op.reads(|reg| reads |= derived.contains(&reg));
            match op {
                Op::Move { dst, .. } | Op::Convert { dst, .. } if reads => derived.push(*dst),
                // None of these makes an error.
                Op::Binary { dst, op: Binary::Rem, b: Arg::Int(1..=1_000_000), .. } if reads => {
                    derived.push(*dst);
                    small = true;
                }
                Op::Binary { dst, op: Binary::Add | Binary::Mul, a: Arg::Int(0..=1_000), .. }
                | Op::Binary { dst, op: Binary::Add | Binary::Mul, b: Arg::Int(0..=1_000), .. }
                    if reads && small =>
                {
                    derived.push(*dst);
                    small = false;
                }
                Op::Lib { lib, .. } if lib.row().ignores_arguments => {}
                _ if reads => return false,
                Op::Move { dst, .. } | Op::Convert { dst, .. } | Op::Binary { dst, .. } => {
                    derived.retain(|reg| reg != dst);
                }
                _ => return false,
            }
        }
        false
    }

    /// Whether only the truth of the value matters.
    fn only_truth(self) -> bool {
        let code = self.body();
        let Some(Op::Lib { dst, .. }) = code.ops.get(self.pc as usize) else { return false };
        match code.ops.get(self.pc as usize + 1) {
            Some(Op::Branch { cond: Arg::Reg(reg), yes, no, .. }) if reg == dst => {
                !is_live(code, *yes, *dst) && !is_live(code, *no, *dst)
            }
            Some(Op::Convert { a: Arg::Reg(reg), to, .. }) if reg == dst => {
                to.class == Class::Bool && !is_live(code, self.pc + 2, *dst)
            }
            _ => false,
        }
    }
}

impl<E: Execution> Machine<'_, E> {
    /// The call that a thread is at.
    fn site(&self, t: usize) -> Option<Site<'_>> {
        let frame = self.state.threads[t].frames.last()?;
        Some(Site { program: self.program, code: frame.code, pc: frame.pc, watch: &self.settings.watch })
    }

    /// The values that input is tried with: one for each class of values that the program treats
    /// alike, where these are known; all of small types; else those around the numbers that the
    /// program compares with. Where only zero or not decides, two are all.
    pub fn domain(&self, t: usize, lib: Lib) -> Vec<i64> {
        let (Some((low, high)), Some(site)) = (lib.range(), self.site(t)) else { return vec![0] };
        if site.is_moot() {
            return vec![0];
        }
        if site.only_truth() {
            return vec![0, 1];
        }
        let classes = site.classes();
        if let Some(classes) = classes.filter(|classes| classes.exact) {
            return classes.values.to_vec();
        }
        if lib.has_few_values() {
            return (low as i64..=high as i64).collect();
        }
        // The smaller machine's `long` has 32 bits.
        let narrow = self.pointer_size() == 4 && lib.is_long_input();
        let (low, high) = match narrow {
            true => (low.max(i32::MIN.into()), high.min(i32::MAX.into())),
            false => (low, high),
        };
        // With one thread, or one round of a loop, much stays hidden that two show.
        let mut values = vec![low, high, 0, 1, 2, -1];
        for constant in self.program.constants.iter().map(|&constant| i128::from(constant)) {
            values.extend([constant - 1, constant, constant + 1]);
        }
        if let Some(classes) = classes.filter(|classes| classes.values.len() <= 64) {
            let unsigned = low == 0;
            values.extend(classes.values.iter().map(|&value| match unsigned {
                true => i128::from(value as u64),
                false => i128::from(value),
            }));
        }
        values.retain(|value| (low..=high).contains(value));
        values.sort_unstable();
        values.dedup();
        values.into_iter().map(|value| value as i64).collect()
    }

    /// Whether the values that the input is tried with, which a thread is about to read, stand for
    /// all.
    pub fn is_whole(&self, t: usize, lib: Lib) -> bool {
        self.site(t).is_some_and(|site| site.is_whole(lib))
    }

    /// Whether the clock value that a thread is about to read is only printed.
    pub fn only_printed(&self, t: usize, lib: Lib) -> bool {
        let Some(mut site) = self.site(t) else { return false };
        // A thread number that is only printed decides nothing.
        if site.program.symbols.thread_number == Some(site.code) {
            // What is done with the number is the caller's.
            let frames = &self.state.threads[t].frames;
            let Some(caller) = frames.len().checked_sub(2).map(|at| frames[at].code) else { return false };
            site.code = caller;
        }
        site.only_printed(lib)
    }

    /// Whether the result of the next call of a thread only seeds `rand`.
    pub fn only_seeds(&self, t: usize) -> bool {
        self.site(t).is_some_and(|site| seeds(site.body(), site.pc))
    }

    /// Whether the fact that a thread is about to query is the same on every machine.
    pub fn is_the_same(&self, t: usize, lib: Lib) -> bool {
        self.site(t).is_some_and(|site| site.is_the_same(lib))
    }
}
