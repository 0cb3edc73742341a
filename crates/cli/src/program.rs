//! `axle check`, `axle dump` and `axle replay` for C programs; reading them for other commands.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use axle_c::{DataModel, Options, Program, Volatile, compile};
use axle_c_exec::Settings;
use axle_check::plan::{Attempt, EngineId};
use axle_check::program::RunProperty;
use axle_check::{
    Check, Checked, Config, ProgramFound, Subject, System, SystemKind, program, replay_program,
};
use axle_evidence::program_trail::ProgramTrail;
use axle_evidence::run_trail::{AnyTrail, read_any};
use axle_evidence::sha256::sha256;
use axle_evidence::witness::About;
use axle_evidence::{program_trail, witness};
use axle_refinement::searches::ProgramSearches;
use axle_search::{Algorithm, Reduction};
use axle_source::{CommandLine, Diagnostics, Loader, Sources};

use crate::args::{
    CheckArgs, DumpArgs, EngineChoice, ModelArgs, OutputArgs, ProgramArgs, ReductionChoice, ReplayArgs,
    SimulateArgs, SwarmArgs, TraceMode,
};
use crate::conclusion::InputCheck;
use crate::config::searched;
use crate::exit::Exit;
use crate::files::{Disk, unreadable};
use crate::load::{LARGEST, report_recorded as report_diagnostics};
use crate::output::{complain, print, remark};
use crate::refused::Refused;
use crate::results::InputResult;
use crate::session::Session;
use crate::timeline::Notation;
use crate::watch::Watch;
use crate::{files, refine, results, show, timeline, trail};

/// The most bytes that standard input can be fixed to.
const LARGEST_INPUT: u64 = 1 << 20;

/// A program and all that it was read from.
pub struct Loaded {
    program: Program,
    sources: Sources,
    /// Its files, as the user named them.
    pub files: Vec<String>,
    arguments: Vec<String>,
    stdin: Option<String>,
    /// How it is executed.
    pub settings: Settings,
    /// What every execution has to do.
    pub properties: Vec<RunProperty>,
}

impl Loaded {
    /// The program, to be checked.
    pub fn subject(&self) -> Subject<'_> {
        let Loaded { program, sources, files, arguments, stdin, settings, properties } = self;
        Subject { program, sources, files, arguments, stdin: stdin.as_deref(), settings, properties }
    }

    /// Keeps the values of automatic variables, which are then observable.
    pub fn keep_locals(&mut self) {
        self.program.keep_locals();
    }
}

/// Reads the files of a program and prints errors and warnings on standard error.
pub fn load(
    session: &Session,
    args: &ModelArgs,
    more: &[PathBuf],
    how: &ProgramArgs,
    output: &OutputArgs,
) -> Result<Loaded, Exit> {
    let (mut sources, mut diagnostics) = (Sources::new(), Diagnostics::new());
    let (mut mains, mut files) = (Vec::new(), Vec::new());
    for file in std::iter::once(&args.model).chain(more) {
        let name = file.to_string_lossy().into_owned();
        let text = Disk.load(&name, LARGEST).map_err(|fault| {
            session.messages.complain(&unreadable(&name, &fault));
            Exit::Input
        })?;
        let (main, doubt) = sources.add_bytes(&name, &text);
        diagnostics.extend(doubt);
        mains.push(main);
        files.push(name);
    }
    let defines = args.define.iter().map(|define| CommandLine::Define(define.clone()));
    let undefines = args.undefine.iter().map(|name| CommandLine::Undefine(name.clone()));
    let options = Options {
        model: how.data_model,
        include_dirs: args.include.clone(),
        command_line: defines.chain(undefines).collect(),
        limits: axle_source::Limits::default(),
        volatile: how.volatile,
        bounds: how.bound.clone(),
        stdin: how.stdin.as_deref().map(|file| files::read_bytes(file, LARGEST_INPUT)).transpose().map_err(
            |fault| {
                session.messages.complain(&fault);
                Exit::Input
            },
        )?,
    };
    let program = compile(&mains, &options, &Disk, &mut sources, &mut diagnostics);
    report_diagnostics(session, &sources, &mut diagnostics, output)?;
    let Some(mut program) = program else {
        session.messages.complain("the front end gave neither a program nor a reason");
        return Err(Exit::Internal);
    };
    if timeline::formulas(session, args, Notation::C)?.iter().any(|formula| formula.contains("::")) {
        program.keep_locals();
    }
    timeline::resolve(session, args, &program)?;
    let stdin = how.stdin.as_ref().map(|file| file.to_string_lossy().into_owned());
    let (arguments, settings) = (arguments(args, how), settings(how));
    Ok(Loaded { program, sources, files, arguments, stdin, settings, properties: Vec::new() })
}

