//! Reads an automaton in the Hanoi omega-automata format (Babiak and others, *The Hanoi
//! omega-automata format*, CAV 2015), version 1.
//!
//! Taken: generalised Büchi, Büchi and trivial acceptance (`Inf` sets joined by `&`, `t`), on
//! states or transitions, explicit and state labels, aliases, several start states. What is not
//! taken (co-Büchi, Rabin, alternation) is refused by name, never read as something else.
//!
//! *Entry point:* [`read`].

use crate::automaton::{Automaton, Cube, Transition};
use rustc_hash::FxHashMap;

/// An automaton and its propositions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Read {
    /// The automaton.
    pub automaton: Automaton,
    /// The text of each proposition.
    pub atoms: Vec<String>,
    /// The name in the file, where it gives one.
    pub name: Option<String>,
}

/// Why a text is not an automaton that can be used here.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    /// The line, counted from 1.
    pub line: usize,
    /// What is wrong.
    pub message: String,
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Token {
    Word(String),
    /// A word with a colon behind it.
    Header(String),
    Alias(String),
    Text(String),
    Number(u64),
    Sign(char),
    Body,
    End,
}

/// The most cubes that one label may come to.
const MOST_CUBES: usize = 4096;
/// The most states of one automaton.
const MOST_STATES: u64 = 1 << 20;

/// Reads the first automaton of `text`.
pub fn read(text: &str) -> Result<Read, Fault> {
    let tokens = tokens(text)?;
    let mut reader = Reader { tokens, at: 0, aliases: FxHashMap::default(), depth: 0 };
    reader.automaton()
}

fn tokens(text: &str) -> Result<Vec<(Token, usize)>, Fault> {
    let mut out = Vec::new();
    let chars: Vec<char> = text.chars().collect();
    let (mut at, mut line) = (0, 1);
    let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '-' || c == '.';
    while at < chars.len() {
        let c = chars[at];
        let start = at;
        at += 1;
        let token = match c {
            '\n' => {
                line += 1;
                continue;
            }
            c if c.is_whitespace() => continue,
            '/' if chars.get(at) == Some(&'*') => {
                while at < chars.len() && !(chars[at] == '*' && chars.get(at + 1) == Some(&'/')) {
                    line += usize::from(chars[at] == '\n');
                    at += 1;
                }
                at += 2;
                continue;
            }
            '"' => {
                let mut inside = String::new();
                loop {
                    match chars.get(at) {
                        None => return Err(Fault { line, message: "this string has no end".to_owned() }),
                        Some('"') => break,
                        Some('\\') => {
                            inside.extend(chars.get(at + 1));
                            at += 2;
                        }
                        Some(&c) => {
                            inside.push(c);
                            at += 1;
                        }
                    }
                }
                at += 1;
                Token::Text(inside)
            }
            '-' if chars[start..].starts_with(&['-', '-']) => {
                at = (start + 2..chars.len()).find(|&i| !is_word(chars[i])).unwrap_or(chars.len());
                match chars[start..at].iter().collect::<String>().as_str() {
                    "--BODY--" => Token::Body,
                    "--END--" => Token::End,
                    other => return Err(Fault { line, message: format!("`{other}` is not taken") }),
                }
            }
            c if c.is_ascii_digit() => {
                at = (start..chars.len()).find(|&i| !chars[i].is_ascii_digit()).unwrap_or(chars.len());
                let digits: String = chars[start..at].iter().collect();
                let number =
                    digits.parse().map_err(|_| Fault { line, message: format!("{digits} is too large") })?;
                Token::Number(number)
            }
            c if is_word(c) || c == '@' => {
                at = (start + 1..chars.len()).find(|&i| !is_word(chars[i])).unwrap_or(chars.len());
                let name: String = chars[start..at].iter().collect();
                if c == '@' {
                    Token::Alias(name)
                } else if chars.get(at) == Some(&':') {
                    at += 1;
                    Token::Header(name)
                } else {
                    Token::Word(name)
                }
            }
            c => Token::Sign(c),
        };
        out.push((token, line));
    }
    Ok(out)
}

struct Reader {
    tokens: Vec<(Token, usize)>,
    at: usize,
    aliases: FxHashMap<String, Vec<Cube>>,
    depth: usize,
}

