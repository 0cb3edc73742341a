//! The places of workers: threads of one process, or threads of several processes that are connected by
//! sockets.
//!
//! *Entry points:* [`threads`], [`processes`].
//!
//! *Invariant:* a process that ends too early is noticed by all others: their workers end with
//! [`Failure::Lost`], and no message is read that was not written.

use std::any::Any;
use std::io::{self, Read, Write};
use std::net::Shutdown;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use timely::communication::Hooks;
use timely::communication::allocator::zero_copy::allocator::TcpBuilder;
use timely::communication::allocator::zero_copy::initialize::initialize_networking_from_sockets;
use timely::communication::allocator::zero_copy::stream::Stream;
use timely::communication::allocator::{Allocator, ProcessBuilder};

use crate::channel::Channel;
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

/// The places of a process.
pub(crate) struct Seats {
    /// One for each worker of the process.
    pub seats: Vec<Seat>,
    /// The connections to other processes.
    pub network: Option<Network>,
}

/// What the threads of sockets and the workers of a process know of each other.
#[derive(Default, Debug)]
pub(crate) struct Link {
    /// A worker has failed, or another process has ended too early.
    pub failed: AtomicBool,
    /// All workers of this process have ended with a result.
    finished: AtomicBool,
}

/// The connections of a process to others.
pub(crate) struct Network {
    link: Arc<Link>,
    channels: Vec<Channel>,
    threads: Box<dyn Any>,
}

impl Network {
    /// Ends the connections when all workers have ended, with a result or without.
    pub fn end(self, has_result: bool) {
        if has_result {
            self.link.finished.store(true, Ordering::Release);
            // The threads send what is left, and end when the other processes have ended too.
            drop(self.threads);
            return;
        }
        for channel in &self.channels {
            // It may be closed already. The other processes notice the end.
            let _ = channel.shutdown(Shutdown::Both);
        }
        // The threads of the sockets wait for data that never comes; they end with the process.
        std::mem::forget(self.threads);
    }
}

/// A socket that reports the end of the other process.
struct Watched {
    channel: Channel,
    link: Arc<Link>,
}

/// How long the thread of a lost socket sleeps between two polls.
const PAUSE: Duration = Duration::from_millis(10);

impl Watched {
    /// Reports the end of the other process, and waits for the end of the search: `timely` would end this
    /// process.
    fn wait(&self) {
        while !self.link.finished.load(Ordering::Acquire) {
            self.link.failed.store(true, Ordering::Release);
            std::thread::sleep(PAUSE);
        }
    }
}

impl Read for Watched {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self.channel.read(buffer) {
            Ok(count) if count > 0 => Ok(count),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => Err(error),
            Ok(_) | Err(_) => {
                self.wait();
                Ok(0)
            }
        }
    }
}

impl Write for Watched {
    fn write(&mut self, buffer: &[u8]) -> io::Result<usize> {
        match self.channel.write(buffer) {
            Err(error) if error.kind() != io::ErrorKind::Interrupted => {
                self.wait();
                Ok(buffer.len())
            }
            written => written,
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.channel.flush()
    }
}

impl Stream for Watched {
    fn try_clone(&self) -> io::Result<Watched> {
        Ok(Watched { channel: self.channel.try_clone()?, link: Arc::clone(&self.link) })
    }

    fn set_nonblocking(&self, nonblocking: bool) -> io::Result<()> {
        self.channel.set_nonblocking(nonblocking)
    }

    fn shutdown(&self, how: Shutdown) -> io::Result<()> {
        // The other process may have closed it.
        let _ = self.channel.shutdown(how);
        Ok(())
    }
}

/// Places for all workers as threads of this process.
pub(crate) fn threads(count: usize) -> Seats {
    let builders = ProcessBuilder::new_typed_vector(count, Hooks::default().refill, None);
    let seats = builders.into_iter().map(|builder| Seat(Place::Thread(builder))).collect();
    Seats { seats, network: None }
}

/// Places for `count` workers in this process, the one without a channel. Each process has as many.
pub(crate) fn processes(
    count: usize,
    channels: Vec<Option<Channel>>,
    link: &Arc<Link>,
) -> Result<Seats, Failure> {
    let Some(index) = channels.iter().position(Option::is_none) else {
        return Err(Failure::Network("this process has no number".to_string()));
    };
    let refused = |error: io::Error| Failure::Network(error.to_string());
    let mut kept = Vec::new();
    for channel in channels.iter().flatten() {
        channel.set_nodelay().map_err(refused)?;
        kept.push(channel.try_clone().map_err(refused)?);
    }
    let watched = |channel: Channel| Watched { channel, link: Arc::clone(link) };
    let sockets = channels.into_iter().map(|channel| channel.map(watched)).collect();
    let hooks = Hooks::default();
    let local = ProcessBuilder::new_typed_vector(count, hooks.refill.clone(), None);
    let (builders, threads) =
        initialize_networking_from_sockets(local, sockets, index, count, hooks).map_err(refused)?;
    let seats = builders.into_iter().map(|builder| Seat(Place::Socket(builder))).collect();
    let network = Network { link: Arc::clone(link), channels: kept, threads: Box::new(threads) };
    Ok(Seats { seats, network: Some(network) })
}
