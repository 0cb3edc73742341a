//! Tests of the server through its router and through sockets.

mod api;
mod attacks;
mod editing;
mod hostile;
mod islands;
mod pages;
mod sockets;
mod stream;
mod support;
mod workers;
