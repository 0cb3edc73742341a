//! What is shown of a round in progress: a bar for each property on a terminal, otherwise a line for
//! each conclusion, or a JSON object for each event.
//!
//! *Entry point:* [`Live`].

use std::collections::BTreeMap;
use std::io::IsTerminal;

use axle_check::Verdict;
use axle_evidence::quantities::counted;
use axle_feaver::execute::EXACT;
use axle_feaver::jobs::task::Step;
use axle_feaver::prepare::Run;
use axle_feaver::round::event::{RoundEvent, Stamped};
use indicatif::{MultiProgress, ProgressBar, ProgressStyle};

use crate::args::RunArgs;
use crate::output::{print, remark};
use crate::round::word;

/// Number of cycles.
const CYCLES: u64 = EXACT as u64 + 1;

/// The display of a round.
pub struct Live {
    json: bool,
    quiet: bool,
    bars: Option<Bars>,
}

/// The bars of a terminal.
struct Bars {
    all: MultiProgress,
    /// The property of each run.
    properties: Vec<String>,
    states: BTreeMap<String, State>,
    /// Whether there is a line for each property.
    fits: bool,
}

/// A property and its runs.
#[derive(Default)]
struct State {
    /// Cycles that each run has completed.
    cycles: BTreeMap<u32, u64>,
    holds: u32,
    violated: u32,
    unknown: u32,
    runs: u32,
    bar: Option<ProgressBar>,
}

impl Live {
    /// The display of these runs.
    pub fn new(runs: &[Run], args: &RunArgs) -> Live {
        let quiet = args.output.quiet;
        let terminal = std::io::stderr().is_terminal() && !quiet && !args.json_lines;
        Live { json: args.json_lines, quiet, bars: terminal.then(|| Bars::new(runs)) }
    }

    /// Shows an event.
    pub fn show(&mut self, stamped: &Stamped) -> Result<(), String> {
        if self.json {
            let mut line = serde_json::to_string(stamped).map_err(|fault| fault.to_string())?;
            line.push('\n');
            print(&line)?;
        }
        if self.quiet {
            return Ok(());
        }
        let line = line(&stamped.event);
        match &mut self.bars {
            Some(bars) => bars.show(&stamped.event, line.as_deref()),
            None if !self.json => line.iter().for_each(|line| remark(line)),
            None => {}
        }
        Ok(())
    }

    /// Shows a line beside the events.
    pub fn note(&self, line: &str) {
        match &self.bars {
            // If the terminal is gone, so is the line.
            Some(bars) => drop(bars.all.println(line.trim_end())),
            None => remark(line),
        }
    }

    /// Removes the bars.
    pub fn end(&mut self) {
        if let Some(bars) = self.bars.take() {
            // If the terminal is gone, so are the bars.
            let _ = bars.all.clear();
        }
    }
}

/// An event as a line; none if it is of no interest to a reader.
fn line(event: &RoundEvent) -> Option<String> {
    Some(match event {
        RoundEvent::Begun { carried, resumed, runs, .. } => {
            let mut text = String::new();
            if *resumed {
                text.push_str("axle: a round that was interrupted is continued\n");
            }
            if *carried > 0 {
                text.push_str(&format!(
                    "axle: {carried} of {runs} verdicts carried over: nothing has changed for them\n"
                ));
            }
            text
        }
        RoundEvent::Concluded { name, verdict, cycle, reason, steps, .. } => {
            let mut text = format!("axle: {name}: {}", word(*verdict));
            if let Some(cycle) = cycle {
                text.push_str(&format!(" (cycle {cycle})"));
            }
            if let Some(steps) = steps {
                text.push_str(&format!(", {steps} steps"));
            }
            if let Some(reason) = reason {
                text.push_str(&format!(": {reason}"));
            }
            text + "\n"
        }
        RoundEvent::Shortened { name, unit, before, after: Some(after), .. } => {
            format!("axle: {name}: second phase: {} instead of {before}\n", counted(*after, unit))
        }
        RoundEvent::Contradicted { name, reason, .. } => format!("axle: alarm: {name}: {reason}\n"),
        RoundEvent::Returned { name, reason, .. } => format!("axle: {name}: repeated: {reason}\n"),
        RoundEvent::Ending { budget: true } => {
            "axle: the budget is spent; jobs in progress finish\n".to_string()
        }
        RoundEvent::Ending { budget: false } => "axle: interrupted; jobs in progress finish\n".to_string(),
        RoundEvent::Started { .. }
        | RoundEvent::Progress { .. }
        | RoundEvent::Finished { .. }
        | RoundEvent::Shortened { .. }
        | RoundEvent::Ended { .. } => return None,
    })
}

