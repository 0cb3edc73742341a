//! Names of projects, flags, constraints and properties.

use std::collections::BTreeMap;

use axle_source::{Diagnostic, Diagnostics, Span};

use super::fields::Located;
use crate::codes::{DUPLICATE, NAME, REFERENCE};

/// The longest name.
const LONGEST: usize = 100;

/// Whether a text is a name: letters, digits, `-` and `_`, and a letter first.
#[must_use]
pub fn is_name(text: &str) -> bool {
    text.len() <= LONGEST
        && text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_')
}

/// Reports a text that is not a name.
pub fn check(name: &Located<String>, what: &str, diagnostics: &mut Diagnostics) {
    if !is_name(&name.value) {
        let shown: String = name.value.chars().take(LONGEST).collect();
        let message = format!("`{shown}` is not a valid name of {what}");
        diagnostics.push(
            Diagnostic::error(NAME, message)
                .at(name.at.into(), "")
                .help("use at most 100 letters, digits, `-` and `_`, beginning with a letter"),
        );
    }
}

/// Reports names that occur twice; `verb` says how they are introduced.
pub fn unique<'a>(
    names: impl IntoIterator<Item = &'a Located<String>>,
    what: &str,
    verb: &str,
    diagnostics: &mut Diagnostics,
) {
    let mut seen: BTreeMap<&str, Span> = BTreeMap::new();
    for name in names {
        match seen.get(name.value.as_str()) {
            None => drop(seen.insert(&name.value, name.at)),
            Some(first) => diagnostics.push(
                Diagnostic::error(DUPLICATE, format!("{what} `{}` is {verb} twice", name.value))
                    .at(name.at.into(), "")
                    .also((*first).into(), format!("first {verb} here")),
            ),
        }
    }
}

/// The positions of names that occur several times, in the order of their first occurrence.
pub fn repeated(names: &[Located<String>]) -> Vec<Vec<usize>> {
    let mut groups: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (index, name) in names.iter().enumerate() {
        groups.entry(&name.value).or_default().push(index);
    }
    let mut groups: Vec<Vec<usize>> = groups.into_values().filter(|group| group.len() > 1).collect();
    groups.sort();
    groups
}

/// The index of a name; reports one that is not defined.
pub fn find<'a>(
    name: &Located<String>,
    what: &str,
    mut known: impl Iterator<Item = &'a str> + Clone,
    diagnostics: &mut Diagnostics,
) -> Option<usize> {
    let all = known.clone();
    let found = known.position(|one| one == name.value);
    if found.is_none() {
        let list: Vec<&str> = all.clone().take(20).collect();
        let message = format!("there is no {what} `{}`", name.value);
        let mut diagnostic = Diagnostic::error(REFERENCE, message).at(name.at.into(), "");
        diagnostic = match list.is_empty() {
            true => diagnostic.note(format!("the project defines no {what}")),
            false => diagnostic.note(format!("defined: {}", list.join(", "))),
        };
        diagnostics.push(diagnostic.did_you_mean(&name.value, all));
    }
    found
}
