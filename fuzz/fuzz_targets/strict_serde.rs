#![no_main]
libfuzzer_sys::fuzz_target!(|data: &[u8]| testkit::fuzzing::strict_against_serde(data));
