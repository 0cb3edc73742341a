//! The columns of the table of library functions.
//!
//! *Entry point:* [`Row`].
//! *Invariant:* code outside asks for these facts, by a column or a method of
//! [`Lib`](super::Lib), and does not list functions.

/// A row of the table: the facts about a library function.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// The names of the function; messages use the first.
    pub names: &'static [&'static str],
    /// The effect on memory, and whether the result is nondeterministic.
    pub touches: Touches,
    /// The operation on threads, synchronisation objects, the heap or the execution.
    pub operation: Operation,
    /// The part of the environment that a call reads, changes or waits for.
    pub environment: Environment,
    /// The least and the greatest result of an input.
    pub range: Option<(i128, i128)>,
    /// Whether a call is a cancellation point.
    pub cancellation: Cancellation,
    /// The format argument of the `printf` family.
    pub format: Option<Format>,
    /// The start function and its argument, for a function that creates a thread.
    pub start: Option<Start>,
    /// The argument that the caller or another thread obtains as a result.
    pub passes_on: Option<usize>,
    /// Upper bound on the bytes that a synchronisation operation accesses from the address in its
    /// first argument.
    pub object_bytes: i64,
    /// All state that a step reads is recorded in its read set, so the step can be memoised.
    pub memoised: bool,
    /// The arguments have no effect.
    pub ignores_arguments: bool,
    /// A call can be part of a loop that waits for another thread.
    pub polls: bool,
    /// The function belongs to the interface of verification tools, in which `abort` states an
    /// assumption.
    pub for_verifiers: bool,
}

/// The effect of a library function on memory and its nondeterminism. This one classification is
/// used by scheduling, race detection and input.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Touches {
    /// No effect that another thread can observe. (The nondeterministic failure of `malloc` makes
    /// its step visible; the search detects that dynamically.)
    Nothing,
    /// No effect on memory, but several results.
    Input,
    /// Accesses to memory of the program, as by assignments.
    Memory,
    /// Accesses to synchronisation objects only.
    Synchronisation,
    /// Accesses to memory and to synchronisation objects.
    Both,
}

/// The operation of a library function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Operation {
    /// None of the following.
    Other,
    /// Reports a violation.
    Fail,
    /// Reports a violation if the argument is zero.
    Assert,
    /// Discards the execution if the argument is zero.
    Assume,
    /// Ends the program.
    EndProgram,
    /// Begins or ends an atomic section.
    AtomicSection,
    /// Creates a thread.
    Create,
    /// Waits for the end of a thread.
    Join,
    /// Joins a thread if it has ended.
    TryJoin,
    /// Detaches a thread.
    Detach,
    /// Requests the cancellation of a thread.
    Cancel,
    /// Ends the calling thread.
    EndThread,
    /// Acquires a mutex or spin lock; blocks while another thread holds it.
    Lock,
    /// Acquires a mutex or spin lock, or fails.
    TryLock,
    /// Releases a mutex or spin lock.
    Unlock,
    /// Acquires a read-write lock for reading.
    ReadLock,
    /// Acquires a read-write lock for writing.
    WriteLock,
    /// Releases a read-write lock.
    RwUnlock,
    /// Waits for a condition variable; releases and reacquires the mutex.
    Wait,
    /// Wakes threads that wait for a condition variable.
    Wake,
    /// Decrements a semaphore.
    SemaphoreWait,
    /// Increments a semaphore.
    SemaphorePost,
    /// Waits at a barrier.
    BarrierWait,
    /// Frees a heap block.
    Free,
    /// Frees a heap block and allocates another.
    Reallocate,
}

/// The part of the environment that a library function depends on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Environment {
    /// None.
    Nothing,
    /// Reads standard input.
    StandardInput,
    /// Seeds the random number generator.
    Seed,
    /// Reads a clock.
    Time,
    /// Reads the number of a process or user.
    Process,
    /// Reads a property of the machine.
    System,
    /// Installs a signal handler: no signal from outside the program is explored.
    Handler,
    /// Sends a signal whose handler may interrupt any step of a thread, which is not explored.
    Interruption,
    /// Suspends the thread for a duration.
    Sleep,
    /// Waits at most until the time in this argument.
    Deadline(usize),
}

/// Whether a function is a cancellation point (POSIX.1-2017, XSH 2.9.5).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cancellation {
    /// A cancelled thread ends here.
    Always,
    /// POSIX permits both: a cancelled thread ends here, or continues.
    Possible,
    /// Not a cancellation point.
    Never,
}

/// How a function of the `printf` family receives its format.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Format {
    /// The index of the format.
    pub argument: usize,
    /// The text is printed to a stream; otherwise it is stored in memory.
    pub stream: bool,
    /// The values are in a `va_list`; otherwise the function has variadic arguments.
    pub list: bool,
}

/// Arguments of a function that creates a thread.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Start {
    /// The index of the start function.
    pub function: usize,
    /// The index of its argument.
    pub argument: usize,
}
