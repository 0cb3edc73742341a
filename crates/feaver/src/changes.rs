//! Which functions, macros and declarations differ between two versions of a project, which of them a
//! verdict may depend on, and the commits that changed them.
//!
//! A verdict may depend on a part that its program can reach by names: from `main` and the property,
//! through the bodies of functions, macros and declarations of both versions. Of a verdict whose search
//! is complete, only the functions count of which it has executed a step.
//!
//! *Entry points:* [`explanation::explain`]; [`changed`], [`Relevance::of`], [`Origins::of`].
//! *Source:* F. Tip, "A Survey of Program Slicing Techniques", Journal of Programming Languages 3, 1995,
//! for the transitive closure over dependences; here over names, which is larger.
//! *Invariant:* a part that is left out is named by no part that the verdict depends on.

pub mod explanation;
pub mod items;
pub mod versions;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use items::{Item, Kind, items, names};

use crate::project::MANIFEST;
use crate::repository::{Commit, Fault, Repository};

/// Files by their paths.
pub type Texts = BTreeMap<String, Arc<str>>;

/// The path, kind and name of a part.
pub type Key = (String, Kind, String);

/// The parts of files.
pub type Parts = BTreeMap<Key, Item>;

/// A part of a version.
type Part<'p> = (&'p Key, &'p Item);

/// How a part differs.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Change {
    /// Only the later version has it.
    Added,
    /// Only the earlier version has it.
    Removed,
    /// Its words differ.
    Changed,
}

impl Change {
    /// The change in a word.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Change::Added => "added",
            Change::Removed => "removed",
            Change::Changed => "changed",
        }
    }
}

/// A part that differs.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Changed {
    /// The file.
    pub path: String,
    /// The kind.
    pub kind: Kind,
    /// The name.
    pub name: String,
    /// How it differs.
    pub change: Change,
}

/// The parts of source files, and the macros that the manifest defines.
#[must_use]
pub fn parts(texts: &Texts) -> Parts {
    let mut all = Parts::new();
    for (path, text) in texts {
        match path == MANIFEST {
            true => all.extend(
                defines(text).into_iter().map(|(name, item)| ((path.clone(), Kind::Macro, name), item)),
            ),
            false => {
                let own = items(text).into_iter();
                all.extend(own.map(|((kind, name), item)| ((path.clone(), kind, name), item)));
            }
        }
    }
    all
}

/// The macros that a manifest defines.
fn defines(manifest: &str) -> Vec<(String, Item)> {
    let Ok(table) = manifest.parse::<toml::Table>() else { return Vec::new() };
    let list = table.get("sources").and_then(|sources| sources.get("define")?.as_array());
    let texts = list.into_iter().flatten().filter_map(|define| define.as_str());
    let item = |define: &str| {
        let name = define.split_once('=').map_or(define, |(name, _)| name).trim().to_string();
        (name.clone(), Item { text: define.to_string(), names: BTreeSet::from([name]) })
    };
    texts.map(item).collect()
}

/// The parts that differ between two versions.
#[must_use]
pub fn changed(old: &Parts, new: &Parts) -> Vec<Changed> {
    let keys: BTreeSet<_> = old.keys().chain(new.keys()).collect();
    let differs = |key: &&Key| {
        let change = match (old.get(*key), new.get(*key)) {
            (Some(before), Some(after)) if before.text == after.text => return None,
            (Some(_), Some(_)) => Change::Changed,
            (Some(_), None) => Change::Removed,
            (None, _) => Change::Added,
        };
        let (path, kind, name) = (*key).clone();
        Some(Changed { path, kind, name, change })
    };
    keys.iter().filter_map(differs).collect()
}

/// The parts of two versions by the names that they introduce.
pub struct Relevance<'p> {
    versions: [&'p Parts; 2],
    by_name: BTreeMap<&'p str, Vec<Part<'p>>>,
}

impl<'p> Relevance<'p> {
    /// The parts of two versions.
    #[must_use]
    pub fn of(old: &'p Parts, new: &'p Parts) -> Relevance<'p> {
        let mut by_name: BTreeMap<&str, Vec<Part<'_>>> = BTreeMap::new();
        for (key, item) in old.iter().chain(new) {
            for name in &item.names {
                by_name.entry(name).or_default().push((key, item));
            }
        }
        Relevance { versions: [old, new], by_name }
    }

    /// Those of some changes that a verdict may depend on; all of them if no name leads to any. `roots`
    /// are the names from which the execution and the property start, and `executed` the functions of
    /// which a complete search has executed a step, if they are known.
    #[must_use]
    pub fn relevant(&self, changes: &[Changed], roots: &[&str], executed: &[String]) -> Vec<Changed> {
        let mut reached: BTreeSet<&Key> = BTreeSet::new();
        let mut seen: BTreeSet<&str> = BTreeSet::new();
        let mut open: Vec<&str> = roots.iter().copied().chain(executed.iter().map(String::as_str)).collect();
        // Conditions of the preprocessor are part of what they surround, and constructors are called by
        // no name.
        let is_executed = |name: &str, change: Option<Change>| {
            executed.is_empty() || executed.iter().any(|own| own == name) || change == Some(Change::Added)
        };
        while let Some(name) = open.pop() {
            let Some(parts) = self.by_name.get(name) else { continue };
            for (key, item) in parts {
                let known =
                    changes.iter().find(|one| (&one.path, one.kind, &one.name) == (&key.0, key.1, &key.2));
                if key.1 == Kind::Function && !is_executed(&key.2, known.map(|one| one.change)) {
                    continue;
                }
                if reached.insert(key) || self.differs(key) {
                    open.extend(names(&item.text).filter(|name| seen.insert(name)));
                }
            }
        }
        let is_reached = |one: &&Changed| reached.contains(&(one.path.clone(), one.kind, one.name.clone()));
        let found: Vec<Changed> = changes.iter().filter(is_reached).cloned().collect();
        if found.is_empty() { changes.to_vec() } else { found }
    }

    fn differs(&self, key: &Key) -> bool {
        self.versions[0].get(key) != self.versions[1].get(key)
    }
}

