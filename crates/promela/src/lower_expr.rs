//! Expressions and references to variables.
//!
//! *Entry points:* [`Lower::expr`], [`Lower::target`].
//! *Invariant:* every expression computes in C's `int`; after an error the result is the constant
//! 0, and the error has been reported.

use axle_model::{Base, BinOp, Expr, IntType, NameSetId, Pattern, Place, Query, Shown, Step, Type, UnOp};
use axle_source::{Diagnostic, Loc};

use crate::ast::{self, BinaryOp, ExprKind, QueryKind, UnaryOp, VarRef};
use crate::fold;
use crate::lower_body::RunCall;
use crate::lower_pass::{LabelQuery, Lower, PendingRun};
use crate::resolve::{Global, Home, Meaning, VarId};
use crate::types;

/// A variable, field or element that a reference names.
#[derive(Clone, Debug)]
pub(crate) struct Target {
    pub place: Place,
    pub ty: Type,
    pub var: VarId,
    pub loc: Loc,
}

impl<'a> Lower<'a> {
    /// An expression where no process can be created.
    pub fn condition(&mut self, e: &ast::Expr) -> Expr {
        let runs = self.body.runs.len();
        let value = self.expr(e);
        if self.body.runs.len() > runs {
            let loc = self.body.runs[runs].loc;
            self.body.runs.truncate(runs);
            let fault = Diagnostic::error("E0317", "`run` cannot stand here")
                .at(loc, "")
                .help("make it a statement of its own, or assign its value: `x = run P()`");
            self.report(fault);
        }
        value
    }

    /// An expression. A `run` inside is put aside in [`crate::lower_body::Body::runs`]; its value
    /// is the number that the new process will have, as seen after all of them were created.
    pub fn expr(&mut self, e: &ast::Expr) -> Expr {
        match &e.kind {
            ExprKind::Number(value) => {
                if *value != IntType::I32.wrap(*value) {
                    let text = format!(
                        "{value} does not fit an `int`; it is taken as {}",
                        IntType::I32.wrap(*value)
                    );
                    self.report(Diagnostic::warning("W0308", text).at(e.loc.into(), ""));
                }
                Expr::Const(IntType::I32.wrap(*value))
            }
            ExprKind::Char(c) => Expr::Const(i64::from(*c)),
            ExprKind::Word(ast::ConstWord::True | ast::ConstWord::Skip) => Expr::Const(1),
            ExprKind::Word(ast::ConstWord::False) | ExprKind::Error => Expr::Const(0),
            ExprKind::Var(var) => self.value_of(var),
            ExprKind::Unary(op, a) => {
                let a = self.operand(a);
                fold::unary(unary_op(*op), a)
            }
            ExprKind::Binary(op, a, b) => self.binary(*op, a, b),
            ExprKind::Cond(c, a, b) => {
                let c = self.condition(c);
                let (a, b) = (self.condition(a), self.condition(b));
                fold::cond(c, a, b)
            }
            ExprKind::Run(run) => self.run(run, e.loc.into()),
            ExprKind::Query(kind, var) => {
                let query = match kind {
                    QueryKind::Len => Query::Len,
                    QueryKind::Full => Query::Full,
                    QueryKind::Empty => Query::Empty,
                    QueryKind::NFull => Query::NotFull,
                    QueryKind::NEmpty => Query::NotEmpty,
                };
                match self.channel(var) {
                    Some((chan, _)) => Expr::Query(query, Box::new(chan)),
                    None => Expr::Const(0),
                }
            }
            ExprKind::Poll(receive) => self.poll(receive),
            ExprKind::Timeout => Expr::Timeout,
            ExprKind::NonProgress => {
                if !self.body.claim && !self.names.see_all {
                    let fault = Diagnostic::error("E0324", "`np_` can only be used in a claim or a formula")
                        .at(e.loc.into(), "");
                    self.report(fault);
                }
                Expr::NonProgress
            }
            ExprKind::Enabled(pid) => Expr::Enabled(Box::new(self.condition(pid))),
            ExprKind::PcValue(pid) => Expr::Location(Box::new(self.condition(pid))),
            ExprKind::GetPriority(pid) => Expr::Priority(Box::new(self.condition(pid))),
            ExprKind::RemoteLabel { proc, pid, label } => {
                self.remote_label(proc, pid.as_deref(), label, e.loc.into())
            }
            ExprKind::RemoteVar { proc, pid, var } => {
                self.remote_var(proc, pid.as_deref(), var, e.loc.into())
            }
            ExprKind::Code(code) => {
                self.embedded_c("c_expr", code.loc);
                Expr::Const(0)
            }
        }
    }

