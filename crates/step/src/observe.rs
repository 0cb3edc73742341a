//! Evaluation of atoms: a list of conditions is evaluated on many states, with one result bit each.
//!
//! Conditions are expressions in the global scope (with references into processes, `enabled`,
//! `timeout`, ...) or predicates of the whole state ([`Atom`]). The interpreter defines the
//! semantics. Most conditions can be compiled ([`Observer::compile`]); if generated code bails out
//! on a state, the interpreter evaluates it.
//!
//! *Entry point:* [`Observer::observe`].
//!
//! *Invariant:* A fault is reported with the atom and the state, and the value that could not be
//! read counts as 0; the caller decides whether the atom is relevant.

use axle_model::{Base, ChanRef, Expr, Place};

pub use crate::atom::Atom;
use crate::compile::Watcher;
use crate::fault::FaultKind;
use crate::interpret::expr::eval;
use crate::interpret::log::Log;
use crate::interpret::machine::{Actor, Machine, Nobody};
use crate::interpret::{Interpreter, enabled};
use crate::layout::Layout;

/// An atom whose evaluation failed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct AtomFault {
    /// Kind of the fault.
    pub kind: FaultKind,
    /// Index of the observed state, counted from 0.
    pub source: u32,
    /// The atom.
    pub atom: u32,
}

/// Evaluator of atoms on states.
pub trait Observe {
    /// Number of words of a valuation: atom `i` is bit `i % 64` of word `i / 64`.
    fn words(&self) -> usize;

    /// Width of the states in bytes.
    fn width(&self) -> usize;

    /// Follows a widened successor function; states then have the width of its layout.
    fn grow(&mut self, slots: usize);

    /// Replaces the contents of `out` by the valuations of `states` (one after the other),
    /// [`Observe::words`] words each, and the contents of `faults` by the faults of the evaluation.
    fn observe(&mut self, states: &[u8], out: &mut Vec<u64>, faults: &mut Vec<AtomFault>);
}

impl Observe for Observer {
    fn words(&self) -> usize {
        Observer::words(self)
    }

    fn width(&self) -> usize {
        self.machine.layout.width()
    }

    fn grow(&mut self, slots: usize) {
        Observer::grow(self, slots);
    }

    fn observe(&mut self, states: &[u8], out: &mut Vec<u64>, faults: &mut Vec<AtomFault>) {
        Observer::observe(self, states, out, faults);
    }
}

/// Evaluates atoms.
#[derive(Debug)]
pub struct Observer {
    machine: Machine,
    nobody: Nobody,
    atoms: Vec<Atom>,
    /// Whether some atom uses `timeout`.
    timeout: bool,
    code: Option<Box<Watcher>>,
    /// States to be observed before the atoms are compiled; none if they are not, or were.
    patience: Option<usize>,
    log: Log,
}

impl Observer {
    /// An observer of the states of an interpreter's model. All atoms are interpreted until
    /// [`Observer::compile`].
    pub fn new(interpreter: &Interpreter, atoms: Vec<Atom>) -> Observer {
        let timeout = atoms.iter().any(|atom| mentions(atom, &|e| matches!(e, Expr::Timeout)));
        let (machine, nobody) = (interpreter.machine.clone(), Nobody::new());
        Observer { machine, nobody, atoms, timeout, code: None, patience: None, log: Log::default() }
    }

    /// Compiles all atoms that can be compiled; returns whether there is generated code.
    pub fn compile(&mut self) -> bool {
        let Machine { model, layout, constants, options, .. } = &self.machine;
        let easy = |atom: &Atom| !mentions(atom, &needs_interpreter);
        let wanted: Vec<Option<&Atom>> =
            self.atoms.iter().map(|atom| Some(atom).filter(|a| easy(a))).collect();
        if wanted.iter().all(Option::is_none) {
            return false;
        }
        self.code = Watcher::new(model, layout, constants, *options, &wanted).ok().map(Box::new);
        self.code.is_some()
    }

    /// Compiles the atoms after so many observed states, where that pays.
    pub fn compile_after(&mut self, states: usize) {
        self.patience = Some(states);
    }

