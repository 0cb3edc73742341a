//! Expressions and formulas as text, with no more brackets than are needed.

use super::Printer;
use crate::ast::{
    BinaryOp, ConstWord, Expr, ExprKind, Formula, FormulaKind, QueryKind, TemporalOp, UnaryOp, VarRef,
};

/// How tightly an operator binds, as in the parser.
fn tightness(op: BinaryOp) -> u8 {
    match op {
        BinaryOp::Or => 2,
        BinaryOp::And => 3,
        BinaryOp::BitOr => 5,
        BinaryOp::BitXor => 6,
        BinaryOp::BitAnd => 7,
        BinaryOp::Eq | BinaryOp::Ne => 8,
        BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge => 9,
        BinaryOp::Shl | BinaryOp::Shr => 10,
        BinaryOp::Add | BinaryOp::Sub => 11,
        BinaryOp::Mul | BinaryOp::Div | BinaryOp::Rem => 12,
    }
}

fn sign(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Add => " + ",
        BinaryOp::Sub => " - ",
        BinaryOp::Mul => " * ",
        BinaryOp::Div => " / ",
        BinaryOp::Rem => " % ",
        BinaryOp::Shl => " << ",
        BinaryOp::Shr => " >> ",
        BinaryOp::BitAnd => " & ",
        BinaryOp::BitOr => " | ",
        BinaryOp::BitXor => " ^ ",
        BinaryOp::Eq => " == ",
        BinaryOp::Ne => " != ",
        BinaryOp::Lt => " < ",
        BinaryOp::Le => " <= ",
        BinaryOp::Gt => " > ",
        BinaryOp::Ge => " >= ",
        BinaryOp::And => " && ",
        BinaryOp::Or => " || ",
    }
}

impl Printer {
    /// An expression.
    pub(super) fn expr(&mut self, expr: &Expr) {
        self.expr_at(expr, 0);
    }

    /// An expression where no binary operator may stand outside brackets.
    pub(super) fn operand(&mut self, expr: &Expr) {
        self.expr_at(expr, u8::MAX);
    }

    /// An expression, in brackets if its operator binds less tightly than `least`.
    fn expr_at(&mut self, expr: &Expr, least: u8) {
        match &expr.kind {
            ExprKind::Number(value) => self.text(&value.to_string()),
            ExprKind::Char(value) => self.character(*value),
            ExprKind::Word(ConstWord::True) => self.text("true"),
            ExprKind::Word(ConstWord::False) => self.text("false"),
            ExprKind::Word(ConstWord::Skip) => self.text("skip"),
            ExprKind::Var(var) => self.var(var),
            ExprKind::Unary(op, operand) => {
                self.text(match op {
                    UnaryOp::Neg => "-",
                    UnaryOp::BitNot => "~",
                    UnaryOp::Not => "!",
                });
                // Two signs in a row would read as one.
                let brackets = matches!(operand.kind, ExprKind::Unary(..) | ExprKind::Binary(..));
                self.text(if brackets { "(" } else { "" });
                self.expr(operand);
                self.text(if brackets { ")" } else { "" });
            }
            ExprKind::Binary(op, left, right) => {
                let own = tightness(*op);
                self.text(if own < least { "(" } else { "" });
                self.expr_at(left, own);
                self.text(sign(*op));
                self.expr_at(right, own + 1);
                self.text(if own < least { ")" } else { "" });
            }
            ExprKind::Cond(condition, then, other) => {
                self.text("(");
                self.expr(condition);
                self.text(" -> ");
                self.expr(then);
                self.text(" : ");
                self.expr(other);
                self.text(")");
            }
            ExprKind::Run(run) => {
                self.text("run ");
                self.text(&run.proc.text);
                self.text("(");
                self.list(&run.args, ", ", Printer::expr);
                self.text(")");
                if let Some(priority) = &run.priority {
                    self.text(" priority ");
                    self.operand(priority);
                }
            }
            ExprKind::Query(kind, chan) => {
                self.text(match kind {
                    QueryKind::Len => "len(",
                    QueryKind::Full => "full(",
                    QueryKind::Empty => "empty(",
                    QueryKind::NFull => "nfull(",
                    QueryKind::NEmpty => "nempty(",
                });
                self.var(chan);
                self.text(")");
            }
            ExprKind::Poll(receive) => {
                self.var(&receive.chan);
                self.text(if receive.random { "??[" } else { "?[" });
                self.list(&receive.args, ",", Printer::recv_arg);
                self.text("]");
            }
            ExprKind::Timeout => self.text("timeout"),
            ExprKind::NonProgress => self.text("np_"),
            ExprKind::Enabled(process) => self.function("enabled", process),
            ExprKind::PcValue(process) => self.function("pc_value", process),
            ExprKind::GetPriority(process) => self.function("get_priority", process),
            ExprKind::RemoteLabel { proc, pid, label } => {
                self.remote(&proc.text, pid.as_deref());
                self.text("@");
                self.text(&label.text);
            }
            ExprKind::RemoteVar { proc, pid, var } => {
                self.remote(&proc.text, pid.as_deref());
                self.text(":");
                self.var(var);
            }
            ExprKind::Code(code) => self.c_code("c_expr", code),
            ExprKind::Error => self.text("skip"),
        }
    }

