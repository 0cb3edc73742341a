//! How a system is to be checked.

use std::collections::BTreeSet;
use std::fmt;
use std::net::{SocketAddr, TcpListener};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use axle_evidence::vocabulary::Vocabulary;
use axle_model::{Expr, Model};
use axle_reduce::passes::Pass;
use axle_search::{Algorithm, Arrangement, Fairness, Limits, Measure, Reduction};
use axle_step::FaultKind;

use crate::checks::{Check, SystemKind};
use crate::claims::Named;
use crate::engine_id::EngineId;

/// How a system is to be checked. What applies to models only says so.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Config {
    /// The checks.
    pub checks: BTreeSet<Check>,
    /// In which order states are visited.
    pub order: Order,
    /// How states are stored.
    pub store: StoreChoice,
    /// The engine that makes all attempts; every engine that applies by default.
    pub engine: Option<EngineId>,
    /// The program of [`EngineId::PROGRAM`].
    pub program: Option<PathBuf>,
    /// How successors are made.
    pub successors: SuccessorChoice,
    /// Only these properties of the system (and labels), by name; none are all that it states.
    pub only: Option<BTreeSet<String>>,
    /// What is assumed of the scheduler when runs are judged.
    pub fairness: Fairness,
    /// How runs that break a property are searched for.
    pub algorithm: Algorithm,
    /// The order was chosen and no algorithm for runs: it applies to them too, if a search for runs
    /// has it.
    pub order_chosen: bool,
    /// Spend more time on shorter runs: to a violation where the search is depth-first, round a
    /// cycle always.
    pub shortest: bool,
    /// The measure by which the execution to a violation, or to its cycle, is the cheapest one.
    pub prefer: Option<Measure>,
    /// Report a proposition that cannot be evaluated as a violation, whichever checks are enabled.
    pub proposition_errors: bool,
    /// How formulas that hold are checked for vacuity.
    pub vacuity: VacuityCheck,
    /// How much is left out that the verdict does not depend on.
    pub reduction: Reduction,
    /// How the model is made smaller before it is searched.
    pub passes: BTreeSet<Pass>,
    /// What of `reduction` and `passes` is only allowed, and done where it is worth it.
    pub auto: Auto,
    /// Whether the search of a large model pauses for budgeted searches for deep violations and for
    /// violations of formulas.
    pub attempts: bool,
    /// Threads that search, where a search can use them.
    pub threads: usize,
    /// The directory of the level logs of [`EngineId::DISTRIBUTED`]: a search is resumed from it.
    pub level_log: Option<PathBuf>,
    /// Whether the visited states of [`EngineId::DISTRIBUTED`] are moved to that directory when they do not fit
    /// into memory.
    pub disk: bool,
    /// The other processes of [`EngineId::DISTRIBUTED`].
    pub gang: Option<Gang>,
    /// How far the search may go.
    pub limits: Limits,
    /// What stores and searches that may miss states go by.
    pub approximate: Approximate,
    /// Predicates that an abstraction begins with.
    pub predicates: Vec<Predicate>,
    /// Maps of the domains of variables that an abstraction begins with.
    pub maps: Vec<DomainMap>,
    /// Processes that an abstraction leaves as they are: `TYPE`, or `TYPE(NUMBER)`.
    pub concrete: Vec<String>,
    /// Whether an abstraction begins with the values of single predicates instead of their combinations.
    pub cartesian: bool,
    /// The most predicates that a query of an abstraction assumes at first; none for all that can matter.
    pub cube_length: Option<usize>,
    /// The arithmetic of an abstraction.
    pub arithmetic: Arithmetic,
    /// The clock of the caller, for the figures of a report.
    pub clock: Option<Clock>,
    /// How messages name settings.
    pub vocabulary: &'static Vocabulary,
    /// For tests of internal errors: an invalid step is added to every path before it is replayed.
    pub spoil_paths: bool,
}

/// A clock: the time since some moment. Configurations do not differ by their clocks.
#[derive(Clone, Copy, Debug)]
pub struct Clock(pub fn() -> Duration);

impl PartialEq for Clock {
    fn eq(&self, _: &Clock) -> bool {
        true
    }
}

impl Eq for Clock {}

/// The meaning of operations whose result leaves their type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Arithmetic {
    /// The result wraps around, as in the interpreter.
    #[default]
    WrapAround,
    /// Executions are covered up to the first such operation.
    Mathematical,
}

/// Processes that search together.
#[derive(Clone)]
pub struct Gang {
    /// The part of this process.
    pub role: GangRole,
    /// The secret that all of them know.
    pub token: Vec<u8>,
    /// Whether the connections are encrypted.
    pub is_encrypted: bool,
    /// Receives a line for each process that was refused.
    pub log: fn(&str),
}

