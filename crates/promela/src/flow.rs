//! The skeleton of a proctype's control flow, built statement by statement.
//!
//! Idea: Spin numbers the control states of a process by the *elements* of its statement sequences,
//! and so does this module, in the same order: an element for every statement, one for the joint
//! (`.`) behind every selection, one for every `break` target, one for every block. Which elements
//! survive as states, and which are followed on the way, is decided afterwards by
//! [`crate::flow_table`]; only by keeping the same elements can the number of states and
//! transitions equal Spin's.
//!
//! *Entry point:* [`Flow`].
//!
//! *Source:* measured on Spin 6.5.2 (`pan -d` tables); Holzmann, *The Spin Model Checker*, chapter
//! 7.
//! *Invariant:* every sequence that is closed has a first and a last element, joined by `next`.

use axle_source::Loc;
use rustc_hash::FxHashMap;

/// An element, numbered from 1 as Spin numbers states.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct El(pub u32);

/// A sequence of elements.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct SeqId(u32);

/// A scope for labels, as an index into [`Flow::scopes`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct ScopeId(pub u32);

/// Where a jump goes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Dest {
    /// `goto name`, written in a scope.
    Label(String, ScopeId),
    /// `break` out of the loop with this number.
    Break(usize),
}

/// The effect of a simple statement on the control flow.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum StepKind {
    /// Nothing special.
    Plain,
    /// A condition that is the constant 1.
    Skip,
    /// A condition that is the constant 0.
    Never,
    /// `printf` or `printm`.
    Print,
    /// `else`.
    Else,
}

/// The kind of an element.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Node {
    /// A simple statement; the number is the caller's own.
    Step(StepKind, usize),
    /// A jump; the number is the caller's own.
    Goto(Dest, usize),
    /// The joint behind a selection or an `unless`, and before a loop.
    Joint,
    /// Where `break` goes.
    BreakTarget,
    /// `if` or `do` (options).
    Choice(Vec<SeqId>),
    /// The guarded statements and the escape.
    Unless(SeqId, SeqId),
    /// `{ }`
    Block(SeqId),
    /// `atomic { }`
    Atomic(SeqId),
    /// `d_step { }`
    DStep(SeqId),
    /// The closing brace of the body.
    Stop,
}

/// An element.
#[derive(Clone, Debug)]
pub(crate) struct Element {
    /// Its kind.
    pub node: Node,
    /// Its successor.
    pub next: Option<El>,
    /// Escapes that apply here, the last attached first.
    pub escapes: Vec<SeqId>,
    /// Atomicity is kept after it.
    pub atom: bool,
    /// It is the last of an atomic sequence.
    pub last_atom: bool,
    /// It lies inside a `d_step`.
    pub in_dstep: bool,
    /// The `d_step` in which it was written.
    pub dstep: Option<u32>,
    /// Written down in the table already.
    pub done: bool,
    /// Where it was written.
    pub loc: Option<Loc>,
}

/// A sequence.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Seq {
    /// First element.
    pub first: Option<El>,
    /// Last element, joints appended by an enclosing selection included.
    pub last: Option<El>,
    /// Last element as written.
    pub extent: Option<El>,
}

/// A label.
#[derive(Clone, Debug)]
pub(crate) struct Label {
    /// Its name.
    pub name: String,
    /// The scope it was written in.
    pub scope: ScopeId,
    /// The labelled element.
    pub el: El,
    /// Where.
    pub loc: Loc,
}

/// An error of the control flow, with the location of the element.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum FlowFault {
    /// A jump to a label that is not there.
    UndefinedLabel(El),
    /// Jumps that lead round and round.
    GotoLoop(El),
    /// A jump from outside into a `d_step`.
    IntoDStep(El),
    /// A jump from inside a `d_step` out of it.
    OutOfDStep(El),
    /// Two `else` in one selection (the second).
    DuplicateElse(El),
    /// `unless` inside a `d_step`.
    UnlessInDStep(El),
}

