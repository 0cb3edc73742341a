//! Our own headers, found after the user's folders and before anything else, so that neither a compiler nor
//! system headers are needed. Main function: [`find`]. They declare plain prototypes and transparent structures;
//! what the functions do is said in `exec`, or in C in `library.c` and the files beside it.

use axle_source::{LoadError, Loader};

/// The folder in which our headers seem to lie.
pub const FOLDER: &str = "<axle>";

macro_rules! headers {
    ($($name:literal),* $(,)?) => { &[$(($name, include_str!(concat!("../headers/", $name)))),*] };
}

/// Name and text.
pub const HEADERS: &[(&str, &str)] = headers![
    "alloca.h",
    "asm-generic/errno-base.h",
    "asm-generic/errno.h",
    "assert.h",
    "ctype.h",
    "dirent.h",
    "err.h",
    "errno.h",
    "error.h",
    "fcntl.h",
    "float.h",
    "ftw.h",
    "getopt.h",
    "immintrin.h",
    "inttypes.h",
    "limits.h",
    "linux/futex.h",
    "locale.h",
    "malloc.h",
    "math.h",
    "memory.h",
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
    "sys/mman.h",
    "sys/param.h",
    "sys/prctl.h",
    "sys/queue.h",
    "sys/resource.h",
    "sys/stat.h",
    "sys/syscall.h",
    "sys/sysinfo.h",
    "sys/time.h",
    "sys/types.h",
    "sys/utsname.h",
    "sys/wait.h",
    "syslog.h",
    "threads.h",
    "time.h",
    "unistd.h",
];

/// Headers that programs include and mostly make no use of: nothing but some types is declared in them.
const EMPTY: &[&str] = &[
    "arpa/inet.h",
    "execinfo.h",
    "features.h",
    "grp.h",
    "libgen.h",
    "netdb.h",
    "netinet/in.h",
    "netinet/tcp.h",
    "poll.h",
    "sys/epoll.h",
    "sys/eventfd.h",
    "sys/file.h",
    "sys/ioctl.h",
    "sys/ipc.h",
    "sys/msg.h",
    "sys/poll.h",
    "sys/select.h",
    "sys/sem.h",
    "sys/shm.h",
    "sys/socket.h",
    "sys/times.h",
    "sys/uio.h",
    "sys/un.h",
    "termios.h",
    "wchar.h",
    "wctype.h",
];

/// Functions of the C library that are written in C.
pub const LIBRARY: &str = concat!(
    include_str!("../headers/library.c"),
    include_str!("../headers/library_attributes.c"),
    include_str!("../headers/library_files.c"),
    include_str!("../headers/library_input.c"),
    include_str!("../headers/library_semaphores.c"),
    include_str!("../headers/library_time.c"),
);

/// Prototypes of the functions that have a compiler's name too, `__builtin_abort`.
pub const BUILTINS: &str = include_str!("../headers/builtins.h");

/// Other names for the header of the processor's instructions.
const INSTRUCTIONS: &[&str] = &["emmintrin.h", "smmintrin.h", "x86intrin.h", "xmmintrin.h"];

/// The text of one of our headers.
pub fn find(name: &str) -> Option<&'static str> {
    let name = if INSTRUCTIONS.contains(&name) { "immintrin.h" } else { name };
    let known = HEADERS.iter().find(|(known, _)| *known == name).map(|(_, text)| *text);
    known.or_else(|| EMPTY.contains(&name).then_some("#include <stddef.h>\n#include <sys/types.h>\n"))
}

/// The user's files and ours.
pub struct WithHeaders<'a>(pub &'a dyn Loader);

impl Loader for WithHeaders<'_> {
    fn load(&self, path: &str, limit: u64) -> Result<Vec<u8>, LoadError> {
        match path.strip_prefix(FOLDER).and_then(|rest| rest.strip_prefix('/')) {
            Some(name) => find(name).map(|text| text.as_bytes().to_vec()).ok_or(LoadError::NotFound),
            None => self.0.load(path, limit),
        }
    }
}

