//! The table of library functions that the interpreter executes: one row per function.
//!
//! *Entry points:* [`find`], [`Lib::row`].
//! *Invariant:* the facts about these functions stand only here. `row.rs` explains the columns, and
//! `builder.rs` their defaults. Other code names a function only for behaviour that no other function
//! has. Tests compare the columns with executions (`semantics/library_table_tests.rs` and
//! `tests/suite/memoisation.rs` in `c-exec`).

use super::builder::{both, format, input, memory, nothing, sync};
use super::row::Environment::{
    Deadline, Handler, Interruption, Process, Seed, Sleep, StandardInput, System, Time,
};
use super::row::Operation::{
    Assert, Assume, AtomicSection, BarrierWait, Cancel, Create, Detach, EndProgram, EndThread, Fail, Free,
    Join, Lock, Other, ReadLock, Reallocate, RwUnlock, SemaphorePost, SemaphoreWait, TryJoin, TryLock,
    Unlock, Wait, Wake, WriteLock,
};
use super::row::Row;
use crate::floating::Real;

macro_rules! library {
    ($($variant:ident = $($name:literal)|+ => $row:expr;)*) => {
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
                _ => return Real::find(name).map(Lib::Real),
            })
        }

        impl Lib {
            /// Every function of the table.
            pub const ALL: &[Lib] = &[$(Lib::$variant),*];

            /// The facts about the function.
            #[inline(always)]
            pub fn row(self) -> &'static Row {
                &ROWS[self.number()]
            }

            /// The position of the row. The compiler reduces this to a subtraction.
            #[inline(always)]
            const fn number(self) -> usize {
                match self {
                    Lib::Real(_) => Number::Real as usize,
                    $(Lib::$variant => Number::$variant as usize,)*
                }
            }
        }

        /// The functions without their data.
        enum Number {
            Real,
            $($variant),*
        }

        static ROWS: [Row; Lib::ALL.len() + 1] =
            [nothing().memo(), $($row.named(&[$($name),+])),*];
    };
}