/// The control flow of one process.
#[derive(Debug)]
pub(crate) struct Flow {
    /// All elements; entry 0 stands for none.
    pub elements: Vec<Element>,
    /// All sequences.
    pub seqs: Vec<Seq>,
    /// All labels in order.
    pub labels: Vec<Label>,
    /// Parent of each scope.
    pub scopes: Vec<Option<ScopeId>>,
    /// The errors so far.
    pub faults: Vec<FlowFault>,
    /// Labels by name, in order.
    by_name: FxHashMap<String, Vec<usize>>,
    /// How many labels an element has.
    labelled: FxHashMap<El, u32>,
    breaks: Vec<Option<El>>,
    loops: Vec<usize>,
    open: Vec<SeqId>,
    dstep: Option<u32>,
}

impl Default for Flow {
    fn default() -> Flow {
        Flow::new()
    }
}

impl Flow {
    /// An empty flow with the body's sequence open.
    pub fn new() -> Flow {
        let stand_in = Element {
            node: Node::Stop,
            next: None,
            escapes: Vec::new(),
            atom: false,
            last_atom: false,
            in_dstep: false,
            dstep: None,
            done: true,
            loc: None,
        };
        let mut flow = Flow {
            elements: vec![stand_in],
            seqs: Vec::new(),
            labels: Vec::new(),
            scopes: vec![None],
            faults: Vec::new(),
            by_name: FxHashMap::default(),
            labelled: FxHashMap::default(),
            breaks: Vec::new(),
            loops: Vec::new(),
            open: Vec::new(),
            dstep: None,
        };
        flow.open_seq();
        flow
    }

    /// The element of an id.
    pub fn at(&self, el: El) -> &Element {
        &self.elements[el.0 as usize]
    }

    /// The element of an id, to be changed.
    pub fn at_mut(&mut self, el: El) -> &mut Element {
        &mut self.elements[el.0 as usize]
    }

    /// The sequence of an id.
    pub fn seq(&self, seq: SeqId) -> Seq {
        self.seqs[seq.0 as usize]
    }

    /// The first element of a closed sequence.
    pub fn first(&self, seq: SeqId) -> El {
        self.seq(seq).first.unwrap_or(El(0))
    }

    /// A new scope for labels inside `parent`.
    pub fn new_scope(&mut self, parent: ScopeId) -> ScopeId {
        self.scopes.push(Some(parent));
        ScopeId(self.scopes.len() as u32 - 1)
    }

    /// Opens a sequence, to which the next elements are added.
    pub fn open_seq(&mut self) {
        self.seqs.push(Seq::default());
        self.open.push(SeqId(self.seqs.len() as u32 - 1));
    }

    /// Closes the innermost open sequence. One that stayed empty (after an error) gets a skip.
    pub fn close_seq(&mut self, loc: Loc) -> SeqId {
        let seq = self.current();
        if self.seq(seq).first.is_none() {
            let skip = self.new_element(Node::Step(StepKind::Skip, usize::MAX), loc);
            self.append(skip, seq);
        }
        self.seqs[seq.0 as usize].extent = self.seq(seq).last;
        self.open.pop();
        seq
    }

    fn current(&self) -> SeqId {
        *self.open.last().unwrap_or(&SeqId(0))
    }

    fn new_element(&mut self, node: Node, loc: impl Into<Option<Loc>>) -> El {
        let loc = loc.into();
        self.elements.push(Element {
            node,
            next: None,
            escapes: Vec::new(),
            atom: false,
            last_atom: false,
            in_dstep: false,
            dstep: self.dstep,
            done: false,
            loc,
        });
        El(self.elements.len() as u32 - 1)
    }

    /// Adds a statement with the labels before it, innermost first. Selections and `unless` have
    /// their own.
    pub fn add(&mut self, node: Node, loc: Loc, labels: &[(String, ScopeId, Loc)]) -> El {
        let el = self.new_element(node, loc);
        self.set_labels(el, labels);
        self.append(el, self.current());
        el
    }

