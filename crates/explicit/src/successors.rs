//! A successor function that interprets the model at first, and uses machine code once it is ready.
//!
//! Code generation takes milliseconds for most models and seconds for those with thousands of
//! statements, so it begins after a number of successors and takes place beside the search. Both
//! engines have the same layout and the same order of successors, so states and recorded paths
//! remain valid.
//!
//! *Entry point:* [`Tiered`].
//! *Invariant:* the successors do not depend on the engine.

use std::sync::{Arc, OnceLock};

use axle_model::{Model, ProcId};
use axle_question::config::SuccessorChoice;
use axle_step::compile::Compilation;
use axle_step::interpret::long_sequence::LongSequence;
use axle_step::{
    Batch, Compiled, Fault, Grow, Interpreter, Layout, ModelGraph, ModelSite, Options, Processes, Selective,
    Statistics, Successors,
};

use crate::value_sample::{Sample, Sampler};

/// Successors that are interpreted before code is generated. It takes 1 to 3 ms for most models, in
/// which the interpreter computes about as many.
const PATIENCE: u64 = 3_000;

/// The same for each edge of the model, where this is more.
const PATIENCE_PER_EDGE: u64 = 64;

/// The engine in use.
enum Engine {
    Interpreter(Box<Interpreter>),
    Compiled(Box<Compiled>),
}

/// Machine code that all successor functions of one search share, and its generation.
#[derive(Clone, Default)]
pub struct SharedCode(Arc<OnceLock<Compilation>>);

impl SharedCode {
    /// The successor function of an interpreter with the code, if there is any.
    fn apply(&self, interpreter: &Interpreter, options: Options) -> Option<Compiled> {
        let code = self.0.get()?.finished()?.as_ref().ok()?;
        Some(Compiled::with_code(interpreter.clone(), options, code))
    }

    /// A successor function that starts with the code if there is any, and uses it once it is ready
    /// otherwise. The statements that it has taken are not those of others, so it does not serve
    /// for coverage.
    pub fn stepper(&self, model: &Arc<Model>, options: Options, choice: SuccessorChoice) -> Tiered {
        Tiered { code: self.clone(), ..Tiered::new(model, options, choice) }
    }
}

/// A successor function that switches from the interpreter to compiled code.
pub struct Tiered {
    engine: Engine,
    options: Options,
    /// Successors to be computed before code is generated; none if it never is, or is in use.
    patience: Option<u64>,
    /// Sampler of the expanded states.
    sampler: Sampler,
    /// The code, or its generation.
    code: SharedCode,
}

impl Tiered {
    /// A successor function for a model.
    pub fn new(model: &Arc<Model>, options: Options, choice: SuccessorChoice) -> Tiered {
        let interpreter = Interpreter::new(Arc::clone(model), options);
        let edges: usize = model.processes.iter().map(|process| process.edges.len()).sum();
        let (engine, patience) = match choice {
            SuccessorChoice::Auto => (None, Some(PATIENCE.max(edges as u64 * PATIENCE_PER_EDGE))),
            SuccessorChoice::Interpreter => (None, None),
            SuccessorChoice::Compiled => {
                (Compiled::from_interpreter(interpreter.clone(), options).ok(), None)
            }
        };
        let engine = match engine {
            Some(compiled) => Engine::Compiled(Box::new(compiled)),
            None => Engine::Interpreter(Box::new(interpreter)),
        };
        Tiered { engine, options, patience, sampler: Sampler::default(), code: SharedCode::default() }
    }

    /// Begins the generation of code with the first successors: many more will follow.
    pub fn generate_at_once(&mut self) {
        self.patience = self.patience.map(|_| 0);
    }

    /// The same function for another thread, which has taken the same statements so far. Machine
    /// code is shared.
    pub fn fork(&self) -> Tiered {
        let engine = match &self.engine {
            Engine::Interpreter(interpreter) => Engine::Interpreter(interpreter.clone()),
            Engine::Compiled(compiled) => Engine::Compiled(Box::new(compiled.share())),
        };
        Tiered {
            engine,
            options: self.options,
            patience: self.patience,
            sampler: self.sampler.fork(),
            code: self.code.clone(),
        }
    }

