//! Release of the memory occupied by the code generator.
//!
//! Cranelift takes about three of the seven megabytes of a running `axle`, and is not used after a model was
//! compiled. What it freed stays in the heap of the allocator, and the pages of its text and of its
//! tables are clean copies of the program file, so the system would reclaim them when memory is
//! short. Here both are released at once, so that they do not count during a search. The same holds
//! of the libraries. Pages that are needed again are loaded from the page cache.
//!
//! *Entry point:* [`memory`].
//!
//! *Invariant:* of the file mappings, only private, read-only ones of the program and its libraries
//! without any modified page are released: relocated tables and pages in which a debugger wrote
//! breakpoints contain some. Debug builds release nothing.

/// Releases free blocks of the heap, and the unmodified pages of the program and its libraries.
pub(super) fn memory() {
    #[cfg(all(target_os = "linux", not(miri)))]
    if !cfg!(debug_assertions) {
        linux::heap();
        linux::pages();
    }
}

#[cfg(all(target_os = "linux", not(miri)))]
mod linux {
    /// Returns the free blocks of the heap.
    pub(super) fn heap() {
        #[cfg(target_env = "gnu")]
        // SAFETY: `malloc_trim` releases only pages of free blocks, and may be called at any time.
        unsafe {
            libc::malloc_trim(0);
        }
    }

    /// Releases the unmodified pages of the program and its libraries.
    pub(super) fn pages() {
        let (Ok(program), Ok(maps)) =
            (std::fs::read_link("/proc/self/exe"), std::fs::read_to_string("/proc/self/smaps"))
        else {
            return;
        };
        for (start, end) in ranges(&maps, &program.to_string_lossy()) {
            // SAFETY: the range is a whole mapping of this process, of a file and never written to,
            // so its pages are read from the file again when they are next accessed.
            unsafe {
                libc::madvise(std::ptr::without_provenance_mut(start), end - start, libc::MADV_DONTNEED);
            }
        }
    }

    /// The address ranges of the unmodified mappings of the program and its libraries, from the
    /// system's list of mappings with their amounts of memory.
    pub(super) fn ranges(maps: &str, program: &str) -> Vec<(usize, usize)> {
        let mut ranges = Vec::new();
        let mut mapping = None;
        for line in maps.lines() {
            let mut fields = line.split_ascii_whitespace();
            match fields.next() {
                // The last line about a mapping that matters here: its modified pages.
                Some("Anonymous:") if fields.next() == Some("0") => ranges.extend(mapping.take()),
                Some(name) if name.ends_with(':') => {}
                _ => mapping = unwritable(line, program),
            }
        }
        ranges
    }

    /// The addresses of a private, read-only mapping of the program or a library.
    fn unwritable(line: &str, program: &str) -> Option<(usize, usize)> {
        let mut fields = line.split_ascii_whitespace();
        let (range, access) = (fields.next()?, fields.next()?);
        // Offset, device and inode precede the path.
        let path = line.splitn(6, ' ').last()?.trim_start();
        let (start, end) = range.split_once('-')?;
        let number = |text| usize::from_str_radix(text, 16).ok();
        let (start, end) = (number(start)?, number(end)?);
        let is_library = path.starts_with('/') && (path.ends_with(".so") || path.contains(".so."));
        let is_read_only = matches!(access, "r-xp" | "r--p");
        (is_read_only && (path == program || is_library) && start < end).then_some((start, end))
    }
}

#[cfg(all(test, target_os = "linux", not(miri)))]
mod tests {
    use super::linux::ranges;

    const MAPS: &str = "\
55d0c0000000-55d0c0200000 r--p 00000000 fe:00 1234                       /usr/bin/a program
Size:               2048 kB
Anonymous:             0 kB
VmFlags: rd mr mw me sd
55d0c0200000-55d0c0900000 r-xp 00200000 fe:00 1234                       /usr/bin/a program
Anonymous:             0 kB
55d0c0900000-55d0c0910000 r--p 00900000 fe:00 1234                       /usr/bin/a program
Anonymous:            64 kB
55d0c0910000-55d0c0920000 rw-p 00910000 fe:00 1234                       /usr/bin/a program
Anonymous:             0 kB
7f0000000000-7f0000001000 r-xp 00000000 00:00 0 
Anonymous:             0 kB
7f0000100000-7f0000200000 r-xp 00000000 fe:00 77                         /usr/lib/libc.so.6
Anonymous:             0 kB
7f0000200000-7f0000210000 r-xs 00000000 fe:00 77                         /usr/lib/libm.so.6
Anonymous:             0 kB
7f0000210000-7f0000220000 r--p 00000000 fe:00 78                         /home/a/model.pml
Anonymous:             0 kB
7f0000300000-7f0000301000 rwxp 00000000 fe:00 1234                       /usr/bin/a program
Anonymous:             0 kB
";

    #[test]
    fn only_unmodified_pages_of_the_program_and_its_libraries_are_let_go() {
        let library = (0x7f00_0010_0000, 0x7f00_0020_0000);
        let text = [(0x55d0_c000_0000, 0x55d0_c020_0000), (0x55d0_c020_0000, 0x55d0_c090_0000)];
        assert_eq!(ranges(MAPS, "/usr/bin/a program"), [text[0], text[1], library]);
        assert_eq!(ranges(MAPS, "/usr/bin/other"), [library]);
        assert_eq!(ranges("nonsense\n\n1-\nAnonymous: 0 kB", "x"), []);
    }

    #[test]
    fn this_program_has_text() {
        let program = std::fs::read_link("/proc/self/exe").unwrap();
        let maps = std::fs::read_to_string("/proc/self/smaps").unwrap();
        let here = this_program_has_text as fn() as usize;
        let found = ranges(&maps, &program.to_string_lossy());
        assert!(found.iter().any(|&(start, end)| (start..end).contains(&here)), "{found:x?}");
    }
}
