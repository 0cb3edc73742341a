//! Long transitions, and full tables of memoised transitions: the work of a search, counted in steps, stays
//! in proportion to what is asked.

use axle_c::Options;
use axle_c_exec::{Settings, Stepper};
use axle_search::{Limits, Silent, Stop, bfs};
use axle_source::Sources;
use axle_step::Successors;
use axle_store::AutoSet;

use crate::support;

/// What a search came to.
#[derive(Debug)]
struct Searched {
    states: u64,
    work: u64,
    errors: Vec<&'static str>,
    stop: Option<Stop>,
}

/// Searches a program of `tests/faults` as it is searched first; `tables`: bytes of the tables of
/// memoised transitions.
fn search(name: &str, defines: &[(&str, &str)], tables: Option<u64>, limits: Limits) -> Searched {
    let path = format!("{}/../../tests/faults/{name}.c", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let defined: String = defines.iter().map(|(name, value)| format!("#define {name} {value}\n")).collect();
    let mut sources = Sources::new();
    let (program, messages) =
        support::compile_with(name, (defined + &text).as_bytes(), &Options::default(), &mut sources);
    let program = program.unwrap_or_else(|| panic!("{messages}"));
    let settings = Settings { transactions: true, ..Settings::default() };
    let mut stepper = Stepper::new(&program, &settings);
    stepper.limit_states(limits.memory);
    let mut faults = Vec::new();
    stepper.initial(&mut faults);
    if let Some(tables) = tables {
        stepper.limit_memory(tables);
    }
    let mut set = AutoSet::new(stepper.width()).expect("an empty set has room");
    let options = axle_search::Options { limits, ..axle_search::Options::default() };
    let outcome = bfs::search(&mut stepper, &mut set, &options, &mut Silent);
    let name_of = |violation: &axle_search::Violation<_>| {
        stepper.error_site(violation.site).expect("an error of this stepper").error.name()
    };
    let errors = outcome.violations.iter().map(name_of).collect();
    Searched { states: outcome.states, work: stepper.work().done(), errors, stop: outcome.stop }
}

fn first_error() -> Limits {
    Limits { errors: Some(1), ..Limits::default() }
}

#[test]
fn a_race_in_a_long_loop_is_found_after_few_steps() {
    for name in ["long_loop_race", "long_loop_race_with_main"] {
        for bound in ["1000000", "1000000000"] {
            let found = search(name, &[("N", bound)], None, first_error());
            assert_eq!(found.errors, ["data-race"], "{name}: {found:?}");
            assert!(found.work < 100_000, "{name}: {found:?}");
        }
    }
}

#[test]
fn a_long_loop_without_a_race_is_one_transition() {
    let found = search("long_loop_alone", &[("N", "100000")], None, first_error());
    assert!(found.errors.is_empty() && found.stop.is_none(), "{found:?}");
    assert!(found.states <= 7, "{found:?}");
    // Each of three loops has about a million steps. A step can be made when a transition is learnt, when
    // it is executed, and by the other threads of a lookahead.
    assert!(found.work < 20_000_000, "{found:?}");
}

#[test]
fn the_memory_of_a_state_is_limited_inside_a_transition() {
    let limits = Limits { memory: Some(1 << 20), ..first_error() };
    let found = search("long_loop_alone", &[("N", "1000000")], None, limits);
    assert_eq!(found.stop, Some(Stop::Memory), "{found:?}");
}

#[test]
fn a_state_takes_no_more_work_where_the_tables_are_full() {
    for name in ["long_loop_locked", "long_loop_counter_locked"] {
        let bound = [("N", "60")];
        let ample = search(name, &bound, None, first_error());
        let narrow = search(name, &bound, Some(12 << 20), first_error());
        assert_eq!(narrow.states, ample.states, "{name}");
        assert!(narrow.work <= 2 * ample.work, "{name}: {} instead of {}", narrow.work, ample.work);
    }
}

#[test]
fn an_endless_loop_does_not_make_states_expensive() {
    let endless = search("endless_loop_in_main", &[], None, first_error());
    let locked = search("long_loop_locked", &[("N", "25")], None, first_error());
    let each = |found: &Searched| found.work / found.states;
    assert!(endless.errors.is_empty() && endless.stop.is_none(), "{endless:?}");
    assert!(each(&endless) <= 4 * each(&locked), "{endless:?} and {locked:?}");
}
