//! Composes extracted processes with their wrapper and with properties, and compiles them to a model.
//!
//! The wrapper includes each process as the file `FUNCTION.spn`, which exists in memory only. A wrapper
//! of the user also receives the declarations that the processes need and it lacks.
//!
//! *Entry point:* [`Extracted::compile`].
//! *Invariant:* rows are labelled in the text of the model as it is compiled: files included, macros
//! replaced, properties behind it.

use std::sync::Arc;

use axle_extract::lookup::Reason;
use axle_extract::{Extraction, Form, Program, declarations};
use axle_model::Model;
use axle_promela::{Meaning, ast, lower};
use axle_source::{
    Diagnostic, Diagnostics, LoadError, Loader, Options, Sources, Token, TokenKind, preprocess,
};

use crate::extracted::Extracted;
use crate::process::{Process, process_of};
use crate::row_labels::Rows;

/// A model of extracted processes.
#[derive(Clone, Debug)]
pub struct Compiled {
    /// Its text as a tree.
    pub tree: ast::Program,
    /// The model.
    pub model: Model,
    /// The labelled rows of its processes.
    pub rows: Arc<Rows>,
}

impl Extracted {
    /// Compiles the model. The files that `options` appends are properties and further processes. A
    /// diagnostic about the text of a process also names its statement and its row.
    pub fn compile(
        &self,
        options: &Options,
        meaning: &Meaning,
        loader: &dyn Loader,
        sources: &mut Sources,
        diagnostics: &mut Diagnostics,
    ) -> Option<Compiled> {
        let mut files = ProcessFiles::new(&self.processes, loader);
        if self.is_given {
            // The declarations of the wrapper determine those that it lacks.
            let own = preprocess(
                self.wrapper,
                options,
                &files.without_text(),
                &mut sources.clone(),
                &mut Diagnostics::new(),
            );
            files.add_declarations(&self.source.program, &joined(own.tokens.iter()));
        }
        let mut found = Diagnostics::new();
        let tokens = preprocess(self.wrapper, options, &files, sources, &mut found);
        let tree = axle_promela::parse(&tokens, sources, &mut found);
        let model = lower(&tree, sources, meaning, &mut found);
        diagnostics.extend(found.iter().map(|one| with_row(one, sources, &self.processes)));
        let rows = Arc::new(self.rows(&tokens.tokens, sources));
        Some(Compiled { tree, model: model?, rows })
    }

    /// The rows with their labels. What one process omits may matter to another one, and to all other
    /// text of the model.
    fn rows(&self, tokens: &[Token], sources: &Sources) -> Rows {
        let mut own: Vec<Vec<&Token>> = vec![Vec::new(); self.processes.len()];
        let mut around = Vec::new();
        for token in tokens.iter().filter(|token| token.kind != TokenKind::End) {
            let file = sources.place(sources.outermost(token.loc())).file;
            let from = process_of(&self.processes, &file);
            let index = from.and_then(|from| self.processes.iter().position(|one| std::ptr::eq(one, from)));
            index.map_or(&mut around, |index| &mut own[index]).push(token);
        }
        let texts: Vec<String> = own.into_iter().map(|tokens| joined(tokens.into_iter())).collect();
        let (others, around) = (texts.concat(), joined(around.into_iter()));
        let labelled = |(process, text): (&Process, &String)| {
            let judged =
                process.extraction.judge(&self.source.program, &process.table, text, &around, &others);
            Process { judged, ..process.clone() }
        };
        let processes = self.processes.iter().zip(&texts).map(labelled).collect();
        Rows { processes, is_wrapped: self.is_wrapped }
    }
}

fn joined<'t>(tokens: impl Iterator<Item = &'t Token>) -> String {
    tokens.map(|token| format!("{} ", token.text)).collect()
}

/// A diagnostic with the statement and the row of the text that it is about.
fn with_row(one: &Diagnostic, sources: &Sources, processes: &[Process]) -> Diagnostic {
    let Some(place) = one.outer_place(sources) else { return one.clone() };
    let Some(process) = process_of(processes, &place.file) else { return one.clone() };
    let Some(index) = process.use_at(place.start.line) else { return one.clone() };
    let of = &process.extraction.uses[index];
    let placed = one.clone().also(of.loc, "for this statement");
    match of.found.reason {
        Reason::Row(line) => match process.table.row(line) {
            Some(row) => placed.also(row.loc, "by this row"),
            None => placed,
        },
        Reason::Object(_) | Reason::Included(..) | Reason::Default => placed,
    }
}

/// The files of the caller, and the processes as files among them.
struct ProcessFiles<'a> {
    processes: &'a [Process],
    others: &'a dyn Loader,
    /// Whether the processes have no text.
    is_empty: bool,
    /// Declarations that the processes need, inside of other processes and outside.
    declarations: [String; 2],
}

/// The name of the file with the declarations that processes need, inside of others and outside.
const DECLARATIONS: [&str; 2] = ["<declarations within>", "<declarations>"];

impl<'a> ProcessFiles<'a> {
    fn new(processes: &'a [Process], others: &'a dyn Loader) -> ProcessFiles<'a> {
        ProcessFiles { processes, others, is_empty: false, declarations: [String::new(), String::new()] }
    }

    /// The same without the texts of the processes.
    fn without_text(&self) -> ProcessFiles<'a> {
        ProcessFiles { is_empty: true, ..ProcessFiles::new(self.processes, self.others) }
    }

    /// Gives the processes the declarations that the wrapper lacks.
    fn add_declarations(&mut self, program: &Program, around: &str) {
        let extractions: Vec<&Extraction> =
            self.processes.iter().map(|process| &*process.extraction).collect();
        self.declarations =
            [false, true].map(|outside| declarations::missing(program, &extractions, around, outside));
    }

    fn text(&self, process: &Process) -> String {
        if self.is_empty {
            return String::new();
        }
        let text = &process.extraction.text;
        let at = usize::from(process.extraction.form != Form::Body);
        match text.split_once('\n') {
            // The first line is a comment, and the lines behind it keep their numbers.
            Some((_, rest)) if !self.declarations[at].is_empty() => {
                format!("#include \"{}\"\n{rest}", DECLARATIONS[at])
            }
            _ => text.clone(),
        }
    }
}

impl Loader for ProcessFiles<'_> {
    fn load(&self, path: &str, limit: u64) -> Result<Vec<u8>, LoadError> {
        if let Some(at) = DECLARATIONS.iter().position(|name| path.ends_with(name)) {
            return Ok(self.declarations[at].clone().into_bytes());
        }
        match process_of(self.processes, path) {
            Some(process) => Ok(self.text(process).into_bytes()),
            None => self.others.load(path, limit),
        }
    }
}
