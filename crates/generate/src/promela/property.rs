//! Properties of a program: formulas or a never claim.
//!
//! *Entry point:* [`Maker::properties`].

use super::Maker;
use crate::tree::Tree;

impl Maker {
    pub(super) fn properties(&mut self) -> Vec<Tree> {
        self.scope = self.globals();
        self.features.processes = false;
        if self.features.never {
            return vec![self.never()];
        }
        (0..self.features.formulas)
            .map(|_| {
                let name = self.name("f");
                let size = 1 + self.random.below(4);
                let formula = self.formula(size);
                Tree::Row(vec![Tree::text(format!("ltl {name} {{ ")), formula, Tree::text(" }")])
            })
            .collect()
    }

    fn atom(&mut self) -> Tree {
        match self.random.below(4) {
            0 => match self.remote() {
                Some(text) => Tree::value(format!("({text})")),
                None => self.atom_of_globals(),
            },
            _ => self.atom_of_globals(),
        }
    }

    fn atom_of_globals(&mut self) -> Tree {
        Tree::Value(vec![
            Tree::text("("),
            super::value::joined(self.number(0), "==", Tree::text("1")),
            Tree::text(")"),
        ])
    }

    /// A formula with `size` operators; without `X`, which Debian's Spin does not support.
    fn formula(&mut self, size: usize) -> Tree {
        if size == 0 {
            return self.atom();
        }
        let size = size - 1;
        let next = !self.spin() && self.random.one_in(10);
        match self.random.below(8) {
            0 | 1 => Tree::Value(vec![Tree::text("([] "), self.formula(size), Tree::text(")")]),
            2 | 3 => Tree::Value(vec![Tree::text("(<> "), self.formula(size), Tree::text(")")]),
            4 => Tree::Value(vec![
                Tree::text(if next { "(X " } else { "(! " }),
                self.formula(size),
                Tree::text(")"),
            ]),
            _ => {
                let sign = self.random.pick(&["U", "->", "&&", "||", "W", "V", "<->", "U"]);
                let left = self.random.below(size + 1);
                super::value::joined(self.formula(left), sign, self.formula(size - left))
            }
        }
    }

    /// A claim of two loops. A run that stays in the second is accepted; the claim may also end.
    fn never(&mut self) -> Tree {
        let (a, b, c) = (self.atom(), self.atom(), self.atom());
        let end = self.random.one_in(3);
        let mut parts = vec![Tree::Row(vec![
            Tree::text("never {\nT0:\n\tdo\n\t:: "),
            a,
            Tree::text(" -> goto accept\n\t:: "),
            b,
            Tree::text("\n\t:: else -> skip\n\tod;\naccept:\n\tdo\n\t:: "),
            c,
        ])];
        parts.push(Tree::text(match end {
            true => "\n\t:: true -> break\n\tod\n}",
            false => "\n\tod\n}",
        }));
        Tree::Row(parts)
    }
}
