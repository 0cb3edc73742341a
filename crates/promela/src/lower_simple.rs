//! Simple statements: the condition and effect of each.
//!
//! *Entry point:* [`Lower::simple_statement`]; also the pieces that `for` and `select` unfold into.
//! *Invariant:* a statement creates processes only through [`Effect::Run`], before it uses their
//! numbers.

use axle_model::{BinOp, Effect, Expr, IntType, Pattern, Place, Query, Shown, Type};
use axle_source::{Diagnostic, Loc};

use crate::ast::{self, ExprKind, ForRange, Stmt, StmtKind, VarRef};
use crate::flow::StepKind;
use crate::fold;
use crate::lower_body::Action;
use crate::lower_expr::{FIRST, Target};
use crate::lower_pass::Lower;
use crate::resolve::{Home, Meaning};
use crate::types;

/// The remedy for an assignment to a predefined variable.
const OWN_VARIABLE: &str = "assign to a variable that the model declares";

/// The statements of an unfolded `for`, besides its body.
pub(crate) struct ForHeader {
    /// First in the body.
    pub before_body: Vec<Action>,
    /// Last in the body.
    pub increment: Action,
}

impl<'a> Lower<'a> {
    /// The effect of a simple statement; none after an error.
    pub fn simple_statement(&mut self, stmt: &'a Stmt) -> Option<(StepKind, Action)> {
        let loc: Loc = stmt.loc.into();
        let text = crate::text::one_line(&crate::print::stmt_text(self.sources, stmt));
        let mut action = Action { guard: Expr::TRUE, comm: None, effects: Vec::new(), text, loc };
        let mut kind = StepKind::Plain;
        self.body.runs.clear();
        match &stmt.kind {
            StmtKind::Expr(e) => kind = self.expression_statement(e, &mut action),
            StmtKind::Assign(var, e) => self.assignment(var, e, &mut action)?,
            StmtKind::Increment(var) => self.count_by(var, BinOp::Add, &mut action)?,
            StmtKind::Decrement(var) => self.count_by(var, BinOp::Sub, &mut action)?,
            StmtKind::Send(send) => {
                action.comm = Some(self.send(send, loc)?);
                self.refuse_in_claim(loc);
            }
            StmtKind::Receive(receive) => {
                action.comm = Some(self.receive(receive, loc)?);
                self.refuse_in_claim(loc);
            }
            StmtKind::Else => kind = StepKind::Else,
            StmtKind::Assert(e) => {
                let value = self.expr(e);
                let value = self.place_runs(value, &mut action);
                let text = crate::text::one_line(&crate::print::expr_text(self.sources, e));
                action.effects.push(Effect::Assert(value, text));
            }
            StmtKind::Printf(format, args) => {
                kind = StepKind::Print;
                let args: Vec<Expr> = args.iter().map(|a| self.condition(a)).collect();
                self.check_format(format, &args);
                action.effects.push(Effect::Print(format.text.clone(), args));
            }
            StmtKind::Printm(e) => {
                kind = StepKind::Print;
                let value = self.condition(e);
                action.effects.push(Effect::Print("%e".to_owned(), vec![value]));
            }
            StmtKind::SetPriority(pid, value) => {
                let (pid, value) = (self.condition(pid), self.condition(value));
                if let Expr::Const(v) = value
                    && !(1..=255).contains(&v)
                {
                    self.error("E0323", loc, format!("a priority is 1 to 255, not {v}"));
                }
                action.effects.push(Effect::SetPriority(pid, value));
            }
            // The others are not simple.
            _ => return None,
        }
        Some((kind, action))
    }

    fn warn_of_change(&mut self, loc: Loc) {
        if self.body.claim && !self.body.trace {
            let note =
                Diagnostic::warning("W0314", "a claim that changes a variable is not executed as such")
                    .at(loc, "")
                    .help("a claim may only watch; keep the variable in a process");
            self.report(note);
        }
    }

