//! C programs that several threads search (`crates/check/src/program/parallel.rs`): the report is
//! that of one thread, and a violation is reported even if the time limit ends its repetition.

use axle_c::{Options, compile};
use axle_c_exec::Settings;
use axle_check::{CheckedProgram, Config, ProgramCheck, ProgramConfig, Subject, Verdict, check_program};
use axle_search::{Limits, Monitor, Progress, Silent, Stop};
use axle_source::{Diagnostics, MemoryLoader, Sources};

/// One thread searches fewer states alone.
const FIRST: u64 = 20_000;

/// Two threads that count to 150, so that there are more states than one thread searches first. The
/// values are wide, which keeps counter abstraction and walks from an early answer.
const COUNTERS: &str = "
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
_Atomic int a, b;
static void *first(void *arg) { while (a < 150) a++; return 0; }
static void *second(void *arg) { while (b < 150) b++; return 0; }
int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, first, 0);
    pthread_create(&two, 0, second, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    assert(a + b BOUND);
    return 0;
}
";

fn checked(text: &str, threads: usize, monitor: &mut dyn Monitor) -> CheckedProgram {
    let (mut sources, mut diagnostics) = (Sources::new(), Diagnostics::new());
    let main = sources.add("counters.c", text);
    let loader = MemoryLoader::default();
    let program = compile(&[main], &Options::default(), &loader, &mut sources, &mut diagnostics);
    let program = program.expect("it is a program");
    let files = ["counters.c".to_string()];
    let subject =
        Subject { program: &program, sources: &sources, files: &files, arguments: &[], stdin: None };
    let checks = ProgramCheck::ALL.into_iter().filter(|check| check.by_default()).collect();
    let limits = Limits { memory: Some(1 << 30), errors: Some(1), ..Limits::default() };
    // Without the attempts that may find the violation first.
    let search = Config { limits, threads, attempts: false, ..Config::default() };
    let config = ProgramConfig { checks, settings: Settings::default(), properties: Vec::new(), search };
    check_program(&subject, &config, monitor)
}

/// Ends the check in the first search after one with more states than one thread searches first.
#[derive(Default)]
struct EndsRepetition {
    last: u64,
    is_repeated: bool,
}

impl Monitor for EndsRepetition {
    fn watch(&mut self, progress: &Progress) -> Option<Stop> {
        self.is_repeated |= progress.states < self.last && self.last > FIRST;
        self.last = progress.states;
        self.is_repeated.then_some(Stop::Time)
    }
}

#[test]
fn the_report_does_not_depend_on_the_number_of_threads() {
    for (bound, verdict) in [("== 300", Verdict::Holds), ("< 300", Verdict::Violated)] {
        let text = COUNTERS.replace("BOUND", bound);
        let one = checked(&text, 1, &mut Silent);
        assert_eq!(one.report.verdict, verdict, "{bound}");
        assert!(one.report.search.states > FIRST, "{} states", one.report.search.states);
        for threads in [2, 3] {
            let several = checked(&text, threads, &mut Silent);
            assert_eq!(several.violations, one.violations, "{bound} with {threads} threads");
            assert_eq!(several.report.verdict, verdict, "{bound} with {threads} threads");
            assert_eq!(several.report.properties, one.report.properties, "{bound}");
            assert_eq!(several.report.warnings, one.report.warnings, "{bound}");
            assert_eq!(several.report.unreached, one.report.unreached, "{bound}");
            assert_eq!(several.report.search.states, one.report.search.states, "{bound}");
        }
    }
}

#[test]
fn a_violation_is_reported_though_its_repetition_is_ended() {
    let text = COUNTERS.replace("BOUND", "< 300");
    let mut monitor = EndsRepetition::default();
    let ended = checked(&text, 2, &mut monitor);
    assert!(monitor.is_repeated, "one thread repeats the search");
    assert_eq!(ended.report.verdict, Verdict::Violated, "{:?}", ended.report.stop);
    assert_eq!(ended.report.internal, None);
    assert_eq!(ended.violations.len(), 1);
}
