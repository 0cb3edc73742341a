//! The answers of model checkers: verdicts, witnesses of AIGER and BTOR2, and the traces and invariants that
//! ABC writes.
//!
//! *Entry points:* [`verdict`], [`aiger_witness`], [`btor2_witness`], [`aiger_lasso`], [`btor2_lasso`],
//! [`lines_of_inputs`], [`pla_invariant`].
//! *Invariant:* text that is not understood is no evidence: there is no trace, or no invariant.

use rustc_hash::FxHashMap;

use crate::certificate::check_for;
use crate::circuit::{Circuit, Trace};
use crate::invariant::{Invariant, Literal};
use crate::system::System;

/// A verdict without evidence.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Verdict {
    Safe,
    Unsafe,
    Unknown,
}

/// Exit codes of the competition.
const UNSAFE_CODE: i32 = 10;
const SAFE_CODE: i32 = 20;

/// The verdict that an output states; contradictory ones are none.
pub(super) fn verdict(output: &str, code: Option<i32>) -> Verdict {
    let (mut safe, mut unsafe_) = (false, false);
    let mut lines = output.lines().map(str::trim);
    while let Some(line) = lines.next() {
        let is_bits = |line: &str| !line.is_empty() && line.bytes().all(|b| matches!(b, b'0' | b'1' | b'x'));
        if is_property(line, 'b') || is_property(line, 'j') {
            // Rows of one bit are no verdicts.
            let mut rest = lines.clone();
            while rest.next().is_some_and(is_bits) {
                lines.next();
            }
            continue;
        }
        match line.to_ascii_lowercase().as_str() {
            "unsat" | "0" | "safe" | "result: unsat" => safe = true,
            "sat" | "1" | "unsafe" | "result: sat" => unsafe_ = true,
            _ => {
                // ABC and nuXmv.
                safe |= line.contains("Property proved.");
                let is_subject =
                    ["-- invariant", "-- LTL specification"].iter().any(|start| line.starts_with(start));
                safe |= is_subject && line.ends_with("is true");
                unsafe_ |= line.contains("was asserted in frame");
                unsafe_ |= is_subject && line.ends_with("is false");
            }
        }
    }
    match (safe, unsafe_, code) {
        (true, false, _) | (false, false, Some(SAFE_CODE)) => Verdict::Safe,
        (false, true, _) | (false, false, Some(UNSAFE_CODE)) => Verdict::Unsafe,
        _ => Verdict::Unknown,
    }
}

/// A row of bits; unknown ones are 0.
fn row(line: &str, width: usize) -> Option<Vec<bool>> {
    let is_row = line.len() == width && line.bytes().all(|byte| matches!(byte, b'0' | b'1' | b'x'));
    is_row.then(|| line.bytes().map(|byte| byte == b'1').collect())
}

/// The inputs of the steps, of rows that are the inputs in each state: those of the last one are not used.
fn steps(mut rows: Vec<Vec<bool>>) -> Option<Vec<Vec<bool>>> {
    rows.pop()?;
    Some(rows)
}

/// Whether a line names a property: of bad states (`b`) or a justice condition (`j`), with its number.
fn is_property(line: &str, kind: char) -> bool {
    let number = line.strip_prefix(kind).unwrap_or_default();
    !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
}

/// The rows of inputs of a witness: `1`, the property, the latches, the inputs of each state, and a dot.
fn aiger_rows(output: &str, circuit: &Circuit, kind: char) -> Option<Vec<Vec<bool>>> {
    let mut lines = output.lines().map(str::trim).skip_while(|line| *line != "1").skip(1);
    lines.next().filter(|line| is_property(line, kind))?;
    row(lines.next()?, circuit.latches.len())?;
    let mut rows = Vec::new();
    for line in lines {
        if line == "." {
            return Some(rows);
        }
        rows.push(row(line, circuit.inputs.len())?);
    }
    None
}

/// The inputs of the steps to a bad state (`b0`).
pub(super) fn aiger_witness(output: &str, circuit: &Circuit) -> Option<Vec<Vec<bool>>> {
    steps(aiger_rows(output, circuit, 'b')?)
}

/// The inputs of the steps of a lasso (`j0`).
pub(super) fn aiger_lasso(output: &str, circuit: &Circuit) -> Option<Vec<Vec<bool>>> {
    aiger_rows(output, circuit, 'j')
}

/// The trace that ABC writes: the latches, then the inputs of each state, one on each line.
pub(super) fn lines_of_inputs(text: &str, circuit: &Circuit) -> Option<Vec<Vec<bool>>> {
    let text = text.split('#').next()?;
    let digits: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    let inputs = digits.get(circuit.latches.len()..)?;
    let width = circuit.inputs.len();
    if width == 0 || inputs.len() % width != 0 {
        return None;
    }
    let rows: Option<Vec<_>> =
        (0..inputs.len() / width).map(|at| row(&inputs[at * width..(at + 1) * width], width)).collect();
    steps(rows?)
}

