//! Vectors of decision diagrams as integers: two's complement, least significant bit first, the last
//! bit is the sign. The operators are those of [`axle_model::eval`], bit by bit.
//!
//! *Entry points:* [`Arithmetic::unary`], [`Arithmetic::binary`], [`Arithmetic::wrap`].
//! *Invariant:* a vector has no redundant sign bits, so a number that needs few bits has few, whatever
//! its type.

use axle_model::{BinOp, IntType, UnOp};

use crate::package::{Package, Refusal};

/// An integer as a function of the state.
pub(crate) type Vector<P> = Vec<<P as Package>::Diagram>;

type Diagram<P> = <P as Package>::Diagram;

/// The operators of vectors.
pub(crate) struct Arithmetic<'p, P: Package> {
    package: &'p P,
    no: Diagram<P>,
    yes: Diagram<P>,
}

impl<'p, P: Package> Arithmetic<'p, P> {
    pub(crate) fn new(package: &'p P) -> Self {
        Arithmetic { package, no: package.constant(false), yes: package.constant(true) }
    }

    /// A number.
    pub(crate) fn number(&self, value: i64) -> Vector<P> {
        let bits = (0..64).map(|bit| self.package.constant(value >> bit & 1 == 1)).collect();
        self.trim(bits)
    }

    /// A condition as a number.
    pub(crate) fn condition(&self, holds: Diagram<P>) -> Vector<P> {
        self.trim(vec![holds, self.no.clone()])
    }

    /// Without redundant sign bits.
    pub(crate) fn trim(&self, mut a: Vector<P>) -> Vector<P> {
        while a.len() > 1 && a[a.len() - 1] == a[a.len() - 2] {
            a.pop();
        }
        a
    }

