//! Zeroed memory from the operating system that grows in place.
//!
//! A region reserves a large address range and commits a prefix of it, so that growth neither
//! copies nor doubles the peak, and addresses never change. If addresses are limited (`ulimit -v`),
//! a region reserves little and moves when it grows. Without `mmap` (and under Miri) it is an
//! ordinary allocation and moves too.
//!
//! *Entry points:* [`Pages::reserve`] and [`Pages::commit`].
//!
//! *Invariant:* the first `committed` bytes are readable, writable, and 0 until written.

use std::sync::atomic::{AtomicUsize, Ordering};

use crate::OutOfMemory;

/// Bytes of an ordinary page, the unit of commitment.
pub(crate) const PAGE: usize = 4096;

/// Bytes of a huge page; regions of at least [`LARGE`] bytes are committed by this.
pub(crate) const HUGE: usize = 2 << 20;

/// Minimum size of a region that uses huge pages. Below, the TLB covers most of the region, the
/// first access to a huge page costs more than it gains, and rounding up wastes memory.
pub(crate) const LARGE: usize = 4 << 20;

/// Size of the reserved address range if no limit implies a smaller one.
const MOST: usize = 1 << 40;

/// Plain memory types: every bit pattern is a valid value, and there is no padding.
///
/// # Safety
/// The type has no padding, no invalid bit patterns, no interior mutability and needs no drop.
pub(crate) unsafe trait Plain: Copy {}

// SAFETY: integers have no padding and no invalid patterns.
unsafe impl Plain for u8 {}
// SAFETY: as for `u8`.
unsafe impl Plain for u32 {}
// SAFETY: as for `u8`.
unsafe impl Plain for u64 {}
// SAFETY: as for `u8`.
unsafe impl Plain for u128 {}

/// A region of memory, empty at first.
pub(crate) struct Pages {
    inner: os::Region,
    committed: usize,
    /// Position of the next huge page that no thread has prepared.
    prepared: AtomicUsize,
}

impl Pages {
    /// A region that can grow to `most` bytes, or to as many as there are addresses.
    pub(crate) fn reserve(most: u64) -> Result<Pages, OutOfMemory> {
        let most = usize::try_from(most).unwrap_or(MOST).min(MOST).next_multiple_of(HUGE).max(HUGE);
        Ok(Pages { inner: os::Region::reserve(most)?, committed: 0, prepared: AtomicUsize::new(0) })
    }

    /// A region of `bytes` bytes that can grow to `most` bytes in place, unless addresses are
    /// limited.
    pub(crate) fn room(bytes: usize, most: u64) -> Result<Pages, OutOfMemory> {
        let mut pages = Pages::reserve(most.max(bytes as u64))?;
        if !pages.reaches(bytes) {
            pages = Pages::reserve(bytes as u64)?;
        }
        pages.commit(bytes)?;
        Ok(pages)
    }

    /// A region of `bytes` bytes.
    pub(crate) fn zeroed(bytes: usize) -> Result<Pages, OutOfMemory> {
        let mut pages = Pages::reserve(bytes as u64)?;
        pages.commit(bytes)?;
        Ok(pages)
    }

    /// Number of bytes committed by a request for `bytes`.
    pub(crate) fn rounded(bytes: usize) -> usize {
        bytes.next_multiple_of(if bytes >= LARGE { HUGE } else { PAGE })
    }

    /// Makes the first `bytes` bytes (rounded up) usable; the region never shrinks.
    pub(crate) fn commit(&mut self, bytes: usize) -> Result<(), OutOfMemory> {
        let bytes = Pages::rounded(bytes);
        if bytes > self.committed {
            self.inner.commit(self.committed, bytes)?;
            self.committed = bytes;
        }
        Ok(())
    }

    /// Commits the memory up to `to`, which will be written soon, and one further huge page. If
    /// several threads touch a new huge page at once, each of them clears one, and all but one are
    /// discarded. Therefore each page is assigned to one thread here, while the others still use
    /// the preceding page.
    #[inline]
    pub(crate) fn prepare(&self, to: usize) {
        let to = to.saturating_add(HUGE).min(self.committed);
        let mut next = self.prepared.load(Ordering::Relaxed);
        while next < to && self.committed >= LARGE {
            let (after, ordering) = (next + HUGE, Ordering::Relaxed);
            match self.prepared.compare_exchange(next, after, ordering, ordering) {
                Ok(_) => {
                    self.inner.populate(next, HUGE.min(self.committed - next));
                    next = after;
                }
                Err(now) => next = now,
            }
        }
    }

    /// Whether `bytes` bytes can be made usable without moving the region.
    pub(crate) fn reaches(&self, bytes: usize) -> bool {
        Pages::rounded(bytes) <= self.inner.reserved()
    }

    /// Number of usable bytes.
    pub(crate) fn committed(&self) -> usize {
        self.committed
    }

