//! Tables of the figures in Markdown, with the performance targets of Axle.
//!
//! Ratios are pan's figure divided by Axle's for time and memory, so larger is better. Means of
//! ratios are geometric.
//!
//! *Entry point:* [`markdown`].

use std::fmt::Write;

use super::subjects::{Line, Run, Set};

/// Minimum number of states of a model for memory per state.
const LARGE: u64 = 2_000_000;

/// All tables.
pub fn markdown(lines: &[Line]) -> String {
    let mut out = String::new();
    let models: Vec<&Line> = lines.iter().filter(|line| line.set == Set::Models).collect();
    let small: Vec<&Line> = lines.iter().filter(|line| line.set == Set::Small).collect();
    if !models.is_empty() {
        speed(&mut out, &models);
    }
    if !small.is_empty() {
        end_to_end(&mut out, &small);
    }
    bars(&mut out, &models, &small);
    for line in lines {
        for fault in &line.faults {
            let _ = writeln!(out, "FAULT {}: {fault}", line.name);
        }
    }
    out
}

/// States per second of CPU time.
fn rate(line: &Line, run: Option<Run>) -> Option<f64> {
    run.map(|run| line.counts.states as f64 / run.usage.cpu().max(1e-6))
}

/// Bytes of peak memory per state.
fn bytes(line: &Line, run: Option<Run>) -> Option<f64> {
    run.map(|run| run.usage.peak as f64 / line.counts.states as f64)
}

fn ratio(a: Option<f64>, b: Option<f64>) -> Option<f64> {
    Some(a? / b?)
}

fn show(figure: Option<f64>, decimals: usize) -> String {
    figure.map_or("-".into(), |figure| format!("{figure:.decimals$}"))
}

fn million(figure: Option<f64>) -> String {
    show(figure.map(|figure| figure / 1e6), 2)
}

fn speed(out: &mut String, lines: &[&Line]) {
    out.push_str(
        "| model | states | transitions | pan B | pan Mst/s | axle Mst/s | ratio | tree Mst/s | ratio \
         | pan B/st | axle B/st | ratio | tree B/st | pan e2e s | axle e2e s | ratio |\n\
         | --- | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: |\n",
    );
    for line in lines {
        let [pan, plain, tree] = [line.pan, line.plain, line.tree];
        let wall = |run: Option<Run>| run.map(|run| run.end_to_end);
        let cells = [
            line.name.clone(),
            line.counts.states.to_string(),
            line.counts.transitions.to_string(),
            line.counts.vector.to_string(),
            million(rate(line, pan)),
            million(rate(line, plain)),
            show(ratio(rate(line, plain), rate(line, pan)), 1),
            million(rate(line, tree)),
            show(ratio(rate(line, tree), rate(line, pan)), 1),
            show(bytes(line, pan), 0),
            show(bytes(line, plain), 1),
            show(ratio(bytes(line, pan), bytes(line, plain)), 1),
            show(bytes(line, tree), 1),
            show(wall(pan), 2),
            show(wall(plain), 2),
            show(ratio(wall(pan), wall(plain)), 1),
        ];
        let _ = writeln!(out, "| {} |", cells.join(" | "));
    }
    out.push('\n');
}

fn end_to_end(out: &mut String, lines: &[&Line]) {
    out.push_str(
        "| model | states | spin + gcc + pan s | axle s | ratio |\n| --- | --: | --: | --: | --: |\n",
    );
    for line in lines {
        let (pan, plain) = (line.pan.map(|run| run.end_to_end), line.plain.map(|run| run.end_to_end));
        let cells = [
            line.name.clone(),
            line.counts.states.to_string(),
            show(pan, 3),
            show(plain, 4),
            show(ratio(pan, plain), 0),
        ];
        let _ = writeln!(out, "| {} |", cells.join(" | "));
    }
    out.push('\n');
}

/// The geometric mean; `None` without figures.
fn mean(figures: &[f64]) -> Option<f64> {
    let logs: f64 = figures.iter().map(|figure| figure.ln()).sum();
    (!figures.is_empty()).then(|| (logs / figures.len() as f64).exp())
}

fn least(figures: &[f64]) -> Option<f64> {
    figures.iter().copied().reduce(f64::min)
}

