//! Delta encoding of states: each state is stored as its difference from the preceding one. The
//! encoding is the number of differing bytes and, for each, the gap to the previous one and its
//! value. Successive states of a search are similar, so a state takes about a dozen bytes.
//!
//! *Entry points:* [`encode`] and [`decode`].
//! *Invariant:* the encoding of a state has at least one byte.

/// Appends `states` of `width` bytes each. The first is compared with zeros.
pub(crate) fn encode(states: &[u8], width: usize, out: &mut Vec<u8>) {
    let zeros = vec![0; width];
    let mut before = &zeros[..];
    for state in states.chunks_exact(width) {
        let count_at = out.len();
        out.extend([0, 0]);
        let (mut count, mut last) = (0u16, 0usize);
        for at in (0..width).step_by(4) {
            if state[at..at + 4] == before[at..at + 4] {
                continue;
            }
            for byte in at..at + 4 {
                if state[byte] != before[byte] {
                    number(byte - last, out);
                    out.push(state[byte]);
                    (count, last) = (count + 1, byte);
                }
            }
        }
        out[count_at..count_at + 2].copy_from_slice(&count.to_le_bytes());
        before = state;
    }
}

/// LEB128: seven bits per byte, the highest bit set if more bytes follow.
fn number(mut value: usize, out: &mut Vec<u8>) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

/// Reads `count` states of `width` bytes and appends them, each padded with zeros to `wide` bytes.
/// `None` if the bytes are not an output of [`encode`].
pub(crate) fn decode(bytes: &[u8], count: usize, width: usize, wide: usize, out: &mut Vec<u8>) -> Option<()> {
    let mut bytes = bytes.iter();
    let mut state = vec![0; wide];
    for _ in 0..count {
        let differ = u16::from_le_bytes([*bytes.next()?, *bytes.next()?]);
        let mut at = 0usize;
        for _ in 0..differ {
            at = at.checked_add(read_number(&mut bytes)?)?;
            if at >= width {
                return None;
            }
            state[at] = *bytes.next()?;
        }
        out.extend_from_slice(&state);
    }
    bytes.next().is_none().then_some(())
}

fn read_number(bytes: &mut std::slice::Iter<u8>) -> Option<usize> {
    let mut value = 0;
    for shift in [0, 7, 14, 21] {
        let byte = *bytes.next()?;
        value |= usize::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            return Some(value);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_encoded_is_decoded() {
        for (width, wide) in [(4, 4), (12, 20), (1200, 1200)] {
            let states: Vec<u8> = (0..width * 40)
                .map(|i| if i % 7 == 0 || i % width > width - 3 { (i * i / 31) as u8 } else { 3 })
                .collect();
            let mut bytes = Vec::new();
            encode(&states, width, &mut bytes);
            let mut back = Vec::new();
            decode(&bytes, 40, width, wide, &mut back).expect("it was written so");
            for (state, widened) in states.chunks(width).zip(back.chunks(wide)) {
                assert_eq!(state, &widened[..width]);
                assert!(widened[width..].iter().all(|&byte| byte == 0));
            }
            assert_eq!(decode(&bytes, 39, width, wide, &mut Vec::new()), None, "something is left over");
            assert_eq!(decode(&bytes, 41, width, wide, &mut Vec::new()), None, "something is missing");
            assert_eq!(decode(&bytes, 40, 3, wide, &mut Vec::new()), None, "a byte lies outside");
        }
    }
}