    /// The machine code of this function and its forks, and its generation.
    pub fn code(&self) -> SharedCode {
        self.code.clone()
    }

    /// The engine of the report: the compiler once the generation of code has begun, whether or not
    /// the search has lasted longer, so that equal searches have equal reports.
    pub fn name(&self) -> &'static str {
        match (&self.engine, self.code.0.get()) {
            (Engine::Interpreter(_), None) => "interpreter",
            (Engine::Interpreter(_), Some(_)) | (Engine::Compiled(_), _) => "compiled",
        }
    }

    /// The sample of the states expanded by this function and its forks.
    pub fn sample(&self) -> Sample {
        self.sampler.sample()
    }

    /// The long atomic sequence in which an expansion was cut, by this function or a fork of it.
    pub fn cut_sequence(&self) -> Option<LongSequence> {
        match &self.engine {
            Engine::Interpreter(engine) => engine.cut_sequence().get(),
            Engine::Compiled(engine) => engine.cut_sequence().get(),
        }
    }

    /// Notes states for the sample.
    #[inline]
    fn note(&mut self, states: &[u8]) {
        let width = self.layout().width();
        self.sampler.note(states, width);
    }

    /// Counts successors that were interpreted. After enough of them the generation of code begins,
    /// unless another function of the search has begun it; once there is code, it is used.
    fn count(&mut self, out: &Batch) {
        let Some(patience) = self.patience.as_mut() else { return };
        let Engine::Interpreter(interpreter) = &self.engine else { return };
        *patience = patience.saturating_sub(u64::from(out.ends.last().copied().unwrap_or(0)));
        if *patience == 0 {
            self.code.0.get_or_init(|| Compilation::start(interpreter, self.options));
        }
        if let Some(compiled) = self.code.apply(interpreter, self.options) {
            self.engine = Engine::Compiled(Box::new(compiled));
            self.patience = None;
        }
    }
}

impl Successors for Tiered {
    type Site = ModelSite;

    fn width(&self) -> usize {
        self.layout().width()
    }

    fn initial(&mut self, faults: &mut Vec<Fault>) -> Vec<u8> {
        match &mut self.engine {
            Engine::Interpreter(engine) => engine.initial(faults),
            Engine::Compiled(engine) => engine.initial(faults),
        }
    }

    #[inline]
    fn expand(&mut self, states: &[u8], out: &mut Batch) -> Result<(), Grow> {
        self.note(states);
        match &mut self.engine {
            Engine::Compiled(engine) => engine.expand(states, out),
            Engine::Interpreter(engine) => {
                engine.expand(states, out)?;
                self.count(out);
                Ok(())
            }
        }
    }

    fn size(&self) -> usize {
        self.layout().slots.len()
    }

    fn grow(&mut self, size: usize) {
        match &mut self.engine {
            Engine::Interpreter(engine) => engine.grow(size),
            Engine::Compiled(engine) => engine.grow(size),
        }
    }
}

impl Processes for Tiered {
    fn slots(&self) -> usize {
        self.layout().slots.len()
    }

    fn can_grow(&self) -> bool {
        self.layout().can_grow()
    }

    fn process_type(&self, state: &[u8], pid: u32) -> Option<ProcId> {
        self.layout().process_type(state, pid)
    }
}

impl ModelGraph for Tiered {
    fn layout(&self) -> &Layout {
        match &self.engine {
            Engine::Interpreter(engine) => engine.layout(),
            Engine::Compiled(engine) => engine.layout(),
        }
    }
}

impl Statistics for Tiered {
    fn taken(&self) -> &[Vec<bool>] {
        match &self.engine {
            Engine::Interpreter(engine) => engine.taken(),
            Engine::Compiled(engine) => engine.taken(),
        }
    }
}

impl Selective for Tiered {
    #[inline]
    fn expand_chosen(&mut self, states: &[u8], chosen: &[u64], out: &mut Batch) -> Result<(), Grow> {
        self.note(states);
        match &mut self.engine {
            Engine::Compiled(engine) => engine.expand_chosen(states, chosen, out),
            Engine::Interpreter(engine) => {
                engine.expand_chosen(states, chosen, out)?;
                self.count(out);
                Ok(())
            }
        }
    }
}
