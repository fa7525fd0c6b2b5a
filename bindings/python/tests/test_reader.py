"""Readers over plain streams: the verbs, at the same time, sync and async."""

from __future__ import annotations

import asyncio
import gc
import itertools
import threading
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from typing import Any

import pytest

import patchwire as pw

Run = Callable[[Coroutine[Any, Any, Any]], Any]
TEXT = '{"title": "Spring is here", "rows": [{"n": 1, "s": "a"}, {"n": 2, "s": "b"}], "end": "Yours, Ada"}'
SCHEMA = {"title": "str", "rows": [{"n": "int", "s": "str"}], "end": "str"}


def chunks(text: str = TEXT, size: int = 4) -> Iterator[str]:
    for at in range(0, len(text), size):
        yield text[at : at + size]


async def achunks(text: str = TEXT, size: int = 4) -> AsyncIterator[str]:
    for chunk in chunks(text, size):
        await asyncio.sleep(0)
        yield chunk


async def listed(items: AsyncIterator[Any]) -> list[Any]:
    return [item async for item in items]


def test_patches() -> None:
    patches = list(pw.read(chunks(), SCHEMA))
    assert "".join(patch.delta for patch in patches if patch.path == "title") == "Spring is here"
    assert patches[-1].path == "" and patches[-1].is_complete
    only = list(pw.read(chunks()).patches("rows[*].n"))
    assert [(patch.path, patch.value) for patch in only] == [("rows[0].n", 1), ("rows[1].n", 2)]


def test_verbs_one_after_the_other() -> None:
    reader = pw.read(chunks(), SCHEMA)
    assert reader.get("title") == "Spring is here"
    assert reader.value == {"title": "Spring is here"}
    assert list(reader.each("rows")) == [{"n": 1, "s": "a"}, {"n": 2, "s": "b"}]
    assert "".join(reader.text("end")) == "Yours, Ada"
    assert reader.data() == pw.loads(TEXT)
    # What was read before is there for those who come late.
    assert reader.get("rows[1].s") == "b"
    assert list(reader.text("title")) == ["Spring is here"]
    assert list(reader.each("rows")) == [{"n": 1, "s": "a"}, {"n": 2, "s": "b"}]
    assert [patch.op for patch in reader] == ["replace"]


def test_large_chunks_give_the_same() -> None:
    rows = ", ".join('{"n": %d, "s": "row %d"}' % (n, n) for n in range(2000))
    text = f'<think>Two thousand.</think>{{"title": "Spring", "rows": [{rows}], "end": "Ada"}}'

    def verbs(source: Iterator[str]) -> list[list[Any]]:
        reader = pw.read(source, SCHEMA, tags="think")
        streams = [reader.text("end"), reader.reasoning(), reader.patches("rows[*].n"), iter(reader), reader.values("title")]
        streams.append(reader.wire("compact"))
        read = [list(stream) for stream in streams]
        assert reader.data()["rows"][1999] == {"n": 1999, "s": "row 1999"}
        return read

    large, small = verbs(iter([text])), verbs(chunks(text, 1000))
    assert "".join(large[0]) == "".join(small[0]) == "Ada"
    assert "".join(large[1]) == "".join(small[1]) == "Two thousand."
    assert large[2] == small[2] and len(large[2]) == 2000
    without_deltas = [[patch for patch in read[3] if patch.op != "delta"] for read in (large, small)]
    assert without_deltas[0] == without_deltas[1] and len(without_deltas[0]) > 6000
    assert large[4][-1] == small[4][-1] == "Spring"
    assert large[5][-1] == small[5][-1]


def test_verbs_at_the_same_time() -> None:
    reader = pw.read(chunks(), SCHEMA)
    title, rows, end, patches = reader.text("title"), reader.each("rows"), reader.text("end"), iter(reader)
    for _ in itertools.zip_longest(end, rows):
        pass
    assert "".join(title) == "Spring is here"
    assert len(list(patches)) == len(list(pw.read(chunks(), SCHEMA)))


def test_values_grow_in_place() -> None:
    reader = pw.read(chunks())
    seen, objects = [], []
    for rows in reader.values("rows"):
        seen.append(str(rows))
        objects.append(rows)
    assert seen[0] == "[{}]" and "[{'n': 1}]" in seen and seen[-1] == "[{'n': 1, 's': 'a'}, {'n': 2, 's': 'b'}]"
    assert len(set(map(id, objects))) == 1
    assert [title for title in pw.read(chunks()).values("title")][-1] == "Spring is here"


