//! `axle explain`: the meaning of a diagnostic code, a kind of violation or a check.

use axle_check::{Check, LABELS, RUN_KINDS, SystemKind, explain_kind, program};
use axle_step::FaultKind;

use crate::args::ExplainArgs;
use crate::exit::Exit;
use crate::output::print;

/// Runs the command.
pub fn run(args: &ExplainArgs) -> Result<Exit, String> {
    let name = args.name.trim();
    let code = name.to_ascii_uppercase();
    if let Some(text) = axle_feaver::diagnostic_codes::meaning(&code) {
        return print(&format!("{code}: {text}\n")).map(|()| Exit::Holds);
    }
    if let Some(kind) = FaultKind::all().find(|&kind| kind.name() == name) {
        let check = Check::of(kind);
        let text = format!("{name} (check: {})\n\n{}\n", check.name(), explain_kind(kind));
        return print(&text).map(|()| Exit::Holds);
    }
    if let Some((_, text)) = RUN_KINDS.into_iter().find(|(kind, _)| *kind == name) {
        return print(&format!("{name} (check: {})\n\n{text}\n", Check::Properties.name()))
            .map(|()| Exit::Holds);
    }
    if let Some(check) = Check::named(name, SystemKind::Model) {
        let mut text = format!("{name}: {}", check.meaning(SystemKind::Model));
        text.push_str(if check.by_default() { " (checked by default)\n" } else { " (checked on request)\n" });
        for kind in FaultKind::all().filter(|&kind| Check::of(kind) == check) {
            text.push_str(&format!(
                "\n{}\n    {}\n",
                kind.name(),
                explain_kind(kind).replace('\n', "\n    ")
            ));
        }
        if check == Check::Properties {
            for (kind, meaning) in RUN_KINDS {
                text.push_str(&format!("\n{kind}\n    {}\n", meaning.replace('\n', "\n    ")));
            }
        }
        return print(&text).map(|()| Exit::Holds);
    }
    if let Some((_, text)) = LABELS.into_iter().find(|(label, _)| *label == name) {
        let check = Check::Properties.name();
        return print(&format!("{name}: a property of a model (check: {check})\n\n{text}\n"))
            .map(|()| Exit::Holds);
    }
    if let Some((_, check, text)) = program::kinds().into_iter().find(|(kind, _, _)| *kind == name) {
        return print(&format!("{name} (check of C programs: {})\n\n{text}\n", check.name()))
            .map(|()| Exit::Holds);
    }
    if let Some(check) = Check::named(name, SystemKind::Program) {
        let how = if check.by_default() { "by default" } else { "on request" };
        let mut text =
            format!("{name}: {} (checked of C programs {how})\n", check.meaning(SystemKind::Program));
        for (kind, _, meaning) in program::kinds().into_iter().filter(|(_, of, _)| *of == check) {
            text.push_str(&format!("\n{kind}\n    {meaning}\n"));
        }
        return print(&text).map(|()| Exit::Holds);
    }
    let run_kinds = RUN_KINDS.into_iter().map(|(kind, _)| kind);
    let of_programs = program::kinds().into_iter().map(|(kind, _, _)| kind);
    let labels = LABELS.into_iter().map(|(label, _)| label);
    let known = FaultKind::all().map(FaultKind::name).chain(run_kinds).chain(labels);
    let known = known.chain(Check::MODELS.map(Check::name));
    let known = known.chain(of_programs).chain(Check::PROGRAMS.map(Check::name));
    match axle_source::nearest(name, known) {
        Some(near) => Err(format!("unknown code, kind or check '{name}'; did you mean '{near}'?")),
        None => Err(format!(
            "unknown code, kind or check '{name}'; try a code (E0201), a kind (invalid-end) or a check (bounds)"
        )),
    }
}