    fn operand(&mut self, e: &ast::Expr) -> Expr {
        if let ExprKind::Var(var) = &e.kind
            && let Some(target) = self.quiet_target(var)
            && target.ty == Type::Chan
        {
            self.names.uses(target.var).passed = true;
        }
        self.expr(e)
    }

    fn binary(&mut self, op: BinaryOp, a: &ast::Expr, b: &ast::Expr) -> Expr {
        match op {
            BinaryOp::And => {
                let a = self.condition(a);
                let b = self.condition(b);
                fold::and(a, b)
            }
            BinaryOp::Or => {
                let a = self.condition(a);
                let b = self.condition(b);
                fold::or(a, b)
            }
            _ => {
                self.check_compared(a, b);
                let a = self.operand(a);
                let b = self.operand(b);
                fold::binary(binary_op(op), a, b)
            }
        }
    }

    /// Comparing names of different `mtype`s is most often a slip.
    fn check_compared(&mut self, a: &ast::Expr, b: &ast::Expr) {
        if let (Some(x), Some(y)) = (self.set_of(a), self.set_of(b))
            && x != y
        {
            let text = format!("a `{}` meets a `{}`", self.set_name(x), self.set_name(y));
            let note = Diagnostic::warning("W0312", text)
                .at(b.loc.into(), "")
                .also(a.loc.into(), "")
                .note("names of different mtypes are just numbers here");
            self.report(note);
        }
    }

    /// The set of names that an expression takes its value from, where it is a plain reference or
    /// name.
    pub fn set_of(&mut self, e: &ast::Expr) -> Option<NameSetId> {
        let ExprKind::Var(var) = &e.kind else { return None };
        if let Some(name) = var.plain()
            && let Meaning::Global(Global::Mtype(set, _)) = self.names.lookup(&name.text)
        {
            return Some(set);
        }
        match self.quiet_target(var)?.ty {
            Type::Int(_, Shown::Names(set)) => Some(set),
            _ => None,
        }
    }

    /// Whether an expression is the name of an `mtype` value.
    pub fn mtype_name(&self, e: &ast::Expr) -> Option<(NameSetId, i64)> {
        let ExprKind::Var(var) = &e.kind else { return None };
        match self.names.lookup(&var.plain()?.text) {
            Meaning::Global(Global::Mtype(set, value)) => Some((set, value)),
            _ => None,
        }
    }

    fn value_of(&mut self, var: &VarRef) -> Expr {
        if let Some(name) = var.plain() {
            match name.text.as_str() {
                "_pid" => return Expr::SelfPid,
                "_nr_pr" => return Expr::ProcessCount,
                "_last" => return Expr::LastPid,
                "_p" => return Expr::Location(Box::new(Expr::SelfPid)),
                "_priority" => return Expr::Priority(Box::new(Expr::SelfPid)),
                "_" => {
                    self.error("E0319", var.loc, "`_` can be written, never read");
                    return Expr::Const(0);
                }
                _ => {}
            }
            if let Meaning::Global(Global::Mtype(_, value)) = self.names.lookup(&name.text) {
                return Expr::Const(value);
            }
        }
        let Some(target) = self.target(var) else { return Expr::Const(0) };
        self.names.uses(target.var).read = true;
        if target.ty == Type::Chan {
            self.names.uses(target.var).passed = true;
        }
        match self.scalar(target) {
            Some(target) => Expr::Load(target.place),
            None => Expr::Const(0),
        }
    }

