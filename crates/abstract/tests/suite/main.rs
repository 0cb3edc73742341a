//! Tests of abstraction.

mod boolean;
mod case;
mod deep;
mod homomorphism;
mod random;
mod seed;
mod wide;

/// The number of random cases; the environment variable asks for another.
fn cases(variable: &str, usual: u64) -> u64 {
    std::env::var(variable).ok().and_then(|number| number.parse().ok()).unwrap_or(usual)
}