def test_strings_of_the_live_value_are_copies_for_those_who_keep_them() -> None:
    reader = pw.read(chunks(), SCHEMA)
    kept = []
    for patch in reader:
        if patch.path == "title" and patch.op == "delta":
            kept.append(reader.value["title"])
    assert kept[0] == "Spr"[: len(kept[0])] and kept == sorted(kept, key=len) and kept[-1] == "Spring is here"
    assert all("Spring is here".startswith(text) for text in kept)


def test_the_live_value_may_be_changed_by_its_reader() -> None:
    reader = pw.read(chunks())
    for _ in reader:
        value = reader.value
        if isinstance(value, dict):
            value.clear()
    assert reader.answer().value == pw.loads(TEXT)


def test_items_with_their_index() -> None:
    assert list(pw.read(chunks()).each("rows", indexed=True))[1] == (1, {"n": 2, "s": "b"})
    assert list(pw.read(chunks()).each("rows[*]")) == list(pw.read(chunks()).each("rows"))
    assert list(pw.read(['[1, "a", {"b": [2]}]']).each("")) == [1, "a", {"b": [2]}]
    assert list(pw.read(['[{"r": [1, 2]}, {"r": [3]}]']).each("[*].r")) == [1, 2, 3]


def test_scalars_as_text() -> None:
    assert list(pw.read(['{"n": 1', '2, "t": true}']).text("n")) == ["12"]
    assert list(pw.read(['{"n": 12, "t": null}']).text("t")) == []


def test_reasoning() -> None:
    text = "<think>First, </think>{\"a\": 1}"
    assert "".join(pw.read(chunks(text)).reasoning()) == "First, "


def test_unknown_paths_raise_at_once() -> None:
    def never() -> Iterator[str]:
        raise AssertionError("nothing may be read")
        yield ""

    reader = pw.read(never(), SCHEMA)
    for verb in (reader.get, reader.text, reader.values, reader.each, reader.patches):
        with pytest.raises(pw.PathError, match="did you mean `title`"):
            verb("titel")
    with pytest.raises(pw.PathError, match="not a path"):
        reader.text("a..b")


def test_a_field_that_is_not_there() -> None:
    reader = pw.read(chunks())
    with pytest.raises(pw.MissingError, match="has no `titel`; it has `title`, `rows`, `end`"):
        reader.get("titel")
    assert reader.get("titel", default=7) == 7
    for verb in (reader.text, reader.values, reader.each):
        with pytest.raises(pw.MissingError):
            list(verb("titel"))


def test_a_text_that_is_a_list() -> None:
    with pytest.raises(pw.PathError, match="`rows` is a list; `each` gives its items"):
        list(pw.read(chunks()).text("rows"))


def test_a_value_that_has_no_items() -> None:
    reader = pw.read(chunks())
    items = reader.each("title")
    assert reader.get("title") == "Spring is here"
    for verb in (items, reader.each("title"), reader.each("rows[0].n")):
        with pytest.raises(pw.PathError, match="has no items; use `get`"):
            list(verb)
    assert list(pw.read(['{"rows": null}']).each("rows")) == []


def test_answers_that_were_cut() -> None:
    reader = pw.read(chunks(TEXT[:65]), SCHEMA)
    assert reader.get("title") == "Spring is here"
    with pytest.raises(pw.Truncated, match="before `rows` was complete") as raised:
        reader.get("rows")
    assert raised.value.value == [{"n": 1, "s": "a"}, {"n": 2}] and raised.value.answer.outcome == "truncated"
    with pytest.raises(pw.Truncated, match="inside `rows\\[1\\]"):
        reader.data()
    assert reader.data(partial=True) == {"title": "Spring is here", "rows": [{"n": 1, "s": "a"}, {"n": 2}]}
    given = []
    with pytest.raises(pw.Truncated):
        for row in pw.read(chunks(TEXT[:65])).each("rows"):
            given.append(row)
    assert given == [{"n": 1, "s": "a"}]
    given = []
    with pytest.raises(pw.Truncated):
        for delta in pw.read(chunks('{"a": "some te')).text("a"):
            given.append(delta)
    assert "".join(given) == "some te"


def test_the_end_corrects_a_text() -> None:
    reader = pw.read(["```python\nx = {'a': 1}\n```\n### a\nsome", " text\n"], {"a": "str"}, format="hybrid")
    assert reader.answer().value == {"a": "some text"}
    text = '{"a": "say "hi" now and then", "b": 1}'
    deltas = list(pw.read([text[:9], text[9:]]).text("a"))
    joined = ""
    for delta in deltas:
        joined = str(delta) if isinstance(delta, pw.Restart) else joined + delta
    assert joined.startswith("say ")


def test_whole_texts_and_nothing() -> None:
    assert pw.read(TEXT).data() == pw.read(TEXT.encode()).data() == pw.loads(TEXT)
    assert pw.read([None, "", '{"a"', None, ": 1}"]).data() == {"a": 1}
    with pytest.raises(pw.NoValue, match="wrote nothing"):
        pw.read([]).data()


