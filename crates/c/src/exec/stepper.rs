//! A program as a successor function. Main functions: [`Stepper::new`], and `expand` of its [`Successors`]. Kept: the
//! successors of a state, their order and its faults are the same whether steps are remembered (`moves.rs`) or not.

use std::mem::take;

use axle_model::EdgeId;
use axle_source::Loc;
use axle_step::{Batch, Cut, Fault, FaultKind, Grow, Layout, Successors};
use rustc_hash::FxHashMap;

use crate::lower::Program;

use super::encode::decode;
use super::explore::{Expansion, Identity, Incident, Turn, initial, stands, turn, ways, ways_as};
use super::machine::{ABORTED, Access, Machine, Settings};
use super::moves::{Moves, SLOW, TURN, Tools, UNKNOWN, View};
use super::parts::{Parts, WHOLE, is_restricted, word};
use super::races::{any_race, races};
use super::trouble::Trouble;

/// Steps made alone after which it is asked whether the expansion is still wanted.
const ASK_AFTER: u64 = 100_000;

/// Bytes by which states grow wider.
pub(crate) const GRAIN: usize = 16;

/// A program as a successor function. Faults name their [`Incident`] by the number in [`Fault::edge`].
pub struct Stepper<'p> {
    pub(crate) program: &'p Program,
    pub(crate) settings: &'p Settings,
    layout: Layout,
    incidents: Vec<Incident>,
    numbers: FxHashMap<Identity, u32>,
    /// What makes the verdict unknown rather than wrong: nothing is known of what comes after it.
    doubts: Vec<Incident>,
    /// Kinds of trouble that nobody asked about.
    ignored: Vec<&'static str>,
    taken: Vec<Vec<bool>>,
    lost: Vec<u32>,
    restricted: bool,
    movers: bool,
    /// The state that is expanded, and one to work with; the same for states between. All keep their memory.
    machines: Option<Box<[(Machine<'p>, Machine<'p>); 2]>>,
    /// What is known of parts of states and of steps, where steps are remembered.
    quick: Option<Box<Quick>>,
}

/// What remembering takes.
#[derive(Default)]
struct Quick {
    parts: Parts,
    moves: Moves,
    /// Work of one state that keeps its memory: what is wrong, who stands before what, who is stuck.
    late: Vec<Incident>,
    footprints: Vec<(usize, Access)>,
    blocked: Vec<bool>,
    spin: (Vec<u8>, Vec<u8>),
}

