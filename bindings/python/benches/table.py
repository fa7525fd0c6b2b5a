"""What a chunk of four bytes costs in Python, beside its peers, in one run.

    pip install patchwire jiter pydantic-core json_repair partial-json-parser ijson orjson
    python benches/table.py [--quick]

Rows of patchwire give what changed, or the live value; those that parse again give the whole value at each chunk. For these the
time of a stream is the sum over prefixes that are spread evenly: a stream at 100 KB would take hours.
"""

from __future__ import annotations

import gc
import json
import platform
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

import patchwire as pw
from inputs import chunks, records, report

QUICK = "--quick" in sys.argv
SIZES = [("2 KB", 2 << 10), ("100 KB", 100 << 10)] + ([] if QUICK else [("10 MB", 10 << 20)])
BUDGET = 0.3 if QUICK else 1.5
# Nanoseconds of runs that are timed together.
TOGETHER = 5_000_000


def least(run: Callable[[], Any], budget: float = BUDGET) -> float:
    """The least time of many runs, in ns. Short runs are timed together: a collection of garbage empties the caches."""
    best, began, turns = float("inf"), time.perf_counter(), 0
    start = time.perf_counter_ns()
    run()
    together = max(1, TOGETHER // max(1, time.perf_counter_ns() - start))
    while turns < 3 or time.perf_counter() - began < budget:
        gc.collect()
        gc.disable()
        start = time.perf_counter_ns()
        for _ in range(together):
            run()
        best = min(best, (time.perf_counter_ns() - start) / together)
        gc.enable()
        turns += 1
        if time.perf_counter() - began > 20 * budget:
            break
    return best


def loop(pieces: list[str]) -> None:
    def nothing(_: str) -> None:
        return None

    for piece in pieces:
        nothing(piece)


def feed(pieces: list[str]) -> int:
    parser = pw.Parser()
    give, count = parser.feed, 0
    for piece in pieces:
        for patch in give(piece):
            if patch.op == "delta" and patch.path:
                count += len(patch.delta)
    parser.finish()
    return count


def reader_patches(pieces: list[str]) -> int:
    count = 0
    for patch in pw.read(pieces):
        if patch.op == "delta" and patch.path:
            count += len(patch.delta)
    return count


def reader_text(path: str) -> Callable[[list[str]], int]:
    def run(pieces: list[str]) -> int:
        reader = pw.read(pieces)
        count = 0
        while True:
            # All texts of the stream, one after the other.
            for delta in reader.text(path):
                count += len(delta)
            return count

    return run


def one_text(size: int) -> list[str]:
    return chunks(json.dumps({"text": "the water rose in the night " * (size // 28)}))


def values(pieces: list[str]) -> int:
    count = 0
    for value in pw.read(pieces).values(""):
        count += len(value)
    return count


def watched(pieces: list[str]) -> int:
    parser = pw.Parser()
    parser.watch("items[*].name", "sections[*].body")
    give, count = parser.feed, 0
    for piece in pieces:
        for patch in give(piece):
            count += len(patch.delta)
    return count


def ijson_push(pieces: list[bytes]) -> int:
    import ijson.backends.yajl2_c as ijson

    count = 0

    @ijson_sink
    def sink() -> Any:
        nonlocal count
        while True:
            _, value = yield
            count += value is not None

    push = ijson.basic_parse_coro(sink())
    for piece in pieces:
        push.send(piece)
    push.close()
    return count


def ijson_push_paths(pieces: list[bytes]) -> int:
    import ijson.backends.yajl2_c as ijson

    count = 0

    @ijson_sink
    def sink() -> Any:
        nonlocal count
        while True:
            prefix, _, value = yield
            count += value is not None and prefix != ""

    push = ijson.parse_coro(sink())
    for piece in pieces:
        push.send(piece)
    push.close()
    return count


def ijson_sink(generator: Any) -> Any:
    def primed(*arguments: Any) -> Any:
        made = generator(*arguments)
        next(made)
        return made

    return primed


def again(parse: Callable[[str], Any], text: str, size: int, points: int) -> float:
    """The time of a chunk, for a reader that parses the whole prefix at each one: the mean over prefixes."""
    total = 0.0
    for point in range(1, points + 1):
        prefix = text[: max(4, size * point // points // 4 * 4)]
        total += least(lambda prefix=prefix: parse(prefix), 0.02)
    return total / points


def peers() -> dict[str, Callable[[str], Any]]:
    found: dict[str, Callable[[str], Any]] = {}
    try:
        import jiter

        found["jiter `trailing-strings`"] = lambda text: jiter.from_json(text.encode(), partial_mode="trailing-strings")
    except ImportError:
        pass
    try:
        import pydantic_core

        found["pydantic-core `allow_partial`"] = lambda text: pydantic_core.from_json(text, allow_partial="trailing-strings")
    except ImportError:
        pass
    try:
        import partial_json_parser

        found["partial-json-parser"] = partial_json_parser.loads
    except ImportError:
        pass
    try:
        import json_repair

        found["json_repair"] = lambda text: json_repair.loads(text, skip_json_loads=True)
    except ImportError:
        pass
    return found


def row(name: str, figures: list[str]) -> None:
    print(f"| {name} | " + " | ".join(figures) + " |", flush=True)


def per_chunk() -> None:
    columns = [(name, label, make(size)) for name, make in (("report", report), ("records", records)) for label, size in SIZES]
    row("ns a chunk", [f"{name} {label}" for name, label, _ in columns])
    print("|---|" + "--:|" * len(columns))
    cut = [chunks(text) for _, _, text in columns]

    def timed(run: Callable[[Any], Any], pieces: list[Any]) -> str:
        return f"{least(lambda: run(pieces)) / len(pieces):,.0f}"

    row("*a loop with an empty function*", [timed(loop, pieces) for pieces in cut])
    row("**`Parser.feed`, frozen objects**", [timed(feed, pieces) for pieces in cut])
    row("**`read`, patches**", [timed(reader_patches, pieces) for pieces in cut])
    row("`Parser.feed` with `watch`", [timed(watched, pieces) for pieces in cut])
    row("**`read(…).values(\"\")`, the live value at every chunk**", [timed(values, pieces) for pieces in cut])
    row("**`read(…).text(path)`, one long text**", [timed(reader_text("text"), one_text(size)) for _, size in SIZES] * 2)
    try:
        import ijson.backends.yajl2_c  # noqa: F401

        encoded = [[piece.encode() for piece in pieces] for pieces in cut]
        row("ijson push (yajl2_c), no partial strings, no paths", [timed(ijson_push, pieces) for pieces in encoded])
        row("ijson push (yajl2_c), no partial strings", [timed(ijson_push_paths, pieces) for pieces in encoded])
    except ImportError:
        pass
    for name, parse in peers().items():
        slow = name in ("json_repair", "partial-json-parser")
        figures = []
        for _, label, text in columns:
            if label == "10 MB" or slow and label == "100 KB" and QUICK:
                figures.append("–")
                continue
            points = 3 if slow and len(text) > 10_000 else 25
            figures.append(f"{again(parse, text, len(text), points):,.0f}")
        row(name, figures)


def whole() -> None:
    columns = [(name, label, make(size)) for name, make in (("report", report), ("records", records)) for label, size in SIZES]
    print()
    row("µs a text", [f"{name} {label}" for name, label, _ in columns])
    print("|---|" + "--:|" * len(columns))
    readers: dict[str, Callable[[str], Any]] = {"`json.loads`": json.loads, "**`patchwire.loads`**": pw.loads}
    try:
        import orjson

        readers["orjson"] = orjson.loads
    except ImportError:
        pass
    try:
        import jiter

        readers["jiter"] = lambda text: jiter.from_json(text.encode())
    except ImportError:
        pass
    for name, parse in readers.items():
        row(name, [f"{least(lambda text=text: parse(text)) / 1000:,.1f}" for _, _, text in columns])


def imports() -> None:
    print()
    for module in ("patchwire._core", "patchwire"):
        program = f"import time; t = time.perf_counter(); import {module}; print(time.perf_counter() - t)"
        runs = [float(subprocess.check_output([sys.executable, "-c", program])) for _ in range(15)]
        print(f"`import {module}`: {min(runs) * 1000:.2f} ms at best, {sorted(runs)[7] * 1000:.2f} ms in the middle")


if __name__ == "__main__":
    print(f"patchwire {pw.__version__}, CPython {platform.python_version()}, {platform.machine()}\n")
    per_chunk()
    whole()
    imports()
