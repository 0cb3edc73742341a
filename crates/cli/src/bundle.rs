//! The bundle that accompanies the report of an internal error: a JSON file in the current
//! directory with the internal representation of the model, the command line, and the violation
//! that could not be replayed. It never overwrites a file. Described in
//! docs/reference/exit-codes.md.
//!
//! *Entry point:* [`bundle_faults`].

use std::fs::OpenOptions;
use std::io::{ErrorKind, Write};
use std::path::PathBuf;
use std::sync::Arc;

use axle_check::CheckedModel;
use axle_evidence::trail::Trail;
use axle_model::Model;
use axle_model::dump::fingerprint;
use axle_search::Violation;
use serde::Serialize;

use crate::args::ModelArgs;
use crate::output::complain;

/// The version of the file's form.
const VERSION: u32 = 1;

/// Names that are tried before giving up.
const MOST: u32 = 1_000;

/// What is needed to see a fault of Axle again.
#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Bundle {
    /// [`VERSION`]; it says what kind of file this is.
    axle_bundle: u32,
    /// The version of Axle.
    axle: &'static str,
    /// What is wrong, in a sentence.
    fault: String,
    /// The command line, the program's name left out.
    command_line: Vec<String>,
    /// The fingerprint that trails of the model carry.
    fingerprint: String,
    /// The violation that did not replay: kind, process, edge, path.
    violation: Option<Trail>,
    /// The model as `axle dump` prints it, which `axle check` reads.
    model: String,
}

impl Bundle {
    /// A bundle about a fault that `refused`, if anything, shows.
    pub fn new(model: &Model, args: &ModelArgs, fault: &str, refused: Option<&Violation>) -> Bundle {
        let name = args.model.to_string_lossy();
        let version = env!("CARGO_PKG_VERSION");
        Bundle {
            axle_bundle: VERSION,
            axle: version,
            fault: fault.to_string(),
            command_line: std::env::args_os().skip(1).map(|arg| arg.to_string_lossy().into_owned()).collect(),
            fingerprint: fingerprint(model),
            violation: refused.map(|violation| Trail::new(model, &name, &[], version, violation)),
            model: axle_model::dump::dump(model),
        }
    }

    /// Writes `axle-fault.json`, or `axle-fault-2.json`, ... where there is one already.
    pub fn write(&self) -> Result<PathBuf, String> {
        let mut text = serde_json::to_string_pretty(self).map_err(|fault| fault.to_string())?;
        text.push('\n');
        for number in 1..=MOST {
            let path = PathBuf::from(match number {
                1 => "axle-fault.json".to_string(),
                n => format!("axle-fault-{n}.json"),
            });
            let opened = OpenOptions::new().write(true).create_new(true).open(&path);
            let written = opened.and_then(|mut file| file.write_all(text.as_bytes()));
            match written {
                Ok(()) => return Ok(path),
                Err(fault) if fault.kind() == ErrorKind::AlreadyExists => {}
                Err(fault) => return Err(format!("cannot write '{}': {fault}", path.display())),
            }
        }
        Err(format!("there are {MOST} bundles here already"))
    }
}

/// Reports an internal error, and writes a file for its analysis.
pub fn bundle_faults(args: &ModelArgs, model: &Arc<Model>, checked: &CheckedModel) {
    if let Some(fault) = &checked.report.internal {
        complain(&format!("internal error, no verdict is reliable: {fault}"));
        let bundle = Bundle::new(model, args, fault, checked.found.refused.as_ref());
        match bundle.write() {
            Ok(path) => complain(&format!("please report it with the file {}", path.display())),
            Err(fault) => complain(&format!("please report it with the model; {fault}")),
        }
    }
}
