//! The places of workers: threads of one process, or threads of several processes that are connected by
//! sockets.
//!
//! *Entry points:* [`threads`], [`processes`].

use std::any::Any;
use std::net::TcpStream;

use timely::communication::Hooks;
use timely::communication::allocator::zero_copy::allocator::TcpBuilder;
use timely::communication::allocator::zero_copy::initialize::initialize_networking_from_sockets;
use timely::communication::allocator::{Allocator, ProcessBuilder};

use crate::failure::Failure;

/// The place of one worker. It may be moved to the thread of the worker, and is taken there.
pub(crate) struct Seat(Place);

enum Place {
    Thread(ProcessBuilder),
    Socket(TcpBuilder),
}

impl Seat {
    /// Takes the place in the thread of the worker.
    pub fn take(self) -> Allocator {
        match self.0 {
            Place::Thread(builder) => Allocator::Process(builder.build()),
            Place::Socket(builder) => Allocator::Tcp(builder.build()),
        }
    }
}

/// The places of a process, and the threads that serve its sockets, which end when this is dropped after
/// the workers.
pub(crate) struct Seats {
    /// One for each worker of the process.
    pub seats: Vec<Seat>,
    /// Threads of the sockets.
    pub network: Option<Box<dyn Any>>,
}

/// Places for all workers as threads of this process.
pub(crate) fn threads(count: usize) -> Seats {
    let builders = ProcessBuilder::new_typed_vector(count, Hooks::default().refill, None);
    let seats = builders.into_iter().map(|builder| Seat(Place::Thread(builder))).collect();
    Seats { seats, network: None }
}

/// Places for `count` workers in this process, the one without a socket. Each process has as many.
pub(crate) fn processes(count: usize, sockets: Vec<Option<TcpStream>>) -> Result<Seats, Failure> {
    let Some(index) = sockets.iter().position(Option::is_none) else {
        return Err(Failure::Network("this process has no number".to_string()));
    };
    let refused = |error: std::io::Error| Failure::Network(error.to_string());
    for socket in sockets.iter().flatten() {
        socket.set_nodelay(true).map_err(refused)?;
    }
    let hooks = Hooks::default();
    let local = ProcessBuilder::new_typed_vector(count, hooks.refill.clone(), None);
    let (builders, network) =
        initialize_networking_from_sockets(local, sockets, index, count, hooks).map_err(refused)?;
    let seats = builders.into_iter().map(|builder| Seat(Place::Socket(builder))).collect();
    Ok(Seats { seats, network: Some(Box::new(network)) })
}
