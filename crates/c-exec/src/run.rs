//! Runs a program from its start to its end on one schedule: threads are executed round-robin,
//! choices take their first way. For programs with one thread and no input this is the program's
//! meaning.
//!
//! *Entry point:* [`run`].

use axle_source::Loc;

use axle_c::Program;

use crate::machine::decode::decode;
use crate::machine::encode::encode;
use crate::machine::observer::Observer;
use crate::machine::{Execution, Machine};
use crate::memory::sequentially_consistent::SequentiallyConsistent;
use crate::state::error_kind::ErrorKind;
use crate::state::outcome::{Choice, Done};
use crate::state::settings::Settings;

/// An execution of which only the output is recorded.
#[derive(Clone, Copy, Debug)]
struct Plain;

/// The bytes that the program prints on standard output.
#[derive(Clone, Default, Debug)]
struct Output(Vec<u8>);

impl Execution for Plain {
    type Memory = SequentiallyConsistent;
    type Observer = Output;
}

impl Observer<Plain> for Output {
    fn prints(&mut self, bytes: &[u8], is_output: bool) {
        if is_output {
            self.0.extend_from_slice(bytes);
        }
    }
}

/// The result of a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Run {
    /// What the program printed on standard output.
    pub output: Vec<u8>,
    /// Its exit status, or the error.
    pub end: Result<i32, ErrorKind>,
    /// Steps made.
    pub steps: u64,
    /// The expression that was executed last.
    pub at: Option<Loc>,
}

/// Executes a program, for at most `limit` steps.
#[must_use]
pub fn run(program: &Program, settings: &Settings, limit: u64) -> Run {
    let mut machine: Machine<'_, Plain> = Machine::new(program, settings);
    let mut steps = 0;
    let end = machine.start().and_then(|()| turns(&mut machine, limit, &mut steps));
    let code = program.codes.get((machine.site >> 20) as usize);
    let at = code.and_then(|code| code.locs.get((machine.site & 0xf_ffff) as usize)).copied();
    Run { at, output: std::mem::take(&mut machine.observer.0), end: end.map(|()| machine.status), steps }
}

fn turns(machine: &mut Machine<'_, Plain>, limit: u64, steps: &mut u64) -> Result<(), ErrorKind> {
    let mut tidy_at = 1 << 20;
    while !machine.state.done {
        let mut moved = false;
        for t in 0..machine.state.threads.len() {
            let mut turn = 0;
            while !machine.state.done && !machine.state.threads[t].ended && turn < 10_000 {
                *steps += 1;
                turn += 1;
                if *steps > limit {
                    return Err(ErrorKind::Limit("more steps than allowed"));
                }
                match machine.step(t, Choice::Ask)? {
                    Done::Next => moved = true,
                    Done::Blocked => break,
                    Done::Choices(_) => match machine.step(t, Choice::Take(0))? {
                        Done::Next => moved = true,
                        _ => break,
                    },
                    Done::Discarded => return Err(ErrorKind::Limit("an assumption does not hold")),
                }
            }
        }
        if !moved {
            return Err(ErrorKind::Deadlock("no thread can go on".into()));
        }
        // Objects that have ended take room until the state is written down anew.
        if machine.state.bytes.len() + 16 * machine.state.objects.len() > tidy_at && !machine.state.done {
            let bytes = encode(machine);
            decode(machine.program, &bytes, &mut machine.state);
            tidy_at = (4 * machine.state.bytes.len()).max(1 << 20);
        }
    }
    Ok(())
}
