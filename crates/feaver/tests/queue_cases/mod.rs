//! Cases of the conformance suite. Each starts with an empty database.

mod cancellation;
mod clocks;
mod concurrency;
mod events;
mod leases;
mod model;
mod order;
mod submission;

use crate::support::{Case, Place};

/// Lists functions with their names.
macro_rules! cases {
    ($($module:ident: $($name:ident)+;)+) => {
        &[$($((stringify!($name), $module::$name as fn(&Place)),)+)+]
    };
}

/// All cases.
pub const CASES: &[Case] = cases! {
    submission:
        jobs_are_numbered_in_order
        a_key_is_submitted_once
        invalid_jobs_are_refused
        data_survives_reopening
        a_newer_schema_is_refused;
    order:
        leases_follow_the_priority
        a_round_can_be_selected
        the_order_is_that_of_the_schedule;
    leases:
        a_job_has_one_lease
        heartbeats_extend_and_report
        a_completion_stores_result_and_follow_ups
        a_repeated_completion_changes_nothing
        a_failed_completion_stores_nothing
        a_late_worker_may_complete_before_its_lease_is_collected
        an_older_attempt_is_refused
        failures_are_counted
        a_release_is_no_failure
        an_unknown_job_is_refused;
    clocks:
        a_clock_set_back_extends_no_lease
        a_clock_set_back_loses_nothing
        a_clock_set_forward_repeats_work_only;
    cancellation:
        open_jobs_are_cancelled
        selections_are_limited
        final_states_stay;
    events:
        each_change_has_an_event
        changes_are_read_in_parts
        a_wait_ends_with_an_event
        a_wait_ends_without_an_event;
    concurrency:
        each_job_is_leased_once
        equal_submissions_add_one_job
        readers_miss_no_event
        no_follow_up_survives_a_cancellation
        a_cancellation_waits_for_a_completion;
    model:
        random_requests_agree_with_a_model;
};
