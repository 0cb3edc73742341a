//! A search that meets a limit says so, and proves nothing.

use axle_dist::Setup;
use axle_search::{Limits, Monitor, Options, Progress, Stop};

use crate::compared::{distributed, model, reference, stepper};

#[test]
fn memory_ends_the_search() {
    let model = model("bench/small/escape.pml");
    let whole = distributed(&model, 3, Setup::default(), &Options::default()).unwrap().outcome;
    assert_eq!(whole.stop, None);
    for memory in [0, 1 << 12, 1 << 16, whole.memory.total() / 3] {
        let setup = Setup { memory, ..Setup::default() };
        let outcome = distributed(&model, 3, setup, &Options::default()).unwrap().outcome;
        assert_eq!(outcome.stop, Some(Stop::Memory), "{memory}");
        assert!(outcome.states < whole.states, "{memory}");
    }
}

#[test]
fn a_limit_on_states_ends_the_search() {
    let model = model("bench/small/escape.pml");
    let states = reference(&model, &Options::default()).states;
    for workers in [1, 3] {
        for limit in [1, 100, 1000, states - 1, states, states + 1] {
            let limits = Limits { states: Some(limit), ..Limits::default() };
            let options = Options { limits, ..Options::default() };
            let outcome = distributed(&model, workers, Setup::default(), &options).unwrap().outcome;
            match outcome.stop {
                Some(stop) => assert!(stop == Stop::States && outcome.states >= limit, "{limit}"),
                None => assert!(outcome.states == states && limit + 2_000 > states, "{limit}"),
            }
        }
    }
}

/// Stops at a number of states.
struct StopAt(u64, Stop);

impl Monitor for StopAt {
    fn watch(&mut self, progress: &Progress) -> Option<Stop> {
        (progress.states >= self.0).then_some(self.1)
    }
}

#[test]
fn the_monitor_ends_the_search() {
    let model = model("bench/small/escape.pml");
    for stop in [Stop::Time, Stop::Interrupted] {
        let mut graphs = vec![stepper(&model); 2];
        let setup = Setup { quota: Some(100), ..Setup::default() };
        let searched = axle_dist::search(&mut graphs, setup, &Options::default(), &mut StopAt(500, stop));
        let outcome = searched.unwrap().outcome;
        assert_eq!(outcome.stop, Some(stop));
        assert!(outcome.states >= 500);
    }
}
