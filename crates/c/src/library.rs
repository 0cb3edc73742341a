//! The library functions that the interpreter executes itself, by name. Other functions are defined
//! in C (`headers/library*.c`); a call of any other undefined function is reported.
//!
//! *Entry point:* [`find`].

use crate::floating::Real;

macro_rules! library {
    ($($variant:ident = $($name:literal)|+),* $(,)?) => {
        /// A library function.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum Lib {
            /// A function of `math.h`.
            Real(Real),
            $(#[doc = concat!($("`", $name, "` "),+)] $variant),*
        }

        /// The function with this name.
        pub fn find(name: &str) -> Option<Lib> {
            Some(match name {
                $($($name)|+ => Lib::$variant,)*
                _ => return Real::find(name).map(Lib::Real).or_else(|| nondeterministic(name)),
            })
        }

        /// The name of the function, for messages.
        pub fn name(lib: Lib) -> &'static str {
            match lib {
                Lib::Real(real) => real.name(),
                $(Lib::$variant => [$($name),+][0]),*
            }
        }
    };
}

library! {
    AssertFail = "__axle_assert_fail" | "__assert_fail" | "__assert_rtn" | "__assert",
    ReachError = "reach_error" | "__VERIFIER_error",
    Assert = "__VERIFIER_assert" | "assert" | "__ESBMC_assert" | "__CPROVER_assert",
    Assume = "__VERIFIER_assume" | "__ESBMC_assume" | "__CPROVER_assume",
    AtomicBegin = "__VERIFIER_atomic_begin" | "__ESBMC_atomic_begin" | "__CPROVER_atomic_begin",
    AtomicEnd = "__VERIFIER_atomic_end" | "__ESBMC_atomic_end" | "__CPROVER_atomic_end",
    Abort = "abort" | "__builtin_abort",
    Exit = "exit" | "_exit" | "_Exit" | "quick_exit",
    NondetBool = "__VERIFIER_nondet_bool" | "nondet_bool" | "__VERIFIER_nondet__Bool",
    NondetChar = "__VERIFIER_nondet_char" | "nondet_char" | "__VERIFIER_nondet_schar" | "__VERIFIER_nondet_s8",
    NondetUchar = "__VERIFIER_nondet_uchar" | "nondet_uchar" | "__VERIFIER_nondet_u8" | "__VERIFIER_nondet_unsigned_char",
    NondetShort = "__VERIFIER_nondet_short" | "nondet_short" | "__VERIFIER_nondet_s16",
    NondetUshort = "__VERIFIER_nondet_ushort" | "nondet_ushort" | "__VERIFIER_nondet_u16",
    NondetInt = "__VERIFIER_nondet_int" | "nondet_int" | "__VERIFIER_nondet_s32",
    NondetUint = "__VERIFIER_nondet_uint" | "nondet_uint" | "__VERIFIER_nondet_u32" | "__VERIFIER_nondet_unsigned" | "__VERIFIER_nondet_unsigned_int",
    NondetLong = "__VERIFIER_nondet_long" | "nondet_long" | "__VERIFIER_nondet_longlong" | "__VERIFIER_nondet_loff_t",
    NondetUlong = "__VERIFIER_nondet_ulong" | "nondet_ulong" | "__VERIFIER_nondet_size_t" | "__VERIFIER_nondet_ulonglong",
    Rand = "rand" | "random" | "rand_r" | "lrand48" | "nrand48",
    GetChar = "getchar" | "getc" | "fgetc" | "getchar_unlocked" | "getc_unlocked",
    Malloc = "malloc" | "aligned_alloc" | "memalign",
    Calloc = "calloc",
    Realloc = "realloc",
    Free = "free" | "cfree",
    Memcpy = "memcpy",
    Memmove = "memmove",
    Memset = "memset",
    Memcmp = "memcmp",
    Strlen = "strlen",
    Printf = "printf",
    Fprintf = "fprintf" | "dprintf",
    Sprintf = "sprintf",
    Snprintf = "snprintf",
    Vprintf = "vprintf",
    Vfprintf = "vfprintf",
    Vsprintf = "vsprintf",
    Vsnprintf = "vsnprintf",
    Puts = "puts" | "perror",
    Fputs = "fputs" | "fputs_unlocked",
    Putchar = "putchar" | "putchar_unlocked",
    Fputc = "fputc" | "putc" | "putc_unlocked" | "fputc_unlocked",
    Fflush = "fflush" | "setvbuf" | "setbuf",
    Yield = "sched_yield" | "__ESBMC_yield" | "thrd_yield" | "pthread_yield" | "thrd_sleep",
    Sleep = "sleep" | "usleep",
    Nanosleep = "nanosleep",
    ClockNanosleep = "clock_nanosleep",
    Srand = "srand" | "srandom" | "srand48",
    Time = "time" | "clock",
    Clock = "clock_gettime" | "gettimeofday" | "timespec_get",
    Getpid = "getpid" | "getppid" | "getuid" | "geteuid" | "getgid" | "getegid",
    Sysconf = "sysconf",
    ThreadCreate = "pthread_create",
    ThreadJoin = "pthread_join",
    TryJoin = "pthread_tryjoin_np",
    ThreadExit = "pthread_exit",
    ThreadEnd = "__axle_thread_end",
    Cancel = "__axle_cancel",
    CancelState = "__axle_cancel_state",
    CancelType = "__axle_cancel_type",
    TestCancel = "pthread_testcancel",
    ThreadDetach = "pthread_detach" | "thrd_detach",
    ThreadSelf = "pthread_self" | "thrd_current",
    ThreadEqual = "pthread_equal" | "thrd_equal",
    IsMain = "__axle_is_main",
    C11Create = "thrd_create",
    C11Join = "thrd_join",
    C11Exit = "thrd_exit",
    MutexInit = "pthread_mutex_init",
    C11MutexInit = "mtx_init",
    MutexDestroy = "pthread_mutex_destroy" | "mtx_destroy",
    MutexLock = "pthread_mutex_lock" | "mtx_lock",
    MutexTrylock = "pthread_mutex_trylock",
    MutexTimedlock = "pthread_mutex_timedlock",
    MutexUnlock = "pthread_mutex_unlock" | "mtx_unlock",
    MutexConsistent = "pthread_mutex_consistent" | "pthread_mutex_consistent_np",
    SpinInit = "pthread_spin_init",
    SpinDestroy = "pthread_spin_destroy",
    SpinLock = "pthread_spin_lock",
    SpinTrylock = "pthread_spin_trylock",
    SpinUnlock = "pthread_spin_unlock",
    CondInit = "pthread_cond_init" | "cnd_init",
    CondDestroy = "pthread_cond_destroy" | "cnd_destroy",
    CondWait = "pthread_cond_wait" | "cnd_wait",
    CondTimedwait = "pthread_cond_timedwait",
    CondSignal = "pthread_cond_signal" | "cnd_signal",
    CondBroadcast = "pthread_cond_broadcast" | "cnd_broadcast",
    RwInit = "pthread_rwlock_init",
    RwDestroy = "pthread_rwlock_destroy",
    RwRead = "pthread_rwlock_rdlock",
    RwTryRead = "pthread_rwlock_tryrdlock",
    RwWrite = "pthread_rwlock_wrlock",
    RwTryWrite = "pthread_rwlock_trywrlock",
    RwUnlock = "pthread_rwlock_unlock",
    BarrierInit = "pthread_barrier_init",
    BarrierDestroy = "pthread_barrier_destroy",
    BarrierWait = "pthread_barrier_wait",
    SemInit = "sem_init",
    SemDestroy = "sem_destroy",
    SemWait = "sem_wait",
    SemTrywait = "sem_trywait",
    SemTimedwait = "sem_timedwait",
    SemPost = "sem_post",
    SemGetvalue = "sem_getvalue",
    OnceBegin = "__axle_once_begin",
    OnceEnd = "__axle_once_end",
}

