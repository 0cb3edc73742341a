//! Evidence that a person can read: replays of violations, traces, sequence charts, trail files and
//! reports. It knows no terminal and reads no clock.

pub mod chart;
pub mod end;
pub mod escape;
pub mod itf;
pub mod lasso;
pub mod markdown;
pub mod place;
pub mod product;
pub mod program_trail;
pub mod quantities;
pub mod replay;
pub mod report;
pub mod round;
pub mod run_trail;
pub mod sha256;
pub mod trace;
pub mod trail;
pub mod vocabulary;
pub mod witness;
pub mod words;
pub mod wrap;

pub use chart::threads;
