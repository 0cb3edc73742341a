//! A text with joints: which parts of it can be left out, and which expressions can be made
//! simpler.
//!
//! *Entry points:* [`Tree::edits`], [`Tree::edited`]; the text is its `Display`.

use std::fmt;

/// A part of a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Tree {
    /// As it stands.
    Text(String),
    /// These, one after the other; none can be left out.
    Row(Vec<Tree>),
    /// Parts of which each can be left out, as long as so many stay.
    List {
        /// Before the first.
        open: &'static str,
        /// The parts.
        parts: Vec<Tree>,
        /// Between two.
        between: &'static str,
        /// Behind the last.
        close: &'static str,
        /// How few there can be.
        least: usize,
    },
    /// An expression: a constant can stand for it, and so can any expression inside it.
    Value(Vec<Tree>),
}

/// One way to make a tree smaller.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Edit {
    /// From the top, which child each time.
    path: Vec<usize>,
    /// What is done there.
    deed: Deed,
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Deed {
    /// Leaves out the parts of a list from here to there.
    Remove(usize, usize),
    /// Puts a part of a list inside the part with this number in place of the whole.
    Hoist(usize, Vec<usize>),
    /// Puts this in place of an expression.
    Constant(&'static str),
    /// Puts the expression at this place inside in place of the whole.
    Inner(Vec<usize>),
}

impl Tree {
    /// A text as it stands.
    pub fn text(text: impl Into<String>) -> Tree {
        Tree::Text(text.into())
    }

    /// An expression without any inside.
    pub fn value(text: impl Into<String>) -> Tree {
        Tree::Value(vec![Tree::text(text)])
    }

    /// Statements between braces.
    pub fn block(parts: Vec<Tree>) -> Tree {
        Tree::List { open: "{ ", parts, between: ";\n", close: " }", least: 1 }
    }

    fn children(&self) -> &[Tree] {
        match self {
            Tree::Text(_) => &[],
            Tree::Row(parts) | Tree::Value(parts) | Tree::List { parts, .. } => parts,
        }
    }

    fn at(&self, path: &[usize]) -> Option<&Tree> {
        path.iter().try_fold(self, |tree, &index| tree.children().get(index))
    }

    /// All ways to make it smaller by one step, those that leave out most first.
    pub fn edits(&self) -> Vec<Edit> {
        let mut edits = Vec::new();
        self.collect(&mut Vec::new(), &mut edits);
        // Parts near the top hold most; of a list, long stretches go first.
        edits.sort_by_key(|edit| {
            let length = match &edit.deed {
                Deed::Remove(from, to) => to - from,
                Deed::Hoist(..) | Deed::Constant(_) | Deed::Inner(_) => 1,
            };
            (edit.path.len(), usize::MAX - length)
        });
        edits
    }

    fn collect(&self, path: &mut Vec<usize>, edits: &mut Vec<Edit>) {
        let mut say = |deed| edits.push(Edit { path: path.clone(), deed });
        match self {
            Tree::Text(_) | Tree::Row(_) => {}
            Tree::List { parts, least, .. } => {
                let mut length = parts.len();
                while length > 0 {
                    for from in (0..parts.len()).step_by(length) {
                        let to = (from + length).min(parts.len());
                        if parts.len() - (to - from) >= *least {
                            say(Deed::Remove(from, to));
                        }
                    }
                    length /= 2;
                }
                for (index, part) in parts.iter().enumerate() {
                    let mut inside = Vec::new();
                    part.inner(&mut Vec::new(), &mut inside, true);
                    inside.into_iter().for_each(|inner| say(Deed::Hoist(index, inner)));
                }
            }
            Tree::Value(_) => {
                let mut inside = Vec::new();
                for (index, part) in self.children().iter().enumerate() {
                    part.inner(&mut vec![index], &mut inside, false);
                }
                let constant =
                    |text: &str| matches!(self.to_string().as_str(), "0" | "1") || self.to_string() == text;
                ["0", "1"]
                    .into_iter()
                    .filter(|text| !constant(text))
                    .for_each(|text| say(Deed::Constant(text)));
                inside.into_iter().for_each(|inner| say(Deed::Inner(inner)));
            }
        }
        for (index, part) in self.children().iter().enumerate() {
            path.push(index);
            part.collect(path, edits);
            path.pop();
        }
    }

    /// The nearest expressions at or below here, or the nearest parts of lists below.
    fn inner(&self, path: &mut Vec<usize>, found: &mut Vec<Vec<usize>>, lists: bool) {
        let is_list = matches!(self, Tree::List { .. });
        if matches!(self, Tree::Value(_)) {
            if !lists {
                found.push(path.clone());
            }
            return;
        }
        for (index, part) in self.children().iter().enumerate() {
            path.push(index);
            if lists && is_list {
                found.push(path.clone());
            } else {
                part.inner(path, found, lists);
            }
            path.pop();
        }
    }

    /// The tree after one of its [`Tree::edits`]; nothing where the edit is of another tree.
    #[must_use]
    pub fn edited(&self, edit: &Edit) -> Option<Tree> {
        let mut tree = self.clone();
        let mut at = &mut tree;
        for &index in &edit.path {
            at = match at {
                Tree::Text(_) => return None,
                Tree::Row(parts) | Tree::Value(parts) | Tree::List { parts, .. } => parts.get_mut(index)?,
            };
        }
        match (&edit.deed, &mut *at) {
            (Deed::Remove(from, to), Tree::List { parts, .. }) if *to <= parts.len() => {
                drop(parts.drain(from..to))
            }
            (Deed::Hoist(index, inner), Tree::List { parts, .. }) => {
                let inner = parts.get(*index)?.at(inner)?.clone();
                parts[*index] = inner;
            }
            (Deed::Constant(text), Tree::Value(_)) => *at = Tree::value(*text),
            (Deed::Inner(inner), Tree::Value(_)) => *at = at.at(inner)?.clone(),
            _ => return None,
        }
        Some(tree)
    }
}

impl fmt::Display for Tree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Tree::Text(text) => f.write_str(text),
            Tree::Row(parts) | Tree::Value(parts) => parts.iter().try_for_each(|part| part.fmt(f)),
            Tree::List { open, parts, between, close, .. } => {
                f.write_str(open)?;
                for (index, part) in parts.iter().enumerate() {
                    if index > 0 {
                        f.write_str(between)?;
                    }
                    part.fmt(f)?;
                }
                f.write_str(close)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edits_leave_out_hoist_and_simplify() {
        let value = Tree::Value(vec![Tree::text("("), Tree::value("a"), Tree::text(" + 2)")]);
        let inner = Tree::block(vec![Tree::Row(vec![Tree::text("x = "), value]), Tree::text("y++")]);
        let whole = Tree::block(vec![Tree::Row(vec![Tree::text("atomic "), inner]), Tree::text("z--")]);
        let texts: Vec<String> = (whole.edits().iter())
            .filter_map(|edit| whole.edited(edit))
            .map(|tree| tree.to_string().replace('\n', " "))
            .collect();
        for wanted in [
            "{ z-- }",
            "{ atomic { x = (a + 2); y++ } }",
            "{ x = (a + 2); z-- }",
            "{ y++; z-- }",
            "{ atomic { y++ }; z-- }",
            "{ atomic { x = 0; y++ }; z-- }",
            "{ atomic { x = a; y++ }; z-- }",
            "{ atomic { x = (1 + 2); y++ }; z-- }",
        ] {
            assert!(texts.iter().any(|text| text == wanted), "{wanted} is not among {texts:#?}");
        }
    }
}
