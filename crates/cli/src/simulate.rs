//! `axle simulate`: one run, step by step: at random, along a trail, or as the user chooses.

use std::io::BufRead;
use std::sync::Arc;

use axle_evidence::replay::tell;
use axle_evidence::trace::{Mode, Trace, render_text};
use axle_model::Model;
use axle_step::interpret::detail::{Control, End, MicroStep};
use axle_step::{Interpreter, Options, Successors};

use crate::args::{SimulateArgs, TraceMode};
use crate::exit::Exit;
use crate::load::load;
use crate::output::print;
use crate::trail;

/// A run that is being made.
struct Run {
    interpreter: Interpreter,
    state: Vec<u8>,
    /// Who alone may move next.
    control: Option<Control>,
    /// Steps made so far.
    number: u64,
    mode: Mode,
    /// Something went wrong on the way.
    faulty: bool,
}

/// Runs the command.
pub fn run(args: &SimulateArgs) -> Result<Exit, String> {
    let model = match load(&args.model, &args.output) {
        Ok(model) => model,
        Err(exit) => return Ok(exit),
    };
    let mode = if args.trace == TraceMode::Short { Mode::Short } else { Mode::Full };
    let mut run = Run::new(&model, mode);
    if let Some(file) = &args.trail {
        run.follow(&trail::read(file, &model)?.steps())?;
    }
    match (args.interactive, &args.trail) {
        (true, _) => run.converse(&mut std::io::stdin().lock())?,
        // A trail is a run of its own; going on from its end is for whoever asks for it.
        (false, Some(_)) => {
            let rest = args.steps.unwrap_or(0);
            // A run that has a violation ends there.
            if !run.faulty {
                run.wander(args.seed, rest)?;
            }
        }
        (false, None) => run.wander(args.seed, args.steps.unwrap_or(1000))?,
    }
    Ok(if run.faulty { Exit::Violated } else { Exit::Holds })
}

impl Run {
    fn new(model: &Arc<Model>, mode: Mode) -> Run {
        let mut interpreter = Interpreter::new(Arc::clone(model), Options::default());
        let mut faults = Vec::new();
        let state = interpreter.initial(&mut faults);
        let faulty = !faults.is_empty();
        Run { interpreter, state, control: None, number: 0, mode, faulty }
    }

    /// The small steps that are possible now.
    fn choices(&mut self) -> Vec<MicroStep> {
        self.interpreter.micro_steps(&self.state, self.control)
    }

    /// Makes a small step and prints it.
    fn make(&mut self, step: &MicroStep) -> Result<(), String> {
        self.number += 1;
        let line = self.line(step, self.mode);
        self.state.clone_from(&step.state);
        self.control = step.control;
        self.faulty |= !step.faults.is_empty();
        print(&line)
    }

    /// A small step from the present state as a line of text.
    fn line(&self, step: &MicroStep, mode: Mode) -> String {
        let before = self.interpreter.widened(&self.state);
        let mut told = tell(&self.interpreter, &before, step);
        told.step = self.number;
        render_text(&Trace { steps: vec![told], ending: Vec::new(), start: None, cycle: None }, mode)
    }

    /// Walks a path of whole steps, as a search counts them.
    fn follow(&mut self, path: &[u32]) -> Result<(), String> {
        for (index, &position) in path.iter().enumerate() {
            let mut steps = self.interpreter.steps(&self.state);
            let Some(step) = steps.steps.get_mut(position as usize) else {
                return Err(format!("step {} of the trail is not possible in this model", index + 1));
            };
            for micro in std::mem::take(&mut step.micro) {
                self.make(&micro)?;
            }
            self.control = None;
        }
        Ok(())
    }

    /// Goes on at random.
    fn wander(&mut self, seed: u64, steps: u64) -> Result<(), String> {
        let mut random = Random::new(seed);
        for _ in 0..steps {
            let choices = self.choices();
            if choices.is_empty() {
                return self.tell_end();
            }
            let index = random.below(choices.len() as u64) as usize;
            self.make(&choices[index])?;
            if self.faulty {
                return print(&format!("stopped at the first violation, in step {}\n", self.number));
            }
        }
        if self.choices().is_empty() {
            return self.tell_end();
        }
        print(&format!("stopped after {} steps, more are possible\n", self.number))
    }

    /// Says how the run ended.
    fn tell_end(&mut self) -> Result<(), String> {
        match self.interpreter.end_state(&self.state) {
            End::Valid => print(&format!("the end, after {} steps: every process may rest\n", self.number)),
            End::Invalid(_) | End::None => {
                self.faulty = true;
                let state = self.interpreter.widened(&self.state);
                let standing = axle_evidence::end::explain_end(&self.interpreter, &state);
                let mut text = format!("nobody can move, after {} steps:\n", self.number);
                for line in axle_evidence::end::sentences(&standing) {
                    text.push_str(&line);
                    text.push('\n');
                }
                print(&text)
            }
        }
    }

