//! Warnings: constructs that are allowed and probably not intended.
//!
//! Warnings about a single expression or statement stand where that is read.
//!
//! *Entry points:* [`whole_model`], [`unreachable`].
//! *Invariant:* a warning never keeps a model from being checked.

use axle_source::{Diagnostic, Loc};
use rustc_hash::FxHashSet;

use crate::ast::{self, ExprKind, Item, Step, Stmt, StmtKind};
use crate::flow::{Flow, FlowFault, Node, StepKind};
use crate::lower_body::Action;
use crate::lower_pass::Lower;
use crate::survey::Walk;

/// Warnings that need the whole model.
pub(crate) fn whole_model(lower: &mut Lower<'_>, program: &ast::Program) {
    if lower.diagnostics.has_errors() {
        return;
    }
    variables(lower);
    labels(lower, program);
    selections(lower, program);
    unused_inlines(lower, program);
}

/// Variables that are only written or only read, channels used on one side only.
fn variables(lower: &mut Lower<'_>) {
    let mut found = Vec::new();
    for var in &lower.names.vars {
        let (name, loc, uses) = (&var.name, var.loc, var.uses);
        if matches!(var.ty, axle_model::Type::Chan) || is_channel_array(&var.ty) {
            if var.param || uses.passed || var.chan.is_none() {
                continue;
            }
            let warning = match (uses.sent, uses.received) {
                (true, false) => Some(("W0306", format!("no process receives from channel `{name}`"))),
                (false, true) => Some(("W0306", format!("no process sends to channel `{name}`"))),
                (false, false) if !uses.read => Some(("W0303", format!("channel `{name}` is never used"))),
                _ => None,
            };
            if let Some((code, text)) = warning {
                found.push(Diagnostic::warning(code, text).at(loc, "declared here"));
            }
        } else if !uses.read && !uses.written && !var.param {
            found.push(
                Diagnostic::warning("W0303", format!("`{name}` is never used")).at(loc, "declared here"),
            );
        } else if !uses.read && !var.param {
            let help = "it enlarges the state space; removing it (or `hidden`) may shrink it a lot";
            let text = format!("`{name}` is written and never read");
            found.push(Diagnostic::warning("W0304", text).at(loc, "declared here").help(help));
        }
    }
    found.into_iter().for_each(|d| lower.report(d));
}

fn is_channel_array(ty: &axle_model::Type) -> bool {
    matches!(ty, axle_model::Type::Array(elem, _) if **elem == axle_model::Type::Chan)
}

/// Labels whose beginning says something that their author may not have meant.
fn labels(lower: &mut Lower<'_>, program: &ast::Program) {
    let mut found = Vec::new();
    let mut walk = Walk {
        expr: &mut |_| {},
        stmt: &mut |stmt| {
            let (StmtKind::Label(name) | StmtKind::Labelled(name, _)) = &stmt.kind else { return };
            for special in ["end", "accept", "progress"] {
                let Some(rest) = name.text.strip_prefix(special) else { continue };
                if rest.starts_with(|c: char| c.is_ascii_lowercase()) {
                    let text = format!(
                        "`{}` begins with `{special}`, which makes it {} label",
                        name.text,
                        article(special)
                    );
                    let help = format!("write `{special}_{rest}` if it is meant, or begin otherwise");
                    let at: Loc = name.loc.into();
                    found.push(Diagnostic::warning("W0301", text).at(at, "").help(help));
                }
            }
        },
    };
    walk.program(program);
    found.into_iter().for_each(|d| lower.report(d));
}

fn article(special: &str) -> String {
    let a = if special == "progress" { "a" } else { "an" };
    format!("{a} {special}-state")
}

/// `else` beside communication, and `timeout` beside `else`.
fn selections(lower: &mut Lower<'_>, program: &ast::Program) {
    let mut found = Vec::new();
    let mut walk = Walk {
        expr: &mut |_| {},
        stmt: &mut |stmt| {
            let (StmtKind::If(choices) | StmtKind::Do(choices)) = &stmt.kind else { return };
            let firsts: Vec<&Stmt> = choices.iter().filter_map(|c| first(c.steps.first()?)).collect();
            let Some(other) = firsts.iter().find(|s| matches!(s.kind, StmtKind::Else)) else { return };
            for first in &firsts {
                let at: Loc = first.loc.into();
                let also: Loc = other.loc.into();
                if communicates(first) {
                    let text = "`else` beside communication depends on what other processes do next";
                    let warning = Diagnostic::warning("W0307", text)
                        .at(also, "taken whenever the message is not there yet")
                        .also(at, "this may become possible later")
                        .help("write the opposite condition, such as `empty(c)`, if that is meant");
                    found.push(warning);
                    return;
                }
                if mentions_timeout(first) {
                    let text = "`timeout` beside `else` is never waited for: `else` is taken first";
                    found.push(Diagnostic::warning("W0317", text).at(at, "").also(also, ""));
                    return;
                }
            }
        },
    };
    walk.program(program);
    found.into_iter().for_each(|d| lower.report(d));
}

fn first(step: &Step) -> Option<&Stmt> {
    match step {
        Step::Stmt(stmt) => Some(stmt),
        Step::Unless(unless) => Some(&unless.main),
        Step::Vars(_) | Step::Mtype(_) | Step::Exclusive(_) => None,
    }
}

fn communicates(stmt: &Stmt) -> bool {
    match &stmt.kind {
        StmtKind::Send(_) | StmtKind::Receive(_) => true,
        StmtKind::Expr(e) => matches!(&e.kind, ExprKind::Query(kind, _) if *kind != ast::QueryKind::Len),
        _ => false,
    }
}

fn mentions_timeout(stmt: &Stmt) -> bool {
    matches!(&stmt.kind, StmtKind::Expr(e) if matches!(e.kind, ExprKind::Timeout))
}

/// Statements that nothing leads to: the first of each sequence.
pub(crate) fn unreachable(
    lower: &mut Lower<'_>,
    flow: &Flow,
    actions: &[Action],
    used: &FxHashSet<usize>,
    claim: bool,
) {
    if claim {
        return;
    }
    let mut previous = true;
    let escapes = flow.faults.iter().any(|f| matches!(f, FlowFault::UnlessInDStep(_)));
    for element in flow.elements.iter().skip(1) {
        let Node::Step(kind, number) = element.node else { continue };
        let Some(action) = actions.get(number) else { continue };
        if matches!(kind, StepKind::Skip | StepKind::Never | StepKind::Else) {
            continue;
        }
        // Of an escape inside a `d_step` it has been said already.
        if element.in_dstep && escapes {
            continue;
        }
        let reached = used.contains(&number);
        if !reached && previous {
            let warning = Diagnostic::warning("W0305", "nothing leads to this statement")
                .at(action.loc, "")
                .note("what stands before it never ends, or jumps elsewhere");
            lower.report(warning);
        }
        previous = reached;
    }
}

/// The uses of the inlines of a program: one that is never called is most often left over.
pub(crate) fn unused_inlines(lower: &mut Lower<'_>, program: &ast::Program) {
    for item in &program.items {
        if let Item::Inline(def) = item
            && def.calls == 0
        {
            let text = format!("inline `{}` is never called", def.name.text);
            lower.report(Diagnostic::warning("W0303", text).at(def.name.loc.into(), ""));
        }
    }
}
