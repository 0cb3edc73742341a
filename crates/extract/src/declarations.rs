//! The declarations that extracted processes need around them: the program's variables, its
//! enumeration constants by their names, and the channel by which threads are joined.
//!
//! *Entry points:* [`wrapper`] for a whole wrapper, [`missing`] for declarations that one omits.
//! *Invariant:* only names that the processes use are declared, because a statement is left out
//! exactly only if the model has no object that it changes.

use std::fmt::Write;

use axle_source::{Diagnostic, Diagnostics};
use rustc_hash::FxHashSet;

use crate::generate::ended;
use crate::keep;
use crate::label::{declared_in, names_in};
use crate::syntax::{Decl, Declared, Init};
use crate::table::Table;
use crate::{Extraction, Form, Program};

/// The wrapper of a model that has no other environment: declarations, and the processes.
/// `properties`: other text that names variables, such as formulas. Variables that cannot be declared
/// go to `diagnostics`.
pub fn wrapper(
    program: &Program,
    tables: &[&Table],
    processes: &[&Extraction],
    properties: &str,
    diagnostics: &mut Diagnostics,
) -> String {
    let mut used = FxHashSet::default();
    processes.iter().for_each(|process| names_in(&process.text, &mut used));
    names_in(properties, &mut used);
    let mut writer = Writer { program, tables, records: Vec::new(), text: String::new(), used, diagnostics };
    let mut done: FxHashSet<&str> = FxHashSet::default();
    for decl in &program.unit.globals {
        if decl.storage.iter().any(|word| &**word == "extern") {
            continue;
        }
        for one in &decl.declared {
            let is_used = writer.used.contains(&program.names.model_name(&one.name));
            // Of tentative definitions, the one with a value counts.
            let again = program.unit.globals.iter().flat_map(|decl| &decl.declared);
            let has_value = |other: &Declared| other.name == one.name && other.init.is_some();
            if is_used && (one.init.is_some() || !again.into_iter().any(has_value)) && done.insert(&one.name)
            {
                writer.variable(decl, one);
            }
        }
    }
    let variables = std::mem::take(&mut writer.text);
    let mut text = String::new();
    names_in(&variables, &mut writer.used);
    for (name, value) in constants(program, &writer.used) {
        writeln!(text, "#define {name} {value}").expect("a string takes all text");
    }
    text.push_str(&variables);
    if let Some(channel) = channel(program, processes) {
        text.push_str(&channel);
    }
    for process in processes.iter().filter(|process| process.form != Form::Body) {
        writeln!(text, "#include \"{}.spn\"", process.function).expect("a string takes all text");
    }
    text
}

/// Declarations that processes need and a wrapper lacks. `around` is the wrapper without macros and with
/// the files that it includes; macros are guarded. The channel is for places outside of processes.
#[must_use]
pub fn missing(program: &Program, processes: &[&Extraction], around: &str, outside: bool) -> String {
    let mut used = FxHashSet::default();
    processes.iter().for_each(|process| names_in(&process.text, &mut used));
    let declared: FxHashSet<String> =
        declared_in(around).into_iter().map(|(name, _)| name).chain(symbols(around)).collect();
    used.retain(|name| !declared.contains(name));
    let mut text = String::new();
    for (name, value) in constants(program, &used) {
        text.push_str(&format!("#ifndef {name}\n#define {name} {value}\n#endif\n"));
    }
    if outside
        && !declared.contains(&ended(&program.names))
        && let Some(channel) = channel(program, processes)
    {
        let name = ended(&program.names).to_uppercase();
        text.push_str(&format!("#ifndef {name}\n#define {name}\n{channel}#endif\n"));
    }
    text
}

/// The enumeration constants among names of the model, with their values, in order of definition.
fn constants<'p>(
    program: &'p Program,
    used: &'p FxHashSet<String>,
) -> impl Iterator<Item = (String, i64)> + 'p {
    let all = program.unit.tags.constants.iter();
    let mut seen = FxHashSet::default();
    all.filter_map(move |(name, value)| {
        let model = program.names.model_name(name);
        (used.contains(&model) && seen.insert(model.clone())).then_some((model, (*value)?))
    })
}

/// The declaration of the channel by which threads are joined, where a process uses it.
fn channel(program: &Program, processes: &[&Extraction]) -> Option<String> {
    let name = ended(&program.names);
    let mut used = FxHashSet::default();
    processes.iter().for_each(|process| names_in(&process.text, &mut used));
    used.contains(&name).then(|| format!("chan {name} = [0] of {{ byte }};\n"))
}

