//! Counter abstraction (`counter_abstraction.rs`) reports *holds* only if there is no violation:
//! random threads, of which up to three are begun by one program, which is searched as it stands,
//! and any number by another.

use std::fmt::Write as _;

use crate::support::{Verdict, check_text, compile_text};
use axle_c_exec::{Settings, Stepper};
use axle_search::{Limits, Silent, bfs};
use axle_source::Sources;
use axle_step::Successors;
use axle_store::AutoSet;

/// Result of a counter abstraction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Counted {
    /// No violation is reachable, and some threads were folded.
    Right,
    /// Nothing is known.
    Unknown,
}

fn count(name: &str, text: &[u8], transactions: bool, states: u64) -> Counted {
    let mut sources = Sources::new();
    let (program, messages) = compile_text(name, text, &mut sources);
    let Some(program) = program else { panic!("{messages}\n{}", String::from_utf8_lossy(text)) };
    let settings = Settings { counter_abstraction: true, transactions, ..Settings::default() };
    let mut stepper = Stepper::new(&program, &settings);
    stepper.initial(&mut Vec::new());
    let mut set = AutoSet::new(stepper.width()).expect("an empty set has room");
    let limits = Limits { states: Some(states), errors: Some(1), ..Limits::default() };
    let options = axle_search::Options { limits, ..axle_search::Options::default() };
    let outcome = bfs::search(&mut stepper, &mut set, &options, &mut Silent);
    let is_right =
        outcome.stop.is_none() && outcome.violations.is_empty() && stepper.inconclusive_reasons().is_empty();
    match (is_right && !stepper.restricted(), stepper.has_folded()) {
        (true, true) => Counted::Right,
        _ => Counted::Unknown,
    }
}

/// A small generator of random numbers (Marsaglia's xorshift).
struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % bound
    }
}

/// A random statement of a thread; `depth` bounds what stands inside it.
fn statement(dice: &mut Dice, depth: u32, out: &mut String) {
    let (k, l) = (dice.below(3), dice.below(2));
    let inside = |dice: &mut Dice, out: &mut String| {
        for _ in 0..1 + dice.below(2) {
            statement(dice, depth - 1, out);
        }
    };
    let made = match dice.below(if depth == 0 { 13 } else { 18 }) {
        0 => write!(out, "a[{l}] = {k}; "),
        1 => write!(out, "v = a[{l}]; "),
        2 => write!(out, "a[{l}] = (a[{l}] + 1) % 3; "),
        3 => write!(out, "atomic_fetch_xor(&a[{l}], {k}); "),
        4 => write!(out, "if (v == {k}) return 0; "),
        5 => write!(out, "assert(v != {k} || a[{l}] != 2); "),
        6 => write!(out, "{{ int e = {k}; atomic_compare_exchange_strong(&a[{l}], &e, v); v = e; }} "),
        7 => write!(out, "sem_post(&s); sem_wait(&s); "),
        8 => write!(out, "pthread_mutex_lock(&m[{l}]); x[{l}] = {k}; pthread_mutex_unlock(&m[{l}]); "),
        9 => write!(out, "pthread_mutex_lock(&m[{l}]); v = x[{l}]; pthread_mutex_unlock(&m[{l}]); "),
        10 => write!(
            out,
            "pthread_mutex_lock(&m[0]); pthread_cond_{}(&c); pthread_mutex_unlock(&m[0]); ",
            ["signal", "broadcast"][l as usize]
        ),
        11 => write!(out, "keep(&v); "),
        12 => write!(out, "while (a[{l}] == {k}); "),
        13 => {
            out.push_str(&format!("if (a[{l}] == {k}) {{ "));
            inside(dice, out);
            write!(out, "}} ")
        }
        14 => {
            out.push_str(&format!("pthread_mutex_lock(&m[{l}]); "));
            inside(dice, out);
            write!(out, "pthread_mutex_unlock(&m[{l}]); ")
        }
        15 => write!(
            out,
            "pthread_mutex_lock(&m[0]); if (x[0] == {k}) pthread_cond_wait(&c, &m[0]); v = x[0]; pthread_mutex_unlock(&m[0]); "
        ),
        16 => {
            out.push_str("pthread_rwlock_rdlock(&r); ");
            inside(dice, out);
            write!(out, "pthread_rwlock_unlock(&r); ")
        }
        _ => {
            out.push_str(&format!("for (int i = 0; i < 2; i++) {{ if (v == {k}) break; "));
            inside(dice, out);
            write!(out, "}} ")
        }
    };
    made.expect("a text takes what is written");
}