    fn sign<'a>(&self, a: &'a [Diagram<P>]) -> &'a Diagram<P> {
        a.last().expect("a vector has a sign")
    }

    /// A bit; beyond the last, the sign.
    fn bit<'a>(&self, a: &'a [Diagram<P>], at: usize) -> &'a Diagram<P> {
        a.get(at).unwrap_or(self.sign(a))
    }

    /// With exactly this many bits, the last of them as the sign.
    fn resize(&self, a: &[Diagram<P>], bits: usize) -> Vector<P> {
        (0..bits).map(|at| self.bit(a, at).clone()).collect()
    }

    /// Where the value is not 0.
    pub(crate) fn truth(&self, a: &[Diagram<P>]) -> Result<Diagram<P>, Refusal> {
        a.iter().try_fold(self.no.clone(), |some, bit| self.package.or(&some, bit))
    }

    /// One of two values.
    pub(crate) fn choose(
        &self,
        condition: &Diagram<P>,
        a: &[Diagram<P>],
        b: &[Diagram<P>],
    ) -> Result<Vector<P>, Refusal> {
        let bits = (0..a.len().max(b.len()))
            .map(|at| self.package.choose(condition, self.bit(a, at), self.bit(b, at)));
        Ok(self.trim(bits.collect::<Result<_, _>>()?))
    }

    /// The value wrapped to a type. An unsigned 64-bit number is represented by a signed one.
    pub(crate) fn wrap(&self, ty: IntType, a: &[Diagram<P>]) -> Vector<P> {
        let mut bits = self.resize(a, ty.bits.into());
        if !ty.signed && ty.bits < 64 {
            bits.push(self.no.clone());
        }
        self.trim(bits)
    }

    /// The unsigned number with the same 64 bits.
    fn unsigned(&self, a: &[Diagram<P>]) -> Vector<P> {
        let mut bits = self.resize(a, 64);
        bits.push(self.no.clone());
        self.trim(bits)
    }

    /// A unary operator.
    pub(crate) fn unary(&self, op: UnOp, ty: IntType, a: &[Diagram<P>]) -> Result<Vector<P>, Refusal> {
        Ok(match op {
            UnOp::Not => self.condition(self.package.not(&self.truth(a)?)?),
            UnOp::BitNot => {
                let bits: Result<Vec<_>, _> = a.iter().map(|bit| self.package.not(bit)).collect();
                self.wrap(ty, &bits?)
            }
            UnOp::Neg => self.wrap(ty, &self.negate(a)?),
        })
    }

    /// A binary operator; 0 for a division by 0.
    pub(crate) fn binary(
        &self,
        op: BinOp,
        ty: IntType,
        a: &[Diagram<P>],
        b: &[Diagram<P>],
    ) -> Result<Vector<P>, Refusal> {
        let wide = !ty.signed && ty.bits == 64;
        let widened = |v: &[Diagram<P>]| if wide { self.unsigned(v) } else { v.to_vec() };
        let package = self.package;
        let value = match op {
            BinOp::Add => self.add(a, b, &self.no)?,
            BinOp::Sub => self.subtract(a, b)?,
            BinOp::Mul => self.multiply(a, b, ty.bits.into())?,
            BinOp::Div => self.divide(&widened(a), &widened(b))?.0,
            BinOp::Rem => self.divide(&widened(a), &widened(b))?.1,
            BinOp::Shl => self.shift(a, b, ty, true)?,
            BinOp::Shr => self.shift(&widened(a), b, ty, false)?,
            BinOp::BitAnd => self.bitwise(a, b, |x, y| package.and(x, y))?,
            BinOp::BitOr => self.bitwise(a, b, |x, y| package.or(x, y))?,
            BinOp::BitXor => self.bitwise(a, b, |x, y| package.xor(x, y))?,
            BinOp::Eq => return Ok(self.condition(self.equal(a, b)?)),
            BinOp::Ne => return Ok(self.condition(package.not(&self.equal(a, b)?)?)),
            BinOp::Lt => return Ok(self.condition(self.less(&widened(a), &widened(b))?)),
            BinOp::Gt => return Ok(self.condition(self.less(&widened(b), &widened(a))?)),
            BinOp::Le => {
                return Ok(self.condition(package.not(&self.less(&widened(b), &widened(a))?)?));
            }
            BinOp::Ge => {
                return Ok(self.condition(package.not(&self.less(&widened(a), &widened(b))?)?));
            }
        };
        Ok(self.wrap(ty, &value))
    }

    fn bitwise(
        &self,
        a: &[Diagram<P>],
        b: &[Diagram<P>],
        op: impl Fn(&Diagram<P>, &Diagram<P>) -> Result<Diagram<P>, Refusal>,
    ) -> Result<Vector<P>, Refusal> {
        (0..a.len().max(b.len())).map(|at| op(self.bit(a, at), self.bit(b, at))).collect()
    }

    /// Where two values are equal.
    pub(crate) fn equal(&self, a: &[Diagram<P>], b: &[Diagram<P>]) -> Result<Diagram<P>, Refusal> {
        let mut equal = self.yes.clone();
        for at in 0..a.len().max(b.len()) {
            let differ = self.package.xor(self.bit(a, at), self.bit(b, at))?;
            equal = self.package.without(&equal, &differ)?;
        }
        Ok(equal)
    }

    /// Where a value is less than another.
    fn less(&self, a: &[Diagram<P>], b: &[Diagram<P>]) -> Result<Diagram<P>, Refusal> {
        let bits = a.len().max(b.len());
        let mut less = self.no.clone();
        for at in 0..bits {
            let (x, y) = (self.bit(a, at), self.bit(b, at));
            let differ = self.package.xor(x, y)?;
            // The sign counts the other way.
            let here = if at + 1 == bits { x } else { y };
            less = self.package.choose(&differ, here, &less)?;
        }
        Ok(less)
    }

    /// The exact sum of two values and a carry.
    fn add(&self, a: &[Diagram<P>], b: &[Diagram<P>], carry: &Diagram<P>) -> Result<Vector<P>, Refusal> {
        let mut carry = carry.clone();
        let mut sum = Vec::new();
        for at in 0..=a.len().max(b.len()) {
            let (x, y) = (self.bit(a, at), self.bit(b, at));
            let differ = self.package.xor(x, y)?;
            sum.push(self.package.xor(&differ, &carry)?);
            carry = self.package.choose(&differ, &carry, x)?;
        }
        Ok(self.trim(sum))
    }

    fn subtract(&self, a: &[Diagram<P>], b: &[Diagram<P>]) -> Result<Vector<P>, Refusal> {
        let negated: Result<Vec<_>, _> = b.iter().map(|bit| self.package.not(bit)).collect();
        self.add(a, &negated?, &self.yes)
    }

    fn negate(&self, a: &[Diagram<P>]) -> Result<Vector<P>, Refusal> {
        self.subtract(std::slice::from_ref(&self.no), a)
    }

    /// The lowest bits of the product.
    fn multiply(&self, a: &[Diagram<P>], b: &[Diagram<P>], bits: usize) -> Result<Vector<P>, Refusal> {
        let bits = bits.min(a.len() + b.len());
        let (a, b) = (self.resize(a, bits), self.resize(b, bits));
        let mut product = vec![self.no.clone(); bits];
        for (shift, factor) in b.iter().enumerate() {
            let summand: Result<Vec<_>, _> =
                a[..bits - shift].iter().map(|x| self.package.and(x, factor)).collect();
            let sum = self.add(&product[shift..], &summand?, &self.no)?;
            for (at, bit) in product[shift..].iter_mut().enumerate() {
                bit.clone_from(self.bit(&sum, at));
            }
        }
        Ok(product)
    }

    /// The absolute value: one more bit than the value may need.
    fn magnitude(&self, a: &[Diagram<P>]) -> Result<Vector<P>, Refusal> {
        self.choose(self.sign(a), &self.negate(a)?, a)
    }

    /// Quotient and remainder, rounded towards 0; both are 0 for the divisor 0. Long division of the
    /// absolute values.
    fn divide(&self, a: &[Diagram<P>], b: &[Diagram<P>]) -> Result<(Vector<P>, Vector<P>), Refusal> {
        let (dividend, divisor) = (self.magnitude(a)?, self.magnitude(b)?);
        let mut quotient = vec![self.no.clone(); dividend.len()];
        let mut remainder = vec![self.no.clone()];
        for at in (0..dividend.len()).rev() {
            remainder.insert(0, dividend[at].clone());
            remainder = self.trim(remainder);
            let fits = self.package.not(&self.less(&remainder, &divisor)?)?;
            let rest = self.subtract(&remainder, &divisor)?;
            remainder = self.choose(&fits, &rest, &remainder)?;
            quotient[at] = fits;
        }
        quotient.push(self.no.clone());
        let differ = self.package.xor(self.sign(a), self.sign(b))?;
        let quotient = self.choose(&differ, &self.negate(&quotient)?, &quotient)?;
        let remainder = self.choose(self.sign(a), &self.negate(&remainder)?, &remainder)?;
        let valid = self.truth(b)?;
        let zero = std::slice::from_ref(&self.no);
        Ok((self.choose(&valid, &quotient, zero)?, self.choose(&valid, &remainder, zero)?))
    }

    /// A shift by the lowest bits of the amount: 6 for types of more than 32 bits, else 5.
    fn shift(
        &self,
        a: &[Diagram<P>],
        b: &[Diagram<P>],
        ty: IntType,
        left: bool,
    ) -> Result<Vector<P>, Refusal> {
        let stages = if ty.bits > 32 { 6 } else { 5 };
        let mut value = a.to_vec();
        for stage in 0..stages {
            let by = 1usize << stage;
            let moved = match left {
                true => {
                    let mut moved = vec![self.no.clone(); by];
                    moved.extend(value.iter().cloned());
                    // No bit above the 64th is ever read.
                    moved.truncate(64);
                    moved
                }
                false => (by..value.len().max(by + 1)).map(|at| self.bit(&value, at).clone()).collect(),
            };
            value = self.choose(self.bit(b, stage), &moved, &value)?;
        }
        Ok(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagrams::Diagrams;

    const ALL: [BinOp; 16] = [
        BinOp::Add,
        BinOp::Sub,
        BinOp::Mul,
        BinOp::Div,
        BinOp::Rem,
        BinOp::Shl,
        BinOp::Shr,
        BinOp::BitAnd,
        BinOp::BitOr,
        BinOp::BitXor,
        BinOp::Eq,
        BinOp::Ne,
        BinOp::Lt,
        BinOp::Le,
        BinOp::Gt,
        BinOp::Ge,
    ];

    /// The value of a vector of constants.
    fn value(package: &Diagrams, vector: &Vector<Diagrams>) -> i64 {
        let yes = package.constant(true);
        assert!(vector.iter().all(|bit| package.decompose(bit).is_none()));
        (0..64).map(|at| i64::from(*vector.get(at).unwrap_or(&vector[vector.len() - 1]) == yes) << at).sum()
    }

    #[test]
    fn operators_agree_with_those_of_the_model() {
        let package = Diagrams::new(1, 1 << 10, 1 << 10).expect("memory");
        let arithmetic = Arithmetic::new(&package);
        let values = [
            0,
            1,
            2,
            3,
            5,
            7,
            8,
            31,
            32,
            33,
            63,
            64,
            100,
            127,
            128,
            255,
            256,
            32767,
            65535,
            1 << 31,
            (1 << 32) - 1,
            1 << 40,
            i64::MAX,
            i64::MIN,
            -1,
            -2,
            -3,
            -7,
            -8,
            -128,
            -129,
            -32768,
            -(1 << 31),
        ];
        for (bits, signed) in
            [(1, false), (8, false), (16, true), (32, true), (32, false), (64, true), (64, false)]
        {
            let ty = IntType { bits, signed };
            for a in values {
                let vector = arithmetic.number(a);
                assert_eq!(value(&package, &arithmetic.wrap(ty, &vector)), ty.wrap(a), "{ty:?} {a}");
                for op in [UnOp::Neg, UnOp::BitNot, UnOp::Not] {
                    let found = arithmetic.unary(op, ty, &vector).expect("memory");
                    assert_eq!(
                        value(&package, &found),
                        axle_model::eval::unary(op, ty, a),
                        "{op:?} {ty:?} {a}"
                    );
                }
                for b in values {
                    for op in ALL {
                        let (x, y) = if matches!(op, BinOp::Div | BinOp::Rem) {
                            (ty.wrap(a), ty.wrap(b))
                        } else {
                            (a, b)
                        };
                        let found = arithmetic.binary(op, ty, &arithmetic.number(x), &arithmetic.number(y));
                        let wanted = axle_model::eval::binary(op, ty, x, y).unwrap_or(0);
                        assert_eq!(value(&package, &found.expect("memory")), wanted, "{op:?} {ty:?} {x} {y}");
                    }
                }
            }
        }
    }
}
