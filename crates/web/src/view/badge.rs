//! The badge of a state: icon, word and colour.
//!
//! *Entry points:* [`Badge`], [`Count`].

use std::fmt;

use askama::filters::HtmlSafe;

use super::icon::{icon, of_state};
use super::state::State;

/// The badge of a state.
#[derive(Clone, Copy, Debug)]
pub struct Badge(pub State);

impl fmt::Display for Badge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Badge(state) = self;
        let (name, word, meaning) = (state.name(), state.word(), state.meaning());
        let icon = icon(of_state(*state));
        write!(f, "<span class=\"verdict-badge is-{name}\" title=\"{meaning}\">{icon}{word}</span>")
    }
}

impl HtmlSafe for Badge {}

/// A number of runs in a state.
#[derive(Clone, Copy, Debug)]
pub struct Count(pub State, pub usize);

impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Count(state, number) = self;
        let (name, word, meaning) = (state.name(), state.word(), state.meaning());
        let icon = icon(of_state(*state));
        write!(
            f,
            "<span class=\"verdict-badge is-{name}\" title=\"{meaning}\">{icon}<b>{number}</b> {word}</span>"
        )
    }
}

impl HtmlSafe for Count {}