    /// Whether a label stands before an element.
    pub fn is_labelled(&self, el: El) -> bool {
        self.labelled.get(&el).is_some_and(|&count| count > 0)
    }

    fn set_labels(&mut self, el: El, labels: &[(String, ScopeId, Loc)]) {
        for (name, scope, loc) in labels {
            self.by_name.entry(name.clone()).or_default().push(self.labels.len());
            *self.labelled.entry(el).or_default() += 1;
            self.labels.push(Label { name: name.clone(), scope: *scope, el, loc: *loc });
        }
    }

    /// A jump that carries a label which says something about its state is preceded by a skip that
    /// takes the label, for the jump itself is not a state.
    fn append(&mut self, el: El, seq: SeqId) {
        if matches!(self.at(el).node, Node::Goto(..))
            && self.is_labelled(el)
            && let Some(label) = self.labels.iter().rposition(|l| l.el == el && is_special(&l.name))
        {
            // Spin moves the label that was set last, whichever it is.
            let moved = self.labels.iter().rposition(|l| l.el == el).unwrap_or(label);
            let skip = self.new_element(Node::Step(StepKind::Skip, usize::MAX), self.at(el).loc);
            self.labels[moved].el = skip;
            *self.labelled.entry(el).or_default() -= 1;
            *self.labelled.entry(skip).or_default() += 1;
            self.append(skip, seq);
        }
        match self.seq(seq).last {
            None => self.seqs[seq.0 as usize].first = Some(el),
            Some(last) => self.at_mut(last).next = Some(el),
        }
        self.seqs[seq.0 as usize].last = Some(el);
    }

    /// Announces a loop: `break` now means this one.
    pub fn push_loop(&mut self) {
        self.breaks.push(None);
        self.loops.push(self.breaks.len() - 1);
    }

    /// The innermost loop, for `break`.
    pub fn break_dest(&self) -> Option<Dest> {
        self.loops.last().map(|&number| Dest::Break(number))
    }

    /// Takes the innermost loop away for a while (an escape of a loop does not lie in the loop).
    pub fn suspend_loop(&mut self) -> Option<usize> {
        self.loops.pop()
    }

    /// Restores the loop that [`Flow::suspend_loop`] took.
    pub fn resume_loop(&mut self, number: Option<usize>) {
        self.loops.extend(number);
    }

    /// Removes repeated skips inside an option, as Spin does for `if` and `do` as written.
    pub fn prune_option(&mut self, option: SeqId) {
        let seq = self.seq(option);
        let (mut previous, mut cursor, mut run) = (None, seq.first, 0);
        while let Some(el) = cursor {
            cursor = self.at(el).next;
            let skips = matches!(self.at(el).node, Node::Step(StepKind::Skip | StepKind::Print, _));
            if !skips || self.is_labelled(el) {
                run = 0;
                previous = Some(el);
                continue;
            }
            run += 1;
            let edge = Some(el) == seq.first || Some(el) == seq.last || Some(el) == seq.extent;
            let plain = matches!(self.at(el).node, Node::Step(StepKind::Skip, _));
            match previous {
                Some(before) if run > 1 && plain && !edge => self.at_mut(before).next = cursor,
                _ => previous = Some(el),
            }
        }
    }

