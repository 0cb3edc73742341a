//! Operations on cache lines: prefetching, and searching for a tag or a word.
//!
//! Each operation has a portable version that defines its meaning; both are compared in tests.
//!
//! *Entry points:* [`prefetch`], [`match_tags`], [`match_words`].

/// Prefetch hints of the processor.
const READ: i32 = 3;
const WRITE: i32 = 7;

/// Prefetches the line at `place[index]`. An index out of range has no effect.
#[inline(always)]
pub(crate) fn prefetch<T>(place: &[T], index: usize) {
    fetch::<READ, T>(place, index);
}

/// Prefetches a line that will be written: other processors that hold it invalidate it at once.
#[inline(always)]
pub(crate) fn prefetch_to_write<T>(place: &[T], index: usize) {
    fetch::<WRITE, T>(place, index);
}

#[inline(always)]
fn fetch<const WHAT: i32, T>(place: &[T], index: usize) {
    let address = place.as_ptr().wrapping_add(index).cast::<i8>();
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    // SAFETY: a prefetch never faults and changes nothing that a program can see, whatever the
    // address.
    unsafe {
        std::arch::x86_64::_mm_prefetch::<WHAT>(address)
    };
    #[cfg(not(all(target_arch = "x86_64", not(miri))))]
    // Nothing is prefetched elsewhere.
    let _ = address;
}

/// One bit for each of the 16 bytes that equals `tag`, the lowest for the first.
#[inline(always)]
pub(crate) fn match_tags(tags: &[u8; 16], tag: u8) -> u32 {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    {
        use std::arch::x86_64::*;
        // SAFETY: the load reads the 16 bytes of `tags`, at any alignment; SSE2 is part of x86-64.
        let line = unsafe { _mm_loadu_si128(tags.as_ptr().cast()) };
        // SAFETY: SSE2 is part of x86-64; the operations only touch registers.
        unsafe { _mm_movemask_epi8(_mm_cmpeq_epi8(line, _mm_set1_epi8(tag as i8))) as u32 }
    }
    #[cfg(not(all(target_arch = "x86_64", not(miri))))]
    portable_match_tags(tags, tag)
}

/// Like [`match_tags`], for 16 bytes that were read as two words. They stay in registers: storing
/// them separately and loading them together would prevent store forwarding.
#[inline(always)]
pub(crate) fn match_tag_words(tags: [u64; 2], tag: u8) -> u32 {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    {
        use std::arch::x86_64::*;
        // SAFETY: SSE2 is part of x86-64; the operations only touch registers.
        unsafe {
            let line = _mm_set_epi64x(tags[1] as i64, tags[0] as i64);
            _mm_movemask_epi8(_mm_cmpeq_epi8(line, _mm_set1_epi8(tag as i8))) as u32
        }
    }
    #[cfg(not(all(target_arch = "x86_64", not(miri))))]
    {
        let both = u128::from(tags[0]) | u128::from(tags[1]) << 64;
        portable_match_tags(&both.to_le_bytes(), tag)
    }
}

/// One bit for each of the 16 words that equals `word`, the lowest for the first.
#[inline(always)]
pub(crate) fn match_words(words: &[u32; 16], word: u32) -> u32 {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    {
        use std::arch::x86_64::*;
        let at = words.as_ptr().cast::<__m128i>();
        // SAFETY: the four loads read the 64 bytes of `words`, at any alignment; SSE2 is part of
        // x86-64.
        unsafe {
            let want = _mm_set1_epi32(word as i32);
            let equal = |i| _mm_cmpeq_epi32(_mm_loadu_si128(at.add(i)), want);
            let low = _mm_packs_epi32(equal(0), equal(1));
            let high = _mm_packs_epi32(equal(2), equal(3));
            _mm_movemask_epi8(_mm_packs_epi16(low, high)) as u32
        }
    }
    #[cfg(not(all(target_arch = "x86_64", not(miri))))]
    portable_match_words(words, word)
}

/// Like [`match_words`], for 16 words that were read in pairs and stay in registers
/// ([`match_tag_words`]).
#[inline(always)]
pub(crate) fn match_word_pairs(pairs: &[u64; 8], word: u32) -> u32 {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    {
        use std::arch::x86_64::*;
        // SAFETY: SSE2 is part of x86-64; the operations only touch registers.
        unsafe {
            let want = _mm_set1_epi32(word as i32);
            let equal = |i: usize| {
                _mm_cmpeq_epi32(_mm_set_epi64x(pairs[2 * i + 1] as i64, pairs[2 * i] as i64), want)
            };
            let low = _mm_packs_epi32(equal(0), equal(1));
            let high = _mm_packs_epi32(equal(2), equal(3));
            _mm_movemask_epi8(_mm_packs_epi16(low, high)) as u32
        }
    }
    #[cfg(not(all(target_arch = "x86_64", not(miri))))]
    {
        let half = |i: usize| (pairs[i / 2] >> half_shift(i)) as u32;
        portable_match_words(&std::array::from_fn(half), word)
    }
}

/// The shift of a word within its pair, such that words read alone have the position they have in
/// pairs.
#[inline(always)]
pub(crate) fn half_shift(place: usize) -> u32 {
    let second = (place % 2 == 1) != cfg!(target_endian = "big");
    32 * u32::from(second)
}

#[cfg(any(test, miri, not(target_arch = "x86_64")))]
fn portable_match_tags(tags: &[u8; 16], tag: u8) -> u32 {
    tags.iter().rev().fold(0, |mask, &t| mask << 1 | u32::from(t == tag))
}

#[cfg(any(test, miri, not(target_arch = "x86_64")))]
fn portable_match_words(words: &[u32; 16], word: u32) -> u32 {
    words.iter().rev().fold(0, |mask, &w| mask << 1 | u32::from(w == word))
}

#[cfg(test)]
mod tests {
    use super::*;
    use axle_generate::Random;

    #[test]
    fn fast_and_portable_agree() {
        let mut random = Random::of(1, 0);
        for _ in 0..2000 {
            let mut tags = [0u8; 16];
            let mut words = [0u32; 16];
            for i in 0..16 {
                let seed = random.number();
                tags[i] = (seed >> 60) as u8 | (seed >> 50) as u8 & 0x80;
                words[i] = (seed >> 62) as u32 * 0x4000_0001;
            }
            for tag in [0, 1, 5, 0x80, 0x8f, 0xff] {
                assert_eq!(match_tags(&tags, tag), portable_match_tags(&tags, tag));
                let both = u128::from_le_bytes(tags);
                let words = [both as u64, (both >> 64) as u64];
                assert_eq!(match_tag_words(words, tag), portable_match_tags(&tags, tag));
            }
            for word in [0, 0x4000_0001, 0x8000_0002, 0xc000_0003, 1] {
                assert_eq!(match_words(&words, word), portable_match_words(&words, word));
                let half = |i: usize| u64::from(words[i]) << half_shift(i);
                let pairs = std::array::from_fn(|i| half(2 * i) | half(2 * i + 1));
                assert_eq!(match_word_pairs(&pairs, word), portable_match_words(&words, word));
            }
        }
    }

    #[test]
    fn a_prefetch_outside_is_harmless() {
        prefetch(&[0u8; 4], usize::MAX / 2);
        prefetch::<u64>(&[], 0);
    }
}
