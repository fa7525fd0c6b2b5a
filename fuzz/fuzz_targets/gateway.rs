#![no_main]

#[path = "../../crates/patchwire-web/tests/fuzzing.rs"]
mod fuzzing;
#[path = "../../crates/patchwire-web/tests/support/mod.rs"]
mod support;

libfuzzer_sys::fuzz_target!(|data: &[u8]| fuzzing::gateway(data));
