//! Dependence analysis: data dependence and the control dependence on statements that can block, to
//! a fixpoint.
//!
//! *Entry point:* [`relevant`]. Data objects are variables, channels, process ids, and whether a
//! process is at a location of the criterion. A write to a relevant object is relevant, and so are
//! the objects that it reads. A condition or communication is relevant if a relevant statement is
//! reachable from it, except in bubbles ([`super::bubbles`]). Beyond the source: creating a process
//! is relevant if the process executes a relevant statement or need not terminate; edges of a
//! location that shadow one another (`else`, `unless`) are relevant together; all conditions of an
//! atomic sequence with a relevant statement are relevant.
//!
//! *Source:* Holzmann, *From Code to Models*, ACSD 2001, section 5.1.
//! *Invariant:* an irrelevant condition never blocks its process, or no relevant statement is
//! reachable from it.

use axle_model::access::{self, Action, Purpose, Read, Source, reads};
use axle_model::{Atomicity, Base, Edge, Effect, Expr, LocId, Model, Place, ProcId};
use fixedbitset::FixedBitSet;

use super::alias::Aliases;
use super::bubbles;
use super::{Criterion, Relevant};
use crate::variables::Numbers;

/// The result of the analysis.
#[derive(Clone, Debug)]
pub struct Found {
    /// For each process type and edge.
    pub edges: Vec<Vec<Relevant>>,
    /// For each process type, the effects of its prologue.
    pub prologues: Vec<Vec<bool>>,
    /// The effects of the model's prologue.
    pub prologue: Vec<bool>,
    /// For each global.
    pub globals: Vec<bool>,
    /// For each process type and local.
    pub locals: Vec<Vec<bool>>,
    /// For each channel of the model.
    pub channels: Vec<bool>,
    /// For each process type and edge, whether its atomicity is irrelevant.
    pub released: Vec<Vec<bool>>,
    /// For each process type, the locations of the criterion and of location predicates.
    pub watched: Vec<Vec<LocId>>,
}

impl Found {
    /// Whether the value at a place is relevant.
    pub fn is_relevant(&self, proc: ProcId, place: &Place) -> bool {
        match &place.base {
            Base::Global(id) => self.globals[id.index()],
            Base::Local(id) => self.locals[proc.index()][id.index()],
            Base::Remote { proc, local, .. } => self.locals[proc.index()][local.index()],
        }
    }
}

/// The parts of a model that are relevant to a criterion.
pub fn relevant(model: &Model, criterion: &Criterion, aliases: &Aliases) -> Result<Found, &'static str> {
    let numbers = Numbers::new(model);
    let mut work = Work::new(model, aliases, &numbers, criterion.termination);
    work.begin(criterion)?;
    while std::mem::take(&mut work.grown) {
        work.round()?;
    }
    let regions = work.regions.clone();
    let released = (regions.iter().zip(&work.edges))
        .map(|(regions, edges)| {
            let quiet = |region: usize| {
                !regions.iter().zip(edges).any(|(other, edge)| *other == region && edge.any())
            };
            regions.iter().map(|&region| quiet(region)).collect()
        })
        .collect();
    let data = |object: usize| work.data.contains(object);
    let prologue = model.prologue.iter().map(|effect| work.writes_relevant(None, effect)).collect();
    Ok(Found {
        prologue,
        globals: (0..model.globals.len()).map(data).collect(),
        locals: (model.processes.iter().enumerate())
            .map(|(index, process)| {
                let proc = ProcId::new(index);
                (0..process.locals.len()).map(|local| data(numbers.local(proc, local))).collect()
            })
            .collect(),
        channels: (0..model.channels.len()).map(|channel| data(numbers.count + channel)).collect(),
        released,
        edges: work.edges,
        prologues: work.prologues,
        watched: work.watched,
    })
}

