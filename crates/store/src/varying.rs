//! Packing a state to the bits that vary: what all states so far have in common is stored once.
//!
//! A layout gives every field the width that was declared; the states of a search use few of these bits (an
//! `int` that counts to five varies in three). So the first state is kept whole, and of every other one
//! only the bits in which some state has differed from it, one behind the other: three to ten bytes a
//! state where layouts take sixteen to two hundred. Main functions: [`Varying::pack`], which also says which
//! bits vary for the first time, [`Varying::admit`], which gives these a place, and [`Varying::unpack`].
//! The idea is that of LTSmin's and Spin's collapse of constant parts, taken to single bits; the extraction
//! of scattered bits is the parallel extract of Hacker's Delight (H. Warren, 2nd edition, section 7-4), one
//! instruction where the processor has it.
//!
//! Invariant: bits without a place are the first state's in every state that was packed. So bits that
//! get a place behind all others were 0 (after the exclusive or with the first state) in every state before,
//! and what was packed before stays right with zeros at its end.

/// Where some varying bits of one word of a state go: to bits of one word of the packed state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Chunk {
    /// The word of the state.
    from: u32,
    /// The word of the packed state, and the lowest bit in it.
    to: u32,
    shift: u32,
    /// The bits of the word of the state.
    mask: u64,
}

/// Which bits vary, and where each of them goes.
#[derive(Clone, Debug)]
pub(crate) struct Varying {
    /// Bytes of a state, a multiple of 4.
    width: usize,
    /// The first state, in words of 8 bytes, zeros at its end.
    base: Vec<u64>,
    /// The bits that have a place.
    mask: Vec<u64>,
    /// In order of place.
    chunks: Vec<Chunk>,
    /// The same in order of the word that they come from, and where those of each word begin.
    by_word: Vec<Chunk>,
    first: Vec<u32>,
    /// Bits that have a place.
    bits: u32,
    /// Whether the processor extracts and deposits bits fast.
    fast: bool,
}

/// The words of a state of any width, the last one filled with zeros.
#[inline(always)]
fn word(state: &[u8], index: usize) -> u64 {
    match state[8 * index..].first_chunk::<8>() {
        Some(bytes) => u64::from_le_bytes(*bytes),
        None => match state[8 * index..].first_chunk::<4>() {
            Some(bytes) => u64::from(u32::from_le_bytes(*bytes)),
            None => 0,
        },
    }
}

