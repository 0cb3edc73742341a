//! The system and the configuration of a cycle of a run, to be planned or searched.
//!
//! *Entry point:* [`with_system`].
//! *Invariant:* the plan of a cycle is that of the search which the cycle executes.

use std::sync::Arc;

use axle_check::plan::Attempt;
use axle_check::{Checked, CheckedModel, Config, Executed, System, check};
use axle_evidence::report::Report;
use axle_model::Model;
use axle_search::Monitor;
use axle_step::Interrupt;
use axle_tabled::Origin;

use super::configuration::{
    program_config, property_config, safety_config, safety_program_config, subject, temporal,
};
use super::deadline::Deadline;
use crate::prepare::{Options, Run, Safety, Subject};
use crate::project::safety::SAFETY;
use crate::results::outcome::{Certificate, Witness};

/// What is done with the system of a run.
pub(super) trait Act {
    type Result;

    /// A model. With an origin it was extracted, and the answers for it become those for its program.
    fn model(self, model: &Arc<Model>, config: &Config, origin: Option<&Origin>) -> Self::Result;

    /// A program, with the name of the property whose violation is the witness.
    fn program(self, program: &axle_check::Subject<'_>, config: &Config, property: &str) -> Self::Result;
}

/// Does something with the system of a cycle of a run.
pub(super) fn with_system<A: Act>(run: &Run, options: &Options, cycle: u8, act: A) -> A::Result {
    match &run.subject {
        Subject::Model(model) => act.model(model, &property_config(model, options, cycle), None),
        Subject::Extracted(model, origin) => {
            act.model(model, &property_config(model, options, cycle), Some(origin))
        }
        Subject::Safety(Safety::Model(model, origin, checks)) => {
            act.model(model, &safety_config(checks, options, cycle), origin.as_deref())
        }
        Subject::Program(program, formula) => {
            let system = subject(program);
            let system = system.with_properties(std::slice::from_ref(&**formula));
            act.program(&system, &program_config(options), &formula.name)
        }
        Subject::Safety(Safety::Program(program, checks)) => {
            let termination = temporal(checks);
            let system = subject(program).with_properties(&termination);
            act.program(&system, &safety_program_config(options, checks), SAFETY)
        }
    }
}

/// Plans the cycle.
pub(super) struct Plan;

impl Act for Plan {
    type Result = Vec<Attempt>;

    fn model(self, model: &Arc<Model>, config: &Config, _: Option<&Origin>) -> Vec<Attempt> {
        model.plan(config)
    }

    fn program(self, program: &axle_check::Subject<'_>, config: &Config, _: &str) -> Vec<Attempt> {
        program.plan(config)
    }
}

/// Searches the system.
pub(super) struct Search<'a, 'd> {
    /// The property of the run, if the system is a model.
    pub property: &'a str,
    pub deadline: &'a mut Deadline<'d>,
}

/// The result of a search.
pub(super) struct Searched {
    pub report: Report,
    pub witness: Option<Witness>,
    /// The steps of a program that were executed, by function and step, if the search is complete.
    pub taken: Option<Vec<Vec<bool>>>,
    pub attempts: Vec<Executed>,
    /// The invariant that proves the absence of violations of states and steps, if the engine has one.
    pub certificate: Option<Certificate>,
}

impl From<CheckedModel> for Searched {
    /// The result for a model without a violation.
    fn from(Checked { report, found, attempts }: CheckedModel) -> Searched {
        Searched {
            report,
            witness: None,
            taken: None,
            attempts,
            certificate: found.certificate.map(Into::into),
        }
    }
}

impl Act for Search<'_, '_> {
    type Result = Searched;

    fn model(self, model: &Arc<Model>, config: &Config, origin: Option<&Origin>) -> Searched {
        let qualify = |checked: &mut CheckedModel, interrupt: &Interrupt| {
            let Some(origin) = origin else { return Ok(None) };
            let qualified = origin.qualify(model, config, checked, interrupt)?;
            checked.report.warnings.extend(qualified.labels.warnings);
            Ok(qualified.admitted.iter().position(|is_admitted| *is_admitted))
        };
        let (checked, witness) = searched(model, config, self.property, qualify, self.deadline);
        let Checked { report, found, attempts } = checked;
        Searched { report, witness, taken: None, attempts, certificate: found.certificate.map(Into::into) }
    }

    fn program(self, program: &axle_check::Subject<'_>, config: &Config, property: &str) -> Searched {
        let (checked, witness) = searched(program, config, property, |_, _| Ok(None), self.deadline);
        let Checked { report, found, attempts } = checked;
        Searched { report, witness, taken: found.executed, attempts, certificate: None }
    }
}

/// Checks a system; the witness is the violation that `qualify` names, that of the property, or else the
/// first one. `qualify` turns the answers for a model into those for its program.
fn searched<S: System>(
    system: &S,
    config: &Config,
    property: &str,
    qualify: impl FnOnce(&mut Checked<S::Found>, &Interrupt) -> Result<Option<usize>, String>,
    deadline: &mut Deadline<'_>,
) -> (Checked<S::Found>, Option<Witness>) {
    let mut checked = check(system, config, deadline);
    let witness = qualify(&mut checked, &deadline.interrupt()).and_then(|named| {
        let mut violations = checked.report.violations.iter();
        let own = violations.position(|violation| violation.property == property);
        system.execution(config, &checked, named.or(own).unwrap_or(0))
    });
    let witness = witness.unwrap_or_else(|fault| {
        checked.report.internal = Some(fault);
        None
    });
    (checked, witness.map(Witness::from))
}
