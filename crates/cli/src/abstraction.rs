//! `axle abstract`: the abstraction of a model by predicates, as a Boolean program in Promela or as the
//! abstract machine of a process.
//!
//! *Entry point:* [`run`].

use std::collections::BTreeSet;
use std::fs;

use axle_check::abstraction::{AbstractForm, abstract_model, proposed_maps};
use axle_check::{Check, Config, SystemKind};

use crate::args::AbstractArgs;
use crate::exit::Exit;
use crate::files;
use crate::load::load_with;
use crate::output::{print, remark};
use crate::predicates;
use crate::session::Session;
use crate::watch::Watch;

/// Runs the command.
pub fn run(args: &AbstractArgs, session: &Session) -> Result<Exit, String> {
    if let Some(file) = &args.file {
        files::check_outputs(&[("--output", Some(file))], &[&args.model.model])?;
    }
    // Files of predicates replace the marked lines of the model; no maps are proposed of conditions.
    let model = (args.predicates.is_none() && !args.propose_maps).then_some(args.model.model.as_path());
    let loaded =
        predicates::given(session, (model, args.predicates.as_deref()), &args.maps).and_then(|given| {
            load_with(session, &args.model, &args.output, &given.0).map(|loaded| (given, loaded))
        });
    let (mut given, (model, conditions)) = match loaded {
        Ok(loaded) => loaded,
        Err(exit) => return Ok(exit),
    };
    let checks: Option<BTreeSet<Check>> =
        args.only.iter().map(|name| Check::named(name, SystemKind::Model)).collect();
    let checks = checks.ok_or("only checks of models have abstractions")?;
    let config = Config { checks, arithmetic: args.arithmetic, ..Config::default() };
    given.1.extend(args.concrete.iter().cloned());
    let config = predicates::configured(config, &args.maps, &given, conditions)?;
    let mut watch = Watch::start(session, Some(args.time), args.output.quiet);
    if args.propose_maps {
        let proposed = proposed_maps(&model, &config, &mut watch);
        watch.stop();
        let lines = proposed?.into_iter().map(|map| match map.conflict {
            None => format!("{}: congruence\n", map.text),
            Some(conflict) => format!("{}: no congruence: {conflict}\n", map.text),
        });
        return print(&lines.collect::<String>()).map(|()| Exit::Holds);
    }
    if !config.maps.is_empty() {
        predicates::refuse_conflicts(&model, &config, args.over_approximate, &mut watch)?;
    }
    let form = args.dot.clone().map_or(AbstractForm::Promela, AbstractForm::Dot);
    let made = abstract_model(&model, &config, &form, &mut watch);
    watch.stop();
    let made = made?;
    if made.stop.is_some() && !args.output.quiet {
        remark(
            "axle: refinement ended without an answer; the predicates are those of its last abstraction\n",
        );
    }
    match &args.file {
        Some(file) => {
            fs::write(file, made.text)
                .map_err(|fault| format!("cannot write '{}': {fault}", file.display()))?;
        }
        None => print(&made.text)?,
    }
    Ok(Exit::Holds)
}
