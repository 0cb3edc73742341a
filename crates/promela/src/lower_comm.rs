//! Sending and receiving: channels, message arguments, patterns.
//!
//! *Entry points:* [`Lower::channel`], [`Lower::send`], [`Lower::receive`].
//! *Invariant:* records are taken apart into their scalars, on both sides in the same order, so
//! that a message is a list of scalars.

use axle_model::{Comm, Expr, Pattern, Shown, Type};
use axle_source::{Diagnostic, Loc};

use crate::ast::{self, RecvArgKind, VarRef};
use crate::lower_pass::Lower;
use crate::resolve::{ChanInfo, Global, Meaning};
use crate::text::count;
use crate::types;

impl<'a> Lower<'a> {
    /// A channel, and its declaration where that is known.
    pub fn channel(&mut self, var: &VarRef) -> Option<(Expr, Option<ChanInfo>)> {
        let target = self.target(var)?;
        let target = self.scalar(target)?;
        if target.ty != Type::Chan {
            let text = format!(
                "`{}` is a `{}`, not a channel",
                var.base().text,
                types::describe(&self.model, &target.ty)
            );
            let fault = Diagnostic::error("E0326", text)
                .at(var.loc.into(), "")
                .also(self.names.var(target.var).loc, "declared here");
            self.report(fault);
            return None;
        }
        let info = self.names.var(target.var).chan.clone();
        Some((Expr::Load(target.place), info))
    }

    /// A warning where a message does not have as many fields as its channel.
    fn check_count(&mut self, given: usize, loc: Loc, info: Option<&ChanInfo>, sent: bool) {
        let Some(info) = info else { return };
        let wanted = self.model.shapes[info.shape.index()].fields.len();
        if given != wanted {
            let verb = if sent { "sent" } else { "received" };
            let text =
                format!("{} {verb}, and the channel has {}", count(given, "value"), count(wanted, "field"));
            let note = Diagnostic::warning("W0310", text)
                .at(loc, "")
                .also(info.loc, "the channel is declared here")
                .note("this is a fault when it is executed");
            self.report(note);
        }
    }

    /// A warning where a name of one `mtype` meets a field of another.
    fn check_set(&mut self, e: &ast::Expr, index: usize, info: Option<&ChanInfo>) {
        let Some(set) = self.set_of(e) else { return };
        self.check_set_at(set, e.loc.into(), index, info);
    }

    fn check_set_at(&mut self, set: axle_model::NameSetId, loc: Loc, index: usize, info: Option<&ChanInfo>) {
        let Some(info) = info else { return };
        let shape = &self.model.shapes[info.shape.index()];
        let Some(Type::Int(_, Shown::Names(want))) = shape.fields.get(index).cloned() else { return };
        if want != set {
            let text = format!("a `{}` for a field of type `{}`", self.set_name(set), self.set_name(want));
            let note =
                Diagnostic::warning("W0312", text).at(loc, "").also(info.loc, "the channel is declared here");
            self.report(note);
        }
    }

    /// A send.
    pub fn send(&mut self, send: &ast::Send, loc: Loc) -> Option<Comm> {
        let found = self.channel(&send.chan);
        let info = found.as_ref().and_then(|(_, info)| info.clone());
        if let Some(target) = self.silent_var(&send.chan) {
            self.names.uses(target).sent = true;
        }
        let mut args = Vec::new();
        for arg in &send.args {
            // An event that a trace waits for may leave a field open.
            if self.body.trace && matches!(&arg.kind, ast::ExprKind::Var(var) if var.base().text == "_") {
                args.push(axle_model::property::ANY_VALUE);
                continue;
            }
            self.check_set(arg, args.len(), info.as_ref());
            args.extend(self.spread(arg));
        }
        let (chan, info) = found?;
        self.sends.push((args.len(), loc, info.as_ref().map(|i| i.loc)));
        self.check_count(args.len(), loc, info.as_ref(), true);
        if self.body.in_dstep
            && let Some(info) = &info
            && self.model.shapes[info.shape.index()].capacity == 0
        {
            let note = Diagnostic::warning("W0313", "a rendezvous cannot be offered inside a `d_step`")
                .at(loc, "")
                .also(info.loc, "the channel is declared here")
                .help("use `atomic`");
            self.report(note);
        }
        // Values beyond the fields of a known channel are a fault of the execution that the
        // engine cannot express on a channel named directly; it is cut here, and said above.
        Some(Comm::Send { chan, args, sorted: send.sorted })
    }

