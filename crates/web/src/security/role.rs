//! Roles: what the holder of a token may do.
//!
//! *Entry point:* [`required`].
//! *Invariant:* a request that no rule names needs the role of an editor.

use std::fmt;

/// What the holder of a token may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    /// Lease jobs and report results; no pages.
    Worker,
    /// Read pages and data.
    Viewer,
    /// Start and cancel rounds.
    Runner,
    /// Change files of the project.
    Editor,
}

impl Role {
    /// All roles.
    pub const ALL: [Role; 4] = [Role::Worker, Role::Viewer, Role::Runner, Role::Editor];

    /// The name in token files and on pages.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Role::Worker => "worker",
            Role::Viewer => "viewer",
            Role::Runner => "runner",
            Role::Editor => "editor",
        }
    }

    /// The role of a name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Role> {
        Role::ALL.into_iter().find(|role| role.name() == name)
    }

    /// Whether this role includes another one. Workers read no pages, and no other role includes the worker.
    #[must_use]
    pub fn includes(self, needed: Role) -> bool {
        match needed {
            Role::Worker => self == Role::Worker,
            needed => self >= needed,
        }
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The role that a request needs.
#[must_use]
pub fn required(method: &str, path: &str) -> Role {
    if path == WORKER || path.strip_prefix(WORKER).is_some_and(|rest| rest.starts_with('/')) {
        return Role::Worker;
    }
    let starts = |prefix: &str| path == prefix || path.starts_with(&format!("{prefix}/"));
    match method {
        "GET" | "HEAD" => Role::Viewer,
        "POST" if path == "/logout" || path == "/appearance" => Role::Viewer,
        "POST" if path == HOOK => Role::Runner,
        "POST" if path == "/api/timeline" => Role::Viewer,
        "POST"
            if starts("/rounds")
                || starts("/api/rounds")
                || starts("/diagnose")
                || starts("/api/diagnose") =>
        {
            Role::Runner
        }
        _ => Role::Editor,
    }
}

/// The path of the repository's hook.
pub const HOOK: &str = "/api/hook";

/// The path below which workers send their requests.
pub const WORKER: &str = "/api/worker";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_need_the_weakest_sufficient_role() {
        for (method, path, role) in [
            ("GET", "/", Role::Viewer),
            ("GET", "/api/project", Role::Viewer),
            ("POST", "/rounds", Role::Runner),
            ("POST", "/rounds/3/cancel", Role::Runner),
            ("POST", "/api/diagnose", Role::Runner),
            ("POST", "/roundsx", Role::Editor),
            ("POST", "/properties/p/edit", Role::Editor),
            ("DELETE", "/", Role::Editor),
            ("POST", "/api/worker/lease", Role::Worker),
            ("GET", "/api/worker", Role::Worker),
            ("GET", "/api/workers", Role::Viewer),
        ] {
            assert_eq!(required(method, path), role, "{method} {path}");
        }
    }

    #[test]
    fn no_role_but_its_own_includes_the_worker() {
        assert!(Role::Worker.includes(Role::Worker));
        assert!(!Role::Editor.includes(Role::Worker));
        assert!(!Role::Worker.includes(Role::Viewer));
        assert!(Role::Editor.includes(Role::Runner) && !Role::Viewer.includes(Role::Runner));
    }
}