    /// The reference, where it is a scalar; otherwise an error is reported.
    pub fn scalar(&mut self, target: Target) -> Option<Target> {
        match &target.ty {
            Type::Int(..) | Type::Chan => Some(target),
            Type::Array(elem, len) => {
                let text =
                    format!("array of {len} `{}` without an index", types::describe(&self.model, elem));
                let name = self.names.var(target.var).name.clone();
                let fault = Diagnostic::error("E0305", text)
                    .at(target.loc, "")
                    .also(self.names.var(target.var).loc, "declared here")
                    .help(format!("write `{name}[i]` with i from 0 to {}", len - 1));
                self.report(fault);
                None
            }
            Type::Record(id) => {
                let record = &self.model.records[id.index()];
                let fields = record.fields.iter().take(20).map(|f| format!("`{}`", f.name));
                let fields: Vec<String> = fields.collect();
                let fault =
                    Diagnostic::error("E0306", format!("a whole `{}` cannot stand here", record.name))
                        .at(target.loc, "")
                        .help(format!("name one of its fields: {}", fields.join(", ")));
                self.report(fault);
                None
            }
        }
    }

    /// Like [`Lower::target`], without reports or marks.
    fn quiet_target(&mut self, var: &VarRef) -> Option<Target> {
        let Meaning::Var(id) = self.names.lookup(&var.base().text) else { return None };
        let mut ty = self.names.var(id).ty.clone();
        for (position, part) in var.parts.iter().enumerate() {
            if position > 0 {
                let Type::Record(record) = ty else { return None };
                let fields = &self.model.records[record.index()].fields;
                ty = fields.iter().find(|f| f.name == part.name.text)?.ty.clone();
            }
            if part.index.is_some()
                && let Type::Array(elem, _) = ty
            {
                ty = *elem;
            }
        }
        Some(Target { place: Place::global(axle_model::GlobalId(0)), ty, var: id, loc: var.loc.into() })
    }

    /// The object of a reference: any type, indices where they belong.
    pub fn target(&mut self, var: &VarRef) -> Option<Target> {
        let base = var.base();
        let id = match self.names.lookup(&base.text) {
            Meaning::Var(id) => id,
            Meaning::Refused => {
                self.refused_uses += 1;
                return None;
            }
            Meaning::Later(loc) => {
                let text = format!("`{}` is used before it is declared", base.text);
                self.report(
                    Diagnostic::error("E0301", text)
                        .at(base.loc.into(), "")
                        .also(loc, "declared here")
                        .help("move the declaration up"),
                );
                self.refuse_from_here(var);
                return None;
            }
            Meaning::Global(global) => {
                let what = match global {
                    Global::Mtype(..) => "an mtype name",
                    Global::Proc(_) => "a proctype",
                    Global::Type(_) => "a type",
                    Global::Inline => "an inline",
                    Global::Var(_) | Global::Refused(_) => "a variable",
                };
                let text = format!("`{}` is {what}, not a variable", base.text);
                self.error("E0304", base.loc, text);
                return None;
            }
            Meaning::Unknown => {
                let text = match base.text.as_str() {
                    "STDIN" => "`STDIN` exists in Spin's simulator only".to_owned(),
                    name => format!("`{name}` is not declared"),
                };
                let fault = Diagnostic::error("E0301", text).at(base.loc.into(), "");
                let fault = match crate::foreign::help(&base.text) {
                    Some(help) => fault.help(help),
                    None => self.suggest(fault, &base.text, |s| s.names.candidates()),
                };
                self.report(fault);
                self.refuse_from_here(var);
                return None;
            }
        };
        let declared = self.names.var(id).clone();
        let (base_place, flat) = match declared.home {
            Home::Global(global) => (Place::global(global), None),
            Home::Local(local) => (Place::local(local), None),
            Home::Flat(first) => (Place::local(first), Some(first)),
        };
        let mut target = Target { place: base_place, ty: declared.ty.clone(), var: id, loc: var.loc.into() };
        let mut offset = 0;
        for (position, part) in var.parts.iter().enumerate() {
            if position > 0 {
                let skipped = self.field(&mut target, part, flat.is_some())?;
                offset += skipped;
            }
            if let Some(index) = &part.index {
                self.index(&mut target, index, part)?;
            }
        }
        if let Some(first) = flat {
            target.place = Place::local(axle_model::LocalId(first.0 + offset));
        }
        Some(target)
    }