library! {
    // Verification tools.
    AssertFail = "__axle_assert_fail" | "__assert_fail" | "__assert_rtn" | "__assert" => nothing().is(Fail);
    ReachError = "reach_error" | "__VERIFIER_error" => nothing().is(Fail).for_verifiers();
    Assert = "__VERIFIER_assert" | "assert" | "__ESBMC_assert" | "__CPROVER_assert"
        => nothing().is(Assert).for_verifiers().memo();
    Assume = "__VERIFIER_assume" | "__ESBMC_assume" | "__CPROVER_assume"
        => nothing().is(Assume).for_verifiers().memo();
    AtomicBegin = "__VERIFIER_atomic_begin" | "__ESBMC_atomic_begin" | "__CPROVER_atomic_begin"
        => sync(AtomicSection).for_verifiers();
    AtomicEnd = "__VERIFIER_atomic_end" | "__ESBMC_atomic_end" | "__CPROVER_atomic_end"
        => nothing().is(AtomicSection).for_verifiers();

    // The end of the program.
    Abort = "abort" | "__builtin_abort" => sync(EndProgram);
    Exit = "exit" | "_exit" | "_Exit" | "quick_exit" => sync(EndProgram);

    // Input.
    NondetBool = "__VERIFIER_nondet_bool" | "nondet_bool" | "__VERIFIER_nondet__Bool"
        => input(0, 1).for_verifiers().memo();
    NondetChar = "__VERIFIER_nondet_char" | "nondet_char" | "__VERIFIER_nondet_schar" | "__VERIFIER_nondet_s8"
        => input(-128, 127).for_verifiers().memo();
    NondetUchar = "__VERIFIER_nondet_uchar" | "nondet_uchar" | "__VERIFIER_nondet_u8"
        | "__VERIFIER_nondet_unsigned_char" => input(0, 255).for_verifiers().memo();
    NondetShort = "__VERIFIER_nondet_short" | "nondet_short" | "__VERIFIER_nondet_s16"
        => input(i16::MIN as i64, i16::MAX as u64).for_verifiers().memo();
    NondetUshort = "__VERIFIER_nondet_ushort" | "nondet_ushort" | "__VERIFIER_nondet_u16"
        => input(0, u16::MAX as u64).for_verifiers().memo();
    NondetInt = "__VERIFIER_nondet_int" | "nondet_int" | "__VERIFIER_nondet_s32"
        => input(i32::MIN as i64, i32::MAX as u64).for_verifiers().memo();
    NondetUint = "__VERIFIER_nondet_uint" | "nondet_uint" | "__VERIFIER_nondet_u32"
        | "__VERIFIER_nondet_unsigned" | "__VERIFIER_nondet_unsigned_int"
        => input(0, u32::MAX as u64).for_verifiers().memo();
    NondetLong = "__VERIFIER_nondet_long" | "nondet_long" | "__VERIFIER_nondet_longlong"
        | "__VERIFIER_nondet_loff_t" => input(i64::MIN, i64::MAX as u64).for_verifiers().memo();
    NondetUlong = "__VERIFIER_nondet_ulong" | "nondet_ulong" | "__VERIFIER_nondet_size_t"
        | "__VERIFIER_nondet_ulonglong" | "__VERIFIER_nondet_pthread_t"
        => input(0, u64::MAX).for_verifiers().memo();
    Rand = "rand" | "random" | "rand_r" | "lrand48" | "nrand48" => input(0, i32::MAX as u64).memo();
    GetChar = "getchar" | "getc" | "fgetc" | "getchar_unlocked" | "getc_unlocked"
        => input(-1, 255).of(StandardInput).memo();

    // Memory.
    Malloc = "malloc" | "aligned_alloc" | "memalign" => nothing();
    Calloc = "calloc" => nothing();
    Realloc = "realloc" => memory().is(Reallocate);
    Free = "free" | "cfree" => memory().is(Free);
    Memcpy = "memcpy" => memory().passes_on(0).memo();
    Memmove = "memmove" => memory().passes_on(0).memo();
    Memset = "memset" => memory().passes_on(0).memo();
    Memcmp = "memcmp" => memory().memo();
    Strlen = "strlen" => memory().memo();

    // Operators on 128-bit integers: number, signedness, result, operands.
    Wide = "__axle_wide" => memory().memo();

    // Output.
    Printf = "printf" => format(0).to_stream().may_cancel().memo();
    Fprintf = "fprintf" | "dprintf" => format(1).to_stream().may_cancel().memo();
    Sprintf = "sprintf" => format(1).memo();
    Snprintf = "snprintf" => format(2).memo();
    Vprintf = "vprintf" => format(0).to_stream().with_list().may_cancel().memo();
    Vfprintf = "vfprintf" => format(1).to_stream().with_list().may_cancel().memo();
    Vsprintf = "vsprintf" => format(1).with_list().memo();
    Vsnprintf = "vsnprintf" => format(2).with_list().memo();
    Puts = "puts" | "perror" => memory().may_cancel().memo();
    Fputs = "fputs" | "fputs_unlocked" => memory().may_cancel().memo();
    Putchar = "putchar" | "putchar_unlocked" => nothing().may_cancel().memo();
    Fputc = "fputc" | "putc" | "putc_unlocked" | "fputc_unlocked" => nothing().may_cancel().memo();
    Fflush = "fflush" | "setvbuf" | "setbuf" => nothing().ignores_arguments().may_cancel().memo();

    // Time and the environment.
    Yield = "sched_yield" | "__ESBMC_yield" | "thrd_yield" | "pthread_yield" | "thrd_sleep"
        => nothing().ignores_arguments().memo();
    Sleep = "sleep" | "usleep" => nothing().of(Sleep).ignores_arguments().cancels().memo();
    Nanosleep = "nanosleep" => memory().of(Sleep).cancels().memo();
    ClockNanosleep = "clock_nanosleep" => memory().of(Sleep).cancels().memo();
    Srand = "srand" | "srandom" | "srand48" => nothing().of(Seed).ignores_arguments().memo();
    Time = "time" | "clock" => memory().of(Time).memo();
    Clock = "clock_gettime" | "gettimeofday" | "timespec_get" => memory().of(Time).memo();
    Getppid = "getppid" => nothing().of(Process).memo();
    Getpid = "getpid" | "getuid" | "geteuid" | "getgid" | "getegid"
        => nothing().of(Process).memo();
    Sysconf = "sysconf" => nothing().of(System).memo();

    // Signals (`library_signals.c`).
    SignalHandled = "__axle_signal_handled" => nothing().of(Handler).memo();
    SignalElsewhere = "__axle_signal_elsewhere" => nothing().of(Interruption).memo();
    CreatesThreads = "__axle_creates_threads" => nothing().memo();

    // Threads. The shapes of the states before and after show which threads begin and end.
    ThreadCreate = "pthread_create" => both(Create).starts(2, 3).memo();
    ThreadJoin = "pthread_join" => both(Join).cancels().memo();
    TryJoin = "pthread_tryjoin_np" => both(TryJoin).polls();
    ThreadExit = "pthread_exit" => nothing().is(EndThread).passes_on(0).memo();
    ThreadEnd = "__axle_thread_end" => nothing().is(EndThread).passes_on(0).memo();
    Cancel = "__axle_cancel" => sync(Cancel);
    CancelState = "__axle_cancel_state" => nothing().memo();
    CancelType = "__axle_cancel_type" => nothing().memo();
    TestCancel = "pthread_testcancel" => nothing().cancels().memo();
    ThreadDetach = "pthread_detach" | "thrd_detach" => sync(Detach);
    ThreadSelf = "pthread_self" | "thrd_current" => nothing().memo();
    ThreadEqual = "pthread_equal" | "thrd_equal" => nothing().memo();
    IsMain = "__axle_is_main" => nothing();
    C11Create = "thrd_create" => both(Create).starts(1, 2).memo();
    C11Join = "thrd_join" => both(Join).memo();
    C11Exit = "thrd_exit" => nothing().is(EndThread).passes_on(0).memo();

    // Mutexes and spin locks.
    MutexInit = "pthread_mutex_init" => sync(Other).memo();
    C11MutexInit = "mtx_init" => sync(Other).memo();
    MutexDestroy = "pthread_mutex_destroy" | "mtx_destroy" => sync(Other).memo();
    MutexLock = "pthread_mutex_lock" | "mtx_lock" => sync(Lock).polls().memo();
    MutexTrylock = "pthread_mutex_trylock" => sync(TryLock).memo();
    MutexTimedlock = "pthread_mutex_timedlock" => sync(TryLock).of(Deadline(1)).memo();
    MutexUnlock = "pthread_mutex_unlock" | "mtx_unlock" => sync(Unlock).polls().memo();
    MutexConsistent = "pthread_mutex_consistent" | "pthread_mutex_consistent_np" => sync(Other).memo();
    SpinInit = "pthread_spin_init" => sync(Other).memo();
    SpinDestroy = "pthread_spin_destroy" => sync(Other).memo();
    SpinLock = "pthread_spin_lock" => sync(Lock).polls().memo();
    SpinTrylock = "pthread_spin_trylock" => sync(TryLock).memo();
    SpinUnlock = "pthread_spin_unlock" => sync(Unlock).polls().memo();

    // Condition variables.
    CondInit = "pthread_cond_init" | "cnd_init" => sync(Other).bytes(4).memo();
    CondDestroy = "pthread_cond_destroy" | "cnd_destroy" => sync(Other).bytes(4);
    CondWait = "pthread_cond_wait" | "cnd_wait" => sync(Wait).bytes(4).cancels().memo();
    CondTimedwait = "pthread_cond_timedwait" => sync(Wait).bytes(4).of(Deadline(2)).cancels().memo();
    CondSignal = "pthread_cond_signal" | "cnd_signal" => sync(Wake).bytes(4).memo();
    CondBroadcast = "pthread_cond_broadcast" | "cnd_broadcast" => sync(Wake).bytes(4).memo();

    // Read-write locks.
    RwInit = "pthread_rwlock_init" => sync(Other).memo();
    RwDestroy = "pthread_rwlock_destroy" => sync(Other).memo();
    RwRead = "pthread_rwlock_rdlock" => sync(ReadLock).polls().memo();
    RwTryRead = "pthread_rwlock_tryrdlock" => sync(ReadLock).memo();
    RwWrite = "pthread_rwlock_wrlock" => sync(WriteLock).memo();
    RwTryWrite = "pthread_rwlock_trywrlock" => sync(WriteLock).memo();
    RwUnlock = "pthread_rwlock_unlock" => sync(RwUnlock).polls().memo();

    // Barriers and semaphores.
    BarrierInit = "pthread_barrier_init" => sync(Other);
    BarrierDestroy = "pthread_barrier_destroy" => sync(Other);
    BarrierWait = "pthread_barrier_wait" => sync(BarrierWait);
    SemInit = "sem_init" => sync(Other).bytes(8).memo();
    SemDestroy = "sem_destroy" => sync(Other).bytes(8).memo();
    SemWait = "sem_wait" => sync(SemaphoreWait).bytes(8).cancels().memo();
    SemTrywait = "sem_trywait" => sync(SemaphoreWait).bytes(8).polls().memo();
    SemTimedwait = "sem_timedwait" => sync(SemaphoreWait).bytes(8).of(Deadline(1)).cancels().memo();
    SemPost = "sem_post" => sync(SemaphorePost).bytes(8).memo();
    SemGetvalue = "sem_getvalue" => both(Other).memo();

    // `pthread_once`, whose rest is in C.
    OnceBegin = "__axle_once_begin" => sync(Other).memo();
    OnceEnd = "__axle_once_end" => sync(Other).memo();
}
