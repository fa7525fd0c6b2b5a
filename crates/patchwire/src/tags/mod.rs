//! Elements and channels: which markers there are, and where what they enclose goes.

mod presets;
mod router;
mod set;

pub(crate) use router::{Routed, Router};
pub(crate) use set::Marker;
pub use set::{Channel, Family, TagSet, TagSetError};
