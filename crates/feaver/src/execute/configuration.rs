//! The configurations of the cycles of a run.
//!
//! *Entry points:* [`property_config`], [`safety_config`], [`program_config`].
//! *Invariant:* only the cycle of the exact check may conclude *holds* for a model without fairness.

use std::collections::BTreeSet;

use axle_check::plan::EngineId;
use axle_check::program::RunProperty;
use axle_check::{Approximate, Auto, Check, Config, Pass, StoreChoice, SystemKind, VacuityCheck, program};
use axle_model::Model;
use axle_search::{Arrangement, Reduction};

use crate::prepare::{LoadedProgram, Options};
use crate::project::Fairness;

/// The cycle of the exact check; the earlier ones are rough searches.
pub const EXACT: u8 = 7;

/// Bytes of the array of the first rough search; it doubles with each cycle.
const FIRST_ARRAY: u64 = 4 << 20;

/// The configuration of a cycle for the property of a model.
pub(super) fn property_config(model: &Model, options: &Options, cycle: u8) -> Config {
    let only = model.properties.iter().map(|property| property.name.clone()).collect();
    model_config([Check::Properties].into(), Some(only), options, cycle)
}

/// The configuration of a cycle for the checks of a model.
pub(super) fn safety_config(checks: &BTreeSet<Check>, options: &Options, cycle: u8) -> Config {
    model_config(checks.clone(), None, options, cycle)
}

/// The configuration of a cycle for a model.
fn model_config(
    checks: BTreeSet<Check>,
    only: Option<BTreeSet<String>>,
    options: &Options,
    cycle: u8,
) -> Config {
    let fairness = fairness(options.fairness);
    let exact = Config {
        checks,
        only,
        fairness,
        reduction: Reduction::Stubborn,
        passes: Pass::ALL.into(),
        auto: Auto::All,
        vacuity: VacuityCheck::Demands,
        proposition_errors: true,
        limits: search_limits(options),
        ..Config::default()
    };
    if cycle >= EXACT {
        // Strong fairness is not divided.
        return match options.limits.workers.filter(|_| options.fairness != Fairness::Strong) {
            Some(workers) => {
                Config { engine: Some(EngineId::DISTRIBUTED), threads: usize::from(workers), ..exact }
            }
            None => Config { attempts: true, ..exact },
        };
    }
    if options.fairness != Fairness::None {
        return exact;
    }
    let bytes = FIRST_ARRAY << cycle;
    let approximate = Approximate {
        bytes: Some(options.limits.memory.map_or(bytes, |limit| bytes.min(limit / 2))),
        functions: Some(2 + u32::from(cycle) / 3),
        seed: u64::from(cycle),
        arrangement: match cycle {
            0 => Arrangement::AsMade,
            1 => Arrangement::Reversed,
            _ => Arrangement::Shuffled(u64::from(cycle)),
        },
        ..Approximate::default()
    };
    Config { store: StoreChoice::Bitstate, approximate, ..exact }
}

fn search_limits(options: &Options) -> axle_search::Limits {
    axle_search::Limits { memory: options.limits.memory, errors: Some(1), ..axle_search::Limits::default() }
}

pub(crate) fn fairness(fairness: Fairness) -> axle_search::Fairness {
    match fairness {
        Fairness::None => axle_search::Fairness::None,
        Fairness::Weak => axle_search::Fairness::Weak,
        Fairness::Strong => axle_search::Fairness::Strong,
    }
}

/// A program as the checker takes it, without properties.
#[must_use]
pub fn subject(loaded: &LoadedProgram) -> axle_check::Subject<'_> {
    axle_check::Subject {
        program: &loaded.program,
        sources: &loaded.sources,
        files: &loaded.files,
        arguments: &loaded.arguments,
        stdin: None,
        settings: &loaded.settings,
        properties: &[],
    }
}

/// The configuration for a formula. An error of the program ends executions, so the default checks
/// belong to the verdict of every formula, whatever the project checks of the program itself.
pub(crate) fn program_config(options: &Options) -> Config {
    safety_program_config(options, &Check::defaults(SystemKind::Program))
}

/// The configuration for the checks of a program.
pub(super) fn safety_program_config(options: &Options, checks: &BTreeSet<Check>) -> Config {
    Config {
        checks: checks.clone(),
        fairness: fairness(options.fairness),
        vacuity: VacuityCheck::Demands,
        reduction: Reduction::Stubborn,
        limits: search_limits(options),
        ..Config::default()
    }
}

/// What every execution has to do, as far as these checks ask for it.
pub(super) fn temporal(checks: &BTreeSet<Check>) -> Vec<RunProperty> {
    checks.contains(&Check::Termination).then(program::termination).into_iter().collect()
}
