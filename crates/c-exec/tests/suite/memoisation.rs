//! Memoised transitions compared with executed steps: on every program here, state by state, the
//! same successors in the same order and the same errors, whichever way they come about.

use crate::support;
use std::collections::{HashMap, VecDeque};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};

use axle_c::Program;
use axle_c::code::Op;
use axle_c::library::Lib;
use axle_c_exec::{ProgramSite, Settings, Stepper};
use axle_source::Sources;
use axle_step::{Batch, Cut, Fault, Interrupt, Statistics, Successors};

/// A stepper, and how wide its states have become.
struct Side<'p> {
    stepper: Stepper<'p>,
    batch: Batch<ProgramSite>,
}

impl<'p> Side<'p> {
    fn new(program: &'p Program, settings: &'p Settings) -> Side<'p> {
        Side { stepper: Stepper::new(program, settings), batch: Batch::default() }
    }

    fn start(&mut self) -> (Vec<u8>, Vec<ProgramSite>) {
        let mut faults = Vec::new();
        let first = self.stepper.initial(&mut faults);
        (trimmed(&first), self.told(&faults))
    }

    /// The successors of a state without the padding, and what is wrong with it.
    fn expand(&mut self, state: &[u8]) -> (Vec<Vec<u8>>, Vec<ProgramSite>) {
        loop {
            let mut padded = state.to_vec();
            padded.resize(self.stepper.width(), 0);
            match self.stepper.expand(&padded, &mut self.batch) {
                Ok(()) => break,
                Err(grow) => self.stepper.grow(grow.size),
            }
        }
        let width = self.stepper.width();
        let successors = self.batch.states.chunks_exact(width).map(trimmed).collect();
        let faults = std::mem::take(&mut self.batch.faults);
        (successors, self.told(&faults))
    }

    fn told(&self, faults: &[Fault<ProgramSite>]) -> Vec<ProgramSite> {
        let site = |fault: &Fault<_>| self.stepper.error_site(fault.site).expect("an error of this stepper");
        faults.iter().map(|fault| site(fault).site()).collect()
    }
}

fn trimmed(state: &[u8]) -> Vec<u8> {
    let end = state.iter().rposition(|&byte| byte != 0).map_or(0, |at| at + 1);
    state[..end].to_vec()
}

/// Library functions that a comparison has executed.
static EXECUTED: Mutex<Vec<Lib>> = Mutex::new(Vec::new());

fn note_executed(program: &Program, taken: &[Vec<bool>]) {
    let mut executed = EXECUTED.lock().expect("no test panics while it holds the lock");
    let steps = program.codes.iter().zip(taken).flat_map(|(code, taken)| code.ops.iter().zip(taken));
    for (op, _) in steps.filter(|(_, taken)| **taken) {
        if let Op::Lib { lib, .. } = op
            && !executed.contains(lib)
        {
            executed.push(*lib);
        }
    }
}

/// Walks both ways side by side through the first states of a program.
fn same(name: &str, text: &[u8], settings: &Settings, most: usize) -> usize {
    same_within(name, text, settings, most, None)
}

