//! How moves are learnt (`memo.rs` says what they are).
//!
//! *Entry points:* [`Memo::learn`], [`remember`].
//! *Invariant:* A way is remembered only where it would be the same, and the numbers of objects
//! would stay the same, in every state that leads to its leaf.

use std::sync::Arc;

use axle_c::Program;
use axle_c::code::{Op, StaticKind};

use crate::explore::{Expansion, InvisibleSteps, is_look, run_invisible, thread_transitions};
use crate::machine::encode::{each_anchored, record};
use crate::memo::components::{Components, StateShape, WHOLE, word};
use crate::memo::leaf::{INVISIBLE, LEAF, Leaf, Made, OtherEffects, Position, SLOW, Transition, VISIBLE};
use crate::memo::leaf_log::{Learnt, Lesson};
use crate::memo::question::{Answer, Test, View, few};
use crate::memo::{Memo, Tools};
use crate::observers::executed_steps::ExecutedSteps;
use crate::observers::read_set::ReadSet;
use crate::observers::recorders::Machine;
use crate::state::access::Span;
use crate::state::dependency::Dependency;
use crate::state::program_state::{Object, ObjectKind, Thread, Wait};
use crate::state::value::POINTER;

/// Bytes of most records.
const RECORD: usize = 256;

/// Questions of one step; beyond, it is executed each time.
const MAX_DEPENDENCIES: usize = 96;

/// The outcome of executing a step.
struct Executed {
    read_set: Box<ReadSet>,
    /// The leaf with its ways, unless such steps are executed each time.
    leaf: Option<(Leaf, Vec<Made>)>,
    /// The states that the ways led to.
    made: Vec<Vec<u8>>,
}

fn needs_closure_after((transition, _): &Made) -> bool {
    transition.other_effects.as_ref().is_some_and(|other_effects| other_effects.needs_closure)
}

