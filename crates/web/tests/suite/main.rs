//! Tests of the server through its router and through sockets.

mod api;
mod attacks;
mod changes;
mod editing;
mod engines;
mod forged;
mod full_disk;
mod hostile;
mod in_error;
mod islands;
mod notifications;
mod pages;
mod sockets;
mod stream;
mod support;
mod triggers;
mod viewer;
mod workers;
