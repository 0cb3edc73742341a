//! Published figures: the models of the IMPROVISO paper and the dining philosophers.

use num_bigint::BigUint;

use crate::{Options, Strategy, Symbolic, compiled, relation};

/// The number of states by a strategy.
fn states(text: &str, processes: u32, strategy: Strategy) -> BigUint {
    let model = compiled(text).expect("a correct model");
    let relation = relation(&model, processes).expect("a small relation");
    let options = Options { nodes: 1 << 22, cache: 1 << 16, memory: None, ..Options::default() };
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

/// A thousand processes, more than a program in Promela may have.
#[test]
fn a_thousand_processes() {
    let names = vec!["p0"; 1000].join(", ");
    let text = format!(
        "axle model 1\nsemantics processes 1000 channels 255\nstart {names}\nprocess p0 P() entry s0 {{\n  \
         s0:\n    t0 -> s1 \"\"\n    t1 -> s2 \"\"\n  s1: end\n  s2: end\n}}\n"
    );
    let model = axle_model::parse::parse(&text).unwrap_or_else(|why| panic!("{why:?}"));
    let relation = relation(&model, 1000).expect("a small relation");
    let mut symbolic = Symbolic::new(&relation, Options::default()).expect("memory");
    let reached = symbolic.explore(Strategy::Saturation, &mut |_| None).expect("memory");
    assert_eq!((reached.stop, reached.states), (None, BigUint::from(3u32).pow(1000)));
}

/// The leader election of Dolev, Klawe and Rodeh with all assignments of numbers to nodes, repeated ones
/// included. The source of the paper's model is not known; its table 4 has 187 states for two nodes.
fn leader(nodes: u32) -> String {
    let mut text =
        format!("mtype = {{ one, two, winner }};\nchan q[{nodes}] = [{}] of {{ mtype, byte }};\n", 2 * nodes);
    for node in 0..nodes {
        let next = (node + 1) % nodes;
        let numbers: String =
            (0..nodes).map(|of| format!(":: d_step {{ mynumber = {of}; maximum = {of} }} ")).collect();
        text += &format!(
            "active proctype node{node}() {{ bit active_ = 1, knows = 0; byte mynumber, maximum, nr, left;\n\
             if {numbers} fi; q[{next}]!one(mynumber);\n\
             end: do :: q[{node}]?one(nr) -> if :: active_ -> if :: nr != maximum -> q[{next}]!two(nr); left = nr\n\
             :: else -> knows = 1; q[{next}]!winner, nr fi :: else -> q[{next}]!one(nr) fi\n\
             :: q[{node}]?two(nr) -> if :: active_ -> if :: left > nr && left > maximum -> maximum = left;\n\
             q[{next}]!one(left) :: else -> active_ = 0 fi :: else -> q[{next}]!two(nr) fi\n\
             :: q[{node}]?winner, nr -> if :: knows :: else -> q[{next}]!winner, nr fi; break od; endx: false }}\n"
        );
    }
    text
}

/// Full and reduced numbers.
#[test]
fn leader_election_with_arbitrary_numbers() {
    for (nodes, full, reduced) in [(2, 283, 105u32), (3, 14_125, 928)] {
        let text = leader(nodes);
        let model = compiled(&text).expect("a correct model");
        assert_eq!(crate::explicit::explore(&model, 20_000).map(|found| found.states), Some(full));
        assert_eq!(states(&text, nodes, Strategy::Saturation), BigUint::from(full), "{nodes}");
        assert_eq!(states(&text, nodes, Strategy::Improviso), BigUint::from(reduced), "{nodes}");
    }
}
