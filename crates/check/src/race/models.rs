//! The race of a check of a model.
//!
//! *Entry point:* [`of_model`].
//! *Invariant:* "holds" is concluded only from an exact search that ended by itself. A violation of an
//! attempt is replayed like any other.

use axle_coroutine::Host;
use axle_evidence::report::{ConflictReport, Verdict};
use axle_explicit::lossy;
use axle_outcome::{Answer as Answered, Attempted, Counterexample, Proof, Steps, Witness, join};
use axle_question::EngineId;
use axle_question::checks::Check;
use axle_search::{Monitor, Outcome, Stop, Violation, ViolationKey};

use crate::judgement::confirm;
use crate::judgement::runs::{Runs, hunted as hunted_runs, unanswered};
use crate::plan;
use crate::plan::attempt::{Attempt, Share, Target};
use crate::plan::engines::{Answer, Led, Question, Search, Task, named};
use crate::race::lane::Lane;
use crate::race::lanes::{Judge, Lanes};
use crate::race::lead;
use crate::race::log::{End, Executed};

/// The results of all attempts beside the leading one.
#[derive(Debug, Default)]
pub(crate) struct Decided {
    /// For each property, the result of a search that decided it.
    pub properties: Vec<Option<Runs>>,
    /// The violations found are as many as were asked for.
    pub is_full: bool,
    /// The hunters that found violations of the searched model first.
    pub finders: Vec<(ViolationKey, Attempt)>,
    /// The reason that ended the attempts after the exact search.
    pub stop: Option<Stop>,
    /// The attempts that were executed.
    pub attempts: Vec<Executed>,
    /// One attempt found a violation in a system in which another one proved that there is none.
    pub contradiction: Option<ConflictReport>,
}

impl Decided {
    /// The hunter that found a violation first.
    pub fn finder(&self, key: ViolationKey) -> Option<&Attempt> {
        self.finders.iter().find(|(known, _)| *known == key).map(|(_, attempt)| attempt)
    }
}

/// The results of the attempts at a model.
pub(super) struct ModelJudge<'e> {
    pub question: Question<'e>,
    /// The result for each property that is decided.
    pub decided: Vec<Option<Runs>>,
    /// Violations of the searched model found by hunters, each once, and which hunter was first.
    found: Vec<Violation>,
    finders: Vec<(ViolationKey, Attempt)>,
    /// The result of an exhaustive search for violations of states by an engine that does not lead.
    states: Option<Led>,
    /// Violations of the searched model that were reported to the monitor.
    announced: Vec<ViolationKey>,
}

/// Executes the plan for a question. `leading`: the search of the attempt that leads; `nothing` is the
/// result without it.
pub(crate) fn of_model<'e>(
    question: Question<'e>,
    leading: Option<Search<'e, Answer>>,
    nothing: impl FnOnce(Option<Stop>) -> Led,
    monitor: Host<'e>,
) -> (Led, Decided) {
    let plan = plan::attempts(question.model, question.config, question.properties);
    let resources = (question.config.limits.memory, question.config.threads);
    std::thread::scope(|scope| {
        let judge = ModelJudge::new(question);
        let mut race = Lanes::new(scope, &plan, resources, judge, monitor);
        let leading_attempt = plan.iter().find(|attempt| attempt.leads());
        let mut led = match (race.begin(), leading_attempt.zip(leading)) {
            (None, Some((attempt, search))) => {
                let entry = race.log.started(attempt);
                let answer = lead(scope, search, &mut race);
                race.log.ended(entry, End::Answered);
                match answer {
                    Some(Answer::Led(led)) => *led,
                    // There is no thread for the search.
                    Some(_) | None => nothing(Some(Stop::Memory)),
                }
            }
            (Some(stop), Some(_)) => nothing(Some(stop)),
            (_, None) => nothing(None),
        };
        let decided = finish(race, &mut led, &plan);
        (led, decided)
    })
}

/// Continues the engines and the searches for properties, and adds the violations of the others to those of
/// the leading search.
fn finish<'scope, 'e: 'scope>(
    mut race: Lanes<'scope, 'e, ModelJudge<'e>>,
    led: &mut Led,
    plan: &[Attempt],
) -> Decided {
    let stop = led.explored.outcome.stop;
    let is_over = matches!(stop, Some(Stop::Time | Stop::Interrupted | Stop::Checkpoint));
    let is_decided = race.judge.is_leading_decided();
    let mut stops = (is_over && !is_decided) || race.ended_lead;
    let mut ended = None;
    if stop == Some(Stop::Memory) && !stops {
        ended = race.continue_engines(led.explored.outcome.states);
        stops |= ended.is_some();
    }
    if let Some(states) = race.judge.states.take() {
        *led = states;
    }
    race.retire_all(|attempt| stops || attempt.target == Target::States);
    let contradiction = contradiction((&led.explored.outcome, led.engine), &race.judge.finders);
    let known_states = led.counted_states().filter(|_| led.explored.outcome.stop.is_none());
    let outcome = &mut led.explored.outcome;
    race.announce(&outcome.violations);
    let mut finders = std::mem::take(&mut race.judge.finders);
    finders.retain(|(key, _)| !outcome.violations.iter().any(|known| known.key() == *key));
    for violation in &race.judge.found {
        if !outcome.violations.iter().any(|known| known.key() == violation.key()) {
            outcome.violations.push(violation.clone());
            outcome.found += violation.count;
        }
    }
    if let Some(limit) = race.judge.question.config.limits.errors {
        outcome.violations.truncate(usize::try_from(limit).unwrap_or(usize::MAX));
    }
    let stop = if stops { ended } else { race.continue_properties(outcome.states, known_states) };
    race.judge.close(stop, plan);
    Decided {
        properties: std::mem::take(&mut race.judge.decided),
        is_full: race.ended_lead,
        finders,
        stop,
        attempts: race.log.into_entries(),
        contradiction,
    }
}