    /// An undeclared name is reported once in each process.
    fn refuse_from_here(&mut self, var: &VarRef) {
        let name = var.base();
        let declarator =
            ast::Declarator { name: name.clone(), width: None, array: None, init: None, loc: name.loc };
        let ty = Type::Int(IntType::I32, Shown::Number);
        let id = self.new_var(&declarator, &ty, Home::Local(axle_model::LocalId(0)));
        self.names.vars[id.0].refused = true;
        if let Some(scope) = self.names.scopes.first_mut() {
            scope.insert(name.text.clone(), id);
        }
    }

    /// Enters a field; gives how many scalars lie before it (for records that are parameters).
    fn field(&mut self, target: &mut Target, part: &ast::VarPart, flat: bool) -> Option<u32> {
        let Type::Record(id) = target.ty else {
            let text = match &target.ty {
                Type::Array(..) => format!("an index is missing before `.{}`", part.name.text),
                ty => {
                    let ty = types::describe(&self.model, ty);
                    format!("`.{}`: type `{ty}` has no fields", part.name.text)
                }
            };
            self.error("E0307", part.name.loc, text);
            return None;
        };
        let record = &self.model.records[id.index()];
        let Some(index) = record.fields.iter().position(|f| f.name == part.name.text) else {
            if self.records[id.index()].refused.contains(&part.name.text) {
                self.refused_uses += 1;
                return None;
            }
            let names: Vec<String> = record.fields.iter().map(|f| f.name.clone()).collect();
            let shown = names.iter().take(20).map(String::as_str).collect::<Vec<&str>>().join(", ");
            let fault =
                Diagnostic::error("E0307", format!("`{}` has no field `{}`", record.name, part.name.text))
                    .at(part.name.loc.into(), "")
                    .note(format!("its fields are {shown}"));
            let fault = self.suggest(fault, &part.name.text, |_| names);
            self.report(fault);
            return None;
        };
        let before =
            record.fields[..index].iter().map(|f| types::scalar_count(&self.records, &f.ty)).sum::<u64>();
        target.ty = record.fields[index].ty.clone();
        if !flat {
            target.place.path.push(Step::Field(index as u32));
        }
        Some(before as u32)
    }

    fn index(&mut self, target: &mut Target, index: &ast::Expr, part: &ast::VarPart) -> Option<()> {
        let value = self.condition(index);
        match target.ty.clone() {
            Type::Array(elem, len) => {
                if let Expr::Const(v) = value
                    && !(0..i64::from(len)).contains(&v)
                {
                    let text =
                        format!("index {v} of `{}` is out of range: it has {len} elements", part.name.text);
                    let note = Diagnostic::warning("W0309", text)
                        .at(index.loc.into(), "")
                        .also(self.names.var(target.var).loc, "declared here")
                        .note("a process that executes this is reported with a trace");
                    self.report(note);
                }
                target.place.path.push(Step::Index(Box::new(value)));
                target.ty = *elem;
                Some(())
            }
            _ if value == Expr::Const(0) => Some(()),
            _ => {
                let fault = Diagnostic::error("E0308", format!("`{}` is not an array", part.name.text))
                    .at(part.name.loc.into(), "")
                    .also(self.names.var(target.var).loc, "declared here");
                self.report(fault);
                None
            }
        }
    }

    fn run(&mut self, run: &ast::Run, loc: Loc) -> Expr {
        if self.body.in_dstep {
            let fault = Diagnostic::error("E0420", "`run` cannot stand in a `d_step`")
                .at(loc, "")
                .help("use `atomic`");
            self.report(fault);
        }
        if self.body.claim || self.body.proc.is_none() {
            self.error("E0317", loc, "`run` can only stand in a proctype or `init`");
            return Expr::Const(0);
        }
        let Some(proc) = self.named_proc(&run.proc) else {
            for arg in &run.args {
                self.condition(arg);
            }
            return Expr::Const(0);
        };
        self.procs[proc.index()].runnable = true;
        let (mut args, mut shown) = (Vec::new(), Vec::new());
        for arg in &run.args {
            let set = self.set_of(arg);
            for value in self.spread(arg) {
                args.push(value);
                shown.push((set, arg.loc.into()));
            }
        }
        let priority = run.priority.as_deref().map(|e| Expr::Const(i64::from(self.priority(Some(e)))));
        self.runs.push(PendingRun { proc, loc, args: shown });
        self.body.runs.push(RunCall { proc, args, priority, loc });
        // Which of several it is, is known when the statement is complete: see `place_runs`.
        Expr::Enabled(Box::new(Expr::Const(FIRST + self.body.runs.len() as i64)))
    }