/// The options that decide what the program is.
fn arguments(args: &ModelArgs, how: &ProgramArgs) -> Vec<String> {
    let mut arguments: Vec<String> = args.define.iter().map(|define| format!("-D{define}")).collect();
    arguments.extend(args.undefine.iter().map(|name| format!("-U{name}")));
    if how.data_model == DataModel::Ilp32 {
        arguments.push("--data-model ilp32".to_string());
    }
    if how.malloc_may_fail {
        arguments.push("--malloc-may-fail".to_string());
    }
    if how.volatile != Volatile::default() {
        arguments.push(format!("--volatile {}", how.volatile.name()));
    }
    arguments.extend(how.bound.iter().map(|bound| format!("--bound {}={}", bound.name, bound.value)));
    if how.wrap {
        arguments.push("--wrap".to_string());
    }
    if how.call_depth != 2_000 {
        arguments.push(format!("--call-depth {}", how.call_depth));
    }
    arguments.extend(how.arguments.iter().map(|word| format!("--arg {word}")));
    arguments.extend(how.no_args.then(|| "--no-args".to_string()));
    arguments.extend(how.stdin.iter().map(|file| format!("--stdin {}", file.display())));
    arguments
}

/// How a program is executed.
fn settings(how: &ProgramArgs) -> Settings {
    Settings {
        malloc_may_fail: how.malloc_may_fail,
        wrap: how.wrap,
        memory_model: how.memory_model,
        stack_depth: how.call_depth as usize,
        arguments: (how.no_args || !how.arguments.is_empty()).then(|| how.arguments.clone()),
        ..Settings::default()
    }
}

/// Checks a program.
pub fn check(check: &InputCheck) -> Result<InputResult, Refused> {
    let InputCheck { session, args, .. } = check;
    let (loaded, config) = load_for_check(session, args)?;
    report_at_deadline(check, &loaded, &config);
    let mut watch = Watch::start(session, args.time, args.output.quiet);
    let subject = loaded.subject();
    let mut checked = match args.refine {
        true => refine::check(ProgramSearches::new(&subject, &config), &subject, &mut watch),
        false => axle_check::check(&subject, &config, &mut watch),
    };
    checked.report.search.seconds = watch.stop().as_secs_f64();
    session.deadline.reporting(Exit::of(&checked.report));
    complain_of_faults(&checked);
    let lines = timeline::all(session, &args.model)?;
    for (violation, found) in checked.report.violations.iter_mut().zip(&mut checked.found.violations) {
        timeline::retell(&lines, violation, &mut found.trace);
    }
    if args.prints_text() {
        let trace = |index: usize| Ok(checked.found.violations.get(index).map(|found| found.trace.clone()));
        show::report(&checked.report, &args.output, args.trace, &trace, "")?;
    }
    write_files(session, args, &loaded, &checked)?;
    let traces = match results::needs_traces(args) {
        true => checked.found.violations.into_iter().map(|found| found.trace).collect(),
        false => Vec::new(),
    };
    Ok(InputResult::new(session, checked.report, traces))
}