    fn refuse_in_claim(&mut self, loc: Loc) {
        if self.body.claim && !self.body.trace {
            self.error("E0430", loc, "a claim cannot send or receive");
        }
    }

    fn expression_statement(&mut self, e: &'a ast::Expr, action: &mut Action) -> StepKind {
        if let ExprKind::Run(_) = e.kind {
            let value = self.expr(e);
            self.place_runs(value, action);
            return StepKind::Plain;
        }
        action.guard = self.condition(e);
        let constant = match &e.kind {
            ExprKind::Number(v) => Some(*v),
            ExprKind::Char(c) => Some(i64::from(*c)),
            ExprKind::Word(word) => Some(i64::from(*word != ast::ConstWord::False)),
            ExprKind::Var(_) => self.mtype_name(e).map(|(_, v)| v),
            _ => None,
        };
        match constant {
            Some(1) => StepKind::Skip,
            Some(0) => StepKind::Never,
            _ => StepKind::Plain,
        }
    }

    /// Puts the processes that the statement creates before the uses of their numbers.
    fn place_runs(&mut self, mut value: Expr, action: &mut Action) -> Expr {
        let runs = std::mem::take(&mut self.body.runs);
        let total = runs.len() as i64;
        if total == 0 {
            return value;
        }
        for run in runs {
            let (proc, args, priority) = (run.proc, run.args, run.priority);
            action.effects.push(Effect::Run { proc, args, priority, into: None });
        }
        axle_model::rewrite::expr(&mut value, &mut |e| {
            if let Expr::Enabled(inner) = e
                && let Expr::Const(number) = **inner
                && (1..=total).contains(&number.wrapping_sub(FIRST))
            {
                let back = total - number.wrapping_sub(FIRST) + 1;
                *e = fold::binary(BinOp::Sub, Expr::ProcessCount, Expr::Const(back));
            }
        });
        value
    }

    fn assignment(&mut self, var: &'a VarRef, e: &'a ast::Expr, action: &mut Action) -> Option<()> {
        self.warn_of_change(action.loc);
        if let Some(name) = var.plain() {
            if name.text == "_" {
                let value = self.expr(e);
                self.place_runs(value, action);
                return Some(());
            }
            if name.text == "_priority" {
                let value = self.condition(e);
                action.effects.push(Effect::SetPriority(Expr::SelfPid, value));
                return Some(());
            }
            if self.read_only(&name.text, var.loc.into(), OWN_VARIABLE) {
                return None;
            }
        }
        let before = self.target(var);
        let value = self.expr(e);
        let target = self.scalar(before?)?;
        self.names.uses(target.var).written = true;
        // Spin does not look at fields that are channels: 0 unsets them.
        if target.ty != Type::Chan || var.parts.len() == 1 {
            self.check_assigned(target.ty.clone(), &var.base().text, e, &value);
        }
        if let (ExprKind::Run(_), [run]) = (&e.kind, self.body.runs.as_slice()) {
            let (proc, args, priority) = (run.proc, run.args.clone(), run.priority.clone());
            self.body.runs.clear();
            action.effects.push(Effect::Run { proc, args, priority, into: Some(target.place) });
            return Some(());
        }
        let value = self.place_runs(value, action);
        action.effects.push(Effect::Assign(target.place, value));
        Some(())
    }

    fn count_by(&mut self, var: &'a VarRef, op: BinOp, action: &mut Action) -> Option<()> {
        if let Some(name) = var.plain() {
            if name.text == "_priority" {
                let value = fold::binary(op, Expr::Priority(Box::new(Expr::SelfPid)), Expr::Const(1));
                action.effects.push(Effect::SetPriority(Expr::SelfPid, value));
                return Some(());
            }
            if self.read_only(&name.text, var.loc.into(), OWN_VARIABLE) {
                return None;
            }
        }
        let target = self.target(var)?;
        let target = self.scalar(target)?;
        if target.ty == Type::Chan {
            self.error("E0331", var.loc, "a channel cannot be counted up or down");
            return None;
        }
        let uses = self.names.uses(target.var);
        (uses.read, uses.written) = (true, true);
        let value = fold::binary(op, Expr::Load(target.place.clone()), Expr::Const(1));
        action.effects.push(Effect::Assign(target.place, value));
        Some(())
    }