/// The symbolic names that a text of the model declares: `mtype = { a, b }`.
fn symbols(text: &str) -> Vec<String> {
    let (mut found, mut rest) = (Vec::new(), text);
    while let Some(at) = rest.find("mtype") {
        rest = &rest[at + "mtype".len()..];
        let Some((head, tail)) = rest.split_once('{') else { break };
        if head.contains([';', '}', '(']) {
            continue;
        }
        let list = tail.split('}').next().unwrap_or_default();
        found.extend(list.split(',').map(|name| name.trim().to_string()));
    }
    found
}

struct Writer<'a> {
    program: &'a Program,
    tables: &'a [&'a Table],
    /// Structure types that are declared, by their keys, and their names in the model.
    records: Vec<(String, String)>,
    text: String,
    used: FxHashSet<String>,
    diagnostics: &'a mut Diagnostics,
}

impl Writer<'_> {
    fn line(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }

    /// The type of the model for a type of C; structure types are declared.
    fn type_of(&mut self, base: &str, depth: u32) -> Option<String> {
        if let Some(name) = self.tables.iter().find_map(|table| table.type_of(base)) {
            return Some(name.to_string());
        }
        let tags = &self.program.unit.tags;
        let resolved = tags.resolve(base);
        if let Some((key, members)) = tags.record_entry(base).filter(|_| depth < 20) {
            if let Some((_, name)) = self.records.iter().find(|(known, _)| known == key) {
                return Some(name.clone());
            }
            let tag = match key.strip_prefix("struct ") {
                Some(tag) => tag.to_string(),
                None => base.to_string(),
            };
            let name = self.program.names.free(format!("struct_{tag}"));
            let mut fields = Vec::new();
            for member in members {
                for one in &member.declared {
                    let declarator = self.declarator(one);
                    let field = self.program.names.model_name(&one.name);
                    if let (Some(declarator), true) = (declarator, self.used.contains(&field))
                        && let Some(ty) = self.type_of(&member.base, depth + 1)
                    {
                        fields.push(format!("{ty} {declarator}"));
                    }
                }
            }
            if fields.is_empty() {
                return None;
            }
            self.line(&format!("typedef {name} {{ {} }};", fields.join("; ")));
            self.records.push((key.to_string(), name.clone()));
            return Some(name);
        }
        let (name, ..) = keep::promela_type(resolved);
        let known = matches!(&*name, "bool" | "byte" | "short" | "int");
        known.then_some(name)
    }

    /// The declarator of an object or a member; none of pointers, and of arrays of arrays.
    fn declarator(&self, one: &Declared) -> Option<String> {
        let text = &one.text;
        let is_plain = !text.contains(['*', '(']) && text.matches('[').count() <= 1;
        is_plain.then(|| self.program.names.rename(text, |_| false))
    }

    fn variable(&mut self, decl: &Decl, one: &Declared) {
        let parts = (self.declarator(one), self.type_of(&decl.base, 0));
        let (Some(declarator), Some(ty)) = parts else {
            return self.refuse(one, "the type has no equal in Promela");
        };
        let value = match &one.init {
            None => None,
            Some(Init::List(list)) if keep::is_zero(list) => None,
            Some(Init::Value(value)) => match keep::as_value(value) {
                Ok(text) => Some(self.program.names.rename(&text, |_| false)),
                Err(why) => return self.refuse(one, &why),
            },
            Some(Init::List(list)) => {
                let inner = list.trim_matches(['{', '}']);
                let values = inner.trim_end_matches(',').split(',').count().to_string();
                let is_plain =
                    !inner.contains(['{', '.', '"', '&', '(']) && one.text.ends_with(&format!("[{values}]"));
                if !is_plain {
                    return self.refuse(one, "its initial values have no equal in Promela");
                }
                Some(format!("{{ {} }}", inner.trim_end_matches(',')))
            }
        };
        match value {
            Some(value) => self.line(&format!("{ty} {declarator} = {value};")),
            None => self.line(&format!("{ty} {declarator};")),
        }
    }

    fn refuse(&mut self, one: &Declared, why: &str) {
        let message = format!("`{}` cannot be declared in the model: {why}", one.name);
        let fault = Diagnostic::error("E0825", message).at(one.loc, "");
        self.diagnostics
            .push(fault.help("declare it in a wrapper (--wrapper), or map the statements that use it"));
    }
}
