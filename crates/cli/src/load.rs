//! From a file to a model: Promela through the front end, or the text of a model as `axle dump`
//! prints it.

use std::sync::Arc;

use axle_check::config::Predicate;
use axle_evidence::report::{ErrorReport, PlaceReport};
use axle_model::Model;
use axle_promela::{Meaning, ast, lower};
use axle_source::{CommandLine, Diagnostics, Dialect, Loader, Options, Severity, Sources, Style, preprocess};

use crate::args::{ModelArgs, OutputArgs};
use crate::exit::Exit;
use crate::files::{Disk, unreadable};
use crate::input_kind::{is_model_text, is_program};
use crate::output::remark;
use crate::predicates;
use crate::predicates::Given;
use crate::session::Session;

/// The largest model file that is read.
pub const LARGEST: u64 = 256 << 20;

/// Reads a model and prints its errors and warnings on standard error.
pub fn load(session: &Session, args: &ModelArgs, output: &OutputArgs) -> Result<Arc<Model>, Exit> {
    load_with(session, args, output, &[]).map(|(model, _)| model)
}

/// The same, with conditions on its states.
pub fn load_with(
    session: &Session,
    args: &ModelArgs,
    output: &OutputArgs,
    given: &[Given],
) -> Result<(Arc<Model>, Vec<Predicate>), Exit> {
    let text = read(session, args)?;
    let beside = [
        ("--ltl", args.ltl.is_empty()),
        ("--timeline", args.timeline.is_empty()),
        ("--automaton", args.automaton.is_empty()),
        ("a predicate", given.is_empty()),
    ];
    if let Some((what, _)) = beside.into_iter().find(|(_, is_empty)| !is_empty && is_model_text(&text)) {
        session.messages.complain(&format!(
            "{what} needs a model in Promela; the text of a model takes properties as `property` only"
        ));
        return Err(Exit::Input);
    }
    let mut model = match is_model_text(&text) {
        true => from_text(session, args, &text)?,
        false => promela(session, args, output, &text, given)?.model,
    };
    let predicates = predicates::take(&mut model, given);
    model.semantics.lossy |= args.lossy;
    model.semantics.max_processes = args.max_processes;
    if model.start.len() > args.max_processes as usize {
        let count = model.start.len();
        session.messages.complain(&format!(
            "the model starts with {count} processes; allow them with --max-processes {count}"
        ));
        return Err(Exit::Input);
    }
    match axle_model::verify::verify(&model).first() {
        // What a person wrote may be wrong; what the front end made of correct text may not.
        Some(broken) => {
            session.messages.complain(&format!("the model is not well formed: {broken}"));
            Err(if is_model_text(&text) { Exit::Input } else { Exit::Internal })
        }
        None => Ok((Arc::new(model), predicates)),
    }
}

/// A Promela file as a tree, as a model, and where both come from.
pub struct Loaded {
    pub tree: ast::Program,
    pub model: Model,
    pub sources: Sources,
}

/// Reads a Promela file as a tree and as a model.
pub fn load_promela(session: &Session, args: &ModelArgs, output: &OutputArgs) -> Result<Loaded, Exit> {
    let text = read(session, args)?;
    if is_model_text(&text) {
        session
            .messages
            .complain(&format!("'{}' is not Promela but the text of a model", args.model.display()));
        return Err(Exit::Input);
    }
    let mut loaded = promela(session, args, output, &text, &[])?;
    loaded.model.semantics.lossy |= args.lossy;
    loaded.model.semantics.max_processes = args.max_processes;
    Ok(loaded)
}

/// A Promela file as a syntax tree, after the preprocessor.
pub fn load_tree(session: &Session, args: &ModelArgs, output: &OutputArgs) -> Result<ast::Program, Exit> {
    let text = read(session, args)?;
    if is_model_text(&text) {
        session
            .messages
            .complain(&format!("'{}' is not Promela but the text of a model", args.model.display()));
        return Err(Exit::Input);
    }
    let (mut sources, mut diagnostics) = (Sources::new(), Diagnostics::new());
    let tree = parse(session, args, &text, &mut sources, &mut diagnostics, &[])?;
    report_recorded(session, &sources, &mut diagnostics, output)?;
    Ok(tree)
}