    /// Lets the user choose, and look around.
    fn converse(&mut self, input: &mut impl BufRead) -> Result<(), String> {
        let mut past: Vec<(Vec<u8>, Option<Control>, u64, bool)> = Vec::new();
        self.offer()?;
        loop {
            print("> ")?;
            let mut line = String::new();
            if input.read_line(&mut line).map_err(|fault| fault.to_string())? == 0 {
                return print("\n");
            }
            let line = line.trim();
            let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
            match word {
                "" => self.offer()?,
                "q" | "x" | "quit" | "exit" => return Ok(()),
                "h" | "?" | "help" => print(HELP)?,
                "b" | "back" => match past.pop() {
                    Some((state, control, number, faulty)) => {
                        (self.state, self.control, self.number) = (state, control, number);
                        self.faulty = faulty;
                        self.offer()?;
                    }
                    None => print("this is the start\n")?,
                },
                "s" | "state" => print(&self.all())?,
                "c" | "channels" => print(&self.queues())?,
                "p" | "print" => print(&self.variables(rest.trim()))?,
                _ => match word.parse::<usize>() {
                    Ok(number) => {
                        let choices = self.choices();
                        match number.checked_sub(1).and_then(|index| choices.get(index)) {
                            Some(step) => {
                                past.push((self.state.clone(), self.control, self.number, self.faulty));
                                self.make(step)?;
                                self.offer()?;
                            }
                            None => print(&format!("there is no step {number}\n"))?,
                        }
                    }
                    Err(_) => print("not understood; h for help\n")?,
                },
            }
        }
    }

    /// Shows what is possible now.
    fn offer(&mut self) -> Result<(), String> {
        let choices = self.choices();
        if choices.is_empty() {
            return self.tell_end();
        }
        let mut text = String::new();
        for (index, step) in choices.iter().enumerate() {
            let before = self.interpreter.widened(&self.state);
            let mut told = tell(&self.interpreter, &before, step);
            told.step = index as u64 + 1;
            text.push_str("  ");
            text.push_str(&render_text(
                &Trace { steps: vec![told], ending: Vec::new(), start: None, cycle: None },
                Mode::Short,
            ));
        }
        print(&text)
    }

    /// Everything there is.
    fn all(&self) -> String {
        let state = self.interpreter.widened(&self.state);
        let view = self.interpreter.view(&state);
        let mut text = String::new();
        for value in view.globals() {
            text.push_str(&format!("{} = {}\n", value.name, value.shown));
        }
        text.push_str(&self.queues());
        for process in view.processes() {
            let rests = if process.may_rest { ", may rest here" } else { "" };
            text.push_str(&format!("{} at line {}{rests}\n", process.name, process.origin.line));
            for value in process.locals {
                text.push_str(&format!("  {} = {}\n", value.name, value.shown));
            }
        }
        text
    }

    fn queues(&self) -> String {
        let state = self.interpreter.widened(&self.state);
        let channels = self.interpreter.view(&state).channels();
        channels.iter().map(|channel| format!("{} = {}\n", channel.name, channel.contents())).collect()
    }

    /// The variables whose name is this or starts with it: `x` shows `x`, `x[0]` and `x.f`.
    fn variables(&self, name: &str) -> String {
        let state = self.interpreter.widened(&self.state);
        let view = self.interpreter.view(&state);
        let globals = view.globals().into_iter().map(|value| (value.name, value.shown));
        let locals = view.processes().into_iter().flat_map(|process| {
            let prefix = process.name;
            process.locals.into_iter().map(move |value| (format!("{prefix}:{}", value.name), value.shown))
        });
        let asked = |full: &str| {
            let own = full.rsplit_once(':').map_or(full, |(_, own)| own);
            [full, own].iter().any(|it| {
                it.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with(['[', '.']))
            })
        };
        let text: String = (globals.chain(locals))
            .filter(|(full, _)| name.is_empty() || asked(full))
            .map(|(full, shown)| format!("{full} = {shown}\n"))
            .collect();
        if text.is_empty() { format!("there is no variable '{name}'\n") } else { text }
    }
}

const HELP: &str = "\
  NUMBER   take this step
  ENTER    show the possible steps again
  b        go back one step
  p NAME   print a variable (all of them where no name is given)
  c        print the channels
  s        print the whole state
  h        this help
  q        quit
";

/// Numbers that look random and depend on the seed alone (Steele, Lea and Flood, Fast splittable
/// pseudorandom number generators, OOPSLA 2014).
struct Random(u64);

impl Random {
    fn new(seed: u64) -> Random {
        Random(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `bound`, which is not 0.
    fn below(&mut self, bound: u64) -> u64 {
        ((u128::from(self.next()) * u128::from(bound)) >> 64) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn random_numbers_are_below_their_bound_and_all_come_up() {
        let mut random = Random::new(1);
        let mut seen = [false; 7];
        for _ in 0..1000 {
            seen[random.below(7) as usize] = true;
        }
        assert_eq!(seen, [true; 7]);
    }
}
