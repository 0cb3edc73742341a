//! Boolean programs and abstract machines: random models against explicit searches of both, and an example.

use axle_abstract::boolean_program::BooleanProgram;
use axle_abstract::boolean_text::Labels;
use axle_abstract::cegar::Predicates;
use axle_abstract::composition::Composition;
use axle_abstract::machine::machine;
use axle_decide::system::Cause;
use axle_decide::term::{BinaryOp, FALSE};
use axle_generate::Random;
use axle_outcome::{FaultKind, Stop};
use axle_relation::Relation;

use crate::case::{Case, compiled};
use crate::cases;
use crate::random::{Explicit, explore, options, random_model};

/// Numbers in place of names.
struct Numbers;

impl Labels for Numbers {
    fn process(&self, process: u32) -> String {
        process.to_string()
    }

    fn statement(&self, group: u32) -> String {
        group.to_string()
    }

    fn bad(&self, bad: usize) -> String {
        bad.to_string()
    }
}

/// The bad conditions on single states.
fn bads(case: &Case) -> Vec<usize> {
    let is_plain = |bad: &usize| {
        let cause = case.problem.system.bads[*bad].cause;
        !matches!(cause, Cause::Fault { kind: FaultKind::EndlessSequence, .. })
    };
    (0..case.problem.system.bads.len()).filter(is_plain).collect()
}

/// The faults of the program, by an explicit search.
fn searched(text: &str) -> Explicit {
    let model = compiled(text).unwrap_or_else(|| panic!("no program:\n{text}"));
    explore(&Relation::new(&model, &axle_relation::Options::default(), &[]).expect("a relation"))
}

#[test]
fn a_fault_of_a_random_model_is_one_of_its_boolean_program() {
    let number = cases("AXLE_ABSTRACT_PROGRAMS", 150);
    let (mut faulty, mut correct, mut spurious, mut large) = (0, 0, 0, 0);
    let (mut kept, mut repeated) = (0, 0);
    let seed = cases("AXLE_ABSTRACT_SEED", 11);
    let mut random = Random::of(seed + 20, 0);
    for index in 0..number {
        let Some(model) = random_model(&mut random, seed, index) else { continue };
        let Some(mut case) = Case::new(model, 4_000) else { continue };
        if case.problem.system.states.is_empty() || case.problem.system.terms.len() > 4_000 {
            continue;
        }
        let (options, composition) = options(&mut random, &mut case);
        kept += composition.kept.len();
        let predicates = Predicates { terms: case.problem.system.terms.clone(), list: options.predicates };
        let bads = bads(&case);
        let mut polls = 0;
        let mut poll = |_| {
            polls += 1;
            (polls > 40).then_some(Stop::Time)
        };
        let made =
            BooleanProgram::new(&case.problem, &case.relation, &predicates, &composition, &bads, &mut poll);
        let Ok(program) = made else {
            large += 1;
            continue;
        };
        repeated += program.repeated;
        let text = program.promela("a random model", &Numbers);
        match (explore(&case.relation), searched(&text)) {
            (Explicit::Faulty, Explicit::Correct) => {
                panic!("model {index}: a fault is missed\n{}\n{text}", axle_model::dump::dump(&case.model))
            }
            (Explicit::Faulty, _) => faulty += 1,
            (_, Explicit::Correct) => correct += 1,
            (_, Explicit::Faulty | Explicit::Unknown) => spurious += 1,
        }
    }
    println!(
        "{faulty} faulty, {correct} proved, {spurious} open, {large} too large, {kept} kept variables, {repeated} repeated"
    );
    assert!(kept as u64 > number / 2 && repeated > 0, "{kept} variables, {repeated} repeated");
    assert!(faulty > number / 10 && correct > number / 30, "{faulty} {correct} {spurious} {large}");
}

/// A program whose processes are not abstracted is the model.
#[test]
fn steps_of_processes_that_are_not_abstracted_are_exact() {
    let texts = [
        // A receive that exchanges the variables of the send.
        "chan q = [0] of { byte, byte }; byte x, y, a, b;
        active proctype S() { do :: x < 3 -> x++ :: y < 3 -> y++ :: break od; a = x; b = y; q!x,y }
        active proctype R() { q?y,x; assert(x == b && y == a) }",
        // A comparison of numbers that change their sign.
        "short low = -3, high = -2;
        active proctype P() { do :: low < 3 -> d_step { low++; high++ } :: break od; assert(low < high) }
        active proctype Q() { skip }",
    ];
    for text in texts {
        let case = Case::of(text);
        let predicates = Predicates { terms: case.problem.system.terms.clone(), list: Vec::new() };
        let kept = Composition::new(&case.problem, &case.relation, &[0, 1]);
        let bads = bads(&case);
        let made =
            BooleanProgram::new(&case.problem, &case.relation, &predicates, &kept, &bads, &mut |_| None);
        let program = made.expect("a program").promela("exact", &Numbers);
        assert!(program.contains("assert"), "{program}");
        assert_eq!(searched(&program), Explicit::Correct, "{program}");
    }
}

