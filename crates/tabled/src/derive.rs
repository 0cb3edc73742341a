//! Tables from properties: the rows of a table that a formula over variables of the program needs.
//!
//! A variable that the formula compares with numbers is replaced by the classes of values that these
//! comparisons distinguish: a `Map` of the table. Other variables of the formula are kept, and so are those
//! that kept variables are computed from. Assignments to all others are hidden, and conditions on them are
//! `true`. Which classes a statement leads to is decided over all values of an `int`. A row is given a label
//! only if no other thread can access its variable; the others are judged as rows by hand are.
//!
//! *Entry point:* [`derive`].
//! *Source:* Holzmann, *From Code to Models*, 2001, sections 5 and 6 (table 1); Graf and Saidi, CAV 1997.
//! *Invariant:* a row of a mapped variable has every successor class that some `int` has whose statement
//! does not overflow; where the classes of its domain do not show that, the row gives any class.

mod values;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use axle_decide::term::{TRUE, TermId, Terms, signed};
use axle_extract::item::{Class, Item, names_of};
use axle_extract::syntax::{Expr, Init, Kind};
use axle_extract::{Label, Program, Surveyed};

use self::values::{Values, WIDTH, compare, fits, is_satisfiable};

/// Numbers beyond those of the program that a domain contains on each side.
const MARGIN: i64 = 8;
/// The largest domain of a map.
const LARGEST: i64 = 65_536;

/// The part of a table that a formula determines.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Derived {
    /// The `Map` directives.
    pub maps: Vec<String>,
    /// The declarations of mapped variables outside of functions, which a wrapper needs.
    pub declarations: Vec<String>,
    /// Statements as rows have them, with their mappings and, where it is known, whether these are exact.
    pub rows: BTreeMap<String, (String, Option<Label>)>,
    /// The formula over the variables of the model.
    pub formula: String,
}

/// The classes of the values of a variable.
struct Classes {
    name: String,
    /// The name in the model.
    model: String,
    /// The least values of the classes but the first one, ascending.
    cuts: Vec<i64>,
    domain: (i64, i64),
    /// Whether it is a local variable that no pointer leads to.
    is_local: bool,
    /// The function of a variable that one function declares.
    owner: Option<String>,
}

