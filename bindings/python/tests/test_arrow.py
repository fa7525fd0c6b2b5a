"""Columns of Arrow: what `parse_arrow` gives is what `parse` gives, row by row, in every library of Arrow that is installed."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import threading

import patchwire as pw
import pytest

pa = pytest.importorskip("pyarrow")

SCHEMA = {
    "type": "object",
    "properties": {
        "sku": {"type": "string"},
        "count": {"type": "integer"},
        "price": {"type": "number"},
        "paid": {"type": "boolean"},
        "tags": {"type": "array", "items": {"type": "string"}},
        "any": {},
    },
    "required": ["sku"],
}
TEXTS = [
    '{"sku": "a1", "count": 3, "price": 2.5, "paid": true, "tags": ["x"], "any": {"y": [1]}}',
    "Sure! {'sku': 'b2', \"count\": \"4\",}",
    None,
    '<think>Hm.</think>{"sku": "c3", "count": "many"}',
    '{"sku": "cut',
    "I cannot.",
    "",
    "é 😀 {\"sku\": \"é😀\"}",
]


def one(text: str | None, **settings: object) -> dict[str, object] | None:
    """The row of a text, by way of `parse`."""
    if text is None:
        return None
    answer = pw.parse(text, **settings)
    value = answer.value
    if "schema" in settings and isinstance(value, dict):
        value = {name: value.get(name) for name in SCHEMA["properties"]}
        value["any"] = None if value["any"] is None else json.dumps(value["any"], separators=(",", ":"))
        value["count"] = value["count"] if isinstance(value["count"], int) else None
    elif "schema" not in settings:
        value = None if value is None else json.dumps(value, separators=(",", ":"), ensure_ascii=False)
    return {"value": value, "outcome": answer.outcome, "reasoning": answer.reasoning, "text": answer.text}


def same(found: list[dict[str, object] | None], texts: list[str | None], **settings: object) -> None:
    assert len(found) == len(texts)
    for row, text in zip(found, texts, strict=True):
        wanted = one(text, **settings)
        assert (row and {name: row[name] for name in wanted}) == wanted, text


@pytest.mark.parametrize("kind", [pa.string(), pa.large_string(), pa.string_view()], ids=str)
def test_each_row_is_what_one_answer_is(kind: object) -> None:
    column = pa.array(TEXTS, kind)
    same(pa.array(pw.parse_arrow(column)).to_pylist(), TEXTS)
    typed = pa.array(pw.parse_arrow(column, SCHEMA))
    same(typed.to_pylist(), TEXTS, schema=SCHEMA)
    assert typed.type.field("value").type.field("count").type == pa.int64()
    typed.validate(full=True)
    for from_, to in [(0, 0), (1, 4), (3, 8)]:
        part = pa.array(pw.parse_arrow(column.slice(from_, to - from_), SCHEMA))
        assert part.equals(typed.slice(from_, to - from_))


def test_chunks_stay_chunks_and_nulls_stay_nulls() -> None:
    column = pa.chunked_array([TEXTS[:3], [], TEXTS[3:]], pa.string())
    answers = pw.parse_arrow(column, SCHEMA, threads=2)
    assert (len(answers), type(answers)) == (len(TEXTS), pw.ArrowChunks)
    chunked = pa.chunked_array(answers)
    assert [len(chunk) for chunk in chunked.chunks] == [3, 0, 5]
    assert (chunked.null_count, chunked[2].as_py()) == (1, None)
    same(chunked.to_pylist(), TEXTS, schema=SCHEMA)
    # A second look gives the same.
    assert pa.chunked_array(answers).equals(chunked)
    assert pa.chunked_array(pw.parse_arrow(pa.chunked_array([], pa.string()))).length() == 0


def test_settings_are_those_of_parse() -> None:
    column = pa.array(['{"sku": "a1"}', '{"sku": ""}', '{"sku": "a12"}'])
    spec = pw.Spec(SCHEMA, ensure=["sku"], limits={"total": 13})
    rows = pa.array(pw.parse_arrow(column, spec)).to_pylist()
    assert [row["outcome"] for row in rows] == ["complete", "complete", "stopped"]
    assert [failure["code"] for failure in rows[1]["failures"]] == ["blank"]
    assert [(failure["code"], failure["offset"]) for failure in rows[2]["failures"]] == [("limit_total", 13)]
    # What was read up to there stays.
    assert rows[2]["value"]["sku"] == "a12"
    strict = pa.array(pw.parse_arrow(pa.array(["[1,]", "[1]"]), strict=True)).to_pylist()
    assert [row["outcome"] for row in strict] == ["stopped", "complete"]
    assert strict[0]["failures"][0]["code"].startswith("syntax_") and strict[0]["failures"][0]["offset"] == 3


def test_the_type_is_known_before_the_answers() -> None:
    answers = pa.array(pw.parse_arrow(pa.array(TEXTS), SCHEMA))
    assert pa.field(pw.arrow_type(SCHEMA)).type == answers.type
    assert pa.schema(pw.arrow_type(SCHEMA)).names == [field.name for field in answers.type]


def test_what_is_no_column_of_strings_is_said() -> None:
    with pytest.raises(pw.ColumnError, match="a list is no column of Arrow"):
        pw.parse_arrow(TEXTS)
    with pytest.raises(TypeError, match="the column has the type Int64; cast it to strings"):
        pw.parse_arrow(pa.array([1, 2]))
    with pytest.raises(pw.ColumnError, match="cast it to strings"):
        pw.parse_arrow(pa.table({"a": ["[1]"]}))
    with pytest.raises(pw.SpecError):
        pw.parse_arrow(pa.array(TEXTS), formt="json")


def test_bytes_that_are_no_text_are_refused() -> None:
    broken = pa.StringArray.from_buffers(1, pa.py_buffer(b"\x00\x00\x00\x00\x02\x00\x00\x00"), pa.py_buffer(b"\xff\xfe"))
    with pytest.raises(pw.ColumnError, match="the column cannot be read"):
        pw.parse_arrow(broken)


def test_a_source_that_fails_is_said() -> None:
    def batches():
        yield pa.record_batch({"a": ["[1]"]})
        raise ValueError("the disk is gone")

    reader = pa.RecordBatchReader.from_batches(pa.schema({"a": pa.string()}), batches())
    with pytest.raises(pw.ColumnError):
        pw.parse_arrow(reader)


def test_other_threads_run_meanwhile() -> None:
    column = pa.array([json.dumps({"sku": "x" * 1000, "count": n}) for n in range(20_000)])
    ticks, done = [0], threading.Event()

    def tick() -> None:
        while not done.wait(0.001):
            ticks[0] += 1

    thread = threading.Thread(target=tick)
    thread.start()
    pw.parse_arrow(column, SCHEMA, threads=1)
    done.set()
    thread.join()
    assert ticks[0] >= 3


def test_random_rows_in_many_threads() -> None:
    rng = random.Random(3)
    texts: list[str | None] = []
    for _ in range(2_000):
        text = json.dumps({"sku": rng.choice(["a", "é", "😀"]) * rng.randrange(200), "count": rng.randrange(99)})
        texts.append(rng.choice([None, text, text[: rng.randrange(len(text))], text.replace('"', "'"), f"So: {text}"]))
    column = pa.array(texts)
    alone = pa.array(pw.parse_arrow(column, SCHEMA, threads=1))
    assert pa.array(pw.parse_arrow(column, SCHEMA, threads=8)).equals(alone)
    same(alone.to_pylist(), texts, schema=SCHEMA)


def test_an_import_brings_no_arrow_library() -> None:
    program = "import sys, patchwire; patchwire.parse_arrow; assert not {'pyarrow', 'polars', 'numpy'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", program], check=True)


def test_a_fork_may_read_columns() -> None:
    program = """