/// The text of a model. C programs are refused.
fn read(session: &Session, args: &ModelArgs) -> Result<Vec<u8>, Exit> {
    let name = args.model.display();
    let text = Disk.load(&args.model.to_string_lossy(), LARGEST).map_err(|fault| {
        session.messages.complain(&unreadable(&name.to_string(), &fault));
        Exit::Input
    })?;
    if is_program(&args.model) {
        session.messages.complain(&format!(
            "'{name}' is a C program; this command accepts models only. Use `axle check {name}`"
        ));
        return Err(Exit::Input);
    }
    Ok(text)
}

fn from_text(session: &Session, args: &ModelArgs, text: &[u8]) -> Result<Model, Exit> {
    let text = String::from_utf8_lossy(text);
    let file = args.model.to_string_lossy();
    axle_model::parse::parse(&text).map_err(|fault| {
        remark(&format!("axle: {file}:{fault}\n"));
        let (line, column) = (fault.line, fault.column);
        let place =
            PlaceReport { file: file.into_owned(), line, column, end_line: line, end_column: column + 1 };
        session.messages.record(ErrorReport {
            code: None,
            message: fault.message,
            place: Some(place),
            help: Vec::new(),
        });
        Exit::Input
    })
}

fn promela(
    session: &Session,
    args: &ModelArgs,
    output: &OutputArgs,
    text: &[u8],
    given: &[Given],
) -> Result<Loaded, Exit> {
    let (mut sources, mut diagnostics) = (Sources::new(), Diagnostics::new());
    let tree = parse(session, args, text, &mut sources, &mut diagnostics, given)?;
    predicates::refuse_statements(&tree, &mut diagnostics);
    let meaning = Meaning { lossy: args.lossy };
    // Names and types are looked at even where the text has faults, so that one run shows all of
    // them.
    let model = lower(&tree, &sources, &meaning, &mut diagnostics);
    report_recorded(session, &sources, &mut diagnostics, output)?;
    let Some(model) = model else {
        session.messages.complain("the front end gave neither a model nor a reason");
        return Err(Exit::Internal);
    };
    Ok(Loaded { tree, model, sources })
}

fn parse(
    session: &Session,
    args: &ModelArgs,
    text: &[u8],
    sources: &mut Sources,
    diagnostics: &mut Diagnostics,
    given: &[Given],
) -> Result<ast::Program, Exit> {
    let (main, doubt) = sources.add_bytes(&args.model.to_string_lossy(), text);
    diagnostics.extend(doubt);
    let mut options = Options::new(Dialect::Promela);
    options.include_dirs = args.include.clone();
    let defines = args.define.iter().map(|define| CommandLine::Define(define.clone()));
    let undefines = args.undefine.iter().map(|name| CommandLine::Undefine(name.clone()));
    options.command_line = defines.chain(undefines).collect();
    options.appended = crate::beside::items(session, args, sources)?;
    options.appended.extend(predicates::items(given, sources, diagnostics));
    let tokens = preprocess(main, &options, &Disk, sources, diagnostics);
    Ok(axle_promela::parse(&tokens, sources, diagnostics))
}

/// Prints and records the diagnostics of the front end; with errors, the command ends.
pub fn report_recorded(
    session: &Session,
    sources: &Sources,
    diagnostics: &mut Diagnostics,
    output: &OutputArgs,
) -> Result<(), Exit> {
    diagnostics.sort(sources);
    session.messages.record_all(diagnostics, sources);
    report(sources, diagnostics, output)
}

/// Prints the diagnostics of the front end; with errors, the command ends.
pub fn report(sources: &Sources, diagnostics: &mut Diagnostics, output: &OutputArgs) -> Result<(), Exit> {
    diagnostics.sort(sources);
    let style = Style { color: output.color_err(), unicode: false, ..Style::default() };
    for diagnostic in diagnostics.iter() {
        let error = diagnostic.severity == Severity::Error;
        // A statement without a row decides what the verdict covers.
        if !output.quiet || error || diagnostic.code == axle_extract::codes::NEW_STATEMENT {
            remark(&diagnostic.render(sources, style));
        }
    }
    if diagnostics.dropped() > 0 {
        remark(&format!("{} more diagnostics not shown\n", diagnostics.dropped()));
    }
    match (diagnostics.has_errors(), diagnostics.error_count()) {
        (false, _) => return Ok(()),
        (true, 1) => remark("axle: 1 error\n"),
        (true, n) => remark(&format!("axle: {n} errors\n")),
    }
    Err(Exit::Input)
}
