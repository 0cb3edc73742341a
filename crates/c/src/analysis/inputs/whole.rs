//! Whole-program facts for the input analysis: accesses by name, and call sites.
//!
//! *Entry point:* [`Whole::new`].
//! *Invariant:* a function that is not `taken` has no other call sites than those in `calls`.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::code::{Arg, Code, Op, Static, StaticKind};
use crate::library::{Operation, Role};

use super::places::{AccessKind, Meet, Object, Places};

/// Facts about the whole program.
pub struct Whole<'a> {
    pub codes: &'a [Code],
    pub statics: &'a [Static],
    pub main: u32,
    /// Functions whose address has uses other than calls.
    pub taken: FxHashSet<u32>,
    /// The call sites of each function that is called by name.
    pub calls: FxHashMap<u32, Vec<(u32, u32)>>,
    /// The accesses to variables.
    pub places: Places,
}

impl<'a> Whole<'a> {
    pub fn new(
        codes: &'a [Code],
        statics: &'a [Static],
        pointers: impl Iterator<Item = u32>,
        main: u32,
    ) -> Self {
        let pointers: Vec<u32> = pointers.collect();
        let mut whole = Whole {
            codes,
            statics,
            main,
            taken: pointers.iter().copied().collect(),
            calls: FxHashMap::default(),
            places: Places::new(codes, statics, pointers.into_iter(), main),
        };
        for (number, code) in codes.iter().enumerate() {
            for (pc, op) in code.ops.iter().enumerate() {
                // The operand that is a direct callee.
                let by_name = match op {
                    Op::Call { callee: callee @ Arg::Static(object, _), .. } => {
                        whole.calls.entry(*object).or_default().push((number as u32, pc as u32));
                        Some(*callee)
                    }
                    _ => None,
                };
                let mut first = true;
                op.operands(|arg| {
                    if let Arg::Static(object, _) = arg
                        && !(Some(arg) == by_name && std::mem::take(&mut first))
                    {
                        whole.taken.insert(object);
                    }
                });
            }
        }
        whole
    }

    /// Whether all accesses to the variable that is stored at a step access all of it.
    fn is_one(&self, object: u32, place: (u32, u32)) -> bool {
        self.places.access(place).is_some_and(|(of, store)| {
            let all = self.places.accesses(Object::Static(object));
            of == Object::Static(object) && all.iter().all(|access| store.meet(access) == Meet::Same)
        })
    }

    /// Whether a store is the only one to a variable and is executed at most once, by `main`,
    /// before the first thread is created.
    pub fn holds(&self, object: u32, place: (u32, u32)) -> bool {
        let main = self.statics.iter().position(|fixed| fixed.kind.code() == Some(self.main));
        let main_object = main.map_or(0, |index| index as u32 + 1);
        if place.0 != self.main
            || !self.is_one(object, place)
            || self
                .places
                .accesses(Object::Static(object))
                .iter()
                .any(|access| access.kind != AccessKind::Load && access.place != place)
            || self.taken.contains(&main_object)
            || self.calls.contains_key(&main_object)
            || self.codes.iter().any(|code| code.role.is_some_and(Role::runs_at_thread_end))
        {
            return false;
        }
        // The steps that may precede it.
        let ops = &self.codes[self.main as usize].ops;
        let mut before = vec![false; ops.len()];
        let mut changed = true;
        while changed {
            changed = false;
            for at in (0..ops.len()).rev() {
                let mut leads = before[at];
                if leads {
                    continue;
                }
                ops[at].successors(at as u32, |to| {
                    leads |= to == place.1 || before.get(to as usize).is_some_and(|known| *known);
                });
                if leads {
                    before[at] = true;
                    changed = true;
                }
            }
        }
        let mut seen = FxHashSet::default();
        !before[place.1 as usize]
            && !(0..ops.len()).any(|at| before[at] && self.may_create(&ops[at], &mut seen))
    }

    /// Whether a step may create a thread.
    fn may_create(&self, op: &Op, seen: &mut FxHashSet<u32>) -> bool {
        match op {
            _ if op.operation() == Operation::Create => true,
            Op::Call { callee, .. } => match (self.function(*callee), callee) {
                (Some(code), _) => {
                    seen.insert(code)
                        && self.codes[code as usize].ops.iter().any(|op| self.may_create(op, seen))
                }
                (None, Arg::Static(..)) => false,
                (None, _) => true,
            },
            _ => false,
        }
    }

    pub fn function(&self, callee: Arg) -> Option<u32> {
        let Arg::Static(object, 0) = callee else { return None };
        self.statics.get((object as usize).wrapping_sub(1))?.kind.code()
    }

    /// The contents of an argument that is a string literal.
    pub fn text(&self, arg: Arg) -> Option<&[u8]> {
        let Arg::Static(object, 0) = arg else { return None };
        match &self.statics.get((object as usize).wrapping_sub(1))?.kind {
            StaticKind::Text(text) => Some(text),
            StaticKind::Function(_) | StaticKind::Variable(_) => None,
        }
    }
}
