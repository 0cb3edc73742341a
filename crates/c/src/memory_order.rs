//! Memory orders of atomic operations.
//!
//! *Entry point:* [`Order`].

/// A memory order (C11 7.17.3). `memory_order_consume` is treated as acquire, as in compilers. An
/// order that is not a constant is treated as [`Order::Relaxed`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Order {
    /// `memory_order_relaxed`.
    Relaxed,
    /// `memory_order_acquire`, `memory_order_consume`.
    Acquire,
    /// `memory_order_release`.
    Release,
    /// `memory_order_acq_rel`.
    AcqRel,
    /// `memory_order_seq_cst`.
    SeqCst,
}

impl Order {
    /// Whether a load or fence with this order acquires.
    #[must_use]
    pub fn acquires(self) -> bool {
        matches!(self, Order::Acquire | Order::AcqRel | Order::SeqCst)
    }

    /// Whether a store or fence with this order releases.
    #[must_use]
    pub fn releases(self) -> bool {
        matches!(self, Order::Release | Order::AcqRel | Order::SeqCst)
    }

    /// The order with this value of type `memory_order`.
    #[must_use]
    pub fn of_number(number: i64) -> Order {
        match number {
            1 | 2 => Order::Acquire,
            3 => Order::Release,
            4 => Order::AcqRel,
            5 => Order::SeqCst,
            _ => Order::Relaxed,
        }
    }
}
