//! `cargo xtask automata`: sizes of automata for the standard collections of formulas, compared
//! with `spin -f`.
//!
//! Every formula of crates/ltl/tests/collections.txt is translated in both polarities, by Axle and
//! by Spin. The measure is the number of states: of the transition-based automaton that Axle
//! searches with, and of the never claim printed by `axle ltl`. Debian's Spin does not support the
//! next operator, so formulas with `X` have no Spin figure.
//!
//! *Entry point:* [`run`]; `--write` updates the table in docs/reference/automata.md.

use std::fs;
use std::io::Read;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use axle_ltl::degeneralise::state_based;
use axle_ltl::{Formula, parse, translate};

/// Arguments of `cargo xtask automata`.
#[derive(clap::Args)]
pub struct Args {
    /// Write the table into the documentation.
    #[arg(long)]
    write: bool,
    /// Time limit for Spin per formula, in seconds.
    #[arg(long, default_value_t = 60)]
    patience: u64,
}

/// The result for one formula in one polarity.
struct Line {
    collection: String,
    formula: String,
    /// Number of states of the automaton, and of the never claim.
    ours: [usize; 2],
    /// Number of states of Spin's never claim, or the reason for its absence.
    spin: Result<usize, &'static str>,
}

/// Makes the table.
pub fn run(root: &Path, args: &Args) -> Result<(), String> {
    let path = root.join("crates/ltl/tests/collections.txt");
    let text = fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
    let (mut lines, mut spent) = (Vec::new(), Duration::ZERO);
    let mut collection = String::new();
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        if let Some(title) = line.strip_prefix('#') {
            collection = title.split(',').next().unwrap_or(title).trim().to_string();
            continue;
        }
        let parsed = parse(line).map_err(|fault| format!("{line}: {}", fault.message))?;
        for formula in [parsed.formula.clone(), parsed.formula.negated()] {
            let start = Instant::now();
            let automaton = translate(&formula).map_err(|fault| format!("{line}: {fault:?}"))?;
            spent += start.elapsed();
            let ours = [automaton.states.len(), state_based(&automaton).states.len()];
            lines.push(Line {
                collection: collection.clone(),
                formula: axle_ltl::print::formula(&formula, &parsed.atoms),
                ours,
                spin: spin(&formula, &parsed.atoms, Duration::from_secs(args.patience)),
            });
        }
    }
    let summary = summary(&lines);
    println!("{summary}\ntranslated in {:.3} s", spent.as_secs_f64());
    let larger: Vec<&Line> =
        lines.iter().filter(|line| line.spin.is_ok_and(|spin| line.ours[1] > spin)).collect();
    for line in &larger {
        println!("larger than Spin's never claim: {} {:?} {:?}", line.formula, line.ours, line.spin);
    }
    if args.write {
        write(root, &lines, &summary)?;
    }
    let comparable = || lines.iter().filter_map(|line| line.spin.ok().map(|spin| (line.ours[0], spin)));
    let (ours, spins): (Vec<usize>, Vec<usize>) = comparable().unzip();
    if comparable().any(|(ours, spin)| ours > spin) {
        return Err("an automaton is larger than Spin's".into());
    }
    if 2 * ours.iter().sum::<usize>() > spins.iter().sum() {
        return Err("the automata have more than half as many states as Spin's".into());
    }
    Ok(())
}

/// One line per collection: number of formulas, states of both tools.
fn summary(lines: &[Line]) -> String {
    let mut text = String::from(
        "| collection | formulas, both polarities | of them with a figure of Spin's | states, automaton | states, never claim | states, `spin -f` |\n\
         | --- | --: | --: | --: | --: | --: |\n",
    );
    let mut names: Vec<&str> = lines.iter().map(|line| line.collection.as_str()).collect();
    names.dedup();
    for name in names.into_iter().map(Some).chain([None]) {
        let of = || lines.iter().filter(move |line| name.is_none_or(|name| line.collection == name));
        let known = || of().filter(|line| line.spin.is_ok());
        let sum = |which: usize| known().map(|line| line.ours[which]).sum::<usize>();
        let spins: usize = known().filter_map(|line| line.spin.ok()).sum();
        let title = name.unwrap_or("all");
        text.push_str(&format!(
            "| {title} | {} | {} | {} | {} | {spins} |\n",
            of().count(),
            known().count(),
            sum(0),
            sum(1)
        ));
    }
    text
}

