//! From the flow of a process to its automaton: locations, and edges with ranks.
//!
//! Idea: each state of the [`Table`] that can be reached becomes a location. The arcs of one state
//! fall into groups, the escapes of `unless` outermost first and the statements themselves last;
//! each group gets a rank of its own, and `else` the rank behind its group. A `d_step` becomes a
//! chain of edges that are kept [`Atomicity::Deterministic`]; where it begins with a selection,
//! only the first executable option counts, so each option asks that those before it are not
//! executable.
//!
//! *Entry point:* [`emit`].
//!
//! *Invariant:* no edge that could be taken is left out, and none leads to a location without a
//! meaning.

use axle_model::{
    Atomicity, Comm, Edge, EdgeId, Effect, Expr, LocId, Location, Origin, Pattern, ProcId, Query, UnOp,
};
use axle_source::{Diagnostic, Loc};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::flow::{Dest, El, Flow, FlowFault, Node, StepKind};
use crate::flow_table::{Arc, ArcKind, Inner, Table, dstep_first, follow_inside, tabulate};
use crate::fold;
use crate::lower_body::{Action, ReadBody};
use crate::lower_pass::Lower;

/// The most options of a selection at the start of a `d_step` that get guards of their own.
const MOST_GUARDED: usize = 16;

/// An edge before locations have numbers.
#[derive(Clone, Debug)]
struct Draft {
    action: Option<usize>,
    guard: Expr,
    comm: Option<Comm>,
    effects: Vec<Effect>,
    text: String,
    loc: Option<Loc>,
    is_else: bool,
    rank: u8,
    to: El,
    keep: Atomicity,
}

/// Writes the automaton of a process that was read into the model.
pub(crate) fn emit(lower: &mut Lower<'_>, read: ReadBody) {
    let ReadBody { proc, mut flow, body, actions, claim } = read;
    let table = tabulate(&mut flow, body);
    let before = lower.diagnostics.error_count();
    report_faults(lower, &flow);
    if lower.diagnostics.error_count() > before {
        return;
    }
    let whole = lower.model.semantics.priorities || lower.model.processes[proc.index()].provided.is_some();
    let rendezvous = lower.model.shapes.iter().any(|s| s.capacity == 0);
    let lossy = lower.model.semantics.lossy;
    let outers = (1..flow.elements.len() as u32)
        .map(El)
        .filter(|&el| matches!(flow.at(el).node, Node::DStep(_)) && !flow.at(el).in_dstep)
        .filter_map(|el| Some((flow.at(dstep_first(&flow, el)).dstep?, el)))
        .collect();
    let drafter = Drafter { flow: &flow, table: &table, actions: &actions, claim, rendezvous, lossy, outers };
    let mut drafts: FxHashMap<El, Vec<Draft>> = FxHashMap::default();
    let mut order = Vec::new();
    let mut todo = vec![table.entry];
    let mut seen: FxHashSet<El> = todo.iter().copied().collect();
    let mut endless = Vec::new();
    while let Some(el) = todo.pop() {
        let mut edges = match drafter.inside(el) {
            Some(outer) => drafter.inner_edges(outer, el, &mut endless),
            None => drafter.edges(el, &mut endless),
        };
        if !whole {
            edges.iter_mut().for_each(|edge| drafter.pass_through(edge));
        }
        for edge in &edges {
            if seen.insert(edge.to) {
                todo.push(edge.to);
            }
        }
        drafts.insert(el, edges);
        order.push(el);
    }
    for el in endless {
        let loc = flow.at(el).loc;
        let fault = Diagnostic::error("E0425", "this `d_step` jumps round and round without a step");
        lower.report(match loc {
            Some(loc) => fault.at(loc, ""),
            None => fault,
        });
    }
    crate::warn::unreachable(lower, &flow, &actions, &drafts_used(&drafts), claim);
    write(lower, proc, &flow, &table, order, drafts);
}

