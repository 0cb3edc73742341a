//! `axle_model::access` against the interpreter: every object that an edge changes, and every object
//! that the interpreter reads while it computes the edges of a location, belongs to the access set.
//!
//! Objects are globals, locals, channels and priorities. Changes are the differences between the
//! states before and after a micro-step; reads are the footprints of `Interpreter::expand_watched`.

use std::collections::{BTreeSet, HashSet, VecDeque};
use std::path::Path;
use std::sync::Arc;

use axle_generate::Random;
use axle_model::access::{self, Action, Read};
use axle_model::{Base, ChanRef, Edge, Effect, Expr, Model, Place, ProcId, arbitrary};
use axle_step::interpret::detail::{MicroStep, Taken};
use axle_step::layout::{ChanLayout, Data, Home, Layout, Messages};
use axle_step::view::View;
use axle_step::{Batch, Interpreter, Options, Successors};
use proptest::prelude::*;

/// Maximum number of states of a model.
const MOST: usize = 40;

/// A part of a state.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Object {
    Global(usize),
    Local(u32, usize),
    Channel(u32),
    Priority(u32),
}

/// Bits of a state, from the first up to but not including the second.
type Range = (u32, u32);

fn data(data: &Data, base: u32, out: &mut Vec<Range>) {
    match data {
        Data::Scalar(field) => out.push((base + field.bit, base + field.bit + u32::from(field.bits))),
        Data::Record(fields) => fields.iter().for_each(|field| self::data(field, base, out)),
        Data::Array { first, stride, len } => {
            (0..*len).for_each(|index| self::data(first, base + index * stride, out));
        }
    }
}

fn channel(model: &Model, layout: &ChanLayout, owner: u32) -> Vec<Range> {
    let Some(len) = layout.len else { return Vec::new() };
    let mut ranges = vec![(owner + len.bit, owner + len.bit + u32::from(len.bits))];
    match &layout.messages {
        Messages::Packed { all, .. } => ranges.push((owner + all.bit, owner + all.bit + u32::from(all.bits))),
        Messages::Bytes { base, stride, .. } => {
            let capacity = model.shapes[layout.shape.index()].capacity;
            ranges.push((owner + base, owner + base + stride * capacity));
        }
    }
    ranges
}

/// The objects of a state with their bits.
fn objects(model: &Model, layout: &Layout, view: &View) -> Vec<(Object, Vec<Range>)> {
    let mut list = Vec::new();
    for (index, home) in layout.globals.iter().enumerate() {
        if let Home::State(of) = home {
            let mut ranges = Vec::new();
            data(of, 0, &mut ranges);
            list.push((Object::Global(index), ranges));
        }
    }
    for (index, of) in layout.channels.iter().enumerate() {
        list.push((Object::Channel(index as u32 + 1), channel(model, of, 0)));
    }
    for pid in 0..view.process_count() {
        let base = layout.slots[pid as usize].base;
        let of = &layout.procs[view.proc_at(pid).index()];
        for (index, local) in of.locals.iter().enumerate() {
            let mut ranges = Vec::new();
            data(local, base, &mut ranges);
            list.push((Object::Local(pid, index), ranges));
        }
        for (index, own) in of.channels.iter().enumerate() {
            let reference = layout.chan_value(ChanRef::Own(index as u32), pid);
            list.push((Object::Channel(reference), channel(model, own, base)));
        }
        if let Some(priority) = of.priority {
            let range = (base + priority.bit, base + priority.bit + u32::from(priority.bits));
            list.push((Object::Priority(pid), vec![range]));
        }
    }
    list
}

/// The access set of edges of a process, collected from `axle_model::access`.
struct Allowed<'a> {
    model: &'a Model,
    layout: &'a Layout,
    view: &'a View<'a>,
    pid: u32,
    proc: ProcId,
    /// Actions for which it returns true are left out of the set.
    forget: fn(&Action) -> bool,
    objects: BTreeSet<Object>,
    /// An edge reads whether another process is enabled.
    everything: bool,
}

