//! Import cycles of a crate. Files import downwards: a cycle of files has at most three files, and
//! none contains a folder. [`LEFT`] lists the cycles that remain.
//!
//! An edge leads from a file to the file that defines an item which it names: in a `use`, or by a
//! path that begins with `crate`, `super`, `self` or a child module. Re-exports are followed to the
//! definition, and a re-export of a child module is not an import. Tests are not counted.
//!
//! *Entry point:* [`problems`].

use std::collections::{BTreeMap, BTreeSet};

use syn::visit::{self, Visit};
use syn::{Attribute, Item, UseTree, Visibility};

/// Maximum number of files of a cycle.
const MAX_FILES: usize = 3;

/// For each node, its successors.
type Graph = BTreeMap<String, BTreeSet<String>>;

/// Cycles that remain: for a crate, the modules that may be on one. The list only becomes shorter.
const LEFT: [(&str, &[&str]); 0] = [];

/// A path in the source text: the module in which it stands, and its segments.
struct Named {
    module: Vec<String>,
    segments: Vec<String>,
}

/// The files of a crate and what they name.
#[derive(Default)]
struct Crate {
    /// The file of each module; files are relative to the folder of the sources.
    modules: BTreeMap<Vec<String>, String>,
    named: Vec<(String, Named)>,
    /// For a module and a re-exported name, the path of the definition.
    exports: BTreeMap<(Vec<String>, String), Named>,
}

/// Cycles that are too large or contain a folder.
pub(crate) fn problems(files: &[(String, String)]) -> Result<Vec<String>, String> {
    let mut crates: BTreeMap<&str, Vec<(&str, &str)>> = BTreeMap::new();
    for (name, text) in files {
        if let Some((home, file)) = name.split_once("/src/") {
            crates.entry(home).or_default().push((file, text));
        }
    }
    let mut problems = Vec::new();
    for (home, files) in &crates {
        let left = LEFT.iter().find(|(name, _)| name == home).map_or(&[][..], |(_, modules)| modules);
        let cycles = cycles_of(files).map_err(|e| format!("{home}/src/{e}"))?;
        for cycle in cycles.iter().filter(|cycle| !cycle.iter().all(|module| left.contains(&module.as_str())))
        {
            problems.push(format!("{home}: import cycle: {}", cycle.join(" ")));
        }
    }
    Ok(problems)
}

/// The cycles of a crate: those of more than [`MAX_FILES`] files, and those of folders.
fn cycles_of(files: &[(&str, &str)]) -> Result<BTreeSet<Vec<String>>, String> {
    let edges = edges(files)?;
    let mut cycles = circles(&edges);
    cycles.retain(|cycle| cycle.len() > MAX_FILES);
    cycles.extend(folder_cycles(&edges));
    Ok(cycles)
}

/// For each folder, the cycles of the modules that lie directly in it of which one is a folder.
fn folder_cycles(edges: &Graph) -> Vec<Vec<String>> {
    let mut levels: BTreeMap<String, Graph> = BTreeMap::new();
    for (from, to) in edges.iter().flat_map(|(from, all)| all.iter().map(move |to| (from, to))) {
        let (from, to) = (from.replace("/mod.rs", ".rs"), to.replace("/mod.rs", ".rs"));
        // The innermost folder that contains both files, and the modules in which they lie.
        let common = from.split('/').zip(to.split('/')).take_while(|(a, b)| a == b);
        let level: String = common.map(|(folder, _)| format!("{folder}/")).collect();
        let module = |file: &str| {
            let rest = &file[level.len()..];
            format!("{level}{}", rest.split('/').next().unwrap_or_default().trim_end_matches(".rs"))
        };
        let (from, to) = (module(&from), module(&to));
        if from != to {
            let graph = levels.entry(level).or_default();
            graph.entry(to.clone()).or_default();
            graph.entry(from).or_default().insert(to);
        }
    }
    let is_folder = |module: &String| edges.keys().any(|file| file.starts_with(&format!("{module}/")));
    let circles = levels.values().flat_map(circles);
    circles.filter(|circle| circle.iter().any(is_folder)).collect()
}

/// The strongly connected components of at least two nodes.
fn circles(graph: &Graph) -> BTreeSet<Vec<String>> {
    let reach: BTreeMap<&String, BTreeSet<&String>> =
        graph.keys().map(|node| (node, reachable(graph, node))).collect();
    let circle = |(node, reached): (&&String, &BTreeSet<&String>)| -> Vec<String> {
        reached.iter().filter(|other| reach[**other].contains(node)).map(|node| (*node).clone()).collect()
    };
    reach.iter().map(circle).filter(|circle| circle.len() > 1).collect()
}

