//! Objects in packs: found through the index of a pack, as a whole or as a difference from another
//! object.
//!
//! *Entry point:* [`Packs::object`].
//! *Source:* Git, Documentation/gitformat-pack, "version 2 pack-*.idx files" and "Deltified
//! representation".
//! *Invariant:* every offset that a file contains is checked against the size of the file.

use std::fs::File;
use std::path::{Path, PathBuf};

use miniz_oxide::inflate::decompress_to_vec_zlib_with_limit;

use super::files::{Fault, fault, opened, read_at};
use super::objects::{Id, Kind, LARGEST};

/// Packs that are searched.
const MOST_PACKS: usize = 1_000;

/// Objects from which one object is made.
const MOST_DELTAS: usize = 200;

/// Bytes before the table of names in an index.
const HEAD: u64 = 8 + 256 * 4;

/// An object by kind and content.
type Object = (Kind, Vec<u8>);

/// The packs of a repository.
#[derive(Debug)]
pub(super) struct Packs {
    folder: PathBuf,
    packs: Option<Vec<Pack>>,
}

/// A pack with its index.
#[derive(Debug)]
struct Pack {
    index: File,
    index_path: PathBuf,
    pack: File,
    pack_path: PathBuf,
    size: u64,
    /// For each first byte of a name the number of names up to it.
    fanout: Vec<u32>,
}

impl Packs {
    pub(super) fn new(folder: PathBuf) -> Packs {
        Packs { folder, packs: None }
    }

    /// An object. `elsewhere` finds objects that are in no pack.
    pub(super) fn object(
        &mut self,
        id: Id,
        elsewhere: &mut dyn FnMut(Id) -> Result<Option<Object>, Fault>,
    ) -> Result<Option<Object>, Fault> {
        let mut packs = match self.packs.take() {
            Some(packs) => packs,
            None => found(&self.folder)?,
        };
        let result = assembled(&mut packs, id, elsewhere);
        self.packs = Some(packs);
        result
    }
}

/// The packs in a folder.
fn found(folder: &Path) -> Result<Vec<Pack>, Fault> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Ok(Vec::new()) };
    let mut indices: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    indices.retain(|path| path.extension().is_some_and(|extension| extension == "idx"));
    indices.sort();
    indices.truncate(MOST_PACKS);
    let mut packs = Vec::new();
    for index_path in indices {
        let pack_path = index_path.with_extension("pack");
        let (Some((mut index, _)), Some((pack, size))) = (opened(&index_path)?, opened(&pack_path)?) else {
            continue;
        };
        let head = read_at(&mut index, &index_path, 0, HEAD as usize)?;
        if head[..8] != [0xff, b't', b'O', b'c', 0, 0, 0, 2] {
            return Err(fault(index_path.display(), "this is no index of version 2"));
        }
        let fanout: Vec<u32> = head[8..].chunks_exact(4).map(number).collect();
        if !fanout.is_sorted() {
            return Err(fault(index_path.display(), "the index is damaged"));
        }
        packs.push(Pack { index, index_path, pack, pack_path, size, fanout });
    }
    Ok(packs)
}

fn number(bytes: &[u8]) -> u32 {
    bytes.iter().fold(0, |number, byte| number << 8 | u32::from(*byte))
}

/// An object, with the differences from its base applied.
fn assembled(
    packs: &mut [Pack],
    id: Id,
    elsewhere: &mut dyn FnMut(Id) -> Result<Option<Object>, Fault>,
) -> Result<Option<Object>, Fault> {
    let mut place = None;
    for (number, pack) in packs.iter_mut().enumerate() {
        if let Some(offset) = pack.offset(id)? {
            place = Some((number, offset));
            break;
        }
    }
    let Some((number, mut offset)) = place else { return Ok(None) };
    let mut deltas = Vec::new();
    let (kind, mut content) = loop {
        let pack = &mut packs[number];
        match pack.entry(offset)? {
            Entry::Whole(kind, content) => break (kind, content),
            Entry::Delta(base, delta) => {
                deltas.push(delta);
                if deltas.len() > MOST_DELTAS {
                    let problem = format!("an object is made of more than {MOST_DELTAS} others");
                    return Err(fault(pack.pack_path.display(), problem));
                }
                match base {
                    Base::At(at) => offset = at,
                    Base::Named(base) => match pack.offset(base)? {
                        Some(at) => offset = at,
                        None => {
                            let missing = || fault(pack.pack_path.display(), "a base is missing");
                            break elsewhere(base)?.ok_or_else(missing)?;
                        }
                    },
                }
            }
        }
    };
    for delta in deltas.iter().rev() {
        let damaged = || fault(packs[number].pack_path.display(), "a difference is damaged");
        content = applied(&content, delta).ok_or_else(damaged)?;
    }
    Ok(Some((kind, content)))
}

/// An object as it is in a pack.
enum Entry {
    Whole(Kind, Vec<u8>),
    Delta(Base, Vec<u8>),
}

/// The object to which a difference applies.
enum Base {
    At(u64),
    Named(Id),
}

