//! The process whose body is being read: its flow, the actions of its simple statements, and where
//! in it the text stands.
//!
//! *Entry point:* [`Body::open`].
//! *Invariant:* a step of a flow carries the number of an entry of the actions beside it.

use axle_model::{Comm, Effect, Expr, ProcId};
use axle_source::Loc;

use crate::ast::Initializer;
use crate::flow::{Flow, ScopeId, SeqId};

/// A `run` inside the statement at hand.
#[derive(Clone, Debug)]
pub(crate) struct RunCall {
    pub proc: axle_model::ProcId,
    pub args: Vec<Expr>,
    pub priority: Option<Expr>,
    pub loc: Loc,
}

/// The action of a simple statement.
#[derive(Clone, Debug)]
pub(crate) struct Action {
    pub guard: Expr,
    pub comm: Option<Comm>,
    pub effects: Vec<Effect>,
    pub text: String,
    pub loc: Loc,
}

/// A process whose statements are all read.
#[derive(Debug)]
pub(crate) struct ReadBody {
    pub proc: ProcId,
    pub flow: Flow,
    pub body: SeqId,
    pub actions: Vec<Action>,
    pub claim: bool,
}

/// The process at hand.
#[derive(Debug, Default)]
pub(crate) struct Body {
    pub proc: Option<ProcId>,
    pub name: String,
    pub flow: Flow,
    pub actions: Vec<Action>,
    /// Uses of `run` in the statement at hand.
    pub runs: Vec<RunCall>,
    /// A claim or event trace rather than a process.
    pub claim: bool,
    /// An event trace.
    pub trace: bool,
    pub in_dstep: bool,
    /// Before the first statement: declarations belong to the creation of the process.
    pub at_start: bool,
    pub scope: Option<ScopeId>,
    /// How many loops were open where the innermost `d_step` begins.
    pub loops_outside: usize,
    pub loops: usize,
    /// Initial values of the fields of each record.
    pub field_inits: Vec<Vec<Option<Initializer>>>,
    pub read: Vec<ReadBody>,
}

impl Body {
    /// Begins a process.
    pub fn open(&mut self, proc: ProcId, name: &str, claim: bool) {
        self.proc = Some(proc);
        name.clone_into(&mut self.name);
        self.claim = claim;
        self.trace = false;
        self.in_dstep = false;
        self.at_start = true;
        self.scope = None;
        self.runs.clear();
        (self.loops, self.loops_outside) = (0, 0);
    }
}
