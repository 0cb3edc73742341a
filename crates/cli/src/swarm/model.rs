//! `axle swarm` for models.

use std::sync::Arc;

use axle_check::{CheckedModel, Config, System, SystemKind};
use axle_model::Model;
use axle_refinement::searches::ModelSearches;
use axle_refinement::swarm::Swarm;
use axle_tabled::RowLabels;

use super::search_all;
use crate::args::SwarmArgs;
use crate::bundle::bundle_faults;
use crate::exit::Exit;
use crate::model_report::{Results, show_results};
use crate::output::complain;
use crate::refine::shorten_all;
use crate::results::{InputResult, json_traces, print_json};
use crate::session::Session;
use crate::tabled::load;

/// Runs the command for a model.
pub fn run(session: &Session, args: &Arc<SwarmArgs>) -> Result<Exit, String> {
    let (model, extracted) = match load(session, &args.model, &args.more, &args.tables, &args.output) {
        Ok(loaded) => loaded,
        Err(exit) => return Ok(exit),
    };
    let config = args.config(SystemKind::Model);
    report_at_deadline(session, args, &model, &config);
    let swarm = Swarm::new(ModelSearches::new(&model, &config));
    let (members, stop, mut watch) = search_all(session, args, &swarm);
    let mut checked = swarm.report(members, stop);
    shorten_all(&model, &config, &mut checked, &mut watch);
    let interrupt = watch.interrupt_after();
    checked.report.search.seconds = watch.stop().as_secs_f64();
    session.deadline.reporting(Exit::of(&checked.report));
    bundle_faults(&args.model, &model, &checked);
    let labels = match &extracted {
        Some(extracted) => Some(extracted.qualify(&model, &config, &mut checked, &interrupt)?),
        None => None,
    };
    show(session, args, &model, &config, checked, labels)
}

/// Shows the report; the exit code.
fn show(
    session: &Session,
    args: &SwarmArgs,
    model: &Arc<Model>,
    config: &Config,
    mut checked: CheckedModel,
    labels: Option<RowLabels>,
) -> Result<Exit, String> {
    let json = args.prints_json();
    let more = labels.as_ref().map(RowLabels::text).unwrap_or_default();
    let results = Results {
        model: &args.model,
        tables: &args.tables,
        files: &args.more,
        output: &args.output,
        trace: args.trace,
        text: !json,
        more: &more,
        traces: json && json_traces(args.trace),
        trail: args.trail.as_deref(),
        chart: None,
    };
    let traces = show_results(session, &results, model, config, &checked)?;
    checked.report.warnings.extend(labels.into_iter().flat_map(|labels| labels.warnings));
    let result = InputResult::new(session, checked.report, traces);
    let exit = result.exit;
    if json {
        print_json(&[result], args.trace)?;
    }
    Ok(exit)
}

/// Registers the report of a swarm that has no result at its deadline.
fn report_at_deadline(session: &Session, args: &Arc<SwarmArgs>, model: &Arc<Model>, config: &Config) {
    let (own, args) = (session.clone(), Arc::clone(args));
    let (model, config) = (Arc::clone(model), config.clone());
    session.deadline.report_with(move |stop, seen| {
        let mut checked = model.undecided(&config, stop, seen);
        checked.report.search.order = "swarm".to_string();
        checked.report.search.seconds = own.deadline.elapsed().as_secs_f64();
        show(&own, &args, &model, &config, checked, None).unwrap_or_else(|fault| {
            complain(&fault);
            Exit::Unknown
        })
    });
}
