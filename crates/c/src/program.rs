//! An executable program: the control-flow graphs of the functions that `main` reaches, the objects
//! with static and thread storage duration, and what analyses have found about them.
//!
//! *Entry point:* [`Program`].
//! *Invariant:* the number of an object is its position in [`Program::statics`] plus 1.

pub(crate) mod input_classes;
pub(crate) mod may_access;
pub(crate) mod symbols;
pub(crate) mod thread_accesses;

use std::sync::Arc;

use axle_source::Loc;
use rustc_hash::FxHashMap;

use crate::bounds::AppliedBound;
use crate::code::{Callee, Code, Static, StaticKind, ThreadVariable};
use crate::library::{Lib, Operation};
use crate::types::Types;
use input_classes::Classes;
use may_access::MayAccess;
use symbols::Symbols;
use thread_accesses::Dependence;

/// An executable program.
#[derive(Clone, Debug)]
pub struct Program {
    /// The functions that `main` reaches.
    pub codes: Vec<Code>,
    /// Objects with static storage duration; numbers start at 1.
    pub statics: Vec<Static>,
    /// Their variables: the initial bytes.
    pub image: Vec<u8>,
    /// Pointers in the image: position, target object and offset.
    pub image_pointers: Vec<(u32, u32, i32)>,
    /// Objects with thread storage duration.
    pub thread_variables: Vec<ThreadVariable>,
    /// The index of `main` in `codes`.
    pub main: u32,
    /// The types.
    pub types: Types,
    /// Names of called functions without a body.
    pub missing: Vec<(Arc<str>, Loc)>,
    /// Names of the features that library sources refuse.
    pub unsupported: Vec<Arc<str>>,
    /// The first atomic operation weaker than sequential consistency.
    pub weak_order: Option<Loc>,
    /// Volatile accesses are relaxed atomic operations ([`Volatile`](crate::Volatile)), and there are some.
    pub relaxed_volatile: bool,
    /// Object-like macros of the files of the user with their values as text, by name. Files may define
    /// the same name differently.
    pub macros: Vec<(Arc<str>, Arc<str>)>,
    /// The constants that have another value than in the source.
    pub bounds: Vec<AppliedBound>,
    /// Integer constants in comparisons, from which sample values of inputs are chosen.
    pub constants: Vec<i64>,
    /// The first expression whose value may depend on an unspecified order of calls.
    pub unordered: Option<Loc>,
    /// The may-access set of each step.
    pub futures: MayAccess,
    /// The memory that threads may access before their next scheduling point, and later.
    pub dependence: Dependence,
    /// The values explored for each input, by function and step.
    pub inputs: FxHashMap<(u32, u32), Classes>,
    /// The static objects whose observation `inputs` accounts for ([`Program::observing`]).
    pub observed: Vec<u32>,
    /// Functions that read the clock only for output.
    pub timers: Vec<u32>,
    /// Some of them store results of `time` in memory, so that a read of such a value matters.
    pub stores_clock: bool,
    /// The steps that depend on the command-line arguments, by function and step (`arguments.rs`).
    pub argument_uses: Vec<(u32, u32)>,
    /// Functions and variables of the C sources of the library that the execution uses.
    pub symbols: Symbols,
    /// Whether threads may be cancelled.
    pub cancels: bool,
    /// The program tests whether a thread has ended without waiting for it (robust mutexes,
    /// `pthread_tryjoin_np`). The end of a thread is then a visible transition.
    pub ends_show: bool,
    /// Functions run when a thread or the program ends: `atexit` handlers or destructors.
    pub ends: bool,
}

impl Program {
    /// The name of the function with a step or statement at this location.
    #[must_use]
    pub fn function_at(&self, loc: Loc) -> Option<&str> {
        let has = |code: &&Code| code.locs.contains(&loc) || code.statements.contains(&loc);
        self.codes.iter().find(has).map(|code| &*code.name)
    }

    /// The first atomic operation with an order weaker than sequential consistency.
    #[must_use]
    pub fn weak_order(&self) -> Option<Loc> {
        self.weak_order
    }

    /// The first expression with two function calls in unspecified order, one of which writes a
    /// variable that the other accesses. Only one order is executed.
    #[must_use]
    pub fn unordered(&self) -> Option<Loc> {
        self.unordered
    }

    /// Keeps the values of all automatic variables of user functions in the states, even if they
    /// are dead, so that formulas can refer to them.
    pub fn keep_locals(&mut self) {
        for code in self.codes.iter_mut().filter(|code| !code.ours) {
            for live in &mut code.live {
                for (_, _, reg) in &code.names {
                    live[*reg as usize / 64] |= 1 << (reg % 64);
                }
            }
        }
    }

    /// The library functions whose addresses are taken, so that they may be called through a pointer.
    pub fn library_pointers(&self) -> impl Iterator<Item = Lib> {
        self.statics.iter().filter_map(|fixed| match fixed.kind {
            StaticKind::Function(Callee::Library(lib)) => Some(lib),
            _ => None,
        })
    }

    /// Whether the program may perform an operation of the library, by a call or through a pointer.
    #[must_use]
    pub fn may_perform(&self, operation: Operation) -> bool {
        self.codes.iter().any(|code| code.ops.iter().any(|op| op.operation() == operation))
            || self.library_pointers().any(|lib| lib.operation() == operation)
    }

    /// Functions that are called but not defined, with the location of a call. Reaching such a call
    /// makes the verdict unknown.
    #[must_use]
    pub fn missing(&self) -> &[(Arc<str>, Loc)] {
        &self.missing
    }
}