/// The rows for a formula. The functions are those of the program that the table is for.
///
/// # Errors
/// The formula names no variable of the functions, or its numbers are too far apart.
pub fn derive(program: &Program, functions: &[Surveyed], formula: &str) -> Result<Derived, String> {
    let items: Vec<&Item> = functions.iter().flat_map(|function| &function.items).collect();
    let known: BTreeSet<Arc<str>> = items.iter().flat_map(|item| item.names()).collect();
    let tokens = tokens(formula);
    let comparisons = comparisons(&tokens);
    let compared = |at: usize| comparisons.iter().any(|one| (one.first..one.first + 3).contains(&at));
    let mut kept: BTreeSet<Arc<str>> = BTreeSet::new();
    for (at, token) in tokens.iter().enumerate() {
        if let Some(name) = known.get(*token).filter(|_| !compared(at)) {
            kept.insert(name.clone());
        }
    }
    let mut cuts: BTreeMap<Arc<str>, BTreeSet<i64>> = BTreeMap::new();
    for one in &comparisons {
        if let Some(name) = known.get(one.name).filter(|name| !kept.contains(*name)) {
            cuts.entry(name.clone()).or_default().extend(one.cuts());
        }
    }
    if kept.is_empty() && cuts.is_empty() {
        return Err(format!("the formula names no variable of these functions; {}", have(&known)));
    }
    // Other types have other arithmetic.
    for name in cuts.keys().filter(|name| !is_int(program, functions, name)) {
        kept.insert(name.clone());
    }
    close(&items, &mut kept, &mut cuts);
    for name in kept.iter().chain(cuts.keys()) {
        if let Some(item) = items.iter().find(|item| is_changed_inside(item, name)) {
            return Err(format!(
                "`{}` changes `{name}` inside an expression; write a row by hand",
                item.text
            ));
        }
    }
    let numbers = numbers(&items);
    let (mut classes, mut derived) = (Vec::new(), Derived::default());
    for (name, cuts) in cuts {
        let mut of = Classes::new(&name, cuts.into_iter().collect(), &numbers)?;
        of.is_local = is_local(functions, &name);
        let owners =
            functions.iter().filter(|function| function.items.iter().any(|item| declares(item, &name)));
        let owners: Vec<&str> = owners.map(|function| function.name.as_str()).collect();
        of.owner = owners.first().filter(|_| owners.len() == 1).map(|owner| (*owner).to_string());
        if owners.is_empty() {
            derived.declarations.push(of.declaration(program));
        }
        classes.push(of);
    }
    derived.formula = rewritten(&tokens, &comparisons, &classes);
    let mut outside: BTreeMap<&str, &str> = BTreeMap::new();
    for of in &classes {
        // Results beyond the domain keep the class, if no statement then lacks a successor.
        let own = || items.iter().filter(|item| is_assigned(item, &of.name));
        let is_closed = own().all(|item| of.covers(item, true));
        outside.insert(&of.name, if is_closed { "skip" } else { "nondet" });
        derived.maps.push(of.directive(outside[of.name.as_str()]));
    }
    for item in &items {
        let of = classes.iter().find(|of| item.names().iter().any(|name| **name == *of.name));
        let is_kept = item.names().iter().all(|name| kept.contains(name));
        let row = match (item.class, of) {
            (Class::Condition, Some(of)) => of.condition_row(item),
            (Class::Condition, None) if is_kept => ("keep".to_string(), None),
            (Class::Condition, None) => ("true".to_string(), None),
            (Class::Assignment | Class::Expression, Some(of)) if is_assigned(item, &of.name) => {
                of.statement_row(item, outside[of.name.as_str()] == "skip")
            }
            (Class::Declaration, Some(of)) if declares(item, &of.name) => ("keep".to_string(), None),
            (Class::Assignment | Class::Expression | Class::Declaration, _) => {
                let changes_kept = kept.iter().any(|name| is_assigned(item, name) || declares(item, name));
                (if changes_kept { "keep" } else { "hide" }.to_string(), None)
            }
            (Class::Return, _) => ("hide".to_string(), None),
            // The defaults for calls, and the rows for the library for threads.
            (Class::Call, _) => continue,
        };
        derived.rows.insert(item.shown(), row);
    }
    Ok(derived)
}

fn have(known: &BTreeSet<Arc<str>>) -> String {
    let names: Vec<&str> = known.iter().map(|name| &**name).collect();
    format!("there are {}", names.join(", "))
}

/// Adds the variables that kept ones are computed from, and keeps the value of a compared variable that
/// another kept one needs.
fn close(items: &[&Item], kept: &mut BTreeSet<Arc<str>>, cuts: &mut BTreeMap<Arc<str>, BTreeSet<i64>>) {
    loop {
        let before = kept.len();
        let sources = items.iter().filter(|item| kept.iter().any(|name| is_assigned(item, name)));
        let sources: Vec<Arc<str>> = sources.flat_map(|item| item.names()).collect();
        kept.extend(sources);
        if kept.len() == before {
            break;
        }
    }
    cuts.retain(|name, _| !kept.contains(name));
}

/// Whether a statement assigns a variable.
fn is_assigned(item: &Item, name: &str) -> bool {
    let is_it = |expr: &Expr| matches!(&expr.kind, Kind::Name(own) if **own == *name);
    item.class != Class::Condition
        && item.expr.as_ref().is_some_and(|Expr { kind, .. }| match kind {
            Kind::Assign(_, target, _) => is_it(target),
            Kind::Prefix("++" | "--", target) | Kind::Postfix(target, _) => is_it(target),
            _ => false,
        })
}

/// Whether an expression changes a variable other than as a statement on it.
fn is_changed_inside(item: &Item, name: &str) -> bool {
    let mut changes = 0;
    let mut visit = |Expr { kind, .. }: &Expr| {
        let target = match kind {
            Kind::Assign(_, target, _) => target,
            Kind::Prefix("++" | "--", target) | Kind::Postfix(target, "++" | "--") => target,
            _ => return,
        };
        changes += usize::from(matches!(&target.kind, Kind::Name(own) if **own == *name));
    };
    if let Some(expr) = &item.expr {
        expr.walk(&mut visit);
    }
    changes > usize::from(is_assigned(item, name))
}

