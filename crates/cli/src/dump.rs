//! `axle dump`: the internal representation of a model or C program, as text or as a graph.

use std::fmt::Write;

use axle_model::Model;
use axle_step::Layout;
use axle_step::layout::{ChanLayout, Data, Field, Home, Messages};

use crate::args::DumpArgs;
use crate::exit::Exit;
use crate::input_kind::is_program;
use crate::load::{load, load_tree};
use crate::output::print;
use crate::program;
use crate::session::Session;

/// The largest product that is drawn, in states.
const LARGEST_PRODUCT: usize = 500;

/// Runs the command.
pub fn run(args: &DumpArgs, session: &Session) -> Result<Exit, String> {
    if is_program(&args.model.model) {
        return program::dump(session, args);
    }
    if !args.more.is_empty() {
        return Err("several files are accepted for C programs only".to_string());
    }
    if args.promela {
        return match load_tree(session, &args.model, &args.output) {
            Ok(tree) => print(&axle_promela::print::print(&tree)).map(|()| Exit::Holds),
            Err(exit) => Ok(exit),
        };
    }
    let model = match load(session, &args.model, &args.output) {
        Ok(model) => model,
        Err(exit) => return Ok(exit),
    };
    if let Some(name) = &args.dot {
        let known = || model.processes.iter().map(|process| process.name.as_str());
        let Some(process) = model.processes.iter().find(|process| process.name == *name) else {
            let near = axle_source::nearest(name, known());
            let near = near.map_or_else(String::new, |near| format!("; did you mean '{near}'?"));
            return Err(format!("the model has no process '{name}'{near}"));
        };
        return print(&axle_model::dot::automaton(process)).map(|()| Exit::Holds);
    }
    if args.dot_product {
        let text = axle_evidence::product::product(&model, LARGEST_PRODUCT).map_err(|fault| {
            format!("{fault} and is too large to draw; --dot PROCESS draws one process automaton")
        })?;
        return print(&text).map(|()| Exit::Holds);
    }
    let text = match args.layout {
        true => layout(&model, &Layout::new(&model)),
        false => axle_model::dump::dump(&model),
    };
    print(&text).map(|()| Exit::Holds)
}

/// Where everything lives in a state, one variable a line: the first bit, the width, the name.
fn layout(model: &Model, layout: &Layout) -> String {
    let mut out = Lines::default();
    out.line(0, &format!("state: {} bytes", layout.width()));
    out.field(0, layout.count, "number of processes");
    if let Some(last) = layout.last {
        out.field(0, last, "process that moved last");
    }
    for (variable, home) in model.globals.iter().zip(&layout.globals) {
        match home {
            Home::State(data) => out.data(0, data, &variable.name),
            Home::Constant(data) => {
                out.data(0, data, &format!("{} (constant, not in the state)", variable.name))
            }
        }
    }
    for (channel, place) in model.channels.iter().zip(&layout.channels) {
        out.channel(0, place, &channel.name);
    }
    for (pid, slot) in layout.slots.iter().enumerate() {
        let names: Vec<&str> = slot.types.iter().map(|&t| model.process(t).name.as_str()).collect();
        out.line(0, &format!("process {pid} from bit {}: {}", slot.base, names.join(", ")));
    }
    for (process, place) in model.processes.iter().zip(&layout.procs) {
        out.line(
            0,
            &format!("process type {}: {} bytes, bits from the start of its slot", process.name, place.bytes),
        );
        if let Some(tag) = place.tag {
            out.field(1, tag, "type");
        }
        out.field(1, place.pc, "location");
        if let Some(priority) = place.priority {
            out.field(1, priority, "priority");
        }
        for (variable, data) in process.locals.iter().zip(&place.locals) {
            out.data(1, data, &variable.name);
        }
        for (channel, place) in process.channels.iter().zip(&place.channels) {
            out.channel(1, place, &channel.name);
        }
    }
    out.0
}

/// Lines of text, indented.
#[derive(Default)]
struct Lines(String);

impl Lines {
    fn line(&mut self, indent: usize, text: &str) {
        writeln!(self.0, "{:indent$}{text}", "", indent = 2 * indent).expect("a string takes all text");
    }

    fn field(&mut self, indent: usize, field: Field, name: &str) {
        let sign = if field.signed { " signed" } else { "" };
        self.line(indent, &format!("bit {:>5}, {:>2} wide{sign}: {name}", field.bit, field.bits));
    }

    fn data(&mut self, indent: usize, data: &Data, name: &str) {
        match data {
            Data::Scalar(field) => self.field(indent, *field, name),
            Data::Record(fields) => {
                self.line(indent, &format!("record {name}"));
                for (index, field) in fields.iter().enumerate() {
                    self.data(indent + 1, field, &format!("field {index}"));
                }
            }
            Data::Array { first, stride, len } => {
                self.line(indent, &format!("array {name}: {len} elements, {stride} bits apart"));
                self.data(indent + 1, first, "the first");
            }
        }
    }

    fn channel(&mut self, indent: usize, channel: &ChanLayout, name: &str) {
        let Some(len) = channel.len else {
            return self.line(indent, &format!("channel {name}: rendezvous, nothing stored"));
        };
        let how = match &channel.messages {
            Messages::Packed { all, stride, .. } => {
                format!("messages from bit {} on, {stride} bits each, packed", all.bit)
            }
            Messages::Bytes { base, stride, .. } => {
                format!("messages from bit {base} on, {stride} bits each")
            }
        };
        self.line(indent, &format!("channel {name}: {how}"));
        self.field(indent + 1, len, "number of messages");
    }
}
