//! The search for an execution that a claim accepts: the product is built, its states are reached, and its
//! fair cycles are found; with wider codes once more if a value does not fit.
//!
//! Where choices at the start divide the executions into parts, one search answers for each part: its states
//! are the reached states in which its condition holds, because the condition stays false once it is false.
//!
//! *Entry points:* [`accepts`], [`accepts_in_parts`].
//! *Invariant:* an answer without a counterexample and without a reason to stop is that of all states of
//! the product.

use axle_outcome::{AtomFault, Claim, ClaimCoverage, Fairness, Finding, Stop};
use axle_relation::{Relation, VariableId};
use num_bigint::BigUint;

use crate::package::Package;
use crate::reordering::better_order;
use crate::search::{Halt, Search};
use crate::widths::Code;
use crate::{Options, Progress, SymbolicError};
use crate::{build, build_within, count, encoding, liveness, order, reach, reordering, widths};

/// A step of a product: the claim moves, then the system.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProductStep {
    /// The index of the claim's edge among those of its location.
    pub edge: u32,
    /// The groups of the relation that the system executes, in order; none where it stutters.
    pub groups: Vec<u32>,
}

/// The steps of a counterexample as groups of the relation: what [`Finding`] states as positions among the
/// successors of the interpreter.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct GroupPath {
    /// The steps before the cycle, or to a violation of the claim.
    pub stem: Vec<ProductStep>,
    /// The cycle; empty for a violation.
    pub cycle: Vec<ProductStep>,
}

/// The answer for a claim.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ClaimAnswer {
    /// A counterexample; none if the claim accepts no execution and the search has ended.
    pub finding: Option<Finding>,
    /// The same as groups.
    pub groups: Option<GroupPath>,
    /// The number of states of the product, 0 if the search did not end.
    pub states: BigUint,
    /// The reason for an incomplete search.
    pub stop: Option<Stop>,
    /// A step would create more processes than the relation has: states are missing.
    pub is_beyond: bool,
    /// Propositions without a value that the claim depends on; they count as false.
    pub faults: Vec<AtomFault>,
    /// The locations and edges of the claim that reached states have.
    pub coverage: ClaimCoverage,
    /// The number of bytes of all tables.
    pub bytes: u64,
}

/// A question about a claim.
#[derive(Clone, Copy)]
pub(crate) struct Question<'q> {
    pub claim: &'q Claim,
    pub fairness: Fairness,
    /// Whether the stem is to be a shortest one.
    pub shortest: bool,
    /// The propositions of the relation that state the parts; none for all executions together.
    pub parts: Option<&'q [usize]>,
}

/// The codes of the variables of a relation, and their order.
pub(crate) struct Coding {
    pub codes: Vec<Code>,
    pub order: Vec<VariableId>,
}

impl Coding {
    /// The first estimate.
    fn first(relation: &Relation) -> Coding {
        let codes = widths::estimate(relation);
        let order = order::order(relation, &codes);
        Coding { codes, order }
    }
}

/// Searches a relation for an execution that a claim accepts, whose atoms are the propositions of the
/// relation; on request with a shortest stem. `observe` is called between images; a reason that it returns
/// ends the search.
///
/// # Errors
/// The claim or the relation is not supported, or the diagrams of the product exceed the limit.
pub fn accepts(
    relation: &Relation,
    options: Options,
    (claim, fairness, shortest): (&Claim, Fairness, bool),
    observe: &mut dyn FnMut(Progress) -> Option<Stop>,
) -> Result<ClaimAnswer, SymbolicError> {
    let coding = Coding::first(relation);
    let question = Question { claim, fairness, shortest, parts: None };
    Ok(search(relation, options, coding, question, observe)?.remove(0))
}

/// The answers for parts of the executions, in one search. A part is stated by a proposition of the relation,
/// by its number, and consists of the executions in which that is always true. Where the proposition is
/// false, it has to stay false.
///
/// # Errors
/// As [`accepts`].
pub fn accepts_in_parts(
    relation: &Relation,
    options: Options,
    (claim, fairness): (&Claim, Fairness),
    parts: &[usize],
    observe: &mut dyn FnMut(Progress) -> Option<Stop>,
) -> Result<Vec<ClaimAnswer>, SymbolicError> {
    if parts.iter().any(|part| *part >= relation.propositions.len()) {
        return Err(SymbolicError::Claim);
    }
    let coding = Coding::first(relation);
    let question = Question { claim, fairness, shortest: false, parts: Some(parts) };
    search(relation, options, coding, question, observe)
}

