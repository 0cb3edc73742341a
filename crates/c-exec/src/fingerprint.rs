//! Fingerprints of programs, by which trails and checkpoints recognise theirs.
//!
//! *Entry point:* [`fingerprint`].

use axle_c::code::StaticKind;
use axle_c::{Program, listing};
use axle_model::dump::fnv1a;

use crate::state::settings::Settings;

/// A fingerprint of the semantics of a program, independent of file locations: FNV-1a (Fowler, Noll
/// and Vo; 64 bits) over the listing and the settings.
#[must_use]
pub fn fingerprint(program: &Program, settings: &Settings) -> String {
    // Memoisation and the reports of races and of `abort` calls change no transition.
    let settings = Settings { races: true, memo: true, aborts: false, ..settings.clone() };
    let texts: Vec<_> = (program.statics.iter())
        .filter_map(|fixed| match &fixed.kind {
            StaticKind::Text(text) => Some(text),
            StaticKind::Function(_) | StaticKind::Variable(_) => None,
        })
        .collect();
    let (image, pointers) = (&program.image, &program.image_pointers);
    let text = format!("{}{image:?}{pointers:?}{texts:?}{settings:?}", listing(program));
    format!("{:016x}", fnv1a(text.bytes()))
}
