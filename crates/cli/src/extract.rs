//! `axle extract`: models of functions of a C program, by tables of abstraction. What `axle check
//! --table` needs of it is here too: [`read`], [`Job`].

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use axle_extract::{Change, Extraction, Form, Request, Surveyed, Table, synchronise, table};
use axle_source::{CommandLine, Diagnostics, LoadError, Loader, Sources};
use axle_tabled::{Derived, SourceProgram, derive};

use crate::args::{ExtractArgs, OutputArgs};
use crate::exit::Exit;
use crate::files::Disk;
use crate::load;
use crate::output::{complain, remark};
use crate::session::Session;

/// The largest file that is read.
const LARGEST: u64 = 64 << 20;

/// A program and what was read for it.
pub struct Job {
    pub source: Arc<SourceProgram>,
    pub sources: Sources,
    pub diagnostics: Diagnostics,
}

/// A file as text; complains where there is none.
pub fn text_of(session: &Session, path: &Path) -> Result<String, Exit> {
    let name = path.display();
    match Disk.load(&path.to_string_lossy(), LARGEST) {
        Ok(bytes) => Ok(String::from_utf8_lossy(&bytes).into_owned()),
        Err(LoadError::NotFound) => {
            session.messages.complain(&format!("there is no file '{name}'"));
            Err(Exit::Input)
        }
        Err(LoadError::Unreadable(why)) => {
            session.messages.complain(&format!("cannot read '{name}': {why}"));
            Err(Exit::Input)
        }
    }
}

/// Reads the files of a C program; `defines`, `undefines` and `include` are those of the command
/// line.
pub fn read(
    session: &Session,
    paths: &[&Path],
    defines: &[String],
    undefines: &[String],
    include: &[String],
) -> Result<Job, Exit> {
    let (mut sources, mut diagnostics) = (Sources::new(), Diagnostics::new());
    let mut files = Vec::new();
    for path in paths {
        let text = text_of(session, path)?;
        files.push(sources.add(&path.to_string_lossy(), &text));
    }
    let defines = defines.iter().map(|define| CommandLine::Define(define.clone()));
    let undefines = undefines.iter().map(|name| CommandLine::Undefine(name.clone()));
    let options = axle_c::Options {
        include_dirs: include.to_vec(),
        command_line: defines.chain(undefines).collect(),
        ..axle_c::Options::default()
    };
    let source = SourceProgram::open(files, options, &Disk, &mut sources, &mut diagnostics);
    Ok(Job { source: Arc::new(source), sources, diagnostics })
}

impl Job {
    /// Prints the diagnostics; with errors, the command ends.
    pub fn report(&mut self, session: &Session, output: &OutputArgs) -> Result<(), Exit> {
        let reported = load::report_recorded(session, &self.sources, &mut self.diagnostics, output);
        self.diagnostics = Diagnostics::new();
        reported
    }

    /// Reads a table, where there is one.
    pub fn table(&mut self, session: &Session, path: &Path) -> Result<Option<Table>, Exit> {
        if !path.exists() {
            return Ok(None);
        }
        let text = text_of(session, path)?;
        // It is written again, so nothing of it may be lost.
        if text.contains(char::REPLACEMENT_CHARACTER) {
            let line =
                text.lines().take_while(|line| !line.contains(char::REPLACEMENT_CHARACTER)).count() + 1;
            session
                .messages
                .complain(&format!("{}:{line}: a table is UTF-8, and this line is not", path.display()));
            return Err(Exit::Input);
        }
        let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
        let file = self.sources.add(&path.to_string_lossy(), text);
        let types = &self.source.program.unit.types;
        Ok(Some(table::read(file, types, &self.sources, &mut self.diagnostics)))
    }

    /// The functions that a table is used for.
    pub fn survey(&mut self, names: &[String], params: bool) -> Vec<Surveyed> {
        let Job { diagnostics, source, .. } = self;
        names.iter().filter_map(|name| source.program.survey(name, params, diagnostics)).collect()
    }

    /// The process of a function.
    pub fn extract(&mut self, request: &Request, table: &Table, shared: &[Surveyed]) -> Option<Extraction> {
        let Job { sources, diagnostics, source } = self;
        axle_extract::extract(&source.program, request, table, shared, sources, diagnostics)
    }

    /// Says how a table and the source differ.
    pub fn say(&mut self, changes: &[Change], name: &str) {
        for change in changes {
            self.diagnostics.push(change.diagnostic(name));
        }
    }
}

/// A file to be written.
struct Written {
    path: PathBuf,
    text: String,
}

/// Runs the command.
pub fn run(args: &ExtractArgs, session: &Session) -> Result<Exit, String> {
    match extract(args, session) {
        Ok(done) => done,
        Err(exit) => Ok(exit),
    }
}

fn requests(args: &ExtractArgs) -> Vec<Request> {
    let of = |names: &[String], form: Form| {
        names.iter().map(|name| Request { function: name.clone(), form }).collect::<Vec<_>>()
    };
    let mut requests = of(&args.active, Form::Active);
    requests.extend(of(&args.proctype, Form::Proctype));
    requests.extend(of(&args.body, Form::Body));
    requests
}

