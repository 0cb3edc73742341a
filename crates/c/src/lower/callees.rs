//! What a call of a function by its name calls: another function of the library where this program needs
//! it, or one that the execution of C implements.
//!
//! *Entry points:* [`Lowerer::called`], [`Lowerer::library`].

use super::Lowerer;
use crate::library::{self, Lib, Role};
use crate::tree::Tree;

/// The function with a role.
pub(super) fn with_role(tree: &Tree, role: Role) -> Option<u32> {
    let found = tree.functions.iter().position(|f| Role::of(&f.name) == Some(role));
    found.map(|found| found as u32)
}

impl Lowerer<'_> {
    /// The function that replaces the called library function in this program.
    pub(super) fn called(&self, id: u32) -> u32 {
        let function = &self.tree.functions[id as usize];
        if function.body.is_some() && !function.ours {
            return id;
        }
        let other = match Role::of(&function.name) {
            Some(Role::Once) if self.instead.cancels => with_role(self.tree, Role::CancellableOnce),
            Some(Role::Sleep) if self.instead.alarms => with_role(self.tree, Role::SleepWithAlarm),
            _ if self.instead.moves => {
                let name = library::moving(&function.name);
                self.tree.functions.iter().position(|f| *f.name == *name).map(|found| found as u32)
            }
            _ => None,
        };
        other.unwrap_or(id)
    }

    /// The library function with this name, unless the program defines it. A call of `reach_error`
    /// is an error even if the program defines a body, which is often empty.
    pub(super) fn library(&self, id: u32) -> Option<Lib> {
        let function = &self.tree.functions[id as usize];
        match library::find(&function.name) {
            Some(Lib::ReachError) => Some(Lib::ReachError),
            found => found.filter(|_| function.body.is_none()),
        }
    }
}