impl Allowed<'_> {
    fn edge(&mut self, edge: &Edge, reads: bool) {
        access::edge(edge, &mut |action| self.action(action, reads, true));
    }

    fn prologue(&mut self, proc: ProcId, reads: bool) {
        let own = std::mem::replace(&mut self.proc, proc);
        for effect in &self.model.process(proc).prologue {
            access::effect(effect, &mut |action| self.action(action, reads, false));
        }
        self.proc = own;
    }

    /// `before`: references to channels have the value that they have before the edge.
    fn action(&mut self, action: Action, reads: bool, before: bool) {
        if (self.forget)(&action) {
            return;
        }
        match action {
            Action::Evaluate(expr, _) if reads => {
                let mut list = Vec::new();
                access::reads(expr, &mut |read| list.push(read));
                list.into_iter().for_each(|read| self.read(read));
            }
            Action::Evaluate(..) => {}
            Action::Store(place, _) => self.place(place),
            Action::Send { chan, .. } | Action::Receive { chan, .. } => self.channel(chan, before),
            Action::Create(proc) => self.prologue(proc, reads),
            Action::SetPriority => self.all(|object| matches!(object, Object::Priority(_))),
            Action::End => {
                let (layout, pid) = (self.layout, self.pid);
                let own = self.model.process(self.proc).channels.len() as u32;
                let channels =
                    layout.chan_value(ChanRef::Own(0), pid)..layout.chan_value(ChanRef::Own(own), pid);
                self.all(move |object| match object {
                    Object::Local(of, _) | Object::Priority(of) => of == pid,
                    Object::Channel(reference) => channels.contains(&reference),
                    Object::Global(_) => false,
                });
            }
        }
    }

    fn read(&mut self, read: Read) {
        match read {
            Read::Variable(place) => self.place(place),
            // The reference may be computed from a variable that the edge has changed.
            Read::Length(_, chan) | Read::Messages(chan) => self.channel(chan, false),
            Read::Priority(_) => self.all(|object| matches!(object, Object::Priority(_))),
            Read::Enabled(_) => self.everything = true,
            Read::ProcessCount
            | Read::SelfPid
            | Read::AtLocation(..)
            | Read::Location(_)
            | Read::LastPid
            | Read::NonProgress
            | Read::Timeout => {}
        }
    }

    fn place(&mut self, place: &Place) {
        match &place.base {
            Base::Global(id) => {
                self.objects.insert(Object::Global(id.index()));
            }
            Base::Local(id) => {
                self.objects.insert(Object::Local(self.pid, id.index()));
            }
            Base::Remote { proc, local, .. } => {
                for pid in 0..self.view.process_count() {
                    if self.view.proc_at(pid) == *proc {
                        self.objects.insert(Object::Local(pid, local.index()));
                    }
                }
            }
        }
    }

    fn channel(&mut self, chan: &Expr, before: bool) {
        match before || matches!(chan, Expr::Channel(_)) {
            true => {
                let value = self.view.eval(self.pid, chan, false);
                self.objects.extend(u32::try_from(value).ok().map(Object::Channel));
            }
            false => self.all(|object| matches!(object, Object::Channel(_))),
        }
    }

    fn all(&mut self, wanted: impl Fn(Object) -> bool) {
        let list = objects(self.model, self.layout, self.view);
        self.objects.extend(list.into_iter().map(|(object, _)| object).filter(|object| wanted(*object)));
    }
}

/// Counts of observed changes and reads.
#[derive(Default)]
struct Seen {
    changes: usize,
    reads: usize,
}

/// Compares the first states of a model.
fn compare(model: &Arc<Model>, forget: fn(&Action) -> bool, seen: &mut Seen) -> Result<(), String> {
    let mut interpreter = Interpreter::new(model.clone(), Options::default());
    let mut todo = VecDeque::from([(interpreter.initial(&mut Vec::new()), None)]);
    let mut known = HashSet::new();
    while let Some((state, control)) = todo.pop_front().filter(|_| known.len() < MOST) {
        let steps = interpreter.micro_steps(&state, control);
        let state = interpreter.widened(&state);
        if !known.insert((state.clone(), control.map(|control| control.pid))) {
            continue;
        }
        for step in steps {
            changed(model, &interpreter, &state, &step, forget, seen)?;
            todo.push_back((step.state, step.control));
        }
        // With priorities, the moves of a process depend on whether every other process is enabled.
        let processes = if model.semantics.priorities { 0 } else { interpreter.view(&state).process_count() };
        for pid in 0..processes {
            read(model, &mut interpreter, &state, pid, forget, seen)?;
        }
    }
    Ok(())
}

fn changed(
    model: &Arc<Model>,
    interpreter: &Interpreter,
    state: &[u8],
    step: &MicroStep,
    forget: fn(&Action) -> bool,
    seen: &mut Seen,
) -> Result<(), String> {
    let (view, layout) = (interpreter.view(state), interpreter.layout());
    let mut allowed = BTreeSet::new();
    let edge = |taken: &Taken| &model.process(taken.proc).edges[taken.edge.index()];
    for taken in [Some(step.by), step.partner].into_iter().flatten() {
        let mut of = Allowed {
            model,
            layout,
            view: &view,
            pid: taken.pid,
            proc: taken.proc,
            forget,
            objects: BTreeSet::new(),
            everything: false,
        };
        of.edge(edge(&taken), false);
        allowed.extend(of.objects);
    }
    let differs = |bit: u32| {
        let byte = bit as usize / 8;
        (state[byte] ^ step.state[byte]) >> (bit % 8) & 1 == 1
    };
    for (object, ranges) in objects(model, layout, &view) {
        if !ranges.iter().any(|(from, to)| (*from..*to).any(differs)) {
            continue;
        }
        seen.changes += 1;
        if !allowed.contains(&object) {
            return Err(format!("`{}` changes {object:?}", edge(&step.by).text));
        }
    }
    Ok(())
}

