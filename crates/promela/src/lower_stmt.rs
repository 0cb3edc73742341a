//! Statements into the [`Flow`] of a process.
//!
//! Idea: a statement is first *prepared* (its inner sequences are built) and then *added*, in the
//! order in which Spin's parser does both, so that the elements come out in Spin's order. Each
//! simple statement becomes an [`Action`]; the flow carries its number.
//!
//! *Entry point:* [`Lower::process_body`].
//!
//! *Source:* measured on Spin 6.5.2; "a declaration is a statement behind the first statement",
//! `for` and `select` as they unfold there.
//! *Invariant:* every flow that is opened is closed.

use axle_model::{BinOp, Effect, Expr, ProcId};
use axle_source::{Diagnostic, Loc};

use crate::ast::{self, Block, Choice, Initializer, Stmt, StmtKind};
use crate::flow::{Dest, Flow, Node, ScopeId, SeqId, StepKind};
use crate::fold;
use crate::lower_body::{Action, ReadBody};
use crate::lower_decl::Owner;
use crate::lower_pass::Lower;
use crate::resolve::Home;

type Labels = Vec<(String, ScopeId, Loc)>;

/// A statement whose inner sequences are built.
enum Prepared {
    Nothing,
    Simple(Node),
    Choice(Vec<SeqId>, bool),
    /// A plain block can be taken apart by `unless`.
    Block(SeqId),
    Atomic(SeqId),
    DStep(SeqId),
    Labelled(String, Loc, Box<Prepared>),
}

impl<'a> Lower<'a> {
    /// Reads the statements of a process whose parameters are entered.
    pub fn process_body(&mut self, proc: ProcId, block: &'a Block) {
        self.body.flow = Flow::new();
        self.body.scope = Some(ScopeId(0));
        self.body.actions = Vec::new();
        self.body.at_start = true;
        for step in &block.steps {
            self.step(step);
        }
        let end = self.closing(block);
        let mut flow = std::mem::take(&mut self.body.flow);
        let body = flow.finish(end);
        let actions = std::mem::take(&mut self.body.actions);
        let claim = self.body.claim;
        self.body.read.push(ReadBody { proc, flow, body, actions, claim });
        self.body.proc = None;
        self.names.scopes.clear();
    }

    fn closing(&self, block: &Block) -> Loc {
        let loc: Loc = block.loc.into();
        let mut span = loc.span;
        span.start = span.end.saturating_sub(1).max(span.start);
        Loc { span, ..loc }
    }

    fn flow(&mut self) -> &mut Flow {
        &mut self.body.flow
    }

    fn scope(&self) -> ScopeId {
        self.body.scope.unwrap_or(ScopeId(0))
    }

    fn step(&mut self, step: &'a ast::Step) {
        match step {
            ast::Step::Vars(decl) => self.local_vars(decl),
            ast::Step::Mtype(decl) => {
                self.error("E0328", decl.loc, "an `mtype` declaration of names must be global");
                self.mtype(decl);
            }
            ast::Step::Exclusive(exclusive) => {
                for channel in &exclusive.channels {
                    self.exclusive(channel, exclusive.send);
                }
            }
            ast::Step::Stmt(stmt) => {
                let prepared = self.prepare(stmt);
                self.add(prepared, stmt.loc.into(), Vec::new());
                self.body.at_start = false;
            }
            ast::Step::Unless(unless) => self.unless(unless),
        }
    }

    /// `xr` and `xs` are promises for reduction; only that they name channels is checked here.
    fn exclusive(&mut self, channel: &ast::VarRef, send: bool) {
        let word = if send { "xs" } else { "xr" };
        let Some(target) = self.target(channel) else { return };
        let mut ty = &target.ty;
        while let axle_model::Type::Array(elem, _) = ty {
            ty = elem;
        }
        if let axle_model::Type::Int(..) = ty {
            let text = format!("`{word}` names `{}`, which is not a channel", channel.base().text);
            self.error("E0326", channel.loc, text);
        }
    }

