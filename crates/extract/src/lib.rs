//! Models of C programs by tables of abstraction, as AX made them: C text and a table to the text
//! of Promela processes, and tables that survive edits of the source.
//!
//! * [`open`] reads a file of C as it is written: no types, because a table refers to the text of the user
//!   reads.
//! * [`table::read`] reads a table; [`synchronise`] makes one, or brings one in line with the
//!   source.
//! * [`extract`] makes the process of a function; each of its lines knows its statement of C and
//!   its row.
//! * [`Extraction::judge`] says which rows are exact, which add behaviours, which leave some out.
//!
//! Nothing here searches, and nothing reads or writes files but through the caller's loader.

pub mod canonical;
pub mod codes;
pub mod declarations;
mod evaluate;
pub mod generate;
mod headers;
pub mod item;
mod keep;
pub mod label;
mod locksets;
pub mod lookup;
pub mod names;
mod node;
mod objects;
pub mod pattern;
pub mod read;
pub mod resync;
pub mod syntax;
pub mod table;
mod values;
pub mod wrapper;

use axle_source::{Diagnostic, Diagnostics, FileId, Loader, Sources, nearest, preprocess};
use rustc_hash::FxHashSet;

use objects::Objects;

pub use generate::{Form, Use};
pub use label::Judged;
pub use node::Hidden;
pub use read::Unit;
pub use resync::{Change, Surveyed};
pub use table::{Label, Mapping, Table};

/// A C program: one file, or several that are linked.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// The declarations and definitions of its files.
    pub unit: Unit,
    /// Its identifiers, and the names that they have in models.
    pub names: names::Names,
    /// The names of its files, as the user gave them.
    pub files: Vec<String>,
}

/// Reads the files of a C program, which are files of `sources`. Errors go to `diagnostics`.
pub fn open(
    files: &[FileId],
    options: &axle_c::Options,
    loader: &dyn Loader,
    sources: &mut Sources,
    diagnostics: &mut Diagnostics,
) -> Program {
    let options = axle_c::preprocessing(options);
    let mut program = Program::default();
    for &file in files {
        let tokens = preprocess(file, &options, &headers::AsCalls(loader), sources, diagnostics).tokens;
        let tokens = axle_c::grammar::attributes::without_standard_attributes(&tokens);
        let name = sources.file(file).name().to_string();
        let mut unit = read::read_unit(&name, &tokens, sources, diagnostics);
        // A header defines its functions once, however many files include it.
        let place = |of: &syntax::Function| sources.place(sources.outermost(of.loc));
        let is_known = |of: &syntax::Function| {
            let mut named = program.unit.functions.iter().filter(|known| known.name == of.name);
            named.any(|known| place(known) == place(of))
        };
        unit.functions.retain(|function| !is_known(function));
        program.unit.link(unit);
        program.names.add(&tokens);
        program.files.push(name);
    }
    program
}

impl Program {
    /// The items of a function. Where there is none, that is reported and nothing comes back.
    pub fn survey(&self, name: &str, params: bool, diagnostics: &mut Diagnostics) -> Option<Surveyed> {
        let mut defined = self.unit.functions.iter().filter(|function| &*function.name == name);
        let (first, second) = (defined.next(), defined.next());
        if let (Some(first), Some(second)) = (first, second) {
            let message = format!("{} and {} both define a function `{name}`", first.file, second.file);
            let fault =
                Diagnostic::error("E0806", message).at(second.loc, "").also(first.loc, "the first is here");
            diagnostics
                .push(fault.help("rename one of them, or leave out the file that the model does not need"));
            return None;
        }
        let Some(function) = first else {
            let known = self.unit.functions.iter().map(|function| &*function.name);
            let have = if self.files.len() == 1 { "has" } else { "have" };
            let message = format!("{} {have} no function `{name}`", self.files.join(" and "));
            let mut fault = Diagnostic::error("E0806", message);
            if let Some(near) = nearest(name, known) {
                fault = fault.help(format!("did you mean `{near}`?"));
            }
            diagnostics.push(fault);
            return None;
        };
        let file = function.file.clone();
        Some(Surveyed { name: name.into(), file, items: item::survey(function, params, diagnostics) })
    }
}

/// A table in line with the source.
#[derive(Clone, Debug)]
pub struct Synchronised {
    /// Its text.
    pub text: String,
    /// The table.
    pub table: Table,
    /// The differences.
    pub changes: Vec<Change>,
}

