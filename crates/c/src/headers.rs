//! The headers of the modelled C library.
//!
//! They are searched after the directories of the user, so neither a compiler nor system headers
//! are needed. They contain prototypes and complete structures. The semantics of the functions is
//! in `exec`, or in C in `library.c` and the files beside it.
//!
//! *Entry point:* [`find`].

use axle_source::{LoadError, Loader};

/// The virtual directory of the headers.
pub const FOLDER: &str = "<axle>";

macro_rules! headers {
    ($($name:literal),* $(,)?) => { &[$(($name, include_str!(concat!("../headers/", $name)))),*] };
}

/// Name and text of each header.
pub const HEADERS: &[(&str, &str)] = headers![
    "alloca.h",
    "arpa/inet.h",
    "asm-generic/errno-base.h",
    "asm-generic/errno.h",
    "assert.h",
    "byteswap.h",
    "ctype.h",
    "dirent.h",
    "endian.h",
    "err.h",
    "errno.h",
    "error.h",
    "fcntl.h",
    "fenv.h",
    "float.h",
    "ftw.h",
    "getopt.h",
    "ifaddrs.h",
    "immintrin.h",
    "inttypes.h",
    "iso646.h",
    "libgen.h",
    "limits.h",
    "linux/futex.h",
    "locale.h",
    "malloc.h",
    "math.h",
    "memory.h",
    "mqueue.h",
    "netdb.h",
    "netinet/in.h",
    "netinet/ip.h",
    "netinet/tcp.h",
    "netinet/udp.h",
    "paths.h",
    "poll.h",
    "pthread.h",
    "pwd.h",
    "sched.h",
    "semaphore.h",
    "setjmp.h",
    "signal.h",
    "stdalign.h",
    "stdarg.h",
    "stdatomic.h",
    "stdbool.h",
    "stddef.h",
    "stdint.h",
    "stdio.h",
    "stdlib.h",
    "stdnoreturn.h",
    "string.h",
    "strings.h",
    "sys/epoll.h",
    "sys/errno.h",
    "sys/eventfd.h",
    "sys/fcntl.h",
    "sys/file.h",
    "sys/ioctl.h",
    "sys/ipc.h",
    "sys/mman.h",
    "sys/param.h",
    "sys/poll.h",
    "sys/prctl.h",
    "sys/queue.h",
    "sys/resource.h",
    "sys/select.h",
    "sys/shm.h",
    "sys/signal.h",
    "sys/signalfd.h",
    "sys/socket.h",
    "sys/stat.h",
    "sys/syscall.h",
    "sys/sysinfo.h",
    "sys/termios.h",
    "sys/time.h",
    "sys/timerfd.h",
    "sys/times.h",
    "sys/types.h",
    "sys/uio.h",
    "sys/un.h",
    "sys/unistd.h",
    "sys/utsname.h",
    "sys/wait.h",
    "sysexits.h",
    "syslog.h",
    "termios.h",
    "threads.h",
    "time.h",
    "uchar.h",
    "unistd.h",
    "utime.h",
];

/// Headers that are not modelled: they declare nothing but the basic types. A program that includes
/// one of them and uses a name that is not declared is rejected at the `#include`.
const UNMODELLED: &[&str] =
    &["execinfo.h", "features.h", "grp.h", "sys/msg.h", "sys/sem.h", "wchar.h", "wctype.h"];

/// The text of a header that is not modelled. The pragma marks the translation units that include
/// it.
const PLACEHOLDER: &str = "#pragma axle unmodelled\n#include <stddef.h>\n#include <sys/types.h>\n";

/// Functions of the C library that are written in C.
pub const LIBRARY: &str = concat!(
    include_str!("../headers/library.c"),
    include_str!("../headers/library_attributes.c"),
    include_str!("../headers/library_files.c"),
    include_str!("../headers/library_floats.c"),
    include_str!("../headers/library_input.c"),
    include_str!("../headers/library_net.c"),
    include_str!("../headers/library_semaphores.c"),
    include_str!("../headers/library_signals.c"),
    include_str!("../headers/library_time.c"),
);

