//! A textual listing of the steps of a program, for inspection.
//!
//! *Entry point:* [`listing`].

use std::fmt::Write as _;

use crate::code::StaticKind;
use crate::program::Program;

/// Every variable, and the steps of every function, one per line.
#[must_use]
pub fn listing(program: &Program) -> String {
    let mut out = String::new();
    for (index, fixed) in program.statics.iter().enumerate() {
        if let StaticKind::Variable(at) = fixed.kind {
            let ty = program.types.show_qual(fixed.ty);
            let _ =
                writeln!(out, "variable {} `{}`: {ty}, {} bytes at {at}", index + 1, fixed.name, fixed.size);
        }
    }
    for variable in &program.thread_variables {
        let _ =
            writeln!(out, "thread variable `{}`: {}", variable.name, program.types.show_qual(variable.ty));
    }
    for code in program.codes.iter().filter(|code| !code.ours) {
        let returns = code.returns.map_or("nothing".into(), |scalar| scalar.to_string());
        let _ = writeln!(out, "\nfunction `{}` returns {returns}", code.name);
        for (name, ty, reg) in &code.names {
            let _ = writeln!(out, "  register {reg} `{name}`: {}", program.types.show_qual(*ty));
        }
        for (index, slot) in code.slots.iter().enumerate() {
            let _ = writeln!(out, "  memory {index} `{}`: {}", slot.name, program.types.show_qual(slot.ty));
        }
        for (at, op) in code.ops.iter().enumerate() {
            let _ = writeln!(out, "  {at:4} {op:?}");
        }
    }
    out
}