def test_sources_that_are_none() -> None:
    with pytest.raises(pw.SourceError, match="`int` cannot be read"):
        pw.read(7)
    with pytest.raises(pw.SourceError, match="which has no text that is known: pass text"):
        pw.read([object()]).answer()
    reader = pw.read(['{"a": "x', object()])
    with pytest.raises(pw.SourceError):
        reader.answer()
    assert reader.value == {"a": "x"}
    with pytest.raises(pw.SourceError):
        reader.answer()


def test_a_source_that_raises() -> None:
    def broken() -> Iterator[str]:
        yield '{"a": "some'
        raise OSError("the line is dead")

    reader = pw.read(broken())
    texts, given = reader.text("a"), []
    with pytest.raises(pw.SourceError, match="OSError: the line is dead; `reader.value` has what was read") as raised:
        for text in texts:
            given.append(text)
    assert given == ["some"] and isinstance(raised.value.__cause__, OSError)
    assert reader.value == {"a": "some"}
    with pytest.raises(pw.SourceError):
        reader.get("a")


def test_an_interrupt_is_none_of_its_business() -> None:
    def interrupted() -> Iterator[str]:
        yield "[1"
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        pw.read(interrupted()).answer()


def test_limits_while_reading() -> None:
    reader = pw.read(chunks("[" * 400))
    with pytest.raises(pw.StreamError) as raised:
        reader.answer()
    assert raised.value.code == "limit_depth"
    assert "StreamError" in type(raised.value).__name__ and reader.value is not None


def test_the_source_is_closed() -> None:
    closed = []

    def source() -> Iterator[str]:
        try:
            yield from chunks()
        finally:
            closed.append(True)

    with pw.read(source()) as reader:
        assert reader.get("title") == "Spring is here"
    assert closed == [True] and reader.value["title"] == "Spring is here"
    with pytest.raises(pw.ClosedError, match="`value` has what was read"):
        reader.answer()
    with pytest.raises(pw.ClosedError):
        list(reader.text("end"))


def test_a_source_cannot_read_its_reader() -> None:
    def source() -> Iterator[str]:
        yield "["
        reader.answer()

    reader = pw.read(source())
    with pytest.raises(pw.BusyError, match="one thread at a time"):
        reader.answer()


def test_two_threads_at_once() -> None:
    began, go = threading.Event(), threading.Event()

    def source() -> Iterator[str]:
        yield "[1, "
        began.set()
        go.wait(10)
        yield "2]"

    reader = pw.read(source())
    results: list[Any] = []
    thread = threading.Thread(target=lambda: results.append(reader.answer()))
    thread.start()
    assert began.wait(10)
    with pytest.raises(pw.BusyError):
        reader.answer()
    go.set()
    thread.join()
    assert results[0].value == [1, 2] and reader.data() == [1, 2]


def test_wire_forms() -> None:
    for protocol in ("events", "compact", "ops", "json-patch", "ag-ui", "ui-message"):
        lines = list(pw.read(chunks()).wire(protocol))
        assert lines and all(line.endswith("\n") for line in lines)
        frames = list(pw.read(chunks()).wire(protocol, sse=True))
        assert all(frame.endswith("\n\n") for frame in frames) and len(frames) == len(lines)
    with pytest.raises(pw.SpecError, match="no protocol is called `x`"):
        pw.read(chunks()).wire("x")  # type: ignore[arg-type]
    parser = pw.Parser()
    expected = "".join(map(parser.feed_lines, chunks())) + parser.finish_lines()
    assert "".join(pw.read(chunks()).wire("events")) == expected


def test_wire_forms_say_that_the_source_failed() -> None:
    def broken() -> Iterator[str]:
        yield '{"a": 1'
        raise OSError("dead")

    lines = []
    with pytest.raises(pw.SourceError):
        for line in pw.read(broken()).wire("ops"):
            lines.append(line)
    assert '"op":"error"' in lines[-1]


def test_events() -> None:
    events = list(pw.read(chunks("Sure: {'a': 1}")).events())
    assert {event.type for event in events} == {"text", "notice", "patch", "root_complete", "final"}


def test_late_listeners_cost_nothing_when_they_are_gone() -> None:
    reader = pw.read(chunks())
    for _ in range(1000):
        reader.text("title")
    assert reader.get("title") == "Spring is here"
    gc.collect()
    assert repr(reader).startswith("<Reader reading {'title': 'Spring is here'")


# Async.


