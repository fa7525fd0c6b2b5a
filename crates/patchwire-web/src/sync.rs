//! Locks: those of the standard library, or those of `shuttle`, which tries interleavings in a test.

#[cfg(feature = "_shuttle")]
pub(crate) use shuttle::sync::{Mutex, MutexGuard};
#[cfg(not(feature = "_shuttle"))]
pub(crate) use std::sync::{Mutex, MutexGuard};
