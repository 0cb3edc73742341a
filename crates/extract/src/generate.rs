//! A function and its table to the text of a process. The control flow of C becomes `if`, `do` and
//! `goto`; its statements are mapped by the table (Holzmann, *Software Model Checking*,
//! section 6.5). A way that is `false` is left out, and a choice with one way left is none.
//!
//! *Entry point:* `generate`.
//! *Invariant:* Every statement of the text knows the statement of C and the row that it comes
//! from.

mod control;
mod step;

use std::sync::Arc;

use axle_source::{Diagnostic, Diagnostics, Loc, Sources};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::item::{Item, falls_through};
use crate::keep::{self, Kept, Spelling};
use crate::lookup::{Found, Present, Reason, lookup};
use crate::names::Names;
use crate::node::{self, Hidden, Node, Printed};
use crate::objects::Objects;
use crate::pattern::{Bindings, fill};
use crate::read::Unit;
use crate::syntax::Function;
use crate::table::{Mapping, Table, ValueMap};

/// How the process is wrapped.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Form {
    /// `active proctype`: AX's `-a`.
    Active,
    /// `proctype`, with parameters: AX's `-p`.
    Proctype,
    /// `proctype` of a thread: it stays at its end until it is joined.
    Thread,
    /// The body alone, for a wrapper that includes it: AX's `-n`.
    Body,
}

/// A statement of the model, and its origin.
#[derive(Clone, Debug)]
pub struct Use {
    /// The statement of C, as the table has it.
    pub item: Item,
    /// Where it stands.
    pub loc: Loc,
    /// Its mapping by the table.
    pub found: Found,
    /// Of a condition: the mapping of its negation.
    pub opposite: Option<Mapping>,
    /// A `Substitute` rule changed the kept text.
    pub changed: bool,
    /// The effect on values of keeping it.
    pub kept: Option<(crate::table::Label, &'static str)>,
    /// The lines of the `Object` directives that name objects in it, counted from 0.
    pub objects: Vec<usize>,
}

/// The inputs of generation.
pub(crate) struct Context<'a> {
    pub function: &'a Function,
    pub file: &'a str,
    pub table: &'a Table,
    pub present: &'a Present,
    pub types: &'a FxHashSet<Arc<str>>,
    pub names: &'a Names,
    pub unit: &'a Unit,
    pub objects: &'a Objects<'a>,
    pub sources: &'a Sources,
}

/// A process as text.
pub(crate) struct Generated {
    pub text: String,
    /// Line of the text, counted from 1, and index into `uses`.
    pub map: Vec<(u32, usize)>,
    /// Statements without a line; their numbers are indices into `uses`.
    pub hidden: Vec<Hidden>,
    pub uses: Vec<Use>,
}

/// Where `break` and `continue` lead.
#[derive(Clone, Debug)]
struct Around {
    /// A label behind a `switch`; none in a loop, where Promela's `break` does it.
    break_to: Option<String>,
    continue_to: Option<String>,
}

struct Generator<'a> {
    context: &'a Context<'a>,
    diagnostics: &'a mut Diagnostics,
    uses: Vec<Use>,
    around: Vec<Around>,
    /// Labels that something jumps to.
    wanted: FxHashSet<String>,
    labels: u32,
    /// Declarations that are moved to the start from all blocks.
    hoisted: Vec<(String, Option<usize>, String)>,
    /// The declaration of each declared name.
    declared: FxHashMap<Arc<str>, String>,
    /// Names of the blocks that are open.
    open: Vec<Vec<Arc<str>>>,
    /// Something was put into the process that runs.
    begun: bool,
}

