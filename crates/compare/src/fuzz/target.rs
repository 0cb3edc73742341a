//! The fuzz target for Promela. A fault is a panic or a violated invariant: a location outside its
//! file, a model that its verifier rejects, or a printed model that does not parse to the same
//! model.
//!
//! *Entry point:* [`run`].

use axle_model::dump::dump;
use axle_model::verify::verify;
use axle_promela::{Options, compile, parse};
use axle_source::{Diagnostics, Loc, MemoryLoader, Sources, Style, preprocess};

/// The tested part of the front end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Target {
    /// Preprocessor and parser.
    Parser,
    /// The complete front end, from text to model.
    Front,
}

/// Processes `input`; `loader` provides included files. Returns true if it has no error, and an
/// error for a violated invariant. `thorough` also renders the diagnostics, and prints and parses
/// the model.
pub fn run(target: Target, input: &[u8], loader: &mut MemoryLoader, thorough: bool) -> Result<bool, String> {
    loader.files.insert("main.pml".into(), input.to_vec());
    let mut sources = Sources::new();
    let mut diagnostics = Diagnostics::new();
    let (main, warning) = sources.add_bytes("main.pml", input);
    diagnostics.extend(warning);
    let mut options = Options::default();
    // Time is proportional to the text read. Recursive inclusion up to the depth limit produces a
    // long text, not a hang.
    options.preprocessor.limits.include_depth = 20;
    options.preprocessor.limits.source_bytes = 1 << 20;
    options.preprocessor.limits.use_tokens = 100_000;
    options.preprocessor.limits.expanded_tokens = 1_000_000;
    let sound = match target {
        Target::Parser => {
            let output = preprocess(main, &options.preprocessor, loader, &mut sources, &mut diagnostics);
            let program = parse(&output, &mut sources, &mut diagnostics);
            diagnostics.sort(&sources);
            if thorough {
                axle_promela::print::print(&program);
            }
            !diagnostics.has_errors()
        }
        Target::Front => match compile(&mut sources, main, loader, &options, &mut diagnostics) {
            None if diagnostics.has_errors() => false,
            None => return Err("no model and no error".into()),
            Some(_) if diagnostics.has_errors() => return Err("a model in spite of an error".into()),
            Some(model) => {
                if let Some(violation) = verify(&model).first() {
                    return Err(format!("the model verifier reports: {violation}"));
                }
                if thorough {
                    let text = dump(&model);
                    let back = axle_model::parse::parse(&text);
                    let back =
                        back.map_err(|fault| format!("the printed model does not parse: {fault:?}"))?;
                    if back != model {
                        return Err("the printed model parses to a different model".into());
                    }
                }
                true
            }
        },
    };
    places(&diagnostics, &sources)?;
    if thorough && !diagnostics.is_empty() {
        let text = diagnostics.render(&sources, Style::default());
        if text.is_empty() {
            return Err("the rendered diagnostics are empty".into());
        }
    }
    Ok(sound)
}

/// Checks that every location of a diagnostic is inside its file.
fn places(diagnostics: &Diagnostics, sources: &Sources) -> Result<(), String> {
    let inside = |loc: Loc| {
        let span = sources.outermost(loc);
        span.start <= span.end && span.end as usize <= sources.file(span.file).text().len()
    };
    match diagnostics.iter().find(|d| d.labels.iter().any(|label| !inside(label.loc))) {
        None => Ok(()),
        Some(diagnostic) => Err(format!("{} is located outside its file", diagnostic.code)),
    }
}
