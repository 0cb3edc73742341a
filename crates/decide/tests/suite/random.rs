//! Random numbers and random trees of operators, which are evaluated and printed without the table of
//! terms.

use axle_decide::smtlib::operator;
use axle_decide::term::{BinaryOp, TermId, Terms};

/// A generator of random numbers (xorshift).
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    pub fn below(&mut self, end: u64) -> u64 {
        (self.next() >> 8) % end
    }

    /// A number of some width: small ones, ones near a power of two and others.
    pub fn number(&mut self, width: u8) -> u128 {
        let all = u128::from(self.next()) << 64 | u128::from(self.next());
        let value = match self.below(6) {
            0 => u128::from(self.below(4)),
            1 => u128::MAX - u128::from(self.below(3)),
            2 => 1u128 << self.below(width.into()),
            3 => (1u128 << self.below(width.into())).wrapping_sub(1),
            4 => all & u128::from(self.next() & 0xff),
            _ => all,
        };
        value & mask(width)
    }
}

fn mask(width: u8) -> u128 {
    if width == 128 { u128::MAX } else { (1 << width) - 1 }
}

/// A tree of operators.
#[derive(Clone, Debug)]
pub enum Tree {
    Const(u8, u128),
    Variable(usize, u8),
    Not(Box<Tree>),
    Neg(Box<Tree>),
    Binary(BinaryOp, Box<Tree>, Box<Tree>),
    Difference(Box<Tree>, Box<Tree>),
    If(Box<Tree>, Box<Tree>, Box<Tree>),
    Extract(u8, u8, Box<Tree>),
    Resize(bool, u8, Box<Tree>),
    /// Whether the operator overflows.
    Overflows(BinaryOp, bool, Box<Tree>, Box<Tree>),
}

/// The widths of the variables of random trees: each operand finds a variable of its width.
pub const VARIABLES: [u8; 12] = [1, 1, 3, 3, 8, 8, 8, 16, 16, 32, 33, 64];

const SAME: [BinaryOp; 12] = [
    BinaryOp::And,
    BinaryOp::Or,
    BinaryOp::Xor,
    BinaryOp::Add,
    BinaryOp::Add,
    BinaryOp::Mul,
    BinaryOp::UDiv,
    BinaryOp::URem,
    BinaryOp::SDiv,
    BinaryOp::SRem,
    BinaryOp::Shl,
    BinaryOp::LShr,
];

impl Tree {
    /// A random tree of a width with about `size` operators. `hard` permits products and quotients of
    /// wide operands.
    pub fn random(random: &mut Random, width: u8, size: u32, hard: bool) -> Tree {
        let boxed = |random: &mut Random, width, size| Box::new(Tree::random(random, width, size, hard));
        if size == 0 || random.below(12) == 0 {
            let same: Vec<_> = (0..VARIABLES.len()).filter(|at| VARIABLES[*at] == width).collect();
            return match random.below(4) {
                0 => Tree::Const(width, random.number(width)),
                _ if same.is_empty() => {
                    let at = random.below(VARIABLES.len() as u64) as usize;
                    Tree::Resize(random.below(2) == 0, width, Box::new(Tree::Variable(at, VARIABLES[at])))
                }
                _ => Tree::Variable(same[random.below(same.len() as u64) as usize], width),
            };
        }
        let (half, other) = (size / 2, size - size / 2 - 1);
        let any_width = |random: &mut Random| VARIABLES[random.below(VARIABLES.len() as u64) as usize];
        match random.below(16) {
            0 => Tree::Not(boxed(random, width, size - 1)),
            1 => Tree::Neg(boxed(random, width, size - 1)),
            2 => Tree::Difference(boxed(random, width, half), boxed(random, width, other)),
            3 | 4 => {
                let third = size / 3;
                let condition = boxed(random, 1, third);
                Tree::If(condition, boxed(random, width, third), boxed(random, width, third))
            }
            5 => {
                let of = any_width(random);
                Tree::Resize(random.below(2) == 0, width, boxed(random, of, size - 1))
            }
            6 => {
                let of = any_width(random).max(width);
                let low = random.below(u64::from(of - width) + 1) as u8;
                Tree::Extract(low, width, boxed(random, of, size - 1))
            }
            7 if width > 1 => {
                let high = 1 + random.below(u64::from(width) - 1) as u8;
                let (high, low) = (boxed(random, high, half), boxed(random, width - high, other));
                Tree::Binary(BinaryOp::Concat, high, low)
            }
            8..=11 if width == 1 => {
                let of = any_width(random);
                let op = [BinaryOp::Eq, BinaryOp::ULt, BinaryOp::SLt][random.below(3) as usize];
                Tree::Binary(op, boxed(random, of, half), boxed(random, of, other))
            }
            12 if width == 1 => {
                let of = any_width(random).min(if hard { 64 } else { 8 });
                let op = [BinaryOp::Add, BinaryOp::Mul][random.below(2) as usize];
                Tree::Overflows(op, random.below(2) == 0, boxed(random, of, half), boxed(random, of, other))
            }
            _ => {
                let op = match random.below(13) {
                    12 => BinaryOp::AShr,
                    at => SAME[at as usize],
                };
                let is_hard = matches!(
                    op,
                    BinaryOp::Mul | BinaryOp::UDiv | BinaryOp::URem | BinaryOp::SDiv | BinaryOp::SRem
                );
                let op = if is_hard && width > 8 && !hard { BinaryOp::Add } else { op };
                Tree::Binary(op, boxed(random, width, half), boxed(random, width, other))
            }
        }
    }

