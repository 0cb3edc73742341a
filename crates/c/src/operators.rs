//! Operators of expressions, as the typed tree and the control-flow graphs share them.
//!
//! *Entry points:* [`Unary`], [`Binary`], [`BitOp`].

/// A unary operator.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unary {
    /// `-`
    Neg,
    /// `~`
    Not,
    /// `!`
    LogNot,
}

/// A binary operator.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Binary {
    /// `+`
    Add,
    /// `-`
    Sub,
    /// `*`
    Mul,
    /// `/`
    Div,
    /// `%`
    Rem,
    /// `<<`
    Shl,
    /// `>>`
    Shr,
    /// `&`
    And,
    /// `|`
    Or,
    /// `^`
    Xor,
    /// `~(a & b)`, of GNU's atomic builtins.
    Nand,
    /// `<`
    Lt,
    /// `<=`
    Le,
    /// `>`
    Gt,
    /// `>=`
    Ge,
    /// `==`
    Eq,
    /// `!=`
    Ne,
}

impl Binary {
    /// Whether the result is a truth value.
    #[must_use]
    pub fn is_comparison(self) -> bool {
        matches!(self, Binary::Lt | Binary::Le | Binary::Gt | Binary::Ge | Binary::Eq | Binary::Ne)
    }
}

/// A bit operation on an unsigned number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BitOp {
    /// Number of leading zeros.
    Clz,
    /// Number of trailing zeros.
    Ctz,
    /// Number of set bits.
    Popcount,
    /// 1 if the number of set bits is odd.
    Parity,
    /// Index of the lowest set bit, from 1; 0 for 0.
    Ffs,
    /// Reversed byte order.
    Swap,
}

impl BitOp {
    /// The result for a number of this width; leading and trailing zeros of 0 are undefined.
    #[must_use]
    pub fn of(self, value: u64, bits: u32) -> Option<u64> {
        Some(match self {
            BitOp::Clz | BitOp::Ctz if value == 0 => return None,
            BitOp::Clz => (value.leading_zeros() - (64 - bits)).into(),
            BitOp::Ctz => value.trailing_zeros().into(),
            BitOp::Popcount => value.count_ones().into(),
            BitOp::Parity => (value.count_ones() % 2).into(),
            BitOp::Ffs => value.checked_ilog2().map_or(0, |_| u64::from(value.trailing_zeros()) + 1),
            BitOp::Swap => value.swap_bytes() >> (64 - bits),
        })
    }
}
