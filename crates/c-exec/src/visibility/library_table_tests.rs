//! Compares the table of library functions (`axle_c::library`) with executions: on every step that
//! calls a function of the table, the row states what the step does.

use std::collections::{BTreeSet, HashMap};
use std::path::Path;

use axle_c::code::{Arg, Op, StaticKind};
use axle_c::library::{Lib, Operation, Touches};
use axle_c::{Options, Program, compile};
use axle_source::{Diagnostics, LoadError, Loader, Sources};

use crate::observers::recorders::Machine;
use crate::state::access::Access;
use crate::state::outcome::{Choice, Done};
use crate::state::settings::Settings;
use crate::state::value::Value;

/// Steps of an execution that are compared.
const STEPS: usize = 4_000;

/// Steps on which each function is compared.
const TIMES: usize = 60;

struct NoFiles;

impl Loader for NoFiles {
    fn load(&self, _: &str, _: u64) -> Result<Vec<u8>, LoadError> {
        Err(LoadError::NotFound)
    }
}

fn program(name: &str, text: &[u8]) -> Option<Program> {
    let (mut sources, mut diagnostics) = (Sources::new(), Diagnostics::new());
    let (main, _) = sources.add_bytes(name, text);
    compile(&[main], &Options::default(), &NoFiles, &mut sources, &mut diagnostics)
}

/// The comparisons so far.
#[derive(Default)]
struct Seen {
    /// The number for each function.
    times: HashMap<Lib, usize>,
    /// The differences.
    wrong: BTreeSet<String>,
}

impl Seen {
    fn expect(&mut self, holds: bool, lib: Lib, what: &str) {
        if !holds {
            self.wrong.insert(format!("{lib:?}: {what}"));
        }
    }
}

/// Executes a program on one schedule, and compares the steps that call the library.
fn compare(program: &Program, seen: &mut Seen) {
    let settings = Settings::default();
    let mut machine = Machine::new(program, &settings);
    if machine.start().is_err() {
        return;
    }
    let mut steps = 0;
    let mut moved = true;
    while moved && !machine.state.done {
        moved = false;
        for t in 0..machine.state.threads.len() {
            for _ in 0..50 {
                steps += 1;
                if steps > STEPS || machine.state.done {
                    return;
                }
                if machine.state.threads[t].ended {
                    break;
                }
                match compared_step(&mut machine, t, seen) {
                    Some(true) => moved = true,
                    Some(false) => break,
                    None => return,
                }
            }
        }
    }
}

/// A step of a thread: whether it was made, or none at the end of the execution.
fn compared_step(machine: &mut Machine<'_>, t: usize, seen: &mut Seen) -> Option<bool> {
    let call = match machine.next_op(t) {
        Some(Op::Lib { lib, args, dst }) => {
            let values: Vec<Value> = args.iter().map(|arg| machine.arg(t, *arg)).collect();
            Some((*lib, values, *dst))
        }
        _ => None,
    };
    let call = call.filter(|(lib, ..)| seen.times.get(lib).is_none_or(|times| *times < TIMES));
    let depth = machine.state.threads[t].frames.len();
    let register = machine.state.threads[t].frames.last().map(|frame| frame.regs);
    if let Some((lib, args, _)) = &call {
        *seen.times.entry(*lib).or_default() += 1;
        compare_accesses((machine, t), *lib, args, &machine.trial(t), seen);
        if lib.row().ignores_arguments {
            compare_without_arguments(*lib, machine, t, seen);
        }
    }
    let made = match machine.step(t, Choice::Ask) {
        Ok(Done::Choices(count)) => machine.step(t, Choice::Take(count - 1)),
        made => made,
    };
    if let (Some((lib, args, dst)), Some(register), Ok(Done::Next)) = (&call, register, &made)
        && machine.state.threads[t].frames.len() == depth
    {
        let result = machine.state.threads[t].regs.get((register + dst) as usize).copied();
        compare_result(*lib, args, result.unwrap_or_default(), seen);
    }
    match made {
        Ok(Done::Next) => Some(true),
        Ok(Done::Blocked) => Some(false),
        Ok(Done::Choices(_) | Done::Discarded) | Err(_) => None,
    }
}