/// Macros that are defined before the first line, as gcc has them.
pub fn predefined(lp64: bool) -> String {
    let mut text = String::from(
        "#define __axle__ 1\n#define __GNUC__ 12\n#define __GNUC_MINOR__ 2\n#define __GNUC_PATCHLEVEL__ 0\n\
         #define __GNUC_STDC_INLINE__ 1\n#define __linux__ 1\n#define __linux 1\n#define linux 1\n#define __unix__ 1\n\
         #define __unix 1\n#define unix 1\n#define __ELF__ 1\n#define __CHAR_BIT__ 8\n#define __SCHAR_MAX__ 127\n\
         #define __SHRT_MAX__ 32767\n#define __INT_MAX__ 2147483647\n#define __LONG_LONG_MAX__ 9223372036854775807LL\n\
         #define __BYTE_ORDER__ 1234\n#define __ORDER_LITTLE_ENDIAN__ 1234\n#define __ORDER_BIG_ENDIAN__ 4321\n\
         #define __SIZEOF_INT__ 4\n#define __SIZEOF_SHORT__ 2\n#define __SIZEOF_LONG_LONG__ 8\n\
         #define __SIZEOF_FLOAT__ 4\n#define __SIZEOF_DOUBLE__ 8\n#define __WCHAR_TYPE__ int\n#define __WINT_TYPE__ unsigned\n\
         #define __CHAR16_TYPE__ unsigned short\n#define __CHAR32_TYPE__ unsigned\n#define __STDC_NO_COMPLEX__ 1\n\
         #define __STDC_NO_VLA__ 1\n#define __ATOMIC_RELAXED 0\n#define __ATOMIC_CONSUME 1\n#define __ATOMIC_ACQUIRE 2\n\
         #define __ATOMIC_RELEASE 3\n#define __ATOMIC_ACQ_REL 4\n#define __ATOMIC_SEQ_CST 5\n#define __OPTIMIZE__ 1\n\
         #define __has_attribute(x) 0\n#define __has_builtin(x) 0\n#define __has_feature(x) 0\n#define __has_extension(x) 0\n\
         #define __FLT_EPSILON__ 1.19209289550781250000e-7F\n#define __DBL_EPSILON__ 2.22044604925031308085e-16\n",
    );
    text.push_str(if lp64 {
        "#define __LP64__ 1\n#define _LP64 1\n#define __x86_64__ 1\n#define __x86_64 1\n#define __amd64__ 1\n\
         #define __SIZEOF_LONG__ 8\n#define __SIZEOF_POINTER__ 8\n#define __SIZEOF_SIZE_T__ 8\n\
         #define __SIZE_TYPE__ unsigned long\n#define __PTRDIFF_TYPE__ long\n#define __INTPTR_TYPE__ long\n\
         #define __UINTPTR_TYPE__ unsigned long\n#define __LONG_MAX__ 9223372036854775807L\n#define __SIZEOF_INT128__ 16\n\
         #define __INT64_TYPE__ long\n#define __UINT64_TYPE__ unsigned long\n#define __INTMAX_TYPE__ long\n\
         #define __UINTMAX_TYPE__ unsigned long\n"
    } else {
        "#define _ILP32 1\n#define __ILP32__ 1\n#define __i386__ 1\n#define __i386 1\n#define i386 1\n\
         #define __SIZEOF_LONG__ 4\n#define __SIZEOF_POINTER__ 4\n#define __SIZEOF_SIZE_T__ 4\n\
         #define __SIZE_TYPE__ unsigned int\n#define __PTRDIFF_TYPE__ int\n#define __INTPTR_TYPE__ int\n\
         #define __UINTPTR_TYPE__ unsigned int\n#define __LONG_MAX__ 2147483647L\n\
         #define __INT64_TYPE__ long long\n#define __UINT64_TYPE__ unsigned long long\n#define __INTMAX_TYPE__ long long\n\
         #define __UINTMAX_TYPE__ unsigned long long\n"
    });
    text
}

/// The header of ours that declares a name, for advice.
pub fn declares(name: &str) -> Option<&'static str> {
    let called = format!("{name}(");
    let defined = format!("#define {name} ");
    HEADERS
        .iter()
        .find(|(_, text)| {
            text.contains(&format!(" {called}"))
                || text.contains(&format!("*{called}"))
                || text.contains(&defined)
        })
        .map(|(header, _)| *header)
}

/// Whether this is a compiler's name for a function of the library.
pub fn is_builtin(name: &str) -> bool {
    name.strip_prefix("__builtin_").is_some_and(|name| {
        BUILTINS.contains(&format!(" {name}(")) || BUILTINS.contains(&format!("*{name}("))
    })
}

/// Whether our library in C defines a name.
pub fn in_library(name: &str) -> bool {
    matches!(name, "errno" | "stdin" | "stdout" | "stderr" | "optarg" | "optind" | "opterr" | "optopt")
        || LIBRARY.contains(&format!(" {name}("))
        || LIBRARY.contains(&format!("*{name}("))
}
