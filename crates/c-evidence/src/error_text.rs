//! The text of an error in a program: kind, summary, details and the steps of the trace that it
//! marks.
//!
//! *Entry point:* [`ErrorText::of`].
//! *Invariant:* the summary names the problem first, then objects by declared name, then locations.

use axle_c_exec::{AccessKind, ErrorKind, ReportedAccess, ReportedBlock, ReportedObject, Trace as Execution};
use axle_evidence::vocabulary::{Vocabulary, with_name};
use axle_question::checks::Check;
use axle_question::error_checks::of_error;
use axle_source::{Loc, Sources};

use crate::place::{at, macros, spelled};

/// The text of an error.
pub struct ErrorText {
    /// The kind that the report names.
    pub kind: &'static str,
    /// The check that it violates.
    pub check: Option<Check>,
    /// One sentence without a full stop.
    pub message: String,
    /// Further lines: accesses, blocked threads, allocation sites, macros.
    pub details: Vec<String>,
    /// The thread at fault.
    pub thread: String,
    /// Where the error is.
    pub at: Loc,
    /// The statement that contains it.
    pub statement: Loc,
    /// Steps of the trace, from 0, and what is wrong there.
    pub marks: Vec<(usize, String)>,
    /// The error as a defect, where different executions show it as different kinds of errors.
    pub defect: Option<Defect>,
}

/// A block is used or freed again after it was freed: by an execution in which the deallocation
/// comes first, or by a data race with the deallocation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Defect {
    kind: &'static str,
    /// The deallocation and the other access; two deallocations in the order of the text.
    places: [Loc; 2],
}

impl ErrorText {
    /// The text of the error that an execution ends in. `memory`: memory errors are checked; then a
    /// data race with a deallocation is a use-after-free if executions exist in which the
    /// deallocation comes first.
    pub fn of(sources: &Sources, way: &Execution, memory: bool) -> ErrorText {
        let writer = Writer { sources, way };
        let frees = |access: &&ReportedAccess| access.kind == AccessKind::Free;
        let (kind, race) = match (&way.error, way.accesses.iter().filter(frees).count()) {
            (ErrorKind::Race(_), 1) if memory && way.adjacent => (ErrorKind::UseAfterFree, true),
            (ErrorKind::Race(_), 2) if memory && way.adjacent => (ErrorKind::DoubleFree, true),
            (error, _) => (error.clone(), matches!(error, ErrorKind::Race(_))),
        };
        // The deallocation is the cause, the other access the error.
        let main = match race && kind == ErrorKind::UseAfterFree {
            true => way.accesses.iter().find(|access| access.kind != AccessKind::Free),
            false => None,
        };
        let message = match race {
            true => writer.race(&kind),
            false => writer.message(),
        };
        let mut details = writer.blocked();
        if race {
            details.extend(way.accesses.iter().map(|access| writer.access(access)));
        }
        details.extend(writer.history(&kind));
        writer.name_allocation_sites(&mut details);
        let at = main.map_or(way.at, |access| access.loc);
        let defect = writer.freed(race).and_then(|freed| match kind {
            ErrorKind::UseAfterFree => Some(Defect { kind: kind.name(), places: [freed, at] }),
            ErrorKind::DoubleFree => {
                Some(Defect { kind: kind.name(), places: [freed.min(at), freed.max(at)] })
            }
            _ => None,
        });
        details.extend(macros(sources, at));
        let marks = match race {
            true => writer.race_marks(&kind),
            false => Vec::new(),
        };
        ErrorText {
            kind: kind.name(),
            check: of_error(&kind),
            message,
            details,
            thread: main.map_or_else(|| way.thread.clone(), |access| access.thread.clone()),
            at,
            statement: main.map_or(way.statement, |access| access.statement),
            marks,
            defect,
        }
    }
}

impl ErrorText {
    /// Adds that the accesses of a data race are volatile, if both are.
    pub fn name_volatile(&mut self, way: &Execution, words: &Vocabulary) {
        let both = way.accesses.len() == 2 && way.accesses.iter().all(|access| access.volatile);
        if both && matches!(way.error, ErrorKind::Race(_)) {
            let message = "both accesses are volatile: as relaxed atomic operations they form no data race";
            self.details.push(with_name(message, words.volatile));
        }
    }
}

struct Writer<'a> {
    sources: &'a Sources,
    way: &'a Execution,
}

