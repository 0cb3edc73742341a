//! One line of a table: comment, heading, directive or row. Columns are separated by tabs, or by
//! two spaces and more; a row's third column may contain an assurance of the user.
//!
//! *Entry point:* [`LineReader::read`].

use std::sync::Arc;

use axle_source::{Diagnostic, Diagnostics, Dialect, FileId, Loc, Sources, TokenKind, nearest, tokenize};
use rustc_hash::FxHashSet;

use super::{
    GONE, Included, Label, Line, Mapping, NEW, Object, Outside, PROPOSAL, Restriction, Row, Scope,
    Substitute, Table, ValueMap, Values, library,
};
use crate::item::Class;
use crate::pattern;

/// The result of reading a line.
pub(super) enum Outcome {
    /// A line of the table.
    Line(Box<Line>),
    /// A heading: the lines below speak of this.
    Scope(Scope),
}

pub(super) struct LineReader<'a> {
    pub file: FileId,
    /// Offset of the line's first byte.
    pub start: u32,
    /// The number of the line, counted from 0.
    pub number: usize,
    pub text: &'a str,
    pub types: &'a FxHashSet<Arc<str>>,
}

const KEYWORDS: &[&str] =
    &["keep", "hide", "print", "comment", "skip", "true", "false", "else", "nondet", "havoc", "assume"];