impl<'p> Stepper<'p> {
    /// A stepper for a program.
    #[must_use]
    pub fn new(program: &'p Program, settings: &'p Settings) -> Stepper<'p> {
        Stepper {
            program,
            settings,
            layout: Layout::opaque(4 * GRAIN),
            incidents: Vec::new(),
            numbers: FxHashMap::default(),
            doubts: Vec::new(),
            ignored: Vec::new(),
            taken: program.codes.iter().map(|code| vec![false; code.ops.len()]).collect(),
            lost: Vec::new(),
            restricted: false,
            movers: false,
            machines: None,
            quick: (settings.moves && !settings.watch.on && !settings.stable_threads).then(Box::default),
        }
    }

    /// All that went wrong so far; a fault's edge is an index here.
    #[must_use]
    pub fn incidents(&self) -> &[Incident] {
        &self.incidents
    }

    /// Whether some input was tried with a few of its values only, so that "holds" speaks of those.
    #[must_use]
    pub fn restricted(&self) -> bool {
        self.restricted
    }

    /// Troubles with these names are no faults. A step in trouble leads nowhere all the same, so where one was ignored
    /// there is a doubt about what would have come after it; deadlocks and races cut nothing off.
    pub fn ignore(&mut self, names: Vec<&'static str>) {
        self.ignored = names;
    }

    /// Says from now on who moves in each successor. Threads must keep their places
    /// ([`Settings::stable_threads`]).
    pub fn tell_movers(&mut self) {
        self.movers = true;
    }

    /// What was met that makes a verdict unknown: limits, and what is not supported. No faults name these.
    #[must_use]
    pub fn doubts(&self) -> &[Incident] {
        &self.doubts
    }

    /// The place of an incident in the text.
    #[must_use]
    pub fn place(&self, incident: &Incident) -> Option<Loc> {
        let code = self.program.codes.get(incident.code as usize)?;
        code.locs.get(incident.pc as usize).copied()
    }

    fn fault(&mut self, incident: Incident, source: u32) -> Option<Fault> {
        let ignored = self.ignored.contains(&incident.trouble.name());
        if ignored
            && matches!(incident.trouble, Trouble::Deadlock(_) | Trouble::Livelock(_) | Trouble::Race(_))
        {
            return None;
        }
        if ignored || !incident.trouble.is_violation() {
            if !self.doubts.iter().any(|known| known.identity() == incident.identity()) {
                self.doubts.push(incident);
            }
            return None;
        }
        let kind = match incident.trouble {
            Trouble::Deadlock(_) | Trouble::Livelock(_) => FaultKind::InvalidEnd,
            _ => FaultKind::Assertion,
        };
        let next = self.incidents.len() as u32;
        let number = *self.numbers.entry(incident.identity()).or_insert(next);
        if number == next {
            self.incidents.push(incident);
        }
        // The first of its kind stands for all.
        let pid = self.incidents[number as usize].thread;
        Some(Fault { kind, source, successor: None, pid, edge: Some(EdgeId(number)) })
    }

    /// A machine without a state.
    pub(crate) fn empty(&self) -> Machine<'p> {
        Machine::empty(self.program, self.settings)
    }

    fn note(&mut self, machine: &Machine<'_>) {
        self.restricted |= (0..machine.state.threads.len()).any(|t| is_restricted(machine, t));
        self.note_lost(&machine.state.lost);
    }

    fn note_lost(&mut self, sites: &[u32]) {
        for &site in sites {
            if let Err(at) = self.lost.binary_search(&site) {
                self.lost.insert(at, site);
            }
        }
    }

    /// Where heap blocks were allocated that some execution loses without freeing them.
    pub(crate) fn lost_sites(&self) -> &[u32] {
        &self.lost
    }
}

impl<'p> Stepper<'p> {
    /// Executes all ways on from a state.
    fn expand_whole(
        &mut self,
        state: &[u8],
        [(machine, copy), _]: &mut [(Machine<'p>, Machine<'p>); 2],
        quick: Option<&mut Quick>,
        (source, count): (u32, &mut u32),
        out: &mut Batch,
    ) -> Result<(), Grow> {
        match &quick {
            None => decode(self.program, state, &mut machine.state),
            Some(quick) => quick.parts.take(self.program, state, &mut machine.state),
        }
        self.note(machine);
        let taken = &mut self.taken;
        let mut mark = |code: u32, pc: u32| taken[code as usize][pc as usize] = true;
        let expansion = match quick {
            None => ways(machine, Some(state), copy, &mut mark),
            Some(quick) => {
                ways_as(machine, Some(state), copy, &mut mark, &mut |machine| quick.parts.put(machine))
            }
        };
        self.note_lost(&expansion.lost);
        for incident in expansion.incidents {
            let fault = self.fault(incident, source);
            out.faults.extend(fault);
        }
        for way in expansion.ways {
            match way.result {
                Ok(bytes) => self.push(&bytes, way.thread, count, out)?,
                Err(incident) => out.faults.extend(self.fault(incident, source)),
            }
        }
        Ok(())
    }

    /// A successor.
    fn push(&self, bytes: &[u8], thread: usize, count: &mut u32, out: &mut Batch) -> Result<(), Grow> {
        let width = self.layout.width();
        if bytes.len() > width {
            return Err(Grow { slots: bytes.len().div_ceil(GRAIN) });
        }
        push_padded(&mut out.states, bytes, width);
        if self.movers {
            out.movers.push_one(thread as u32);
        }
        *count += 1;
        Ok(())
    }