impl Reader {
    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.at).map(|(t, _)| t)
    }

    fn fault<T>(&self, message: impl Into<String>) -> Result<T, Fault> {
        let line = self.tokens.get(self.at).or(self.tokens.last()).map_or(1, |(_, line)| *line);
        Err(Fault { line, message: message.into() })
    }

    fn sign(&mut self, sign: char) -> bool {
        let there = self.peek() == Some(&Token::Sign(sign));
        self.at += usize::from(there);
        there
    }

    fn number(&mut self) -> Option<u64> {
        let Some(&Token::Number(n)) = self.peek() else { return None };
        self.at += 1;
        Some(n)
    }

    fn automaton(&mut self) -> Result<Read, Fault> {
        let (mut starts, mut atoms, mut name, mut sets) = (Vec::new(), Vec::new(), None, None);
        loop {
            let Some(token) = self.peek().cloned() else { return self.fault("there is no `--BODY--`") };
            self.at += 1;
            match token {
                Token::Body => break,
                Token::Header(header) => match header.as_str() {
                    "Start" => {
                        let Some(start) = self.number().filter(|n| *n < MOST_STATES) else {
                            return self.fault("`Start:` wants the number of a state");
                        };
                        if self.peek() == Some(&Token::Sign('&')) {
                            return self.fault("alternating automata are not taken");
                        }
                        starts.push(start);
                    }
                    "AP" => {
                        self.number();
                        while let Some(Token::Text(text)) = self.peek() {
                            atoms.push(text.clone());
                            self.at += 1;
                        }
                        if atoms.len() > 64 {
                            return self.fault("more than 64 propositions");
                        }
                    }
                    "Alias" => {
                        let Some(Token::Alias(alias)) = self.peek().cloned() else {
                            return self.fault("`Alias:` wants a name that begins with @");
                        };
                        self.at += 1;
                        let cubes = self.label()?;
                        self.aliases.insert(alias, cubes);
                    }
                    "Acceptance" => sets = Some(self.acceptance()?),
                    "name" => {
                        if let Some(Token::Text(text)) = self.peek() {
                            name = Some(text.clone());
                        }
                    }
                    _ => {}
                },
                // The values of headers that say nothing of the language.
                _ => {}
            }
        }
        let Some(sets) = sets else { return self.fault("there is no `Acceptance:`") };
        let states = self.body(sets)?;
        Ok(Read { automaton: with_start(states, &starts, sets), atoms, name })
    }

    /// The number of sets; only `t` and conjunctions of `Inf(i)` over all of them are taken.
    fn acceptance(&mut self) -> Result<u32, Fault> {
        let Some(count) = self.number() else { return self.fault("`Acceptance:` wants a number of sets") };
        let mut seen = 0u64;
        while !matches!(self.peek(), None | Some(Token::Header(_) | Token::Body)) {
            let Some(token) = self.peek().cloned() else { break };
            self.at += 1;
            match token {
                Token::Word(word) if word == "Inf" => {
                    let ok = self.sign('(');
                    let negated = self.peek() == Some(&Token::Sign('!'));
                    match self.number() {
                        Some(set) if ok && !negated && set < count && count <= 64 => seen |= 1 << set,
                        _ => return self.fault("only `Inf` of at most 64 sets is taken"),
                    }
                    self.sign(')');
                }
                Token::Word(word) if word == "t" => {}
                Token::Sign('&' | '(' | ')') => {}
                _ => return self.fault("only Büchi and generalised Büchi acceptance is taken"),
            }
        }
        if u64::from(seen.count_ones()) != count {
            return self.fault("every acceptance set must stand in the condition");
        }
        Ok(count as u32)
    }

    fn body(&mut self, sets: u32) -> Result<Vec<Vec<Transition>>, Fault> {
        let mut states: Vec<Vec<Transition>> = Vec::new();
        loop {
            match self.peek() {
                Some(Token::End) => return Ok(states),
                Some(Token::Header(h)) if h == "State" => self.at += 1,
                _ => return self.fault("expected `State:` or `--END--`"),
            }
            let common = if self.peek() == Some(&Token::Sign('[')) { Some(self.brackets()?) } else { None };
            let Some(from) = self.number().filter(|n| *n < MOST_STATES) else {
                return self.fault("`State:` wants a number");
            };
            if let Some(Token::Text(_)) = self.peek() {
                self.at += 1;
            }
            let state_marks = self.marks(sets)?;
            grow(&mut states, from);
            while matches!(self.peek(), Some(Token::Sign('[') | Token::Number(_))) {
                let label =
                    if self.peek() == Some(&Token::Sign('[')) { Some(self.brackets()?) } else { None };
                let Some(cubes) = label.or_else(|| common.clone()) else {
                    return self.fault("implicit labels are not taken");
                };
                let Some(to) = self.number().filter(|n| *n < MOST_STATES) else {
                    return self.fault("a transition wants the number of a state");
                };
                if self.peek() == Some(&Token::Sign('&')) {
                    return self.fault("alternating automata are not taken");
                }
                let marks = state_marks | self.marks(sets)?;
                grow(&mut states, to);
                states[from as usize].extend(cubes.iter().map(|&label| Transition {
                    label,
                    to: to as u32,
                    marks,
                }));
            }
        }
    }

    fn marks(&mut self, sets: u32) -> Result<u64, Fault> {
        let mut marks = 0;
        if self.sign('{') {
            while let Some(set) = self.number() {
                if set >= u64::from(sets) {
                    return self.fault("there is no such acceptance set");
                }
                marks |= 1 << set;
            }
            if !self.sign('}') {
                return self.fault("expected `}`");
            }
        }
        Ok(marks)
    }

    fn brackets(&mut self) -> Result<Vec<Cube>, Fault> {
        self.sign('[');
        let cubes = self.label()?;
        if self.sign(']') { Ok(cubes) } else { self.fault("expected `]`") }
    }

    fn label(&mut self) -> Result<Vec<Cube>, Fault> {
        let mut all = self.conjunction()?;
        while self.sign('|') {
            all.extend(self.conjunction()?);
            if all.len() > MOST_CUBES {
                return self.fault("this label is too large");
            }
        }
        Ok(all)
    }

    fn conjunction(&mut self) -> Result<Vec<Cube>, Fault> {
        let mut all = self.literal()?;
        while self.sign('&') {
            all = meet(&all, &self.literal()?);
            if all.len() > MOST_CUBES {
                return self.fault("this label is too large");
            }
        }
        Ok(all)
    }

    fn literal(&mut self) -> Result<Vec<Cube>, Fault> {
        self.depth += 1;
        if self.depth > 500 {
            return self.fault("this label nests too deeply");
        }
        let Some(token) = self.peek().cloned() else { return self.fault("expected a label") };
        self.at += 1;
        let cubes = match token {
            Token::Sign('!') => {
                let cubes = self.literal()?;
                match complement(&cubes) {
                    Some(cubes) => cubes,
                    None => return self.fault("this label is too large"),
                }
            }
            Token::Sign('(') => {
                let cubes = self.label()?;
                if !self.sign(')') {
                    return self.fault("expected `)`");
                }
                cubes
            }
            Token::Number(atom) if atom < 64 => vec![Cube { must: 1 << atom, must_not: 0 }],
            Token::Word(word) if word == "t" => vec![Cube::TRUE],
            Token::Word(word) if word == "f" => Vec::new(),
            Token::Alias(alias) => match self.aliases.get(&alias) {
                Some(cubes) => cubes.clone(),
                None => return self.fault(format!("there is no alias `{alias}`")),
            },
            _ => return self.fault("expected a proposition, `t`, `f`, `!` or `(`"),
        };
        self.depth -= 1;
        Ok(cubes)
    }
}