def test_async_verbs_at_the_same_time(run: Run) -> None:
    async def main() -> list[Any]:
        async with pw.read(achunks(), SCHEMA) as reader:
            return await asyncio.gather(
                reader.get("title"),
                listed(reader.text("end")),
                listed(reader.each("rows")),
                listed(aiter(reader)),
                listed(reader.values("rows")),
                reader.data(),
            )

    title, end, rows, patches, values, data = run(main())
    assert (title, "".join(end), len(rows)) == ("Spring is here", "Yours, Ada", 2)
    assert len(patches) == len(list(pw.read(chunks(), SCHEMA)))
    assert values[-1] == rows == data["rows"]


def test_a_cancelled_task_takes_nothing_from_the_others(run: Run) -> None:
    async def main() -> Any:
        async def slow() -> AsyncIterator[str]:
            for chunk in chunks():
                await asyncio.sleep(0.002)
                yield chunk

        reader = pw.read(slow(), SCHEMA)
        with pytest.raises(asyncio.TimeoutError):
            await asyncio.wait_for(reader.get("end"), 0.01)
        end = asyncio.ensure_future(reader.get("end"))
        other = asyncio.ensure_future(reader.get("rows"))
        await asyncio.sleep(0.01)
        other.cancel()
        return await end, await reader.data()

    end, data = run(main())
    assert end == "Yours, Ada" and data == pw.loads(TEXT)


def test_the_source_is_read_only_as_far_as_somebody_waits(run: Run) -> None:
    async def main() -> int:
        count = 0

        async def source() -> AsyncIterator[str]:
            nonlocal count
            for chunk in chunks():
                count += 1
                yield chunk

        async with pw.read(source()) as reader:
            await reader.get("title")
            await asyncio.sleep(0.01)
            return count

    assert run(main()) <= 9


def test_closing_cancels_the_read(run: Run) -> None:
    async def main() -> tuple[list[str], Any]:
        states: list[str] = []

        async def source() -> AsyncIterator[str]:
            try:
                yield '{"a": 1, "b": "x'
                await asyncio.sleep(100)
            except asyncio.CancelledError:
                states.append("cancelled")
                raise
            finally:
                states.append("closed")

        async with pw.read(source()) as reader:
            assert await reader.get("a") == 1
            waiting = asyncio.ensure_future(reader.get("b"))
            await asyncio.sleep(0.01)
        with pytest.raises(pw.ClosedError):
            await waiting
        with pytest.raises(pw.ClosedError):
            await reader.answer()
        return states, reader.value

    states, value = run(main())
    assert states == ["cancelled", "closed"] and value == {"a": 1, "b": "x"}


def test_a_cancelled_program_closes_its_source(run: Run) -> None:
    async def main() -> list[str]:
        states: list[str] = []

        async def source() -> AsyncIterator[str]:
            try:
                yield "["
                await asyncio.sleep(100)
            finally:
                states.append("closed")

        async def program() -> None:
            async with pw.read(source()) as reader:
                await reader.answer()

        task = asyncio.ensure_future(program())
        await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        return states

    assert run(main()) == ["closed"]


def test_async_sources_that_fail(run: Run) -> None:
    async def main() -> Any:
        async def broken() -> AsyncIterator[str]:
            yield '{"a": "some'
            raise OSError("the line is dead")

        reader = pw.read(broken())
        results = await asyncio.gather(reader.get("a"), listed(reader.text("a")), reader.answer(), return_exceptions=True)
        return results, reader.value

    results, value = run(main())
    assert all(isinstance(result, pw.SourceError) for result in results) and value == {"a": "some"}
    assert isinstance(results[0].__cause__, OSError)


def test_a_client_that_was_not_awaited(run: Run) -> None:
    async def create() -> AsyncIterator[str]:
        return achunks()

    async def main() -> Any:
        return await pw.read(create()).data()

    assert run(main()) == pw.loads(TEXT)


def test_managers_are_entered(run: Run) -> None:
    states: list[str] = []

    class Manager:
        def __enter__(self) -> Iterator[str]:
            states.append("in")
            return chunks()

        def __exit__(self, *_: object) -> None:
            states.append("out")

    with pw.read(Manager()) as reader:
        assert reader.data() == pw.loads(TEXT)

    class AsyncManager:
        async def __aenter__(self) -> AsyncIterator[str]:
            states.append("in")
            return achunks()

        async def __aexit__(self, *_: object) -> None:
            states.append("out")

    async def main() -> Any:
        async with pw.read(AsyncManager()) as reader:
            return await reader.data()

    assert run(main()) == pw.loads(TEXT)
    assert states == ["in", "out", "in", "out"]


def test_async_paths_raise_at_once() -> None:
    reader = pw.read(achunks(), SCHEMA)
    for verb in (reader.get, reader.text, reader.values, reader.each, reader.patches):
        with pytest.raises(pw.PathError):
            verb("titel")
    assert repr(reader.text("title")) == '<text of "title" reading>'