impl Writer<'_> {
    fn at(&self, loc: Loc) -> String {
        at(self.sources, loc)
    }

    /// The deallocation of the block that an error is about; in a data race of two, the one of the
    /// other thread.
    fn freed(&self, race: bool) -> Option<Loc> {
        if race {
            let free = self.way.accesses.iter().rev().find(|access| access.kind == AccessKind::Free)?;
            return Some(free.loc);
        }
        Some(self.way.object.as_ref()?.block.as_ref()?.freed.as_ref()?.loc)
    }

    /// `a 16-byte block (conn_t, malloc at F:L)`.
    fn block(&self, block: &ReportedBlock, size: u32) -> String {
        let ty = block.ty.as_ref().map(|ty| format!("{ty}, ")).unwrap_or_default();
        let site = block.allocated.as_ref().map(|event| format!(" at {}", self.at(event.loc)));
        // Eight, eleven and eighteen begin with a vowel.
        let article = match size {
            11 | 18 => "an",
            _ if size.to_string().starts_with('8') => "an",
            _ => "a",
        };
        format!("{article} {size}-byte block ({ty}{}{})", block.function, site.unwrap_or_default())
    }

    /// `offset 16 of a 16-byte block (malloc at F:L)`.
    fn offset(&self, object: &ReportedObject) -> String {
        let whole = match &object.block {
            Some(block) => self.block(block, object.size),
            None => format!("`{}` ({})", object.name, count(object.size.into(), "byte")),
        };
        format!("offset {} of {whole}", object.offset)
    }

    /// The accessed bytes by name: `` `current->name (conn_t allocated at F:L)` ``; without a name
    /// by offset.
    fn part(&self, object: &ReportedObject) -> String {
        match (&object.part, &object.block) {
            (Some(part), Some(block)) => {
                let ty = block.ty.as_ref().map(|ty| format!("{ty} ")).unwrap_or_default();
                match &block.allocated {
                    Some(event) => format!("`{part} ({ty}allocated at {})`", self.at(event.loc)),
                    None => format!("`{part}`"),
                }
            }
            (Some(part), None) => format!("`{part}`"),
            (None, _) => self.offset(object),
        }
    }

    /// `write of 4 bytes`.
    fn verb(access: &ReportedAccess) -> String {
        let kind = match access.kind {
            AccessKind::Read => "read",
            AccessKind::Write => "write",
            AccessKind::Free => return "free of the block".to_string(),
        };
        let atomic = if access.atomic { "atomic " } else { "" };
        format!("{atomic}{kind} of {}", count(access.size.into(), "byte"))
    }

    /// An error other than a data race in one sentence.
    fn message(&self) -> String {
        let way = self.way;
        let plain = || way.error.message();
        if let (ErrorKind::OutOfBounds, Some((index, length))) = (&way.error, way.index) {
            return format!("out of bounds: index {index} of an array of {}", count(length, "element"));
        }
        let named = match &way.error {
            ErrorKind::Deadlock(_) => return "deadlock: every thread is blocked".to_string(),
            ErrorKind::Livelock(_) => return "livelock: no thread can make progress".to_string(),
            ErrorKind::NullPointer => {
                return format!("null pointer dereference: {}", spelled(self.sources, way.at));
            }
            _ => way.accesses.first().zip(way.object.as_ref()),
        };
        let Some((access, object)) = named else { return plain() };
        let verb = Self::verb(access);
        let block = object.block.as_ref();
        match &way.error {
            ErrorKind::OutOfBounds => format!("out of bounds: {verb} at {}", self.offset(object)),
            ErrorKind::UseAfterFree => {
                let freed = block.and_then(|block| block.freed.as_ref());
                let freed =
                    freed.map(|event| format!(", freed by {} at {}", event.thread, self.at(event.loc)));
                let joint = if object.part.is_some() { "of" } else { "at" };
                format!("use-after-free: {verb} {joint} {}{}", self.part(object), freed.unwrap_or_default())
            }
            ErrorKind::DanglingStack => {
                format!("use after scope: {verb} of `{}`, whose lifetime has ended", object.name)
            }
            ErrorKind::WriteToConstant if object.part.is_some() => {
                format!("{verb} of `{}`, which is declared const", object.name)
            }
            ErrorKind::DoubleFree => {
                let place = |event: Option<&axle_c_exec::ReportedEvent>| {
                    event.map_or_else(|| "an unknown place".to_string(), |event| self.at(event.loc))
                };
                format!(
                    "double free of block allocated at {}, first freed at {}",
                    place(block.and_then(|block| block.allocated.as_ref())),
                    place(block.and_then(|block| block.freed.as_ref()))
                )
            }
            ErrorKind::InvalidFree => format!("invalid free: the pointer is {}", self.offset(object)),
            _ => plain(),
        }
    }

    /// A data race in one sentence; `kind` is its kind in the report.
    fn race(&self, kind: &ErrorKind) -> String {
        let object = self.way.object.as_ref();
        let [first, second] = &self.way.accesses[..] else { return self.way.error.message() };
        let name = object.map(|object| self.part(object)).unwrap_or_default();
        match kind {
            ErrorKind::DoubleFree => format!(
                "double free: {} at {} and {} at {} free {}, no happens-before",
                first.thread,
                self.at(first.loc),
                second.thread,
                self.at(second.loc),
                object
                    .and_then(|object| Some(self.block(object.block.as_ref()?, object.size)))
                    .unwrap_or(name)
            ),
            ErrorKind::UseAfterFree => {
                let is_first_free = first.kind == AccessKind::Free;
                let (free, access) = if is_first_free { (first, second) } else { (second, first) };
                let joint = if object.is_some_and(|object| object.part.is_some()) { "of" } else { "at" };
                format!(
                    "use-after-free: {} {joint} {name}, freed by {} at {}, no happens-before",
                    Self::verb(access),
                    free.thread,
                    self.at(free.loc)
                )
            }
            _ => {
                let word = |access: &ReportedAccess| match access.kind {
                    AccessKind::Read => "read",
                    AccessKind::Write => "write",
                    AccessKind::Free => "free",
                };
                format!(
                    "data race over {name}: conflicting {}/{} by {} at {}, no happens-before",
                    word(first),
                    word(second),
                    second.thread,
                    self.at(second.loc)
                )
            }
        }
    }

    /// An access of a data race: `worker(1) writes 4 bytes at F:L, holding no lock: n++`.
    fn access(&self, access: &ReportedAccess) -> String {
        let part = access.part.as_ref().map(|part| format!(" of `{part}`")).unwrap_or_default();
        let bytes = || format!("{}{part}", count(access.size.into(), "byte"));
        let atomically = if access.atomic { "atomically " } else { "" };
        let does = match access.kind {
            AccessKind::Read => format!("{atomically}reads {}", bytes()),
            AccessKind::Write => format!("{atomically}writes {}", bytes()),
            AccessKind::Free => "frees the block".to_string(),
        };
        let (place, held) = (self.at(access.loc), held(access));
        format!("{} {does} at {place}, {held}: {}", access.thread, spelled(self.sources, access.loc))
    }

    /// What is wrong in the two steps that make a data race.
    fn race_marks(&self, kind: &ErrorKind) -> Vec<(usize, String)> {
        let accesses = &self.way.accesses;
        let problem = match kind {
            ErrorKind::UseAfterFree => "use-after-free",
            ErrorKind::DoubleFree => "double free",
            _ => "data race",
        };
        let mark = |(index, access): (usize, &ReportedAccess)| {
            let other = accesses.iter().enumerate().find(|(other, _)| *other != index);
            let other = other.and_then(|(_, other)| other.step);
            let with = other.map(|step| format!("; conflicts with step {}", step + 1)).unwrap_or_default();
            let part = access.part.as_ref().filter(|_| access.kind != AccessKind::Free);
            let part = part.map(|part| format!(" of `{part}`")).unwrap_or_default();
            Some((access.step?, format!("{problem}: {}{part}, {}{with}", Self::verb(access), held(access))))
        };
        accesses.iter().enumerate().filter_map(mark).collect()
    }

    /// Blocked threads.
    fn blocked(&self) -> Vec<String> {
        let line = |stuck: &axle_c_exec::Stuck| {
            let place = stuck.loc.map(|loc| format!(" at {}", self.at(loc))).unwrap_or_default();
            format!("{}{place} {}", stuck.thread, stuck.what)
        };
        self.way.stuck.iter().map(line).collect()
    }

    /// Where the block of a use-after-free or double free was allocated and freed.
    fn history(&self, kind: &ErrorKind) -> Vec<String> {
        let block = self.way.object.as_ref().and_then(|object| object.block.as_ref());
        let relevant = matches!(kind, ErrorKind::UseAfterFree | ErrorKind::DoubleFree);
        let Some(block) = block.filter(|_| relevant) else { return Vec::new() };
        let line = |what: &str, event: &axle_c_exec::ReportedEvent| {
            let text = spelled(self.sources, event.loc);
            format!("block {what} at {} by {}: {text}", self.at(event.loc), event.thread)
        };
        let allocated = block.allocated.iter().map(|event| line("allocated", event));
        allocated.chain(block.freed.iter().map(|event| line("freed", event))).collect()
    }

    /// Adds the allocation site to the first mention of each block: `pool_t #1 (allocated at F:L)`.
    fn name_allocation_sites(&self, lines: &mut [String]) {
        for (name, loc) in &self.way.blocks {
            let mentions = |line: &str| {
                let found = line.find(name.as_str())?;
                let end = found + name.len();
                (!line[end..].starts_with(|c: char| c.is_ascii_digit())).then_some(end)
            };
            if let Some((line, end)) = lines.iter_mut().find_map(|line| mentions(line).map(|end| (line, end)))
            {
                line.insert_str(end, &format!(" (allocated at {})", at(self.sources, *loc)));
            }
        }
    }
}

/// `holding no lock`, `holding a, b`.
fn held(access: &ReportedAccess) -> String {
    match access.held.is_empty() {
        true => "holding no lock".to_string(),
        false => format!("holding {}", access.held.join(", ")),
    }
}

/// `1 byte`, `4 bytes`.
fn count(number: u64, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}
