//! Places in the source, as reports and traces contain them.

pub use axle_outcome::Place as PlaceReport;
