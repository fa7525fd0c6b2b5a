"""What type checkers say about a program: mypy --strict and pyright read this file, and a test runs it."""

from __future__ import annotations

import asyncio
import dataclasses
from collections.abc import AsyncIterator, Iterator
from typing import Any

import patchwire as pw


@dataclasses.dataclass
class Row:
    """A row."""

    sku: str


@dataclasses.dataclass
class Report:
    """A report."""

    title: str
    rows: list[Row]


TEXT = '{"title": "Mill", "rows": [{"sku": "a"}]}'


def tokens() -> Iterator[str]:
    """A stream."""
    yield from (TEXT[:12], TEXT[12:])


async def async_tokens() -> AsyncIterator[str]:
    """An async stream."""
    yield TEXT[:12]
    yield TEXT[12:]


def sync() -> Report:
    """Reads with types."""
    with pw.read(tokens(), Report) as reader:
        title: str = reader.get("title", str)
        deltas: list[str] = list(reader.text("title"))
        rows: list[Row] = list(reader.each("rows", Row))
        indexed: list[tuple[int, Row]] = list(reader.each("rows", Row, indexed=True))
        for patch in reader:
            path: str = patch.path
            loc: tuple[str | int, ...] = patch.loc
            print(path, loc, patch.op == "delta", patch.value)
        answer: pw.Answer = reader.answer()
        print(title, deltas, rows, indexed, answer.outcome, [notice.code for notice in answer.notices])
        return reader.data()


async def asynchronous() -> Report:
    """Reads with types, async."""
    async with pw.read(async_tokens(), Report) as reader:
        title: str = await reader.get("title", str)
        async for delta in reader.text("title"):
            text: str = delta
            print(text)
        rows: list[Row] = [row async for row in reader.each("rows", Row)]
        print(title, rows)
        return await reader.data()


def asking() -> Report:
    """Asks with types."""

    def send(attempt: pw.Attempt) -> Iterator[str]:
        print(attempt.full_prompt, attempt.number)
        return tokens()

    asked = pw.ask(send, Report, prompt="Report.", max_retries=1)

    @asked.validate
    def has_rows(report: Report) -> None:
        if not report.rows:
            raise pw.Retry("`rows` is empty")

    print(has_rows)
    return asked.data()


def pushing() -> Any:
    """Pushes with types."""
    parser = pw.Parser(pw.Spec(Report, format="json"))
    patches: list[pw.Patch] = [patch for chunk in tokens() for patch in parser.feed(chunk)]
    patches += parser.finish()
    try:
        return parser.answer.data()
    except (pw.Truncated, pw.Invalid, pw.NoValue) as error:
        return error.value


def main() -> None:
    """Runs all."""
    expected = Report("Mill", [Row("a")])
    assert sync() == asyncio.run(asynchronous()) == asking() == pushing() == expected
    assert pw.loads(TEXT)["title"] == "Mill"
    assert pw.check(TEXT)
    assert "title" in pw.prompt(Report)


if __name__ == "__main__":
    main()
