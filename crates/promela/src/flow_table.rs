//! The elements of a [`Flow`] that are states, and the arcs between them.
//!
//! Idea: a jump, a `break` and the joint behind a selection are followed on the way, so that they
//! cost no step, except where that would leave an atomic sequence unseen: then the pseudo-statement
//! stays and is the step that gives atomicity up. Selections and blocks are resolved into the
//! statements that they begin with, through any nesting; escapes of `unless` are put in front of
//! the guarded statements.
//!
//! *Entry point:* [`tabulate`].
//!
//! *Source:* measured on Spin 6.5.2 (`pan -d`, `pan -d -d`, `pan -d -d -d`).
//! *Invariant:* in [`Table::arcs`] no arc leads to a selection, a block or an `unless`... only to
//! elements that have arcs of their own, or to none (the process is gone).

use crate::flow::{Dest, El, Flow, FlowFault, Node, SeqId, StepKind};

/// The action of an arc.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ArcKind {
    /// Nothing: a jump, a joint.
    Free,
    /// A statement.
    Step,
    /// `else`.
    Else,
    /// A whole `d_step`.
    DStep,
    /// The process ends.
    Stop,
}

/// One way to leave a state.
#[derive(Clone, Debug)]
pub(crate) struct Arc {
    /// The element that is executed.
    pub el: El,
    /// Its action.
    pub kind: ArcKind,
    /// Where the process stands then.
    pub to: Option<El>,
    /// Atomicity is kept.
    pub atomic: bool,
    /// Which escapes guard it; resolved into `via` in the end.
    escapes: Vec<El>,
    /// The escape that it came from: arcs of the same escape form a group, in order of priority.
    pub via: Option<El>,
}

/// The labels of a state.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(crate) struct Marks {
    /// `end...`, or the closing brace.
    pub end: bool,
    /// `accept...`
    pub accept: bool,
    /// `progress...`
    pub progress: bool,
}

impl Marks {
    fn add(&mut self, other: Marks) {
        self.end |= other.end;
        self.accept |= other.accept;
        self.progress |= other.progress;
    }
}

/// The control flow graph of one process.
#[derive(Debug)]
pub(crate) struct Table {
    /// For each element, its arcs: groups of escapes first, the outermost first.
    pub arcs: Vec<Vec<Arc>>,
    /// For each element, its labels.
    pub marks: Vec<Marks>,
    /// Where a new process stands.
    pub entry: El,
}

/// An element's arcs before selections are resolved.
#[derive(Clone, Debug)]
enum Raw {
    None,
    /// Leads to the beginnings of its options.
    Choice(Vec<El>),
    Arc(Arc),
}

/// Works out the table of a finished flow whose body is `body`. Faults go to [`Flow::faults`].
pub(crate) fn tabulate(flow: &mut Flow, body: SeqId) -> Table {
    let mut builder = Builder { raw: vec![Raw::None; flow.elements.len()], flow };
    let first = builder.flow.first(body);
    let entry_atom = builder.flow.at(first).atom;
    let entry = builder.follow(first, entry_atom);
    builder.put_seq(body);
    let raw = builder.raw;
    let mut marks = label_marks(flow);
    let leaves = resolve_choices(&raw, &mut marks);
    let mut arcs = pull(&raw, &leaves, &mut marks);
    prepend_escapes(&mut arcs);
    Table { arcs, marks, entry }
}

struct Builder<'f> {
    flow: &'f mut Flow,
    raw: Vec<Raw>,
}

