//! The memory of a value that is kept.

use patchwire::Spec;

use crate::measure::cost;

/// Records of short members, as of a table.
fn records(bytes: usize) -> String {
    let mut text = String::from("[");
    for number in 0.. {
        let separator = if number == 0 { "" } else { "," };
        text.push_str(&format!(
            r#"{separator}{{"id": {number}, "name": "item {number}", "price": 12.5, "sold": true, "tags": ["a", "b"]}}"#
        ));
        if text.len() >= bytes {
            break;
        }
    }
    text.push(']');
    text
}

/// Old and new memory of a buffer that grows count both. A vector of all nodes that doubles would take up to three
/// times the nodes.
#[test]
fn a_kept_value_takes_at_most_four_times_its_text() {
    for size in [200_000, 500_000, 700_000, 1_000_000] {
        let input = records(size);
        let spec = Spec::builder().without_raw().build().expect("a spec");
        let peak = cost(&spec, input.as_bytes(), 4).info.bytes_max;
        let times = peak as f64 / input.len() as f64;
        assert!(times <= 4.0, "{} bytes: {peak}, {times:.2} times", input.len());
    }
}
