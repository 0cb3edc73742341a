//! How moves are learnt (`moves.rs` says what they are). Main functions: [`Moves::learn`], [`remember`]. Kept: a way is remembered
//! only where it would be the same, and the numbers of objects would stay the same, in every state that leads to its leaf.

use crate::code::{Op, StaticKind};
use crate::lower::Program;

use super::deps::{Deps, Question};
use super::encode::{each_anchored, record};
use super::explore::{Expansion, Ran, is_look, run_alone, turn};
use super::machine::{Machine, Object, ObjectKind, POINTER, Thread, Wait};
use super::moves::{ALONE, Answer, LEAF, Leaf, Moves, Rare, SLOW, TURN, Test, Tools, View, Way, few};
use super::parts::{Parts, Shape, WHOLE, word};

/// Questions of one step; beyond, it is executed each time.
const MOST_QUESTIONS: usize = 96;

/// A way, and what it writes.
type Made = (Way, Vec<(u32, u8, u64)>);

fn is_unsettled((way, _): &Made) -> bool {
    way.rare.as_ref().is_some_and(|rare| rare.unsettled)
}

impl Moves {
    /// Executes a thread's turn, and remembers it: the leaf that states like this one lead to. `machine` is in the state,
    /// and keeps to it.
    pub fn learn<'p>(
        &mut self,
        parts: &mut Parts,
        state: &[u8],
        (machine, copy): (&mut Machine<'p>, &mut Machine<'p>),
        t: usize,
        mark: &mut dyn FnMut(u32, u32),
    ) -> u32 {
        let mut footprint = Vec::new();
        machine.deps = Some(Box::default()).into();
        if machine.settings.races && machine.running() > 1 {
            footprint = machine.footprint(t);
        }
        let mut deps = machine.deps.take().unwrap_or_default();
        (deps.writes, deps.woken) = (Vec::new(), Vec::new());
        copy.deps = Some(deps).into();
        let mut expansion = Expansion::default();
        let shape = word(state, 0);
        let mut ways = Some(Vec::new());
        let (mut stale, mut changes) = (true, None);
        let mut put = |after: &Machine<'p>| {
            let bytes = parts.put(after);
            let made = remember(parts, shape, &bytes, machine, after, t);
            changes = made.as_ref().and_then(|(_, changes)| *changes);
            match (made, &mut ways) {
                (Some((way, _)), Some(ways)) => ways.push(way),
                _ => ways = None,
            }
            bytes
        };
        let turn = turn(machine, None, (copy, &mut stale), t, &mut expansion, mark, &mut put);
        let deps = copy.deps.take().unwrap_or_default();
        let made: Vec<Vec<u8>> =
            expansion.ways.iter().filter_map(|way| way.result.as_ref().ok().cloned()).collect();
        let is_slow = machine.state.threads.len() > 64
            || !expansion.incidents.is_empty()
            || !expansion.lost.is_empty()
            || made.len() != expansion.ways.len();
        let ways = ways.filter(|ways| !(is_slow || turn.looks && ways.iter().any(is_unsettled)));
        let leaf = ways.map(|ways| {
            let leaf = Leaf {
                footprint: footprint.into(),
                first: 0,
                count: 0,
                stuck: turn.stuck,
                progress: turn.progress,
                looks: turn.looks,
                is_look: is_look(machine, t),
                is_lock: matches!(machine.next_op(t), Some(Op::Lib { .. })),
                plain: ways.iter().all(|(way, _)| way.rare.is_none()),
                changes,
            };
            (leaf, ways)
        });
        self.keep(machine.program, parts, state, (t, TURN), &deps, leaf, &made)
    }

    /// The same for what a thread does alone.
    pub(super) fn learn_alone(
        &mut self,
        parts: &mut Parts,
        state: &[u8],
        t: usize,
        tools: &mut Tools<'_, '_>,
    ) -> u32 {
        let (machine, copy) = &mut *tools.spare;
        parts.take(machine.program, state, &mut machine.state);
        copy.state.clone_from(&machine.state);
        copy.status = 0;
        copy.record.get_or_insert_default().clear();
        copy.deps = Some(Box::default()).into();
        let ran = run_alone(copy, t);
        for &(_, code, pc) in copy.record.iter().flatten() {
            (tools.mark)(code, pc);
        }
        let mut made = Vec::new();
        let ways = match ran {
            _ if !copy.aside.is_empty() => None,
            Ok(Ran::Rests) => Some(Vec::new()),
            Ok(Ran::Moves) => {
                let bytes = parts.put(copy);
                let way = remember(parts, word(state, 0), &bytes, machine, copy, t);
                made.push(bytes);
                way.map(|(way, _)| vec![way])
            }
            Ok(Ran::Ends(_)) | Err(_) => None,
        };
        copy.aside.clear();
        let deps = copy.deps.take().unwrap_or_default();
        let ways = ways.filter(|_| machine.state.threads.len() <= 64);
        let leaf = ways.map(|ways| (Leaf::default(), ways));
        self.keep(machine.program, parts, state, (t, ALONE), &deps, leaf, &made)
    }

    /// Keeps a leaf with its ways, in the tree. `made`: what the ways led to when they were executed.
    #[allow(clippy::too_many_arguments, reason = "the parts of a leaf")]
    fn keep(
        &mut self,
        program: &Program,
        parts: &mut Parts,
        state: &[u8],
        (t, kind): (usize, usize),
        deps: &Deps,
        leaf: Option<(Leaf, Vec<Made>)>,
        made: &[Vec<u8>],
    ) -> u32 {
        let mut tests = Vec::new();
        for &question in &deps.asked[..deps.slow.unwrap_or(deps.asked.len())] {
            tests_of(program, &parts.shapes[word(state, 0) as usize], question, &mut tests);
        }
        let mut conflicts = false;
        if deps.slow.is_none() && !deps.touched.is_empty() {
            // What was touched follows from the answers to all that was asked.
            let test = Test::Touched(parts.accesses_number(&deps.touched));
            conflicts = test.answer(parts, &View::new(parts, state), t) != (0, 0);
            tests.push(test);
        }
        let mut known = SLOW;
        if let Some((leaf, ways)) = leaf
            && deps.slow.is_none()
            && !conflicts
            && ways.len() == made.len()
            && tests.len() <= MOST_QUESTIONS
        {
            known = self.leaves.len() as u32;
            let (first, count) = (self.ways.len() as u32, ways.len() as u32);
            self.size += 128 + 24 * leaf.footprint.len();
            self.leaves.push(Leaf { first, count, ..leaf });
            for (mut way, writes) in ways {
                let from = self.writes.len() as u32;
                self.size += 64 + 16 * writes.len();
                self.writes.extend(writes);
                way.writes = (from, self.writes.len() as u32);
                if let Some(rare) = &way.rare {
                    self.size += 160 + 8 * (rare.tags.len() + rare.begun.len() + rare.memory.len());
                }
                self.ways.push(way);
            }
            let mut again = Vec::new();
            for (number, made) in (first..).zip(made) {
                again.clear();
                again.extend_from_slice(state);
                let changed = self.change(program, parts, t, number, &mut again);
                let same = again.starts_with(made) && again[made.len()..].iter().all(|&byte| byte == 0);
                debug_assert!(changed.is_none() || same, "a remembered step is made again as it was made");
                if changed.is_none() || !same {
                    known = SLOW;
                }
            }
        }
        // To execute a step is right however little was asked.
        tests.truncate(if known == SLOW { MOST_QUESTIONS } else { tests.len() });
        self.plant(parts, state, (t, kind), &tests, known | LEAF);
        known
    }

    /// Puts a leaf where a walk along these questions ends.
    fn plant(
        &mut self,
        parts: &mut Parts,
        state: &[u8],
        (t, kind): (usize, usize),
        tests: &[Test],
        leaf: u32,
    ) {
        let class = parts.shapes[word(state, 0) as usize].class;
        let record = word(state, 8 + 4 * t) as usize;
        let place = (record, kind, class);
        // The child that is looked at: of a record's root, or of a node.
        let (mut from, mut at) = (None, parts.root(record as u32, class, kind));
        for &test in tests {
            let node = match at {
                Some(kid) if kid & LEAF == 0 => kid,
                // A slow leaf on the way is right, and stays.
                Some(_) => return,
                None => {
                    let new = self.ask(test);
                    self.hang(parts, place, from, new);
                    new
                }
            };
            if self.asks(node) != test {
                debug_assert!(false, "what a step asks follows from the answers before");
                return;
            }
            let answer = test.answer(parts, &View::new(parts, state), t);
            from = Some((node, answer));
            at = self.follow(node, answer);
        }
        if at.is_none() {
            self.hang(parts, place, from, leaf);
        }
    }

    fn hang(
        &mut self,
        parts: &mut Parts,
        (record, kind, class): (usize, usize, u32),
        from: Option<(u32, Answer)>,
        kid: u32,
    ) {
        match from {
            Some((node, answer)) => self.add(node, answer, kid),
            None => parts.add_root(record as u32, class, kind, kid),
        }
    }
}

