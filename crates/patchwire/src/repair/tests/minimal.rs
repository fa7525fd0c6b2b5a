//! The least input for each kind of slip.

use super::check;

#[test]
fn roots() {
    check(&[
        (r#"Here: [{"id":1},{"id":2}]"#, r#"[{"id":1},{"id":2}]"#),
        (r#"Tags: ["a","b"]"#, r#"["a","b"]"#),
        (r"const x = [{ id: 1 }];", r#"[{"id":1}]"#),
        (
            "{\"verdict\":\"ok\",\"score\":5}\nNote: I used {\"score\":5}.",
            r#"{"verdict":"ok","score":5}"#,
        ),
        ("{\"a\":1}\n[1,2]", r#"{"a":1}"#),
        ("{", "{}"),
        ("[", "[]"),
        (r#"{,"a":1}"#, r#"{"a":1}"#),
        ("[,1]", "[1]"),
        ("[.5]", "[0.5]"),
        ("[+1]", "[1]"),
        ("[a, b]", r#"["a","b"]"#),
        ("(1, 2)", "[1,2]"),
        ("((1, 2), (3, 4))", "[[1,2],[3,4]]"),
        ("[}", "[]"),
        ("{]", "{}"),
    ]);
}

#[test]
fn quotes_inside() {
    check(&[
        (r#"{"x":"is {"b":"m"}, wrong","y":2}"#, r#"{"x":"is {\"b\":\"m\"}, wrong","y":2}"#),
        (r#"{"code":"f("a", "b")","n":1}"#, r#"{"code":"f(\"a\", \"b\")","n":1}"#),
        (r#"{"m":"use ["a"] now","n":1}"#, r#"{"m":"use [\"a\"] now","n":1}"#),
        (
            r#"{"key": ["lorem "ipsum" dolor "sit" amet, "consectetur" ", "lorem "ipsum" dolor", "lorem"]}"#,
            r#"{"key":["lorem \"ipsum\" dolor \"sit\" amet, \"consectetur\" ","lorem \"ipsum\" dolor","lorem"]}"#,
        ),
        (
            r#"{"x": "However, the provided user answer is {"blank_1": "music"}, which is not a plain string"}"#,
            r#"{"x":"However, the provided user answer is {\"blank_1\": \"music\"}, which is not a plain string"}"#,
        ),
        (r#"{"say":"a ""b"" c","n":1}"#, r#"{"say":"a \"b\" c","n":1}"#),
        (r#"{"a":"x"","b":1}"#, r#"{"a":"x","b":1}"#),
    ]);
}

/// A comment behind text without quotes ends it at once, where what the comment says would cost more as text.
#[test]
fn comments_behind_text_without_quotes() {
    check(&[
        ("{\"a\": foo // x, y\n, \"b\": 1}", r#"{"a":"foo","b":1}"#),
        ("{\"a\": foo /* x, y */, \"b\": 1}", r#"{"a":"foo","b":1}"#),
        ("{\"a\": foo # x, y: z\n, \"b\": 1}", r#"{"a":"foo","b":1}"#),
        ("{\"a\": foo bar\t// x, \"q\"\n, \"b\": 1}", r#"{"a":"foo bar","b":1}"#),
        ("{\"a\": foo // x\n, \"b\": 1}", r#"{"a":"foo // x","b":1}"#),
        ("[foo /* x */, 1]", r#"["foo /* x */",1]"#),
        ("[a # b, c]", r##"["a # b","c"]"##),
        ("[a #b]", r##"["a #b"]"##),
    ]);
}

/// A list is left at its first item or at a comma, and not behind a comment or a second comma.
#[test]
fn keys_in_a_list() {
    check(&[
        (r#"{"a": ["b": 2}"#, r#"{"a":[],"b":2}"#),
        (r#"{"a": [1, "b": 2}"#, r#"{"a":[1],"b":2}"#),
        (r#"{"a": [1,, "b": 2}"#, r#"{"a":[1,{"b":2}]}"#),
        (r#"{"a": [1, /* x */ "b": 2}"#, r#"{"a":[1,{"b":2}]}"#),
        (r#"{"a": [1, ... , "b": 2}"#, r#"{"a":[1],"b":2}"#),
    ]);
}

#[test]
fn text_behind_a_value() {
    check(&[
        (r#"{"a": "x" 5, "b": 2, "c": 3}"#, r#"{"a":"x","b":2,"c":3}"#),
        (r#"{"p":"12.50" (incl. VAT), "n":1}"#, r#"{"p":"12.50","n":1}"#),
        (r#"{"a":"x"; "b":1}"#, r#"{"a":"x","b":1}"#),
        (r#"{"a":"x"<br>, "b":1}"#, r#"{"a":"x","b":1}"#),
        (r#"{"a":"x"**, "b":1}"#, r#"{"a":"x","b":1}"#),
        ("{\"n\":\"John\"\n lastName: Smith}", r#"{"n":"John","lastName":"Smith"}"#),
        (r#"["a" 2]"#, r#"["a",2]"#),
        (r#"["a" 2"#, r#"["a",2]"#),
        (r#"["foo)" 2]"#, r#"["foo)",2]"#),
        (r#"{"a":1, COMMENT "b":"c"}"#, r#"{"a":1,"b":"c"}"#),
        (r#"{"a":1, **"b"**: 2}"#, r#"{"a":1,"b":2}"#),
    ]);
}

#[test]
fn quotes_left_out() {
    check(&[
        (r#"{"name":"John, "city":"Paris","n":1}"#, r#"{"name":"John","city":"Paris","n":1}"#),
        (r#"{"url":"https://www.bible.com/,"id":2}"#, r#"{"url":"https://www.bible.com/","id":2}"#),
        (r#"["hello,"world"]"#, r#"["hello","world"]"#),
        (r#"{"a":"b,c,"d":"e"}"#, r#"{"a":"b,c","d":"e"}"#),
        (r#"{a:"b,c,"d":"e"}"#, r#"{"a":"b,c","d":"e"}"#),
        ("[\n\"abc,\n\"def\"\n]", r#"["abc","def"]"#),
        (r#"{"a": "first, b: "second"}"#, r#"{"a":"first","b":"second"}"#),
        (r#"{"a": "first, b: 1}"#, r#"{"a":"first","b":1}"#),
        (r#"{"a": "first, b: true}"#, r#"{"a":"first","b":true}"#),
        (r#"{"a": "first, b: [1]}"#, r#"{"a":"first","b":[1]}"#),
        (r#"{"x": "a, {"k": 1}, "y": 2}"#, r#"{"x":"a, {\"k\": 1}","y":2}"#),
        (r#"{"a":foo","b":1}"#, r#"{"a":"foo","b":1}"#),
        (r#"{"a":"x",b":"y"}"#, r#"{"a":"x","b":"y"}"#),
        ("{a\":1}", r#"{"a":1}"#),
        (r#"[a","b"]"#, r#"["a","b"]"#),
        (r#"[a",b"]"#, r#"["a","b"]"#),
        (r#"{a":"foo","b":"bar"}"#, r#"{"a":"foo","b":"bar"}"#),
        (r#"{"key:"value"}"#, r#"{"key":"value"}"#),
        (r#"["value1" value2", "value3"]"#, r#"["value1","value2","value3"]"#),
        ("{\"t\":\"The mill”, \"n\":3}", r#"{"t":"The mill","n":3}"#),
    ]);
}

#[test]
fn whitespace_and_ellipses() {
    check(&[
        ("{\"a\":\u{a0}\"x\"}", r#"{"a":"x"}"#),
        ("{\n\u{a0}\u{a0}\"a\":1}", r#"{"a":1}"#),
        ("{\"a\":\"x\"\u{a0},\"b\":1}", r#"{"a":"x","b":1}"#),
        ("{\"a\":\u{200b}\"foo\"}", r#"{"a":"foo"}"#),
        ("{\"a\":\u{3000}\"foo\"}", r#"{"a":"foo"}"#),
        ("{\"a\":\u{feff}\"foo\"}", r#"{"a":"foo"}"#),
        ("[1,2,...]", "[1,2]"),
        (r#"{"a":1, ...}"#, r#"{"a":1}"#),
        ("[...,7]", "[7]"),
        ("[...]", "[]"),
        ("{...}", "{}"),
        ("[1,2,3,/*one*/.../*two*/]", "[1,2,3]"),
        ("[1, 2, ... , 3]", "[1,2,3]"),
        ("[true, false, null, ...]", "[true,false,null]"),
    ]);
}

#[test]
fn text_without_quotes() {
    check(&[
        (r#"{"n":1,234,"m":2}"#, r#"{"n":1234,"m":2}"#),
        (r#"{"a":x "b":1}"#, r#"{"a":"x","b":1}"#),
        ("{a: one,\n note: rain, then sun}", r#"{"a":"one","note":"rain, then sun"}"#),
        ("{\"tags\":[\nred\ngreen\n]}", r#"{"tags":["red","green"]}"#),
        ("{text:a{b}c}", r#"{"text":"a{b}c"}"#),
        ("{text:words{words in brackets}}", r#"{"text":"words{words in brackets}"}"#),
        (r#"{"key": value "key2" : "value2" "#, r#"{"key":"value","key2":"value2"}"#),
        (r#"{"key":value "key2":"value2" }"#, r#"{"key":"value","key2":"value2"}"#),
        ("{\"array\": [\na\nb\n]}", r#"{"array":["a","b"]}"#),
        (r#"{"lorem": ipsum, sic, datum.",}"#, r#"{"lorem":"ipsum, sic, datum."}"#),
    ]);
}

#[test]
fn other_ways_of_writing() {
    check(&[
        ("{\"code\": ```\nx\n```, \"t\":1}", r#"{"code":"x","t":1}"#),
        (r#"{\"a\": \"b\"}"#, r#"{"a":"b"}"#),
        (r#"{\n  \"a\": \"b\"\n}"#, r#"{"a":"b"}"#),
        (r#"{\"stringified\": \"hello \\\"world\\\"\"}"#, r#"{"stringified":"hello \"world\""}"#),
        (r#"{"a"2}"#, r#"{"a":2}"#),
        (r#"{a 'b'}"#, r#"{"a":"b"}"#),
        (r#"{"a","b"}"#, r#"["a","b"]"#),
        ("{'item1', 'item2', 'item3'}", r#"["item1","item2","item3"]"#),
        (r#"["k":"v"]"#, r#"[{"k":"v"}]"#),
        (r#"{""a"":""b""}"#, r#"{"a":"b"}"#),
        ("{\"a\"：1，\"b\"：2}", r#"{"a":1,"b":2}"#),
        (r#"{"key": "valu\'e"}"#, r#"{"key":"valu'e"}"#),
        (
            r#"{""answer"":[{""traits"":''Female aged 60+'',""answer1"":""5""}]}"#,
            r#"{"answer":[{"traits":"Female aged 60+","answer1":"5"}]}"#,
        ),
        ("{`a´:`b´}", r#"{"a":"b"}"#),
        ("[\n\"line 1\", <!-- comment -->\n\"line 2\"\n]", r#"["line 1","line 2"]"#),
        (
            r#"{ "key": { "key2": "value2" # comment }, "key3": "value3" }"#,
            r#"{"key":{"key2":"value2"},"key3":"value3"}"#,
        ),
    ]);
}

#[test]
fn brackets() {
    check(&[
        (r#"[{"i":1{"i":2}]"#, r#"[{"i":1},{"i":2}]"#),
        (r#"{"key": "value"}, "key2": "value2"}"#, r#"{"key":"value","key2":"value2"}"#),
        (r#"{"a":[1,2,"b":3}"#, r#"{"a":[1,2],"b":3}"#),
        (r#"{"a":[1,2},"b":3}"#, r#"{"a":[1,2],"b":3}"#),
        (r#"{"a":{"b":1,"c":2]"#, r#"{"a":{"b":1,"c":2}}"#),
        (r#"{"a":{"b":1}},"c":2}"#, r#"{"a":{"b":1},"c":2}"#),
        (r#"{{"a":1}}"#, r#"{"a":1}"#),
        (r#"[{"a":1},{"b":2"#, r#"[{"a":1},{"b":2}]"#),
    ]);
}
