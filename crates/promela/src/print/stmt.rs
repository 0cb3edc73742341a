//! Statements as text.

use super::Printer;
use crate::ast::{
    Block, Choice, ExprKind, ForRange, Receive, RecvArg, RecvArgKind, Select, Send, Step, Stmt, StmtKind,
};

impl Printer {
    /// `{ ... }`.
    pub(super) fn block(&mut self, block: &Block) {
        self.text("{");
        self.indent += 1;
        self.line();
        for (index, step) in block.steps.iter().enumerate() {
            if index > 0 {
                self.text(";");
                self.line();
            }
            self.step(step);
        }
        self.indent -= 1;
        self.line();
        self.text("}");
    }

    /// One element of a sequence, without a separator.
    pub(super) fn step(&mut self, step: &Step) {
        match step {
            Step::Vars(decl) => self.var_decl(decl),
            Step::Mtype(decl) => self.mtype_list(decl),
            Step::Exclusive(exclusive) => {
                self.text(if exclusive.send { "xs " } else { "xr " });
                self.list(&exclusive.channels, ", ", Printer::var);
            }
            Step::Stmt(stmt) => self.stmt(stmt),
            Step::Unless(unless) => {
                self.stmt(&unless.main);
                self.text(" unless ");
                self.stmt(&unless.escape);
            }
        }
    }

    /// A statement.
    pub(super) fn stmt(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Expr(expr) => self.expr(expr),
            StmtKind::Assign(target, value) => {
                self.var(target);
                self.text(" = ");
                self.expr(value);
            }
            StmtKind::Increment(target) => {
                self.var(target);
                self.text("++");
            }
            StmtKind::Decrement(target) => {
                self.var(target);
                self.text("--");
            }
            StmtKind::Send(send) => self.send(send),
            StmtKind::Receive(receive) => self.receive(receive),
            StmtKind::If(choices) => self.choices("if", choices, "fi"),
            StmtKind::Do(choices) => self.choices("do", choices, "od"),
            StmtKind::Else => self.text("else"),
            StmtKind::Break => self.text("break"),
            StmtKind::Goto(label) => {
                self.text("goto ");
                self.text(&label.text);
            }
            StmtKind::Labelled(label, inner) => {
                self.text(&label.text);
                self.text(": ");
                self.stmt(inner);
            }
            StmtKind::Label(label) => {
                self.text(&label.text);
                self.text(":");
            }
            StmtKind::Block(block) => self.block(block),
            StmtKind::Atomic(block) => {
                self.text("atomic ");
                self.block(block);
            }
            StmtKind::DStep(block) => {
                self.text("d_step ");
                self.block(block);
            }
            StmtKind::For(for_loop) => {
                self.text("for (");
                self.var(&for_loop.var);
                match &for_loop.range {
                    ForRange::Values(from, to) => {
                        self.text(" : ");
                        self.expr(from);
                        self.text(" .. ");
                        self.expr(to);
                    }
                    ForRange::In(over) => {
                        self.text(" in ");
                        self.var(over);
                    }
                }
                self.text(") ");
                self.block(&for_loop.body);
            }
            StmtKind::Select(select) => self.select(select),
            StmtKind::Assert(condition) => {
                self.text("assert(");
                self.expr(condition);
                self.text(")");
            }
            StmtKind::Printf(format, args) => {
                self.text("printf(\"");
                self.text(&format.text);
                self.text("\"");
                for arg in args {
                    self.text(", ");
                    self.expr(arg);
                }
                self.text(")");
            }
            StmtKind::Printm(value) => {
                self.text("printm(");
                self.expr(value);
                self.text(")");
            }
            StmtKind::SetPriority(process, priority) => {
                self.text("set_priority(");
                self.expr(process);
                self.text(", ");
                self.expr(priority);
                self.text(")");
            }
            StmtKind::Code(code) => self.c_code(if code.decl { "c_decl" } else { "c_code" }, code),
            StmtKind::Error => self.text("skip"),
        }
    }

    fn choices(&mut self, open: &str, choices: &[Choice], close: &str) {
        self.text(open);
        for choice in choices {
            self.line();
            self.text(":: ");
            self.indent += 1;
            for (index, step) in choice.steps.iter().enumerate() {
                match index {
                    0 => {}
                    1 => self.text(" -> "),
                    _ => {
                        self.text(";");
                        self.line();
                    }
                }
                self.step(step);
            }
            self.indent -= 1;
        }
        self.line();
        self.text(close);
    }

    /// Text that Spin would replace is written so that it would, everything else so that it
    /// would not.
    fn select(&mut self, select: &Select) {
        self.text("select (");
        self.var(&select.var);
        self.text(" : ");
        match (select.literal, &select.from.kind) {
            (false, ExprKind::Number(from)) => self.text(&format!("({from})")),
            (false, _) | (true, _) => self.expr(&select.from),
        }
        self.text(" .. ");
        self.expr(&select.to);
        self.text(")");
    }

    fn send(&mut self, send: &Send) {
        self.var(&send.chan);
        self.text(if send.sorted { "!!" } else { "!" });
        let start = self.out.len();
        self.list(&send.args, ",", Printer::expr);
        // `c!` and `!x` make `c!!x`, a sorted send.
        if self.out[start..].starts_with('!') {
            self.out.insert(start, ' ');
        }
    }

    fn receive(&mut self, receive: &Receive) {
        self.var(&receive.chan);
        self.text(if receive.random { "??" } else { "?" });
        self.text(if receive.copy { "<" } else { "" });
        self.list(&receive.args, ",", Printer::recv_arg);
        self.text(if receive.copy { ">" } else { "" });
    }

    /// An argument of a receive.
    pub(super) fn recv_arg(&mut self, arg: &RecvArg) {
        match &arg.kind {
            RecvArgKind::Any => self.text("_"),
            RecvArgKind::Var(var) => self.var(var),
            RecvArgKind::Const(value) => self.text(&value.to_string()),
            RecvArgKind::Eval(value) => {
                self.text("eval(");
                self.expr(value);
                self.text(")");
            }
        }
    }
}