/// Writes both tables between the markers in the documentation.
fn write(root: &Path, lines: &[Line], summary: &str) -> Result<(), String> {
    let path = root.join("docs/reference/automata.md");
    let text = fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
    let mark = "<!-- made by cargo xtask automata --write -->\n";
    let before = text.split(mark).next().unwrap_or_default();
    let mut made = format!("{before}{mark}\n{summary}\n");
    made.push_str("| formula | automaton | never claim | `spin -f` |\n| --- | --: | --: | --: |\n");
    for line in lines {
        let spin = line.spin.map_or_else(str::to_string, |states| states.to_string());
        let formula = line.formula.replace('|', "\\|");
        made.push_str(&format!("| `{formula}` | {} | {} | {spin} |\n", line.ours[0], line.ours[1]));
    }
    fs::write(&path, made).map_err(|e| format!("{}: {e}", path.display()))
}

/// Number of states of Spin's never claim: one per label.
fn spin(formula: &Formula, atoms: &[String], patience: Duration) -> Result<usize, &'static str> {
    if formula.has_next() {
        return Err("no `X`");
    }
    let started = Command::new("spin")
        .args(["-f", &spelt(formula, atoms)])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn();
    let Ok(mut child) = started else { return Err("no Spin") };
    let Some(mut out) = child.stdout.take() else { return Err("no Spin") };
    // Read concurrently, because a claim may exceed the capacity of the pipe.
    let reader = std::thread::spawn(move || {
        let mut text = String::new();
        out.read_to_string(&mut text).map(|_| text)
    });
    let start = Instant::now();
    loop {
        match child.try_wait() {
            Ok(Some(_)) => break,
            Ok(None) if start.elapsed() < patience => std::thread::sleep(Duration::from_millis(2)),
            Ok(None) | Err(_) => {
                // An error means that the process has already ended.
                let _ = child.kill();
                let _ = child.wait();
                return Err("too long");
            }
        }
    }
    let text = reader.join().ok().and_then(Result::ok).unwrap_or_default();
    let labels = text.lines().filter(|line| {
        let label = line.trim_end().strip_suffix(':');
        label.is_some_and(|label| label.chars().all(|c| c.is_ascii_alphanumeric() || c == '_'))
    });
    match labels.count() {
        0 => Err("refused"),
        states => Ok(states),
    }
}

/// The formula in the syntax of `spin -f`: fully parenthesised, without weak until.
fn spelt(formula: &Formula, atoms: &[String]) -> String {
    let of = |formula: &Formula| spelt(formula, atoms);
    match formula {
        Formula::True => "true".to_string(),
        Formula::False => "false".to_string(),
        Formula::Atom(atom) => atoms[*atom as usize].clone(),
        Formula::Not(a) => format!("(! {})", of(a)),
        Formula::Next(a) => format!("(X {})", of(a)),
        Formula::Always(a) => format!("([] {})", of(a)),
        Formula::Eventually(a) => format!("(<> {})", of(a)),
        Formula::And(a, b) => format!("({} && {})", of(a), of(b)),
        Formula::Or(a, b) => format!("({} || {})", of(a), of(b)),
        Formula::Implies(a, b) => format!("({} -> {})", of(a), of(b)),
        Formula::Equivalent(a, b) => format!("({} <-> {})", of(a), of(b)),
        Formula::Until(a, b) => format!("({} U {})", of(a), of(b)),
        Formula::Release(a, b) => format!("({} V {})", of(a), of(b)),
        // The translation of `W` that Spin uses in an `ltl` block.
        Formula::WeakUntil(a, b) => format!("(([] {0}) || ({0} U {1}))", of(a), of(b)),
    }
}