fn meet(a: &[Cube], b: &[Cube]) -> Vec<Cube> {
    a.iter().flat_map(|x| b.iter().filter_map(|y| x.and(*y))).collect()
}

/// The negation of a disjunction of cubes; none where it grows too large.
fn complement(cubes: &[Cube]) -> Option<Vec<Cube>> {
    let mut all = vec![Cube::TRUE];
    for cube in cubes {
        let bits = |mask: u64| (0..64).map(|i| 1u64 << i).filter(move |bit| mask & bit != 0);
        let against: Vec<Cube> = (bits(cube.must).map(|bit| Cube { must: 0, must_not: bit }))
            .chain(bits(cube.must_not).map(|bit| Cube { must: bit, must_not: 0 }))
            .collect();
        all = meet(&all, &against);
        if all.len() > MOST_CUBES {
            return None;
        }
    }
    Some(all)
}

fn grow(states: &mut Vec<Vec<Transition>>, state: u64) {
    if states.len() <= state as usize {
        states.resize(state as usize + 1, Vec::new());
    }
}

/// Joins several start states into one that has the transitions of all.
fn with_start(mut states: Vec<Vec<Transition>>, starts: &[u64], sets: u32) -> Automaton {
    starts.iter().for_each(|&start| grow(&mut states, start));
    match starts {
        [] => Automaton::empty(),
        [one] => Automaton { initial: *one as u32, states, sets },
        several => {
            let out = several.iter().flat_map(|&s| states[s as usize].clone()).collect();
            states.push(out);
            Automaton { initial: states.len() as u32 - 1, states, sets }
        }
    }
}
