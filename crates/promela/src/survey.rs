//! Constructs that a program mentions anywhere, determined before lowering.
//!
//! *Entry points:* [`uses_pc_value`], [`uses_priorities`].
//! *Invariant:* every statement and expression of the program is seen, those of claims and formulas
//! too.

use crate::ast::{
    Block, Choice, Expr, ExprKind, ForRange, Formula, FormulaKind, Initializer, Item, Program, RecvArgKind,
    Step, Stmt, StmtKind, VarDecl, VarRef,
};

/// Whether locations can be seen as numbers.
pub(crate) fn uses_pc_value(program: &Program) -> bool {
    let mut found = false;
    let mut walk = Walk {
        expr: &mut |e| match &e.kind {
            ExprKind::PcValue(_) => found = true,
            ExprKind::Var(var) => found |= var.base().text == "_p",
            _ => {}
        },
        stmt: &mut |_| {},
    };
    walk.program(program);
    found
}

/// Whether priorities matter: `priority`, `set_priority`, `get_priority` or `_priority` is written
/// anywhere.
pub(crate) fn uses_priorities(program: &Program) -> bool {
    let declared = program.items.iter().any(|item| match item {
        Item::Proctype(p) => p.priority.is_some(),
        Item::Init(i) => i.priority.is_some(),
        _ => false,
    });
    let (mut asked, mut set) = (false, false);
    let mut walk = Walk {
        expr: &mut |e| match &e.kind {
            ExprKind::GetPriority(_) => asked = true,
            ExprKind::Var(var) => asked |= var.base().text == "_priority",
            ExprKind::Run(run) => asked |= run.priority.is_some(),
            _ => {}
        },
        stmt: &mut |s| match &s.kind {
            StmtKind::SetPriority(..) => set = true,
            StmtKind::Assign(var, _) | StmtKind::Increment(var) | StmtKind::Decrement(var) => {
                set |= var.base().text == "_priority";
            }
            _ => {}
        },
    };
    walk.program(program);
    declared || asked || set
}

/// Calls back for every expression and statement.
pub(crate) struct Walk<'f> {
    /// For every expression, outer ones first.
    pub expr: &'f mut dyn FnMut(&Expr),
    /// For every statement, outer ones first.
    pub stmt: &'f mut dyn FnMut(&Stmt),
}

