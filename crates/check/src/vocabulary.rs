//! The names of settings in messages, which are those of `evidence`.

pub use axle_evidence::vocabulary::{Vocabulary, with_name};

#[cfg(test)]
mod tests {
    use axle_search::Stop;

    use super::*;
    use crate::Config;
    use crate::describe;
    use crate::run_report::weak_fairness;

    #[test]
    fn messages_name_settings_only_as_the_front_end_does() {
        static NAMED: Vocabulary =
            Vocabulary { time: "--time", weak_fairness: "a check box", ..*Vocabulary::NONE };
        let config = Config { vocabulary: &NAMED, ..Config::default() };
        assert_eq!(describe::stop(None, Stop::Time, &config).message, "time limit reached (--time)");
        assert_eq!(describe::stop(None, Stop::Memory, &config).message, "memory limit reached");
        let hint = weak_fairness(&NAMED);
        assert_eq!(hint, "with weak process fairness (a check box) this cycle is excluded");
        for stop in [Stop::Errors, Stop::Memory, Stop::Time, Stop::Depth, Stop::States] {
            let message = describe::stop(None, stop, &Config::default()).message;
            assert!(!message.contains("--") && !message.contains('('), "{message}");
        }
    }
}
