//! The `axle` command.
fn main() {}
