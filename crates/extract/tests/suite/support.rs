//! Files of `examples/extract`, and texts, through extraction.

use axle_extract::{Extraction, Form, Program, Request, Surveyed, Synchronised, Table, open, table};
use axle_source::{Diagnostics, MemoryLoader, Sources, Style};

/// What extraction is done with.
pub struct Work {
    pub sources: Sources,
    pub diagnostics: Diagnostics,
    pub program: Program,
}

pub fn folder(name: &str) -> String {
    format!("{}/../../examples/extract/{name}", env!("CARGO_MANIFEST_DIR"))
}

pub fn example(path: &str) -> String {
    let path = folder(path);
    std::fs::read_to_string(&path).unwrap_or_else(|fault| panic!("{path}: {fault}"))
}

impl Work {
    pub fn of(name: &str, text: &str) -> Work {
        Work::of_files(&[(name, text)])
    }

    /// Several files of one program.
    pub fn of_files(files: &[(&str, &str)]) -> Work {
        let (mut sources, mut diagnostics) = (Sources::new(), Diagnostics::new());
        let files: Vec<_> = files.iter().map(|(name, text)| sources.add(name, text)).collect();
        let options = axle_c::Options::default();
        let program = open(&files, &options, &MemoryLoader::default(), &mut sources, &mut diagnostics);
        Work { sources, diagnostics, program }
    }

    /// The diagnostics as text.
    pub fn rendered(&self) -> String {
        let style = Style { color: false, unicode: false, ..Style::default() };
        self.diagnostics.iter().map(|one| one.render(&self.sources, style)).collect()
    }

    pub fn survey(&mut self, function: &str) -> Vec<Surveyed> {
        self.program.survey(function, false, &mut self.diagnostics).into_iter().collect()
    }

    pub fn table(&mut self, name: &str, text: &str) -> Table {
        let file = self.sources.add(name, text);
        table::read(file, &self.program.unit.types, &self.sources, &mut self.diagnostics)
    }

    pub fn sync(&mut self, function: &str, text: Option<&str>) -> Synchronised {
        let surveyed = self.survey(function);
        let name = format!("{function}.lut");
        let table = text.map(|text| self.table(&name, text));
        let Work { sources, diagnostics, program } = self;
        axle_extract::synchronise(program, &surveyed, table.as_ref(), &name, sources, diagnostics)
    }

    pub fn extract(&mut self, function: &str, form: Form, table: &Table) -> Option<Extraction> {
        let surveyed = self.survey(function);
        let request = Request { function: function.into(), form };
        axle_extract::extract(&self.program, &request, table, &surveyed, &self.sources, &mut self.diagnostics)
    }

    /// The text of the process of a function.
    pub fn text(&mut self, function: &str, form: Form, table: &str) -> String {
        let table = self.table(&format!("{function}.lut"), table);
        match self.extract(function, form, &table) {
            Some(extraction) => extraction.text,
            None => self.rendered(),
        }
    }
}
