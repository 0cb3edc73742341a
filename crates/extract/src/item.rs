//! The items of a table: the basic statements and conditions of a function, in order of their
//! first appearance, each condition in both polarities (Holzmann, *Software Model Checking*,
//! sections 6.1 and 6.2).
//!
//! *Entry point:* [`survey`].

use std::sync::Arc;

use axle_source::{Diagnostic, Diagnostics, Loc};

use crate::canonical;
use crate::pattern::declaration_key;
use crate::syntax::{Decl, Expr, Function, Init, Kind, Param, Stmt, StmtKind};

/// The class of a statement, by which its row is prefixed and its default is chosen.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Class {
    /// `D`: a declaration.
    Declaration,
    /// `A`: an assignment.
    Assignment,
    /// `C`: a condition, or a condition denied.
    Condition,
    /// `F`: a call.
    Call,
    /// `R`: a return.
    Return,
    /// `E`: another expression, such as `n++`.
    Expression,
}

impl Class {
    /// All of them, in the order in which the documentation lists them.
    pub const ALL: [Class; 6] = [
        Class::Declaration,
        Class::Assignment,
        Class::Condition,
        Class::Call,
        Class::Return,
        Class::Expression,
    ];

    /// The letter before the colon.
    #[must_use]
    pub fn letter(self) -> char {
        match self {
            Class::Declaration => 'D',
            Class::Assignment => 'A',
            Class::Condition => 'C',
            Class::Call => 'F',
            Class::Return => 'R',
            Class::Expression => 'E',
        }
    }

    /// The class with this letter.
    #[must_use]
    pub fn of_letter(letter: char) -> Option<Class> {
        Class::ALL.into_iter().find(|class| class.letter() == letter)
    }
}

/// A basic statement or condition.
#[derive(Clone, Debug)]
pub struct Item {
    /// Its class.
    pub class: Class,
    /// Its canonical text, as a row has it.
    pub text: String,
    /// The text by which it is found, the same for `e`, `!!e` and `((e))`.
    pub key: String,
    /// The expression; of a condition denied the condition itself.
    pub expr: Option<Expr>,
    /// The declaration.
    pub decl: Option<Decl>,
    /// Of a condition: whether it is denied here.
    pub denied: bool,
    /// The first place where it stands.
    pub loc: Loc,
}

impl Item {
    fn new(class: Class, text: String, key: String, loc: Loc) -> Item {
        Item { class, text, key, expr: None, decl: None, denied: false, loc }
    }

    /// Whether the program may be blocked here: a call may wait. Other statements always have a successor.
    #[must_use]
    pub fn may_block(&self) -> bool {
        let calls = |expr: &Expr| {
            let mut found = false;
            expr.walk(&mut |part| found |= matches!(part.kind, Kind::Call(..) | Kind::Opaque(_)));
            found
        };
        let initial = self.decl.iter().flat_map(|decl| &decl.declared).filter_map(|one| one.init.as_ref());
        let mut lists = initial.clone().map(|init| match init {
            Init::Value(value) => calls(value),
            Init::List(_) => true,
        });
        match self.class {
            Class::Call => true,
            Class::Condition | Class::Assignment | Class::Expression | Class::Declaration | Class::Return => {
                self.expr.as_ref().is_some_and(calls) || lists.any(|calls| calls)
            }
        }
    }

    /// Class and text, as rows and comments have them.
    #[must_use]
    pub fn shown(&self) -> String {
        format!("{}: {}", self.class.letter(), self.text)
    }

    /// A condition, or its opposite.
    #[must_use]
    pub fn condition(expr: &Expr, denied: bool) -> Item {
        let (text, key) = match denied {
            false => (canonical::condition(expr), canonical::truth(expr)),
            true => (canonical::denied(expr), canonical::falsehood(expr)),
        };
        let item = Item::new(Class::Condition, text, key, expr.loc);
        Item { expr: Some(expr.clone()), denied, ..item }
    }

    /// A declaration.
    #[must_use]
    pub fn declaration(decl: &Decl) -> Item {
        let text = decl.text();
        let key = declaration_key(&text);
        Item { decl: Some(decl.clone()), ..Item::new(Class::Declaration, text, key, decl.loc) }
    }

