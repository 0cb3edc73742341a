//! The answers of model checkers: verdicts, witnesses of AIGER and BTOR2, and the traces and invariants that
//! ABC writes.
//!
//! *Entry points:* [`verdict`], [`aiger_witness`], [`btor2_witness`], [`lines_of_inputs`],
//! [`pla_invariant`].
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
    for line in output.lines().map(str::trim) {
        match line.to_ascii_lowercase().as_str() {
            "unsat" | "0" | "safe" | "result: unsat" => safe = true,
            "sat" | "1" | "unsafe" | "result: sat" => unsafe_ = true,
            _ => {
                // ABC and nuXmv.
                safe |= line.contains("Property proved.");
                safe |= line.starts_with("-- invariant") && line.ends_with("is true");
                unsafe_ |= line.contains("was asserted in frame");
                unsafe_ |= line.starts_with("-- invariant") && line.ends_with("is false");
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

/// A witness: `1`, `b0`, the latches, the inputs of each state, and a dot.
pub(super) fn aiger_witness(output: &str, circuit: &Circuit) -> Option<Vec<Vec<bool>>> {
    let mut lines = output.lines().map(str::trim).skip_while(|line| *line != "1").skip(1);
    let is_property =
        |line: &&str| line.starts_with('b') && line[1..].bytes().all(|byte| byte.is_ascii_digit());
    lines.next().filter(is_property)?;
    row(lines.next()?, circuit.latches.len())?;
    let mut rows = Vec::new();
    for line in lines {
        if line == "." {
            return steps(rows);
        }
        rows.push(row(line, circuit.inputs.len())?);
    }
    None
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

/// A witness: `sat`, `b0`, frames of states (`#k`) and of inputs (`@k`) with assignments, and a dot.
pub(super) fn btor2_witness(output: &str, system: &System, bads: &[usize]) -> Option<Trace> {
    let mut lines = output.lines().map(str::trim).skip_while(|line| *line != "sat").skip(1);
    let bad: usize = lines.next()?.strip_prefix('b')?.split_whitespace().next()?.parse().ok()?;
    let (mut frames, mut is_inputs) = (Vec::new(), false);
    for line in lines {
        if line == "." {
            frames.pop()?;
            return Some(Trace { inputs: frames, bad: *bads.get(bad)? });
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
        // Contradictions and other texts are no verdict.
        assert_eq!(of("sat\nunsat\n", Some(20)), Verdict::Unknown);
        assert_eq!(of("Property UNDECIDED.", Some(0)), Verdict::Unknown);
        assert_eq!(of("", Some(0)), Verdict::Unknown);
    }
}
