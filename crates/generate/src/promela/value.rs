//! Expressions: numbers, conditions, assignable locations.
//!
//! *Entry points:* [`Maker::number`], [`Maker::condition`].

use super::Maker;
use super::scope::{Ty, Var};
use crate::tree::Tree;

/// An expression with these parts.
pub(super) fn value(parts: Vec<Tree>) -> Tree {
    Tree::Value(parts)
}

/// A parenthesised binary expression.
pub(super) fn joined(left: Tree, sign: &str, right: Tree) -> Tree {
    value(vec![Tree::text("("), left, Tree::text(format!(" {sign} ")), right, Tree::text(")")])
}

impl Maker {
    /// The readable variables that satisfy a predicate.
    pub(super) fn readable(&self, wanted: impl Fn(&Var) -> bool) -> Vec<Var> {
        self.scope.vars.iter().filter(|var| wanted(var)).cloned().collect()
    }

    /// A variable or an element of it as text.
    pub(super) fn place(&mut self, var: &Var) -> String {
        match var.len {
            None => var.name.clone(),
            Some(len) => {
                let index = self.index(len, var.global);
                format!("{}[{index}]", var.name)
            }
        }
    }

    /// An index into an array of this length: usually a constant, sometimes an expression.
    fn index(&mut self, len: usize, global: bool) -> String {
        if self.features.faults && self.random.one_in(6) {
            return len.to_string();
        }
        let numbers = self.readable(|var| var.len.is_none() && var.ty == Ty::Bit && (!global || var.global));
        if len >= 2 && !numbers.is_empty() && self.random.one_in(4) {
            return numbers[self.random.below(numbers.len())].name.clone();
        }
        let bytes = self.readable(|var| {
            var.len.is_none() && var.ty == Ty::Number && var.name.starts_with("by") && (!global || var.global)
        });
        if !bytes.is_empty() && self.random.one_in(4) {
            return format!("{} % {len}", bytes[self.random.below(bytes.len())].name);
        }
        self.random.below(len).to_string()
    }

    /// A small constant as text, sometimes one near a limit.
    pub(super) fn constant(&mut self) -> String {
        match self.random.below(40) {
            0 => {
                self.random.pick(&["255", "256", "127", "32767", "32768", "65535", "2147483647"]).to_string()
            }
            1 => self.random.pick(&["-1", "-2", "-32768"]).to_string(),
            _ => self.random.below(4).to_string(),
        }
    }

    /// A numeric expression.
    pub(super) fn number(&mut self, depth: usize) -> Tree {
        let vars = self.readable(|var| matches!(var.ty, Ty::Bit | Ty::Number));
        if depth == 0 || self.random.one_in(3) {
            return match self.random.below(12) {
                0..=6 if !vars.is_empty() => {
                    let var = vars[self.random.below(vars.len())].clone();
                    Tree::value(self.place(&var))
                }
                7 => Tree::value(self.special()),
                8 => self.length(),
                _ => Tree::value(self.constant()),
            };
        }
        let depth = depth - 1;
        match self.random.below(16) {
            0..=3 => {
                let sign = self.random.pick(&["+", "-"]);
                joined(self.number(depth), sign, self.number(depth))
            }
            4 => joined(self.number(depth), "*", Tree::value(self.random.pick(&["2", "3", "0"]))),
            5 | 6 => {
                let sign = self.random.pick(&["%", "/"]);
                let by = match self.features.faults {
                    true => self.number(0),
                    false => Tree::value(self.random.pick(&["2", "3", "5", "(-2)"])),
                };
                // An expression that shrinking cannot replace by 0.
                let by = Tree::Row(vec![by]);
                value(vec![
                    Tree::text("("),
                    self.number(depth),
                    Tree::text(format!(" {sign} ")),
                    by,
                    Tree::text(")"),
                ])
            }
            7 => {
                let sign = self.random.pick(&["&", "|", "^"]);
                joined(self.number(depth), sign, self.number(depth))
            }
            8 => {
                let (sign, by) = (self.random.pick(&["<<", ">>"]), self.random.pick(&["1", "2", "3"]));
                joined(self.number(depth), sign, Tree::value(by))
            }
            9 => {
                let sign = self.random.pick(&["-", "~"]);
                value(vec![Tree::text(format!("({sign}")), self.number(depth), Tree::text(")")])
            }
            10 => value(vec![
                Tree::text("("),
                self.condition(depth),
                Tree::text(" -> "),
                self.number(depth),
                Tree::text(" : "),
                self.number(depth),
                Tree::text(")"),
            ]),
            _ => self.condition(depth),
        }
    }

