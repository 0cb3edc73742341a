//! An attempt to decide properties, as data: how it searches, what it may find violated, how much it may
//! do, and what may be concluded.
//!
//! *Entry point:* [`Attempt`].
//! *Invariant:* shares and starts count states, never time.

use std::fmt;

use axle_question::EngineId;
use axle_search::{Arrangement, Guide};

/// One attempt to decide properties.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Attempt {
    /// The engine that makes it.
    pub engine: EngineId,
    /// How it searches.
    pub kind: Kind,
    /// The checks or properties that it may refute.
    pub target: Target,
    /// How much it may do.
    pub share: Share,
    /// The number of states of the exact search at which it starts.
    pub start: u64,
    /// Whether its end without a violation proves that its target holds.
    pub is_conclusive: bool,
}

/// How an attempt searches.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// The first states without reductions, which decides whether there are any.
    Opening,
    /// The configured search for violations of states and steps; breadth-first by default.
    Safety,
    /// The full graph, for a shortest path to a violation of a reduced one.
    Shortest,
    /// The configured search for an execution that violates a property.
    Property,
    /// Depth-first, with the successors of a state in this order.
    DepthFirst(Arrangement),
    /// Along one path, with the successors of a state in this order, without going back.
    SinglePath(Arrangement),
    /// Walks from the initial state that are repeated, with these choices.
    Walks(Guide),
    /// Random walks through a program: their number and the most steps of each.
    RandomWalks(u64, u64),
    /// Breadth-first with all steps between two scheduling points in one transition.
    Transactions,
    /// As the engine decides.
    Whole,
    /// Depth-first with a lossy store, in the round with this number before the exact search.
    Round(u32),
    /// Breadth-first with counter abstraction of threads, with these numbers of states one after the other.
    CounterAbstraction([u64; 2]),
}

/// The checks or properties that an attempt may refute.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Target {
    /// Every enabled check of states and steps.
    States,
    /// The property with this number among those of the check, and its name.
    Property(usize, String),
    /// The formulas with these numbers among the properties of the check, which have bad prefixes.
    BadPrefixes(Vec<usize>),
}

/// How much an attempt may do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Share {
    /// The work that the other attempts leave. They are measured by its states.
    Rest,
    /// The exact search of a property: a share of the states of the exact search beside it, and
    /// all work after it.
    Property(Fraction),
    /// A share of the states of the exact search.
    Fraction(Fraction),
    /// So many states or steps, while the exact search waits.
    Fixed(u64),
    /// Twice the states of the exact search, after it has found a violation.
    Shorter,
    /// So many states, after the exact search has found a violation.
    AfterViolation(u64),
    /// All work, if it is not certain that the leading attempt applied.
    Otherwise,
    /// All work, after the attempts that precede.
    After,
}

/// A share of the states of the exact search, in thousandths.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fraction {
    /// The share at first.
    pub first: u32,
    /// The share from `large` states on.
    pub later: u32,
    /// The number of states from which on the exact search is large.
    pub large: u64,
    /// The least share. A slice in which an attempt finds nothing new halves the next one.
    pub least: u32,
}

/// States of the exact search at which a single path ends: it then has half a million steps.
pub const PATH_ENDS: u64 = 3 << 20;

/// States from which on the share of a hunter is the later one.
pub const LARGE: u64 = 500_000;

impl Kind {
    /// Whether it is a search for violations of states that other attempts are measured by, or that
    /// precedes or follows it.
    pub fn is_leading(self) -> bool {
        matches!(self, Kind::Opening | Kind::Safety | Kind::Shortest | Kind::Transactions)
    }
}

impl Attempt {
    /// Whether the other attempts are measured by its states.
    pub fn leads(&self) -> bool {
        self.share == Share::Rest
    }

    /// The words that name the attempt in a report.
    pub fn name(&self) -> String {
        let search = self.search_name();
        match self.target {
            Target::BadPrefixes(_) => format!("{search}, for formulas"),
            Target::States | Target::Property(..) => search,
        }
    }

    fn search_name(&self) -> String {
        match (&self.kind, &self.target) {
            (Kind::Opening, _) => "first states, without reductions".to_string(),
            (Kind::Safety, _) => "exact search".to_string(),
            (Kind::Shortest, _) => "full graph, for a shortest path to a violation".to_string(),
            (Kind::Property, Target::Property(_, name)) => format!("exact search for {name}"),
            (Kind::Property, _) => "exact search for a property".to_string(),
            (Kind::DepthFirst(arrangement), _) => {
                format!("depth-first search, {}", order_name(*arrangement))
            }
            (Kind::SinglePath(arrangement), _) => {
                format!("one path to its end, {}", order_name(*arrangement))
            }
            (Kind::Walks(Guide::Uniform), _) => "random walks".to_string(),
            (Kind::Walks(Guide::Priorities), _) => "walks with random priorities of statements".to_string(),
            (Kind::Walks(Guide::LeastTaken), _) => "walks by the least executed statement".to_string(),
            (Kind::Walks(Guide::Mixed), _) => {
                "walks: random, by statement priorities, by least executed statements".to_string()
            }
            (Kind::RandomWalks(walks, steps), _) => {
                format!("{walks} random {} of {steps} steps", if *walks == 1 { "walk" } else { "walks" })
            }
            (Kind::Transactions, _) => "exact search with transactions".to_string(),
            (Kind::Round(round), Target::Property(_, name)) => {
                format!("round {}: lossy search for {name}", round + 1)
            }
            (Kind::Round(round), _) => format!("round {}: lossy search", round + 1),
            (Kind::Whole, Target::Property(_, name)) => format!("{} search for {name}", self.engine),
            (Kind::Whole, _) => format!("{} search", self.engine),
            (Kind::CounterAbstraction(_), _) => "counter abstraction of threads".to_string(),
        }
    }
}

fn order_name(arrangement: Arrangement) -> String {
    match arrangement {
        Arrangement::AsMade => "first process first".to_string(),
        Arrangement::Reversed => "last process first".to_string(),
        Arrangement::Shuffled(seed) => format!("random order {seed}"),
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Target::States => f.write_str("states and steps"),
            Target::Property(_, name) => f.write_str(name),
            Target::BadPrefixes(_) => f.write_str("bad prefixes of formulas"),
        }
    }
}

impl fmt::Display for Share {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Share::Rest => f.write_str("the rest"),
            Share::Property(fraction) => write!(f, "{fraction}, then the rest"),
            Share::Fraction(fraction) => fraction.fmt(f),
            Share::Fixed(states) => write!(f, "{states} states"),
            Share::Shorter => f.write_str("twice the states, after a violation"),
            Share::AfterViolation(states) => write!(f, "{states} states, after a violation"),
            Share::Otherwise => f.write_str("all work, if the first attempt does not apply"),
            Share::After => f.write_str("all work, afterwards"),
        }
    }
}

impl fmt::Display for Fraction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let percent = |thousandths: u32| f64::from(thousandths) / 10.0;
        write!(f, "{} %", percent(self.first))?;
        if self.later != self.first {
            write!(f, ", {} % from {} states", percent(self.later), self.large)?;
        }
        if self.least != self.first.min(self.later) {
            write!(f, ", at least {} %", percent(self.least))?;
        }
        Ok(())
    }
}