    fn local_vars(&mut self, decl: &'a ast::VarDecl) {
        let Some(proc) = self.body.proc else { return };
        if self.body.claim
            && let Some(first) = decl.declarators.first()
        {
            let fault = Diagnostic::error("E0433", "a claim or event trace has no variables of its own")
                .at(first.name.loc.into(), "")
                .help("declare it at the top level");
            self.report(fault);
        }
        for declarator in &decl.declarators {
            let Some(ty) = self.type_of(&decl.ty, declarator).filter(|ty| self.fits(ty, declarator)) else {
                self.refuse_local(proc, declarator);
                continue;
            };
            let name = &declarator.name;
            let access = crate::lower_decl::access(decl.visibility);
            let local = self.new_local(proc, &name.text, &ty, access, name.loc.into());
            let var = self.new_var(declarator, &ty, Home::Local(local));
            let place = axle_model::Place::local(local);
            if self.body.at_start {
                let effects = self.initial(place, &ty, declarator, Owner::Process(proc), Some(var));
                self.process_mut(proc).prologue.extend(effects);
                self.enter_local(proc, declarator, var);
                continue;
            }
            self.late_declaration(&place, &ty, declarator);
            self.enter_local(proc, declarator, var);
        }
    }

    /// Behind the first statement a declaration is a step: it assigns the initial value, or 0. As
    /// in Spin, only element 0 of an array is reset, and nothing of a record.
    fn late_declaration(
        &mut self,
        place: &axle_model::Place,
        ty: &axle_model::Type,
        declarator: &'a ast::Declarator,
    ) {
        let loc: Loc = declarator.loc.into();
        let mut value = Expr::Const(0);
        match &declarator.init {
            None => {}
            // Neither does Spin's verifier compile.
            Some(Initializer::Expr(e)) if crate::lower_decl::holds_records(ty) => {
                let text = format!(
                    "record `{}` cannot be initialised behind the first statement",
                    declarator.name.text
                );
                let fault = Diagnostic::error("E0329", text)
                    .at(e.loc.into(), "")
                    .help("assign to its fields in statements of their own");
                self.report(fault);
            }
            Some(Initializer::Expr(e)) => {
                value = self.condition(e);
                self.check_assigned(ty.clone(), &declarator.name.text, e, &value);
            }
            Some(Initializer::List(_, at)) => {
                let fault = Diagnostic::error("E0329", "a list cannot stand behind the first statement")
                    .at((*at).into(), "")
                    .help("move the declaration to the start of the proctype");
                self.report(fault);
            }
            Some(Initializer::Chan(chan)) => {
                let fault = Diagnostic::error("E0329", "a channel cannot be made behind the first statement")
                    .at(chan.loc.into(), "")
                    .help("move the declaration to the start of the proctype");
                self.report(fault);
            }
        }
        let mut place = place.clone();
        let effects = match ty {
            axle_model::Type::Record(_) => Vec::new(),
            axle_model::Type::Array(elem, _) if elem.scalar().is_some() => {
                place.path.push(axle_model::Step::Index(Box::new(Expr::Const(0))));
                vec![Effect::Assign(place, value)]
            }
            axle_model::Type::Array(..) => Vec::new(),
            axle_model::Type::Int(..) | axle_model::Type::Chan => vec![Effect::Assign(place, value)],
        };
        let text = self.text(loc);
        self.simple(Action { guard: Expr::TRUE, comm: None, effects, text, loc }, StepKind::Plain);
    }

    /// Adds a simple statement.
    fn simple(&mut self, action: Action, kind: StepKind) {
        let loc = action.loc;
        let node = Node::Step(kind, self.action(action));
        self.flow().add(node, loc, &[]);
    }

    fn action(&mut self, mut action: Action) -> usize {
        // A claim changes nothing; statements that would are rejected or warned of.
        if self.body.claim {
            action.effects.retain(|effect| matches!(effect, axle_model::Effect::Assert(..)));
        }
        self.body.actions.push(action);
        self.body.actions.len() - 1
    }

    /// The statement as the user wrote it, on one line, without comments.
    pub fn text(&self, loc: impl Into<Loc>) -> String {
        crate::text::one_line(self.sources.text(self.sources.outermost(loc.into())))
    }

