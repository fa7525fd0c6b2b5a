//! The memory cost of hostile input, counted by the allocator of this test binary.

mod ends;
mod growth;
mod measure;
mod owned;
mod peak;
mod stack;
mod steady;
