//! Constants of the program that have another value for one check (`bounds.rs`).
//!
//! *Entry points:* [`Parser::bound`], [`Parser::bound_initial_value`].

use std::sync::Arc;

use axle_source::Loc;

use super::constant::{Constant, evaluate};
use super::parser::Parser;
use crate::bounds::is_ours;
use crate::tree::Init;
use crate::types::{Qual, Quals};

impl Parser<'_> {
    /// The value that replaces that of a constant; `value`: its value in the source.
    pub(super) fn bound(&mut self, name: &Arc<str>, loc: Loc, value: impl FnOnce() -> String) -> Option<i64> {
        if self.ours || is_ours(self.sources, loc) {
            return None;
        }
        self.tree.bounds.replace(name, &value())
    }

    /// Replaces the initial value of a `const` integer.
    pub(super) fn bound_initial_value(&mut self, name: &Arc<str>, loc: Loc, ty: Qual, init: &mut Init) {
        if !ty.quals.has(Quals::CONST) || !self.tree.types.is_integer(ty.ty) {
            return;
        }
        let [item] = &mut init.items[..] else { return };
        let value = match evaluate(self.tree, &item.value) {
            Some(Constant::Int(value)) if self.tree.types.is_signed(ty.ty) => (value as i64).to_string(),
            Some(Constant::Int(value)) => value.to_string(),
            _ => "a computed value".to_string(),
        };
        if let Some(value) = self.bound(name, loc, || value) {
            item.value = self.int(value as u64, ty.ty, item.value.loc);
        }
    }
}
