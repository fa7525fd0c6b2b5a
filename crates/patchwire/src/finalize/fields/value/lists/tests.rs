//! Lists as models write them, one table for each way.

use super::{
    blocks, bullet, bullets, elements, only_block, parts, table, without_closing, without_label,
};

#[test]
fn marks_between_parts() {
    for (text, want) in [
        ("a, b", &["a", "b"][..]),
        ("a, b, and c.", &["a", "b", "c"]),
        ("Smith, J.; Doe, A.", &["Smith, J.", "Doe, A."]),
        ("Inari (Kyoto, Japan), Gion", &["Inari (Kyoto, Japan)", "Gion"]),
        ("This deletes data; back up first.", &["This deletes data; back up first."]),
        ("Looks good, ship it!", &["Looks good, ship it!"]),
        ("Alpha delivers; Beta pays.", &["Alpha delivers", "Beta pays."]),
        ("a :(, b", &["a :(", "b"]),
        ("自然、老人、治愈", &["自然", "老人", "治愈"]),
        ("自然，老人", &["自然", "老人"]),
        ("ورد، ماء", &["ورد", "ماء"]),
        ("sci-fi / drama", &["sci-fi", "drama"]),
        ("and/or", &["and/or"]),
        ("`a` `b`", &["a", "b"]),
        ("`a`, `b, c`", &["a", "b, c"]),
        ("run `a` or `b`", &["run `a` or `b`"]),
        ("a, b,", &["a", "b"]),
        ("a, b and c", &["a", "b", "c"]),
        ("it runs, and it is fast", &["it runs", "and it is fast"]),
        ("salt, bread and butter, tea", &["salt", "bread and butter", "tea"]),
        ("the first of all, this and that", &["the first of all", "this and that"]),
        ("#a #b", &["a", "b"]),
        ("#ff0000, #0f0", &["#ff0000", "#0f0"]),
        ("#12, #15", &["#12", "#15"]),
    ] {
        assert_eq!(parts(text), want, "{text}");
    }
}

#[test]
fn items_and_the_words_around_them() {
    for (text, want) in [
        ("- a\n- b", Some(&["a", "b"][..])),
        ("The risks are:\n\n- a\n- b", Some(&["a", "b"])),
        ("First:\n- a\n\nThen:\n- b", Some(&["a", "b"])),
        ("**First:**\n- a\n\n**Then:**\n- b", Some(&["a", "b"])),
        ("- a\n- b\n\nLet me know.", Some(&["a", "b"])),
        ("- a\ngoes on\n- b", Some(&["a\ngoes on", "b"])),
        ("- a\n-b\n- c", Some(&["a", "b", "c"])),
        ("-a\n- b", Some(&["a", "b"])),
        ("- a\n  -b\n-1", Some(&["a\n-b\n-1"])),
        ("* a\n-b", Some(&["a\n-b"])),
        ("✔ a\n✔ b", Some(&["a", "b"])),
        ("⚙️ a\n⚙️ b", Some(&["a", "b"])),
        // Bullets may differ, pictures may not.
        ("→ a\n■ b", Some(&["a", "b"])),
        // The first picture of the plane of pictures.
        ("\u{1F000} a\n\u{1F000} b", Some(&["a", "b"])),
        ("✅ a\n❌ b", None),
        ("- a\n- b\n\n✅ All done.", Some(&["a", "b"])),
        ("- a\n✅ b", Some(&["a", "b"])),
        ("- a\n\n- b", Some(&["a", "b"])),
        ("- a\n✅ b\n\n✅ c", Some(&["a", "b", "c"])),
        ("\n✅ a", Some(&["a"])),
        ("words:\n\n✅ a", Some(&["a"])),
        ("- a\n  - b\n- c", Some(&["a\n- b", "c"])),
        ("  - a\n- b", Some(&["a", "b"])),
        ("- a\n\n  goes on", Some(&["a\ngoes on"])),
        ("- a\nlabel:\n- b", Some(&["a", "b"])),
        ("- a\nlabel:", Some(&["a\nlabel:"])),
        ("- a\n\nlabel:", Some(&["a"])),
        ("words:\nwords\n- a", None),
        ("- a\n\nwords\n\n{", None),
        ("(1) a\n(2) b", Some(&["a", "b"])),
        ("[1] a\n[2] b", Some(&["a", "b"])),
        ("1️⃣ a\n2️⃣ b", Some(&["a", "b"])),
        ("- a\n\nwords\n- b", None),
        ("- a\n\n```\nx\n```", None),
        ("words\n- a", None),
        ("words", None),
    ] {
        let want = want.map(|it| it.iter().map(|&it| it.to_owned()).collect::<Vec<_>>());
        assert_eq!(bullets(text), want, "{text}");
    }
}

