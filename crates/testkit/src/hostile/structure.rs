//! Punctuation, whitespace, comments, numbers and words.

use super::{Shape, around};

pub(super) const SHAPES: &[Shape] = &[
    Shape { name: "commas", make: |n| around("[", ",", "]", n) },
    Shape { name: "commas_in_object", make: |n| around("{", ",", "}", n) },
    Shape { name: "colons", make: |n| around("{\"a\"", ":", "1}", n) },
    Shape { name: "colons_between_values", make: |n| around("{\"a\":1", ":1", "}", n) },
    Shape { name: "missing_commas", make: |n| around("[", "1 ", "]", n) },
    Shape { name: "missing_commas_of_strings", make: |n| around("[\"a\"", " \"b\"", "]", n) },
    Shape { name: "missing_values", make: |n| around("{", "\"a\":,", "\"b\":1}", n) },
    Shape { name: "surplus_closers", make: |n| around("[1]", "]", "", n) },
    Shape { name: "surplus_closers_of_both_kinds", make: |n| around("{\"a\":1}", "}]", " x", n) },
    Shape { name: "mismatched_closers", make: |n| around("[", "[1},", "1]", n) },
    Shape { name: "tuples", make: |n| around("[", "(1,2),", "1]", n) },
    Shape { name: "parentheses_open", make: |n| around("[", "(", "", n) },
    Shape { name: "blanks_first", make: |n| around("", " ", "{\"a\":1}", n) },
    Shape { name: "lines_first", make: |n| around("", "\n", "[1]", n) },
    Shape { name: "blanks_after_brace", make: |n| around("{", " ", "\"a\":1}", n) },
    Shape { name: "blanks_after_quote", make: |n| around("{\"a\":\"b\"", " ", "}", n) },
    Shape { name: "lines_after_quote", make: |n| around("{\"a\":\"b\"", "\n", "}", n) },
    Shape { name: "blanks_after_key", make: |n| around("{\"a\"", " ", ":1}", n) },
    Shape { name: "blanks_between_tokens", make: |n| around("[1", "    ,    1", "]", n) },
    Shape { name: "blanks_in_text", make: |n| around("{\"a\":so", " ", "it is}", n) },
    Shape { name: "blanks_after_root", make: |n| around("{\"a\":1}", " \r\n\t", "", n) },
    Shape { name: "block_comments", make: |n| around("[", "/* x */", "1]", n) },
    Shape { name: "block_comments_open", make: |n| around("[", "/* ", "", n) },
    Shape { name: "block_comment_stars", make: |n| around("[/*", "*", "/ 1]", n) },
    Shape { name: "slashes", make: |n| around("[", "/", "", n) },
    Shape { name: "slashes_after_values", make: |n| around("[1", "/ 1", "]", n) },
    Shape { name: "line_comments", make: |n| around("[", "// x\n#y\n", "1]", n) },
    Shape { name: "comments_after_strings", make: |n| around("[", "\"a\" /* b */,", "1]", n) },
    Shape { name: "numbers", make: |n| around("[", "-1.5e10,", "0]", n) },
    Shape { name: "long_numbers", make: long_numbers },
    Shape { name: "number_over_the_limit", make: |n| around("[", "9", "]", n) },
    Shape { name: "signs", make: |n| around("[", "-", "1]", n) },
    Shape { name: "dots", make: |n| around("[1", ".", "]", n) },
    Shape { name: "literals", make: |n| around("[", "tRUE,None,NaN,", "true]", n) },
    Shape { name: "half_literals", make: |n| around("[", "tru,", "nul]", n) },
    Shape { name: "long_word", make: |n| around("[", "true", "]", n) },
    Shape { name: "words", make: |n| around("{\"a\":", "so it is ", "}", n) },
    Shape { name: "words_and_quotes", make: |n| around("{\"a\":so", " \"x\" y", "}", n) },
    Shape { name: "quotes_in_word", make: |n| around("{\"a\":x", "'", "}", n) },
    Shape { name: "slashes_in_word", make: |n| around("{\"a\":x", "/", "}", n) },
    Shape { name: "hashes_in_word", make: |n| around("[x", "#", "]", n) },
    Shape { name: "text_after_values", make: |n| around("[", "5 apples \"b\",", "1]", n) },
    Shape { name: "junk_between_tokens", make: |n| around("[", "1 @ ; ,", "1]", n) },
];

/// Numbers of maximal length.
fn long_numbers(n: usize) -> Vec<u8> {
    around("[", format!("{},", "8".repeat(4 << 10)), "1]", n)
}
