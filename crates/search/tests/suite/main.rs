//! Tests of the searches on models, in one program: each program would instantiate all searches again.

mod brute;
mod interrupted;
mod liveness;
mod parallel;
mod resumed;
mod searches;
mod spin_counts;
