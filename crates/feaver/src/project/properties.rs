//! Property files: TOML between two lines of `+++`, and Markdown below it.
//!
//! *Entry point:* [`Reader::properties`].

use std::collections::BTreeSet;

use axle_source::{Diagnostic, Diagnostics, FileId, Span};

use super::data::{BrokenProperty, Property, Statement};
use super::fields::{Fields, Located, Region, document, within_string};
use super::folder::{Refusal, join, parent};
use super::manifest::Manifest;
use super::names;
use super::reader::{LARGEST, Reader, refused};
use super::requirements::Requirements;
use super::sections::{Document, find};
use super::settings::{self, Expected, Fairness};
use crate::codes::{EXCLUSIVE, FRONT_MATTER, MISSING_KEY, NO_FILE, NO_WORDS, REFERENCE, VALUE};

/// The line before and after the front matter.
const FENCE: &str = "+++";

/// The parts of a property file.
pub(super) struct Parts {
    /// The bytes of the front matter.
    pub front: std::ops::Range<usize>,
    /// The first byte of the text below it.
    words: usize,
}

/// A property file that was read, perhaps with errors.
struct PropertyFile {
    path: String,
    files: Vec<String>,
    /// The name in the front matter.
    name: Option<Located<String>>,
    /// The name in a front matter that cannot be read.
    guessed: Option<String>,
    feature: Option<String>,
    words: String,
    /// The model that it is about, if that is known.
    model: Option<usize>,
    is_readable: bool,
    property: Option<Property>,
    errors: Vec<Diagnostic>,
}

impl PropertyFile {
    fn new(path: &str) -> PropertyFile {
        PropertyFile {
            path: path.to_string(),
            files: vec![path.to_string()],
            name: None,
            guessed: None,
            feature: None,
            words: String::new(),
            model: None,
            is_readable: false,
            property: None,
            errors: Vec::new(),
        }
    }

    /// The name in the file, if it is valid.
    fn own_name(&self) -> Option<&str> {
        let name = self.name.as_ref().map(|name| name.value.as_str()).or(self.guessed.as_deref());
        name.filter(|name| names::is_name(name))
    }
}

/// The properties without errors, and the others. A name that is not that of the file alone is
/// replaced by the path.
fn divided(files: Vec<PropertyFile>) -> (Vec<Property>, Vec<BrokenProperty>) {
    let defined: BTreeSet<String> =
        files.iter().filter_map(|file| Some(file.name.as_ref()?.value.clone())).collect();
    let (mut properties, mut broken) = (Vec::new(), Vec::new());
    let mut taken = defined.clone();
    for mut file in files {
        match file.property.take() {
            Some(property) if file.errors.is_empty() => properties.push(property),
            _ => {
                let own = file.own_name().map_or_else(|| stem(&file.path).to_string(), str::to_string);
                let is_defined = file.name.as_ref().is_some_and(|name| name.value == own);
                let name = if is_defined || taken.insert(own.clone()) { own } else { file.path.clone() };
                broken.push(BrokenProperty {
                    name,
                    path: file.path,
                    files: file.files,
                    feature: file.feature,
                    is_readable: file.is_readable,
                    words: file.words,
                    errors: file.errors,
                });
            }
        }
    }
    (properties, broken)
}

/// The name of a file without its folder and extension.
fn stem(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

/// The string of a key in a front matter that is not valid TOML, if a line gives one.
fn guessed(text: &str, key: &str) -> Option<String> {
    let value = |line: &str| {
        let rest = line.trim().strip_prefix(key)?.trim_start().strip_prefix('=')?.trim();
        let quoted = rest.strip_prefix('"').or_else(|| rest.strip_prefix('\''))?;
        Some(quoted.split(['"', '\'']).next()?.to_string())
    };
    text.lines().find_map(value).filter(|name| names::is_name(name))
}

/// Why a requirement document that a property refers to cannot be read, if it cannot.
fn unreadable<'a>(
    reference: &Located<String>,
    path: &str,
    manifest: &Manifest,
    requirements: &'a Requirements,
) -> Option<&'a [Diagnostic]> {
    let file = reference.value.split('#').next().unwrap_or_default();
    let candidates = candidates(file, path, &manifest.folders.requirements);
    let is_readable = |path: &String| requirements.documents.iter().any(|one| one.path == *path);
    if candidates.iter().any(is_readable) {
        return None;
    }
    let found = requirements.unreadable.iter().find(|(path, _)| candidates.contains(path));
    found.map(|(_, errors)| errors.as_slice())
}

