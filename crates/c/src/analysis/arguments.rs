//! Steps at which a program depends on its command-line arguments. An execution without arguments is
//! one of many, so a search that executes such a step has not covered the program.
//!
//! *Entry point:* [`argument_uses`].
//!
//! A forward taint analysis follows `argc` and `argv` through the registers of `main` and of the
//! functions to which they are passed. A *use* is a step with an operand that is computed from them,
//! unless the step copies it, computes a number, reads `argv[0]`, or prints it.
//! *Source:* D. E. Denning and P. J. Denning, "Certification of programs for secure information
//! flow", CACM 1977.
//! *Invariant:* two executions with different arguments execute the same steps, with equal values
//! except for tainted registers and the output, until one of them executes a use.

use std::collections::{BTreeMap, BTreeSet};

use crate::analysis::data_flow::{Known, forward};
use crate::analysis::inputs::shows_values;
use crate::analysis::liveness::is_live;
use crate::code::{Arg, Home, Op, StaticKind};
use crate::operators::{Binary, Unary};
use crate::program::Program;

/// The taint of a register.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum ArgumentTaint {
    /// `argc`.
    Count,
    /// A number computed from `argc`.
    Number,
    /// `argv`: the address of the first argument.
    List,
    /// `argv[0]`: the name of the program.
    Name,
    /// The address of a parameter with one of these.
    Place(u32),
    /// Different ones on different paths.
    Mixed,
}

use ArgumentTaint::{Count, List, Mixed, Name, Number, Place};

/// Constants below this bound are added to `argc` without overflow.
const SMALL: u64 = 1 << 30;

/// The taint of each parameter of a function.
type Parameters = Vec<Option<ArgumentTaint>>;

struct Uses<'p> {
    program: &'p Program,
    found: BTreeSet<(u32, u32)>,
    /// The functions that were analysed, with the taints of their parameters.
    entered: BTreeSet<(u32, Parameters)>,
    /// The program calls `main`.
    calls_main: bool,
}

/// The uses of the command-line arguments, as (function, step). See the description of the file.
#[must_use]
pub fn argument_uses(program: &Program) -> Vec<(u32, u32)> {
    let main = &program.codes[program.main as usize];
    let parameters = [Some(Count), Some(List), Some(Mixed)];
    let parameters = parameters.into_iter().take(main.params.len()).collect();
    let calls =
        |op: &Op| matches!(op, Op::Call { callee, .. } if function(program, *callee) == Some(program.main));
    let calls_main = program.codes.iter().any(|code| code.ops.iter().any(calls));
    let mut uses = Uses { program, found: BTreeSet::new(), entered: BTreeSet::new(), calls_main };
    uses.function(program.main, parameters);
    uses.found.into_iter().collect()
}

/// The taint at a join of two paths. A value that is tainted on one path counts as tainted.
fn meet(one: Option<ArgumentTaint>, other: Option<ArgumentTaint>) -> ArgumentTaint {
    match (one, other) {
        (Some(Count | Number), Some(Count | Number)) if one != other => Number,
        (Some(one), Some(other)) if one != other => Mixed,
        (one, other) => one.or(other).unwrap_or(Mixed),
    }
}

