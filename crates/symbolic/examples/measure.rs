//! Measures the strategies: `measure [NAME=VALUE] FILE...` prints, for each model, the number of states, the
//! number with partial order reduction, and for each strategy the time of the search, the largest number of live
//! nodes and the memory of all tables. The value of a constant is for the next file. A search ends after 30
//! seconds.

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use axle_outcome::Stop;
use axle_relation::Relation;
use axle_source::{Diagnostics, MemoryLoader, Sources};
use axle_symbolic::{Options, Strategy, Symbolic};

const STRATEGIES: [(&str, Strategy); 4] = [
    ("breadth-first", Strategy::BreadthFirst),
    ("chaining", Strategy::Chaining),
    ("saturation", Strategy::Saturation),
    ("IMPROVISO", Strategy::Improviso),
];

/// The most seconds of a search.
const MOST_SECONDS: u64 = 30;

fn main() -> Result<(), String> {
    let columns = STRATEGIES.map(|(name, _)| format!("{name}, s | {name} nodes | {name} MB"));
    println!("| model | states | reduced states | {} |", columns.join(" | "));
    println!("| --- {}|", "| --: ".repeat(2 + 3 * STRATEGIES.len()));
    let mut constant = String::new();
    for argument in std::env::args().skip(1) {
        if argument.contains('=') {
            constant = argument;
            continue;
        }
        let constant = std::mem::take(&mut constant);
        println!("{}", measured(&argument, &constant)?);
    }
    Ok(())
}

/// The row of a model.
fn measured(file: &str, constant: &str) -> Result<String, String> {
    let text = std::fs::read_to_string(file).map_err(|error| format!("{file}: {error}"))?;
    let text = match constant.split_once('=') {
        None => text,
        Some((name, value)) => format!("#define {name} {value}\n{text}"),
    };
    let mut sources = Sources::new();
    let main = sources.add(file, &text);
    let (loader, options) = (MemoryLoader::default(), axle_promela::Options::default());
    let model = axle_promela::compile(&mut sources, main, &loader, &options, &mut Diagnostics::new());
    let model = Arc::new(model.ok_or_else(|| format!("{file}: not a correct model"))?);
    let options = axle_relation::Options { processes: 255, ..axle_relation::Options::default() };
    let relation = Relation::new(&model, &options, &[]).map_err(|error| format!("{file}: {error}"))?;
    let (mut counts, mut cells) = (["–".to_string(), "–".to_string()], Vec::new());
    for (_, strategy) in STRATEGIES {
        let began = Instant::now();
        let mut limit = |_| (began.elapsed().as_secs() >= MOST_SECONDS).then_some(Stop::Time);
        let options = Options { memory: Some(4 << 30), ..Options::default() };
        let searched = Symbolic::new_watched(&relation, options, &mut limit)
            .and_then(|mut symbolic| symbolic.explore(strategy, &mut limit));
        match searched {
            Ok(reached) if reached.stop.is_none() => {
                counts[usize::from(strategy == Strategy::Improviso)] = reached.states.to_string();
                let (seconds, nodes) = (began.elapsed().as_secs_f64(), reached.peak.max(reached.nodes));
                cells.push(format!("{seconds:.2} | {nodes} | {:.1}", reached.bytes as f64 / 1e6));
            }
            _ => cells.push("– | – | –".to_string()),
        }
    }
    let name = Path::new(file).file_stem().unwrap_or_default().to_string_lossy();
    let constant = if constant.is_empty() { String::new() } else { format!(" {constant}") };
    Ok(format!("| {name}{constant} | {} | {} |", counts.join(" | "), cells.join(" | ")))
}
