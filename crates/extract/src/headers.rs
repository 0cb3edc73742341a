//! The C library as tables should see it: calls as calls. Some of our headers define macros whose
//! expansion is of use to the exact semantics only; here they are declared plainly.
//!
//! *Entry point:* [`AsCalls`].

use axle_source::{LoadError, Loader};

/// The user's files, and headers whose macros stay calls.
pub(crate) struct AsCalls<'a>(pub &'a dyn Loader);

impl Loader for AsCalls<'_> {
    fn load(&self, path: &str, limit: u64) -> Result<Vec<u8>, LoadError> {
        let ours = path.strip_prefix(axle_c::HEADERS).and_then(|rest| rest.strip_prefix('/'));
        let Some(name) = ours else { return self.0.load(path, limit) };
        let text = axle_c::header(name).ok_or(LoadError::NotFound)?;
        Ok(match name {
            "assert.h" => {
                "#define static_assert _Static_assert\nvoid assert(int);\n".to_string().into_bytes()
            }
            "stdio.h" => without(text, &["#define stdin", "#define stdout", "#define stderr"]),
            // Such a mutex has other rules than a normal one.
            "pthread.h" => without(
                text,
                &[
                    "#define PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP",
                    "#define PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP",
                    "#define PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP",
                ],
            ),
            "stdatomic.h" => without(text, &["#define atomic_"]),
            _ => text.as_bytes().to_vec(),
        })
    }
}

/// A text without the lines that begin like these.
fn without(text: &str, starts: &[&str]) -> Vec<u8> {
    let kept = text.lines().filter(|line| !starts.iter().any(|start| line.starts_with(start)));
    kept.flat_map(|line| [line, "\n"]).collect::<String>().into_bytes()
}
