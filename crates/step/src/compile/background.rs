//! Code generation beside a search: a thread of its own generates the code, while the interpreter
//! computes successors. The search switches to the code when it is finished.
//!
//! *Entry points:* [`Compilation::start`], [`Compilation::finished`].
//! *Source:* tiered execution of virtual machines, for example U. Hoelzle and D. Ungar, "A
//! Third-Generation SELF Implementation", OOPSLA 1994.
//! *Invariant:* the successors do not depend on the moment of the switch, because both
//! implementations compute the same ones in the same order.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use super::segments::SIZE;
use super::{MachineCode, Unsupported};
use crate::interpret::Interpreter;
use crate::options::Options;

/// A running or finished code generation. If it is dropped before its end, it is cancelled.
#[derive(Debug)]
pub struct Compilation {
    result: Arc<OnceLock<Result<MachineCode, Unsupported>>>,
    cancelled: Arc<AtomicBool>,
}

impl Compilation {
    /// Starts a thread that generates code for the model of an interpreter.
    pub fn start(interpreter: &Interpreter, options: Options) -> Compilation {
        let compilation = Compilation { result: Arc::default(), cancelled: Arc::default() };
        let (interpreter, cancelled) = (interpreter.clone(), Arc::clone(&compilation.cancelled));
        let result = Arc::clone(&compilation.result);
        let generate = move || {
            // The slot is empty: only this thread fills it.
            let _ = result.set(MachineCode::generate(&interpreter, options, SIZE, &cancelled));
        };
        // Without a thread there is no code, and the interpreter computes all successors.
        let thread = std::thread::Builder::new().name("code generation".into()).spawn(generate);
        if let Err(fault) = thread {
            let _ = compilation.result.set(Err(Unsupported(fault.to_string())));
        }
        compilation
    }

    /// The result, once there is one.
    pub fn finished(&self) -> Option<&Result<MachineCode, Unsupported>> {
        self.result.get()
    }
}

impl Drop for Compilation {
    fn drop(&mut self) {
        self.cancelled.store(true, Ordering::Relaxed);
    }
}
