//! The finaliser of SplitMix64, a bijection of 64-bit numbers of which each bit depends on all bits.
//!
//! *Entry point:* [`mix`].
//! *Source:* G. L. Steele, D. Lea, C. H. Flood, "Fast splittable pseudorandom number generators",
//! OOPSLA 2014.

/// A bijection with full avalanche (the finaliser of splitmix64).
pub(crate) fn mix(mut x: u64) -> u64 {
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}
