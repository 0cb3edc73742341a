//! Generates inputs for the front ends by structure-aware mutation of the corpus: pieces,
//! statements, bracketed ranges, numbers, nesting, directives, macros, and bytes. Most mutations
//! keep brackets balanced, so they reach the phases after the parser.
//!
//! *Entry point:* [`input`].
//! *Source:* Aschermann et al., "NAUTILUS", NDSS 2019 (without its coverage feedback).
//! *Invariant:* an input is a function of corpus, seed and number only.

use std::borrow::Cow;
use std::ops::Range;

use super::corpus::Corpus;
use super::tokens::{Class, balanced, class, cut, statement};
use super::vocabulary::Vocabulary;
use axle_generate::Random;

/// A piece of a text.
pub type Text = Cow<'static, str>;

/// Inputs with more pieces are not enlarged.
const MOST_PIECES: usize = 6_000;

/// Input `index` of `seed`.
pub fn input(corpus: &Corpus, seed: u64, index: u64) -> Vec<u8> {
    let random = &mut Random::of(seed, index);
    let mut pieces = base(corpus, random);
    for _ in 0..random.few(8) {
        if pieces.is_empty() {
            pieces.push(" ".into());
        }
        if pieces.len() > MOST_PIECES {
            break;
        }
        mutate(&mut pieces, corpus, random);
    }
    let mut bytes = pieces.concat().into_bytes();
    if random.one_in(6) {
        scratch(&mut bytes, random);
    }
    bytes
}

/// The initial text of an input.
fn base(corpus: &Corpus, random: &mut Random) -> Vec<Text> {
    match random.below(16) {
        0..=3 => {
            cut(&(corpus.words.grown)(random)).into_iter().map(|piece| piece.to_owned().into()).collect()
        }
        4 => {
            (0..1 + random.below(60)).flat_map(|_| [soup(corpus.words, random).into(), " ".into()]).collect()
        }
        5 => {
            let mut pieces: Vec<Text> = Vec::new();
            for _ in 0..1 + random.below(5) {
                pieces.extend(cut(random.pick(corpus.words.declarations)).into_iter().map(Text::from));
            }
            pieces.extend([corpus.words.main.into()]);
            for _ in 0..1 + random.below(8) {
                pieces.extend(cut(random.pick(corpus.words.statements)).into_iter().map(Text::from));
                pieces.push(random.pick(corpus.words.between).into());
            }
            pieces.push("}\n".into());
            pieces
        }
        _ => {
            // The shortest of three: more inputs per second, and a mutation affects a larger part.
            let any = [(); 3].map(|()| &corpus.entries[random.below(corpus.entries.len())].pieces);
            let shortest = any.into_iter().min_by_key(|pieces| pieces.len()).into_iter().flatten();
            shortest.map(|piece| Text::from(*piece)).collect()
        }
    }
}

fn soup(words: &Vocabulary, random: &mut Random) -> &'static str {
    match random.below(10) {
        0 => random.pick(words.directives),
        1 => random.pick(words.numbers),
        2 => random.pick(words.statements),
        3 => random.pick(words.declarations),
        _ => random.pick((words.words)()),
    }
}

fn range(length: usize, most: usize, random: &mut Random) -> Range<usize> {
    let begin = random.below(length);
    let end = (begin + random.few(most)).min(length);
    begin..end
}

fn own(pieces: &[Text], part: Range<usize>) -> Vec<Text> {
    pieces[part].to_vec()
}

/// One mutation.
fn mutate(pieces: &mut Vec<Text>, corpus: &Corpus, random: &mut Random) {
    let length = pieces.len();
    let at = random.below(length);
    match random.below(24) {
        0 => drop(pieces.drain(range(length, 8, random))),
        1 => {
            let part = own(pieces, range(length, 8, random));
            pieces.splice(at..at, part);
        }
        2 => pieces.swap(at, random.below(length)),
        3 | 4 => replace_alike(pieces, corpus, random),
        5 => pieces.insert(at, format!(" {} ", soup(corpus.words, random)).into()),
        6 => pieces[at] = soup(corpus.words, random).into(),
        7 | 8 => number(pieces, corpus, random),
        9 | 10 => splice_balanced(pieces, corpus, random),
        11 | 12 => splice_statement(pieces, corpus, random),
        13 => {
            let part = statement(pieces, corpus.words.words_nest, random);
            drop(pieces.drain(part));
        }
        14 => repeat(pieces, corpus, random),
        15 => nest_statement(pieces, corpus, random),
        16 => nest_value(pieces, corpus, random),
        17 | 18 => define(pieces, corpus, random),
        19 => directive(pieces, corpus, random),
        20 => declare(pieces, corpus, random),
        21 => rename(pieces, corpus, random),
        22 => unwrap(pieces, corpus, random),
        _ => inline(pieces, corpus, random),
    }
}