/// The same with tables of so many bytes.
fn same_within(name: &str, text: &[u8], settings: &Settings, most: usize, tables: Option<u64>) -> usize {
    let mut sources = Sources::new();
    let (program, _) = support::compile_text(name, text, &mut sources);
    let Some(program) = program else { return 0 };
    let plain = Settings { memo: false, ..settings.clone() };
    let (mut quick, mut slow) = (Side::new(&program, settings), Side::new(&program, &plain));
    if let Some(tables) = tables {
        quick.stepper.limit_memory(tables);
    }
    let (first, second) = (quick.start(), slow.start());
    assert_eq!(first.1, second.1, "{name}: before the first step");
    let mut known = HashMap::from([(first.0.clone(), second.0.clone())]);
    let mut back = HashMap::from([(second.0.clone(), first.0.clone())]);
    let mut todo = VecDeque::from([(first.0, second.0)]);
    let mut count = 0;
    while let Some((mine, theirs)) = todo.pop_front() {
        if count == most {
            break;
        }
        count += 1;
        let (made, executed) = (quick.expand(&mine), slow.expand(&theirs));
        assert_eq!(made.1, executed.1, "{name}: what is wrong in state {count}");
        assert_eq!(made.0.len(), executed.0.len(), "{name}: ways on from state {count}");
        for (at, (made, executed)) in made.0.into_iter().zip(executed.0).enumerate() {
            match (known.get(&made), back.get(&executed)) {
                (None, None) => {
                    known.insert(made.clone(), executed.clone());
                    back.insert(executed.clone(), made.clone());
                    todo.push_back((made, executed));
                }
                (Some(one), Some(other)) => {
                    assert!(*one == executed && *other == made, "{name}: way {at} from state {count}");
                }
                _ => panic!("{name}: way {at} from state {count} leads to a new state one way only"),
            }
        }
    }
    // One step, and what is needed to begin, may be beyond.
    let most = tables.map_or(u64::MAX, |tables| tables + (64 << 10));
    assert!(quick.stepper.held() <= most, "{name}: {} bytes", quick.stepper.held());
    let names = |stepper: &Stepper<'_>| -> Vec<ProgramSite> {
        stepper.inconclusive_reasons().iter().map(|error_site| error_site.site()).collect()
    };
    assert_eq!(names(&quick.stepper), names(&slow.stepper), "{name}: inconclusive_reasons");
    assert_eq!(quick.stepper.restricted(), slow.stepper.restricted(), "{name}: input");
    note_executed(&program, slow.stepper.taken());
    // A loop that waits may have been followed further.
    if todo.is_empty() {
        assert_eq!(quick.stepper.taken(), slow.stepper.taken(), "{name}: what was executed");
    }
    count
}

fn programs() -> Vec<std::path::PathBuf> {
    support::programs(&["/tests/library", "/tests/probes", "/../../tests/c", "/../../bench/c"])
}

#[test]
fn remembered_moves_are_the_steps_that_would_be_executed() {
    let files = programs();
    assert!(files.len() > 200, "{} programs", files.len());
    let most = std::env::var("AXLE_MOVES").ok().and_then(|n| n.parse().ok()).unwrap_or(1_500);
    let mut states = 0;
    for path in files {
        let text = std::fs::read(&path).unwrap_or_default();
        let name = path.display().to_string();
        states += same(&name, &text, &Settings::default(), most);
        // As programs are checked where one violation is enough.
        same(&name, &text, &Settings { transactions: true, ..Settings::default() }, most);
    }
    assert!(states > 20_000, "{states} states");
    // A wrong entry of the column `memoised` is detected only for functions that are executed.
    let executed = EXECUTED.lock().expect("no test panics while it holds the lock");
    let is_missing = |lib: &&Lib| lib.row().memoised && !executed.contains(lib);
    let missing: Vec<_> = Lib::ALL.iter().filter(is_missing).collect();
    assert!(missing.is_empty(), "memoised, but never compared: {missing:?}");
}

#[test]
fn so_they_are_with_other_settings() {
    let settings = [
        Settings { locksets: false, ..Settings::default() },
        Settings { malloc_may_fail: true, spurious_wakeups: false, ..Settings::default() },
        Settings { races: false, reuse_addresses: false, ..Settings::default() },
        Settings { transactions: true, ..Settings::default() },
    ];
    for (number, path) in programs().into_iter().enumerate() {
        let text = std::fs::read(&path).unwrap_or_default();
        let name = path.display().to_string();
        same(&name, &text, &settings[number % settings.len()], 300);
    }
}

