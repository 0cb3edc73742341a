//! Components of pages, each named after what it shows.

pub mod alignment;
pub mod badge;
pub mod comparison;
pub mod cycles;
pub mod figure;
pub mod highlight;
pub mod icon;
pub mod invariant;
pub mod quantity;
pub mod state;
pub mod timeline;
pub mod url;
pub mod words;
