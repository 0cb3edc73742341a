//! How to execute a program, and which executions a verdict is about.

use axle_c::Program;

/// Seconds since 1970 when a program begins, in November 2023: no program has to expect that it is
/// 1970. `library_time.c` has the same number.
pub const NOW: i64 = 1_700_000_000;

/// What formulas look at.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Watch {
    /// Whether there is anything; then the values of variables are kept when the program has ended.
    pub on: bool,
    /// Variables, by object number.
    pub objects: Vec<u32>,
    /// Places in the code: function and step.
    pub steps: Vec<(u32, u32)>,
    /// Automatic variables in registers: function and register.
    pub registers: Vec<(u32, u32)>,
    /// Automatic variables in memory: function and slot.
    pub slots: Vec<(u32, u32)>,
}

/// Which executions a verdict is about.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub enum MemoryModel {
    /// Those of C11. Sequentially consistent ones are executed; where others may exist, nothing
    /// "holds".
    #[default]
    C11,
    /// Sequentially consistent ones: every atomic operation counts as `memory_order_seq_cst`.
    Sc,
}

impl MemoryModel {
    /// The name on the command line and in reports.
    pub fn name(self) -> &'static str {
        match self {
            MemoryModel::C11 => "c11",
            MemoryModel::Sc => "sc",
        }
    }
}

/// How to execute.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Settings {
    /// Waits for condition variables may end without a signal, as POSIX allows, and weak
    /// compare-and-exchange may fail although the values are equal, as C11 7.17.7.4 does.
    pub spurious_wakeups: bool,
    /// `malloc` may give a null pointer.
    pub malloc_may_fail: bool,
    /// Signed arithmetic wraps around, as with `gcc -fwrapv`.
    pub wrap: bool,
    /// A call of `abort` is an error; otherwise it ends the program.
    pub aborts: bool,
    /// Calls inside one another.
    pub stack_depth: usize,
    /// Bytes of memory of a state.
    pub memory: usize,
    /// Steps of one thread by itself before the others get a turn.
    pub steps: u32,
    /// Report data races.
    pub races: bool,
    /// Threads keep their places in the state while they exist, so that fairness can be about them.
    pub stable_threads: bool,
    /// What formulas look at: changing it is a step that others can notice.
    pub watch: Watch,
    /// Accesses that no other thread can notice are no steps of their own (`locksets.rs`).
    pub locksets: bool,
    /// Steps between scheduling points are one transition (`transactions.rs`): sound for the
    /// question whether an error exists, and only where data races are reported.
    pub transactions: bool,
    /// Execute a persistent set of threads in each state (`persistent_sets.rs`): sound for the question
    /// whether an error exists, and only where it applies.
    pub persistent_sets: bool,
    /// `malloc` may return a freed block whose address some variable still holds.
    pub reuse_addresses: bool,
    /// Memoise the transitions of threads, and apply them again without executing them (`memo.rs`).
    pub memo: bool,
    /// Identical threads are counted as one or as any number (`counter_abstraction.rs`): sound for proving
    /// that no error exists, and only for that. Excludes [`Settings::memo`] and
    /// [`Settings::stable_threads`].
    pub counter_abstraction: bool,
    /// Whether executions that are not sequentially consistent count.
    pub memory_model: MemoryModel,
    /// The arguments of `main` after the program's name; none if they are not known. Then it is
    /// executed without arguments, and a step that depends on them makes the verdict unknown.
    pub arguments: Option<Vec<String>>,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            spurious_wakeups: true,
            malloc_may_fail: false,
            wrap: false,
            aborts: false,
            stack_depth: 2_000,
            memory: 64 << 20,
            steps: 50_000,
            races: true,
            locksets: true,
            transactions: false,
            persistent_sets: false,
            reuse_addresses: true,
            memo: true,
            counter_abstraction: false,
            memory_model: MemoryModel::default(),
            arguments: None,
            stable_threads: false,
            watch: Watch::default(),
        }
    }
}

impl Settings {
    /// Whether data races are decided by recorded accesses: in programs with memory orders weaker
    /// than sequential consistency. In others adjacent accesses decide them (`races.rs`).
    #[must_use]
    pub fn tracks(&self, program: &Program) -> bool {
        program.weak_order().is_some() && self.memory_model == MemoryModel::C11 && !self.watch.on
    }
}