impl Uses<'_> {
    /// Finds the uses in a function with these parameters, and in those that it calls.
    fn function(&mut self, number: u32, parameters: Parameters) {
        if parameters.iter().all(Option::is_none) || !self.entered.insert((number, parameters.clone())) {
            return;
        }
        let code = &self.program.codes[number as usize];
        let (mut registers, mut slots) = (Known::new(), BTreeMap::new());
        for (home, taint) in code.params.iter().zip(&parameters) {
            match (home, taint) {
                (Home::Reg(reg), Some(taint)) => _ = registers.insert(*reg, *taint),
                (Home::Slot(slot, _), Some(taint)) => _ = slots.insert(*slot, *taint),
                _ => {}
            }
        }
        let pass = forward(
            code,
            registers,
            |pc, op, state| Ok(self.step((number, pc), op, state, &slots)),
            |one, other| Ok(meet(one, other)),
        );
        if pass.is_err() {
            // The function is too long for the analysis.
            self.found.insert((number, 0));
        }
    }

    /// The transfer function: the taint of the result.
    fn step(
        &mut self,
        (number, pc): (u32, u32),
        op: &Op,
        state: &Known<ArgumentTaint>,
        slots: &BTreeMap<u32, ArgumentTaint>,
    ) -> Option<ArgumentTaint> {
        let program = self.program;
        let code = &program.codes[number as usize];
        let what = |arg: &Arg| match arg {
            Arg::Reg(reg) => state.get(reg).copied(),
            Arg::Int(_) | Arg::Static(..) => None,
        };
        let is_number = |arg: &Arg| matches!(what(arg), None | Some(Count | Number));
        let computes = |a: &Arg, b: &Arg| {
            is_number(a)
                && is_number(b)
                && (what(a).is_some() || what(b).is_some())
                && !matches!(a, Arg::Static(..))
                && !matches!(b, Arg::Static(..))
        };
        match op {
            Op::Move { src, .. } => return what(src),
            Op::Convert { a, .. } if !matches!(what(a), Some(Place(_))) => return what(a),
            Op::Unary { op: Unary::LogNot | Unary::Not, a, .. } if computes(a, &Arg::Int(0)) => {
                return Some(Number);
            }
            Op::Binary { op, a, b, .. } if op.is_comparison() && computes(a, b) => return Some(Number),
            Op::Binary { op: Binary::Add | Binary::Sub, a, b: Arg::Int(by), .. }
                if what(a) == Some(Count) && (*by as i64).unsigned_abs() < SMALL =>
            {
                return Some(Number);
            }
            Op::SlotAddress { slot, .. } if slots.contains_key(slot) => return Some(Place(*slot)),
            Op::PtrAdd { pointer, index: Arg::Int(0), .. } if what(pointer) == Some(List) => {
                return Some(List);
            }
            Op::Load { addr, .. } if what(addr) == Some(List) => return Some(Name),
            Op::Load { addr, .. } if let Some(Place(slot)) = what(addr) => return slots.get(&slot).copied(),
            Op::Lib { lib, args, dst } if let Some(format) = lib.shown_format() => {
                let format = args.get(format).and_then(|format| text(program, *format));
                let only_shows = format.is_some_and(shows_values) && !is_live(code, pc + 1, *dst);
                if only_shows
                    && args.iter().all(|arg| matches!(what(arg), None | Some(Count | Number | Name)))
                {
                    return None;
                }
            }
            // The callee depends on them where it uses them.
            Op::Call { callee, args, .. } if let Some(callee) = function(program, *callee) => {
                let parameters: Parameters = args.iter().map(what).collect();
                let passable = |taint: &Option<ArgumentTaint>| !matches!(taint, Some(Place(_)));
                let variadic = program.codes[callee as usize].variadic;
                if parameters.iter().all(passable) && (!variadic || parameters.iter().all(Option::is_none)) {
                    self.function(callee, parameters);
                    return None;
                }
            }
            // The exit status of the program has no reader in it.
            Op::Return { .. } if number == program.main && !self.calls_main => return None,
            _ => {}
        }
        let mut tainted = false;
        op.operands(|arg| tainted |= what(&arg).is_some());
        if tainted {
            self.found.insert((number, pc));
        }
        None
    }
}

/// The function with a body that an operand names.
fn function(program: &Program, callee: Arg) -> Option<u32> {
    let Arg::Static(object, 0) = callee else { return None };
    program.statics.get((object as usize).wrapping_sub(1))?.kind.code()
}

/// The contents of an operand that is a string literal.
fn text(program: &Program, arg: Arg) -> Option<&[u8]> {
    let Arg::Static(object, 0) = arg else { return None };
    match &program.statics.get((object as usize).wrapping_sub(1))?.kind {
        StaticKind::Text(text) => Some(text),
        StaticKind::Function(_) | StaticKind::Variable(_) => None,
    }
}
