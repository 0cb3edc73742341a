//! Declarations: mtypes, records, globals, channels, locals, inlines.
//!
//! *Entry point:* [`Maker::declarations`].

use super::scope::{Chan, Field, Record, Ty, Var};
use super::{Inline, Maker};
use crate::tree::Tree;

/// A type as written, with the suffix of the name.
struct Written {
    keyword: String,
    prefix: &'static str,
    width: Option<usize>,
    ty: Ty,
}

impl Maker {
    /// All global declarations.
    pub(super) fn declarations(&mut self) -> Vec<Tree> {
        let mut parts = Vec::new();
        for kind in 0..self.features.mtypes {
            let names: Vec<String> = (0..2 + self.random.below(2)).map(|_| self.name("m")).collect();
            let list = names.join(", ");
            if kind == 0 {
                parts.push(Tree::text(format!("mtype = {{ {list} }};")));
                self.mtypes.push(("mtype".into(), names));
            } else {
                let subtype = self.name("kind");
                parts.push(Tree::text(format!("mtype:{subtype} = {{ {list} }};")));
                self.mtypes.push((format!("mtype:{subtype}"), names));
            }
        }
        for _ in 0..if self.random.one_in(3) { self.random.few(2) } else { 0 } {
            parts.push(self.record());
        }
        for _ in 0..1 + self.random.below(4) {
            parts.push(self.global());
        }
        let channels = match self.features.rendezvous || self.random.one_in(2) {
            true => self.random.few(3),
            false => 0,
        };
        for index in 0..channels {
            let rendezvous = self.features.rendezvous && (index == 0 || self.random.one_in(3));
            parts.push(self.channel(rendezvous));
        }
        parts
    }

    fn record(&mut self) -> Tree {
        let name = self.name("Record");
        let mut fields = Vec::new();
        let mut texts = Vec::new();
        for _ in 0..1 + self.random.below(3) {
            // Only a record without arrays can be a parameter or a message.
            let len = if self.random.one_in(5) { Some(2) } else { None };
            let written = self.written(len.is_some());
            let field = self.name(written.prefix);
            let shape = written.shape(&field, len);
            texts.push(Tree::text(shape));
            fields.push((field, written.ty, len));
        }
        let inner: Vec<_> =
            self.records.iter().map(|record| (record.name.clone(), record.fields.clone())).collect();
        if !inner.is_empty() && self.random.one_in(3) {
            let (kind, inside) = inner[self.random.below(inner.len())].clone();
            let field = self.name("r");
            texts.push(Tree::text(format!("{kind} {field}")));
            fields.extend(inside.into_iter().map(|(name, ty, len)| (format!("{field}.{name}"), ty, len)));
        }
        let list = Tree::List { open: "{ ", parts: texts, between: "; ", close: " };", least: 1 };
        self.records.push(Record { name: name.clone(), fields });
        Tree::Row(vec![Tree::text(format!("typedef {name} ")), list])
    }

    /// A scalar type. Types that Spin does not truncate inside arrays are excluded there.
    fn written(&mut self, array: bool) -> Written {
        let spin = self.spin();
        let plain = |keyword: &str, prefix, ty| Written { keyword: keyword.into(), prefix, width: None, ty };
        match self.random.below(12) {
            0 | 1 if !(array && spin) => plain("bit", "b", Ty::Bit),
            2 | 3 if !(array && spin) => plain("bool", "b", Ty::Bit),
            4 => plain("short", "s", Ty::Number),
            5 => plain("int", "i", Ty::Number),
            6 if !array => {
                let width = 1 + self.random.below(4);
                Written { width: Some(width), ..plain("unsigned", "u", Ty::Number) }
            }
            7 => plain("pid", "by", Ty::Number),
            8 | 9 if !self.mtypes.is_empty() => {
                let kind = self.random.below(self.mtypes.len());
                plain(&self.mtypes[kind].0.clone(), "m", Ty::Mtype(kind))
            }
            _ => plain("byte", "by", Ty::Number),
        }
    }

    fn global(&mut self) -> Tree {
        if !self.records.is_empty() && self.random.one_in(3) {
            let number = self.random.below(self.records.len());
            let name = self.name("g");
            let text = format!("{} {name};", self.records[number].name);
            self.declare_record(&name, number, true);
            return Tree::text(text);
        }
        let prefix = match self.random.below(24) {
            0 if !self.spin() => "hidden ",
            1 => "show ",
            2 if !self.spin() => "local ",
            _ => "",
        };
        let (declaration, var) = self.variable(true);
        let prefix = if prefix == "hidden " && var.ty == Ty::Bit { "" } else { prefix };
        self.scope.vars.push(var);
        Tree::Row(vec![Tree::text(prefix), declaration, Tree::text(";")])
    }

