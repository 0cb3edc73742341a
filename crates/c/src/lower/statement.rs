//! Lowers statements, and resolves `goto` at the end of a function.
//!
//! *Entry points:* [`Maker::block`], [`Maker::statement`].

use std::sync::Arc;

use axle_source::Loc;

use super::{Exit, Label, LocalHome, Maker, Switch};
use crate::code::{Arg, Op, Stuck};
use crate::tree::{Expr, Init, Stmt, StmtKind};
use crate::types;

impl Maker<'_, '_> {
    /// Lowers a block with this closing brace. The steps at its end belong to the brace: its last
    /// statement need not be executed.
    pub(super) fn block(&mut self, statements: &[Stmt], end: Loc) {
        let alive = self.body.alive.len();
        for statement in statements {
            self.statement(statement);
        }
        self.begin_statement(end);
        self.end_objects(alive);
    }

    /// Starts a statement, or a part of one that reports show as a separate step.
    pub(super) fn begin_statement(&mut self, loc: Loc) {
        self.body.statement = loc;
        self.body.loc = loc;
    }

    /// Runs `part` and frees its temporaries afterwards.
    pub(super) fn scratch(&mut self, part: impl FnOnce(&mut Self)) {
        let free = self.body.free;
        part(self);
        self.body.free = free;
    }

    pub(super) fn statement(&mut self, statement: &Stmt) {
        self.begin_statement(statement.loc);
        match &statement.kind {
            StmtKind::Empty => {}
            StmtKind::Expr(e) => self.scratch(|m| m.effects(e)),
            StmtKind::Declare(local, init) => self.scratch(|m| m.declare(*local, init.as_ref())),
            StmtKind::DeclareLong(local, count, size) => {
                self.scratch(|m| m.declare_long(*local, count, *size))
            }
            StmtKind::Block(statements) => self.block(statements, statement.loc.last()),
            StmtKind::If(condition, then, other) => {
                let (yes, no, end) = (self.label(), self.label(), self.label());
                self.condition(condition, yes, no);
                self.place_label(yes);
                self.scoped(then);
                if let Some(other) = other {
                    self.jump(end);
                    self.place_label(no);
                    self.scoped(other);
                } else {
                    self.place_label(no);
                }
                self.place_label(end);
            }
            StmtKind::While(condition, body) => {
                let (head, inside, end) = (self.label(), self.label(), self.label());
                self.place_label(head);
                self.condition(condition, inside, end);
                self.place_label(inside);
                self.in_loop(body, end, head);
                self.jump(head);
                self.place_label(end);
            }
            StmtKind::DoWhile(body, condition) => {
                let (head, test, end) = (self.label(), self.label(), self.label());
                self.place_label(head);
                self.in_loop(body, end, test);
                self.place_label(test);
                self.condition(condition, head, end);
                self.place_label(end);
            }
            StmtKind::For { init, cond, step, body } => {
                let alive = self.body.alive.len();
                for part in init {
                    self.statement(part);
                }
                let (head, inside, next, end) = (self.label(), self.label(), self.label(), self.label());
                self.place_label(head);
                if let Some(condition) = cond {
                    self.condition(condition, inside, end);
                }
                self.place_label(inside);
                self.in_loop(body, end, next);
                self.place_label(next);
                if let Some(step) = step {
                    self.begin_statement(step.loc);
                    self.scratch(|m| m.effects(step));
                }
                self.jump(head);
                self.place_label(end);
                self.end_objects(alive);
            }
            StmtKind::Switch(value, body) => self.switch(value, body),
            StmtKind::Case(low, high, inner) => {
                let label = self.label();
                self.place_label(label);
                let alive = self.body.alive.clone();
                if let Some(switch) = self.body.switches.last_mut() {
                    switch.cases.push((*low, *high, label, alive));
                }
                self.statement(inner);
            }
            StmtKind::Default(inner) => {
                let label = self.label();
                self.place_label(label);
                let alive = self.body.alive.clone();
                if let Some(switch) = self.body.switches.last_mut() {
                    switch.default = Some((label, alive));
                }
                self.statement(inner);
            }
            StmtKind::Label(name, inner) => {
                let label = self.named_label(name);
                self.place_label(label);
                let alive = self.body.alive.clone();
                if let Some(entry) = self.body.named.get_mut(name) {
                    entry.1 = Some(alive);
                }
                self.statement(inner);
            }
            StmtKind::Goto(name) => {
                let stub = self.label();
                self.jump(stub);
                let alive = self.body.alive.clone();
                self.body.gotos.push((stub, name.clone(), alive, statement.loc));
            }
            StmtKind::GotoAddress(address) => self.scratch(|m| m.go_to_address(address, statement.loc)),
            StmtKind::Break | StmtKind::Continue => {
                let to = match &statement.kind {
                    StmtKind::Break => self.body.exits.last().map(|exit| (exit.break_to, exit.alive)),
                    _ => self.body.exits.iter().rev().find_map(|exit| Some((exit.continue_to?, exit.alive))),
                };
                if let Some((label, alive)) = to {
                    self.leave_objects(alive);
                    self.jump(label);
                }
            }
            StmtKind::Return(value) => self.scratch(|m| m.return_value(value.as_ref())),
        }
    }

    /// A body with a scope of its own.
    fn scoped(&mut self, statement: &Stmt) {
        let alive = self.body.alive.len();
        self.statement(statement);
        self.end_objects(alive);
    }

    fn in_loop(&mut self, body: &Stmt, break_to: Label, continue_to: Label) {
        let alive = self.body.alive.len();
        self.body.exits.push(Exit { break_to, continue_to: Some(continue_to), alive });
        self.scoped(body);
        self.body.exits.pop();
    }

