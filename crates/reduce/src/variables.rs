//! One numbering for the variables of a model: globals first, then the locals of each process type.
//!
//! *Entry point:* [`Numbers::new`].

use axle_model::{Base, Model, Place, ProcId};

/// Numbers for all variables of a model: globals first, then the locals of each process type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Numbers {
    first: Vec<usize>,
    /// Their number.
    pub count: usize,
}

impl Numbers {
    /// The numbers of a model's variables.
    pub fn new(model: &Model) -> Numbers {
        let mut count = model.globals.len();
        let mut first = Vec::new();
        for process in &model.processes {
            first.push(count);
            count += process.locals.len();
        }
        Numbers { first, count }
    }

    /// The variable at the root of a place that `proc` names; none for a local without a process.
    pub fn of(&self, proc: Option<ProcId>, place: &Place) -> Option<usize> {
        match &place.base {
            Base::Global(id) => Some(id.index()),
            Base::Local(id) => Some(self.local(proc?, id.index())),
            Base::Remote { proc, local, .. } => Some(self.local(*proc, local.index())),
        }
    }

    /// A local of a process type.
    pub fn local(&self, proc: ProcId, index: usize) -> usize {
        self.first[proc.index()] + index
    }
}