/// The functions that read standard input, with these contents: a file that is read before
/// [`LIBRARY`], whose functions of the same names then do not count.
pub fn stdin(contents: &[u8]) -> String {
    use std::fmt::Write;
    let mut text = String::from("static const char *const __axle_stdin_text =\n");
    for chunk in contents.chunks(64) {
        text.push('"');
        for byte in chunk {
            let done = write!(text, "\\{byte:03o}");
            debug_assert!(done.is_ok(), "a string takes all text");
        }
        text.push_str("\"\n");
    }
    text.push_str(&format!("\"\";\nstatic const unsigned long __axle_stdin_size = {};\n", contents.len()));
    text + include_str!("../headers/library_stdin.c")
}

/// Prototypes of the functions that are also compiler builtins, `__builtin_abort`.
pub const BUILTINS: &str = include_str!("../headers/builtins.h");

/// Header names that are aliases of the header of processor intrinsics.
const INSTRUCTIONS: &[&str] = &["emmintrin.h", "smmintrin.h", "x86intrin.h", "xmmintrin.h"];

/// The text of a header.
pub fn find(name: &str) -> Option<&'static str> {
    let name = if INSTRUCTIONS.contains(&name) { "immintrin.h" } else { name };
    let known = HEADERS.iter().find(|(known, _)| *known == name).map(|(_, text)| *text);
    known.or_else(|| UNMODELLED.contains(&name).then_some(PLACEHOLDER))
}

/// The files of the user and the headers of Axle.
pub struct WithHeaders<'a>(pub &'a dyn Loader);

impl Loader for WithHeaders<'_> {
    fn load(&self, path: &str, limit: u64) -> Result<Vec<u8>, LoadError> {
        match path.strip_prefix(FOLDER).and_then(|rest| rest.strip_prefix('/')) {
            Some(name) => find(name).map(|text| text.as_bytes().to_vec()).ok_or(LoadError::NotFound),
            None => self.0.load(path, limit),
        }
    }
}

/// The header to include for a function, macro or type of this name, for the remedy of a diagnostic.
pub fn declares(name: &str) -> Option<&'static str> {
    let called = format!("{name}(");
    let defined = format!("#define {name} ");
    let is_type = |line: &str| {
        // The name is the last word: `typedef int pid_t;`, `} siginfo_t;`.
        let names = line.strip_suffix(';').filter(|_| line.starts_with("typedef ") || line.starts_with("} "));
        names.is_some_and(|text| text.rsplit([' ', '*']).next() == Some(name))
    };
    let declares = |text: &str| {
        text.contains(&format!(" {called}"))
            || text.contains(&format!("*{called}"))
            || text.contains(&defined)
            || text.lines().any(is_type)
    };
    let direct = HEADERS.iter().find(|(_, text)| declares(text))?.0;
    // `pthread_t` is declared in `sys/types.h`, and looked for in `pthread.h`.
    let directive = format!("#include <{direct}>\n");
    let called_so = |header: &str| header.strip_suffix(".h").is_some_and(|stem| name.starts_with(stem));
    let namesake = HEADERS.iter().find(|(header, text)| called_so(header) && text.contains(&directive));
    Some(namesake.map_or(direct, |(header, _)| header))
}

/// Whether a name is the builtin form of a library function.
pub fn is_builtin(name: &str) -> bool {
    name.strip_prefix("__builtin_").is_some_and(|name| {
        BUILTINS.contains(&format!(" {name}(")) || BUILTINS.contains(&format!("*{name}("))
    })
}

/// Whether the library written in C defines a name.
pub fn in_library(name: &str) -> bool {
    matches!(
        name,
        "errno"
            | "stdin"
            | "stdout"
            | "stderr"
            | "optarg"
            | "optind"
            | "opterr"
            | "optopt"
            | "in6addr_any"
            | "in6addr_loopback"
    ) || LIBRARY.contains(&format!(" {name}("))
        || LIBRARY.contains(&format!("*{name}("))
}
