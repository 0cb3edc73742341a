//! Tests of decision procedures and proofs.

mod certificates;
mod claims;
mod explicit;
mod exports;
mod external;
mod models;
mod random;
mod reformulate;
mod replay;
mod terms;
mod wide;

/// The number of random cases; the environment variable asks for another.
fn cases(variable: &str, usual: u64) -> u64 {
    std::env::var(variable).ok().and_then(|number| number.parse().ok()).unwrap_or(usual)
}