impl Memo {
    /// Executes a thread's turn, and remembers it: the leaf that states like this one lead to.
    /// `machine` is in the state, and keeps to it.
    pub fn learn<'p>(
        &mut self,
        components: &mut Components,
        state: &[u8],
        (machine, copy): (&mut Machine<'p>, &mut Machine<'p>),
        t: usize,
        mark: &mut dyn FnMut(u32, u32),
    ) -> u32 {
        let mut footprint = Vec::new();
        machine.observer.read_set = Some(Box::new(self.read_sets.pop().unwrap_or_default())).into();
        if machine.settings.races && machine.running() > 1 {
            footprint = machine.footprint(t);
        }
        let mut read_set = machine.observer.read_set.take().unwrap_or_default();
        read_set.writes.clear();
        read_set.woken.clear();
        copy.observer.read_set = Some(read_set).into();
        let mut expansion = Expansion::default();
        let shape = word(state, 0);
        let mut transitions = Some(Vec::new());
        let (mut stale, mut changes) = (true, None);
        let mut put = |after: &Machine<'p>| {
            let bytes = components.put(after);
            let made = remember(components, shape, &bytes, machine, after, t);
            changes = made.as_ref().and_then(|(_, changes)| *changes);
            match (made, &mut transitions) {
                (Some((transition, _)), Some(transitions)) => transitions.push(transition),
                _ => transitions = None,
            }
            bytes
        };
        let thread_transitions =
            thread_transitions(machine, None, (copy, &mut stale), t, &mut expansion, mark, &mut put);
        let read_set = copy.observer.read_set.take().unwrap_or_default();
        let made: Vec<Vec<u8>> = expansion
            .transitions
            .iter()
            .filter_map(|transition| transition.result.as_ref().ok().cloned())
            .collect();
        let is_slow = machine.state.threads.len() > 64
            || !expansion.error_sites.is_empty()
            || !expansion.lost.is_empty()
            || made.len() != expansion.transitions.len();
        let transitions = transitions.filter(|transitions| {
            !(is_slow || thread_transitions.looks && transitions.iter().any(needs_closure_after))
        });
        let leaf = transitions.map(|transitions| {
            let leaf = Leaf {
                footprint: footprint.into(),
                first: 0,
                count: 0,
                stuck: thread_transitions.stuck,
                progress: thread_transitions.progress,
                looks: thread_transitions.looks,
                is_look: is_look(machine, t),
                is_lock: matches!(machine.next_op(t), Some(Op::Lib { .. })),
                plain: transitions.iter().all(|(transition, _)| transition.other_effects.is_none()),
                changes,
            };
            (leaf, transitions)
        });
        self.keep(machine.program, components, state, (t, VISIBLE), Executed { read_set, leaf, made })
    }

    /// The same for what a thread does alone.
    pub(crate) fn memoise_invisible(
        &mut self,
        components: &mut Components,
        state: &[u8],
        t: usize,
        tools: &mut Tools<'_, '_>,
    ) -> u32 {
        let (machine, copy) = &mut *tools.spare;
        components.take(machine.program, state, &mut machine.state);
        copy.state.clone_from(&machine.state);
        copy.status = 0;
        copy.observer.executed.get_or_insert_default().clear();
        copy.observer.read_set = Some(Box::new(self.read_sets.pop().unwrap_or_default())).into();
        let ran = run_invisible(copy, t);
        for (code, pc) in copy.observer.executed.iter().flat_map(ExecutedSteps::each) {
            (tools.mark)(code, pc);
        }
        let mut made = Vec::new();
        let transitions = match ran {
            _ if !copy.observer.deferred_races.is_empty() => None,
            // A thread that waits may have come to another step of its loop.
            Ok(InvisibleSteps::Rested) => state.starts_with(&components.put(copy)).then(Vec::new),
            Ok(InvisibleSteps::Moved) => {
                let bytes = components.put(copy);
                let transition = remember(components, word(state, 0), &bytes, machine, copy, t);
                made.push(bytes);
                transition.map(|(transition, _)| vec![transition])
            }
            Ok(InvisibleSteps::Ended(_)) | Err(_) => None,
        };
        copy.observer.deferred_races.clear();
        let read_set = copy.observer.read_set.take().unwrap_or_default();
        let transitions = transitions.filter(|_| machine.state.threads.len() <= 64);
        let leaf = transitions.map(|transitions| (Leaf::default(), transitions));
        self.keep(machine.program, components, state, (t, INVISIBLE), Executed { read_set, leaf, made })
    }

    /// Keeps a leaf with its ways, in the tree.
    fn keep(
        &mut self,
        program: &Program,
        components: &mut Components,
        state: &[u8],
        (t, kind): (usize, usize),
        executed: Executed,
    ) -> u32 {
        let Executed { mut read_set, leaf, made } = executed;
        let mut tests = std::mem::take(&mut self.tests);
        tests.clear();
        for &question in &read_set.asked[..read_set.slow.unwrap_or(read_set.asked.len())] {
            tests_of(program, &components.shapes[word(state, 0) as usize], question, &mut tests);
        }
        let mut conflicts = false;
        if read_set.slow.is_none() && !read_set.access_log.is_empty() {
            // What was touched follows from the answers to all that was asked.
            let test = Test::AccessLog(components.accesses_number(&read_set.access_log));
            conflicts = test.answer(components, &View::new(components, state), t) != (0, 0);
            tests.push(test);
        }
        let mut known = SLOW;
        if let Some((leaf, transitions)) = leaf
            && read_set.slow.is_none()
            && !conflicts
            && transitions.len() == made.len()
            && tests.len() <= MAX_DEPENDENCIES
        {
            let first = self.transitions.len() as u32;
            let ways = transitions.iter().map(|(transition, writes)| (transition, &writes[..]));
            known = self.add_leaf(&leaf, ways);
            let mut again = Vec::new();
            for (number, made) in (first..).zip(&made) {
                again.clear();
                again.extend_from_slice(state);
                let changed = self.change(program, components, t, number, &mut again);
                let same = again.starts_with(made) && again[made.len()..].iter().all(|&byte| byte == 0);
                debug_assert!(changed.is_none() || same, "a remembered step is made again as it was made");
                if changed.is_none() || !same {
                    known = SLOW;
                }
            }
        }
        // To execute a step is right however little was asked.
        tests.truncate(if known == SLOW { MAX_DEPENDENCIES } else { tests.len() });
        let view = View::new(components, state);
        let position = Position { record: view.record(t), kind, class: view.class };
        let mut answers = std::mem::take(&mut self.answers);
        answers.clear();
        answers.extend(tests.iter().map(|&test| (test, test.answer(components, &view, t))));
        self.tests = tests;
        self.plant(components, position, answers.iter().copied(), known | LEAF);
        if self.log.as_ref().is_some_and(|log| !log.is_full()) {
            self.note_learnt(position, &answers, &read_set.access_log, known);
        }
        self.answers = answers;
        read_set.clear();
        self.read_sets.push(*read_set);
        known
    }

    /// Adds a leaf with its ways. Its number.
    fn add_leaf<'w>(
        &mut self,
        leaf: &Leaf,
        ways: impl Iterator<Item = (&'w Transition, &'w [(u32, u8, u64)])>,
    ) -> u32 {
        let (known, first) = (self.leaves.len() as u32, self.transitions.len() as u32);
        for (transition, writes) in ways {
            let from = self.writes.len() as u32;
            self.size += size_of_way(transition, writes.len());
            self.writes.extend_from_slice(writes);
            let writes = (from, self.writes.len() as u32);
            self.transitions.push(Transition { writes, last_tags: NO_TAGS, ..transition.clone() });
        }
        let count = self.transitions.len() as u32 - first;
        self.size += 128 + 24 * leaf.footprint.len();
        self.leaves.push(Leaf { first, count, ..leaf.clone() });
        known
    }

    /// Notes a leaf for the other threads.
    fn note_learnt(
        &mut self,
        position: Position,
        answers: &[(Test, Answer)],
        access_log: &[Span],
        leaf: u32,
    ) {
        let is_about_log = |(test, _): &(Test, Answer)| matches!(test, Test::AccessLog(_));
        let access_log = answers.last().is_some_and(is_about_log).then_some(access_log);
        let leaf = (leaf != SLOW).then(|| {
            let leaf = &self.leaves[leaf as usize];
            (leaf, &self.transitions[leaf.first as usize..(leaf.first + leaf.count) as usize])
        });
        let own = leaf.map_or(&[][..], |(_, transitions)| transitions);
        // The ways of a leaf were added together, and so what they write.
        let start = own.first().map_or(0, |first| first.writes.0);
        let end = own.last().map_or(0, |last| last.writes.1);
        let writes = &self.writes[start as usize..end as usize];
        let size = own.iter().map(|transition| size_of_way(transition, 0)).sum();
        self.learnt.add(Lesson { position, answers, access_log, leaf, writes }, size);
    }

    /// Gives what was learnt in a batch of states to the other threads.
    pub fn publish(&mut self) {
        if let Some(log) = &self.log
            && !self.learnt.is_empty()
        {
            let mut learnt = std::mem::take(&mut self.learnt);
            learnt.by = self.member;
            log.publish(learnt);
        }
    }

    /// Plants what another thread has learnt in a batch. All parts that it names are known.
    pub(crate) fn receive(&mut self, components: &mut Components, learnt: &Learnt) {
        if learnt.by != self.member {
            learnt.lessons().for_each(|lesson| self.receive_one(components, &lesson));
        }
    }

    fn receive_one(&mut self, components: &mut Components, lesson: &Lesson<'_>) {
        if self.has_leaf(components, lesson.position, lesson.answers) {
            return;
        }
        let accesses = lesson.access_log.map(|spans| components.accesses_number(spans));
        let answers = lesson.answers.iter().map(|&(test, answer)| match (test, accesses) {
            (Test::AccessLog(_), Some(accesses)) => (Test::AccessLog(accesses), answer),
            _ => (test, answer),
        });
        let leaf = match lesson.leaf {
            Some((leaf, transitions)) => {
                let start = transitions.first().map_or(0, |first| first.writes.0);
                let place = |at: u32| (at - start) as usize;
                let writes = |way: &Transition| &lesson.writes[place(way.writes.0)..place(way.writes.1)];
                self.add_leaf(leaf, transitions.iter().map(|way| (way, writes(way))))
            }
            None => SLOW,
        };
        self.plant(components, lesson.position, answers, leaf | LEAF);
    }

    /// Whether a walk with these answers ends in a leaf.
    fn has_leaf(&self, components: &Components, at: Position, answers: &[(Test, Answer)]) -> bool {
        let mut at = components.root(at.record, at.class, at.kind);
        for &(_, answer) in answers {
            at = match at {
                None => return false,
                Some(leaf) if leaf & LEAF != 0 => return true,
                Some(node) => self.follow(node, answer),
            };
        }
        at.is_some()
    }

    /// Puts a leaf where a walk with these answers ends.
    fn plant(
        &mut self,
        components: &mut Components,
        position: Position,
        answers: impl Iterator<Item = (Test, Answer)>,
        leaf: u32,
    ) {
        // The child that is looked at: of a record's root, or of a node.
        let (mut from, mut at) = (None, components.root(position.record, position.class, position.kind));
        for (test, answer) in answers {
            let node = match at {
                Some(kid) if kid & LEAF == 0 => kid,
                // A slow leaf on the way is right, and stays.
                Some(_) => return,
                None => {
                    let new = self.ask(test);
                    self.hang(components, position, from, new);
                    new
                }
            };
            if self.asks(node) != test {
                debug_assert!(false, "what a step asks follows from the answers before");
                return;
            }
            from = Some((node, answer));
            at = self.follow(node, answer);
        }
        if at.is_none() {
            self.hang(components, position, from, leaf);
        }
    }

    fn hang(
        &mut self,
        components: &mut Components,
        Position { record, kind, class }: Position,
        from: Option<(u32, Answer)>,
        kid: u32,
    ) {
        match from {
            Some((node, answer)) => self.add(node, answer, kid),
            None => components.add_root(record, class, kind, kid),
        }
    }
}

