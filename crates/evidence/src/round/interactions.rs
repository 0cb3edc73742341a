//! The feature interaction matrix: for two features, whether the properties of one hold while the
//! other is enabled.
//!
//! A run belongs to the pair (f, g) if its property belongs to f and its constraint permits g to be
//! enabled. Where the constraint leaves g open, the run covers executions with and without g.
//!
//! *Entry point:* [`interactions`].
//! *Source:* G. J. Holzmann and M. H. Smith, "Automating Software Feature Verification", Bell Labs
//! Technical Journal 5(2), 2000: interactions are violations under combinations of features.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{Judgement, RoundProperty};

/// The properties of one feature while another one is enabled.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Interaction {
    /// The feature of the properties.
    pub feature: String,
    /// The feature that is enabled.
    pub with: String,
    /// Runs that hold.
    pub holds: u64,
    /// Names of the runs that are violated.
    pub violated: Vec<String>,
    /// Runs without verdict.
    pub unknown: u64,
}

/// The pairs of different features with at least one run, by feature and enabled feature.
pub fn interactions(properties: &[RoundProperty]) -> Vec<Interaction> {
    let mut pairs: BTreeMap<(String, String), Interaction> = BTreeMap::new();
    for property in properties {
        let Some(feature) = &property.feature else { continue };
        for run in &property.runs {
            for with in run.enabled.iter().filter(|with| *with != feature) {
                let pair = pairs.entry((feature.clone(), with.clone())).or_insert_with(|| Interaction {
                    feature: feature.clone(),
                    with: with.clone(),
                    holds: 0,
                    violated: Vec::new(),
                    unknown: 0,
                });
                match run.judgement {
                    Judgement::Passed | Judgement::FaultGone | Judgement::Vacuous => pair.holds += 1,
                    Judgement::Failed | Judgement::KnownFault => pair.violated.push(run.name.clone()),
                    Judgement::Unknown | Judgement::Internal => pair.unknown += 1,
                }
            }
        }
    }
    pairs.into_values().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::round::tests::{property, run};

    #[test]
    fn runs_count_for_every_enabled_feature_but_their_own() {
        let enabled = |judgement, names: &[&str]| {
            let names = names.iter().map(|name| name.to_string()).collect();
            super::super::RoundRun { enabled: names, ..run("tone", "some", judgement) }
        };
        let runs = vec![
            enabled(Judgement::Passed, &["basic", "hotline"]),
            enabled(Judgement::Failed, &["hotline", "waiting"]),
            enabled(Judgement::Unknown, &["waiting"]),
        ];
        let found = interactions(&[property("tone", "basic", runs)]);
        let told: Vec<_> = (found.iter())
            .map(|one| (one.feature.as_str(), one.with.as_str(), one.holds, one.violated.len(), one.unknown))
            .collect();
        assert_eq!(told, [("basic", "hotline", 1, 1, 0), ("basic", "waiting", 0, 1, 1)]);
    }
}
