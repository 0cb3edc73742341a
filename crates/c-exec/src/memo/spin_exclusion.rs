//! Whether a thread is certain not to go round in a loop that looks at memory and changes nothing.
//!
//! *Entry point:* [`Memo::excludes_spins`].
//!
//! It is walked along its memoised transitions, the others standing still, until it makes a step
//! that is no look, or ends, or has made more steps than such a loop may have (`spins` in
//! `explore.rs`, which is asked where the walk does not show it). Threads that do all under locks
//! walk far, and do so from nearly every state. But a walk rests on little: on the answers to the
//! questions of its steps, those left out about what the walk has written before. So what is asked
//! in a whole walk is put together, as a mask over the words of memory and a few questions more
//! (its *form*), and kept at the leaf that the walk begins with, in a table of what memory holds
//! behind the mask (memoisation as in `memo.rs`, of many steps at once). A state whose words are in
//! the table has the same walk before it. All states on the way are kept where the thread gets out:
//! the form of each is that of the next without what its step writes, and with what it asks
//! (backward slicing, Weiser 1981).
//!
//! *Invariant:* A walk that is taken as known is the walk that would be made. For by induction each
//! step asks the same questions, and gets the same answers: of what was written on the way because
//! the steps before were the same, of all else because it is compared, or because the first leaf
//! says it. Only steps are kept that write bytes and tags and do nothing else, so the others are as
//! they were, and only walks at whose end the thread gets out, so that no state on the way lies on
//! a round. A walk that comes to a state from which the thread is known to get out gets out, too.

use std::hash::Hasher;

use hashbrown::HashTable;
use rustc_hash::FxHasher;

use axle_c::Program;

use crate::memo::components::{Components, word};
use crate::memo::leaf::{Leaf, SLOW, UNKNOWN, VISIBLE};
use crate::memo::question::{Test, View, few, has_pointers};
use crate::memo::{Memo, Tools};

/// Steps after which a walk has shown enough.
const LONGEST: usize = 64;

/// Steps that are made to see a thread get out.
const FURTHEST: usize = 512;

/// Steps of walks for each state, and in all, beyond which chains replace walks.
const LONG_WALK: u64 = 16;
const MOST_WALKED: u64 = 1 << 14;

/// What stands for more steps than those.
const ENDLESS: u8 = 254;

/// Forms of walks that are kept for a leaf.
const MOST_FORMS: usize = 8;

/// Words of memory that a cached walk may depend on.
const MOST_WORDS: usize = 48;

/// Some bytes of a word of memory, and some of its tags.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
struct Part {
    bytes: u64,
    tags: u16,
}

impl Part {
    fn and(self, other: Part) -> Part {
        Part { bytes: self.bytes | other.bytes, tags: self.tags | other.tags }
    }

    fn without(self, other: Part) -> Part {
        Part { bytes: self.bytes & !other.bytes, tags: self.tags & !other.tags }
    }
}

/// What walks rest on that ask the same questions; all lists are sorted.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
struct Form {
    /// Words of memory with what matters of them.
    words: Vec<(u32, Part)>,
    /// What others may still do, of what the first word of futures says.
    near: u64,
    /// Sets of accesses that nothing conflicts with.
    access_log: Vec<u32>,
    others: Vec<Test>,
}

/// What the one step of a leaf asks and does.
#[derive(Clone, Default, Debug)]
struct StepForm {
    asks: Form,
    writes: Vec<(u32, Part)>,
    /// It does more than write.
    spoils: bool,
}

/// The answers of all walks of a form that are kept.
#[derive(Clone, Default, Debug)]
struct Known {
    form: Form,
    /// A row for each, one behind the other, and where each is by its hash.
    rows: Vec<u64>,
    index: HashTable<u32>,
}

/// A walk: the leaves, and the states, one behind the other.
#[derive(Clone, Default, Debug)]
struct Trail {
    leaves: Vec<u32>,
    states: Vec<u8>,
    wide: usize,
}