    /// The declaration of a parameter.
    #[must_use]
    pub fn parameter(param: &Param) -> Item {
        Item::declaration(&param.decl)
    }

    /// A return, or the end of a function where it is reached.
    #[must_use]
    pub fn returned(value: Option<&Expr>, loc: Loc) -> Item {
        let text = match value {
            Some(value) => format!("return {}", canonical::text(value)),
            None => "return".to_string(),
        };
        Item { expr: value.cloned(), ..Item::new(Class::Return, text.clone(), text, loc) }
    }

    /// The statements that an expression makes as a statement: a comma separates several.
    #[must_use]
    pub fn statements(expr: &Expr) -> Vec<Item> {
        match &expr.kind {
            Kind::Comma(a, b) => {
                let mut items = Item::statements(a);
                items.extend(Item::statements(b));
                items
            }
            // A result that is thrown away by a cast.
            Kind::Cast(name, inner) if &**name == "void" => Item::statements(inner),
            _ => {
                let class = match expr.kind {
                    Kind::Assign(..) => Class::Assignment,
                    Kind::Call(..) => Class::Call,
                    _ => Class::Expression,
                };
                let text = canonical::text(expr);
                vec![Item { expr: Some(expr.clone()), ..Item::new(class, text.clone(), text, expr.loc) }]
            }
        }
    }

    /// Names of objects that it uses or declares.
    #[must_use]
    pub fn names(&self) -> Vec<Arc<str>> {
        let mut names = Vec::new();
        if let Some(expr) = &self.expr {
            names_of(expr, &mut names);
        }
        for declared in self.decl.iter().flat_map(|decl| &decl.declared) {
            names.push(declared.name.clone());
            if let Some(crate::syntax::Init::Value(value)) = &declared.init {
                names_of(value, &mut names);
            }
        }
        names
    }
}

/// Names of objects in an expression, the names of called functions left out.
pub fn names_of(expr: &Expr, out: &mut Vec<Arc<str>>) {
    match &expr.kind {
        Kind::Name(name) => out.push(name.clone()),
        Kind::Call(function, args) => {
            if !matches!(function.kind, Kind::Name(_)) {
                names_of(function, out);
            }
            args.iter().for_each(|arg| names_of(arg, out));
        }
        _ => expr.parts().into_iter().for_each(|part| names_of(part, out)),
    }
}

/// Whether a condition is a number, and if so whether it holds.
#[must_use]
pub fn constant(expr: &Expr) -> Option<bool> {
    match &expr.kind {
        Kind::Literal(text) if text.starts_with(|c: char| c.is_ascii_digit()) => {
            let hex = text.starts_with("0x") || text.starts_with("0X");
            let digits = text.get(2..).filter(|_| hex).unwrap_or(text);
            // An exponent and a suffix do not make a 0 of anything, nor something of a 0.
            Some(
                digits
                    .chars()
                    .take_while(|c| hex || *c != 'e')
                    .any(|c| c != '0' && c.is_digit(if hex { 16 } else { 10 })),
            )
        }
        Kind::Prefix("!", inner) => constant(inner).map(|holds| !holds),
        _ => None,
    }
}

/// The target of a `switch` for some values.
#[derive(Clone, Debug)]
pub struct SwitchTarget<'s> {
    /// The comparison with its values; none for `default` alone.
    pub guard: Option<Item>,
    /// Its statements, up to the next mark.
    pub body: &'s [Stmt],
}

