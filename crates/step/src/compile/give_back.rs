//! Release of the memory occupied by the code generator's own code.
//!
//! Cranelift takes about three of the seven megabytes of a running `axle`, and is not used after a
//! model was compiled. Its pages are clean copies of the program file, so the system would reclaim
//! them when memory is short. Here they are released at once, so that they do not count during a
//! search. Pages that are needed again are loaded from the page cache.
//!
//! *Entry point:* [`text`].
//!
//! *Invariant:* only executable, private, read-only mappings of the program file are released,
//! which cannot contain modifications. Debug builds release nothing, because debuggers write
//! breakpoints.

/// Releases the program's text.
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
            // SAFETY: the range is a whole mapping of this process, of a file and never written to,
            // so its pages are read from the file again when they are next accessed.
            unsafe {
                libc::madvise(std::ptr::without_provenance_mut(start), end - start, libc::MADV_DONTNEED);
            }
        }
    }

    /// The address ranges of the program's text, from the system's list of mappings.
    pub(super) fn ranges(maps: &str, program: &str) -> Vec<(usize, usize)> {
        let range = |line: &str| {
            let mut fields = line.split_ascii_whitespace();
            let (range, access) = (fields.next()?, fields.next()?);
            // Offset, device and inode precede the path.
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