fn read(
    model: &Arc<Model>,
    interpreter: &mut Interpreter,
    state: &[u8],
    pid: u32,
    forget: fn(&Action) -> bool,
    seen: &mut Seen,
) -> Result<(), String> {
    let mut bits = Vec::new();
    let parts = interpreter.parts_watched(state, pid, &mut bits);
    for part in 0..parts {
        let location = interpreter.view(state).process(pid).location;
        let proc = interpreter.view(state).proc_at(pid);
        let process = model.process(proc);
        let out = &process.locations[location.index()].out;
        let edges = || {
            let ids = if parts > 1 { &out[part..=part] } else { &out[..] };
            ids.iter().map(|id| &process.edges[id.index()])
        };
        let view = interpreter.view(state);
        let rendezvous = |edge: &Edge| {
            edge.sends_to().is_some_and(|chan| {
                let chan = u32::try_from(view.eval(pid, chan, false)).ok();
                chan.and_then(|chan| view.channel(chan)).is_none_or(|chan| chan.capacity == 0)
            })
        };
        // A sequence reads for the following edges, and a rendezvous send for the receivers.
        if edges().any(|edge| edge.keep != axle_model::Atomicity::Release || rendezvous(edge)) {
            continue;
        }
        if interpreter.expand_watched(state, pid, part, &mut Batch::default(), &mut bits).is_err() {
            return Ok(());
        }
        let (view, layout) = (interpreter.view(state), interpreter.layout());
        let mut of = Allowed {
            model,
            layout,
            view: &view,
            pid,
            proc,
            forget,
            objects: BTreeSet::new(),
            everything: false,
        };
        edges().for_each(|edge| of.edge(edge, true));
        if let Some(expr) = &process.provided {
            of.action(Action::Evaluate(expr, access::Purpose::Guard), true, true);
        }
        if of.everything {
            continue;
        }
        let accessed = |bit: u32| bits[bit as usize / 64] >> (bit % 64) & 1 == 1;
        for (object, ranges) in objects(model, layout, &view) {
            if !ranges.iter().any(|(from, to)| (*from..*to).any(accessed)) {
                continue;
            }
            seen.reads += 1;
            if !of.objects.contains(&object) {
                let texts: Vec<_> = edges().map(|edge| &edge.text).collect();
                return Err(format!("{texts:?} of process {pid} access {object:?}"));
            }
        }
    }
    Ok(())
}

/// The models of tests/steps, one for each kind of step.
fn models() -> Vec<Arc<Model>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/steps");
    let mut paths: Vec<_> =
        std::fs::read_dir(folder).expect("the models").flatten().map(|e| e.path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "axm"));
    paths.sort();
    let parse = |path: &std::path::PathBuf| {
        let text = std::fs::read_to_string(path).expect("a text");
        let model = axle_model::parse::parse(&text);
        Arc::new(model.unwrap_or_else(|why| panic!("{}: {why:?}", path.display())))
    };
    paths.iter().map(parse).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn accesses_of_random_models_are_complete(bytes in prop::collection::vec(any::<u8>(), 0..700)) {
        let model = Arc::new(arbitrary::model(&bytes));
        if let Err(why) = compare(&model, |_| false, &mut Seen::default()) {
            prop_assert!(false, "{}", why);
        }
    }
}

#[test]
fn accesses_of_every_kind_of_step_are_complete() {
    let mut seen = Seen::default();
    for model in models() {
        compare(&model, |_| false, &mut seen).expect("the access sets are complete");
    }
    assert!(seen.changes > 100 && seen.reads > 100, "{} changes, {} reads", seen.changes, seen.reads);
}

#[test]
fn a_missing_action_is_detected() {
    type Forget = fn(&Action) -> bool;
    let forgotten: [(&str, Forget); 6] = [
        ("evaluate", |action| matches!(action, Action::Evaluate(..))),
        ("store", |action| matches!(action, Action::Store(..))),
        ("send", |action| matches!(action, Action::Send { .. })),
        ("receive", |action| matches!(action, Action::Receive { .. })),
        ("priority", |action| matches!(action, Action::SetPriority)),
        ("end", |action| matches!(action, Action::End)),
    ];
    let random = |seed: u64| {
        let mut random = Random::of(seed, 0);
        let bytes: Vec<u8> = (0..700).map(|_| random.number() as u8).collect();
        Arc::new(arbitrary::model(&bytes))
    };
    for (name, forget) in forgotten {
        let mut all = models().into_iter().chain((0..300).map(random));
        let found = all.any(|model| compare(&model, forget, &mut Seen::default()).is_err());
        assert!(found, "no model shows that `{name}` is left out");
    }
}

#[test]
fn effects_name_what_they_create() {
    let run = Effect::Run { proc: ProcId(2), args: Vec::new(), priority: None, into: None };
    assert_eq!(run.creates(), Some(ProcId(2)));
    assert_eq!(Effect::Exit.creates(), None);
    assert!(Effect::Exit.ends() && !run.ends());
}
