//! The corpus for mutation: texts of the project, and Spin's examples if they are installed. Texts
//! are sorted by name, so equal trees give equal inputs.
//!
//! *Entry point:* [`Corpus::read`].

use std::fs;
use std::path::{Path, PathBuf};

use axle_model::dump::fnv1a;

use super::tokens::cut;
use super::vocabulary::Vocabulary;

/// Directory of Spin's examples in Debian.
const SPIN: &str = "/usr/share/doc/spin/examples";
/// Longer texts are excluded: they are slow and contain nothing new.
const LONGEST: usize = 6_000;

/// A text, split into pieces.
pub struct Entry {
    /// Its pieces.
    pub pieces: Vec<&'static str>,
}

/// The texts.
pub struct Corpus {
    /// The vocabulary for insertions.
    pub words: &'static Vocabulary,
    /// Never empty.
    pub entries: Vec<Entry>,
    /// Files for `#include`, by base name.
    pub headers: Vec<(String, Vec<u8>)>,
    /// FNV-1a over names and texts: equal digests, seeds and numbers give equal inputs.
    pub digest: u64,
}

impl Corpus {
    /// Reads the texts under `root`, and Spin's if `spin`.
    pub fn read(words: &'static Vocabulary, root: &Path, spin: bool) -> Corpus {
        Corpus::read_ending(words, root, spin, words.endings)
    }

    /// Reads the files with one of these extensions.
    pub fn read_ending(words: &'static Vocabulary, root: &Path, spin: bool, endings: &[&str]) -> Corpus {
        let mut paths = Vec::new();
        words.folders.iter().for_each(|folder| walk(&root.join(folder), endings, &mut paths));
        if spin {
            walk(Path::new(SPIN), endings, &mut paths);
        }
        let texts = paths.iter().filter_map(|path| Some((path, fs::read(path).ok()?)));
        let named = texts.map(|(path, text)| {
            let name = path.strip_prefix(root).unwrap_or(path).to_string_lossy().into_owned();
            (name, String::from_utf8_lossy(&text).into_owned())
        });
        Corpus::new(words, named.collect())
    }

    /// A corpus of these texts, by name.
    pub fn new(words: &'static Vocabulary, mut texts: Vec<(String, String)>) -> Corpus {
        texts.sort();
        texts.push(("smallest".into(), words.smallest.into()));
        texts.retain(|(_, text)| text.len() <= LONGEST);
        let digest = fnv1a(texts.iter().flat_map(|(name, text)| name.bytes().chain(text.bytes())));
        let mut corpus = Corpus { words, entries: Vec::new(), headers: Vec::new(), digest };
        for (name, text) in texts {
            if let Some(last) = name.rsplit('/').next().filter(|last| last.ends_with(".h")) {
                corpus.headers.push((last.to_string(), text.clone().into_bytes()));
            }
            // A corpus lives as long as the program, so its pieces are copied without cost.
            let pieces = cut(text.leak());
            corpus.entries.push(Entry { pieces });
        }
        corpus
    }
}

fn walk(folder: &Path, endings: &[&str], paths: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        match path.extension().and_then(|extension| extension.to_str()) {
            _ if path.is_dir() => walk(&path, endings, paths),
            Some(ending) if endings.contains(&ending) => paths.push(path),
            Some(_) | None => {}
        }
    }
}
