//! A C program and its tables, as text.
//!
//! *Entry points:* [`SourceProgram::open`], [`NamedTable::read`].

use axle_extract::{Program, Table, open, table};
use axle_source::{Diagnostics, FileId, Loader, Sources};

/// A C program that models are extracted from.
#[derive(Clone, Debug)]
pub struct SourceProgram {
    /// Its files.
    pub files: Vec<FileId>,
    /// How they are read.
    pub options: axle_c::Options,
    /// Its declarations and definitions.
    pub program: Program,
}

impl SourceProgram {
    /// Reads a program of these files of `sources`.
    pub fn open(
        files: Vec<FileId>,
        options: axle_c::Options,
        loader: &dyn Loader,
        sources: &mut Sources,
        diagnostics: &mut Diagnostics,
    ) -> SourceProgram {
        let program = open(&files, &options, loader, sources, diagnostics);
        SourceProgram { files, options, program }
    }
}

/// A table with the name of its file.
#[derive(Clone, Debug)]
pub struct NamedTable {
    /// The path of the file, as the user gave it.
    pub path: String,
    /// The table.
    pub table: Table,
}

impl NamedTable {
    /// Reads a table from a file of `sources`.
    pub fn read(
        file: FileId,
        source: &SourceProgram,
        sources: &Sources,
        diagnostics: &mut Diagnostics,
    ) -> NamedTable {
        let path = sources.file(file).name().to_string();
        NamedTable { path, table: table::read(file, &source.program.unit.types, sources, diagnostics) }
    }
}

/// The name of a file without folders and extension. A table is one of the function with this name.
#[must_use]
pub fn stem(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    match name.rsplit_once('.') {
        Some((stem, _)) if !stem.is_empty() => stem,
        Some(_) | None => name,
    }
}
