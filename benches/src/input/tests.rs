use serde_json::Value;

use super::{KB, MB, SIZES, Shape, levels};

/// Containers inside one another, strings left out.
fn depth(json: &str) -> usize {
    let (mut open, mut most, mut in_string, mut escaped) = (0_usize, 0, false, false);
    for byte in json.bytes() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => in_string = !in_string,
            b'{' | b'[' if !in_string => open += 1,
            b'}' | b']' if !in_string => open -= 1,
            _ => {}
        }
        most = most.max(open);
    }
    assert_eq!(open, 0, "what is open was not closed");
    most
}

#[test]
fn every_input_is_json_of_its_size() {
    for shape in Shape::ALL {
        for size in SIZES {
            let json = shape.build(size);
            let value: Result<Value, _> = serde_json::from_str(&json);
            assert!(value.is_ok(), "{} of {size} bytes: {value:?}", shape.name());
            let (least, len) = (size * 4 / 5, json.len());
            assert!((least..=size).contains(&len), "{} of {size}: {len} bytes", shape.name());
        }
    }
}

#[test]
fn every_size_in_between_is_json_too() {
    for shape in Shape::ALL {
        for size in (KB..4 * KB).step_by(37) {
            let json = shape.build(size);
            assert!(serde_json::from_str::<Value>(&json).is_ok(), "{} {size}", shape.name());
            assert!(json.len() <= size, "{} of {size}: {} bytes", shape.name(), json.len());
        }
    }
}

#[test]
fn inputs_are_the_same_every_time() {
    for shape in Shape::ALL {
        assert_eq!(shape.build(10 * KB), shape.build(10 * KB));
    }
}

#[test]
fn levels_are_as_deep_as_asked() {
    for wanted in [10, 100, 1_000, 10_000, 100_000] {
        let json = levels(wanted, 5 * MB);
        assert_eq!(depth(&json), wanted + 1);
        if wanted <= 100 {
            assert!(serde_json::from_str::<Value>(&json).is_ok());
        }
        // Deeper than serde_json goes, patchwire itself says whether it is JSON.
        let limits = patchwire::Limits::default().with(patchwire::Limit::Depth, 1 << 20);
        let strict = patchwire::Spec::builder()
            .strictness(patchwire::Strictness::Strict)
            .limits(limits)
            .build()
            .expect("strict reading without tags contradicts nothing");
        let answer = strict.parse(&json).expect("valid JSON");
        assert!(answer.value().is_complete());
    }
}

#[test]
fn a_report_has_what_slows_readers_down() {
    let json = Shape::Report.build(100 * KB);
    assert!(json.contains("\\n") && json.contains("\\u") && json.contains("\\\""));
    assert!(!json.is_ascii());
    let plain = json.bytes().filter(|byte| byte.is_ascii_lowercase() || *byte == b' ').count();
    assert!(plain * 100 > json.len() * 90, "mostly plain words");
}
