//! How the options of `axle` are named in messages of the library.

use axle_check::Vocabulary;

/// The options of `axle check` and of the commands like it.
pub static VOCABULARY: Vocabulary = Vocabulary {
    time: "--time",
    memory: "--memory",
    depth: "--depth",
    states: "--states",
    all_violations: "--max-violations all continues",
    weak_fairness: "--fairness weak",
    sequential: "--memory-model sc",
    executions: "add scc to --search",
    stdin: "--stdin",
    arguments: "`--arg WORD` gives one, `--no-args` none",
    volatile: "--volatile relaxed",
    bound: "--bound NAME=N",
    aborts: "--enable aborts counts it",
};