/// Reads the program of `axle check`, and how it is to be checked.
fn load_for_check(session: &Session, args: &CheckArgs) -> Result<(Arc<Loaded>, Config), Refused> {
    refuse_options_of_models(&args.model)?;
    let mut loaded = load(session, &args.model, &args.more, &args.program, &args.output)?;
    let config = config(session, args, &mut loaded)?;
    Ok((Arc::new(loaded), config))
}

/// The plan of `axle check` for a C program.
pub fn plan(session: &Session, args: &CheckArgs) -> Result<Vec<Attempt>, Refused> {
    let (loaded, config) = load_for_check(session, args)?;
    let subject = loaded.subject();
    Ok(match args.refine {
        true => refine::plan(ProgramSearches::new(&subject, &config), &subject),
        false => subject.plan(&config),
    })
}

/// Reports an internal error.
pub fn complain_of_faults(checked: &Checked<ProgramFound>) {
    if let Some(fault) = &checked.report.internal {
        complain(&format!("internal error, no verdict is reliable: {fault}"));
        complain("please report it with the program");
    }
}

/// Reads the program of `axle swarm`.
pub fn load_for_swarm(session: &Session, args: &SwarmArgs) -> Result<Result<Loaded, Exit>, String> {
    refuse_options_of_models(&args.model)?;
    let mut loaded = match load(session, &args.model, &args.more, &args.program, &args.output) {
        Ok(loaded) => loaded,
        Err(exit) => return Ok(Err(exit)),
    };
    loaded.properties = formulas(session, &args.model, &loaded.program)?;
    Ok(Ok(loaded))
}

/// Registers the report of a check that has no result at its deadline.
fn report_at_deadline(check: &InputCheck, loaded: &Arc<Loaded>, config: &Config) {
    let (own, loaded, config) = (check.clone(), Arc::clone(loaded), config.clone());
    check.session.deadline.report_with(move |stop, seen| {
        let InputCheck { session, args, conclusion } = &own;
        let mut report = loaded.subject().undecided(&config, stop, seen).report;
        report.search.seconds = session.deadline.elapsed().as_secs_f64();
        let shown = match args.prints_text() {
            true => show::report(&report, &args.output, args.trace, &|_| Ok(None), ""),
            false => Ok(()),
        };
        conclusion.at_deadline(shown.map(|()| InputResult::new(session, report, Vec::new())))
    });
}

fn refuse_options_of_models(args: &ModelArgs) -> Result<(), String> {
    let refused = [
        (!args.automaton.is_empty(), "--automaton"),
        (args.lossy, "--lossy"),
        (args.max_processes != 255, "--max-processes"),
    ];
    match refused.into_iter().find(|(given, _)| *given) {
        Some((_, option)) => Err(format!("{option} means nothing for C programs")),
        None => Ok(()),
    }
}

/// Refuses engines that search models only.
fn refuse_engines_of_models(args: &CheckArgs) -> Result<(), String> {
    if args.workers.is_some() {
        return Err(
            "--workers searches models only: the states of a C program refer to parts that only one process knows; \
             use --threads"
                .to_string()
        );
    }
    let name = match &args.engine {
        EngineChoice::Auto | EngineChoice::This(EngineId::EXPLICIT) => return Ok(()),
        EngineChoice::This(engine) => engine.to_string(),
        EngineChoice::Program(path) => path.display().to_string(),
    };
    Err(format!("--engine {name} checks models only; C programs are searched by --engine explicit"))
}