/// What is known of walks.
#[derive(Clone, Default, Debug)]
pub(crate) struct Walks {
    /// By the leaf that they begin with.
    known: Vec<Vec<Known>>,
    /// By leaf.
    steps: Vec<Option<Box<StepForm>>>,
    /// For each record after how many steps its thread got out of loops of looks, when it was last
    /// followed.
    out_after: Vec<u8>,
    trail: Trail,
    row: Vec<u64>,
    /// Steps of all walks; and whether these were so many that chains replace walks from then on.
    steps_made: u64,
    are_long: bool,
    /// A state to work with.
    one: Vec<u8>,
}

/// The step of a thread that is alone, in a loop that looks at memory and changes nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Step {
    /// It may be part of one.
    Looks,
    /// It is part of none.
    Leaves,
    /// It has to be executed.
    Unknown,
}

/// The outcome of a walk.
enum Walked {
    /// Out, after so many steps, and what that rests on beside the last leaf.
    Out(usize, Form),
    /// Far enough.
    Far,
    /// Back to where it began.
    Round,
    /// That cannot be said.
    MixedLockAccess,
}

impl Walks {
    /// Nothing but how long walks were.
    pub fn emptied(&self) -> Walks {
        Walks { steps_made: self.steps_made, are_long: self.are_long, ..Walks::default() }
    }
}

/// A word of memory, and its tags.
#[inline]
fn at_word(view: &View<'_>, number: u32) -> Part {
    let at = number as usize;
    let tags = view.tags.get(2 * at..2 * at + 2).map_or(0, |two| u16::from_le_bytes([two[0], two[1]]));
    Part { bytes: few(view.memory(), 8 * at, 8), tags }
}

/// Adds to a sorted list.
fn add<T: Ord + Copy>(list: &mut Vec<T>, new: T) {
    if let Err(at) = list.binary_search(&new) {
        list.insert(at, new);
    }
}

/// Adds parts of a word to a sorted list.
fn add_word(words: &mut Vec<(u32, Part)>, number: u32, part: Part) {
    match words.binary_search_by_key(&number, |&(number, _)| number) {
        Ok(at) => words[at].1 = words[at].1.and(part),
        Err(at) => words.insert(at, (number, part)),
    }
}

/// Adds at most nine bytes of memory, and as many tags: they lie in two words.
fn add_bytes(words: &mut Vec<(u32, Part)>, at: u32, (bytes, tags): (u32, u32)) {
    let shift = at % 8;
    let ones = |count: u32| (1u128 << count) - 1;
    let (bytes, tags) = (ones(8 * bytes) << (8 * shift), ones(2 * tags) << (2 * shift));
    add_word(words, at / 8, Part { bytes: bytes as u64, tags: tags as u16 });
    let rest = Part { bytes: (bytes >> 64) as u64, tags: (tags >> 16) as u16 };
    if rest != Part::default() {
        add_word(words, at / 8 + 1, rest);
    }
}

/// Takes from some words what is in others.
fn take_words(words: &mut [(u32, Part)], others: &[(u32, Part)]) {
    for &(number, part) in others {
        if let Ok(at) = words.binary_search_by_key(&number, |&(number, _)| number) {
            words[at].1 = words[at].1.without(part);
        }
    }
}

impl Form {
    /// Adds a question; whether its answer is one that any state has for which this is asked.
    fn add(&mut self, test: Test, tags: u32) {
        match test {
            Test::Read { at, size } => add_bytes(&mut self.words, at, (size.into(), u32::from(size) + 1)),
            Test::Over { at, size } => {
                // Of what is overwritten pointers matter.
                let bytes = if has_pointers(tags) { size.into() } else { 0 };
                add_bytes(&mut self.words, at, (bytes, u32::from(size) + 1));
            }
            Test::Future(bit) if bit < 64 => self.near |= 1 << bit,
            // Where there is a conflict, the step is executed.
            Test::AccessLog(set) => add(&mut self.access_log, set),
            Test::Future(_)
            | Test::Waiters(_)
            | Test::OtherMutex(..)
            | Test::Thread(_)
            | Test::ComponentShape => {
                add(&mut self.others, test);
            }
        }
    }