/// The nodes that can be reached from a node by at least one edge.
fn reachable<'a>(edges: &'a Graph, from: &str) -> BTreeSet<&'a String> {
    let mut seen = BTreeSet::new();
    let mut stack: Vec<&String> = edges[from].iter().collect();
    while let Some(node) = stack.pop() {
        if seen.insert(node) {
            stack.extend(&edges[node]);
        }
    }
    seen
}

/// For each file, the other files that it imports.
fn edges(files: &[(&str, &str)]) -> Result<Graph, String> {
    let mut all = Crate::default();
    for (file, _) in files {
        all.modules.insert(module_of(file), (*file).to_string());
    }
    for (file, text) in files {
        let tree = syn::parse_file(text).map_err(|e| format!("{file}: {e}"))?;
        let mut reader = Reader { file, module: module_of(file), all: &mut all };
        reader.visit_file(&tree);
    }
    let mut edges: Graph = files.iter().map(|(file, _)| ((*file).to_string(), BTreeSet::new())).collect();
    for (file, named) in &all.named {
        if let Some(to) = all.resolve(named, 0).filter(|to| to != file) {
            edges.entry(file.clone()).or_default().insert(to);
        }
    }
    Ok(edges)
}

/// The path of the module in a file.
fn module_of(file: &str) -> Vec<String> {
    let mut path: Vec<String> = file.trim_end_matches(".rs").split('/').map(str::to_string).collect();
    if matches!(path.last().map(String::as_str), Some("mod" | "lib" | "main")) {
        path.pop();
    }
    path
}

impl Crate {
    /// The file that defines what a path names; `None` for another crate's items and local names.
    fn resolve(&self, named: &Named, depth: usize) -> Option<String> {
        let mut at = named.module.clone();
        let mut segments = named.segments.iter().peekable();
        match segments.peek()?.as_str() {
            "crate" => {
                at.clear();
                segments.next();
            }
            "self" => {
                segments.next();
            }
            "super" => {
                while segments.peek().is_some_and(|segment| *segment == "super") {
                    at.pop();
                    segments.next();
                }
            }
            child => {
                let path: Vec<String> = at.iter().cloned().chain([child.to_string()]).collect();
                if !self.modules.contains_key(&path) {
                    return None;
                }
            }
        }
        while let Some(segment) = segments.next() {
            at.push(segment.clone());
            if self.modules.contains_key(&at) {
                continue;
            }
            at.pop();
            let export = self.exports.get(&(at.clone(), segment.clone()));
            if let Some(Named { module, segments: definition }) = export.filter(|_| depth < 8) {
                let segments = definition.iter().chain(segments).cloned().collect();
                let other = self.resolve(&Named { module: module.clone(), segments }, depth + 1);
                // A re-exported item of another crate belongs to no file.
                return other;
            }
            break;
        }
        self.modules.get(&at).cloned()
    }
}

/// Collects the paths of one file.
struct Reader<'a> {
    file: &'a str,
    module: Vec<String>,
    all: &'a mut Crate,
}

impl Reader<'_> {
    fn name(&mut self, segments: Vec<String>) {
        let named = Named { module: self.module.clone(), segments };
        self.all.named.push((self.file.to_string(), named));
    }

    fn import(&mut self, tree: &UseTree, before: &[String], exports: bool) {
        let mut path = before.to_vec();
        match tree {
            UseTree::Path(tree) => {
                path.push(tree.ident.to_string());
                self.import(&tree.tree, &path, exports);
            }
            UseTree::Group(group) => group.items.iter().for_each(|tree| self.import(tree, before, exports)),
            UseTree::Glob(_) => self.name(path),
            UseTree::Name(tree) => {
                let name = tree.ident.to_string();
                if name != "self" {
                    path.push(name);
                }
                self.item(path.last().cloned().unwrap_or_default(), path, exports);
            }
            UseTree::Rename(tree) => {
                path.push(tree.ident.to_string());
                self.item(tree.rename.to_string(), path, exports);
            }
        }
    }

    fn item(&mut self, name: String, path: Vec<String>, exports: bool) {
        if !exports {
            return self.name(path);
        }
        let child = path.iter().find(|segment| *segment != "self").cloned();
        let child: Vec<String> = self.module.iter().cloned().chain(child).collect();
        if !self.all.modules.contains_key(&child) {
            self.name(path.clone());
        }
        let definition = Named { module: self.module.clone(), segments: path };
        self.all.exports.insert((self.module.clone(), name), definition);
    }
}

/// Whether an item exists in tests only.
pub(crate) fn is_test(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        let list = attribute.meta.require_list();
        attribute.path().is_ident("cfg") && list.is_ok_and(|list| list.tokens.to_string() == "test")
    })
}

