//! Measurements: `bench/results/NAME.tsv`, the tables of documentation pages, and the speed chart
//! of the README.
//!
//! Commands that measure call [`record`]. A page contains `<!-- results NAME -->` and `<!-- end of
//! results -->`; [`pages`] writes a table with one row per subject and one column per metric
//! between the two marks. `cargo xtask pages` updates all of them.
//!
//! *Entry points:* [`record`], [`pages`].
//! *Invariant:* a test compares the pages with the result files.

use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::process::Command;

/// Columns of every file.
const HEADER: &str = "date\tcommit\tcommand\tsubject\tmetric\tvalue\tunit";

/// Pages with tables of results.
const PAGES: [&str; 2] = ["docs/benchmarks.md", "docs/trust.md"];

/// The chart of the README.
const CHART: &str = "docs/speed.svg";

/// One measured value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The measured subject: a model, a program, a mean.
    pub subject: String,
    /// The measured quantity.
    pub metric: String,
    /// The value as text with its significant digits.
    pub value: String,
    /// Unit of the value; empty for counts and ratios.
    pub unit: String,
}

/// A row from its parts.
pub fn row(subject: &str, metric: &str, value: impl std::fmt::Display, unit: &str) -> Row {
    let [subject, metric, unit] = [subject, metric, unit].map(str::to_string);
    Row { subject, metric, value: value.to_string(), unit }
}

/// Rows of a Markdown table: subjects in the first column, `metric, unit` in the header.
pub fn from_markdown(text: &str) -> Vec<Row> {
    let cells = |line: &str| -> Vec<String> {
        line.trim()
            .trim_matches('|')
            .split(" | ")
            .map(|cell| cell.trim().trim_matches('|').trim().to_string())
            .collect()
    };
    let mut rows = Vec::new();
    let mut header: Option<Vec<String>> = None;
    for line in text.lines() {
        if !line.starts_with('|') {
            header = None;
        } else if line.starts_with("| ---") {
        } else if let Some(metrics) = &header {
            let cells = cells(line);
            for (metric, value) in metrics.iter().zip(&cells).skip(1) {
                let (metric, unit) = metric.split_once(", ").unwrap_or((metric, ""));
                if !metric.is_empty() && !value.is_empty() && value != "-" {
                    rows.push(row(&cells[0], metric, value, unit));
                }
            }
        } else {
            header = Some(cells(line));
        }
    }
    rows
}

/// Lines of a table that are printed at once and recorded at the end.
#[derive(Default)]
pub struct Printed(String);

impl Printed {
    /// Prints a line and keeps it.
    pub fn line(&mut self, line: &str) {
        println!("{line}");
        self.0.push_str(line);
        self.0.push('\n');
    }

    /// Records the tables that were printed.
    pub fn record(&self, root: &Path, name: &str) -> Result<(), String> {
        record(root, name, &from_markdown(&self.0))
    }
}

/// The command without the program that it measures: where that is depends on the machine.
fn told(mut arguments: impl Iterator<Item = String>) -> String {
    let mut words = vec!["cargo xtask".to_string()];
    while let Some(word) = arguments.next() {
        match word.as_str() {
            "--axle" => drop(arguments.next()),
            "--ltsmin" => {
                drop(arguments.next());
                words.extend([word, "FOLDER".to_string()]);
            }
            other if other.starts_with("--axle=") => {}
            _ => words.push(word),
        }
    }
    words.join(" ")
}

/// Replaces the rows with the same subject and metric in `bench/results/NAME.tsv`, and appends the
/// others.
pub fn record(root: &Path, name: &str, rows: &[Row]) -> Result<(), String> {
    if rows.is_empty() {
        return Ok(());
    }
    let path = root.join(format!("bench/results/{name}.tsv"));
    let old = fs::read_to_string(&path).unwrap_or_default();
    let stamp = [date(root), commit(root), told(std::env::args().skip(1))].join("\t");
    let text = merged(&old, &stamp, rows);
    fs::create_dir_all(root.join("bench/results")).map_err(|e| format!("bench/results: {e}"))?;
    fs::write(&path, text).map_err(|e| format!("{}: {e}", path.display()))?;
    eprintln!(
        "wrote {} rows to bench/results/{name}.tsv (cargo xtask pages updates the documentation)",
        rows.len()
    );
    Ok(())
}