/// Whether a variable has the type `int` wherever it is declared, and is declared.
fn is_int(program: &Program, functions: &[Surveyed], name: &str) -> bool {
    let items = functions.iter().flat_map(|function| &function.items);
    let local = items.filter_map(|item| item.decl.as_ref());
    let mut is_declared = false;
    for decl in local.chain(&program.unit.globals) {
        for declared in decl.declared.iter().filter(|one| *one.name == *name) {
            is_declared = true;
            if &*decl.base != "int" || declared.derived {
                return false;
            }
        }
    }
    is_declared
}

/// Whether a variable is declared in every function that names it, and its address is not taken.
fn is_local(functions: &[Surveyed], name: &str) -> bool {
    let names = |item: &Item| item.names().iter().any(|own| **own == *name);
    let is_addressed = |item: &Item| {
        let mut found = false;
        if let Some(expr) = &item.expr {
            expr.walk(&mut |Expr { kind, .. }| {
                let is_it = |inner: &Expr| matches!(&inner.kind, Kind::Name(own) if **own == *name);
                found |= matches!(kind, Kind::Prefix("&", inner) if is_it(inner));
            });
        }
        found
    };
    functions.iter().filter(|function| function.items.iter().any(names)).all(|function| {
        let is_own =
            |item: &Item| declares(item, name) && item.decl.as_ref().is_some_and(|of| of.storage.is_empty());
        function.items.iter().any(is_own) && !function.items.iter().any(is_addressed)
    })
}

/// Whether a declaration is that of a variable.
fn declares(item: &Item, name: &str) -> bool {
    item.decl.as_ref().is_some_and(|decl| decl.declared.iter().any(|one| *one.name == *name))
}

/// The numbers of a program.
fn numbers(items: &[&Item]) -> BTreeSet<i64> {
    let mut found = BTreeSet::new();
    for expr in items.iter().filter_map(|item| item.expr.as_ref()) {
        expr.walk(&mut |part| {
            if let Kind::Literal(text) = &part.kind {
                found.extend(text.parse::<i64>());
            }
        });
    }
    found
}

/// The words, numbers and operators of a formula.
fn tokens(formula: &str) -> Vec<&str> {
    const OPERATORS: [&str; 13] =
        ["<->", "[]", "<>", "->", "<=", ">=", "==", "!=", "&&", "||", "<", ">", "!"];
    let (mut found, mut rest) = (Vec::new(), formula);
    while let Some(first) = rest.chars().next() {
        let is_word = |letter: char| letter.is_alphanumeric() || letter == '_';
        let length = match OPERATORS.iter().find(|op| rest.starts_with(**op)) {
            Some(op) => op.len(),
            None if is_word(first) => rest.find(|letter| !is_word(letter)).unwrap_or(rest.len()),
            None => first.len_utf8(),
        };
        let (token, after) = rest.split_at(length);
        if !token.trim().is_empty() {
            found.push(token);
        }
        rest = after;
    }
    found
}

/// A comparison of a name with a number, by the position of its first token of three.
struct Comparison<'f> {
    first: usize,
    name: &'f str,
    op: &'f str,
    number: i64,
}

impl Comparison<'_> {
    /// The least values of the classes that it distinguishes.
    fn cuts(&self) -> Vec<i64> {
        match self.op {
            "<" | ">=" => vec![self.number],
            "<=" | ">" => vec![self.number + 1],
            _ => vec![self.number, self.number + 1],
        }
    }

    fn holds(&self, value: i64) -> bool {
        match self.op {
            "<" => value < self.number,
            ">=" => value >= self.number,
            "<=" => value <= self.number,
            ">" => value > self.number,
            "==" => value == self.number,
            _ => value != self.number,
        }
    }
}

