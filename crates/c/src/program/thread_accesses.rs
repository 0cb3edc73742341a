//! What a thread may access before its next scheduling point, and from then on: the sets of its
//! steps, joined over its frames. `dependence.rs` computes the sets of the steps and explains them.
//!
//! *Entry point:* [`Dependence::of_thread`].
//! *Invariant:* a set of no words stands for a program that the analysis does not cover; nothing is
//! independent there.

use crate::program::may_access::MayAccess;

/// Marks of a set, beside its cells.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Mark {
    /// Ends the program or discards the execution.
    Ends,
    /// Returns from the function.
    Returns,
    /// Takes an edge that closes a loop without a counter (`counted_loops.rs`).
    ClosesCycle,
}

/// The sets of all steps of a program.
#[derive(Clone, Default, Debug)]
pub struct Dependence {
    /// Cells: the variables, then other memory, threads, and the library.
    pub(crate) cells: usize,
    /// Words of the cells, once for accesses and once for writes, and of the marks.
    pub(crate) words: usize,
    /// For each function, the sets of its steps in order: from the step to the next scheduling point,
    /// none if the step is one.
    pub(crate) rest: Vec<Box<[u64]>>,
    /// The same from the step on, which is executed in any case.
    pub(crate) near: Vec<Box<[u64]>>,
    /// What a step does by itself, and what the functions that it calls do before a scheduling point.
    pub(crate) own: Vec<Box<[u64]>>,
    /// All that follows.
    pub(crate) far: Vec<Box<[u64]>>,
    /// What the end of any thread may do.
    pub(crate) always: Box<[u64]>,
}

/// A frame of a thread.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CallFrame {
    /// The function.
    pub code: u32,
    /// Its next step; below the top, the call under way.
    pub pc: u32,
    /// It returns a record, to an object of its caller.
    pub returns_record: bool,
}

/// What a thread may access.
#[derive(Clone, Default, PartialEq, Eq, Hash, Debug)]
pub struct ThreadAccesses {
    near: NearAccesses,
    /// What its next scheduling point clears, and what its end may do.
    pub log: NearAccesses,
    /// Where it is, if it is in one function only.
    pub position: Option<(u32, u32)>,
    far: Box<[u64]>,
    /// It may end the program.
    pub may_end: bool,
}

/// What a thread may do before its next scheduling point.
#[derive(Clone, Default, PartialEq, Eq, Hash, Debug)]
pub struct NearAccesses {
    cells: Box<[u64]>,
    /// It may end the program, discard the execution, or close a cycle of the control flow.
    pub is_decisive: bool,
}

impl ThreadAccesses {
    /// What the thread may do before its next scheduling point.
    #[must_use]
    pub fn near(&self) -> &NearAccesses {
        &self.near
    }
}

impl NearAccesses {
    /// Whether it may conflict with anything that another thread does from now on.
    #[must_use]
    pub fn conflicts_with(&self, other: &ThreadAccesses) -> bool {
        let half = self.cells.len() / 2;
        let (mine, mine_written) = self.cells.split_at(half);
        let (theirs, theirs_written) = other.far.split_at(other.far.len() / 2);
        let meet = |a: &[u64], b: &[u64]| a.iter().zip(b).any(|(a, b)| a & b != 0);
        half == 0 || meet(mine, theirs_written) || meet(mine_written, theirs)
    }
}

impl Dependence {
    /// The cell of a variable; the one of all other memory if it has none of its own.
    pub(crate) fn cell(&self, variables: &MayAccess, object: u32) -> usize {
        variables.index(object).unwrap_or(self.memory())
    }

    /// The cell of all memory that has none of its own.
    pub(crate) fn memory(&self) -> usize {
        self.cells - 3
    }

    pub(crate) fn threads(&self) -> usize {
        self.cells - 2
    }

    pub(crate) fn library(&self) -> usize {
        self.cells - 1
    }

    pub(crate) fn access(&self, set: &mut [u64], cell: usize, write: bool) {
        let half = self.cells.div_ceil(64);
        set[cell / 64] |= 1 << (cell % 64);
        if write {
            set[half + cell / 64] |= 1 << (cell % 64);
        }
    }

    pub(crate) fn mark(&self, set: &mut [u64], mark: Mark) {
        set[self.words - 1] |= 1 << mark as usize;
    }

    fn has(&self, set: &[u64], mark: Mark) -> bool {
        set[self.words - 1] >> (mark as usize) & 1 == 1
    }

    pub(crate) fn set<'a>(&self, sets: &'a [Box<[u64]>], code: u32, pc: u32) -> Option<&'a [u64]> {
        let start = pc as usize * self.words;
        sets.get(code as usize)?.get(start..start + self.words)
    }

    /// What a thread with these frames, the outermost first, may access. `log`: the accesses of its
    /// last transaction, as objects and whether they write, which its next scheduling point clears.
    /// None if the analysis does not cover the program.
    #[must_use]
    pub fn of_thread<Frames>(
        &self,
        variables: &MayAccess,
        frames: Frames,
        is_main: bool,
        log: impl Iterator<Item = (u32, bool)>,
    ) -> Option<ThreadAccesses>
    where
        Frames: DoubleEndedIterator<Item = CallFrame> + Clone,
    {
        if self.words == 0 {
            return None;
        }
        let mut far = self.always.to_vec();
        for CallFrame { code, pc, .. } in frames.clone() {
            far.iter_mut().zip(self.set(&self.far, code, pc)?).for_each(|(to, set)| *to |= set);
        }
        let may_end = is_main || self.has(&far, Mark::Ends);
        far.truncate(self.words - 1);
        let near = self.near_of(frames.clone(), is_main)?;
        let mut own_log = self.always.to_vec();
        for (object, write) in log {
            self.access(&mut own_log, self.cell(variables, object), write);
        }
        let log = self.near_accesses(own_log, false);
        let mut all = frames;
        let position = all.next().map(|frame| (frame.code, frame.pc)).filter(|_| all.next().is_none());
        Some(ThreadAccesses { near, log, position, far: far.into(), may_end })
    }

    /// The near set of a thread.
    fn near_of(
        &self,
        frames: impl DoubleEndedIterator<Item = CallFrame>,
        is_main: bool,
    ) -> Option<NearAccesses> {
        let mut near = vec![0; self.words];
        let join = |to: &mut [u64], set: &[u64]| to.iter_mut().zip(set).for_each(|(to, set)| *to |= set);
        let mut reaches = true;
        for (depth, CallFrame { code, pc, returns_record }) in frames.rev().enumerate() {
            if reaches {
                let next = match depth {
                    0 => self.set(&self.near, code, pc)?,
                    _ => self.set(&self.rest, code, pc + 1)?,
                };
                reaches = self.has(next, Mark::Returns);
                join(&mut near, next);
                if reaches && returns_record {
                    self.access(&mut near, self.memory(), true);
                }
            }
        }
        Some(self.near_accesses(near, is_main && reaches))
    }

    pub(crate) fn near_accesses(&self, mut set: Vec<u64>, ends: bool) -> NearAccesses {
        let is_decisive = ends || self.has(&set, Mark::Ends) || self.has(&set, Mark::ClosesCycle);
        set.truncate(self.words - 1);
        NearAccesses { cells: set.into(), is_decisive }
    }
}