    /// Adds `if` or `do` with its options closed; a `do` must have been announced by
    /// [`Flow::push_loop`], which this undoes.
    pub fn add_choice(
        &mut self,
        mut options: Vec<SeqId>,
        is_do: bool,
        loc: Loc,
        labels: &[(String, ScopeId, Loc)],
    ) -> El {
        let el = self.new_element(Node::Joint, loc);
        let joint = self.new_element(Node::Joint, loc);
        let is_else = |flow: &Flow, seq: &SeqId| {
            matches!(flow.at(flow.first(*seq)).node, Node::Step(StepKind::Else, _))
        };
        let elses: Vec<usize> = (0..options.len()).filter(|&i| is_else(self, &options[i])).collect();
        for &second in elses.iter().skip(1) {
            self.faults.push(FlowFault::DuplicateElse(self.first(options[second])));
        }
        if let [only] = elses[..] {
            let moved = options.remove(only);
            options.push(moved);
        }
        for &option in &options {
            self.append(joint, option);
        }
        self.at_mut(el).node = Node::Choice(options);
        let current = self.current();
        let mut last = joint;
        if is_do {
            self.append(joint, current);
            last = self.new_element(Node::BreakTarget, loc);
            if let Some(number) = self.loops.pop() {
                self.breaks[number] = Some(last);
            }
        }
        self.append(el, current);
        self.append(last, current);
        self.set_labels(el, labels);
        el
    }

    /// Adds `body unless escape`.
    pub fn add_unless(&mut self, body: SeqId, escape: SeqId, loc: Loc) -> El {
        let el = self.new_element(Node::Unless(body, escape), loc);
        let joint = self.new_element(Node::Joint, loc);
        self.append(joint, body);
        self.append(joint, escape);
        self.attach_escape(body, escape);
        let current = self.current();
        self.append(el, current);
        self.append(joint, current);
        if self.dstep.is_some() {
            self.faults.push(FlowFault::UnlessInDStep(el));
        }
        el
    }

    fn attach_escape(&mut self, seq: SeqId, escape: SeqId) {
        let Seq { first, extent, .. } = self.seq(seq);
        let mut cursor = first;
        while let Some(el) = cursor {
            self.escape_from(el, escape);
            if Some(el) == extent {
                break;
            }
            cursor = self.at(el).next;
        }
    }

    fn escape_from(&mut self, el: El, escape: SeqId) {
        if self.at(el).escapes.contains(&escape) {
            return;
        }
        // An escape inside is itself covered by the escape outside.
        for inner in self.at(el).escapes.clone() {
            self.attach_escape(inner, escape);
        }
        self.at_mut(el).escapes.insert(0, escape);
        match self.at(el).node.clone() {
            Node::Unless(body, _) => self.attach_escape(body, escape),
            Node::Choice(options) => options.into_iter().for_each(|o| self.attach_escape(o, escape)),
            // A d_step can be left only where it begins.
            Node::DStep(seq) => self.escape_from(self.first(seq), escape),
            Node::Atomic(seq) | Node::Block(seq) => self.attach_escape(seq, escape),
            Node::Step(..) | Node::Goto(..) | Node::Joint | Node::BreakTarget | Node::Stop => {}
        }
    }

    /// Sets whether the following elements are in a `d_step`; returns the previous value.
    pub fn enter_dstep(&mut self) -> Option<u32> {
        let before = self.dstep;
        if before.is_none() {
            self.dstep = Some(self.elements.len() as u32);
        }
        before
    }

    /// Undoes [`Flow::enter_dstep`].
    pub fn leave_dstep(&mut self, before: Option<u32>) {
        self.dstep = before;
    }

    /// Marks a closed sequence as atomic, or as one deterministic step.
    pub fn make_atomic(&mut self, seq: SeqId, dstep: bool) {
        let Seq { first: Some(first), last: Some(mut last), .. } = self.seq(seq) else { return };
        self.mark_atomic(first, last, dstep);
        // The inner elements are marked with the rest: marking them again at every level of a nest would
        // take time with the cube of its depth.
        while let Node::Block(inner) | Node::Atomic(inner) | Node::Unless(inner, _) = self.at(last).node {
            let Some(inner) = self.seq(inner).last else { return };
            last = inner;
        }
        let element = self.at_mut(last);
        (element.atom, element.last_atom) = (false, true);
    }

