//! Extraction and deposit of the bits of a word, and access to the words of a state.
//!
//! *Entry points:* [`extract`] and [`deposit`]; [`fast`] detects processors with fast instructions.
//!
//! *Source:* the parallel extract of H. Warren, Hacker's Delight, 2nd edition, section 7-4.

/// The words of a state of any width, the last one filled with zeros.
#[inline(always)]
pub(super) fn word(state: &[u8], index: usize) -> u64 {
    match state[8 * index..].first_chunk::<8>() {
        Some(bytes) => u64::from_le_bytes(*bytes),
        None => match state[8 * index..].first_chunk::<4>() {
            Some(bytes) => u64::from(u32::from_le_bytes(*bytes)),
            None => 0,
        },
    }
}

/// Writes a word, or the half of it that fits.
#[inline(always)]
pub(super) fn put(state: &mut [u8], index: usize, word: u64) {
    let to = &mut state[8 * index..];
    match to.first_chunk_mut::<8>() {
        Some(bytes) => *bytes = word.to_le_bytes(),
        None => {
            if let Some(bytes) = to.first_chunk_mut::<4>() {
                *bytes = (word as u32).to_le_bytes();
            }
        }
    }
}

/// Writes as many words as fit into a state, the last one possibly a half.
#[inline(always)]
pub(super) fn write_words(state: &mut [u8], words: &[u64]) {
    let (whole, tail) = state.as_chunks_mut::<8>();
    for (to, word) in whole.iter_mut().zip(words) {
        *to = word.to_le_bytes();
    }
    if let (Some(to), Some(word)) = (tail.first_chunk_mut::<4>(), words.get(whole.len())) {
        *to = (*word as u32).to_le_bytes();
    }
}

/// Like [`write_words`] for a small number of words, one by one: that takes less time than the call
/// of a function that copies any number of bytes.
#[inline(always)]
pub(super) fn write_few<const K: usize>(state: &mut [u8], words: &[u64; K]) {
    let mut rest = state;
    for word in words {
        if rest.len() < 8 {
            if let Some(to) = rest.first_chunk_mut::<4>() {
                *to = (*word as u32).to_le_bytes();
            }
            return;
        }
        let (to, after) = rest.split_at_mut(8);
        to.copy_from_slice(&word.to_le_bytes());
        rest = after;
    }
}

/// The bits of `word` under `mask`, compressed to the low end.
pub(super) fn extract(word: u64, mut mask: u64) -> u64 {
    let (mut bits, mut at) = (0, 0);
    while mask != 0 {
        let low = mask.trailing_zeros();
        let run = (mask >> low).trailing_ones();
        let ones = u64::MAX >> (64 - run);
        bits |= ((word >> low) & ones) << at;
        at += run;
        mask &= !(ones << low);
    }
    bits
}

/// The low bits of `bits`, moved to the positions of `mask`.
pub(super) fn deposit(mut bits: u64, mut mask: u64) -> u64 {
    let mut word = 0;
    while mask != 0 {
        let low = mask.trailing_zeros();
        let run = (mask >> low).trailing_ones();
        let ones = u64::MAX >> (64 - run);
        word |= (bits & ones) << low;
        bits = bits.checked_shr(run).unwrap_or(0);
        mask &= !(ones << low);
    }
    word
}

/// Whether the processor has fast bit extract and deposit instructions. AMD processors before
/// family 19h implement them in microcode that is slower than any loop.
pub(super) fn fast() -> bool {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    {
        // The features for which the loops in `pack.rs` and `unpack.rs` are compiled.
        if !(is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("avx2"))
        {
            return false;
        }
        let vendor = std::arch::x86_64::__cpuid(0);
        let version = std::arch::x86_64::__cpuid(1).eax;
        let family = (version >> 8 & 0xf) + (version >> 20 & 0xff);
        // "AuthenticAMD" and "HygonGenuine", by their first four letters.
        let amd = [u32::from_le_bytes(*b"Auth"), u32::from_le_bytes(*b"Hygo")].contains(&vendor.ebx);
        !amd || family >= 0x19
    }
    #[cfg(not(all(target_arch = "x86_64", not(miri))))]
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extract_and_deposit_are_inverse() {
        for mask in [0, 1, 1 << 63, u64::MAX, 0xf0f0, 0x8000_0000_0000_0001, 0x00ff_ff00_0000_1234] {
            for word in [0, u64::MAX, 0x0123_4567_89ab_cdef] {
                let bits = extract(word, mask);
                assert_eq!(deposit(bits, mask), word & mask);
                assert!(mask.count_ones() == 64 || bits >> mask.count_ones() == 0);
                #[cfg(all(target_arch = "x86_64", not(miri)))]
                if is_x86_feature_detected!("bmi2") {
                    // SAFETY: the processor was asked.
                    unsafe {
                        assert_eq!(bits, std::arch::x86_64::_pext_u64(word, mask));
                        assert_eq!(word & mask, std::arch::x86_64::_pdep_u64(bits, mask));
                    }
                }
            }
        }
    }
}
