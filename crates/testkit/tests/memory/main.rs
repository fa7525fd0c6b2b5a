//! The memory cost of hostile input, counted by the allocator of this test binary.

mod calls;
mod decoders;
mod ends;
mod growth;
mod kept;
mod measure;
mod owned;
mod peak;
mod settings;
mod stack;
mod steady;