    fn join(&mut self, other: &Form) {
        other.words.iter().for_each(|&(number, part)| add_word(&mut self.words, number, part));
        self.near |= other.near;
        other.access_log.iter().for_each(|&set| add(&mut self.access_log, set));
        other.others.iter().for_each(|&test| add(&mut self.others, test));
    }

    /// The form without what a leaf says.
    fn beyond(&self, said: &Form) -> Form {
        let mut form = self.clone();
        take_words(&mut form.words, &said.words);
        form.words.retain(|(_, part)| *part != Part::default());
        form.near &= !said.near;
        form.access_log.retain(|set| said.access_log.binary_search(set).is_err());
        form.others.retain(|test| said.others.binary_search(test).is_err());
        form
    }

    /// What a state says to all that is asked. None: another has touched what conflicts.
    #[inline]
    fn ask(&self, components: &Components, view: &View<'_>, t: usize, row: &mut Vec<u64>) -> Option<()> {
        let conflicts = |set: &u32| {
            view.others_may_conflict(components, t, components.accesses[*set as usize].0)
                && Test::AccessLog(*set).answer(components, view, t) != (0, 0)
        };
        if self.access_log.iter().any(conflicts) {
            return None;
        }
        row.clear();
        let mut tags = 0u64;
        for (at, (number, mask)) in self.words.iter().enumerate() {
            let now = at_word(view, *number);
            row.push(now.bytes & mask.bytes);
            tags = tags << 16 | u64::from(now.tags & mask.tags);
            if at % 4 == 3 {
                row.push(std::mem::take(&mut tags));
            }
        }
        let near = if self.near == 0 { 0 } else { view.near_of_others(components, t) & self.near };
        row.extend([tags, near]);
        for test in &self.others {
            let (value, tags) = test.answer(components, view, t);
            row.extend([value, tags.into()]);
        }
        Some(())
    }

    fn size(&self) -> usize {
        256 + size_of::<(u32, Part)>() * self.words.len() + 4 * self.access_log.len() + 32 * self.others.len()
    }
}

fn hash(row: &[u64]) -> u64 {
    let mut hasher = FxHasher::default();
    row.iter().for_each(|&word| hasher.write_u64(word));
    hasher.finish()
}

impl Known {
    fn has(&self, row: &[u64]) -> bool {
        let same = |&at: &u32| self.rows[at as usize..at as usize + row.len()] == *row;
        self.index.find(hash(row), same).is_some()
    }

    fn add(&mut self, row: &[u64]) {
        let (at, rows, wide) = (self.rows.len() as u32, &mut self.rows, row.len());
        rows.extend_from_slice(row);
        self.index.insert_unique(hash(row), at, |&at| hash(&rows[at as usize..at as usize + wide]));
    }

    fn size(&self) -> usize {
        self.form.size() + 8 * self.rows.len() + 8 * self.index.len()
    }
}

impl Trail {
    fn clear(&mut self, wide: usize) {
        self.leaves.clear();
        self.states.clear();
        self.wide = wide;
    }

    /// The state before a step.
    fn state(&self, step: usize) -> &[u8] {
        &self.states[step * self.wide..(step + 1) * self.wide]
    }
}

impl Memo {
    /// The likely outcome of a thread with this record, by which threads are ordered.
    fn out_after(&self, record: u32) -> u8 {
        self.walks.out_after.get(record as usize).copied().unwrap_or(0)
    }

    /// The bytes of what stands for each record.
    pub(crate) fn held_by_walks(&self) -> usize {
        self.walks.out_after.len() + self.chains.held()
    }

    /// Whether the thread is known not to go round, without a walk. `leaf` is that of its turn.
    fn known_to_leave_loop(&mut self, components: &Components, view: &View<'_>, t: usize, leaf: u32) -> bool {
        self.known_form(components, view, t, leaf).is_some()
    }

    /// The place of the form by which that is known.
    fn known_form(&mut self, components: &Components, view: &View<'_>, t: usize, leaf: u32) -> Option<usize> {
        let Walks { known, row, .. } = &mut self.walks;
        let known = known.get(leaf as usize)?;
        known.iter().position(|known| known.form.ask(components, view, t, row).is_some() && known.has(row))
    }

