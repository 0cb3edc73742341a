//! Name resolution: the meaning and scope of each name, and whether it may be declared.
//!
//! Idea: one table of variables for the whole model; a global map of names (variables, `mtype`
//! values, types, proctypes), each known from its place in the text on; a stack of block scopes for
//! the process at hand. Promela allows no shadowing: a name that is visible may not be declared
//! again.
//!
//! *Entry points:* [`Names::declare`], [`Names::lookup`].
//!
//! *Source:* measured on Spin 6.5.2 (conformance models `scope_*`); the language reference,
//! "Scope".
//! *Invariant:* a [`VarId`] stays valid for the whole run, also when its scope is closed.

use axle_model::{GlobalId, LocalId, NameSetId, ProcId, RecordId, ShapeId, Type};
use axle_source::{Diagnostic, Loc};
use rustc_hash::{FxHashMap, FxHashSet};

/// A variable, as an index into [`Names::vars`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct VarId(pub usize);

/// Where a variable lives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Home {
    /// A global.
    Global(GlobalId),
    /// A local of the process at hand.
    Local(LocalId),
    /// A record that is a parameter: its scalars are locals, from this one on.
    Flat(LocalId),
}

/// The declaration of a channel.
#[derive(Clone, Debug)]
pub(crate) struct ChanInfo {
    /// Capacity and fields.
    pub shape: ShapeId,
    /// The declaration.
    pub loc: Loc,
}

/// A declared variable.
#[derive(Clone, Debug)]
pub(crate) struct Var {
    /// Its name.
    pub name: String,
    /// Its type.
    pub ty: Type,
    /// Where it lives.
    pub home: Home,
    /// Where it is declared.
    pub loc: Loc,
    /// Where it is declared as `= [n] of { ... }`.
    pub chan: Option<ChanInfo>,
    /// Its initial value, where that is a constant.
    pub constant: Option<i64>,
    /// A parameter of a proctype.
    pub param: bool,
    /// Its declaration has an error, which has been reported.
    pub refused: bool,
    /// Its uses anywhere.
    pub uses: Uses,
}

/// The uses of a variable anywhere in the model.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Uses {
    /// Its value is used.
    pub read: bool,
    /// It is assigned, counted or received into.
    pub written: bool,
    /// As a channel: something is sent to it.
    pub sent: bool,
    /// As a channel: something is received from it.
    pub received: bool,
    /// As a channel: its reference is passed on (or looked at), so others may use it.
    pub passed: bool,
}

/// The kind of a global name.
#[derive(Clone, Debug)]
pub(crate) enum Global {
    /// A variable.
    Var(VarId),
    /// A value of an `mtype`.
    Mtype(NameSetId, i64),
    /// A `typedef`.
    Type(RecordId),
    /// A proctype.
    Proc(ProcId),
    /// An `inline`.
    Inline,
    /// A variable or a type whose declaration has an error, which has been reported.
    Refused(&'static str),
}

impl Global {
    fn word(&self) -> &'static str {
        match self {
            Global::Var(_) => "a variable",
            Global::Mtype(..) => "an mtype name",
            Global::Type(_) => "a type",
            Global::Proc(_) => "a proctype",
            Global::Inline => "an inline",
            Global::Refused(word) => word,
        }
    }
}

/// All names.
#[derive(Debug, Default)]
pub(crate) struct Names {
    /// All variables of the model.
    pub vars: Vec<Var>,
    /// Global names: their kind, the location of their declaration, and the number of that item in the
    /// text.
    pub globals: FxHashMap<String, (Global, Loc, usize)>,
    /// Block scopes of the process at hand, outermost first.
    pub scopes: Vec<FxHashMap<String, VarId>>,
    /// The item at hand: global names of later ones are not known yet.
    pub item: usize,
    /// Everything is known, wherever it stands (formulas are read last).
    pub see_all: bool,
    /// Where global names that are not read yet will be declared.
    pub upcoming: FxHashMap<String, Loc>,
    /// Names in declarations that could not be parsed.
    pub unparsed: FxHashSet<String>,
}