/// Replaces a piece by another of its class, from this text or another.
fn replace_alike(pieces: &mut [Text], corpus: &Corpus, random: &mut Random) {
    let at = random.below(pieces.len());
    let kind = class(&pieces[at]);
    for _ in 0..8 {
        let other = match random.one_in(3) {
            true => {
                let entry = &corpus.entries[random.below(corpus.entries.len())];
                if entry.pieces.is_empty() { continue } else { Text::from(random.pick(&entry.pieces)) }
            }
            false => pieces[random.below(pieces.len())].clone(),
        };
        if class(&other) == kind && other != pieces[at] {
            pieces[at] = other;
            return;
        }
    }
}

/// Replaces a number by one at a type limit.
fn number(pieces: &mut [Text], corpus: &Corpus, random: &mut Random) {
    let numbers: Vec<usize> = (0..pieces.len()).filter(|&at| class(&pieces[at]) == Class::Number).collect();
    let at = if numbers.is_empty() { random.below(pieces.len()) } else { random.pick(&numbers) };
    let sign = if random.one_in(4) { "-" } else { "" };
    pieces[at] = format!("{sign}{}", random.pick(corpus.words.numbers)).into();
}

/// Replaces or moves a bracketed range.
fn splice_balanced(pieces: &mut Vec<Text>, corpus: &Corpus, random: &mut Random) {
    let donor = donor(pieces, corpus, random);
    if donor.is_empty() {
        return;
    }
    let (Some(from), Some(to)) = (
        balanced(&donor, corpus.words.words_nest, random),
        balanced(pieces, corpus.words.words_nest, random),
    ) else {
        return;
    };
    pieces.splice(to, own(&donor, from));
}

/// This text or another of the corpus.
fn donor(pieces: &[Text], corpus: &Corpus, random: &mut Random) -> Vec<Text> {
    match random.one_in(2) {
        true => pieces.to_vec(),
        false => {
            corpus.entries[random.below(corpus.entries.len())].pieces.iter().map(|p| Text::from(*p)).collect()
        }
    }
}

/// Replaces or inserts a statement.
fn splice_statement(pieces: &mut Vec<Text>, corpus: &Corpus, random: &mut Random) {
    let to = statement(pieces, corpus.words.words_nest, random);
    let mut part = match random.one_in(3) {
        true => cut(random.pick(corpus.words.statements)).into_iter().map(Text::from).collect(),
        false => {
            let donor = donor(pieces, corpus, random);
            if donor.is_empty() {
                return;
            }
            let from = statement(&donor, corpus.words.words_nest, random);
            own(&donor, from)
        }
    };
    match random.one_in(2) {
        true => drop(pieces.splice(to, part)),
        false => {
            part.push("; ".into());
            drop(pieces.splice(to.start..to.start, part));
        }
    }
}

/// Repeats a statement many times.
fn repeat(pieces: &mut Vec<Text>, corpus: &Corpus, random: &mut Random) {
    let part = statement(pieces, corpus.words.words_nest, random);
    let times = if random.one_in(10) { 200 } else { random.few(10) };
    if part.len() * times > MOST_PIECES {
        return;
    }
    let (end, part) = (part.end, own(pieces, part));
    let copies = (0..times).flat_map(|_| std::iter::once(Text::from("; ")).chain(part.iter().cloned()));
    let copies: Vec<Text> = copies.collect();
    pieces.splice(end..end, copies);
}

/// Nesting depth: usually small, sometimes beyond every limit.
fn depth(random: &mut Random) -> usize {
    match random.below(60) {
        0 => 5_000,
        1 => 700,
        2 | 3 => 100,
        _ => random.few(6),
    }
}

fn wrap(pieces: &mut Vec<Text>, part: Range<usize>, open: &str, close: &str, times: usize) {
    pieces.insert(part.end, format!(" {}", close.repeat(times)).into());
    pieces.insert(part.start, format!("{} ", open.repeat(times)).into());
}

fn nest_statement(pieces: &mut Vec<Text>, corpus: &Corpus, random: &mut Random) {
    let part = statement(pieces, corpus.words.words_nest, random);
    let (open, close) = random.pick(corpus.words.blocks);
    let times = depth(random);
    wrap(pieces, part, open, close, times);
}

fn nest_value(pieces: &mut Vec<Text>, corpus: &Corpus, random: &mut Random) {
    let part = range(pieces.len(), 4, random);
    let (open, close) = random.pick(corpus.words.wraps);
    let times = depth(random);
    wrap(pieces, part, open, close, times);
}

