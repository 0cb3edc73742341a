//! The file format: a text header with the claim, blocks of states, and an account that summarises
//! them.
//!
//! ```text
//! axle certificate 1          format and version
//! by Axle 0.1.0
//! model peterson.pml          as the user named it
//! argument -DN=3              options of the model; any number of lines
//! fingerprint 8f..            of the model
//! excludes assertion          kinds of faults without a claim; any number of lines
//!                             an empty line
//! blocks                      states, width, bytes (4 bytes each), checksum (8 bytes), the states by `delta.rs`
//! account                     a block of 0 states: see [`Account`]
//! offset of the account       8 bytes, the last ones of the file
//! ```
//!
//! Numbers are little-endian.
//!
//! *Entry points:* [`Claim`], [`Account`]; `record.rs` writes, `verify.rs` reads.

use std::collections::BTreeSet;
use std::io::{self, Read, Seek, SeekFrom};

use axle_step::FaultKind;

/// The version of the format.
pub(crate) const VERSION: &str = "1";

/// The first line without its version.
const MAGIC: &str = "axle certificate ";

/// Size of a block header in bytes.
pub(crate) const HEAD: usize = 20;

/// Size of the numbers of an account in bytes.
const NUMBERS: usize = 32;

/// Maximum size of the text header.
const LONGEST_TEXT: u64 = 1 << 20;

/// Maximum size of a block; written blocks are much smaller.
const LARGEST_BLOCK: usize = 1 << 28;

/// The claim, and the model to which it applies.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Claim {
    /// The version of Axle that wrote it.
    pub axle: String,
    /// The model file, as the user named it.
    pub model: String,
    /// Options of the model: `-DN=3`, `--lossy`, ...
    pub arguments: Vec<String>,
    /// [`fingerprint`](axle_model::dump::fingerprint) of the model.
    pub fingerprint: String,
    /// Kinds of faults without a claim. The certificate claims the absence of all others.
    pub excludes: BTreeSet<FaultKind>,
}

/// Summary of all blocks.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct Account {
    /// Number of states.
    pub states: u64,
    /// Number of transitions from these states, without the one into the initial state.
    pub steps: u64,
    /// Number of process slots of the layout; narrower states are padded with zeros.
    pub slots: u32,
    /// The [`checksum`] of the text header.
    pub text: u64,
    /// The reference state for `mask`.
    pub base: Vec<u8>,
    /// The bits in which some state differs from `base`.
    pub mask: Vec<u8>,
}

