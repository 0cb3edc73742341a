//! Where a program has one thread: in `main` before the first thread starts, and behind the joins if
//! every thread is joined.
//!
//! *Entry point:* [`phases`].
//! *Invariant:* a thread counts as joined only if a join of the same handle stands under the same
//! loops as its creation, and nothing leaves these loops early.

use axle_source::{Loc, Span};

use super::callee;
use crate::canonical;
use crate::evaluate::value_of;
use crate::item::{breaks, continues};
use crate::read::Unit;
use crate::syntax::{Declared, Expr, Init, Kind, Stmt, StmtKind};

/// Calls that start a thread.
pub(crate) const START: &[&str] = &["pthread_create", "thrd_create"];
/// Calls that wait for its end.
const JOIN: &[&str] = &["pthread_join", "thrd_join"];

/// The parts of `main` in which the program has one thread.
#[derive(Default)]
pub(super) struct Phases {
    pub sequential: Vec<Span>,
    /// Whether every thread is joined before `main` ends.
    pub joins_all: bool,
    /// Whether the program starts threads.
    pub has_threads: bool,
}

/// Calls with these names, each with its handle and the loops around it.
struct Calls<'n> {
    unit: &'n Unit,
    names: &'n [&'n str],
    /// Handle and loops.
    found: Vec<(String, Vec<String>)>,
    /// One stands where it need not be executed as often as its loops say.
    irregular: bool,
}

impl Calls<'_> {
    fn list(&mut self, list: &[Stmt], loops: &[String], certain: bool) {
        list.iter().for_each(|stmt| self.stmt(stmt, loops, certain));
    }

    fn stmt(&mut self, stmt: &Stmt, loops: &[String], certain: bool) {
        match &stmt.kind {
            StmtKind::Block(list) => self.list(list, loops, certain),
            StmtKind::If(cond, yes, no) => {
                self.expr(cond, loops, certain);
                self.stmt(yes, loops, false);
                if let Some(no) = no {
                    self.stmt(no, loops, false);
                }
            }
            StmtKind::For { init, cond, step, body } => {
                for expr in cond.iter().chain(step) {
                    self.expr(expr, loops, false);
                }
                let header = counted(self.unit, init, cond.as_ref(), step.as_ref(), body);
                let certain = certain && header.is_some() && !breaks(body) && !continues(body);
                let own: Vec<String> = loops.iter().cloned().chain(header).collect();
                self.stmt(body, &own, certain);
            }
            _ => {
                let mut exprs = Vec::new();
                stmt.expressions(&mut |expr| exprs.push(expr));
                let simple =
                    matches!(stmt.kind, StmtKind::Expr(_) | StmtKind::Declare(_) | StmtKind::Return(_));
                exprs.into_iter().for_each(|expr| self.call(expr, loops, certain && simple));
            }
        }
    }

    fn expr(&mut self, expr: &Expr, loops: &[String], certain: bool) {
        expr.walk(&mut |part| self.call(part, loops, certain));
    }

    fn call(&mut self, expr: &Expr, loops: &[String], certain: bool) {
        let Some((name, args)) = callee(expr) else { return };
        if !self.names.contains(&&**name) {
            return;
        }
        self.irregular |= !certain;
        let handle = args.first().map(|arg| match &arg.kind {
            Kind::Prefix("&", object) => canonical::text(object),
            _ => canonical::text(arg),
        });
        self.found.push((handle.unwrap_or_default(), loops.to_vec()));
    }
}

/// The bounds of a loop that counts from a number to a constant, as text: `i=0;(i<N)`.
fn counted(
    unit: &Unit,
    init: &[Stmt],
    cond: Option<&Expr>,
    step: Option<&Expr>,
    body: &Stmt,
) -> Option<String> {
    let [Stmt { kind: init, .. }] = init else { return None };
    let (name, from) = match init {
        StmtKind::Expr(Expr { kind: Kind::Assign("=", target, value), .. }) => match &target.kind {
            Kind::Name(name) => (name, &**value),
            _ => return None,
        },
        StmtKind::Declare(decl) => match &decl.declared[..] {
            [Declared { name, init: Some(Init::Value(value)), .. }] => (name, value),
            _ => return None,
        },
        _ => return None,
    };
    let is_counter = |expr: &Expr| matches!(&expr.kind, Kind::Name(other) if other == name);
    let Kind::Binary(operator @ ("<" | "<=" | "!="), left, to) = &cond?.kind else { return None };
    let counts = match &step?.kind {
        Kind::Postfix(target, "++") | Kind::Prefix("++", target) => is_counter(target),
        _ => false,
    };
    let mut is_changed = false;
    body.expressions(&mut |expr| {
        is_changed |= match &expr.kind {
            Kind::Assign(_, target, _)
            | Kind::Postfix(target, _)
            | Kind::Prefix("++" | "--" | "&", target) => is_counter(target),
            _ => false,
        };
    });
    // A variable as a bound may change between two loops.
    let number = |expr: &Expr| value_of(expr, &|name| unit.tags.constant(name));
    let (from, to) = (number(from)?, number(to)?);
    (is_counter(left) && counts && !is_changed).then(|| format!("{name}={from};{operator}{to}"))
}

fn calls<'n>(unit: &'n Unit, names: &'n [&'n str], list: &[Stmt]) -> Calls<'n> {
    let mut calls = Calls { unit, names, found: Vec::new(), irregular: false };
    calls.list(list, &[], true);
    calls
}

/// The phases of a program. `sequential` is empty where they are not known.
pub(super) fn phases(unit: &Unit) -> Phases {
    let Some(main) = unit.function("main") else { return Phases::default() };
    let others = unit.functions.iter().filter(|function| &*function.name != "main");
    if others.into_iter().any(|function| !calls(unit, START, &function.body).found.is_empty()) {
        return Phases { has_threads: true, ..Phases::default() };
    }
    let (starts, joins) = (calls(unit, START, &main.body), calls(unit, JOIN, &main.body));
    let is_joined = |start: &(String, Vec<String>)| {
        let same = |list: &[(String, Vec<String>)]| list.iter().filter(|one| *one == start).count();
        same(&joins.found) == 1 && same(&starts.found) == 1
    };
    let joins_all = !starts.irregular && !joins.irregular && starts.found.iter().all(is_joined);
    let has = |stmt: &Stmt, names: &[&str]| !calls(unit, names, std::slice::from_ref(stmt)).found.is_empty();
    let first = main.body.iter().position(|stmt| has(stmt, START));
    let last = main.body.iter().rposition(|stmt| has(stmt, JOIN));
    let before = main.body.iter().take(first.unwrap_or(main.body.len()));
    let behind = main.body.iter().skip(last.filter(|_| joins_all).map_or(usize::MAX, |last| last + 1));
    let all_started =
        first.zip(last).is_none_or(|(_, last)| !main.body[last..].iter().any(|stmt| has(stmt, START)));
    let behind: Vec<&Stmt> = behind.filter(|_| all_started).collect();
    let plain = |stmt: &&Stmt| stmt.loc == Loc::plain(stmt.loc.span);
    let sequential = before.chain(behind).filter(plain).map(|stmt| stmt.loc.span).collect();
    Phases { sequential, joins_all, has_threads: !starts.found.is_empty() }
}
