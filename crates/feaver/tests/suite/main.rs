//! Tests of verification projects. Their inputs are data: `tests/projects` and `tests/broken`.

mod broken;
mod incremental;
mod init;
mod keys;
mod lanes;
mod projects;
mod provisioning;
mod repository;
mod runs;
mod support;
