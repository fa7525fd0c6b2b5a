#![no_main]
libfuzzer_sys::fuzz_target!(|data: &[u8]| testkit::fuzzing::lenient_against_strict(data));