#[test]
fn so_they_are_where_the_tables_are_full() {
    let tables = [3 << 10, 12 << 10, 48 << 10];
    let mut states = 0;
    for (number, path) in programs().into_iter().enumerate() {
        let text = std::fs::read(&path).unwrap_or_default();
        let name = path.display().to_string();
        let tables = Some(tables[number % tables.len()]);
        states += same_within(&name, &text, &Settings::default(), 200, tables);
    }
    assert!(states > 10_000, "{states} states");
}

#[test]
fn so_they_are_on_random_programs() {
    let count = std::env::var("AXLE_MOVES_RANDOM").ok().and_then(|n| n.parse().ok()).unwrap_or(150);
    let mut states = 0;
    for index in 0..count {
        let text = axle_generate::threads::program(17, index).c();
        states += same(&format!("program {index}"), text.as_bytes(), &Settings::default(), 400);
    }
    assert!(states > 100 * count as usize, "{states} states");
}

/// Programs in which a step is met first where it changes less than it does later.
const TEMPTING: [(&str, &str); 7] = [
    (
        "a value that is set for the first time",
        "static _Atomic int *p, n;
        static void *set(void *arg) { *p = 1; n = 1; return 0; }
        int main(void) {
            pthread_t t;
            p = malloc(sizeof *p);
            if (!__VERIFIER_nondet_bool()) *p = 0;
            pthread_create(&t, 0, set, 0);
            if (n > 1) return 1;
            pthread_join(t, 0);
            int value = *p;
            free((void *)p);
            return value;
        }",
    ),
    (
        "the last pointer to a block is overwritten",
        "static int *_Atomic q, *_Atomic r, *_Atomic s; static _Atomic int n;
        static void *clear(void *arg) { r = 0; n = 1; return 0; }
        int main(void) {
            pthread_t t;
            q = malloc(4);
            if (__VERIFIER_nondet_bool()) r = malloc(4); else s = malloc(4);
            pthread_create(&t, 0, clear, 0);
            if (r == q || n > 1) return 1;
            pthread_join(t, 0);
            return s == q;
        }",
    ),
    (
        "a pointer is read that leads elsewhere",
        "static int *_Atomic q, *_Atomic r; static _Atomic int x;
        static void *follow(void *arg) { int *p = q; x = 1; r = p; x = 2; return 0; }
        int main(void) {
            pthread_t t;
            int *a = malloc(4), *b = malloc(4);
            *a = *b = 1;
            if (__VERIFIER_nondet_bool()) q = a; else q = b;
            r = b;
            pthread_create(&t, 0, follow, 0);
            x = 3;
            pthread_join(t, 0);
            free(a);
            free(b);
            return 0;
        }",
    ),
    (
        "others wait, or do not, or with another condition",
        "static pthread_mutex_t m; static pthread_cond_t c, d; static int n;
        static void *wait(void *arg) {
            pthread_mutex_lock(&m);
            while (!n) pthread_cond_wait(arg, &m);
            pthread_mutex_unlock(&m);
            return 0;
        }
        int main(void) {
            pthread_t t[2];
            pthread_create(&t[0], 0, wait, &c);
            pthread_create(&t[1], 0, wait, __VERIFIER_nondet_bool() ? &c : &d);
            pthread_mutex_lock(&m);
            n = 1;
            pthread_cond_signal(&c);
            pthread_cond_broadcast(&d);
            pthread_mutex_unlock(&m);
            pthread_join(t[0], 0);
            pthread_join(t[1], 0);
            return 0;
        }",
    ),
    (
        "threads end in any order, and one of them has been asked for",
        "static _Atomic int n;
        static void *count(void *arg) { n++; n--; return arg; }
        int main(void) {
            pthread_t t[3]; void *r;
            for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, count, &t[i]);
            if (__VERIFIER_nondet_bool()) pthread_detach(t[2]); else pthread_join(t[2], &r);
            pthread_join(t[1], 0);
            pthread_join(t[0], 0);
            return 0;
        }",
    ),
    (
        // Two ways to the same end: both pointers to a block are cleared one after the other, or
        // before anyone begins.
        "a pointer to a block is overwritten while another leads there",
        "static int *_Atomic r, *_Atomic s; static _Atomic int n;
        static void *one(void *arg) { r = 0; n = 1; return 0; }
        static void *two(void *arg) { s = 0; n = 1; return 0; }
        int main(void) {
            pthread_t t, u;
            r = malloc(4);
            s = r;
            if (__VERIFIER_nondet_bool()) { r = 0; s = 0; }
            pthread_create(&t, 0, one, 0);
            pthread_create(&u, 0, two, 0);
            while (n < 2) n = r == s;
            return 0;
        }",
    ),
    (
        "a register leads to a block while another leads there",
        "static _Atomic int n;
        static void *hold(void *arg) { _Atomic int *p = arg; n = 1; if (p) *p = 1; n = 3; n = 3; return 0; }
        int main(void) {
            pthread_t t, u;
            _Atomic int *block = malloc(4);
            *block = 1;
            if (__VERIFIER_nondet_bool()) block = 0;
            pthread_create(&t, 0, hold, block);
            pthread_create(&u, 0, hold, block);
            block = 0;
            while (n < 4) n = n + 0;
            return 0;
        }",
    ),
];

