//! Sends, all kinds of receives, and channel expressions.
//!
//! *Entry points:* [`Maker::send`], [`Maker::receive`], [`Maker::channel_guard`].

use super::Maker;
use super::scope::{Chan, Field, Ty};
use crate::tree::Tree;

impl Maker {
    /// A channel in scope with its message type.
    pub(super) fn channel_in_scope(&mut self, wanted: impl Fn(&Chan) -> bool) -> Option<(String, Chan)> {
        let mut known: Vec<(String, Chan)> = Vec::new();
        for chan in self.channels.iter().filter(|chan| wanted(chan)) {
            let place = match chan.len {
                None => chan.name.clone(),
                Some(len) => format!("{}[{}]", chan.name, self.random.below(len)),
            };
            known.push((place, chan.clone()));
        }
        for var in &self.scope.vars {
            // A local variable holds a channel only after a receive; a parameter always does.
            let held = var.name.starts_with("pc") || self.features.faults;
            if let Ty::Chan(number) = var.ty
                && held
                && wanted(&self.channels[number])
            {
                known.push((var.name.clone(), self.channels[number].clone()));
            }
        }
        match known.is_empty() {
            true => None,
            false => Some(known.swap_remove(self.random.below(known.len()))),
        }
    }

    /// `c!...` or `c!!...`; `rendezvous` allows rendezvous channels.
    pub(super) fn send(&mut self, rendezvous: bool) -> Option<Tree> {
        let (place, chan) = self.channel_in_scope(|chan| rendezvous || chan.capacity > 0)?;
        let mut arguments = Vec::new();
        for field in &chan.fields {
            arguments.push(self.sent(field)?);
        }
        let sign = if chan.capacity > 0 && self.random.one_in(5) { "!!" } else { "!" };
        if arguments.len() > 1 && self.random.one_in(6) {
            let first = arguments.remove(0);
            let rest =
                Tree::List { open: "(", parts: arguments, between: ", ", close: ")", least: usize::MAX };
            return Some(Tree::Row(vec![Tree::text(format!("{place}{sign}")), first, rest]));
        }
        let list = Tree::List { open: "", parts: arguments, between: ", ", close: "", least: usize::MAX };
        Some(Tree::Row(vec![Tree::text(format!("{place}{sign}")), list]))
    }

    fn sent(&mut self, field: &Field) -> Option<Tree> {
        Some(match field {
            Field::Scalar(Ty::Bit) if self.random.one_in(2) => self.condition(0),
            Field::Scalar(Ty::Bit | Ty::Number) => self.number(1),
            Field::Scalar(Ty::Mtype(kind)) => {
                let vars = self.readable(|var| var.ty == Ty::Mtype(*kind));
                if !vars.is_empty() && self.random.one_in(3) {
                    let var = vars[self.random.below(vars.len())].clone();
                    Tree::text(self.place(&var))
                } else {
                    Tree::text(self.mtype_name(*kind))
                }
            }
            Field::Scalar(Ty::Chan(number)) => {
                let chan = &self.channels[*number];
                Tree::text(chan.len.map_or(chan.name.clone(), |_| format!("{}[0]", chan.name)))
            }
            Field::Record(number) => Tree::text(self.record_var(*number)?),
        })
    }

    fn record_var(&mut self, number: usize) -> Option<String> {
        let vars: Vec<_> = self.scope.records.iter().filter(|(_, kind)| *kind == number).collect();
        (!vars.is_empty()).then(|| vars[self.random.below(vars.len())].0.clone())
    }

    /// `c?...`, `c??...`, `c?<...>` or `c??<...>`.
    pub(super) fn receive(&mut self, rendezvous: bool) -> Option<Tree> {
        let (place, chan) = self.channel_in_scope(|chan| rendezvous || chan.capacity > 0)?;
        let list = self.patterns(&chan, true)?;
        let random = chan.capacity > 0 && self.random.one_in(4);
        let sign = if random { "??" } else { "?" };
        let copy = chan.capacity > 0 && self.random.one_in(6);
        let (open, close) = if copy { ("<", ">") } else { ("", "") };
        Some(Tree::Row(vec![Tree::text(format!("{place}{sign}{open}")), list, Tree::text(close)]))
    }

    /// `c?[...]` or `c??[...]`
    pub(super) fn poll(&mut self) -> Option<String> {
        let (place, chan) = self.channel_in_scope(|chan| chan.capacity > 0)?;
        if chan.fields.iter().any(|field| matches!(field, Field::Record(_))) {
            return None;
        }
        let list = self.patterns(&chan, false)?;
        let sign = self.random.pick(&["?", "??"]);
        Some(format!("{place}{sign}[{list}]"))
    }

    /// The arguments of a receive; without `bind` only constants and expressions to match.
    fn patterns(&mut self, chan: &Chan, bind: bool) -> Option<Tree> {
        let mut used: Vec<String> = Vec::new();
        let mut parts = Vec::new();
        for field in &chan.fields {
            let text = match field {
                Field::Record(number) => {
                    let var = self.record_var(*number)?;
                    if used.contains(&var) {
                        return None;
                    }
                    used.push(var.clone());
                    var
                }
                Field::Scalar(ty) => self.pattern(*ty, bind, &mut used),
            };
            parts.push(Tree::text(text));
        }
        Some(Tree::List { open: "", parts, between: ", ", close: "", least: usize::MAX })
    }

    fn pattern(&mut self, ty: Ty, bind: bool, used: &mut Vec<String>) -> String {
        let fits = |have: Ty| match ty {
            Ty::Bit | Ty::Number => matches!(have, Ty::Bit | Ty::Number),
            Ty::Mtype(_) | Ty::Chan(_) => have == ty,
        };
        let vars = self.readable(|var| fits(var.ty));
        let choice = self.random.below(8);
        if bind && choice < 4 {
            let free: Vec<_> = vars
                .iter()
                .filter(|var| !var.busy && var.len.is_none() && !used.contains(&var.name))
                .collect();
            if !free.is_empty() {
                let name = free[self.random.below(free.len())].name.clone();
                used.push(name.clone());
                return name;
            }
        }
        match (choice, ty) {
            (4 | 5, Ty::Bit | Ty::Number) => self.random.below(3).to_string(),
            (4 | 5, Ty::Mtype(kind)) => self.mtype_name(kind),
            (6, Ty::Bit | Ty::Number | Ty::Mtype(_)) if !vars.is_empty() => {
                let scalar: Vec<_> = vars.iter().filter(|var| var.len.is_none()).collect();
                match scalar.is_empty() {
                    true => "_".into(),
                    false => format!("eval({})", scalar[self.random.below(scalar.len())].name),
                }
            }
            _ => "_".into(),
        }
    }

    /// `full(c)` and similar expressions, or a combination of two.
    pub(super) fn channel_guard(&mut self) -> Option<Tree> {
        let one = |maker: &mut Maker| {
            let (place, _) = maker.channel_in_scope(|chan| chan.capacity > 0)?;
            let asked = maker.random.pick(&["full", "nfull", "empty", "nempty"]);
            Some(Tree::value(format!("{asked}({place})")))
        };
        let first = one(self)?;
        if self.random.one_in(4) {
            let sign = self.random.pick(&["&&", "||"]);
            let second = one(self)?;
            return Some(super::value::joined(first, sign, second));
        }
        Some(first)
    }
}
