//! The sentences of reasons: why a property is undecided, or a search ended.
//!
//! *Entry points:* [`Words::sentence`], [`covered`] for the coverage of lossy searches.
//! *Invariant:* decisions read the [`Reason`]; no program reads these sentences.

use axle_model::MOST_BY_PATH;
use axle_model::{EdgeId, Model, ProcId};
use axle_outcome::{Count, CutSequence, InputClass, Limit, Place, Reason};

use super::ApproximationReport;
use crate::quantities;
use crate::replay::place;
use crate::vocabulary::{Vocabulary, with_name};
use crate::words;

/// The terms of sentences: names of settings, and names of processes.
#[derive(Clone, Copy, Debug)]
pub struct Words<'a> {
    /// How the users of the front end change settings.
    pub names: &'a Vocabulary,
    /// The model that was searched.
    pub model: Option<&'a Model>,
}

impl Words<'static> {
    /// Without names.
    pub const PLAIN: Words<'static> = Words { names: Vocabulary::NONE, model: None };
}

impl Words<'_> {
    /// A reason in one sentence, without a full stop.
    #[must_use]
    pub fn sentence(&self, reason: &Reason) -> String {
        match reason {
            Reason::Limit { limit, value, sequence } => self.cut(self.limit(*limit, *value), *sequence),
            Reason::Interrupted { sequence } => self.cut("interrupted".to_string(), *sequence),
            Reason::Violations { most } => {
                let message = match most {
                    Some(1) | None => "stopped at the first violation".to_string(),
                    Some(most) => format!("stopped after {most} different violations"),
                };
                with_name(&message, self.names.all_violations)
            }
            Reason::ExecutionsCut => {
                "a violation ends some executions, which were not explored further".to_string()
            }
            Reason::EndsEarly { error } => format!("some runs end early: {error}"),
            Reason::LongSequence { proc, edge } => format!(
                "{} has more than {MOST_BY_PATH} steps, whose paths are not all followed",
                self.sequence(*proc, *edge)
            ),
            Reason::Checkpoint => {
                "the checkpoint does not match this search: the model, an option or the version of Axle differs"
                    .to_string()
            }
            Reason::LevelLog => {
                "the level log is of another search or another version of Axle, is damaged, or cannot be written"
                    .to_string()
            }
            Reason::Disk => {
                "no space is left on disk in the directory of --level-log; free some and repeat the command to resume"
                    .to_string()
            }
            Reason::Workers => {
                "a worker of the search was lost, or a message between workers was damaged".to_string()
            }
            Reason::Uncertified { by: Some(by) } => format!("answered by {by}, not checked"),
            Reason::Uncertified { by: None } => "the answer of the engine is not checked".to_string(),
            Reason::Predicates => {
                "no further predicate refutes a counterexample of the abstraction that no execution follows"
                    .to_string()
            }
            Reason::Approximation => {
                "lossy search: no violation found, but states may have been omitted".to_string()
            }
            Reason::Sampled { searches: 1, largest } => {
                format!("one search found no violating run; it saw {largest} states")
            }
            Reason::Sampled { searches, largest } => {
                format!("{searches} searches found no violating run; the largest saw {largest} states")
            }
            Reason::Swarm { searches, largest } => {
                format!("a swarm proves nothing; the largest of {searches} searches saw {largest} states")
            }
            Reason::StatesOnly => {
                with_name("not searched: the selected search examines states only", self.names.executions)
            }
            Reason::StatesNotSearched => "the states were not all searched for errors".to_string(),
            Reason::NotStarted => "no search was started within the time limit".to_string(),
            Reason::Unchecked => "nothing was checked".to_string(),
            Reason::NotSupported { what, place } => format!("{what}{}", at(place.as_ref())),
            Reason::Proposition { text, fault } => {
                let why = fault.fault().map_or_else(String::new, |fault| words::sentence(fault, None));
                format!("`{text}` cannot be evaluated in a reachable state: {why}")
            }
            Reason::NotReplayed { own: true } => "a counterexample does not replay".to_string(),
            Reason::NotReplayed { own: false } => "a violation did not replay".to_string(),
            Reason::NoWitness => "the violation has no witness".to_string(),
            Reason::Inputs { class, place } => inputs(*class, place.as_ref()),
            Reason::WeakMemory { place } => format!(
                "no violation under sequential consistency; weaker executions were not checked{}",
                at(Some(place))
            ),
            Reason::OmittedBehaviours { .. }
            | Reason::AddedSteps { .. }
            | Reason::AddedBehaviours { .. }
            | Reason::OmittedSteps { .. }
            | Reason::Spurious => of_abstraction(reason),
            Reason::Constraint { .. }
            | Reason::ProgramError { .. }
            | Reason::RoundEnded { .. }
            | Reason::Failed { .. }
            | Reason::Disagreement
            | Reason::Internal { .. }
            | Reason::Other => of_project(reason),
        }
    }

    fn limit(&self, limit: Limit, value: Option<u64>) -> String {
        let names = self.names;
        match (limit, value) {
            (Limit::Time, _) => with_name("time limit reached", names.time),
            (Limit::Memory, _) => with_name("memory limit reached", names.memory),
            (Limit::States, _) => with_name("state limit reached", names.states),
            (Limit::Depth, Some(depth)) => {
                with_name(&format!("search truncated at depth {depth}"), names.depth)
            }
            (Limit::Depth, None) => with_name("search truncated at the depth limit", names.depth),
        }
    }

    /// Adds the sequence in which a search was cut.
    fn cut(&self, sentence: String, sequence: Option<CutSequence>) -> String {
        match sequence {
            Some(CutSequence { proc, edge, steps }) => {
                format!("{sentence}; {} executed {steps} steps from one state", self.sequence(proc, edge))
            }
            None => sentence,
        }
    }

    /// An uninterrupted sequence, by its process and its first statement.
    fn sequence(&self, proc: ProcId, edge: EdgeId) -> String {
        let process = self.model.and_then(|model| model.processes.get(proc.index()));
        let first = process.and_then(|process| Some((&process.name, process.edges.get(edge.index())?)));
        let Some((process, first)) = first else { return "an uninterrupted sequence".to_string() };
        let at = self.model.and_then(|model| place(model, *first.origins.first()?));
        let at = at.map_or(String::new(), |at| format!(" ({}:{}:{})", at.file, at.line, at.column));
        format!("the uninterrupted sequence of {process} that begins with `{}`{at}", first.text)
    }
}