/// As [`accepts`] and [`accepts_in_parts`], with codes and an order to begin with: an answer for each part.
pub(crate) fn search(
    relation: &Relation,
    options: Options,
    mut coding: Coding,
    question: Question<'_>,
    observe: &mut dyn FnMut(Progress) -> Option<Stop>,
) -> Result<Vec<ClaimAnswer>, SymbolicError> {
    let claim = question.claim;
    if claim.check().is_err() || claim.atoms as usize > relation.propositions.len() {
        return Err(SymbolicError::Claim);
    }
    let unknown = ClaimAnswer {
        finding: None,
        groups: None,
        states: BigUint::ZERO,
        stop: None,
        is_beyond: false,
        faults: Vec::new(),
        coverage: ClaimCoverage::none(claim),
        bytes: 0,
    };
    let mut most_live = options.reorder;
    // After a new order: the order before, and the most nodes while the relation is lowered in the new one.
    let mut before: Option<(Vec<VariableId>, usize)> = None;
    loop {
        let (codes, order) = liveness::extended(claim, &coding.codes, &coding.order);
        let space = match before.take() {
            None => build(relation, &codes, &order, options, observe)?,
            Some((old, most)) => match build_within(relation, &codes, &order, (options, most), observe)? {
                Some(space) => space,
                None => {
                    (coding.order, most_live) = (old, usize::MAX);
                    continue;
                }
            },
        };
        if !space.is_composed {
            return Err(SymbolicError::Sequences);
        }
        let product = liveness::Product::new(space, relation, claim)
            .map_err(|_| SymbolicError::TooLarge { nodes: options.sizes().0, step: None })?;
        let mut search = Search::new(&product.space, observe);
        search.limit_live(most_live);
        let mut answers = Vec::new();
        let found = loop {
            match in_product(&product, &mut search, question, &unknown, &mut answers) {
                Err(Halt::Order) => {}
                found => break found,
            }
            most_live = most_live.saturating_mul(reordering::FACTOR);
            match better_order(&mut search, order::is_same_block(relation)) {
                // The search goes on, with most of its results in the cache.
                Ok(None) => search.limit_live(most_live),
                Ok(Some(mut better)) => {
                    // The variables of the claim stay at the bottom.
                    better.retain(|variable| variable.index() < relation.variables.list().len());
                    let most = reordering::MOST_GROWTH * product.space.package().collect();
                    before = Some((std::mem::replace(&mut coding.order, better), most));
                    break Err(Halt::Order);
                }
                Err(halt) => break Err(halt),
            }
        };
        let bytes = product.space.package().bytes();
        if let Err(Halt::Stop(stop)) = found {
            let all = question.parts.map_or(1, <[usize]>::len);
            answers.resize(all, ClaimAnswer { stop: Some(stop), ..unknown.clone() });
        }
        match found {
            Ok(()) | Err(Halt::Stop(_)) => {
                answers.iter_mut().for_each(|answer| answer.bytes = bytes);
                return Ok(answers);
            }
            Err(Halt::Overflow { step, state }) => {
                let groups = &product.space.steps[step];
                if !encoding::widen(relation, &mut coding.codes, state, groups) {
                    return Err(SymbolicError::Overflow);
                }
            }
            Err(Halt::Order) => {}
        }
    }
}

/// Searches a product, and adds the answers for the parts one after the other. `unknown`: an answer without
/// content.
fn in_product<P: Package>(
    product: &liveness::Product<'_, P>,
    search: &mut Search<'_, P>,
    Question { fairness, shortest, parts, .. }: Question<'_>,
    unknown: &ClaimAnswer,
    answers: &mut Vec<ClaimAnswer>,
) -> Result<(), Halt> {
    answers.clear();
    let mut rings = Vec::new();
    let reached = match shortest {
        true => reach::breadth_first::breadth_first(search, &mut rings)?,
        false => reach::saturation::saturation(search)?,
    };
    search.limit_live(usize::MAX);
    let is_beyond = search.run(|package| package.intersects(&reached, &product.space.beyond))?;
    let of_parts = parts.into_iter().flatten().map(|part| Some(&product.space.propositions[*part]));
    let conditions = if parts.is_some() { of_parts.collect() } else { vec![None] };
    for condition in conditions {
        let within = match condition {
            Some(condition) => search.intersection(&reached, condition)?,
            None => reached.clone(),
        };
        let mut answer = ClaimAnswer { is_beyond, ..unknown.clone() };
        answer.coverage = product.coverage(search, &within)?;
        answer.faults = product.faults(search, (&reached, &within), &rings)?;
        if let Some((finding, groups)) = product.accepted(search, (&reached, &within), &rings, fairness)? {
            (answer.finding, answer.groups) = (Some(finding), Some(groups));
        }
        let observable = search.intersection(&within, &product.space.observable)?;
        answer.states = count::count(product.space.package(), &observable, product.space.bits());
        answers.push(answer);
    }
    Ok(())
}
