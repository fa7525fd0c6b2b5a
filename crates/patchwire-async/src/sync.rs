//! Locks and counters: those of the standard library, or those of `shuttle`, which tries interleavings in a test.

#[cfg(feature = "_shuttle")]
pub(crate) use shuttle::sync::{
    Mutex, MutexGuard,
    atomic::{AtomicU64, Ordering},
};
#[cfg(not(feature = "_shuttle"))]
pub(crate) use std::sync::{
    Mutex, MutexGuard,
    atomic::{AtomicU64, Ordering},
};