impl<'ast> Visit<'ast> for Reader<'_> {
    fn visit_item(&mut self, item: &'ast Item) {
        match item {
            Item::Use(item) if !is_test(&item.attrs) => {
                let exports = !matches!(item.vis, Visibility::Inherited);
                self.import(&item.tree, &[], exports);
            }
            Item::Use(_) => {}
            Item::Mod(item) if is_test(&item.attrs) => {}
            Item::Mod(item) if item.content.is_some() => {
                self.module.push(item.ident.to_string());
                self.all.modules.insert(self.module.clone(), self.file.to_string());
                visit::visit_item_mod(self, item);
                self.module.pop();
            }
            Item::Fn(item) if is_test(&item.attrs) => {}
            other => visit::visit_item(self, other),
        }
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        if path.leading_colon.is_none() && path.segments.len() > 1 {
            self.name(path.segments.iter().map(|segment| segment.ident.to_string()).collect());
        }
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, item: &'ast syn::Macro) {
        let mut text: String = item.tokens.to_string().split_whitespace().collect();
        // Doc comments that a macro passes on name nothing, as those elsewhere.
        while let Some(start) = text.find("#[doc=\"") {
            let end = text[start..].find("\"]").map_or(text.len(), |length| start + length + 2);
            text.replace_range(start..end, "");
        }
        for part in text.split("crate::").skip(1) {
            let end =
                part.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == ':')).unwrap_or(part.len());
            let rest = part[..end].split("::").filter(|segment| !segment.is_empty()).map(str::to_string);
            self.name(std::iter::once("crate".to_string()).chain(rest).collect());
        }
        visit::visit_macro(self, item);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edges_of(files: &[(&str, &str)]) -> String {
        let list = edges(files).expect("valid text").into_iter();
        let list = list.flat_map(|(from, to)| to.into_iter().map(move |to| format!("{from}>{to}")));
        list.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn paths_lead_to_the_file_of_the_definition() {
        let files = [
            ("lib.rs", "mod a; mod b; pub use a::c::Thing; pub use std::fmt;"),
            ("a.rs", "pub mod c; fn f() { c::g() }"),
            ("a/c.rs", "use crate::{Thing, fmt}; use super::f; pub struct Thing; pub fn g() {}"),
            ("b.rs", "use crate::{a::{self, c as d}, Thing}; fn h() { println!(\"{}\", crate::a::X) }"),
        ];
        assert_eq!(edges_of(&files), "a.rs>a/c.rs a/c.rs>a.rs b.rs>a.rs b.rs>a/c.rs");
    }

    #[test]
    fn tests_and_local_names_are_no_imports() {
        let files = [
            ("a.rs", "#[cfg(test)] mod tests { use crate::b::X; }\nfn f() { let b = 0; Vec::<u8>::new(); }"),
            ("b.rs", "mod inner { use super::Y; } pub struct Y;"),
            ("lib.rs", "mod a; mod b;"),
        ];
        assert_eq!(edges_of(&files), "");
    }

    #[test]
    fn doc_comments_are_no_imports() {
        let files = [
            ("a.rs", "/// [`crate::b::X`].\npub struct A;\nid!(/// [`crate::b::X`].\nId, crate::c::Y);"),
            ("b.rs", "pub struct X;"),
            ("c.rs", "pub struct Y;"),
            ("lib.rs", "mod a; mod b; mod c;"),
        ];
        assert_eq!(edges_of(&files), "a.rs>c.rs");
    }

    #[test]
    fn large_cycles_and_cycles_across_folders_are_found() {
        let found = |files: &[(&str, &str)]| -> Vec<Vec<String>> {
            cycles_of(files).expect("valid text").into_iter().collect()
        };
        let two = [("a.rs", "use crate::b::X;"), ("b.rs", "use crate::a::Y;"), ("lib.rs", "")];
        assert!(cycles_of(&two).expect("valid text").is_empty());
        let across = [
            ("a/mod.rs", "pub mod x;"),
            ("a/x.rs", "use crate::b::X;"),
            ("b.rs", "use crate::a::x::Y;"),
            ("lib.rs", ""),
        ];
        assert_eq!(found(&across), [["a", "b"]]);
        let four = [
            ("a.rs", "use crate::b::X;"),
            ("b.rs", "use crate::c::X;"),
            ("c.rs", "use crate::d::X;"),
            ("d.rs", "use crate::a::X;"),
        ];
        assert_eq!(found(&four), [["a.rs", "b.rs", "c.rs", "d.rs"]]);
    }
}
