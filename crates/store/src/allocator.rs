//! Returns large freed blocks to the operating system, so that the memory of a process is the
//! memory that its searches account for.
//!
//! The allocator of glibc maps large blocks by themselves, but each block that is freed raises the
//! size from which it does so, up to 32 MiB. Vectors that grow below that size are then copied
//! within one heap, and the old copies stay resident: a search with a limit of 256 MiB used 80 MiB
//! more. A fixed threshold keeps all such blocks apart, where growth moves pages and copies nothing.
//!
//! *Entry point:* [`return_freed_memory`].
//! *Source:* mallopt(3), `M_MMAP_THRESHOLD`.
//! *Invariant:* blocks of at least [`THRESHOLD`] bytes are unmapped when they are freed.

/// Size in bytes from which a block is mapped by itself.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const THRESHOLD: libc::c_int = 1 << 20;

/// Configures the allocator of the process. To be called once, before other threads exist.
pub fn return_freed_memory() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    // SAFETY: `mallopt` only sets a parameter of the allocator, and any value is valid.
    unsafe {
        libc::mallopt(libc::M_MMAP_THRESHOLD, THRESHOLD);
    }
}