/// `__VERIFIER_nondet_T` for the remaining types is not supported.
fn nondeterministic(name: &str) -> Option<Lib> {
    match name {
        "__VERIFIER_nondet_pthread_t" => Some(Lib::NondetUlong),
        _ => None,
    }
}

/// Whether a function has a format and variadic arguments.
pub fn prints(lib: Lib) -> bool {
    matches!(lib, Lib::Printf | Lib::Fprintf | Lib::Sprintf | Lib::Snprintf)
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

/// The classification of a function.
pub fn touches(lib: Lib) -> Touches {
    match lib {
        Lib::NondetBool
        | Lib::NondetChar
        | Lib::NondetUchar
        | Lib::NondetShort
        | Lib::NondetUshort
        | Lib::NondetInt
        | Lib::NondetUint
        | Lib::NondetLong
        | Lib::NondetUlong
        | Lib::Rand
        | Lib::GetChar => Touches::Input,
        Lib::AssertFail
        | Lib::ReachError
        | Lib::Assert
        | Lib::Assume
        | Lib::AtomicEnd
        | Lib::Fflush
        | Lib::Yield
        | Lib::Sleep
        | Lib::CancelState
        | Lib::CancelType
        | Lib::TestCancel
        | Lib::Srand
        | Lib::Getpid
        | Lib::Sysconf
        | Lib::Real(_)
        | Lib::ThreadSelf
        | Lib::ThreadEqual
        | Lib::IsMain
        | Lib::ThreadExit
        | Lib::ThreadEnd
        | Lib::C11Exit
        | Lib::Putchar
        | Lib::Fputc
        | Lib::Malloc
        | Lib::Calloc => Touches::Nothing,
        Lib::Free
        | Lib::Realloc
        | Lib::Memcpy
        | Lib::Memmove
        | Lib::Memset
        | Lib::Memcmp
        | Lib::Strlen
        | Lib::Printf
        | Lib::Fprintf
        | Lib::Sprintf
        | Lib::Snprintf
        | Lib::Vprintf
        | Lib::Vfprintf
        | Lib::Vsprintf
        | Lib::Vsnprintf
        | Lib::Puts
        | Lib::Fputs
        | Lib::Nanosleep
        | Lib::ClockNanosleep
        | Lib::Time
        | Lib::Clock => Touches::Memory,
        // A result or a thread id is stored.
        Lib::ThreadJoin
        | Lib::TryJoin
        | Lib::C11Join
        | Lib::ThreadCreate
        | Lib::C11Create
        | Lib::SemGetvalue => Touches::Both,
        Lib::Abort
        | Lib::Exit
        | Lib::AtomicBegin
        | Lib::ThreadDetach
        | Lib::Cancel
        | Lib::MutexInit
        | Lib::C11MutexInit
        | Lib::MutexDestroy
        | Lib::MutexLock
        | Lib::MutexTrylock
        | Lib::MutexTimedlock
        | Lib::MutexUnlock
        | Lib::MutexConsistent
        | Lib::SpinInit
        | Lib::SpinDestroy
        | Lib::SpinLock
        | Lib::SpinTrylock
        | Lib::SpinUnlock
        | Lib::CondInit
        | Lib::CondDestroy
        | Lib::CondWait
        | Lib::CondTimedwait
        | Lib::CondSignal
        | Lib::CondBroadcast
        | Lib::RwInit
        | Lib::RwDestroy
        | Lib::RwRead
        | Lib::RwTryRead
        | Lib::RwWrite
        | Lib::RwTryWrite
        | Lib::RwUnlock
        | Lib::BarrierInit
        | Lib::BarrierDestroy
        | Lib::BarrierWait
        | Lib::SemInit
        | Lib::SemDestroy
        | Lib::SemWait
        | Lib::SemTrywait
        | Lib::SemTimedwait
        | Lib::SemPost
        | Lib::OnceBegin
        | Lib::OnceEnd => Touches::Synchronisation,
    }
}
