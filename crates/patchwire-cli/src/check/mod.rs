//! Whether it matters where chunks end.

mod compare;
mod plan;
mod table;
mod told;

pub(crate) use compare::{BodySubject, EngineSubject, compare};
pub(crate) use plan::Plan;
pub(crate) use table::{Case, Table};
