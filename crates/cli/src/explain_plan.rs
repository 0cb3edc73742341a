//! `axle check --explain-plan`: prints the attempts that a check consists of.
//!
//! *Entry point:* [`text`].

use axle_check::plan::Attempt;

/// The attempts of the check of an input as a table.
pub fn text(input: &str, plan: &[Attempt]) -> String {
    let rows: Vec<[String; 6]> = plan.iter().map(row).collect();
    let head =
        ["attempt", "engine", "finds violations of", "share", "from state", "proves"].map(str::to_string);
    let all = || std::iter::once(&head).chain(&rows);
    let width = |column: usize| all().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: [usize; 6] = std::array::from_fn(width);
    let mut text =
        format!("{input}: {} {}\n\n", plan.len(), if plan.len() == 1 { "attempt" } else { "attempts" });
    for row in all() {
        let cells = row.iter().zip(widths).map(|(cell, width)| format!("{cell:width$}"));
        text.push_str(&format!("  {}\n", cells.collect::<Vec<_>>().join("  ").trim_end()));
    }
    text
}

fn row(attempt: &Attempt) -> [String; 6] {
    let proves = if attempt.is_conclusive { "yes" } else { "no" };
    [
        attempt.name(),
        attempt.engine.to_string(),
        attempt.target.to_string(),
        attempt.share.to_string(),
        attempt.start.to_string(),
        proves.to_string(),
    ]
}