/// [`Transition::last_tags`] of a way that was not made yet.
const NO_TAGS: (u32, u32) = (u32::MAX, 0);

/// The bytes that a way takes, about, with a number of writes.
fn size_of_way(transition: &Transition, writes: usize) -> usize {
    let other = transition
        .other_effects
        .as_ref()
        .map_or(0, |effects| 160 + 8 * (effects.tags.len() + effects.begun.len() + effects.memory.len()));
    64 + 16 * writes + other
}

/// Where an object's bytes are: in the state, and in the machine. None where they are in neither,
/// or did not exist before.
fn ground(program: &Program, shape: &StateShape, object: u32) -> Option<(usize, usize)> {
    match program.statics.get((object as usize).wrapping_sub(1)) {
        Some(fixed) => match fixed.kind {
            StaticKind::Variable(start) => Some((start as usize, start as usize)),
            StaticKind::Text(_) | StaticKind::Function(_) => None,
        },
        None => {
            let index = object as usize - program.statics.len() - 1;
            Some((*shape.starts.get(index)? as usize, shape.objects[index].start as usize))
        }
    }
}

/// A question in terms of bytes.
fn tests_of(program: &Program, shape: &StateShape, question: Dependency, tests: &mut Vec<Test>) {
    let mut pieces = |object: u32, offset: i32, size: u32, over: bool| {
        let Some((start, _)) = ground(program, shape, object) else { return };
        let (mut at, end) =
            (start as i64 + i64::from(offset), start as i64 + i64::from(offset) + i64::from(size));
        while at < end {
            let size = (end - at).min(8) as u8;
            let read = Test::Read { at: at as u32, size };
            let test = if over { Test::Over { at: at as u32, size } } else { read };
            // What was read is known when it is overwritten.
            if !tests.contains(&test) && !tests.contains(&read) {
                tests.push(test);
            }
            at += i64::from(size);
        }
    };
    match question {
        Dependency::Read(object, offset, size) => pieces(object, offset, size, false),
        Dependency::Over(object, offset, size) => pieces(object, offset, size, true),
        Dependency::Future(bit) => tests.push(Test::Future(bit)),
        Dependency::Waiters(place) => tests.push(Test::Waiters(place)),
        Dependency::OtherMutex(place, lock) => tests.push(Test::OtherMutex(place, lock)),
        Dependency::Thread(object) => tests.push(Test::Thread(object)),
        Dependency::ComponentShape => tests.push(Test::ComponentShape),
    }
}