#[test]
fn what_closes_a_list_is_no_item() {
    for (text, want) in [
        ("a, b\n\n---", "a, b"),
        ("a, b\n\n---\n\nDo you want more?", "a, b"),
        ("a.\n\n***\n\nDo you want more?", "a."),
        ("a\nb\n\nLet me know!", "a\nb"),
        ("a, b\n\nHope this helps!\n\n---", "a, b"),
        // Sentences may be items.
        ("It runs.\n\nIt is fast.", "It runs.\n\nIt is fast."),
        ("a\n\nb", "a\n\nb"),
        ("a\nb\n\nThank you!", "a\nb\n\nThank you!"),
        ("a\n\nwords without an end", "a\n\nwords without an end"),
        ("name: a\n\nName: the other one.", "name: a\n\nName: the other one."),
        ("a\nLet me know!", "a\nLet me know!"),
        ("- a\n\nLet me know!", "- a\n\nLet me know!"),
        ("---\n\na", "---\n\na"),
        ("", ""),
    ] {
        assert_eq!(without_closing(text), want, "{text}");
    }
    assert_eq!(without_label("Here they are:\na, b"), Some("a, b"));
    for text in ["Here they are:", "a\nb", "Here:\na:\nb", ":\na"] {
        assert_eq!(without_label(text), None, "{text}");
    }
}

#[test]
fn items_that_numbers_on_one_line_count() {
    let items = |text: &str| super::numbered_on_line(text).unwrap_or_default();
    assert_eq!(items("1) a, 2) b"), ["a", "b"]);
    assert_eq!(items("(1) a (2) b (3) c"), ["a", "b", "c"]);
    for text in ["", "1) a", "1) a 3) b", "2. a 3. b", "1. a\n2. b"] {
        assert!(items(text).is_empty(), "{text}");
    }
}

#[test]
fn items_that_letters_count() {
    let items = |text: &str| super::lettered(text).unwrap_or_default();
    assert_eq!(items("a) x\nb) y"), ["x", "y"]);
    assert_eq!(items("A. x\nB. y\nC. z"), ["x", "y", "z"]);
    for text in ["", "a) x", "b) x\nc) y", "a) x\ny", "A x\nB y", "a)x\nb)y", "a: x\nb: y"] {
        assert!(items(text).is_empty(), "{text}");
    }
    // There are no more letters than 26.
    let line = |at: u8| format!("{}) x", char::from(b'a' + at));
    let lines = |count: u8| (0..count).map(line).collect::<Vec<_>>().join("\n");
    assert_eq!((items(&lines(26)).len(), items(&lines(27)).len()), (26, 0));
}

#[test]
fn blocks_and_tables_among_words() {
    assert_eq!(only_block("Here:\n```json\n[1]\n```\n\nBye.").map(str::trim), Some("[1]"));
    assert_eq!(only_block("```json\n[1]\n```\nBye.").map(str::trim), Some("[1]"));
    assert_eq!(only_block("```\na\n```\n```\nb\n```"), None);
    assert_eq!(only_block("- a\n```\nb\n```"), None);
    assert_eq!(only_block("```\na\n``` and b"), None);
    let cells = table("Here:\n\n| a |\n|---|\n| 1 |\n\nBye.").unwrap_or_default();
    assert_eq!(cells, [["a"], ["1"]]);
    let cells = table("| a | b |\n|---|---|\n| 1 | x \\|").unwrap_or_default();
    assert_eq!(cells, [["a", "b"], ["1", "x |"]]);
    assert_eq!(table("| a | b |\n| x-y | 1 |\n| z | 2 |"), None);
    assert_eq!(table("| a |\n|   |\n| 1 |"), None);
    // In a row with as many cells as the head, bars divide code, too.
    let cells = table("| a | b | c |\n|---|---|---|\n| `1 | 2` | 3 |").unwrap_or_default();
    assert_eq!(cells, [["a", "b", "c"], ["`1", "2`", "3"]]);
    let cells = table("| a | b |\n|---|---|\n| `1 | 2` | 3 |").unwrap_or_default();
    assert_eq!(cells, [["a", "b"], ["`1 | 2`", "3"]]);
    // A mark without a partner begins no code, and the head alone says how many cells there are.
    let cells = table("| a | b |\n|---|\n| `1|2` | 3` |").unwrap_or_default();
    assert_eq!(cells, [["a", "b"], ["`1|2`", "3`"]]);
    let cells = table("| `a|b` | c |\n|---|---|---|\n| 1 | 2 | 3 |").unwrap_or_default();
    assert_eq!(cells, [["`a", "b`", "c"], ["1", "2", "3"]]);
    let cells = table("| a | b |\n|---|---|\n| 1 |").unwrap_or_default();
    assert_eq!(cells, [vec!["a", "b"], vec!["1"]]);
    let cells = table("| a |\n|---|\n|\n| 1 |").unwrap_or_default();
    assert_eq!(cells, [["a"], [""], ["1"]]);
}

#[test]
fn a_word_before_the_last_part_is_no_part_of_it() {
    for (text, want) in [
        ("a and b,", &["a and b"][..]),
        ("a, and b", &["a", "and b"]),
        ("a, b, or c.", &["a", "b", "c"]),
        ("a, b, & c", &["a", "b", "c"]),
        ("a, b or c", &["a", "b", "c"]),
        ("a, b or c.", &["a, b or c."]),
        ("a, b & c", &["a", "b", "c"]),
        // Up to three words are an item without a sentence.
        ("one two three, b and c", &["one two three", "b", "c"]),
        ("one two three four, b and c", &["one two three four", "b and c"]),
        ("a, b c and d", &["a", "b c and d"]),
    ] {
        assert_eq!(parts(text), want, "{text}");
    }
}

