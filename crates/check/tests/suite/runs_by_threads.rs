//! Properties over runs by several threads: the report is that of one, but for how much memory it
//! took.

use crate::promela::model;
use std::sync::Arc;

use axle_check::{Auto, Check, Config, Pass, Verdict, check};
use axle_model::Model;
use axle_search::{Fairness, Reduction, Silent};

/// Processes that go round, each by itself and now and then together, and what may be said of them.
/// Above the number of states from which on several threads are asked.
const MODEL: &str = "
byte turn, at[4]; bool stopped;
active [4] proctype P() {
    do
    :: at[_pid] < 6 -> at[_pid]++
    :: at[_pid] == 6 -> atomic { turn == _pid; at[_pid] = 0; turn = (turn + 1) % 4 }
    od
}
active proctype Q() { do :: stopped == false && at[0] == 6 -> break :: at[1] == 5 -> skip od; stopped = true; run R(); run R() }
proctype R() { skip }
ltl bounded { [] (at[0] <= 6 && at[3] <= 6) }
ltl once { <> (stopped == true) -> <> (at[0] == 6) }
ltl round { [] <> (turn == 0) }
ltl stop { <> stopped }
ltl waits { [] (at[1] == 6 -> <> (at[1] == 0)) }
";

/// The report without what the number of threads may change.
fn told(model: &Arc<Model>, config: &Config) -> (Vec<Verdict>, String) {
    let mut report = check(model, config, &mut Silent).report;
    (report.search.states_memory, report.search.paths_memory) = (0, 0);
    for search in report.properties.iter_mut().filter_map(|property| property.search.as_mut()) {
        (search.states_memory, search.search_memory) = (0, 0);
        // What was left out is counted as often as it was: lists of successors that were lost are
        // made again.
        search.reduction = None;
    }
    let verdicts = report.properties.iter().map(|property| property.verdict).collect();
    (
        verdicts,
        axle_evidence::report::to_json(
            &[axle_evidence::report::Entry { report: &report, traces: &[], exit: 0 }],
            false,
        )
        .unwrap(),
    )
}

#[test]
fn several_threads_say_what_one_says() {
    use Verdict::{Holds, Violated};
    let model = model(MODEL);
    let only = Config { checks: [Check::Properties].into(), ..Config::default() };
    let auto =
        Config { passes: Pass::ALL.into(), reduction: Reduction::Stubborn, auto: Auto::All, ..only.clone() };
    let weak = Config { fairness: Fairness::Weak, ..only.clone() };
    let strong = Config { fairness: Fairness::Strong, ..only.clone() };
    for (config, expected) in [
        (&only, [Holds, Holds, Violated, Violated, Holds]),
        (&auto, [Holds, Holds, Violated, Violated, Holds]),
        (&weak, [Holds, Holds, Holds, Violated, Holds]),
        (&strong, [Holds, Holds, Holds, Violated, Holds]),
    ] {
        let (verdicts, alone) = told(&model, config);
        assert_eq!(verdicts, expected);
        for threads in if config == &only { vec![2, 5] } else { vec![3] } {
            let (_, together) = told(&model, &Config { threads, ..config.clone() });
            let differs = together.lines().zip(alone.lines()).find(|(together, alone)| together != alone);
            assert_eq!(differs, None, "{threads} threads");
        }
    }
    let states: Vec<u64> = (check(&model, &only, &mut Silent).report.properties.iter())
        .filter_map(|property| Some(property.search.as_ref()?.states.saturated()))
        .collect();
    assert!(states[0] > 20_000 && states[1] > 20_000, "{states:?}");
}