/// Whether all threads and objects keep their numbers. Those that begin come last, which only numbers of
/// threads and variables in frames do not feel. `shape`, `next`: the shapes before and after.
fn keeps_numbers(
    components: &Components,
    (shape, next): (&StateShape, &StateShape),
    before: &Machine<'_>,
    after: &Machine<'_>,
) -> bool {
    let (old, new, pieces) = (&before.state, &after.state, &components.pieces);
    let (count, threads) = (old.objects.len(), old.threads.len());
    pieces.kept.len() == new.threads.len()
        && new.threads.len() >= threads
        && pieces.lost == old.lost
        && pieces.order.len() >= count
        && pieces.order.iter().enumerate().all(|(at, &index)| at == index as usize)
        && (pieces.order.len() == count
            || shape.anchored as usize == count && next.anchored as usize == pieces.order.len())
        && new.objects[count..].iter().all(|object| object.kind != ObjectKind::Heap)
        && new
            .objects
            .iter()
            .zip(&old.objects)
            .all(|(new, old)| Object { shared: old.shared, ..*new } == *old)
}

/// Ranges of written bytes without overlaps: begin and end in the encoded state, begin in the machine.
fn merged(mut ranges: Vec<(usize, usize, usize)>) -> Vec<(usize, usize, usize)> {
    ranges.sort_unstable();
    let mut merged: Vec<(usize, usize, usize)> = Vec::with_capacity(ranges.len());
    for (start, end, machine) in ranges {
        match merged.last_mut() {
            // Neighbours in the state may be far apart in the machine.
            Some(last) if start < last.1 || start == last.1 && machine == last.2 + (last.1 - last.0) => {
                last.1 = last.1.max(end);
            }
            _ => merged.push((start, end, machine)),
        }
    }
    merged
}