/// Moves a range into a macro, with or without parameters.
fn define(pieces: &mut Vec<Text>, corpus: &Corpus, random: &mut Random) {
    let part = if random.one_in(2) {
        statement(pieces, corpus.words.words_nest, random)
    } else {
        range(pieces.len(), 10, random)
    };
    let body: String = pieces[part.clone()].concat().replace('\n', "\\\n");
    let name = random.pick(&["Z0", "Z1", "Z2", "a", "N"]);
    let (head, call) = match random.below(5) {
        0 => (format!("{name}(x)"), format!("{name}({body})")),
        1 => (format!("{name}(x, y)"), format!("{name}({body}, 1)")),
        2 => (format!("{name}(...)"), format!("{name}({body}, {body})")),
        _ => (name.to_string(), name.to_string()),
    };
    let body = match (head.contains('('), random.below(3)) {
        (true, 0) => "x #x x##1 __VA_ARGS__".to_string(),
        (true, 1) => format!("x {call}"),
        _ => body,
    };
    pieces.splice(part, [Text::from(call)]);
    pieces.insert(0, format!("#define {head} {body}\n").into());
}

/// Inserts a directive at the start of a line, sometimes with its end.
fn directive(pieces: &mut Vec<Text>, corpus: &Corpus, random: &mut Random) {
    let starts: Vec<usize> = (0..pieces.len()).filter(|&at| at == 0 || pieces[at - 1] == "\n").collect();
    let at = random.pick(&starts);
    let line = random.pick(corpus.words.directives);
    if line.starts_with("#if") && random.one_in(2) {
        pieces.push("\n#endif\n".into());
    }
    pieces.insert(at, line.into());
}

/// Inserts a declaration or another text before or after this one.
fn declare(pieces: &mut Vec<Text>, corpus: &Corpus, random: &mut Random) {
    let more: Vec<Text> = match random.one_in(3) {
        true => {
            corpus.entries[random.below(corpus.entries.len())].pieces.iter().map(|p| Text::from(*p)).collect()
        }
        false => cut(random.pick(corpus.words.declarations)).into_iter().map(Text::from).collect(),
    };
    let at = if random.one_in(2) { 0 } else { pieces.len() };
    pieces.splice(at..at, more);
}

/// Renames an identifier everywhere.
fn rename(pieces: &mut [Text], corpus: &Corpus, random: &mut Random) {
    let words: Vec<usize> = (0..pieces.len()).filter(|&at| class(&pieces[at]) == Class::Word).collect();
    if words.is_empty() {
        return;
    }
    let from = pieces[random.pick(&words)].clone();
    let to = match random.one_in(3) {
        true => Text::from(random.pick((corpus.words.words)())),
        false => pieces[random.pick(&words)].clone(),
    };
    pieces.iter_mut().filter(|piece| **piece == from).for_each(|piece| *piece = to.clone());
}

/// Removes the brackets of a range, or its contents.
fn unwrap(pieces: &mut Vec<Text>, corpus: &Corpus, random: &mut Random) {
    let Some(part) = balanced(pieces, corpus.words.words_nest, random) else { return };
    match random.one_in(2) {
        true => {
            pieces.remove(part.end - 1);
            pieces.remove(part.start);
        }
        false => drop(pieces.drain(part.start + 1..part.end - 1)),
    }
}

/// Moves a statement into an inline or a function, possibly recursive.
fn inline(pieces: &mut Vec<Text>, corpus: &Corpus, random: &mut Random) {
    let part = statement(pieces, corpus.words.words_nest, random);
    let body = pieces[part.clone()].concat();
    let again = random.one_in(6);
    pieces.splice(part, [Text::from(corpus.words.call)]);
    pieces.insert(0, (corpus.words.routine)(&body, again).into());
}

/// Mutates bytes; the result need not be UTF-8.
fn scratch(bytes: &mut Vec<u8>, random: &mut Random) {
    for _ in 0..random.few(5) {
        if bytes.is_empty() {
            bytes.push(b'\n');
        }
        let at = random.below(bytes.len());
        match random.below(6) {
            0 => bytes[at] = random.number() as u8,
            1 => bytes[at] ^= 1 << random.below(8),
            2 => drop(bytes.remove(at)),
            3 => bytes.insert(at, random.number() as u8),
            4 => bytes.truncate(at),
            _ => {
                let end = (at + random.few(30)).min(bytes.len());
                let part = bytes[at..end].to_vec();
                let to = random.below(bytes.len());
                bytes.splice(to..to, part);
            }
        }
    }
}
