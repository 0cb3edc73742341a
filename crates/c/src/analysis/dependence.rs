//! Dependence of threads: for each step, the memory that its thread may access before its next
//! scheduling point, and all memory that it may still access.
//!
//! *Entry point:* [`analyse`]; [`Dependence::of_thread`] gives what a thread may access.
//!
//! Memory is divided into *cells*: each variable that no pointer refers to (`locksets.rs`), all other
//! memory, the set of threads, and the state of the library. Two accesses to one cell conflict if one
//! of them writes. Backward data flows give the accesses that follow a step up to a scheduling point
//! (*rest*), the same with the step itself included (*near*), and all accesses that follow (*far*). To
//! wait for the end of a thread is a scheduling point only if it has not ended; where that is known, the
//! steps *between* two places are all that is executed.
//!
//! *Source:* the static analysis for persistent sets of P. Godefroid, *Partial-Order Methods for the
//! Verification of Concurrent Systems*, LNCS 1032, 1996, chapter 4.
//! *Invariant:* an access that a thread makes before its next scheduling point is in the near set of
//! its present steps, and every later one in the far set. A step that may end the program, discard the
//! execution or close a cycle is marked.

use crate::analysis::addresses::{Addresses, Base, comes_unasked};
use crate::analysis::counted_loops::uncounted_heads;
use crate::code::Op;
use crate::library::{Environment, Lib, Operation, Touches};
use crate::program::Program;
use crate::program::thread_accesses::Mark;

pub use crate::program::thread_accesses::{CallFrame, Dependence, NearAccesses, ThreadAccesses};

/// Maximum memory of the sets, in words; beyond it nothing is independent.
const MOST_WORDS: usize = 4 << 20;

impl Dependence {
    /// What a step and those behind it may do on the way to another step of the function, where no thread
    /// that is awaited has ended. None if the analysis does not cover the program.
    #[must_use]
    pub fn between(&self, program: &Program, code: u32, from: u32, to: u32) -> Option<NearAccesses> {
        let ops = &program.codes.get(code as usize)?.ops;
        let waits = |at: u32| ops.get(at as usize).is_some_and(|op| is_scheduling_point(op, false));
        let mut before: Vec<Vec<u32>> = vec![Vec::new(); ops.len()];
        let (mut reached, mut open) = (vec![false; ops.len()], vec![from]);
        while let Some(at) = open.pop() {
            ops.get(at as usize)?.successors(at, |next| {
                if let Some(before) = before.get_mut(next as usize) {
                    before.push(at);
                    if !std::mem::replace(&mut reached[next as usize], true) && !waits(next) {
                        open.push(next);
                    }
                }
            });
        }
        let (mut passed, mut open) = (vec![false; ops.len()], vec![to]);
        while let Some(at) = open.pop() {
            for &earlier in before.get(at as usize)? {
                if !std::mem::replace(&mut passed[earlier as usize], true) {
                    open.push(earlier);
                }
            }
        }
        let mut set = vec![0; self.words];
        passed[from as usize] = true;
        for at in (0..).zip(&passed).filter(|(_, passed)| **passed).map(|(at, _)| at) {
            let own = self.set(&self.own, code, at)?;
            set.iter_mut().zip(own).for_each(|(set, own)| *set |= own);
        }
        Some(self.near_accesses(set, false))
    }
}

/// Analyses a program.
#[must_use]
pub fn analyse(program: &Program) -> Dependence {
    let cells = program.futures.count() + 3;
    let words = 2 * cells.div_ceil(64) + 1;
    let steps: usize = program.codes.iter().map(|code| code.ops.len()).sum();
    if 4 * words * steps > MOST_WORDS {
        return Dependence::default();
    }
    let Some(addresses) = Addresses::of(program) else { return Dependence::default() };
    let empty = || -> Vec<Box<[u64]>> {
        program.codes.iter().map(|code| vec![0; words * code.ops.len()].into()).collect()
    };
    let mut result = Dependence {
        cells,
        words,
        rest: empty(),
        near: empty(),
        own: empty(),
        far: empty(),
        always: vec![0; words].into(),
    };
    let pointed: Vec<Lib> = program.library_pointers().collect();
    let own: Vec<Box<[u64]>> = (0..program.codes.len())
        .map(|number| result.accesses_of(program, &addresses, number, &pointed))
        .collect();
    let callable = addresses.callable();
    let order = addresses.callees_first(&callable);
    let mut set = vec![0; words];
    let mut changed = true;
    while changed {
        changed = false;
        for &number in &order {
            let code = &program.codes[number];
            for at in (0..code.ops.len()).rev() {
                changed |= result.flow(&addresses, &callable, &own, (number, at), &mut set);
            }
        }
    }
    for (number, code) in program.codes.iter().enumerate() {
        if comes_unasked(code)
            && let Some(set) = result.far[number].get(..words)
        {
            result.always.iter_mut().zip(set).for_each(|(a, b)| *a |= b);
        }
    }
    result.always[words - 1] &= !(1 << Mark::Returns as usize);
    result
}