fn extract(args: &ExtractArgs, session: &Session) -> Result<Result<Exit, String>, Exit> {
    let paths: Vec<&Path> = std::iter::once(&args.program).chain(&args.more).map(AsRef::as_ref).collect();
    let mut job = read(session, &paths, &args.define, &args.undefine, &args.include)?;
    job.report(session, &args.output)?;
    let requests = requests(args);
    if requests.is_empty() {
        let names: Vec<&str> = job.source.program.unit.functions.iter().map(|one| &*one.name).collect();
        complain(&format!("say what to extract with -a, -p or -n; there are: {}", names.join(", ")));
        return Err(Exit::Input);
    }
    // Both would be one file.
    let twice = requests.iter().enumerate().find(|(at, one)| {
        requests[..*at].iter().any(|other| other.function == one.function && other.form != one.form)
    });
    if let Some((_, Request { function, .. })) = twice {
        complain(&format!("`{function}` is asked for in two forms, and {function}.spn can have one"));
        return Err(Exit::Input);
    }
    let folder = args.out.clone().unwrap_or_default();
    let mut results = Vec::new();
    let mut changed = 0;
    // Functions that share a table must be looked at together: a row of one is not gone because
    // another lacks it.
    let groups: Vec<(PathBuf, Vec<Request>)> = match &args.table {
        Some(path) => vec![(path.clone(), requests)],
        None => (requests.into_iter())
            .map(|request| (folder.join(format!("{}.lut", request.function)), vec![request]))
            .collect(),
    };
    for (path, requests) in groups {
        let before = job.table(session, &path)?;
        let mut names: Vec<String> = requests.iter().map(|request| request.function.clone()).collect();
        if args.table.is_some() && before.is_some() {
            let all = job.source.program.unit.functions.iter().map(|one| one.name.to_string());
            let others: Vec<String> = all.filter(|name| !names.contains(name)).collect();
            names.extend(others.into_iter().filter(|name| mentions(before.as_ref(), name)));
        }
        let params = requests.iter().any(|request| request.form == Form::Proctype);
        let shared = job.survey(&names, params);
        job.report(session, &args.output)?;
        let name = path.to_string_lossy().into_owned();
        if args.formula.is_some() && before.is_some() {
            complain(&format!("'{name}' exists; --for makes a new table, and --out names another folder"));
            return Err(Exit::Input);
        }
        let mut next = {
            let Job { sources, diagnostics, source } = &mut job;
            synchronise(&source.program, &shared, before.as_ref(), &name, sources, diagnostics)
        };
        if let Some(formula) = &args.formula {
            let derived = derive(&job.source.program, &shared, formula).map_err(|reason| {
                complain(&format!("--for: {reason}"));
                Exit::Input
            })?;
            next.text = with_rows(&next.text, formula, &derived);
            let file = job.sources.add(&name, &next.text);
            let types = &job.source.program.unit.types;
            next.table = table::read(file, types, &job.sources, &mut job.diagnostics);
            if !args.output.quiet {
                remark(&format!("axle: in the model, the formula is {}\n", derived.formula));
            }
        }
        if before.is_some() {
            job.say(&next.changes, &name);
        }
        changed += usize::from(before.is_none() || !next.changes.is_empty());
        for request in &requests {
            let Some(extraction) = job.extract(request, &next.table, &shared) else { continue };
            let path = folder.join(format!("{}.spn", request.function));
            results.push(Written { path, text: extraction.text });
        }
        // One that needs no change stays as it is, to the byte.
        if before.is_none() || !next.changes.is_empty() {
            let ends = fs::read(&path).is_ok_and(|bytes| bytes.windows(2).any(|pair| pair == b"\r\n"));
            let text = if ends { next.text.replace('\n', "\r\n") } else { next.text };
            results.push(Written { path, text });
        }
    }
    job.report(session, &args.output)?;
    if args.check_table {
        if changed > 0 && !args.output.quiet {
            remark("axle: the table is not in line with the source; `axle extract` brings it there\n");
        }
        return Ok(Ok(if changed > 0 { Exit::Violated } else { Exit::Holds }));
    }
    Ok(write(&results, &args.output).map(|()| Exit::Holds))
}

/// The text of a new table with the rows that a formula determines.
fn with_rows(text: &str, formula: &str, derived: &Derived) -> String {
    let mut lines: Vec<String> = Vec::new();
    let safe = |formula: &str| formula.replace('\n', " ");
    for (number, line) in text.lines().enumerate() {
        let row = line.split_once('\t').and_then(|(left, _)| Some((left, derived.rows.get(left)?)));
        lines.push(match row {
            Some((left, (right, Some(label)))) => format!("{left}\t{right}\t{}", label.name()),
            Some((left, (right, None))) => format!("{left}\t{right}"),
            None => line.to_string(),
        });
        if number == 0 {
            lines.push(format!("# Derived for {}", safe(formula)));
            lines.push(format!("# In the model: {}", safe(&derived.formula)));
            lines.extend(derived.declarations.iter().map(|one| format!("# In the wrapper: {one}")));
            lines.extend(derived.maps.iter().cloned());
        }
    }
    lines.push(String::new());
    lines.join("\n")
}

/// Whether a table that several functions share says anything of one of them.
fn mentions(table: Option<&Table>, name: &str) -> bool {
    let scope = table::Scope::Function(name.into());
    table.is_some_and(|table| table.rows().any(|(_, row)| row.scope == scope))
}

/// Writes what is new. A file is replaced in one step, so that no table is ever half written.
fn write(results: &[Written], output: &OutputArgs) -> Result<(), String> {
    for Written { path, text } in results {
        if fs::read(path).is_ok_and(|before| before == text.as_bytes()) {
            continue;
        }
        let mut beside = path.clone().into_os_string();
        beside.push(".new");
        let beside = PathBuf::from(beside);
        let fault = |fault: std::io::Error| format!("cannot write '{}': {fault}", path.display());
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(fault)?;
        }
        fs::write(&beside, text).map_err(fault)?;
        fs::rename(&beside, path).map_err(fault)?;
        if !output.quiet {
            remark(&format!("axle: wrote {}\n", path.display()));
        }
    }
    Ok(())
}
