//! Trails of C programs: written from violations, and matched with a program.
//!
//! *Entry points:* [`trail`], [`settings_of_trail`].
//! *Invariant:* the settings of a trail give the program the fingerprint of the trail.

use axle_c_exec::{ProgramSite, Settings};
use axle_evidence::program_trail;
use axle_evidence::program_trail::ProgramTrail;
use axle_question::{RunProperty, Subject};

/// The settings with which a trail was made, and the property that it is about.
pub fn settings_of_trail<'r>(
    subject: &Subject<'r>,
    trail: &ProgramTrail,
) -> Result<(Settings, Option<&'r RunProperty>), String> {
    let settings = subject.settings;
    let property = trail.fairness.as_ref().map(|_| {
        let found = subject.properties.iter().find(|one| one.name == trail.kind);
        found.ok_or_else(|| {
            format!("the trail is about a property `{}`, for which its formula is needed", trail.kind)
        })
    });
    let property = property.transpose()?;
    let own = property.map(|one| one.settings(settings));
    let settings = own.as_ref().unwrap_or(settings);
    // The fingerprint of the trail decides whether its steps are transactions.
    let aborts = trail.kind == axle_c_exec::ErrorKind::Abort.name();
    let candidates = [(false, false), (false, true), (true, false), (true, true)].map(
        |(transactions, persistent_sets)| Settings {
            transactions,
            persistent_sets,
            races: true,
            aborts,
            ..settings.clone()
        },
    );
    let matches =
        |settings: &&Settings| trail.fingerprint == axle_c_exec::fingerprint(subject.program, settings);
    let settings = candidates.iter().find(matches).filter(|_| property.is_none()).unwrap_or(settings);
    if trail.fingerprint != axle_c_exec::fingerprint(subject.program, settings) {
        let given = match trail.arguments.is_empty() {
            true => String::new(),
            false => format!(" with {}", trail.arguments.join(" ")),
        };
        return Err(format!(
            "trail does not match this program: it was made of `{}`{given} by Axle {}, and either the \
             program has changed since or it was read with other options",
            trail.files.join(" "),
            trail.axle
        ));
    }
    Ok((settings.clone(), property))
}

/// The site of the violation of a trail.
pub fn site_of_trail(trail: &ProgramTrail) -> Result<ProgramSite, String> {
    let site = ProgramSite::of_numbers(&trail.kind, &trail.at);
    site.ok_or_else(|| format!("the trail names an unknown fault `{}`", trail.kind))
}

/// The trail of a violation.
pub fn trail(subject: &Subject, site: ProgramSite, path: Vec<Option<u32>>) -> ProgramTrail {
    ProgramTrail {
        axle_trail: program_trail::VERSION,
        axle: env!("CARGO_PKG_VERSION").to_string(),
        files: subject.files.to_vec(),
        arguments: subject.arguments.to_vec(),
        fingerprint: axle_c_exec::fingerprint(subject.program, subject.settings),
        kind: site.class.name().to_string(),
        at: site.numbers(),
        fairness: None,
        path,
        cycle: 0,
    }
}