    fn function(&mut self, name: &str, argument: &Expr) {
        self.text(name);
        self.text("(");
        self.expr(argument);
        self.text(")");
    }

    fn remote(&mut self, proc: &str, pid: Option<&Expr>) {
        self.text(proc);
        if let Some(pid) = pid {
            self.text("[");
            self.expr(pid);
            self.text("]");
        }
    }

    fn character(&mut self, value: u8) {
        self.text("'");
        match value {
            b'\n' => self.text("\\n"),
            b'\r' => self.text("\\r"),
            b'\t' => self.text("\\t"),
            0x0c => self.text("\\f"),
            b'\'' | b'\\' => {
                self.text("\\");
                self.out.push(char::from(value));
            }
            _ => self.out.push(char::from(value)),
        }
        self.text("'");
    }

    /// A variable, field or element.
    pub(super) fn var(&mut self, var: &VarRef) {
        self.list(&var.parts, ".", |printer, part| {
            printer.text(&part.name.text);
            if let Some(index) = &part.index {
                printer.text("[");
                printer.expr(index);
                printer.text("]");
            }
        });
    }

    /// A temporal formula.
    pub(super) fn formula(&mut self, formula: &Formula) {
        match &formula.kind {
            FormulaKind::Atom(expr) => self.expr(expr),
            FormulaKind::Not(inner) => self.prefixed("!", inner),
            FormulaKind::Always(inner) => self.prefixed("[] ", inner),
            FormulaKind::Eventually(inner) => self.prefixed("<> ", inner),
            FormulaKind::Next(inner) => self.prefixed("X ", inner),
            FormulaKind::Binary(op, left, right) => {
                self.enclosed(left);
                self.text(match op {
                    TemporalOp::And => " && ",
                    TemporalOp::Or => " || ",
                    TemporalOp::Implies => " -> ",
                    TemporalOp::Iff => " <-> ",
                    TemporalOp::Until => " U ",
                    TemporalOp::WeakUntil => " W ",
                    TemporalOp::Release => " V ",
                });
                self.enclosed(right);
            }
        }
    }

    fn prefixed(&mut self, sign: &str, inner: &Formula) {
        self.text(sign);
        self.enclosed(inner);
    }

    /// A formula in brackets, unless it is a name.
    fn enclosed(&mut self, formula: &Formula) {
        let bare = match &formula.kind {
            FormulaKind::Atom(expr) => matches!(expr.kind, ExprKind::Var(_) | ExprKind::Word(_)),
            _ => false,
        };
        self.text(if bare { "" } else { "(" });
        self.formula(formula);
        self.text(if bare { "" } else { ")" });
    }
}