/// Writes a word, or the half of it that there is room for.
#[inline(always)]
fn put(state: &mut [u8], index: usize, word: u64) {
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

/// Writes as many words as a state has room for, the last one perhaps a half.
#[inline(always)]
fn write_words(state: &mut [u8], words: &[u64]) {
    let (whole, tail) = state.as_chunks_mut::<8>();
    for (to, word) in whole.iter_mut().zip(words) {
        *to = word.to_le_bytes();
    }
    if let (Some(to), Some(word)) = (tail.first_chunk_mut::<4>(), words.get(whole.len())) {
        *to = (*word as u32).to_le_bytes();
    }
}

impl Varying {
    /// Nothing varies yet: all states are `first`.
    pub(crate) fn new(first: &[u8]) -> Varying {
        let words = first.len().div_ceil(8);
        let base: Vec<u64> = (0..words).map(|i| word(first, i)).collect();
        let mask = vec![0; words];
        let new = Varying {
            width: first.len(),
            base,
            mask,
            chunks: Vec::new(),
            by_word: Vec::new(),
            first: Vec::new(),
            bits: 0,
            fast: fast(),
        };
        new.sorted()
    }

    /// The same with the lists by word made anew.
    fn sorted(mut self) -> Varying {
        self.by_word = self.chunks.clone();
        self.by_word.sort_by_key(|chunk| chunk.from);
        let before = |word: usize| self.by_word.partition_point(|chunk| (chunk.from as usize) < word) as u32;
        self.first = (0..=self.base.len()).map(before).collect();
        self
    }

    /// Bytes of a packed state, a multiple of 4.
    pub(crate) fn packed(&self) -> usize {
        packed_bytes(self.bits)
    }

    /// Words of a state.
    pub(crate) fn words(&self) -> usize {
        self.base.len()
    }

    /// Bytes that are held.
    pub(crate) fn memory(&self) -> u64 {
        (20 * self.base.capacity() + 2 * size_of::<Chunk>() * self.chunks.capacity()) as u64
    }

    /// States are `width` bytes wide from now on, with zeros at their end so far.
    pub(crate) fn widen(&mut self, width: usize) {
        self.width = width;
        self.base.resize(width.div_ceil(8), 0);
        self.mask.resize(width.div_ceil(8), 0);
        self.first.resize(width.div_ceil(8) + 1, self.by_word.len() as u32);
    }

    /// Writes the packed forms of `states` to `out`, which has just the room for them. In `news` (of
    /// [`Varying::words`] words) the bits are set that vary and have no place yet; where there are any, what
    /// was written is not the whole truth.
    pub(crate) fn pack(&self, states: &[u8], out: &mut [u8], news: &mut [u64]) {
        #[cfg(all(target_arch = "x86_64", not(miri)))]
        if self.fast {
            // SAFETY: `fast` is only set where the processor has the instructions.
            return unsafe { self.pack_fast(states, out, news) };
        }
        self.pack_with(extract, states, out, news);
    }

    /// The same as [`Varying::pack`] for states that differ little from `source`, whose packed form is
    /// `packed_source`: what is the same in both is not looked at twice. Packing is linear in the bits.
    pub(crate) fn pack_near(
        &self,
        source: &[u8],
        packed_source: &[u8],
        states: &[u8],
        out: &mut [u8],
        news: &mut [u64],
    ) {
        #[cfg(all(target_arch = "x86_64", not(miri)))]
        if self.fast {
            // SAFETY: as in `pack`.
            return unsafe { self.pack_near_fast(source, packed_source, states, out, news) };
        }
        self.pack_near_with(extract, source, packed_source, states, out, news);
    }

    #[cfg(all(target_arch = "x86_64", not(miri)))]
    #[target_feature(enable = "bmi2,avx2")]
    fn pack_near_fast(&self, source: &[u8], packed: &[u8], states: &[u8], out: &mut [u8], news: &mut [u64]) {
        let extract = |word, mask| std::arch::x86_64::_pext_u64(word, mask);
        self.pack_near_with(extract, source, packed, states, out, news);
    }

    #[inline(always)]
    fn pack_near_with(
        &self,
        extract: impl Fn(u64, u64) -> u64,
        source: &[u8],
        packed_source: &[u8],
        states: &[u8],
        out: &mut [u8],
        news: &mut [u64],
    ) {
        for (state, to) in states.chunks_exact(self.width).zip(out.chunks_exact_mut(packed_source.len())) {
            to.copy_from_slice(packed_source);
            let (words, _) = state.as_chunks::<8>();
            let (before, _) = source.as_chunks::<8>();
            for (i, (word, before)) in words.iter().zip(before).enumerate() {
                let bits = u64::from_le_bytes(*word) ^ u64::from_le_bytes(*before);
                if bits != 0 {
                    self.toggle(&extract, i, bits, to, news);
                }
            }
            if !self.width.is_multiple_of(8) {
                let last = self.base.len() - 1;
                let bits = word(state, last) ^ word(source, last);
                if bits != 0 {
                    self.toggle(&extract, last, bits, to, news);
                }
            }
        }
    }

    /// Inverts bits of word `from` in a packed state.
    #[inline(always)]
    fn toggle(
        &self,
        extract: &impl Fn(u64, u64) -> u64,
        from: usize,
        bits: u64,
        to: &mut [u8],
        news: &mut [u64],
    ) {
        news[from] |= bits & !self.mask[from];
        for chunk in &self.by_word[self.first[from] as usize..self.first[from + 1] as usize] {
            let at = chunk.to as usize;
            put(to, at, word(to, at) ^ extract(bits, chunk.mask) << chunk.shift);
        }
    }

    /// Appends the states whose packed forms are `packed` to `out`.
    pub(crate) fn unpack(&self, packed: &[u8], out: &mut Vec<u8>) {
        #[cfg(all(target_arch = "x86_64", not(miri)))]
        if self.fast {
            // SAFETY: as in `pack`.
            return unsafe { self.unpack_fast(packed, out) };
        }
        self.unpack_with(deposit, packed, out);
    }

    #[cfg(all(target_arch = "x86_64", not(miri)))]
    #[target_feature(enable = "bmi2,avx2")]
    fn pack_fast(&self, states: &[u8], out: &mut [u8], news: &mut [u64]) {
        self.pack_with(|word, mask| std::arch::x86_64::_pext_u64(word, mask), states, out, news);
    }

    #[cfg(all(target_arch = "x86_64", not(miri)))]
    #[target_feature(enable = "bmi2,avx2")]
    fn unpack_fast(&self, packed: &[u8], out: &mut Vec<u8>) {
        self.unpack_with(|word, mask| std::arch::x86_64::_pdep_u64(word, mask), packed, out);
    }

    #[inline(always)]
    fn pack_with(&self, extract: impl Fn(u64, u64) -> u64, states: &[u8], out: &mut [u8], news: &mut [u64]) {
        // Narrow states have their loops unrolled, and stay in registers.
        match self.base.len() {
            1 => self.pack_narrow::<1>(extract, states, out, news),
            2 => self.pack_narrow::<2>(extract, states, out, news),
            3 => self.pack_narrow::<3>(extract, states, out, news),
            4 => self.pack_narrow::<4>(extract, states, out, news),
            5..=8 => self.pack_narrow::<8>(extract, states, out, news),
            _ => self.pack_wide(extract, states, out, news),
        }
    }

    /// For states of at most `W` words.
    #[inline(always)]
    fn pack_narrow<const W: usize>(
        &self,
        extract: impl Fn(u64, u64) -> u64,
        states: &[u8],
        out: &mut [u8],
        news: &mut [u64],
    ) {
        let (mut base, mut fixed, mut new) = ([0; W], [0; W], [0; W]);
        for (i, (&b, &m)) in self.base.iter().zip(&self.mask).enumerate().take(W) {
            (base[i], fixed[i]) = (b, !m);
        }
        for (state, to) in states.chunks_exact(self.width).zip(out.chunks_exact_mut(self.packed())) {
            let mut row = [0; W];
            let (whole, tail) = state.as_chunks::<8>();
            for (to, word) in row.iter_mut().zip(whole) {
                *to = u64::from_le_bytes(*word);
            }
            if let (Some(to), Some(half)) = (row.get_mut(whole.len()), tail.first_chunk::<4>()) {
                *to = u64::from(u32::from_le_bytes(*half));
            }
            for i in 0..W {
                row[i] ^= base[i];
                new[i] |= row[i] & fixed[i];
            }
            let (mut at, mut sum) = (0, 0);
            for chunk in &self.chunks {
                if chunk.to != at {
                    put(to, at as usize, sum);
                    (at, sum) = (chunk.to, 0);
                }
                sum |= extract(row[chunk.from as usize % W], chunk.mask) << chunk.shift;
            }
            put(to, at as usize, sum);
        }
        for (to, new) in news.iter_mut().zip(new) {
            *to |= new;
        }
    }

    /// For states of any number of words.
    #[inline(always)]
    fn pack_wide(&self, extract: impl Fn(u64, u64) -> u64, states: &[u8], out: &mut [u8], news: &mut [u64]) {
        for (state, to) in states.chunks_exact(self.width).zip(out.chunks_exact_mut(self.packed())) {
            for (i, ((base, mask), new)) in self.base.iter().zip(&self.mask).zip(&mut *news).enumerate() {
                *new |= (word(state, i) ^ base) & !mask;
            }
            let (mut at, mut sum) = (0, 0);
            for chunk in &self.chunks {
                if chunk.to != at {
                    put(to, at as usize, sum);
                    (at, sum) = (chunk.to, 0);
                }
                let from = chunk.from as usize;
                sum |= extract(word(state, from) ^ self.base[from], chunk.mask) << chunk.shift;
            }
            put(to, at as usize, sum);
        }
    }

    #[inline(always)]
    fn unpack_with(&self, deposit: impl Fn(u64, u64) -> u64, from: &[u8], out: &mut Vec<u8>) {
        let start = out.len();
        let packed = self.packed();
        out.resize(start + from.len() / packed * self.width, 0);
        match self.base.len() {
            1..=8 => self.unpack_narrow(deposit, from, &mut out[start..]),
            _ => self.unpack_wide(deposit, from, &mut out[start..]),
        }
    }

    /// For states of at most 8 words, which stay in registers.
    #[inline(always)]
    fn unpack_narrow(&self, deposit: impl Fn(u64, u64) -> u64, from: &[u8], out: &mut [u8]) {
        let mut base = [0; 8];
        base[..self.base.len()].copy_from_slice(&self.base);
        for (from, state) in from.chunks_exact(self.packed()).zip(out.chunks_exact_mut(self.width)) {
            let mut row = base;
            let (mut at, mut bits) = (0, word(from, 0));
            for chunk in &self.chunks {
                if chunk.to != at {
                    at = chunk.to;
                    bits = word(from, at as usize);
                }
                row[chunk.from as usize % 8] ^= deposit(bits >> chunk.shift, chunk.mask);
            }
            write_words(state, &row);
        }
    }

    /// For states of any number of words: those that vary, over the first state.
    #[inline(always)]
    fn unpack_wide(&self, deposit: impl Fn(u64, u64) -> u64, from: &[u8], out: &mut [u8]) {
        for (from, state) in from.chunks_exact(self.packed()).zip(out.chunks_exact_mut(self.width)) {
            write_words(state, &self.base);
            let (whole, tail) = state.as_chunks_mut::<8>();
            for (i, &base) in self.base.iter().enumerate() {
                let chunks = &self.by_word[self.first[i] as usize..self.first[i + 1] as usize];
                if chunks.is_empty() {
                    continue;
                }
                let mut bits = base;
                for chunk in chunks {
                    bits ^= deposit(word(from, chunk.to as usize) >> chunk.shift, chunk.mask);
                }
                match whole.get_mut(i) {
                    Some(to) => *to = bits.to_le_bytes(),
                    None => tail.copy_from_slice(&(bits as u32).to_le_bytes()),
                }
            }
        }
    }

    /// The same with the bits of `news` packed too, behind all others.
    pub(crate) fn admit(&self, news: &[u64]) -> Varying {
        let mut more = self.clone();
        for (from, (&new, mask)) in news.iter().zip(&mut more.mask).enumerate() {
            *mask |= new;
            place(&mut more.chunks, &mut more.bits, from, new);
        }
        more.sorted()
    }

    /// The same bits in the order of the state, which takes the fewest steps and leaves neighbours together.
    pub(crate) fn ordered(&self) -> Varying {
        let mut new = Varying { chunks: Vec::new(), bits: 0, ..self.clone() };
        for (from, &mask) in self.mask.iter().enumerate() {
            place(&mut new.chunks, &mut new.bits, from, mask);
        }
        new.sorted()
    }

    /// How many steps packing takes.
    pub(crate) fn steps(&self) -> usize {
        self.chunks.len()
    }
}

fn packed_bytes(bits: u32) -> usize {
    bits.div_ceil(32).max(1) as usize * 4
}

/// Gives the bits of `mask` in word `from` the next places.
fn place(chunks: &mut Vec<Chunk>, bits: &mut u32, from: usize, mut mask: u64) {
    while mask != 0 {
        let (to, shift) = (*bits / 64, *bits % 64);
        // As many as the word of the packed state has room for.
        let mut now = mask;
        while now.count_ones() > 64 - shift {
            now &= !(1 << (63 - now.leading_zeros()));
        }
        chunks.push(Chunk { from: from as u32, to, shift, mask: now });
        *bits += now.count_ones();
        mask &= !now;
    }
}

/// The bits of `word` under `mask`, moved together.
fn extract(word: u64, mut mask: u64) -> u64 {
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

/// The low bits of `bits`, moved to the places of `mask`.
fn deposit(mut bits: u64, mut mask: u64) -> u64 {
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

/// Whether the processor extracts and deposits bits in hardware: AMD's before family 19h have the
/// instructions, in microcode slower than any loop.
fn fast() -> bool {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    {
        if !(is_x86_feature_detected!("bmi2") && is_x86_feature_detected!("avx2")) {
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
    use proptest::prelude::*;

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

    /// Packs all states after admitting what they need, and says how often something was admitted.
    fn pack_all(varying: &mut Varying, states: &[u8]) -> Vec<u8> {
        let count = states.len() / varying.width;
        let mut news = vec![0; varying.words()];
        varying.pack(states, &mut vec![0; count * varying.packed()], &mut news);
        if news.iter().any(|&new| new != 0) {
            *varying = varying.admit(&news);
        }
        let mut out = vec![0; count * varying.packed()];
        let mut none = vec![0; varying.words()];
        varying.pack(states, &mut out, &mut none);
        assert!(none.iter().all(|&new| new == 0));
        out
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(64) })]

        #[test]
        fn packing_loses_nothing(
            words in 1usize..12,
            rounds in proptest::collection::vec(proptest::collection::vec((0usize..48, any::<u8>()), 0..9), 1..20),
            fast in any::<bool>(),
        ) {
            let width = 4 * words;
            let mut varying = Varying::new(&vec![7; width]);
            varying.fast &= fast;
            let mut state = vec![7; width];
            let mut earlier: Vec<(Vec<u8>, Vec<u8>)> = Vec::new();
            for writes in rounds {
                writes.iter().for_each(|&(at, byte)| state[at % width] = byte);
                let packed = pack_all(&mut varying, &state);
                prop_assert_eq!(packed.len(), varying.packed());
                let ordered = varying.ordered();
                let packed_in_order = pack_all(&mut ordered.clone(), &state);
                let mut back = Vec::new();
                ordered.unpack(&packed_in_order, &mut back);
                prop_assert_eq!(&back, &state);
                for (source, packed_source) in &earlier {
                    let mut packed_source: Vec<u8> = packed_source.clone();
                    packed_source.resize(varying.packed(), 0);
                    let (mut near, mut none) = (vec![0; varying.packed()], vec![0; varying.words()]);
                    varying.pack_near(source, &packed_source, &state, &mut near, &mut none);
                    prop_assert_eq!(&near, &packed);
                    prop_assert!(none.iter().all(|&new| new == 0));
                }
                earlier.push((state.clone(), packed));
                // What was packed before is still right, with zeros at its end.
                for (state, packed) in &earlier {
                    let mut packed = packed.clone();
                    packed.resize(varying.packed(), 0);
                    let mut back = Vec::new();
                    varying.unpack(&packed, &mut back);
                    prop_assert_eq!(&back, state);
                }
            }
        }
    }
}
