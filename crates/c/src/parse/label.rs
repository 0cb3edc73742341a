//! Labels (C11 6.8.1), with GNU's block-local labels (`__label__`) and label addresses (`&&label`).
//! The address of a label is a number that is unique in the program. No object has this address, so
//! it is only valid in `goto *`.
//!
//! *Entry points:* [`Parser::labelled`] and [`Parser::label_address`].

use std::sync::Arc;

use axle_source::{Diagnostic, Loc};

use super::parser::{Parsed, Parser, bad};
use crate::tree::{Expr, StmtKind};
use crate::types;

/// The distance between label addresses; their low bits are available to the program.
const APART: u64 = 16;

impl Parser<'_> {
    /// A labelled statement.
    pub(super) fn labelled(&mut self) -> Parsed<StmtKind> {
        let Some((name, loc)) = self.name() else { return self.expected("a label") };
        if name.starts_with("__CPROVER_ASYNC") {
            let message = "`__CPROVER_ASYNC` is not supported";
            let help = "use `pthread_create`";
            self.diagnostics.push(Diagnostic::error("E0714", message).at(loc, "").help(help));
        }
        self.next();
        let name = self.label(&name);
        let mut ignored = Default::default();
        self.attributes(&mut ignored)?;
        if let Some(body) = &mut self.body
            && let Some(old) = body.labels.insert(name.clone(), loc)
        {
            let diagnostic = Diagnostic::error("E0732", format!("duplicate label `{name}`")).at(loc, "");
            self.diagnostics.push(diagnostic.also(old, "previous definition"));
        }
        Ok(StmtKind::Label(name, Box::new(self.after_label()?)))
    }

    /// `__label__ a, b;`: declares labels of this block.
    pub(super) fn local_labels(&mut self) -> Parsed<()> {
        loop {
            self.next();
            let Some((name, _)) = self.name() else { return self.expected("a label") };
            if let (Some(body), Some(scope)) = (&mut self.body, self.scopes.last_mut()) {
                let own = format!("{name}~{}", body.local_labels).into();
                body.local_labels += 1;
                scope.labels.insert(name, own);
            }
            if !self.is(",") {
                return self.expect(";");
            }
        }
    }

    /// The label that a name denotes here: that of the innermost block that declares it.
    pub(super) fn label(&mut self, name: &Arc<str>) -> Arc<str> {
        self.scopes.iter().rev().find_map(|scope| scope.labels.get(name)).unwrap_or(name).clone()
    }

    /// `&&name`
    pub(super) fn label_address(&mut self, name: &Arc<str>, loc: Loc) -> Expr {
        let name = self.label(name);
        let Some(body) = &mut self.body else {
            self.report("E0730", "label address outside a function", loc);
            return bad(loc);
        };
        body.gotos.push((name.clone(), loc));
        let known = body.addresses.iter().find(|(known, _)| *known == name).map(|(_, address)| *address);
        let address = known.unwrap_or_else(|| {
            self.tree.label_addresses += 1;
            let address = APART * self.tree.label_addresses;
            body.addresses.push((name, address));
            address
        });
        self.int(address, types::VOID_PTR, loc)
    }
}