/// How a program is to be checked. Completes its properties.
fn config(session: &Session, args: &CheckArgs, loaded: &mut Loaded) -> Result<Config, String> {
    refuse_engines_of_models(args)?;
    let named = |name: &String| {
        Check::named(name, SystemKind::Program).ok_or_else(|| {
            let near = axle_source::nearest(name, Check::PROGRAMS.map(Check::name));
            let near = near.map_or_else(String::new, |near| format!("; did you mean '{near}'?"));
            format!("'{name}' is no check of C programs{near}")
        })
    };
    let mut checks: BTreeSet<Check> = match args.only.is_empty() {
        true => Check::defaults(SystemKind::Program),
        false => args.only.iter().map(named).collect::<Result<_, _>>()?,
    };
    for name in &args.enable {
        checks.insert(named(name)?);
    }
    for name in &args.disable {
        checks.remove(&named(name)?);
    }
    let reduction = match args.por {
        ReductionChoice::This(reduction) => reduction,
        ReductionChoice::Auto => Reduction::Stubborn,
    };
    let config = searched(args)?;
    if config.algorithm == Algorithm::NestedDfs {
        return Err("--search nested is for models; formulas of C programs are searched with scc".to_string());
    }
    if checks.contains(&Check::Termination) {
        loaded.properties.push(program::termination());
    }
    if checks.contains(&Check::Properties) {
        loaded.properties.extend(formulas(session, &args.model, &loaded.program)?);
    }
    Ok(Config { checks, reduction, ..config })
}

/// The formulas of the command line.
fn formulas(session: &Session, args: &ModelArgs, program: &Program) -> Result<Vec<RunProperty>, String> {
    let formulas = timeline::formulas(session, args, Notation::C).map_err(|_| "a timeline cannot be read")?;
    (1..).zip(&formulas).map(|(number, given)| program::formula(program, given, number)).collect()
}

fn write_files(
    session: &Session,
    args: &CheckArgs,
    loaded: &Loaded,
    checked: &Checked<ProgramFound>,
) -> Result<(), String> {
    if let Some(file) = &args.trail {
        write_trails(session, file, checked, &args.output)?;
    }
    let mut written = Vec::new();
    for (index, found) in checked.found.violations.iter().enumerate() {
        if let Some(file) = &args.chart {
            show::chart(&found.trace, &trail::numbered(file, index), &session.deadline)?;
        }
        if let Some(file) = &args.witness {
            let path = trail::numbered(file, index);
            let kind = &found.trail.kind;
            files::write(
                &path,
                &witness::render(&about(loaded, args, kind)?, &found.waypoints),
                &session.deadline,
            )?;
            written.push(path);
        }
    }
    remark_written(&written, &args.output);
    Ok(())
}

/// Writes the trails of all violations: the first to `file`, the others beside it with a number.
pub fn write_trails(
    session: &Session,
    file: &Path,
    checked: &Checked<ProgramFound>,
    output: &OutputArgs,
) -> Result<(), String> {
    let mut written = Vec::new();
    for (index, found) in checked.found.violations.iter().enumerate() {
        let path = trail::numbered(file, index);
        trail::refuse_others(&path)?;
        files::write(&path, &program_trail::write(&found.trail), &session.deadline)?;
        written.push(path);
    }
    remark_written(&written, output);
    Ok(())
}

fn remark_written(paths: &[PathBuf], output: &OutputArgs) {
    for path in paths.iter().filter(|_| !output.quiet) {
        remark(&format!("axle: wrote {}\n", path.display()));
    }
}

/// What a witness says of where it comes from.
fn about(loaded: &Loaded, args: &CheckArgs, kind: &str) -> Result<About, String> {
    let mut hashes = Vec::new();
    for file in &loaded.files {
        let bytes = files::read_regular(Path::new(file), LARGEST)?;
        hashes.push((file.clone(), sha256(&bytes)));
    }
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    // Unique as far as time, process and program go, in the form of a random UUID (RFC 9562,
    // version 4).
    let seed = sha256(format!("{} {} {hashes:?}", now.as_nanos(), std::process::id()).as_bytes());
    let uuid =
        format!("{}-{}-4{}-8{}-{}", &seed[..8], &seed[8..12], &seed[13..16], &seed[17..20], &seed[20..32]);
    Ok(About {
        uuid,
        created: axle_evidence::quantities::date(now.as_secs()),
        version: env!("CARGO_PKG_VERSION").to_string(),
        files: hashes,
        specification: witness::specification(kind).to_string(),
        data_model: match args.program.data_model {
            DataModel::Lp64 => "LP64",
            DataModel::Ilp32 => "ILP32",
        }
        .to_string(),
    })
}