impl LineReader<'_> {
    /// The place of a part of the line.
    fn loc(&self, part: &str) -> Loc {
        let from = (part.as_ptr() as usize).saturating_sub(self.text.as_ptr() as usize).min(self.text.len());
        let from = self.start + from as u32;
        super::place(self.file, from, from + part.len() as u32)
    }

    pub fn read(&self, scope: &Scope, table: &mut Table, diagnostics: &mut Diagnostics) -> Outcome {
        let line = self.text.trim();
        let other = || Outcome::Line(Box::new(Line::Other(self.text.to_string())));
        if let Some(rest) = self.text.strip_prefix(PROPOSAL) {
            return Outcome::Line(Box::new(Line::Proposal(rest.trim_start().to_string())));
        }
        if let Some(rest) = self.text.strip_prefix(GONE) {
            // Errors of a disabled row are not reported.
            let mut silent = Diagnostics::new();
            let rest = rest.trim_start();
            return Outcome::Line(Box::new(match self.scoped_row(rest, scope, &mut silent) {
                Ok(row) => Line::Gone(row, rest.to_string()),
                Err(_) => Line::Other(self.text.to_string()),
            }));
        }
        if line.is_empty() || line.starts_with('#') {
            return other();
        }
        if let Some(name) = line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            return Outcome::Scope(scope_named(name.trim()));
        }
        let word = line.split_whitespace().next().unwrap_or_default();
        let rest = line[word.len()..].trim();
        let directive = match word {
            "Substitute" => Some(self.substitute(rest, scope, table)),
            "Default" => Some(self.default(rest, scope, table)),
            "V:" => Some(self.restriction(rest, scope, table)),
            "Map" => Some(self.map(rest, scope, table)),
            "Include" => Some(self.include(rest, scope, table)),
            "Object" => Some(self.object(rest, scope, table)),
            "Type" => Some(self.type_name(rest, table)),
            _ => None,
        };
        match directive {
            Some(Ok(())) => other(),
            Some(Err(fault)) => {
                diagnostics.push(fault);
                other()
            }
            None => match self.scoped_row(line, scope, diagnostics) {
                Ok(row) => {
                    self.brackets(&row, diagnostics);
                    Outcome::Line(Box::new(Line::Row(row, self.text.to_string())))
                }
                Err(fault) => {
                    diagnostics.push(fault);
                    other()
                }
            },
        }
    }

    fn fault(&self, code: &'static str, message: impl Into<String>, part: &str) -> Diagnostic {
        Diagnostic::error(code, message).at(self.loc(part), "")
    }

    fn substitute(&self, rest: &str, scope: &Scope, table: &mut Table) -> Result<(), Diagnostic> {
        let (from, to) = match rest.split_once('\t') {
            Some(parts) => parts,
            None => rest.split_once(char::is_whitespace).unwrap_or((rest, "")),
        };
        let (from, to) = (from.trim(), without_comment(to));
        if from.is_empty() || to.is_empty() {
            let fault = self.fault("E0812", "`Substitute` takes a text and what replaces it", rest);
            return Err(fault.help("separate the two by a tab"));
        }
        table.substitutes.push(Substitute { from: from.into(), to: to.into(), scope: scope.clone() });
        Ok(())
    }

    /// `Include <threads>`.
    fn include(&self, rest: &str, scope: &Scope, table: &mut Table) -> Result<(), Diagnostic> {
        let name = without_comment(rest);
        let Some((name, included)) = library::named(name) else {
            let fault = self.fault("E0812", format!("there is no table `{name}` to include"), rest);
            return Err(fault.help(format!("there is {}", library::names().collect::<Vec<_>>().join(", "))));
        };
        table.included.push(Included { name, table: included, scope: scope.clone() });
        Ok(())
    }

    /// `Object b->lock lock`.
    fn object(&self, rest: &str, scope: &Scope, table: &mut Table) -> Result<(), Diagnostic> {
        let rest = without_comment(rest);
        let parts = rest.split_once('\t').or_else(|| rest.rsplit_once(char::is_whitespace));
        let Some((left, to)) =
            parts.map(|(left, to)| (left.trim(), to.trim())).filter(|(_, to)| !to.is_empty())
        else {
            let fault = self.fault("E0812", "`Object` takes an lvalue of C and its name in the model", rest);
            return Err(fault.help("for example `Object b->lock lock`; separate the two by a tab"));
        };
        let from = pattern::read_lvalue(left, self.types)
            .map_err(|why| self.fault("E0812", format!("`{left}` is not an lvalue of C: {why}"), left))?;
        let (left, to) = (left.into(), to.into());
        table.objects.push(Object { from, left, to, scope: scope.clone(), line: self.number });
        Ok(())
    }

    /// `Type pthread_mutex_t bool`.
    fn type_name(&self, rest: &str, table: &mut Table) -> Result<(), Diagnostic> {
        let parts = without_comment(rest).rsplit_once(char::is_whitespace);
        let Some((from, to)) = parts.map(|(from, to)| (from.trim(), to.trim())) else {
            let fault = self.fault("E0812", "`Type` takes a type of C and a type of the model", rest);
            return Err(fault.help("for example `Type sem_t int`"));
        };
        table.types.push((from.into(), to.into()));
        Ok(())
    }

    fn default(&self, rest: &str, scope: &Scope, table: &mut Table) -> Result<(), Diagnostic> {
        let (class, mapping) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
        let letter = class.trim_end_matches(':');
        let class = letter.chars().next().filter(|_| letter.len() == 1).and_then(Class::of_letter);
        let Some(class) = class else {
            let fault = self.fault("E0812", "`Default` takes a class: D, A, C, F, R or E", rest);
            return Err(fault.help("for example `Default A print`"));
        };
        let mapping = self.mapping(mapping.trim(), rest)?;
        table.defaults.push((class, mapping, scope.clone()));
        Ok(())
    }

    fn restriction(&self, rest: &str, scope: &Scope, table: &mut Table) -> Result<(), Diagnostic> {
        let (name, mapping) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
        let mapping = self.mapping(mapping.trim(), rest)?;
        if !matches!(mapping, Mapping::Keep | Mapping::Print | Mapping::Comment | Mapping::Hide) {
            let message = "a data object takes `keep`, `print`, `comment` or `hide`";
            return Err(self.fault("E0814", message, rest));
        }
        table.restrictions.push(Restriction { name: name.into(), mapping, scope: scope.clone() });
        Ok(())
    }

    /// `x as sign in -8..7: ..-1 -> neg, 0 -> zero, 1.. -> pos, else -> skip`.
    fn map(&self, rest: &str, scope: &Scope, table: &mut Table) -> Result<(), Diagnostic> {
        let form = "`Map` has the form `Map x as sign in -8..7: ..-1 -> neg, 0.. -> pos, else -> nondet`";
        let fault = || self.fault("E0812", form, rest);
        let (head, classes) = rest.split_once(':').ok_or_else(fault)?;
        let (names, domain) = head.split_once(" in ").ok_or_else(fault)?;
        let (name, model) = names.split_once(" as ").unwrap_or((names, names));
        let number = |text: &str| text.trim().parse::<i64>().map_err(|_| fault());
        let (low, high) = domain.split_once("..").ok_or_else(fault)?;
        let domain = (number(low)?, number(high)?);
        if domain.0 > domain.1 || domain.1.checked_sub(domain.0).is_none_or(|size| size > 65_535) {
            return Err(self.fault("E0812", "the domain of a `Map` has between 1 and 65,536 values", rest));
        }
        let mut read = Vec::new();
        let mut outside = Outside::default();
        for class in without_comment(classes).split(',') {
            let (values, class) = class.split_once("->").ok_or_else(fault)?;
            if values.trim() == "else" {
                outside = match class.trim() {
                    "skip" => Outside::Skip,
                    "nondet" => Outside::Nondet,
                    "error" => Outside::Error,
                    other => {
                        let message = format!("`{other}` is not a policy for results outside the domain");
                        let fault = self.fault("E0812", message, class.trim());
                        return Err(fault.help("use `else -> skip`, `else -> nondet` or `else -> error`"));
                    }
                };
                continue;
            }
            let (from, to) = match values.split_once("..") {
                None => (number(values)?, number(values)?),
                Some((from, to)) => {
                    let from = if from.trim().is_empty() { domain.0 } else { number(from)? };
                    (from, if to.trim().is_empty() { domain.1 } else { number(to)? })
                }
            };
            read.push((from, to, class.trim().to_string()));
        }
        read.sort_unstable();
        let mut next = Some(domain.0);
        for (from, to, _) in &read {
            if next != Some(*from) || to < from {
                break;
            }
            next = if *to == domain.1 { None } else { Some(to + 1) };
        }
        if next.is_some() || read.last().is_none_or(|last| last.1 != domain.1) {
            let fault =
                self.fault("E0812", "the classes must cover the domain without gaps and overlaps", rest);
            return Err(fault);
        }
        let loc = self.loc(rest);
        table.maps.push(ValueMap {
            name: name.trim().into(),
            model: model.trim().into(),
            domain,
            classes: read,
            outside,
            scope: scope.clone(),
            loc,
        });
        Ok(())
    }

    fn scoped_row(
        &self,
        line: &str,
        scope: &Scope,
        diagnostics: &mut Diagnostics,
    ) -> Result<Row, Diagnostic> {
        let own = line.strip_prefix('[').and_then(|rest| rest.split_once(']'));
        match own {
            Some((name, rest)) => self.row(rest.trim(), scope_named(name.trim()), diagnostics),
            None => self.row(line, scope.clone(), diagnostics),
        }
    }

    fn row(&self, line: &str, scope: Scope, diagnostics: &mut Diagnostics) -> Result<Row, Diagnostic> {
        let mut columns = columns(line);
        if columns.len() == 1 {
            columns = self.single_blank(without_comment(line))?;
        }
        let (left, right) = match columns[..] {
            [left, right, ..] => (left, right),
            _ => {
                let fault = self.fault("E0811", "the row has no mapping", line);
                return Err(fault.help("separate the statement from its mapping by a tab"));
            }
        };
        let third = columns.get(2..).unwrap_or_default().join(" ");
        let (class, text) = prefix(left);
        let mapping = self.mapping(without_comment(right), right)?;
        let mut marks = third.split('#').next().unwrap_or_default().split_whitespace().peekable();
        let mut vouched = marks.peek().map(|_| Label::EXACT);
        for mark in marks {
            let label = match mark {
                "exact" => Label::EXACT,
                "over" => Label::OVER,
                "under" => Label::UNDER,
                _ if mark.starts_with("/*") => {
                    vouched = None;
                    break;
                }
                _ => {
                    let fault = self.fault(
                        "E0812",
                        format!("`{mark}` is not a label: use `exact`, `over` or `under`"),
                        line,
                    );
                    return Err(fault.did_you_mean(mark, ["exact", "over", "under"]));
                }
            };
            vouched = vouched.map(|vouched| vouched.join(label));
        }
        let (pattern, doubt) = pattern::read(class, text, self.types)
            .map_err(|why| self.fault("E0812", format!("the statement is not C: {why}"), text))?;
        if let Some(doubt) = doubt {
            diagnostics.push(Diagnostic::warning("W0811", doubt).at(self.loc(text), ""));
        }
        Ok(Row {
            scope,
            class,
            left: text.into(),
            pattern,
            mapping,
            right: without_comment(right).into(),
            vouched,
            new: third.contains(NEW),
            loc: self.loc(line),
        })
    }

    /// The columns of a row that are separated by a single blank, where that blank is unambiguous:
    /// the text before it is a statement of C in full and the text behind it is a mapping. A
    /// predefined mapping goes before text of the model.
    fn single_blank<'t>(&self, line: &'t str) -> Result<Vec<&'t str>, Diagnostic> {
        let (class, text) = prefix(line);
        let blanks = text.char_indices().filter(|(_, c)| c.is_whitespace()).map(|(at, _)| at);
        let splits: Vec<(&str, &str)> = (blanks.map(|at| (text[..at].trim(), text[at..].trim())))
            .filter(|(left, right)| is_mapping(right) && pattern::is_statement(class, left, self.types))
            .collect();
        let word = |right: &str| KEYWORDS.contains(&right) || right == "timeout";
        let mut predefined = splits.iter().filter(|(_, right)| word(right));
        let split = match (predefined.next(), predefined.next(), &splits[..]) {
            (Some(split), None, _) => *split,
            (None, _, [split]) => *split,
            (None, _, []) => return Ok(vec![line]),
            _ => {
                let fault = self.fault("E0811", "the columns of the row are ambiguous", line);
                return Err(fault.help("separate the statement from its mapping by a tab"));
            }
        };
        // The class stays with the statement.
        let end = split.0.as_ptr() as usize + split.0.len() - line.as_ptr() as usize;
        Ok(vec![&line[..end], split.1])
    }

    fn mapping(&self, text: &str, part: &str) -> Result<Mapping, Diagnostic> {
        let word = text.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default();
        let rest = text[word.len()..].trim();
        // `keep` is a keyword; `keep = 1` and `skip; n++` are text of the model.
        let alone = rest.is_empty();
        Ok(match word {
            "keep" if alone => Mapping::Keep,
            "hide" if alone => Mapping::Hide,
            "print" if alone => Mapping::Print,
            "comment" if alone => Mapping::Comment,
            "skip" if alone => Mapping::Skip,
            "true" if alone => Mapping::True,
            "false" if alone => Mapping::False,
            "else" if alone => Mapping::Else,
            "nondet" if alone => Mapping::Nondet,
            "assume" if !alone && !rest.starts_with(['=', ';', '!', '?', '+', '-', '[', '.']) => {
                Mapping::Assume(rest.into())
            }
            "havoc" if alone => Mapping::Havoc(None, Values::Bits),
            "havoc" if !rest.starts_with(['=', ';', '!', '?', '+', '-', '[']) => {
                self.havoc(rest).ok_or_else(|| {
                    let form =
                        "`havoc` has the forms `havoc`, `havoc 0..3`, `havoc {1,2}`, `havoc x in 0..3`";
                    self.fault("E0812", form, part)
                })?
            }
            _ if text.is_empty() => return Err(self.fault("E0811", "the row has no mapping", part)),
            _ => {
                // A single word that resembles a keyword is a typing error.
                let single = alone && text.chars().all(char::is_alphabetic);
                if single && let Some(near) = nearest(word, KEYWORDS.iter().copied()) {
                    let fault = self.fault("E0812", format!("unknown mapping `{word}`"), part);
                    return Err(fault.help(format!("did you mean `{near}`?")));
                }
                Mapping::Text(text.into())
            }
        })
    }

    fn havoc(&self, rest: &str) -> Option<Mapping> {
        let values = |text: &str| {
            let text = text.trim();
            if let Some(list) = text.strip_prefix('{') {
                let list = list.strip_suffix('}')?.split(',').map(|value| value.trim().to_string());
                let list: Vec<String> = list.collect();
                return (!list.iter().any(String::is_empty)).then_some(Values::List(list));
            }
            let (low, high) = text.split_once("..")?;
            let (low, high) = (low.trim().to_string(), high.trim().to_string());
            (!low.is_empty() && !high.is_empty()).then_some(Values::Range(low, high))
        };
        if let Some(text) = rest.strip_prefix("in ") {
            return Some(Mapping::Havoc(None, values(text)?));
        }
        if let Some((object, text)) = rest.split_once(" in ") {
            return Some(Mapping::Havoc(Some(object.trim().into()), values(text)?));
        }
        if let Some((object, _)) = rest.split_once('{').filter(|(object, _)| !object.trim().is_empty()) {
            return Some(Mapping::Havoc(Some(object.trim().into()), values(&rest[object.len()..])?));
        }
        values(rest).map(|values| Mapping::Havoc(None, values))
    }

    /// Reports unbalanced brackets in a mapping, which would extend into the rest of the model.
    fn brackets(&self, row: &Row, diagnostics: &mut Diagnostics) {
        if !matches!(row.mapping, Mapping::Text(_) | Mapping::Assume(_) | Mapping::Havoc(..)) {
            return;
        }
        let (mut own, mut faults) = (Sources::new(), Diagnostics::new());
        let scratch = own.add("mapping", &row.right);
        let tokens = tokenize(scratch, Dialect::Promela, &own, &mut faults);
        let mut open = Vec::new();
        let mut wrong = faults.iter().next().map(|fault| fault.message.clone());
        for token in &tokens {
            let word = if token.kind == TokenKind::Punct { token.punct() } else { "" };
            match word {
                "(" => open.push(")"),
                "[" => open.push("]"),
                "{" => open.push("}"),
                ")" | "]" | "}" if open.pop() != Some(word) => {
                    wrong.get_or_insert(format!("unmatched `{word}`"));
                }
                _ => {}
            }
        }
        if let Some(close) = open.last() {
            wrong.get_or_insert(format!("missing `{close}`"));
        }
        if let Some(wrong) = wrong {
            let message = format!("the mapping is not Promela: {wrong}");
            diagnostics.push(Diagnostic::error("E0815", message).at(row.loc, ""));
        }
    }
}