    /// Reports values that may not, or should not, be stored in a variable of a type.
    pub fn check_assigned(&mut self, ty: Type, name: &str, e: &ast::Expr, value: &Expr) {
        let ty = if let Type::Array(elem, _) = ty { *elem } else { ty };
        match (&ty, value) {
            (Type::Chan, Expr::Const(_)) if self.mtype_name(e).is_none() => {
                let fault =
                    Diagnostic::error("E0331", format!("a number cannot be assigned to channel `{name}`"))
                        .at(e.loc.into(), "")
                        .help("assign another channel, or declare it: `chan c = [1] of { byte }`");
                self.report(fault);
            }
            (Type::Chan, Expr::Binary(..)) => {
                self.error("E0331", e.loc, "there is no arithmetic on channels");
            }
            (Type::Int(int, shown), Expr::Const(v)) => {
                let stored = int.wrap(*v);
                if stored != *v {
                    let ty = types::describe(&self.model, &ty);
                    let text = format!("{v} does not fit `{name}`, a `{ty}`; {stored} is stored");
                    self.report(Diagnostic::warning("W0308", text).at(e.loc.into(), ""));
                }
                if let Some((have, _)) = self.mtype_name(e) {
                    self.check_mtype_constant(shown, have, name, e);
                }
            }
            (Type::Int(_, Shown::Names(want)), _) => {
                if let Some(have) = self.set_of(e)
                    && have != *want
                {
                    let text = format!(
                        "a `{}` is stored in `{name}`, a `{}`",
                        self.set_name(have),
                        self.set_name(*want)
                    );
                    self.report(Diagnostic::warning("W0312", text).at(e.loc.into(), ""));
                }
            }
            _ => {}
        }
    }

    /// Spin refuses a name of one `mtype` in a variable of another, and nothing else.
    fn check_mtype_constant(
        &mut self,
        shown: &Shown,
        have: axle_model::NameSetId,
        name: &str,
        e: &ast::Expr,
    ) {
        if let Shown::Names(want) = shown
            && *want != have
        {
            let text = format!(
                "`{name}` is of type `{}` and gets a `{}`",
                self.set_name(*want),
                self.set_name(have)
            );
            self.error("E0315", e.loc, text);
        }
    }

    fn check_format(&mut self, format: &ast::StringLit, args: &[Expr]) {
        let mut wanted = 0;
        let mut chars = format.text.chars();
        while let Some(c) = chars.next() {
            if c == '%' && chars.next() != Some('%') {
                wanted += 1;
            }
        }
        if wanted != args.len() {
            let text =
                format!("the format takes {wanted} and gets {}", crate::text::count(args.len(), "value"));
            self.report(Diagnostic::warning("W0315", text).at(format.loc.into(), ""));
        }
    }

    /// The variable that `for` or `select` counts with.
    pub fn counter(&mut self, var: &VarRef) -> Option<Target> {
        let target = self.target(var)?;
        let whole = var.parts.len() == 1 && var.parts[0].index.is_none();
        if !whole || !matches!(target.ty, Type::Int(..)) {
            let fault = Diagnostic::error("E0330", "only a plain integer variable can count here")
                .at(var.loc.into(), "")
                .also(self.names.var(target.var).loc, "declared here");
            self.report(fault);
            return None;
        }
        self.warn_of_change(var.loc.into());
        let uses = self.names.uses(target.var);
        (uses.read, uses.written) = (true, true);
        Some(target)
    }