/// The search for what is relevant.
struct Work<'a> {
    model: &'a Model,
    aliases: &'a Aliases<'a>,
    numbers: &'a Numbers,
    /// Relevant data objects: variables, then channels, then the numbers of processes.
    data: FixedBitSet,
    edges: Vec<Vec<Relevant>>,
    prologues: Vec<Vec<bool>>,
    watched: Vec<Vec<LocId>>,
    /// For each process type and edge, a number that it shares with the edges of its uninterrupted
    /// sequences.
    regions: Vec<Vec<usize>>,
    /// For each process type, whether its processes may loop forever, or create processes that may.
    endless: Vec<bool>,
    /// For each process type, whether its processes all exist from the start.
    from_start: Vec<bool>,
    /// There may be more processes or channels than are allowed.
    crowded: bool,
    /// Processes are created.
    creates: bool,
    /// The termination of loops is relevant.
    termination: bool,
    grown: bool,
}

impl<'a> Work<'a> {
    fn new(model: &'a Model, aliases: &'a Aliases<'a>, numbers: &'a Numbers, termination: bool) -> Work<'a> {
        let edges = (model.processes.iter())
            .map(|process| {
                let relevant =
                    |edge: &Edge| Relevant { control: false, effects: vec![false; edge.effects.len()] };
                process.edges.iter().map(relevant).collect()
            })
            .collect();
        let started = |proc: ProcId| started_by(model, proc);
        let procs = || (0..model.processes.len()).map(ProcId::new);
        let mut endless: Vec<bool> = procs().map(|proc| is_cyclic(model, proc)).collect();
        for _ in procs() {
            for proc in procs() {
                if started(proc).iter().any(|other| endless[other.index()] || *other == proc) {
                    endless[proc.index()] = true;
                }
            }
        }
        let all_started: Vec<ProcId> = procs().flat_map(started).collect();
        Work {
            model,
            aliases,
            numbers,
            data: FixedBitSet::with_capacity(numbers.count + aliases.count + 1),
            edges,
            prologues: model.processes.iter().map(|process| vec![false; process.prologue.len()]).collect(),
            watched: vec![Vec::new(); model.processes.len()],
            regions: procs().map(|proc| regions(model, proc)).collect(),
            from_start: procs().map(|proc| !all_started.contains(&proc)).collect(),
            crowded: is_crowded(model),
            creates: !all_started.is_empty(),
            endless,
            termination,
            grown: true,
        }
    }

    /// Marks the criterion itself.
    fn begin(&mut self, criterion: &Criterion) -> Result<(), &'static str> {
        for expr in &criterion.visible.expressions {
            self.uses(None, expr)?;
        }
        for &global in &criterion.globals {
            let channels = self.aliases.held_by(global.index());
            self.add(global.index());
            self.add_channels(&channels);
        }
        for &(proc, local) in &criterion.locals {
            let variable = self.numbers.local(proc, local.index());
            let channels = self.aliases.held_by(variable);
            self.add(variable);
            self.add_channels(&channels);
        }
        for &(proc, at) in &criterion.locations {
            self.watched[proc.index()].push(at);
        }
        for &(proc, edge) in &criterion.edges {
            self.take(proc, edge.index());
            self.edges[proc.index()][edge.index()].effects.fill(true);
        }
        Ok(())
    }

    /// The number of the object that the numbers of processes are.
    fn pids(&self) -> usize {
        self.numbers.count + self.aliases.count
    }

    fn add(&mut self, object: usize) {
        self.grown |= !self.data.contains(object);
        self.data.insert(object);
    }

    fn add_channels(&mut self, channels: &FixedBitSet) {
        for channel in (0..self.aliases.count).filter(|&channel| channels.contains(channel)) {
            self.add(self.numbers.count + channel);
        }
    }

    /// The objects that an expression reads are relevant.
    fn uses(&mut self, proc: Option<ProcId>, expr: &Expr) -> Result<(), &'static str> {
        let mut found = Ok(());
        reads(expr, &mut |read| {
            if found.is_ok() {
                found = self.read(proc, read);
            }
        });
        found
    }

    fn read(&mut self, proc: Option<ProcId>, read: Read) -> Result<(), &'static str> {
        match read {
            Read::Variable(place) => {
                if let Some(variable) = self.numbers.of(proc, place) {
                    self.add(variable);
                }
                if matches!(place.base, Base::Remote { .. }) {
                    self.add(self.pids());
                }
            }
            Read::Length(_, chan) | Read::Messages(chan) => {
                let channels = self.aliases.of(proc, chan)?;
                self.add_channels(&channels);
            }
            Read::SelfPid => {
                if proc.is_none_or(|proc| !self.from_start[proc.index()]) {
                    self.add(self.pids());
                }
            }
            Read::ProcessCount => self.add(self.pids()),
            Read::AtLocation(of, pid, locs) => {
                for loc in locs {
                    if !self.watched[of.index()].contains(loc) {
                        self.watched[of.index()].push(*loc);
                        self.grown = true;
                    }
                }
                let process = self.model.process(of);
                let may_end = process.edges.iter().any(|edge| edge.ends() && locs.contains(&edge.source));
                if self.creates || may_end || !matches!(pid, Expr::Const(_)) {
                    self.add(self.pids());
                }
            }
            // A model with one of these is not sliced.
            Read::Timeout
            | Read::LastPid
            | Read::NonProgress
            | Read::Enabled(_)
            | Read::Location(_)
            | Read::Priority(_) => return Err("it asks about every step"),
        }
        Ok(())
    }

    /// Whether an effect writes something relevant.
    fn writes_relevant(&self, proc: Option<ProcId>, effect: &Effect) -> bool {
        let mut found = false;
        access::effect(effect, &mut |action| {
            found |= match action {
                Action::Store(place, _) => self.is_relevant(proc, place),
                Action::Create(started) => {
                    let started = started.index();
                    self.endless[started]
                        || self.data.contains(self.pids())
                        || self.edges[started].iter().any(Relevant::any)
                }
                Action::End => {
                    self.data.contains(self.pids()) || proc.is_some_and(|proc| self.takes_along(proc))
                }
                Action::Evaluate(..) | Action::Send { .. } | Action::Receive { .. } | Action::SetPriority => {
                    false
                }
            }
        });
        found
    }

    /// Whether the variable at the root of a place is relevant.
    fn is_relevant(&self, proc: Option<ProcId>, place: &Place) -> bool {
        self.numbers.of(proc, place).is_some_and(|variable| self.data.contains(variable))
    }

    /// Whether relevant channels that others may know die with a process.
    fn takes_along(&self, proc: ProcId) -> bool {
        let own = 0..self.model.process(proc).channels.len() as u32;
        let mut own = own.map(|index| self.aliases.own(proc, index));
        own.any(|channel| {
            self.data.contains(self.numbers.count + channel) && self.aliases.is_passed_on(channel)
        })
    }

    /// The objects that an effect reads are relevant.
    fn uses_of_effect(&mut self, proc: Option<ProcId>, effect: &Effect) -> Result<(), &'static str> {
        let mut actions = Vec::new();
        access::effect(effect, &mut |action| actions.push(action));
        for action in actions {
            match action {
                Action::Evaluate(expr, Purpose::Argument(started, param)) => {
                    if self.data.contains(self.numbers.local(started, param.index())) {
                        self.uses(proc, expr)?;
                    }
                }
                // Models with priorities are not sliced: the priority of a creation has no effect.
                Action::Evaluate(
                    expr,
                    Purpose::Value
                    | Purpose::Address
                    | Purpose::Assertion
                    | Purpose::Output
                    | Purpose::Priority
                    | Purpose::Guard
                    | Purpose::Channel
                    | Purpose::Field
                    | Purpose::Match,
                ) => self.uses(proc, expr)?,
                Action::Store(place, Source::Number) if self.is_relevant(proc, place) => {
                    self.add(self.pids())
                }
                Action::Create(_) if self.crowded => self.add(self.pids()),
                Action::Store(..)
                | Action::Create(_)
                | Action::Send { .. }
                | Action::Receive { .. }
                | Action::SetPriority
                | Action::End => {}
            }
        }
        Ok(())
    }

    /// Looks at everything once.
    fn round(&mut self) -> Result<(), &'static str> {
        let model = self.model;
        for effect in &model.prologue {
            if self.writes_relevant(None, effect) {
                self.uses_of_effect(None, effect)?;
            }
        }
        for (index, process) in model.processes.iter().enumerate() {
            let proc = ProcId::new(index);
            for (at, effect) in process.prologue.iter().enumerate() {
                if self.writes_relevant(Some(proc), effect) {
                    self.grown |= !self.prologues[index][at];
                    self.prologues[index][at] = true;
                    self.uses_of_effect(Some(proc), effect)?;
                }
            }
            for (id, edge) in process.edges.iter().enumerate() {
                self.data_dependence(proc, id, edge)?;
            }
            self.control_dependence(proc);
            for (id, edge) in process.edges.iter().enumerate() {
                if self.edges[index][id].control {
                    self.uses_of_control(proc, edge)?;
                }
            }
        }
        Ok(())
    }

    /// Marks the effects and communications of an edge that write relevant objects.
    fn data_dependence(&mut self, proc: ProcId, id: usize, edge: &Edge) -> Result<(), &'static str> {
        let index = proc.index();
        for (at, effect) in edge.effects.iter().enumerate() {
            if self.edges[index][id].effects[at] || self.writes_relevant(Some(proc), effect) {
                self.grown |= !self.edges[index][id].effects[at];
                self.edges[index][id].effects[at] = true;
                self.uses_of_effect(Some(proc), effect)?;
            }
        }
        let (mut writes, mut channel) = (false, None);
        access::communication(edge, &mut |action| match action {
            Action::Send { chan, .. } | Action::Receive { chan, .. } => channel = Some(chan),
            Action::Store(place, _) => writes |= self.is_relevant(Some(proc), place),
            Action::Evaluate(..) | Action::Create(_) | Action::SetPriority | Action::End => {}
        });
        if let Some(chan) = channel {
            writes |= self.is_relevant_channel(proc, chan)?;
        }
        let watched = |at: LocId| self.watched[index].contains(&at);
        writes |= watched(edge.source) != watched(edge.target);
        if writes {
            self.take(proc, id);
        }
        Ok(())
    }

    fn is_relevant_channel(&self, proc: ProcId, chan: &Expr) -> Result<bool, &'static str> {
        let channels = self.aliases.of(Some(proc), chan)?;
        let relevant =
            |channel: usize| channels.contains(channel) && self.data.contains(self.numbers.count + channel);
        Ok((0..self.aliases.count).any(relevant))
    }

    /// Whether an edge can be taken is relevant.
    fn take(&mut self, proc: ProcId, id: usize) {
        let control = &mut self.edges[proc.index()][id].control;
        self.grown |= !*control;
        *control = true;
    }

    /// Marks the conditions from which something relevant can be reached.
    fn control_dependence(&mut self, proc: ProcId) {
        let (index, process) = (proc.index(), self.model.process(proc));
        let any: Vec<bool> = self.edges[index].iter().map(Relevant::any).collect();
        if !any.contains(&true) {
            return;
        }
        // From where an edge with something relevant can be reached.
        let mut leads = vec![false; process.locations.len()];
        for (edge, any) in process.edges.iter().zip(&any) {
            leads[edge.source.index()] |= any;
        }
        loop {
            let mut grown = false;
            for edge in &process.edges {
                if leads[edge.target.index()] && !leads[edge.source.index()] {
                    leads[edge.source.index()] = true;
                    grown = true;
                }
            }
            if !grown {
                break;
            }
        }
        let exempt = bubbles::exempt(process, &any, !self.termination);
        let ranked = |at: LocId| {
            let mut ranks = process.locations[at.index()].out.iter().map(|id| process.edges[id.index()].rank);
            let first = ranks.next();
            ranks.any(|rank| Some(rank) != first)
        };
        let conditional = |edge: &Edge| {
            edge.guard != Expr::TRUE || edge.comm.is_some() || edge.is_else || ranked(edge.source)
        };
        for (id, edge) in process.edges.iter().enumerate() {
            let before = leads[edge.target.index()] && !exempt[id];
            let region = self.regions[index][id];
            let inside = edge_is_in_sequence(process, edge)
                && (0..any.len()).any(|other| any[other] && self.regions[index][other] == region);
            // One that shadows, or is shadowed by, one with something relevant.
            let beside = ranked(edge.source)
                && (process.locations[edge.source.index()].out.iter())
                    .any(|other| self.edges[index][other.index()].any());
            if conditional(edge) && (any[id] || before || inside || beside) {
                self.take(proc, id);
            }
        }
    }

    fn uses_of_control(&mut self, proc: ProcId, edge: &Edge) -> Result<(), &'static str> {
        let proc = Some(proc);
        self.uses(proc, &edge.guard)?;
        let mut actions = Vec::new();
        access::communication(edge, &mut |action| actions.push(action));
        for action in actions {
            match action {
                Action::Evaluate(expr, _) => self.uses(proc, expr)?,
                Action::Send { chan, .. } | Action::Receive { chan, .. } => {
                    let channels = self.aliases.of(proc, chan)?;
                    self.add_channels(&channels);
                }
                Action::Store(..) | Action::Create(_) | Action::SetPriority | Action::End => {}
            }
        }
        Ok(())
    }
}

