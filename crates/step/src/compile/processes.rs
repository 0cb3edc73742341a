//! Creation, termination and priority changes of processes in generated code.

use axle_model::{Expr, Place, ProcId};
use cranelift_codegen::ir::InstBuilder;
use cranelift_codegen::ir::condcodes::IntCC;

use super::emit::{Cell, Emit, TRUSTED, Val};
use super::runtime::{self, Ctx};
use crate::layout::Data;

impl Emit<'_, '_> {
    /// Creates a process in the state in view. Bails out at any limit, including that of the
    /// layout: the interpreter decides whether it is a fault or the layout must grow.
    pub fn run(&mut self, proc: ProcId, args: &[Expr], priority: Option<&Expr>, into: Option<&Place>) {
        let unit = self.unit;
        let (layout, process) = (&unit.layout.procs[proc.index()], unit.model.process(proc));
        let count_cell = Cell::new(self.view.state, unit.layout.count);
        let count = self.load(count_cell);
        let count = self.value(count);
        let most = unit.model.semantics.max_processes;
        let room = self.is(IntCC::UnsignedLessThan, count, most.into());
        self.require(room, self.give_up);
        let slots = self.get_ctx(std::mem::offset_of!(Ctx, slot_count));
        let room = self.b.ins().icmp(IntCC::UnsignedLessThan, count, slots);
        self.require(room, self.give_up);
        if !process.channels.is_empty() {
            let number = self.iconst(proc.0.into());
            let address = runtime::channels_fit as *const () as usize;
            let fit = self.call_address(address, &[self.ctx, self.view.state, number]);
            self.require(fit, self.give_up);
        }
        let values: Vec<Val> = args.iter().map(|arg| self.eval(arg)).collect();
        let priority = match priority {
            Some(expr) => self.priority_value(expr),
            None => Val::Const(1),
        };

        let bases = self.get_ctx(std::mem::offset_of!(Ctx, slot_bases));
        let at = self.b.ins().ishl_imm_u(count, 2);
        let at = self.b.ins().iadd(bases, at);
        let off = self.b.ins().uload32(TRUSTED, at, 0);
        let slot = self.b.ins().iadd(self.view.state, off);
        if let Some(tag) = layout.tag {
            self.store(Cell::new(slot, tag), Val::Const(proc.0.into()));
        }
        self.store(Cell::new(slot, layout.pc), Val::Const(i64::from(process.entry.0) + 1));
        if let Some(field) = layout.priority {
            self.store(Cell::new(slot, field), priority);
        }
        for (data, value) in layout.locals.iter().zip(values) {
            if let Data::Scalar(field) = data {
                let int = axle_model::IntType { bits: field.bits, signed: field.signed };
                self.watch_truncation(value, int);
                self.store(Cell::new(slot, *field), value);
            }
        }
        let more = self.b.ins().iadd_imm_s(count, 1);
        self.store(count_cell, Val::Dyn { v: more, lo: 1, hi: most.into() });
        if let Some(birth) = unit.funcs[proc.index()].birth {
            self.call(birth, &[self.ctx, self.view.state, off, count]);
            self.unless_given_up();
        }
        if let Some(into) = into {
            self.store_place(into, Val::Dyn { v: count, lo: 0, hi: i64::from(most) - 1 });
        }
    }

    /// A priority, which must be from 1 to 255.
    fn priority_value(&mut self, expr: &Expr) -> Val {
        let val = self.eval(expr);
        let v = self.value(val);
        if !val.within((1, 255)) {
            let from_zero = self.b.ins().iadd_imm_s(v, -1);
            let valid = self.is(IntCC::UnsignedLessThan, from_zero, 255);
            self.require(valid, self.give_up);
        }
        Val::Dyn { v, lo: 1, hi: 255 }
    }

    /// Changes the priority of a process.
    pub fn set_priority(&mut self, pid: &Expr, value: &Expr) {
        let pid = self.eval(pid);
        let pid = self.value(pid);
        let value = self.priority_value(value);
        let value = self.value(value);
        let address = runtime::set_priority as *const () as usize;
        self.call_address(address, &[self.ctx, self.view.state, pid, value]);
    }

    /// Terminates the process: its slot becomes 0, and the number of processes decreases.
    pub fn exit(&mut self) {
        let bytes = self.unit.layout.procs[self.me.proc.index()].bytes;
        self.zero_bytes(self.view.slot, 0, bytes);
        let count = Cell::new(self.view.state, self.unit.layout.count);
        let number = self.load(count);
        let hi = number.range().1;
        let number = self.value(number);
        let less = self.b.ins().iadd_imm_s(number, -1);
        self.store(count, Val::Dyn { v: less, lo: 0, hi });
    }
}
