//! What a process needs to take part in the search of another one: the model, the graph and the options.
//!
//! *Entry points:* [`Assignment::to_text`], [`Assignment::of_text`].
//!
//! *Invariant:* an assignment that is read back describes the same search. The processes compare the
//! fingerprint of the model and the options before they search, so a text that is read differently is refused.

use std::collections::BTreeSet;
use std::sync::Arc;

use axle_model::Model;
use axle_question::config::Config;
use axle_question::{Check, SuccessorChoice, SystemKind};
use axle_search::claim::Claim;
use axle_search::{Fairness, Limits, Reduction};
use axle_step::Atom;

use crate::judgement::checkpoint_labels::graph_name;
use crate::judgement::run_report::fairness_name;

/// The search that other processes are to take part in.
#[derive(Clone, Copy)]
pub(super) struct Assignment<'a> {
    pub model: &'a Model,
    pub graph: Reduction,
    pub config: &'a Config,
    /// Number of workers of each process.
    pub workers: usize,
    /// The claim of a search for executions.
    pub claim: Option<ClaimPart<'a>>,
}

/// The claim of a search for executions, its propositions, and the fairness assumption.
#[derive(Clone, Copy)]
pub(super) struct ClaimPart<'a> {
    pub claim: &'a Claim,
    pub atoms: &'a [Atom],
    pub fairness: Fairness,
}

/// An assignment that was received.
pub(super) struct Assigned {
    pub model: Arc<Model>,
    pub graph: Reduction,
    pub config: Config,
    pub claim: Option<(Claim, Vec<Atom>, Fairness)>,
}

/// The first line, with the version of the format.
const HEAD: &str = "assignment 2";

/// Where the visited states may be.
const DISK: &str = "disk";
const MEMORY: &str = "memory";

fn successors_name(choice: SuccessorChoice) -> &'static str {
    match choice {
        SuccessorChoice::Auto => "auto",
        SuccessorChoice::Interpreter => "interpreter",
        SuccessorChoice::Compiled => "compiled",
    }
}

impl Assignment<'_> {
    /// The assignment as lines of text, the model last.
    pub fn to_text(self) -> String {
        let checks: Vec<&str> = self.config.checks.iter().map(|check| check.name()).collect();
        let Limits { depth, states, errors, .. } = self.config.limits;
        let number = |number: Option<u64>| number.map_or_else(|| "none".to_string(), |n| n.to_string());
        format!(
            "{HEAD}\n{}\n{}\n{}\n{}\n{}\n{}\n{}\n{}\n{}{}",
            graph_name(self.graph),
            self.workers,
            if self.config.disk { DISK } else { MEMORY },
            successors_name(self.config.successors),
            number(depth),
            number(states),
            number(errors),
            checks.join(" "),
            self.claim.map_or_else(|| "no claim\n".to_string(), ClaimPart::to_text),
            axle_model::dump::dump(self.model),
        )
    }

    /// The assignment of a text; none if the text is none.
    pub fn of_text(text: &str) -> Option<Assigned> {
        let mut lines = Lines(text);
        if lines.next()? != HEAD {
            return None;
        }
        let named = lines.next()?;
        let graphs = [Reduction::None, Reduction::Ample, Reduction::Stubborn];
        let graph = graphs.into_iter().find(|graph| graph_name(*graph) == named)?;
        let threads: usize = lines.next()?.parse().ok().filter(|workers| (1..=1024).contains(workers))?;
        let disk = match lines.next()? {
            DISK => true,
            MEMORY => false,
            _ => return None,
        };
        let named = lines.next()?;
        let choices = [SuccessorChoice::Auto, SuccessorChoice::Interpreter, SuccessorChoice::Compiled];
        let successors = choices.into_iter().find(|choice| successors_name(*choice) == named)?;
        let [depth, states, errors] = [lines.number()?, lines.number()?, lines.number()?];
        let limits = Limits { memory: None, depth, states, errors };
        let checks = lines.next()?.split(' ').filter(|name| !name.is_empty());
        let checks: Option<BTreeSet<Check>> =
            checks.map(|name| Check::named(name, SystemKind::Model)).collect();
        let claim = ClaimPart::of_lines(&mut lines)?;
        let model = Arc::new(axle_model::parse::parse(lines.0).ok()?);
        let config = Config { checks: checks?, threads, disk, successors, limits, ..Config::default() };
        Some(Assigned { model, graph, config, claim })
    }
}

