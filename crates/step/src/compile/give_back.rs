//! Giving back the memory that the compiler's own code takes.
//!
//! Cranelift is about three of the seven megabytes of a running `axle`, and is not called again
//! once a model is compiled. Its pages are clean copies of the program's file, so the system would
//! take them when it is short; here they are let go at once, so that a search with a few million
//! states does not carry them. What is still needed comes back from the page cache by itself.
//!
//! *Entry point:* [`text`].
//!
//! *Invariant:* only mappings that are executable, private, not writable and from the program's
//! file are let go: nothing can have been written there. (A debugger writes breakpoints there:
//! builds for debugging keep everything.)

/// Lets go of the program's text.
pub(super) fn text() {
    #[cfg(all(target_os = "linux", not(miri)))]
    if !cfg!(debug_assertions) {
        linux::text();
    }
}

#[cfg(all(target_os = "linux", not(miri)))]
mod linux {
    pub(super) fn text() {
        let (Ok(program), Ok(maps)) =
            (std::fs::read_link("/proc/self/exe"), std::fs::read_to_string("/proc/self/maps"))
        else {
            return;
        };
        for (start, end) in ranges(&maps, &program.to_string_lossy()) {
            // SAFETY: the range is a whole mapping of this process, of a file and never written to, so that
            // its pages are read from the file again when they are next needed.
            unsafe {
                libc::madvise(std::ptr::without_provenance_mut(start), end - start, libc::MADV_DONTNEED);
            }
        }
    }

    /// Where the program's text is, from the list of mappings that the system keeps.
    pub(super) fn ranges(maps: &str, program: &str) -> Vec<(usize, usize)> {
        let range = |line: &str| {
            let mut fields = line.split_ascii_whitespace();
            let (range, access) = (fields.next()?, fields.next()?);
            // Offset, device and inode come before the path.
            let path = line.splitn(6, ' ').last()?.trim_start();
            let (start, end) = range.split_once('-')?;
            let number = |text| usize::from_str_radix(text, 16).ok();
            let (start, end) = (number(start)?, number(end)?);
            (access == "r-xp" && path == program && start < end).then_some((start, end))
        };
        maps.lines().filter_map(range).collect()
    }
}

#[cfg(all(test, target_os = "linux", not(miri)))]
mod tests {
    use super::linux::ranges;

    const MAPS: &str = "\
55d0c0000000-55d0c0200000 r--p 00000000 fe:00 1234                       /usr/bin/a program
55d0c0200000-55d0c0900000 r-xp 00200000 fe:00 1234                       /usr/bin/a program
55d0c0900000-55d0c0910000 rw-p 00900000 fe:00 1234                       /usr/bin/a program
7f0000000000-7f0000001000 r-xp 00000000 00:00 0 
7f0000100000-7f0000200000 r-xp 00000000 fe:00 77                         /usr/lib/libc.so.6
7f0000300000-7f0000301000 rwxp 00000000 fe:00 1234                       /usr/bin/a program
";

    #[test]
    fn only_the_text_of_the_program_is_let_go() {
        assert_eq!(ranges(MAPS, "/usr/bin/a program"), [(0x55d0_c020_0000, 0x55d0_c090_0000)]);
        assert_eq!(ranges(MAPS, "/usr/bin/other"), []);
        assert_eq!(ranges("nonsense\n\n1-", "x"), []);
    }

    #[test]
    fn this_program_has_text() {
        let program = std::fs::read_link("/proc/self/exe").unwrap();
        let maps = std::fs::read_to_string("/proc/self/maps").unwrap();
        let here = this_program_has_text as fn() as usize;
        let found = ranges(&maps, &program.to_string_lossy());
        assert!(found.iter().any(|&(start, end)| (start..end).contains(&here)), "{found:x?}");
    }
}
