//! Tests of distributed searches on models, in one program.

mod compared;
mod disk;
mod equality;
mod limits;
mod liveness;
mod resumption;
mod simulation;
mod sockets;