/// A location in parentheses.
fn at(place: Option<&Place>) -> String {
    place.map_or_else(String::new, |place| format!(" ({}:{})", place.file, place.line))
}

fn inputs(class: InputClass, place: Option<&Place>) -> String {
    match class {
        InputClass::Values => "input under-approximated: only sample values were explored".to_string(),
        InputClass::Arguments => format!("no arguments were given{}", at(place)),
        InputClass::Signals => format!("a signal may interrupt a thread at any step{}", at(place)),
        InputClass::Time => "time under-approximated: the clock does not advance".to_string(),
    }
}

/// A reason of an abstraction, with its row if that is known.
fn of_abstraction(reason: &Reason) -> String {
    let (sentence, row) = match reason {
        Reason::OmittedBehaviours { row } => {
            ("holds of the model, which omits some behaviours of the program", row.as_ref())
        }
        Reason::AddedSteps { row } => {
            ("holds of the model, which may continue where the program is blocked", row.as_ref())
        }
        Reason::AddedBehaviours { row } => (
            "violated in the model, which may have more behaviours than the program: to be confirmed",
            row.as_ref(),
        ),
        Reason::OmittedSteps { row } => (
            "violated in the model, which omits steps by which the program may continue: to be confirmed",
            row.as_ref(),
        ),
        _ => ("violated in the model only: the program does not have this execution", None),
    };
    row.map_or_else(|| sentence.to_string(), |row| format!("{sentence} ({row})"))
}

/// A reason of the verification of a project.
fn of_project(reason: &Reason) -> String {
    match reason {
        Reason::Constraint { variable } => format!(
            "holds, but the program writes `{variable}`, so the constraint does not apply to all of the execution"
        ),
        Reason::ProgramError { error, place, check, property } => {
            let place = place.as_ref().map_or_else(String::new, |at| format!(" at {}:{}", at.file, at.line));
            let error = format!("an error of the program ends some executions: {error}{place}");
            match property {
                Some(property) => format!("{error}; see `{property}`"),
                None => format!("{error}; the project does not check {check}"),
            }
        }
        Reason::RoundEnded { cycle: None } => "the round ended before the first cycle".to_string(),
        Reason::RoundEnded { cycle: Some(cycle) } => format!("the round ended during cycle {cycle}"),
        Reason::Failed { attempts, fault } => format!(
            "the search failed in {}: {fault}",
            quantities::counted(Count::from(u64::from(*attempts)), "attempt")
        ),
        Reason::Disagreement => "two machines disagree".to_string(),
        Reason::Internal { fault } => format!("internal error: {fault}"),
        _ => "undecided".to_string(),
    }
}

