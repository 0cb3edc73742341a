//! A plain explorer for tests: every state in a hash set, nothing clever.

use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use axle_model::Model;
use axle_promela::Options;
use axle_source::{Diagnostics, LoadError, Loader, Sources, Style};
use axle_step::{Batch, Interpreter, Successors};

/// What exploring every state comes to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Explored {
    /// Different states.
    pub stored: usize,
    /// Successors computed, and one for the state at the start: as Spin counts.
    pub transitions: usize,
    /// Kinds of faults and how often each was met.
    pub faults: BTreeMap<String, usize>,
    /// The search ended before everything was seen.
    pub cut: bool,
}

/// Explores a model, up to a number of states.
pub fn explore(model: &Model, limit: usize) -> Explored {
    let mut interpreter = Interpreter::new(Arc::new(model.clone()), axle_step::Options::default());
    loop {
        match attempt(&mut interpreter, limit) {
            Ok(explored) => return explored,
            Err(slots) => interpreter.grow(slots),
        }
    }
}

fn attempt(interpreter: &mut Interpreter, limit: usize) -> Result<Explored, usize> {
    let mut faults = BTreeMap::new();
    let mut found = Vec::new();
    let start = interpreter.initial(&mut found);
    for fault in &found {
        *faults.entry(format!("{:?}", fault.site.kind)).or_insert(0) += 1;
    }
    let mut seen = HashSet::from([start.clone()]);
    let mut todo = vec![start];
    let (mut transitions, mut cut) = (1, false);
    let mut batch = Batch::default();
    while let Some(state) = todo.pop() {
        if seen.len() > limit {
            cut = true;
            break;
        }
        batch.clear();
        interpreter.expand(&state, &mut batch).map_err(|grow| grow.size)?;
        for fault in &batch.faults {
            *faults.entry(format!("{:?}", fault.site.kind)).or_insert(0) += 1;
        }
        for next in batch.states.chunks_exact(state.len()) {
            transitions += 1;
            if seen.insert(next.to_vec()) {
                todo.push(next.to_vec());
            }
        }
    }
    Ok(Explored { stored: seen.len(), transitions, faults, cut })
}

/// Files of the disk, for tests.
pub struct Disk;

impl Loader for Disk {
    fn load(&self, path: &str, limit: u64) -> Result<Vec<u8>, LoadError> {
        match std::fs::read(path) {
            Ok(bytes) if bytes.len() as u64 <= limit => Ok(bytes),
            Ok(_) => Err(LoadError::Unreadable("too large".into())),
            Err(_) => Err(LoadError::NotFound),
        }
    }
}

/// Compiles a text; the diagnostics come as text.
pub fn compile_text(name: &str, text: &str, options: &Options) -> (Option<Model>, String) {
    let mut sources = Sources::new();
    let mut diagnostics = Diagnostics::new();
    let main = sources.add(name, text);
    let model = axle_promela::compile(&mut sources, main, &Disk, options, &mut diagnostics);
    let style = Style::default();
    let rendered: Vec<String> = diagnostics.iter().map(|d| d.render(&sources, style)).collect();
    (model, rendered.join("\n"))
}

/// Compiles a file.
pub fn compile_file(path: &Path, options: &Options) -> (Option<Model>, String) {
    let bytes = std::fs::read(path).unwrap_or_default();
    compile_text(&path.to_string_lossy(), &String::from_utf8_lossy(&bytes), options)
}

/// The folder of the conformance models.
pub fn conformance() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/conformance")
}
