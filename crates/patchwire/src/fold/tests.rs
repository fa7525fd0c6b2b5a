//! Tokens in, patches out: one table for the whole fold.

use super::{EmissionKind, Fold, Seed};
use crate::event::PatchOp;
use crate::lex::{Scalar, Slice, Token, TokenKind};
use crate::limits::Limits;
use crate::schema::{Schema, object, one_of, str};

/// Folds tokens and lists what is emitted. `{ [ }` open and close, `"` opens and closes a string, `k:` is
/// a key, `k~` a name, `+x` text of the string, a number is a scalar, `^` an item that was a key, `!` the
/// end of the input.
fn folded(schema: Option<Schema>, tokens: &str) -> String {
    let mut fold = Fold::new(schema, &Limits::default(), true, Seed::default());
    let mut lines = Vec::new();
    let mut in_string = false;
    for (at, token) in (1..).zip(tokens.split_whitespace()) {
        let (kind, text) = match token {
            "{" => (TokenKind::ObjectOpen, ""),
            "[" => (TokenKind::ListOpen, ""),
            "}" => (TokenKind::Close, ""),
            "^" => (TokenKind::ItemWasKey, ""),
            "\"" => {
                in_string = !in_string;
                (if in_string { TokenKind::StringOpen } else { TokenKind::StringClose }, "")
            }
            "!" => {
                while fold.close_one(at).unwrap() {
                    take(&mut fold, &mut lines);
                }
                continue;
            }
            _ => match token.split_at(token.len() - 1) {
                (key, ":") => (TokenKind::Key, key),
                (name, "~") => (TokenKind::Name, name),
                _ if token.starts_with('+') => (TokenKind::StringText, &token[1..]),
                _ => (TokenKind::Scalar(Scalar::Number), token),
            },
        };
        fold.apply(Token::with(kind, Slice::Empty, at), text).unwrap();
        take(&mut fold, &mut lines);
    }
    lines.join(" ")
}

fn take(fold: &mut Fold, lines: &mut Vec<String>) {
    while let Some(emission) = fold.pop() {
        lines.push(match emission.kind {
            EmissionKind::Patch(change) => {
                let path = fold.cursor.path.path(change.depth as usize);
                let op = match change.op {
                    PatchOp::Open => "open",
                    PatchOp::Delta => "grow",
                    PatchOp::Done => "done",
                    other => other.name(),
                };
                format!("{op}({path})")
            }
            EmissionKind::Notice(code, _) | EmissionKind::Repair(code, ..) => {
                code.name().to_owned()
            }
            EmissionKind::Skipped(reason) => format!("skip:{}", reason.name()),
            other => format!("{other:?}"),
        });
    }
}

#[test]
fn what_tokens_emit() {
    for (tokens, emitted) in [
        ("7", "done()"),
        ("{ a: 7 }", "open() done(a) done()"),
        ("[ 7 { b: 8 } }", "open() done([0]) open([1]) done([1].b) done([1]) done()"),
        ("{ a: \" +x +y \" }", "open() open(a) grow(a) grow(a) done(a) done()"),
        // Another value of a key is read and not emitted.
        ("{ a: 7 a: 8 }", "open() done(a) duplicate_key skip:duplicate_key done()"),
        (
            "{ a: 7 a: [ 8 } b: 9 }",
            "open() done(a) duplicate_key skip:duplicate_key done(b) done()",
        ),
        // A name that comes again makes a list; the list completes with its object only if it was emitted.
        (
            "{ a~ 7 a~ 8 b~ 9 a~ 6 }",
            "open() done(a) replace(a) done(a[1]) done(b) done(a[2]) done()",
        ),
        // The end of the input closes what is open.
        ("{ a: [ \" +x !", "open() open(a) open(a[0]) grow(a[0]) done(a[0]) done(a) done()"),
    ] {
        assert_eq!(folded(None, tokens), emitted, "{tokens}");
    }
}

#[test]
fn a_string_with_listed_values_is_held_until_it_is_one() {
    let schema = || {
        let kind = one_of(["red", "green"]);
        Some(object().field("a", kind).field("b", str("")).into())
    };
    for (tokens, emitted) in [
        ("{ a: \" +re +d \" }", "open() done(a) done()"),
        ("{ a: \" +RED \" }", "open() enum_spelling done(a) done()"),
        ("{ a: \" +re +x \" }", "open() open(a) enum_mismatch grow(a) done(a) done()"),
        // Half a choice is no value.
        ("{ a: \" +re !", "open() truncated_scalar done()"),
        ("{ b: \" +re +x \" }", "open() open(b) grow(b) grow(b) done(b) done()"),
    ] {
        assert_eq!(folded(schema(), tokens), emitted, "{tokens}");
    }
}