    /// The atoms.
    pub fn atoms(&self) -> &[Atom] {
        &self.atoms
    }

    /// Number of words of a valuation: atom `i` is bit `i % 64` of word `i / 64`.
    pub fn words(&self) -> usize {
        self.atoms.len().div_ceil(64)
    }

    /// The layout of the observed states.
    pub fn layout(&self) -> &Layout {
        &self.machine.layout
    }

    /// Follows a successor function whose layout was widened.
    pub fn grow(&mut self, slots: usize) {
        self.machine.layout.grow(slots);
        if let Some(code) = &mut self.code {
            code.grow(&self.machine.model, &self.machine.layout);
        }
    }

    /// Replaces the contents of `out` by the valuations of `states` (one after the other),
    /// [`Observer::words`] words each, and the contents of `faults` by the faults of the
    /// evaluation.
    pub fn observe(&mut self, states: &[u8], out: &mut Vec<u64>, faults: &mut Vec<AtomFault>) {
        out.clear();
        faults.clear();
        let (width, words) = (self.machine.layout.width(), self.words());
        out.resize(states.len() / width * words, 0);
        if words == 0 {
            return;
        }
        match self.patience {
            Some(left) if left * width > states.len() => self.patience = Some(left - states.len() / width),
            Some(_) => {
                self.patience = None;
                self.compile();
            }
            None => {}
        }
        let code = self.code.take();
        for (source, state) in states.chunks_exact(width).enumerate() {
            let bits = &mut out[source * words..(source + 1) * words];
            match &code {
                Some(code) if code.watch(state, bits) => {
                    for &atom in code.left() {
                        self.interpret(state, source, atom, bits, faults);
                    }
                }
                Some(_) | None => {
                    bits.fill(0);
                    (0..self.atoms.len()).for_each(|atom| self.interpret(state, source, atom, bits, faults));
                }
            }
        }
        self.code = code;
    }

    /// Evaluates one atom.
    fn interpret(
        &mut self,
        state: &[u8],
        source: usize,
        atom: usize,
        bits: &mut [u64],
        faults: &mut Vec<AtomFault>,
    ) {
        let (machine, log) = (&self.machine, &mut self.log);
        let holds = match &self.atoms[atom] {
            Atom::Holds(expr) => {
                let timeout = self.timeout && {
                    let mut pids = 0..machine.count(state);
                    !pids.any(|pid| enabled::can_move(machine, state, pid, false, log))
                };
                log.reset(false);
                // Not a valid process number, so that `enabled` can be evaluated for all processes.
                let who = Actor { pid: u32::MAX, timeout, ..self.nobody.actor(machine) };
                eval(&who, state, expr, log) != 0
            }
            Atom::Accepting => (0..machine.count(state)).any(|pid| {
                let who = machine.actor(state, pid, false, None);
                who.process.locations[who.location(state).index()].accept
            }),
        };
        if holds {
            bits[atom / 64] |= 1 << (atom % 64);
        }
        for blame in log.attempt.drain(..) {
            let fault = AtomFault { kind: blame.kind, source: source as u32, atom: atom as u32 };
            if !faults.contains(&fault) {
                faults.push(fault);
            }
        }
    }
}

/// Whether an atom has a subexpression that satisfies `wanted`.
fn mentions(atom: &Atom, wanted: &impl Fn(&Expr) -> bool) -> bool {
    let mut found = false;
    match atom {
        Atom::Holds(expr) => axle_model::walk::expr(expr, &mut |inner| found |= wanted(inner)),
        Atom::Accepting => {}
    }
    found
}

/// Expressions that are not compiled here: those that call generated code for processes, and those
/// that only a process can evaluate.
fn needs_interpreter(expr: &Expr) -> bool {
    matches!(
        expr,
        Expr::Timeout
            | Expr::Enabled(_)
            | Expr::SelfPid
            | Expr::Channel(ChanRef::Own(_))
            | Expr::Load(Place { base: Base::Local(_), .. })
    )
}