/// Whether an edge keeps control, or is taken while its process does.
fn edge_is_in_sequence(process: &axle_model::Process, edge: &Edge) -> bool {
    edge.keep != Atomicity::Release
        || process.edges.iter().any(|other| other.keep != Atomicity::Release && other.target == edge.source)
}

/// The types of the processes that processes of a type create.
fn started_by(model: &Model, proc: ProcId) -> Vec<ProcId> {
    let process = model.process(proc);
    process.creates().chain(process.prologue.iter().filter_map(Effect::creates)).collect()
}

/// For each location of a type, those that can be reached by one edge or more.
fn reached(model: &Model, proc: ProcId, from: LocId) -> Vec<bool> {
    let process = model.process(proc);
    let mut seen = vec![false; process.locations.len()];
    let mut waiting = vec![from];
    while let Some(at) = waiting.pop() {
        for id in &process.locations[at.index()].out {
            let target = process.edges[id.index()].target;
            // The end of a process comes once, wherever its edge leads.
            if !process.edges[id.index()].ends() && !seen[target.index()] {
                seen[target.index()] = true;
                waiting.push(target);
            }
        }
    }
    seen
}

/// Whether processes of a type can come to a location again.
fn is_cyclic(model: &Model, proc: ProcId) -> bool {
    let all = 0..model.process(proc).locations.len();
    all.map(LocId::new).any(|at| reached(model, proc, at)[at.index()])
}

