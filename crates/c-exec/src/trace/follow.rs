//! Whether a program can make given statements in a given order: how a run of a model of it is
//! confirmed, or found to be none of the program's. It is a breadth-first search over states of the
//! exact semantics, each with how much of the order is done; whatever else the program does between
//! is free (the lifting of runs in Holzmann and Smith, *Automating Software Feature Verification*,
//! and the check of abstract counterexamples in Clarke, Grumberg, Jha, Lu and Veith, JACM 2003).
//!
//! *Entry point:* [`follow`].
//! *Invariant:* "no" is said only when every execution was looked at.

use std::collections::VecDeque;

use axle_source::Loc;
use rustc_hash::FxHashSet;

use crate::explore::{close_invisible, enabling_fingerprint, initial, transitions};
use crate::machine::decode::decode;
use crate::machine::encode::encode;
use crate::observers::recorders::Machine;
use crate::state::error_site::ErrorSite;
use crate::state::program_state::Wait;
use crate::stepper::Stepper;
use axle_c::code::Op;
use axle_c::library::Touches;
use axle_step::Interrupt;

/// A statement that is looked for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Wanted {
    /// The function that it is in.
    pub function: String,
    /// The statement or condition.
    pub loc: Loc,
}

/// The outcome of the search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Followed {
    /// The first statement of the order that was not made, on the way that came furthest; none when
    /// all were.
    pub missing: Option<usize>,
    /// All of them were made, and the error was made.
    pub done: bool,
    /// The error at the end of that path.
    pub error_site: Option<ErrorSite>,
    /// Not all ways were looked at: the limit was reached, or a feature is not modelled.
    pub stopped: bool,
    /// The program reads input, of which only some values were tried.
    pub restricted: bool,
}

/// The order: for each of its parts the statements, by their numbers.
struct Order<'a> {
    stepper: &'a Stepper<'a>,
    script: &'a [Wanted],
    watched: &'a [Wanted],
    /// Functions whose statements keep one order, and that order.
    lanes: Vec<(Vec<&'a str>, Vec<usize>)>,
}

/// Whether a statement as the parser of the program sees it is one that is looked for.
fn same(wanted: &Wanted, function: &str, loc: Loc) -> bool {
    let (a, b) = (wanted.loc.span, loc.span);
    let within = |a: axle_source::Span, b: axle_source::Span| b.start <= a.start && a.end <= b.end;
    wanted.function == function && a.file == b.file && (within(a, b) || within(b, a))
}

impl<'a> Order<'a> {
    fn new(
        stepper: &'a Stepper<'a>,
        script: &'a [Wanted],
        watched: &'a [Wanted],
        together: bool,
    ) -> Order<'a> {
        let mut lanes: Vec<(Vec<&str>, Vec<usize>)> = Vec::new();
        let functions = watched.iter().map(|one| &*one.function);
        for function in functions.chain(script.iter().map(|one| &*one.function)) {
            if lanes.iter().any(|(of, _)| of.contains(&function)) {
                continue;
            }
            match lanes.first_mut() {
                Some((of, _)) if together => of.push(function),
                _ => lanes.push((vec![function], Vec::new())),
            }
        }
        for (index, one) in script.iter().enumerate() {
            if let Some((_, order)) = lanes.iter_mut().find(|(of, _)| of.contains(&&*one.function)) {
                order.push(index);
            }
        }
        Order { stepper, script, watched, lanes }
    }

    /// How much of each part is done after these steps; none when they leave the order.
    fn advance(&self, record: &[(u32, u32, u32)], done: &[u32]) -> Option<Vec<u32>> {
        let mut done = done.to_vec();
        for &(_, code, pc) in record {
            let code = &self.stepper.program.codes[code as usize];
            let Some(&loc) = code.statements.get(pc as usize) else { continue };
            let begins = pc == 0 || code.statements[pc as usize - 1] != loc;
            if code.ours || !begins || !self.watched.iter().any(|one| same(one, &code.name, loc)) {
                continue;
            }
            let lane = self.lanes.iter().position(|(of, _)| of.contains(&&*code.name))?;
            match self.lanes[lane].1.get(done[lane] as usize) {
                Some(&next) if same(&self.script[next], &code.name, loc) => done[lane] += 1,
                // Behind the end of the order anything goes.
                None => {}
                Some(_) => return None,
            }
        }
        Some(done)
    }

    /// The first statement that is not made.
    fn missing(&self, done: &[u32]) -> Option<usize> {
        let next =
            |(lane, (_, order)): (usize, &(Vec<&str>, Vec<usize>))| order.get(done[lane] as usize).copied();
        self.lanes.iter().enumerate().filter_map(next).min()
    }
}

