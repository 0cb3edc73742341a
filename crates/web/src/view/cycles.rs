//! The cycle bar of a run: one cell for each of the cycles 0 to 7.
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

impl fmt::Display for CycleBar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ended = match self.cycle {
            Some(7) => "exact search ended".to_string(),
            Some(cycle) => format!("cycle {cycle} of 7 ended"),
            None => "no cycle ended".to_string(),
        };
        let now = match self.activity {
            Activity::None => String::new(),
            Activity::Waiting(cycle) => format!(", cycle {cycle} waits"),
            Activity::Running(cycle) => format!(", cycle {cycle} runs"),
        };
        let (name, word) = (self.state.name(), self.state.word());
        write!(f, "<span class=\"cycle-bar is-{name}\" role=\"img\" aria-label=\"{word}, {ended}{now}\">")?;
        for cell in 0..CELLS {
            let class = match (self.activity, self.cycle) {
                (Activity::Running(cycle), _) if cycle == cell => "runs",
                (Activity::Waiting(cycle), _) if cycle == cell => "waits",
                (_, Some(cycle)) if cell < cycle => "ended",
                (_, Some(cycle)) if cell == cycle => "last",
                _ => "open",
            };
            write!(f, "<i class=\"{class}\"></i>")?;
        }
        write!(f, "</span>")
    }
}

impl HtmlSafe for CycleBar {}