fn drafts_used(drafts: &FxHashMap<El, Vec<Draft>>) -> FxHashSet<usize> {
    drafts.values().flatten().filter_map(|d| d.action).collect()
}

fn report_faults(lower: &mut Lower<'_>, flow: &Flow) {
    for fault in flow.faults.clone() {
        let (el, code, text, help) = match fault {
            FlowFault::UndefinedLabel(el) => (el, "E0426", "there is no such label".to_owned(), None),
            FlowFault::GotoLoop(el) => (
                el,
                "E0425",
                "these jumps only lead to each other".to_owned(),
                Some("put a statement between: `L: skip; goto L`"),
            ),
            FlowFault::IntoDStep(el) => (
                el,
                "E0422",
                "this jump leads into a `d_step`".to_owned(),
                Some("use `atomic`, or jump to the start of the `d_step`"),
            ),
            FlowFault::OutOfDStep(el) => (
                el,
                "E0422",
                "this jump leads out of the `d_step`".to_owned(),
                Some("use `atomic`, or jump behind the last statement"),
            ),
            FlowFault::DuplicateElse(el) => {
                (el, "E0427", "a selection has one `else` at most".to_owned(), None)
            }
            FlowFault::UnlessInDStep(el) => {
                let note = Diagnostic::warning("W0316", "`unless` inside a `d_step` is ignored, as in Spin");
                let loc = flow.at(el).loc;
                lower.report(match loc {
                    Some(loc) => note.at(loc, "the escape is never taken"),
                    None => note,
                });
                continue;
            }
        };
        let mut diagnostic = Diagnostic::error(code, text);
        if let Node::Goto(Dest::Label(name, _), _) = &flow.at(el).node
            && code == "E0426"
        {
            diagnostic = Diagnostic::error(code, format!("there is no label `{name}`"));
            diagnostic =
                lower.suggest(diagnostic, name, |_| flow.labels.iter().map(|l| l.name.clone()).collect());
        }
        if let Some(help) = help {
            diagnostic = diagnostic.help(help);
        }
        if let Some(loc) = flow.at(el).loc {
            diagnostic = diagnostic.at(loc, "");
        }
        lower.report(diagnostic);
    }
}

struct Drafter<'f> {
    flow: &'f Flow,
    table: &'f Table,
    actions: &'f [Action],
    claim: bool,
    rendezvous: bool,
    lossy: bool,
    /// The element of each `d_step`, by the number that its inner elements carry.
    outers: FxHashMap<u32, El>,
}

