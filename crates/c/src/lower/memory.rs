//! Lowers lvalues: registers and memory, and their loads and stores.
//!
//! *Entry point:* [`Maker::place`].

use super::sequence::identity;
use super::{Entity, LocalHome, Maker};
use crate::code::{Arg, Mem, Op, Order, Reg, Scalar, Stuck};
use crate::operators::Binary;
use crate::tree::{Expr, Init, Kind};
use crate::types::{Bits, LARGEST, Qual, Quals, Type};
use crate::volatile::Volatile;

/// The location that an lvalue designates.
#[derive(Clone, Copy, Debug)]
pub(super) enum Place {
    Reg(Reg),
    Memory(Arg, Mem),
}

impl Maker<'_, '_> {
    fn mem(&mut self, ty: Qual, bits: Option<Bits>) -> Mem {
        let volatile = ty.quals.has(Quals::VOLATILE);
        let mem = Mem { bits, atomic: ty.is_atomic(), volatile, ..Mem::plain(self.scalar(ty.ty)) };
        let relaxed = self.whole.tree.volatile == Volatile::Relaxed;
        if !relaxed || !volatile || mem.atomic || bits.is_some() {
            return mem;
        }
        self.whole.relaxed_volatile.get_or_insert(self.body.loc);
        Mem { atomic: true, order: Order::Relaxed, ..mem }
    }

    /// The location that an lvalue designates, with its operands evaluated.
    pub(super) fn place(&mut self, e: &Expr) -> Place {
        if let Kind::Local(id) = e.kind
            && let LocalHome::Reg(reg) = self.body.homes[id as usize]
        {
            return Place::Reg(reg);
        }
        let bits = match &e.kind {
            Kind::Member { bits, .. } => *bits,
            _ => None,
        };
        let address = self.address(e);
        self.hold_against_others(e, address);
        Place::Memory(address, self.mem(e.ty, bits))
    }

    /// Keeps the address of an access that is compared at run time, and compares it with the
    /// preceding ones.
    fn hold_against_others(&mut self, e: &Expr, address: Arg) {
        let own = identity(e);
        let Some(at) = self.body.beside.iter().position(|one| one.access == own) else { return };
        let (reg, others) = (self.body.beside[at].reg, self.body.beside[at].others.clone());
        self.emit(Op::Move { dst: reg, src: address });
        for (other, sizes) in others {
            if let Some(found) = self.body.beside.iter().find(|one| one.access == other) {
                let b = Arg::Reg(found.reg);
                self.emit(Op::Distinct { a: address, b, sizes });
            }
        }
    }

    /// The address of an lvalue in memory, or of a record value.
    pub(super) fn address(&mut self, e: &Expr) -> Arg {
        match &e.kind {
            Kind::Local(id) => match self.body.homes[*id as usize] {
                LocalHome::Slot(slot) => self.slot_address(slot),
                // A register has no address; the parser marks the variables that need one.
                LocalHome::Reg(reg) => Arg::Reg(reg),
            },
            Kind::Global(id) => {
                if self.whole.tree.globals[*id as usize].thread_local {
                    let index = self.whole.thread_number(*id);
                    let dst = self.temp();
                    self.emit(Op::ThreadAddress { dst, index });
                    return Arg::Reg(dst);
                }
                Arg::Static(self.whole.number(Entity::Global(*id)), 0)
            }
            Kind::Function(id) => Arg::Static(self.whole.number(Entity::Function(*id)), 0),
            Kind::Str(id) => Arg::Static(self.whole.number(Entity::Text(*id)), 0),
            Kind::Compound(local, init) => {
                let LocalHome::Slot(slot) = self.body.homes[*local as usize] else { return Arg::Int(0) };
                self.begin(slot);
                let address = self.slot_address(slot);
                let size = self.body.slots[slot as usize].size;
                self.initialise(address, size, init);
                address
            }
            Kind::Deref(pointer) => match &pointer.kind {
                Kind::PtrAdd { pointer: array, index, size, minus: false } => {
                    self.element(array, index, *size)
                }
                _ => self.value(pointer),
            },
            Kind::Member { base, offset, .. } => {
                let base = self.address(base);
                self.offset(base, *offset as i64)
            }
            // Record values are in memory.
            _ => self.value(e),
        }
    }

