//! Texts and their tokens, whole and cut at every character.

use super::{TagNames, XmlLexer, XmlScope, XmlToken, XmlTokenKind};
use crate::caps::XmlCaps;
use crate::lex::{Input, Slice};

/// Adds a token: tags in `‹›`, each character of a comment after `~`.
fn show(lexer: &XmlLexer, token: XmlToken, input: &str, out: &str, shown: &mut String) {
    let text = match token.text {
        Slice::Empty => "",
        Slice::Input { start, end } => &input[start as usize..end as usize],
        Slice::Buffer { start, end } => &out[start as usize..end as usize],
    };
    match token.kind {
        XmlTokenKind::Text { .. } => shown.push_str(text),
        XmlTokenKind::Opener { closed } => {
            let attributes: String =
                lexer.attributes().map(|(name, value)| format!(" {name}={value}")).collect();
            let slash = if closed { "/" } else { "" };
            shown.push_str(&format!("‹{}{attributes}{slash}›", lexer.name()));
        }
        XmlTokenKind::Closer => shown.push_str(&format!("‹/{}›", lexer.name())),
        XmlTokenKind::CommentText => shown.extend(text.chars().flat_map(|char| ['~', char])),
        XmlTokenKind::CommentEnd => shown.push_str("‹!›"),
        XmlTokenKind::Prolog => shown.push_str("‹?›"),
    }
}

fn read(parts: &[&str], known: Option<&TagNames>) -> String {
    let open = |_: &str, _: bool| false;
    let scope = XmlScope { known, openers: true, inside: true, open: &open };
    let mut lexer = XmlLexer::new(XmlCaps::STANDARD);
    let (mut shown, mut base) = (String::new(), 0);
    for part in parts {
        let (mut input, mut out) = (Input::new(part, base), String::new());
        while let Some(token) = lexer.step(&mut input, &scope, &mut out) {
            show(&lexer, token, part, &out, &mut shown);
        }
        base += part.len() as u64;
    }
    let mut out = String::new();
    while let Some(token) = lexer.finish(base, &scope, &mut out) {
        show(&lexer, token, "", &out, &mut shown);
    }
    shown
}

#[test]
fn texts_and_their_tokens() {
    let known = TagNames::new(["b"]);
    for (text, known, want) in [
        ("a <b x='1'>c</b>", None, "a ‹b x=1›c‹/b›"),
        ("<b/><c d=1/>", None, "‹b/›‹c d=1/›"),
        ("<b ><c></b>", Some(&known), "‹b›<c>‹/b›"),
        ("a < b &", None, "a < b &"),
        ("<a <b>", None, "<a ‹b›"),
        ("</b x>", None, "</b x>"),
        ("&amp;&lt;b&gt;&nbsp;&#65;", None, "&<b>&nbsp;A"),
        ("&amp;b <c/>&lt;<d/>", None, "&b ‹c/›<‹d/›"),
        ("&amp;amp; &a<b/>", None, "&amp; &a‹b/›"),
        ("<!--h-i-->c", None, "~h~-~i‹!›c"),
        ("<![CDATA[<b>]]]]>c", None, "<b>]]c"),
        ("<!DOCTYPE x>a", None, "‹?›a"),
        ("a<!DOCTYPE x>", None, "a<!DOCTYPE x>"),
        ("<b x=\"<c>", None, "<b x=\"‹c›"),
        ("<b", None, "<b"),
    ] {
        assert_eq!(read(&[text], known), want, "{text:?}");
        for (cut, _) in text.char_indices() {
            let parts = [&text[..cut], &text[cut..]];
            assert_eq!(read(&parts, known), want, "{text:?}, cut at {cut}");
        }
        let chars: Vec<&str> = text.split("").filter(|char| !char.is_empty()).collect();
        assert_eq!(read(&chars, known), want, "{text:?}, by characters");
    }
}
