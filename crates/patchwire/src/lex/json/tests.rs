//! Beginnings of texts, and the state that each leads to, whole and cut anywhere.

use super::{JsonLexer, QuoteJudge};
use crate::caps::Caps;
use crate::leniency::{Leniencies, Leniency};
use crate::lex::Input;
use crate::limits::Limits;

/// The lexer after some chunks, or the error.
fn lexer(rules: Leniencies, chunks: &[&str]) -> Result<JsonLexer, String> {
    let mut lexer =
        JsonLexer::new(rules, &Limits::default(), Caps::STANDARD, QuoteJudge::NEVER_ENDS);
    let mut base = 0;
    for chunk in chunks {
        let mut input = Input::new(chunk, base);
        loop {
            match lexer.step(&mut input) {
                Ok(Some(_)) => {}
                Ok(None) => break,
                Err(error) => return Err(error.to_string()),
            }
        }
        lexer.own_pending_text(chunk);
        lexer.canonicalize();
        base += chunk.len() as u64;
    }
    Ok(lexer)
}

/// The state after some chunks, without its details, and the error if there is one.
fn state(lexer: &Result<JsonLexer, String>) -> String {
    let shown = match lexer {
        Ok(lexer) => format!("{:?}", lexer.state),
        Err(error) => error.clone(),
    };
    shown.split(", QuoteLook").next().unwrap_or_default().to_owned()
}

fn check(rules: Leniencies, table: &[(&str, &str)]) {
    for (text, want) in table {
        let whole = lexer(rules, &[text]);
        assert_eq!(state(&whole), *want, "{text:?}");
        for (cut, _) in text.char_indices() {
            let chunks = [&text[..cut], &text[cut..]];
            assert!(lexer(rules, &chunks) == whole, "{text:?}, cut at {cut}");
        }
        let chars: Vec<&str> = text.split("").filter(|char| !char.is_empty()).collect();
        assert!(lexer(rules, &chars) == whole, "{text:?}, by characters");
    }
}

