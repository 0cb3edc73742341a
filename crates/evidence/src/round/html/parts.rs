//! What all sections of a page use: its content, badges, ids and links.

use crate::escape::xml;
use crate::report::html::Files;
use crate::round::{Judgement, Round, RoundRun};

/// The content of a page.
#[derive(Clone, Copy, Debug)]
pub struct RoundPage<'a> {
    /// The round.
    pub round: &'a Round,
    /// The source files by name, with their texts.
    pub sources: &'a Files,
    /// The command line, as typed.
    pub command: &'a str,
    /// The exit code.
    pub exit: u8,
}

/// The class, sign and words of a judgement: never a colour alone.
pub(super) fn mark(judgement: Judgement) -> (&'static str, &'static str, &'static str) {
    let (class, sign) = match judgement {
        Judgement::Passed => ("holds", "✓"),
        Judgement::KnownFault => ("known", "!"),
        Judgement::Failed => ("violated", "✗"),
        Judgement::FaultGone => ("violated", "✓"),
        Judgement::Vacuous => ("unknown", "⌀"),
        Judgement::Unknown => ("unknown", "?"),
        Judgement::Internal => ("violated", "‼"),
    };
    (class, sign, judgement.word())
}

pub(super) fn badge(judgement: Judgement) -> String {
    let (class, sign, word) = mark(judgement);
    format!(r#"<span class="badge {class}">{sign} {word}</span>"#)
}

/// A badge for a run that holds, and may hold for a trivial reason.
pub(super) fn perhaps_vacuous() -> &'static str {
    r#"<span class="badge unknown">⌀ perhaps vacuous</span>"#
}

/// The id of an element in the page.
pub(super) fn id(kind: &str, name: &str) -> String {
    let plain = |c: char| if c.is_alphanumeric() || "-_.@".contains(c) { c } else { '_' };
    format!("{kind}-{name}").chars().map(plain).collect()
}

/// The id of a section of a requirement document.
pub(super) fn requirement_id(document: &str, anchor: &str) -> String {
    let plain = |c: char| if c.is_alphanumeric() || "-_./".contains(c) { c } else { '_' };
    format!("requirement-{document}-{anchor}").chars().map(plain).collect()
}

/// A run, linked to its error sequence or else to its property.
pub(super) fn run_link(property: &str, run: &RoundRun) -> String {
    let target = match run.violation {
        Some(_) => id("run", &run.name),
        None => id("property", property),
    };
    format!("<a href=\"#{target}\">{}</a>", xml(&run.name))
}
