//! `axle slice`: the part of a model that a property, variable, label or statement depends on, as
//! Promela. A comment lists the removed statements with reasons.

use std::collections::BTreeSet;
use std::fmt::Write;

use axle_diagnosis::slices::{Sliced, own_lines, slice_of};
use axle_model::{Model, Origin};
use axle_promela::prune::{Keep, prune};
use axle_source::Place;

use crate::args::SliceArgs;
use crate::exit::Exit;
use crate::output::{complain, print};
use crate::session::Session;
use crate::tabled::load_promela;

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
    let places: BTreeSet<Spot> = sliced.relevant.iter().map(|origin| spot(&loaded.model, *origin)).collect();
    let relevant = |place: &Place| {
        let (start, end) = ((place.start.line, place.start.column), (place.end.line, place.end.column));
        // One may lie in the other: a statement in a loop, a loop in the expansion of a macro.
        places.iter().any(|spot| *spot.file == *place.file && spot.start < end && start < spot.end)
    };
    let keep = Keep { sources: &loaded.sources, relevant: &relevant, property: sliced.property.as_deref() };
    let text = axle_promela::print::print(&prune(&loaded.tree, &keep));
    print(&format!("{}{text}", heading(&loaded.model, &args.target, &sliced))).map(|()| Exit::Holds)
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

/// The comment at the top: the target of the slice and the removed statements.
fn heading(model: &Model, target: &str, sliced: &Sliced) -> String {
    // Text of the user's must not end the comment.
    let safe = |text: &str| text.replace("*/", "* /").replace("/*", "/ *");
    let mut out = String::from("/* ");
    let mut line = |text: &str| writeln!(out, "{text}").expect("a string takes all text");
    line(&safe(&format!("Slice for {target}: {}", sliced.meaning)));
    match sliced.removed.is_empty() {
        true => line("   No statement was removed."),
        false => line("   Removed statements:"),
    }
    for one in &sliced.removed {
        let file = model.files.get(one.origin.file.index()).map_or("", String::as_str);
        line(&safe(&format!("   {file}:{}  {}: {}", one.origin.line, one.text, one.why)));
    }
    out.truncate(out.trim_end().len());
    out.push_str(" */\n");
    out
}