    pub fn width(&self) -> u8 {
        match self {
            Tree::Const(width, _) | Tree::Variable(_, width) => *width,
            Tree::Extract(_, width, _) | Tree::Resize(_, width, _) => *width,
            Tree::Not(a) | Tree::Neg(a) | Tree::Difference(a, _) | Tree::If(_, a, _) => a.width(),
            Tree::Binary(BinaryOp::Eq | BinaryOp::ULt | BinaryOp::SLt, ..) | Tree::Overflows(..) => 1,
            Tree::Binary(BinaryOp::Concat, a, b) => a.width() + b.width(),
            Tree::Binary(_, a, _) => a.width(),
        }
    }

    /// The value, computed bit by bit where that is simple.
    pub fn evaluate(&self, variables: &[u128]) -> u128 {
        let width = self.width();
        let value = match self {
            Tree::Const(_, value) => *value,
            Tree::Variable(at, _) => variables[*at],
            Tree::Not(a) => a.evaluate(variables) ^ mask(width),
            Tree::Neg(a) => (a.evaluate(variables) ^ mask(width)).wrapping_add(1),
            Tree::Difference(a, b) => a.evaluate(variables).wrapping_sub(b.evaluate(variables)),
            Tree::If(c, a, b) => [b, a][c.evaluate(variables) as usize].evaluate(variables),
            Tree::Extract(low, _, a) => a.evaluate(variables) >> low,
            Tree::Resize(is_signed, _, a) => {
                let value = a.evaluate(variables);
                let is_negative = *is_signed && value >> (a.width() - 1) == 1;
                if is_negative { value | !mask(a.width()) } else { value }
            }
            Tree::Binary(op, a, b) => {
                let (x, y) = (a.evaluate(variables), b.evaluate(variables));
                operate(*op, b.width(), x, y)
            }
            Tree::Overflows(op, is_signed, a, b) => {
                let of = a.width();
                let number = |value: u128| match is_signed {
                    true => number(of, value),
                    false => value as i128,
                };
                let (x, y) = (number(a.evaluate(variables)), number(b.evaluate(variables)));
                let exact = if *op == BinaryOp::Add { x.checked_add(y) } else { x.checked_mul(y) };
                let (least, most) = match is_signed {
                    true => (-(1i128 << (of - 1)), (1i128 << (of - 1)) - 1),
                    false => (0, mask(of) as i128),
                };
                u128::from(exact.is_none_or(|exact| exact < least || exact > most))
            }
        };
        value & mask(width)
    }

    /// The term.
    pub fn build(&self, terms: &mut Terms, variables: &[TermId]) -> TermId {
        match self {
            Tree::Const(width, value) => terms.constant(*width, *value),
            Tree::Variable(at, _) => variables[*at],
            Tree::Not(a) => {
                let a = a.build(terms, variables);
                terms.not(a)
            }
            Tree::Neg(a) => {
                let a = a.build(terms, variables);
                terms.neg(a)
            }
            Tree::Difference(a, b) => {
                let (a, b) = (a.build(terms, variables), b.build(terms, variables));
                terms.difference(a, b)
            }
            Tree::If(c, a, b) => {
                let c = c.build(terms, variables);
                let (a, b) = (a.build(terms, variables), b.build(terms, variables));
                terms.choose(c, a, b)
            }
            Tree::Extract(low, width, a) => {
                let a = a.build(terms, variables);
                terms.extract(*low, *width, a)
            }
            Tree::Resize(is_signed, width, a) => {
                let a = a.build(terms, variables);
                terms.resize(*is_signed, *width, a)
            }
            Tree::Binary(op, a, b) => {
                let (a, b) = (a.build(terms, variables), b.build(terms, variables));
                terms.binary(*op, a, b)
            }
            Tree::Overflows(op, is_signed, a, b) => {
                let (a, b) = (a.build(terms, variables), b.build(terms, variables));
                terms.overflows(*op, *is_signed, a, b)
            }
        }
    }

