//! A timeline or formula that is being written: its picture, formula and automaton.

use axle_ltl::print::formula;
use axle_ltl::timeline;
use serde::{Deserialize, Serialize};

use super::answer::{Data, SCHEMA, json};
use crate::fault::Fault;
use crate::pages::frame::Visitor;
use crate::view::figure;
use crate::view::timeline::figure as drawn;
use crate::view::words;

/// The longest text that is read.
const LONGEST: usize = 64 << 10;

/// States of an automaton beyond which it is not drawn.
const MOST_STATES: usize = 24;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Request {
    timeline: String,
}

#[derive(Default, Serialize)]
struct Preview {
    schema: u32,
    faults: Vec<FaultReport>,
    picture: Option<String>,
    formula: Option<String>,
    automaton: Option<String>,
    /// Short executions that satisfy the timeline, in words.
    satisfying: Vec<String>,
    /// Short executions that violate it.
    violating: Vec<String>,
}

#[derive(Serialize)]
struct FaultReport {
    line: usize,
    code: &'static str,
    message: String,
    remedy: &'static str,
}

/// Shows what a timeline means.
pub async fn show(_: Visitor, body: String) -> Data {
    if body.len() > LONGEST {
        return Err(Fault::new(
            axum::http::StatusCode::PAYLOAD_TOO_LARGE,
            "The timeline is longer than 64 KiB.",
        )
        .into());
    }
    let request: Request = serde_json::from_str(&body)
        .map_err(|fault| Fault::invalid(format!("The body is invalid: {fault}.")))?;
    let text = request.timeline;
    // Automata of formulas can need much time: they are built in a thread for blocking work.
    let preview = tokio::task::spawn_blocking(move || preview(&text)).await;
    json(&preview.map_err(|_| Fault::internal("the request was abandoned"))?)
}

fn preview(text: &str) -> Preview {
    match timeline::parse(text) {
        Err(faults) => Preview {
            schema: SCHEMA,
            faults: (faults.into_iter())
                .map(|fault| FaultReport {
                    line: text[..fault.at.start.min(text.len())].matches('\n').count() + 1,
                    code: fault.code,
                    message: fault.message,
                    remedy: fault.remedy,
                })
                .collect(),
            ..Preview::default()
        },
        Ok(line) => {
            let automaton = timeline::automaton(&line).ok();
            let stated = axle_ltl::translate(&timeline::formula(&line)).ok();
            Preview {
                schema: SCHEMA,
                faults: Vec::new(),
                satisfying: stated.map_or_else(Vec::new, |stated| words::listed(&stated, &line.atoms)),
                violating: automaton
                    .as_ref()
                    .map_or_else(Vec::new, |automaton| words::listed(automaton, &line.atoms)),
                picture: Some(drawn(&line)),
                formula: Some(formula(&timeline::formula(&line), &line.atoms)),
                automaton: automaton
                    .filter(|one| one.states.len() <= MOST_STATES)
                    .map(|automaton| figure::automaton(&automaton, &line.atoms)),
            }
        }
    }
}
