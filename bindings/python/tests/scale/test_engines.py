"""`parse_arrow` inside the engines of tables: the same column in each, beside `parse` row by row.

Run by `tests/scale/run`, which installs the engines.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import time
from pathlib import Path
from typing import Any

import patchwire as pw
import pytest

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")

SCHEMA = {"sku": ["str", "", True], "count": "int", "tags": [["str", ""]], "size": {"width": "number"}}
ROWS = 4_000


def outputs() -> list[str | None]:
    """Answers as models give them: whole, in prose, with slips, cut, none."""
    rng = random.Random(5)
    texts: list[str | None] = []
    for at in range(ROWS):
        value = {"sku": f"a{at}", "count": rng.randrange(99), "tags": ["x", "é"], "size": {"width": rng.random()}}
        text = json.dumps(value)
        slips = [text, f"Sure! {text}", text.replace('"', "'"), text[: rng.randrange(len(text))], "I cannot.", None]
        texts.append(slips[at % len(slips)])
    return texts


TEXTS = outputs()


def wanted() -> list[tuple[int, Any, Any]]:
    """The id, value and outcome of each row, by way of `parse`."""
    rows: list[tuple[int, Any, Any]] = []
    for at, text in enumerate(TEXTS):
        if text is None:
            rows.append((at, None, None))
            continue
        answer = pw.parse(text, SCHEMA)
        value = answer.value
        if isinstance(value, dict):
            size = value.get("size")
            value = {name: value.get(name) for name in SCHEMA}
            value["size"] = {"width": size.get("width")} if isinstance(size, dict) else None
        rows.append((at, value if isinstance(value, dict) else None, answer.outcome))
    return rows


WANTED = wanted()


def same(rows: list[dict[str, Any]]) -> None:
    found = sorted(rows, key=lambda row: row["id"])
    assert len(found) == ROWS
    for row, (at, value, outcome) in zip(found, WANTED, strict=True):
        answer = row["answer"] or {"value": None, "outcome": None}
        assert (row["id"], answer["value"], answer["outcome"]) == (at, value, outcome), TEXTS[at]


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of Parquet, in files of which two workers have some each."""
    folder = tmp_path_factory.mktemp("outputs")
    whole = pa.table({"id": pa.array(range(ROWS), pa.int64()), "output": pa.array(TEXTS, pa.string())})
    for part in range(8):
        size = ROWS // 8
        pq.write_table(whole.slice(part * size, size), folder / f"{part}.parquet", row_group_size=100)
    return folder


def shown(engine: str, rows: list[dict[str, Any]]) -> None:
    """What a person sees with `-s`."""
    print(f"\n{engine}: {len(rows)} rows")
    for row in sorted(rows, key=lambda row: row["id"])[:6]:
        answer = row["answer"]
        print(row["id"], answer and (answer["outcome"], answer["value"], [it["code"] for it in answer["notices"]]))


def test_polars(table: Path) -> None:
    pl = pytest.importorskip("polars")
    answer = pl.Struct(pl.Schema(pw.arrow_type(SCHEMA)))

    def parse(column: Any) -> Any:
        return pl.Series(pw.parse_arrow(column, SCHEMA))

    frame = pl.scan_parquet(table / "*.parquet")
    parsed = frame.select("id", pl.col("output").map_batches(parse, return_dtype=answer).alias("answer"))
    rows = parsed.collect().to_dicts()
    shown("Polars", rows)
    same(rows)
    whole = parsed.filter(pl.col("answer").struct.field("outcome") == "complete").collect()
    assert whole.height == sum(outcome == "complete" for _, _, outcome in WANTED)


def test_duckdb(table: Path) -> None:
    duckdb = pytest.importorskip("duckdb")
    database = duckdb.connect()
    types = pa.schema({"answer": pa.field(pw.arrow_type(SCHEMA)).type})
    answer = database.from_arrow(types.empty_table()).types[0]

    def parse(column: Any) -> Any:
        return pa.chunked_array(pw.parse_arrow(column, SCHEMA))

    database.create_function("answer", parse, ["VARCHAR"], answer, type="arrow", null_handling="special")
    query = database.sql(f"SELECT id, answer(output) AS answer FROM '{table}/*.parquet'")
    rows = [{"id": row[0], "answer": row[1]} for row in query.fetchall()]
    for row in rows:
        # A struct of nulls is what DuckDB makes of a null struct.
        if row["answer"] and row["answer"]["outcome"] is None:
            row["answer"] = None
    shown("DuckDB", rows)
    same(rows)
    failed = database.sql(f"SELECT count(*) FROM (SELECT answer(output) AS a FROM '{table}/*.parquet') WHERE len(a.failures) > 0")
    by_hand = sum(len(pw.parse(text, SCHEMA).failures) > 0 for text in TEXTS if text is not None)
    assert failed.fetchall() == [(by_hand,)]


def test_ray(table: Path, tmp_path: Path) -> None:
    ray = pytest.importorskip("ray")
    data = pytest.importorskip("ray.data")

    start = time.time()

    def wait_for_another_process() -> None:
        # One process can parse all batches before Ray has started a second one.
        (tmp_path / str(os.getpid())).touch()
        while len(list(tmp_path.iterdir())) < 2 and time.time() < start + 120:
            time.sleep(0.01)

    def parse(batch: Any) -> Any:
        wait_for_another_process()
        answers = pa.chunked_array(pw.parse_arrow(batch["output"], SCHEMA, threads=1))
        worker = pa.array([os.getpid()] * len(batch), pa.int64())
        return batch.select(["id"]).append_column("answer", answers).append_column("worker", worker)

    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, logging_level="ERROR")
    try:
        read = data.read_parquet(str(table)).repartition(8)
        parsed = read.map_batches(parse, batch_format="pyarrow", batch_size=100)
        rows = parsed.take_all()
        workers = {row["worker"] for row in rows}
        shown(f"Ray, in {len(workers)} processes", rows)
        same(rows)
        assert len(workers) > 1
    finally:
        ray.shutdown()


def test_spark(table: Path) -> None:
    sql = pytest.importorskip("pyspark.sql")
    if shutil.which("java") is None:
        pytest.skip("Spark needs Java")
    from pyspark.sql.pandas.types import from_arrow_schema

    types = pa.schema({"id": pa.int64(), "answer": pa.field(pw.arrow_type(SCHEMA)).type, "worker": pa.int64()})

    def parse(batches: Any) -> Any:
        for batch in batches:
            answers = pa.array(pw.parse_arrow(batch["output"], SCHEMA, threads=1))
            worker = pa.array([os.getpid()] * len(batch), pa.int64())
            yield pa.record_batch({"id": batch["id"], "answer": answers, "worker": worker})

    builder = sql.SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
    spark = builder.config("spark.sql.files.maxPartitionBytes", "64k").getOrCreate()
    try:
        spark.sparkContext.setLogLevel("ERROR")
        frame = spark.read.parquet(str(table)).repartition(4)
        parsed = frame.mapInArrow(parse, from_arrow_schema(types))
        rows = [row.asDict(recursive=True) for row in parsed.collect()]
        shown(f"Spark, in {len({row['worker'] for row in rows})} processes", rows)
        same(rows)
        whole = parsed.where("answer.outcome = 'complete'").count()
        assert whole == sum(outcome == "complete" for _, _, outcome in WANTED)
    finally:
        spark.stop()