    fn mark_atomic(&mut self, first: El, last: El, dstep: bool) {
        let mut cursor = Some(first);
        while let Some(el) = cursor {
            let element = self.at_mut(el);
            element.atom = true;
            element.in_dstep |= dstep;
            match element.node {
                Node::Atomic(seq) | Node::Block(seq) => {
                    element.node = Node::Block(seq);
                    self.mark_inside(seq, dstep);
                }
                Node::DStep(seq) if dstep => {
                    element.node = Node::Block(seq);
                    self.mark_inside(seq, dstep);
                }
                Node::Choice(ref options) => {
                    for option in options.clone() {
                        self.mark_inside(option, dstep);
                    }
                }
                Node::Unless(body, escape) => {
                    self.mark_inside(body, dstep);
                    self.mark_inside(escape, dstep);
                }
                Node::DStep(_)
                | Node::Step(..)
                | Node::Goto(..)
                | Node::Joint
                | Node::BreakTarget
                | Node::Stop => {}
            }
            if el == last {
                break;
            }
            cursor = self.at(el).next;
        }
    }

    fn mark_inside(&mut self, seq: SeqId, dstep: bool) {
        if let Seq { first: Some(first), last: Some(last), .. } = self.seq(seq) {
            self.mark_atomic(first, last, dstep);
        }
    }

    /// Adds the closing brace and ties the ends of inner sequences to their successors.
    pub fn finish(&mut self, loc: Loc) -> SeqId {
        self.add(Node::Stop, loc, &[]);
        let body = self.close_seq(loc);
        for index in (1..self.elements.len()).rev() {
            let element = &self.elements[index];
            let (Node::Atomic(seq) | Node::Block(seq) | Node::DStep(seq)) = element.node else { continue };
            let mut follow = element.next;
            if follow.is_none() {
                continue;
            }
            while let Some(el) = follow
                && self.at(el).node == Node::Joint
            {
                follow = self.at(el).next;
            }
            if let Some(last) = self.seq(seq).last
                && self.at(last).next.is_none()
            {
                self.at_mut(last).next = follow;
            }
        }
        body
    }

    /// The label that a jump written in `scope` means: in its own scope, else in the nearest around
    /// it, else anywhere in the process.
    pub fn find_label(&self, name: &str, scope: ScopeId) -> Option<&Label> {
        let mut any = None;
        let mut around: Option<&Label> = None;
        for &index in self.by_name.get(name).into_iter().flatten().rev() {
            let label = &self.labels[index];
            if label.scope == scope {
                return Some(label);
            }
            if self.encloses(label.scope, scope) {
                around = Some(label);
            } else if any.is_none() {
                any = Some(label);
            }
        }
        around.or(any)
    }

    fn encloses(&self, outer: ScopeId, inner: ScopeId) -> bool {
        let mut cursor = Some(inner);
        while let Some(scope) = cursor {
            if scope == outer {
                return true;
            }
            cursor = self.scopes[scope.0 as usize];
        }
        false
    }

    /// Where a jump goes.
    pub fn target(&self, dest: &Dest) -> Option<El> {
        match dest {
            Dest::Label(name, scope) => self.find_label(name, *scope).map(|l| l.el),
            Dest::Break(number) => self.breaks[*number],
        }
    }

    /// Gives a label that someone outside asks about a state of its own, where it stands before a
    /// jump.
    pub fn pin_label(&mut self, name: &str) -> Option<El> {
        let el = self.labels[*self.by_name.get(name)?.last()?].el;
        if matches!(self.at(el).node, Node::Goto(..)) {
            let jump = self.at(el).clone();
            self.elements.push(jump);
            let jump = El(self.elements.len() as u32 - 1);
            let element = self.at_mut(el);
            element.node = Node::Step(StepKind::Skip, usize::MAX);
            element.next = Some(jump);
            for seq in &mut self.seqs {
                if seq.last == Some(el) {
                    seq.last = Some(jump);
                }
            }
        }
        Some(el)
    }
}

/// Whether a label's name says something about its state: its prefix decides.
pub(crate) fn is_special(name: &str) -> bool {
    name.starts_with("accept") || name.starts_with("end") || name.starts_with("progress")
}