/// Loops under locks from which a thread gets out or not by what it reads or writes further on, and
/// what is written for it.
const ROUNDS: [(&str, &str, &str); 4] = [
    ("a flag is read after the first lock", READS_A_FLAG, "!__VERIFIER_nondet_bool()"),
    ("the same, the other value first", READS_A_FLAG, "__VERIFIER_nondet_bool()"),
    (
        "what is written first is never read",
        "for (;;) {
            pthread_mutex_lock(&m);
            pthread_mutex_unlock(&m);
            pthread_mutex_lock(&k);
            x = 0;
            pthread_mutex_unlock(&k);
        }",
        "1",
    ),
    (
        "a counter is written before it is read",
        "for (;;) {
            pthread_mutex_lock(&m);
            int s = x;
            pthread_mutex_unlock(&m);
            if (s > 3) return 0;
            pthread_mutex_lock(&m);
            if (x) x = x + 1;
            pthread_mutex_unlock(&m);
        }",
        "__VERIFIER_nondet_bool()",
    ),
];

const READS_A_FLAG: &str = "for (;;) {
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    pthread_mutex_lock(&k);
    int s = x;
    pthread_mutex_unlock(&k);
    if (s) return 0;
}";

#[test]
fn so_they_are_where_a_thread_gets_out_of_a_loop_or_not() {
    for (name, spin, value) in ROUNDS {
        let text = format!(
            "#include <pthread.h>\nextern _Bool __VERIFIER_nondet_bool(void);
            static pthread_mutex_t m, k; static int x;
            static void *spin(void *arg) {{ {spin} }}
            int main(void) {{
                pthread_t t, u;
                pthread_create(&t, 0, spin, 0);
                pthread_create(&u, 0, spin, 0);
                int value = {value};
                pthread_mutex_lock(&m);
                pthread_mutex_lock(&k);
                x = value;
                pthread_mutex_unlock(&k);
                pthread_mutex_unlock(&m);
                pthread_join(t, 0);
                pthread_join(u, 0);
                return 0;
            }}"
        );
        for transactions in [false, true] {
            let settings = Settings { transactions, ..Settings::default() };
            let states = same(name, text.as_bytes(), &settings, 20_000);
            assert!(states > 20, "{name}: {states} states");
        }
    }
}

#[test]
fn so_they_are_where_they_change_more_than_they_did_first() {
    for (name, text) in TEMPTING {
        let text = format!(
            "#include <pthread.h>\n#include <stdlib.h>\nextern _Bool __VERIFIER_nondet_bool(void);\n{text}"
        );
        let states = same(name, text.as_bytes(), &Settings::default(), 20_000);
        assert!(states > 3, "{name}: {states} states");
    }
}

