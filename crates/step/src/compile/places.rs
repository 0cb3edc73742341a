//! Places in generated code: resolution of a variable with an access path to an address, a shift
//! and a width.
//!
//! Record fields and constant indices are resolved at compile time. Any other index costs a
//! comparison with the length, unless its range is within bounds, and a multiplication.
//!
//! *Entry points:* [`Emit::load_place`] and [`Emit::store_place`].

use axle_model::{Base, Place, Step};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value};

use super::emit::{Cell, Emit, Shift, Val};
use crate::layout::{Data, Field, Home};

/// A resolved place.
struct Spot<'a> {
    /// Address of the owner, including indices known only at run time.
    base: Value,
    /// Whether it is in the constant segment.
    constant: bool,
    /// Whether `base` depends on an index.
    moved: bool,
    data: &'a Data,
    /// Bit offset of the constant indices.
    bits: u32,
    /// Bit offset of the index of an array with elements smaller than a byte.
    small: Option<Value>,
}

impl<'a> Emit<'a, '_> {
    fn locate(&mut self, place: &Place) -> Spot<'a> {
        let layout = self.unit.layout;
        let (base, constant, data) = match &place.base {
            Base::Global(id) => match &layout.globals[id.index()] {
                Home::State(data) => (self.view.state, false, data),
                Home::Constant(data) => (self.view.state, true, data),
            },
            Base::Local(id) => {
                (self.view.slot, false, &layout.procs[self.me.proc.index()].locals[id.index()])
            }
            Base::Remote { proc, pid, local } => {
                let slot = self.slot_of(*proc, pid);
                (slot, false, &layout.procs[proc.index()].locals[local.index()])
            }
        };
        let mut spot = Spot { base, constant, moved: false, data, bits: 0, small: None };
        for step in &place.path {
            match (step, spot.data) {
                (Step::Field(index), Data::Record(fields)) => spot.data = &fields[*index as usize],
                (Step::Index(index), Data::Array { first, stride, len }) => {
                    let index = self.eval(index);
                    self.element(&mut spot, index, *stride, *len);
                    spot.data = first;
                }
                (Step::Field(_) | Step::Index(_), _) => {
                    unreachable!("fields are taken of records, elements of arrays")
                }
            }
        }
        spot
    }

    fn element(&mut self, spot: &mut Spot, index: Val, stride: u32, len: u32) {
        let v = match index {
            Val::Const(c) if (0..i64::from(len)).contains(&c) => {
                spot.bits += c as u32 * stride;
                return;
            }
            Val::Const(_) => return self.abandon(),
            Val::Dyn { v, .. } => v,
        };
        if !index.within((0, i64::from(len) - 1)) {
            let inside = self.is(IntCC::UnsignedLessThan, v, len.into());
            self.require(inside, self.give_up);
        }
        if spot.constant && !spot.moved {
            spot.base = self.iconst(self.unit.constants.as_ptr() as i64);
        }
        spot.moved = true;
        if stride.is_multiple_of(8) {
            let bytes = i64::from(stride / 8);
            let at = if bytes == 1 { v } else { self.b.ins().imul_imm_u(v, bytes) };
            spot.base = self.b.ins().iadd(spot.base, at);
        } else {
            spot.small = Some(if stride == 1 { v } else { self.b.ins().imul_imm_u(v, i64::from(stride)) });
        }
    }

    /// The address of a scalar.
    fn cell(&mut self, spot: &Spot, field: Field) -> Cell {
        let bit = field.bit + spot.bits;
        let mut cell = Cell::new(spot.base, Field { bit, ..field });
        if let Some(small) = spot.small {
            // Such arrays are byte-aligned.
            let byte = self.b.ins().ushr_imm_u(small, 3);
            cell.base = self.b.ins().iadd(cell.base, byte);
            cell.shift = Shift::Dyn(self.b.ins().band_imm_u(small, 7));
        }
        cell
    }

    /// The value of a scalar place.
    pub fn load_place(&mut self, place: &Place) -> Val {
        let spot = self.locate(place);
        let field = scalar(spot.data);
        if spot.constant && !spot.moved {
            return Val::Const(field.read(self.unit.constants, spot.bits));
        }
        let cell = self.cell(&spot, field);
        self.load(cell)
    }

    /// Stores a value in a scalar place, wrapped to its type.
    pub fn store_place(&mut self, place: &Place, val: Val) {
        let spot = self.locate(place);
        let field = scalar(spot.data);
        self.watch_truncation(val, axle_model::IntType { bits: field.bits, signed: field.signed });
        let cell = self.cell(&spot, field);
        self.store(cell, val);
    }

    /// Sets a place of any type to 0.
    pub fn clear_place(&mut self, place: &Place) {
        let spot = self.locate(place);
        self.clear(&spot, spot.data, spot.bits);
    }

    fn clear(&mut self, spot: &Spot, data: &Data, bits: u32) {
        match data {
            Data::Scalar(field) => {
                let at = Spot { data, bits, ..*spot };
                let cell = self.cell(&at, *field);
                self.store(cell, Val::Const(0));
            }
            Data::Record(fields) => fields.iter().for_each(|field| self.clear(spot, field, bits)),
            // An array shares its bytes with no other variable.
            Data::Array { first, stride, len } => {
                if let Some(start) = lowest_bit(first) {
                    let bytes = (stride * len).div_ceil(8);
                    self.zero_bytes(spot.base, ((bits + start) / 8) as i32, bytes);
                }
            }
        }
    }
}

fn scalar(data: &Data) -> Field {
    match data {
        Data::Scalar(field) => *field,
        Data::Record(_) | Data::Array { .. } => {
            unreachable!("only `Clear` names a place that is not a scalar")
        }
    }
}

/// The lowest bit of any scalar in it.
fn lowest_bit(data: &Data) -> Option<u32> {
    match data {
        Data::Scalar(field) => Some(field.bit),
        Data::Record(fields) => fields.iter().filter_map(lowest_bit).min(),
        Data::Array { first, .. } => lowest_bit(first),
    }
}