/// Each target with the measured figure.
fn bars(out: &mut String, models: &[&Line], small: &[&Line]) {
    let gather = |lines: &[&Line], figure: &dyn Fn(&Line) -> Option<f64>| -> Vec<f64> {
        lines.iter().filter_map(|line| figure(line)).collect()
    };
    let plain = gather(models, &|l| ratio(rate(l, l.plain), rate(l, l.pan)));
    let tree = gather(models, &|l| ratio(rate(l, l.tree), rate(l, l.pan)));
    let memory = gather(models, &|l| ratio(bytes(l, l.pan), bytes(l, l.plain)));
    let large: Vec<&Line> = models.iter().copied().filter(|line| line.counts.states > LARGE).collect();
    let packed = gather(&large, &|l| bytes(l, l.tree));
    let quick = gather(small, &|l| ratio(l.pan.map(|r| r.end_to_end), l.plain.map(|r| r.end_to_end)));
    out.push_str("| bar | target | reached | |\n| --- | --: | --: | --- |\n");
    let mut bar = |what: &str, reached: Option<f64>, wanted: f64, more: bool| {
        let Some(reached) = reached else { return };
        let good = if more { reached >= wanted } else { reached <= wanted };
        let sign = if more { "≥" } else { "≤" };
        let verdict = if good { "reached" } else { "MISSED" };
        let _ = writeln!(out, "| {what} | {sign} {wanted} | {reached:.2} | {verdict} |");
    };
    bar("states per CPU second relative to pan, mean", mean(&plain), 4.0, true);
    bar("states per CPU second relative to pan, worst model", least(&plain), 2.0, true);
    bar("states per CPU second with tree compression relative to pan, mean", mean(&tree), 1.8, true);
    bar(
        "bytes per state with tree compression, mean of models above 2 million states",
        mean(&packed),
        10.0,
        false,
    );
    bar("peak memory relative to pan, worst model", least(&memory), 2.0, true);
    bar("time from source to verdict relative to pan, worst small model", least(&quick), 20.0, true);
}

#[cfg(test)]
mod tests {
    use super::super::measure::Usage;
    use super::super::subjects::Counts;
    use super::*;

    fn run(cpu: f64, peak: u64) -> Option<Run> {
        let usage = Usage { user: cpu, system: 0.0, wall: cpu, peak, code: Some(0), answered: None };
        Some(Run { usage, end_to_end: cpu })
    }

    #[test]
    fn ratios_and_bars_are_computed() {
        let counts = Counts { states: 4_000_000, transitions: 9, depth: 9, vector: 40 };
        let line = |pan, plain| Line {
            name: "m".into(),
            set: Set::Models,
            counts,
            pan: run(pan, 400_000_000),
            plain: run(plain, 100_000_000),
            tree: run(2.0, 36_000_000),
            faults: Vec::new(),
        };
        // Speedups of 2 and 8: geometric mean 4.
        let text = markdown(&[line(4.0, 2.0), line(4.0, 0.5)]);
        assert!(text.contains("relative to pan, mean | ≥ 4 | 4.00 | reached |"), "{text}");
        assert!(text.contains("pan, worst model | ≥ 2 | 2.00 | reached |"), "{text}");
        assert!(text.contains("above 2 million states | ≤ 10 | 9.00 | reached |"), "{text}");
        assert!(text.contains("peak memory relative to pan, worst model | ≥ 2 | 4.00 | reached |"), "{text}");
        assert!(
            text.contains("| m | 4000000 | 9 | 40 | 1.00 | 2.00 | 2.0 | 2.00 | 2.0 | 100 | 25.0 | 4.0 |"),
            "{text}"
        );
    }

    #[test]
    fn a_missed_bar_and_a_fault_are_shown() {
        let counts = Counts { states: 10, transitions: 9, depth: 9, vector: 40 };
        let line = Line {
            name: "s".into(),
            set: Set::Small,
            counts,
            pan: run(1.0, 1),
            plain: run(0.1, 1),
            tree: None,
            faults: vec!["oops".into()],
        };
        let text = markdown(&[line]);
        assert!(text.contains("| ≥ 20 | 10.00 | MISSED |"), "{text}");
        assert!(text.contains("FAULT s: oops"), "{text}");
    }
}