impl Builder<'_> {
    /// Follows jumps and joints from `el`, for a step that keeps atomicity when `atom`.
    fn follow(&mut self, el: El, atom: bool) -> El {
        let mut at = el;
        for _ in 0..self.flow.elements.len() + 1 {
            let element = self.flow.at(at);
            let next = match &element.node {
                Node::Goto(dest, _) => {
                    let dest = dest.clone();
                    match self.jump(at, &dest) {
                        Some(target) => target,
                        None => return at,
                    }
                }
                Node::Joint | Node::BreakTarget => match element.next {
                    Some(next) => next,
                    None => return at,
                },
                Node::Unless(body, _) => {
                    at = self.flow.first(*body);
                    continue;
                }
                Node::Step(..)
                | Node::Choice(_)
                | Node::Block(_)
                | Node::Atomic(_)
                | Node::DStep(_)
                | Node::Stop => return at,
            };
            if atom && !self.flow.at(next).atom {
                return at;
            }
            at = next;
        }
        self.fault(FlowFault::GotoLoop(el));
        el
    }

    fn fault(&mut self, fault: FlowFault) {
        if !self.flow.faults.contains(&fault) {
            self.flow.faults.push(fault);
        }
    }

    fn jump(&mut self, from: El, dest: &Dest) -> Option<El> {
        let Some(target) = self.flow.target(dest) else {
            self.fault(FlowFault::UndefinedLabel(from));
            return None;
        };
        let (a, b) = (self.flow.at(from).dstep, self.flow.at(target).dstep);
        if a != b && matches!(dest, Dest::Label(..)) {
            self.fault(if a.is_none() { FlowFault::IntoDStep(from) } else { FlowFault::OutOfDStep(from) });
            return None;
        }
        Some(target)
    }

    /// Where a selection's option or a block begins.
    fn start(&self, el: El) -> El {
        let mut at = el;
        for _ in 0..self.flow.elements.len() + 1 {
            let element = self.flow.at(at);
            at = match (&element.node, element.next) {
                (Node::Joint, Some(next)) => next,
                (Node::Unless(body, _), _) => self.flow.first(*body),
                _ => return at,
            };
        }
        at
    }

    fn put_seq(&mut self, seq: SeqId) {
        let last = self.flow.seq(seq).last;
        let mut cursor = self.flow.seq(seq).first;
        while let Some(el) = cursor {
            if !std::mem::replace(&mut self.flow.at_mut(el).done, true) {
                self.put(el);
            }
            if Some(el) == last {
                break;
            }
            cursor = self.flow.at(el).next;
        }
    }

    fn put(&mut self, el: El) {
        match self.flow.at(el).node.clone() {
            Node::Unless(body, _) => self.put_seq(body),
            Node::Choice(options) => {
                let mut starts = Vec::new();
                for &option in &options {
                    let start = self.start(self.flow.first(option));
                    let element = self.flow.at(start);
                    let dead =
                        matches!(element.node, Node::Step(StepKind::Never, _)) && element.escapes.is_empty();
                    if !dead {
                        starts.push(start);
                    }
                }
                self.raw[el.0 as usize] = Raw::Choice(starts);
                options.into_iter().for_each(|option| self.put_seq(option));
            }
            Node::Atomic(seq) | Node::Block(seq) => {
                self.put_block(el, seq);
                let start = self.start(self.flow.first(seq));
                self.raw[el.0 as usize] = Raw::Choice(vec![start]);
                self.put_seq(seq);
            }
            Node::DStep(seq) => {
                self.put_block(el, seq);
                self.put_arc(el, ArcKind::DStep);
            }
            Node::Step(StepKind::Else, _) => self.put_arc(el, ArcKind::Else),
            Node::Step(..) => self.put_arc(el, ArcKind::Step),
            Node::Goto(..) | Node::Joint | Node::BreakTarget => self.put_arc(el, ArcKind::Free),
            Node::Stop => self.put_arc(el, ArcKind::Stop),
        }
    }

    /// Jumps out of an atomic sequence give atomicity up; jumps from one into another keep it.
    fn put_block(&mut self, el: El, seq: SeqId) {
        self.patch_jumps(seq);
        let next = self.flow.at(el).next;
        if let Some(last) = self.flow.seq(seq).last {
            self.flow.at_mut(last).next = next;
        }
    }

    fn patch_jumps(&mut self, seq: SeqId) {
        let extent = self.flow.seq(seq).extent;
        let mut cursor = self.flow.seq(seq).first;
        while let Some(el) = cursor {
            match self.flow.at(el).node.clone() {
                Node::Goto(dest, _) => {
                    if let Some(target) = self.jump(el, &dest) {
                        let into = self.flow.at(target).atom || self.flow.at(target).last_atom;
                        let element = self.flow.at_mut(el);
                        if (element.atom || element.last_atom) && !into {
                            (element.atom, element.last_atom) = (false, true);
                        }
                        if element.last_atom && into {
                            (element.atom, element.last_atom) = (true, false);
                        }
                    }
                }
                Node::Choice(options) => options.into_iter().for_each(|o| self.patch_jumps(o)),
                Node::Unless(body, escape) => {
                    self.patch_jumps(body);
                    self.patch_jumps(escape);
                }
                Node::Step(..)
                | Node::Joint
                | Node::BreakTarget
                | Node::Block(_)
                | Node::Atomic(_)
                | Node::DStep(_)
                | Node::Stop => {}
            }
            if Some(el) == extent {
                break;
            }
            cursor = self.flow.at(el).next;
        }
    }

    fn put_arc(&mut self, el: El, kind: ArcKind) {
        let element = self.flow.at(el).clone();
        let to = match &element.node {
            Node::Goto(dest, _) => self.jump(el, dest).map(|target| self.follow(target, element.atom)),
            Node::Stop => None,
            _ => element.next.map(|next| self.follow(next, element.atom)),
        };
        let mut escapes = Vec::new();
        if element.node != Node::Joint {
            for &escape in &element.escapes {
                let first = self.flow.first(escape);
                escapes.push(self.follow(first, element.atom));
            }
        }
        let arc = Arc { el, kind, to, atomic: element.atom, escapes, via: None };
        self.raw[el.0 as usize] = Raw::Arc(arc);
        if element.node != Node::Joint {
            element.escapes.iter().for_each(|&escape| self.put_seq(escape));
        }
    }
}