    fn condition(&mut self, e: &Expr, yes: Label, no: Label) {
        self.begin_statement(e.loc);
        self.scratch(|m| m.branch(e, yes, no));
    }

    fn switch(&mut self, value: &Expr, body: &Stmt) {
        self.begin_statement(value.loc);
        let end = self.label();
        let alive = self.body.alive.clone();
        let signed = self.whole.tree.types.is_signed(value.ty.ty);
        let free = self.body.free;
        let arg = self.value(value);
        let at = self.body.ops.len();
        // The cases are filled in at the end of the body.
        self.emit(Op::Switch { value: arg, signed, cases: Box::default(), default: end.0 });
        self.body.free = free;
        self.body.exits.push(Exit { break_to: end, continue_to: None, alive: alive.len() });
        self.body.switches.push(Switch { cases: Vec::new(), default: None });
        self.scoped(body);
        self.body.exits.pop();
        self.jump(end);
        let Some(switch) = self.body.switches.pop() else { return };
        let mut table = Vec::new();
        for (low, high, label, there) in switch.cases {
            let to = self.entry(label, &alive, &there);
            table.push((low, high, to.0));
        }
        let default = match switch.default {
            Some((label, there)) => self.entry(label, &alive, &there),
            None => end,
        };
        if let Op::Switch { cases, default: to, .. } = &mut self.body.ops[at] {
            *cases = table.into();
            *to = default.0;
        }
        self.place_label(end);
    }

    /// `goto *address`: a switch over the labels whose addresses are taken.
    fn go_to_address(&mut self, address: &Expr, loc: Loc) {
        let value = self.value(address);
        let nowhere = self.label();
        let tree = self.whole.tree;
        let alive = self.body.alive.clone();
        let mut table = Vec::new();
        for (name, number) in &tree.functions[self.body.function as usize].addresses {
            let stub = self.label();
            self.body.gotos.push((stub, name.clone(), alive.clone(), loc));
            table.push((*number, *number, stub.0));
        }
        self.emit(Op::Switch { value, signed: false, cases: table.into(), default: nowhere.0 });
        self.place_label(nowhere);
        self.emit(Op::Stuck(Stuck::NoLabel));
    }

    /// Code that jumps to `label` from a point with live objects `here`, where `there` are live at
    /// the label: it begins and ends the lifetimes that differ.
    fn entry(&mut self, label: Label, here: &[u32], there: &[u32]) -> Label {
        let ends: Vec<u32> = here.iter().copied().filter(|slot| !there.contains(slot)).collect();
        let begins: Vec<u32> = there.iter().copied().filter(|slot| !here.contains(slot)).collect();
        if ends.is_empty() && begins.is_empty() {
            return label;
        }
        let stub = self.label();
        self.place_label(stub);
        for slot in ends.into_iter().rev() {
            self.end(slot);
        }
        for slot in begins {
            self.emit(Op::Live { slot });
        }
        self.jump(label);
        stub
    }

    fn named_label(&mut self, name: &Arc<str>) -> Label {
        if let Some((label, _)) = self.body.named.get(name) {
            return *label;
        }
        let label = self.label();
        self.body.named.insert(name.clone(), (label, None));
        label
    }

    /// Emits the jump stubs after the last statement of the function.
    pub(super) fn resolve_gotos(&mut self) {
        for (stub, name, here, loc) in std::mem::take(&mut self.body.gotos) {
            self.begin_statement(loc);
            let label = self.named_label(&name);
            let there = self.body.named.get(&name).and_then(|(_, alive)| alive.clone()).unwrap_or_default();
            self.place_label(stub);
            let to = self.entry(label, &here, &there);
            if to == label {
                self.jump(label);
            } else {
                // The jump stub is the label itself, which is defined here.
                let at = self.body.labels[to.0 as usize];
                self.body.labels[stub.0 as usize] = at;
            }
        }
    }

    fn declare(&mut self, local: u32, init: Option<&Init>) {
        match self.body.homes[local as usize] {
            LocalHome::Reg(reg) => match init.and_then(|init| init.items.last()) {
                Some(item) => {
                    let value = self.value(&item.value);
                    self.emit(Op::Move { dst: reg, src: value });
                }
                None => self.emit(Op::Undefine { dst: reg }),
            },
            LocalHome::Slot(slot) => {
                self.begin(slot);
                if let Some(init) = init {
                    let address = self.temp();
                    self.emit(Op::SlotAddress { dst: address, slot });
                    let size = self.body.slots[slot as usize].size;
                    self.initialise(Arg::Reg(address), size, init);
                }
            }
        }
    }

    fn declare_long(&mut self, local: u32, count: &Expr, size: u64) {
        if let LocalHome::Slot(slot) = self.body.homes[local as usize] {
            let count = self.value(count);
            self.emit(Op::LiveVla { slot, count, size });
            if !self.body.alive.contains(&slot) {
                self.body.alive.push(slot);
            }
        }
    }

    fn return_value(&mut self, value: Option<&Expr>) {
        let Some(e) = value else {
            if self.body.ret == types::VOID {
                return self.leave(None);
            }
            let dst = self.temp();
            self.emit(Op::Undefine { dst });
            return self.leave(Some(Arg::Reg(dst)));
        };
        if e.ty.ty == types::VOID || self.body.ret == types::VOID {
            self.effects(e);
            return self.leave(None);
        }
        let mut value = self.value(e);
        if self.is_in_memory(e.ty.ty) {
            // Copied in a separate step, because the record may be shared.
            let temporary = self.temporary(e.ty);
            let size = self.whole.tree.types.size(e.ty.ty).unwrap_or(0);
            self.emit(Op::Copy { to: temporary, from: value, size });
            value = temporary;
        }
        self.leave(Some(value));
    }
}