/// Two processes of a type share their code, but not the values that it assigns.
#[test]
fn steps_of_one_type_that_assign_other_values_are_not_the_same() {
    let text = "byte x; active [2] proctype P() { do :: x = (_pid == 0 -> (x & 3) : x + 1) od }
        active proctype Monitor() { end: do :: assert(x < 10) od }";
    let mut case = Case::of(text);
    let system = &mut case.problem.system;
    let x = system.states.iter().find(|state| state.name == "x").expect("x").variable;
    let ten = system.terms.constant(8, 10);
    let below = system.terms.binary(BinaryOp::ULt, x, ten);
    let predicates = Predicates { terms: system.terms.clone(), list: vec![below] };
    let (none, bads) = (Composition::default(), bads(&case));
    let made = BooleanProgram::new(&case.problem, &case.relation, &predicates, &none, &bads, &mut |_| None);
    let program = made.expect("a program").promela("x", &Numbers);
    assert_eq!(searched(&program), Explicit::Faulty, "{program}");
}

/// A variable that stays below a limit stays positive; without the limit, it wraps around.
#[test]
fn the_machine_of_a_positive_variable() {
    let text = "int x = 1, limit = 1000;
        active proctype P() { do :: x < limit -> atomic { x < limit -> x = x + 1 } od }
        active proctype Q() { do :: limit = limit + 1 od }
        active proctype Monitor() { end: do :: assert(x > 0) od }";
    let mut case = Case::of(text);
    let system = &mut case.problem.system;
    let of = |name: &str| system.states.iter().find(|state| state.name == name).expect(name).variable;
    let (x, limit) = (of("x"), of("limit"));
    let zero = system.terms.constant(32, 0);
    let positive = system.terms.binary(BinaryOp::SLt, zero, x);
    let below = system.terms.binary(BinaryOp::SLt, x, limit);
    let predicates = Predicates { terms: system.terms.clone(), list: vec![positive, below] };
    let drawn = machine(&case.problem, &case.relation, &predicates, 0, &mut |_| None).expect("a machine");
    assert!(drawn.states.iter().all(|state| state.values[0] == Some(true)), "{drawn:?}");
    assert_eq!(drawn.predicates[0], ["0 < x", "0 >= x"]);
    assert!(drawn.steps.iter().any(|(.., is_own)| *is_own) && drawn.steps.iter().any(|(.., is_own)| !is_own));
    let program = |predicates: &Predicates| {
        let bads = bads(&case);
        let none = Composition::default();
        let made =
            BooleanProgram::new(&case.problem, &case.relation, predicates, &none, &bads, &mut |_| None);
        made.expect("a program").promela("x", &Numbers)
    };
    let text = program(&predicates);
    assert_eq!(searched(&text), Explicit::Correct, "{text}");
    let text = program(&Predicates { list: vec![positive], ..predicates });
    assert_eq!(searched(&text), Explicit::Faulty, "{text}");
}

/// The bits of a number have more combinations than are computed: the assertion may fail in every state.
#[test]
fn a_condition_on_too_many_values_may_hold_everywhere() {
    let text = "int x = -1; active proctype P() { end: do :: assert(x > 0) :: x = x + 1 od }";
    let mut case = Case::of(text);
    let system = &mut case.problem.system;
    let number = system.states.iter().position(|state| state.name == "x").expect("x");
    let x = system.states[number].variable;
    // The step from one number to the next one would have too many combinations, too.
    for command in &mut case.problem.commands {
        if command.updates.iter().any(|(of, _)| *of == number as u32) {
            command.enabled = FALSE;
        }
    }
    let list = (0..12).map(|bit| system.terms.extract(bit, 1, x)).collect();
    let predicates = Predicates { terms: system.terms.clone(), list };
    let bads = bads(&case);
    let none = Composition::default();
    let made = BooleanProgram::new(&case.problem, &case.relation, &predicates, &none, &bads, &mut |_| None);
    let program = made.expect("a program");
    assert_eq!(program.omitted, bads);
    let text = program.promela("x", &Numbers);
    assert_eq!(searched(&text), Explicit::Faulty, "{text}");
}