impl Bars {
    fn new(runs: &[Run]) -> Bars {
        let mut bars = Bars {
            all: MultiProgress::new(),
            properties: runs.iter().map(|run| run.property.clone()).collect(),
            states: BTreeMap::new(),
            fits: false,
        };
        for run in runs {
            bars.states.entry(run.property.clone()).or_default().runs += 1;
        }
        let height = terminal_size::terminal_size_of(std::io::stderr()).map_or(24, |(_, height)| height.0);
        bars.fits = bars.states.len() + 1 < usize::from(height);
        if bars.fits {
            for (name, state) in &mut bars.states {
                state.bar = Some(bar(&bars.all, name));
            }
        }
        bars
    }

    fn show(&mut self, event: &RoundEvent, line: Option<&str>) {
        let (run, done, verdict) = match event {
            RoundEvent::Started { run, .. } | RoundEvent::Progress { run, .. } => (*run, None, None),
            RoundEvent::Finished { run, task, .. } => match task.step {
                Step::Cycle(cycle) => (*run, Some(u64::from(cycle) + 1), None),
                Step::SecondPhase { .. } | Step::Recheck { .. } => (*run, Some(CYCLES), None),
            },
            RoundEvent::Concluded { run, verdict, .. } => (*run, Some(CYCLES), Some(*verdict)),
            _ => {
                line.iter().for_each(|line| self.print(line));
                return;
            }
        };
        let Some(name) = self.properties.get(run as usize).cloned() else { return };
        let Some(state) = self.states.get_mut(&name) else { return };
        if let Some(done) = done {
            state.cycles.insert(run, done);
        }
        match verdict {
            Some(Verdict::Holds) => state.holds += 1,
            Some(Verdict::Violated) => state.violated += 1,
            Some(Verdict::Unknown) => state.unknown += 1,
            None => {}
        }
        let reached = match state.cycles.len() == state.runs as usize {
            true => state.cycles.values().min().copied().unwrap_or(0),
            false => 0,
        };
        let counts = state.counts();
        let bar = state.bar.get_or_insert_with(|| bar(&self.all, &name));
        bar.set_position(reached);
        bar.set_message(counts);
        let concluded = state.holds + state.violated + state.unknown == state.runs;
        if concluded && !self.fits {
            self.all.remove(bar);
            state.bar = None;
        }
        if matches!(event, RoundEvent::Concluded { verdict: Verdict::Violated, .. }) {
            line.iter().for_each(|line| self.print(line));
        }
    }

    fn print(&self, text: &str) {
        for line in text.lines() {
            // If the terminal is gone, so is the line.
            let _ = self.all.println(line);
        }
    }
}

impl State {
    fn counts(&self) -> String {
        let done = self.holds + self.violated + self.unknown;
        let mut text = format!("{done}/{}", self.runs);
        for (count, word) in [(self.violated, "VIOLATED"), (self.holds, "hold"), (self.unknown, "unknown")] {
            if count > 0 {
                text.push_str(&format!(", {count} {word}"));
            }
        }
        text
    }
}

fn bar(all: &MultiProgress, name: &str) -> ProgressBar {
    let style = ProgressStyle::with_template("{prefix:28!} [{bar:8}] {msg}");
    let style = style.unwrap_or_else(|_| ProgressStyle::default_bar()).progress_chars("=> ");
    let bar = all.add(ProgressBar::new(CYCLES).with_style(style));
    bar.set_prefix(name.to_string());
    bar
}
