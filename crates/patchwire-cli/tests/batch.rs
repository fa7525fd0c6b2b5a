//! Tables in, tables out.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::run::{Run, lines, patchwire, spawn};

mod columns;
mod json_lines;
mod unfinished;

/// Answers as models give them.
const OUTPUTS: [Option<&str>; 7] = [
    Some(r#"{"sku": "a1", "count": 3, "tags": ["x", "y"]}"#),
    Some("Sure! {'sku': 'b2', \"count\": \"4\",}"),
    None,
    Some(r#"{"sku": "c3", "count": "many", "more": [1]}"#),
    Some(
        r#"<think>Hm, "quoted", and
a line.</think>{"sku": "d4"#,
    ),
    Some("I cannot, sorry."),
    Some(r#"{"count": 12}"#),
];

const SCHEMA: &str = r#"{"sku": ["str", "", true], "count": "int", "tags": [["str", ""]]}"#;

/// A folder of a test's own, which is removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR"))
            .join(format!("batch-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).expect("the scratch directory can be written to");
        let folder = Self(path);
        folder.write("schema.json", SCHEMA);
        folder
    }

    fn path(&self, name: &str) -> String {
        self.0.join(name).to_str().expect("a plain name").to_owned()
    }

    fn write(&self, name: &str, text: impl AsRef<[u8]>) -> String {
        fs::write(self.0.join(name), text).expect("it can be written");
        self.path(name)
    }

    fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.0.join(name)).expect("it is there")
    }

    fn rows(&self, name: &str) -> Vec<Value> {
        lines(&String::from_utf8(self.read(name)).expect("it is UTF-8"))
    }

    fn text(&self, name: &str) -> String {
        String::from_utf8(self.read(name)).expect("it is UTF-8")
    }

    fn has(&self, name: &str) -> bool {
        self.0.join(name).exists()
    }

    /// Arguments, of which those that begin with `@` are files of the folder.
    fn files(&self, args: &[&str]) -> Vec<String> {
        let file = |arg: &&str| match arg.strip_prefix('@') {
            Some(name) => self.path(name),
            None => (*arg).to_owned(),
        };
        args.iter().map(file).collect()
    }

    /// The command with a schema, on files of the folder.
    fn batch(&self, args: &[&str]) -> Run {
        let (schema, files) = (self.path("schema.json"), self.files(args));
        let fixed = ["batch", "--column", "output", "--schema", &schema];
        let args: Vec<&str> = fixed.into_iter().chain(files.iter().map(String::as_str)).collect();
        patchwire(&args, "")
    }

    /// The command with arguments of a test's own alone.
    fn plain_batch(&self, args: &[&str]) -> Run {
        let files = self.files(args);
        let args: Vec<&str> =
            ["batch"].into_iter().chain(files.iter().map(String::as_str)).collect();
        patchwire(&args, "")
    }

    /// It went well, and said so in notes alone.
    fn converts(&self, args: &[&str]) -> String {
        let run = self.batch(args);
        assert_eq!((run.status, &*run.out), (Some(0), ""), "{}", run.err);
        assert!(run.err.lines().all(|line| line.starts_with("note: ")), "{}", run.err);
        run.err
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn json_lines(outputs: &[Option<&str>]) -> String {
    let rows = outputs.iter().enumerate();
    rows.map(|(id, output)| format!("{}\n", json!({"id": id, "output": output}))).collect()
}

/// The value that `final` prints, cut to the members of the schema.
fn final_value(text: &str, schema: &str) -> Value {
    let run = patchwire(&["final", "--schema", schema], text);
    if run.out.is_empty() {
        return Value::Null;
    }
    let whole: Value = serde_json::from_str(&run.out).expect("it prints JSON");
    if whole.is_null() {
        return whole;
    }
    let count = whole["count"].as_i64().map_or(Value::Null, Value::from);
    json!({"sku": whole["sku"], "count": count, "tags": whole["tags"]})
}

#[test]
fn each_row_is_what_one_answer_is() {
    let folder = Folder::new("rows");
    folder.write("in.jsonl", json_lines(&OUTPUTS));
    let notes = folder.converts(&["@in.jsonl", "--out", "@out.jsonl"]);
    assert!(notes.contains("out.jsonl: 7 rows, "), "{notes}");
    let counts = "3 complete, 1 repaired, 1 truncated, 1 failed; 1 null; 3 with failures";
    assert!(notes.contains(counts), "{notes}");
    let rows = folder.rows("out.jsonl");
    assert_eq!(rows.len(), OUTPUTS.len());
    for (id, (row, output)) in rows.iter().zip(OUTPUTS).enumerate() {
        assert_eq!((&row["id"], &row["output"]), (&json!(id), &json!(output)));
        let Some(output) = output else {
            assert_eq!(row["answer"], Value::Null);
            continue;
        };
        let wanted = final_value(output, &folder.path("schema.json"));
        assert_eq!(row["answer"]["value"], wanted, "{output}");
    }
    assert_eq!(rows[3]["answer"]["failures"][0]["code"], "wrong_type");
    assert_eq!(rows[3]["answer"]["notices"][0]["code"], "unknown_field");
    assert_eq!(rows[4]["answer"]["reasoning"], "Hm, \"quoted\", and\na line.");
    assert_eq!(rows[5]["answer"]["outcome"], "failed");
    assert_eq!(rows[6]["answer"]["failures"][0]["message"], "sku is missing");
}

#[test]
fn without_a_schema_json_lines_hold_the_value_itself() {
    let folder = Folder::new("untyped");
    folder.write("in.jsonl", json_lines(&OUTPUTS));
    let (input, out) = (folder.path("in.jsonl"), folder.path("out.jsonl"));
    let run = patchwire(&["batch", &input, "--column", "output", "--out", &out], "");
    assert_eq!(run.status, Some(0), "{}", run.err);
    let rows = folder.rows("out.jsonl");
    assert_eq!(rows[3]["answer"]["value"], json!({"sku": "c3", "count": "many", "more": [1]}));
    assert_eq!(rows[5]["answer"]["value"], Value::Null);
}

/// Rows by way of every form have equal answers.
#[test]
fn the_forms_agree() {
    let folder = Folder::new("forms");
    folder.write("in.jsonl", json_lines(&OUTPUTS));
    folder.converts(&["@in.jsonl", "--out", "@one.jsonl"]);
    // The answers that were made become columns that are copied.
    folder.converts(&["@in.jsonl", "--out", "@one.parquet"]);
    folder.converts(&["@one.parquet", "--as", "again", "--out", "@two.jsonl"]);
    folder.converts(&["@in.jsonl", "--out", "@one.csv"]);
    folder.converts(&["@one.csv", "--as", "again", "--keep", "id", "--out", "@three.jsonl"]);
    let (one, two, three) =
        (folder.rows("one.jsonl"), folder.rows("two.jsonl"), folder.rows("three.jsonl"));
    for (at, row) in one.iter().enumerate() {
        assert_eq!(row["answer"], two[at]["again"], "row {at}");
        assert_eq!(row["answer"]["value"], two[at]["answer"]["value"]);
        assert_eq!(row["answer"], three[at]["again"], "row {at}");
        assert_eq!(three[at]["id"], at.to_string());
        assert!(three[at].get("output").is_none() && three[at].get("answer_value").is_none());
    }
    let csv = String::from_utf8(folder.read("one.csv")).expect("it is UTF-8");
    let head = "id,output,answer_value,answer_outcome,answer_notices,answer_failures,answer_reasoning,answer_text,answer_calls";
    assert_eq!(csv.lines().next(), Some(head));
    assert!(
        csv.contains(r#""{""sku"":""a1"",""count"":3,""tags"":[""x"",""y""]}",complete,[],[]"#),
        "{csv}"
    );
}

#[test]
fn several_tables_go_into_a_folder_and_those_there_are_left() {
    let folder = Folder::new("several");
    for name in ["a.jsonl", "b.jsonl", "c.csv"] {
        folder.write(
            name,
            if name == "c.csv" { "output\n[1]\n".to_owned() } else { json_lines(&OUTPUTS) },
        );
    }
    let notes = folder.converts(&["@*.jsonl", "@c.csv", "--to", "parquet", "--out", "@out/"]);
    assert_eq!(notes.lines().count(), 3, "{notes}");
    let made: Vec<bool> = ["a", "b", "c"].map(|it| folder.has(&format!("out/{it}.parquet"))).into();
    assert_eq!(made, [true; 3]);
    assert_eq!(fs::read_dir(folder.0.join("out")).expect("it is there").count(), 3);
    let before = folder.read("out/a.parquet");
    fs::remove_file(folder.0.join("out/b.parquet")).expect("it is there");
    let notes = folder.converts(&["@*.jsonl", "@c.csv", "--to", "parquet", "--out", "@out/"]);
    let left = notes.lines().filter(|line| line.contains("was left; `--again` makes it anew"));
    assert_eq!((left.count(), notes.lines().count()), (2, 3), "{notes}");
    assert_eq!(folder.read("out/a.parquet"), before);
    let notes = folder.converts(&["@a.jsonl", "--to", "parquet", "--out", "@out/", "--again"]);
    assert!(notes.contains("7 rows"), "{notes}");
}

/// Parts of three rows, of which a run finished some.
#[test]
fn a_rerun_goes_on_and_the_file_is_the_same() {
    let folder = Folder::new("rerun");
    let outputs: Vec<Option<&str>> = OUTPUTS.iter().copied().cycle().take(20).collect();
    folder.write("in.jsonl", json_lines(&outputs));
    for form in ["jsonl", "csv", "parquet"] {
        let [whole, out] = ["whole", "out"].map(|name| format!("@{name}.{form}"));
        let args = |out| ["@in.jsonl", "--part-rows", "3", "--out", out];
        folder.converts(&args(&whole));
        let name = &out[1..];
        stopped_run(&folder, &args(&out), name);
        let notes = folder.converts(&args(&out));
        assert!(notes.contains("rows of an earlier run, and "), "{notes}");
        assert!(!folder.has(&format!("{name}.partial")), "the parts are gone");
        if form == "parquet" {
            folder.converts(&[
                &whole, "--as", "b", "--keep", "answer", "--out", "@w.jsonl", "--again",
            ]);
            folder
                .converts(&[&out, "--as", "b", "--keep", "answer", "--out", "@o.jsonl", "--again"]);
            assert_eq!(folder.rows("w.jsonl"), folder.rows("o.jsonl"));
            assert_eq!(folder.rows("o.jsonl").len(), 20);
        } else {
            assert_eq!(folder.read(&whole[1..]), folder.read(name), "{form}");
        }
    }
}

/// Runs until two parts are whole, and kills the command. There is no file then.
fn stopped_run(folder: &Folder, args: &[&str], out: &str) {
    let partial = folder.0.join(format!("{out}.partial"));
    let (schema, files) = (folder.path("schema.json"), folder.files(args));
    let fixed = ["batch", "--column", "output", "--schema", &schema];
    let args: Vec<&str> = fixed.into_iter().chain(files.iter().map(String::as_str)).collect();
    // Killed when a part is there; a run that was faster is tried again.
    for _ in 0..200 {
        let mut child = spawn(&args);
        while !has_part(&partial) && child.try_wait().expect("it runs").is_none() {
            std::thread::yield_now();
        }
        child.kill().expect("it was started");
        child.wait().expect("it ends");
        if has_part(&partial) && !folder.has(out) {
            return;
        }
        let _ = fs::remove_file(folder.0.join(out));
        let _ = fs::remove_dir_all(&partial);
    }
    panic!("the command was never stopped in time");
}

fn has_part(partial: &Path) -> bool {
    let Ok(entries) = fs::read_dir(partial) else { return false };
    entries.flatten().any(|entry| entry.file_name().to_string_lossy().starts_with("part-"))
}

#[test]
fn parts_of_other_settings_are_not_used() {
    let folder = Folder::new("settings");
    let outputs: Vec<Option<&str>> = OUTPUTS.iter().copied().cycle().take(20).collect();
    folder.write("in.jsonl", json_lines(&outputs));
    let args = ["@in.jsonl", "--part-rows", "3", "--out", "@out.jsonl"];
    stopped_run(&folder, &args, "out.jsonl");
    let notes = folder.converts(&[&args[..], &["--as", "other"]].concat());
    assert!(notes.contains(": 20 rows, "), "{notes}");
    assert!(folder.rows("out.jsonl").iter().all(|row| row.get("other").is_some()));
}

#[test]
fn a_table_without_rows_has_the_columns() {
    let folder = Folder::new("empty");
    folder.write("in.csv", "id,output\n");
    let notes = folder.converts(&["@in.csv", "--out", "@out.csv"]);
    assert!(notes.contains(": 0 rows"), "{notes}");
    folder.converts(&["@in.csv", "--out", "@out.parquet"]);
    folder.converts(&["@out.parquet", "--as", "b", "--out", "@again.jsonl"]);
    assert_eq!(folder.read("again.jsonl"), b"");
}

#[test]
fn what_goes_wrong_is_said_with_what_to_do() {
    let folder = Folder::new("wrong");
    folder.write("in.jsonl", json_lines(&OUTPUTS));
    folder.write("in.txt", "x");
    folder.write("broken.parquet", "no Parquet at all");
    folder.write("broken.jsonl", "{\"output\": \"[1]\"}\nno JSON\n");
    for (args, words) in [
        (&["@in.jsonl", "--out", "@out.txt"][..], &["out.txt", "`--from` and `--to`"][..]),
        (&["@in.txt", "--out", "@out.csv"], &["in.txt", ".parquet, .jsonl"]),
        (&["@in.jsonl", "--column", "id", "--out", "@out.csv"], &["`id`", "Int64", "`--column`"]),
        (
            &["@in.jsonl", "--column", "no", "--out", "@out.csv"],
            &["no column `no`", "`id`, `output`"],
        ),
        (&["@in.jsonl", "--keep", "no", "--out", "@out.csv"], &["no column `no`"]),
        (
            &["@in.jsonl", "--as", "id", "--out", "@out.jsonl"],
            &["already has a column `id`", "`--as`"],
        ),
        (&["@no.jsonl", "--out", "@out.csv"], &["cannot read", "no.jsonl"]),
        (&["@no*.jsonl", "--out", "@out.csv"], &["no file is like"]),
        (&["@in.jsonl", "@in.txt", "--out", "@out.csv"], &["give a folder"]),
        (&["@in.jsonl", "--out", "@in.jsonl"], &["is an input"]),
        (&["@broken.parquet", "--out", "@out.csv"], &["cannot be read as Parquet"]),
        (&["@broken.jsonl", "--out", "@out.csv"], &["cannot be read as JSON lines"]),
        (&["@in.jsonl", "--out", "@schema.json/x.csv"], &["cannot write"]),
    ] {
        let args: Vec<&str> = args.to_vec();
        let has_column = args.contains(&"--column");
        let run = if has_column { folder.plain_batch(&args) } else { folder.batch(&args) };
        let (status, out, err) = run.failed();
        assert_eq!((status, out), (Some(2), ""), "{args:?}: {err}");
        for word in words {
            assert!(err.contains(word), "{args:?}: {err}");
        }
        assert!(!folder.has("out.csv") && !folder.has("out.csv.partial"), "{args:?}");
    }
}

/// A table that is broken does not stop the others.
#[test]
fn the_other_tables_are_made() {
    let folder = Folder::new("others");
    folder.write("a.csv", "output\n[1]\n");
    folder.write("b.csv", "other\n[1]\n");
    folder.write("c.csv", "output\n[2]\n");
    let run = folder.batch(&["@*.csv", "--out", "@out/"]);
    assert_eq!(run.status, Some(2), "{}", run.err);
    assert!(folder.has("out/a.csv") && folder.has("out/c.csv") && !folder.has("out/b.csv"));
    assert!(run.err.contains("b.csv has no column `output`"), "{}", run.err);
}

/// `rate` counts the rows of a table as it counts files.
#[test]
fn tables_are_rated_as_files_are() {
    let folder = Folder::new("rate");
    folder.write("in.jsonl", json_lines(&OUTPUTS));
    folder.converts(&["@in.jsonl", "--keep", "output", "--out", "@in.parquet"]);
    folder.converts(&["@in.jsonl", "--keep", "output", "--out", "@in.csv"]);
    let texts = OUTPUTS.iter().flatten().enumerate();
    let files: Vec<String> =
        texts.map(|(at, text)| folder.write(&format!("{at}.txt"), text)).collect();
    let schema = folder.path("schema.json");
    let rated = |args: &[&str]| {
        lines(&patchwire(&[&["rate", "--json", "--schema", &schema], args].concat(), "").ok())
    };
    let wanted = rated(&files.iter().map(String::as_str).collect::<Vec<_>>());
    assert_eq!(wanted[0]["streams"], 6);
    for form in ["in.jsonl", "in.parquet", "in.csv"] {
        assert_eq!(rated(&["--column", "output", &folder.path(form)]), wanted, "{form}");
    }
    let run = patchwire(&["rate", "--column", "no", &folder.path("in.csv")], "");
    assert!(run.failed().2.contains("no column `no`"));
}