/// The objects from a number on to which pointers in a range of the machine's bytes lead.
fn unanchored(machine: &Machine<'_>, range: std::ops::Range<usize>, from: u32) -> Vec<u32> {
    let starts = range.filter(|&at| machine.state.tags[at] == POINTER);
    starts.map(|at| machine.unpack(at).0).filter(|&object| object >= from).collect()
}

/// What a thread's step changed, where the same changes may be made in other states; and whether
/// the step alone changed memory. `bytes`: the state afterwards, as it was just put.
fn remember(
    components: &Components,
    shape: u32,
    bytes: &[u8],
    before: &Machine<'_>,
    after: &Machine<'_>,
    t: usize,
) -> Option<(Made, Option<bool>)> {
    let read_set = after.observer.read_set.borrow();
    let read_set: &ReadSet = read_set.as_deref()?;
    let (old, new, program) = (&before.state, &after.state, before.program);
    let (number, was, shape) = (word(bytes, 0), shape, &components.shapes[shape as usize]);
    if number != was && !read_set.asked.contains(&Dependency::ComponentShape) {
        return None;
    }
    if read_set.slow.is_some() || new.done || number == WHOLE || new.atomic != old.atomic {
        return None;
    }
    let (pieces, next) = (&components.pieces, &components.shapes[number as usize]);
    if !keeps_numbers(components, (shape, next), before, after)
        || !others_stay(before, after, t, &read_set.woken)
    {
        return None;
    }
    let threads = old.threads.len();
    let (mine, then) = (&old.threads[t], &new.threads[t]);
    let first = program.statics.len() as u32 + 1;
    if then.object != mine.object || anchors(mine, first) != anchors(then, first) {
        return None;
    }
    if references(program, mine, first + shape.solid) != references(program, then, first + next.solid) {
        return None;
    }
    let record = word(bytes, 8 + 4 * t);
    let mut ranges = Vec::with_capacity(read_set.writes.len());
    for &(object, offset, size) in &read_set.writes {
        if let Some((state, machine)) = ground(program, shape, object) {
            let at = usize::try_from(offset).ok()?;
            ranges.push((state + at, state + at + size as usize, machine + at));
        }
    }
    let changes = changed(read_set, &ranges, before, after);
    let (mut writes, mut tags) = (Vec::new(), Vec::new());
    for (start, end, machine) in merged(ranges) {
        let size = end - start;
        let pointers =
            |of: &Machine<'_>, anchored: u32| unanchored(of, machine..machine + size, first + anchored);
        if pointers(before, shape.anchored) != pointers(after, next.anchored) {
            return None;
        }
        let mut at = 0;
        while at < size {
            let wide = (size - at).min(8);
            writes.push(((start + at) as u32, wide as u8, few(&new.bytes, machine + at, wide)));
            at += wide;
        }
        for at in 0..size {
            if old.tags[machine + at] != new.tags[machine + at] {
                tags.push(((start + at) as u32, new.tags[machine + at]));
            }
        }
    }
    let woken = read_set.woken.iter().map(|&u| u as u8).collect();
    let begun = (threads..new.threads.len()).map(|u| word(bytes, 8 + 4 * u)).collect();
    let other_effects = OtherEffects {
        tags: tags.into(),
        woken,
        shape: Some(number).filter(|&number| number != was),
        begun,
        memory: bytes.get(next.header + shape.memory..next.header + next.memory)?.into(),
        memory_tags: pieces.tags.get(shape.memory..)?.into(),
        needs_closure: read_set.needs_closure,
    };
    let has_other_effects = !other_effects.tags.is_empty()
        || !other_effects.woken.is_empty()
        || other_effects.shape.is_some()
        || other_effects.needs_closure;
    let transition = Transition {
        record,
        writes: (0, 0),
        other_effects: has_other_effects.then(|| Arc::new(other_effects)),
        last_tags: NO_TAGS,
    };
    let transition = (transition, writes);
    Some((transition, changes))
}

