//! A program text as a tree for shrinking: the parts that can be removed, and the expressions that
//! can be simplified.
//!
//! *Entry points:* [`Tree::edits`], [`Tree::edited`]; `Display` produces the text.

use std::fmt;

/// A part of a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Tree {
    /// Fixed text.
    Text(String),
    /// A sequence; no part can be removed.
    Row(Vec<Tree>),
    /// A list whose parts can be removed, down to a minimum.
    List {
        /// Text before the first part.
        open: &'static str,
        /// The parts.
        parts: Vec<Tree>,
        /// Separator.
        between: &'static str,
        /// Text after the last part.
        close: &'static str,
        /// Minimum number of parts.
        least: usize,
    },
    /// An expression: it can be replaced by a constant or by an expression inside it.
    Value(Vec<Tree>),
}

/// One reduction of a tree.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Edit {
    /// The path from the root, by child index.
    path: Vec<usize>,
    /// The operation at that node.
    deed: Deed,
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Deed {
    /// Removes a range of parts of a list.
    Remove(usize, usize),
    /// Replaces a list by a part of a list nested in the part with this index.
    Hoist(usize, Vec<usize>),
    /// Replaces an expression by a constant.
    Constant(&'static str),
    /// Replaces an expression by the nested expression at this path.
    Inner(Vec<usize>),
}

impl Tree {
    /// Fixed text.
    pub fn text(text: impl Into<String>) -> Tree {
        Tree::Text(text.into())
    }

    /// An expression without nested expressions.
    pub fn value(text: impl Into<String>) -> Tree {
        Tree::Value(vec![Tree::text(text)])
    }

    /// Statements in braces.
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

    /// All reductions of the tree by one edit; the largest come first.
    pub fn edits(&self) -> Vec<Edit> {
        let mut edits = Vec::new();
        self.collect(&mut Vec::new(), &mut edits);
        // Parts near the root are large; in a list, long ranges come first.
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

    /// The nearest expressions at or below this node, or the nearest parts of lists below it.
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

    /// The tree after one of its [`Tree::edits`]; `None` if the edit belongs to another tree.
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
