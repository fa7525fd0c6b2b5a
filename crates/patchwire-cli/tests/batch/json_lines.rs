//! JSON lines as they come: any members, any numbers, any order.

use serde_json::{Value, json};

use super::{Folder, OUTPUTS, json_lines};
use crate::run::{lines, patchwire};

/// Numbers keep their digits in the text of a line.
fn copied(text: &str, more: &[&str]) -> String {
    let folder = Folder::new(&format!("copied-{}", text.len()));
    folder.write("in.jsonl", text);
    folder.converts(&[&["@in.jsonl", "--out", "@out.jsonl"], more].concat());
    folder.text("out.jsonl")
}

#[test]
fn lists_of_any_values_hold_the_values_themselves() {
    let any = json!({"type": "array"});
    let either = json!({"type": "object", "properties": {"v": {"type": "array", "items":
        {"anyOf": [{"type": "string"}, {"type": "integer"}]}}}});
    let deep = json!({"type": "array", "items": {"type": "array"}});
    for (schema, output) in [
        (&any, json!([1, {"a": 2}, null, "x\n"])),
        (&either, json!({"v": ["a", 1, "1"]})),
        (&deep, json!([[1, [2]], [], ["x"]])),
    ] {
        let folder = Folder::new(&format!("lists-{}", output.to_string().len()));
        folder.write("schema.json", schema.to_string());
        folder.write("in.jsonl", json_lines(&[Some(&output.to_string()), None]));
        folder.converts(&["@in.jsonl", "--out", "@out.jsonl"]);
        assert_eq!(folder.rows("out.jsonl")[0]["answer"]["value"], output);
        folder.converts(&["@in.jsonl", "--out", "@out.csv"]);
        let quoted = output.to_string().replace('"', "\"\"");
        assert!(folder.text("out.csv").contains(&*quoted), "{}", folder.text("out.csv"));
        // By way of Parquet.
        folder.converts(&["@in.jsonl", "--out", "@out.parquet"]);
        folder.converts(&["@out.parquet", "--as", "b", "--out", "@two.jsonl"]);
        assert_eq!(folder.rows("two.jsonl")[0]["answer"]["value"], output);
    }
}

#[test]
fn whole_numbers_keep_their_digits() {
    for numbers in [
        &["18446744073709551615", "9007199254740993"][..],
        &["-9223372036854775808", "9223372036854775807"],
        &["-1", "18446744073709551615", "9007199254740993"],
        &["123456789012345678901234567890", "1"],
        &["9007199254740993", "0.5"],
        &["1e400", "2"],
    ] {
        let line =
            |number| format!("{{\"n\":{number},\"in\":{{\"n\":[{number}]}},\"output\":\"1\"}}\n");
        let text: String = numbers.iter().map(line).collect();
        let out = copied(&text, &[]);
        for (line, number) in out.lines().zip(numbers) {
            let wanted = format!("{{\"n\":{number},\"in\":{{\"n\":[{number}]}},");
            assert!(line.starts_with(&wanted), "{line}");
        }
    }
}

#[test]
fn columns_are_in_the_order_in_which_they_appear() {
    let text = "{\"z\":1,\"output\":\"1\",\"b\":{\"y\":1,\"x\":2}}\n{\"a\":1,\"output\":\"1\",\"b\":{\"w\":0,\"x\":2}}\n";
    let out = copied(text, &[]);
    let first =
        "{\"z\":1,\"output\":\"1\",\"b\":{\"y\":1,\"x\":2,\"w\":null},\"a\":null,\"answer\":";
    assert!(out.starts_with(first), "{out}");
}

/// What has no single type is copied as it is.
#[test]
fn columns_of_several_types_are_copied_and_read_as_json() {
    let values = ["1", "\"1\"", "[1,{\"k\":\"\\\"\\n\"}]", "{\"k\":[[],{},null]}", "null", "true"];
    let line = |value| format!("{{\"v\":{value},\"list\":[{value},0],\"output\":\"1\"}}\n");
    let text: String = values.iter().map(line).collect();
    let out = copied(&text, &[]);
    for (line, value) in out.lines().zip(values) {
        assert!(line.starts_with(&format!("{{\"v\":{value},\"list\":[{value},0],")), "{line}");
    }
    for keep in [&["--keep", "list"][..], &["--keep", "output"]] {
        let out = copied(&text, keep);
        assert!(lines(&out).iter().all(|row| row.get("v").is_none()), "{out}");
    }
}