/// The front matter of a property.
struct Front {
    name: Option<Located<String>>,
    feature: Option<Located<String>>,
    reference: Option<Located<String>>,
    formula: Option<Located<String>>,
    timeline: Option<Located<String>>,
    never: Option<Located<String>>,
    /// Which of the last three keys there are, whatever their values.
    stated: Vec<Span>,
    constraints: Vec<Located<String>>,
    tags: Vec<Located<String>>,
    weight: i64,
    expected: Expected,
    fairness: Option<Fairness>,
    model: Option<Located<String>>,
    at: Span,
}

impl Reader<'_> {
    /// Reads all properties: those without errors, and the others.
    pub(super) fn properties(
        &mut self,
        manifest: &Manifest,
        requirements: &Requirements,
    ) -> (Vec<Property>, Vec<BrokenProperty>) {
        let mut paths = Vec::new();
        for folder in &manifest.folders.properties {
            match self.folder.list(folder, &["md"]) {
                Ok(found) => paths.extend(found),
                Err(refusal) => {
                    let diagnostic = refused(folder, &refusal).at(manifest.at.into(), "");
                    self.diagnostics.push(diagnostic);
                }
            }
        }
        paths.sort();
        paths.dedup();
        let mut files: Vec<PropertyFile> = Vec::new();
        for path in &paths {
            let (mut file, errors) =
                self.observed(|reader| reader.property_file(path, manifest, requirements));
            file.errors.splice(0..0, errors);
            file.errors.extend(manifest.errors_of_model(file.model));
            files.push(file);
        }
        self.duplicates(&mut files);
        if paths.is_empty() {
            self.no_properties(manifest.at);
        }
        divided(files)
    }

    /// Reports names that several properties have: all of these have an error.
    fn duplicates(&mut self, files: &mut [PropertyFile]) {
        let named: Vec<usize> = (0..files.len()).filter(|index| files[*index].name.is_some()).collect();
        let names: Vec<Located<String>> = files.iter().filter_map(|file| file.name.clone()).collect();
        for group in names::repeated(&names) {
            let own: Vec<Located<String>> = group.iter().map(|index| names[*index].clone()).collect();
            let report = |reader: &mut Self| {
                names::unique(&own, "the property", "defined", reader.diagnostics);
            };
            let ((), errors) = self.observed(report);
            for index in group {
                files[named[index]].errors.extend(errors.iter().cloned());
            }
        }
    }

    /// Reads a property file.
    fn property_file(
        &mut self,
        path: &str,
        manifest: &Manifest,
        requirements: &Requirements,
    ) -> PropertyFile {
        let mut own = PropertyFile::new(path);
        let Some(file) = self.text(path, LARGEST, Some(manifest.at)) else { return own };
        let text = self.sources.file(file).text().to_string();
        let Some((front, words)) = self.front(file, &text) else {
            own.guessed = guessed(&text, "name");
            own.feature = guessed(&text, "feature");
            return own;
        };
        own.is_readable = true;
        own.name.clone_from(&front.name);
        own.feature = front.feature.as_ref().map(|feature| feature.value.clone());
        own.words.clone_from(&words);
        own.model = self.model(&front, manifest);
        own.property = self.property(&mut own, front, words, manifest, requirements);
        own
    }

    /// Reads the front matter of a property file.
    fn front(&mut self, file: FileId, text: &str) -> Option<(Front, String)> {
        let parts = match parts(text) {
            Ok(parts) => parts,
            Err((at, message)) => {
                let span = Span::new(file, at.start as u32, at.end as u32);
                let help =
                    "begin the file with `+++`, the keys in TOML, and `+++`, each on a line of its own";
                self.diagnostics
                    .push(Diagnostic::error(FRONT_MATTER, message).at(span.into(), "").help(help));
                return None;
            }
        };
        let region = Region { file, base: parts.front.start };
        let table = document(&text[parts.front.clone()], region, self.diagnostics)?;
        let at = Span::new(file, 0, FENCE.len() as u32);
        let fields = Fields::new(table.get_ref(), at, "the property", region, self.diagnostics);
        let front = read(fields);
        let words = text[parts.words..].trim().to_string();
        if words.is_empty() {
            let end = Span::new(file, parts.words as u32, parts.words as u32);
            let message = "the property is not described in words";
            let help = "write below the front matter what the property means, and why it must hold";
            self.diagnostics.push(Diagnostic::warning(NO_WORDS, message).at(end.into(), "").help(help));
        }
        Some((front, words))
    }

    /// The property of a file; notes in `file` which further file belongs to it, and errors of
    /// documents that it needs.
    fn property(
        &mut self,
        file: &mut PropertyFile,
        front: Front,
        words: String,
        manifest: &Manifest,
        requirements: &Requirements,
    ) -> Option<Property> {
        let path = file.path.clone();
        if let Some(name) = &front.name {
            names::check(name, "a property", self.diagnostics);
        }
        if let Some(feature) = front.feature.as_ref().filter(|_| manifest.complete) {
            let flags = manifest.flags.iter().map(|flag| flag.name.value.as_str());
            let known = flags.chain(manifest.features.iter().map(String::as_str));
            names::find(feature, "feature", known, self.diagnostics);
        }
        let known = manifest.constraints.iter().map(|one| one.name.value.as_str());
        let mut constraints: Vec<usize> = Vec::new();
        for name in front.constraints.iter().filter(|_| manifest.complete) {
            constraints.extend(names::find(name, "constraint", known.clone(), self.diagnostics));
        }
        names::unique(&front.constraints, "the constraint", "listed", self.diagnostics);
        let mut reference = None;
        if let Some(one) = &front.reference {
            match unreadable(one, &path, manifest, requirements) {
                Some(errors) => file.errors.extend(errors.iter().cloned()),
                None => reference = self.reference(one, &path, manifest, &requirements.documents),
            }
        }
        let statement = self.statement(&front, file, manifest);
        Some(Property {
            name: front.name?,
            path,
            feature: front.feature.map(|feature| feature.value),
            reference,
            statement: statement?,
            constraints,
            tags: front.tags.into_iter().map(|tag| tag.value).collect(),
            weight: front.weight,
            expected: front.expected,
            fairness: front.fairness,
            model: file.model.unwrap_or(0),
            words,
        })
    }

    /// The model that a property is about.
    fn model(&mut self, front: &Front, manifest: &Manifest) -> Option<usize> {
        let models = &manifest.subject.promela;
        match &front.model {
            Some(name) => names::find(name, "model", models.iter().map(String::as_str), self.diagnostics),
            None => {
                if models.len() > 1 {
                    let message = "the project has several models, and the property names none of them";
                    let help = format!("add `model = \"{}\"`", models[0]);
                    self.diagnostics
                        .push(Diagnostic::error(MISSING_KEY, message).at(front.at.into(), "").help(help));
                }
                (models.len() == 1).then_some(0)
            }
        }
    }

    /// Looks up `FILE#HEADING`.
    fn reference(
        &mut self,
        reference: &Located<String>,
        path: &str,
        manifest: &Manifest,
        documents: &[Document],
    ) -> Option<(usize, Option<usize>)> {
        let (file, heading) = match reference.value.split_once('#') {
            Some((file, heading)) => (file, Some(heading)),
            None => (reference.value.as_str(), None),
        };
        let candidates = candidates(file, path, &manifest.folders.requirements);
        let found = candidates.iter().find_map(|path| documents.iter().position(|one| one.path == *path));
        let Some(index) = found else {
            let known: Vec<&str> = documents.iter().map(|document| document.path.as_str()).collect();
            let message = format!("there is no requirement document `{file}`");
            let diagnostic = Diagnostic::error(REFERENCE, message).at(reference.at.into(), "");
            let shown: Vec<&str> = known.iter().take(20).copied().collect();
            let diagnostic = match shown.is_empty() {
                true => diagnostic.note("the project has no requirement documents"),
                false => diagnostic.note(format!("documents: {}", shown.join(", "))),
            };
            let nearest = known.iter().copied().chain(known.iter().filter_map(|one| one.rsplit('/').next()));
            self.diagnostics.push(diagnostic.did_you_mean(file, nearest));
            return None;
        };
        let Some(heading) = heading else { return Some((index, None)) };
        let document = &documents[index];
        let section = find(&document.sections, heading);
        if section.is_none() {
            let message = format!("`{}` has no heading `{heading}`", document.path);
            let anchors = document.sections.iter().map(|section| section.anchor.as_str());
            let shown: Vec<&str> = anchors.clone().take(20).collect();
            let diagnostic = Diagnostic::error(REFERENCE, message)
                .at(reference.at.into(), "")
                .note(format!("headings: {}", shown.join(", ")));
            self.diagnostics.push(diagnostic.did_you_mean(heading, anchors));
        }
        Some((index, Some(section?)))
    }

    /// What a property states: exactly one formula, timeline or never claim.
    fn statement(
        &mut self,
        front: &Front,
        property: &mut PropertyFile,
        manifest: &Manifest,
    ) -> Option<Statement> {
        let path = property.path.clone();
        match front.stated[..] {
            [_] => {}
            [] => {
                let message = "the property states nothing: it has no formula, timeline or never claim";
                let help = "add `formula = \"[] (p -> <> q)\"`, `timeline = \"FILE\"` or `never = \"FILE\"`";
                self.diagnostics
                    .push(Diagnostic::error(MISSING_KEY, message).at(front.at.into(), "").help(help));
                return None;
            }
            [first, second, ..] => {
                let message = "a property is exactly one of `formula`, `timeline` and `never`";
                let help = "write one file for each property";
                self.diagnostics.push(
                    Diagnostic::error(EXCLUSIVE, message)
                        .at(second.into(), "")
                        .also(first.into(), "")
                        .help(help),
                );
                return None;
            }
        }
        if let Some(formula) = &front.formula {
            return self.formula(formula);
        }
        if let Some(timeline) = &front.timeline {
            let (found, file) = self.named(timeline, &path, &manifest.folders.timelines)?;
            property.files.push(found.clone());
            let name = front.name.as_ref().map_or("timeline", |name| name.value.as_str());
            return Some(Statement::Timeline(Box::new(self.timeline(file, name)?), found));
        }
        let never = front.never.as_ref()?;
        if !manifest.subject.c.is_empty() && manifest.subject.tables.is_empty() {
            let message = "a C program has no never claims";
            let help = "write a formula or a timeline";
            self.diagnostics.push(Diagnostic::error(EXCLUSIVE, message).at(never.at.into(), "").help(help));
            return None;
        }
        let (found, file) = self.named(never, &path, &manifest.folders.properties)?;
        property.files.push(found.clone());
        Some(Statement::Never(found, self.sources.file(file).text().to_string()))
    }

    fn formula(&mut self, formula: &Located<String>) -> Option<Statement> {
        match axle_ltl::parse(&formula.value) {
            Ok(_) => Some(Statement::Formula(formula.clone())),
            Err(fault) => {
                let span = within_string(self.sources, formula, fault.at);
                let message = format!("invalid formula: {}", fault.message);
                self.diagnostics.push(Diagnostic::error(VALUE, message).at(span.into(), ""));
                None
            }
        }
    }

    /// Reads a file that a property names.
    fn named(&mut self, path: &Located<String>, of: &str, folders: &[String]) -> Option<(String, FileId)> {
        let candidates = candidates(&path.value, of, folders);
        let found = candidates.iter().find(|one| self.folder.file(one) != Err(Refusal::NotFound));
        match found {
            Some(found) => {
                let file = self.text(&found.clone(), LARGEST, Some(path.at))?;
                Some((found.clone(), file))
            }
            None => {
                let message = format!("there is no file `{}`", path.value);
                let note = format!("looked for: {}", candidates.join(", "));
                self.diagnostics.push(Diagnostic::error(NO_FILE, message).at(path.at.into(), "").note(note));
                None
            }
        }
    }
}