impl Drafter<'_> {
    /// The `d_step` that an element lies in as an inner place, where it does.
    fn inside(&self, el: El) -> Option<El> {
        let element = self.flow.at(el);
        if !element.in_dstep {
            return None;
        }
        self.outers.get(&element.dstep?).copied()
    }

    fn draft(&self, el: El, to: El, keep: Atomicity) -> Draft {
        let element = self.flow.at(el);
        let (number, is_else) = match &element.node {
            Node::Step(kind, number) => (Some(*number), *kind == StepKind::Else),
            Node::Goto(_, number) => (Some(*number), false),
            _ => (None, false),
        };
        let action = number.and_then(|n| self.actions.get(n));
        let (guard, comm, effects, text, loc) = match action {
            Some(a) => (a.guard.clone(), a.comm.clone(), a.effects.clone(), a.text.clone(), Some(a.loc)),
            None => {
                let text = match element.node {
                    Node::Joint | Node::BreakTarget => "(leave)",
                    _ => "skip",
                };
                (Expr::TRUE, None, Vec::new(), text.to_owned(), element.loc)
            }
        };
        let text = if text.is_empty() { "skip".to_owned() } else { text };
        Draft { action: number, guard, comm, effects, text, loc, is_else, rank: 0, to, keep }
    }

    /// The edges of a state.
    fn edges(&self, el: El, endless: &mut Vec<El>) -> Vec<Draft> {
        let arcs = &self.table.arcs[el.0 as usize];
        let mut edges = Vec::new();
        let mut rank = 0u8;
        let mut start = 0;
        while start < arcs.len() {
            let via = arcs[start].via;
            let end = start + arcs[start..].iter().take_while(|a| a.via == via).count();
            let group = self.group(&arcs[start..end], rank, endless);
            rank = group.iter().map(|d| d.rank).max().unwrap_or(rank).saturating_add(1);
            edges.extend(group);
            start = end;
        }
        edges
    }

    /// The edges of one group. `else` asks that nothing before it in the group is executable; there
    /// is at most one that matters, for after one the next never holds.
    fn group(&self, arcs: &[Arc], rank: u8, endless: &mut Vec<El>) -> Vec<Draft> {
        let mut parts: Vec<(bool, Vec<Draft>)> = Vec::new();
        let alone = arcs.len() == 1;
        for arc in arcs {
            let keep = if arc.atomic { Atomicity::Atomic } else { Atomicity::Release };
            let drafts = match arc.kind {
                ArcKind::Stop if self.claim => continue,
                ArcKind::Stop => vec![self.stop(arc.el)],
                ArcKind::Free | ArcKind::Step | ArcKind::Else => match arc.to {
                    Some(to) => vec![self.draft(arc.el, to, keep)],
                    None => continue,
                },
                ArcKind::DStep => match arc.to {
                    Some(to) => self.dstep_start(arc.el, to, keep, alone, endless),
                    None => continue,
                },
            };
            let is_else = drafts.len() == 1 && drafts[0].is_else;
            if is_else && parts.iter().any(|(e, _)| *e) {
                continue;
            }
            parts.push((is_else, drafts));
        }
        let last = parts.len().saturating_sub(1);
        let mut edges: Vec<Draft> = Vec::new();
        for (position, (is_else, drafts)) in parts.into_iter().enumerate() {
            if !is_else {
                edges.extend(drafts.into_iter().map(|d| Draft { rank: rank.saturating_add(d.rank), ..d }));
                continue;
            }
            for mut draft in drafts {
                draft.rank = rank;
                if position > 0 && position == last {
                    let most = edges.iter().map(|d| d.rank).max().unwrap_or(rank);
                    draft.rank = most.saturating_add(1);
                } else {
                    // Something follows that does not depend on this `else`: it must not shadow it.
                    match self.none_of(&edges) {
                        Some(guard) => draft.guard = guard,
                        None => draft.rank = rank.saturating_add(1),
                    }
                }
                edges.push(draft);
            }
        }
        edges.sort_by_key(|d| d.rank);
        edges
    }

    /// The end of a process: only the youngest may go.
    fn stop(&self, el: El) -> Draft {
        let mut draft = self.draft(el, el, Atomicity::Release);
        let youngest = fold::binary(axle_model::BinOp::Sub, Expr::ProcessCount, Expr::Const(1));
        draft.guard = fold::binary(axle_model::BinOp::Eq, Expr::SelfPid, youngest);
        draft.effects = vec![Effect::Exit];
        draft.text = "-end-".to_owned();
        draft
    }

    /// A condition that holds where none of the edges is executable, where there is one.
    fn none_of(&self, edges: &[Draft]) -> Option<Expr> {
        let no = |edge: &Draft| Some(fold::unary(UnOp::Not, self.executable(edge)?));
        Some(fold::all(edges.iter().map(no).collect::<Option<Vec<Expr>>>()?))
    }

    /// A condition that holds where an edge is executable. There is none for offering a rendezvous.
    fn executable(&self, edge: &Draft) -> Option<Expr> {
        let possible = match &edge.comm {
            None => return Some(edge.guard.clone()),
            Some(Comm::Send { .. }) if self.rendezvous => return None,
            Some(Comm::Send { .. }) if self.lossy => Expr::TRUE,
            Some(Comm::Send { chan, .. }) => Expr::Query(Query::NotFull, Box::new(chan.clone())),
            Some(Comm::Receive { chan, patterns, random, .. }) => {
                let any = |p: &Pattern| match p {
                    Pattern::Bind(_) | Pattern::Any => Pattern::Any,
                    Pattern::Match(e) => Pattern::Match(e.clone()),
                };
                let patterns = patterns.iter().map(any).collect();
                let chan = Box::new(chan.clone());
                // A rendezvous channel is never polled: it is empty.
                let some = Expr::Query(Query::NotEmpty, chan.clone());
                fold::and(some, Expr::CanReceive { chan, patterns, random: *random })
            }
        };
        Some(if edge.guard == Expr::TRUE { possible } else { fold::and(edge.guard.clone(), possible) })
    }

    /// The first edges of a `d_step`.
    fn dstep_start(
        &self,
        outer: El,
        exit: El,
        keep: Atomicity,
        alone: bool,
        endless: &mut Vec<El>,
    ) -> Vec<Draft> {
        let first = dstep_first(self.flow, outer);
        let Some(Inner::At(first)) = follow_inside(self.flow, outer, Some(first)) else {
            endless.push(outer);
            return Vec::new();
        };
        let mut drafts = self.inner_options(outer, first, exit, keep, endless);
        if drafts.len() > MOST_GUARDED
            && let Some(some) = drafts.iter().map(|d| self.executable(d)).collect::<Option<Vec<Expr>>>()
        {
            // Too many to ask of each that those before it are not executable: one edge asks for
            // any, and the choice is made inside.
            let mut enter = self.draft(outer, first, Atomicity::Deterministic);
            enter.guard = fold::any(some);
            enter.text = "d_step".to_owned();
            return vec![enter];
        }
        let firm: Vec<Option<Expr>> = (0..drafts.len()).map(|k| self.none_of(&drafts[..k])).collect();
        for (position, (draft, before)) in drafts.iter_mut().zip(firm).enumerate() {
            if position == 0 {
                continue;
            }
            match before {
                Some(Expr::Const(1)) => {}
                Some(before) if draft.guard == Expr::TRUE => draft.guard = before,
                Some(before) => draft.guard = fold::and(before, draft.guard.clone()),
                None if alone => draft.rank = u8::try_from(position).unwrap_or(u8::MAX),
                None => {}
            }
        }
        if drafts.len() > 1 {
            drafts.iter_mut().for_each(|d| d.is_else = false);
        }
        drafts
    }

    /// The edges of a place inside a `d_step`, in the order in which they are tried.
    fn inner_edges(&self, outer: El, el: El, endless: &mut Vec<El>) -> Vec<Draft> {
        let Some(arc) = self.outer_arc(outer) else { return Vec::new() };
        let (Some(exit), keep) = (arc.to, if arc.atomic { Atomicity::Atomic } else { Atomicity::Release })
        else {
            return Vec::new();
        };
        self.inner_options(outer, el, exit, keep, endless)
    }

    fn outer_arc(&self, outer: El) -> Option<&Arc> {
        self.table.arcs[outer.0 as usize].iter().find(|a| a.el == outer)
    }

    fn inner_options(
        &self,
        outer: El,
        el: El,
        exit: El,
        keep: Atomicity,
        endless: &mut Vec<El>,
    ) -> Vec<Draft> {
        let mut steps = Vec::new();
        self.inner_steps(outer, el, &mut steps, endless, 0);
        let mut drafts = Vec::new();
        for step in steps {
            let element = self.flow.at(step);
            // A jump is followed to its target, a statement to its successor.
            let after = if matches!(element.node, Node::Goto(..)) { Some(step) } else { element.next };
            match follow_inside(self.flow, outer, after) {
                Some(Inner::At(next)) => drafts.push(self.draft(step, next, Atomicity::Deterministic)),
                Some(Inner::Exit) => drafts.push(self.draft(step, exit, keep)),
                None => endless.push(outer),
            }
        }
        drafts
    }

    /// The statements that a place inside a `d_step` can begin with.
    fn inner_steps(&self, outer: El, el: El, steps: &mut Vec<El>, endless: &mut Vec<El>, depth: u32) {
        match &self.flow.at(el).node {
            Node::Choice(options) if depth < 1000 => {
                for &option in options {
                    match follow_inside(self.flow, outer, Some(self.flow.first(option))) {
                        Some(Inner::At(next)) => {
                            // An option that begins with a jump has no statement of its own: the
                            // jump is one.
                            if matches!(self.flow.at(self.flow.first(option)).node, Node::Goto(..)) {
                                steps.push(self.flow.first(option));
                            } else {
                                self.inner_steps(outer, next, steps, endless, depth + 1);
                            }
                        }
                        Some(Inner::Exit) => steps.push(self.flow.first(option)),
                        None => endless.push(outer),
                    }
                }
            }
            _ => steps.push(el),
        }
    }

    /// Lets an edge inside an atomic sequence that leads to a mere jump out of it give atomicity up
    /// at once. A send stays: after a rendezvous the sender may have to wait right there.
    fn pass_through(&self, edge: &mut Draft) {
        for _ in 0..self.flow.elements.len() {
            if edge.keep != Atomicity::Atomic || matches!(edge.comm, Some(Comm::Send { .. })) {
                return;
            }
            let [arc] = self.table.arcs[edge.to.0 as usize].as_slice() else { return };
            let (ArcKind::Free, Some(to)) = (arc.kind, arc.to) else { return };
            edge.to = to;
            if !arc.atomic {
                edge.keep = Atomicity::Release;
            }
        }
    }
}

