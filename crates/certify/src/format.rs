//! The file: lines of text that say what is claimed of which model, then blocks of states, then an
//! account of them all.
//!
//! ```text
//! axle certificate 1          the form and its version
//! by Axle 0.1.0
//! model peterson.pml          as the user named it
//! argument -DN=3              how it was read; any number of lines
//! fingerprint 8f..            of the model
//! excludes assertion          kinds of faults that nothing is claimed about; any number of lines
//!                             an empty line
//! blocks                      states, width, bytes (4 bytes each), checksum (8 bytes), the states by `delta.rs`
//! account                     a block of 0 states: see [`Account`]
//! where the account begins    8 bytes, the last ones of the file
//! ```
//!
//! Numbers have their lowest byte first.
//!
//! *Entry points:* [`Claim`], [`Account`]; `record.rs` writes, `verify.rs` reads.

use std::collections::BTreeSet;
use std::io::{self, Read, Seek, SeekFrom};

use axle_model::Model;
use axle_step::FaultKind;

/// The version of the form.
pub(crate) const VERSION: &str = "1";

/// The first line without its version.
const MAGIC: &str = "axle certificate ";

/// Bytes before the states of a block.
pub(crate) const HEAD: usize = 20;

/// Bytes of the numbers of an account.
const NUMBERS: usize = 32;

/// The longest text before the blocks.
const LONGEST_TEXT: u64 = 1 << 20;

/// The largest block; a writer makes much smaller ones.
const LARGEST_BLOCK: usize = 1 << 28;

/// What is claimed of which model.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Claim {
    /// The version of Axle that wrote it.
    pub axle: String,
    /// The model file, as the user named it.
    pub model: String,
    /// How the model was read: `-DN=3`, `--lossy`, ...
    pub arguments: Vec<String>,
    /// [`fingerprint`] of the model.
    pub fingerprint: String,
    /// Kinds of faults that nothing is claimed about. Of all others it is claimed that there are none.
    pub excludes: BTreeSet<FaultKind>,
}

/// What the blocks hold together.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct Account {
    /// How many states.
    pub states: u64,
    /// How many steps lead from them, the way into the initial state not counted.
    pub steps: u64,
    /// Room for so many process numbers is in each; narrower ones end in zeros.
    pub slots: u32,
    /// The [`checksum`] of the text before the blocks.
    pub text: u64,
    /// The state in comparison to which `mask` says what varies.
    pub base: Vec<u8>,
    /// The bits in which some state differs from `base`.
    pub mask: Vec<u8>,
}