    /// Whether it is certain that the thread does not go round in a loop that looks at memory and
    /// changes nothing. `leaf` is that of its turn, `next` where it leads; `one` is a place to work
    /// in.
    fn excludes_spin(
        &mut self,
        program: &Program,
        components: &mut Components,
        state: &[u8],
        (t, leaf, next): (usize, u32, &[u8]),
        one: &mut Vec<u8>,
        tools: &mut Tools<'_, '_>,
    ) -> bool {
        one.clear();
        one.extend_from_slice(next);
        let mut trail = std::mem::take(&mut self.walks.trail);
        trail.clear(state.len());
        let walked = self.walk(program, components, state, (t, leaf), one, (tools, Some(&mut trail)));
        let record = word(state, 8 + 4 * t) as usize;
        if self.walks.out_after.len() <= record {
            self.walks.out_after.resize(components.records.len(), 0);
        }
        self.walks.out_after[record] = match walked {
            Walked::Out(after, _) => after.min(LONGEST) as u8,
            Walked::Far => ENDLESS,
            Walked::Round | Walked::MixedLockAccess => u8::MAX,
        };
        self.walks.steps_made += trail.leaves.len() as u64;
        self.walks.are_long |= self.walks.steps_made > MOST_WALKED + LONG_WALK * self.expanded;
        let is_out = matches!(walked, Walked::Out(..) | Walked::Far);
        if let Walked::Out(_, rest) = walked {
            self.keep_all(components, t, &trail, rest);
        }
        self.walks.trail = trail;
        is_out
    }

    /// Walks again what is taken as known, to see that it does not come back.
    fn comes_back(
        &mut self,
        program: &Program,
        components: &mut Components,
        state: &[u8],
        (t, leaf, next): (usize, u32, &[u8]),
        tools: &mut Tools<'_, '_>,
    ) -> bool {
        let mut one = next.to_vec();
        let walked = self.walk(program, components, state, (t, leaf), &mut one, (tools, None));
        matches!(walked, Walked::Round)
    }

    /// Walks; `one`: where the first step has led. Without a trail nothing is taken as known.
    fn walk(
        &mut self,
        program: &Program,
        components: &mut Components,
        state: &[u8],
        (t, mut leaf): (usize, u32),
        one: &mut [u8],
        (tools, mut trail): (&mut Tools<'_, '_>, Option<&mut Trail>),
    ) -> Walked {
        let at = 8 + 4 * t;
        let is_endless = self.out_after(word(state, at)) == ENDLESS;
        let most = if trail.is_none() || is_endless { LONGEST } else { FURTHEST };
        for steps in 0..most {
            let unsure = if steps < LONGEST { Walked::MixedLockAccess } else { Walked::Far };
            if let Some(trail) = &mut trail {
                trail.states.extend_from_slice(if steps == 0 { state } else { &*one });
            }
            if steps > 0 {
                leaf = self.leaf_alone(program, components, one, t, tools);
            }
            if let Some(trail) = &mut trail {
                trail.leaves.push(leaf);
            }
            match self.look_of(components, leaf, t) {
                Step::Unknown => return unsure,
                Step::Leaves => return Walked::Out(steps, Form::default()),
                Step::Looks => {}
            }
            if steps > 0 {
                if trail.is_some() {
                    let form = self.known_form(components, &View::new(components, one), t, leaf);
                    if let Some(form) = form {
                        return Walked::Out(steps, self.walks.known[leaf as usize][form].form.clone());
                    }
                }
                if self.make_alone(program, components, one, (t, leaf), tools).is_none() {
                    return unsure;
                }
            }
            if steps < LONGEST && one[at..at + 4] == state[at..at + 4] && *one == *state {
                return Walked::Round;
            }
        }
        Walked::Far
    }

    /// The leaf of a thread's turn in a state, which is learnt if it is not known.
    fn leaf_alone(
        &mut self,
        program: &Program,
        components: &mut Components,
        state: &[u8],
        t: usize,
        tools: &mut Tools<'_, '_>,
    ) -> u32 {
        let leaf = self.find(components, &View::new(components, state), t, VISIBLE);
        if leaf != UNKNOWN {
            return leaf;
        }
        let (machine, copy) = &mut *tools.spare;
        components.take(program, state, &mut machine.state);
        self.learn(components, state, (machine, copy), t, tools.mark)
    }