fn label_marks(flow: &Flow) -> Vec<Marks> {
    let mut marks = vec![Marks::default(); flow.elements.len()];
    for label in &flow.labels {
        let mark = &mut marks[label.el.0 as usize];
        mark.end |= label.name.starts_with("end");
        mark.accept |= label.name.starts_with("accept");
        mark.progress |= label.name.starts_with("progress");
    }
    for (index, element) in flow.elements.iter().enumerate().skip(1) {
        marks[index].end |= element.node == Node::Stop;
    }
    marks
}

/// For each selection, the statements that it can begin with, through any nesting. A label
/// of a nested selection applies to the statements that it begins with.
fn resolve_choices(raw: &[Raw], marks: &mut [Marks]) -> Vec<Option<Vec<El>>> {
    let mut leaves = vec![None; raw.len()];
    for index in 1..raw.len() {
        resolve(index, raw, marks, &mut leaves);
    }
    leaves
}

fn resolve(index: usize, raw: &[Raw], marks: &mut [Marks], leaves: &mut [Option<Vec<El>>]) {
    let Raw::Choice(starts) = &raw[index] else { return };
    if leaves[index].is_some() {
        return;
    }
    leaves[index] = Some(Vec::new());
    let mut all = Vec::new();
    for &start in starts {
        if matches!(raw[start.0 as usize], Raw::Choice(_)) {
            resolve(start.0 as usize, raw, marks, leaves);
            for leaf in leaves[start.0 as usize].clone().unwrap_or_default() {
                let mark = marks[start.0 as usize];
                marks[leaf.0 as usize].add(mark);
                all.push(leaf);
            }
        } else {
            all.push(start);
        }
    }
    leaves[index] = Some(all);
}

/// Gives each selection the arcs of the statements that it can begin with. A label of
/// such a statement applies to its target.
fn pull(raw: &[Raw], leaves: &[Option<Vec<El>>], marks: &mut [Marks]) -> Vec<Vec<Arc>> {
    let mut arcs = vec![Vec::new(); raw.len()];
    for index in 1..raw.len() {
        match (&raw[index], &leaves[index]) {
            (Raw::Arc(arc), _) => arcs[index].push(arc.clone()),
            (_, Some(leaves)) => {
                for leaf in leaves {
                    let Raw::Arc(arc) = &raw[leaf.0 as usize] else { continue };
                    let mark = marks[leaf.0 as usize];
                    if let Some(to) = arc.to {
                        marks[to.0 as usize].add(mark);
                    }
                    arcs[index].push(arc.clone());
                }
            }
            (Raw::None | Raw::Choice(_), None) => {}
        }
    }
    arcs
}

/// Puts the arcs of escapes before those of the guarded statements. An element has its escapes outermost
/// first: the outermost has priority.
fn prepend_escapes(arcs: &mut [Vec<Arc>]) {
    for index in 1..arcs.len() {
        let mut escaping: Vec<Arc> = Vec::new();
        let own = arcs[index].clone();
        for arc in &own {
            for &escape in arc.escapes.iter().rev() {
                let group: Vec<Arc> = arcs[escape.0 as usize]
                    .iter()
                    .filter(|a| !own.iter().chain(&escaping).any(|b| b.el == a.el))
                    .map(|a| Arc { via: Some(escape), ..a.clone() })
                    .collect();
                escaping.splice(0..0, group);
            }
        }
        escaping.extend(own);
        arcs[index] = escaping;
    }
}

/// A place inside a `d_step`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Inner {
    /// Before this statement or selection.
    At(El),
    /// Behind the last.
    Exit,
}

/// Follows jumps, joints and blocks inside a `d_step`, whose own element is `outer`. Nothing is
/// said for jumps that never arrive.
pub(crate) fn follow_inside(flow: &Flow, outer: El, from: Option<El>) -> Option<Inner> {
    let mut cursor = from;
    for _ in 0..flow.elements.len() + 1 {
        let Some(el) = cursor else { return Some(Inner::Exit) };
        let element = flow.at(el);
        if !element.in_dstep || element.dstep != flow.at(dstep_first(flow, outer)).dstep {
            return Some(Inner::Exit);
        }
        cursor = match &element.node {
            Node::Joint | Node::BreakTarget => element.next,
            Node::Goto(dest, _) => Some(flow.target(dest)?),
            Node::Unless(body, _) => Some(flow.first(*body)),
            Node::Block(seq) | Node::Atomic(seq) | Node::DStep(seq) => Some(flow.first(*seq)),
            Node::Step(..) | Node::Choice(_) | Node::Stop => return Some(Inner::At(el)),
        };
    }
    None
}

/// The first element inside a `d_step`.
pub(crate) fn dstep_first(flow: &Flow, outer: El) -> El {
    match &flow.at(outer).node {
        Node::DStep(seq) => flow.first(*seq),
        _ => outer,
    }
}
