//! The successor function that a search runs on: interpreted at first, compiled once that pays.
//!
//! Compiling takes a few milliseconds and saves most of the time of every later step, so a model is
//! interpreted until it has shown that it is not small. Both engines have one layout and one order
//! of successors, so the change goes unnoticed: no state moves, and every path recorded so far
//! stays right.
//!
//! *Entry point:* [`Tiered`].

use std::sync::Arc;

use axle_model::Model;
use axle_step::{Batch, Compiled, Fault, Grow, Interpreter, Layout, Options, Selective, Successors};

use crate::config::EngineChoice;

/// Successors that are interpreted before a model is compiled. Compiling takes 1 to 3 ms for most models, in
/// which the interpreter makes about as many.
const PATIENCE: u64 = 3_000;

/// The engine in use.
enum Engine {
    Interpreter(Box<Interpreter>),
    Compiled(Box<Compiled>),
}

/// A successor function that changes its engine on the way.
pub struct Tiered {
    engine: Engine,
    options: Options,
    /// Successors to be made before the model is compiled; none where it is never, or was.
    patience: Option<u64>,
}

impl Tiered {
    /// A successor function for a model.
    pub fn new(model: &Arc<Model>, options: Options, choice: EngineChoice) -> Tiered {
        let interpreter = Box::new(Interpreter::new(Arc::clone(model), options));
        let mut tiered = Tiered { engine: Engine::Interpreter(interpreter), options, patience: None };
        match choice {
            EngineChoice::Auto => tiered.patience = Some(PATIENCE),
            EngineChoice::Interpreter => {}
            EngineChoice::Compiled => tiered.compile(),
        }
        tiered
    }

    /// The same function for another thread, which has taken the same statements so far. Machine code is shared.
    pub fn fork(&self) -> Tiered {
        let engine = match &self.engine {
            Engine::Interpreter(interpreter) => Engine::Interpreter(interpreter.clone()),
            Engine::Compiled(compiled) => Engine::Compiled(Box::new(compiled.share())),
        };
        Tiered { engine, options: self.options, patience: self.patience }
    }

    /// Which engine is in use.
    pub fn name(&self) -> &'static str {
        match &self.engine {
            Engine::Interpreter(_) => "interpreter",
            Engine::Compiled(_) => "compiled",
        }
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

    /// Goes over to compiled code. Where the machine cannot have any, interpreting goes on.
    #[cold]
    fn compile(&mut self) {
        self.patience = None;
        if let Engine::Interpreter(interpreter) = &self.engine
            && let Ok(compiled) = Compiled::from_interpreter((**interpreter).clone(), self.options)
        {
            self.engine = Engine::Compiled(Box::new(compiled));
        }
    }
}

impl Successors for Tiered {
    fn layout(&self) -> &Layout {
        match &self.engine {
            Engine::Interpreter(engine) => engine.layout(),
            Engine::Compiled(engine) => engine.layout(),
        }
    }

    fn initial(&mut self, faults: &mut Vec<Fault>) -> Vec<u8> {
        match &mut self.engine {
            Engine::Interpreter(engine) => engine.initial(faults),
            Engine::Compiled(engine) => engine.initial(faults),
        }
    }

    #[inline]
    fn expand(&mut self, states: &[u8], out: &mut Batch) -> Result<(), Grow> {
        match &mut self.engine {
            Engine::Compiled(engine) => engine.expand(states, out),
            Engine::Interpreter(engine) => {
                engine.expand(states, out)?;
                self.count(out);
                Ok(())
            }
        }
    }

    fn grow(&mut self, slots: usize) {
        match &mut self.engine {
            Engine::Interpreter(engine) => engine.grow(slots),
            Engine::Compiled(engine) => engine.grow(slots),
        }
    }

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
