//! Arithmetic on 128-bit integers (GNU's `__int128`), which are in memory as two words.
//!
//! *Entry points:* [`Machine::wide`], [`Machine::wide_binary`].
//! *Invariant:* an operation without a defined result is an error, as for narrower types
//! (`arithmetic.rs`).

use axle_c::Binary;
use axle_c::code::{Class, Mem, Scalar};

use crate::machine::{Execution, Machine};
use crate::semantics::arithmetic::ADDRESS;
use crate::state::error_kind::ErrorKind;
use crate::state::value::{Place, Value};

const WORD: Mem = Mem {
    scalar: Scalar { size: 8, class: Class::Unsigned },
    bits: None,
    atomic: false,
    order: axle_c::code::Order::SeqCst,
    volatile: false,
};

/// The result of an operator.
pub(crate) enum Wide {
    /// Of a comparison.
    Fact(bool),
    /// Of any other operator: its bits.
    Number(u128),
}

impl<E: Execution> Machine<'_, E> {
    /// The bits of the number at an address.
    pub(crate) fn wide(&mut self, address: Value) -> Result<u128, ErrorKind> {
        let (object, offset) = self.target(address)?;
        let mut word = |at: i32| match self.load((object, offset + at), WORD)? {
            Value::Int(word) => Ok(u128::from(word)),
            Value::Undef => Err(ErrorKind::Uninitialised),
            Value::Ptr(..) => Err(ADDRESS),
        };
        Ok(word(0)? | word(8)? << 64)
    }

    pub(crate) fn store_wide(&mut self, (object, offset): Place, number: u128) -> Result<(), ErrorKind> {
        self.store((object, offset), Value::Int(number as u64), WORD)?;
        self.store((object, offset + 8), Value::Int((number >> 64) as u64), WORD)
    }

    /// An operator on numbers given by their bits; of a shift, `b` is the distance.
    pub(crate) fn wide_binary(&self, op: Binary, a: u128, b: u128, signed: bool) -> Result<Wide, ErrorKind> {
        let (x, y) = (a as i128, b as i128);
        let order = if signed { x.cmp(&y) } else { a.cmp(&b) };
        // A result that the signed type cannot hold is an error, unless it wraps around.
        let fit = |exact: Option<i128>, wrapped: u128| match exact {
            None if signed && !self.settings.wrap => Err(ErrorKind::SignedOverflow),
            _ => Ok(Wide::Number(wrapped)),
        };
        match op {
            Binary::Add => fit(x.checked_add(y), a.wrapping_add(b)),
            Binary::Sub => fit(x.checked_sub(y), a.wrapping_sub(b)),
            Binary::Mul => fit(x.checked_mul(y), a.wrapping_mul(b)),
            Binary::Div | Binary::Rem if b == 0 => Err(ErrorKind::DivisionByZero),
            Binary::Div if signed => fit(x.checked_div(y), x.wrapping_div(y) as u128),
            Binary::Rem if signed => fit(x.checked_rem(y), x.wrapping_rem(y) as u128),
            Binary::Div => Ok(Wide::Number(a / b)),
            Binary::Rem => Ok(Wide::Number(a % b)),
            Binary::Shl | Binary::Shr if b >= 128 => Err(ErrorKind::Shift),
            Binary::Shl if signed && !self.settings.wrap => match x >= 0 && (x << b) >> b == x && x << b >= 0
            {
                true => Ok(Wide::Number(a << b)),
                false => Err(ErrorKind::Shift),
            },
            Binary::Shl => Ok(Wide::Number(a << b)),
            Binary::Shr if signed => Ok(Wide::Number((x >> b) as u128)),
            Binary::Shr => Ok(Wide::Number(a >> b)),
            Binary::And => Ok(Wide::Number(a & b)),
            Binary::Or => Ok(Wide::Number(a | b)),
            Binary::Xor => Ok(Wide::Number(a ^ b)),
            Binary::Nand => Ok(Wide::Number(!(a & b))),
            Binary::Lt => Ok(Wide::Fact(order.is_lt())),
            Binary::Le => Ok(Wide::Fact(order.is_le())),
            Binary::Gt => Ok(Wide::Fact(order.is_gt())),
            Binary::Ge => Ok(Wide::Fact(order.is_ge())),
            Binary::Eq => Ok(Wide::Fact(order.is_eq())),
            Binary::Ne => Ok(Wide::Fact(order.is_ne())),
        }
    }
}