    fn silent_var(&self, var: &VarRef) -> Option<crate::resolve::VarId> {
        match self.names.lookup(&var.base().text) {
            Meaning::Var(id) => Some(id),
            _ => None,
        }
    }

    /// A receive.
    pub fn receive(&mut self, receive: &ast::Receive, loc: Loc) -> Option<Comm> {
        let found = self.channel(&receive.chan);
        let info = found.as_ref().and_then(|(_, info)| info.clone());
        let patterns = self.patterns(receive, info.as_ref());
        self.check_double(receive);
        let (chan, info) = found?;
        self.check_count(patterns.len(), loc, info.as_ref(), false);
        Some(Comm::Receive { chan, patterns, random: receive.random, copy: receive.copy })
    }

    /// The action of a receive for each field.
    pub fn patterns(&mut self, receive: &ast::Receive, info: Option<&ChanInfo>) -> Vec<Pattern> {
        if let Some(target) = self.silent_var(&receive.chan) {
            self.names.uses(target).received = true;
        }
        let mut patterns = Vec::new();
        for arg in &receive.args {
            match &arg.kind {
                RecvArgKind::Any => patterns.push(Pattern::Any),
                RecvArgKind::Const(value) => patterns.push(Pattern::Match(Expr::Const(*value))),
                RecvArgKind::Eval(e) => {
                    self.check_set(e, patterns.len(), info);
                    patterns.extend(self.spread(e).into_iter().map(Pattern::Match));
                }
                RecvArgKind::Var(var) => self.variable_pattern(var, info, &mut patterns),
            }
        }
        patterns
    }

    fn variable_pattern(&mut self, var: &VarRef, info: Option<&ChanInfo>, patterns: &mut Vec<Pattern>) {
        if let Some(name) = var.plain() {
            if let Meaning::Global(Global::Mtype(set, value)) = self.names.lookup(&name.text) {
                self.check_set_at(set, var.loc.into(), patterns.len(), info);
                patterns.push(Pattern::Match(Expr::Const(value)));
                return;
            }
            let remedy = format!("`eval({})` receives only messages with its value in this field", name.text);
            if self.read_only(&name.text, var.loc.into(), remedy) {
                patterns.push(Pattern::Any);
                return;
            }
        }
        let Some(target) = self.target(var) else {
            patterns.push(Pattern::Any);
            return;
        };
        self.names.uses(target.var).written = true;
        if let Type::Array(..) = target.ty {
            self.scalar(target);
            patterns.push(Pattern::Any);
            return;
        }
        for (place, ty) in self.scalars(&target) {
            if let Type::Int(_, Shown::Names(set)) = ty {
                self.check_set_at(set, var.loc.into(), patterns.len(), info);
            }
            patterns.push(Pattern::Bind(place));
        }
    }

    /// Whether a predefined variable is about to be written, which is reported.
    pub fn read_only(&mut self, name: &str, loc: Loc, remedy: impl Into<String>) -> bool {
        let fixed = matches!(name, "_pid" | "_last" | "_nr_pr" | "_p");
        if fixed {
            let fault = Diagnostic::error("E0320", format!("`{name}` can only be read")).at(loc, "");
            self.report(fault.help(remedy));
        }
        fixed
    }

    fn check_double(&mut self, receive: &ast::Receive) {
        let mut seen: Vec<&ast::Name> = Vec::new();
        for arg in &receive.args {
            let RecvArgKind::Var(var) = &arg.kind else { continue };
            let Some(name) = var.plain() else { continue };
            let Meaning::Var(id) = self.names.lookup(&name.text) else { continue };
            if !matches!(self.names.var(id).ty, Type::Int(..) | Type::Chan) {
                continue;
            }
            if let Some(first) = seen.iter().find(|n| n.text == name.text) {
                let fault =
                    Diagnostic::error("E0327", format!("`{}` takes two fields of one message", name.text))
                        .at(name.loc.into(), "again here")
                        .also(first.loc.into(), "first here")
                        .help("use `_` for a field that does not matter");
                self.report(fault);
            }
            seen.push(name);
        }
    }
}
