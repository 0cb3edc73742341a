//! The nearest satisfying execution of random small graphs, compared with one check for every number of
//! steps: of a model that is forced to begin with them.

use axle_check::claims::{Source, stated};
use axle_check::{Check, Config, Verdict, check, replay};
use axle_diagnosis::nearest::model::nearest;
use axle_diagnosis::nearest::{Answer, Condition};
use axle_evidence::run_trail::{About, RunTrail};
use axle_evidence::trace::Trace;
use axle_generate::Random;
use axle_search::{Fairness, Limits, Silent};

use crate::promela::model;

/// Graphs that are compared.
const GRAPHS: u64 = 400;

/// Formulas over the propositions `a`, `b` and `c` of the nodes.
const FORMULAS: [&str; 12] = [
    "[] !a",
    "[] (a -> <> b)",
    "[] (a -> X b)",
    "<> (a && X b)",
    "[] <> a",
    "<> [] !a",
    "(!a U b) || [] !a",
    "[] (a -> (b U c))",
    "<> a -> <> b",
    "[] (a -> X X c)",
    "X X X !a",
    "[] <> a && [] (b -> <> c)",
];

/// A graph whose nodes have propositions, with node 0 as the initial one.
struct Graph {
    /// The propositions of each node, as bits.
    nodes: Vec<u32>,
    edges: Vec<Vec<usize>>,
}

impl Graph {
    fn random(random: &mut Random) -> Graph {
        let count = 2 + random.below(7);
        let edges = (0..count).map(|_| (0..random.below(4)).map(|_| random.below(count)).collect());
        let edges = edges.collect();
        Graph { nodes: (0..count).map(|_| random.below(8) as u32).collect(), edges }
    }

    /// A model of the executions of the graph that begin with some nodes behind node 0.
    fn text(&self, first: &[usize], formula: &str) -> String {
        let mut text = String::new();
        for (bit, name) in ["a", "b", "c"].iter().enumerate() {
            let own = self.nodes.iter().enumerate().filter(|(_, bits)| *bits >> bit & 1 == 1);
            let own: Vec<String> = own.map(|(node, _)| format!("s == {node}")).collect();
            let condition = if own.is_empty() { "s > 100".to_string() } else { own.join(" || ") };
            text += &format!("#define {name} ({condition})\n");
        }
        text += &format!("byte s;\nltl p {{ {formula} }}\nactive proctype graph() {{\n");
        first.iter().for_each(|node| text += &format!("  s = {node};\n"));
        text += &format!("  goto n{};\n", first.last().unwrap_or(&0));
        for (node, edges) in self.edges.iter().enumerate() {
            let options: Vec<String> = edges.iter().map(|to| format!(":: s = {to}; goto n{to}")).collect();
            text += &match edges.is_empty() {
                true => format!("n{node}: (false);\n"),
                false => format!("n{node}: if {} fi;\n", options.join(" ")),
            };
        }
        text + "}\n"
    }
}

fn config(fairness: Fairness) -> Config {
    Config {
        checks: [Check::Properties].into(),
        limits: Limits { errors: Some(1), ..Limits::default() },
        fairness,
        ..Config::default()
    }
}

/// The nodes that an execution visits behind the initial one.
fn nodes(trace: &Trace) -> Vec<usize> {
    let node = |statement: &str| statement.strip_prefix("s = ").and_then(|node| node.trim().parse().ok());
    trace.steps.iter().filter_map(|step| node(&step.by.statement)).collect()
}

#[test]
fn the_longest_prefix_is_that_of_a_linear_scan() {
    let (mut compared, mut shares) = (0, [0; 4]);
    for number in 0..GRAPHS {
        let graph = Graph::random(&mut Random::of(26, number));
        let formula = FORMULAS[number as usize % FORMULAS.len()];
        let own = model(&graph.text(&[], formula));
        let checked = check(&own, &config(Fairness::None), &mut Silent);
        let Some(found) = checked.found.runs.first() else { continue };
        let violating = replay(&own, found, Fairness::None, &config(Fairness::None).step_options());
        let path = nodes(&violating.expect("it replays"));

        // The reference: whether an execution that begins with a number of steps satisfies the formula.
        let satisfied = |steps: usize| {
            let forced = model(&graph.text(&path[..steps], &format!("!({formula})")));
            let report = check(&forced, &config(Fairness::None), &mut Silent).report;
            report.properties[0].verdict == Verdict::Violated
        };
        let longest = (0..=path.len()).rev().find(|steps| satisfied(*steps));

        let about = About { property: "p", fault: None, fairness: "none" };
        let trail = RunTrail::new(&own, "graph.pml", &[], "0", &about, &found.run);
        let stated = stated(&own).swap_remove(0);
        let Source::Formula(condition) = stated.source.clone() else { panic!("a formula") };
        let condition = Condition::Formula(condition);
        let answer = nearest(&own, (&stated, &trail), &condition, (Fairness::None, None), &mut Silent);
        let text = graph.text(&[], formula);
        match answer.unwrap_or_else(|fault| panic!("{fault}: {text}")) {
            Answer::Found(nearest) => {
                let common = nearest.common_steps as usize;
                assert_eq!(Some(common.min(path.len())), longest, "{path:?} {text}");
                assert!(nearest.is_longest, "{text}");
                let shared = common.min(path.len());
                assert_eq!(nodes(&nearest.trace)[..shared], path[..shared], "{text}");
                shares[match shared {
                    0 => 0,
                    all if all == path.len() => 3,
                    few if few * 2 < path.len() => 1,
                    _ => 2,
                }] += 1;
            }
            Answer::None => assert_eq!(longest, None, "{path:?} {text}"),
            Answer::Undecided => panic!("undecided: {text}"),
        }
        compared += 1;
    }
    assert!(compared > 100, "only {compared} graphs have a violation");
    assert!(shares.iter().all(|count| *count > 1), "all lengths of prefixes occur: {shares:?}");
}