/// The number of the property and the frames of inputs of a witness: `sat`, `b0` or `j0`, frames of states
/// (`#k`) and of inputs (`@k`) with assignments, and a dot.
fn btor2_frames(output: &str, system: &System, kind: char) -> Option<(usize, Vec<Vec<u64>>)> {
    let mut lines = output.lines().map(str::trim).skip_while(|line| *line != "sat").skip(1);
    let property = lines.next()?.split_whitespace().next()?;
    let number = property.strip_prefix(kind)?.parse().ok()?;
    let (mut frames, mut is_inputs) = (Vec::new(), false);
    for line in lines {
        if line == "." {
            return Some((number, frames));
        }
        if line.starts_with('#') {
            is_inputs = false;
        } else if let Some(frame) = line.strip_prefix('@') {
            if frame.parse::<usize>().ok()? != frames.len() {
                return None;
            }
            frames.push(vec![0; system.inputs.len()]);
            is_inputs = true;
        } else if is_inputs {
            let mut words = line.split_whitespace();
            let (at, value) = (words.next()?.parse::<usize>().ok()?, words.next()?);
            let value = u64::from_str_radix(&value.replace('x', "0"), 2).ok()?;
            *frames.last_mut()?.get_mut(at)? = value;
        }
    }
    None
}

/// A trace to a bad state.
pub(super) fn btor2_witness(output: &str, system: &System, bads: &[usize]) -> Option<Trace> {
    let (bad, mut frames) = btor2_frames(output, system, 'b')?;
    frames.pop()?;
    Some(Trace { inputs: frames, bad: *bads.get(bad)? })
}

/// The inputs of the steps of a lasso.
pub(super) fn btor2_lasso(output: &str, system: &System) -> Option<Vec<Vec<u64>>> {
    Some(btor2_frames(output, system, 'j')?.1)
}

/// An invariant as excluded cubes over named latches, in the format of PLA files.
///
/// ABC inverts latches whose initial value is 1, in some versions also in this file. The checker decides
/// which of the two is an invariant.
pub(super) fn pla_invariant(text: &str, system: &System, circuit: &Circuit) -> Option<Invariant> {
    let mut names: FxHashMap<String, usize> = FxHashMap::default();
    for (at, latch) in circuit.latches.iter().enumerate() {
        let name = &system.states[latch.bit.of as usize].name;
        names.insert(format!("{name}.{}", latch.bit.bit), at);
    }
    let line = text.lines().find_map(|line| line.strip_prefix(".ilb "))?;
    let columns: Option<Vec<usize>> = line.split_whitespace().map(|name| names.get(name).copied()).collect();
    let columns = columns?;
    let rows = text.lines().filter(|line| line.starts_with(['0', '1', '-']));
    let cubes: Option<Vec<Vec<(usize, bool)>>> = rows
        .map(|line| {
            let cube = line.split(' ').next()?;
            let literals = columns.iter().zip(cube.bytes()).filter(|(_, byte)| *byte != b'-');
            (cube.len() == columns.len()).then(|| literals.map(|(at, byte)| (*at, byte == b'1')).collect())
        })
        .collect();
    let cubes = cubes?;
    let bads: Vec<usize> = circuit.targets().collect();
    [true, false].into_iter().find_map(|is_inverted| {
        let mut invariant = Invariant::of_constants(circuit);
        invariant.clauses.extend(cubes.iter().map(|cube| {
            let literal = |(at, value): &(usize, bool)| {
                let latch = circuit.latches[*at];
                Literal { bit: latch.bit, value: *value == (is_inverted && latch.initial) }
            };
            cube.iter().map(literal).collect()
        }));
        check_for(system, &bads, &invariant, &mut |_| None).is_ok().then_some(invariant)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verdicts_of_outputs() {
        let of = |text, code| verdict(text, code);
        assert_eq!(of("unsat\n", None), Verdict::Safe);
        assert_eq!(of("1\nb0\n000\n.\n", Some(10)), Verdict::Unsafe);
        assert_eq!(of("", Some(20)), Verdict::Safe);
        assert_eq!(of("Property proved.  Time = 1", Some(0)), Verdict::Safe);
        assert_eq!(of("Output 0 of miter was asserted in frame 3.", Some(0)), Verdict::Unsafe);
        assert_eq!(of("-- invariant !bad is false", Some(0)), Verdict::Unsafe);
        assert_eq!(of("-- LTL specification !( G F j0) is true", Some(0)), Verdict::Safe);
        assert_eq!(of("-- LTL specification !( G F j0) is false", Some(0)), Verdict::Unsafe);
        // Rows of a witness with one latch and one input are no verdicts.
        assert_eq!(of("1\nb0\n0\n1\n0\n.\n", None), Verdict::Unsafe);
        assert_eq!(of("1\nj0\n0\n0\n.\n", None), Verdict::Unsafe);
        // Contradictions and other texts are no verdict.
        assert_eq!(of("sat\nunsat\n", Some(20)), Verdict::Unknown);
        assert_eq!(of("Property UNDECIDED.", Some(0)), Verdict::Unknown);
        assert_eq!(of("", Some(0)), Verdict::Unknown);
    }
}
