//! Changed models through the whole front end: words deleted, doubled, swapped and taken from
//! elsewhere. There is never a panic, and whatever is accepted keeps every invariant of the model.

use crate::plain_explorer;

use axle_generate::Random;
use axle_promela::Options;

fn words(text: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut previous = ' ';
    for c in text.chars() {
        let joins = (c.is_alphanumeric() || c == '_') && (previous.is_alphanumeric() || previous == '_');
        match words.last_mut() {
            Some(word) if joins || (!c.is_alphanumeric() && c == previous && c != ' ') => word.push(c),
            _ => words.push(c.to_string()),
        }
        previous = c;
    }
    words
}

#[test]
fn no_change_makes_the_front_end_panic() {
    let mut texts = Vec::new();
    let corners = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/control");
    for folder in [plain_explorer::conformance(), corners] {
        let mut files: Vec<_> =
            std::fs::read_dir(folder).expect("models").flatten().map(|e| e.path()).collect();
        files.retain(|p| p.extension().is_some_and(|e| e == "pml"));
        files.sort();
        texts.extend(files.into_iter().map(|p| words(&std::fs::read_to_string(p).unwrap_or_default())));
    }
    assert!(texts.len() > 200);
    let mut numbers = Random::of(20_240_607, 0);
    let mut accepted = 0;
    for round in 0..6_000 {
        let mut text = texts[round % texts.len()].clone();
        for _ in 0..=numbers.below(3) {
            let (at, other) = (numbers.below(text.len()), numbers.below(text.len()));
            match numbers.below(4) {
                0 => drop(text.remove(at)),
                1 => text.insert(at, text[other].clone()),
                2 => text.swap(at, other),
                _ => {
                    let donor = &texts[numbers.below(texts.len())];
                    let from = numbers.below(donor.len());
                    let piece: Vec<String> =
                        donor[from..].iter().take(1 + numbers.below(12)).cloned().collect();
                    text.splice(at..at, piece);
                }
            }
            if text.is_empty() {
                text.push(" ".into());
            }
        }
        let text = text.concat();
        let (model, _) = plain_explorer::compile_text("mutant.pml", &text, &Options::default());
        if let Some(model) = model {
            let violations = axle_model::verify::verify(&model);
            assert!(violations.is_empty(), "{violations:?}\n{text}");
            accepted += 1;
        }
    }
    assert!(
        accepted > 500,
        "{accepted} accepted: the changes are too wild to test what lies behind the parser"
    );
}