/// The reason why a certificate is rejected.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Refused {
    /// The file cannot be read.
    #[error("certificate cannot be read: {0}")]
    Unreadable(String),
    /// Not a certificate file of Axle.
    #[error("not a certificate of Axle")]
    NotOne,
    /// A later version of the format.
    #[error("unsupported certificate version {0}; this version of Axle reads version {VERSION}")]
    Version(String),
    /// A line of the text header is invalid.
    #[error("invalid line '{0}' in the certificate")]
    Line(String),
    /// The certificate was made from another model.
    #[error(
        "certificate does not match this model: it was made from `{0}`, which has changed since or was read with other options"
    )]
    OtherModel(String),
    /// The checksum or the structure of the file is invalid.
    #[error("certificate corrupted at byte {0}: {1}")]
    Damaged(u64, &'static str),
    /// The account contradicts the blocks.
    #[error("the account of the certificate is wrong: {0}")]
    Account(&'static str),
    /// Bytes that are not a state of the model.
    #[error("state {0} of the certificate is not a state of the model: {1}")]
    NoState(u64, &'static str),
    /// A state occurs twice.
    #[error("state {0} of the certificate is a duplicate")]
    Twice(u64),
    /// Not enough memory.
    #[error("not enough memory for the {0} states of the certificate")]
    Memory(u64),
    /// The initial state is missing.
    #[error("the certificate does not contain the initial state of the model")]
    NoStart,
    /// The set is not closed under transitions.
    #[error("the set of states is not closed: a transition leaves it from {0}")]
    NotClosed(String),
    /// The model has a violation that the certificate does not exclude.
    #[error("the model has a violation: {kind}, in {state}", kind = .kind.name())]
    Fault {
        /// The kind of the violation.
        kind: FaultKind,
        /// The violating state, or the state before it.
        state: String,
    },
    /// The successors of some states exceed the available memory.
    #[error("not enough memory for the successors of some states")]
    TooManySteps,
    /// Compiled code and interpreter disagree.
    #[error("internal error: compiled code and interpreter disagree on {0}")]
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

/// A checksum against accidental corruption. It is no protection against deliberate changes: the
/// verifier rejects a false certificate by its content.
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
    /// The text header.
    pub(crate) fn text(&self) -> String {
        // Names may contain any character and must not be confused with header lines.
        let line = |word: &str, value: &str| format!("{word} {}\n", value.replace(char::is_control, "?"));
        let mut text = format!("{MAGIC}{VERSION}\n");
        text += &line("by Axle", &self.axle);
        text += &line("model", &self.model);
        self.arguments.iter().for_each(|argument| text += &line("argument", argument));
        text += &line("fingerprint", &self.fingerprint);
        self.excludes.iter().for_each(|&kind| text += &line("excludes", kind.name()));
        text + "\n"
    }

    /// Reads the text header completely.
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
    /// The bytes of its block, without the block header.
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

    /// Reads the account at the end of a file, and returns the end of the blocks.
    pub(crate) fn read(from: &mut (impl Read + Seek)) -> Result<(Account, u64), Refused> {
        let size = from.seek(SeekFrom::End(0))?;
        let damaged = |what| Refused::Damaged(size, what);
        let last = size.checked_sub(8).ok_or_else(|| damaged("unexpected end of file"))?;
        from.seek(SeekFrom::Start(last))?;
        let mut word = [0; 8];
        from.read_exact(&mut word)?;
        let begin = u64::from_le_bytes(word);
        if begin >= last {
            return Err(damaged("unexpected end of file"));
        }
        from.seek(SeekFrom::Start(begin))?;
        let mut bytes = Vec::new();
        let head = Head::read(from, begin, &mut bytes)?;
        if head.states != 0 || begin + (HEAD + bytes.len()) as u64 != last {
            return Err(Refused::Damaged(begin, "expected the account"));
        }
        let width = head.width as usize;
        if bytes.len() != NUMBERS + 2 * width {
            return Err(Refused::Account("length"));
        }
        let number = |at: usize| {
            let mut word = [0; 8];
            word.copy_from_slice(&bytes[at..at + 8]);
            u64::from_le_bytes(word)
        };
        let account = Account {
            states: number(0),
            steps: number(8),
            slots: u32::try_from(number(16)).map_err(|_| Refused::Account("width of states"))?,
            text: number(24),
            base: bytes[NUMBERS..NUMBERS + width].to_vec(),
            mask: bytes[NUMBERS + width..].to_vec(),
        };
        // A state takes at least one byte. This bounds the number of states for which memory is
        // reserved.
        if account.states == 0 || account.states > size {
            return Err(Refused::Account("number of states"));
        }
        Ok((account, begin))
    }
}

/// The header of a block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Head {
    /// Number of states; 0 for the account.
    pub states: u32,
    /// Size of each state in bytes.
    pub width: u32,
}

impl Head {
    /// The header of a block with this content.
    pub(crate) fn bytes(self, inside: &[u8]) -> [u8; HEAD] {
        let mut bytes = [0; HEAD];
        bytes[..4].copy_from_slice(&self.states.to_le_bytes());
        bytes[4..8].copy_from_slice(&self.width.to_le_bytes());
        bytes[8..12].copy_from_slice(&(inside.len() as u32).to_le_bytes());
        let sum = checksum([&bytes[..12], inside]);
        bytes[12..].copy_from_slice(&sum.to_le_bytes());
        bytes
    }

    /// Reads a block at offset `at`; its content goes to `inside`.
    pub(crate) fn read(from: &mut impl Read, at: u64, inside: &mut Vec<u8>) -> Result<Head, Refused> {
        let early = |_| Refused::Damaged(at, "unexpected end of file");
        let mut bytes = [0; HEAD];
        from.read_exact(&mut bytes).map_err(early)?;
        let word = |at: usize| u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
        let (states, width, length) = (word(0), word(4), word(8) as usize);
        if length > LARGEST_BLOCK {
            return Err(Refused::Damaged(at, "block too long"));
        }
        inside.clear();
        if from.take(length as u64).read_to_end(inside)? != length {
            return Err(Refused::Damaged(at, "unexpected end of file"));
        }
        let head = Head { states, width };
        match head.bytes(inside) == bytes {
            true => Ok(head),
            false => Err(Refused::Damaged(at, "wrong checksum")),
        }
    }
}
