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
    /// All operators, in the order of their numbers.
    const ALL: [Binary; 17] = {
        use Binary as B;
        [
            B::Add,
            B::Sub,
            B::Mul,
            B::Div,
            B::Rem,
            B::Shl,
            B::Shr,
            B::And,
            B::Or,
            B::Xor,
            B::Nand,
            B::Lt,
            B::Le,
            B::Gt,
            B::Ge,
            B::Eq,
            B::Ne,
        ]
    };

    /// The operator as an operand of a step.
    pub(crate) fn number(self) -> u64 {
        self as u64
    }

    /// The operator with this number.
    #[must_use]
    pub fn of_number(number: u64) -> Option<Binary> {
        Binary::ALL.get(number as usize).copied()
    }

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
