//! Threads change nothing but the time.

use arrow_array::StringArray;
use patchwire::{Schema, Spec};
use patchwire_arrow::BatchParser;
use testkit::generate::{Rng, answer, spoilt};

/// Answers of very different lengths, some megabytes in all.
fn rows() -> Vec<Option<String>> {
    let rng = &mut Rng::new(11);
    let row = |at: usize| {
        let text = match at % 7 {
            0 => return None,
            1 => format!("{{\"row\": {at}, \"text\": \"{}\"}}", "long ".repeat(rng.below(20_000))),
            2 => String::from_utf8_lossy(&spoilt::document(rng)).into_owned(),
            _ => answer::document(rng),
        };
        Some(text)
    };
    (0..900).map(row).collect()
}

#[test]
fn rows_stay_in_order() {
    let rows = rows();
    let column: StringArray = rows.iter().map(Option::as_deref).collect();
    assert!(column.value_data().len() > 4 << 20, "the column is worth several threads");
    let schema = Schema::from_text(r#"{"row": "int", "text": "str"}"#).expect("it is a schema");
    let typed = Spec::builder().schema(schema).build().expect("nothing contradicts");
    for spec in [Spec::json(), typed] {
        let alone = BatchParser::new(&spec).with_threads(1).parse(&column).expect("it can be read");
        for threads in [0, 2, 3, 8] {
            let parser = BatchParser::new(&spec).with_threads(threads);
            let together = parser.parse(&column).expect("it can be read");
            assert_eq!(alone, together, "{threads} threads");
        }
    }
}
