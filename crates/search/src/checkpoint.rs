//! Checkpoints: the state of a search in a file, from which a later invocation resumes.
//!
//! There are two formats. For a sequential safety search, no state is written (version 1): the
//! search is a function of the successors that it regarded as new. These are recorded as the
//! spanning tree of a breadth-first search ([`crate::paths::spanning_tree`]) or as the choices of a
//! depth-first search, in less than one byte per state. A replay expands the same states in the
//! same order, enters those that were new, and looks nothing up. Faults, counts, statements reached
//! and paths are reproduced. In a parallel search the new states depend on scheduling, so all
//! states are written (version 2, `stored.rs`), together with the search's other data
//! ([`crate::parallel`]).
//!
//! *Entry points:* [`Checkpoint::write`], [`read`].
//!
//! *Invariant:* A damaged file is never used, and neither is a checkpoint of another model: each
//! state recorded as new must be new to the set, each position must be that of a successor, and the
//! final counts must equal those of the checkpoint ([`Stop::Checkpoint`]).

pub(crate) mod stored;

use std::fmt;
use std::io::{self, BufRead, Read, Write};

use axle_outcome::Stop;

use self::stored::{Body, Out, Stored};
use crate::paths::bit_string::{BLOCK, Bits};

/// The first line of a checkpoint without states.
pub const FIRST_LINE: &str = "axle checkpoint 1";

/// The first line of a checkpoint with states.
pub const FIRST_LINE_STORED: &str = "axle checkpoint 2";

/// The beginning of every version.
pub const BEGINS: &str = "axle checkpoint ";

/// Maximum number of bytes of the header lines.
const LONGEST_HEAD: u64 = 1 << 14;

/// A checkpoint to write. It borrows the data of the search and copies nothing.
#[derive(Clone, Copy)]
pub struct Checkpoint<'a> {
    /// Lines that identify the search; they are compared when it is resumed.
    pub about: &'a str,
    /// Number of states found.
    pub states: u64,
    /// Number of transitions of the expanded states.
    pub transitions: u64,
    pub(crate) contents: Contents<'a>,
}