/// Numbers the locations and writes everything into the model.
fn write(
    lower: &mut Lower<'_>,
    proc: ProcId,
    flow: &Flow,
    table: &Table,
    mut order: Vec<El>,
    mut drafts: FxHashMap<El, Vec<Draft>>,
) {
    order.sort();
    if lower.uses_pc_value {
        // The numbers can be seen: they are Spin's, with gaps filled by locations that nothing
        // leads to.
        order = (0..flow.elements.len() as u32).map(El).collect();
    }
    let number: FxHashMap<El, LocId> = order.iter().enumerate().map(|(i, &el)| (el, LocId::new(i))).collect();
    let mut labels: FxHashMap<String, Vec<LocId>> = FxHashMap::default();
    let mut named: FxHashMap<El, Vec<String>> = FxHashMap::default();
    for label in &flow.labels {
        named.entry(label.el).or_default().push(label.name.clone());
    }
    let (mut locations, mut edges) = (Vec::new(), Vec::new());
    for (index, &el) in order.iter().enumerate() {
        let here = named.remove(&el).unwrap_or_default();
        for label in &here {
            labels.entry(label.clone()).or_default().push(LocId::new(index));
        }
        let marks = table.marks[el.0 as usize];
        let origin = flow.at(el).loc.map_or(Origin::NONE, |loc| lower.origin(loc));
        let mut out = Vec::new();
        for draft in drafts.remove(&el).unwrap_or_default() {
            let Some(&target) = number.get(&draft.to) else { continue };
            out.push(EdgeId::new(edges.len()));
            let origins = draft.loc.iter().map(|loc| lower.origin(*loc)).collect();
            edges.push(Edge {
                source: LocId::new(index),
                target,
                rank: draft.rank,
                guard: draft.guard,
                comm: draft.comm,
                effects: draft.effects,
                keep: draft.keep,
                is_else: draft.is_else,
                text: draft.text,
                origins,
            });
        }
        locations.push(Location {
            out,
            labels: here,
            end: marks.end,
            accept: marks.accept,
            progress: marks.progress,
            origin,
        });
    }
    lower.procs[proc.index()].labels = labels;
    let process = lower.process_mut(proc);
    process.entry = number.get(&table.entry).copied().unwrap_or(LocId(0));
    process.locations = locations;
    process.edges = edges;
}
