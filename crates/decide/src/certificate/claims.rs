//! Certificates of claims: invariants of the model with a monitor, in which the acceptance of the claim is
//! reduced to bad states ([`Acceptance`]).
//!
//! ```text
//! axle-claims 1
//! claim answered
//! fairness none
//! acceptance rounds 2
//! axle-invariant 1
//! ...
//! end
//! acceptance loops
//! axle-invariant 1
//! ...
//! end
//! ```
//!
//! Each invariant is that of one system. Together they exclude the bad states that stand for an accepted
//! execution, and those in which the reduction does not describe the executions of the model
//! ([`Cause::is_obstacle`]). The text of an invariant of the model itself may precede the first line.
//!
//! *Entry points:* [`write_claims`], [`split`], [`verify_claim`].
//! *Invariant:* a claim is verified only if one part excludes all its accepting bad states, and one all its
//! obstacles. A system that states acceptance by signals has no accepting bad states, so it is refused.

use std::fmt::Write;

use super::text::{HEADER, TextError, TextProblem};
use super::{Certificate, Unverified, verify};
use crate::model::{Acceptance, Problem};
use crate::system::Cause;
use crate::watch::Poll;

/// The line before the claims.
pub const CLAIMS: &str = "axle-claims 1";

/// An invariant of the model with a monitor.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ClaimPart {
    /// How the acceptance of the claim is reduced.
    pub acceptance: Acceptance,
    /// The text of the invariant.
    pub text: String,
}

/// The proof that no execution is accepted by a claim.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ClaimProof {
    /// The name of the property.
    pub name: String,
    /// Whether it is proved under weak fairness of all processes.
    pub is_fair: bool,
    /// The invariants.
    pub parts: Vec<ClaimPart>,
}

/// The text of proofs, without an invariant of the model itself.
#[must_use]
pub fn write_claims(proofs: &[ClaimProof]) -> String {
    let mut text = format!("{CLAIMS}\n");
    for proof in proofs {
        let fairness = if proof.is_fair { "weak" } else { "none" };
        let _ = writeln!(text, "claim {}\nfairness {fairness}", proof.name);
        for part in &proof.parts {
            match part.acceptance {
                Acceptance::Rounds(rounds) => _ = writeln!(text, "acceptance rounds {rounds}"),
                Acceptance::Loops => text.push_str("acceptance loops\n"),
                Acceptance::Justice => text.push_str("acceptance justice\n"),
            }
            text.push_str(&part.text);
        }
    }
    text
}

/// The text of the invariant of a model, if there is one, and the proofs of claims.
///
/// # Errors
/// The text is malformed. Invariants are read when they are verified.
pub fn split(text: &str) -> Result<(Option<&str>, Vec<ClaimProof>), TextError> {
    let mut at = 0;
    let lines: Vec<(usize, &str)> = text
        .split_inclusive('\n')
        .map(|line| {
            let begin = at;
            at += line.len();
            (begin, line.strip_suffix('\n').unwrap_or(line))
        })
        .collect();
    let Some(first) = lines.iter().position(|(_, line)| *line == CLAIMS) else {
        return Ok((Some(text), Vec::new()));
    };
    let own = Some(&text[..lines[first].0]).filter(|own| !own.is_empty());
    let expected = |at: usize, what| TextError { line: at + 1, problem: TextProblem::Expected(what) };
    let mut proofs: Vec<ClaimProof> = Vec::new();
    let mut at = first + 1;
    let field = |at: usize, what: &'static str| {
        let line = lines.get(at).and_then(|(_, line)| line.strip_prefix(what)?.strip_prefix(' '));
        line.ok_or_else(|| expected(at, what))
    };
    while at < lines.len() {
        let name = field(at, "claim")?.to_owned();
        let is_fair = match field(at + 1, "fairness")? {
            "none" => false,
            "weak" => true,
            _ => return Err(expected(at + 1, "fairness none")),
        };
        at += 2;
        let mut parts = Vec::new();
        while let Ok(acceptance) = field(at, "acceptance") {
            let acceptance = reduction(acceptance).ok_or_else(|| expected(at, "acceptance loops"))?;
            let (begin, header) = lines.get(at + 1).copied().ok_or_else(|| expected(at + 1, HEADER))?;
            if header != HEADER {
                return Err(expected(at + 1, HEADER));
            }
            at += 2;
            while let Some((_, line)) = lines.get(at).filter(|(_, line)| *line != "end") {
                if line.starts_with("acceptance ") {
                    return Err(expected(at, "end"));
                }
                at += 1;
            }
            if at >= lines.len() {
                return Err(expected(at, "end"));
            }
            at += 1;
            let end = lines.get(at).map_or(text.len(), |(begin, _)| *begin);
            parts.push(ClaimPart { acceptance, text: text[begin..end].to_owned() });
        }
        if parts.is_empty() {
            return Err(expected(at, "acceptance"));
        }
        proofs.push(ClaimProof { name, is_fair, parts });
    }
    if proofs.is_empty() { Err(expected(at, "claim")) } else { Ok((own, proofs)) }
}

