//! The clauses of an invariant as conditions on variables.
//!
//! A certificate states clauses over single bits. Clauses with one literal that fix the high bits of an
//! unsigned variable to zero are one bound on its value. Literals of all other bits of a variable exclude one
//! value. A bit of a variable of one bit is the variable itself; every other literal is a test of a bit.
//!
//! *Entry point:* [`conditions`].
//! *Invariant:* the conjunction of the conditions is that of the clauses.

use std::collections::{BTreeMap, BTreeSet, HashMap};

/// A variable of a certificate.
#[derive(Clone, Copy)]
struct Variable {
    bits: u32,
    /// The lower bits that no bound fixes.
    free: u32,
    is_signed: bool,
}

/// A literal: variable, bit and value.
type Literal<'c> = (&'c str, u32, bool);

/// The conditions of the certificate of an invariant, in its order, bounds first. Lines that are no records
/// of a certificate are skipped.
#[must_use]
pub fn conditions(certificate: &str) -> Vec<String> {
    let mut variables: HashMap<&str, Variable> = HashMap::new();
    let mut clauses: Vec<Vec<Literal<'_>>> = Vec::new();
    for line in certificate.lines() {
        let mut words = line.split(' ');
        match words.next() {
            Some("state") => {
                if let (Some(name), Some(bits), Some(sign)) = (words.next(), words.next(), words.next())
                    && let Ok(bits) = bits.parse()
                {
                    variables.insert(name, Variable { bits, free: bits, is_signed: sign == "signed" });
                }
            }
            Some("clause") => clauses.push(words.filter_map(literal).collect()),
            _ => {}
        }
    }
    let (bounds, bounded) = bounds(&clauses, &mut variables);
    let others = clauses.iter().filter(|clause| match clause[..] {
        [(name, bit, false)] => !bounded.contains(&(name, bit)),
        _ => true,
    });
    let others = others.map(|clause| disjunction(clause, &variables));
    bounds.into_iter().chain(others).collect()
}

/// A clause: literals of all bits of a variable that are not fixed exclude one value of it.
fn disjunction(clause: &[Literal<'_>], variables: &HashMap<&str, Variable>) -> String {
    let mut names: Vec<&str> = Vec::new();
    for (name, ..) in clause {
        if !names.contains(name) {
            names.push(name);
        }
    }
    let mut parts = Vec::new();
    for name in names {
        let own: Vec<(u32, bool)> =
            clause.iter().filter(|one| one.0 == name).map(|one| (one.1, one.2)).collect();
        let bits: BTreeSet<u32> = own.iter().map(|one| one.0).collect();
        let variable = variables.get(name);
        let whole = variable.filter(|known| {
            known.bits > 1 && known.free < 64 && own.len() == bits.len() && bits == (0..known.free).collect()
        });
        match whole {
            Some(known) => {
                let excluded = own.iter().filter(|(_, value)| !value).map(|(bit, _)| 1_i128 << bit);
                let excluded: i128 = excluded.sum();
                let is_negative = known.is_signed && excluded >> (known.free - 1) == 1;
                let value = if is_negative { excluded - (1 << known.free) } else { excluded };
                parts.push(format!("{name} != {value}"));
            }
            None => parts.extend(own.iter().map(|&(bit, value)| test(name, bit, value, variable))),
        }
    }
    if parts.is_empty() { "false".to_string() } else { parts.join(" || ") }
}

/// A literal `name.bit=value`.
fn literal(word: &str) -> Option<Literal<'_>> {
    let (bit, value) = word.rsplit_once('=')?;
    let (name, bit) = bit.rsplit_once('.')?;
    Some((name, bit.parse().ok()?, value == "1"))
}

/// Bounds of unsigned variables whose high bits are zero by clauses of one literal, and these bits.
fn bounds<'c>(
    clauses: &[Vec<Literal<'c>>],
    variables: &mut HashMap<&'c str, Variable>,
) -> (Vec<String>, BTreeSet<(&'c str, u32)>) {
    let mut zeros: BTreeMap<&str, BTreeSet<u32>> = BTreeMap::new();
    for clause in clauses {
        if let [(name, bit, false)] = clause[..] {
            zeros.entry(name).or_default().insert(bit);
        }
    }
    let (mut bounds, mut bounded) = (Vec::new(), BTreeSet::new());
    for (name, zeros) in zeros {
        let Some(variable) = variables.get_mut(name).filter(|variable| !variable.is_signed) else { continue };
        let bits = variable.bits;
        let high = (0..bits).rev().take_while(|bit| zeros.contains(bit)).count() as u32;
        let free = bits - high;
        if bits > 1 && high > 0 && free < 64 {
            bounds.push(match free {
                0 => format!("{name} == 0"),
                _ => format!("{name} < {}", 1_u64 << free),
            });
            variable.free = free;
            bounded.extend((free..bits).map(|bit| (name, bit)));
        }
    }
    (bounds, bounded)
}

/// The test of a bit.
fn test(name: &str, bit: u32, value: bool, variable: Option<&Variable>) -> String {
    let negation = if value { "" } else { "!" };
    match variable {
        Some(Variable { bits: 1, .. }) => format!("{negation}{name}"),
        Some(Variable { bits, is_signed: true, .. }) if bit + 1 == *bits => {
            format!("{name} {} 0", if value { "<" } else { ">=" })
        }
        _ if bit < 64 => format!("{negation}({name} & {})", 1_u64 << bit),
        _ => format!("{negation}(bit {bit} of {name})"),
    }
}

#[cfg(test)]
mod tests {
    use super::conditions;

    #[test]
    fn clauses_become_conditions() {
        let text = "axle-invariant 1\ndepth 1\ndistinct no\nproperty assertion:0:3\n\
                    state count 4 unsigned 0\nstate closed 1 unsigned 0\nstate level 8 signed 0\n\
                    clause count.3=0\nclause count.2=0\nclause count.0=0\n\
                    clause closed.0=1 count.1=0 level.7=1\nclause w0.4=0\nend\n";
        let expected = ["count < 4", "!(count & 1)", "closed || !(count & 2) || level < 0", "!(w0 & 16)"];
        assert_eq!(conditions(text), expected);
    }

    #[test]
    fn a_bound_needs_all_higher_bits() {
        let text = "state n 8 unsigned 0\nclause n.5=0\nclause n.6=0\n";
        assert_eq!(conditions(text), ["!(n & 32)", "!(n & 64)"]);
        let text = "state n 2 unsigned 0\nclause n.1=0\nclause n.0=0\n";
        assert_eq!(conditions(text), ["n == 0"]);
    }

    #[test]
    fn literals_of_all_free_bits_exclude_a_value() {
        let text = "state n 3 unsigned 0\nclause n.2=0\nclause n.0=1 n.1=0\nclause n.0=1 n.1=0 n.2=1\n";
        assert_eq!(conditions(text), ["n < 4", "n != 2", "(n & 1) || !(n & 2) || (n & 4)"]);
        let text = "state n 2 signed 0\nclause n.0=1 n.1=0\nclause n.0=0 n.1=1\n";
        assert_eq!(conditions(text), ["n != -2", "n != 1"]);
    }
}
