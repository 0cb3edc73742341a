//! Lowers 128-bit integers. Registers hold 64 bits, so such a value is in memory, as that of a record
//! is, and an operator is a step on three objects that no other thread can access.
//!
//! *Entry points:* [`Maker::wide_binary`], [`Maker::wide_convert`], [`Maker::wide_truth`].
//! *Invariant:* the operands of an operator are temporaries: reading a variable is a step of its own.

use super::Maker;
use crate::code::{Arg, Class, Mem, Op, Scalar};
use crate::library::Lib;
use crate::operators::Binary;
use crate::tree::Expr;
use crate::types::{self, Qual, TypeId};

/// Half of a value.
const WORD: Scalar = Scalar { size: 8, class: Class::Unsigned };

/// Size in bytes.
const SIZE: u64 = 16;

impl Maker<'_, '_> {
    pub(super) fn is_wide(&self, ty: TypeId) -> bool {
        self.whole.tree.types.is_wide(ty)
    }

    /// A temporary of this type with the value at an address.
    pub(super) fn wide_copy(&mut self, from: Arg, ty: TypeId) -> Arg {
        let to = self.temporary(Qual::plain(ty));
        self.emit(Op::Copy { to, from, size: SIZE });
        to
    }

    /// The value of a constant, which is extended from 64 bits with its sign.
    pub(super) fn wide_constant(&mut self, value: u64, ty: TypeId) -> Arg {
        let high = ((value as i64) >> 63) as u64;
        self.of_words(Arg::Int(value), Arg::Int(high), ty)
    }

    fn of_words(&mut self, low: Arg, high: Arg, ty: TypeId) -> Arg {
        let to = self.temporary(Qual::plain(ty));
        self.emit(Op::Store { addr: to, value: low, mem: Mem::plain(WORD) });
        let addr = self.offset(to, 8);
        self.emit(Op::Store { addr, value: high, mem: Mem::plain(WORD) });
        to
    }

    /// The result of an operator on operands of this type; the distance of a shift is a scalar.
    pub(super) fn wide_binary(&mut self, op: Binary, a: Arg, b: Arg, ty: TypeId) -> Arg {
        use Binary::{Eq, Ge, Gt, Le, Lt, Ne};
        let compares = matches!(op, Lt | Le | Gt | Ge | Eq | Ne);
        let to = if compares { Arg::Int(0) } else { self.temporary(Qual::plain(ty)) };
        let signed = Arg::Int(self.whole.tree.types.is_signed(ty).into());
        let dst = self.temp();
        let args = [Arg::Int(op.number()), signed, to, a, b].into();
        self.emit(Op::Lib { dst, lib: Lib::Wide, args });
        if compares { Arg::Reg(dst) } else { to }
    }

    /// Whether a value is not zero: 0 or 1.
    pub(super) fn wide_truth(&mut self, a: Arg, ty: TypeId) -> Arg {
        let zero = self.wide_constant(0, ty);
        self.wide_binary(Binary::Ne, a, zero, ty)
    }

    /// `target op= amount`, where the operation or the target has 128 bits: the new value.
    pub(super) fn wide_assign_op(&mut self, op: Binary, target: &Expr, amount: Arg, work: TypeId) -> Arg {
        let own = target.ty.ty;
        let place = match self.is_wide(own) {
            true => None,
            false => Some(self.place(target)),
        };
        let (address, old) = match place {
            Some(place) => (Arg::Int(0), self.load(place)),
            None => {
                let address = self.address(target);
                (address, self.wide_copy(address, own))
            }
        };
        let old = self.convert(old, own, work);
        let new = self.wide_binary(op, old, amount, work);
        let new = self.convert(new, work, own);
        match place {
            Some(place) => self.store(place, new),
            None => self.emit(Op::Copy { to: address, from: new, size: SIZE }),
        }
        new
    }

    /// `++` and `--`.
    pub(super) fn wide_step(&mut self, op: Binary, target: &Expr, post: bool) -> Arg {
        let ty = target.ty.ty;
        let address = self.address(target);
        let (old, one) = (self.wide_copy(address, ty), self.wide_constant(1, ty));
        let new = self.wide_binary(op, old, one, ty);
        self.emit(Op::Copy { to: address, from: new, size: SIZE });
        if post { old } else { new }
    }

    /// Converts an integer or pointer to another type; at least one of them has 128 bits.
    pub(super) fn wide_convert(&mut self, a: Arg, from: TypeId, to: TypeId) -> Arg {
        match (self.is_wide(from), self.is_wide(to)) {
            (true, true) => a,
            (true, false) if to == types::BOOL => self.wide_truth(a, from),
            (true, false) => {
                let dst = self.temp();
                self.emit(Op::Load { dst, addr: a, mem: Mem::plain(WORD) });
                self.convert(Arg::Reg(dst), types::ULLONG, to)
            }
            (false, _) => {
                let signed = self.whole.tree.types.is_signed(from);
                let (own, word) = (self.scalar(from), if signed { types::LLONG } else { types::ULLONG });
                let low = if own.class == Class::Pointer { a } else { self.convert(a, from, word) };
                let mut high = Arg::Int(0);
                if signed {
                    let dst = self.temp();
                    let scalar = self.scalar(word);
                    self.emit(Op::Binary { dst, op: Binary::Shr, a: low, b: Arg::Int(63), scalar });
                    high = self.convert(Arg::Reg(dst), types::LLONG, types::ULLONG);
                }
                self.of_words(low, high, to)
            }
        }
    }
}