    /// The values that an argument stands for: a record is taken apart into its scalars.
    pub fn spread(&mut self, e: &ast::Expr) -> Vec<Expr> {
        if let ExprKind::Var(var) = &e.kind
            && let Some(quiet) = self.quiet_target(var)
            && let Type::Record(_) = quiet.ty
            && let Some(target) = self.target(var)
        {
            self.names.uses(target.var).read = true;
            return self.scalars(&target).into_iter().map(|(place, _)| Expr::Load(place)).collect();
        }
        if let ExprKind::Var(var) = &e.kind
            && let Some(quiet) = self.quiet_target(var)
            && quiet.ty == Type::Chan
        {
            self.names.uses(quiet.var).passed = true;
        }
        vec![self.condition(e)]
    }

    /// The scalars of a target, in order.
    pub fn scalars(&mut self, target: &Target) -> Vec<(Place, Type)> {
        if types::scalar_count(&self.records, &target.ty) > crate::lower_decl::MOST_FIELDS {
            self.error("E0311", target.loc, "a message cannot have that many fields");
            return Vec::new();
        }
        let declared = self.names.var(target.var);
        if let Home::Flat(_) = declared.home
            && let Base::Local(first) = target.place.base
        {
            let dummy = Place::global(axle_model::GlobalId(0));
            let leaves = types::leaves(&self.model, &dummy, &target.ty);
            return (leaves.into_iter().enumerate())
                .map(|(i, (_, ty))| (Place::local(axle_model::LocalId(first.0 + i as u32)), ty))
                .collect();
        }
        types::leaves(&self.model, &target.place, &target.ty)
    }

    fn poll(&mut self, receive: &ast::Receive) -> Expr {
        let Some((chan, info)) = self.channel(&receive.chan) else { return Expr::Const(0) };
        let patterns = self.patterns(receive, info.as_ref());
        let quiet = |p: Pattern| if let Pattern::Bind(_) = p { Pattern::Any } else { p };
        let patterns = patterns.into_iter().map(quiet).collect();
        Expr::CanReceive { chan: Box::new(chan), patterns, random: receive.random }
    }

    /// The process type of a name.
    fn named_proc(&mut self, name: &ast::Name) -> Option<axle_model::ProcId> {
        match self.names.lookup(&name.text) {
            Meaning::Global(Global::Proc(id)) => Some(id),
            Meaning::Refused => None,
            _ => {
                let fault = Diagnostic::error("E0325", format!("there is no proctype `{}`", name.text))
                    .at(name.loc.into(), "");
                let fault = self.suggest(fault, &name.text, Self::proc_names);
                self.report(fault);
                None
            }
        }
    }

    /// The number that a remote reference means: as written, or that of the first process of the
    /// type.
    fn remote_pid(&mut self, proc: axle_model::ProcId, pid: Option<&ast::Expr>) -> Expr {
        if let Some(pid) = pid {
            return self.condition(pid);
        }
        // Whether more of the type can be created is known at the end of the text: see
        // `answer_labels`.
        Expr::AtLocation { proc, pid: Box::new(Expr::Const(FIRST)), locs: Vec::new() }
    }

    fn remote_label(
        &mut self,
        proc: &ast::Name,
        pid: Option<&ast::Expr>,
        label: &ast::Name,
        loc: Loc,
    ) -> Expr {
        if self.body.in_dstep {
            self.error("E0420", loc, "a reference to another process cannot stand in a `d_step`");
        }
        let Some(id) = self.named_proc(proc) else { return Expr::Const(0) };
        let pid = self.remote_pid(id, pid);
        let query = LabelQuery { proc: id, label: label.text.clone(), loc: label.loc.into() };
        self.labels_asked.push(query);
        let number = self.labels_asked.len() as u32 - 1;
        // The locations are put in when all automata are there; until then the query's number
        // stands for them.
        let at =
            Expr::AtLocation { proc: id, pid: Box::new(pid.clone()), locs: vec![axle_model::LocId(number)] };
        fold::and(exists(pid), at)
    }

