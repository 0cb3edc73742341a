//! `--checkpoint` and `--resume`: where a search is, in a file.
//!
//! *Entry point:* [`check`].
//! *Invariant:* a checkpoint appears under its name only when it is complete, since it is written
//! to a temporary file and renamed. A file that is not a checkpoint is never overwritten.

use std::fs::File;
use std::io::{BufReader, BufWriter, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};
use std::{fs, io};

use axle_check::{CheckedModel, Config, can_checkpoint, check_resumable};
use axle_evidence::report::Report;
use axle_model::Model;
use axle_search::checkpoint::{BEGINS, read};
use axle_search::{Checkpoint, Keep, Past, Stop};

use crate::args::CheckArgs;
use crate::output::{complain, remark};
use crate::quantities::{bytes, number};
use crate::session::Session;
use crate::watch::Watch;

/// Time between two checkpoints where nothing else is said.
const EVERY: Duration = Duration::from_secs(600);

/// Whether a checkpoint is to be kept or gone on from.
pub fn wanted(args: &CheckArgs) -> Result<bool, String> {
    match (&args.checkpoint, &args.resume, args.checkpoint_every) {
        (None, None, Some(_)) => Err("--checkpoint-every needs --checkpoint or --resume".to_string()),
        (checkpoint, resume, _) => Ok(checkpoint.is_some() || resume.is_some()),
    }
}

/// Refuses checkpoints of anything but a model.
pub fn only_of_models(args: &CheckArgs) -> Result<(), String> {
    match wanted(args)? {
        true => Err("--checkpoint and --resume are for models; C programs begin anew each time".to_string()),
        false => Ok(()),
    }
}

/// The suggestion to keep a checkpoint, for a search that could have been resumed.
pub fn hint(args: &CheckArgs, config: &Config, report: &Report) -> Option<String> {
    let stop = report.stop.as_ref()?;
    let ended = stop.reason.is_end_of_time();
    let kept = args.checkpoint.is_some() || args.resume.is_some();
    let possible = can_checkpoint(config) && args.certificate.is_none() && !args.refine;
    let hint = "--checkpoint FILE keeps the state of the search, and --resume FILE continues it";
    (ended && !kept && possible).then(|| hint.to_string())
}

/// Checks a model and keeps checkpoints, from one where that is asked for.
pub fn check(
    session: &Session,
    args: &CheckArgs,
    model: &Arc<Model>,
    config: &Config,
    watch: &mut Watch,
) -> Result<CheckedModel, String> {
    let past = args.resume.as_deref().map(past).transpose()?;
    let Some(file) = args.checkpoint.as_deref().or(args.resume.as_deref()) else {
        return Ok(axle_check::check(model, config, watch));
    };
    refuse_others(file)?;
    let alone = past.as_ref().is_some_and(Past::is_of_one_thread);
    if alone && !args.output.quiet && args.threads.is_some_and(|threads| threads > 1) {
        remark(
            "axle: this checkpoint is of one thread, which continues alone; --threads applies to later searches\n",
        );
    }
    let mut keeper = Keeper {
        session,
        file,
        every: args.checkpoint_every.unwrap_or(EVERY),
        last: Instant::now(),
        quiet: args.output.quiet,
    };
    let told = |why: &str| match &args.resume {
        Some(file) => format!("cannot continue from '{}': {why}", file.display()),
        None => format!("cannot keep checkpoints: {why}"),
    };
    let checked = check_resumable(model, config, watch, &mut keeper, past).map_err(|why| told(&why))?;
    match (&checked.report.stop, checked.found.outcome.stop) {
        (Some(stop), Some(Stop::Checkpoint)) => Err(told(&stop.message)),
        _ => Ok(checked),
    }
}

/// Reads a checkpoint.
fn past(file: &Path) -> Result<Past, String> {
    let told = |why: &dyn std::fmt::Display| format!("cannot continue from '{}': {why}", file.display());
    let open = File::open(file).map_err(|fault| told(&fault))?;
    read(&mut BufReader::with_capacity(1 << 20, open)).map_err(|fault| told(&fault))
}

/// Refuses to write over something else, before the search rather than after it.
fn refuse_others(file: &Path) -> Result<(), String> {
    let mut there = Vec::new();
    let read = File::open(file).and_then(|open| open.take(BEGINS.len() as u64).read_to_end(&mut there));
    match read {
        Err(fault) if fault.kind() == ErrorKind::NotFound => Ok(()),
        Ok(_) if there.is_empty() || there == BEGINS.as_bytes() => Ok(()),
        Ok(_) | Err(_) => Err(format!(
            "'{}' exists and is no checkpoint; remove it, or choose another name",
            file.display()
        )),
    }
}

/// Writes checkpoints into a file.
struct Keeper<'a> {
    session: &'a Session,
    file: &'a Path,
    every: Duration,
    last: Instant,
    quiet: bool,
}

impl Keep for Keeper<'_> {
    fn due(&mut self) -> bool {
        self.last.elapsed() >= self.every
    }

    fn keep(&mut self, point: &Checkpoint<'_>) {
        let name = self.file.display();
        // A checkpoint at a limit is what the user asked for; it is completed beyond the limit.
        let _hold = self.session.deadline.hold();
        match write(self.file, point) {
            Ok(size) if !self.quiet => {
                remark(&format!("axle: wrote {name}: {} states, {}\n", number(point.states), bytes(size)));
            }
            Ok(_) => {}
            // The previous checkpoint is kept.
            Err(fault) => complain(&format!("no checkpoint was written into '{name}': {fault}")),
        }
        // Writing takes no more than half of the time, however long it takes.
        self.last = Instant::now();
    }
}

fn write(file: &Path, point: &Checkpoint<'_>) -> io::Result<u64> {
    let unfinished = PathBuf::from(format!("{}.unfinished", file.display()));
    let written = write_to(&unfinished, point).and_then(|size| fs::rename(&unfinished, file).map(|()| size));
    if written.is_err() {
        // An incomplete file is useless; an error in removing it cannot be handled.
        let _ = fs::remove_file(&unfinished);
    }
    written
}

fn write_to(file: &Path, point: &Checkpoint<'_>) -> io::Result<u64> {
    let mut out = BufWriter::new(File::create(file)?);
    let size = point.write(&mut out)?;
    out.flush()?;
    // Renamed before its contents are on the disk it could be found empty after a power cut.
    out.get_ref().sync_all()?;
    Ok(size)
}