impl Walk<'_> {
    /// Walks a whole program.
    pub fn program(&mut self, program: &Program) {
        for item in &program.items {
            match item {
                Item::Vars(decl) => self.vars(decl),
                Item::Typedef(def) => def.fields.iter().for_each(|f| self.vars(f)),
                Item::Proctype(p) => {
                    p.params.iter().for_each(|d| self.vars(d));
                    p.provided.iter().for_each(|e| self.expr(e));
                    self.block(&p.body);
                }
                Item::Init(i) => {
                    i.provided.iter().for_each(|e| self.expr(e));
                    self.block(&i.body);
                }
                Item::Never(n) => self.block(&n.body),
                Item::Trace(t) => self.block(&t.body),
                Item::Ltl(l) => self.formula(&l.formula),
                Item::Mtype(_) | Item::Inline(_) | Item::Code(_) | Item::State(_) => {}
            }
        }
    }

    fn formula(&mut self, f: &Formula) {
        match &f.kind {
            FormulaKind::Atom(e) => self.expr(e),
            FormulaKind::Not(a)
            | FormulaKind::Always(a)
            | FormulaKind::Eventually(a)
            | FormulaKind::Next(a) => {
                self.formula(a);
            }
            FormulaKind::Binary(_, a, b) => {
                self.formula(a);
                self.formula(b);
            }
        }
    }

    fn vars(&mut self, decl: &VarDecl) {
        for declarator in &decl.declarators {
            match &declarator.init {
                Some(Initializer::Expr(e)) => self.expr(e),
                Some(Initializer::List(all, _)) => all.iter().for_each(|e| self.expr(e)),
                Some(Initializer::Chan(_)) | None => {}
            }
        }
    }

    /// Walks the statements of a block.
    pub fn block(&mut self, block: &Block) {
        block.steps.iter().for_each(|s| self.step(s));
    }

    fn step(&mut self, step: &Step) {
        match step {
            Step::Vars(decl) => self.vars(decl),
            Step::Mtype(_) | Step::Exclusive(_) => {}
            Step::Stmt(stmt) => self.stmt(stmt),
            Step::Unless(unless) => {
                self.stmt(&unless.main);
                self.stmt(&unless.escape);
            }
        }
    }

    fn choices(&mut self, choices: &[Choice]) {
        choices.iter().flat_map(|c| &c.steps).for_each(|s| self.step(s));
    }

    fn stmt(&mut self, stmt: &Stmt) {
        (self.stmt)(stmt);
        match &stmt.kind {
            StmtKind::Expr(e) | StmtKind::Assert(e) | StmtKind::Printm(e) => self.expr(e),
            StmtKind::Assign(var, e) => {
                self.var(var);
                self.expr(e);
            }
            StmtKind::Increment(var) | StmtKind::Decrement(var) => self.var(var),
            StmtKind::Send(send) => {
                self.var(&send.chan);
                send.args.iter().for_each(|e| self.expr(e));
            }
            StmtKind::Receive(receive) => {
                self.var(&receive.chan);
                for arg in &receive.args {
                    match &arg.kind {
                        RecvArgKind::Eval(e) => self.expr(e),
                        RecvArgKind::Var(var) => self.var(var),
                        RecvArgKind::Any | RecvArgKind::Const(_) => {}
                    }
                }
            }
            StmtKind::If(choices) | StmtKind::Do(choices) => self.choices(choices),
            StmtKind::Labelled(_, inner) => self.stmt(inner),
            StmtKind::Block(block) | StmtKind::Atomic(block) | StmtKind::DStep(block) => self.block(block),
            StmtKind::For(each) => {
                self.var(&each.var);
                match &each.range {
                    ForRange::Values(a, b) => {
                        self.expr(a);
                        self.expr(b);
                    }
                    ForRange::In(var) => self.var(var),
                }
                self.block(&each.body);
            }
            StmtKind::Select(select) => {
                self.var(&select.var);
                self.expr(&select.from);
                self.expr(&select.to);
            }
            StmtKind::Printf(_, args) => args.iter().for_each(|e| self.expr(e)),
            StmtKind::SetPriority(a, b) => {
                self.expr(a);
                self.expr(b);
            }
            StmtKind::Else
            | StmtKind::Break
            | StmtKind::Goto(_)
            | StmtKind::Label(_)
            | StmtKind::Code(_)
            | StmtKind::Error => {}
        }
    }

    fn var(&mut self, var: &VarRef) {
        var.parts.iter().filter_map(|p| p.index.as_ref()).for_each(|e| self.expr(e));
    }

    fn expr(&mut self, e: &Expr) {
        (self.expr)(e);
        match &e.kind {
            ExprKind::Var(var) | ExprKind::Query(_, var) => self.var(var),
            ExprKind::Unary(_, a)
            | ExprKind::Enabled(a)
            | ExprKind::PcValue(a)
            | ExprKind::GetPriority(a) => {
                self.expr(a);
            }
            ExprKind::Binary(_, a, b) => {
                self.expr(a);
                self.expr(b);
            }
            ExprKind::Cond(a, b, c) => [a, b, c].into_iter().for_each(|e| self.expr(e)),
            ExprKind::Run(run) => run.args.iter().for_each(|e| self.expr(e)),
            ExprKind::Poll(receive) => {
                self.var(&receive.chan);
                for arg in &receive.args {
                    if let RecvArgKind::Eval(e) = &arg.kind {
                        self.expr(e);
                    }
                }
            }
            ExprKind::RemoteLabel { pid, .. } => pid.iter().for_each(|e| self.expr(e)),
            ExprKind::RemoteVar { pid, var, .. } => {
                pid.iter().for_each(|e| self.expr(e));
                self.var(var);
            }
            ExprKind::Number(_)
            | ExprKind::Char(_)
            | ExprKind::Word(_)
            | ExprKind::Timeout
            | ExprKind::NonProgress
            | ExprKind::Code(_)
            | ExprKind::Error => {}
        }
    }
}