impl Pack {
    /// The offset of an object in the pack.
    fn offset(&mut self, id: Id) -> Result<Option<u64>, Fault> {
        let first = usize::from(id.0[0]);
        let all = u64::from(self.fanout[255]);
        let start = if first == 0 { 0 } else { u64::from(self.fanout[first - 1]) };
        let (mut low, mut high) = (start, u64::from(self.fanout[first]));
        while low < high {
            let middle = low + (high - low) / 2;
            let name = read_at(&mut self.index, &self.index_path, HEAD + middle * 20, 20)?;
            match name.as_slice().cmp(&id.0) {
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
                std::cmp::Ordering::Equal => {
                    let short = HEAD + all * 24 + middle * 4;
                    let offset = number(&read_at(&mut self.index, &self.index_path, short, 4)?);
                    if offset >> 31 == 0 {
                        return Ok(Some(u64::from(offset)));
                    }
                    let long = HEAD + all * 28 + u64::from(offset & 0x7fff_ffff) * 8;
                    let bytes = read_at(&mut self.index, &self.index_path, long, 8)?;
                    return Ok(Some(u64::from(number(&bytes[..4])) << 32 | u64::from(number(&bytes[4..]))));
                }
            }
        }
        Ok(None)
    }

    fn entry(&mut self, offset: u64) -> Result<Entry, Fault> {
        let path = self.pack_path.clone();
        let damaged = move |problem: &str| fault(path.display(), format!("byte {offset}: {problem}"));
        let left = self.size.checked_sub(offset).filter(|left| *left > 0);
        let left = left.ok_or_else(|| damaged("the offset is behind the end"))?;
        // Kind and size, and an offset or a name.
        let head = read_at(&mut self.pack, &self.pack_path, offset, left.min(64) as usize)?;
        let mut at = 0;
        let mut next = || {
            let byte = head.get(at).copied();
            at += 1;
            byte.ok_or_else(|| damaged("the object has no header"))
        };
        let first = next()?;
        let (mut size, mut shift, mut byte) = (u64::from(first & 15), 4, first);
        while byte & 0x80 != 0 {
            byte = next()?;
            if shift > 32 {
                return Err(damaged("the object is too large"));
            }
            size |= u64::from(byte & 0x7f) << shift;
            shift += 7;
        }
        if size > LARGEST as u64 {
            return Err(damaged("the object is too large"));
        }
        let base = match first >> 4 & 7 {
            6 => {
                let mut byte = next()?;
                let mut back = u64::from(byte & 0x7f);
                while byte & 0x80 != 0 {
                    byte = next()?;
                    back = (back + 1).checked_shl(7).unwrap_or(u64::MAX) | u64::from(byte & 0x7f);
                }
                let base = offset.checked_sub(back).filter(|_| back > 0);
                Some(Base::At(base.ok_or_else(|| damaged("the base is before the start"))?))
            }
            7 => {
                let mut id = [0; 20];
                for byte in &mut id {
                    *byte = next()?;
                }
                Some(Base::Named(Id(id)))
            }
            _ => None,
        };
        // Compressed data are at most a little larger than the content.
        let most = (size + size / 1000 + 1024).min(left - at as u64);
        let packed = read_at(&mut self.pack, &self.pack_path, offset + at as u64, most as usize)?;
        let content = decompress_to_vec_zlib_with_limit(&packed, (size as usize).max(1))
            .ok()
            .filter(|content| content.len() as u64 == size)
            .ok_or_else(|| damaged("the object is damaged"))?;
        Ok(match (base, first >> 4 & 7) {
            (Some(base), _) => Entry::Delta(base, content),
            (None, 1) => Entry::Whole(Kind::Commit, content),
            (None, 2) => Entry::Whole(Kind::Tree, content),
            (None, 3) => Entry::Whole(Kind::Blob, content),
            (None, 4) => Entry::Whole(Kind::Tag, content),
            (None, _) => return Err(damaged("the object is of no known kind")),
        })
    }
}

/// The object that a difference makes of another one; none if the difference is damaged.
fn applied(base: &[u8], delta: &[u8]) -> Option<Vec<u8>> {
    let mut rest = delta.iter().copied();
    let mut length = || {
        let (mut length, mut shift) = (0u64, 0);
        loop {
            let byte = rest.next()?;
            length |= u64::from(byte & 0x7f).checked_shl(shift)?;
            shift += 7;
            if byte & 0x80 == 0 || shift > 56 {
                return usize::try_from(length).ok();
            }
        }
    };
    let (from, to) = (length()?, length()?);
    if from != base.len() || to > LARGEST {
        return None;
    }
    let mut made = Vec::with_capacity(to);
    while let Some(order) = rest.next() {
        if order & 0x80 == 0 {
            let count = usize::from(order);
            made.extend(rest.by_ref().take(count));
            if count == 0 {
                return None;
            }
        } else {
            let mut part = |bits: std::ops::Range<u32>| {
                let mut value = 0usize;
                for (at, bit) in bits.enumerate() {
                    if order >> bit & 1 == 1 {
                        value |= usize::from(rest.next()?) << (8 * at);
                    }
                }
                Some(value)
            };
            let (offset, count) = (part(0..4)?, part(4..7)?);
            let count = if count == 0 { 0x10000 } else { count };
            made.extend_from_slice(base.get(offset..offset.checked_add(count)?)?);
        }
        if made.len() > to {
            return None;
        }
    }
    (made.len() == to).then_some(made)
}

#[cfg(test)]
mod tests {
    use super::applied;

    #[test]
    fn differences_copy_and_insert() {
        // Copy 3 bytes from offset 2, insert two.
        let delta = [6, 5, 0x91, 2, 3, 2, b'x', b'y'];
        assert_eq!(applied(b"abcdef", &delta).as_deref(), Some(&b"cdexy"[..]));
        for length in 0..delta.len() {
            assert_eq!(applied(b"abcdef", &delta[..length]), None, "{length}");
        }
        assert_eq!(applied(b"abcde", &delta), None);
        assert_eq!(applied(b"abcdef", &[6, 9, 0x91, 2, 9]), None);
        assert_eq!(applied(b"abcdef", &[6, 1, 0]), None);
    }
}
