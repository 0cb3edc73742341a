//! Creates and changes properties. The browser writes files of the project, and overwrites no change
//! that it has not seen.
//!
//! *Entry points:* [`new`], [`create`], [`edit`], [`save`], [`expect`], [`delete`].
//! *Invariant:* a file is written only if its content is the one that the form was made of, and the
//! text has no errors, the names in it included.

use std::path::Path as FilePath;

use askama::Template;
use axle_feaver::prepare::{Selection, prepare};
use axle_feaver::project::folder::{Folder, join, normal};
use axle_feaver::project::front_matter::{Value, with_value};
use axle_feaver::project::{Folders, MANIFEST, Statement, load_folder};
use axum::extract::Path;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect, Response};

use super::frame::{Answer, Frame, Visitor, render};
use super::property_fields::{self, Field, fields};
use super::source::read;
use crate::application::Application;
use crate::fault::Fault;
use crate::form::Form;
use crate::observer::with_stack;
use crate::security::secret::fingerprint;
use crate::snapshot::{Problem, problem};
use crate::view::url::in_url;

/// A file to write: path, text, and the hash of the content that is replaced; none for a new file.
type Proposal = (String, String, Option<String>);

#[derive(Template)]
#[template(path = "edit.html")]
struct EditPage {
    frame: Frame,
    name: String,
    url: String,
    files: Vec<File>,
    problems: Vec<Problem>,
    conflict: bool,
    fields: Vec<Field>,
    /// The property can be deleted: its file can be read.
    is_deletable: bool,
}

/// A file in the form.
struct File {
    path: String,
    text: String,
    hash: String,
    rows: usize,
    /// Whether it is drawn by the timeline editor.
    is_timeline: bool,
}

#[derive(Template)]
#[template(path = "new.html")]
struct NewPage {
    frame: Frame,
    features: Vec<(String, bool)>,
    references: Vec<(String, String, bool)>,
    constraints: Vec<(String, bool)>,
    draft: Draft,
    problems: Vec<Problem>,
    message: String,
    /// The folders of new properties and timelines.
    folder: String,
    timelines: String,
}

/// The fields of a new property.
#[derive(Default)]
struct Draft {
    name: String,
    words: String,
    is_formula: bool,
    formula: String,
    timeline: String,
    tags: String,
}

/// The timeline that a new property begins with.
const FIRST_TIMELINE: &str = "e start = \nt goal = \n";

/// Shows the form of a new property.
pub async fn new(visitor: Visitor) -> Answer {
    let draft = Draft { timeline: FIRST_TIMELINE.to_string(), ..Draft::default() };
    form(&visitor, &Form::default(), draft, Vec::new(), String::new(), StatusCode::OK)
}

fn form(
    visitor: &Visitor,
    given: &Form,
    draft: Draft,
    problems: Vec<Problem>,
    message: String,
    status: StatusCode,
) -> Answer {
    let snapshot = visitor.app.snapshot();
    let Some(project) = &snapshot.project else {
        let error = snapshot.problems.iter().find(|problem| problem.is_error);
        let reason = error.map(Problem::line_of_text).unwrap_or_default();
        let message = format!("The manifest has errors. Correct them first: {reason}.");
        return Err(Fault::new(StatusCode::CONFLICT, message));
    };
    let flags = project.flags.iter().map(|flag| flag.name.value.clone());
    let chosen = given.all("constraint");
    let documents = project.requirements.iter();
    let references = documents.flat_map(|document| {
        let sections = document.sections.iter();
        let of = |anchor: &str, title: String| {
            let value = format!("{}#{anchor}", document.path);
            let is_chosen = given.get("reference") == value;
            (value, title, is_chosen)
        };
        sections
            .map(move |one| of(&one.anchor, format!("{}: {}", document.path, one.heading)))
            .collect::<Vec<_>>()
    });
    let page = NewPage {
        frame: visitor.frame("/properties", "New property"),
        features: (flags.chain(project.features.iter().cloned()))
            .map(|name| {
                let is_chosen = given.get("feature") == name;
                (name, is_chosen)
            })
            .collect(),
        references: references.collect(),
        constraints: (project.constraints.iter())
            .map(|one| (one.name.value.clone(), chosen.contains(&one.name.value)))
            .collect(),
        draft,
        problems,
        message,
        folder: project.folders.of_new_property().to_string(),
        timelines: project.folders.of_new_timeline().to_string(),
    };
    Ok((status, render(&page)?).into_response())
}

