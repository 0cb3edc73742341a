//! Tables and the models that are extracted with them.

mod declarations;
mod library;
mod resync;
mod row_labels;
mod seeds;
mod support;
mod tables;
