//! The places at which a program may write a variable of static storage.
//!
//! *Entry point:* [`writes`].
//! *Invariant:* a variable without a place keeps its initial value: no function that `main` leads to
//! assigns to it, and no pointer to it is ever written through.

use axle_source::Loc;

use super::addresses::{Addresses, Base, comes_unasked};
use crate::program::Program;

/// A place at which a variable may be written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Write {
    /// The place.
    pub loc: Loc,
    /// Whether the write is through a pointer, which may refer to another object.
    pub is_indirect: bool,
}

/// The places at which the functions that `main` leads to may write a variable, given by its number
/// among the static objects. None if the program is too large for the analysis.
#[must_use]
pub fn writes(program: &Program, object: u32) -> Option<Vec<Write>> {
    let addresses = Addresses::of(program)?;
    let wanted = Base::Static(object);
    let escaped = addresses.is_escaped(wanted);
    let reached = reached(&addresses);
    let mut found: Vec<Write> = Vec::new();
    for (number, code) in program.codes.iter().enumerate().filter(|(number, _)| reached[*number]) {
        for (at, op) in code.ops.iter().enumerate() {
            let (mut direct, mut indirect) = (false, false);
            addresses.accesses(number, at, op, |base, is_write| {
                direct |= is_write && base == wanted;
                indirect |= is_write && base == Base::Unknown && escaped;
            });
            let Some(&loc) = code.locs.get(at).filter(|_| direct || indirect) else { continue };
            found.push(Write { loc, is_indirect: !direct });
        }
    }
    Some(found)
}

/// By function, whether it may be executed.
fn reached(addresses: &Addresses<'_>) -> Vec<bool> {
    let program = addresses.program;
    let callable = addresses.callable();
    let unasked = (0u32..).zip(&program.codes).filter(|(_, code)| comes_unasked(code));
    let mut waiting: Vec<u32> = unasked.map(|(number, _)| number).chain([program.main]).collect();
    let mut reached = vec![false; program.codes.len()];
    while let Some(number) = waiting.pop() {
        let Some(code) = program.codes.get(number as usize) else { continue };
        if std::mem::replace(&mut reached[number as usize], true) {
            continue;
        }
        for op in &code.ops {
            waiting.extend(addresses.called(op, &callable));
            waiting.extend(addresses.started(op, &callable));
        }
    }
    reached
}
