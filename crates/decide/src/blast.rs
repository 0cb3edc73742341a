//! Bit-blasting: terms as words of an and-inverter graph, the lowest bit first.
//!
//! Sums are ripple-carry adders, products sums of shifted copies, quotients come from restoring
//! division, and shifts by variable amounts from one stage for each bit of the amount.
//!
//! *Entry point:* [`Blaster::word`].
//! *Source:* Kroening and Strichman, "Decision Procedures", chapter 6.
//! *Invariant:* a word has as many bits as its term, and their values are those of
//! [`crate::term::Terms::evaluate`].

use rustc_hash::FxHashMap;

use crate::aig::{Aig, HIGH, LOW, Signal};
use crate::term::{BinaryOp, Term, TermId, Terms};

/// The bits of a term, the lowest first.
type Word = Vec<Signal>;

/// The words of terms.
#[derive(Clone, Debug, Default)]
pub struct Blaster {
    words: FxHashMap<TermId, Word>,
    /// Quotient and remainder of two words.
    divisions: FxHashMap<(Word, Word), (Word, Word)>,
}

impl Blaster {
    /// Determines the bits of a variable, before terms with it are translated.
    pub fn bind(&mut self, variable: TermId, word: Vec<Signal>) {
        self.words.insert(variable, word);
    }

    /// The bits of a term. Variables without bits receive inputs.
    pub fn word(&mut self, aig: &mut Aig, terms: &Terms, root: TermId) -> Vec<Signal> {
        let words = &self.words;
        for id in terms.order(root, |id| words.contains_key(&id)) {
            let word = self.translate(aig, terms, id);
            debug_assert_eq!(word.len(), usize::from(terms.width(id)));
            self.words.insert(id, word);
        }
        self.words[&root].clone()
    }

    /// The bits of a term that was translated.
    #[must_use]
    pub fn known(&self, term: TermId) -> Option<&[Signal]> {
        self.words.get(&term).map(Vec::as_slice)
    }

    fn translate(&mut self, aig: &mut Aig, terms: &Terms, id: TermId) -> Vec<Signal> {
        let width = usize::from(terms.width(id));
        let of = |term: TermId| self.words[&term].clone();
        match terms.get(id) {
            Term::Const(value) => (0..width).map(|bit| Signal::constant(value >> bit & 1 == 1)).collect(),
            Term::Variable(_) => (0..width).map(|_| aig.input()).collect(),
            Term::Not(a) => invert(&of(a)),
            Term::Neg(a) => negate(aig, &of(a)),
            Term::If(condition, a, b) => choose(aig, of(condition)[0], &of(a), &of(b)),
            Term::Extract(low, a) => of(a)[usize::from(low)..][..width].to_vec(),
            Term::ZeroExtend(a) => extend(of(a), width, LOW),
            Term::SignExtend(a) => {
                let word = of(a);
                let sign = word[word.len() - 1];
                extend(word, width, sign)
            }
            Term::Binary(op, a, b) => {
                if op == BinaryOp::Add
                    && let Term::Neg(negated) = terms.get(b)
                {
                    let (a, b) = (of(a), invert(&of(negated)));
                    return add(aig, &a, &b, HIGH);
                }
                let (a, b) = (of(a), of(b));
                self.binary(aig, op, &a, &b)
            }
        }
    }

    fn binary(&mut self, aig: &mut Aig, op: BinaryOp, a: &[Signal], b: &[Signal]) -> Vec<Signal> {
        let bits = || a.iter().copied().zip(b.iter().copied());
        match op {
            BinaryOp::And => bits().map(|(x, y)| aig.and(x, y)).collect(),
            BinaryOp::Or => bits().map(|(x, y)| aig.or(x, y)).collect(),
            BinaryOp::Xor => bits().map(|(x, y)| aig.xor(x, y)).collect(),
            BinaryOp::Add => add(aig, a, b, LOW),
            BinaryOp::Mul => multiply(aig, a, b),
            BinaryOp::UDiv => self.divide(aig, a, b).0,
            BinaryOp::URem => self.divide(aig, a, b).1,
            BinaryOp::SDiv | BinaryOp::SRem => self.divide_signed(aig, op, a, b),
            BinaryOp::Shl => shift(aig, a, b, LOW, true),
            BinaryOp::LShr => shift(aig, a, b, LOW, false),
            BinaryOp::AShr => shift(aig, a, b, a[a.len() - 1], false),
            BinaryOp::Eq => {
                let differences = bits().map(|(x, y)| aig.xor(x, y)).collect();
                vec![!aig.any(differences)]
            }
            BinaryOp::ULt => vec![less(aig, a, b)],
            BinaryOp::SLt => {
                let (mut a, mut b) = (a.to_vec(), b.to_vec());
                let sign = a.len() - 1;
                (a[sign], b[sign]) = (!a[sign], !b[sign]);
                vec![less(aig, &a, &b)]
            }
            BinaryOp::Concat => b.iter().chain(a).copied().collect(),
        }
    }