    /// The address of an array element. The bound of an array inside a larger object is checked as
    /// well, because the access may be inside the whole object. Arrays of length 0 and 1 at the end
    /// of structures are treated as flexible array members.
    fn element(&mut self, array: &Expr, index: &Expr, size: u64) -> Arg {
        let types = &self.whole.tree.types;
        let length = match &array.kind {
            Kind::Decay(inner) => match (types.get(inner.ty.ty), &inner.kind) {
                (Type::Array(_, Some(0 | 1)), Kind::Member { .. }) => None,
                (Type::Array(_, Some(length)), Kind::Member { .. } | Kind::Deref(_)) => {
                    Some(Arg::Int(*length))
                }
                (Type::Long(_, keeper), Kind::Deref(_)) => self.kept(*keeper),
                _ => None,
            },
            _ => None,
        };
        // For rows of variable length, the parser has multiplied the index by the row length.
        let long = types.pointee(array.ty.ty).is_some_and(|to| types.is_long(to.ty));
        if let (true, Some(length), Kind::Binary(Binary::Mul, row, each)) = (long, length, &index.kind) {
            let scalar = self.scalar(index.ty.ty);
            let (base, row) = self.two(array, row);
            self.emit(Op::Bound { index: row, length });
            let b = self.value(each);
            let (count, dst) = (self.temp(), self.temp());
            self.emit(Op::Binary { dst: count, op: Binary::Mul, a: row, b, scalar });
            self.emit(Op::PtrAdd { dst, pointer: base, index: Arg::Reg(count), size, minus: false });
            return Arg::Reg(dst);
        }
        let (base, index) = self.two(array, index);
        if let Some(length) = length {
            self.emit(Op::Bound { index, length });
        }
        if let Arg::Int(index) = index {
            return self.offset(base, (index as i64).wrapping_mul(size as i64));
        }
        let dst = self.temp();
        self.emit(Op::PtrAdd { dst, pointer: base, index, size, minus: false });
        Arg::Reg(dst)
    }

    /// The number of elements of a variable-length array.
    fn kept(&self, keeper: u32) -> Option<Arg> {
        match self.body.homes.get(keeper as usize) {
            Some(LocalHome::Reg(reg)) => Some(Arg::Reg(*reg)),
            _ => None,
        }
    }

    /// Stores the number of elements of a variable-length array after checking that it is valid.
    pub(super) fn length(&mut self, count: &Expr, keeper: Option<u32>) -> Arg {
        let scalar = self.scalar(count.ty.ty);
        let value = self.value(count);
        self.stuck_unless(Binary::Gt, value, 0, scalar, Stuck::NoElements);
        if scalar.size > 3 {
            self.stuck_unless(Binary::Le, value, LARGEST, scalar, Stuck::TooLong);
        }
        let size_type = self.whole.tree.types.size_type();
        let value = self.convert(value, count.ty.ty, size_type);
        if let Some(LocalHome::Reg(dst)) = keeper.and_then(|local| self.body.homes.get(local as usize)) {
            let dst = *dst;
            self.emit(Op::Move { dst, src: value });
        }
        value
    }

    fn stuck_unless(&mut self, op: Binary, a: Arg, b: u64, scalar: Scalar, stuck: Stuck) {
        let (yes, no, cond) = (self.label(), self.label(), self.temp());
        self.emit(Op::Binary { dst: cond, op, a, b: Arg::Int(b), scalar });
        self.emit(Op::Branch { cond: Arg::Reg(cond), scalar: Scalar::INT, yes: yes.0, no: no.0 });
        self.place_label(no);
        self.emit(Op::Stuck(stuck));
        self.place_label(yes);
    }

    pub(super) fn slot_address(&mut self, slot: u32) -> Arg {
        let dst = self.temp();
        self.emit(Op::SlotAddress { dst, slot });
        Arg::Reg(dst)
    }

    pub(super) fn offset(&mut self, base: Arg, offset: i64) -> Arg {
        if offset == 0 {
            return base;
        }
        if let Arg::Static(object, at) = base
            && let Some(at) = i32::try_from(offset).ok().and_then(|offset| at.checked_add(offset))
        {
            return Arg::Static(object, at);
        }
        let dst = self.temp();
        self.emit(Op::PtrAdd { dst, pointer: base, index: Arg::Int(offset as u64), size: 1, minus: false });
        Arg::Reg(dst)
    }

    pub(super) fn load(&mut self, place: Place) -> Arg {
        match place {
            Place::Reg(reg) => Arg::Reg(reg),
            Place::Memory(addr, mem) => {
                let dst = self.temp();
                self.emit(Op::Load { dst, addr, mem });
                Arg::Reg(dst)
            }
        }
    }

    pub(super) fn store(&mut self, place: Place, value: Arg) {
        match place {
            Place::Reg(dst) => self.emit(Op::Move { dst, src: value }),
            Place::Memory(addr, mem) => self.emit(Op::Store { addr, value, mem }),
        }
    }

    /// Executes an initialiser on the object at `address`.
    pub(super) fn initialise(&mut self, address: Arg, size: u64, init: &Init) {
        if init.zero {
            self.emit(Op::Zero { to: address, size });
        }
        for item in &init.items {
            let free = self.body.free;
            let at = self.offset(address, item.offset as i64);
            if let Kind::Str(text) = item.value.kind {
                let from = Arg::Static(self.whole.number(Entity::Text(text)), 0);
                let size = self.whole.tree.strings[text as usize].len() as u64;
                self.emit(Op::Copy { to: at, from, size });
            } else if self.is_in_memory(item.value.ty.ty) {
                let from = self.value(&item.value);
                let size = self.whole.tree.types.size(item.value.ty.ty).unwrap_or(0);
                self.emit(Op::Copy { to: at, from, size });
            } else {
                let value = self.value(&item.value);
                let mem = Mem { bits: item.bits, ..Mem::plain(self.scalar(item.value.ty.ty)) };
                self.emit(Op::Store { addr: at, value, mem });
            }
            self.body.free = free;
        }
    }
}