/// Whether the visible step changed memory, where its one write tells.
fn changed(
    read_set: &ReadSet,
    ranges: &[(usize, usize, usize)],
    before: &Machine<'_>,
    after: &Machine<'_>,
) -> Option<bool> {
    if read_set.visible == 0 {
        return Some(false);
    }
    // Only what was read whole is the same wherever the leaf is reached, and only what nothing
    // wrote later shows.
    let &[(object, offset, size)] = read_set.writes.get(..read_set.visible)? else { return None };
    let &(start, end, machine) = ranges.first().filter(|_| ranges.len() == read_set.writes.len())?;
    let read = read_set.asked.contains(&Dependency::Read(object, offset, size));
    if !read || ranges[1..].iter().any(|&(from, to, _)| from < end && start < to) {
        return None;
    }
    let range = machine..machine + (end - start);
    let (old, new) = (&before.state, &after.state);
    Some(old.bytes[range.clone()] != new.bytes[range.clone()] || old.tags[range.clone()] != new.tags[range])
}

/// Whether all other threads are as they were, but for those woken.
fn others_stay(before: &Machine<'_>, after: &Machine<'_>, t: usize, woken: &[usize]) -> bool {
    before.state.threads.iter().zip(&after.state.threads).enumerate().all(|(u, (old, new))| {
        if u == t {
            return !woken.contains(&t);
        }
        if !woken.contains(&u) {
            return old == new;
        }
        let Wait::Condition { mutex, .. } = old.wait else { return false };
        let mut expected = old.clone();
        expected.wait = Wait::Woken { mutex, timed_out: false };
        expected == *new
    })
}

/// The automatic variables and thread storage of a thread, in the order in which a walk meets them.
fn anchors(thread: &Thread, first: u32) -> Vec<u32> {
    let mut found = Vec::new();
    each_anchored(thread, |object| {
        if object >= first {
            found.push(object);
        }
    });
    found
}

/// The objects from a number on that a thread's record names, in its order.
fn references(program: &Program, thread: &Thread, least: u32) -> Vec<u32> {
    let mut found = Vec::new();
    let mut note = |object: u32| {
        if object >= least {
            found.push(object);
        }
        object
    };
    record(program, thread, &mut note, &mut Vec::with_capacity(RECORD));
    found
}