/// Looks for an execution that makes the statements of `script` in order, and no other one of
/// `watched` between them: all of them `together`, or those of each function by themselves, which
/// every execution does that makes them together in steps that others can notice. `fault`: it must
/// also make an error. At most `most` states are looked at, until the `interrupt`.
#[must_use]
pub fn follow(
    stepper: &Stepper<'_>,
    script: &[Wanted],
    watched: &[Wanted],
    together: bool,
    fault: bool,
    most: usize,
    interrupt: &Interrupt,
) -> Followed {
    let order = Order::new(stepper, script, watched, together);
    let restricted = reads_input(stepper);
    let mut followed =
        Followed { missing: Some(0), done: false, error_site: None, stopped: false, restricted };
    let mut machine = Machine::new(stepper.program, stepper.settings);
    machine.observer.record = Some(Vec::new());
    let begun = initial(&mut machine);
    let none = vec![0; order.lanes.len()];
    let reached = order.advance(machine.observer.record.as_deref().unwrap_or_default(), &none);
    let (mut seen, mut queue) = (FxHashSet::default(), VecDeque::new());
    let mut best = None;
    let mut arrive = |bytes: Result<Vec<u8>, ErrorSite>, done: Option<Vec<u32>>, followed: &mut Followed| {
        let done = done?;
        let total: u32 = done.iter().sum();
        if best.is_none_or(|best| total > best) {
            best = Some(total);
            followed.missing = order.missing(&done);
        }
        let all = total as usize == script.len();
        match bytes {
            Err(error_site) if all && (error_site.error.is_violation() || !fault) => {
                followed.done = true;
                followed.error_site = Some(error_site);
                None
            }
            Err(error_site) => {
                followed.stopped |= !error_site.error.is_violation();
                None
            }
            Ok(_) if all && !fault => {
                followed.done = true;
                None
            }
            Ok(bytes) => seen.insert((bytes.clone(), done.clone())).then_some((bytes, done)),
        }
    };
    queue.extend(arrive(begun, reached, &mut followed));
    let mut count = 0;
    while let Some((bytes, reached)) = queue.pop_front() {
        if followed.done {
            break;
        }
        count += 1;
        if count > most || interrupt.ask().is_some() {
            followed.stopped = true;
            break;
        }
        let mut machine = stepper.empty();
        decode(stepper.program, &bytes, &mut machine.state);
        for transition in transitions(&machine, None, &mut stepper.empty(), &mut |_, _| {}).transitions {
            let mut copy = machine.clone();
            copy.observer.record = Some(Vec::new());
            // A call that waits is one statement, made when it begins.
            let continued = usize::from(copy.state.threads[transition.thread].wait != Wait::No);
            let made = copy.step(transition.thread, transition.choice);
            let closed = if made.is_ok() {
                close_invisible(&mut copy, transition.thread, Some(enabling_fingerprint(&machine.state)))
            } else {
                Ok(false)
            };
            let bytes = match (transition.result, closed) {
                (Ok(_), Ok(_)) => Ok(encode(&copy)),
                (Ok(_), Err(error_site)) | (Err(error_site), _) => Err(error_site),
            };
            let record = copy.observer.record.as_deref().and_then(|record| record.get(continued..));
            let next = order.advance(record.unwrap_or_default(), &reached);
            queue.extend(arrive(bytes, next, &mut followed));
        }
    }
    followed
}

/// Whether the program reads input of which not all values are tried.
fn reads_input(stepper: &Stepper<'_>) -> bool {
    let few = |op: &Op| match op {
        Op::Lib { lib, .. } => lib.touches() == Touches::Input && !lib.has_few_values(),
        _ => false,
    };
    stepper.program.codes.iter().any(|code| code.ops.iter().any(few))
}

/// Whether the program makes a step for a statement at all; declarations without a value, for
/// example, make none.
#[must_use]
pub fn has_step(stepper: &Stepper<'_>, wanted: &Wanted) -> bool {
    (stepper.program.codes.iter())
        .any(|code| !code.ours && code.statements.iter().any(|&loc| same(wanted, &code.name, loc)))
}
