//! The predefined macros of GCC 12, as far as programs use them.
//!
//! *Entry point:* [`predefined`].
//! *Invariant:* a macro has the same value as in GCC for the same data model. An undefined name
//! would evaluate to 0 in `#if`.

use std::fmt::Write;

/// The predefined macros as text.
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
    text.push_str(FLOATING);
    text.push_str(OTHERS);
    integers(lp64, &mut text);
    text
}

/// The `float` and `double` of IEEE 754.
const FLOATING: &str = "#define __FLT_RADIX__ 2\n#define __FLT_EVAL_METHOD__ 0\n#define __FLT_MANT_DIG__ 24\n#define __FLT_DIG__ 6\n\
     #define __FLT_MIN_EXP__ (-125)\n#define __FLT_MAX_EXP__ 128\n#define __FLT_MIN_10_EXP__ (-37)\n#define __FLT_MAX_10_EXP__ 38\n\
     #define __FLT_DECIMAL_DIG__ 9\n#define __FLT_MAX__ 3.40282346638528859811704183484516925e+38F\n\
     #define __FLT_MIN__ 1.17549435082228750796873653722224568e-38F\n#define __DBL_MANT_DIG__ 53\n#define __DBL_DIG__ 15\n\
     #define __DBL_MIN_EXP__ (-1021)\n#define __DBL_MAX_EXP__ 1024\n#define __DBL_MIN_10_EXP__ (-307)\n\
     #define __DBL_MAX_10_EXP__ 308\n#define __DBL_DECIMAL_DIG__ 17\n#define __DBL_MAX__ 1.79769313486231570814527423731704357e+308\n\
     #define __DBL_MIN__ 2.22507385850720138309023271733240406e-308\n#define __FINITE_MATH_ONLY__ 0\n";

/// Macros that do not depend on the data model.
const OTHERS: &str = "#define __gnu_linux__ 1\n#define __VERSION__ \"12.2.0\"\n#define __STDC_HOSTED__ 1\n#define __STDC_UTF_16__ 1\n\
     #define __STDC_UTF_32__ 1\n#define __STDC_IEC_559__ 1\n#define __STDC_ISO_10646__ 201706L\n#define __BIGGEST_ALIGNMENT__ 16\n\
     #define __USER_LABEL_PREFIX__\n#define __REGISTER_PREFIX__\n#define __ORDER_PDP_ENDIAN__ 3412\n\
     #define __FLOAT_WORD_ORDER__ __ORDER_LITTLE_ENDIAN__\n#define __SIZEOF_WCHAR_T__ 4\n#define __SIZEOF_WINT_T__ 4\n\
     #define __WCHAR_MAX__ 0x7fffffff\n#define __WCHAR_MIN__ (-__WCHAR_MAX__ - 1)\n#define __WCHAR_WIDTH__ 32\n\
     #define __WINT_MAX__ 0xffffffffU\n#define __WINT_MIN__ 0U\n#define __WINT_WIDTH__ 32\n#define __SIG_ATOMIC_TYPE__ int\n\
     #define __SIG_ATOMIC_MAX__ 0x7fffffff\n#define __SIG_ATOMIC_MIN__ (-__SIG_ATOMIC_MAX__ - 1)\n#define __SIG_ATOMIC_WIDTH__ 32\n\
     #define __SCHAR_WIDTH__ 8\n#define __SHRT_WIDTH__ 16\n#define __INT_WIDTH__ 32\n#define __LONG_LONG_WIDTH__ 64\n\
     #define __INTMAX_WIDTH__ 64\n#define __GCC_ATOMIC_TEST_AND_SET_TRUEVAL 1\n#define __GCC_IEC_559 2\n\
     #define __GCC_ATOMIC_BOOL_LOCK_FREE 2\n#define __GCC_ATOMIC_CHAR_LOCK_FREE 2\n#define __GCC_ATOMIC_CHAR16_T_LOCK_FREE 2\n\
     #define __GCC_ATOMIC_CHAR32_T_LOCK_FREE 2\n#define __GCC_ATOMIC_WCHAR_T_LOCK_FREE 2\n#define __GCC_ATOMIC_SHORT_LOCK_FREE 2\n\
     #define __GCC_ATOMIC_INT_LOCK_FREE 2\n#define __GCC_ATOMIC_LONG_LOCK_FREE 2\n#define __GCC_ATOMIC_LLONG_LOCK_FREE 2\n\
     #define __GCC_ATOMIC_POINTER_LOCK_FREE 2\n#define __GCC_HAVE_SYNC_COMPARE_AND_SWAP_1 1\n\
     #define __GCC_HAVE_SYNC_COMPARE_AND_SWAP_2 1\n#define __GCC_HAVE_SYNC_COMPARE_AND_SWAP_4 1\n\
     #define __GCC_HAVE_SYNC_COMPARE_AND_SWAP_8 1\n";