    /// The ways on from a state in parts: those that are remembered are made again, the others executed.
    fn expand_parts(
        &mut self,
        state: &[u8],
        [(machine, copy), spare]: &mut [(Machine<'p>, Machine<'p>); 2],
        quick: &mut Quick,
        (source, count): (u32, &mut u32),
        out: &mut Batch,
    ) -> Result<(), Grow> {
        let program = self.program;
        let Quick { parts, moves, late, footprints, blocked, spin } = quick;
        late.clear();
        footprints.clear();
        blocked.clear();
        let shape = &parts.shapes[word(state, 0) as usize];
        let (threads, asks_races) = (shape.threads.len(), self.settings.races && shape.running > 1);
        for &site in &shape.lost {
            if let Err(at) = self.lost.binary_search(&site) {
                self.lost.insert(at, site);
            }
        }
        // The state is taken apart once something has to be executed.
        let mut is_taken = false;
        let mut whole = Turn { stuck: false, progress: false, looks: true };
        let mut expansion = Expansion::default();
        let mut incidents = Vec::new();
        let taken = &mut self.taken;
        let mut mark = |code: u32, pc: u32| taken[code as usize][pc as usize] = true;
        let mut grows = None;
        for t in 0..threads {
            if parts.shapes[word(state, 0) as usize].threads[t].1 {
                blocked.push(false);
                continue;
            }
            let view = View::new(parts, state);
            self.restricted |= parts.records[view.record(t) as usize].restricted;
            let mut known = moves.find(parts, &view, t, TURN);
            if known == UNKNOWN || known == SLOW {
                if !is_taken {
                    parts.take(program, state, &mut machine.state);
                    is_taken = true;
                }
                if known == UNKNOWN {
                    known = moves.learn(parts, state, (machine, copy), t, &mut mark);
                }
            }
            let mut tools = Tools { spare, mark: &mut mark };
            if known != SLOW
                && let Some(made) = moves.make(program, parts, state, (t, known), &mut out.states, &mut tools)
            {
                let leaf = moves.leaf(known);
                *count += made;
                whole.progress |= leaf.progress;
                whole.looks &= leaf.looks;
                blocked.push(leaf.stuck);
                if asks_races {
                    footprints.extend(leaf.footprint.iter().map(|&access| (t, access)));
                }
                continue;
            }
            if !is_taken {
                parts.take(program, state, &mut machine.state);
                is_taken = true;
            }
            if asks_races {
                footprints.extend(machine.footprint(t).into_iter().map(|access| (t, access)));
            }
            let mut put = |machine: &Machine<'p>| parts.put(machine);
            let turn = turn(machine, Some(state), (copy, &mut true), t, &mut expansion, &mut mark, &mut put);
            whole.progress |= turn.progress;
            whole.looks &= turn.looks;
            blocked.push(turn.stuck);
            for way in expansion.ways.drain(..) {
                match way.result {
                    Ok(bytes) if bytes.len() > state.len() => grows = Some(bytes.len()),
                    Ok(bytes) => {
                        push_padded(&mut out.states, &bytes, state.len());
                        *count += 1;
                    }
                    Err(incident) => late.push(incident),
                }
            }
        }
        if let Some(width) = grows {
            return Err(Grow { slots: width.div_ceil(GRAIN) });
        }
        let is_racy = asks_races && any_race(footprints);
        let mut tools = Tools { spare, mark: &mut mark };
        let may_spin = whole.looks && {
            let ended = |parts: &Parts, t: usize| parts.shapes[word(state, 0) as usize].threads[t].1;
            !(0..threads).any(|t| {
                !blocked[t]
                    && !ended(parts, t)
                    && moves.cannot_spin(program, parts, state, t, (&mut spin.0, &mut spin.1), &mut tools)
            })
        };
        if is_racy || may_spin || !whole.progress {
            if !is_taken {
                parts.take(program, state, &mut machine.state);
            }
            if is_racy {
                races(machine, &mut incidents);
            }
        }
        incidents.append(&mut expansion.incidents);
        if may_spin || !whole.progress {
            stands(machine, &whole, blocked, &mut incidents);
        }
        self.note_lost(&expansion.lost);
        for incident in incidents {
            out.faults.extend(self.fault(incident, source));
        }
        for incident in late.drain(..) {
            out.faults.extend(self.fault(incident, source));
        }
        Ok(())
    }
}