/// The part of a process among those that search together.
#[derive(Clone, Debug)]
pub enum GangRole {
    /// It waits for others.
    Host {
        /// Where it listens, for all searches of a check.
        listener: Arc<TcpListener>,
        /// How many others there are.
        others: usize,
        /// Whether the others receive the model from this process.
        sends_model: bool,
    },
    /// It connects to the process that waits.
    Guest {
        /// Where that one listens.
        host: SocketAddr,
    },
}

impl PartialEq for Gang {
    /// The same part of the same search.
    fn eq(&self, other: &Gang) -> bool {
        let has_same_role = match (&self.role, &other.role) {
            (GangRole::Host { listener, .. }, GangRole::Host { listener: its, .. }) => {
                Arc::ptr_eq(listener, its)
            }
            (GangRole::Guest { host }, GangRole::Guest { host: its }) => host == its,
            (GangRole::Host { .. }, GangRole::Guest { .. })
            | (GangRole::Guest { .. }, GangRole::Host { .. }) => false,
        };
        has_same_role && (&self.token, self.is_encrypted) == (&other.token, other.is_encrypted)
    }
}

impl Eq for Gang {}

/// Without the token, which is in no message.
impl fmt::Debug for Gang {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.role.fmt(f)
    }
}

/// How formulas that hold are checked for vacuity. Each way includes those before it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub enum VacuityCheck {
    /// By the coverage of the automaton, and antecedents that are never true.
    #[default]
    Coverage,
    /// By antecedents that are always true, and by the formula without its demands: what has to hold, or
    /// to happen, once the formula applies.
    Demands,
    /// By the formula with each subformula replaced by a stronger one.
    Parts,
}

/// What Axle decides itself of all that can be left out: small models are searched as they stand,
/// and violations once more in the whole graph, for the shortest run.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub enum Auto {
    /// What the configuration says is done in any case.
    #[default]
    Nothing,
    /// Whether to reduce; passes are done in any case.
    Reduction,
    /// Whether to reduce, and whether to make the model smaller first.
    All,
}

/// A condition on states of a model, without a process of its own.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Predicate {
    /// The condition: not 0.
    pub condition: Expr,
    /// As written.
    pub text: String,
}

/// A map of the values of a variable to classes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DomainMap {
    /// As written, with the variable: `x: parity`.
    pub text: String,
    /// The variable: `x`, or `PROCESS:x`.
    pub variable: String,
    /// Conditions whose values are the classes; none if the text has the name of a map.
    pub conditions: Vec<Predicate>,
}

/// In which order states are visited.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub enum Order {
    /// Nearest to the start first: shortest traces.
    #[default]
    BreadthFirst,
    /// Newest first.
    DepthFirst,
    /// Every path without a repetition, with no states stored.
    Stateless,
    /// Steps chosen by lot. Proves nothing.
    Random,
}

/// How states are stored. The first three ways are exact.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub enum StoreChoice {
    /// As they are while there are few, compressed where there are many.
    #[default]
    Auto,
    /// As they are.
    Plain,
    /// With tree compression.
    Tree,
    /// As fingerprints of 64 bits: may take a new state for a known one.
    HashCompact,
    /// As fingerprints of 128 bits.
    HashCompact128,
    /// As bits in an array.
    Bitstate,
}

impl StoreChoice {
    /// Whether it never takes a state for another.
    pub fn is_exact(self) -> bool {
        match self {
            StoreChoice::Auto | StoreChoice::Plain | StoreChoice::Tree => true,
            StoreChoice::HashCompact | StoreChoice::HashCompact128 | StoreChoice::Bitstate => false,
        }
    }
}

/// What stores and searches that may miss states go by.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Approximate {
    /// Bytes of the array of bits; three quarters of the memory limit where not given.
    pub bytes: Option<u64>,
    /// Bits that a state sets; chosen from the array and the states expected where not given.
    pub functions: Option<u32>,
    /// How many states there may be.
    pub expected: Option<u64>,
    /// Searches, each with hash functions of its own.
    pub runs: u32,
    /// Decides hash functions and lots.
    pub seed: u64,
    /// In which order the steps of a state are tried.
    pub arrangement: Arrangement,
    /// Random walks to make.
    pub walks: u64,
}

impl Default for Approximate {
    fn default() -> Self {
        Approximate {
            bytes: None,
            functions: None,
            expected: None,
            runs: 1,
            seed: 0,
            arrangement: Arrangement::AsMade,
            walks: 10_000,
        }
    }
}

/// How successors are made; both ways give the same ones.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub enum SuccessorChoice {
    /// Interpret at first, compile once it pays.
    #[default]
    Auto,
    /// Interpret the model.
    Interpreter,
    /// Compile the model to machine code before the search.
    Compiled,
}