/// How much was covered where nothing was found.
#[must_use]
pub fn covered(told: &ApproximationReport) -> String {
    match (told.omission_probability, told.coverage) {
        (Some(chance), Some(coverage)) => format!(
            "no violation was found, but states may have been missed, each with a probability of at most {}; {} \
             of those that came up were covered",
            chance_in_words(chance),
            percent(coverage),
        ),
        (Some(_), None) => "no violation was found, but states may have been missed".to_string(),
        (None, Some(coverage)) => format!(
            "no violation was found by {} searches, which covered at most {} of the states together",
            told.runs.len(),
            percent(coverage),
        ),
        (None, None) => "no violation was found, but random walks prove nothing".to_string(),
    }
}

fn chance_in_words(chance: f64) -> String {
    if chance == 0.0 { "0".to_string() } else { format!("{chance:.1e}") }
}

/// A share in percent; less than all is never rounded to all.
fn percent(share: f64) -> String {
    if share > 0.999_999_9 {
        return "more than 99.99999 %".to_string();
    }
    // As many nines as there are.
    let digits = ((-(1.0 - share).log10()).floor() as usize).clamp(1, 5);
    let scale = 10f64.powi(digits as i32);
    format!("about {:.*} %", digits, (share * 100.0 * scale).floor() / scale)
}

#[cfg(test)]
mod tests {
    use axle_outcome::{Limits, Stop};

    use super::*;

    #[test]
    fn less_than_all_is_not_told_as_all() {
        assert_eq!(percent(1.0), "more than 99.99999 %");
        assert_eq!(percent(0.5), "about 50.0 %");
        assert_eq!(percent(0.999_876), "about 99.987 %");
        assert_eq!(percent(0.9876), "about 98.7 %");
        assert_eq!(percent(1.0 - 1e-15), "more than 99.99999 %");
        assert_eq!(percent(0.0), "about 0.0 %");
    }

    #[test]
    fn sentences_name_settings_only_as_the_front_end_does() {
        static NAMED: Vocabulary = Vocabulary { time: "--time", ..*Vocabulary::NONE };
        let named = Words { names: &NAMED, model: None };
        let limits = Limits { errors: Some(3), depth: Some(7), ..Limits::default() };
        let sentence = |words: &Words<'_>, stop| words.sentence(&Reason::of_stop(stop, &limits));
        assert_eq!(sentence(&named, Stop::Time), "time limit reached (--time)");
        assert_eq!(sentence(&named, Stop::Errors), "stopped after 3 different violations");
        assert_eq!(sentence(&Words::PLAIN, Stop::Depth), "search truncated at depth 7");
        let cut = CutSequence { proc: ProcId(0), edge: EdgeId(0), steps: 5 };
        let reason = Reason::of_stop(Stop::Memory, &limits).in_sequence(cut);
        assert_eq!(
            Words::PLAIN.sentence(&reason),
            "memory limit reached; an uninterrupted sequence executed 5 steps from one state"
        );
    }

    #[test]
    fn rows_are_named_with_the_reason() {
        let sentence = |reason| Words::PLAIN.sentence(&reason);
        assert_eq!(
            sentence(Reason::OmittedSteps { row: Some("under: C: (n) -> false".into()) }),
            "violated in the model, which omits steps by which the program may continue: to be confirmed \
             (under: C: (n) -> false)"
        );
        let place = Some(Place { file: "a.c".into(), line: 3, column: 1, end_line: 3, end_column: 2 });
        let error = |property| Reason::ProgramError {
            error: "double free".into(),
            place: place.clone(),
            check: "memory".into(),
            property,
        };
        assert_eq!(
            sentence(error(Some("software".into()))),
            "an error of the program ends some executions: double free at a.c:3; see `software`"
        );
        assert!(sentence(error(None)).ends_with("; the project does not check memory"));
        assert_eq!(
            sentence(Reason::Failed { attempts: 1, fault: "lost".into() }),
            "the search failed in 1 attempt: lost"
        );
    }
}