    /// Adds the statements before a `for`'s body, and returns those inside.
    pub fn for_header(&mut self, each: &'a ast::For, loc: Loc) -> Option<ForHeader> {
        let title = self.text(each.var.loc);
        match &each.range {
            ForRange::Values(from, to) => {
                let target = self.counter(&each.var)?;
                let first = self.condition(from);
                let last = self.condition(to);
                self.check_for_range(&target, &first, &last, loc);
                self.check_written_range(from, to, loc);
                let (from, to) = (self.text(from.loc), self.text(to.loc));
                Some(self.counting(target.place, first, last, &title, &from, &to, loc))
            }
            ForRange::In(over) => {
                let list = self.target(over)?;
                if let Type::Array(_, len) = list.ty {
                    let target = self.counter(&each.var)?;
                    let last = i64::from(len) - 1;
                    self.check_for_range(&target, &Expr::Const(0), &Expr::Const(last), loc);
                    let text = last.to_string();
                    return Some(self.counting(
                        target.place,
                        Expr::Const(0),
                        Expr::Const(last),
                        &title,
                        "0",
                        &text,
                        loc,
                    ));
                }
                if list.ty == Type::Chan {
                    return self.for_messages(each, over, loc);
                }
                let ty = types::describe(&self.model, &list.ty);
                self.error(
                    "E0330",
                    over.loc,
                    format!("`for ... in` takes an array or a channel, not a `{ty}`"),
                );
                None
            }
        }
    }

    fn check_for_range(&mut self, target: &Target, first: &Expr, last: &Expr, loc: Loc) {
        let Type::Int(int, _) = target.ty else { return };
        let Expr::Const(last) = last else { return };
        let empty = matches!(first, Expr::Const(first) if first > last);
        if !empty && int.wrap(last + 1) != last + 1 {
            let name = self.names.var(target.var).name.clone();
            let ty = types::describe(&self.model, &target.ty);
            let note = Diagnostic::warning(
                "W0302",
                format!("this loop never ends: `{name}` cannot become {}", last + 1),
            )
            .at(loc, "")
            .also(self.names.var(target.var).loc, format!("a `{ty}`"))
            .note(format!("the loop ends when `{name}` is greater than {last}"))
            .help("use a wider type");
            self.report(note);
        }
    }

    /// As in Spin, a range of two plain numbers is not empty. Ends that are computed may give an
    /// empty one: `for (i : 1 .. N - 1)` has no iteration where `N` is 1.
    fn check_written_range(&mut self, from: &ast::Expr, to: &ast::Expr, loc: Loc) {
        if let (ExprKind::Number(first), ExprKind::Number(last)) = (&from.kind, &to.kind)
            && first > last
        {
            let fault = Diagnostic::error(
                "E0332",
                format!("the first value, {first}, exceeds the last, {last}"),
            )
            .at(loc, "")
            .help("Spin refuses this too; a range that may be empty has a calculated end, as in `N - 1`");
            self.report(fault);
        }
    }

    #[allow(clippy::too_many_arguments, reason = "three values, each with its text")]
    fn counting(
        &mut self,
        place: Place,
        first: Expr,
        last: Expr,
        title: &str,
        from: &str,
        to: &str,
        loc: Loc,
    ) -> ForHeader {
        let value = Expr::Load(place.clone());
        let plain = |guard, effects, text| Action { guard, comm: None, effects, text, loc };
        let start = vec![Effect::Assign(place.clone(), first)];
        self.add_action(plain(Expr::TRUE, start, format!("{title} = {from}")));
        let guard = fold::binary(BinOp::Le, value.clone(), last);
        let more = vec![Effect::Assign(place, fold::binary(BinOp::Add, value, Expr::Const(1)))];
        ForHeader {
            before_body: vec![plain(guard, Vec::new(), format!("{title} <= {to}"))],
            increment: plain(Expr::TRUE, more, format!("{title}++")),
        }
    }