/// The meaning of a name at its use.
#[derive(Clone, Debug)]
pub(crate) enum Meaning {
    /// A variable.
    Var(VarId),
    /// A global name of another kind.
    Global(Global),
    /// Nothing yet: it is declared further down, here.
    Later(Loc),
    /// Its declaration has an error. Further errors would only be consequences of that one, so
    /// uses are not reported.
    Refused,
    /// Nothing.
    Unknown,
}

impl Names {
    /// The variable of an id.
    pub fn var(&self, id: VarId) -> &Var {
        &self.vars[id.0]
    }

    /// The uses of a variable, for additions.
    pub fn uses(&mut self, id: VarId) -> &mut Uses {
        &mut self.vars[id.0].uses
    }

    /// The meaning of a name here.
    pub fn lookup(&self, name: &str) -> Meaning {
        for scope in self.scopes.iter().rev() {
            if let Some(&id) = scope.get(name) {
                return if self.var(id).refused { Meaning::Refused } else { Meaning::Var(id) };
            }
        }
        match self.globals.get(name) {
            Some((global, loc, item)) => match global {
                Global::Proc(_) => Meaning::Global(global.clone()),
                _ if *item > self.item && !self.see_all => Meaning::Later(*loc),
                Global::Var(id) => Meaning::Var(*id),
                Global::Refused(_) => Meaning::Refused,
                Global::Mtype(..) | Global::Type(_) | Global::Inline => Meaning::Global(global.clone()),
            },
            None => match self.upcoming.get(name) {
                Some(&loc) => Meaning::Later(loc),
                None if self.unparsed.contains(name) => Meaning::Refused,
                None => Meaning::Unknown,
            },
        }
    }

    /// Enters a new local variable into the innermost scope, or says why it may not be.
    pub fn declare(&mut self, name: &str, id: VarId, loc: Loc) -> Option<Diagnostic> {
        let fault = self.clash(name, loc);
        if let Some(scope) = self.scopes.last_mut() {
            scope.insert(name.to_owned(), id);
        }
        fault
    }

    /// Enters a new global name, or says why it may not be.
    pub fn declare_global(&mut self, name: &str, global: Global, loc: Loc) -> Option<Diagnostic> {
        if let Some((old, first, _)) = self.globals.get(name) {
            return Some(redeclared(name, old.word(), loc, *first));
        }
        self.globals.insert(name.to_owned(), (global, loc, self.item));
        None
    }

    fn clash(&self, name: &str, loc: Loc) -> Option<Diagnostic> {
        if matches!(name, "_" | "_p" | "_pid" | "_last" | "_nr_pr" | "_priority") {
            let text = format!("`{name}` is predefined and cannot be declared");
            return Some(Diagnostic::error("E0302", text).at(loc, ""));
        }
        for scope in self.scopes.iter().rev() {
            if let Some(&old) = scope.get(name)
                && !self.var(old).refused
            {
                return Some(redeclared(name, "a variable", loc, self.var(old).loc));
            }
        }
        match self.globals.get(name) {
            Some((old, first, item)) if *item < self.item => Some(redeclared(name, old.word(), loc, *first)),
            _ => None,
        }
    }

    /// All names that could have been meant.
    pub fn candidates(&self) -> Vec<String> {
        let mut all: Vec<String> = self.scopes.iter().flat_map(|s| s.keys().cloned()).collect();
        let visible = |g: &Global| matches!(g, Global::Var(_) | Global::Mtype(..));
        all.extend(self.globals.iter().filter(|(_, (g, ..))| visible(g)).map(|(name, _)| name.clone()));
        all.extend(["_pid", "_nr_pr", "_last", "_priority"].map(String::from));
        all.sort();
        all
    }
}

fn redeclared(name: &str, old: &str, loc: Loc, first: Loc) -> Diagnostic {
    Diagnostic::error("E0302", format!("`{name}` is declared twice"))
        .at(loc, "declared again here")
        .also(first, format!("first declared here, as {old}"))
        .help(
            "Promela has no shadowing: a name that is visible here cannot be declared again; choose another",
        )
}