/// The ways of a `switch` in order; a last one without statements when nothing is said of the other
/// values. None when marks stand inside of other statements, which is reported.
pub fn ways<'s>(
    value: &Expr,
    body: &'s Stmt,
    loc: Loc,
    diagnostics: &mut Diagnostics,
) -> Option<Vec<SwitchTarget<'s>>> {
    let list = match &body.kind {
        StmtKind::Block(list) => &list[..],
        _ => std::slice::from_ref(body),
    };
    let mut hidden = Vec::new();
    list.iter().for_each(|stmt| marks_within(stmt, &mut hidden));
    if let Some(&loc) = hidden.first() {
        let fault = Diagnostic::error("E0804", "this `case` stands inside another statement of its `switch`");
        diagnostics.push(fault.at(loc, "").help("give it a statement list of its own"));
        return None;
    }
    let is_mark = |stmt: &Stmt| matches!(stmt.kind, StmtKind::Case(..) | StmtKind::Default);
    let (mut groups, mut at) = (Vec::new(), 0);
    while at < list.len() {
        if !is_mark(&list[at]) {
            // Before the first mark nothing is reached but declarations.
            at += 1;
            continue;
        }
        let start = at;
        while at < list.len() && is_mark(&list[at]) {
            at += 1;
        }
        let marks = &list[start..at];
        let from = at;
        while at < list.len() && !is_mark(&list[at]) {
            at += 1;
        }
        groups.push((marks, &list[from..at]));
    }
    let mut all = None;
    let mut ways = Vec::new();
    for (marks, body) in &groups {
        let mut guard = None;
        for mark in *marks {
            if let StmtKind::Case(first, last) = &mark.kind {
                guard = Some(either(guard, within(value, first, last.as_ref(), mark.loc)));
            }
        }
        if marks.iter().any(|mark| matches!(mark.kind, StmtKind::Default)) {
            ways.push((None, *body));
        } else {
            all = guard.clone().map(|guard| either(all, guard));
            ways.push((guard, *body));
        }
    }
    if !ways.iter().any(|(guard, _)| guard.is_none()) {
        ways.push((None, &[]));
    }
    let others = all.map(|mut all| {
        all.loc = loc;
        Item::condition(&all, true)
    });
    let guarded = |guard: Option<Expr>| match guard {
        Some(guard) => Some(Item::condition(&guard, false)),
        None => others.clone(),
    };
    Some(ways.into_iter().map(|(guard, body)| SwitchTarget { guard: guarded(guard), body }).collect())
}

fn binary(op: &'static str, a: Expr, b: Expr, loc: Loc) -> Expr {
    let depth = 1 + a.depth.max(b.depth);
    Expr { kind: Kind::Binary(op, a.into(), b.into()), loc, depth }
}

fn either(one: Option<Expr>, other: Expr) -> Expr {
    match one {
        Some(one) => {
            let loc = one.loc;
            binary("||", one, other, loc)
        }
        None => other,
    }
}

fn within(value: &Expr, first: &Expr, last: Option<&Expr>, loc: Loc) -> Expr {
    match last {
        None => binary("==", value.clone(), first.clone(), loc),
        Some(last) => {
            let above = binary(">=", value.clone(), first.clone(), loc);
            let below = binary("<=", value.clone(), last.clone(), loc);
            binary("&&", above, below, loc)
        }
    }
}

/// Marks of the same `switch` inside of its statements.
pub(crate) fn marks_within(stmt: &Stmt, out: &mut Vec<Loc>) {
    let mut inner = |stmt: &Stmt| {
        if matches!(stmt.kind, StmtKind::Case(..) | StmtKind::Default) {
            out.push(stmt.loc);
        }
        marks_within(stmt, out);
    };
    match &stmt.kind {
        StmtKind::Block(list) => list.iter().for_each(inner),
        StmtKind::If(_, yes, no) => {
            inner(yes);
            no.iter().for_each(|no| inner(no));
        }
        StmtKind::While(_, body) | StmtKind::DoWhile(body, _) | StmtKind::For { body, .. } => inner(body),
        _ => {}
    }
}

/// Whether the end of a list of statements is reached, as far as its form tells.
#[must_use]
pub fn falls_through(list: &[Stmt]) -> bool {
    let Some(last) = list.iter().rev().find(|stmt| !matches!(stmt.kind, StmtKind::Empty)) else {
        return true;
    };
    match &last.kind {
        StmtKind::Return(_) | StmtKind::Goto(_) | StmtKind::Break | StmtKind::Continue => false,
        StmtKind::Block(list) => falls_through(list),
        StmtKind::If(_, yes, Some(no)) => {
            falls_through(std::slice::from_ref(yes)) || falls_through(std::slice::from_ref(no))
        }
        StmtKind::While(cond, body) => constant(cond) != Some(true) || breaks(body),
        StmtKind::For { cond, body, .. } => {
            cond.as_ref().is_some_and(|cond| constant(cond) != Some(true)) || breaks(body)
        }
        _ => true,
    }
}

