"""A second thread, or a source that reads its own reader, gets a `BusyError` and nothing else."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import patchwire as pw

ROWS = ", ".join('{"n": %d, "s": "row %d"}' % (n, n) for n in range(60_000))
LARGE = f'{{"rows": [{ROWS}]}}'


def meanwhile(work: Callable[[], Any], *others: Callable[[], Any]) -> list[BaseException]:
    """The exceptions of calls that are made again and again while a thread works."""
    done, errors = threading.Event(), []

    def run() -> None:
        try:
            work()
        except BaseException as error:  # whatever it is, the test judges it
            errors.append(error)
        finally:
            done.set()

    thread = threading.Thread(target=run)
    thread.start()
    while not done.is_set():
        for other in others:
            try:
                other()
            except BaseException as error:
                errors.append(error)
        time.sleep(0)
    thread.join()
    return errors


def test_a_parser_that_is_fed_in_another_thread() -> None:
    parser = pw.Parser()
    parser.watch("none")
    others: list[Callable[[], Any]] = [
        lambda: parser.feed(""),
        lambda: parser.feed_lines(""),
        lambda: parser.feed_events(""),
        lambda: parser.feed_reasoning(""),
        lambda: parser.value,
        lambda: parser.get("x"),
        lambda: parser.calls,
        lambda: parser.watch("none"),
        lambda: repr(parser),
        lambda: parser.__copy__(),
    ]
    errors = meanwhile(lambda: [parser.feed(LARGE), parser.reset()], *others)
    assert errors and all(isinstance(error, pw.BusyError) for error in errors), errors
    assert "a parser belongs to one thread at a time" in str(errors[0])


def test_a_reader_that_reads_a_large_chunk_in_another_thread() -> None:
    reader = pw.read([LARGE])
    session: Any = reader._session  # type: ignore[attr-defined]
    others: list[Callable[[], Any]] = [
        lambda: session.push_text(""),
        lambda: session.push_reasoning(""),
        lambda: session.error,
        lambda: session.attempt,
        lambda: repr(reader),
        lambda: reader.value,
        lambda: reader.text("x"),
    ]
    errors = meanwhile(reader.answer, *others)
    assert all(isinstance(error, pw.BusyError) for error in errors), errors


def slow(began: threading.Event, go: threading.Event) -> Iterator[str]:
    yield '{"a": "x'
    began.set()
    go.wait(10)
    yield 'y"}'


def test_one_verb_in_two_threads() -> None:
    began, go = threading.Event(), threading.Event()
    reader = pw.read(slow(began, go))
    text, given = reader.text("a"), []
    thread = threading.Thread(target=lambda: given.extend(text))
    thread.start()
    assert began.wait(10)
    for _ in range(2):
        with pytest.raises(pw.BusyError):
            next(text)
    assert repr(text) == '<text of "a" reading>' and iter(text) is text
    go.set()
    thread.join()
    assert given == ["x", "y"] and list(text) == []


def test_a_verb_that_was_busy_goes_on() -> None:
    began, go = threading.Event(), threading.Event()
    reader = pw.read(slow(began, go))
    text, rest = reader.text("a"), []
    thread = threading.Thread(target=lambda: rest.append(reader.answer()))
    thread.start()
    assert began.wait(10)
    assert next(text) == "x"
    with pytest.raises(pw.BusyError):
        next(text)
    go.set()
    thread.join()
    assert list(text) == ["y"] and rest[0].value == {"a": "xy"}


def test_a_source_that_reads_its_own_verb() -> None:
    def source() -> Iterator[str]:
        yield "["
        next(texts)

    reader = pw.read(source())
    texts = reader.text("[0]")
    with pytest.raises(pw.BusyError, match="one thread at a time"):
        next(texts)


def test_a_type_that_reads_its_own_verb() -> None:
    reader = pw.read(["[1, 2, 3]"])

    class Pair:
        def __init__(self, value: int) -> None:
            self.values = [value, next(session_items, None)]

    session: Any = reader._session  # type: ignore[attr-defined]
    session_items = session.each("", False, lambda value: value)
    items = session.each("", False, Pair)
    assert [pair.values for pair in items] == [[1, 1], [2, 2], [3, 3]]


def test_closing_a_verb_in_another_thread() -> None:
    began, go = threading.Event(), threading.Event()
    reader = pw.read(slow(began, go))
    text: Any = reader.text("a")
    thread = threading.Thread(target=lambda: list(text))
    thread.start()
    assert began.wait(10)
    text.close()
    go.set()
    thread.join()
    assert repr(text) == '<text of "a" ended>' and reader.data() == {"a": "xy"}