    fn add(&mut self, prepared: Prepared, loc: Loc, mut labels: Labels) {
        match prepared {
            Prepared::Nothing => {}
            Prepared::Labelled(name, at, inner) => {
                let scope = self.scope();
                labels.insert(0, (name, scope, at));
                self.add(*inner, loc, labels);
            }
            Prepared::Choice(options, is_do) => {
                if is_do {
                    self.body.loops -= 1;
                }
                self.flow().add_choice(options, is_do, loc, &labels);
            }
            Prepared::Simple(node) => drop(self.flow().add(node, loc, &labels)),
            Prepared::Block(seq) => drop(self.flow().add(Node::Block(seq), loc, &labels)),
            Prepared::Atomic(seq) => drop(self.flow().add(Node::Atomic(seq), loc, &labels)),
            Prepared::DStep(seq) => drop(self.flow().add(Node::DStep(seq), loc, &labels)),
        }
    }

    fn unless(&mut self, unless: &'a ast::Unless) {
        let loc: Loc = unless.loc.into();
        let main = self.prepare(&unless.main);
        self.body.at_start = false;
        let suspended = match &main {
            Prepared::Choice(_, true) => Some(self.flow().suspend_loop()),
            _ => None,
        };
        let escape = match self.prepare(&unless.escape) {
            Prepared::Block(seq) => seq,
            other => {
                self.flow().open_seq();
                self.add(other, unless.escape.loc.into(), Vec::new());
                self.close(unless.escape.loc.into(), Some("an escape of `unless`"))
            }
        };
        if let Some(number) = suspended {
            self.flow().resume_loop(number);
        }
        let main_loc: Loc = unless.main.loc.into();
        match main {
            Prepared::Block(seq) => drop(self.flow().add_unless(seq, escape, loc)),
            // The label and the block go around the whole.
            Prepared::Labelled(name, at, inner)
                if matches!(*inner, Prepared::Block(_) | Prepared::Atomic(_) | Prepared::DStep(_)) =>
            {
                let (Prepared::Block(seq) | Prepared::Atomic(seq) | Prepared::DStep(seq)) = *inner else {
                    return;
                };
                self.flow().open_seq();
                self.flow().add_unless(seq, escape, loc);
                let outer = self.flow().close_seq(loc);
                let outer = match *inner {
                    Prepared::Atomic(_) => Prepared::Atomic(outer),
                    Prepared::DStep(_) => Prepared::DStep(outer),
                    _ => Prepared::Block(outer),
                };
                self.add(Prepared::Labelled(name, at, Box::new(outer)), loc, Vec::new());
            }
            other => {
                self.flow().open_seq();
                self.add(other, main_loc, Vec::new());
                let seq = self.close(main_loc, Some("a statement with `unless`"));
                self.flow().add_unless(seq, escape, loc);
            }
        }
    }

    /// Closes a sequence; where it must not begin with a label, that is checked.
    fn close(&mut self, loc: Loc, no_label: Option<&str>) -> SeqId {
        let seq = self.flow().close_seq(loc);
        let first = self.flow().first(seq);
        if let Some(what) = no_label
            && self.flow().is_labelled(first)
            && let Some(label) = self.flow().labels.iter().find(|l| l.el == first).cloned()
        {
            let fault = Diagnostic::error("E0421", format!("{what} cannot begin with a label"))
                .at(label.loc, "")
                .help(format!("put the label before: `{}: ... {{ ... }}`", label.name));
            self.report(fault);
        }
        seq
    }

    /// Enters a block: a scope for names and labels, and an open sequence.
    fn enter(&mut self) -> Option<ScopeId> {
        let outer = self.body.scope;
        let parent = self.scope();
        let inner = self.flow().new_scope(parent);
        self.body.scope = Some(inner);
        self.names.scopes.push(Default::default());
        self.flow().open_seq();
        self.body.at_start = false;
        outer
    }

    fn leave(&mut self, outer: Option<ScopeId>) {
        self.names.scopes.pop();
        self.body.scope = outer;
    }

