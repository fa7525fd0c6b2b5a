"""Verbs that begin late: after something was read, or after the end."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from typing import Any

import pytest

import patchwire as pw

Run = Callable[[Coroutine[Any, Any, Any]], Any]

ROWS = ['{"rows":[{"b":[1,2]},', ' {"b":[3]}],"c":1}']
CALL = '<tool_call>{"name":"f","arguments":{"n":1}}</tool_call>'
MESSAGE = '{"a":1,"s":"hello"}'
PROTOCOLS = ("events", "compact", "ops", "json-patch", "ag-ui", "ui-message")


def late(parts: list[str] = ROWS, first: str = "rows[0]", **settings: Any) -> pw.Reader[Any]:
    """A reader that has read one field."""
    reader = pw.read(iter(parts), **settings)
    reader.get(first)
    return reader


def ended(parts: list[str] = ROWS, **settings: Any) -> pw.Reader[Any]:
    reader = pw.read(iter(parts), **settings)
    reader.answer()
    return reader


READERS = [late, ended]


@pytest.mark.parametrize("begun", READERS)
def test_a_wildcard_matches_what_was_read(begun: Callable[[], pw.Reader[Any]]) -> None:
    assert begun().get("rows[*].b") == [1, 2]
    assert begun().get("rows[*].b[*]") == 1
    assert list(begun().each("rows[*].b")) == [1, 2, 3]
    assert list(begun().each("rows[*].b", indexed=True)) == [(0, 1), (1, 2), (2, 3)]
    assert list(begun().each("rows[*]")) == [{"b": [1, 2]}, {"b": [3]}]
    assert list(begun().each("[*]", indexed=True))[-1][1] == 1
    assert list(begun().values("rows[*].b"))[-1] == [1, 2]
    assert list(begun().values("rows[*].b[*]")) == [1]
    assert list(begun().text("rows[*].b[*]")) == ["1"]


def test_a_wildcard_matches_the_same_field_as_from_the_start() -> None:
    for verb in ("get", "each", "text", "values"):
        for path in ("rows[*].b[*]", "[*]", "rows[*].b", "rows[1].b[*]"):
            results = []
            for begun in (lambda: pw.read(iter(ROWS)), *READERS):
                try:
                    found = getattr(begun(), verb)(path)
                    results.append(repr(found if verb == "get" else list(found)[-1:]))
                except pw.PathError as error:
                    results.append(str(error))
            assert len(set(results)) == 1, (verb, path, results)


def test_a_text_that_comes_whole() -> None:
    schema = {"type": "object", "properties": {"kind": {"type": "string", "enum": ["bug", "task"]}}}
    text = "<<<BEGIN ANSWER_YAML>>>\nkind: bug\n<<<END ANSWER_YAML>>>"
    reader = pw.read([text], schema, format="yaml_literal")
    assert list(reader.text("kind")) == ["bug"] == list(reader.text("kind"))


def test_an_open_field_that_a_wildcard_matches_goes_on() -> None:
    def begun() -> pw.Reader[Any]:
        return late(['{"rows":[{"n":1,"s":"hel', 'lo"},{"n":2,"s":"x"}]}'], "rows[0].n")

    assert list(begun().text("rows[*].s")) == ["hel", "lo"]
    assert begun().get("rows[*].s") == "hello"
    assert list(begun().values("rows[*].s"))[-1] == "hello"
    assert begun().get("rows[*]") == {"n": 1, "s": "hello"}


def test_a_wildcard_that_matches_nothing() -> None:
    for begun in READERS:
        for verb in ("get", "text", "values"):
            with pytest.raises(pw.MissingError):
                list(getattr(begun(), verb)("rows[*].x"))
        assert list(begun().each("rows[*].x")) == []


def test_values_below_a_wildcard_that_only_the_end_closes() -> None:
    reader = pw.read(['{"rows": [{"s": "cut'])
    with pytest.raises(pw.Truncated, match="`rows\\[0\\].s`"):
        list(reader.values("rows[*].s"))


def test_what_was_cut_is_cut_for_those_who_come_late() -> None:
    for text in ('{"rows":[{"n":1},{"n":', '{"rows":[{"n":1},{"n":2,"s":"x'):
        reader = ended([text])
        for path in ("rows", "rows[1]"):
            with pytest.raises(pw.Truncated):
                reader.get(path)
        given = []
        with pytest.raises(pw.Truncated):
            for row in reader.each("rows"):
                given.append(row)
        assert given == [{"n": 1}]
        assert list(reader.each("rows[*][*]")) == list(pw.read([text]).each("rows[*][*]"))
    reader = ended(['{"a":"some te'])
    deltas = reader.text("a")
    assert next(deltas) == "some te"
    with pytest.raises(pw.Truncated):
        next(deltas)


def test_patches_at_a_path_begin_with_what_is_there() -> None:
    patches = list(late().patches("rows[*].b"))
    assert [(patch.op, patch.path, patch.value) for patch in patches] == [
        ("replace", "rows[0].b", [1, 2]),
        ("open", "rows[1].b", []),
        ("done", "rows[1].b", None),
    ]
    assert patches[0].is_complete
    assert [(patch.path, patch.value) for patch in ended().patches("rows[*].b")] == [
        ("rows[0].b", [1, 2]),
        ("rows[1].b", [3]),
    ]
    assert [patch.value for patch in ended().patches("c")] == [1]
    assert list(ended().patches("x")) == []
    text = list(late(['{"a":1,"s":"hel', 'lo"}'], "a").patches("s"))
    assert [(patch.op, patch.value, patch.delta) for patch in text] == [
        ("replace", "hel", ""),
        ("delta", None, "lo"),
        ("done", "hello", ""),
    ]


def test_async_readers_too(run: Run) -> None:
    async def source() -> AsyncIterator[str]:
        for part in ROWS:
            yield part

    async def main() -> Any:
        reader = pw.read(source())
        await reader.get("rows[0]")
        each, texts, patches = reader.each("rows[*].b"), reader.text("rows[*].b[*]"), reader.patches("rows[*].b")
        first = await reader.get("rows[*].b")
        return first, [item async for item in each], [item async for item in texts], [patch.path async for patch in patches]

    assert run(main()) == ([1, 2], [1, 2, 3], ["1"], ["rows[0].b", "rows[1].b", "rows[1].b"])


# Calls and reasoning.


def test_late_calls_that_were_written_as_text() -> None:
    reader = pw.read([CALL], tags="hermes-json")
    assert [call.name for call in reader.answer().calls] == ["f"]
    for _ in range(2):
        assert [(call.name, call.arguments) for call in reader.calls()] == [("f", {"n": 1})]


def test_every_reader_of_calls_gets_every_call() -> None:
    reader = pw.read(iter([CALL, "and", CALL.replace('"f"', '"g"'), CALL.replace('"f"', '"h')]), tags="hermes-json")
    first = reader.calls()
    assert next(first).name == "f"
    second = reader.calls()
    assert next(second).name == "f" and next(second).name == "g"
    third = reader.calls()
    for calls, names in ((first, ["g", "h"]), (second, ["h"]), (third, ["f", "g", "h"])):
        assert [call.name[:1] for call in calls] == names
    assert [call.name[:1] for call in reader.calls()] == ["f", "g", "h"]


def test_late_reasoning() -> None:
    parts = ["<think>First, ", "then.</think>", '{"a": 1}']
    reader = pw.read(iter(parts))
    first = reader.reasoning()
    assert next(first) == "First, "
    assert "".join(reader.reasoning()) == "First, then."
    assert reader.get("a") == 1
    assert "".join(reader.reasoning()) == "First, then." == reader.answer().reasoning
    large = "<think>" + "So. " * 20_000 + '</think>{"a": 1}'
    reader = pw.read([large])
    assert reader.get("a") == 1 and "".join(reader.reasoning()) == "So. " * 20_000


def test_late_reasoning_of_a_provider() -> None:
    chunks = [
        {"choices": [{"index": 0, "delta": {"reasoning_content": "Hmm"}}]},
        {"choices": [{"index": 0, "delta": {"content": '{"a": 1}'}}]},
    ]
    reader = pw.read(iter(chunks))
    assert reader.get("a") == 1 and "".join(reader.reasoning()) == "Hmm"


# Protocols.


def applied(lines: Iterator[str]) -> Any:
    """The value that the operations of `ops` give."""
    root: Any = None
    for line in lines:
        op = json.loads(line)
        *above, last = op["path"].split("/")
        if not above:
            root = op["value"]
            continue
        place = root
        for step in above[1:]:
            place = place[int(step) if isinstance(place, list) else step]
        if op["op"] == "append-text":
            place[last] += op["text"]
        elif isinstance(place, list) and int(last) == len(place):
            place.append(op["value"])
        else:
            place[int(last) if isinstance(place, list) else last] = op["value"]
    return root


def patched(lines: Iterator[str]) -> Any:
    """The value that the JSON Patch gives."""
    root: Any = None
    for line in lines:
        for op in json.loads(line):
            *above, last = op["path"].split("/")
            if not above:
                root = op["value"]
                continue
            place = root
            for step in above[1:]:
                place = place[int(step) if isinstance(place, list) else step]
            if isinstance(place, list) and op["op"] == "add":
                place.insert(int(last), op["value"])
            else:
                place[int(last) if isinstance(place, list) else last] = op["value"]
    return root


@pytest.mark.parametrize(
    "parts", [['{"a":1,"s":"hel', 'lo"}'], ['{"a":1,"r":[{"x":"y', 'z"},[1', "2, 3]]}"], ['{"a":1}']]
)
def test_protocols_begin_with_the_value_so_far(parts: list[str]) -> None:
    value = pw.loads("".join(parts))
    for begun in (lambda: late(parts, "a"), lambda: ended(parts)):
        assert applied(begun().wire("ops")) == value
        assert patched(begun().wire("json-patch")) == value
        for protocol in PROTOCOLS:
            lines = list(begun().wire(protocol))
            assert lines, protocol
        first = json.loads(next(iter(begun().wire("events"))))
        assert first["event"] == "snapshot" and first["value"]["a"] == 1
        parsed = [json.loads(line) for line in begun().wire("ui-message") if line != "[DONE]\n"]
        assert [part["data"] for part in parsed if part["type"] == "data-answer"][-1] == value
        assert json.loads(list(begun().wire("events"))[-1])["event"] == "final"


def test_protocols_that_begin_first_are_as_they_were() -> None:
    parts = ['{"a":1,"s":"hel', 'lo"}']
    assert not any('"snapshot"' in line for line in pw.read(iter(parts)).wire("events"))
    assert json.loads(next(pw.read(iter(parts)).wire("ops"))) == {"op": "set", "path": "", "value": {}}
    assert applied(pw.read(iter(ROWS)).wire("ops")) == pw.loads("".join(ROWS))


def test_protocols_have_the_calls_of_the_provider() -> None:
    def delta(arguments: str, name: str | None = None) -> dict[str, Any]:
        call = {"index": 0, "id": "c1" if name else None, "function": {"name": name, "arguments": arguments}}
        return {"choices": [{"index": 0, "delta": {"tool_calls": [call]}}]}

    reader = pw.read(iter([delta('{"city": "Ro', "weather"), delta('me"}')]))
    list(zip(range(1), reader.events(), strict=False))
    lines = [json.loads(line) for line in reader.wire("events")]
    assert [line["event"] for line in lines[:2]] == ["tool_call", "snapshot"]
    assert lines[0]["name"] == "weather" and lines[1]["call"] == 1 and lines[1]["value"] == {"city": "Ro"}


def test_protocols_that_begin_after_a_failure_say_so() -> None:
    def broken() -> Iterator[str]:
        yield '{"a": 1'
        raise OSError("dead")

    reader = pw.read(broken())
    with pytest.raises(pw.SourceError):
        reader.answer()
    lines = []
    with pytest.raises(pw.SourceError):
        for line in reader.wire("ops"):
            lines.append(json.loads(line))
    assert [line["op"] for line in lines] == ["set", "error"]


# What a verb says of itself.


def test_streams_print_their_verb_and_path() -> None:
    reader = pw.read(iter(['{"a": {"b": "x"}}']))
    text = reader.text("a.b")
    assert repr(text) == '<text of "a.b" reading>'
    assert list(text) == ["x"] and repr(text) == '<text of "a.b" ended>'
    assert repr(reader.each("a")) == '<each of "a" reading>'
    assert repr(reader.patches()) == "<patches reading>"
    assert repr(reader.wire("ops")) == '<wire "ops" reading>'
    reader.close()
    assert repr(reader.calls()) == "<calls closed>"


# Paths that are none.


def test_paths_that_cannot_be_read_raise_everywhere() -> None:
    reader = pw.read(["[1]"])
    parser, answer = pw.Parser(), pw.parse("[1]")
    for get in (reader.get, parser.get, answer.get):
        with pytest.raises(pw.PathError, match="`a..b` is not a path"):
            get("a..b")
        with pytest.raises(pw.PathError, match="a path is `str`.*and this is 0"):
            get(0)  # type: ignore[arg-type]
        with pytest.raises(pw.PathError):
            get("\ud800")
    for verb in (reader.text, reader.values, reader.patches):
        with pytest.raises(pw.PathError):
            verb(0)  # type: ignore[operator]
    with pytest.raises(pw.PathError):
        parser.watch(0)  # type: ignore[arg-type]
    assert answer.get("[0]") == 1 and answer.get("x") is None and answer.get("x", 7) == 7


def test_names_of_a_client_that_are_none() -> None:
    call = {"index": 0, "id": 7, "function": {"name": "f", "arguments": "{}"}}
    chunk = {"choices": [{"index": 0, "delta": {"tool_calls": [call]}}]}
    with pytest.raises(pw.SourceError, match="the id of a call is `str`, and the source gave `int`"):
        pw.read([chunk]).answer()


def test_too_many_calls_say_what_was_read() -> None:
    def chunk(index: int) -> dict[str, Any]:
        call = {"index": index, "id": f"c{index}", "function": {"name": "f", "arguments": "{}"}}
        return {"choices": [{"index": 0, "delta": {"content": "[1, 2, ", "tool_calls": [call]}}]}

    reader = pw.read([chunk(0), chunk(1), chunk(2)], limits={"calls": 2})
    with pytest.raises(pw.StreamError, match="more than 2 tool calls") as raised:
        reader.answer()
    assert raised.value.code == "limit_calls" and raised.value.offset == 21
    assert raised.value.value == reader.value and raised.value.value[:2] == [1, 2]
