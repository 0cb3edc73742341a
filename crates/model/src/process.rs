//! Processes as automata: locations, and edges between them with a guard and effects.
//!
//! An edge is executed in one transition: its guard is not 0, its communication is possible; then
//! the communication, the effects in order, and the change of location follow. Two attributes
//! represent atomic and deterministic sequences, escapes and `else`:
//!
//! * [`Edge::keep`]: the atomicity, which determines the processes that may execute next;
//! * [`Edge::rank`] says which edges of a location shadow which: only those of the lowest rank that
//!   has an executable edge can be taken (an escape of `unless` ranks before what it guards, `else`
//!   last).

use crate::expr::{Expr, Pattern, Place};
use crate::ids::{FileId, LocId, LocalId, ProcId};
use crate::types::{Channel, Type};

/// A process type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Process {
    /// The name in the source; `init` for Promela's `init`.
    pub name: String,
    /// The first so many of `locals` are parameters.
    pub params: u32,
    /// Parameters, then local variables of every scope.
    pub locals: Vec<Variable>,
    /// Channels that are created and destroyed with each process of the type.
    pub channels: Vec<Channel>,
    /// Executed at creation, after the parameters have their values: initial values of locals.
    pub prologue: Vec<Effect>,
    /// Control locations.
    pub locations: Vec<Location>,
    /// Edges in textual order.
    pub edges: Vec<Edge>,
    /// Initial location.
    pub entry: LocId,
    /// A process of this type is enabled only if this is not 0 (Promela's `provided`).
    pub provided: Option<Expr>,
    /// Report a choice between two executable edges as a fault (Promela's `D_proctype`).
    pub deterministic: bool,
    /// Where it is declared.
    pub origin: Origin,
}

impl Process {
    /// A process type that has only a name.
    pub fn named(name: impl Into<String>) -> Process {
        Process {
            name: name.into(),
            params: 0,
            locals: Vec::new(),
            channels: Vec::new(),
            prologue: Vec::new(),
            locations: Vec::new(),
            edges: Vec::new(),
            entry: LocId(0),
            provided: None,
            deterministic: false,
            origin: Origin::NONE,
        }
    }
}

/// A variable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Variable {
    /// The name in the source.
    pub name: String,
    /// Its type. The value is 0 throughout until a prologue or an effect says otherwise.
    pub ty: Type,
    /// Access declaration of the source.
    pub access: Access,
    /// Where it is declared.
    pub origin: Origin,
}

/// Access declaration of a variable.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Access {
    /// None.
    Plain,
    /// Promela's `hidden`: not part of the state. Axle stores it all the same; see
    /// spin-differences.
    Hidden,
    /// Promela's `local`: used by one process only (not checked by Spin).
    Local,
    /// Promela's `show`: to be listed in traces.
    Show,
}

/// A control location.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Location {
    /// Outgoing edges by rank, and in textual order within a rank.
    pub out: Vec<crate::ids::EdgeId>,
    /// Labels of the source at this location.
    pub labels: Vec<String>,
    /// A valid end location: the end of the process, or a label that begins with `end`.
    pub end: bool,
    /// A label begins with `accept`.
    pub accept: bool,
    /// A label begins with `progress`.
    pub progress: bool,
    /// The statement that starts here.
    pub origin: Origin,
}

/// A statement between two locations.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Edge {
    /// Source location.
    pub source: LocId,
    /// Target location.
    pub target: LocId,
    /// Edges of a higher rank are disabled if an edge of a lower rank is executable.
    pub rank: u8,
    /// Executable only where this is not 0.
    pub guard: Expr,
    /// A message sent or received; executable only where that is possible.
    pub comm: Option<Comm>,
    /// Changes of the state, in order. A fault of one effect does not stop the next.
    pub effects: Vec<Effect>,
    /// Atomicity: the processes that may execute after this edge.
    pub keep: Atomicity,
    /// Whether this is an `else` (rank and guard already say what it does; reports name it).
    pub is_else: bool,
    /// The statement as the user wrote it, on one line.
    pub text: String,
    /// The places in the source that this edge comes from: one, or several once statements are
    /// merged.
    pub origins: Vec<Origin>,
}