    /// Quotient and remainder of unsigned words.
    fn divide(&mut self, aig: &mut Aig, a: &[Signal], b: &[Signal]) -> (Word, Word) {
        let key = (a.to_vec(), b.to_vec());
        if let Some(known) = self.divisions.get(&key) {
            return known.clone();
        }
        let width = a.len();
        let divisor = extend(b.to_vec(), width + 1, LOW);
        let inverted = invert(&divisor);
        let mut quotient = vec![LOW; width];
        let mut remainder = vec![LOW; width + 1];
        for bit in (0..width).rev() {
            // The remainder is less than the divisor, or the divisor is 0, so that its top bit is lost.
            remainder.pop();
            remainder.insert(0, a[bit]);
            let smaller = less(aig, &remainder, &divisor);
            let difference = add(aig, &remainder, &inverted, HIGH);
            remainder = choose(aig, smaller, &remainder, &difference);
            quotient[bit] = !smaller;
        }
        remainder.pop();
        self.divisions.insert(key, (quotient.clone(), remainder.clone()));
        (quotient, remainder)
    }

    fn divide_signed(&mut self, aig: &mut Aig, op: BinaryOp, a: &[Signal], b: &[Signal]) -> Vec<Signal> {
        let (sign_a, sign_b) = (a[a.len() - 1], b[b.len() - 1]);
        let (size_a, size_b) = (negate_if(aig, sign_a, a), negate_if(aig, sign_b, b));
        let (quotient, remainder) = self.divide(aig, &size_a, &size_b);
        match op {
            BinaryOp::SDiv => {
                let differ = aig.xor(sign_a, sign_b);
                negate_if(aig, differ, &quotient)
            }
            _ => negate_if(aig, sign_a, &remainder),
        }
    }
}

fn invert(word: &[Signal]) -> Vec<Signal> {
    word.iter().map(|bit| !*bit).collect()
}

fn extend(mut word: Vec<Signal>, width: usize, bit: Signal) -> Vec<Signal> {
    word.resize(width, bit);
    word
}

fn choose(aig: &mut Aig, condition: Signal, a: &[Signal], b: &[Signal]) -> Vec<Signal> {
    a.iter().zip(b).map(|(x, y)| aig.choose(condition, *x, *y)).collect()
}

/// The sum of two words and a carry.
fn add(aig: &mut Aig, a: &[Signal], b: &[Signal], mut carry: Signal) -> Vec<Signal> {
    let mut sum = Vec::with_capacity(a.len());
    for (x, y) in a.iter().zip(b) {
        let differ = aig.xor(*x, *y);
        sum.push(aig.xor(differ, carry));
        let (both, one) = (aig.and(*x, *y), aig.and(differ, carry));
        carry = aig.or(both, one);
    }
    sum
}

fn negate(aig: &mut Aig, word: &[Signal]) -> Vec<Signal> {
    add(aig, &invert(word), &vec![LOW; word.len()], HIGH)
}

fn negate_if(aig: &mut Aig, condition: Signal, word: &[Signal]) -> Vec<Signal> {
    let flipped: Vec<_> = word.iter().map(|bit| aig.xor(*bit, condition)).collect();
    add(aig, &flipped, &vec![LOW; word.len()], condition)
}

/// Whether an unsigned word is less than another.
fn less(aig: &mut Aig, a: &[Signal], b: &[Signal]) -> Signal {
    let mut less = LOW;
    for (x, y) in a.iter().zip(b) {
        let differ = aig.xor(*x, *y);
        less = aig.choose(differ, *y, less);
    }
    less
}

fn multiply(aig: &mut Aig, a: &[Signal], b: &[Signal]) -> Vec<Signal> {
    // The word with more constant bits selects the copies that are added.
    let constants = |word: &[Signal]| word.iter().filter(|bit| bit.node() == 0).count();
    let (copied, selector) = if constants(a) > constants(b) { (b, a) } else { (a, b) };
    let mut product = vec![LOW; a.len()];
    for (shift, bit) in selector.iter().enumerate() {
        if *bit == LOW {
            continue;
        }
        let row: Vec<_> = copied[..copied.len() - shift].iter().map(|x| aig.and(*x, *bit)).collect();
        let sum = add(aig, &product[shift..], &row, LOW);
        product.splice(shift.., sum);
    }
    product
}

/// A word shifted by a variable amount; `fill` enters, to the right unless `left`.
fn shift(aig: &mut Aig, word: &[Signal], amount: &[Signal], fill: Signal, left: bool) -> Vec<Signal> {
    let width = word.len();
    let mut shifted = word.to_vec();
    let mut beyond = Vec::new();
    for (stage, bit) in amount.iter().enumerate() {
        let Some(by) = 1usize.checked_shl(stage as u32).filter(|by| *by < width) else {
            beyond.push(*bit);
            continue;
        };
        let from = |at: usize| if left { at.checked_sub(by) } else { Some(at + by).filter(|at| *at < width) };
        let moved: Vec<_> = (0..width).map(|at| from(at).map_or(fill, |at| shifted[at])).collect();
        shifted = choose(aig, *bit, &moved, &shifted);
    }
    let beyond = aig.any(beyond);
    choose(aig, beyond, &vec![fill; width], &shifted)
}