/// Why a certificate is not accepted.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Refused {
    /// It could not be read.
    #[error("it cannot be read: {0}")]
    Unreadable(String),
    /// Not a file that Axle wrote.
    #[error("it is not a certificate of Axle")]
    NotOne,
    /// Of a later version.
    #[error("it has version {0}, and this version of Axle reads version {VERSION}")]
    Version(String),
    /// A line of its text means nothing.
    #[error("its line '{0}' means nothing")]
    Line(String),
    /// It is of another model.
    #[error(
        "it belongs to another model: it was made of `{0}`, which has changed since or was read with other options"
    )]
    OtherModel(String),
    /// It is not as it was written.
    #[error("it is damaged at byte {0}: {1}")]
    Damaged(u64, &'static str),
    /// The account does not say what the blocks hold.
    #[error("its account is wrong: {0}")]
    Account(&'static str),
    /// Bytes that are no state of the model.
    #[error("number {0} of its states is none of the model: {1}")]
    NoState(u64, &'static str),
    /// A state stands there twice.
    #[error("number {0} of its states was there before")]
    Twice(u64),
    /// There is not the memory for it.
    #[error("there is not enough memory for its {0} states")]
    Memory(u64),
    /// The initial state is missing.
    #[error("the initial state of the model is not among its states")]
    NoStart,
    /// A step leads out of the set.
    #[error("the set of states is not closed: a step leads out of it, from {0}")]
    NotClosed(String),
    /// Something goes wrong after all.
    #[error("the model is at fault: {kind}, in {state}", kind = .kind.name())]
    Fault {
        /// What goes wrong.
        kind: FaultKind,
        /// The state in which it does, or before it.
        state: String,
    },
    /// More steps lead from some of its states than there is memory for.
    #[error("more steps lead from some of its states than there is memory for")]
    TooManySteps,
    /// The two engines do not agree.
    #[error("this is a fault of Axle: compiled code and the interpreter differ in {0}")]
    Engines(String),
    /// The model cannot be compiled.
    #[error("the model cannot be compiled: {0}")]
    NotCompiled(String),
}

impl From<io::Error> for Refused {
    fn from(fault: io::Error) -> Refused {
        Refused::Unreadable(fault.to_string())
    }
}

/// A number that differs where models do, but for the names of their files.
pub fn fingerprint(model: &Model) -> String {
    let mut nameless = model.clone();
    nameless.files.iter_mut().for_each(String::clear);
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for byte in axle_model::dump::dump(&nameless).bytes() {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    }
    format!("{hash:016x}")
}

/// A sum over bytes that tells whether they are as they were written. It protects from accidents; whoever changes a
/// file on purpose can change the sum too, and must be refused for what the file says.
pub(crate) fn checksum(parts: [&[u8]; 2]) -> u64 {
    let mut sum = 0xcbf2_9ce4_8422_2325_u64;
    for part in parts {
        for chunk in part.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            sum = (sum ^ u64::from_le_bytes(word)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            sum ^= sum >> 29;
        }
    }
    sum
}

impl Claim {
    /// The text before the blocks.
    pub(crate) fn text(&self) -> String {
        // A name may hold anything, and must not look like lines of ours.
        let line = |word: &str, value: &str| format!("{word} {}\n", value.replace(char::is_control, "?"));
        let mut text = format!("{MAGIC}{VERSION}\n");
        text += &line("by Axle", &self.axle);
        text += &line("model", &self.model);
        self.arguments.iter().for_each(|argument| text += &line("argument", argument));
        text += &line("fingerprint", &self.fingerprint);
        self.excludes.iter().for_each(|&kind| text += &line("excludes", kind.name()));
        text + "\n"
    }

    /// Reads the text before the blocks, to its last byte.
    pub(crate) fn read(from: &mut impl Read) -> Result<Claim, Refused> {
        let mut bytes = from.take(LONGEST_TEXT);
        let mut line = || -> Result<String, Refused> {
            let mut text = Vec::new();
            loop {
                let mut byte = [0];
                match bytes.read(&mut byte)? {
                    0 => return Err(Refused::NotOne),
                    _ if byte == *b"\n" => break,
                    _ => text.push(byte[0]),
                }
            }
            String::from_utf8(text).map_err(|_| Refused::NotOne)
        };
        let first = line()?;
        match first.strip_prefix(MAGIC) {
            Some(VERSION) => {}
            Some(other) => return Err(Refused::Version(other.to_string())),
            None => return Err(Refused::NotOne),
        }
        let mut claim = Claim::default();
        loop {
            let text = line()?;
            if text.is_empty() {
                return Ok(claim);
            }
            let nothing = || Refused::Line(text.clone());
            let (word, value) = text.split_once(' ').ok_or_else(nothing)?;
            match word {
                "by" => claim.axle = value.strip_prefix("Axle ").ok_or_else(nothing)?.to_string(),
                "model" => claim.model = value.to_string(),
                "argument" => claim.arguments.push(value.to_string()),
                "fingerprint" => claim.fingerprint = value.to_string(),
                "excludes" => {
                    claim.excludes.insert(FaultKind::named(value).ok_or_else(nothing)?);
                }
                _ => return Err(nothing()),
            }
        }
    }
}

impl Account {
    /// The bytes of its block, after the head.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        bytes.extend(self.states.to_le_bytes());
        bytes.extend(self.steps.to_le_bytes());
        bytes.extend(u64::from(self.slots).to_le_bytes());
        bytes.extend(self.text.to_le_bytes());
        bytes.extend(&self.base);
        bytes.extend(&self.mask);
        bytes
    }

    /// Reads the account from the end of a file, and says where the blocks end.
    pub(crate) fn read(from: &mut (impl Read + Seek)) -> Result<(Account, u64), Refused> {
        let size = from.seek(SeekFrom::End(0))?;
        let damaged = |what| Refused::Damaged(size, what);
        let last = size.checked_sub(8).ok_or_else(|| damaged("it ends too early"))?;
        from.seek(SeekFrom::Start(last))?;
        let mut word = [0; 8];
        from.read_exact(&mut word)?;
        let begin = u64::from_le_bytes(word);
        if begin >= last {
            return Err(damaged("it ends too early"));
        }
        from.seek(SeekFrom::Start(begin))?;
        let mut bytes = Vec::new();
        let head = Head::read(from, begin, &mut bytes)?;
        if head.states != 0 || begin + (HEAD + bytes.len()) as u64 != last {
            return Err(Refused::Damaged(begin, "here should be its account"));
        }
        let width = head.width as usize;
        if bytes.len() != NUMBERS + 2 * width {
            return Err(Refused::Account("its length"));
        }
        let number = |at: usize| {
            let mut word = [0; 8];
            word.copy_from_slice(&bytes[at..at + 8]);
            u64::from_le_bytes(word)
        };
        let account = Account {
            states: number(0),
            steps: number(8),
            slots: u32::try_from(number(16)).map_err(|_| Refused::Account("the width of states"))?,
            text: number(24),
            base: bytes[NUMBERS..NUMBERS + width].to_vec(),
            mask: bytes[NUMBERS + width..].to_vec(),
        };
        // Each state takes a byte at least: whoever makes room for them must be able to believe the number.
        if account.states == 0 || account.states > size {
            return Err(Refused::Account("the number of states"));
        }
        Ok((account, begin))
    }
}

/// What stands before the states of a block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Head {
    /// How many states; 0 before the account.
    pub states: u32,
    /// Bytes of each.
    pub width: u32,
}

