//! Lock-step comparison of a relation with the interpreter: from the initial state on, the same number
//! of successors in the same order, a bijection between the states of both, the same faults and the same
//! propositions.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use axle_model::{Expr, Model};
use axle_relation::{Evaluation, Executed, Options, Relation, RelationError, Reported};
use axle_step::observe::AtomFault;
use axle_step::{Atom, Batch, Interpreter, Observer, Successors};

/// The most steps inside the sequences from one state.
const MOST_STEPS: usize = 4_000;

/// The most terms of a relation of a test.
const MOST_TERMS: usize = 150_000;

/// What was compared.
#[derive(Clone, Copy, Default, Debug)]
pub struct Compared {
    /// The number of states.
    pub states: usize,
    /// The number of transitions.
    pub transitions: usize,
    /// Whether the relation was too large, or some state was not compared.
    pub partly: bool,
}

/// Which optional faults are compared, and for how many processes.
#[derive(Clone, Copy, Debug)]
pub struct Setting {
    pub truncation: bool,
    pub messages_left: bool,
    pub processes: u32,
}

/// Compares at most `most` states.
pub fn compare(model: &Arc<Model>, setting: Setting, most: usize) -> Result<Compared, String> {
    let Setting { truncation, messages_left, processes } = setting;
    let propositions = propositions(model);
    let options = Options { processes, truncation, messages_left, terms: MOST_TERMS };
    let relation = match Relation::new(model, &options, &propositions) {
        Ok(relation) => relation,
        Err(RelationError::TooLarge(_) | RelationError::TooManyProcesses(_)) => {
            return Ok(Compared { partly: true, ..Compared::default() });
        }
    };
    let options = axle_step::Options { truncation, messages_left, movers: false };
    let mut interpreter = Interpreter::new(Arc::clone(model), options);
    let atoms = propositions.iter().map(|expr| Atom::Holds(expr.clone())).collect();
    let mut observer = Observer::new(&interpreter, atoms);
    let mut faults = Vec::new();
    let initial = interpreter.initial(&mut faults);
    let theirs: Vec<Reported> = (faults.iter())
        .map(|fault| Reported { kind: fault.site.kind, pid: fault.pid, edge: fault.site.edge })
        .collect();
    let ours = relation.initial_faults.iter();
    let ours = ours.map(|fault| Reported { kind: fault.kind, pid: fault.pid, edge: fault.edge }).collect();
    same_faults(theirs, ours).map_err(|why| format!("initial state: {why}"))?;
    let mut pairs = Pairs::default();
    pairs.add(initial, relation.initial.clone())?;
    let mut evaluation = Evaluation::default();
    let mut compared = Compared::default();
    while compared.states < pairs.states.len() && compared.states < most {
        let at = compared.states;
        compared.states += 1;
        let state = pairs.states[at].1.clone();
        let executed = relation.execute(&state, &mut evaluation, MOST_STEPS);
        compared.partly |= executed.is_beyond;
        if executed.cut.is_some() || executed.is_uncounted {
            compared.partly = true;
            continue;
        }
        let mut batch = Batch::default();
        while let Err(grow) = interpreter.expand(&pairs.states[at].0, &mut batch) {
            interpreter.grow(grow.size);
            observer.grow(grow.size);
            pairs.widen(interpreter.width());
        }
        let width = interpreter.width();
        let successors: Vec<&[u8]> = batch.states.chunks_exact(width).collect();
        if successors.len() != executed.counted as usize {
            return Err(format!(
                "state {at}: {} successors of the interpreter, {} of the relation\n{state:?}",
                successors.len(),
                executed.counted
            ));
        }
        let theirs = batch.faults.iter();
        let theirs = theirs.map(|f| Reported { kind: f.site.kind, pid: f.pid, edge: f.site.edge }).collect();
        let Executed { successors: ours, faults, is_beyond, .. } = executed;
        if !is_beyond {
            same_faults(theirs, faults).map_err(|why| format!("state {at} {state:?}: {why}"))?;
        }
        let (mut bits, mut wrong) = (Vec::new(), Vec::new());
        observer.observe(&pairs.states[at].0, &mut bits, &mut wrong);
        evaluation.begin(&relation.terms);
        for (index, proposition) in relation.propositions.iter().enumerate() {
            let here = evaluation.holds(&relation.terms, &state, *proposition);
            if here != (bits[index / 64] >> (index % 64) & 1 == 1) {
                return Err(format!("state {at}: proposition {:?} is {here} here", propositions[index]));
            }
        }
        same_proposition_faults(&relation, &mut evaluation, &state, &wrong)
            .map_err(|why| format!("state {at}: {why}"))?;
        compared.transitions += ours.len();
        for successor in ours {
            let bytes = successors[successor.position as usize].to_vec();
            pairs.add(bytes, successor.state).map_err(|why| format!("from state {at}: {why}"))?;
        }
    }
    Ok(compared)
}