    /// `for (m in c)`: takes each message from the front and puts it back at the end.
    fn for_messages(&mut self, each: &'a ast::For, over: &'a VarRef, loc: Loc) -> Option<ForHeader> {
        let message = self.target(&each.var)?;
        let (chan, info) = self.channel(over)?;
        let scalars = self.scalars(&message);
        let shape = info.as_ref().map(|i| self.model.shapes[i.shape.index()].clone());
        let fits = shape.as_ref().is_some_and(|s| {
            s.capacity > 0
                && s.fields.len() == scalars.len()
                && s.fields.iter().zip(&scalars).all(|(a, (_, b))| a == b)
        });
        if !matches!(message.ty, Type::Record(_)) || !fits {
            let mut fault =
                Diagnostic::error("E0330", "the variable does not have the type of the channel's messages")
                    .at(each.var.loc.into(), "")
                    .help("the channel must hold a single `typedef`, and the variable must be of that type");
            if let Some(info) = &info {
                fault = fault.also(info.loc, "the channel is declared here");
            }
            self.report(fault);
            return None;
        }
        if let Meaning::Var(id) = self.names.lookup(&over.base().text) {
            let uses = self.names.uses(id);
            (uses.sent, uses.received) = (true, true);
        }
        let uses = self.names.uses(message.var);
        (uses.read, uses.written) = (true, true);
        let proc = self.body.proc?;
        let wide = shape.is_some_and(|s| s.capacity > 255);
        let ty = Type::Int(if wide { IntType::SHORT } else { IntType::BYTE }, Shown::Number);
        let counter = self.new_local(proc, "for_position", &ty, axle_model::Access::Plain, loc);
        let place = Place::local(counter);
        let name = self.text(over.loc);
        let title = self.text(each.var.loc);
        let plain = |guard, effects, text| Action { guard, comm: None, effects, text, loc };
        let start = vec![Effect::Assign(place.clone(), Expr::Const(0))];
        self.add_action(plain(Expr::TRUE, start, format!("for ({title} in {name})")));
        let value = Expr::Load(place.clone());
        let len = Expr::Query(Query::Len, Box::new(chan.clone()));
        let guard = fold::binary(BinOp::Lt, value.clone(), len);
        let patterns = scalars.iter().map(|(p, _)| Pattern::Bind(p.clone())).collect();
        let receive = axle_model::Comm::Receive { chan: chan.clone(), patterns, random: false, copy: false };
        let args = scalars.into_iter().map(|(p, _)| Expr::Load(p)).collect();
        let send = axle_model::Comm::Send { chan, args, sorted: false };
        let with =
            |comm, text| Action { guard: Expr::TRUE, comm: Some(comm), effects: Vec::new(), text, loc };
        let before_body = vec![
            plain(guard, Vec::new(), format!("{title} in {name}")),
            with(receive, format!("{name}?{title}")),
            with(send, format!("{name}!{title}")),
        ];
        let more = vec![Effect::Assign(place, fold::binary(BinOp::Add, value, Expr::Const(1)))];
        Some(ForHeader { before_body, increment: plain(Expr::TRUE, more, format!("next {title}")) })
    }

    /// Event traces consist of events.
    pub fn check_event(&mut self, stmt: &Stmt) {
        let event = !matches!(
            stmt.kind,
            StmtKind::Assign(..)
                | StmtKind::Increment(_)
                | StmtKind::Decrement(_)
                | StmtKind::Assert(_)
                | StmtKind::Printf(..)
                | StmtKind::Printm(_)
                | StmtKind::SetPriority(..)
                | StmtKind::Expr(_)
                | StmtKind::Atomic(_)
                | StmtKind::DStep(_)
                | StmtKind::For(_)
                | StmtKind::Select(_)
        );
        if !event {
            self.error("E0431", stmt.loc, "an event trace consists of sends and receives only");
        }
        if let StmtKind::Receive(r) = &stmt.kind
            && let Meaning::Var(id) = self.names.lookup(&r.chan.base().text)
            && let Home::Local(_) = self.names.var(id).home
        {
            self.error("E0431", stmt.loc, "an event trace watches global channels only");
        }
    }
}
