//! Single statements, declarations and guards, as the table maps them.
//!
//! *Entry points:* [`Generator::step`], [`Generator::guard`].

use std::sync::Arc;

use axle_source::{Diagnostic, Loc};

use super::Generator;
use crate::canonical;
use crate::item::{Class, Item};
use crate::keep::{self, Kept};
use crate::lookup::Found;
use crate::node::{Arm, Node};
use crate::syntax::{Decl, Expr, Init, Kind};
use crate::table::{Label, Mapping, Outside, ValueMap, Values};
use crate::values;

/// The guard of a way.
pub(super) struct Guard {
    pub text: String,
    pub of: usize,
    pub note: String,
    /// It says nothing: `true`.
    pub always: bool,
    /// It is `else`.
    pub otherwise: bool,
    /// It is kept as it stands, so that it has no effect.
    pub kept: bool,
    /// A comment that stands for it.
    pub aside: Option<String>,
}

impl Generator<'_> {
    /// The statements that an expression makes.
    pub(super) fn expression(&mut self, expr: &Expr) -> Vec<Node> {
        let items = Item::statements(expr);
        items.iter().flat_map(|item| self.step(item, item.loc)).collect()
    }

    /// A statement, as mapped.
    pub(super) fn step(&mut self, item: &Item, loc: Loc) -> Vec<Node> {
        let found = self.found(item);
        let of = self.note_use(item, loc, &found, None);
        let note = self.comment(item, loc);
        let step = |text: String| vec![Node::Step(text, Some(of), note.clone())];
        let nodes = match &found.mapping {
            Mapping::Hide => vec![Node::Hidden(of, true)],
            Mapping::Comment => vec![Node::Note(note.clone()), Node::Hidden(of, true)],
            Mapping::Print => step(printed(item)),
            Mapping::Skip => step("skip".into()),
            Mapping::True => step("true".into()),
            Mapping::False => step("false".into()),
            Mapping::Text(text) => {
                let text = self.fill(text, &found, of);
                step(text)
            }
            Mapping::Assume(text) => {
                let text = self.fill(text, &found, of);
                step(format!("({text})"))
            }
            Mapping::Keep => self.kept(item, loc, &found, of),
            Mapping::Havoc(object, values) => self.havoc(item, loc, &found, of, object.as_deref(), values),
            Mapping::Else | Mapping::Nondet => {
                let message = "`else` and `nondet` are for conditions; this is none".to_string();
                self.refuse("E0814", message, &found, loc, "");
                Vec::new()
            }
        };
        self.begun |= nodes.iter().any(Node::acts) && item.class != Class::Declaration;
        nodes
    }

    fn kept(&mut self, item: &Item, loc: Loc, found: &Found, of: usize) -> Vec<Node> {
        if let Some(decl) = &item.decl {
            return self.kept_declaration(item, decl, loc, found, of);
        }
        // A return has no meaning in a process but to end it, which its place does.
        if item.class == Class::Return {
            return vec![Node::Hidden(of, true)];
        }
        let Some(expr) = &item.expr else { return Vec::new() };
        let mapped: Vec<_> = self
            .maps()
            .into_iter()
            .filter(|map| item.names().iter().any(|name| **name == *map.name))
            .collect();
        if !mapped.is_empty() {
            let note = self.comment(item, loc);
            return match values::statement(expr, &mapped, of, &note) {
                Ok(statement) => {
                    self.note_domain(of, &mapped, statement.leaves);
                    statement.nodes
                }
                Err(refusal) => self.cannot_map(&refusal, &mapped, found, loc),
            };
        }
        match keep::statement(expr, &self.spelling()) {
            Ok(Kept { text, changed, objects }) => {
                self.uses[of].changed = changed;
                self.uses[of].objects = objects;
                if names_a_string(expr) {
                    self.uses[of].kept = Some((Label::BOTH, "a string becomes a symbolic name of the model"));
                }
                let note = self.kept_comment(item, &text, loc);
                vec![Node::Step(text, Some(of), note)]
            }
            Err(why) => self.cannot_keep(&why, found, loc),
        }
    }

    /// Notes that a result may lie outside the domain of a `Map`: then the classes describe a part
    /// of the values only.
    fn note_domain(&mut self, of: usize, maps: &[&ValueMap], leaves: bool) {
        let covers = maps.iter().all(|map| map.outside == Outside::Nondet && self.covers_type(map));
        if leaves && !covers {
            self.uses[of].kept = Some((Label::BOTH, "its result can lie outside the domain of the `Map`"));
        }
    }

    /// Whether the domain of a `Map` contains every value of the object's type.
    fn covers_type(&self, map: &ValueMap) -> bool {
        let mut bases = Vec::new();
        let mut note = |decl: &Decl| {
            let of_it = decl.declared.iter().filter(|one| *one.name == *map.name);
            bases.extend(of_it.map(|one| (decl.base.clone(), one.derived)));
        };
        self.context.unit.globals.iter().for_each(&mut note);
        self.context.function.params.iter().for_each(|param| note(&param.decl));
        self.context.function.body.iter().for_each(|stmt| stmt.declarations(&mut note));
        let (low, high) = map.domain;
        let covers = |(base, derived): &(Arc<str>, bool)| {
            !derived && keep::range(base).is_some_and(|(from, to)| low <= from && to <= high)
        };
        !bases.is_empty() && bases.iter().all(covers)
    }

    fn cannot_map(
        &mut self,
        refusal: &values::Refusal,
        maps: &[&ValueMap],
        found: &Found,
        loc: Loc,
    ) -> Vec<Node> {
        if !refusal.outside {
            return self.cannot_keep(&refusal.why, found, loc);
        }
        let help = "extend the domain, or choose `else -> nondet` or `else -> skip`";
        let mut fault = Diagnostic::error("E0823", &*refusal.why).at(loc, "");
        for map in maps {
            fault = fault.also(map.loc, "the domain is here");
        }
        self.diagnostics.push(fault.help(help));
        Vec::new()
    }

    /// The comment behind a kept statement: its text where it differs from the model's.
    fn kept_comment(&self, item: &Item, text: &str, loc: Loc) -> String {
        let bare = |text: &str| text.replace(' ', "");
        if bare(text) == bare(&item.text) {
            format!("line {}", self.line(loc))
        } else {
            self.comment(item, loc)
        }
    }

    fn cannot_keep(&mut self, why: &str, found: &Found, loc: Loc) -> Vec<Node> {
        let help = "give the row a text of the model, or a `Substitute` rule";
        self.refuse("E0821", format!("this cannot be kept: {why}"), found, loc, help);
        Vec::new()
    }

    fn kept_declaration(
        &mut self,
        item: &Item,
        decl: &Decl,
        loc: Loc,
        found: &Found,
        of: usize,
    ) -> Vec<Node> {
        let mut split = self.open.len() > 1 || self.begun;
        let note = self.comment(item, loc);
        let maps = self.maps();
        let map_of = |name: &str| maps.iter().copied().find(|map| map.name == name);
        // Mapped objects are declared one by one, and get the class of their initial value.
        let (mut abstracted, mut concrete) = (Vec::new(), decl.clone());
        concrete.declared.retain(|one| map_of(&one.name).is_none());
        for one in &decl.declared {
            let Some(map) = map_of(&one.name) else { continue };
            let set = match &one.init {
                None => Vec::new(),
                Some(Init::Value(value)) => match values::initial(value, map) {
                    Some(class) => {
                        vec![Node::Step(format!("{} = {class}", map.model), Some(of), note.clone())]
                    }
                    None => match values::statement(&one.assigned(value), &[map], of, &note) {
                        Ok(statement) => {
                            self.note_domain(of, &[map], statement.leaves);
                            statement.nodes
                        }
                        Err(refusal) => return self.cannot_map(&refusal, &[map], found, loc),
                    },
                },
                Some(Init::List(_)) => {
                    return self.cannot_keep("a `Map` applies to single values, not to arrays", found, loc);
                }
            };
            split |= !set.is_empty();
            let ty = if map.is_boolean() { "bool" } else { "int" };
            abstracted.push((format!("{ty} {}", map.model), set));
        }
        let mut declarations: Vec<String> = Vec::new();
        let mut values: Vec<Node> = Vec::new();
        if !concrete.declared.is_empty() {
            let kept = match keep::declaration(&concrete, &self.spelling(), split) {
                Ok(kept) => kept,
                Err(why) => return self.cannot_keep(&why, found, loc),
            };
            if self.uses[of].kept.is_none() {
                self.uses[of].kept = kept.why.map(|why| (kept.label, why));
            }
            self.uses[of].changed = kept.changed;
            self.uses[of].objects = kept.objects;
            declarations.push(kept.declaration);
            values.extend(kept.values.into_iter().map(|text| Node::Step(text, Some(of), note.clone())));
        }
        for (declaration, set) in abstracted {
            declarations.push(declaration);
            values.extend(set);
        }
        let mut again = false;
        for declared in &decl.declared {
            let shown = format!("{} {}", decl.base, declared.text);
            let before = self.declared.insert(declared.name.clone(), shown.clone());
            let nested = self.open.iter().flatten().any(|name| *name == declared.name);
            if nested || before.as_ref().is_some_and(|before| *before != shown) {
                let message = format!("`{}` is declared twice, and the model would have one", declared.name);
                self.refuse("E0822", message, found, loc, "map one of the declarations by hand");
            }
            again |= before.is_some();
            if let Some(block) = self.open.last_mut() {
                block.push(declared.name.clone());
            }
        }
        if !split {
            return declarations.into_iter().map(|text| Node::Step(text, Some(of), note.clone())).collect();
        }
        if !again {
            self.hoisted.extend(declarations.into_iter().map(|text| (text, Some(of), note.clone())));
        }
        self.begun |= !values.is_empty();
        values
    }

    fn havoc(
        &mut self,
        item: &Item,
        loc: Loc,
        found: &Found,
        of: usize,
        object: Option<&str>,
        values: &Values,
    ) -> Vec<Node> {
        let target = match (object, item.expr.as_ref().map(|expr| &expr.kind)) {
            (Some(object), _) => Ok(self.fill(object, found, of)),
            (None, Some(Kind::Assign(_, target, _) | Kind::Postfix(target, _) | Kind::Prefix(_, target))) => {
                keep::part(&canonical::text(target), &self.spelling()).map(|kept| kept.text)
            }
            _ => Err("it is not said what gets a value".into()),
        };
        let target = match target {
            Ok(target) => target,
            Err(why) => {
                let help = "name the object: `havoc x in 0..3`";
                self.refuse("E0821", format!("nothing can get any value here: {why}"), found, loc, help);
                return Vec::new();
            }
        };
        let note = self.comment(item, loc);
        let list = match values {
            Values::Range(low, high) => {
                return vec![Node::Step(format!("select({target} : {low} .. {high})"), Some(of), note)];
            }
            Values::Bits => vec!["0".to_string(), "1".to_string()],
            Values::List(list) => list.clone(),
        };
        let arm = |value: String| Arm {
            guard: Some((format!("{target} = {value}"), Some(of), String::new())),
            body: Vec::new(),
        };
        vec![Node::Note(note), Node::If(list.into_iter().map(arm).collect())]
    }

    /// The guard that a condition, or its opposite, becomes. None: the way is closed.
    pub(super) fn guard(&mut self, item: &Item, opposite: Option<&Item>) -> Option<Guard> {
        let found = self.found(item);
        let other = opposite.map(|item| self.found(item).mapping);
        let of = self.note_use(item, item.loc, &found, other);
        let note = self.comment(item, item.loc);
        let mut guard = Guard {
            text: String::new(),
            of,
            note: note.clone(),
            always: false,
            otherwise: false,
            kept: false,
            aside: None,
        };
        match &found.mapping {
            Mapping::False => return None,
            Mapping::True | Mapping::Hide | Mapping::Nondet => {
                guard.text = "true".into();
                guard.always = true;
            }
            Mapping::Comment => {
                guard.text = "true".into();
                guard.always = true;
                guard.aside = Some(note);
            }
            Mapping::Print => guard.text = printed(item),
            Mapping::Skip => guard.text = "skip".into(),
            Mapping::Else => {
                guard.text = "else".into();
                guard.otherwise = true;
            }
            Mapping::Text(text) => guard.text = self.fill(text, &found, of),
            Mapping::Assume(text) => guard.text = format!("({})", self.fill(text, &found, of)),
            Mapping::Keep => {
                let Some(expr) = &item.expr else { return None };
                let names = item.names();
                let maps: Vec<_> =
                    self.maps().into_iter().filter(|map| names.iter().any(|n| **n == *map.name)).collect();
                let kept = match maps.is_empty() {
                    true => keep::condition(expr, item.denied, &self.spelling()),
                    false => values::condition(expr, item.denied, &maps)
                        .map(|text| Kept { text, changed: false, objects: Vec::new() })
                        .map_err(|refusal| refusal.why),
                };
                match kept {
                    Ok(Kept { text, changed, objects }) => {
                        self.uses[of].changed = changed;
                        self.uses[of].objects = objects;
                        if names_a_string(expr) {
                            self.uses[of].kept =
                                Some((Label::BOTH, "a string becomes a symbolic name of the model"));
                        }
                        guard.note = self.kept_comment(item, &text, item.loc);
                        guard.text = text;
                        guard.kept = true;
                    }
                    Err(why) => {
                        self.cannot_keep(&why, &found, item.loc);
                    }
                }
            }
            Mapping::Havoc(..) => {
                let message = "`havoc` is for statements; a condition takes `nondet`".to_string();
                self.refuse("E0814", message, &found, item.loc, "");
            }
        }
        Some(guard)
    }

    /// A return, at the end of the function or before it.
    pub(super) fn returned(&mut self, value: Option<&Expr>, loc: Loc, tail: bool) -> Vec<Node> {
        let item = Item::returned(value, loc);
        let mut nodes = self.step(&item, loc);
        let jumps = |text: &str| text.split(|c: char| !c.is_alphanumeric() && c != '_').any(|w| w == "goto");
        let leaves = nodes.iter().any(|node| matches!(node, Node::Step(text, ..) if jumps(text)));
        if !tail && !leaves {
            let label = self.return_label();
            nodes.push(Node::Goto(self.want(&label)));
        }
        nodes
    }

    /// The parameters of a process.
    pub(super) fn parameters(&mut self) -> String {
        let mut list = Vec::new();
        for param in &self.context.function.params {
            let item = Item::parameter(param);
            let found = self.found(&item);
            let of = self.note_use(&item, item.loc, &found, None);
            match &found.mapping {
                Mapping::Text(text) => list.push(text.trim_end_matches(';').to_string()),
                Mapping::Keep => match keep::declaration(&param.decl, &self.spelling(), true) {
                    Ok(kept) => {
                        self.uses[of].kept = kept.why.map(|why| (kept.label, why));
                        self.uses[of].changed = kept.changed;
                        list.push(kept.declaration);
                    }
                    Err(why) => {
                        self.cannot_keep(&why, &found, item.loc);
                    }
                },
                _ => {}
            }
        }
        list.join("; ")
    }

    pub(super) fn goto(&mut self, name: &str) -> Node {
        let label = self.context.names.label(name);
        Node::Goto(self.want(&label))
    }
}

/// Whether a string occurs as a value, outside the arguments of calls.
fn names_a_string(expr: &Expr) -> bool {
    match &expr.kind {
        Kind::Literal(text) => text.starts_with('"'),
        Kind::Call(..) => false,
        _ => expr.parts().into_iter().any(names_a_string),
    }
}

/// A `printf` of the statement's text.
fn printed(item: &Item) -> String {
    let text = item.shown().replace('\\', "\\\\").replace('"', "'").replace('%', "%%");
    format!("printf(\"{text}\\n\")")
}
