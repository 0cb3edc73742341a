//! The names of settings in messages. A front end says how its users change a setting; without it,
//! messages name no option of a command.
//!
//! *Entry point:* [`Vocabulary`].

/// How the users of a front end change settings; empty where they cannot.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Vocabulary {
    /// The limit on time.
    pub time: &'static str,
    /// The limit on memory.
    pub memory: &'static str,
    /// The limit on depth.
    pub depth: &'static str,
    /// The limit on states.
    pub states: &'static str,
    /// To continue after violations.
    pub all_violations: &'static str,
    /// To assume weak fairness of processes.
    pub weak_fairness: &'static str,
    /// To check sequentially consistent executions only.
    pub sequential: &'static str,
    /// To search executions beside states.
    pub executions: &'static str,
    /// The standard input of C programs.
    pub stdin: &'static str,
    /// The arguments of C programs.
    pub arguments: &'static str,
    /// To treat volatile accesses as relaxed atomic operations.
    pub volatile: &'static str,
    /// To replace the values of constants of C programs.
    pub bound: &'static str,
    /// To count reachable calls of `abort` as violations.
    pub aborts: &'static str,
}

impl Vocabulary {
    /// No names.
    pub const NONE: &'static Vocabulary = &Vocabulary {
        time: "",
        memory: "",
        depth: "",
        states: "",
        all_violations: "",
        weak_fairness: "",
        sequential: "",
        executions: "",
        stdin: "",
        arguments: "",
        volatile: "",
        bound: "",
        aborts: "",
    };
}

/// A message about a setting with the name of the setting, if it has one.
#[must_use]
pub fn with_name(message: &str, name: &str) -> String {
    if name.is_empty() { message.to_string() } else { format!("{message} ({name})") }
}