#[test]
fn brackets_and_quotes_hide_marks() {
    for (text, want) in [
        ("a; b，c", &["a", "b，c"][..]),
        ("a | b", &["a", "b"]),
        ("a · b", &["a", "b"]),
        ("a • b", &["a", "b"]),
        ("[a, b], c", &["[a, b]", "c"]),
        ("“a, b”, c", &["“a, b”", "c"]),
        ("„a, b“, c", &["„a, b“", "c"]),
        ("\"a, b\", c", &["\"a, b\"", "c"]),
        ("（a, b）, c", &["（a, b）", "c"]),
        ("((a, b), c), d", &["((a, b), c)", "d"]),
        ("a), b", &["a)", "b"]),
        ("“a, b", &["“a", "b"]),
        ("It is slow; but it works.", &["It is slow; but it works."]),
        ("it is slow; works.", &["it is slow", "works."]),
        ("it is slow; but it works", &["it is slow", "but it works"]),
        ("a; b c; d e.", &["a", "b c", "d e."]),
    ] {
        assert_eq!(parts(text), want, "{text}");
    }
}

#[test]
fn words_with_a_sign_and_words_of_code() {
    for (text, want) in [
        ("#a, #b", &["a", "b"][..]),
        ("#a", &["#a"]),
        ("#a b", &["#a b"]),
        ("#a#b #c", &["#a#b #c"]),
        ("# #c", &["# #c"]),
        ("#ff00 #12", &["ff00", "12"]),
        ("#ff0000ff #fff", &["#ff0000ff #fff"]),
        ("#fffx #12", &["fffx", "12"]),
        ("`a` `b` `c`", &["a", "b", "c"]),
        ("`a`, `b`; `c` / `d` | `e`", &["a", "b", "c", "d", "e"]),
        ("`a` ``", &["`a` ``"]),
        ("`a`", &["`a`"]),
        ("`a` `b", &["`a` `b"]),
    ] {
        assert_eq!(parts(text), want, "{text}");
    }
}

#[test]
fn contents_of_elements() {
    for (text, want) in [
        ("<item>a</item><item> b </item>", Some(&[("item", "a"), ("item", "b")][..])),
        (" <i>a</i>\n<j>b</j> ", Some(&[("i", "a"), ("j", "b")])),
        ("<p name=\"x\">a</p>", Some(&[("x", "a")])),
        ("<p\nname='x y' id=1>a</p>", Some(&[("x y", "a")])),
        ("<p name=x>a</p>", Some(&[("p", "a")])),
        ("<a_1>a</a_1>", Some(&[("a_1", "a")])),
        ("<a-1>a</a-1>", None),
        ("<>a</>", None),
        ("<i>a</j>", None),
        ("<i>a", None),
        ("<i", None),
        ("<i>a</i> and", None),
        ("a <i>b</i>", None),
        ("", None),
    ] {
        assert_eq!(elements(text).as_deref(), want, "{text}");
    }
}

#[test]
fn what_stands_behind_the_mark_of_an_item() {
    for (line, want) in [
        ("- a", Some("a")),
        ("-\ta", Some("a")),
        ("-a", None),
        ("■ a", Some("a")),
        ("- [ ] a", Some("a")),
        ("- [x] a", Some("a")),
        ("- [X] a", Some("a")),
        ("- [y] a", Some("[y] a")),
        ("1. a", Some("a")),
        ("1) a", Some("a")),
        ("1: a", None),
        ("1234. a", Some("a")),
        ("12345. a", None),
        ("[1] a", Some("a")),
        ("[123] a", Some("a")),
        ("[1234] a", None),
        ("[] a", None),
        ("[1) a", None),
        ("(1) a", Some("a")),
        ("(123) a", Some("a")),
        ("(1234) a", None),
        ("() a", None),
        ("(1] a", None),
        ("✔ a", Some("a")),
        ("✔a", None),
        // Marks of East Asian texts are no pictures.
        ("\u{3000} a", None),
        ("〜 a", None),
        // A line that begins with a blank has no mark.
        (" a", None),
        ("a", None),
        ("", None),
    ] {
        assert_eq!(bullet(line), want, "{line}");
    }
}

#[test]
fn fenced_blocks_one_after_the_other() {
    for (text, want) in [
        ("```\na\n```\n```\nb\nc\n```", Some("a\nb\nc\n")),
        ("```js\na\n```\n\n  ```\nb\n  ```\n", Some("a\nb\n")),
        ("```\n```\n```\n```\n```\n```", Some("")),
        ("```\na\n```\nand\n```\nb\n```", None),
        ("```\na\n```\n```\nb", None),
        ("```\na\n```\n```\nb\n```\n```\nc", None),
        ("```\na\n```", None),
    ] {
        assert_eq!(blocks(text).as_deref(), want, "{text}");
    }
}