impl<'scope, 'e: 'scope> Lanes<'scope, 'e, ModelJudge<'e>> {
    /// Replays violations of the searched model and reports those that are new.
    fn announce(&mut self, violations: &[Violation]) {
        if let Some(host) = &mut self.host {
            self.judge.announce(violations, &mut **host);
        }
    }
}

impl<'e> ModelJudge<'e> {
    pub fn new(question: Question<'e>) -> ModelJudge<'e> {
        ModelJudge {
            decided: question.properties.iter().map(|_| None).collect(),
            question,
            found: Vec::new(),
            finders: Vec::new(),
            states: None,
            announced: Vec::new(),
        }
    }

    /// Leaves the properties open that a selected engine does not search for: no other engine is asked.
    fn close(&mut self, stop: Option<Stop>, plan: &[Attempt]) {
        let Question { config, properties, .. } = self.question;
        let Some(engine) = config.other_engine().filter(|_| stop.is_none()) else { return };
        let searched = |index| {
            let is_search = |attempt: &Attempt| {
                attempt.share == Share::After
                    && matches!(attempt.target, Target::Property(property, _) if property == index)
            };
            plan.iter().any(is_search)
        };
        for (index, (decided, one)) in self.decided.iter_mut().zip(properties).enumerate() {
            if !searched(index) {
                decided.get_or_insert_with(|| unanswered(one, engine));
            }
        }
    }

    /// Whether a property is not decided.
    pub fn is_undecided(&self, property: usize) -> bool {
        self.decided.get(property).is_some_and(Option::is_none)
    }

    /// Takes the result for a property and reports its violations.
    fn decide(&mut self, property: usize, runs: Runs, monitor: &mut dyn Monitor) {
        for (_, report) in &runs.violations {
            monitor.violated(&report.property, &report.message);
        }
        self.decided[property] = Some(runs);
    }

    /// Adds the violations of an attempt.
    fn merge(&mut self, violations: &[Violation], attempt: &Attempt, monitor: &mut dyn Monitor) {
        self.announce(violations, monitor);
        for violation in violations {
            if !self.found.iter().any(|known| known.key() == violation.key()) {
                self.finders.push((violation.key(), attempt.clone()));
            }
            lossy::merge_violation(&mut self.found, violation);
        }
    }

    fn announce(&mut self, violations: &[Violation], monitor: &mut dyn Monitor) {
        let Question { model, searched, config, .. } = self.question;
        for violation in violations {
            if self.announced.contains(&violation.key()) {
                continue;
            }
            self.announced.push(violation.key());
            if let Some(report) = confirm::report(model, searched, config, violation) {
                monitor.violated(&report.property, &report.message);
            }
        }
    }
}

/// A violation that one of these attempts has found although the outcome of an engine proves that there is
/// none.
fn contradiction(
    (outcome, engine): (&Outcome, EngineId),
    finders: &[(ViolationKey, Attempt)],
) -> Option<ConflictReport> {
    let proof = match outcome.stop {
        None if outcome.violations.is_empty() => Answered::Proved(Proof::EXHAUSTIVE),
        None | Some(_) => return None,
    };
    let (key, finder) = finders.first()?;
    let refuted = Answered::Refuted(Witness { shape: Counterexample::Prefix, steps: Steps::Absent });
    join([proof, refuted].map(Attempted::from)).err()?;
    Some(ConflictReport {
        check: Check::of(key.0.kind).name().to_string(),
        proved_by: engine.to_string(),
        refuted_by: finder.name().to_string(),
    })
}

/// The reason if it ends the whole check.
fn ends_check(stop: Option<Stop>) -> Option<Stop> {
    stop.filter(|stop| matches!(stop, Stop::Time | Stop::Interrupted))
}

impl<'e> Judge<'e> for ModelJudge<'e> {
    type Answer = Answer;