    fn block(&mut self, block: &'a Block, what: &str) -> SeqId {
        let outer = self.enter();
        for step in &block.steps {
            self.step(step);
        }
        let seq = self.close(block.loc.into(), Some(what));
        self.leave(outer);
        seq
    }

    fn options(&mut self, choices: &'a [Choice]) -> Vec<SeqId> {
        let mut options = Vec::new();
        for choice in choices {
            self.flow().open_seq();
            self.body.at_start = false;
            for step in &choice.steps {
                self.step(step);
            }
            let seq = self.flow().close_seq(choice.loc.into());
            if !self.body.claim {
                self.flow().prune_option(seq);
            }
            options.push(seq);
        }
        options
    }

    fn prepare(&mut self, stmt: &'a Stmt) -> Prepared {
        let loc: Loc = stmt.loc.into();
        if self.body.trace {
            self.check_event(stmt);
        }
        match &stmt.kind {
            StmtKind::Error => Prepared::Nothing,
            StmtKind::Block(block) => Prepared::Block(self.block(block, "a block")),
            StmtKind::Atomic(block) => {
                let seq = self.block(block, "an `atomic`");
                self.flow().make_atomic(seq, false);
                Prepared::Atomic(seq)
            }
            StmtKind::DStep(block) => self.dstep(block),
            StmtKind::If(choices) => Prepared::Choice(self.options(choices), false),
            StmtKind::Do(choices) => {
                self.push_loop();
                Prepared::Choice(self.options(choices), true)
            }
            StmtKind::Labelled(name, inner) => {
                self.check_label(name);
                let inner = self.prepare(inner);
                Prepared::Labelled(name.text.clone(), name.loc.into(), Box::new(inner))
            }
            StmtKind::Label(name) => {
                self.check_label(name);
                let text = "skip".to_owned();
                let action = Action { guard: Expr::TRUE, comm: None, effects: Vec::new(), text, loc };
                let skip = Prepared::Simple(Node::Step(StepKind::Skip, self.action(action)));
                Prepared::Labelled(name.text.clone(), name.loc.into(), Box::new(skip))
            }
            StmtKind::Goto(name) => {
                self.check_label(name);
                let dest = Dest::Label(name.text.clone(), self.scope());
                self.jump(dest, loc)
            }
            StmtKind::Break => {
                let inside = self.body.loops;
                match self.flow().break_dest() {
                    Some(_) if self.body.in_dstep && inside <= self.body.loops_outside => {
                        let fault =
                            Diagnostic::error("E0422", "`break` leads out of the `d_step`").at(loc, "");
                        self.report(fault);
                        Prepared::Nothing
                    }
                    Some(dest) => self.jump(dest, loc),
                    None => {
                        self.error("E0423", loc, "`break` outside of any loop");
                        Prepared::Nothing
                    }
                }
            }
            StmtKind::For(each) => self.for_loop(each, loc),
            StmtKind::Select(select) => self.select(select, loc),
            StmtKind::Code(code) => {
                self.embedded_c(if code.decl { "c_decl" } else { "c_code" }, code.loc);
                Prepared::Nothing
            }
            _ => match self.simple_statement(stmt) {
                Some((kind, action)) => Prepared::Simple(Node::Step(kind, self.action(action))),
                None => Prepared::Nothing,
            },
        }
    }

    fn push_loop(&mut self) {
        self.flow().push_loop();
        self.body.loops += 1;
    }

    fn jump(&mut self, dest: Dest, loc: Loc) -> Prepared {
        let text = self.text(loc);
        let action = Action { guard: Expr::TRUE, comm: None, effects: Vec::new(), text, loc };
        Prepared::Simple(Node::Goto(dest, self.action(action)))
    }

    fn dstep(&mut self, block: &'a Block) -> Prepared {
        let before = self.flow().enter_dstep();
        let (was, loops) = (self.body.in_dstep, self.body.loops_outside);
        self.body.in_dstep = true;
        if !was {
            self.body.loops_outside = self.body.loops;
        }
        let seq = self.block(block, "a `d_step`");
        self.flow().make_atomic(seq, true);
        self.flow().leave_dstep(before);
        (self.body.in_dstep, self.body.loops_outside) = (was, loops);
        Prepared::DStep(seq)
    }

