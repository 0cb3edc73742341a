//! BTOR2: the terms of a system, one on each line.

use std::fmt::Write;

use rustc_hash::FxHashMap;

use super::bad_name;
use crate::system::System;
use crate::term::{BinaryOp, Term, TermId, mask};

/// A file under construction.
#[derive(Default)]
struct Writer {
    text: String,
    last: u32,
    sorts: FxHashMap<u8, u32>,
    lines: FxHashMap<TermId, u32>,
}

impl Writer {
    fn line(&mut self, line: impl std::fmt::Display) -> u32 {
        self.last += 1;
        let _ = writeln!(self.text, "{} {line}", self.last);
        self.last
    }

    fn sort(&mut self, width: u8) -> u32 {
        if let Some(known) = self.sorts.get(&width) {
            return *known;
        }
        let line = self.line(format_args!("sort bitvec {width}"));
        self.sorts.insert(width, line);
        line
    }

    /// The line of a term whose operands have lines.
    fn term(&mut self, system: &System, id: TermId) {
        if self.lines.contains_key(&id) {
            return;
        }
        let terms = &system.terms;
        let width = terms.width(id);
        let sort = self.sort(width);
        let of = |term: TermId| self.lines[&term];
        let line = match terms.get(id) {
            Term::Const(value) => format!("const {sort} {value:0width$b}", width = usize::from(width)),
            Term::Variable(_) => unreachable!("variables are states and inputs, written first"),
            Term::Not(a) => format!("not {sort} {}", of(a)),
            Term::Neg(a) => format!("neg {sort} {}", of(a)),
            Term::If(condition, a, b) => format!("ite {sort} {} {} {}", of(condition), of(a), of(b)),
            Term::Extract(low, a) => format!("slice {sort} {} {} {low}", of(a), low + width - 1),
            Term::ZeroExtend(a) => format!("uext {sort} {} {}", of(a), width - terms.width(a)),
            Term::SignExtend(a) => format!("sext {sort} {} {}", of(a), width - terms.width(a)),
            Term::Binary(op, a, b) => format!("{} {sort} {} {}", operator(op), of(a), of(b)),
        };
        let line = self.line(line);
        self.lines.insert(id, line);
    }
}

fn operator(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::And => "and",
        BinaryOp::Or => "or",
        BinaryOp::Xor => "xor",
        BinaryOp::Add => "add",
        BinaryOp::Mul => "mul",
        BinaryOp::UDiv => "udiv",
        BinaryOp::URem => "urem",
        BinaryOp::SDiv => "sdiv",
        BinaryOp::SRem => "srem",
        BinaryOp::Shl => "sll",
        BinaryOp::LShr => "srl",
        BinaryOp::AShr => "sra",
        BinaryOp::Eq => "eq",
        BinaryOp::ULt => "ult",
        BinaryOp::SLt => "slt",
        BinaryOp::Concat => "concat",
    }
}

/// A system in BTOR2.
#[must_use]
pub fn btor2(system: &System) -> String {
    let mut writer = Writer::default();
    for state in &system.states {
        let sort = writer.sort(state.ty.bits);
        let value = state.initial as u128 & mask(state.ty.bits);
        let value = format!("const {sort} {value:0width$b}", width = usize::from(state.ty.bits));
        let value = writer.line(value);
        let own = writer.line(format_args!("state {sort} {}", state.name));
        writer.line(format_args!("init {sort} {own} {value}"));
        writer.lines.insert(state.variable, own);
    }
    for input in &system.inputs {
        let sort = writer.sort(system.terms.width(input.variable));
        let own = writer.line(format_args!("input {sort} {}", input.name));
        writer.lines.insert(input.variable, own);
    }
    let roots = system.states.iter().map(|state| state.next);
    let roots = roots.chain(system.bads.iter().map(|bad| bad.condition));
    let justice = system.justice.iter().flat_map(|justice| &justice.signals);
    let roots = roots.chain(justice.chain(&system.fairness).copied());
    for id in system.terms.cone(roots) {
        writer.term(system, id);
    }
    for state in &system.states {
        let sort = writer.sort(state.ty.bits);
        let (own, next) = (writer.lines[&state.variable], writer.lines[&state.next]);
        writer.line(format_args!("next {sort} {own} {next}"));
    }
    for bad in &system.bads {
        let condition = writer.lines[&bad.condition];
        writer.line(format_args!("bad {condition} {}", bad_name(system, bad.cause)));
    }
    for justice in &system.justice {
        let lines: Vec<String> =
            justice.signals.iter().map(|signal| writer.lines[signal].to_string()).collect();
        let name = &system.claims[justice.claim as usize];
        writer.line(format_args!("justice {} {} {name}", lines.len(), lines.join(" ")));
    }
    for fairness in &system.fairness {
        let line = writer.lines[fairness];
        writer.line(format_args!("fair {line}"));
    }
    writer.text
}
