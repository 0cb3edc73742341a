//! Certificates of claims, and corrupted ones: `tests/claims/corruptions.txt`.

use std::path::PathBuf;
use std::sync::Arc;

use axle_check::plan::EngineId;
use axle_check::{Check, Config, Verdict, check, verify_invariants};
use axle_model::Model;
use axle_search::{Fairness, Limits, Silent};

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/claims")
}

fn model(name: &str) -> Arc<Model> {
    let path = folder().join(format!("{name}.pml"));
    crate::promela::model(&std::fs::read_to_string(path).expect("a model"))
}

fn config(engine: &str, fairness: Fairness, property: &str) -> Config {
    let engine = [EngineId::PDR, EngineId::INDUCTION].into_iter().find(|id| id.0 == engine);
    assert!(engine.is_some(), "an engine");
    Config {
        engine,
        fairness,
        checks: [Check::Properties].into(),
        only: Some([property.to_string()].into()),
        limits: Limits::default(),
        ..Config::default()
    }
}

/// The certificate of a property that holds.
fn certificate(model: &Arc<Model>, engine: &str, fairness: Fairness, property: &str) -> String {
    let checked = check(model, &config(engine, fairness, property), &mut Silent);
    assert_eq!(checked.report.verdict, Verdict::Holds, "{property} by {engine}");
    let certificate = checked.found.certificate;
    certificate.unwrap_or_else(|| panic!("{property} by {engine}: a certificate")).invariant
}

fn verify(model: &Arc<Model>, text: &str) -> Result<Vec<(String, bool)>, String> {
    let verified = verify_invariants(model, &Config::default(), text, &mut Silent)?;
    assert_eq!(verified.own, None);
    Ok(verified.claims.into_iter().map(|claim| (claim.name, claim.is_fair)).collect())
}

/// A certificate with a corruption; none if that does not apply.
fn corrupted(text: &str, what: &str, rest: &str) -> Option<(String, String)> {
    let fields: Vec<&str> = rest.split(" => ").collect();
    let lines: Vec<&str> = text.lines().collect();
    let (kept, error): (Vec<&str>, &str) = match (what, &fields[..]) {
        ("replace", [from, to, error]) => {
            let other = text.replacen(from, &to.replace("\\n", "\n"), 1);
            return (other != text).then(|| (other, (*error).to_string()));
        }
        ("without", [begin, error]) => {
            let at = lines.iter().position(|line| line.starts_with(begin))?;
            (lines.iter().enumerate().filter(|(of, _)| *of != at).map(|(_, line)| *line).collect(), error)
        }
        ("without-part", [acceptance, error]) => {
            let begin = lines.iter().position(|line| *line == format!("acceptance {acceptance}"))?;
            let end = begin + lines[begin..].iter().position(|line| *line == "end")?;
            let kept = lines.iter().enumerate().filter(|(of, _)| !(begin..=end).contains(of));
            (kept.map(|(_, line)| *line).collect(), error)
        }
        _ => panic!("{what}: {rest}"),
    };
    Some((kept.iter().map(|line| format!("{line}\n")).collect(), error.to_string()))
}

#[test]
fn certificates_prove_their_property_and_corrupted_ones_do_not() {
    let table = std::fs::read_to_string(folder().join("corruptions.txt")).expect("a table");
    let (mut wrong, mut rejected) = (Vec::new(), 0);
    let mut current: Option<(Arc<Model>, String)> = None;
    for line in table.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        if let Some(rest) = line.strip_prefix("certificate ") {
            let mut words = rest.splitn(4, ' ');
            let mut word = || words.next().unwrap_or_else(|| panic!("{line}"));
            let (model, engine, fairness, property) = (model(word()), word(), word(), word());
            let fairness = if fairness == "weak" { Fairness::Weak } else { Fairness::None };
            let text = certificate(&model, engine, fairness, property);
            let expected = Ok(vec![(property.to_string(), fairness == Fairness::Weak)]);
            assert_eq!(verify(&model, &text), expected, "{line}\n{text}");
            current = Some((model, text));
            continue;
        }
        let (Some((what, rest)), Some((model, text))) = (line.split_once(": "), &current) else {
            panic!("{line}")
        };
        match corrupted(text, what, rest) {
            None => wrong.push(format!("{line}: does not apply to\n{text}")),
            Some((text, error)) => match verify(model, &text) {
                Err(fault) if fault.contains(&error) => rejected += 1,
                other => wrong.push(format!("{line}: {other:?}")),
            },
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(rejected >= 20, "{rejected} rejected");
}

/// Whatever a clause or a name becomes: no certificate proves a property that is violated.
#[test]
fn no_certificate_proves_a_violated_property() {
    let (mut rejected, mut valid) = (0, 0);
    for (name, holds, violated) in [
        ("answered", &["answered", "low"][..], &["never_answered"][..]),
        ("fair", &["toggles"], &["stays"]),
        ("index", &["first", "moves"], &["stays"]),
        ("wide", &["window"], &["narrow"]),
    ] {
        let model = model(name);
        let fairness = if name == "fair" { Fairness::Weak } else { Fairness::None };
        for property in holds {
            let text = certificate(&model, "pdr", fairness, property);
            for other in violated {
                let renamed = text.replace(&format!("claim {property}"), &format!("claim {other}"));
                let proved = verify(&model, &renamed);
                assert!(proved.is_err(), "{name}: {other} by the certificate of {property}");
            }
            let clauses: Vec<usize> = (text.lines().enumerate())
                .filter(|(_, line)| line.starts_with("clause "))
                .map(|(at, _)| at)
                .collect();
            for at in clauses.iter().step_by(3) {
                let changed = |(of, line): (usize, &str)| match (of == *at, line.ends_with('1')) {
                    (false, _) => format!("{line}\n"),
                    (true, true) => format!("{}0\n", &line[..line.len() - 1]),
                    (true, false) => format!("{}1\n", &line[..line.len() - 1]),
                };
                let text: String = text.lines().enumerate().map(changed).collect();
                match verify(&model, &text) {
                    Ok(_) => valid += 1,
                    Err(_) => rejected += 1,
                }
            }
        }
    }
    println!("{rejected} rejected, {valid} still valid");
    assert!(rejected >= 60, "{rejected} rejected, {valid} valid");
}
