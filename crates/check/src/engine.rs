//! A successor function that interprets the model at first and compiles it after a number of
//! successors.
//!
//! Compilation takes a few milliseconds and makes every later step much faster, so small models are
//! only interpreted. Both engines have the same layout and the same order of successors, so states
//! and recorded paths remain valid.
//!
//! *Entry point:* [`Tiered`].
//! *Invariant:* the successors do not depend on the engine.

use std::sync::{Arc, Mutex, PoisonError};

use axle_model::{Model, ProcId};
use axle_step::interpret::long_sequence::LongSequence;
use axle_step::{
    Batch, Compiled, Fault, Grow, Interpreter, Layout, ModelGraph, ModelSite, Options, Processes, Selective,
    Statistics, Successors,
};

use crate::config::EngineChoice;
use crate::value_sample::{Sample, Sampler};

/// Successors that are interpreted before a model is compiled. Compiling takes 1 to 3 ms for most
/// models, in which the interpreter makes about as many.
const PATIENCE: u64 = 3_000;

/// The engine in use.
enum Engine {
    Interpreter(Box<Interpreter>),
    Compiled(Box<Compiled>),
}

/// Machine code for further successor functions of the same model, once one of them is compiled.
#[derive(Clone, Default)]
pub(crate) struct SharedCode(Arc<Mutex<Option<Compiled>>>);

impl SharedCode {
    fn publish(&self, code: &Compiled) {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.get_or_insert_with(|| code.share());
    }

    /// A successor function that starts with the code if there is any. The statements that it has
    /// taken are not its own, so it does not serve for coverage.
    pub fn stepper(&self, model: &Arc<Model>, options: Options, choice: EngineChoice) -> Tiered {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match &*known {
            Some(code) => Tiered {
                engine: Engine::Compiled(Box::new(code.share())),
                options,
                patience: None,
                sampler: Sampler::default(),
                code: self.clone(),
            },
            None => Tiered::new(model, options, choice),
        }
    }
}

/// A successor function that switches from the interpreter to compiled code.
pub struct Tiered {
    engine: Engine,
    options: Options,
    /// Successors to be computed before the model is compiled; none if it is not, or was.
    patience: Option<u64>,
    /// Sampler of the expanded states.
    sampler: Sampler,
    /// Receives the machine code.
    code: SharedCode,
}

impl Tiered {
    /// A successor function for a model.
    pub fn new(model: &Arc<Model>, options: Options, choice: EngineChoice) -> Tiered {
        let interpreter = Box::new(Interpreter::new(Arc::clone(model), options));
        let engine = Engine::Interpreter(interpreter);
        let (sampler, code) = (Sampler::default(), SharedCode::default());
        let mut tiered = Tiered { engine, options, patience: None, sampler, code };
        match choice {
            EngineChoice::Auto => tiered.patience = Some(PATIENCE),
            EngineChoice::Interpreter => {}
            EngineChoice::Compiled => tiered.compile(),
        }
        tiered
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

    /// The machine code of this function and its forks, once there is any.
    pub(crate) fn code(&self) -> SharedCode {
        self.code.clone()
    }

    /// Which engine is in use.
    pub fn name(&self) -> &'static str {
        match &self.engine {
            Engine::Interpreter(_) => "interpreter",
            Engine::Compiled(_) => "compiled",
        }
    }

    /// The sample of the states expanded by this function and its forks.
    pub(crate) fn sample(&self) -> Sample {
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

    /// Counts successors that were interpreted, and compiles the model once there were enough.
    fn count(&mut self, out: &Batch) {
        let made = u64::from(out.ends.last().copied().unwrap_or(0));
        match self.patience.as_mut() {
            Some(left) if *left > made => *left -= made,
            Some(_) => self.compile(),
            None => {}
        }
    }

    /// Switches to compiled code, unless the machine does not support it.
    #[cold]
    fn compile(&mut self) {
        self.patience = None;
        if let Engine::Interpreter(interpreter) = &self.engine
            && let Ok(compiled) = Compiled::from_interpreter((**interpreter).clone(), self.options)
        {
            self.code.publish(&compiled);
            self.engine = Engine::Compiled(Box::new(compiled));
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