/// Where a change comes from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Origin {
    /// A commit.
    Commit(Arc<Commit>),
    /// The part differs from the checked out commit.
    Uncommitted,
}

/// The commits of changes, for the project of a repository.
pub struct Origins {
    repository: Option<Repository>,
    /// What cannot be read of the repository; then no commit is named.
    pub fault: Option<Fault>,
    known: BTreeMap<(Changed, Option<String>), Option<Origin>>,
}

impl Origins {
    /// The repository that contains a folder.
    #[must_use]
    pub fn of(project: &std::path::Path) -> Origins {
        match Repository::find(project) {
            Ok(repository) => Origins { repository, fault: None, known: BTreeMap::new() },
            Err(fault) => Origins { repository: None, fault: Some(fault), known: BTreeMap::new() },
        }
    }

    /// The commit that is checked out.
    #[must_use]
    pub fn head(&self) -> Option<String> {
        Some(self.repository.as_ref()?.head().ok()??.to_string())
    }

    /// The commit that made a change, whose later version is `after`. `is_present`: `after` is a part of
    /// the files as they are, which need not be committed.
    pub fn origin(&mut self, change: &Changed, after: Option<&Item>, is_present: bool) -> Option<Origin> {
        let key = (change.clone(), after.map(|item| item.text.clone()));
        if let Some(known) = self.known.get(&key) {
            return known.clone();
        }
        let found = match self.search(change, key.1.as_deref(), is_present) {
            Ok(found) => found,
            Err(fault) => {
                self.fault.get_or_insert(fault);
                None
            }
        };
        self.known.insert(key, found.clone());
        found
    }

    fn search(
        &mut self,
        change: &Changed,
        after: Option<&str>,
        is_present: bool,
    ) -> Result<Option<Origin>, Fault> {
        let Some(repository) = &mut self.repository else { return Ok(None) };
        let own = |content: Option<&[u8]>| -> Option<String> {
            let text: Arc<str> = String::from_utf8_lossy(content?).into();
            let parts = parts(&Texts::from([(change.path.clone(), text)]));
            let key = (change.path.clone(), change.kind, change.name.clone());
            parts.get(&key).map(|item| item.text.clone())
        };
        if is_present {
            let Some(head) = repository.head()? else { return Ok(Some(Origin::Uncommitted)) };
            let head = repository.commit(head)?;
            let committed = repository.file(&head, &change.path)?;
            if own(committed.as_deref()).as_deref() != after {
                return Ok(Some(Origin::Uncommitted));
            }
        }
        let found = repository.origin(&change.path, &mut |content| own(content).as_deref() == after)?;
        Ok(found.map(Origin::Commit))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn project(files: &[(&str, &str)]) -> Parts {
        parts(&files.iter().map(|(path, text)| ((*path).to_string(), Arc::from(*text))).collect())
    }

    fn shown(changes: &[Changed]) -> Vec<String> {
        let one = |one: &Changed| format!("{} {} {}", one.kind.name(), one.name, one.change.name());
        changes.iter().map(one).collect()
    }

    #[test]
    fn changes_that_no_name_leads_to_are_left_out() {
        let head = "#define LIMIT 4\n#define UNUSED 1\nstruct lease { int owner; };\nint flag;\n";
        let old = format!(
            "{head}void free_it(void) {{ flag = 0; }}\nvoid other(void) {{ flag = 1; }}\n\
             int main(void) {{ if (flag < LIMIT) free_it(); return 0; }}\n"
        );
        let new = old
            .replace("LIMIT 4", "LIMIT 5")
            .replace("UNUSED 1", "UNUSED 2")
            .replace("flag = 0", "flag = 2")
            .replace("flag = 1", "flag = 3");
        let (old, new) = (project(&[("m.c", &old)]), project(&[("m.c", &new)]));
        let changes = changed(&old, &new);
        assert_eq!(changes.len(), 4);
        let relevance = Relevance::of(&old, &new);
        assert_eq!(
            shown(&relevance.relevant(&changes, &["main", "flag"], &[])),
            ["function free_it changed", "macro LIMIT changed"]
        );
        let executed = ["main".to_string()];
        assert_eq!(shown(&relevance.relevant(&changes, &["main"], &executed)), ["macro LIMIT changed"]);
        // Without a way by names, nothing is left out.
        assert_eq!(relevance.relevant(&changes, &["nothing"], &[]).len(), 4);
    }

    #[test]
    fn macros_of_the_manifest_are_parts() {
        let manifest =
            |define: &str| format!("name = \"p\"\n[sources]\nc = [\"m.c\"]\ndefine = [{define}]\n");
        let text = "int main(void) {\n#ifdef FAULT\n    return 1;\n#endif\n    return 0;\n}\n";
        let old = project(&[("axle.toml", &manifest("\"N=2\"")), ("m.c", text)]);
        let new = project(&[("axle.toml", &manifest("\"N=3\", \"FAULT\"")), ("m.c", text)]);
        let changes = changed(&old, &new);
        assert_eq!(shown(&changes), ["macro FAULT added", "macro N changed"]);
        let relevant = Relevance::of(&old, &new).relevant(&changes, &["main"], &[]);
        assert_eq!(shown(&relevant), ["macro FAULT added"]);
    }
}
