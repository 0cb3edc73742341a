//! Claims, event traces and formulas; and the questions about other processes that can only be
//! answered when every automaton is there.
//!
//! *Entry points:* [`Lower::formulas`], [`Lower::answer_labels`].
//! *Invariant:* after [`Lower::answer_labels`] no stand-in is left in any expression.

use axle_model::{Expr, Formula, LocId, ProcId, Process, Property, PropertyKind};
use axle_source::{Diagnostic, Loc};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::ast::{self, FormulaKind, Item, TemporalOp};
use crate::fold;
use crate::lower_expr::FIRST;
use crate::lower_pass::{Lower, ProcInfo};

/// No process has this number.
const NOBODY: i64 = 1 << 16;

impl<'a> Lower<'a> {
    /// Reads claims, event traces and formulas.
    pub fn formulas(&mut self) {
        let (mut nevers, mut ltls, mut traces) = (0, 0, 0);
        let mut names = FxHashSet::default();
        for (index, item) in std::mem::take(&mut self.deferred) {
            self.names.item = index;
            self.names.scopes.clear();
            let (name, loc): (String, Loc) = match item {
                Item::Never(never) => {
                    let name = never.name.as_ref().map_or(format!("never_{nevers}"), |n| n.text.clone());
                    nevers += 1;
                    (name, never.loc.into())
                }
                Item::Trace(trace) if trace.negated => ("notrace".to_owned(), trace.loc.into()),
                Item::Trace(trace) => ("trace".to_owned(), trace.loc.into()),
                Item::Ltl(ltl) => {
                    let name = ltl.name.as_ref().map_or(format!("ltl_{ltls}"), |n| n.text.clone());
                    ltls += 1;
                    (name, ltl.loc.into())
                }
                _ => continue,
            };
            traces += u32::from(matches!(item, Item::Trace(_)));
            if matches!(item, Item::Trace(_)) && traces > 1 {
                self.error("E0432", loc, "there is more than one event trace");
            }
            if !names.insert(name.clone()) {
                self.error("E0302", loc, format!("there are two properties `{name}`"));
            }
            let origin = self.origin(loc);
            let kind = match item {
                Item::Never(never) => PropertyKind::Never(self.claim(&name, &never.body, loc, false)),
                Item::Trace(trace) if trace.negated => {
                    PropertyKind::NoTrace(self.claim(&name, &trace.body, loc, true))
                }
                Item::Trace(trace) => PropertyKind::Trace(self.claim(&name, &trace.body, loc, true)),
                Item::Ltl(ltl) => {
                    self.names.see_all = true;
                    self.body.claim = true;
                    let formula = self.formula(&ltl.formula);
                    self.body.claim = false;
                    self.names.see_all = false;
                    PropertyKind::Ltl(formula)
                }
                _ => continue,
            };
            self.model.properties.push(Property { name, origin, kind });
        }
    }

    /// Reads a claim as a process of its own, which is taken out of the model at the end. The
    /// returned process is empty until then.
    fn claim(&mut self, name: &str, body: &'a ast::Block, loc: Loc, trace: bool) -> Process {
        let id = ProcId::new(self.model.processes.len());
        let origin = self.origin(loc);
        let empty = Process { origin, ..Process::named(name) };
        self.model.processes.push(empty.clone());
        self.procs.push(ProcInfo {
            name: name.to_owned(),
            loc,
            params: Some(Vec::new()),
            started: 0,
            first_pid: None,
            runnable: false,
            locals: FxHashMap::default(),
            labels: FxHashMap::default(),
        });
        self.claims.push((id, self.model.properties.len()));
        self.names.scopes = vec![Default::default()];
        self.body.open(id, name, true);
        self.body.trace = trace;
        self.process_body(id, body);
        self.body.claim = false;
        self.body.trace = false;
        empty
    }