    /// Start of the region, for data shared among threads.
    #[inline(always)]
    pub(crate) fn base(&self) -> *mut u8 {
        self.inner.base()
    }

    /// The usable memory as values of one type.
    #[inline]
    pub(crate) fn slice<T: Plain>(&self) -> &[T] {
        const { assert!(align_of::<T>() <= PAGE) };
        // SAFETY: `committed` bytes from the base are initialised and readable, the base is
        // page-aligned, and every pattern of bits is a `T` (`Plain`). The borrow of `self` keeps
        // writers and growth away.
        unsafe { std::slice::from_raw_parts(self.inner.base().cast(), self.committed / size_of::<T>()) }
    }

    /// The usable memory as values of one type, mutable.
    #[inline]
    pub(crate) fn slice_mut<T: Plain>(&mut self) -> &mut [T] {
        const { assert!(align_of::<T>() <= PAGE) };
        // SAFETY: as for `slice`; the unique borrow of `self` makes this the only reference.
        unsafe { std::slice::from_raw_parts_mut(self.inner.base().cast(), self.committed / size_of::<T>()) }
    }
}

#[cfg(all(unix, not(miri)))]
mod os {
    use super::{HUGE, LARGE, PAGE};
    use crate::OutOfMemory;
    use std::ptr;

    /// A range of addresses from `mmap`.
    pub(super) struct Region {
        /// The first huge-page boundary of the mapping; usable memory starts here.
        base: *mut u8,
        /// Addresses from `base` on.
        reserved: usize,
        /// The mapping itself.
        mapped: (*mut u8, usize),
        /// Whether huge pages were requested.
        huge: bool,
        /// Whether the region moves when it needs more addresses.
        movable: bool,
    }

    // SAFETY: the region owns its mapping; nothing about it belongs to a thread.
    unsafe impl Send for Region {}
    // SAFETY: through a shared reference the region only gives its address.
    unsafe impl Sync for Region {}

    impl Region {
        /// Reserves `most` addresses, or fewer if they are not available.
        pub(super) fn reserve(most: usize) -> Result<Region, OutOfMemory> {
            Region::map(most, false).or_else(|OutOfMemory| Region::map(HUGE, true))
        }

        /// Maps `reserved` addresses without access rights.
        fn map(reserved: usize, movable: bool) -> Result<Region, OutOfMemory> {
            let len = reserved.checked_add(HUGE).ok_or(OutOfMemory)?;
            let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
            // SAFETY: a new anonymous mapping at an address of the system's choice touches no
            // memory that exists.
            let raw = unsafe { libc::mmap(ptr::null_mut(), len, libc::PROT_NONE, flags, -1, 0) };
            if raw == libc::MAP_FAILED {
                return Err(OutOfMemory);
            }
            let raw: *mut u8 = raw.cast();
            let base = raw.wrapping_add(raw.align_offset(HUGE));
            Ok(Region { base, reserved, mapped: (raw, len), huge: false, movable })
        }

        /// Moves the first `used` bytes to a region with capacity for `to`.
        fn relocate(&mut self, used: usize, to: usize) -> Result<(), OutOfMemory> {
            let roomy = (to / 2 * 3).next_multiple_of(HUGE);
            let mut new = Region::map(roomy, true)?;
            new.commit(0, to)?;
            // SAFETY: `used` bytes are readable at the old base and, as `used < to`, writable at
            // the new one; the mappings are different.
            unsafe { ptr::copy_nonoverlapping(self.base, new.base, used) };
            *self = new;
            Ok(())
        }

        pub(super) fn base(&self) -> *mut u8 {
            self.base
        }

        pub(super) fn reserved(&self) -> usize {
            self.reserved
        }

        /// Makes the bytes from `from`, the end of usable memory, to `to` usable.
        pub(super) fn commit(&mut self, from: usize, to: usize) -> Result<(), OutOfMemory> {
            debug_assert!(from.is_multiple_of(PAGE) && to.is_multiple_of(PAGE));
            if to > self.reserved {
                return if self.movable { self.relocate(from, to) } else { Err(OutOfMemory) };
            }
            if to >= LARGE && !self.huge {
                self.huge = true;
                #[cfg(target_os = "linux")]
                // SAFETY: the range lies in the mapping that this region owns; the advice changes
                // no contents. A refusal costs speed only.
                unsafe {
                    libc::madvise(self.base.cast(), self.reserved, libc::MADV_HUGEPAGE);
                }
            }
            let access = libc::PROT_READ | libc::PROT_WRITE;
            // SAFETY: the range lies in the mapping that this region owns, and access is only
            // added.
            let refused = unsafe { libc::mprotect(self.base.wrapping_add(from).cast(), to - from, access) };
            if refused == 0 { Ok(()) } else { Err(OutOfMemory) }
        }

