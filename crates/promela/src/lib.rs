//! Promela: text to syntax tree, syntax tree to a resolved and typed program, and that to the
//! model.
//!
//! [`compile`] does all of it; [`parse()`] and [`lower()`] are its two halves behind the
//! preprocessor.

pub mod ast;
mod channels;
pub mod codes;
mod emit;
mod flow;
mod flow_table;
mod fold;
mod foreign;
pub mod loc;
mod lower;
mod lower_body;
mod lower_comm;
mod lower_decl;
mod lower_expr;
mod lower_pass;
mod lower_property;
mod lower_simple;
mod lower_stmt;
pub mod lowering_codes;
pub mod parse;
pub mod print;
pub mod prune;
mod resolve;
mod survey;
mod text;
pub mod token;
mod types;
mod warn;

use axle_model::Model;
use axle_source::{Diagnostics, FileId, Loader, Sources};

pub use lower::{Meaning, lower};
pub use parse::parse;

/// The code of a text that is not a condition on one state, where a front end reads conditions of users.
pub const NOT_A_CONDITION: &str = "E0245";

/// Choices of the caller.
#[derive(Clone, Debug)]
pub struct Options {
    /// `-D` and `-U`, include folders, limits.
    pub preprocessor: axle_source::Options,
    /// The interpretation of the text.
    pub meaning: Meaning,
}

impl Default for Options {
    fn default() -> Options {
        let preprocessor = axle_source::Options::new(axle_source::Dialect::Promela);
        Options { preprocessor, meaning: Meaning::default() }
    }
}

/// The model in `main`, a file of `sources`, where it has no error. Faults and warnings go to
/// `diagnostics`, in order of their places.
pub fn compile(
    sources: &mut Sources,
    main: FileId,
    loader: &dyn Loader,
    options: &Options,
    diagnostics: &mut Diagnostics,
) -> Option<Model> {
    let preprocessed = axle_source::preprocess(main, &options.preprocessor, loader, sources, diagnostics);
    let program = parse(&preprocessed, sources, diagnostics);
    let readable = !diagnostics.has_errors();
    // Names are looked up even after a fault of syntax, so that one run shows all faults.
    let model = lower(&program, sources, &options.meaning, diagnostics);
    diagnostics.sort(sources);
    model.filter(|_| readable)
}
