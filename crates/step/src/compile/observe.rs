//! Generated code for atoms: one function from a state to one bit per atom. It has a module of its
//! own, because claims change while the model's code remains.
//!
//! *Entry point:* [`Watcher`].
//!
//! *Invariant:* the code bails out of a state in every case in which the interpreter would report a
//! fault.

use axle_model::{Model, ProcId};
use cranelift_codegen::ir::InstBuilder;

use super::emit::{Emit, Me, STATE, Val};
use super::runtime::{self, Ctx, Tables, bail};
use super::unit::{self, Unsupported, WatchCode};
use crate::atom::Atom;
use crate::layout::Layout;
use crate::options::Options;

/// Compiled atoms.
#[derive(Debug)]
pub(crate) struct Watcher {
    code: WatchCode,
    tables: Tables,
    /// The atoms that are not compiled.
    left: Vec<usize>,
}

impl Watcher {
    /// Compiles the atoms that are given.
    pub fn new(
        model: &Model,
        layout: &Layout,
        constants: &[u8],
        options: Options,
        atoms: &[Option<&Atom>],
    ) -> Result<Watcher, Unsupported> {
        let code = unit::compile_watch(model, layout, constants.into(), options, atoms)?;
        let left = (0..atoms.len()).filter(|&atom| atoms[atom].is_none()).collect();
        Ok(Watcher { code, tables: tables(model, layout), left })
    }

    /// Adopts a widened layout.
    pub fn grow(&mut self, model: &Model, layout: &Layout) {
        self.tables = tables(model, layout);
    }

    /// The atoms that are not compiled.
    pub fn left(&self) -> &[usize] {
        &self.left
    }

    /// Sets the bits of the atoms that hold in `state`; returns false if the interpreter is
    /// required.
    pub fn watch(&self, state: &[u8], bits: &mut [u64]) -> bool {
        assert_eq!(state.len(), self.tables.layout.width(), "a whole state");
        let mut ctx = Ctx::new(state.len());
        ctx.aim(&self.tables);
        // SAFETY: the function was generated for this model and writes as many words as the atoms
        // have; the state is a whole one of the layout in `tables`.
        unsafe { (self.code.watch)(&mut ctx, state.as_ptr(), bits.as_mut_ptr()) };
        ctx.bail == bail::NONE
    }
}

fn tables(model: &Model, layout: &Layout) -> Tables {
    let nobody = model.processes.iter().map(|_| None).collect();
    Tables::new(model, layout, &runtime::groups(layout), nobody)
}

impl Emit<'_, '_> {
    /// The body of the function that evaluates atoms: `(ctx, state, words)`.
    pub fn watch(&mut self, atoms: &[Option<&Atom>]) {
        let params = self.params();
        let (state, words) = (params[1], params[2]);
        let zero = self.iconst(0);
        self.me = Me { proc: ProcId(0), off: zero, pid: zero };
        self.view = self.view_of(state);
        self.timeout = Some(false);
        self.b.def_var(self.out, zero);
        for (word, atoms) in atoms.chunks(64).enumerate() {
            let mut bits = zero;
            for (bit, atom) in atoms.iter().enumerate() {
                let holds = match atom {
                    None => continue,
                    Some(Atom::Holds(expr)) => self.truth(expr),
                    Some(Atom::Accepting) => {
                        let address = runtime::accepting as *const () as usize;
                        Val::bit(self.call_address(address, &[self.ctx, state]))
                    }
                };
                let holds = self.value(holds);
                let shifted = self.b.ins().ishl_imm_u(holds, bit as i64);
                bits = self.b.ins().bor(bits, shifted);
            }
            self.b.ins().store(STATE, bits, words, 8 * word as i32);
        }
        self.jump(self.done);
    }
}