/// Creates a property.
pub async fn create(visitor: Visitor, body: String) -> Answer {
    let given = Form::parse(&body);
    let field = |name: &str| given.get(name).replace("\r\n", "\n").trim().to_string();
    let draft = Draft {
        name: field("name"),
        words: field("words"),
        is_formula: field("kind") == "formula",
        formula: field("formula"),
        timeline: field("timeline"),
        tags: field("tags"),
    };
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    let is_name = !draft.name.is_empty() && draft.name.len() <= 100 && draft.name.chars().all(is_part);
    if !is_name {
        let message = "The name consists of letters, digits, `-` and `_`.".to_string();
        return form(&visitor, &given, draft, Vec::new(), message, StatusCode::UNPROCESSABLE_ENTITY);
    }
    let snapshot = visitor.app.snapshot();
    let is_taken =
        snapshot.property(&draft.name).is_some() || snapshot.broken_of(&draft.name).next().is_some();
    if is_taken {
        let message = format!("The project already has a property '{}'.", draft.name);
        return form(&visitor, &given, draft, Vec::new(), message, StatusCode::CONFLICT);
    }
    let folders = snapshot.folders();
    let files = files_of(&draft, &given, &folders);
    let proposals: Vec<Proposal> = files.into_iter().map(|(path, text)| (path, text, None)).collect();
    let (name, problems) = (draft.name.clone(), store(&visitor, proposals).await?);
    match problems {
        Stored::Yes => Ok(Redirect::to(&format!("/properties/{}", in_url(&name))).into_response()),
        Stored::Invalid(problems) => {
            form(&visitor, &given, draft, problems, String::new(), StatusCode::UNPROCESSABLE_ENTITY)
        }
        Stored::Conflict => {
            let message = "A file of this name exists already. Choose another name.".to_string();
            form(&visitor, &given, draft, Vec::new(), message, StatusCode::CONFLICT)
        }
    }
}

/// The files of a new property in the folders of the project: itself, and its timeline.
fn files_of(draft: &Draft, given: &Form, folders: &Folders) -> Vec<(String, String)> {
    let within = |folder: &str, name: String| {
        let path = join(folder, &name);
        // A path that leads out of the project is refused when it is written.
        normal(&path).unwrap_or(path)
    };
    let quoted =
        |text: &str| format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', " "));
    let name = &draft.name;
    let mut front = format!("name = {}\n", quoted(name));
    for key in ["feature", "reference"] {
        if !given.get(key).is_empty() {
            front.push_str(&format!("{key} = {}\n", quoted(given.get(key))));
        }
    }
    let mut files = Vec::new();
    if !draft.is_formula {
        let path = within(folders.of_new_timeline(), format!("{name}.timeline"));
        front.push_str(&format!("timeline = {}\n", quoted(&path)));
        files.push((path, format!("{}\n", draft.timeline)));
    } else {
        front.push_str(&format!("formula = {}\n", quoted(&draft.formula)));
    }
    let list = |items: Vec<String>| items.iter().map(|item| quoted(item)).collect::<Vec<_>>().join(", ");
    let constraints = given.all("constraint");
    if !constraints.is_empty() {
        front.push_str(&format!("constraints = [{}]\n", list(constraints)));
    }
    let tags: Vec<String> =
        draft.tags.split([',', ' ']).filter(|tag| !tag.is_empty()).map(str::to_string).collect();
    if !tags.is_empty() {
        front.push_str(&format!("tags = [{}]\n", list(tags)));
    }
    let path = within(folders.of_new_property(), format!("{name}.md"));
    files.insert(0, (path, format!("+++\n{front}+++\n\n{}\n", draft.words)));
    files
}

/// Shows the files of a property in a form.
pub async fn edit(visitor: Visitor, Path(name): Path<String>) -> Answer {
    let paths = paths_of(&visitor, &name)?;
    let files = visitor
        .blocking(move |app| paths.iter().map(|path| Ok(file(path.clone(), read(app, path)?))).collect())
        .await?;
    show(&visitor, &name, files, Vec::new(), false, StatusCode::OK)
}

