//! Random Promela programs.
//!
//! *Entry point:* [`program`].
//!
//! A program is made from the top: what it may use ([`Features`], drawn first, since some
//! constructs exclude each other), then declarations (`declare`), then processes statement by
//! statement (`statement`) over expressions of the declared names (`value`), then properties
//! (`property`).
//!
//! *Invariant:* Names are declared before they are used, and used as their types allow, so that
//! nearly every program passes the front end; loops and counters are kept small, so that nearly
//! every program has some thousand states at most.

mod channel;
mod declare;
mod property;
mod scope;
mod statement;
mod value;

use crate::random::Random;
use crate::tree::Tree;
use scope::{Chan, Record, Scope};

/// What a program may hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Audience {
    /// Everything that Axle reads.
    Axle,
    /// Only what Spin 6.5.2 means the same by, its states counted the same.
    Spin,
}

/// Which of the constructs that exclude each other, or that make a program large, this one uses.
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
    /// Division by what may be 0, indices out of range, channels that do not exist.
    faults: bool,
}

/// A process type that can be started.
#[derive(Clone, Debug)]
struct Process {
    name: String,
    /// Types of the parameters.
    parameters: Vec<String>,
    /// How many of it there are from the start, and the number of the first.
    active: Option<(usize, usize)>,
    /// Labels that can be asked about from outside.
    labels: Vec<String>,
    /// Local variables of the outermost block.
    locals: Vec<String>,
}

/// An inline: how many parameters it takes.
#[derive(Clone, Debug)]
struct Inline {
    name: String,
    parameters: usize,
}

/// A program under way.
struct Maker {
    random: Random,
    audience: Audience,
    features: Features,
    /// Names of each mtype: the plain one first.
    mtypes: Vec<(String, Vec<String>)>,
    records: Vec<Record>,
    channels: Vec<Chan>,
    scope: Scope,
    inlines: Vec<Inline>,
    processes: Vec<Process>,
    /// How many processes are there from the start.
    started: usize,
    /// Names made so far.
    names: usize,
    /// Statements that may still be made for the process under way.
    budget: usize,
}

/// Program number `index` of `seed`, for those who ask.
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
        // The last are started by those before, never the other way round: what a run creates has an end.
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

    /// A name that nothing else has.
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
