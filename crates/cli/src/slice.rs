//! `axle slice`: the part of a model that a property, variable, label or statement depends on, as
//! Promela. A comment lists the removed statements with reasons.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::sync::Arc;

use axle_check::abstraction::semantic_slice;
use axle_diagnosis::slices::{Sliced, idle_statements, own_lines, semantic_target, slice_of};
use axle_model::{Model, Origin};
use axle_promela::prune::{Keep, prune};
use axle_source::Place;

use crate::args::SliceArgs;
use crate::exit::Exit;
use crate::output::{complain, print};
use crate::session::Session;
use crate::tabled::load_promela;
use crate::watch::Watch;

/// Runs the command.
pub fn run(args: &SliceArgs, session: &Session) -> Result<Exit, String> {
    let loaded = match load_promela(session, &args.model, &args.more, &args.tables, &args.output) {
        Ok(loaded) => loaded,
        Err(exit) => return Ok(exit),
    };
    let sliced = match slice_of(&loaded.model, &args.target, &own_lines(&loaded.model)) {
        Ok(sliced) => sliced,
        Err(reason) => {
            complain(&reason);
            return Ok(Exit::Input);
        }
    };
    let semantic = match args.semantic.then(|| semantic(args, session, &loaded.model)).transpose() {
        Ok(semantic) => semantic,
        Err(reason) => {
            complain(&reason);
            return Ok(Exit::Input);
        }
    };
    let idle = semantic.as_ref().map_or(&[][..], |semantic| &semantic.idle);
    let mut sliced = sliced;
    sliced.relevant.retain(|origin| !idle.iter().any(|(of, _)| of == origin));
    let places: BTreeSet<Spot> = sliced.relevant.iter().map(|origin| spot(&loaded.model, *origin)).collect();
    let relevant = |place: &Place| {
        let (start, end) = ((place.start.line, place.start.column), (place.end.line, place.end.column));
        // One may lie in the other: a statement in a loop, a loop in the expansion of a macro.
        places.iter().any(|spot| *spot.file == *place.file && spot.start < end && start < spot.end)
    };
    let keep = Keep { sources: &loaded.sources, relevant: &relevant, property: sliced.property.as_deref() };
    let text = axle_promela::print::print(&prune(&loaded.tree, &keep));
    print(&format!("{}{text}", heading(&loaded.model, &args.target, &sliced, semantic.as_ref())))
        .map(|()| Exit::Holds)
}

/// The most relevant conditions that are shown.
const MOST_CONDITIONS: usize = 12;

/// A semantic slice, as statements.
struct Semantic {
    /// The statements that change no relevant condition.
    idle: Vec<(Origin, String)>,
    /// The relevant conditions and variables.
    relevant: Vec<String>,
}

/// The semantic slice.
fn semantic(args: &SliceArgs, session: &Session, model: &Model) -> Result<Semantic, String> {
    let target = semantic_target(model, &args.target)?;
    let mut watch = Watch::start(session, Some(args.time), args.output.quiet);
    let found = semantic_slice(&Arc::new(model.clone()), &target, &mut watch);
    watch.stop();
    let found = found.map_err(|reason| format!("no semantic slice for '{}': {reason}", args.target))?;
    Ok(Semantic { idle: idle_statements(model, &found.idle), relevant: found.relevant })
}

/// A place by the name of its file.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Spot {
    file: String,
    start: (u32, u32),
    end: (u32, u32),
}

fn spot(model: &Model, origin: Origin) -> Spot {
    Spot {
        file: model.files.get(origin.file.index()).cloned().unwrap_or_default(),
        start: (origin.line, origin.column),
        end: (origin.end_line, origin.end_column),
    }
}

/// The comment at the top: the target of the slice and the removed statements. With a semantic slice, each
/// statement with the rules by which it is removed.
fn heading(model: &Model, target: &str, sliced: &Sliced, semantic: Option<&Semantic>) -> String {
    // Text of the user's must not end the comment.
    let safe = |text: &str| text.replace("*/", "* /").replace("/*", "/ *");
    let mut out = String::from("/* ");
    let mut line = |text: &str| writeln!(out, "{text}").expect("a string takes all text");
    line(&safe(&format!("Slice for {target}: {}", sliced.meaning)));
    let place = |origin: &Origin| {
        let file = model.files.get(origin.file.index()).map_or("", String::as_str);
        format!("{file}:{}", origin.line)
    };
    match (semantic, sliced.removed.is_empty()) {
        (None, true) => line("   No statement was removed."),
        (None, false) => {
            line("   Removed statements:");
            for one in &sliced.removed {
                line(&safe(&format!("   {}  {}: {}", place(&one.origin), one.text, one.why)));
            }
        }
        (Some(semantic), _) => {
            let mut rows: BTreeMap<Origin, (&str, [Option<&str>; 2])> = BTreeMap::new();
            for one in &sliced.removed {
                rows.insert(one.origin, (&one.text, [Some(one.why.as_str()), None]));
            }
            for (origin, text) in &semantic.idle {
                let row = rows.entry(*origin).or_insert((text, [None, None]));
                row.1[1] = Some("changes no relevant condition");
            }
            for (rule, number) in [("syntactic", 0), ("semantic", 1)] {
                let count = rows.values().filter(|(_, whys)| whys[number].is_some()).count();
                line(&format!("   The {rule} slice removes {count} of {} statements below.", rows.len()));
            }
            let shown = |why: Option<&str>| why.map_or("kept".to_string(), |why| format!("removed, {why}"));
            for (origin, (text, [syntactic, semantic])) in &rows {
                line(&safe(&format!("   {}  {text}", place(origin))));
                line(&safe(&format!("      syntactic: {}", shown(*syntactic))));
                line(&safe(&format!("      semantic: {}", shown(*semantic))));
            }
            let shown = semantic.relevant.iter().take(MOST_CONDITIONS).map(String::as_str);
            let shown = shown.collect::<Vec<_>>().join("; ");
            let rest = match semantic.relevant.len().saturating_sub(MOST_CONDITIONS) {
                0 => String::new(),
                rest => format!("; {rest} more"),
            };
            line(&safe(&format!("   Relevant conditions: {shown}{rest}")));
        }
    }
    out.truncate(out.trim_end().len());
    out.push_str(" */\n");
    out
}
