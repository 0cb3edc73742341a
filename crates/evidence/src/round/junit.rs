//! The report of a round as JUnit XML: a test suite for each feature, a test case for each run, with
//! the property as its class.
//!
//! A known fault passes while it is violated. Once the property holds in all its runs, each of them
//! fails, so that the mark is removed.
//!
//! *Entry point:* [`round_to_junit`].
//! *Invariant:* no failure and no error if and only if `axle run` exits with 0.

use super::{Judgement, Round, RoundBroken, RoundProperty, RoundRun};
use crate::report::junit::{Case, Outcome, Suite, write};

/// The suite of properties without a feature.
const NO_FEATURE: &str = "without a feature";

/// The round as JUnit XML.
pub fn round_to_junit(round: &Round) -> String {
    let mut suites: Vec<Suite> = Vec::new();
    for name in round.features.iter().map(String::as_str).chain([NO_FEATURE]) {
        let is_own = |feature: &Option<String>| match feature {
            Some(feature) if round.features.contains(feature) => feature == name,
            _ => name == NO_FEATURE,
        };
        let properties = round.properties.iter().filter(|one| is_own(&one.feature));
        let broken = round.broken.iter().filter(|one| is_own(&one.feature));
        let cases: Vec<Case> = properties.flat_map(of_property).chain(broken.map(of_broken)).collect();
        if !cases.is_empty() {
            let seconds = cases.iter().filter_map(|case| case.seconds).sum();
            suites.push(Suite { name, seconds, cases });
        }
    }
    write(&suites)
}

fn of_property(property: &RoundProperty) -> Vec<Case<'_>> {
    let runs = property.runs.iter();
    runs.map(|run| Case {
        class: &property.name,
        name: &run.name,
        seconds: Some(run.seconds),
        outcome: outcome(run),
    })
    .collect()
}

/// A property with errors has one case instead of those of its runs.
fn of_broken(property: &RoundBroken) -> Case<'_> {
    Case {
        class: &property.name,
        name: &property.name,
        seconds: None,
        outcome: Outcome::Error("input-error", property.lines()),
    }
}

fn outcome(run: &RoundRun) -> Outcome<'_> {
    match run.judgement {
        Judgement::Passed | Judgement::KnownFault => Outcome::Passed,
        Judgement::Failed => match &run.violation {
            Some(violation) => Outcome::Failure(vec![violation]),
            None => Outcome::Unexpected("violated", "violated".to_string()),
        },
        Judgement::FaultGone => Outcome::Unexpected(
            "fault-gone",
            "the property holds, but is expected to be violated: remove `expected = \"violated\"`"
                .to_string(),
        ),
        Judgement::Vacuous => Outcome::Error("vacuous", run.vacuity.join("; ")),
        Judgement::Unknown => {
            Outcome::Error("unknown", run.reason.clone().unwrap_or_else(|| "undecided".to_string()))
        }
        Judgement::Internal => Outcome::Error("internal-error", run.internal.clone().unwrap_or_default()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::round::tests::{property, round, run};

    #[test]
    fn runs_are_cases_of_the_suite_of_their_feature() {
        let all = [
            Judgement::Passed,
            Judgement::KnownFault,
            Judgement::Failed,
            Judgement::FaultGone,
            Judgement::Vacuous,
            Judgement::Unknown,
            Judgement::Internal,
        ];
        let runs = all.iter().map(|judgement| run("tone", judgement.word(), *judgement)).collect();
        let mut round = round(vec![property("tone", "basic", runs), property("none", "other", Vec::new())]);
        round.features = vec!["basic".to_string(), "other".to_string()];
        let text = round_to_junit(&round);
        assert!(
            text.contains(r#"<testsuite name="basic" tests="7" failures="2" errors="3" skipped="0""#),
            "{text}"
        );
        assert!(
            text.contains(r#"<testcase classname="tone" name="tone@known fault" time="0.500"/>"#),
            "{text}"
        );
        assert!(!text.contains("other"), "{text}");
    }
}
