//! Strings whose schema lists their values are held whole; all else holds for them too.

use patchwire::Spec;
use patchwire::schema::{list, object, one_of};

#[test]
fn an_item_that_was_the_next_key_is_taken_back() {
    let schema = object().field("tags", list(one_of(["x", "y"])));
    let spec = Spec::builder().schema(schema).build().unwrap();
    for (text, value) in [
        (r#"{"tags": ["x", "x": 1}"#, r#"{"tags":["x"],"x":1}"#),
        (r#"{"a": ["q", "tags": ["x": 1}"#, r#"{"tags":[],"a":["q"],"x":1}"#),
        (r#"{"tags": ["z", "y": 1}"#, r#"{"tags":["z"],"y":1}"#),
    ] {
        assert_eq!(spec.parse(text).unwrap().value().to_string(), value, "{text}");
    }
}
