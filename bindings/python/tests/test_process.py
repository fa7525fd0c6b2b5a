"""What concerns the whole process: memory, fork, interpreters, threads, import, the command."""

from __future__ import annotations

import gc
import json
import multiprocessing
import os
import pathlib
import subprocess
import sys
import threading
import time
from typing import Any

import pytest

import patchwire as pw

TEXT = '{"title": "Spring", "rows": [' + ", ".join('{"n": %d, "s": "abc"}' % n for n in range(20)) + "]}"
CHUNKS = [TEXT[at : at + 40] for at in range(0, len(TEXT), 40)]


def resident() -> int:
    """The memory of this process, in bytes."""
    pages = int(pathlib.Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


def stream(number: int) -> None:
    """One stream, used in one of the ways there are."""
    if number % 4 == 0:
        parser = pw.Parser()
        for chunk in CHUNKS:
            parser.feed(chunk)
        parser.finish()
        assert parser.answer.has_value
    else:
        reader = pw.read(CHUNKS)
        if number % 4 == 1:
            reader.get("title"), list(reader.each("rows"))
        elif number % 4 == 2:
            for _ in reader:
                _ = reader.value
        else:
            list(reader.values("rows")), reader.data()


@pytest.mark.skipif(not pathlib.Path("/proc/self/statm").exists(), reason="memory is read from /proc")
def test_memory_is_steady() -> None:
    streams = int(os.environ.get("PATCHWIRE_STREAMS_COUNT", "100000")) // 4
    small = '{"title": "Hello", "rows": [1, 2, 3]}'

    def many(count: int) -> None:
        for number in range(count):
            reader = pw.read([small[:14], small[14:]])
            list(reader.text("title")), list(reader.each("rows"))
            _ = reader.value
            parser = pw.Parser()
            parser.feed(small), parser.finish()
            assert reader.data() == parser.answer.value == pw.loads(small)
            if number % 50 == 0:
                stream(number // 50)

    many(streams // 10)
    gc.collect()
    before = resident()
    many(streams)
    gc.collect()
    grown = resident() - before
    assert grown < 4 << 20, f"{grown} bytes more after {streams} rounds of four streams"


def test_failures_leave_nothing_behind() -> None:
    def fail() -> None:
        for _ in range(300):
            with pytest.raises(pw.PatchwireError):
                pw.read(['{"a": "x', object()]).answer()
            with pytest.raises(pw.StreamError):
                pw.loads("{'a'", strict=True)

    fail()
    gc.collect()
    before = len(gc.get_objects())
    fail()
    gc.collect()
    assert len(gc.get_objects()) - before < 200


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_fork_in_the_middle_of_a_stream() -> None:
    reader, parser = pw.read(iter(CHUNKS)), pw.Parser()
    assert reader.get("title") == "Spring"
    parser.feed(CHUNKS[0])

    def rest() -> Any:
        for chunk in CHUNKS[1:]:
            parser.feed(chunk)
        parser.finish()
        return reader.data() == parser.answer.value == json.loads(TEXT)

    child = os.fork()
    if child == 0:
        os._exit(0 if rest() else 1)
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == 0
    assert rest()


def in_another_process(text: str, spec: pw.Spec) -> pw.Answer:
    return pw.parse(text, spec)


@pytest.mark.parametrize("method", ["spawn", "forkserver"])
def test_answers_cross_processes(method: str) -> None:
    context = multiprocessing.get_context(method)
    with context.Pool(1) as pool:
        answer = pool.apply(in_another_process, ("Sure: {'a': [1,]}", pw.Spec({"a": ["int"]})))
    assert answer.value == {"a": [1]} and answer.outcome == "repaired"


def test_other_interpreters_are_refused_or_work() -> None:
    """Those with a lock of their own are refused with a message; those that share the lock work."""
    program = """
import patchwire
try:
    import _interpreters as interpreters
except ImportError:
    import _xxsubinterpreters as interpreters
code = 