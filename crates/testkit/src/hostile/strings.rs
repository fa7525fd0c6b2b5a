//! Strings, quotes, escapes, and bytes that are not UTF-8.

use super::{Shape, around};

pub(super) const SHAPES: &[Shape] = &[
    Shape {
        name: "long_string",
        make: |n| around("{\"a\":\"", "some text of a report ", "\"}", n),
    },
    Shape { name: "long_string_open", make: |n| around("{\"a\":\"", "x", "", n) },
    Shape {
        name: "long_string_wide",
        make: |n| around("[\"", "\u{e9}\u{4e2d}\u{1f600}", "\"]", n),
    },
    Shape { name: "quotes", make: |n| around("{\"a\":", "\"", "", n) },
    Shape { name: "quotes_and_letters", make: |n| around("{\"a\":\"", "\"a\"b", "\"}", n) },
    Shape { name: "quotes_and_blanks", make: |n| around("{\"a\":\"", "\" ", "\"}", n) },
    Shape { name: "quotes_and_commas", make: |n| around("{\"a\":\"", "\",", "\"}", n) },
    Shape { name: "quotes_before_names", make: |n| around("{\"a\":\"", LOOK_NAME, "\"}", n) },
    Shape { name: "quotes_before_runs", make: |n| around("{\"a\":\"", LOOK_RUN, "\"}", n) },
    Shape { name: "quotes_before_pluses", make: |n| around("{\"a\":\"", "\" + ", "\"}", n) },
    Shape { name: "quotes_before_slashes", make: |n| around("{\"a\":\"", "\"/ ", "\"}", n) },
    Shape { name: "single_quotes", make: |n| around("{'a':'", "it's 'his' ", "'}", n) },
    Shape { name: "triple_quotes", make: |n| around("{\"a\":\"\"\"", "\"\" \"", "\"\"\"}", n) },
    Shape { name: "triple_quoted_strings", make: |n| around("[", "\"\"\"a\"\"\",", "1]", n) },
    Shape { name: "smart_quotes", make: |n| around("{“a”: “", "”“", "”}", n) },
    Shape { name: "backtick_quotes", make: |n| around("{\"a\":`", "`x", "`}", n) },
    Shape { name: "concatenated_strings", make: |n| around("{\"a\":", "\"a\"+", "\"a\"}", n) },
    Shape { name: "escapes", make: |n| around("[\"", "\\n\\u0041\\\"", "\"]", n) },
    Shape { name: "backslashes", make: |n| around("[\"", "\\", "", n) },
    Shape { name: "backslashes_in_key", make: |n| around("{\"", "\\", "", n) },
    Shape { name: "high_halves", make: |n| around("[\"", "\\ud83d", "\"]", n) },
    Shape { name: "low_halves", make: |n| around("[\"", "\\ude00", "\"]", n) },
    Shape { name: "cut_halves", make: |n| around("[\"", "\\ud83d\\u", "\"]", n) },
    Shape { name: "unknown_escapes", make: |n| around("[\"", "\\d", "\"]", n) },
    Shape { name: "controls", make: |n| around("[\"", "\n\t\u{1}", "\"]", n) },
    Shape { name: "nul_bytes", make: |n| around("", "\0", "", n) },
    Shape { name: "nul_bytes_in_string", make: |n| around("[\"", "\0", "\"]", n) },
    Shape { name: "replacement_characters", make: |n| around("[\"", "\u{fffd}", "\"]", n) },
    Shape { name: "not_utf8", make: |n| around("", b"\xff", "", n) },
    Shape { name: "not_utf8_in_string", make: |n| around("{\"a\":\"", b"\xc3(\xff", "\"}", n) },
    Shape { name: "cut_code_points", make: |n| around("{\"a\":\"", b"\xf0\x9f", "\"}", n) },
    Shape { name: "not_utf8_between_tokens", make: |n| around("[", b"1,\xff", "1]", n) },
    Shape { name: "byte_order_marks", make: |n| around("", "\u{feff}", "{\"a\":1}", n) },
    Shape { name: "fences_in_string", make: |n| around("```json\n{\"a\":\"", "\n```\n", "", n) },
];

/// A quote, and a name without a colon that is nearly as long as the look-ahead.
const LOOK_NAME: &str = "\",nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn ";
/// A quote, and a quoted run that is nearly as long as the look-ahead.
const LOOK_RUN: &str = "\" \"nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn";