/// Makes a table for functions of a program, or brings one in line with them. The text is the same
/// as before when nothing was out of line. `name`: the table's file, as shown to people.
pub fn synchronise(
    program: &Program,
    functions: &[Surveyed],
    table: Option<&Table>,
    name: &str,
    sources: &mut Sources,
    diagnostics: &mut Diagnostics,
) -> Synchronised {
    let mut empty = Table::empty(name);
    let short = name.rsplit('/').next().unwrap_or(name);
    empty.lines.push(table::Line::Other(resync::heading(short)));
    let first = table.is_none();
    if first {
        resync::include_useful(&mut empty, functions);
    }
    let (text, changes) = resync::sync(table.unwrap_or(&empty), functions, first);
    // Read again, so that lines and places are those of the new text.
    let file = sources.add(name, &text);
    let table = table::read(file, &program.unit.types, sources, diagnostics);
    Synchronised { text, table, changes }
}

/// Which function to extract, and how.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Request {
    /// The function.
    pub function: String,
    /// The form of the result.
    pub form: Form,
}

/// The process of a function.
#[derive(Clone, Debug)]
pub struct Extraction {
    /// The function.
    pub function: String,
    /// The form of its text.
    pub form: Form,
    /// The process type that its text defines, where it defines one.
    pub process: String,
    /// The text of the process.
    pub text: String,
    /// Line of the text, counted from 1, and index into `uses`.
    pub map: Vec<(u32, usize)>,
    /// Statements of C that leave nothing in the model; their numbers are indices into `uses`.
    pub hidden: Vec<Hidden>,
    /// Every statement of C in it, with its mapping by the table.
    pub uses: Vec<Use>,
}

/// Makes the process of a function. `shared`: all functions that the table is used for. None when
/// the table cannot be followed, which is reported.
pub fn extract(
    program: &Program,
    request: &Request,
    table: &Table,
    shared: &[Surveyed],
    sources: &Sources,
    diagnostics: &mut Diagnostics,
) -> Option<Extraction> {
    let function = program.unit.function(&request.function)?;
    let present = resync::present(shared);
    let context = generate::Context {
        function,
        file: &function.file,
        table,
        present: &present,
        types: &program.unit.types,
        names: &program.names,
        unit: &program.unit,
        objects: &Objects::new(&program.unit, function, table),
        sources,
    };
    let generated = generate::generate(&context, request.form, diagnostics)?;
    let generate::Generated { text, map, hidden, uses } = generated;
    let process = program.names.model_name(&request.function);
    let form = request.form;
    Some(Extraction { function: request.function.clone(), form, process, text, map, hidden, uses })
}

/// How a statement of C takes part in an execution of the model.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Executed {
    /// It is a step of the model.
    Shown,
    /// It leaves nothing in the model.
    Hidden,
    /// It leaves nothing in the model and belongs to one way of a choice that the table removes, so
    /// whether it is executed is not known.
    Perhaps,
}

impl Extraction {
    /// The statements of C that are executed with a line of the text, in order: indices into
    /// `uses`.
    #[must_use]
    pub fn executed(&self, line: u32) -> Vec<(usize, Executed)> {
        let hidden = |behind: bool| {
            let here = self.hidden.iter().filter(move |one| one.line == line && one.behind == behind);
            here.map(|one| (one.index, if one.certain { Executed::Hidden } else { Executed::Perhaps }))
        };
        let own = self.map.iter().find(|(of, _)| *of == line).map(|(_, index)| (*index, Executed::Shown));
        hidden(false).chain(own).chain(hidden(true)).collect()
    }

    /// The effect of each of its uses on the behaviours of the program. `own`: the process's text as
    /// the model has it, macros replaced; `wrapper`: all that surrounds the processes, included
    /// files and formulas too; `other`: the text of the other processes.
    #[must_use]
    pub fn judge(
        &self,
        program: &Program,
        table: &Table,
        own: &str,
        wrapper: &str,
        other: &str,
    ) -> Vec<Judged> {
        let Some(function) = program.unit.function(&self.function) else { return Vec::new() };
        let mut names = FxHashSet::default();
        label::names_in(&self.text, &mut names);
        label::names_in(own, &mut names);
        label::names_in(wrapper, &mut names);
        let mut everywhere = names.clone();
        label::names_in(other, &mut everywhere);
        let maps =
            (table.maps.iter()).filter(|map| map.scope.takes(&self.function, &function.file)).collect();
        let around = label::Around { own: &names, model: &everywhere, wrapper, processes: other };
        let known = label::Knowledge::new(program, function, table, &around, maps);
        self.uses.iter().map(|one| label::judge(one, table, &known)).collect()
    }
}
