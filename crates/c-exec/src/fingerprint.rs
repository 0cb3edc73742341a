//! Fingerprints of programs, by which trails and checkpoints recognise theirs.
//!
//! *Entry point:* [`fingerprint`].

use axle_c::code::StaticKind;
use axle_c::{Program, listing};

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
    let hash = text.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    format!("{hash:016x}")
}