    fn formula(&mut self, f: &ast::Formula) -> Formula {
        match &f.kind {
            FormulaKind::Atom(e) => {
                let value = self.condition(e);
                Formula::Atom(value, self.text(e.loc))
            }
            FormulaKind::Not(a) => Formula::Not(Box::new(self.formula(a))),
            FormulaKind::Always(a) => Formula::Always(Box::new(self.formula(a))),
            FormulaKind::Eventually(a) => Formula::Eventually(Box::new(self.formula(a))),
            FormulaKind::Next(a) => Formula::Next(Box::new(self.formula(a))),
            FormulaKind::Binary(op, a, b) => {
                let (a, b) = (Box::new(self.formula(a)), Box::new(self.formula(b)));
                match op {
                    TemporalOp::And => Formula::And(a, b),
                    TemporalOp::Or => Formula::Or(a, b),
                    TemporalOp::Implies => Formula::Implies(a, b),
                    TemporalOp::Iff => Formula::Equivalent(a, b),
                    TemporalOp::Until => Formula::Until(a, b),
                    TemporalOp::WeakUntil => Formula::WeakUntil(a, b),
                    TemporalOp::Release => Formula::Release(a, b),
                }
            }
        }
    }

    /// Makes the automata, answers questions about labels, and moves claims to their properties.
    pub fn answer_labels(&mut self) {
        let mut read = std::mem::take(&mut self.body.read);
        for query in self.labels_asked.clone() {
            let flow = read.iter_mut().find(|r| r.proc == query.proc).map(|r| &mut r.flow);
            let Some(flow) = flow else { continue };
            if flow.pin_label(&query.label).is_none() {
                let name = &self.procs[query.proc.index()].name;
                let fault = Diagnostic::error("E0426", format!("`{name}` has no label `{}`", query.label))
                    .at(query.loc, "");
                let names: Vec<String> = flow.labels.iter().map(|l| l.name.clone()).collect();
                let fault = self.suggest(fault, &query.label, |_| names);
                self.diagnostics.push(fault);
            }
        }
        for body in read {
            crate::emit::emit(self, body);
        }
        let answers: Vec<Vec<LocId>> = (self.labels_asked.iter())
            .map(|q| self.procs[q.proc.index()].labels.get(&q.label).cloned().unwrap_or_default())
            .collect();
        let firsts: Vec<Expr> = (0..self.procs.len()).map(|i| self.first_process(ProcId::new(i))).collect();
        axle_model::rewrite::model(&mut self.model, &mut |e| {
            let Expr::AtLocation { proc, pid, locs } = e else { return };
            if **pid == Expr::Const(FIRST) {
                *e = firsts[proc.index()].clone();
            } else if let [LocId(query)] = locs[..] {
                let answer = answers[query as usize].clone();
                *locs = answer;
            }
        });
        for (proc, property) in std::mem::take(&mut self.claims).into_iter().rev() {
            if proc.index() >= self.model.processes.len() {
                continue;
            }
            let done = self.model.processes.remove(proc.index());
            match self.model.properties.get_mut(property).map(|p| &mut p.kind) {
                Some(PropertyKind::Never(p) | PropertyKind::Trace(p) | PropertyKind::NoTrace(p)) => *p = done,
                Some(PropertyKind::Ltl(_)) | None => {}
            }
        }
    }

    /// The number of the first process of a type, as Spin takes it for `P@L` without an index. It
    /// is constant unless the type can be created at run time; then it has to be looked for.
    fn first_process(&self, proc: ProcId) -> Expr {
        let info = &self.procs[proc.index()];
        if !info.runnable {
            return Expr::Const(info.first_pid.map_or(NOBODY, i64::from));
        }
        let locations = self.model.process(proc).locations.len();
        let all: Vec<LocId> = (0..locations).map(LocId::new).collect();
        let mut first = Expr::Const(NOBODY);
        for number in (0..self.model.semantics.max_processes).rev() {
            let pid = Expr::Const(i64::from(number));
            let here = Expr::AtLocation { proc, pid: Box::new(pid.clone()), locs: all.clone() };
            first = fold::cond(here, pid, first);
        }
        first
    }
}
