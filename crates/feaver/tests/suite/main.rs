//! Tests of verification projects. Their inputs are data: `tests/projects` and `tests/broken`.

mod broken;
mod keys;
mod projects;
mod runs;
mod support;
