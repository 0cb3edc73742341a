//! Certificates: `axle check --certificate` writes one, `axle verify-certificate` verifies one.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use axle_certify::{Certified, Engine, How, Recorder, Refused, verify};
use axle_check::checks::{Check, SystemKind};
use axle_check::{
    Auto, Certificate, CheckedModel, Config, VerifiedCertificate, check_recorded, claim, proves,
    verify_invariants,
};
use axle_model::Model;
use axle_step::FaultKind;

use crate::args::{CheckArgs, VerifyCertificateArgs};
use crate::exit::Exit;
use crate::input_kind::is_program;
use crate::load::{LARGEST, load};
use crate::machine::cores;
use crate::output::{complain, print};
use crate::quantities::{bytes, number};
use crate::session::Session;
use crate::watch::Watch;
use crate::{files, trail};

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
) -> Result<(CheckedModel, Option<String>), String> {
    refuse_others(file)?;
    if config.other_engine().is_some() {
        return by_engine(session, model, config, file, watch);
    }
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

/// Checks a model by a selected engine and writes the invariant of its proof.
fn by_engine(
    session: &Session,
    model: &Arc<Model>,
    config: &Config,
    file: &Path,
    watch: &mut Watch,
) -> Result<(CheckedModel, Option<String>), String> {
    // The certificate is one of the user's model.
    let config = Config { passes: BTreeSet::new(), auto: Auto::Nothing, ..config.clone() };
    let checked = axle_check::check(model, &config, watch);
    let remarks = match &checked.found.certificate {
        Some(Certificate { invariant, .. }) => {
            files::write(file, invariant, &session.deadline)?;
            format!("axle: wrote {} ({})\n", file.display(), bytes(invariant.len() as u64))
        }
        None => "axle: no certificate was written: there is no invariant\n".to_string(),
    };
    Ok((checked, Some(remarks)))
}

/// The first line of the certificate of an invariant, and of one of claims only.
const INVARIANTS: [&str; 2] = ["axle-invariant ", "axle-claims "];

/// Verifies a certificate of invariants.
fn verify_of_engine(
    session: &Session,
    args: &VerifyCertificateArgs,
    model: &Arc<Model>,
) -> Result<Exit, String> {
    let name = args.certificate.display();
    let text = files::read_text(&args.certificate, LARGEST)?;
    let config = Config { checks: Check::MODELS.into(), ..Config::default() };
    let mut watch = Watch::start(session, None, args.output.quiet);
    let verified = match verify_invariants(model, &config, &text, &mut watch) {
        Ok(verified) => verified,
        Err(fault) => {
            complain(&format!("{name}: {fault}"));
            return Ok(Exit::Violated);
        }
    };
    if let Some(folder) = &args.smtlib {
        for (name, text) in queries(&verified) {
            files::write(&folder.join(format!("{name}.smt2")), text, &session.deadline)?;
        }
    }
    print(&certified(&args.model.model.to_string_lossy(), &verified)).map(|()| Exit::Holds)
}

/// The queries with their names: those of claims are numbered.
fn queries(verified: &VerifiedCertificate) -> Vec<(String, &String)> {
    const NAMES: [&str; 3] = ["initiation", "consecution", "safety"];
    let own = verified.own.iter().flat_map(|own| NAMES.into_iter().zip(&own.queries));
    let own = own.map(|(name, query)| (name.to_string(), query));
    let parts = verified.claims.iter().flat_map(|claim| &claim.queries).zip(1..);
    let of_claims = parts.flat_map(|(queries, number)| {
        NAMES.into_iter().zip(queries).map(move |(name, query)| (format!("claim-{number}-{name}"), query))
    });
    own.chain(of_claims).collect()
}

/// The conclusions from a certificate of invariants.
fn certified(model: &str, verified: &VerifiedCertificate) -> String {
    let mut rows: Vec<(&str, String)> = Vec::new();
    for check in verified.own.iter().flat_map(|own| &own.checks) {
        rows.push((check.name(), check.meaning(SystemKind::Model).to_string()));
    }
    for claim in &verified.claims {
        let assumption = if claim.is_fair { ", under weak fairness" } else { "" };
        rows.push((&claim.name, format!("{}{assumption}", claim.meaning)));
    }
    let width = rows.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    let mut text = format!("{model}: certified\n\n");
    for (name, meaning) in rows {
        text += &format!("  {name:width$}  holds     {meaning}\n");
    }
    text.push('\n');
    if let Some(own) = &verified.own {
        text += &format!("invariant of {} clauses; initiation, consecution and safety hold\n", own.clauses);
    }
    for claim in &verified.claims {
        let invariants = match claim.queries.len() {
            1 => "1 invariant".to_string(),
            number => format!("{number} invariants"),
        };
        text += &format!(
            "{}: {invariants} of {} clauses; initiation, consecution and safety hold\n",
            claim.name, claim.clauses
        );
    }
    text
}

/// Refuses to write a certificate over something else, before the search rather than after it.
fn refuse_others(file: &Path) -> Result<(), String> {
    let begins = ["axle certificate ", INVARIANTS[0], INVARIANTS[1]].map(str::as_bytes);
    let mut there = Vec::new();
    let read = File::open(file)
        .and_then(|open| std::io::Read::read_to_end(&mut std::io::Read::take(open, 17), &mut there));
    match read {
        Err(fault) if fault.kind() == std::io::ErrorKind::NotFound => Ok(()),
        Ok(_) if there.is_empty() || begins.iter().any(|begin| there.starts_with(begin)) => Ok(()),
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
    let mut first = BufReader::new(&file);
    let is_invariant = |text: &[u8]| INVARIANTS.iter().any(|begin| text.starts_with(begin.as_bytes()));
    if first.fill_buf().is_ok_and(is_invariant) {
        return verify_of_engine(session, args, &model);
    }
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
    for kind in FaultKind::all() {
        *kinds.entry(Check::of(kind)).or_insert(true) &= !certified.claim.excludes.contains(&kind);
    }
    let holds = || kinds.iter().filter(|(_, holds)| **holds).map(|(check, _)| *check);
    let width = holds().map(|check| check.name().len()).max().unwrap_or(0);
    let mut text = format!("{model}: certified\n\n");
    for check in holds() {
        text += &format!("  {:width$}  holds     {}\n", check.name(), check.meaning(SystemKind::Model));
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
