//! Names that lowering resolves: functions of the library's C sources (`headers/library*.c`) with a
//! meaning for lowering, the analyses or the execution, and naming conventions.
//!
//! *Entry point:* [`Role::of`].
//! *Invariant:* these names are compared while a program is lowered, and not afterwards. The
//! results are [`Code::role`](crate::code::Code::role), [`Static::origin`](crate::code::Static::origin)
//! and [`Symbols`](crate::Symbols).

/// The meaning of a function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// The start of the program.
    Main,
    /// Ends the program and runs the handlers registered with `atexit`.
    Exit,
    /// Registers such a handler.
    AtExit,
    /// Runs the handlers.
    RunExits,
    /// Creates a key of thread-specific data.
    CreateKey,
    /// Runs the destructors of thread-specific data at the end of a thread.
    RunDestructors,
    /// Requests the cancellation of a thread.
    Cancel,
    /// Registers a cleanup handler.
    PushCleanup,
    /// Runs the cleanup handlers of a thread that exits or is cancelled.
    Leave,
    /// Makes mutexes robust.
    MakeRobust,
    /// `pthread_once`.
    Once,
    /// The variant for programs with cancellation.
    CancellableOnce,
    /// `sleep`.
    Sleep,
    /// The variant for programs with alarms.
    SleepWithAlarm,
    /// Sets an alarm.
    SetAlarm,
    /// Refuses a feature, whose name is the argument, a string literal: the verdict is unknown at the
    /// call of the library in the program.
    Unsupported,
    /// Sets the action of a signal.
    SetAction,
    /// Delivers the signal of `abort` before it ends the program.
    BeforeAbort,
    /// A function on times and related numbers.
    Clock(ClockRole),
}

/// The meaning of a function for the analysis of clock values (`analysis/clocks.rs`).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ClockRole {
    /// `difftime`: the result is tainted if an argument is.
    Difference,
    /// A timed wait whose deadline is this argument. It only checks that the deadline is a valid
    /// time.
    Waits(usize),
    /// `kill`: the first argument is a process, and is compared with that of the program only.
    Kill,
    /// `gettid`: the result is tainted.
    Number,
    /// `localtime`, `gmtime`: the result is the address of a time.
    Calendar,
    /// `localtime_r`, `gmtime_r`: the object of the second argument is tainted if that of the first
    /// is.
    CalendarInto,
}

impl Role {
    /// The role of the function with this name.
    #[must_use]
    pub fn of(name: &str) -> Option<Role> {
        Some(match name {
            "main" => Role::Main,
            "exit" => Role::Exit,
            "atexit" => Role::AtExit,
            "__axle_run_exits" => Role::RunExits,
            "pthread_key_create" => Role::CreateKey,
            "__axle_run_destructors" => Role::RunDestructors,
            "pthread_cancel" => Role::Cancel,
            "__axle_cleanup_push" => Role::PushCleanup,
            "__axle_leave" => Role::Leave,
            "pthread_mutexattr_setrobust" => Role::MakeRobust,
            "pthread_once" => Role::Once,
            "__axle_cancellable_once" => Role::CancellableOnce,
            "sleep" => Role::Sleep,
            "__axle_sleep_with_alarm" => Role::SleepWithAlarm,
            "alarm" => Role::SetAlarm,
            "__axle_unsupported" => Role::Unsupported,
            "sigaction" => Role::SetAction,
            "__axle_before_abort" => Role::BeforeAbort,
            name => Role::Clock(ClockRole::of(name)?),
        })
    }

    /// Whether the function may run without a call, at the end of a thread.
    #[must_use]
    pub fn runs_at_thread_end(self) -> bool {
        matches!(self, Role::RunDestructors | Role::Leave)
    }
}

impl ClockRole {
    fn of(name: &str) -> Option<ClockRole> {
        Some(match name {
            "difftime" => ClockRole::Difference,
            "pthread_rwlock_timedrdlock" | "pthread_rwlock_timedwrlock" => ClockRole::Waits(1),
            "pthread_timedjoin_np" | "pthread_mutex_clocklock" | "sem_clockwait" => ClockRole::Waits(2),
            "pthread_rwlock_clockrdlock" | "pthread_rwlock_clockwrlock" => ClockRole::Waits(2),
            "pthread_clockjoin_np" | "pthread_cond_clockwait" => ClockRole::Waits(3),
            "kill" => ClockRole::Kill,
            "gettid" => ClockRole::Number,
            "localtime" | "gmtime" => ClockRole::Calendar,
            "localtime_r" | "gmtime_r" => ClockRole::CalendarInto,
            _ => return None,
        })
    }
}

/// Functions with an additional definition in C for programs in which time advances: those that
/// take time, and those that read a clock.
pub(crate) const SLEEPS: &[&str] = &[
    "sleep",
    "usleep",
    "nanosleep",
    "clock_nanosleep",
    "thrd_sleep",
    "pthread_cond_timedwait",
    "pthread_mutex_timedlock",
    "sem_timedwait",
];
pub(crate) const CLOCKS: &[&str] = &["time", "clock_gettime", "gettimeofday", "timespec_get"];

/// The name of the additional definition.
pub(crate) fn moving(name: &str) -> String {
    format!("__axle_moving_{name}")
}

/// Variables that the execution uses.
pub(crate) const ERRNO: &str = "errno";
pub(crate) const SIGNAL_MASK: &str = "__axle_signal_mask";
pub(crate) const ALARM_SET: &str = "__axle_alarm_set";
pub(crate) const ALARM_HANDLED: &str = "__axle_alarm_handled";

/// Variables that the library declares without a definition in its sources.
pub(crate) fn is_implicit_variable(name: &str) -> bool {
    matches!(name, ERRNO | "__axle_files")
}

/// The name under which programs know a function of the library's sources.
#[must_use]
pub fn public_name(name: &str) -> &str {
    match name {
        "__axle_cancellable_once" | "__axle_once_begin" | "__axle_once_end" => "pthread_once",
        "__axle_sleep_with_alarm" => "sleep",
        "__axle_gnu_strerror_r" => "strerror_r",
        "__axle_assert_fail" => "assert",
        _ => name.strip_prefix("__axle_moving_").unwrap_or(name),
    }
}

/// Whether a function or variable of this name belongs to the implementation of the library.
#[must_use]
pub fn is_internal(name: &str) -> bool {
    name.starts_with("__axle")
}

/// Whether a function of this name executes atomically (SV-COMP).
pub(crate) fn is_atomic_section(name: &str) -> bool {
    name.starts_with("__VERIFIER_atomic_")
}

/// Whether a function of this name belongs to the interface of verification tools, or implements a
/// part of it.
pub(crate) fn is_for_verifiers(name: &str) -> bool {
    name.starts_with("__VERIFIER") || name.starts_with("assume") || name.contains("reach_error")
}
