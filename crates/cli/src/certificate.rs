//! Certificates: `axle check --certificate` writes one, `axle verify-certificate` verifies one.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{BufReader, BufWriter};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use axle_certify::{Certified, Engine, How, Recorder, Refused, verify};
use axle_check::checks::{Check, KINDS};
use axle_check::{Checked, Config, check_recorded, claim, proves};
use axle_model::Model;

use crate::args::{CheckArgs, VerifyCertificateArgs};
use crate::exit::Exit;
use crate::input_kind::is_program;
use crate::load::load;
use crate::machine::cores;
use crate::output::{complain, print};
use crate::quantities::{bytes, number};
use crate::session::Session;
use crate::trail;
use crate::watch::Watch;

/// Refuses a certificate of anything but a model.
pub fn only_of_models(args: &CheckArgs) -> Result<(), String> {
    match args.certificate {
        Some(_) => Err("--certificate is for models; of C programs there are none yet".to_string()),
        None => Ok(()),
    }
}

/// Checks a model and writes a certificate where all that is checked of states holds. Says what
/// came of the file.
pub fn check(
    session: &Session,
    args: &CheckArgs,
    model: &Arc<Model>,
    config: &Config,
    file: &Path,
    watch: &mut Watch,
) -> Result<(Checked, Option<String>), String> {
    refuse_others(file)?;
    let about = claim(model, config, &args.model.model.to_string_lossy(), trail::arguments(&args.model));
    // The file appears under its name only when it is complete.
    let unfinished = PathBuf::from(format!("{}.unfinished", file.display()));
    let cannot = |fault: std::io::Error| format!("cannot write '{}': {fault}", file.display());
    session.deadline.begin_file(&unfinished);
    let out = BufWriter::new(File::create(&unfinished).map_err(cannot)?);
    let (checked, recorder, slots) = check_recorded(model, config, watch, Recorder::new(out, &about));
    let none = |why: &str| format!("axle: no certificate was written: {why}\n");
    let remarks = match proves(&checked, config) {
        Err(why) => {
            fs::remove_file(&unfinished).map_err(cannot)?;
            none(why)
        }
        Ok(()) => {
            let size = recorder.finish(slots).map_err(cannot)?;
            fs::rename(&unfinished, file).map_err(cannot)?;
            format!("axle: wrote {} ({})\n", file.display(), bytes(size))
        }
    };
    session.deadline.end_file(&unfinished);
    Ok((checked, Some(remarks)))
}

/// Refuses to write a certificate over something else, before the search rather than after it.
fn refuse_others(file: &Path) -> Result<(), String> {
    let begin = b"axle certificate ";
    let mut there = Vec::new();
    let read = File::open(file).and_then(|open| {
        std::io::Read::read_to_end(&mut std::io::Read::take(open, begin.len() as u64), &mut there)
    });
    match read {
        Err(fault) if fault.kind() == std::io::ErrorKind::NotFound => Ok(()),
        Ok(_) if there.is_empty() || there == begin => Ok(()),
        Ok(_) | Err(_) => Err(format!(
            "'{}' exists and is no certificate; remove it, or choose another name",
            file.display()
        )),
    }
}

/// Runs `axle verify-certificate`.
pub fn run(args: &VerifyCertificateArgs, session: &Session) -> Result<Exit, String> {
    if is_program(&args.model.model) {
        return Err("of C programs there are no certificates yet".to_string());
    }
    let model = match load(session, &args.model, &args.output) {
        Ok(model) => model,
        Err(exit) => return Ok(exit),
    };
    let name = args.certificate.display();
    let file = File::open(&args.certificate).map_err(|fault| format!("cannot read '{name}': {fault}"))?;
    let threads = args.threads.map_or_else(cores, usize::from);
    let begin = Instant::now();
    match verify(&model, &mut BufReader::new(file), How { engine: args.successors, threads }) {
        Ok(certified) => {
            print(&told(&args.model.model.to_string_lossy(), &certified, args.successors, begin))?;
            Ok(Exit::Holds)
        }
        Err(why) => {
            complain(&format!("{name}: {why}"));
            Ok(exit(&why))
        }
    }
}

/// What an accepted certificate says, check by check.
fn told(model: &str, certified: &Certified, engine: Engine, begin: Instant) -> String {
    let mut kinds: BTreeMap<Check, bool> = BTreeMap::new();
    for kind in KINDS {
        *kinds.entry(Check::of(kind)).or_insert(true) &= !certified.claim.excludes.contains(&kind);
    }
    let holds = || kinds.iter().filter(|(_, holds)| **holds).map(|(check, _)| *check);
    let width = holds().map(|check| check.name().len()).max().unwrap_or(0);
    let mut text = format!("{model}: certified\n\n");
    for check in holds() {
        text += &format!("  {:width$}  holds     {}\n", check.name(), check.meaning());
    }
    let by = match engine {
        Engine::Interpreter => "by the interpreter",
        Engine::Compiled => "by compiled code, a part of it again by the interpreter",
    };
    text += &format!(
        "\n{} states, closed under {} steps, {by}, in {:.2} s with {} of memory for the states\n",
        number(certified.states),
        number(certified.steps),
        begin.elapsed().as_secs_f64(),
        bytes(certified.memory)
    );
    text
}

/// A certificate that is not accepted says nothing about the model, unless it is not one of this
/// model at all.
fn exit(why: &Refused) -> Exit {
    match why {
        Refused::Unreadable(_) | Refused::NotOne | Refused::Version(_) | Refused::Line(_) => Exit::Input,
        Refused::OtherModel(_) => Exit::Input,
        Refused::Engines(_) => Exit::Internal,
        Refused::Damaged(..)
        | Refused::Account(_)
        | Refused::NoState(..)
        | Refused::Twice(_)
        | Refused::Memory(_)
        | Refused::TooManySteps
        | Refused::NoStart
        | Refused::NotClosed(_)
        | Refused::Fault { .. }
        | Refused::NotCompiled(_) => Exit::Unknown,
    }
}