/// Whether a `break` in a statement leaves the loop around it.
#[must_use]
pub fn breaks(stmt: &Stmt) -> bool {
    match &stmt.kind {
        StmtKind::Break => true,
        StmtKind::Block(list) => list.iter().any(breaks),
        StmtKind::If(_, yes, no) => breaks(yes) || no.as_ref().is_some_and(|no| breaks(no)),
        _ => false,
    }
}

/// Whether a `continue` in a statement belongs to the loop around it.
#[must_use]
pub fn continues(stmt: &Stmt) -> bool {
    match &stmt.kind {
        StmtKind::Continue => true,
        StmtKind::Block(list) => list.iter().any(continues),
        StmtKind::If(_, yes, no) => continues(yes) || no.as_ref().is_some_and(|no| continues(no)),
        StmtKind::Switch(_, body) => continues(body),
        _ => false,
    }
}

/// All items of a function, each once, in order of appearance. `params`: its parameters first.
#[must_use]
pub fn survey(function: &Function, params: bool, diagnostics: &mut Diagnostics) -> Vec<Item> {
    let mut items: Vec<Item> = Vec::new();
    let mut put = |item: Item| {
        let known = |one: &Item| one.class == item.class && one.key == item.key;
        if !items.iter().any(known) {
            items.push(item);
        }
    };
    if params {
        function.params.iter().map(Item::parameter).for_each(&mut put);
    }
    of_list(&function.body, &mut put, diagnostics);
    if falls_through(&function.body) {
        put(Item::returned(None, function.end));
    }
    items
}

fn of_list(list: &[Stmt], put: &mut impl FnMut(Item), diagnostics: &mut Diagnostics) {
    list.iter().for_each(|stmt| of_stmt(stmt, put, diagnostics));
}

fn of_condition(cond: &Expr, put: &mut impl FnMut(Item)) {
    if constant(cond).is_none() {
        put(Item::condition(cond, false));
        put(Item::condition(cond, true));
    }
}

fn of_stmt(stmt: &Stmt, put: &mut impl FnMut(Item), diagnostics: &mut Diagnostics) {
    match &stmt.kind {
        StmtKind::Empty
        | StmtKind::Case(..)
        | StmtKind::Default
        | StmtKind::Label(_)
        | StmtKind::Goto(_)
        | StmtKind::Break
        | StmtKind::Continue => {}
        StmtKind::Asm(_) => {
            let fault = Diagnostic::error("E0805", "assembler code has no row in a table");
            diagnostics.push(fault.at(stmt.loc, "").help("put a call in its place under `#ifdef __axle__`"));
        }
        StmtKind::Expr(expr) => Item::statements(expr).into_iter().for_each(put),
        StmtKind::Declare(decl) => put(Item::declaration(decl)),
        StmtKind::Block(list) => of_list(list, put, diagnostics),
        StmtKind::If(cond, yes, no) => {
            of_condition(cond, put);
            of_stmt(yes, put, diagnostics);
            if let Some(no) = no {
                of_stmt(no, put, diagnostics);
            }
        }
        StmtKind::While(cond, body) => {
            of_condition(cond, put);
            of_stmt(body, put, diagnostics);
        }
        StmtKind::DoWhile(body, cond) => {
            of_stmt(body, put, diagnostics);
            of_condition(cond, put);
        }
        StmtKind::For { init, cond, step, body } => {
            of_list(init, put, diagnostics);
            if let Some(cond) = cond {
                of_condition(cond, put);
            }
            of_stmt(body, put, diagnostics);
            if let Some(step) = step {
                Item::statements(step).into_iter().for_each(put);
            }
        }
        StmtKind::Switch(value, body) => {
            for way in ways(value, body, stmt.loc, diagnostics).unwrap_or_default() {
                if let Some(guard) = way.guard {
                    put(guard);
                }
                of_list(way.body, put, diagnostics);
            }
        }
        StmtKind::Return(value) => put(Item::returned(value.as_ref(), stmt.loc)),
    }
}