/// Bytes padded to a width.
fn push_padded(out: &mut Vec<u8>, bytes: &[u8], width: usize) {
    let start = out.len();
    out.extend_from_slice(bytes);
    out.resize(start + width, 0);
}

impl Successors for Stepper<'_> {
    fn layout(&self) -> &Layout {
        &self.layout
    }

    fn initial(&mut self, faults: &mut Vec<Fault>) -> Vec<u8> {
        let mut machine = Machine::new(self.program, self.settings);
        machine.record = Some(Vec::new());
        let begun = initial(&mut machine);
        let begun = begun.map(|bytes| match &mut self.quick {
            Some(quick) => quick.parts.put(&machine),
            None => bytes,
        });
        if machine.state.done && machine.status != ABORTED {
            self.note_lost(&super::encode::lost(&machine));
        }
        for &(_, code, pc) in machine.record.iter().flatten() {
            self.taken[code as usize][pc as usize] = true;
        }
        let mut bytes = begun.unwrap_or_else(|incident| {
            faults.extend(self.fault(incident, 0));
            // The program has ended.
            vec![u8::from(self.quick.is_none()); 1]
        });
        if bytes.len() > self.layout.width() {
            self.grow(bytes.len().div_ceil(GRAIN));
        }
        bytes.resize(self.layout.width(), 0);
        bytes
    }

    fn expand(&mut self, states: &[u8], out: &mut Batch) -> Result<(), Grow> {
        out.clear();
        let width = self.layout.width();
        let (mut count, mut asked) = (0, 0);
        for (source, state) in states.chunks_exact(width).enumerate() {
            let mut machines = self
                .machines
                .take()
                .unwrap_or_else(|| Box::new([(self.empty(), self.empty()), (self.empty(), self.empty())]));
            let expanded = match self.quick.take() {
                None => self.expand_whole(state, &mut machines, None, (source as u32, &mut count), out),
                Some(mut quick) => {
                    let number = word(state, 0);
                    let is_whole = number == WHOLE
                        || quick.parts.shapes.get(number as usize).is_none_or(|shape| shape.atomic != 0);
                    let whom = (source as u32, &mut count);
                    let expanded = match is_whole {
                        _ if number == 0 => Ok(()),
                        true => self.expand_whole(state, &mut machines, Some(&mut quick), whom, out),
                        false => self.expand_parts(state, &mut machines, &mut quick, whom, out),
                    };
                    quick.moves.keep_small(&mut quick.parts);
                    self.quick = Some(quick);
                    expanded
                }
            };
            let work: u64 = machines.iter_mut().map(|(a, b)| take(&mut a.work) + take(&mut b.work)).sum();
            self.machines = Some(machines);
            expanded?;
            out.ends.push(count);
            // A thread that computes for long by itself is one step.
            asked += work;
            if asked > ASK_AFTER {
                asked = 0;
                out.cut = out.interrupt.ask();
            }
            if out.most.is_some_and(|most| out.states.len() > most) {
                out.cut = out.cut.or(Some(Cut::Memory));
            }
            if out.cut.is_some() {
                break;
            }
        }
        Ok(())
    }

    fn grow(&mut self, slots: usize) {
        self.layout.widen((slots * GRAIN).max(self.layout.width()));
    }

    fn taken(&self) -> &[Vec<bool>] {
        &self.taken
    }
}