        /// Commits usable bytes now, independently of their contents.
        pub(super) fn populate(&self, from: usize, bytes: usize) {
            #[cfg(not(target_os = "linux"))]
            // Elsewhere the pages are committed when they are used first.
            let _ = (from, bytes);
            #[cfg(target_os = "linux")]
            // SAFETY: the range lies in the mapping that this region owns; the advice changes no
            // contents, and other threads may read and write there meanwhile. A refusal (Linux
            // before 5.14) costs speed only.
            unsafe {
                libc::madvise(self.base.wrapping_add(from).cast(), bytes, libc::MADV_POPULATE_WRITE);
            }
        }
    }

    impl Drop for Region {
        fn drop(&mut self) {
            // SAFETY: the mapping is this region's own and nothing borrows from it any more.
            unsafe { libc::munmap(self.mapped.0.cast(), self.mapped.1) };
        }
    }
}

#[cfg(any(not(unix), miri))]
mod os {
    use super::PAGE;
    use crate::OutOfMemory;
    use std::alloc::{Layout, alloc_zeroed, dealloc};
    use std::ptr;

    /// An allocation that is replaced by a larger one when it grows.
    pub(super) struct Region {
        base: *mut u8,
        len: usize,
    }

    // SAFETY: the region owns its allocation; nothing about it belongs to a thread.
    unsafe impl Send for Region {}
    // SAFETY: through a shared reference the region only gives its address.
    unsafe impl Sync for Region {}

    fn layout(len: usize) -> Result<Layout, OutOfMemory> {
        Layout::from_size_align(len, PAGE).map_err(|_| OutOfMemory)
    }

    impl Region {
        pub(super) fn reserve(_most: usize) -> Result<Region, OutOfMemory> {
            Ok(Region { base: ptr::without_provenance_mut(PAGE), len: 0 })
        }

        pub(super) fn base(&self) -> *mut u8 {
            self.base
        }

        pub(super) fn reserved(&self) -> usize {
            self.len
        }

        pub(super) fn commit(&mut self, from: usize, to: usize) -> Result<(), OutOfMemory> {
            // SAFETY: the size is not 0, because `to` is above `from`.
            let base = unsafe { alloc_zeroed(layout(to)?) };
            if base.is_null() {
                return Err(OutOfMemory);
            }
            // SAFETY: `from` bytes are initialised in the old allocation, and the new one is
            // larger.
            unsafe { ptr::copy_nonoverlapping(self.base, base, from) };
            drop(std::mem::replace(self, Region { base, len: to }));
            Ok(())
        }

        /// An allocation needs no preparation.
        pub(super) fn populate(&self, _from: usize, _bytes: usize) {}
    }

    impl Drop for Region {
        fn drop(&mut self) {
            if let (1.., Ok(layout)) = (self.len, layout(self.len)) {
                // SAFETY: the allocation was made with this layout and nothing borrows from it any
                // more.
                unsafe { dealloc(self.base, layout) };
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grows_in_place_and_stays_zero() {
        let mut pages = Pages::reserve(1 << 20).unwrap();
        assert_eq!(pages.slice::<u8>().len(), 0);
        pages.commit(10).unwrap();
        assert_eq!(pages.committed(), PAGE);
        pages.slice_mut::<u32>()[1023] = 7;
        pages.commit(3 * PAGE).unwrap();
        assert_eq!(pages.slice::<u32>()[1023], 7);
        assert!(pages.slice::<u32>()[1024..].iter().all(|&w| w == 0));
        pages.commit(PAGE).unwrap();
        assert_eq!(pages.committed(), 3 * PAGE);
    }

    #[test]
    fn what_is_prepared_keeps_what_is_in_it() {
        let mut pages = Pages::reserve(4 * LARGE as u64).unwrap();
        pages.prepare(PAGE);
        pages.commit(LARGE + PAGE).unwrap();
        pages.slice_mut::<u32>()[HUGE / 4] = 7;
        for to in [0, 1, HUGE, LARGE, usize::MAX] {
            pages.prepare(to);
        }
        assert_eq!(pages.slice::<u32>()[HUGE / 4], 7);
        assert_eq!(pages.slice::<u32>().iter().filter(|&&word| word != 0).count(), 1);
        assert_eq!(pages.prepared.into_inner(), LARGE + HUGE);
    }

    #[cfg(all(unix, not(miri)))]
    #[test]
    fn refuses_beyond_what_was_reserved() {
        let mut pages = Pages::reserve(HUGE as u64).unwrap();
        assert_eq!(pages.commit(HUGE + 1), Err(OutOfMemory));
        pages.commit(HUGE).unwrap();
        assert_eq!(pages.slice::<u64>().len(), HUGE / 8);
        assert_eq!(Pages::zeroed(1 << 50).err(), Some(OutOfMemory));
    }
}
