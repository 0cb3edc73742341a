//! Random secrets, message authentication codes and their text forms.
//!
//! *Entry points:* [`random`], [`authenticate`].
//! *Source:* H. Krawczyk, M. Bellare and R. Canetti, "HMAC: Keyed-Hashing for Message Authentication",
//! RFC 2104, with SHA-256.
//! *Invariant:* secrets are compared by their hashes, so that the time of a comparison reveals nothing.

use axle_evidence::sha256::{hexadecimal, sha256};
use sha2::{Digest, Sha256};

/// The block length of SHA-256 in bytes.
const BLOCK: usize = 64;

/// A secret of 256 random bits.
///
/// # Errors
/// The operating system provides no random numbers.
pub fn random() -> Result<[u8; 32], String> {
    let mut secret = [0; 32];
    getrandom::fill(&mut secret).map_err(|fault| format!("no random numbers: {fault}"))?;
    Ok(secret)
}

/// The SHA-256 of a text as hexadecimal digits.
#[must_use]
pub fn fingerprint(text: &str) -> String {
    sha256(text.as_bytes())
}

/// The message authentication code of a message, as hexadecimal digits.
#[must_use]
pub fn authenticate(key: &[u8], message: &[u8]) -> String {
    let hashed = Sha256::digest(key);
    let key = if key.len() > BLOCK { &hashed[..] } else { key };
    let pad = |byte: u8| {
        let mut block = [byte; BLOCK];
        block.iter_mut().zip(key).for_each(|(block, key)| *block ^= key);
        block
    };
    let inner = Sha256::new().chain_update(pad(0x36)).chain_update(message).finalize();
    hexadecimal(&Sha256::new().chain_update(pad(0x5c)).chain_update(inner).finalize())
}

/// Whether two secrets are equal.
#[must_use]
pub fn equal(one: &str, other: &str) -> bool {
    fingerprint(one) == fingerprint(other)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_those_of_the_standard() {
        // RFC 4231, test cases 2 and 6.
        let code = authenticate(b"Jefe", b"what do ya want for nothing?");
        assert_eq!(code, "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
        let code = authenticate(&[0xaa; 131], b"Test Using Larger Than Block-Size Key - Hash Key First");
        assert_eq!(code, "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54");
    }

    #[test]
    fn secrets_differ() {
        assert_ne!(random(), random());
        assert!(equal("a", "a") && !equal("a", "b"));
    }
}
