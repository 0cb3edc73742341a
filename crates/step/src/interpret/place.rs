//! Places: resolution of a variable with an access path to bits of a state.
//!
//! *Entry points:* [`load`] and [`store`].

use axle_model::{Base, Place, Step};

use super::expr::eval;
use super::log::Log;
use super::machine::Actor;
use crate::fault::FaultKind;
use crate::layout::{Data, Field, Home};

/// A resolved place.
pub(crate) struct Spot<'a> {
    /// Whether it is in the constant segment rather than in the state.
    pub constant: bool,
    /// The data at the place, relative to `base`.
    pub data: &'a Data,
    /// The bit to which `data` is relative.
    pub base: u32,
}

impl Spot<'_> {
    /// The field of a scalar place.
    pub fn field(&self) -> Field {
        match self.data {
            Data::Scalar(field) => *field,
            Data::Record(_) | Data::Array { .. } => {
                unreachable!("only `Clear` names a place that is not a scalar")
            }
        }
    }
}

/// Resolves a place; `None` after a fault.
#[inline]
pub(crate) fn locate<'a>(who: &Actor<'a>, state: &[u8], place: &Place, log: &mut Log) -> Option<Spot<'a>> {
    let mut spot = match &place.base {
        Base::Global(id) => match &who.machine.layout.globals[id.index()] {
            Home::State(data) => Spot { constant: false, data, base: 0 },
            Home::Constant(data) => Spot { constant: true, data, base: 0 },
        },
        Base::Local(id) => Spot { constant: false, data: &who.layout.locals[id.index()], base: who.base },
        Base::Remote { proc, pid, local } => {
            let number = eval(who, state, pid, log);
            let machine = who.machine;
            let Some(pid) =
                machine.existing(state, number).filter(|&pid| machine.proc_at(state, pid) == *proc)
            else {
                log.report(FaultKind::NoProcess);
                return None;
            };
            let data = &machine.layout.procs[proc.index()].locals[local.index()];
            Spot { constant: false, data, base: machine.layout.slots[pid as usize].base }
        }
    };
    for step in &place.path {
        match (step, spot.data) {
            (Step::Field(index), Data::Record(fields)) => spot.data = &fields[*index as usize],
            (Step::Index(index), Data::Array { first, stride, len }) => {
                let value = eval(who, state, index, log);
                if value < 0 || value >= i64::from(*len) {
                    log.report(FaultKind::IndexOutOfRange);
                    return None;
                }
                spot.base += value as u32 * stride;
                spot.data = first;
            }
            (Step::Field(_) | Step::Index(_), _) => {
                unreachable!("fields are taken of records, elements of arrays")
            }
        }
    }
    Some(spot)
}

/// The value of a scalar place; 0 after a fault.
#[inline]
pub(crate) fn load(who: &Actor, state: &[u8], place: &Place, log: &mut Log) -> i64 {
    match locate(who, state, place, log) {
        Some(spot) if spot.constant => spot.field().read(&who.machine.constants, spot.base),
        Some(spot) => {
            who.machine.watch.field(spot.field(), spot.base);
            spot.field().read(state, spot.base)
        }
        None => 0,
    }
}

/// Stores a value in a scalar place, wrapped to its type; dropped after a fault.
#[inline]
pub(crate) fn store(who: &Actor, state: &mut [u8], place: &Place, value: i64, log: &mut Log) {
    if let Some(spot) = locate(who, state, place, log) {
        assert!(!spot.constant, "what an edge writes is in the state");
        write(who, state, spot.field(), spot.base, value, log);
    }
}

/// Stores a value in a field, wrapped to its width, and reports truncation if requested.
#[inline]
pub(crate) fn write(who: &Actor, state: &mut [u8], field: Field, base: u32, value: i64, log: &mut Log) {
    who.machine.watch.field(field, base);
    field.write(state, base, value);
    if who.machine.options.truncation && field.read(state, base) != value {
        log.report(FaultKind::Truncation);
    }
}

/// Sets everything under `data` to 0.
pub(crate) fn clear(bytes: &mut [u8], data: &Data, base: u32) {
    match data {
        Data::Scalar(field) => field.write(bytes, base, 0),
        Data::Record(fields) => fields.iter().for_each(|field| clear(bytes, field, base)),
        Data::Array { first, stride, len } => {
            (0..*len).for_each(|index| clear(bytes, first, base + index * stride));
        }
    }
}