/// The comparisons of names with numbers.
fn comparisons<'f>(tokens: &[&'f str]) -> Vec<Comparison<'f>> {
    let mirrored = |op: &'f str| match op {
        "<" => ">",
        ">" => "<",
        "<=" => ">=",
        ">=" => "<=",
        same => same,
    };
    let is_comparison = |op: &str| matches!(op, "<" | ">" | "<=" | ">=" | "==" | "!=");
    let is_name = |text: &str| text.starts_with(|first: char| first.is_alphabetic() || first == '_');
    let mut found = Vec::new();
    // The operands are a whole name and a whole number.
    let is_boundary = |token: Option<&&str>, marks: &[&str]| {
        token.is_none_or(|token| is_name(token) || marks.contains(token))
    };
    for (first, part) in tokens.windows(3).enumerate().filter(|(_, part)| is_comparison(part[1])) {
        let before = first.checked_sub(1).and_then(|at| tokens.get(at));
        if !is_boundary(before, &["(", "{", "&&", "||", "->", "<->", "[]", "<>"])
            || !is_boundary(tokens.get(first + 3), &[")", "}", "&&", "||", "->", "<->"])
        {
            continue;
        }
        let comparison = match (part[0].parse(), part[2].parse()) {
            (Err(_), Ok(number)) if is_name(part[0]) => {
                Comparison { first, name: part[0], op: part[1], number }
            }
            (Ok(number), Err(_)) if is_name(part[2]) => {
                Comparison { first, name: part[2], op: mirrored(part[1]), number }
            }
            _ => continue,
        };
        found.push(comparison);
    }
    found
}

