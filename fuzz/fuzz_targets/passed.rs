#![no_main]

#[path = "../../crates/patchwire-web/tests/fuzzing_passed.rs"]
mod fuzzing_passed;
#[path = "../../crates/patchwire-web/tests/support/mod.rs"]
mod support;

libfuzzer_sys::fuzz_target!(|data: &[u8]| fuzzing_passed::passed(data));
