//! Large models of varied nature: exact numbers of states, and small instances compared with the explicit
//! search. `tests/large/expected.tsv` has the constants of the small instance, the number of states and of
//! violations. Saturation and chaining agreed on the numbers, except for `barrier`, `kanban` and `lifts`,
//! where only saturation ends soon.

use std::path::Path;

use axle_symbolic::{Options, Strategy, Symbolic};
use num_bigint::BigUint;

use crate::{SMALL, compare, compiled, relation};

/// A program with other values of constants, given as `NAME=value`.
pub(crate) fn with(text: &str, constants: &str) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_string).collect();
    for constant in constants.split_whitespace() {
        let (name, value) = constant.split_once('=').expect("a name and a value");
        let begin = format!("#define {name} ");
        let line = lines.iter_mut().find(|line| line.starts_with(&begin)).expect("the constant is defined");
        *line = begin + value;
    }
    lines.join("\n")
}

/// An order in which the variables of a process are far from each other is replaced, and the new one can be
/// used again.
#[test]
fn another_order_is_found_during_a_search() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/large");
    let text = std::fs::read_to_string(folder.join("allocation.pml")).expect("a model");
    let model = compiled(&with(&text, "CLIENTS=4")).expect("a correct model");
    let relation = relation(&model, 255).expect("a relation");
    let fixed = Options { reorder: usize::MAX, ..Options::default() };
    let mut whole = Symbolic::new(&relation, fixed).expect("memory");
    let lines: Vec<String> = whole.order().lines().map(|line| format!("{line}\n")).collect();
    let bad: String = (0..9).flat_map(|first| lines.iter().skip(first).step_by(9).cloned()).collect();
    let whole = whole.explore(Strategy::Saturation, &mut |_| None).expect("memory");
    for strategy in [Strategy::BreadthFirst, Strategy::Chaining, Strategy::Saturation] {
        let options = Options { reorder: 200, ..Options::default() };
        let mut symbolic = Symbolic::with_order(&relation, options, &bad, &mut |_| None).expect("an order");
        let reached = symbolic.explore(strategy, &mut |_| None).expect("memory");
        assert!(reached.reordered > 0, "{strategy:?}");
        assert_eq!(reached.states, whole.states, "{strategy:?}");
        let found = symbolic.order();
        assert_ne!(bad, found, "{strategy:?}");
        let mut again = Symbolic::with_order(&relation, fixed, &found, &mut |_| None).expect("an order");
        let repeated = again.explore(strategy, &mut |_| None).expect("memory");
        assert_eq!((repeated.reordered, repeated.nodes), (0, reached.nodes), "{strategy:?}");
        assert_eq!(repeated.states, whole.states, "{strategy:?}");
    }
}

#[test]
fn large_models() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/large");
    let expected = std::fs::read_to_string(folder.join("expected.tsv")).expect("a table");
    let (mut seen, mut reordered) = (0, 0);
    for line in expected.lines().skip(1) {
        let [name, small, states, violations] = line.split('\t').collect::<Vec<_>>()[..] else {
            panic!("four columns: {line}")
        };
        let text = std::fs::read_to_string(folder.join(name).with_extension("pml")).expect("a model");
        let model = compiled(&with(&text, small)).expect("a correct model");
        assert_eq!(compare(&model, 12, 20_000, SMALL), Ok(true), "{name} with {small}");
        let model = compiled(&text).expect("a correct model");
        let relation = relation(&model, 255).expect("a relation");
        let states: BigUint = states.parse().expect("a number");
        assert!(states >= BigUint::from(10u32).pow(12), "{name}");
        let options = Options { memory: Some(500 << 20), ..Options::default() };
        let mut symbolic = Symbolic::new(&relation, options).expect("memory");
        let reached = symbolic.explore(Strategy::Saturation, &mut |_| None).expect("memory");
        assert_eq!(reached.stop, None, "{name}");
        assert_eq!(reached.states, states, "{name}");
        assert_eq!(reached.violations.len().to_string(), violations, "{name}");
        reordered += reached.reordered;
        seen += 1;
    }
    assert_eq!(seen, 12);
    assert!(reordered > 0, "no search has looked for another order");
}
