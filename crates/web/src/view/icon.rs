//! Icons as inline SVG, drawn with strokes of one width in a square of 16 pixels.
//!
//! *Entry points:* [`of_state`], [`icon`].

use super::state::State;

/// The path of a state's icon: each differs in shape, not only in colour.
#[must_use]
pub fn of_state(state: State) -> &'static str {
    match state {
        State::Holds => "M3 8.5l3.5 3.5L13 4.5",
        State::Violated => "M4 4l8 8M12 4l-8 8",
        State::InError => "M8 2.5l6 11H2zM8 6.5v3.5M8 11.8v.2",
        State::Failed => "M8 2.5v7M8 12.5v.5",
        State::KnownFault => "M4 13.5V2.5h8.5l-2.5 3 2.5 3H4",
        State::Unknown => "M5.5 6a2.5 2.5 0 1 1 3.6 2.2C8.3 8.7 8 9 8 10M8 12.7v.3",
        State::Changed => "M13 8a5 5 0 1 1-1.6-3.7M13 2v3h-3",
        State::New => "M8 3.5v9M3.5 8h9",
        State::Vacuous => "M12.7 3.3l-9.4 9.4M13.5 8A5.5 5.5 0 1 1 2.5 8a5.5 5.5 0 0 1 11 0z",
    }
}

/// An icon with a path of its own.
#[must_use]
pub fn icon(path: &str) -> String {
    format!(
        "<svg class=\"icon\" viewBox=\"0 0 16 16\" width=\"16\" height=\"16\" aria-hidden=\"true\">\
         <path d=\"{path}\"/></svg>"
    )
}
