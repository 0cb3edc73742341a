//! The warnings of a search of a program: what it did not explore, lost memory, missing threads, and long loops.
//!
//! *Entry points:* [`warnings`], [`no_thread`], [`sizes`], [`restrictions`].

use axle_c_exec::{Leak, Restricted, Restriction, Stepper, leaks};
use axle_evidence::report::WarningReport;
use axle_evidence::vocabulary::{Vocabulary, with_name};
use axle_outcome::WarningKind;
use axle_question::config::Config;
use axle_question::subject::Subject;
use axle_source::Sources;
use axle_step::Statistics;

use crate::place;

/// What should be known though it is no violation: what stands between the search and a verdict,
/// and lost memory.
pub fn warnings(subject: &Subject, config: &Config, stepper: &Stepper<'_>) -> Vec<WarningReport> {
    let sources = subject.sources;
    let mut list: Vec<WarningReport> = Vec::new();
    for doubt in stepper.inconclusive_reasons() {
        let place = stepper.place(doubt).map(|loc| place::place(sources, loc));
        let message = match doubt.error.is_violation() {
            true => format!(
                "execution not continued after an error that is not checked: {}",
                doubt.error.message()
            ),
            false => doubt.error.message(),
        };
        list.push(WarningReport { kind: doubt.error.name().into(), message, place });
    }
    list.extend(restrictions(sources, stepper, config.vocabulary));
    if let Some(loc) = stepper.weak_behaviour() {
        let message = "an atomic operation with a weaker order than memory_order_seq_cst: executions that are not sequentially \
                       consistent may exist and were not checked; `--memory-model sc` leaves them out of the verdict"
            .to_string();
        list.push(WarningReport {
            kind: WarningKind::WeakOrder,
            message,
            place: Some(place::place(sources, loc)),
        });
    }
    if let Some(loc) = subject.program.unordered() {
        let message = "unspecified order of evaluation: two calls in this expression access the same variable, one of them writes; \
                       only the order from left to right was explored"
            .to_string();
        let place = Some(place::place(sources, loc));
        list.push(WarningReport { kind: WarningKind::Order, message, place });
    }
    for (loc, what) in axle_c::loose_formats(subject.program) {
        let message = format!("format and argument do not match; the output is undefined: {what}");
        list.push(WarningReport {
            kind: WarningKind::Format,
            message,
            place: Some(place::place(sources, loc)),
        });
    }
    for Leak { loc, function, others } in leaks(stepper) {
        let block = match (function, others) {
            (None, _) => "a block allocated here".to_string(),
            (Some(function), 0) => format!("a block that `{function}` allocates here"),
            (Some(function), 1) => format!("a block that `{function}` allocates here or at 1 other place"),
            (Some(function), _) => {
                format!("a block that `{function}` allocates here or at {others} other places")
            }
        };
        let message = format!("memory leak: {block} becomes unreachable without being freed");
        let place = loc.map(|loc| place::place(sources, loc));
        list.push(WarningReport { kind: WarningKind::Leak, message, place });
    }
    list.dedup();
    list
}

/// That no thread was started, after a complete search of a program that starts threads. Where an execution was
/// not continued, a warning says so already.
pub fn no_thread(subject: &Subject, stepper: &Stepper<'_>) -> Option<WarningReport> {
    if !stepper.inconclusive_reasons().is_empty() {
        return None;
    }
    let loc = axle_c::missed_start(subject.program, stepper.taken())?;
    let message = "no thread was started: no execution reaches this call or another one like it, so the verdict is about the main \
                   thread only"
        .to_string();
    let place = Some(place::place(subject.sources, loc));
    Some(WarningReport { kind: WarningKind::Threads, message, place })
}

/// What to make smaller where the search did not come to its end.
pub fn sizes(subject: &Subject, stepper: &Stepper<'_>, words: &Vocabulary) -> Vec<WarningReport> {
    let sources = subject.sources;
    let told =
        axle_c::long_loops(subject.program, stepper.taken(), 3).into_iter().map(|long| WarningReport {
            kind: WarningKind::Size,
            message: format!(
                "loop with bound {}: each iteration has its own states; {}: {}",
                long.bound,
                with_name("a smaller bound may show the same behaviour and be decided", words.bound),
                place::spelled(sources, long.loc)
            ),
            place: Some(place::place(sources, long.loc)),
        });
    told.collect()
}

/// The message for a program that depends on arguments that it was not given.
const NO_ARGUMENTS: &str =
    "arguments under-approximated: no arguments were given, and the program depends on them";

/// The message for a signal of the program itself that is not delivered as `raise` delivers it.
const SIGNAL: &str = "signals under-approximated: this signal may reach a thread at any of its steps; only executions in which no \
                      handler interrupts another thread were explored";

/// What was not tried in full, at most three of each kind with their places.
pub fn restrictions(sources: &Sources, stepper: &Stepper<'_>, words: &Vocabulary) -> Vec<WarningReport> {
    const MOST: usize = 3;
    let mut found = axle_c_exec::restrictions(stepper);
    if found.is_empty() && stepper.restricted() {
        found.push(Restriction { what: Restricted::Input(None), place: None, of: None });
    }
    let mut list = Vec::new();
    let kind_of = |what: &Restricted| match what {
        Restricted::Input(_) => WarningKind::Input,
        Restricted::Time => WarningKind::Time,
        Restricted::System => WarningKind::System,
        Restricted::Arguments => WarningKind::Arguments,
        Restricted::Signal => WarningKind::Signal,
    };
    use WarningKind::{Arguments, Input, Signal, System, Time};
    for kind in [Arguments, Signal, Input, Time, System] {
        let places: Vec<_> = found.iter().filter(|restriction| kind_of(&restriction.what) == kind).collect();
        for (index, restriction) in places.iter().take(MOST).enumerate() {
            let mut message = match restriction.what {
                Restricted::Input(_) => {
                    "input under-approximated: only sample values were explored (0 to 2, -1, the limits of the type, \
                     and values next to constants that the program compares with)"
                }
                Restricted::Time => "time under-approximated: the clock advances only while the program sleeps, and the result is used in a \
                     decision",
                Restricted::Arguments => NO_ARGUMENTS,
                Restricted::Signal => SIGNAL,
                Restricted::System => "system under-approximated: only one result was explored, and it is used in a decision",
            }
            .to_string();
            if restriction.what == Restricted::Arguments {
                message = with_name(&message, words.arguments);
            }
            if let Some(name) = &restriction.of {
                message = format!("input under-approximated: only sample values of `{name}` were explored");
            }
            if let Restricted::Input(Some(loc)) = restriction.what {
                let place = place::place(sources, loc);
                message += &format!(
                    "; every value may be significant at {}:{}:{}",
                    place.file, place.line, place.column
                );
            }
            if index + 1 == MOST && places.len() > MOST {
                message += &format!(" (and at {} more places)", places.len() - MOST);
            }
            let place = restriction.place.map(|loc| place::place(sources, loc));
            list.push(WarningReport { kind: kind.clone(), message, place });
        }
    }
    list
}
