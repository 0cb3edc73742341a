//! Values in registers, places in memory, and the tags of bytes.

/// A value in a register.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Value {
    /// Nothing was ever stored.
    #[default]
    Undef,
    /// A number, extended to 64 bits after its type; a floating value by its bits.
    Int(u64),
    /// An object, and bytes from its start.
    Ptr(u32, i32),
}

/// A place in memory.
pub type Place = (u32, i32);

/// What a byte of memory is.
pub const DEFINED: u8 = 0;
/// Nothing was ever stored.
pub const UNDEFINED: u8 = 1;
/// The first byte of a pointer.
pub const POINTER: u8 = 2;
/// A further byte of a pointer.
pub const POINTER_REST: u8 = 3;