    /// What the step of a leaf is in a loop that looks at memory and changes nothing.
    fn look_of(&self, components: &Components, leaf: u32, t: usize) -> Step {
        if leaf == SLOW {
            return Step::Unknown;
        }
        let found = &self.leaves[leaf as usize];
        if found.gets_out() || self.ends_thread(components, found, t) {
            return Step::Leaves;
        }
        if found.is_lock || found.changes.is_some() { Step::Looks } else { Step::Unknown }
    }

    /// Puts the one state to which a leaf leads in the place of a state. None if that has to be executed.
    fn make_alone(
        &mut self,
        program: &Program,
        components: &mut Components,
        state: &mut [u8],
        (t, leaf): (usize, u32),
        tools: &mut Tools<'_, '_>,
    ) -> Option<()> {
        let number = self.leaves[leaf as usize].first;
        let effects = &self.transitions[number as usize].other_effects;
        let needs_closure = effects.as_ref().is_some_and(|effects| effects.needs_closure);
        self.change(program, components, t, number, state)?;
        if needs_closure { self.close_invisible(program, components, state, t, tools) } else { Some(()) }
    }

    /// Makes the step of a thread that is a look at memory.
    pub(crate) fn step_alone(
        &mut self,
        program: &Program,
        components: &mut Components,
        state: &mut [u8],
        t: usize,
        tools: &mut Tools<'_, '_>,
    ) -> Step {
        let leaf = self.leaf_alone(program, components, state, t, tools);
        let step = self.look_of(components, leaf, t);
        if step == Step::Looks && self.make_alone(program, components, state, (t, leaf), tools).is_none() {
            return Step::Unknown;
        }
        step
    }