impl Head {
    /// The bytes of the head of a block with this inside.
    pub(crate) fn bytes(self, inside: &[u8]) -> [u8; HEAD] {
        let mut bytes = [0; HEAD];
        bytes[..4].copy_from_slice(&self.states.to_le_bytes());
        bytes[4..8].copy_from_slice(&self.width.to_le_bytes());
        bytes[8..12].copy_from_slice(&(inside.len() as u32).to_le_bytes());
        let sum = checksum([&bytes[..12], inside]);
        bytes[12..].copy_from_slice(&sum.to_le_bytes());
        bytes
    }

    /// Reads a block that begins at byte `at`: its inside goes to `inside`.
    pub(crate) fn read(from: &mut impl Read, at: u64, inside: &mut Vec<u8>) -> Result<Head, Refused> {
        let early = |_| Refused::Damaged(at, "it ends too early");
        let mut bytes = [0; HEAD];
        from.read_exact(&mut bytes).map_err(early)?;
        let word = |at: usize| u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
        let (states, width, length) = (word(0), word(4), word(8) as usize);
        if length > LARGEST_BLOCK {
            return Err(Refused::Damaged(at, "a block is too long"));
        }
        inside.clear();
        if from.take(length as u64).read_to_end(inside)? != length {
            return Err(Refused::Damaged(at, "it ends too early"));
        }
        let head = Head { states, width };
        match head.bytes(inside) == bytes {
            true => Ok(head),
            false => Err(Refused::Damaged(at, "its checksum is another")),
        }
    }
}