/// Integer types by width, and their limits.
fn integers(lp64: bool, text: &mut String) {
    let (long, suffix) = if lp64 { ("long", "L") } else { ("long long", "LL") };
    let mut define = |name: String, value: String| {
        let _ = writeln!(text, "#define __{name} {value}");
    };
    // Name, least type and fast type of this width, and the suffix of constants.
    let fast = if lp64 { (64, "long", "L") } else { (32, "int", "") };
    let most = |bits: u32| format!("0x{:x}", u64::MAX >> (65 - bits));
    let most_unsigned = |bits: u32| format!("0x{:x}", u64::MAX >> (64 - bits));
    for (bits, own, behind) in
        [(8, "signed char", ""), (16, "short", ""), (32, "int", ""), (64, long, suffix)]
    {
        let unsigned = if bits == 8 { "unsigned char".into() } else { format!("unsigned {own}") };
        let small = bits < 32;
        if bits < 64 {
            define(format!("INT{bits}_TYPE__"), own.into());
            define(format!("UINT{bits}_TYPE__"), unsigned.clone());
        }
        define(format!("INT{bits}_MAX__"), most(bits) + behind);
        define(format!("UINT{bits}_MAX__"), most_unsigned(bits) + if small { "" } else { "U" } + behind);
        define(format!("INT_LEAST{bits}_TYPE__"), own.into());
        define(format!("UINT_LEAST{bits}_TYPE__"), unsigned.clone());
        define(format!("INT_LEAST{bits}_MAX__"), most(bits) + behind);
        define(
            format!("UINT_LEAST{bits}_MAX__"),
            most_unsigned(bits) + if small { "" } else { "U" } + behind,
        );
        define(format!("INT_LEAST{bits}_WIDTH__"), bits.to_string());
        let glued = |suffix: String| if suffix.is_empty() { "c".into() } else { format!("c ## {suffix}") };
        define(format!("INT{bits}_C(c)"), glued(behind.into()));
        define(format!("UINT{bits}_C(c)"), glued(if small { String::new() } else { format!("U{behind}") }));
        let (wide, quick, behind) = if bits == 16 || bits == 32 { fast } else { (bits, own, behind) };
        let quick_unsigned = if wide == 8 { "unsigned char".into() } else { format!("unsigned {quick}") };
        define(format!("INT_FAST{bits}_TYPE__"), quick.into());
        define(format!("UINT_FAST{bits}_TYPE__"), quick_unsigned);
        define(format!("INT_FAST{bits}_MAX__"), most(wide) + behind);
        define(
            format!("UINT_FAST{bits}_MAX__"),
            most_unsigned(wide) + if wide < 32 { "" } else { "U" } + behind,
        );
        define(format!("INT_FAST{bits}_WIDTH__"), wide.to_string());
    }
    define("INTMAX_MAX__".into(), most(64) + suffix);
    define("UINTMAX_MAX__".into(), most_unsigned(64) + "U" + suffix);
    define("INTMAX_C(c)".into(), format!("c ## {suffix}"));
    define("UINTMAX_C(c)".into(), format!("c ## U{suffix}"));
    let (bits, pointer, behind) = if lp64 { (64, 8, "L") } else { (32, 4, "") };
    for name in ["INTPTR", "PTRDIFF"] {
        define(format!("{name}_MAX__"), most(bits) + behind);
        define(format!("{name}_WIDTH__"), bits.to_string());
    }
    for name in ["UINTPTR", "SIZE"] {
        define(format!("{name}_MAX__"), most_unsigned(bits) + "U" + behind);
    }
    define("SIZE_WIDTH__".into(), bits.to_string());
    define("LONG_WIDTH__".into(), bits.to_string());
    define("SIZEOF_PTRDIFF_T__".into(), pointer.to_string());
    define("SIZEOF_LONG_DOUBLE__".into(), if lp64 { "16" } else { "12" }.into());
}