/// Makes the text of a process. None when the table cannot be followed, which is reported.
pub(crate) fn generate(
    context: &Context<'_>,
    form: Form,
    diagnostics: &mut Diagnostics,
) -> Option<Generated> {
    let before = diagnostics.error_count();
    let mut generator = Generator {
        context,
        diagnostics,
        uses: Vec::new(),
        around: Vec::new(),
        wanted: FxHashSet::default(),
        labels: 0,
        hoisted: Vec::new(),
        declared: FxHashMap::default(),
        open: vec![Vec::new()],
        begun: false,
    };
    let function = context.function;
    let parameters = match form {
        Form::Proctype | Form::Thread => generator.parameters(),
        Form::Active | Form::Body => String::new(),
    };
    let mut nodes = generator.list(&function.body, true);
    if falls_through(&function.body) {
        nodes.extend(generator.returned(None, function.end, true));
    }
    let end = generator.return_label();
    if generator.wanted.contains(&end) {
        nodes.push(Node::Label(end));
    }
    nodes.retain(|node| !matches!(node, Node::Label(name) if !generator.wanted.contains(name)));
    if form == Form::Thread {
        nodes.push(Node::Label(context.names.free(format!("end_{}", function.name))));
        nodes.push(Node::Step(format!("{}!_pid", ended(context.names)), None, "joined".into()));
    }
    let mut out = Printed::new();
    let table = &context.table.name;
    let process = context.names.model_name(&function.name);
    let head = format!("{} of {}, by axle extract with {table}", function.name, context.file);
    out.line(0, "", None, &head);
    let depth = match form {
        Form::Active => {
            out.line(0, &format!("active proctype {process}()"), None, "");
            1
        }
        Form::Proctype | Form::Thread => {
            out.line(0, &format!("proctype {process}({parameters})"), None, "");
            1
        }
        Form::Body => 0,
    };
    if depth > 0 {
        out.line(0, "{", None, "");
    }
    for (text, of, note) in &generator.hoisted {
        out.line(depth, &format!("{text};"), *of, note);
    }
    if depth > 0 && !node::act(&nodes) {
        nodes.push(Node::Step("skip".into(), None, String::new()));
    }
    node::print(&nodes, depth, &mut out);
    if depth > 0 {
        out.line(0, "}", None, "");
    }
    let uses = generator.uses;
    let Printed { text, map, hidden, .. } = out;
    (diagnostics.error_count() == before).then_some(Generated { text, map, hidden, uses })
}

impl<'a> Generator<'a> {
    fn found(&self, item: &Item) -> Found {
        let context = self.context;
        lookup(context.table, item, &context.function.name, context.file, context.present)
    }