    /// The tree in SMT-LIB.
    pub fn smtlib(&self) -> String {
        let bits = |width: u8, value: u128| format!("#b{value:0width$b}", width = usize::from(width));
        match self {
            Tree::Const(width, value) => bits(*width, *value),
            Tree::Variable(at, _) => format!("v{at}"),
            Tree::Not(a) => format!("(bvnot {})", a.smtlib()),
            Tree::Neg(a) => format!("(bvneg {})", a.smtlib()),
            Tree::Difference(a, b) => format!("(bvsub {} {})", a.smtlib(), b.smtlib()),
            Tree::If(c, a, b) => format!("(ite (= {} #b1) {} {})", c.smtlib(), a.smtlib(), b.smtlib()),
            Tree::Extract(low, width, a) => {
                format!("((_ extract {} {low}) {})", low + width - 1, a.smtlib())
            }
            Tree::Resize(is_signed, width, a) if *width >= a.width() => {
                let extend = if *is_signed { "sign_extend" } else { "zero_extend" };
                format!("((_ {extend} {}) {})", width - a.width(), a.smtlib())
            }
            Tree::Resize(_, width, a) => format!("((_ extract {} 0) {})", width - 1, a.smtlib()),
            Tree::Binary(op, a, b) => {
                let applied = format!("({} {} {})", operator(*op), a.smtlib(), b.smtlib());
                if op.is_comparison() { format!("(ite {applied} #b1 #b0)") } else { applied }
            }
            Tree::Overflows(op, is_signed, a, b) => {
                let (of, name) = (a.width(), operator(*op));
                let extend = if *is_signed { "sign_extend" } else { "zero_extend" };
                let wide = |tree: &Tree| format!("((_ {extend} {of}) {})", tree.smtlib());
                let exact = format!("({name} {} {})", wide(a), wide(b));
                let wrapped = format!("((_ {extend} {of}) ({name} {} {}))", a.smtlib(), b.smtlib());
                format!("(ite (= {exact} {wrapped}) #b0 #b1)")
            }
        }
    }
}

/// A number of some width as a signed one.
fn number(width: u8, value: u128) -> i128 {
    if value >> (width - 1) & 1 == 1 { (value | !mask(width)) as i128 } else { value as i128 }
}

fn operate(op: BinaryOp, width: u8, x: u128, y: u128) -> u128 {
    let (a, b) = (number(width, x), number(width, y));
    let size = |value: i128| value.unsigned_abs();
    let divide = |x: u128, y: u128| (x.checked_div(y).unwrap_or(u128::MAX), x.checked_rem(y).unwrap_or(x));
    let with_sign = |negative: bool, value: u128| if negative { value.wrapping_neg() } else { value };
    match op {
        BinaryOp::And => x & y,
        BinaryOp::Or => x | y,
        BinaryOp::Xor => x ^ y,
        BinaryOp::Add => x.wrapping_add(y),
        BinaryOp::Mul => x.wrapping_mul(y),
        BinaryOp::UDiv => divide(x, y).0,
        BinaryOp::URem => divide(x, y).1,
        BinaryOp::SDiv => with_sign((a < 0) != (b < 0), divide(size(a), size(b)).0),
        BinaryOp::SRem => with_sign(a < 0, divide(size(a), size(b)).1),
        BinaryOp::Shl => (0..width).fold(0, |sum, at| {
            let from = u128::from(at).checked_sub(y).filter(|from| x >> from & 1 == 1);
            sum | u128::from(from.is_some()) << at
        }),
        BinaryOp::LShr => (0..width).fold(0, |sum, at| {
            let from = u128::from(at).checked_add(y).filter(|from| *from < u128::from(width));
            sum | from.map_or(0, |from| x >> from & 1) << at
        }),
        BinaryOp::AShr => (0..width).fold(0, |sum, at| {
            let from = u128::from(at).saturating_add(y).min(u128::from(width) - 1);
            sum | (x >> from & 1) << at
        }),
        BinaryOp::Eq => u128::from(x == y),
        BinaryOp::ULt => u128::from(x < y),
        BinaryOp::SLt => u128::from(a < b),
        BinaryOp::Concat => x << width | y,
    }
}