import os, pyarrow as pa, patchwire as pw
column = pa.array(['{"a": "' + "x" * 1000 + '"}'] * 1000)
pw.parse_arrow(column, threads=2)
child = os.fork()
if child == 0:
    os._exit(0 if len(pw.parse_arrow(column, threads=2)) == 1000 else 1)
assert os.waitpid(child, 0)[1] == 0
"""
    if not hasattr(__import__("os"), "fork"):
        pytest.skip("no fork here")
    subprocess.run([sys.executable, "-c", program], check=True, timeout=60)


def test_polars_takes_and_gives_columns() -> None:
    pl = pytest.importorskip("polars")
    answers = pl.Series(pw.parse_arrow(pl.Series("output", TEXTS), SCHEMA))
    same(answers.to_list(), TEXTS, schema=SCHEMA)


@pytest.mark.skipif(not os.path.isdir("/proc/self/task"), reason="threads are counted where Linux shows them")
def test_no_more_threads_than_the_processors_can_use() -> None:
    column = pa.array(['{"sku": "%d", "any": "%s"}' % (row, "x" * 200) for row in range(8_000)])
    counts, done = [0], threading.Event()

    def count() -> None:
        while not done.wait(0.001):
            counts.append(len(os.listdir("/proc/self/task")))

    counter = threading.Thread(target=count)
    counter.start()
    many = pw.parse_arrow(column, threads=100_000)
    done.set()
    counter.join()
    assert max(counts) < 20 + 8 * (os.cpu_count() or 1)
    assert pa.array(many).equals(pa.array(pw.parse_arrow(column, threads=1)))
    small = pa.array(TEXTS)
    assert pa.array(pw.parse_arrow(small, threads=0)).equals(pa.array(pw.parse_arrow(small, threads=10**9)))
