//! Searches of C programs by several threads compared with one: the same states, transitions,
//! errors and doubts, with tables of parts that all threads share, and where these are full.

use crate::support;
use std::collections::BTreeSet;

use axle_c::Program;
use axle_c_exec::{ProgramSite, Settings, Stepper};
use axle_search::parallel::{self, Tuning};
use axle_search::{Limits, Options, Outcome, Silent, Stop, bfs};
use axle_source::Sources;
use axle_step::{Statistics, Successors};
use axle_store::{Packed, PlainTable};

/// Programs with more states are left out.
const MOST: u64 = 4_000;

/// Bytes of address space that the shared set reserves: these tests also run in processes with little
/// of it.
pub const MEMORY: u64 = 1 << 30;

/// Bytes of a state of which 256 take [`MEMORY`].
pub const WIDE: usize = 4 << 20;

/// All levels are expanded by all threads, so that they meet even in small programs.
const TOGETHER: Tuning = Tuning { worth: 1, compress_at: u64::MAX };

/// What a search has come to.
#[derive(PartialEq, Debug)]
struct Found {
    states: u64,
    transitions: u64,
    errors: BTreeSet<ProgramSite>,
    /// The errors that the stepper has recorded.
    met: BTreeSet<ProgramSite>,
    /// The distance of the first error.
    nearest: Option<usize>,
    doubts: BTreeSet<ProgramSite>,
    restricted: bool,
    taken: Vec<Vec<bool>>,
}

fn found(outcome: &Outcome<ProgramSite>, stepper: &Stepper<'_>, errors: &[Stepper<'_>]) -> Found {
    let is_known = |site: &ProgramSite| errors.iter().any(|one| one.error_site(*site).is_some());
    Found {
        states: outcome.states,
        transitions: outcome.transitions,
        errors: outcome.violations.iter().map(|one| one.site).filter(is_known).collect(),
        met: stepper.error_sites().iter().map(|site| site.site()).collect(),
        nearest: outcome.violations.iter().map(|violation| violation.path.len()).min(),
        doubts: stepper.inconclusive_reasons().iter().map(|site| site.site()).collect(),
        restricted: stepper.restricted(),
        taken: stepper.taken().to_vec(),
    }
}

/// The search by one thread; none if there are too many states.
fn alone(program: &Program, settings: &Settings) -> Option<Found> {
    let mut stepper = Stepper::new(program, settings);
    stepper.initial(&mut Vec::new());
    let width = stepper.width();
    let mut set = Packed::with_limit(width, u64::MAX, PlainTable::with_limit).ok()?;
    let limits = Limits { states: Some(MOST), errors: None, ..Limits::default() };
    let options = Options { limits, ..Options::default() };
    let outcome = bfs::search(&mut stepper, &mut set, &options, &mut Silent);
    (outcome.stop != Some(Stop::States)).then(|| found(&outcome, &stepper, std::slice::from_ref(&stepper)))
}

/// The search by several threads after one has searched the first states; none if its states are so
/// wide that a shared set, in which each thread claims room for many at once, is larger than [`MEMORY`].
fn together(program: &Program, settings: &Settings, threads: u32, tables: u64, first: u64) -> Option<Found> {
    let mut stepper = Stepper::new(program, settings);
    stepper.initial(&mut Vec::new());
    let set = Packed::with_limit(stepper.width(), u64::MAX, PlainTable::with_limit);
    let limits = Limits { states: Some(first), errors: None, ..Limits::default() };
    let options = Options { limits, ..Options::default() };
    bfs::search(&mut stepper, &mut set.expect("memory for a set"), &options, &mut Silent);
    let mut forks = stepper.forks(threads, tables).expect("a search by several threads");
    let limits = Limits { errors: None, ..Limits::default() };
    let options = Options { limits, ..Options::default() };
    let searched = parallel::search(&mut forks, TOGETHER, MEMORY, &options, &mut Silent);
    stepper.join(forks.iter());
    if searched.outcome.stop == Some(Stop::Memory) && stepper.width() >= WIDE {
        return None;
    }
    assert_eq!(searched.outcome.stop, None, "the search is complete");
    Some(found(&searched.outcome, &stepper, &forks))
}

/// Compares the searches of a program; 0 if it has too many or too wide states.
fn compare(name: &str, text: &[u8], settings: &Settings, threads: u32, tables: u64) -> u64 {
    let mut sources = Sources::new();
    let (program, _) = support::compile_text(name, text, &mut sources);
    let Some(program) = program else { return 0 };
    let Some(one) = alone(&program, settings) else { return 0 };
    // Of every second program, one thread searches half of the states first.
    let first = if one.states.is_multiple_of(2) { one.states / 2 } else { 1 };
    let Some(several) = together(&program, settings, threads, tables, first) else { return 0 };
    assert_eq!(
        several, one,
        "{name} with {threads} threads and tables of {tables} bytes after {first} states"
    );
    one.states
}

#[test]
fn several_threads_find_what_one_finds() {
    let mut states = 0;
    for (number, path) in support::programs(&["/tests/probes", "/../../tests/c"]).into_iter().enumerate() {
        let text = std::fs::read(&path).unwrap_or_default();
        let transactions = number % 2 == 0;
        let settings = Settings { transactions, ..Settings::default() };
        states += compare(&path.display().to_string(), &text, &settings, 2, 64 << 20);
    }
    assert!(states > 15_000, "{states} states");
}

#[test]
fn so_they_do_where_the_tables_are_full() {
    let tables = [3 << 10, 12 << 10, 48 << 10];
    let mut states = 0;
    for (number, path) in support::programs(&["/tests/probes", "/../../tests/c"]).into_iter().enumerate() {
        let text = std::fs::read(&path).unwrap_or_default();
        let tables = tables[number % tables.len()];
        states += compare(&path.display().to_string(), &text, &Settings::default(), 2, tables);
    }
    assert!(states > 20_000, "{states} states");
}

#[test]
fn so_they_do_on_random_programs() {
    let count = std::env::var("AXLE_FORKS_RANDOM").ok().and_then(|n| n.parse().ok()).unwrap_or(150);
    let mut states = 0;
    for index in 0..count {
        let text = axle_generate::threads::program(29, index).c();
        let tables = if index % 3 == 0 { 12 << 10 } else { 64 << 20 };
        states += compare(&format!("program {index}"), text.as_bytes(), &Settings::default(), 2, tables);
    }
    assert!(states > 50 * count as u64, "{states} states");
}