fn file(path: String, text: String) -> File {
    let rows = text.lines().count().clamp(4, 30) + 1;
    File { hash: fingerprint(&text), rows, is_timeline: false, path, text }
}

/// The file of a property, and that of its timeline or claim.
fn paths_of(visitor: &Visitor, name: &str) -> Result<Vec<String>, Fault> {
    let snapshot = visitor.app.snapshot();
    let broken: Vec<String> =
        snapshot.broken_of(name).flat_map(|broken| broken.property.files.clone()).collect();
    if !broken.is_empty() {
        return Ok(broken);
    }
    let property = snapshot.property(name);
    let property =
        property.ok_or_else(|| Fault::missing(format!("The project has no property '{name}'.")))?;
    let other = match &property.statement {
        Statement::Timeline(_, path) | Statement::Never(path, _) => Some(path.clone()),
        Statement::Formula(_) => None,
        Statement::Safety(_) => {
            let message =
                format!("'{name}' has no file of its own: the table [safety] of {MANIFEST} sets its checks.");
            return Err(Fault::invalid(message));
        }
    };
    Ok(std::iter::once(property.path.clone()).chain(other).collect())
}

fn show(
    visitor: &Visitor,
    name: &str,
    files: Vec<File>,
    problems: Vec<Problem>,
    conflict: bool,
    status: StatusCode,
) -> Answer {
    let frame = visitor.frame("/properties", &format!("Edit {name}"));
    let snapshot = visitor.app.snapshot();
    let property = snapshot.valid_property(name);
    let timeline = property.and_then(|property| match &property.statement {
        Statement::Timeline(_, path) => Some(path.clone()),
        _ => None,
    });
    let files =
        files.into_iter().map(|file| File { is_timeline: timeline.as_ref() == Some(&file.path), ..file });
    let fields = property.zip(snapshot.project.as_ref()).map(|(property, project)| fields(property, project));
    let page = EditPage {
        frame,
        name: name.to_string(),
        url: in_url(name),
        files: files.collect(),
        problems,
        conflict,
        is_deletable: fields.is_some(),
        fields: fields.unwrap_or_default(),
    };
    let response: Response = (status, render(&page)?).into_response();
    Ok(response)
}

/// Writes the files of a property.
pub async fn save(visitor: Visitor, Path(name): Path<String>, body: String) -> Answer {
    let given = Form::parse(&body);
    let known = paths_of(&visitor, &name)?;
    let (paths, texts, hashes) = (given.all("path"), given.all("text"), given.all("hash"));
    if paths.len() != texts.len()
        || paths.len() != hashes.len()
        || paths.iter().any(|one| !known.contains(one))
    {
        return Err(Fault::invalid("The form names files that do not belong to the property."));
    }
    let own = visitor.app.snapshot().valid_property(&name).map(|property| property.path.clone());
    let texts = texts.into_iter().map(|text| text.replace("\r\n", "\n"));
    let with_fields = |path: &String, text: String| match Some(path) == own.as_ref() {
        true => property_fields::changed(&text, &given),
        false => text,
    };
    let proposals: Vec<Proposal> = paths
        .into_iter()
        .zip(texts)
        .zip(hashes)
        .map(|((path, text), hash)| {
            let text = with_fields(&path, text);
            (path, text, Some(hash))
        })
        .collect();
    let stored = store(&visitor, proposals.clone()).await?;
    let files = |proposals: Vec<Proposal>| {
        let file = |(path, text, hash): Proposal| File { hash: hash.unwrap_or_default(), ..file(path, text) };
        proposals.into_iter().map(file).collect()
    };
    match stored {
        Stored::Yes => {
            let snapshot = visitor.app.snapshot();
            // The name may have changed.
            let renamed = snapshot.properties().iter().find(|property| Some(&property.path) == own.as_ref());
            let name = renamed.map_or(name, |property| property.name.value.clone());
            Ok(Redirect::to(&format!("/properties/{}", in_url(&name))).into_response())
        }
        Stored::Invalid(problems) => {
            show(&visitor, &name, files(proposals), problems, false, StatusCode::UNPROCESSABLE_ENTITY)
        }
        Stored::Conflict => show(&visitor, &name, files(proposals), Vec::new(), true, StatusCode::CONFLICT),
    }
}