/// Two kinds of threads, and a program that begins as many as `begins` says.
fn program(bodies: &[String; 2], begins: &str, end: &str) -> String {
    let [f, g] = bodies;
    format!(
        "#include <assert.h>\n#include <pthread.h>\n#include <semaphore.h>\n#include <stdatomic.h>\n\
         extern _Bool __VERIFIER_nondet_bool(void);\n\
         static atomic_int a[2]; static int x[2]; static sem_t s;\n\
         static pthread_mutex_t m[2] = {{PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER}};\n\
         static pthread_cond_t c = PTHREAD_COND_INITIALIZER; static pthread_rwlock_t r = PTHREAD_RWLOCK_INITIALIZER;\n\
         static void keep(int *p) {{ *p = (*p + 1) % 3; }}\n\
         static void *f(void *p) {{ int v = 0; (void)p; {f}return 0; }}\n\
         static void *g(void *p) {{ int v = 1; (void)p; {g}return 0; }}\n\
         int main(void) {{ pthread_t t; sem_init(&s, 0, 0);\n  {begins}\n  {end} }}\n"
    )
}

#[test]
fn what_holds_of_any_number_of_random_threads_holds_of_three() {
    let programs: u64 = std::env::var("AXLE_CROWDS").ok().and_then(|n| n.parse().ok()).unwrap_or(30);
    let seed: u64 = std::env::var("AXLE_CROWDS_SEED").ok().and_then(|n| n.parse().ok()).unwrap_or(1);
    let mut dice = Dice(0x9e37_79b9_7f4a_7c15 ^ seed);
    let begin = "pthread_create(&t, 0, __VERIFIER_nondet_bool() ? f : g, 0);";
    let some = format!("for (int i = 0; i < 3 && __VERIFIER_nondet_bool(); i++) {begin}");
    let any = format!("while (__VERIFIER_nondet_bool()) {begin}");
    let ends = [
        "pthread_exit(0);",
        "while (a[0] == 1); pthread_exit(0);",
        "for (;;) { int z = 0; for (int i = 0; i < 70; i++) z += a[0] == 1; if (!z) break; } return 0;",
    ];
    let (mut right, mut violated) = (0, 0);
    for _ in 0..programs {
        let bodies = [0; 2].map(|_| {
            let mut body = String::new();
            for _ in 0..1 + dice.below(3) {
                statement(&mut dice, 2, &mut body);
            }
            body
        });
        let end = ends[dice.below(3) as usize];
        let transactions = dice.below(2) == 1;
        let few = program(&bodies, &some, end);
        let exact = check_text("some.c", few.as_bytes(), &Settings::default(), 20_000).verdict;
        let counted = count("any.c", program(&bodies, &any, end).as_bytes(), transactions, 10_000);
        right += u64::from(counted == Counted::Right);
        violated += u64::from(exact == Verdict::Violated);
        let agrees = exact != Verdict::Violated || counted == Counted::Unknown;
        assert!(agrees, "{counted:?} of any number, transactions {transactions}, but wrong:\n{few}");
    }
    println!("{right} of {programs} hold by counter abstraction, {violated} are violated");
    assert!(
        right > programs / 20 && violated > programs / 5,
        "{right} hold by counter abstraction, {violated} are violated"
    );
}