    /// A variable with its declaration, not yet in scope.
    pub(super) fn variable(&mut self, global: bool) -> (Tree, Var) {
        let len = if self.random.one_in(5) { Some(2 + self.random.below(2)) } else { None };
        let written = self.written(len.is_some());
        let name = self.name(written.prefix);
        let shape = written.shape(&name, len);
        let var = Var { name, ty: written.ty, len, global, busy: false };
        let initial = match (self.random.one_in(3), var.ty) {
            (true, Ty::Mtype(kind)) => Some(self.mtype_name(kind)),
            (true, Ty::Bit) => Some(self.random.below(2).to_string()),
            (true, Ty::Number) => Some(self.random.below(3).to_string()),
            _ => None,
        };
        let declaration = match initial {
            None => Tree::text(shape),
            Some(initial) => Tree::Row(vec![
                Tree::text(shape),
                Tree::List {
                    open: "",
                    parts: vec![Tree::text(format!(" = {initial}"))],
                    between: "",
                    close: "",
                    least: 0,
                },
            ]),
        };
        (declaration, var)
    }

    /// Declares a record variable and its fields.
    pub(super) fn declare_record(&mut self, name: &str, number: usize, global: bool) {
        self.scope.records.push((name.to_string(), number));
        for (field, ty, len) in self.records[number].fields.clone() {
            self.scope.vars.push(Var { name: format!("{name}.{field}"), ty, len, global, busy: false });
        }
    }

    fn channel(&mut self, rendezvous: bool) -> Tree {
        let name = self.name("c");
        let len = if self.random.one_in(6) { Some(2) } else { None };
        let capacity = if rendezvous { 0 } else { self.random.few(3) };
        let (mut fields, mut texts) = (Vec::new(), Vec::new());
        for _ in 0..self.random.few(3) {
            let whole: Vec<usize> = (0..self.records.len())
                .filter(|&number| {
                    let fields = &self.records[number].fields;
                    fields
                        .iter()
                        .all(|(name, _, len)| len.is_none() && !name.starts_with('u') && !name.contains(".u"))
                })
                .collect();
            if !whole.is_empty() && self.random.one_in(6) {
                let number = whole[self.random.below(whole.len())];
                texts.push(self.records[number].name.clone());
                fields.push(Field::Record(number));
                continue;
            }
            let written = self.written(true);
            // A message field has no width of its own.
            texts.push(written.keyword.clone());
            fields.push(Field::Scalar(written.ty));
        }
        if !self.channels.is_empty() && self.random.one_in(8) {
            texts.push("chan".into());
            fields.push(Field::Scalar(Ty::Chan(self.random.below(self.channels.len()))));
        }
        let shape = len.map_or(name.clone(), |len| format!("{name}[{len}]"));
        let text = format!("chan {shape} = [{capacity}] of {{ {} }};", texts.join(", "));
        self.channels.push(Chan { name, len, capacity, fields });
        Tree::text(text)
    }

    /// An inline over the globals and its parameters, which denote assignable numbers.
    pub(super) fn inline(&mut self) -> Option<Tree> {
        let name = self.name("inl");
        let count = self.random.below(3);
        let parameters: Vec<String> = (0..count).map(|_| self.name("x")).collect();
        let scope = self.scope.clone();
        for parameter in &parameters {
            self.scope.vars.push(Var {
                name: parameter.clone(),
                ty: Ty::Number,
                len: None,
                global: false,
                busy: false,
            });
        }
        self.budget = 4;
        let body = self.body(1, super::statement::Place::inline());
        self.scope = scope;
        self.inlines.push(Inline { name: name.clone(), parameters: count });
        Some(Tree::Row(vec![Tree::text(format!("inline {name}({}) ", parameters.join(", "))), body]))
    }
}

impl Written {
    fn shape(&self, name: &str, len: Option<usize>) -> String {
        let width = self.width.map(|width| format!(" : {width}")).unwrap_or_default();
        let len = len.map(|len| format!("[{len}]")).unwrap_or_default();
        format!("{} {name}{len}{width}", self.keyword)
    }
}