/// The lines of a text that are not read yet.
struct Lines<'t>(&'t str);

impl<'t> Lines<'t> {
    fn next(&mut self) -> Option<&'t str> {
        let (line, rest) = self.0.split_once('\n')?;
        self.0 = rest;
        Some(line)
    }

    fn number(&mut self) -> Option<Option<u64>> {
        match self.next()? {
            "none" => Some(None),
            digits => digits.parse().ok().map(Some),
        }
    }
}

const CLAIM: &str = "claim ";

impl ClaimPart<'_> {
    fn to_text(self) -> String {
        // A claim is plain data that can always be written, on one line.
        let claim = serde_json::to_string(self.claim).unwrap_or_default();
        let mut text = format!("{CLAIM}{claim}\n{}\n{}\n", fairness_name(self.fairness), self.atoms.len());
        for atom in self.atoms {
            match atom {
                Atom::Holds(expr) => text.push_str(&axle_model::dump::expr(expr)),
                Atom::Accepting => text.push_str(ACCEPTING),
            }
            text.push('\n');
        }
        text
    }

    fn of_lines(lines: &mut Lines<'_>) -> Option<Option<(Claim, Vec<Atom>, Fairness)>> {
        let Some(claim) = lines.next()?.strip_prefix(CLAIM) else { return Some(None) };
        let claim: Claim = serde_json::from_str(claim).ok()?;
        let named = lines.next()?;
        let fairness = [Fairness::None, Fairness::Weak, Fairness::Strong];
        let fairness = fairness.into_iter().find(|fairness| fairness_name(*fairness) == named)?;
        let count: usize = lines.next()?.parse().ok()?;
        let mut atoms = Vec::new();
        for _ in 0..count {
            atoms.push(match lines.next()? {
                ACCEPTING => Atom::Accepting,
                text => Atom::Holds(axle_model::parse::parse_expr(text).ok()?),
            });
        }
        Some(Some((claim, atoms, fairness)))
    }
}

/// The proposition that some process is at a location with an acceptance label. No expression has this form.
const ACCEPTING: &str = "<accepting>";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_assignment_is_read_back() {
        let (mut read, mut with_claim) = (0, 0);
        for (name, model) in axle_compare::models::models("tests/conformance") {
            let limits = Limits { depth: (read % 3 == 0).then_some(read), ..Limits::default() };
            let disk = read % 5 == 0;
            let mut config = Config { limits, disk, ..Config::of_kind(SystemKind::Model) };
            config.checks.insert(Check::Truncation);
            let graph = if read % 2 == 0 { Reduction::None } else { Reduction::Stubborn };
            let stated = axle_question::claims::stated(&model);
            let claims = stated.iter().filter_map(|one| Some((one.claim.as_ref().ok()?, &one.atoms[..])));
            let parts = claims.map(|(claim, atoms)| ClaimPart { claim, atoms, fairness: Fairness::Weak });
            for claim in parts.map(Some).chain([None]) {
                let sent = Assignment { model: &model, graph, config: &config, workers: 3, claim };
                let received = Assignment::of_text(&sent.to_text()).unwrap();
                let text = axle_model::dump::dump(&received.model);
                assert_eq!(text, axle_model::dump::dump(&model), "{name}");
                assert_eq!((received.graph, received.config.threads), (graph, 3));
                assert_eq!(received.config.disk, disk);
                assert_eq!(received.config.checks, config.checks);
                assert_eq!(received.config.limits, config.limits);
                match (&received.claim, claim) {
                    (None, None) => {}
                    (Some((claim, atoms, fairness)), Some(sent)) => {
                        assert_eq!((claim, *fairness), (sent.claim, sent.fairness), "{name}");
                        assert_eq!(atoms, sent.atoms, "{name}");
                        with_claim += 1;
                    }
                    other => panic!("{name}: {:?}", other.0.is_some()),
                }
            }
            read += 1;
        }
        assert!(read > 150 && with_claim > 30, "{read} models, {with_claim} claims");
    }

    #[test]
    fn other_texts_are_refused() {
        for text in ["", "assignment 2", "assignment 1\nwhole\n1\nauto\nnone\nnone\nnone\n\n", "GET /\n\n"] {
            assert!(Assignment::of_text(text).is_none(), "{text}");
        }
    }
}
