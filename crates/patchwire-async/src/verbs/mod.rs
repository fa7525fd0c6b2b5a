//! The verbs that read a part of a response: `text`, `values`, `each`, `drafts`. They name the types of a
//! [`Part`](crate::Part).

mod drafts;
mod each;
mod follow;
mod get;
mod text;
mod values;

pub use drafts::Drafts;
pub use each::{Each, Item};
pub(crate) use follow::{FieldEvent, Follow};
pub(crate) use get::get_field;
pub use text::{Text, TextDelta};
pub use values::Values;