    /// Whether no loop of looks exists in a state in which the steps of all threads are looks: one of
    /// `movers`, the threads that are not blocked, is certain not to go round. `next` gives the leaf of a
    /// thread, and where it leads if that is one state.
    pub(crate) fn excludes_spins<'n>(
        &mut self,
        program: &Program,
        components: &mut Components,
        state: &[u8],
        (movers, leaves): (&mut Vec<usize>, &[u32]),
        next: impl Fn(usize) -> Option<&'n [u8]>,
        tools: &mut Tools<'_, '_>,
    ) -> bool {
        let record = |t: usize| word(state, 8 + 4 * t);
        if movers.iter().any(|&t| !components.hot[record(t) as usize].recurs) {
            return true;
        }
        let remembered = |t: usize| next(t).filter(|_| leaves[t] != SLOW).map(|next| (t, leaves[t], next));
        let view = View::new(components, state);
        let known =
            movers.iter().copied().find(|&t| self.known_to_leave_loop(components, &view, t, leaves[t]));
        if cfg!(debug_assertions)
            && let Some(next) = known.and_then(remembered)
        {
            let comes_back = self.comes_back(program, components, state, next, tools);
            assert!(!comes_back, "a walk that is known is the walk that would be made");
        }
        if known.is_some() {
            return true;
        }
        movers.sort_by_key(|&t| self.out_after(record(t)));
        if self.follows_chains() {
            // All chains are continued, for the states to which their threads lead.
            return movers.iter().fold(false, |is_excluded, &t| {
                let follow = |next| self.follow_chain(program, components, state, (t, next), true, tools);
                next(t).is_some_and(follow) || is_excluded
            });
        }
        let mut one = std::mem::take(&mut self.walks.one);
        let is_excluded = movers.iter().any(|&t| {
            let cannot = |next| self.excludes_spin(program, components, state, next, &mut one, tools);
            remembered(t).is_some_and(cannot)
        });
        self.walks.one = one;
        is_excluded
    }

    /// Continues the chains of a state in which a step is no look.
    pub(crate) fn continue_chains<'n>(
        &mut self,
        program: &Program,
        components: &mut Components,
        state: &[u8],
        threads: usize,
        next: impl Fn(usize) -> Option<&'n [u8]>,
        tools: &mut Tools<'_, '_>,
    ) {
        if !self.follows_chains() {
            return;
        }
        for t in 0..threads {
            if let Some(next) = next(t) {
                self.follow_chain(program, components, state, (t, next), false, tools);
            }
        }
    }

    /// Whether walks are so long that chains take less time.
    fn follows_chains(&self) -> bool {
        self.walks.are_long
    }

    /// Whether the thread ends with the one step of a leaf.
    fn ends_thread(&self, components: &Components, leaf: &Leaf, t: usize) -> bool {
        let other_effects = self.transitions[leaf.first as usize].other_effects.as_ref();
        let shape = other_effects.and_then(|other_effects| other_effects.shape);
        shape.is_some_and(|shape| {
            components.shapes[shape as usize].threads.get(t).is_none_or(|thread| thread.1)
        })
    }

    /// Puts together what a leaf asks and does, where the first state that comes to mind leads to
    /// it.
    fn note_step(&mut self, components: &Components, view: &View<'_>, t: usize, leaf: u32) {
        let at = leaf as usize;
        if self.walks.steps.len() <= at {
            self.size += (self.leaves.len() - self.walks.steps.len()) * size_of::<Option<Box<StepForm>>>();
            self.walks.steps.resize_with(self.leaves.len(), || None);
        }
        if self.walks.steps[at].is_some() {
            return;
        }
        let mut step = StepForm::default();
        let found =
            self.find_telling(components, view, (t, VISIBLE), |test, (_, tags)| step.asks.add(test, tags));
        // What was given up since is found no more.
        step.spoils = found != leaf;
        let found = &self.leaves[at];
        if found.count == 1 {
            let transition = &self.transitions[found.first as usize];
            for &(at, size, _) in &self.writes[transition.writes.0 as usize..transition.writes.1 as usize] {
                add_bytes(&mut step.writes, at, (size.into(), 0));
            }
            if let Some(other_effects) = &transition.other_effects {
                step.spoils |= other_effects.needs_closure
                    || other_effects.shape.is_some()
                    || !other_effects.woken.is_empty();
                other_effects.tags.iter().for_each(|&(at, _)| add_bytes(&mut step.writes, at, (0, 1)));
            }
        }
        self.size += 64 + step.asks.size() + size_of::<(u32, Part)>() * step.writes.len();
        self.walks.steps[at] = Some(Box::new(step));
    }

    /// Keeps all states of a walk that got out, from its end back. `form`: what is known of the
    /// last state, beside its leaf.
    fn keep_all(&mut self, components: &Components, t: usize, trail: &Trail, mut form: Form) {
        let last = trail.leaves.len() - 1;
        for step in (0..=last).rev() {
            let leaf = trail.leaves[step];
            let view = View::new(components, trail.state(step));
            self.note_step(components, &view, t, leaf);
            let Some(known) = &self.walks.steps[leaf as usize] else { return };
            // The last state has no step.
            if step < last {
                if known.spoils {
                    return;
                }
                take_words(&mut form.words, &known.writes);
            }
            form.join(&known.asks);
            if form.words.len() > MOST_WORDS {
                return;
            }
            let beyond = form.beyond(&known.asks);
            self.keep_walk(components, &view, (t, leaf), beyond);
        }
    }

    fn keep_walk(&mut self, components: &Components, view: &View<'_>, (t, leaf): (usize, u32), form: Form) {
        let Walks { known, row, .. } = &mut self.walks;
        let leaf = leaf as usize;
        if known.len() <= leaf {
            self.size += (self.leaves.len() - known.len()) * size_of::<Vec<Known>>();
            known.resize_with(self.leaves.len(), Vec::new);
        }
        let known = &mut known[leaf];
        if form.ask(components, view, t, row).is_none() {
            return;
        }
        let found = known.iter().position(|known| known.form == form).unwrap_or_else(|| {
            if known.len() == MOST_FORMS {
                self.size -= known.remove(0).size();
            }
            self.size += form.size();
            known.push(Known { form, ..Known::default() });
            known.len() - 1
        });
        if !known[found].has(row) {
            self.size += 8 * row.len() + 8;
            known[found].add(row);
        }
    }
}