/// Contents of a checkpoint.
#[derive(Clone, Copy)]
pub(crate) enum Contents<'a> {
    /// Record of the successors regarded as new.
    Log([&'a Bits; 2]),
    /// All data of the search.
    Stored(&'a dyn Stored),
}

/// A checkpoint that was read.
#[derive(Clone, Debug)]
pub struct Past {
    /// Lines that identify the search.
    pub about: String,
    /// Number of states found.
    pub states: u64,
    /// Number of transitions of the expanded states.
    pub transitions: u64,
    pub(crate) contents: Known,
}

/// Contents of a checkpoint that was read.
#[derive(Clone, Debug)]
pub(crate) enum Known {
    Log([Bits; 2]),
    Stored(Body),
}

impl Past {
    /// Whether it contains no states, so that only a sequential search can resume it.
    pub fn is_of_one_thread(&self) -> bool {
        matches!(self.contents, Known::Log(_))
    }
}

/// The checkpoints of a check, which may consist of several searches ([`crate::Monitor::checkpoints`]).
pub trait Checkpoints: Send {
    /// The checkpoint to resume from; `None` for a new search. Called once, by searches that
    /// support resumption.
    fn past(&mut self) -> Option<Past>;

    /// The receiver of checkpoints, if they are written for the current search.
    fn keeper(&mut self) -> Option<&mut dyn Keep>;

    /// Announces a search described by these lines; subsequent checkpoints belong to it.
    /// Without it, all checkpoints belong to one search.
    fn begins(&mut self, _about: &str) {}

    /// Announces the end of the last search, with the reason if it is incomplete; its checkpoints
    /// end.
    fn ended(&mut self, _stop: Option<Stop>) {}

    /// Announces that the searches with these lines are decided: they are not resumed from the
    /// checkpoint.
    fn passes_over(&mut self, _is_past: &dyn Fn(&str) -> bool) {}

    /// Number of states in the checkpoint of the search described by these lines; `None` if it
    /// starts anew.
    fn goes_on(&self, _about: &str) -> Option<u64> {
        None
    }
}

/// Receiver of checkpoints.
pub trait Keep: Send {
    /// Whether a checkpoint is due. Called about every hundred states.
    fn due(&mut self) -> bool;

    /// Stores a checkpoint: when it is due, and when the search reaches a limit or is cancelled.
    fn keep(&mut self, point: &Checkpoint<'_>);
}

/// Reason why a file cannot be used.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Unusable {
    /// It cannot be read.
    Unreadable(String),
    /// It is not a checkpoint.
    NotOne,
    /// It has another format version, named here.
    Version(String),
    /// It is damaged.
    Damaged(&'static str),
}

impl fmt::Display for Unusable {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unusable::Unreadable(why) => write!(out, "it cannot be read: {why}"),
            Unusable::NotOne => write!(out, "it is not a checkpoint"),
            Unusable::Version(version) => write!(out, "it is a checkpoint of version {version}, not 1 or 2"),
            Unusable::Damaged(what) => write!(out, "it is damaged: {what}"),
        }
    }
}

/// A checksum of bytes. It detects accidental damage only.
struct Sum(u64);

impl Sum {
    fn new() -> Sum {
        Sum(0xcbf2_9ce4_8422_2325)
    }

    #[inline]
    fn add(&mut self, word: u64) {
        self.0 = (self.0 ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 ^= self.0 >> 29;
    }

    fn add_text(&mut self, text: &str) {
        text.bytes().for_each(|byte| self.add(byte.into()));
    }
}

impl<'a> Checkpoint<'a> {
    /// The same checkpoint with other identifying lines.
    pub fn labelled(self, about: &'a str) -> Checkpoint<'a> {
        Checkpoint { about, ..self }
    }

    /// Writes the checkpoint and returns the number of bytes written.
    pub fn write(&self, out: &mut impl Write) -> io::Result<u64> {
        let Checkpoint { about, states, transitions, contents } = *self;
        let counts = format!("{about}states {states}\ntransitions {transitions}\n");
        let mut sum = Sum::new();
        let (head, size) = match contents {
            Contents::Log([first, second]) => {
                let head = format!("{FIRST_LINE}\n{counts}bits {} {}\n\n", first.len(), second.len());
                sum.add_text(&head);
                out.write_all(head.as_bytes())?;
                (head, write_strings(first.words().chain(second.words()), &mut sum, out)?)
            }
            Contents::Stored(stored) => {
                let head = format!("{FIRST_LINE_STORED}\n{counts}stored\n\n");
                sum.add_text(&head);
                out.write_all(head.as_bytes())?;
                let mut body = Out::new(out, &mut sum);
                stored.write(&mut body)?;
                (head, body.end()?)
            }
        };
        out.write_all(&sum.0.to_le_bytes())?;
        Ok(head.len() as u64 + size + 8)
    }
}

fn write_strings<'w>(
    blocks: impl Iterator<Item = &'w [u64]>,
    sum: &mut Sum,
    out: &mut impl Write,
) -> io::Result<u64> {
    let (mut bytes, mut size) = (Vec::new(), 0);
    for words in blocks {
        bytes.clear();
        for &word in words {
            sum.add(word);
            bytes.extend_from_slice(&word.to_le_bytes());
        }
        out.write_all(&bytes)?;
        size += bytes.len() as u64;
    }
    Ok(size)
}

/// Reads a checkpoint.
pub fn read(input: &mut impl BufRead) -> Result<Past, Unusable> {
    let mut sum = Sum::new();
    let mut head = Head { input: input.take(LONGEST_HEAD), sum: &mut sum };
    let first = head.line().map_err(|fault| match fault {
        Unusable::Damaged(_) => Unusable::NotOne,
        other => other,
    })?;
    match first.strip_prefix(BEGINS) {
        Some(_) if first == FIRST_LINE || first == FIRST_LINE_STORED => {}
        Some(version) => return Err(Unusable::Version(version.to_string())),
        None => return Err(Unusable::NotOne),
    }
    let mut about = String::new();
    let states = loop {
        let line = head.line()?;
        match line.strip_prefix("states ") {
            Some(number) => break number_in(number)?,
            None if line.is_empty() => return Err(LINES),
            None => about.extend([&line, "\n"]),
        }
    };
    let transitions = number_in(head.line()?.strip_prefix("transitions ").ok_or(LINES)?)?;
    let line = head.line()?;
    if !head.line()?.is_empty() {
        return Err(LINES);
    }
    let contents = if first == FIRST_LINE {
        let (first, second) =
            line.strip_prefix("bits ").and_then(|rest| rest.split_once(' ')).ok_or(LINES)?;
        let [first, second] = [number_in(first)?, number_in(second)?];
        Known::Log([string(input, first, &mut sum)?, string(input, second, &mut sum)?])
    } else if line == "stored" {
        Known::Stored(Body::read(input, &mut sum)?)
    } else {
        return Err(LINES);
    };
    let mut written = [0; 8];
    fill(input, &mut written)?;
    if u64::from_le_bytes(written) != sum.0 {
        return Err(Unusable::Damaged("the sum over its contents is another"));
    }
    match fill(input, &mut [0]) {
        Err(SHORT) => Ok(Past { about, states, transitions, contents }),
        Ok(()) => Err(Unusable::Damaged("something follows its end")),
        Err(fault) => Err(fault),
    }
}

const LINES: Unusable = Unusable::Damaged("its first lines are not as they should be");
const SHORT: Unusable = Unusable::Damaged("it ends too early");

/// The header lines.
struct Head<'a, R> {
    input: io::Take<&'a mut R>,
    sum: &'a mut Sum,
}

impl<R: BufRead> Head<'_, R> {
    /// The next line, without its end.
    fn line(&mut self) -> Result<String, Unusable> {
        let mut line = Vec::new();
        let read = self.input.read_until(b'\n', &mut line);
        read.map_err(|fault| Unusable::Unreadable(fault.to_string()))?;
        let text = String::from_utf8(line).map_err(|_| LINES)?;
        self.sum.add_text(&text);
        text.strip_suffix('\n').map(str::to_string).ok_or(LINES)
    }
}