    fn remote_var(&mut self, proc: &ast::Name, pid: Option<&ast::Expr>, var: &VarRef, loc: Loc) -> Expr {
        if self.body.in_dstep {
            self.error("E0420", loc, "a reference to another process cannot stand in a `d_step`");
        }
        let Some(id) = self.named_proc(proc) else { return Expr::Const(0) };
        let pid = self.remote_pid(id, pid);
        let name = &var.base().text;
        let Some(&variable) = self.procs[id.index()].locals.get(name) else {
            let fault = Diagnostic::error("E0301", format!("`{}` has no variable `{name}`", proc.text))
                .at(var.loc.into(), "");
            let names = |s: &Self| {
                let mut names: Vec<String> = s.procs[id.index()].locals.keys().cloned().collect();
                names.sort();
                names
            };
            let fault = self.suggest(fault, name, names);
            self.report(fault);
            return Expr::Const(0);
        };
        let declared = self.names.var(variable).clone();
        if declared.refused {
            self.refused_uses += 1;
            return Expr::Const(0);
        }
        self.names.uses(variable).read = true;
        let (Home::Local(local) | Home::Flat(local)) = declared.home else { return Expr::Const(0) };
        let base = Base::Remote { proc: id, pid: Box::new(pid.clone()), local };
        let place = Place { base, path: Vec::new() };
        let mut target = Target { place, ty: declared.ty.clone(), var: variable, loc };
        let flat = matches!(declared.home, Home::Flat(_));
        let mut offset = 0;
        for (position, part) in var.parts.iter().enumerate() {
            if position > 0 {
                let Some(skipped) = self.field(&mut target, part, flat) else { return Expr::Const(0) };
                offset += skipped;
            }
            if let Some(index) = &part.index
                && self.index(&mut target, index, part).is_none()
            {
                return Expr::Const(0);
            }
        }
        if let Base::Remote { local, .. } = &mut target.place.base
            && flat
        {
            local.0 += offset;
        }
        let Some(target) = self.scalar(target) else { return Expr::Const(0) };
        fold::cond(exists(pid), Expr::Load(target.place), Expr::Const(0))
    }
}

/// Stands for "the first process of the type" until it is known how to say that.
pub(crate) const FIRST: i64 = i64::MIN;

/// Whether there is a process with a number. Asking about one that is gone is no fault in Promela:
/// the answer is 0.
fn exists(pid: Expr) -> Expr {
    fold::binary(BinOp::Lt, pid, Expr::ProcessCount)
}

fn unary_op(op: UnaryOp) -> UnOp {
    match op {
        UnaryOp::Neg => UnOp::Neg,
        UnaryOp::BitNot => UnOp::BitNot,
        UnaryOp::Not => UnOp::Not,
    }
}

fn binary_op(op: BinaryOp) -> BinOp {
    match op {
        BinaryOp::Add => BinOp::Add,
        BinaryOp::Sub => BinOp::Sub,
        BinaryOp::Mul => BinOp::Mul,
        BinaryOp::Div => BinOp::Div,
        BinaryOp::Rem => BinOp::Rem,
        BinaryOp::Shl => BinOp::Shl,
        BinaryOp::Shr => BinOp::Shr,
        BinaryOp::BitAnd => BinOp::BitAnd,
        BinaryOp::BitOr => BinOp::BitOr,
        BinaryOp::BitXor => BinOp::BitXor,
        BinaryOp::Eq => BinOp::Eq,
        BinaryOp::Ne => BinOp::Ne,
        BinaryOp::Lt => BinOp::Lt,
        BinaryOp::Le => BinOp::Le,
        BinaryOp::Gt => BinOp::Gt,
        BinaryOp::Ge => BinOp::Ge,
        // Handled by the caller, which short-circuits them.
        BinaryOp::And => BinOp::BitAnd,
        BinaryOp::Or => BinOp::BitOr,
    }
}
