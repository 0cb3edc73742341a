//! The program `axle`. This crate alone uses the command line, the terminal, the clock, files and
//! exit codes.
//!
//! [`args`] defines the command line; each command is a module of its name; [`exit`] defines the
//! exit codes. Results go to standard output, everything else to standard error.

mod abstraction;
mod advice;
mod args;
mod beside;
mod bundle;
mod certificate;
mod changed;
mod check;
mod checkpoint;
mod conclusion;
mod config;
mod deadline;
mod diagnose;
mod driving;
mod dump;
mod exit;
mod explain;
mod explain_plan;
mod export;
mod extract;
mod files;
mod found;
mod history;
mod html;
mod http;
mod init;
mod input_kind;
mod inputs;
mod live;
mod load;
mod ltl;
mod machine;
mod messages;
mod model_report;
mod output;
mod predicates;
mod program;
mod quantities;
mod refine;
mod refused;
mod replay;
mod results;
mod round;
mod round_report;
mod serve;
mod session;
mod share;
mod show;
mod signals;
mod simulate;
mod slice;
mod status;
mod summary;
mod swarm;
mod tabled;
mod timeline;
mod trail;
mod vocabulary;
mod watch;
mod worker;
mod workers;

use std::ffi::OsString;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use args::{Args, Command};
use clap::{CommandFactory, Parser};
use exit::Exit;
use session::Session;

fn main() -> ExitCode {
    axle_store::allocator::return_freed_memory();
    let session = Session::new();
    std::panic::set_hook(Box::new(|panic| {
        output::complain(&format!(
            "{panic}\nThis is an internal error of Axle, not of the input. Please report it."
        ));
        std::process::exit(Exit::Internal.code().into());
    }));
    // Clap prints its own help and usage faults, and ends with 2 for the latter, as we do.
    let words: Vec<OsString> = std::env::args_os().collect();
    let args = Args::try_parse_from(&words).unwrap_or_else(|fault| {
        match advice::usage(&fault, &words) {
            // The suggestion of a similar command is of no use for a file.
            Some(advice) if fault.kind() == clap::error::ErrorKind::InvalidSubcommand => {
                output::complain(&format!("a command is missing: {advice}"));
                std::process::exit(Exit::Input.code().into())
            }
            Some(advice) => output::complain(&advice),
            None => {}
        }
        fault.exit()
    });
    let result = match args.command {
        Command::Check(args) => check::run(Arc::from(args), &session),
        Command::Swarm(args) => swarm::run(Arc::from(args), &session),
        Command::Simulate(args) => simulate::run(&args, &session),
        Command::Replay(args) => replay::run(&args, &session),
        Command::VerifyCertificate(args) => certificate::run(&args, &session),
        Command::Dump(args) => dump::run(&args, &session),
        Command::Slice(args) => slice::run(&args, &session),
        Command::Export(args) => export::run(&args, &session),
        Command::Ltl(args) => ltl::run(&args, &session),
        Command::Init(args) => init::run(&args),
        Command::Run(args) => round::run(&args, &session),
        Command::Worker(args) => worker::run(&args, &session),
        Command::Status(args) => status::run(&args),
        Command::Diagnose(args) => diagnose::run(&args, &session),
        Command::Serve(args) => serve::run(&args, &session),
        Command::Explain(args) => explain::run(&args),
        Command::Abstract(args) => abstraction::run(&args, &session),
        Command::Extract(args) => extract::run(&args, &session),
        Command::Completions { shell } => completions(shell),
        Command::Man { output: Some(directory), .. } => man_pages(&directory),
        Command::Man { command, output: None } => man(command.as_deref()),
    };
    let exit = result.unwrap_or_else(|fault| {
        output::complain(&fault);
        Exit::Input
    });
    ExitCode::from(exit.code())
}

fn completions(shell: clap_complete::Shell) -> Result<Exit, String> {
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut Args::command(), "axle", &mut text);
    output::print_bytes(&text)?;
    Ok(Exit::Holds)
}

/// Writes the man pages of `axle` and of all its commands, as an installation needs them.
fn man_pages(directory: &Path) -> Result<Exit, String> {
    let written = std::fs::create_dir_all(directory)
        .and_then(|()| clap_mangen::generate_to(Args::command(), directory));
    written.map_err(|fault| format!("{}: {fault}", directory.display()))?;
    Ok(Exit::Holds)
}

/// The man page of `axle`, or of one of its commands.
fn man(name: Option<&str>) -> Result<Exit, String> {
    let mut axle = Args::command();
    axle.build();
    let command = match name {
        None => axle,
        Some(name) => match axle.find_subcommand(name) {
            Some(command) => command.clone().name(format!("axle-{name}").leak() as &str),
            None => return Err(format!("there is no command '{name}'")),
        },
    };
    let mut text = Vec::new();
    clap_mangen::Man::new(command).render(&mut text).map_err(|fault| fault.to_string())?;
    output::print_bytes(&text)?;
    Ok(Exit::Holds)
}