/// Where a file may be that a property names: beside it, in the folders for files of its kind, at
/// the root of the project.
fn candidates(name: &str, property: &str, folders: &[String]) -> Vec<String> {
    let mut all = vec![join(parent(property), name)];
    all.extend(folders.iter().map(|folder| join(folder, name)));
    all.push(name.to_string());
    let mut seen: Vec<String> = Vec::new();
    for path in all {
        // A path that leads out of the project is reported as such where it is read.
        let path = super::folder::normal(&path).unwrap_or(path);
        if !seen.contains(&path) {
            seen.push(path);
        }
    }
    seen
}

/// Divides a property file.
pub(super) fn parts(text: &str) -> Result<Parts, (std::ops::Range<usize>, &'static str)> {
    let mut lines = text.split_inclusive('\n');
    let first = lines.next().unwrap_or_default();
    if first.trim_end() != FENCE {
        return Err((0..first.trim_end().len(), "a property file begins with a line `+++`"));
    }
    let mut at = first.len();
    for line in lines {
        if line.trim_end() == FENCE {
            return Ok(Parts { front: first.len()..at, words: at + line.len() });
        }
        at += line.len();
    }
    Err((0..FENCE.len(), "the front matter is never closed by a second line `+++`"))
}

fn read(mut fields: Fields<'_, '_>) -> Front {
    let front = Front {
        name: fields.required("name", "name the property: `name = \"dial-tone\"`"),
        feature: fields.string("feature"),
        reference: fields.string("reference"),
        formula: fields.string("formula"),
        timeline: fields.string("timeline"),
        never: fields.string("never"),
        stated: ["formula", "timeline", "never"].iter().filter_map(|key| fields.key_at(key)).collect(),
        constraints: fields.strings("constraints"),
        tags: fields.strings("tags"),
        weight: fields.integer("weight").map_or(0, |weight| checked_weight(&weight, fields.diagnostics())),
        expected: settings::expected(&mut fields).unwrap_or_default(),
        fairness: settings::fairness(&mut fields),
        model: fields.string("model"),
        at: fields.at,
    };
    fields.finish();
    front
}

fn checked_weight(weight: &Located<i64>, diagnostics: &mut Diagnostics) -> i64 {
    if !(0..=1_000_000).contains(&weight.value) {
        let message = format!("the weight {} does not lie between 0 and 1000000", weight.value);
        diagnostics.push(Diagnostic::error(VALUE, message).at(weight.at.into(), ""));
    }
    weight.value
}