/// Compares the propositions without a value in a state.
fn same_proposition_faults(
    relation: &Relation,
    evaluation: &mut Evaluation,
    state: &[i64],
    theirs: &[AtomFault],
) -> Result<(), String> {
    let ours = relation.proposition_faults.iter();
    let ours = ours.filter(|fault| evaluation.holds(&relation.terms, state, fault.condition));
    let ours: BTreeSet<_> = ours.map(|fault| (fault.proposition, fault.kind.name())).collect();
    let theirs: BTreeSet<_> = theirs.iter().map(|fault| (fault.atom, fault.kind.name())).collect();
    if ours == theirs { Ok(()) } else { Err(format!("no values of {theirs:?}, here of {ours:?}")) }
}

/// The pairs of states found so far.
#[derive(Default)]
struct Pairs {
    states: Vec<(Vec<u8>, Vec<i64>)>,
    by_bytes: HashMap<Vec<u8>, usize>,
    by_values: HashMap<Vec<i64>, usize>,
}

impl Pairs {
    fn add(&mut self, bytes: Vec<u8>, values: Vec<i64>) -> Result<(), String> {
        match (self.by_bytes.get(&bytes), self.by_values.get(&values)) {
            (None, None) => {
                self.by_bytes.insert(bytes.clone(), self.states.len());
                self.by_values.insert(values.clone(), self.states.len());
                self.states.push((bytes, values));
                Ok(())
            }
            (Some(one), Some(other)) if one == other => Ok(()),
            (one, other) => {
                let of = |at: Option<&usize>| at.map(|at| &self.states[*at]);
                Err(format!("{bytes:?} is {:?}\n{values:?} is {:?}", of(one), of(other)))
            }
        }
    }

    fn widen(&mut self, width: usize) {
        self.states.iter_mut().for_each(|(bytes, _)| bytes.resize(width, 0));
        self.by_bytes = self.states.iter().enumerate().map(|(at, (bytes, _))| (bytes.clone(), at)).collect();
    }
}

fn same_faults(theirs: Vec<Reported>, ours: Vec<Reported>) -> Result<(), String> {
    let only = |of: &[Reported], other: &[Reported]| -> Vec<Reported> {
        of.iter().filter(|one| !other.contains(one)).copied().collect()
    };
    let (there, here) = (only(&theirs, &ours), only(&ours, &theirs));
    if there.is_empty() && here.is_empty() {
        return Ok(());
    }
    Err(format!("faults only of the interpreter: {there:?}, only of the relation: {here:?}"))
}

/// Guards that belong to no process, and what an observer may ask besides.
fn propositions(model: &Model) -> Vec<Expr> {
    use axle_model::{Base, ChanRef, Place};
    let of_no_process = |expr: &Expr| {
        let mut own = false;
        axle_model::walk::expr(expr, &mut |e| {
            own |= matches!(
                e,
                Expr::SelfPid
                    | Expr::Channel(ChanRef::Own(_))
                    | Expr::Load(Place { base: Base::Local(_), .. })
                    | Expr::CanReceive { .. }
            );
        });
        !own
    };
    let mut all = vec![Expr::Timeout, Expr::NonProgress];
    for process in &model.processes {
        for expr in process.edges.iter().map(|edge| &edge.guard).chain(&process.provided) {
            if of_no_process(expr) && !all.contains(expr) {
                all.push(expr.clone());
            }
        }
    }
    all.extend((0..3).map(|pid| Expr::Enabled(Box::new(Expr::Const(pid)))));
    all
}
