//! Available memory and processors. A search that respects the limit stops with a report before the
//! system ends it.

use std::fs;

/// Available memory if it is unknown.
const UNKNOWN: u64 = 4 << 30;

/// The number of processors; 1 if it is unknown.
pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// The default memory limit of a search: seven eighths of the available memory.
pub fn spare_memory() -> u64 {
    let free = [available(), group_limit()].into_iter().flatten().min().unwrap_or(UNKNOWN);
    free / 8 * 7
}

/// The memory that this process uses.
pub fn resident_memory() -> Option<u64> {
    let text = fs::read_to_string("/proc/self/status").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes * 1024)
}

/// What Linux says could be used without swapping.
fn available() -> Option<u64> {
    let text = fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes * 1024)
}

/// What the control group (a container, a batch job) leaves.
fn group_limit() -> Option<u64> {
    let read = |path: &str| fs::read_to_string(path).ok()?.trim().parse::<u64>().ok();
    let second = read("/sys/fs/cgroup/memory.max").map(|max| (max, read("/sys/fs/cgroup/memory.current")));
    let first = || {
        let max = read("/sys/fs/cgroup/memory/memory.limit_in_bytes")?;
        Some((max, read("/sys/fs/cgroup/memory/memory.usage_in_bytes")))
    };
    let (max, used) = second.or_else(first)?;
    Some(max.saturating_sub(used.unwrap_or(0)))
}
