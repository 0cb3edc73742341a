//! What is done with an input. A panic is a fault, and so is an answer that breaks a promise: a
//! place outside its file, a model that its own verifier refuses, a text of a model that does not
//! read back.
//!
//! *Entry point:* [`run`].

use axle_model::dump::dump;
use axle_model::verify::verify;
use axle_promela::{Options, compile, parse};
use axle_source::{Diagnostics, Loc, MemoryLoader, Sources, Style, preprocess};

/// The part of the front end that reads the input.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Target {
    /// The preprocessor and the parser.
    Parser,
    /// All of it, from text to model.
    Front,
}

/// Reads `input`, with `loader` for what it includes. True where it has no error; a broken promise in words.
/// `thorough` also draws the diagnostics, and writes and reads back the model.
pub fn run(target: Target, input: &[u8], loader: &mut MemoryLoader, thorough: bool) -> Result<bool, String> {
    loader.files.insert("main.pml".into(), input.to_vec());
    let mut sources = Sources::new();
    let mut diagnostics = Diagnostics::new();
    let (main, warning) = sources.add_bytes("main.pml", input);
    diagnostics.extend(warning);
    let mut options = Options::default();
    // Time is proportional to the text that is read. A text that includes itself at every depth that is allowed
    // is a long text rather than a hang.
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
                    return Err(format!("the verifier says: {violation}"));
                }
                if thorough {
                    let text = dump(&model);
                    let back = axle_model::parse::parse(&text);
                    let back =
                        back.map_err(|fault| format!("the model's text does not read back: {fault:?}"))?;
                    if back != model {
                        return Err("the model's text reads back as another model".into());
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
            return Err("the diagnostics are drawn as nothing".into());
        }
    }
    Ok(sound)
}

/// Every place of a diagnostic lies in its file.
fn places(diagnostics: &Diagnostics, sources: &Sources) -> Result<(), String> {
    let inside = |loc: Loc| {
        let span = sources.outermost(loc);
        span.start <= span.end && span.end as usize <= sources.file(span.file).text().len()
    };
    match diagnostics.iter().find(|d| d.labels.iter().any(|label| !inside(label.loc))) {
        None => Ok(()),
        Some(diagnostic) => Err(format!("{} is placed outside its file", diagnostic.code)),
    }
}