/// Marks a property as one with a known fault, or removes the mark: one click on its page.
pub async fn expect(visitor: Visitor, Path(name): Path<String>, body: String) -> Answer {
    let given = Form::parse(&body);
    let snapshot = visitor.app.snapshot();
    let missing = || Fault::missing(format!("The project has no property '{name}' without errors."));
    let path = snapshot.valid_property(&name).ok_or_else(missing)?.path.clone();
    // The check of the software has no file of its own.
    paths_of(&visitor, &name)?;
    let value = match given.get("expected") {
        "violated" => Some(Value::Text("violated".to_string())),
        "holds" => None,
        _ => return Err(Fault::invalid("A property is expected to hold, or to be violated.")),
    };
    let wanted = path.clone();
    let text = visitor.blocking(move |app| read(app, &wanted)).await?;
    let unreadable = || Fault::invalid("The front matter of the file cannot be read.");
    let changed = with_value(&text, "expected", value.as_ref()).ok_or_else(unreadable)?;
    match store(&visitor, vec![(path, changed, Some(fingerprint(&text)))]).await? {
        Stored::Yes => Ok(Redirect::to(&format!("/properties/{}", in_url(&name))).into_response()),
        Stored::Invalid(problems) => {
            let first = problems.first().map(Problem::line_of_text).unwrap_or_default();
            Err(Fault::new(StatusCode::UNPROCESSABLE_ENTITY, format!("Not saved: {first}.")))
        }
        Stored::Conflict => {
            Err(Fault::new(StatusCode::CONFLICT, "The file was changed meanwhile. Try again."))
        }
    }
}

/// Deletes a property: its file, and that of its statement unless another property has it. Verdicts stay in
/// the history.
pub async fn delete(visitor: Visitor, Path(name): Path<String>, body: String) -> Answer {
    let given = Form::parse(&body);
    if !given.has("confirmed") {
        return Err(Fault::invalid("Confirm that the property is to be deleted."));
    }
    let paths = paths_of(&visitor, &name)?;
    let snapshot = visitor.app.snapshot();
    let others = snapshot.properties().iter().filter(|one| one.name.value != name);
    let shared: Vec<String> = others.map(|one| one.statement_path().to_string()).collect();
    let (known, hashes) = (given.all("path"), given.all("hash"));
    let seen =
        |path: &String| known.iter().position(|one| one == path).and_then(|at| hashes.get(at)).cloned();
    let wanted: Vec<(String, String)> = (paths.into_iter())
        .filter(|path| !shared.contains(path))
        .map(|path| seen(&path).map(|hash| (path, hash)))
        .collect::<Option<_>>()
        .ok_or_else(|| Fault::invalid("The form does not name the files of the property."))?;
    visitor
        .blocking(move |app| {
            let folder = Folder::open(&app.root).map_err(|_| Fault::internal("the project has gone"))?;
            if wanted.iter().any(|(path, hash)| !is_unchanged(&folder, path, Some(hash))) {
                let message = "A file has changed since the form was loaded. Nothing was deleted.";
                return Err(Fault::new(StatusCode::CONFLICT, message));
            }
            for (path, _) in &wanted {
                let fault = |fault: std::io::Error| {
                    let message = format!("Cannot delete '{path}': {}.", fault.kind());
                    Fault::new(StatusCode::INTERNAL_SERVER_ERROR, message)
                };
                std::fs::remove_file(folder.root().join(path)).map_err(fault)?;
            }
            Ok(crate::observer::reread(app)?)
        })
        .await?;
    Ok(Redirect::to("/properties").into_response())
}

/// What became of a proposal.
enum Stored {
    Yes,
    /// The files would have these errors.
    Invalid(Vec<Problem>),
    /// A file is not the one that the form was made of.
    Conflict,
}

async fn store(visitor: &Visitor, proposals: Vec<Proposal>) -> Result<Stored, Fault> {
    visitor
        .blocking(move |app| {
            let stored = store_now(app, &proposals)?;
            if matches!(stored, Stored::Yes) {
                // The next page shows the change.
                crate::observer::reread(app)?;
            }
            Ok(stored)
        })
        .await
}