/// Memory that machine code takes for each edge, in bytes: 1 to 2 KB on most models, several times
/// that while it is generated and where an edge may use many channels.
const CODE_PER_EDGE: u64 = 8 << 10;

impl Default for Config {
    fn default() -> Self {
        Config {
            checks: Check::defaults(SystemKind::Model),
            order: Order::default(),
            store: StoreChoice::default(),
            engine: None,
            program: None,
            successors: SuccessorChoice::default(),
            only: None,
            fairness: Fairness::default(),
            algorithm: Algorithm::default(),
            order_chosen: false,
            shortest: false,
            prefer: None,
            proposition_errors: false,
            vacuity: VacuityCheck::Coverage,
            reduction: Reduction::default(),
            passes: BTreeSet::new(),
            auto: Auto::Nothing,
            attempts: false,
            threads: 1,
            level_log: None,
            disk: false,
            gang: None,
            limits: Limits { errors: Some(1), ..Limits::default() },
            approximate: Approximate::default(),
            predicates: Vec::new(),
            maps: Vec::new(),
            concrete: Vec::new(),
            cartesian: false,
            cube_length: None,
            arithmetic: Arithmetic::default(),
            clock: None,
            vocabulary: Vocabulary::NONE,
            spoil_paths: false,
        }
    }
}

impl Config {
    /// The default configuration for systems of a kind.
    pub fn of_kind(kind: SystemKind) -> Config {
        Config { checks: Check::defaults(kind), ..Config::default() }
    }

    /// What successor functions have to look for.
    pub fn step_options(&self) -> axle_step::Options {
        axle_step::Options {
            truncation: self.checks.contains(&Check::Truncation),
            messages_left: self.checks.contains(&Check::MessagesLeft),
            movers: false,
        }
    }

    /// Whether the chosen order is one of searches that examine states only.
    pub fn states_only(&self) -> bool {
        self.order_chosen && matches!(self.order, Order::Random | Order::Stateless)
    }

    /// The selected engine, if it is not the explicit-state one.
    pub fn other_engine(&self) -> Option<EngineId> {
        self.engine.filter(|engine| *engine != EngineId::EXPLICIT)
    }

    /// An option of this configuration that an engine does not have, as on the command line. The explicit-state
    /// engines have all of them.
    pub fn option_beyond(&self, engine: EngineId) -> Option<&'static str> {
        let (divides, counts) = match engine {
            EngineId::EXPLICIT | EngineId::DEPTH_FIRST | EngineId::SINGLE_PATH | EngineId::WALKS => {
                return None;
            }
            // Its workers choose their stores, and visit states one by one.
            EngineId::DISTRIBUTED => (true, true),
            _ => (false, false),
        };
        let stores = if divides { self.store == StoreChoice::Auto } else { self.store.is_exact() };
        let options = [
            (self.order != Order::BreadthFirst, "--search"),
            (!stores, "--store"),
            (self.limits.states.is_some() && !counts, "--states"),
            (self.limits.depth.is_some() && engine == EngineId::SYMBOLIC, "--depth"),
            (self.reduction == Reduction::Guards && divides, "--por guards"),
        ];
        options.into_iter().find_map(|(is_given, option)| is_given.then_some(option))
    }

    /// Whether searches for executions are asked for.
    pub fn wants_executions(&self) -> bool {
        self.checks.contains(&Check::Properties) && !self.states_only()
    }

    /// Whether anything is asked for that the search for faults finds out.
    pub fn wants_safety(&self) -> bool {
        self.checks.iter().any(|&check| check != Check::Properties)
    }

    /// Whether a property of the model is asked for.
    pub fn wants(&self, named: &Named) -> bool {
        self.checks.contains(&Check::Properties)
            && self.only.as_ref().map_or(named.by_default, |only| only.contains(&named.name))
    }

    /// The kinds of faults that no check asks for.
    pub fn ignored_kinds(&self) -> Vec<FaultKind> {
        FaultKind::all().filter(|&kind| !self.checks.contains(&Check::of(kind))).collect()
    }

    /// How the successors of this model are made: machine code is left out where it would take more
    /// than an eighth of the memory limit.
    pub fn successors_for(&self, model: &Model) -> SuccessorChoice {
        let edges: usize = model.processes.iter().map(|process| process.edges.len()).sum();
        match (self.successors, self.limits.memory) {
            (SuccessorChoice::Auto, Some(limit)) if edges as u64 * CODE_PER_EDGE > limit / 8 => {
                SuccessorChoice::Interpreter
            }
            (choice, _) => choice,
        }
    }

    /// What a search has to do.
    pub fn search_options<I>(&self) -> axle_search::Options<I> {
        axle_search::Options { limits: self.limits, ignored: self.ignored_kinds(), only: None }
    }
}