#[test]
fn outputs_that_are_not_all_texts_are_refused() {
    let folder = Folder::new("not-texts");
    folder.write("in.jsonl", "{\"output\":\"1\"}\n{\"output\":{\"a\":1}}\n");
    let run = folder.batch(&["@in.jsonl", "--out", "@out.jsonl"]);
    let (_, _, err) = run.failed();
    assert!(
        err.contains("`output`") && err.contains("objects") && err.contains("in.jsonl"),
        "{err}"
    );
}

#[test]
fn an_error_names_its_line() {
    let folder = Folder::new("line");
    let mut text = "{\"output\": \"[1]\"}\n\n".repeat(2_500);
    text.push_str("{\"output\": [1}\n");
    folder.write("in.jsonl", text);
    let run = folder.batch(&["@in.jsonl", "--out", "@out.jsonl"]);
    assert!(run.failed().2.contains("line 5001, column 14:"), "{}", run.err);
    folder.write("in.jsonl", "{\"output\": \"[1]\"}\n[1]\n");
    let run = folder.batch(&["@in.jsonl", "--out", "@out.jsonl"]);
    assert!(run.failed().2.contains("line 2, column 1: "), "{}", run.err);
    let args = ["rate", "--column", "output", &folder.path("in.jsonl")];
    assert!(patchwire(&args, "").err.contains("line 2, column 1: "));
}

#[test]
fn a_mark_of_the_byte_order_is_passed_over() {
    let out = copied("\u{feff}{\"id\":1,\"output\":\"[1]\"}\n{\"id\":2,\"output\":\"[2]\"}\n", &[]);
    let ids: Vec<Value> = lines(&out).iter().map(|row| row["id"].clone()).collect();
    assert_eq!(ids, [1, 2]);
}

#[test]
fn files_without_rows_make_tables_without_rows() {
    for (name, text) in [("in.jsonl", ""), ("in.jsonl", "\n \n"), ("in.csv", "")] {
        let folder = Folder::new(&format!("no-rows-{}{name}", text.len()));
        folder.write(name, text);
        for out in ["@out.jsonl", "@out.csv", "@out.parquet"] {
            let input = format!("@{name}");
            let notes = folder.converts(&[&input, "--keep", "id", "--out", out]);
            assert!(notes.contains(": 0 rows"), "{notes}");
        }
        assert!(folder.text("out.csv").starts_with("id,answer_value,"));
    }
}

/// One of several tables may have no row with the member. A name that none has is an error.
#[test]
fn one_of_several_tables_may_lack_the_member() {
    let folder = Folder::new("lacking");
    folder.write("a.jsonl", "{\"id\":1,\"error\":\"overloaded\"}\n");
    folder.write("b.jsonl", json_lines(&OUTPUTS));
    let notes = folder.converts(&["@*.jsonl", "--out", "@out/"]);
    assert!(notes.contains("1 rows") && notes.contains("1 null"), "{notes}");
    assert_eq!(
        folder.rows("out/a.jsonl"),
        [json!({"id": 1, "error": "overloaded", "output": null, "answer": null})]
    );
    let [a, b] = ["a.jsonl", "b.jsonl"].map(|name| folder.path(name));
    let rated = patchwire(&["rate", "--json", "--column", "output", &a, &b], "").ok();
    assert_eq!(lines(&rated)[0]["streams"], 6);
    let run = patchwire(&["rate", "--column", "no", &a, &b], "");
    assert_eq!((run.status, run.err.matches("no column `no`").count()), (Some(2), 2));
    let run = folder.plain_batch(&["@*.jsonl", "--column", "no", "--out", "@other/"]);
    assert_eq!((run.status, run.err.matches("no column `no`").count()), (Some(2), 2));
}