/// A reduction by its name in the text.
fn reduction(text: &str) -> Option<Acceptance> {
    if text == "loops" {
        return Some(Acceptance::Loops);
    }
    let rounds = text.strip_prefix("rounds ")?;
    let number: u32 = rounds.parse().ok().filter(|number| *number > 0)?;
    (number.to_string() == rounds).then_some(Acceptance::Rounds(number))
}

/// Checks the proof of a claim, of which the systems are given if there are any; returns them with their
/// certificates.
///
/// # Errors
/// An invariant is malformed or refused, or the parts do not exclude all bad states of the claim.
pub fn verify_claim(
    proof: &ClaimProof,
    mut problem: impl FnMut(Acceptance) -> Option<Problem>,
    poll: Poll<'_>,
) -> Result<Vec<(Problem, Certificate)>, Unverified> {
    let (mut excludes_accepted, mut excludes_obstacles) = (false, false);
    let mut verified = Vec::new();
    for part in &proof.parts {
        if part.acceptance == Acceptance::Justice {
            return Err(Unverified::Accepted);
        }
        let problem = problem(part.acceptance).ok_or(Unverified::Accepted)?;
        let certificate = verify(&problem.system, &part.text, &mut *poll)?;
        let excludes = |wanted: fn(Cause) -> bool| {
            let mut bads = problem.system.bads.iter().enumerate();
            bads.all(|(position, bad)| !wanted(bad.cause) || certificate.bads.contains(&position))
        };
        excludes_accepted |= excludes(Cause::is_accepting);
        excludes_obstacles |= excludes(Cause::is_obstacle);
        verified.push((problem, certificate));
    }
    match (excludes_accepted, excludes_obstacles) {
        (true, true) => Ok(verified),
        (false, _) => Err(Unverified::Accepted),
        (true, false) => Err(Unverified::Obstacle),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_split_into_what_was_written() {
        let part = |acceptance, clause: &str| ClaimPart {
            acceptance,
            text: format!("{HEADER}\ndepth 1\ndistinct no\n{clause}end\n"),
        };
        let parts = vec![part(Acceptance::Rounds(4), "clause x.0=1\n"), part(Acceptance::Loops, "")];
        let proofs = vec![
            ClaimProof { name: "never claim".to_owned(), is_fair: false, parts },
            ClaimProof {
                name: "b".to_owned(),
                is_fair: true,
                parts: vec![part(Acceptance::Loops, "clause\n")],
            },
        ];
        let text = write_claims(&proofs);
        assert_eq!(split(&text), Ok((None, proofs.clone())));
        let own = format!("{HEADER}\ndepth 1\ndistinct no\nend\n");
        assert_eq!(split(&format!("{own}{text}")), Ok((Some(&*own), proofs)));
        assert_eq!(split(&own), Ok((Some(&*own), Vec::new())));
        let lines: Vec<&str> = text.lines().collect();
        for at in 1..lines.len() {
            let mut other = lines.clone();
            other.remove(at);
            let is_read = split(&other.join("\n")).is_ok();
            // The other records are those of invariants.
            let is_own = ["claim", "fairness", "acceptance", "end", HEADER];
            let expected = !is_own.iter().any(|own| lines[at].split(' ').next() == own.split(' ').next());
            assert_eq!(is_read, expected, "without {at}: {}", lines[at]);
        }
        for wrong in ["acceptance rounds 0", "acceptance rounds 04", "acceptance justice", "acceptance"] {
            assert!(split(&text.replace("acceptance rounds 4", wrong)).is_err(), "{wrong}");
        }
    }
}