/// Whether more processes or channels may be created than are allowed.
fn is_crowded(model: &Model) -> bool {
    let mut counts: Vec<u64> = vec![0; model.processes.len()];
    for instance in &model.start {
        counts[instance.proc.index()] += 1;
    }
    let start = counts.clone();
    // As many rounds as there are types settle it, unless types create one another.
    for _ in 0..=model.processes.len() {
        let mut next = start.clone();
        for (index, process) in model.processes.iter().enumerate() {
            let proc = ProcId::new(index);
            for edge in &process.edges {
                for started in edge.creates() {
                    if reached(model, proc, edge.target)[edge.source.index()] {
                        return true;
                    }
                    next[started.index()] = next[started.index()].saturating_add(counts[index]);
                }
            }
            if process.prologue.iter().any(|effect| effect.creates().is_some()) {
                return true;
            }
        }
        if next == counts {
            let channels = counts.iter().zip(&model.processes).map(|(n, p)| n * p.channels.len() as u64);
            let channels = channels.sum::<u64>() + model.channels.len() as u64;
            return counts.iter().sum::<u64>() > u64::from(model.semantics.max_processes)
                || channels > u64::from(model.semantics.max_channels);
        }
        counts = next;
    }
    true
}

/// For each edge, a number that it shares with those edges that can be taken with it in one
/// uninterrupted sequence.
fn regions(model: &Model, proc: ProcId) -> Vec<usize> {
    let process = model.process(proc);
    let mut region: Vec<usize> = (0..process.edges.len()).collect();
    loop {
        let mut grown = false;
        for (id, edge) in process.edges.iter().enumerate().filter(|(_, edge)| edge.keep != Atomicity::Release)
        {
            for next in &process.locations[edge.target.index()].out {
                let least = region[id].min(region[next.index()]);
                for one in [id, next.index()] {
                    grown |= region[one] != least;
                    region[one] = least;
                }
            }
        }
        if !grown {
            return region;
        }
    }
}
