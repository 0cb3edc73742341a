//! Conditions of formulas over automatic variables: which of the states of a program satisfy them.

use std::collections::HashSet;

use crate::support::compile_text;
use axle_c_exec::{Observer, Proposition, Settings, Stepper, Watch, settings_for_runs};
use axle_source::Sources;
use axle_step::{Batch, Successors};

const PROGRAM: &str = "
    #include <pthread.h>
    struct pair { int a, b; };
    static int step(int n) { int twice = 2 * n; return twice + 1; }
    static void *count(void *arg) {
        int n = 0, *p = &n;
        struct pair pair = { 0, 0 };
        for (int i = 0; i < 2; i++) { *p = step(n); pair.b = i; }
        return arg;
    }
    static void *idle(void *arg) { int n = 7; return arg; }
    int main(void) {
        pthread_t t, u;
        pthread_create(&t, 0, count, 0);
        pthread_create(&u, 0, idle, 0);
        pthread_join(t, 0);
        pthread_join(u, 0);
        return 0;
    }";

/// Whether the condition is true in some state, or why it is none.
fn sometimes(condition: &str) -> Result<bool, String> {
    let mut sources = Sources::new();
    let (program, printed) = compile_text("dir/t.c", PROGRAM.as_bytes(), &mut sources);
    let mut program = program.unwrap_or_else(|| panic!("{printed}"));
    program.keep_locals();
    let mut watch = Watch::default();
    let proposition = Proposition::read(&program, condition, &mut watch).map_err(|(_, message)| message)?;
    let settings = settings_for_runs(&Settings::default(), watch);
    let mut stepper = Stepper::new(&program, &settings);
    stepper.grow(100);
    let first = stepper.initial(&mut Vec::new());
    let mut observer = Observer::new(&stepper, vec![proposition]);
    let (mut todo, mut seen, mut batch) =
        (vec![first.clone()], HashSet::from([first.clone()]), Batch::default());
    while let Some(state) = todo.pop() {
        if observer.letter(&state)[0] {
            return Ok(true);
        }
        stepper.expand(&state, &mut batch).expect("states fit");
        for next in batch.states.chunks_exact(first.len()) {
            if seen.insert(next.to_vec()) {
                todo.push(next.to_vec());
            }
        }
    }
    Ok(false)
}

#[test]
fn every_value_that_a_local_variable_has_is_seen() {
    for (condition, expected) in [
        // In memory, because its address is taken.
        ("count::n == 1", true),
        ("count::n == 3", true),
        ("count::n == 2", false),
        // In a register, and not needed any more once it is returned.
        ("step::twice == 2", true),
        ("step::twice == 4", false),
        ("step::n == 1", true),
        ("count::i == 1", true),
        ("count::i == 2", true),
        ("count::i == 3", false),
        ("count::pair.b == 1", true),
        ("count::pair.b == 1 && count::i == 0", false),
        // Two functions: some call of each.
        ("idle::n == 7 && count::n == 3", true),
        ("t.c:idle::n == 7", true),
        ("dir/t.c:idle::n != 7", false),
        // Where no call is under way nothing is true.
        ("idle::n != 7", false),
    ] {
        assert_eq!(sometimes(condition), Ok(expected), "{condition}");
    }
}

#[test]
fn what_is_no_local_variable_is_refused() {
    for (condition, why) in [
        ("count::nothing == 1", "`count` has no variable `nothing`"),
        ("missing::n == 1", "no function `missing`"),
        ("other.c:count::n == 1", "no function `count` in `other.c`"),
        ("t.c:count", "`::` and a variable are expected"),
        ("count::pair == 1", "no integer or pointer"),
        ("count::pair.c == 1", "has no member `c`"),
    ] {
        let refused = sometimes(condition).expect_err(condition);
        assert!(refused.contains(why), "{condition}: {refused}");
    }
}