fn number_in(text: &str) -> Result<u64, Unusable> {
    text.parse().map_err(|_| LINES)
}

fn fill(input: &mut impl Read, bytes: &mut [u8]) -> Result<(), Unusable> {
    input.read_exact(bytes).map_err(|fault| match fault.kind() {
        io::ErrorKind::UnexpectedEof => SHORT,
        _ => Unusable::Unreadable(fault.to_string()),
    })
}

/// Reads `length` bits block by block, so that a wrong length cannot cause a large allocation.
fn string(input: &mut impl Read, length: u64, sum: &mut Sum) -> Result<Bits, Unusable> {
    let mut bits = Bits::default();
    let mut bytes = vec![0; 8 * BLOCK];
    while bits.len() < length {
        let left = length - bits.len();
        let count = usize::try_from(left.div_ceil(64)).unwrap_or(usize::MAX).min(BLOCK);
        fill(input, &mut bytes[..8 * count])?;
        for chunk in bytes[..8 * count].chunks_exact(8) {
            let mut word = [0; 8];
            word.copy_from_slice(chunk);
            let word = u64::from_le_bytes(word);
            sum.add(word);
            let size = (length - bits.len()).min(64) as u32;
            if size < 64 && word >> size != 0 {
                return Err(Unusable::Damaged("there are bits where none should be"));
            }
            bits.push(word, size);
        }
    }
    Ok(bits)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn bits(pieces: &[u64]) -> Bits {
        let mut bits = Bits::default();
        pieces.iter().for_each(|&piece| bits.push(piece >> 27, 37));
        bits
    }

    fn written(first: &Bits, second: &Bits) -> Vec<u8> {
        let point = Checkpoint {
            about: "model 1\nsearch bfs\n",
            states: 7,
            transitions: 9,
            contents: Contents::Log([first, second]),
        };
        let mut bytes = Vec::new();
        assert_eq!(point.write(&mut bytes).unwrap(), bytes.len() as u64);
        bytes
    }

    proptest! {
        #[test]
        fn is_read_back(one in prop::collection::vec(any::<u64>(), 0..90), two in prop::collection::vec(any::<u64>(), 0..9)) {
            let (one, two) = (bits(&one), bits(&two));
            let bytes = written(&one, &two);
            let past = read(&mut &bytes[..]).unwrap();
            prop_assert_eq!((past.states, past.transitions), (7, 9));
            prop_assert_eq!(&past.about, "model 1\nsearch bfs\n");
            let Known::Log([first, second]) = &past.contents else { panic!("no states") };
            prop_assert_eq!(written(first, second), bytes);
        }

        #[test]
        fn no_bytes_make_it_panic(bytes in prop::collection::vec(any::<u8>(), 0..200), lines in 0..4) {
            let mut all = match lines {
                0 => Vec::new(),
                1 => format!("{FIRST_LINE}\nstates 1\ntransitions 1\n").into_bytes(),
                2 => format!("{FIRST_LINE_STORED}\nstates 1\ntransitions 1\nstored\n\n").into_bytes(),
                _ => format!("{FIRST_LINE_STORED}\nstates 1\ntransitions 1\nstored\n\n\x09\0\0\0").into_bytes(),
            };
            all.extend(bytes);
            prop_assert!(read(&mut &all[..]).is_err());
        }
    }

    /// Some numbers and bytes as the data of a search.
    struct Something;

    impl Stored for Something {
        fn write(&self, out: &mut Out<'_>) -> io::Result<()> {
            for number in [0, 1, 127, 128, u64::MAX, 1 << 63] {
                out.number(number)?;
            }
            out.bytes(b"all that there is")
        }
    }

    fn written_with_states() -> Vec<u8> {
        let contents = Contents::Stored(&Something);
        let point = Checkpoint { about: "model 1\n", states: 7, transitions: 9, contents };
        let mut bytes = Vec::new();
        assert_eq!(point.write(&mut bytes).unwrap(), bytes.len() as u64);
        bytes
    }

    #[test]
    fn what_is_stored_is_read_back() {
        let past = read(&mut &written_with_states()[..]).unwrap();
        let Known::Stored(mut body) = past.contents else { panic!("there are states") };
        for number in [0, 1, 127, 128, u64::MAX, 1 << 63] {
            assert_eq!(body.number(), Ok(number));
        }
        let mut text = [0; 17];
        body.take(&mut text).unwrap();
        assert_eq!((&text[..], body.is_empty()), (&b"all that there is"[..], true));
        assert!(body.number().is_err() && body.take(&mut [0]).is_err());
    }

    #[test]
    fn no_byte_can_be_another_and_none_missing() {
        none_can_be_another_or_missing(&written(&bits(&[u64::MAX, 3 << 40]), &bits(&[1 << 50])));
        none_can_be_another_or_missing(&written_with_states());
    }

    fn none_can_be_another_or_missing(bytes: &[u8]) {
        for at in 0..bytes.len() {
            for flip in [1, 0x80, 0xff] {
                let mut wrong = bytes.to_vec();
                wrong[at] ^= flip;
                assert!(read(&mut &wrong[..]).is_err(), "{at}");
            }
            assert!(read(&mut &bytes[..at]).is_err(), "{at}");
        }
        let longer = [bytes, &[0]].concat();
        assert_eq!(read(&mut &longer[..]).unwrap_err(), Unusable::Damaged("something follows its end"));
    }

    #[test]
    fn a_length_is_not_believed() {
        let text = format!("{FIRST_LINE}\nstates 1\ntransitions 1\nbits {} 0\n\n", u64::MAX);
        assert_eq!(read(&mut text.as_bytes()).unwrap_err(), SHORT);
        assert_eq!(read(&mut &b"axle certificate 1\n"[..]).unwrap_err(), Unusable::NotOne);
        assert_eq!(read(&mut &b"\x7fELF"[..]).unwrap_err(), Unusable::NotOne);
        let newer = read(&mut &b"axle checkpoint 3\nwhatever"[..]).unwrap_err();
        assert_eq!(newer, Unusable::Version("3".to_string()));
    }
}
