//! Places as scalars: a place with variable indices is a choice between scalars.
//!
//! *Entry points:* [`Builder::load`], [`Builder::store`], [`Builder::clear`].

use axle_model::{Base, GlobalId, IntType, Place, Step, Type};
use axle_outcome::FaultKind;

use crate::state::{Actor, Builder, Faults, State};
use crate::term::{FALSE, TRUE, TermId, VariableId};
use crate::variables::{offset, size, stored_type};

/// The first scalar of a variable.
#[derive(Clone, Copy, Debug)]
enum Root {
    /// A variable of the relation.
    Variable(VariableId),
    /// A global variable that no edge writes.
    Constant(GlobalId),
}

/// A scalar or the first of several.
#[derive(Clone, Copy, Debug)]
struct Cell {
    root: Root,
    offset: u32,
}

/// The cells that a place may denote, each with the condition under which it does. The conditions
/// exclude each other, and none holds after a fault.
struct Cells<'m> {
    cells: Vec<(TermId, Cell)>,
    /// Whether one of the conditions always holds.
    is_total: bool,
    ty: &'m Type,
}

impl<'m> Builder<'m> {
    /// The cells of a place, and the faults of its indices.
    fn locate(
        &mut self,
        who: &Actor,
        state: &State,
        place: &Place,
        when: TermId,
        faults: &mut Faults,
    ) -> Cells<'m> {
        let model = self.model;
        let (roots, mut ty): (Vec<(TermId, Root)>, &'m Type) = match &place.base {
            Base::Global(id) => {
                let root = self.variables.global(*id).map_or(Root::Constant(*id), Root::Variable);
                (vec![(TRUE, root)], &model.globals[id.index()].ty)
            }
            Base::Local(id) => {
                let (pid, of) = who.own.expect("only a process has locals");
                let root = Root::Variable(self.variables.local(pid, of, *id));
                (vec![(TRUE, root)], &model.process(of).locals[id.index()].ty)
            }
            Base::Remote { proc, pid, local } => {
                let number = self.eval(who, state, pid, when, faults);
                let mut roots = Vec::new();
                for (slot, of) in self.processes() {
                    if of != *proc {
                        continue;
                    }
                    let is = self.terms.is(number, slot.into());
                    let exists = self.is_process(who, state, slot, of);
                    let is = self.terms.and(is, exists);
                    if is != FALSE {
                        roots.push((is, Root::Variable(self.variables.local(slot, of, *local))));
                    }
                }
                let found = self.any(roots.iter().map(|(is, _)| *is));
                let missing = self.without(when, found);
                faults.report(FaultKind::NoProcess, missing);
                (roots, &model.process(*proc).locals[local.index()].ty)
            }
        };
        let mut is_total = roots.iter().any(|(is, _)| *is == TRUE);
        let mut cells: Vec<_> = roots.into_iter().map(|(is, root)| (is, Cell { root, offset: 0 })).collect();
        for step in &place.path {
            match (step, ty) {
                (Step::Field(index), Type::Record(id)) => {
                    let at = offset(model, ty, step);
                    cells.iter_mut().for_each(|(_, cell)| cell.offset += at);
                    ty = &model.records[id.index()].fields[*index as usize].ty;
                }
                (Step::Index(index), Type::Array(of, len)) => {
                    let reached = self.any(cells.iter().map(|(is, _)| *is));
                    let reached = self.terms.and(when, reached);
                    let value = self.eval(who, state, index, reached, faults);
                    let stride = size(model, of);
                    cells = self.elements(&cells, value, *len, stride);
                    let (low, high) = self.terms.range(value);
                    if low < 0 || high >= i64::from(*len) {
                        is_total = false;
                        let valid = self.any(cells.iter().map(|(is, _)| *is));
                        let outside = self.without(reached, valid);
                        faults.report(FaultKind::IndexOutOfRange, outside);
                    }
                    ty = of;
                }
                (Step::Field(_) | Step::Index(_), _) => {
                    unreachable!("fields are taken of records, elements of arrays")
                }
            }
        }
        Cells { cells, is_total, ty }
    }

    /// The elements that an index may denote.
    fn elements(
        &mut self,
        cells: &[(TermId, Cell)],
        value: TermId,
        len: u32,
        stride: u32,
    ) -> Vec<(TermId, Cell)> {
        let (low, high) = self.terms.range(value);
        let indices = low.max(0)..=high.min(i64::from(len) - 1);
        let mut elements = Vec::new();
        for index in indices {
            let is = self.terms.is(value, index);
            for (reached, cell) in cells {
                let is = self.terms.and(*reached, is);
                if is != FALSE {
                    elements.push((is, Cell { offset: cell.offset + index as u32 * stride, ..*cell }));
                }
            }
        }
        elements
    }

    /// The value of a scalar place; 0 after a fault.
    pub(crate) fn load(
        &mut self,
        who: &Actor,
        state: &State,
        place: &Place,
        when: TermId,
        faults: &mut Faults,
    ) -> TermId {
        let located = self.locate(who, state, place, when, faults);
        let mut cases: Vec<_> = (located.cells.into_iter())
            .map(|(is, Cell { root, offset })| {
                let value = match root {
                    Root::Variable(id) => state.get(&mut self.terms, VariableId(id.0 + offset)),
                    Root::Constant(id) => self.constants[id.index()][offset as usize],
                };
                (is, value)
            })
            .collect();
        if let Some((is, _)) = cases.last_mut()
            && located.is_total
        {
            // The others do not hold.
            *is = TRUE;
        }
        self.select(cases)
    }

    /// Stores a value in a scalar place, wrapped to its type.
    pub(crate) fn store(
        &mut self,
        who: &Actor,
        state: &mut State,
        place: &Place,
        value: TermId,
        when: TermId,
        faults: &mut Faults,
    ) {
        let located = self.locate(who, state, place, when, faults);
        let ty = stored_type(self.model, located.ty).expect("a value is stored in a scalar");
        let stored = self.any(located.cells.iter().map(|(is, _)| *is));
        let stored = self.terms.and(when, stored);
        let wrapped = self.wrapped(ty, value, stored, faults);
        for (is, cell) in located.cells {
            let is = self.terms.and(when, is);
            self.write(state, cell, wrapped, is);
        }
    }

    /// Sets every scalar under a place to 0.
    pub(crate) fn clear(
        &mut self,
        who: &Actor,
        state: &mut State,
        place: &Place,
        when: TermId,
        faults: &mut Faults,
    ) {
        let located = self.locate(who, state, place, when, faults);
        for (is, cell) in located.cells {
            let is = self.terms.and(when, is);
            for at in 0..size(self.model, located.ty) {
                self.write(state, Cell { offset: cell.offset + at, ..cell }, FALSE, is);
            }
        }
    }

    fn write(&mut self, state: &mut State, Cell { root, offset }: Cell, value: TermId, when: TermId) {
        match root {
            Root::Variable(id) => state.set(&mut self.terms, VariableId(id.0 + offset), value, when),
            // Only the prologue of the model writes it.
            Root::Constant(id) => {
                let old = self.constants[id.index()][offset as usize];
                self.constants[id.index()][offset as usize] = self.terms.choose(when, value, old);
            }
        }
    }

    /// A value wrapped to a type, with the fault of a truncation if requested.
    pub(crate) fn wrapped(
        &mut self,
        ty: IntType,
        value: TermId,
        when: TermId,
        faults: &mut Faults,
    ) -> TermId {
        let wrapped = self.terms.wrap(ty, value);
        if self.options.truncation {
            let equal = self.terms.equal(wrapped, value);
            let truncated = self.without(when, equal);
            faults.report(FaultKind::Truncation, truncated);
        }
        wrapped
    }
}