#[test]
fn states_of_valid_text() {
    check(
        Leniencies::ALL,
        &[
            ("", "Value(Root)"),
            ("{", "Key { first: true }"),
            (r#"{"a"#, "Text(Key)"),
            (r#"{"a\"#, "Escape(Key)"),
            (r#"{"a""#, "Look(Key"),
            (r#"{"a":"#, "Value(Member)"),
            (r#"{"a":1"#, "Word"),
            (r#"{"a":1 "#, "After"),
            (r#"{"a":1,"#, "Key { first: false }"),
            (r#"{"a":1}"#, "Done"),
            ("[", "Value(First)"),
            ("[1,", "Value(Next)"),
            (r#"["x"#, "Text(Value)"),
            (r#"["x\u00e"#, "Escape(Value)"),
            (r#"["x\u00e9y"#, "Text(Value)"),
            (r#"{"a\n"#, "Text(Key)"),
            (r#"["x""#, "Look(Value"),
            (r#"["x","#, "Value(Next)"),
            (r#"{"a":"x","#, "Look(Value"),
            (r#"{"a":"x",""#, "Text(Key)"),
            ("[tru", "Word"),
            ("[[]", "After"),
            ("[[]]", "Done"),
        ],
    );
}

#[test]
fn states_of_slips() {
    check(
        Leniencies::ALL,
        &[
            ("[yes", "Unquoted(BareText { capped: false, depth: 0, quoted: false })"),
            ("{a", "BareKey"),
            ("{a:", "Value(Member)"),
            (r#"{"a":1 b"#, "Probe(Name)"),
            (r#"{"a":1 b:"#, "Value(Member)"),
            (r#"{"a":1 b c"#, "Trailing"),
            ("[1 /", "Comment(Slash, After)"),
            ("[1 //x", "Comment(Line, After)"),
            ("[1 /*x*", "Comment(Star, After)"),
            ("[1 /**/", "After"),
            ("{,", "Key { first: true }"),
            ("{\u{A0}\u{200B}", "Spaces { then: Key { first: true } }"),
            ("{\u{A0}\"a\"\u{A0}", "Look(Key"),
            ("{\"a\":\u{FEFF}", "Spaces { then: Value(Member) }"),
            ("{\"a\":\u{3000}1", "Word"),
            ("{a\u{2003}", "BareKeyEnd(Blanks)"),
            ("[1\u{A0}", "Spaces { then: After }"),
            ("[1\u{A0},\u{A0}]", "Done"),
            ("(1, 2)", "Done"),
            ("[...", "Word"),
            ("[..., ", "Value(Next)"),
            ("[…]", "Done"),
            ("[...r", "Unquoted(BareText { capped: false, depth: 0, quoted: false })"),
            ("[1, ...]", "Done"),
        ],
    );
}

/// A `<` that begins no comment is text that fits nowhere, so both slips must be allowed.
#[test]
fn comments_of_html_need_two_leniencies() {
    let open = [
        ("{<", "Comment(HtmlOpening(0), Key { first: true })"),
        ("{<!-", "Comment(HtmlOpening(2), Key { first: true })"),
        ("{<!--a-", "Comment(Html(1), Key { first: true })"),
        ("{<!--a-->", "Key { first: true }"),
        ("[1 <!--a-->", "After"),
        ("{<x", "BareKey"),
    ];
    check(Leniencies::ALL, &open);
    let no_comments = Leniencies::ALL.without(Leniency::Comments);
    check(no_comments, &[("{<!", "Junk { then: Key { first: true } }")]);
    let no_text = Leniencies::ALL.without(Leniency::UnexpectedText);
    let error = state(&lexer(no_text, &["{<!--a-->"]));
    assert!(error.contains('1'), "{error}");
    let behind = state(&lexer(no_text, &["[1 <!--a"]));
    assert!(!behind.starts_with("Comment"), "{behind}");
}

/// A quoted run behind a value or a name without quotes is held while it may still be a key within the bound.
#[test]
fn quoted_runs_are_given_up_as_soon_as_they_are_too_long() {
    let caps = Caps { run: 4, ..Caps::STANDARD };
    for (text, is_held) in [
        (r#"{"a": x "b"#, true),
        (r#"{"a": x "bb"#, true),
        (r#"{"a": x "bb""#, true),
        (r#"{"a": x "bbb"#, false),
        (r#"{"a": x "\"#, true),
        (r#"{"a": x "b\"#, false),
        (r#"{"a": x "\b"#, true),
        (r#"{a "b"#, true),
        (r#"{a "b""#, true),
        (r#"{a "bb"#, false),
        (r#"{a "\"#, false),
        ("{a  ", true),
        ("{a   ", false),
    ] {
        let mut lexer =
            JsonLexer::new(Leniencies::ALL, &Limits::default(), caps, QuoteJudge::NEVER_ENDS);
        let mut input = Input::new(text, 0);
        while lexer.step(&mut input).expect("no error").is_some() {}
        let state = format!("{:?}", lexer.state);
        let held = ["UnquotedEnd", "BareKeyEnd"].iter().any(|name| state.starts_with(name));
        assert_eq!(held, is_held, "{text}: {state}");
    }
}

#[test]
fn strict_reading_stops_at_the_first_slip() {
    check(
        Leniencies::NONE,
        &[(r#"{"a""#, "Colon"), (r#"["x""#, "After"), (r#"["x", "y"]"#, "Done")],
    );
    for (text, offset) in [("[1,]", 3), ("{a", 1), ("['x'", 1), ("[1 2", 3), ("[1}", 2)] {
        let error = state(&lexer(Leniencies::NONE, &[text]));
        assert!(error.contains(&format!("{offset}")), "{text:?}: {error}");
    }
}

/// Behind a comma a comment ends the text, unless comments are forbidden: then a closer look begins.
#[test]
fn a_comment_ends_the_text_before_it() {
    let line = "Comment(Line, Key { first: false })";
    check(
        Leniencies::ALL,
        &[
            (r#"{"a":"x", /"#, "Look(Value"),
            (r#"{"a":"x", //"#, line),
            (r#"{"a":"x", #"#, line),
            (r#"{"a":"x" /"#, "Look(Value"),
            (r#"{"a":"x" //"#, "Comment(Line, After)"),
            (r#"{"a":"x" #"#, "Comment(Line, After)"),
        ],
    );
    check(
        Leniencies::ALL.without(Leniency::Comments),
        &[
            (r#"{"a":"x", //"#, "Look(Value"),
            (r#"{"a":"x", #"#, "Look(Value"),
            (r#"{"a":"x" //"#, "Look(Value"),
            (r#"{"a":"x" #"#, "Look(Value"),
        ],
    );
}

/// Where keys have two quotes on each side, values may have them. A separator shows that a value is empty.
#[test]
fn two_opening_quotes() {
    check(
        Leniencies::ALL,
        &[
            (r#"{"""#, "Look(Key"),
            (r#"{""a"#, "Text(Key)"),
            (r#"{""a"":"#, "Value(Member)"),
            (r#"{""a"":"""#, "Look(Value"),
            (r#"{""a"":"" "#, "Look(Value"),
            (r#"{""a"":""x"#, "Text(Value)"),
            (r#"{""a"":"","#, "Look(Value"),
            (r#"{""a"":"","b"#, "Text(Key)"),
            (r#"{""a"":""}"#, "Done"),
            (r#"{""a"":[""]"#, "After"),
            (r#"{"a":""x"#, "Look(Value"),
        ],
    );
    check(Leniencies::ALL.without(Leniency::TripleQuotes), &[(r#"{""a"#, "Look(Key")]);
}

/// Whitespace does not count as something to see: the bytes that are held have a bound of their own.
#[test]
fn a_closer_look_ends_behind_so_many_bytes() {
    let most = 4 * Caps::STANDARD.window;
    let begun = r#"["x""#;
    let held = |blanks: usize| format!("{begun}y{}", " ".repeat(blanks));
    check(
        Leniencies::ALL,
        &[
            (&held(0), "Look(Value"),
            (&held(most - 2), "Look(Value"),
            (&held(most - 1), "Text(Value)"),
            (&held(2 * most), "Text(Value)"),
        ],
    );
    let visible = |count: usize| format!("{begun}{}", "y".repeat(count));
    check(
        Leniencies::ALL,
        &[
            (&visible(Caps::STANDARD.window - 1), "Look(Value"),
            (&visible(Caps::STANDARD.window), "Text(Value)"),
        ],
    );
}
