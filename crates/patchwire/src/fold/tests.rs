//! Tokens in, patches out: one table for the whole fold.

use super::{EmissionKind, Fold, Seed};
use crate::event::PatchOp;
use crate::lex::{Scalar, Slice, Token, TokenKind};
use crate::limits::Limits;
use crate::schema::{Schema, any, int, list, object, one_of, one_of_or, str};

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

/// A name that comes again is one more item of a declared list, and a repeated key where one value is declared.
#[test]
fn a_schema_says_which_names_may_come_again() {
    let schema = || {
        let names = object().field("l", list(int(""))).field("n", int("")).field("x", any(""));
        Some(names.into())
    };
    for (tokens, emitted) in [
        ("{ l~ 7 }", "open() open(l) done(l[0]) done(l) done()"),
        (
            "{ l~ 7 n~ 8 l~ 9 l~ 6 }",
            "open() open(l) done(l[0]) done(n) done(l[1]) done(l[2]) done(l) done()",
        ),
        ("{ n~ 7 n~ 8 }", "open() done(n) duplicate_key skip:duplicate_key done()"),
        ("{ x~ 7 x~ 8 x~ 9 }", "open() done(x) replace(x) done(x[1]) done(x[2]) done()"),
    ] {
        assert_eq!(folded(schema(), tokens), emitted, "{tokens}");
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

/// Another string than one that is granted is never emitted, nor is half of one that was refused.
#[test]
fn a_string_that_is_not_granted_is_replaced_or_left_out() {
    let schema = || {
        let kind = one_of_or(["", "red"], "none");
        Some(object().field("a", kind).into())
    };
    for (tokens, emitted) in [
        ("{ a: \" +re +d \" }", "open() done(a) done()"),
        ("{ a: \" +Red \" }", "open() enum_spelling done(a) done()"),
        ("{ a: \" +blue \" }", "open() kind_not_granted done(a) done()"),
        ("{ a: \" +re +x +d \" }", "open() kind_not_granted done(a) done()"),
        ("{ a: \" \" }", "open() done(a) done()"),
        ("{ a: \" +red !", "open() done(a) done()"),
        ("{ a: \" +re !", "open() truncated_scalar done()"),
        ("{ a: \" !", "open() done(a) done()"),
        // What was refused is no beginning of the empty string.
        ("{ a: \" +blue !", "open() truncated_scalar done()"),
        ("{ a: 7 }", "open() kind_not_granted done(a) done()"),
        ("{ a: [ 7 } }", "open() kind_not_granted done(a) skip:not_granted done()"),
    ] {
        assert_eq!(folded(schema(), tokens), emitted, "{tokens}");
    }
}

/// The finalizer removes the item: here the ones that are remembered for it.
#[test]
fn an_item_that_was_a_key_is_removed_also_if_it_was_held() {
    let schema: Schema = object().field("a", list(one_of(["red", "blue"]))).into();
    for (schema, item) in [(None, "x"), (Some(schema), "blue")] {
        let mut fold = Fold::new(schema, &Limits::default(), true, Seed::default());
        let mut at = 0;
        let mut apply = |kind, text: &str| {
            at += 1;
            fold.apply(Token::with(kind, Slice::Empty, at), text).unwrap();
            while fold.pop().is_some() {}
        };
        apply(TokenKind::ObjectOpen, "");
        apply(TokenKind::Key, "a");
        apply(TokenKind::ListOpen, "");
        apply(TokenKind::StringOpen, "");
        apply(TokenKind::StringText, item);
        apply(TokenKind::StringClose, "");
        apply(TokenKind::ItemWasKey, "");
        let removed: Vec<String> = fold
            .shadow
            .removals
            .iter()
            .map(|it| fold.documents.current().at(it.node).to_string())
            .collect();
        assert_eq!(removed, [format!("{item:?}")]);
    }
}
