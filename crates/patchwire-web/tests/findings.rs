//! What the fuzz targets `gateway` and `passed` found before, and inputs of each kind.

use crate::fuzzing::gateway;
use crate::fuzzing_passed::passed;

#[test]
fn what_was_found_before_is_right_now() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fuzz/findings");
    for (name, target) in [("gateway", gateway as fn(&[u8])), ("passed", passed)] {
        for entry in std::fs::read_dir(format!("{folder}/{name}")).into_iter().flatten() {
            let path = entry.expect("an entry").path();
            target(&std::fs::read(path).expect("a file"));
        }
    }
}

#[test]
fn inputs_of_each_kind_are_checked() {
    for input in [
        &b"\x00\x00{\"says\":[[\"t\",\"[1,\"],[\"e\",\"gone\"]]}"[..],
        b"\x00\x00{",
        b"\x01\x00{\"text\":\"[1]\",\"cut\":[2]}",
        b"\x01\x00{\"text\":\"[1]\",\"cut\":[9]}",
        b"\x02\x00GET /v1/streams\nHost: localhost",
        b"\x02\x00GET /v1/streams\nHost: localhost\nHost: evil",
        b"\x02\x00DELETE /v1/fields/none\nHost: localhost\n\n",
        b"\x02\x00POST /v1/fields\nHost: [::1]\nContent-Type: application/json\n\n{}",
        b"\x03\x03\x04\x21\x07{\"a\": \"text\", \"b\": [1, 2]}",
        b"\xff\x04\x01\x02\x03\x05<think>why</think>{\"a\": \"text\", \"c\": {\"d\": 1.5}}",
        b"",
    ] {
        gateway(input);
    }
}
