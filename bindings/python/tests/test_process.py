"""What concerns the whole process: memory, fork, interpreters, threads, import, the command."""

from __future__ import annotations

import asyncio
import gc
import json
import multiprocessing
import os
import pathlib
import signal
import subprocess
import sys
import threading
import time
from collections.abc import AsyncIterator, Iterator
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
            of_client = pw.read([{"choices": [{"index": 0, "delta": {"content": small}}]}])
            asked = pw.ask(lambda _: [small])
            assert reader.data() == parser.answer.value == of_client.data() == asked.data() == pw.loads(small)
            if number % 50 == 0:
                stream(number // 50)

    many(streams // 10)
    gc.collect()
    before = resident()
    many(streams)
    gc.collect()
    grown = resident() - before
    assert grown < 4 << 20, f"{grown} bytes more after {streams} rounds of four streams"


@pytest.mark.skipif(not pathlib.Path("/proc/self/statm").exists(), reason="memory is read from /proc")
def test_memory_of_async_readers_is_steady() -> None:
    async def pieces() -> AsyncIterator[str]:
        for chunk in CHUNKS[:4]:
            yield chunk

    async def many(count: int) -> None:
        for number in range(count):
            async with pw.read(pieces()) as reader:
                assert await reader.get("title") == "Spring"
                if number % 2 == 0:
                    await reader.answer()

    asyncio.run(many(1000))
    gc.collect()
    before = resident()
    asyncio.run(many(5000))
    gc.collect()
    assert resident() - before < 4 << 20


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


IN_ANOTHER_INTERPRETER = """
try:
    import patchwire
    print("works", patchwire.loads("[1]"))
except ImportError as error:
    print("refused", error)
"""
INTERPRETERS = """
import sys
import patchwire
try:
    import _interpreters as interpreters
except ImportError:
    import _xxsubinterpreters as interpreters
for kind in ("legacy", "isolated"):
    try:
        made = interpreters.create(kind)
    except TypeError:
        made = interpreters.create()
    run = getattr(interpreters, "run_string", None) or interpreters.exec
    run(made, f"import sys; sys.path[:] = {sys.path!r}\\n" + sys.argv[1])
"""


def test_other_interpreters_are_refused_or_work() -> None:
    """Those with a lock of their own are refused with a message; those that share the lock work."""
    arguments = [sys.executable, "-c", INTERPRETERS, IN_ANOTHER_INTERPRETER]
    done = subprocess.run(arguments, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    refused = "refused module patchwire._core does not support loading in subinterpreters"
    assert len(lines) == 2 and set(lines) <= {"works [1]", refused}, lines


def test_many_threads_each_with_its_own() -> None:
    results: list[Any] = []

    def work() -> None:
        for _ in range(50):
            results.append(pw.read(iter(CHUNKS)).data() == pw.loads(TEXT))

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(results) == 400 and all(results)


def feed_parser(text: str) -> None:
    parser = pw.Parser()
    parser.watch("[0].a")
    parser.feed(text)


def read_data(text: str) -> None:
    assert pw.read(iter([text])).data()[0]["a"] == "some text"


def read_text(text: str) -> None:
    assert list(pw.read(iter([text])).text("[1].a")) == ["some text"]


@pytest.mark.parametrize("read", [feed_parser, read_data, read_text])
def test_large_texts_let_other_threads_run(read: Any) -> None:
    text = "[" + ", ".join('{"a": "some text", "b": [1, 2, 3]}' for _ in range(150_000)) + "]"
    ticks, done = [], threading.Event()

    def tick() -> None:
        while not done.is_set():
            ticks.append(time.perf_counter())
            time.sleep(0.001)

    thread = threading.Thread(target=tick)
    thread.start()
    read(text)
    done.set()
    thread.join()
    # With the lock held all along there would be next to none.
    assert len(ticks) > 10


def test_a_second_thread_is_told_while_a_large_piece_is_read() -> None:
    text = "[" + ", ".join('{"a": "some text", "b": [1, 2, 3]}' for _ in range(150_000)) + "]"
    began, done, seen = threading.Event(), threading.Event(), []

    def source() -> Iterator[str]:
        began.set()
        yield text

    reader = pw.read(source())

    def look() -> None:
        began.wait()
        while not seen and not done.is_set():
            time.sleep(0.005)
            shown = repr(reader)
            try:
                reader.value  # noqa: B018
            except pw.BusyError as error:
                seen.append((shown, str(error)))

    thread = threading.Thread(target=look)
    thread.start()
    # Without patches or a live value the piece is read without the lock.
    assert len(reader.data()) == 150_000
    done.set()
    thread.join()
    assert "one thread at a time" in seen[0][1] and seen[0][0].startswith("<Reader reading")


def test_the_import_is_light() -> None:
    program = "import sys; before = set(sys.modules); import patchwire; print(*sorted(set(sys.modules) - before))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["patchwire", "patchwire._core"]


def test_every_name_is_there() -> None:
    for name in pw.__all__:
        assert getattr(pw, name) is not None, name
    assert set(pw.__all__) <= set(dir(pw))
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        pw.nothing  # type: ignore[attr-defined]


def command(*arguments: str, text: str = "") -> subprocess.CompletedProcess[str]:
    program = [sys.executable, "-m", "patchwire", *arguments]
    return subprocess.run(program, input=text, capture_output=True, text=True, check=False)


def test_the_command(tmp_path: pathlib.Path) -> None:
    schema = tmp_path / "s.yaml"
    schema.write_text("a: [int, how many, true]\n")
    assert command("final", text="Sure: {'a': '3'}").stdout == '{"a":"3"}\n'
    assert command("final", "--schema", str(schema), text="Sure: {'a': '3'}").stdout == '{"a":3}\n'
    assert command("final", "--pretty", text="[1]").stdout == "[\n  1\n]\n"
    lines = command("parse", text='{"a": "x"').stdout.splitlines()
    assert [json.loads(line)["event"] for line in lines][-1] == "final"
    assert command("final", text="no").returncode == 3
    failed = command("final", "--schema", str(schema), text="{}")
    assert failed.returncode == 1 and "a is missing" in failed.stderr
    strict = command("parse", "--strict", text="{'a': 1}")
    assert strict.returncode == 1 and '"event":"error"' in strict.stdout and "expected a quoted key" in strict.stderr
    assert "how many" in command("prompt", "--schema", str(schema)).stdout
    checked = command("check", text='{"a": [1, 2,]}')
    assert checked.returncode == 0 and "the same" in checked.stdout
    assert command("final", "--tags", "qwen", text="<think>x</think>[1]").stdout == "[1]\n"
    missing = command("parse", "nothing.txt")
    assert missing.returncode == 2 and "nothing.txt" in missing.stderr
    assert command("final", "--format", "jsn", text="[1]").returncode == 2
    assert "Python" in command("--version").stdout


def test_a_closed_pipe_is_no_error() -> None:
    program = f"{sys.executable} -m patchwire parse | head -c 10"
    done = subprocess.run(program, shell=True, input=TEXT * 200, capture_output=True, text=True, check=False)
    assert done.stderr == "" and len(done.stdout) == 10


def test_pretty_keeps_digits_and_letters() -> None:
    text = '{"n": 0.10000000000000000000001, "é": ["a, {b}", [], {}, "\\"q\\""], "o": {"x": null}}'
    shown = command("final", "--pretty", text=text)
    assert shown.returncode == 0 and '"n": 0.10000000000000000000001' in shown.stdout
    plain = '{"a": 1, "é": ["a, {b}", [], {}, "\\"q\\""], "o": {"x": null, "y": [[1]]}}'
    assert command("final", "--pretty", text=plain).stdout == json.dumps(json.loads(plain), indent=2, ensure_ascii=False) + "\n"


def test_the_command_where_output_is_ascii() -> None:
    ascii_only = {**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0", "LC_ALL": "C"}
    program = [sys.executable, "-m", "patchwire", "final", "--pretty"]
    shown = subprocess.run(program, input='{"a": "é"}'.encode(), capture_output=True, env=ascii_only, check=False)
    assert shown.returncode == 0 and shown.stdout.decode() == '{\n  "a": "é"\n}\n'


def test_a_schema_that_is_no_text(tmp_path: pathlib.Path) -> None:
    binary = tmp_path / "schema.json"
    binary.write_bytes(b"\xff\xfe\x00")
    shown = command("final", "--schema", str(binary), text="{}")
    assert shown.returncode == 2 and "is no text in UTF-8" in shown.stderr and "Traceback" not in shown.stderr


def test_an_interrupt_is_no_traceback() -> None:
    program = [sys.executable, "-m", "patchwire", "parse"]
    with subprocess.Popen(program, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as running:
        assert running.stdin and running.stdout
        running.stdin.write(b'{"a": 1,')
        running.stdin.flush()
        running.stdout.readline()
        running.send_signal(signal.SIGINT)
        _, errors = running.communicate(timeout=20)
    assert running.returncode == 130 and errors == b""
