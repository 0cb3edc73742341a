//! Random Promela programs.
//!
//! *Entry point:* [`program`].
//!
//! A program is generated top-down. First the allowed constructs are drawn (`Features`), because
//! some exclude each other. Declarations follow (`declare`), then processes statement by statement
//! (`statement`) over expressions of the declared names (`value`), then properties (`property`).
//!
//! *Invariant:* names are declared before their use and used according to their types, so nearly
//! every program passes the front end. Loops and counters are small, so nearly every program has at
//! most some thousand states.

mod channel;
mod declare;
mod property;
mod scope;
mod statement;
mod value;

use crate::random::Random;
use crate::tree::Tree;
use scope::{Chan, Record, Scope};

/// The language of a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Audience {
    /// The whole language of Axle.
    Axle,
    /// Only constructs with the same semantics and state counts in Spin 6.5.2.
    Spin,
}

/// The drawn constructs: those that exclude each other or enlarge the state space.
#[derive(Clone, Debug)]
struct Features {
    rendezvous: bool,
    priorities: bool,
    provided: bool,
    mtypes: usize,
    formulas: usize,
    never: bool,
    /// `_last`, `enabled`, `pc_value`.
    processes: bool,
    timeout: bool,
    labels: bool,
    /// Division by an expression that may be 0, indices out of range, invalid channels.
    faults: bool,
}

/// A process type that can be instantiated.
#[derive(Clone, Debug)]
struct Process {
    name: String,
    /// Types of the parameters.
    parameters: Vec<String>,
    /// Number of instances in the initial state, and the process number of the first.
    active: Option<(usize, usize)>,
    /// Labels for remote references.
    labels: Vec<String>,
    /// Local variables of the outermost block.
    locals: Vec<String>,
}

/// An inline: its number of parameters.
#[derive(Clone, Debug)]
struct Inline {
    name: String,
    parameters: usize,
}

/// A program under construction.
struct Maker {
    random: Random,
    audience: Audience,
    features: Features,
    /// Names of each mtype; the unnamed one first.
    mtypes: Vec<(String, Vec<String>)>,
    records: Vec<Record>,
    channels: Vec<Chan>,
    scope: Scope,
    inlines: Vec<Inline>,
    processes: Vec<Process>,
    /// Number of processes in the initial state.
    started: usize,
    /// Number of generated names.
    names: usize,
    /// Remaining number of statements for the current process.
    budget: usize,
}

/// The program with number `index` of `seed`, for this audience.
pub fn program(seed: u64, index: u64, audience: Audience) -> Tree {
    let mut random = Random::of(seed, index);
    let spin = audience == Audience::Spin;
    let rendezvous = random.one_in(3);
    let never = random.one_in(12);
    let features = Features {
        rendezvous,
        priorities: !rendezvous && random.one_in(10),
        provided: random.one_in(10),
        mtypes: if random.one_in(2) { random.few(2) } else { 0 },
        formulas: if never || random.one_in(2) { 0 } else { random.few(2) },
        never,
        processes: !rendezvous && random.one_in(8),
        timeout: random.one_in(5),
        labels: random.one_in(3),
        faults: !spin && random.one_in(6),
    };
    let mut maker = Maker {
        random,
        audience,
        features,
        mtypes: Vec::new(),
        records: Vec::new(),
        channels: Vec::new(),
        scope: Scope::default(),
        inlines: Vec::new(),
        processes: Vec::new(),
        started: 0,
        names: 0,
        budget: 0,
    };
    maker.whole()
}

impl Maker {
    fn whole(&mut self) -> Tree {
        let mut parts = self.declarations();
        for _ in 0..self.random.below(3) {
            parts.extend(self.inline());
        }
        // Process types are only started by later generated ones, so process creation terminates.
        let count = 1 + self.random.below(3);
        let mut later = Vec::new();
        for _ in 0..self.random.below(3) {
            later.push(self.started_type());
        }
        let mut first = Vec::new();
        for _ in 0..count {
            first.push(self.active_type());
        }
        if self.random.one_in(3) {
            first.push(self.init());
        }
        parts.extend(later);
        parts.extend(first);
        parts.extend(self.properties());
        Tree::List { open: "", parts, between: "\n", close: "\n", least: 0 }
    }

    fn spin(&self) -> bool {
        self.audience == Audience::Spin
    }

    /// A fresh name.
    fn name(&mut self, prefix: &str) -> String {
        self.names += 1;
        format!("{prefix}{}", self.names)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_numbers_give_equal_programs() {
        for index in 0..50 {
            for audience in [Audience::Axle, Audience::Spin] {
                assert_eq!(program(1, index, audience), program(1, index, audience));
            }
        }
    }

    #[test]
    fn every_construct_occurs() {
        let all: String = (0..3_000).map(|index| program(2, index, Audience::Axle).to_string()).collect();
        for construct in [
            "bit ",
            "bool ",
            "byte ",
            "short ",
            "int ",
            "unsigned ",
            "mtype ",
            "mtype:",
            "chan ",
            "typedef ",
            "inline ",
            "active ",
            "proctype ",
            "init ",
            "provided (",
            "priority ",
            "run ",
            "atomic {",
            "d_step {",
            "} unless {",
            "if\n",
            "do\n",
            "for (",
            " in ",
            "select (",
            "goto ",
            "break",
            "else",
            "timeout",
            "assert(",
            "printf(",
            "!!",
            "??",
            "?<",
            "?[",
            "eval(",
            "_ ",
            "len(",
            "full(",
            "nempty(",
            "enabled(",
            "pc_value(",
            "_last",
            "_nr_pr",
            "_pid",
            "@",
            "end",
            "accept",
            "progress",
            "ltl ",
            "never ",
            "[] ",
            "<> ",
            " U ",
            "set_priority(",
            "get_priority(",
            " -> ",
            "hidden ",
            "local ",
            "show ",
            "%",
            "/",
            "<<",
            ">>",
            "~",
            "[0]",
            "_priority",
        ] {
            assert!(all.contains(construct), "`{construct}` never occurs");
        }
    }
}