/// Whether a text can be a mapping: a predefined one, or a statement of the model.
fn is_mapping(text: &str) -> bool {
    let word = text.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default();
    let rest = text[word.len()..].trim_start();
    let continues = text.starts_with(|c: char| "=<>+-*/%&|^?:.,)]};".contains(c));
    // Two words in a row are a statement only after a keyword of Promela or of the table.
    let two = rest.starts_with(|c: char| c.is_alphanumeric() || c == '_');
    let leads = matches!(word, "assume" | "havoc" | "goto" | "run" | "if" | "do" | "atomic" | "d_step");
    !text.is_empty() && !continues && (!two || leads)
}

fn scope_named(name: &str) -> Scope {
    match name {
        "*" | "" => Scope::All,
        _ if name.contains('.') => Scope::File(name.into()),
        _ => Scope::Function(name.into()),
    }
}

/// The parts between tabs; without tabs, between two spaces and more.
fn columns(line: &str) -> Vec<&str> {
    let parts = if line.contains('\t') { line.split('\t') } else { return spaced(line) };
    parts.map(str::trim).filter(|part| !part.is_empty()).collect()
}

fn spaced(line: &str) -> Vec<&str> {
    let line = without_comment(line);
    let Some(at) = line.find("  ") else { return vec![line] };
    let (left, rest) = (&line[..at], line[at..].trim());
    if left.is_empty() || rest.is_empty() {
        return vec![line];
    }
    // A third column is one only when it can be nothing else.
    let mut columns = vec![left];
    let third = rest.rfind("  ").map(|at| (rest[..at].trim(), rest[at..].trim()));
    match third {
        Some((right, third)) if third.starts_with('#') || is_label(third) => columns.extend([right, third]),
        _ => columns.push(rest),
    }
    columns
}

fn is_label(text: &str) -> bool {
    let words = text.split('#').next().unwrap_or_default().split_whitespace();
    text.split_whitespace().next().is_some()
        && words.into_iter().all(|w| matches!(w, "exact" | "over" | "under"))
}

/// The class before the colon, and the rest.
fn prefix(left: &str) -> (Option<Class>, &str) {
    let mut chars = left.chars();
    let class = chars.next().and_then(Class::of_letter);
    let rest = chars.as_str().trim_start();
    match (class, rest.strip_prefix(':')) {
        (Some(class), Some(text)) => (Some(class), text.trim()),
        _ => (None, left),
    }
}

/// A mapping without the comments behind it.
fn without_comment(text: &str) -> &str {
    let mut text = text.trim();
    while text.ends_with("*/") {
        let Some(at) = text.rfind("/*") else { break };
        text = text[..at].trim();
    }
    text
}