fn store_now(app: &Application, proposals: &[Proposal]) -> Result<Stored, Fault> {
    let open = || Folder::open(&app.root).map_err(|_| Fault::internal("the project has gone"));
    // A folder keeps what was read, so each comparison opens it again.
    let folder = open()?;
    if proposals.iter().any(|(path, _, hash)| !is_unchanged(&folder, path, hash.as_deref())) {
        return Ok(Stored::Conflict);
    }
    let proposed =
        proposals.iter().try_fold(open()?, |folder, (path, text, _)| folder.propose(path, text.as_bytes()));
    let proposed = proposed.map_err(|_| Fault::forbidden("The file lies outside of the project."))?;
    let paths: Vec<&str> = proposals.iter().map(|(path, ..)| path.as_str()).collect();
    let problems = with_stack(|| problems_of(&proposed, &paths))?;
    if !problems.is_empty() {
        return Ok(Stored::Invalid(problems));
    }
    let folder = open()?;
    for (path, text, hash) in proposals {
        if !is_unchanged(&folder, path, hash.as_deref()) {
            return Ok(Stored::Conflict);
        }
        write(&folder, path, text)?;
    }
    Ok(Stored::Yes)
}

/// The errors of a project in some of its files: those of syntax, and names that the software does not
/// have. Errors elsewhere do not prevent a change.
fn problems_of(folder: &Folder, paths: &[&str]) -> Vec<Problem> {
    let loaded = load_folder(folder);
    let is_own = |files: &[&str]| files.iter().any(|file| paths.contains(file));
    let properties = loaded.project.iter().flat_map(|project| &project.properties);
    let names = properties.filter(|property| is_own(&[&property.path, property.statement_path()]));
    let names: Vec<String> = names.map(|property| property.name.value.clone()).collect();
    let (sources, found) = match names.is_empty() {
        true => (loaded.sources, loaded.diagnostics),
        false => {
            let own = loaded.broken.iter().map(|broken| broken.name.clone());
            let selection =
                Selection { properties: names.into_iter().chain(own).collect(), ..Selection::default() };
            let prepared = prepare(loaded, &selection);
            (prepared.sources, prepared.diagnostics)
        }
    };
    let problems = found.iter().map(|one| problem(one, &sources));
    let is_here = |problem: &Problem| problem.files.iter().any(|file| paths.contains(&file.as_str()));
    problems.filter(|problem| problem.is_error && is_here(problem)).collect()
}

/// Whether a file has the content with a hash, or does not exist if there is no hash.
fn is_unchanged(folder: &Folder, path: &str, hash: Option<&str>) -> bool {
    let content = folder.read(path, super::source::LARGEST);
    match (content, hash) {
        (Ok(content), Some(hash)) => String::from_utf8(content).is_ok_and(|text| fingerprint(&text) == hash),
        (Err(_), None) => !folder.root().join(path).exists(),
        _ => false,
    }
}

/// Replaces a file at once: no reader sees a part of it.
fn write(folder: &Folder, path: &str, text: &str) -> Result<(), Fault> {
    let plain =
        normal(path).filter(|plain| plain == path && !plain.split('/').any(|one| one.starts_with('.')));
    let plain = plain.ok_or_else(|| Fault::forbidden("The file lies outside of the project."))?;
    let target = folder.root().join(plain);
    let parent = target.parent().unwrap_or_else(|| FilePath::new("."));
    let fault = |fault: std::io::Error| {
        Fault::new(StatusCode::INTERNAL_SERVER_ERROR, format!("Cannot write '{path}': {}.", fault.kind()))
    };
    std::fs::create_dir_all(parent).map_err(fault)?;
    let real = std::fs::canonicalize(parent).map_err(fault)?;
    if !real.starts_with(folder.root()) {
        return Err(Fault::forbidden("The file lies outside of the project."));
    }
    let name = target.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let temporary = real.join(format!(".{name}.axle-new"));
    std::fs::write(&temporary, text).map_err(fault)?;
    std::fs::rename(&temporary, real.join(name)).map_err(fault)
}