/// The effect on memory is that of the row, and a synchronisation object is within its bound.
fn compare_accesses(
    (machine, t): (&Machine<'_>, usize),
    lib: Lib,
    args: &[Value],
    accesses: &[Access],
    seen: &mut Seen,
) {
    let row = lib.row();
    // No other thread observes an access to a string literal or to `errno`.
    let is_private = |access: &&Access| {
        let fixed = machine.program.statics.get((access.object as usize).wrapping_sub(1));
        matches!(fixed.map(|fixed| &fixed.kind), Some(StaticKind::Text(_)))
            || machine.state.threads[t].storage.contains(&access.object)
    };
    for access in accesses.iter().filter(|access| !is_private(access)) {
        let allowed = match row.touches {
            Touches::Nothing | Touches::Input => false,
            Touches::Memory => !(access.atomic && access.write),
            Touches::Synchronisation => access.atomic,
            Touches::Both => true,
        };
        seen.expect(allowed, lib, &format!("access with write {}, atomic {}", access.write, access.atomic));
        if row.touches == Touches::Synchronisation
            && let Some(Value::Ptr(object, offset)) = args.first()
            && access.object == *object
            && !args[1..].iter().any(|arg| matches!(arg, Value::Ptr(other, _) if other == object))
        {
            let first = i64::from(access.offset) - i64::from(*offset);
            let end = first + i64::from(access.size);
            seen.expect(first >= 0 && end <= row.object_bytes, lib, &format!("access to {first}..{end}"));
        }
    }
}

/// The result is in its range, and no argument unless the row states that.
fn compare_result(lib: Lib, args: &[Value], result: Value, seen: &mut Seen) {
    let row = lib.row();
    if let Some((low, high)) = row.range {
        let number = match result {
            Value::Int(number) if low < 0 => Some(i128::from(number as i64)),
            Value::Int(number) => Some(i128::from(number)),
            Value::Ptr(..) | Value::Undef => None,
        };
        let is_in_range = number.is_some_and(|number| (low..=high).contains(&number));
        seen.expect(is_in_range, lib, &format!("result {number:?}"));
    }
    if let Value::Ptr(object, _) = result
        && row.operation != Operation::Reallocate
    {
        let same = |arg: &Value| matches!(arg, Value::Ptr(other, _) if *other == object);
        let which = args.iter().position(same);
        seen.expect(which.is_none() || which == row.passes_on, lib, "the result is an argument");
    }
}

/// The step is the same without values in the arguments.
fn compare_without_arguments(lib: Lib, machine: &Machine<'_>, t: usize, seen: &mut Seen) {
    let Some(Op::Lib { args, dst, .. }) = machine.next_op(t) else { return };
    let Some(frame) = machine.state.threads[t].frames.last() else { return };
    let (regs, dst) = (frame.regs, *dst);
    let (mut one, mut other) = (machine.clone(), machine.clone());
    for arg in args {
        if let Arg::Reg(reg) = arg {
            other.state.threads[t].regs[(regs + reg) as usize] = Value::Undef;
        }
    }
    let take = |machine: &mut Machine<'_>| {
        let made = machine.step(t, Choice::Take(0));
        (made, machine.state.threads[t].regs[(regs + dst) as usize])
    };
    seen.expect(take(&mut one) == take(&mut other), lib, "the arguments have an effect");
}

#[test]
fn rows_state_what_the_steps_do() {
    let mut seen = Seen::default();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folders = ["tests/library", "tests/probes", "../../tests/c", "../../examples/c"];
    let entries = folders.iter().flat_map(|folder| std::fs::read_dir(root.join(folder)));
    let mut files: Vec<_> = entries.flatten().flatten().map(|entry| entry.path()).collect();
    files.sort();
    for path in files.iter().filter(|path| path.extension().is_some_and(|ext| ext == "c")) {
        let (name, text) = (path.display().to_string(), std::fs::read(path).unwrap_or_default());
        if let Some(program) = program(&name, &text) {
            compare(&program, &mut seen);
        }
    }
    assert_eq!(seen.wrong, BTreeSet::new());
    let is_missing = |lib: &Lib| !seen.times.contains_key(lib);
    let missing: Vec<Lib> = Lib::ALL.iter().copied().filter(is_missing).collect();
    assert!(missing.is_empty(), "never executed: {missing:?}");
}