/// The file with new rows in place of old ones.
fn merged(old: &str, stamp: &str, rows: &[Row]) -> String {
    let mut lines: Vec<String> = old.lines().skip(1).map(str::to_string).collect();
    for Row { subject, metric, value, unit } in rows {
        let line = format!("{stamp}\t{subject}\t{metric}\t{value}\t{unit}");
        let key = |line: &str| {
            let mut fields = line.split('\t').skip(3);
            fields.next() == Some(subject) && fields.next() == Some(metric)
        };
        match lines.iter_mut().find(|line| key(line)) {
            Some(same) => *same = line,
            None => lines.push(line),
        }
    }
    format!("{HEADER}\n{}\n", lines.join("\n"))
}

fn output(root: &Path, program: &str, args: &[&str]) -> String {
    let output = Command::new(program).args(args).current_dir(root).output();
    output.map(|o| String::from_utf8_lossy(&o.stdout).trim().to_string()).unwrap_or_default()
}

/// The commit that was measured.
fn commit(root: &Path) -> String {
    output(root, "git", &["rev-parse", "--short=7", "HEAD"])
}

/// Today in UTC.
fn date(root: &Path) -> String {
    output(root, "date", &["-u", "+%Y-%m-%d"])
}

/// Updates pages and chart; with `check`, reports those that are not current.
pub fn pages(root: &Path, check: bool) -> Result<(), String> {
    let mut old = Vec::new();
    for name in PAGES {
        let path = root.join(name);
        let text = fs::read_to_string(&path).map_err(|e| format!("{name}: {e}"))?;
        old.push((name, filled(root, &text).map_err(|why| format!("{name}: {why}"))?, text));
    }
    let chart = fs::read_to_string(root.join(CHART)).unwrap_or_default();
    old.push((CHART, speed(&read(root, "bench")?), chart));
    for (name, wanted, text) in old {
        if wanted == text {
            continue;
        }
        if check {
            return Err(format!("{name} is not current: run cargo xtask pages"));
        }
        fs::write(root.join(name), wanted).map_err(|e| format!("{name}: {e}"))?;
    }
    Ok(())
}

/// A page with a table after each mark.
fn filled(root: &Path, text: &str) -> Result<String, String> {
    let (open, close) = ("<!-- results ", "<!-- end of results -->");
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(open) {
        let (before, after) = rest.split_at(at + open.len());
        let (name, after) = after.split_once(" -->").ok_or("an open mark")?;
        let end = after.find(close).ok_or_else(|| format!("no end of results {name}"))?;
        let _ = write!(out, "{before}{name} -->\n{}{close}", table(&read(root, name)?));
        rest = &after[end + close.len()..];
    }
    Ok(out + rest)
}

/// The rows of a file: date, command, and what was measured.
fn read(root: &Path, name: &str) -> Result<Vec<(String, String, Row)>, String> {
    let path = root.join(format!("bench/results/{name}.tsv"));
    let text = fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
    let mut rows = Vec::new();
    for (i, line) in text.lines().enumerate().skip(1) {
        let fields: Vec<&str> = line.split('\t').collect();
        let [date, _, command, subject, metric, value, unit] = fields[..] else {
            return Err(format!("{}:{}: not seven columns", path.display(), i + 1));
        };
        rows.push((date.to_string(), command.to_string(), row(subject, metric, value, unit)));
    }
    Ok(rows)
}