impl Dependence {
    /// The transfer function of a step; `own` are the accesses of the steps themselves. True if that
    /// changes the sets.
    fn flow(
        &mut self,
        addresses: &Addresses<'_>,
        callable: &[u32],
        own: &[Box<[u64]>],
        (number, at): (usize, usize),
        set: &mut [u64],
    ) -> bool {
        let (words, op) = (self.words, &addresses.program.codes[number].ops[at]);
        let place = at * words..(at + 1) * words;
        let join = |set: &mut [u64], more: Option<&[u64]>| {
            set.iter_mut().zip(more.into_iter().flatten()).for_each(|(a, b)| *a |= b);
        };
        let returns = 1u64 << Mark::Returns as usize;
        let (called, started) = (addresses.called(op, callable), addresses.started(op, callable));
        // What a function does before a scheduling point, and whether it comes back before one.
        set.copy_from_slice(&own[number][place.clone()]);
        let mut inner = vec![0; words];
        for &callee in &called {
            join(&mut inner, self.set(&self.rest, callee, 0));
        }
        let comes_back = called.is_empty() || inner[words - 1] & returns != 0;
        inner[words - 1] &= !returns;
        join(set, Some(&inner));
        let mut changed = update(&mut self.own[number][place.clone()], set);
        if comes_back {
            op.successors(at as u32, |to| join(set, self.set(&self.rest, number as u32, to)));
        }
        changed |= update(&mut self.near[number][place.clone()], set);
        if !is_scheduling_point(op, true) {
            changed |= update(&mut self.rest[number][place.clone()], set);
        }
        set.copy_from_slice(&own[number][place.clone()]);
        op.successors(at as u32, |to| join(set, self.set(&self.far, number as u32, to)));
        for callee in called.into_iter().chain(started) {
            join(set, self.set(&self.far, callee, 0));
        }
        changed | update(&mut self.far[number][place], set)
    }

    /// The accesses and marks of each step of a function. `pointed`: the library functions that may be
    /// called through a pointer.
    fn accesses_of(
        &self,
        program: &Program,
        addresses: &Addresses<'_>,
        number: usize,
        pointed: &[Lib],
    ) -> Box<[u64]> {
        let code = &program.codes[number];
        let mut sets = vec![0; self.words * code.ops.len()];
        let shares_slots =
            (0..).take(code.slots.len()).any(|slot| addresses.is_escaped(Base::Slot(number as u32, slot)));
        let heads = uncounted_heads(code);
        for ((at, op), set) in code.ops.iter().enumerate().zip(sets.chunks_exact_mut(self.words)) {
            addresses.accesses(number, at, op, |base, write| match base {
                Base::Nothing => {}
                Base::Static(object) => self.access(set, self.cell(&program.futures, object), write),
                Base::Slot(..) if !addresses.is_escaped(base) => {}
                Base::Slot(..) | Base::Unknown => self.access(set, self.memory(), write),
            });
            match op {
                Op::Return { .. } => {
                    self.mark(set, Mark::Returns);
                    if shares_slots {
                        self.access(set, self.memory(), true);
                    }
                }
                Op::Dead { slot } if addresses.is_escaped(Base::Slot(number as u32, *slot)) => {
                    self.access(set, self.memory(), true);
                }
                Op::Call { into: Some(_), .. } => self.access(set, self.memory(), true),
                Op::Lib { lib, .. } => self.library_step(set, *lib),
                _ => {}
            }
            if addresses.may_call_library(op) {
                for &lib in pointed {
                    self.library_step(set, lib);
                    if !matches!(lib.touches(), Touches::Nothing | Touches::Input) {
                        self.access(set, self.memory(), true);
                    }
                }
            }
            op.successors(at as u32, |to| {
                if to as usize <= at && heads.contains(&to) {
                    self.mark(set, Mark::ClosesCycle);
                }
            });
        }
        sets.into()
    }

    /// What a library function does beside accesses to memory.
    fn library_step(&self, set: &mut [u64], lib: Lib) {
        match lib.operation() {
            Operation::EndProgram | Operation::Assume | Operation::Cancel | Operation::AtomicSection => {
                self.mark(set, Mark::Ends);
            }
            Operation::Create | Operation::Join | Operation::TryJoin | Operation::Detach => {
                self.access(set, self.threads(), true);
            }
            Operation::EndThread => self.mark(set, Mark::Returns),
            _ => {}
        }
        match lib.row().environment {
            // Numbers of processes and properties of the machine are constants.
            Environment::Nothing
            | Environment::Process
            | Environment::System
            | Environment::Handler
            | Environment::Interruption => {}
            Environment::StandardInput
            | Environment::Seed
            | Environment::Time
            | Environment::Sleep
            | Environment::Deadline(_) => self.access(set, self.library(), true),
        }
    }
}

/// Adds a set to another; true if that changes it.
fn update(to: &mut [u64], set: &[u64]) -> bool {
    let mut changed = false;
    for (to, set) in to.iter_mut().zip(set) {
        changed |= *to | set != *to;
        *to |= set;
    }
    changed
}

/// Whether the step is a scheduling point wherever several threads run. `has_ended`: threads that it waits
/// for may have ended.
fn is_scheduling_point(op: &Op, has_ended: bool) -> bool {
    let Op::Lib { lib, .. } = op else { return false };
    match lib.operation() {
        Operation::Join => !has_ended,
        // Not in memory that no other thread knows, and not if the others have arrived.
        Operation::Free | Operation::Reallocate | Operation::BarrierWait => false,
        _ => lib.synchronises() || lib.touches() == Touches::Input,
    }
}
