//! The parts of `patchwire check`: whether chunk boundaries make a difference.

mod check_table;
mod compare;
mod cut_plan;
mod event_log;

pub(crate) use check_table::{CheckTable, CheckedStream};
pub(crate) use compare::{BodySubject, EngineSubject, compare};
pub(crate) use cut_plan::CutPlan;
