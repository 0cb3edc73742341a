//! Boolean programs as text, in Promela.
//!
//! *Entry point:* [`BooleanProgram::promela`].
//! *Invariant:* the assignments of an option, in their order, have the effect of simultaneous ones.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use crate::boolean_program::{BooleanCommand, BooleanOption, BooleanProgram, Form, value_text};

/// A conjunction in Promela.
pub(crate) fn all(parts: impl Iterator<Item = String>) -> String {
    let parts: Vec<String> = parts.collect();
    match &parts[..] {
        [] => "true".to_owned(),
        [one] => one.clone(),
        _ => parts.join(" && "),
    }
}

/// The most operands of a disjunction before it is divided: the height of expressions is bounded.
const MOST_OPERANDS: usize = 64;

/// A disjunction in Promela, with parentheses.
pub(crate) fn any(parts: impl IntoIterator<Item = String>) -> String {
    let mut parts: Vec<String> = parts.into_iter().collect();
    parts.dedup();
    if parts.len() > MOST_OPERANDS {
        let groups: Vec<String> = parts.chunks(MOST_OPERANDS).map(|part| any(part.to_vec())).collect();
        return any(groups);
    }
    match &parts[..] {
        [] => "false".to_owned(),
        [one] => one.clone(),
        _ if parts.iter().any(|part| part == "true") => "true".to_owned(),
        _ => format!("({})", parts.join(" || ")),
    }
}

/// Names of the processes and texts of the statements of a program.
pub trait Labels {
    /// The name of a process, for the comment.
    fn process(&self, process: u32) -> String;
    /// The statement of a group, with its place.
    fn statement(&self, group: u32) -> String;
    /// The bad condition at a position.
    fn bad(&self, bad: usize) -> String;
}

impl BooleanProgram {
    /// The program in Promela.
    #[must_use]
    pub fn promela(&self, heading: &str, labels: &dyn Labels) -> String {
        let safe = |text: &str| text.replace("*/", "* /").replace("/*", "/ *").replace('\n', " ");
        let mut out = String::new();
        let mut line = |text: String| writeln!(out, "{text}").expect("a string accepts all text");
        line(format!("/* {} */", safe(heading)));
        for bad in &self.omitted {
            line(format!(
                "/* Not computed, since it depends on too many values, and so possible in every state: {} */",
                safe(&labels.bad(*bad))
            ));
        }
        for variable in &self.variables {
            let is_signed = match variable.form {
                Form::Constant | Form::Expression => continue,
                Form::Stored => false,
                Form::Kept(is_signed) => is_signed,
            };
            let ty = match variable.bits {
                1 => "bool",
                2..=8 => "byte",
                9..=15 => "short",
                16 if is_signed => "short",
                _ => "int",
            };
            let meaning = safe(&variable.meaning);
            let initial = value_text(variable.initial, variable.bits, is_signed);
            line(format!("{ty} {} = {initial}; /* {meaning} */", variable.name));
        }
        if !self.abstracted.is_empty() {
            line(format!(
                "/* Data of processes that are not abstracted, known by predicates: {} */",
                safe(&self.abstracted.join(", "))
            ));
        }
        let mut of_processes: BTreeMap<u32, Vec<&BooleanCommand>> = BTreeMap::new();
        for command in &self.commands {
            of_processes.entry(command.process).or_default().push(command);
        }
        for (process, commands) in of_processes {
            let kind = if self.concrete.contains(&process) { ", not abstracted" } else { "" };
            line(format!(
                "active proctype process_{process}() /* {}{kind} */",
                safe(&labels.process(process))
            ));
            let mut most = 0;
            let mut options = Vec::new();
            for command in commands {
                options.push(format!("\t/* {} */", safe(&labels.statement(command.group))));
                for option in &command.options {
                    let (statements, copies) = self.assignments(command, option);
                    most = most.max(copies);
                    let guard = all(command.exact.iter().chain([&option.guard]).cloned());
                    let steps: Vec<String> = [guard].into_iter().chain(statements).collect();
                    options.push(format!("\t:: d_step {{ {} }}", steps.join("; ")));
                }
            }
            line("{".to_owned());
            (0..most).for_each(|number| line(format!("\tint old_{number};")));
            line("end:\tdo".to_owned());
            options.into_iter().for_each(&mut line);
            line("\tod\n}".to_owned());
        }
        if self.commands.is_empty() && self.bads.is_empty() {
            line("init { skip } /* no step is executable */".to_owned());
        }
        if !self.bads.is_empty() {
            line("active proctype errors()\n{\nend:\tdo".to_owned());
            for (bad, guard) in &self.bads {
                line(format!("\t:: {guard} -> assert(false) /* {} */", safe(&labels.bad(*bad))));
            }
            line("\tod\n}".to_owned());
        }
        out
    }

    /// The assignments of an option one after the other, and the number of copies that they need.
    fn assignments(&self, command: &BooleanCommand, option: &BooleanOption) -> (Vec<String>, usize) {
        let none = BTreeSet::new;
        let computed = (command.computed.iter())
            .map(|one| (one.of, one.value.clone(), one.reads.iter().copied().collect::<BTreeSet<_>>()));
        let numbers = option.assignments.iter().map(|(of, value)| {
            let variable = &self.variables[*of];
            let is_signed = variable.form == Form::Kept(true);
            (*of, value_text(*value, variable.bits, is_signed), none())
        });
        let mut rest: Vec<_> = computed.chain(numbers).collect();
        let (mut statements, mut copies) = (Vec::new(), 0);
        while !rest.is_empty() {
            // A variable that another value reads is assigned after it.
            let is_free = |at: &usize| {
                let others = rest.iter().enumerate().filter(|(other, _)| other != at);
                !others.into_iter().any(|(_, (.., reads))| reads.contains(&rest[*at].0))
            };
            if let Some(at) = (0..rest.len()).find(is_free) {
                let (of, value, _) = rest.remove(at);
                statements.push(format!("{} = {value}", self.variables[of].name));
                continue;
            }
            let at = rest.iter().position(|(.., reads)| !reads.is_empty()).expect("a cycle of reads");
            statements.push(format!("old_{copies} = {}", rest[at].1));
            (rest[at].1, rest[at].2) = (format!("old_{copies}"), none());
            copies += 1;
        }
        statements.extend((0..copies).map(|number| format!("old_{number} = 0")));
        (statements, copies)
    }
}