/// Where an object's bytes are: in the state, and in the machine. None where they are in neither, or did not exist before.
fn ground(program: &Program, shape: &Shape, object: u32) -> Option<(usize, usize)> {
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
fn tests_of(program: &Program, shape: &Shape, question: Question, tests: &mut Vec<Test>) {
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
        Question::Read(object, offset, size) => pieces(object, offset, size, false),
        Question::Over(object, offset, size) => pieces(object, offset, size, true),
        Question::Future(bit) => tests.push(Test::Future(bit)),
        Question::Waiters(place) => tests.push(Test::Waiters(place)),
        Question::OtherMutex(place, lock) => tests.push(Test::OtherMutex(place, lock)),
        Question::Thread(object) => tests.push(Test::Thread(object)),
        Question::Shape => tests.push(Test::Shape),
    }
}

/// What a thread's step changed, where the same changes may be made in other states; and whether the step alone changed
/// memory. `bytes`: the state afterwards, as it was just put.
fn remember(
    parts: &Parts,
    shape: u32,
    bytes: &[u8],
    before: &Machine<'_>,
    after: &Machine<'_>,
    t: usize,
) -> Option<(Made, Option<bool>)> {
    let deps = after.deps.borrow();
    let deps: &Deps = deps.as_deref()?;
    let (old, new, program) = (&before.state, &after.state, before.program);
    let (number, was, shape) = (word(bytes, 0), shape, &parts.shapes[shape as usize]);
    if number != was && !deps.asked.contains(&Question::Shape) {
        return None;
    }
    if deps.slow.is_some() || new.done || number == WHOLE || new.atomic != old.atomic {
        return None;
    }
    let (pieces, next) = (&parts.pieces, &parts.shapes[number as usize]);
    // All threads and objects keep their numbers; those that begin come last, which only numbers of threads and variables
    // in frames do not feel.
    let (count, threads) = (old.objects.len(), old.threads.len());
    let is_same = pieces.kept.len() == new.threads.len()
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
            .all(|(new, old)| Object { shared: old.shared, ..*new } == *old);
    if !is_same || !others_stay(before, after, t, &deps.woken) {
        return None;
    }
    let (mine, then) = (&old.threads[t], &new.threads[t]);
    let first = program.statics.len() as u32 + 1;
    if then.object != mine.object || anchors(mine, first) != anchors(then, first) {
        return None;
    }
    if references(program, mine, first + shape.solid) != references(program, then, first + next.solid) {
        return None;
    }
    let record = word(bytes, 8 + 4 * t);
    let mut ranges = Vec::new();
    for &(object, offset, size) in &deps.writes {
        if let Some((state, machine)) = ground(program, shape, object) {
            let at = usize::try_from(offset).ok()?;
            ranges.push((state + at, state + at + size as usize, machine + at));
        }
    }
    let changes = changed(deps, &ranges, before, after);
    ranges.sort_unstable();
    let mut merged: Vec<(usize, usize, usize)> = Vec::new();
    for (start, end, machine) in ranges {
        match merged.last_mut() {
            // Neighbours in the state may be far apart in the machine.
            Some(last) if start < last.1 || start == last.1 && machine == last.2 + (last.1 - last.0) => {
                last.1 = last.1.max(end);
            }
            _ => merged.push((start, end, machine)),
        }
    }
    let (mut writes, mut tags) = (Vec::new(), Vec::new());
    for (start, end, machine) in merged {
        let size = end - start;
        let pointers = |of: &Machine<'_>, anchored: u32| {
            let (mut found, mut at) = (Vec::new(), machine);
            while at < machine + size {
                if of.state.tags[at] == POINTER {
                    let (object, _) = of.unpack(at);
                    if object >= first + anchored {
                        found.push(object);
                    }
                }
                at += 1;
            }
            found
        };
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
    let woken = deps.woken.iter().map(|&u| u as u8).collect();
    let begun = (threads..new.threads.len()).map(|u| word(bytes, 8 + 4 * u)).collect();
    let rare = Rare {
        tags: tags.into(),
        woken,
        shape: Some(number).filter(|&number| number != was),
        begun,
        memory: bytes.get(next.header + shape.memory..next.header + next.memory)?.into(),
        memory_tags: pieces.tags.get(shape.memory..)?.into(),
        unsettled: deps.unsettled,
        last_tags: (u32::MAX, 0),
    };
    let is_rare = !rare.tags.is_empty() || !rare.woken.is_empty() || rare.shape.is_some() || rare.unsettled;
    let way = Way { record, writes: (0, 0), rare: is_rare.then(|| Box::new(rare)) };
    let way = (way, writes);
    Some((way, changes))
}

/// Whether the visible step changed memory, where its one write tells.
fn changed(
    deps: &Deps,
    ranges: &[(usize, usize, usize)],
    before: &Machine<'_>,
    after: &Machine<'_>,
) -> Option<bool> {
    if deps.visible == 0 {
        return Some(false);
    }
    // Only what was read whole is the same wherever the leaf is reached, and only what nothing wrote later shows.
    let &[(object, offset, size)] = deps.writes.get(..deps.visible)? else { return None };
    let &(start, end, machine) = ranges.first().filter(|_| ranges.len() == deps.writes.len())?;
    let read = deps.asked.contains(&Question::Read(object, offset, size));
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
    record(program, thread, &mut note, &mut Vec::new());
    found
}