impl Edge {
    /// An edge that can always be taken and does nothing, from nowhere in a source.
    #[must_use]
    pub fn skip(source: LocId, target: LocId, text: &str) -> Edge {
        Edge {
            source,
            target,
            rank: 0,
            guard: Expr::TRUE,
            comm: None,
            effects: Vec::new(),
            keep: Atomicity::Release,
            is_else: false,
            text: text.into(),
            origins: Vec::new(),
        }
    }
}

/// Maximum number of steps inside the atomic sequences of one process in one state that are
/// explored path by path, so that each path has a successor. Beyond it, each state inside the
/// sequences is explored once.
pub const MOST_BY_PATH: u32 = 1 << 16;

/// Atomicity of an edge: the processes that may execute after it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Atomicity {
    /// Any process.
    Release,
    /// Only this process, while it is enabled; otherwise any process (Promela's `atomic`). After a
    /// rendezvous the receiver's edge counts, for the receiver.
    Atomic,
    /// Only this process, by its first executable edge in order of the location's `out`; if it is
    /// blocked, that is a fault (Promela's `d_step`).
    Deterministic,
}

/// Communication over a channel.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Comm {
    /// Send a message. On a channel with room: executable where it is not full (or always, where
    /// the model loses messages). On a rendezvous channel: executable together with a matching
    /// receive of another process, in one step.
    Send {
        /// The channel.
        chan: Expr,
        /// One value for each field, wrapped to the field's type. Too few are a fault, the rest is
        /// 0.
        args: Vec<Expr>,
        /// Insert before the first message that is larger, comparing field by field (Promela's
        /// `!!`).
        sorted: bool,
    },
    /// Receive a message.
    Receive {
        /// The channel.
        chan: Expr,
        /// One for each field. Too few are a fault, the rest is dropped.
        patterns: Vec<Pattern>,
        /// Take the first message that matches, not only the head (Promela's `??`).
        random: bool,
        /// Leave the message in the channel (Promela's `c?<..>`).
        copy: bool,
    },
}

/// A change of the state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Effect {
    /// Store a value, wrapped to the type of the place (a scalar).
    Assign(Place, Expr),
    /// Set a variable of any type, arrays and records throughout, to 0.
    Clear(Place),
    /// A fault where the value is 0. The text is the condition as written.
    Assert(Expr, String),
    /// Print while replaying or simulating: a format with the arguments that it takes.
    Print(String, Vec<Expr>),
    /// Create a process at the next free number. A fault where the limit is reached.
    Run {
        /// Its type.
        proc: ProcId,
        /// The values of its parameters, wrapped to their types.
        args: Vec<Expr>,
        /// Its priority; 1 where nothing is said.
        priority: Option<Expr>,
        /// Where its number goes, if anywhere.
        into: Option<Place>,
    },
    /// Change the priority of a process: its number, the new value.
    SetPriority(Expr, Expr),
    /// The process ends, and its number, locals and channels with it. It must be the youngest.
    Exit,
}

/// A place in the source: from a line and column to a line and column, all counted from 1, the end
/// exclusive. Line 0 is no place at all.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Origin {
    /// The file.
    pub file: FileId,
    /// Line of the first character.
    pub line: u32,
    /// Column of the first character.
    pub column: u32,
    /// Line of the character after the last.
    pub end_line: u32,
    /// Column of the character after the last.
    pub end_column: u32,
}

impl Origin {
    /// No place in any file: for what no source text stands for.
    pub const NONE: Origin = Origin { file: FileId(0), line: 0, column: 0, end_line: 0, end_column: 0 };
}

/// A process that exists at the start.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Instance {
    /// Its type.
    pub proc: ProcId,
    /// Its priority.
    pub priority: u8,
}

impl Process {
    /// The parameters.
    pub fn params(&self) -> &[Variable] {
        &self.locals[..self.params as usize]
    }

    /// The local with this name, looked for from the end (inner scopes shadow nothing in Promela).
    pub fn local(&self, name: &str) -> Option<LocalId> {
        self.locals.iter().rposition(|v| v.name == name).map(LocalId::new)
    }
}