/// One line per subject, one column per metric, and the measuring command.
fn table(rows: &[(String, String, Row)]) -> String {
    let mut subjects: Vec<&str> = Vec::new();
    let mut metrics: Vec<(&str, &str)> = Vec::new();
    let mut commands: Vec<String> = Vec::new();
    for (date, command, row) in rows {
        if !subjects.contains(&row.subject.as_str()) {
            subjects.push(&row.subject);
        }
        if !metrics.iter().any(|(metric, _)| *metric == row.metric) {
            metrics.push((&row.metric, &row.unit));
        }
        let how = format!("`{command}` ({date})");
        if !commands.contains(&how) {
            commands.push(how);
        }
    }
    let mut out = format!("\nMeasured with {}.\n\n| |", commands.join(", "));
    for (metric, unit) in &metrics {
        let _ = if unit.is_empty() { write!(out, " {metric} |") } else { write!(out, " {metric}, {unit} |") };
    }
    let _ = write!(out, "\n| --- |{}\n", " --: |".repeat(metrics.len()));
    for subject in subjects {
        let _ = write!(out, "| {subject} |");
        for (metric, _) in &metrics {
            let found = rows.iter().find(|(_, _, row)| row.subject == subject && row.metric == *metric);
            let _ = write!(out, " {} |", found.map_or("", |(_, _, row)| row.value.as_str()));
        }
        out.push('\n');
    }
    out.push('\n');
    out
}

/// Bars: throughput and memory relative to pan, from `bench.tsv`.
fn speed(rows: &[(String, String, Row)]) -> String {
    let bars: Vec<(&str, f64)> = rows
        .iter()
        .filter(|(_, _, row)| row.metric == "reached" && row.subject.contains("relative to pan"))
        .filter_map(|(_, _, row)| Some((row.subject.split(" relative").next()?, row.value.parse().ok()?)))
        .collect();
    let most = bars.iter().map(|(_, value)| *value).fold(1.0, f64::max);
    let height = 60 + 28 * bars.len();
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 720 {height}\" font-family=\"sans-serif\" \
         font-size=\"13\">\n<rect width=\"720\" height=\"{height}\" fill=\"white\"/>\n\
         <text x=\"10\" y=\"22\" font-weight=\"bold\">Axle relative to Spin's pan (1 = equal, more is better)</text>\n"
    );
    for (i, (subject, value)) in bars.iter().enumerate() {
        let y = 38 + 28 * i;
        let wide = 340.0 * value / most;
        let _ = writeln!(
            out,
            "<text x=\"320\" y=\"{}\" text-anchor=\"end\">{subject}</text>\
             <rect x=\"330\" y=\"{y}\" width=\"{wide:.1}\" height=\"20\" fill=\"#1b6ca8\"/>\
             <text x=\"{:.1}\" y=\"{}\">{value}</text>",
            y + 15,
            336.0 + wide,
            y + 15
        );
    }
    let one = 330.0 + 340.0 / most;
    let _ = write!(out, "<path d=\"M{one:.1} 32V{}\" stroke=\"#c0392b\"/>\n</svg>\n", height - 16);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pages_are_current() {
        let root = crate::repository();
        pages(&root, true).expect("cargo xtask pages was run");
    }

    #[test]
    fn rows_of_the_same_subject_and_metric_are_replaced() {
        let old = format!("{HEADER}\nd\tc\tx\tm\tstates\t1\t\nd\tc\tx\tn\tstates\t2\t\n");
        let rows = [row("m", "states", 3, ""), row("m", "time", "0.5", "s")];
        let text = merged(&old, "e\tf\ty", &rows);
        let wanted = "e\tf\ty\tm\tstates\t3\t\nd\tc\tx\tn\tstates\t2\t\ne\tf\ty\tm\ttime\t0.5\ts\n";
        assert_eq!(text, format!("{HEADER}\n{wanted}"));
    }

    #[test]
    fn a_command_is_told_without_the_path_of_the_program() {
        let words = |text: &str| told(text.split(' ').map(str::to_string));
        assert_eq!(words("bench --axle /a/axle --only c"), "cargo xtask bench --only c");
        assert_eq!(words("browser --axle=/a/axle"), "cargo xtask browser");
    }

    #[test]
    fn printed_tables_become_rows() {
        let text = "| model | states | time, s |\n| --- | --: | --: |\n| m | 7 | 0.5 |\n\nend\n";
        assert_eq!(from_markdown(text), [row("m", "states", "7", ""), row("m", "time", "0.5", "s")]);
    }

    #[test]
    fn tables_have_a_row_for_each_subject() {
        let rows = [("d".to_string(), "x".to_string(), row("m", "time", "0.5", "s"))];
        assert_eq!(table(&rows), "\nMeasured with `x` (d).\n\n| | time, s |\n| --- | --: |\n| m | 0.5 |\n\n");
    }
}
