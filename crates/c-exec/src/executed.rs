//! Facts that follow from the executed steps of a program alone: whether they stand for executions
//! that were not explored, and through which calls a step of the library was reached.
//!
//! *Entry point:* [`Executed`].

use std::sync::Arc;

use axle_c::Program;
use axle_c::code::{Arg, Home, Op, StaticKind};
use axle_c::library::public_name;
use axle_source::Loc;

use crate::state::settings::{Settings, Watch};

/// The steps of a program that a search has executed: for each function, one flag a step.
#[derive(Clone, Copy)]
pub(crate) struct Executed<'a> {
    pub program: &'a Program,
    pub settings: &'a Settings,
    pub taken: &'a [Vec<bool>],
}

impl<'a> Executed<'a> {
    /// Whether a search has executed a step that stands for executions that it does not explore, whatever
    /// the values at this step are: the executed steps tell.
    pub fn misses_executions(self) -> bool {
        let interrupts = |op: &Op| matches!(op, Op::Lib { lib, .. } if lib.interrupts());
        let steps = || self.program.codes.iter().zip(self.taken);
        self.missing_arguments().next().is_some()
            || steps()
                .any(|(code, taken)| code.ops.iter().zip(taken).any(|(op, taken)| *taken && interrupts(op)))
    }

    /// Where a search has depended on command-line arguments, of which it knows none: the executed uses
    /// (`arguments.rs`), and no place for a formula about a parameter of `main`.
    pub fn missing_arguments(self) -> impl Iterator<Item = Option<Loc>> + 'a {
        let program = self.program;
        let unknown = self.settings.arguments.is_none();
        let main = &program.codes[program.main as usize];
        let Watch { registers, slots, .. } = &self.settings.watch;
        let own = |list: &[(u32, u32)], number: u32| list.contains(&(program.main, number));
        let observed = main.params.iter().any(|home| match home {
            Home::Reg(reg) => own(registers, *reg),
            Home::Slot(slot, _) | Home::Record(slot, _) => own(slots, *slot),
        });
        let uses = program.argument_uses.iter().filter(|&&(code, pc)| {
            self.taken.get(code as usize).and_then(|taken| taken.get(pc as usize)) == Some(&true)
        });
        let places = uses.map(move |&(number, pc)| {
            let code = &program.codes[number as usize];
            match code.ours {
                true => self.calls_of(number).first().map(|&(_, loc, _)| loc),
                false => code.locs.get(pc as usize).copied(),
            }
        });
        places.chain(observed.then_some(None)).filter(move |_| unknown)
    }

    /// Where the program has called a function of the library that leads to this one: from which
    /// function of its own, where, and what it calls there.
    pub fn calls_of(self, of: u32) -> Vec<(u32, Loc, Arc<str>)> {
        let program = self.program;
        let (mut leading, mut found) = (vec![of], Vec::new());
        let mut next = 0;
        while let Some(&callee) = leading.get(next) {
            next += 1;
            for (number, (code, taken)) in program.codes.iter().zip(self.taken).enumerate() {
                for (pc, op) in code.ops.iter().enumerate().filter(|(pc, _)| taken.get(*pc) == Some(&true)) {
                    let Op::Call { callee: Arg::Static(object, _), .. } = *op else { continue };
                    let fixed =
                        program.statics.get((object as usize).wrapping_sub(1)).map(|fixed| &fixed.kind);
                    if fixed.and_then(StaticKind::code) != Some(callee) {
                        continue;
                    }
                    match code.ours {
                        true if !leading.contains(&(number as u32)) => leading.push(number as u32),
                        true => {}
                        false => {
                            let name = public_name(&program.codes[callee as usize].name).into();
                            found.extend(code.locs.get(pc).map(|&loc| (number as u32, loc, name)));
                        }
                    }
                }
            }
        }
        found
    }
}
