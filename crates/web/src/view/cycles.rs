//! The cycle bar of a run: one cell for each of the cycles 0 to 7. A proof, which covers every execution, fills
//! the bar and ends in a mark; a search that ended before leaves the rest hatched.
//!
//! *Entry point:* [`CycleBar`].

use std::fmt;

use askama::filters::HtmlSafe;

use super::state::State;

/// Cells of a bar.
const CELLS: u8 = 8;

/// What happens in a run now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Activity {
    /// Nothing.
    None,
    /// A cycle waits in the queue.
    Waiting(u8),
    /// A worker executes a cycle.
    Running(u8),
}

/// The bar of a run.
#[derive(Clone, Copy, Debug)]
pub struct CycleBar {
    /// The state of the run.
    pub state: State,
    /// The last cycle that ended.
    pub cycle: Option<u8>,
    /// What happens now.
    pub activity: Activity,
}

/// How the searches of a run ended.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    /// A search has covered every execution.
    Proof,
    /// No search was exhaustive, and none runs.
    Budget,
    /// A violation, no search, or one in progress.
    Other,
}

impl End {
    /// Its class in style sheets.
    fn class(self) -> &'static str {
        match self {
            End::Proof => " is-proof",
            End::Budget => " is-budget",
            End::Other => "",
        }
    }
}

impl CycleBar {
    fn end(&self) -> End {
        match (self.state, self.activity) {
            (State::Holds | State::Vacuous, _) => End::Proof,
            (State::Unknown, Activity::None) => End::Budget,
            _ => End::Other,
        }
    }
}

impl fmt::Display for CycleBar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let end = self.end();
        let ended = match (end, self.cycle) {
            (End::Proof, _) => "proved by an exhaustive search".to_string(),
            (End::Budget, Some(7)) => "the exact search ended without a proof".to_string(),
            (End::Budget, Some(cycle)) => format!("not exhaustive, cycle {cycle} of 7 ended"),
            (End::Budget, None) => "not searched".to_string(),
            (End::Other, Some(7)) => "exact search ended".to_string(),
            (End::Other, Some(cycle)) => format!("cycle {cycle} of 7 ended"),
            (End::Other, None) => "no cycle ended".to_string(),
        };
        let now = match self.activity {
            Activity::None => String::new(),
            Activity::Waiting(cycle) => format!(", cycle {cycle} waits"),
            Activity::Running(cycle) => format!(", cycle {cycle} runs"),
        };
        let (name, word) = (self.state.name(), self.state.word());
        let end = end.class();
        write!(
            f,
            "<span class=\"cycle-bar is-{name}{end}\" role=\"img\" aria-label=\"{word}, {ended}{now}\">"
        )?;
        for cell in 0..CELLS {
            let class = match (self.activity, self.cycle) {
                (Activity::Running(cycle), _) if cycle == cell => "runs",
                (Activity::Waiting(cycle), _) if cycle == cell => "waits",
                (_, Some(cycle)) if cell < cycle => "ended",
                (_, Some(cycle)) if cell == cycle => "last",
                _ => "",
            };
            // Most cells are open, and lists have thousands of them: these have no class.
            match class {
                "" => write!(f, "<i></i>")?,
                class => write!(f, "<i class=\"{class}\"></i>")?,
            }
        }
        write!(f, "</span>")
    }
}

impl HtmlSafe for CycleBar {}