/// The formula with classes in place of comparisons.
fn rewritten(tokens: &[&str], comparisons: &[Comparison<'_>], classes: &[Classes]) -> String {
    let (mut words, mut at) = (Vec::new(), 0);
    while at < tokens.len() {
        let own = comparisons.iter().find(|one| one.first == at);
        let mapped = own.and_then(|one| classes.iter().find(|of| of.name == one.name).map(|of| (one, of)));
        match mapped {
            Some((comparison, of)) => {
                words.push(of.proposition(comparison));
                at += 3;
            }
            None => {
                words.push(tokens[at].to_string());
                at += 1;
            }
        }
    }
    words.join(" ").replace("( ", "(").replace(" )", ")").replace("! ", "!")
}

/// A statement on a variable: the value after it, and where it is defined.
struct Step {
    terms: Terms,
    before: TermId,
    after: TermId,
    defined: TermId,
}

impl Classes {
    fn new(name: &str, cuts: Vec<i64>, numbers: &BTreeSet<i64>) -> Result<Classes, String> {
        let all = || numbers.iter().chain(&cuts);
        let low = all().min().copied().unwrap_or_default().min(0) - MARGIN;
        let high = all().max().copied().unwrap_or_default().max(0) + MARGIN - 1;
        if high - low >= LARGEST {
            return Err(format!("the numbers that `{name}` is compared with are too far apart for a `Map`"));
        }
        let model = match cuts[..] {
            [0] => format!("neg_{name}"),
            [_] => format!("small_{name}"),
            _ => format!("{name}_class"),
        };
        let name = name.to_string();
        Ok(Classes { name, model, cuts, domain: (low, high), is_local: false, owner: None })
    }

    fn count(&self) -> usize {
        self.cuts.len() + 1
    }

    /// The class of a value.
    fn class(&self, value: i64) -> usize {
        self.cuts.iter().filter(|cut| value >= **cut).count()
    }

    /// The bounds of a class; none where it has none.
    fn bounds(&self, class: usize) -> (Option<i64>, Option<i64>) {
        let below = class.checked_sub(1).map(|before| self.cuts[before]);
        (below, self.cuts.get(class).map(|cut| cut - 1))
    }

    fn class_name(&self, class: usize) -> String {
        match self.count() {
            2 => if class == 0 { "true" } else { "false" }.to_string(),
            _ => format!("{}_{class}", self.name),
        }
    }

    /// The `Map` directive.
    fn directive(&self, outside: &str) -> String {
        let classes: Vec<String> = (0..self.count())
            .map(|class| {
                let range = match self.bounds(class) {
                    (Some(low), Some(high)) if low == high => low.to_string(),
                    (low, high) => {
                        let text =
                            |bound: Option<i64>| bound.map_or_else(String::new, |bound| bound.to_string());
                        format!("{}..{}", text(low), text(high))
                    }
                };
                format!("{range} -> {}", self.class_name(class))
            })
            .collect();
        let (low, high) = self.domain;
        format!(
            "Map {} as {} in {low}..{high}: {}, else -> {outside}",
            self.name,
            self.model,
            classes.join(", ")
        )
    }

    /// The declaration in a wrapper, with the class of the initial value.
    fn declaration(&self, program: &Program) -> String {
        let declared = program.unit.globals.iter().flat_map(|decl| &decl.declared);
        let init = declared.filter(|one| *one.name == *self.name).find_map(|one| one.init.as_ref());
        let initial = match init {
            None => Some(0),
            Some(Init::Value(expr)) => self.concrete(0, |values| values.value(expr)),
            Some(Init::List(_)) => None,
        };
        let initial =
            initial.map_or_else(String::new, |value| format!(" = {}", self.class_name(self.class(value))));
        let names: Vec<String> = (0..self.count()).map(|class| self.class_name(class)).collect();
        match self.count() {
            2 => format!("bool {}{initial};", self.model),
            _ => format!("mtype = {{ {} }}; mtype {}{initial};", names.join(", "), self.model),
        }
    }

    /// A comparison as a condition on the class.
    fn proposition(&self, comparison: &Comparison<'_>) -> String {
        let inside = |class: usize| match self.bounds(class) {
            (Some(low), _) => low,
            (None, high) => high.unwrap_or_default(),
        };
        let holds: Vec<usize> = (0..self.count()).filter(|class| comparison.holds(inside(*class))).collect();
        let model = self.owner.as_ref().map_or_else(String::new, |owner| format!("{owner}:")) + &self.model;
        match (self.count(), &holds[..]) {
            (_, []) => "false".to_string(),
            (2, [0]) => model,
            (2, [1]) => format!("!{model}"),
            (count, holds) if count == holds.len() => "true".to_string(),
            (_, holds) => {
                let parts = holds.iter().map(|class| format!("{model} == {}", self.class_name(*class)));
                format!("({})", parts.collect::<Vec<_>>().join(" || "))
            }
        }
    }

    /// The condition that a term is of a class.
    fn is_of(&self, terms: &mut Terms, term: TermId, class: usize) -> TermId {
        let (low, high) = self.bounds(class);
        let mut all = TRUE;
        if let Some(low) = low {
            let below = compare(terms, term, low);
            let not_below = terms.not(below);
            all = terms.conjunction(all, not_below);
        }
        if let Some(high) = high {
            let within = compare(terms, term, high + 1);
            all = terms.conjunction(all, within);
        }
        all
    }

    /// A statement; none if it is not one on the variable.
    fn statement(&self, item: &Item) -> Option<Step> {
        let mut terms = Terms::new();
        let narrow = terms.variable(32);
        let before = terms.resize(true, WIDTH, narrow);
        let mut values = Values { terms, name: &self.name, is: before, defined: TRUE };
        let after = values.assigned(item.expr.as_ref()?)?;
        let Values { mut terms, defined, .. } = values;
        let fits = fits(&mut terms, after);
        let defined = terms.conjunction(defined, fits);
        Some(Step { terms, before, after, defined })
    }

    /// The classes after a statement from a class, over all values.
    fn successors(&self, step: &Step, class: usize) -> Vec<usize> {
        let leads = |next: &usize| {
            let mut terms = step.terms.clone();
            let from = self.is_of(&mut terms, step.before, class);
            let to = self.is_of(&mut terms, step.after, *next);
            let both = terms.conjunction(from, to);
            let both = terms.conjunction(both, step.defined);
            is_satisfiable(&terms, both)
        };
        (0..self.count()).filter(leads).collect()
    }

    /// A number instead of the variable: what `value` computes; none where that is undefined.
    fn concrete(&self, value: i64, compute: impl Fn(&mut Values<'_>) -> Option<TermId>) -> Option<i64> {
        let mut terms = Terms::new();
        let is = terms.constant(WIDTH, i128::from(value) as u128);
        let mut values = Values { terms, name: &self.name, is, defined: TRUE };
        let result = compute(&mut values)?;
        let Values { terms, defined, .. } = values;
        (defined == TRUE).then(|| terms.value(result).map(|value| signed(WIDTH, value) as i64)).flatten()
    }

    /// The classes after a statement from a class, over the values of the domain. With `skips`, a result
    /// outside the domain keeps the class; otherwise it may be of any class.
    fn in_domain(&self, expr: &Expr, class: usize, skips: bool) -> BTreeSet<usize> {
        let (low, high) = self.domain;
        let mut found = BTreeSet::new();
        for value in (low..=high).filter(|value| self.class(*value) == class) {
            match self.concrete(value, |values| values.assigned(expr)) {
                Some(next) if (low..=high).contains(&next) => found.extend([self.class(next)]),
                Some(_) if skips => found.extend([class]),
                Some(_) => found.extend(0..self.count()),
                None => {}
            }
        }
        found
    }

    /// Whether the domain shows all successors that a statement has.
    fn covers(&self, item: &Item, skips: bool) -> bool {
        let Some((step, expr)) = self.statement(item).zip(item.expr.as_ref()) else { return false };
        (0..self.count()).all(|class| {
            let shown = self.in_domain(expr, class, skips);
            self.successors(&step, class).iter().all(|next| shown.contains(next))
        })
    }

    /// A label for a row whose effect was decided.
    fn label(&self, is_exact: bool) -> Option<Label> {
        self.is_local.then_some(Label { over: !is_exact, under: false })
    }

    /// The row of a statement on the variable.
    fn statement_row(&self, item: &Item, skips: bool) -> (String, Option<Label>) {
        let Some(step) = self.statement(item).filter(|_| self.covers(item, skips)) else {
            let choices =
                (0..self.count()).map(|class| format!(":: {} = {}", self.model, self.class_name(class)));
            let choices: Vec<String> = choices.collect();
            return (format!("if {} fi", choices.join(" ")), self.label(false));
        };
        let is_exact = (0..self.count()).all(|class| self.successors(&step, class).len() <= 1);
        ("keep".to_string(), self.label(is_exact))
    }

    /// The row of a condition on the variable.
    fn condition_row(&self, item: &Item) -> (String, Option<Label>) {
        let over = || ("true".to_string(), None);
        let Some(expr) = &item.expr else { return over() };
        let mut names = Vec::new();
        names_of(expr, &mut names);
        if names.iter().any(|name| **name != *self.name) {
            return over();
        }
        let mut terms = Terms::new();
        let narrow = terms.variable(32);
        let before = terms.resize(true, WIDTH, narrow);
        let mut values = Values { terms, name: &self.name, is: before, defined: TRUE };
        let Some(value) = values.value(expr) else { return over() };
        let Values { mut terms, defined, .. } = values;
        let zero = terms.constant(WIDTH, 0);
        let fails = terms.equal(value, zero);
        let holds = terms.not(fails);
        let (wanted, other) = if item.denied { (fails, holds) } else { (holds, fails) };
        let (mut is_exact, mut is_shown) = (true, true);
        for class in 0..self.count() {
            let both = [wanted, other].map(|condition| {
                let of = self.is_of(&mut terms, before, class);
                let all = terms.conjunction(of, condition);
                let all = terms.conjunction(all, defined);
                is_satisfiable(&terms, all)
            });
            is_exact &= both != [true, true];
            let (low, high) = self.domain;
            let mut inside = (low..=high).filter(|value| self.class(*value) == class);
            let holds = |value| self.concrete(value, |values| values.value(expr)).is_some_and(|is| is != 0);
            is_shown &= !both[0] || inside.any(|value| holds(value) != item.denied);
        }
        match is_shown {
            true => ("keep".to_string(), self.label(is_exact)),
            false => over(),
        }
    }
}