/// What a thread does alone for long: a step that is not over before someone asks whether it is
/// still wanted.
const LONG: &str = "#include <pthread.h>
static int shared;
static void *count(void *arg) {
    unsigned long sum = 0;
    for (unsigned long i = 0; i < 3000000; i++) sum += i * i;
    shared = (int)sum;
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, count, 0);
    shared = 1;
    pthread_join(t, 0);
    return shared;
}";

/// Somebody who answers so, and how often that was asked.
fn answering(answer: Option<Cut>) -> (Interrupt, Arc<AtomicU32>) {
    let count = Arc::new(AtomicU32::new(0));
    let counter = Arc::clone(&count);
    let ask = move || {
        counter.fetch_add(1, Ordering::Relaxed);
        answer
    };
    (Interrupt::new(ask), count)
}

/// Expands the first state of that program, answering so; how often it asked, and whether it was
/// cut short.
fn asked(settings: &Settings, answer: Option<Cut>) -> (u32, Option<Cut>) {
    let mut sources = Sources::new();
    let (program, _) = support::compile_text("long.c", LONG.as_bytes(), &mut sources);
    let Some(program) = program else { return (0, None) };
    let mut side = Side::new(&program, settings);
    let (whom, count) = answering(answer);
    side.batch.interrupt = whom;
    let (first, _) = side.start();
    side.expand(&first);
    (count.load(Ordering::Relaxed), side.batch.cut)
}

#[test]
fn a_long_step_is_given_up_where_nobody_waits_for_it() {
    for settings in [Settings::default(), Settings { memo: false, ..Settings::default() }] {
        let (often, cut) = asked(&settings, None);
        assert!(often > 20 && cut.is_none(), "asked {often} times, {cut:?}");
        let (once, cut) = asked(&settings, Some(Cut::Time));
        assert!(once < 5 && cut == Some(Cut::Time), "asked {once} times, {cut:?}");
    }
}

#[test]
fn the_first_step_is_given_up_where_nobody_waits_for_it() {
    let mut sources = Sources::new();
    let text = LONG.replace("int main(void) {", "int main(void) { count(0);");
    let (program, _) = support::compile_text("long.c", text.as_bytes(), &mut sources);
    let program = program.expect("a program");
    for settings in [Settings::default(), Settings { memo: false, ..Settings::default() }] {
        for answer in [None, Some(Cut::Time)] {
            let mut side = Side::new(&program, &settings);
            let (whom, count) = answering(answer);
            side.stepper.ask_first(whom);
            let (first, _) = side.start();
            let often = count.load(Ordering::Relaxed);
            side.expand(&first);
            assert_eq!(side.batch.cut, answer, "asked {often} times");
            assert!(if answer.is_none() { often > 20 } else { often < 5 }, "asked {often} times");
        }
    }
}

/// The set of states is made as wide as a first state; the next first state must not be wider for
/// having come further.
#[test]
fn a_first_step_that_is_given_up_leads_to_one_state_however_far_it_came() {
    let mut sources = Sources::new();
    let text = LONG.replace("int main(void) {", "int main(void) { count(0);");
    let (program, _) = support::compile_text("long.c", text.as_bytes(), &mut sources);
    let program = program.expect("a program");
    for settings in [Settings::default(), Settings { memo: false, ..Settings::default() }] {
        let given_up_after = |often: u32| {
            let mut side = Side::new(&program, &settings);
            let count = AtomicU32::new(0);
            let answer = move || (count.fetch_add(1, Ordering::Relaxed) >= often).then_some(Cut::Time);
            side.stepper.ask_first(Interrupt::new(answer));
            let (first, faults) = side.start();
            side.expand(&first);
            (first, faults.len(), side.batch.cut)
        };
        let (first, faults, cut) = given_up_after(0);
        assert_eq!((faults, cut), (0, Some(Cut::Time)));
        assert_eq!(given_up_after(3), (first, faults, cut));
    }
}