    /// A label may not be spelt like a variable that is visible.
    fn check_label(&mut self, name: &ast::Name) {
        if let crate::resolve::Meaning::Var(id) = self.names.lookup(&name.text) {
            let fault =
                Diagnostic::error("E0424", format!("`{}` is a variable, and cannot name a label", name.text))
                    .at(name.loc.into(), "")
                    .also(self.names.var(id).loc, "declared here");
            self.report(fault);
        }
    }

    /// `for`: the first value, then a `do` with the body in one option and `else -> break` in the
    /// other.
    fn for_loop(&mut self, each: &'a ast::For, loc: Loc) -> Prepared {
        self.push_loop();
        let header = self.for_header(each, loc);
        let outer = self.enter();
        let Some(header) = header else {
            for step in &each.body.steps {
                self.step(step);
            }
            let body = self.flow().close_seq(loc);
            self.leave(outer);
            return Prepared::Choice(vec![body], true);
        };
        for action in header.before_body {
            self.simple(action, StepKind::Plain);
        }
        for step in &each.body.steps {
            self.step(step);
        }
        self.simple(header.increment, StepKind::Plain);
        let body = self.flow().close_seq(loc);
        self.leave(outer);
        self.flow().open_seq();
        let text = "else".to_owned();
        let action = Action { guard: Expr::TRUE, comm: None, effects: Vec::new(), text, loc };
        self.simple(action, StepKind::Else);
        self.add_break(loc);
        let leave = self.flow().close_seq(loc);
        Prepared::Choice(vec![leave, body], true)
    }

    /// Adds a jump out of the innermost loop.
    pub fn add_break(&mut self, loc: Loc) {
        if let Some(dest) = self.flow().break_dest() {
            let text = "break".to_owned();
            let action = Action { guard: Expr::TRUE, comm: None, effects: Vec::new(), text, loc };
            let node = Node::Goto(dest, self.action(action));
            self.flow().add(node, loc, &[]);
        }
    }

    /// Adds a simple statement that another unfolds into.
    pub fn add_action(&mut self, action: Action) {
        self.simple(action, StepKind::Plain);
    }

    /// `select`: a choice of assignments where both bounds are written as small numbers, else a
    /// loop that counts up and may stop anywhere.
    fn select(&mut self, select: &'a ast::Select, loc: Loc) -> Prepared {
        let Some(var) = self.counter(&select.var) else { return Prepared::Nothing };
        let from = self.condition(&select.from);
        let to = self.condition(&select.to);
        let place = var.place;
        let title = self.text(select.var.loc);
        let assign = |value: Expr, text: String| Action {
            guard: Expr::TRUE,
            comm: None,
            effects: vec![Effect::Assign(place.clone(), value)],
            text,
            loc,
        };
        if let (true, Expr::Const(from), Expr::Const(to)) = (select.literal, &from, &to)
            && (0..=32).contains(&(to - from))
        {
            let mut options = Vec::new();
            for value in *from..=*to {
                self.flow().open_seq();
                self.simple(assign(Expr::Const(value), format!("{title} = {value}")), StepKind::Plain);
                options.push(self.flow().close_seq(loc));
            }
            return Prepared::Choice(options, false);
        }
        let first = format!("{title} = {}", self.text(select.from.loc));
        self.simple(assign(from, first), StepKind::Plain);
        self.flow().open_seq();
        let value = Expr::Load(place.clone());
        let guard = fold::binary(BinOp::Lt, value.clone(), to);
        let text = format!("{title} < {}", self.text(select.to.loc));
        self.simple(Action { guard, comm: None, effects: Vec::new(), text, loc }, StepKind::Plain);
        self.push_loop();
        let more = fold::binary(BinOp::Add, value, Expr::Const(1));
        self.simple(assign(more, format!("{title}++")), StepKind::Plain);
        let body = self.flow().close_seq(loc);
        self.flow().open_seq();
        self.add_break(loc);
        let leave = self.flow().close_seq(loc);
        Prepared::Choice(vec![leave, body], true)
    }
}
