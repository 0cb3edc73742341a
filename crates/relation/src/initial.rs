//! The initial state: prologues, and the processes of the start.
//!
//! *Entry point:* [`Builder::initial`].
//! *Invariant:* all terms are numbers.

use axle_model::Effect;
use axle_outcome::FaultKind;

use crate::state::{Actor, Builder, Fault, Faults, State};
use crate::term::{FALSE, TRUE, VariableId};

impl Builder<'_> {
    /// The initial value of each variable, and the faults of the prologues.
    pub(crate) fn initial(&mut self) -> (Vec<i64>, Vec<Fault>) {
        let mut state = State::zero();
        let mut faults = Faults::default();
        self.starting = Some(0);
        let no_process = Actor { own: None, timeout: FALSE, testing: &[], known: &[] };
        for effect in &self.model.prologue {
            // No process exists yet to which the other effects could apply.
            if !matches!(effect, Effect::Run { .. } | Effect::SetPriority(..) | Effect::Exit) {
                self.effects(&no_process, &mut state, std::slice::from_ref(effect), TRUE, &mut faults);
            }
        }
        for (pid, instance) in self.model.start.iter().enumerate() {
            let pid = pid as u32;
            faults.blame(pid, None);
            self.limits(&no_process, &state, instance.proc, TRUE, &mut faults);
            if faults.list.last().is_some_and(|fault| fault.kind == FaultKind::TooManyProcesses) {
                break;
            }
            self.starting = Some(pid + 1);
            let priority = self.terms.number(instance.priority.into());
            self.create(&no_process, &mut state, (pid, instance.proc), &[], priority, TRUE, &mut faults);
        }
        self.starting = None;
        let variables = 0..self.variables.list().len() as u32;
        let values = variables.map(|id| {
            let value = state.get(&mut self.terms, VariableId(id));
            let number = self.terms.constant(value);
            debug_assert!(number.is_some() || self.terms.is_full(), "initial values are numbers");
            number.unwrap_or_default()
        });
        (values.collect(), faults.list)
    }
}