    fn spelling(&self) -> Spelling<'a> {
        let context = self.context;
        let rules = (context.table.substitutes.iter())
            .filter(|rule| rule.scope.takes(&context.function.name, context.file))
            .collect();
        let Context { types, names, objects, table, .. } = *context;
        Spelling { rules, types, names, objects, table }
    }

    /// Text of a mapping with the expressions that `$x` stands for, as the model has them.
    fn fill(&mut self, text: &str, found: &Found, of: usize) -> String {
        let is_library = matches!(found.reason, Reason::Included(..));
        let creates = is_library && text.contains("run $");
        let mut named = Bindings::new();
        for (name, value) in &found.bindings {
            let hole = format!("{name}(");
            if creates && text.contains(&format!("run {hole}")) {
                named.push((name.clone(), self.started(value)));
                continue;
            }
            if creates && text.contains(&format!("({name})")) && !self.passes_argument(found) {
                named.push((name.clone(), String::new()));
                continue;
            }
            if !text.contains(&**name) {
                continue;
            }
            let value = if creates { without_casts(value) } else { value };
            let value = match keep::part(value, &self.spelling()) {
                Ok(Kept { text, changed, objects }) => {
                    self.uses[of].changed |= changed;
                    self.uses[of].objects.extend(objects);
                    text
                }
                // Text written by hand may use it in a string, or give it to a macro.
                Err(_) if !is_library => self.spelling().rename(value),
                Err(why) => {
                    let item = &self.uses[of].item;
                    let message = format!("`{value}` in `{}` cannot be in the model: {why}", item.text);
                    let help = format!("say which object of the model it is: `Object {value}<tab>NAME`");
                    let loc = self.uses[of].loc;
                    self.refuse("E0824", message, found, loc, &help);
                    value.to_string()
                }
            };
            named.push((name.clone(), value));
        }
        if is_library {
            if text.contains("$return") {
                let label = self.return_label();
                named.push(("$return".into(), self.want(&label)));
            }
            named.push(("$ended".into(), ended(self.context.names)));
        }
        fill(text, &named)
    }

    /// The name in the model of a function that is started as a thread.
    fn started(&self, value: &str) -> String {
        self.context.names.model_name(function_in(value))
    }

    /// Whether the process of the thread that is started has a parameter.
    fn passes_argument(&self, found: &Found) -> bool {
        let mut values = found.bindings.iter().map(|(_, value)| function_in(value));
        let Some(function) = values.find_map(|name| self.context.unit.function(name)) else { return true };
        let context = self.context;
        function.params.iter().any(|param| {
            let item = Item::parameter(param);
            let found = lookup(context.table, &item, &function.name, &function.file, context.present);
            matches!(found.mapping, Mapping::Text(_) | Mapping::Keep)
        })
    }

    fn maps(&self) -> Vec<&'a ValueMap> {
        let context = self.context;
        (context.table.maps.iter())
            .filter(|map| map.scope.takes(&context.function.name, context.file))
            .collect()
    }

    fn note_use(&mut self, item: &Item, loc: Loc, found: &Found, opposite: Option<Mapping>) -> usize {
        self.uses.push(Use {
            item: item.clone(),
            loc,
            found: found.clone(),
            opposite,
            changed: false,
            kept: None,
            objects: Vec::new(),
        });
        self.uses.len() - 1
    }

    /// The line of a place, with its file where that is not the main one.
    fn line(&self, loc: Loc) -> String {
        let place = self.context.sources.place(self.context.sources.outermost(loc));
        match *place.file == *self.context.file {
            true => place.start.line.to_string(),
            false => format!("{}:{}", place.file, place.start.line),
        }
    }

    /// The comment behind a statement.
    fn comment(&self, item: &Item, loc: Loc) -> String {
        format!("{}: {}", self.line(loc), item.shown())
    }

    fn fresh(&mut self, what: &str) -> String {
        self.labels += 1;
        self.context.names.free(format!("{what}_{}", self.labels))
    }

    fn want(&mut self, label: &str) -> String {
        self.wanted.insert(label.to_string());
        label.to_string()
    }

    fn return_label(&self) -> String {
        self.context.names.free(format!("return_{}", self.context.function.name))
    }

    /// The mapping of the table is impossible.
    fn refuse(&mut self, code: &'static str, message: String, found: &Found, loc: Loc, help: &str) {
        let row = match found.reason {
            Reason::Row(line) => self.context.table.row(line),
            Reason::Object(_) | Reason::Included(..) | Reason::Default => None,
        };
        let mut fault = Diagnostic::error(code, message);
        fault = match row {
            Some(row) => fault.at(row.loc, "").also(loc, "the statement is here"),
            None => fault.at(loc, ""),
        };
        if !help.is_empty() {
            fault = fault.help(help);
        }
        self.diagnostics.push(fault);
    }
}

/// The channel by which processes of threads are joined.
pub(crate) fn ended(names: &Names) -> String {
    names.free("thread_ended".into())
}

/// The function that an expression denotes, where it is one: `f`, `&f`, `(start_t)f`.
pub(crate) fn function_in(value: &str) -> &str {
    without_casts(value).trim_matches(['&', '(', ')'])
}

/// An expression as written, without casts before it.
fn without_casts(text: &str) -> &str {
    let mut text = text;
    while let Some(rest) = text.strip_prefix('(') {
        let Some((cast, inner)) = rest.split_once(')') else { break };
        let is_type = !inner.is_empty() && cast.chars().all(|c| c.is_alphanumeric() || "_ *".contains(c));
        if !is_type || inner.starts_with(|c: char| "+-*/%.[<>=&|^?".contains(c) && c != '&') {
            break;
        }
        text = inner;
    }
    text
}
