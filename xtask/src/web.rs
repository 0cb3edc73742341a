//! `cargo xtask web` builds the islands of the web front end, and `cargo xtask browser` tests its pages
//! in Chromium, measures them, and draws the screenshots of `docs/web`.
//!
//! *Entry points:* [`build`], [`browser`].
//! *Invariant:* without node or Chromium, nothing is tested and the reason is printed.

use std::path::{Path, PathBuf};
use std::process::Command;

use axle_benchmarks::results::{Row, record, row};

/// Names of Chromium.
const BROWSERS: [&str; 3] = ["chromium", "chromium-browser", "google-chrome"];

/// Options of `cargo xtask browser`.
#[derive(clap::Args)]
pub struct BrowserArgs {
    /// The program to test [default: that of the same build]
    #[arg(long)]
    axle: Option<PathBuf>,
    /// Write the screenshots of docs/web instead of testing
    #[arg(long)]
    screenshots: bool,
    /// Measure the viewer and the live tracker, and record the figures in bench/results/web.tsv
    #[arg(long, conflicts_with = "screenshots")]
    measure: bool,
    /// Measure weight and time of each page and long sequences of C, and record the figures there, too
    #[arg(long, conflicts_with_all = ["screenshots", "measure"])]
    pages: bool,
    /// Measure the readability of the error sequences of fifteen seeded faults, record the figures there, and
    /// write a screenshot of each into a folder
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["screenshots", "measure", "pages"])]
    sequences: Option<PathBuf>,
    /// Perform the tasks of users only
    #[arg(long, conflicts_with_all = ["screenshots", "measure", "pages", "sequences"])]
    tasks: bool,
    /// Test the pages of a small project only
    #[arg(long, conflicts_with_all = ["screenshots", "measure", "pages", "sequences", "tasks"])]
    quick: bool,
}

/// Builds the islands.
pub fn build(root: &Path) -> Result<(), String> {
    let folder = root.join("crates/web/islands");
    if !is_installed("node") {
        return Err("node is not installed; the islands cannot be built".to_string());
    }
    install(&folder)?;
    run(Command::new("node").arg("build.js").current_dir(folder))
}

/// Tests the pages or draws the screenshots.
pub fn browser(root: &Path, args: &BrowserArgs) -> Result<(), String> {
    let chromium = BROWSERS.into_iter().find_map(found);
    let (Some(chromium), true) = (chromium, is_installed("node")) else {
        eprintln!("xtask: browser tests skipped: they need node, npm and Chromium");
        return Ok(());
    };
    let own = std::env::current_exe().map_err(|fault| fault.to_string())?;
    let axle = args.axle.clone().unwrap_or_else(|| own.with_file_name("axle"));
    if !axle.is_file() {
        return Err(format!("{} does not exist; build the workspace first", axle.display()));
    }
    let folder = root.join("crates/web/browser");
    install(&folder)?;
    let mut command = Command::new("node");
    command.arg("run.js").arg(&axle).arg(root).arg(chromium).current_dir(folder);
    if args.screenshots {
        command.arg("--screenshots").arg(root.join("docs/web"));
    }
    for (is_set, option) in [(args.tasks, "--tasks"), (args.quick, "--quick")] {
        if is_set {
            command.arg(option);
        }
    }
    let option = match (args.measure, args.pages, &args.sequences) {
        (true, _, _) => "--measure",
        (_, true, _) => "--pages",
        (_, _, Some(_)) => "--sequences",
        (false, false, None) => return run(&mut command),
    };
    let file = std::env::temp_dir().join(format!("axle-browser-{}.tsv", std::process::id()));
    command.arg(option).arg(&file);
    if let Some(pictures) = &args.sequences {
        command.arg(std::path::absolute(pictures).map_err(|fault| fault.to_string())?);
    }
    let measured = run(&mut command);
    let text = std::fs::read_to_string(&file).unwrap_or_default();
    // A temporary file that stays behind does no harm.
    let _ = std::fs::remove_file(&file);
    let rows: Vec<Row> = (text.lines())
        .filter_map(|line| {
            let fields: Vec<&str> = line.split('\t').collect();
            let [subject, metric, value, unit] = fields[..] else { return None };
            Some(row(subject, metric, value, unit))
        })
        .collect();
    record(root, "web", &rows)?;
    measured
}

/// Installs the packages of a lock file.
fn install(folder: &Path) -> Result<(), String> {
    if folder.join("node_modules").is_dir() {
        return Ok(());
    }
    run(Command::new("npm").args(["ci", "--no-audit", "--no-fund"]).current_dir(folder))
}

fn run(command: &mut Command) -> Result<(), String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let status = command.status().map_err(|fault| format!("{name}: {fault}"))?;
    if status.success() { Ok(()) } else { Err(format!("{name} ended with {status}")) }
}

fn is_installed(program: &str) -> bool {
    found(program).is_some()
}

/// The path of a program.
fn found(program: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(program)).find(|path| path.is_file())
}