    /// A predefined variable.
    fn special(&mut self) -> String {
        let known: Vec<(usize, usize)> = self.processes.iter().filter_map(|process| process.active).collect();
        match self.random.below(8) {
            0 | 1 => "_pid".into(),
            // In pan, a claim is a process and counts.
            2 | 3 if !(self.spin() && (self.features.never || self.features.formulas > 0)) => "_nr_pr".into(),
            4 if self.features.processes => "_last".into(),
            5 if self.features.priorities => match self.random.one_in(2) {
                true => "_priority".into(),
                false => "get_priority(_pid)".into(),
            },
            6 if self.features.processes && !self.spin() && !known.is_empty() => {
                let (_, first) = known[self.random.below(known.len())];
                let asked = self.random.pick(&["enabled", "pc_value"]);
                format!("{asked}({first})")
            }
            _ => self.constant(),
        }
    }

    fn length(&mut self) -> Tree {
        match self.channel_in_scope(|_| true) {
            Some((place, _)) => Tree::value(format!("len({place})")),
            None => Tree::value(self.constant()),
        }
    }

    /// An expression whose value is 0 or 1.
    pub(super) fn condition(&mut self, depth: usize) -> Tree {
        if depth > 0 && self.random.one_in(4) {
            let depth = depth - 1;
            return match self.random.below(5) {
                0 => value(vec![Tree::text("!("), self.condition(depth), Tree::text(")")]),
                1 | 2 => joined(self.condition(depth), "&&", self.condition(depth)),
                _ => joined(self.condition(depth), "||", self.condition(depth)),
            };
        }
        let mtypes = self.readable(|var| matches!(var.ty, Ty::Mtype(_)));
        match self.random.below(12) {
            0 | 1 if !mtypes.is_empty() => {
                let var = mtypes[self.random.below(mtypes.len())].clone();
                let Ty::Mtype(kind) = var.ty else { return Tree::value("true") };
                let sign = self.random.pick(&["==", "!="]);
                let (place, name) = (self.place(&var), self.mtype_name(kind));
                Tree::value(format!("({place} {sign} {name})"))
            }
            2 => {
                let bits = self.readable(|var| var.ty == Ty::Bit);
                match bits.is_empty() {
                    true => Tree::value(self.random.pick(&["true", "false"])),
                    false => {
                        let var = bits[self.random.below(bits.len())].clone();
                        let not = self.random.pick(&["", "!"]);
                        let place = self.place(&var);
                        Tree::value(format!("{not}{place}"))
                    }
                }
            }
            3 if self.random.one_in(2) => self.remote().map_or_else(|| Tree::value("true"), Tree::value),
            4 if self.random.one_in(2) => self.poll().map_or_else(|| Tree::value("true"), Tree::value),
            _ => {
                let sign = self.random.pick(&["==", "!=", "<", "<=", ">", ">="]);
                let left = self.number(depth.min(1));
                joined(left, sign, self.number(0))
            }
        }
    }

    /// A name of the mtype with this number.
    pub(super) fn mtype_name(&mut self, kind: usize) -> String {
        let names = &self.mtypes[kind].1;
        names[self.random.below(names.len())].clone()
    }

    /// A remote reference: the location of a process, or one of its variables.
    pub(super) fn remote(&mut self) -> Option<String> {
        let known: Vec<_> =
            self.processes.iter().filter(|process| process.active.is_some()).cloned().collect();
        if known.is_empty() {
            return None;
        }
        let process = &known[self.random.below(known.len())];
        let (_, first) = process.active?;
        if !process.labels.is_empty() && self.random.one_in(2) {
            let label = &process.labels[self.random.below(process.labels.len())];
            return Some(format!("{}[{first}]@{label}", process.name));
        }
        if process.locals.is_empty() {
            return None;
        }
        let local = &process.locals[self.random.below(process.locals.len())];
        Some(format!("({}[{first}]:{local} > 0)", process.name))
    }
}
