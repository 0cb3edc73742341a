//! The dependencies of the workspace: that each is used where it is declared, and the licences of
//! all packages that a build contains.
//!
//! *Entry point:* [`problems`].
//! *Invariant:* a dependency is used if its name occurs in a source of the package that declares
//! it, as the start of a path or in a `use`.

use std::path::Path;
use std::process::Command;

use serde::Deserialize;

/// The licences that a package may be under.
const LICENCES: [&str; 9] = [
    "MIT",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-3-Clause",
    "CC0-1.0",
    "ISC",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
];

#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
    workspace_members: Vec<String>,
}

#[derive(Deserialize)]
struct Package {
    id: String,
    name: String,
    license: Option<String>,
    manifest_path: String,
    dependencies: Vec<Dependency>,
}

#[derive(Deserialize)]
struct Dependency {
    name: String,
    rename: Option<String>,
}

/// The dependencies that are not used, and the packages whose licence is not among [`LICENCES`].
/// `sources`: the path from the root and the text of every source.
pub fn problems(root: &Path, sources: &[(String, String)]) -> Result<Vec<String>, String> {
    let args =
        ["metadata", "--format-version", "1", "--offline", "--filter-platform", "x86_64-unknown-linux-gnu"];
    let output = Command::new(env!("CARGO")).args(args).current_dir(root).output();
    let output = output.map_err(|fault| format!("cargo metadata: {fault}"))?;
    let metadata: Metadata =
        serde_json::from_slice(&output.stdout).map_err(|fault| format!("cargo metadata: {fault}"))?;
    let mut problems = Vec::new();
    for package in &metadata.packages {
        let licence = package.license.as_deref().unwrap_or("none");
        if !is_allowed(licence) {
            problems.push(format!(
                "{}: the licence `{licence}` is not in the list of xtask/src/dependencies.rs",
                package.name
            ));
        }
        if metadata.workspace_members.contains(&package.id) {
            let folder =
                Path::new(&package.manifest_path).parent().and_then(|path| path.strip_prefix(root).ok());
            let Some(folder) = folder.map(|path| format!("{}/", path.display())) else { continue };
            let own =
                sources.iter().filter(|(path, _)| path.starts_with(&folder)).map(|(_, text)| text.as_str());
            let own: Vec<&str> = own.collect();
            problems.extend(unused(package, &own));
        }
    }
    Ok(problems)
}

/// The dependencies of a package whose name is in none of its sources.
fn unused(package: &Package, sources: &[&str]) -> Vec<String> {
    let is_used = |dependency: &&Dependency| {
        let name = dependency.rename.as_ref().unwrap_or(&dependency.name).replace('-', "_");
        sources.iter().any(|text| mentions(text, &name)) || dependency.name == package.name
    };
    let unused = package.dependencies.iter().filter(|dependency| !is_used(dependency));
    unused
        .map(|dependency| format!("{}: the dependency {} is not used", package.name, dependency.name))
        .collect()
}

/// Whether a text has the name at the start of a path, in a `use`, or as a derive of its own.
fn mentions(text: &str, name: &str) -> bool {
    text.match_indices(name).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let after = &text[at + name.len()..];
        let starts = before.is_none_or(|c| !(c.is_alphanumeric() || c == '_'));
        starts && (after.starts_with("::") || after.starts_with(';') || after.starts_with(" as "))
    })
}

/// Whether one of the alternatives of each part of a licence expression is allowed.
fn is_allowed(licence: &str) -> bool {
    let plain = licence.replace(['(', ')'], "").replace(" / ", " OR ").replace('/', " OR ");
    plain.split(" AND ").all(|part| part.split(" OR ").any(|one| LICENCES.contains(&one.trim())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_alternative_of_each_part_is_enough() {
        for (licence, wanted) in [
            ("MIT", true),
            ("MIT/Apache-2.0", true),
            ("GPL-3.0 OR MIT", true),
            ("(MIT OR Apache-2.0) AND Unicode-3.0", true),
            ("Apache-2.0 WITH LLVM-exception OR Apache-2.0 OR MIT", true),
            ("MIT AND GPL-3.0", false),
            ("none", false),
        ] {
            assert_eq!(is_allowed(licence), wanted, "{licence}");
        }
    }

    #[test]
    fn a_dependency_without_a_path_is_unused() {
        let dependency = |name: &str| Dependency { name: name.to_string(), rename: None };
        let package = Package {
            id: String::new(),
            name: "own".to_string(),
            license: None,
            manifest_path: String::new(),
            dependencies: ["some-crate", "other", "serde"].map(dependency).into(),
        };
        let source =
            "use some_crate::Thing;\n// another::path and other\n#[derive(serde::Serialize)] struct S;";
        assert_eq!(unused(&package, &[source]), ["own: the dependency other is not used"]);
    }
}
