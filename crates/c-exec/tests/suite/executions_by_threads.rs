//! Searches of C programs for executions that never end, by several threads compared with one: the
//! same answer, and the same states, transitions and errors where there is no such execution.

use crate::several_threads::{MEMORY, WIDE};
use crate::support;

use axle_c_exec::{Observer, Proposition, Settings, Stepper, Watch, settings_for_runs};
use axle_search::claim::Claim;
use axle_search::liveness::{self, LivenessOptions};
use axle_search::parallel::cycles::{self, Answer};
use axle_search::{Fairness, Limits, Silent, Stop};
use axle_source::Sources;
use axle_step::Successors;
use axle_store::{Packed, PlainTable};

/// Programs with more states are left out.
const MOST: u64 = 2_000;

/// Steps between two polls, so that threads meet in small programs.
const STEPS: u32 = 4;

/// States and transitions without such an execution, and the errors met; none with one.
type Answered = Option<(u64, u64, Vec<String>)>;

fn met(stepper: &Stepper<'_>) -> Vec<String> {
    let mut met: Vec<String> =
        stepper.error_sites().iter().map(|site| format!("{:?}", site.site())).collect();
    met.sort();
    met
}

fn question(fairness: Fairness, states: Option<u64>) -> LivenessOptions {
    let limits = Limits { states, ..Limits::default() };
    LivenessOptions { fairness, limits, ..LivenessOptions::default() }
}

fn stepper<'p>(program: &'p axle_c::Program, settings: &'p Settings) -> Stepper<'p> {
    let mut stepper = Stepper::new(program, settings);
    stepper.tell_movers();
    stepper.initial(&mut Vec::new());
    stepper
}

/// The claims that are compared: an execution that never ends, and none at all, for which all states
/// are searched.
fn claims() -> [Claim; 2] {
    let mut nothing = Claim::accepting();
    nothing.locations.iter_mut().flat_map(|location| &mut location.edges).for_each(|edge| edge.marks = 0);
    [Claim::accepting(), nothing]
}

/// The answer of one thread; none if there are too many states.
fn alone(
    program: &axle_c::Program,
    settings: &Settings,
    claim: &Claim,
    fairness: Fairness,
) -> Option<Answered> {
    let mut stepper = stepper(program, settings);
    let mut observer = Observer::new(&stepper, vec![Proposition::Running]);
    let mut set = Packed::with_limit(liveness::width(&stepper), u64::MAX, PlainTable::with_limit).ok()?;
    let asked = question(fairness, Some(MOST));
    let outcome = liveness::search(&mut stepper, &mut observer, claim, &mut set, &asked, &mut Silent);
    let outcome = outcome.expect("the claim is well-formed");
    if outcome.stop == Some(Stop::States) {
        return None;
    }
    let none = outcome.finding.is_none();
    Some(none.then(|| (outcome.states, outcome.transitions, met(&stepper))))
}

/// The answer of several threads; none if states are too wide for a shared set.
fn together(
    program: &axle_c::Program,
    settings: &Settings,
    claim: &Claim,
    fairness: Fairness,
    threads: u32,
) -> Option<Answered> {
    let mut stepper = stepper(program, settings);
    let forks = stepper.forks(threads, 0).expect("a search by several threads");
    let observed = |fork| {
        let observer = Observer::new(&fork, vec![Proposition::Running]);
        (fork, observer)
    };
    let mut forks: Vec<_> = forks.into_iter().map(observed).collect();
    let asked = question(fairness, None);
    let answer = cycles::search_at(STEPS, &mut forks, claim, MEMORY, &asked, &mut Silent);
    stepper.join(forks.iter().map(|(fork, _)| fork));
    match answer {
        Answer::NeedsSequentialRerun => Some(None),
        Answer::Outcome(outcome) if outcome.stop.is_none() => {
            Some(Some((outcome.states, outcome.transitions, met(&stepper))))
        }
        Answer::Alone | Answer::Outcome(_) => {
            assert!(stepper.width() >= WIDE, "the search is complete");
            None
        }
    }
}

/// Compares the searches of a program; returns the states without an endless execution.
fn compare(name: &str, text: &[u8], fairness: Fairness, threads: u32) -> u64 {
    let mut sources = Sources::new();
    let (program, _) = support::compile_text(name, text, &mut sources);
    let Some(program) = program else { return 0 };
    let settings = settings_for_runs(&Settings::default(), Watch::default());
    let mut states = 0;
    for claim in &claims() {
        let Some(one) = alone(&program, &settings, claim, fairness) else { continue };
        let Some(several) = together(&program, &settings, claim, fairness, threads) else { continue };
        assert_eq!(several, one, "{name} with {threads} threads and {fairness:?} fairness");
        states += one.map_or(0, |(states, ..)| states);
    }
    states
}

#[test]
fn several_threads_answer_as_one_does() {
    let mut states = 0;
    for (number, path) in support::programs(&["/tests/probes", "/../../tests/c"]).into_iter().enumerate() {
        let text = std::fs::read(&path).unwrap_or_default();
        let fairness = [Fairness::None, Fairness::Weak][number % 2];
        states += compare(&path.display().to_string(), &text, fairness, 2 + number as u32 % 2);
    }
    assert!(states > 10_000, "{states} states");
}

#[test]
fn so_they_do_on_random_programs() {
    let count = std::env::var("AXLE_FORKS_RANDOM").ok().and_then(|n| n.parse().ok()).unwrap_or(60);
    let mut states = 0;
    for index in 0..count {
        let text = axle_generate::threads::program(31, index).c();
        let fairness = [Fairness::None, Fairness::Weak][index as usize % 2];
        states += compare(&format!("program {index}"), text.as_bytes(), fairness, 2);
    }
    assert!(states > 20 * count as u64, "{states} states");
}