    fn search(&mut self, lane: &mut Lane<'_, 'e, Answer>) -> Search<'e, Answer> {
        if let Target::BadPrefixes(numbers) = &lane.attempt.target {
            lane.hunted = numbers.iter().copied().filter(|&one| self.is_undecided(one)).collect();
        }
        let task = Task {
            attempt: lane.attempt.clone(),
            hunted: lane.hunted.clone(),
            statements: lane.statements.clone(),
        };
        match named(lane.attempt.engine) {
            Some(engine) => engine.start(&self.question, task),
            None => Box::new(|_| Answer::Nothing),
        }
    }

    fn take(
        &mut self,
        lane: &Lane<'_, 'e, Answer>,
        answer: Answer,
        is_last: bool,
        monitor: &mut dyn Monitor,
    ) -> Option<Stop> {
        let attempt = &lane.attempt;
        match (answer, &attempt.target) {
            (Answer::Property(runs), Target::Property(property, _)) => {
                let stop = ends_check(runs.stop);
                // After the leading search a limit ends the check: what the exact search covered is
                // reported. The engines beside it leave nothing behind that would replace it.
                let is_beside = matches!(attempt.share, Share::Fraction(_));
                if is_decided(&runs, attempt.is_conclusive) || is_last && stop.is_some() && !is_beside {
                    self.decide(*property, *runs, monitor);
                }
                stop
            }
            (Answer::BadPrefixes { violations, stop }, _) => {
                for violation in violations {
                    let hunted = lane.hunted.get(violation.site.0 as usize).copied();
                    let Some(property) = hunted.filter(|&one| self.is_undecided(one)) else { continue };
                    let Question { model, config, properties, .. } = self.question;
                    let runs =
                        hunted_runs(model, config, &properties[property], &violation.path, attempt.name());
                    self.decide(property, runs, monitor);
                }
                ends_check(stop)
            }
            (Answer::States { violations, stop }, _) => {
                self.merge(&violations, attempt, monitor);
                ends_check(stop)
            }
            (Answer::Led(led), Target::States) => {
                let stop = led.explored.outcome.stop;
                match stop {
                    None => self.states = Some(*led),
                    Some(_) => self.merge(&led.explored.outcome.violations, attempt, monitor),
                }
                ends_check(stop)
            }
            (Answer::Property(_) | Answer::Led(_) | Answer::Nothing, _) => None,
        }
    }

    fn publish(&self) {
        self.question.relations.publish();
    }

    fn is_open(&self, attempt: &Attempt) -> bool {
        match &attempt.target {
            Target::Property(property, _) => self.is_undecided(*property),
            Target::BadPrefixes(formulas) => formulas.iter().any(|one| self.is_undecided(*one)),
            Target::States => !self.is_full(0) && self.states.is_none(),
        }
    }

    fn is_leading_decided(&self) -> bool {
        self.states.is_some()
    }

    fn is_full(&self, others: u64) -> bool {
        let of_properties = self.decided.iter().flatten().filter(|runs| !runs.violations.is_empty()).count();
        let found = self.found.len() + of_properties;
        let limit = self.question.config.limits.errors;
        found > 0 && limit.is_some_and(|limit| found as u64 + others >= limit)
    }
}

/// Whether the result of the search for a property is final. A search that a budget ended decides
/// nothing.
pub(super) fn is_decided(runs: &Runs, is_conclusive: bool) -> bool {
    match runs.properties.first().map(|property| property.verdict) {
        Some(Verdict::Violated) => true,
        Some(Verdict::Holds) => is_conclusive,
        Some(Verdict::Unknown) | None => runs.internal.is_some(),
    }
}

#[cfg(test)]
mod tests {
    use axle_search::Memory;
    use axle_step::{FaultKind, ModelSite};

    use super::*;
    use crate::plan::attempt::{Kind, Share};

    #[test]
    fn a_violation_contradicts_a_proof_and_nothing_else() {
        let attempt = Attempt {
            engine: EngineId::BMC,
            kind: Kind::Whole,
            target: Target::States,
            share: Share::After,
            start: 0,
            is_conclusive: true,
        };
        let site = ModelSite { kind: FaultKind::Assertion, edge: None };
        let finders = [((site, Err(0)), attempt)];
        let outcome = |stop| Outcome {
            states: 1,
            transitions: 1,
            depth: 0,
            violations: Vec::new(),
            found: 0,
            stop,
            taken: Vec::new(),
            memory: Memory::default(),
        };
        let found = |stop, finders| contradiction((&outcome(stop), EngineId::SYMBOLIC), finders);
        let conflict = found(None, &finders).expect("a contradiction");
        let names = (conflict.check.as_str(), conflict.proved_by.as_str(), conflict.refuted_by.as_str());
        assert_eq!(names, ("assertions", "symbolic", "bmc search"));
        assert!(conflict.sentence().contains("bmc search found a violation of assertions, symbolic proved"));
        assert_eq!((found(None, &[]), found(Some(Stop::Memory), &finders)), (None, None));
    }
}
