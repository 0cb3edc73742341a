//! The intermediate language that every front end makes and every engine reads: processes as
//! automata over typed data. It knows neither Promela nor C.
//!
//! Start at [`Model`]; the automata are in [`process`], the expressions in [`expr`]. [`dump`]
//! writes a model as text, [`mod@parse`] reads it back, [`mod@verify`] lists the invariants that
//! engines rely on.

pub mod access;
#[cfg(feature = "testing")]
pub mod arbitrary;
pub mod dot;
pub mod dump;
pub mod eval;
pub mod expr;
pub mod ids;
pub mod parse;
pub mod process;
pub mod property;
pub mod rewrite;
pub mod types;
pub mod verify;
pub mod walk;

pub use expr::{Base, BinOp, ChanRef, Expr, Pattern, Place, Query, Step, UnOp};
pub use ids::{EdgeId, FileId, GlobalId, LocId, LocalId, NameSetId, ProcId, RecordId, ShapeId};
pub use process::{
    Access, Atomicity, Comm, Edge, Effect, Instance, Location, MOST_BY_PATH, Origin, Process, Variable,
};
pub use property::{Formula, Property, PropertyKind};
pub use types::{Channel, Field, IntType, NameSet, Record, Shape, Shown, Type};

/// A concurrent program: what exists, how each process moves, and what exists at the start.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Model {
    /// The source files, as named by the user; [`Origin::file`] points here.
    pub files: Vec<String>,
    /// Record types.
    pub records: Vec<Record>,
    /// Symbolic names.
    pub name_sets: Vec<NameSet>,
    /// Capacity and fields of every kind of channel.
    pub shapes: Vec<Shape>,
    /// Global variables.
    pub globals: Vec<Variable>,
    /// Channels that exist from the start; references to them are numbered from 1 in this order.
    pub channels: Vec<Channel>,
    /// Executed once before anything else: initial values of globals.
    pub prologue: Vec<Effect>,
    /// Process types.
    pub processes: Vec<Process>,
    /// The processes that exist at the start, numbered from 0 in this order.
    pub start: Vec<Instance>,
    /// What the model says must hold.
    pub properties: Vec<Property>,
    /// Choices of meaning that hold for the whole model.
    pub semantics: Semantics,
}

/// Choices of meaning that hold for the whole model.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Semantics {
    /// A send to a full channel is executable and the message is lost (Spin's `-m`).
    pub lossy: bool,
    /// Among the processes that can move, only those with the highest priority do.
    pub priorities: bool,
    /// The most processes that may exist at once; one more is a fault.
    pub max_processes: u32,
    /// The most channels that may exist at once; one more is a fault.
    pub max_channels: u32,
}

impl Default for Semantics {
    fn default() -> Self {
        Semantics { lossy: false, priorities: false, max_processes: 255, max_channels: 255 }
    }
}

impl Model {
    /// The process type of an id.
    pub fn process(&self, id: ProcId) -> &Process {
        &self.processes[id.index()]
    }

    /// The type of the variable at the root of a place, where `proc` is the type of the evaluating
    /// process; none for a local without a process and for a variable that does not exist.
    pub fn variable_type(&self, proc: Option<ProcId>, place: &Place) -> Option<&Type> {
        let variable = match &place.base {
            Base::Global(id) => self.globals.get(id.index()),
            Base::Local(id) => self.process(proc?).locals.get(id.index()),
            Base::Remote { proc, local, .. } => self.process(*proc).locals.get(local.index()),
        };
        variable.map(|variable| &variable.ty)
    }

    /// The type at the end of a path into a variable of a type; none if the path does not fit the
    /// type.
    pub fn type_at<'m>(&'m self, ty: &'m Type, path: &[Step]) -> Option<&'m Type> {
        path.iter().try_fold(ty, |ty, step| match (step, ty) {
            (Step::Field(index), Type::Record(id)) => {
                self.records[id.index()].fields.get(*index as usize).map(|field| &field.ty)
            }
            (Step::Index(_), Type::Array(of, _)) => Some(&**of),
            (Step::Field(_) | Step::Index(_), _) => None,
        })
    }

    /// The type of the value at a place, as [`Model::variable_type`] and [`Model::type_at`].
    pub fn type_of(&self, proc: Option<ProcId>, place: &Place) -> Option<&Type> {
        self.type_at(self.variable_type(proc, place)?, &place.path)
    }
}
