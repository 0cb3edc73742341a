//! `axle export`: a model as a transition system in the exchange formats of hardware model checkers.
//!
//! *Entry point:* [`run`].

use std::fs;

use axle_check::{Check, Config, Format, SystemKind, export};
use axle_search::Fairness;

use crate::args::{ExportArgs, ExportFormat};
use crate::exit::Exit;
use crate::files;
use crate::input_kind::is_program;
use crate::load::load;
use crate::output::print;
use crate::session::Session;

/// Runs the command.
pub fn run(args: &ExportArgs, session: &Session) -> Result<Exit, String> {
    if is_program(&args.model.model) {
        return Err("only models are exported; `axle extract` makes a model of C functions".to_string());
    }
    let format = match args.format {
        ExportFormat::Aiger => Format::Aiger,
        ExportFormat::Aag => Format::AigerText,
        ExportFormat::Btor2 => Format::Btor2,
    };
    if format == Format::Aiger && args.file.is_none() {
        return Err("the binary format needs a file: --output FILE; `--format aag` is text".to_string());
    }
    if let Some(file) = &args.file {
        files::check_outputs(&[("--output", Some(file))], &[&args.model.model])?;
    }
    let model = match load(session, &args.model, &args.output) {
        Ok(model) => model,
        Err(exit) => return Ok(exit),
    };
    let mut checks = Check::defaults(SystemKind::Model);
    if !args.claims {
        checks.remove(&Check::Properties);
    }
    let fairness = if args.weak_fairness { Fairness::Weak } else { Fairness::None };
    let config = Config { checks, fairness, ..Config::default() };
    let bytes = export(&model, &config, format)?;
    match &args.file {
        Some(file) => {
            fs::write(file, bytes).map_err(|fault| format!("cannot write '{}': {fault}", file.display()))?;
        }
        None => print(&String::from_utf8_lossy(&bytes))?,
    }
    Ok(Exit::Holds)
}
