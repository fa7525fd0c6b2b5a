//! Columns that are copied, whatever their type, and files that cannot be written.

use std::collections::HashMap;
use std::fs::File;
use std::sync::Arc;

use arrow_array::types::Int8Type;
use arrow_array::{
    ArrayRef, DictionaryArray, Int8Array, RecordBatch, StringArray, StructArray,
    TimestampMicrosecondArray,
};
use arrow_schema::{Field, Schema};
use parquet::arrow::ArrowWriter;
use parquet::file::reader::{FileReader as _, SerializedFileReader};
use serde_json::json;

use super::Folder;
use crate::run::{lines, patchwire};

fn parquet(folder: &Folder, name: &str, columns: Vec<(Field, ArrayRef)>) {
    let (fields, arrays): (Vec<Field>, Vec<ArrayRef>) = columns.into_iter().unzip();
    let batch = RecordBatch::try_new(Arc::new(Schema::new(fields)), arrays).expect("it is a table");
    let file = File::create(folder.0.join(name)).expect("it can be written");
    let mut writer = ArrowWriter::try_new(file, batch.schema(), None).expect("it can be written");
    writer.write(&batch).expect("it can be written");
    writer.close().expect("it can be written");
}

fn column(name: &str, array: ArrayRef) -> (Field, ArrayRef) {
    (Field::new(name, array.data_type().clone(), true), array)
}

fn outputs(texts: &[&str]) -> (Field, ArrayRef) {
    column("output", Arc::new(StringArray::from(texts.to_vec())))
}

/// The mark of JSON is not trusted, and a line stays one line.
#[test]
fn text_that_is_marked_as_json_and_is_none_is_a_string() {
    let folder = Folder::new("marked");
    let texts = ["{\"a\":\n 1}", "{not json", "1 2", ""];
    let (field, array) = column("raw", Arc::new(StringArray::from(texts.to_vec())));
    let mark = HashMap::from([("patchwire".to_owned(), "json".to_owned())]);
    let raw = (field.with_metadata(mark), array);
    parquet(&folder, "in.parquet", vec![raw, outputs(&["1"; 4])]);
    folder.converts(&["@in.parquet", "--out", "@out.jsonl"]);
    let rows = folder.rows("out.jsonl");
    let raw: Vec<_> = rows.iter().map(|row| &row["raw"]).collect();
    assert_eq!(raw, [&json!({"a": 1}), &json!("{not json"), &json!("1 2"), &json!("")]);
}

#[test]
fn times_of_any_zone_are_written_in_utc() {
    for zone in ["UTC", "Z", "Europe/Berlin", "+00:00"] {
        let folder = Folder::new(&format!("zone-{}", zone.len()));
        let times = TimestampMicrosecondArray::from(vec![Some(1_700_000_000_000_000), None]);
        let times: ArrayRef = Arc::new(times.with_timezone(zone));
        let (field, array) = column("at", Arc::clone(&times));
        let inner: ArrayRef = Arc::new(StructArray::from(vec![(Arc::new(field), array)]));
        let columns = vec![column("at", times), column("in", inner), outputs(&["1", "2"])];
        parquet(&folder, "in.parquet", columns);
        folder.converts(&["@in.parquet", "--out", "@out.jsonl"]);
        let row = &folder.rows("out.jsonl")[0];
        let wanted = "2023-11-14T22:13:20Z";
        assert_eq!((&row["at"], &row["in"]["at"]), (&json!(wanted), &json!(wanted)), "{zone}");
        folder.converts(&["@in.parquet", "--out", "@out.csv"]);
        let line = folder.text("out.csv").lines().nth(1).map(str::to_owned).expect("a row");
        assert!(line.starts_with(&format!("{wanted},\"{{\"\"at\"\":\"\"{wanted}")), "{line}");
    }
}

#[test]
fn texts_that_share_their_values_are_texts() {
    let folder = Folder::new("dictionary");
    let texts = DictionaryArray::<Int8Type>::try_new(
        Int8Array::from(vec![Some(1), None, Some(0), Some(1)]),
        Arc::new(StringArray::from(vec!["{\"sku\": \"a\"}", "{\"sku\": \"b\"}"])),
    );
    let texts: ArrayRef = Arc::new(texts.expect("the keys are in it"));
    parquet(&folder, "in.parquet", vec![column("output", texts)]);
    folder.converts(&["@in.parquet", "--out", "@out.jsonl"]);
    let rows = folder.rows("out.jsonl");
    let skus: Vec<_> = rows.iter().map(|row| &row["answer"]["value"]["sku"]).collect();
    assert_eq!(skus, [&json!("b"), &json!(null), &json!("a"), &json!("b")]);
    assert_eq!(rows[0]["output"], "{\"sku\": \"b\"}");
    let rated =
        patchwire(&["rate", "--json", "--column", "output", &folder.path("in.parquet")], "");
    assert_eq!(lines(&rated.ok())[0]["streams"], 3);
}

#[test]
fn two_columns_of_one_name_are_refused() {
    let folder = Folder::new("twice");
    folder.write("in.csv", "id,output,id\n1,[1],2\n");
    let run = folder.batch(&["@in.csv", "--out", "@out.jsonl"]);
    let (status, _, err) = run.failed();
    assert_eq!(status, Some(2));
    assert!(err.contains("in.csv has two columns `id`") && err.contains("`--keep`"), "{err}");
    folder.converts(&["@in.csv", "--keep", "output", "--out", "@out.jsonl"]);
}

#[test]
fn a_table_is_a_file_and_not_stdout() {
    let folder = Folder::new("stdout");
    folder.write("in.csv", "output\n[1]\n");
    let run = folder.batch(&["@in.csv", "--to", "json-lines", "--out", "-"]);
    let (status, _, err) = run.failed();
    assert_eq!(status, Some(2));
    assert!(err.contains("`--out -`") && err.contains("file"), "{err}");
    assert!(!std::path::Path::new("-").exists());
}

/// A part with long texts does not wait in memory as one group of rows.
#[test]
fn groups_of_rows_are_written_before_they_are_large() {
    let folder = Folder::new("groups");
    // Texts that cannot be compressed, and differ.
    let mut state = 1_u64;
    let mut noise = |_| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        format!("{state:016x}")
    };
    let mut line = || {
        let pad: String = (0..2_500).map(&mut noise).collect();
        format!("{{\"pad\":\"{pad}\",\"output\":\"1\"}}\n")
    };
    let text: String = (0..2_100).map(|_| line()).collect();
    folder.write("in.jsonl", text);
    folder.converts(&["@in.jsonl", "--out", "@out.parquet"]);
    let file = File::open(folder.0.join("out.parquet")).expect("it is there");
    let groups =
        SerializedFileReader::new(file).expect("it is Parquet").metadata().num_row_groups();
    assert!(groups >= 2, "{groups}");
}
