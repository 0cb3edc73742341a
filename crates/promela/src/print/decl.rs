//! Declarations as text.

use super::Printer;
use crate::ast::{
    CCode, Declarator, Initializer, Item, MtypeDecl, Proctype, TypeKind, TypeName, VarDecl, Visibility,
};

impl Printer {
    /// A declaration at the top level, ending with a line end.
    pub(super) fn item(&mut self, item: &Item) {
        match item {
            Item::Vars(decl) => {
                self.var_decl(decl);
                self.text(";");
            }
            Item::Mtype(decl) => {
                self.mtype_list(decl);
                self.text(";");
            }
            Item::Typedef(typedef) => {
                self.text("typedef ");
                self.text(&typedef.name.text);
                self.text(" {");
                self.indent += 1;
                for field in &typedef.fields {
                    self.line();
                    self.var_decl(field);
                    self.text(";");
                }
                self.indent -= 1;
                self.line();
                self.text("}");
            }
            Item::Proctype(proctype) => self.proctype(proctype),
            Item::Init(init) => {
                self.text("init");
                self.clauses(&init.priority, &init.provided);
                self.text(" ");
                self.block(&init.body);
            }
            Item::Never(never) => {
                self.text("never ");
                if let Some(name) = &never.name {
                    self.text(&name.text);
                    self.text(" ");
                }
                self.block(&never.body);
            }
            Item::Trace(trace) => {
                self.text(if trace.negated { "notrace " } else { "trace " });
                self.block(&trace.body);
            }
            Item::Ltl(ltl) => {
                self.text("ltl ");
                if let Some(name) = &ltl.name {
                    self.text(&name.text);
                    self.text(" ");
                }
                self.text("{ ");
                self.formula(&ltl.formula);
                self.text(" }");
            }
            Item::Inline(_) => return,
            Item::Code(code) => {
                self.c_code(if code.decl { "c_decl" } else { "c_code" }, code);
            }
            Item::State(state) => {
                self.text(if state.track { "c_track" } else { "c_state" });
                for string in
                    [Some(&state.object), Some(&state.scope), state.extra.as_ref()].into_iter().flatten()
                {
                    self.text(" \"");
                    self.text(string);
                    self.text("\"");
                }
            }
        }
        self.line();
    }

    fn proctype(&mut self, proctype: &Proctype) {
        if let Some(active) = &proctype.active {
            self.text("active ");
            if let Some(count) = &active.count {
                self.text("[");
                self.expr(count);
                self.text("] ");
            }
        }
        self.text(if proctype.deterministic { "D_proctype " } else { "proctype " });
        self.text(&proctype.name.text);
        self.text("(");
        self.list(&proctype.params, "; ", |printer, param| printer.var_decl(param));
        self.text(")");
        self.clauses(&proctype.priority, &proctype.provided);
        self.text(" ");
        self.block(&proctype.body);
    }

    fn clauses(&mut self, priority: &Option<crate::ast::Expr>, provided: &Option<crate::ast::Expr>) {
        if let Some(priority) = priority {
            self.text(" priority ");
            self.operand(priority);
        }
        if let Some(provided) = provided {
            self.text(" provided (");
            self.expr(provided);
            self.text(")");
        }
    }

    /// `c_code [pre] { text }`.
    pub(super) fn c_code(&mut self, word: &str, code: &CCode) {
        self.text(word);
        if let Some(condition) = &code.precondition {
            self.text(" [");
            self.text(condition);
            self.text("]");
        }
        self.text(" { ");
        self.text(&code.text);
        self.text(" }");
    }

    fn visibility(&mut self, visibility: Visibility) {
        self.text(match visibility {
            Visibility::None => "",
            Visibility::Hidden => "hidden ",
            Visibility::Show => "show ",
            Visibility::Local => "local ",
        });
    }

    /// `mtype:sub = { A, B }`.
    pub(super) fn mtype_list(&mut self, decl: &MtypeDecl) {
        self.visibility(decl.visibility);
        self.text("mtype");
        if let Some(subtype) = &decl.subtype {
            self.text(":");
            self.text(&subtype.text);
        }
        self.text(" = { ");
        self.list(&decl.names, ", ", |printer, name| printer.text(&name.text));
        self.text(" }");
    }

    /// `hidden byte a, b = 3`.
    pub(super) fn var_decl(&mut self, decl: &VarDecl) {
        self.visibility(decl.visibility);
        self.type_name(&decl.ty);
        self.text(" ");
        self.list(&decl.declarators, ", ", Printer::declarator);
    }

    fn type_name(&mut self, ty: &TypeName) {
        match &ty.kind {
            TypeKind::Bit => self.text("bit"),
            TypeKind::Bool => self.text("bool"),
            TypeKind::Byte => self.text("byte"),
            TypeKind::Pid => self.text("pid"),
            TypeKind::Short => self.text("short"),
            TypeKind::Int | TypeKind::Refused => self.text("int"),
            TypeKind::Unsigned => self.text("unsigned"),
            TypeKind::Chan => self.text("chan"),
            TypeKind::Mtype(None) => self.text("mtype"),
            TypeKind::Mtype(Some(subtype)) => {
                self.text("mtype:");
                self.text(&subtype.text);
            }
            TypeKind::Named(name) => self.text(&name.text),
        }
    }

    fn declarator(&mut self, declarator: &Declarator) {
        self.text(&declarator.name.text);
        if let Some(width) = &declarator.width {
            self.text(" : ");
            self.expr(width);
        }
        if let Some(count) = &declarator.array {
            self.text("[");
            self.expr(count);
            self.text("]");
        }
        match &declarator.init {
            None => {}
            Some(Initializer::Expr(value)) => {
                self.text(" = ");
                self.expr(value);
            }
            Some(Initializer::List(values, _)) => {
                self.text(" = { ");
                self.list(values, ", ", Printer::expr);
                self.text(" }");
            }
            Some(Initializer::Chan(chan)) => {
                self.text(" = [");
                self.expr(&chan.capacity);
                self.text("] of { ");
                self.list(&chan.fields, ", ", Printer::type_name);
                self.text(" }");
            }
        }
    }
}
