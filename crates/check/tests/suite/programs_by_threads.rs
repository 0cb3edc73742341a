//! C programs that several threads search (`crates/explicit/src/program_threads.rs`): the report is
//! that of one thread, and a violation is reported even if the time limit ends its repetition.

use axle_c::{Options, compile};
use axle_c_exec::Settings;
use axle_check::program::formula;
use axle_check::{Checked, Config, ProgramFound, Subject, SystemKind, Verdict, check};
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

/// Three threads that each enter a section four times and then set a flag.
const SECTIONS: &str = "
#include <pthread.h>
int inside[3], done[3], rounds;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int numbers[3] = {0, 1, 2};
static void *enter(void *arg) {
    int me = *(int *)arg;
    for (int i = 0; i < 4; i++) {
        pthread_mutex_lock(&mutex);
        inside[me] = 1;
        rounds++;
        inside[me] = 0;
        pthread_mutex_unlock(&mutex);
    }
    done[me] = 1;
    return 0;
}
int main(void) {
    pthread_t all[3];
    for (int i = 0; i < 3; i++) pthread_create(&all[i], 0, enter, &numbers[i]);
    for (int i = 0; i < 3; i++) pthread_join(all[i], 0);
    return END;
}
";

fn checked(text: &str, threads: usize, monitor: &mut dyn Monitor) -> Checked<ProgramFound> {
    checked_for(text, &[], threads, monitor)
}

/// Checks a program and these formulas.
fn checked_for(
    text: &str,
    formulas: &[&str],
    threads: usize,
    monitor: &mut dyn Monitor,
) -> Checked<ProgramFound> {
    let (mut sources, mut diagnostics) = (Sources::new(), Diagnostics::new());
    let main = sources.add("counters.c", text);
    let loader = MemoryLoader::default();
    let program = compile(&[main], &Options::default(), &loader, &mut sources, &mut diagnostics);
    let program = program.expect("it is a program");
    let files = ["counters.c".to_string()];
    let limits = Limits { memory: Some(1 << 30), errors: Some(1), ..Limits::default() };
    // Without the attempts that may find the violation first.
    let config = Config { limits, threads, attempts: false, ..Config::of_kind(SystemKind::Program) };
    let stated = formulas.iter().enumerate().map(|(number, given)| formula(&program, given, number));
    let properties: Vec<_> = stated.collect::<Result<_, _>>().expect("they are formulas");
    let subject = Subject {
        program: &program,
        sources: &sources,
        files: &files,
        arguments: &[],
        stdin: None,
        settings: &Settings::default(),
        properties: &properties,
    };
    check(&subject, &config, monitor)
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
            assert_eq!(several.found.violations, one.found.violations, "{bound} with {threads} threads");
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
    assert_eq!(ended.found.violations.len(), 1);
}

/// The property that a formula is checked as, in the search by a number of threads.
fn property(text: &str, given: &str, threads: usize) -> Checked<ProgramFound> {
    checked_for(text, &[given], threads, &mut Silent)
}

#[test]
fn formulas_have_the_same_verdict_and_states_by_several_threads() {
    let text = SECTIONS.replace("END", "0");
    let cases = [
        // The claim waits in its initial state, and moves on.
        ("[] (rounds <= 12)", Verdict::Holds),
        ("[] (inside[0] == 1 -> <> (inside[0] == 0))", Verdict::Holds),
        ("<> [] (done[1] == 1)", Verdict::Holds),
        ("<> (rounds == 13)", Verdict::Violated),
        ("[] (rounds == 11 -> [] (done[0] == 1))", Verdict::Violated),
    ];
    for (given, verdict) in cases {
        let one = property(&text, given, 1);
        let told = one.report.properties.iter().find(|told| told.name == "formula_0").expect("its row");
        assert_eq!(told.verdict, verdict, "{given}");
        let states = told.search.as_ref().map_or(0, |search| search.states.saturated());
        assert!(verdict == Verdict::Violated || states > 600, "{given}: {states} states");
        for threads in [2, 3] {
            let mut several = property(&text, given, threads);
            let mut expected = one.report.properties.clone();
            // Sets of several threads take other amounts of memory.
            for told in several.report.properties.iter_mut().chain(&mut expected) {
                if let Some(search) = &mut told.search {
                    (search.states_memory, search.search_memory) = (0, 0);
                }
            }
            assert_eq!(several.report.properties, expected, "{given} with {threads} threads");
            assert_eq!(several.found.violations, one.found.violations, "{given} with {threads} threads");
        }
    }
}
