//! Blocks of text to look for and to put in its place.

use patchwire::TagSet;

use super::{check, shown, spec, texts};

#[test]
fn an_edit() {
    let text = "src/a.py\n```python\n<<<<<<< SEARCH\nx = 1\n=======\nx = 2\n>>>>>>> REPLACE\n```\n";
    check(
        &TagSet::edit_blocks(),
        text,
        &[
            "text: src/a.py\n```python\n",
            "<search>",
            "search: x = 1\n",
            "! unclosed_element",
            "</search> reopened",
            "<replace>",
            "replace: x = 2\n",
            "</replace>",
            "text: ```\n",
        ],
    );
}

#[test]
fn what_is_taken() {
    let tags = TagSet::edit_blocks();
    for (block, search, replace) in [
        ("a\n=======\nTitle\n=======\nb\n>>>>>>> REPLACE\n", "a\n", "Title\n=======\nb\n"),
        ("a\n=======\nb\n>>>>>>> REPLACE", "a\n", "b\n"),
        ("=======\nnew\n>>>>>>> REPLACE\n", "", "new\n"),
        ("old\n=======\n>>>>>>> REPLACE\n", "old\n", ""),
        (
            "a = \"=======\"\n=======\n`>>>` ```\n>>>>>>> REPLACE\n",
            "a = \"=======\"\n",
            "`>>>` ```\n",
        ),
        // Cut short.
        ("a\n=======\nb\n>>>>", "a\n", "b\n>>>>"),
    ] {
        let answer = shown(&tags, &format!("f\n<<<<<<< SEARCH\n{block}"), "f\n", "");
        assert_eq!(texts(&answer, "search"), [search], "{block}");
        assert_eq!(texts(&answer, "replace"), [replace], "{block}");
    }
}

#[test]
fn blocks_gone_wrong() {
    let tags = TagSet::edit_blocks();
    // The end was forgotten; the next block begins.
    let text = "<<<<<<< SEARCH\na\n=======\nb\n<<<<<<< SEARCH\nc\n=======\nd\n>>>>>>> REPLACE\n";
    let answer = shown(&tags, text, "", "");
    assert_eq!(
        (texts(&answer, "search"), texts(&answer, "replace")),
        (vec!["a\n".to_owned(), "c\n".to_owned()], vec!["b\n".to_owned(), "d\n".to_owned()],)
    );
    // No divider: no replacement.
    let answer = shown(&tags, "<<<<<<< SEARCH\na\n>>>>>>> REPLACE\nx", "x", "");
    assert_eq!(answer.elements().count(), 1);
    for text in ["x <<<<<<< SEARCH\n", "Title\n=======\nx", "<<<<<<< HEAD\n"] {
        check(&tags, text, &[&format!("text: {text}")]);
    }
    let stray = "a\n>>>>>>> REPLACE\nb";
    let answer = spec(&tags).parse(stray).unwrap();
    assert_eq!((answer.text(), answer.notice_count()), (stray, 1));
}

#[test]
fn other_spellings() {
    let tags = TagSet::edit_blocks();
    for text in [
        "------- SEARCH\na\n=======\nb\n+++++++ REPLACE\nx",
        "<<<<<<< SEARCH\r\na\n=======\r\nb\n>>>>>>> REPLACE\nx",
    ] {
        let answer = shown(&tags, text, "x", "");
        assert_eq!(
            (texts(&answer, "search"), texts(&answer, "replace")),
            (vec!["a\n".to_owned()], vec!["b\n".to_owned()],)
        );
    }
}
