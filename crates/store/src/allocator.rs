//! Returns large freed blocks to the operating system, so that the memory of a process is the
//! memory that its searches account for.
//!
//! The allocator of glibc maps large blocks by themselves, but each block that is freed raises the
//! size from which it does so, up to 32 MiB. Vectors that grow below that size are then copied
//! within one heap, and the old copies stay resident: a search with a limit of 256 MiB used 80 MiB
//! more. A fixed threshold keeps all such blocks apart, where growth moves pages and copies nothing.
//!
//! The heap of a further thread grows by a system call for each page, during which no thread can
//! have a page fault served: 2,100 calls, 3 percent of the CPU time, in a search of 0.25 s by two
//! threads. What such a heap has once had it can have again without a call, so each thread first
//! allocates and frees blocks. Memory that is not touched is not resident.
//!
//! *Entry points:* [`return_freed_memory`], [`prepare_thread`].
//! *Source:* mallopt(3), `M_MMAP_THRESHOLD`; `grow_heap` and `shrink_heap` in glibc's `malloc/arena.c`.
//! *Invariant:* blocks of at least `THRESHOLD` bytes are unmapped when they are freed.

/// Size in bytes from which a block is mapped by itself.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const THRESHOLD: libc::c_int = 1 << 20;

/// Blocks that a thread allocates first, and bytes of each: less than [`return_freed_memory`] maps apart.
const BLOCKS: usize = 32;
const BLOCK: usize = (1 << 20) - (1 << 16);

/// Configures the allocator of the process. To be called once, before other threads exist.
pub fn return_freed_memory() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    // SAFETY: `mallopt` only sets a parameter of the allocator, and any value is valid.
    unsafe {
        libc::mallopt(libc::M_MMAP_THRESHOLD, THRESHOLD);
    }
}

/// Makes room in the heap of a thread that has just begun and will allocate much.
pub fn prepare_thread() {
    let blocks: Vec<Vec<u8>> = (0..BLOCKS).map(|_| Vec::with_capacity(BLOCK)).collect();
    drop(std::hint::black_box(blocks));
}