/// Runs `axle dump` on a program: its lowered control flow as a listing, or the graph of one
/// function.
pub fn dump(session: &Session, args: &DumpArgs) -> Result<Exit, String> {
    let refused =
        [(args.promela, "--promela"), (args.layout, "--layout"), (args.dot_product, "--dot-product")];
    if let Some((_, option)) = refused.into_iter().find(|(given, _)| *given) {
        return Err(format!("{option} is for models; for C programs, --dot FUNCTION draws a function"));
    }
    refuse_options_of_models(&args.model)?;
    let loaded = match load(session, &args.model, &args.more, &args.program, &args.output) {
        Ok(loaded) => loaded,
        Err(exit) => return Ok(exit),
    };
    let text = match &args.dot {
        Some(function) => program::flow_graph(&loaded.program, &loaded.sources, function)?,
        None => axle_c::listing(&loaded.program),
    };
    print(&text).map(|()| Exit::Holds)
}

/// A program that is simulated, and the trail that it follows.
pub struct Simulated<'a> {
    pub subject: Subject<'a>,
    pub trail: Option<ProgramTrail>,
}

/// Reads the program and the trail of `axle simulate`.
pub fn simulate(
    session: &Session,
    args: &SimulateArgs,
    execute: impl FnOnce(&Simulated<'_>) -> Result<Exit, String>,
) -> Result<Exit, String> {
    refuse_options_of_models(&args.model)?;
    let mut loaded = match load(session, &args.model, &args.more, &args.program, &args.output) {
        Ok(loaded) => loaded,
        Err(exit) => return Ok(exit),
    };
    let trail = args.trail.as_deref().map(read_trail).transpose()?;
    loaded.properties = properties(session, &args.model, &loaded.program)?;
    execute(&Simulated { subject: loaded.subject(), trail })
}

/// The trail of a program.
fn read_trail(file: &Path) -> Result<ProgramTrail, String> {
    let name = file.display();
    let text = files::read_text(file, trail::LARGEST)?;
    match read_any(&text).map_err(|fault| format!("{name}: {fault}"))? {
        AnyTrail::Program(trail) => Ok(trail),
        other @ (AnyTrail::Violation(_) | AnyTrail::Run(_)) => {
            Err(format!("{name}: {}", trail::of_model(&other)))
        }
    }
}

/// The properties that a trail may be about.
fn properties(session: &Session, args: &ModelArgs, program: &Program) -> Result<Vec<RunProperty>, String> {
    let mut properties = formulas(session, args, program)?;
    properties.push(program::termination());
    Ok(properties)
}

/// Runs `axle replay` on a program.
pub fn replay(session: &Session, args: &ReplayArgs) -> Result<Exit, String> {
    refuse_options_of_models(&args.model)?;
    let mut loaded = match load(session, &args.model, &args.also, &args.program, &args.output) {
        Ok(loaded) => loaded,
        Err(exit) => return Ok(exit),
    };
    let name = args.trail.display();
    let trail = read_trail(&args.trail)?;
    loaded.properties = properties(session, &args.model, &loaded.program)?;
    let trace = replay_program(&loaded.subject(), &trail).map_err(|fault| format!("{name}: {fault}"))?;
    show::trace(&trace, args.trace.unwrap_or(TraceMode::Full), true, &args.output)?;
    if let Some(file) = &args.chart {
        show::chart(&trace, file, &session.deadline)?;
    }
    Ok(Exit::Violated)
}
