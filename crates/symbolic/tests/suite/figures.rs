//! Published figures: the models of the IMPROVISO paper and the dining philosophers.

use num_bigint::BigUint;

use crate::{Options, Strategy, Symbolic, compiled, relation};

/// The number of states by a strategy.
fn states(text: &str, processes: u32, strategy: Strategy) -> BigUint {
    let model = compiled(text).expect("a correct model");
    let relation = relation(&model, processes).expect("a small relation");
    let options = Options { nodes: 1 << 22, cache: 1 << 16, memory: None };
    let mut symbolic = Symbolic::new(&relation, options).expect("memory");
    let reached = symbolic.explore(strategy, &mut |_| None).expect("memory");
    assert_eq!(reached.stop, None);
    reached.states
}

fn best(processes: u32) -> String {
    format!("active [{processes}] proctype P() {{ byte x; do :: x = 1; x = 2; x = 0 od }}")
}

fn worst(processes: u32) -> String {
    let choice = "if :: x = 1; end1: false :: x = 2; end2: false fi";
    format!("active [{processes}] proctype P() {{ byte x; {choice} }}")
}

/// Tables 1 and 2 of the paper: 2 n + 1 of 3^n states.
#[test]
fn states_of_best() {
    for n in [3, 7, 20, 50] {
        let text = best(n);
        assert_eq!(states(&text, n, Strategy::Saturation), BigUint::from(3u32).pow(n), "{n}");
        assert_eq!(states(&text, n, Strategy::Improviso), BigUint::from(2 * n + 1), "{n}");
    }
}

/// Tables 1 and 2 of the paper: 2^(n + 1) - 1 of 3^n states. The paper prints six digits.
#[test]
fn states_of_worst() {
    for n in [3, 7, 10, 20, 100] {
        let text = worst(n);
        assert_eq!(states(&text, n, Strategy::Saturation), BigUint::from(3u32).pow(n), "{n}");
        let reduced = (BigUint::from(1u32) << (n + 1)) - 1u32;
        assert_eq!(states(&text, n, Strategy::Improviso), reduced, "{n}");
    }
}

/// Dining philosophers: each takes the left fork, then the right one, and puts both back.
fn philosophers(n: u32) -> String {
    let mut text: String = (0..n).map(|fork| format!("bit f{fork};\n")).collect();
    for left in 0..n {
        let right = (left + 1) % n;
        text += &format!(
            "active proctype P{left}() {{ do :: d_step {{ f{left} == 0 -> f{left} = 1 }}; \
             d_step {{ f{right} == 0 -> f{right} = 1 }}; d_step {{ f{left} = 0; f{right} = 0 }} od }}\n"
        );
    }
    text
}

/// The numbers obey s(n) = 2 s(n - 1) + s(n - 2): the closed form of the ring is (1 + sqrt 2)^n +
/// (1 - sqrt 2)^n.
#[test]
fn dining_philosophers() {
    let (mut before, mut last) = (BigUint::from(2u32), BigUint::from(2u32));
    for n in 1..=60 {
        if n == 2 || n == 5 || n == 20 || n == 60 {
            let text = philosophers(n);
            assert_eq!(states(&text, n, Strategy::Saturation), last, "{n}");
        }
        (before, last) = (last.clone(), &last * 2u32 + before);
    }
}
