"""The command `patchwire` of the Python package: whole answers and streams of text.

The command of the Rust crate `patchwire-cli` has more: a form, a server, providers.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections.abc import Iterator, Sequence
from typing import Any, BinaryIO

from ._core import Parser, Spec, __version__, check
from ._errors import PatchwireError, SchemaError, StreamError

# As the command of the Rust crate: 3 is an answer without a value, 2 a mistake in the call.
_FAILED, _MISUSED, _NO_VALUE = 1, 2, 3
# As a shell reports a program that an interrupt ended.
_INTERRUPTED = 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command. Returns its exit status."""
    options = _options().parse_args(arguments)
    try:
        status: int = options.run(options)
        sys.stdout.flush()
        return status
    except BrokenPipeError:
        # The reader of the output has what it wanted.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        return _INTERRUPTED
    except (PatchwireError, OSError) as error:
        print(f"patchwire: {error}", file=sys.stderr)
        return _MISUSED if isinstance(error, (ValueError, OSError)) else _FAILED


def _options() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="patchwire", description=__doc__)
    parser.add_argument("--version", action="version", version=f"patchwire {__version__} (Python)")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    for name, run, about in (
        ("parse", _parse, "events as JSON lines, while the text is read"),
        ("final", _final, "only the value"),
        ("check", _check, "whether cuts of the text make a difference"),
        ("prompt", _prompt, "the instructions for a model"),
    ):
        command = commands.add_parser(name, help=about, description=about)
        command.set_defaults(run=run)
        if name != "prompt":
            command.add_argument("files", nargs="*", metavar="FILE", help="`-` or nothing is the standard input")
        command.add_argument("--format", help="json, xml_field, hybrid, markdown, yaml_literal, text or auto")
        command.add_argument("--schema", metavar="FILE", help="JSON Schema or the output DSL, in JSON or YAML")
        if name != "prompt":
            command.add_argument("--tags", action="append", help="a tag set by name, a file, or `none`")
            command.add_argument("--strict", action="store_true", help="one text of the format, without slips")
            command.add_argument("--ensure", action="append", metavar="PATH", help="a path that has to have a value")
        if name == "final":
            command.add_argument("--pretty", action="store_true", help="with line ends and blanks")
    return parser


def _spec(options: argparse.Namespace) -> Spec:
    settings: dict[str, Any] = {"format": options.format}
    if options.schema:
        with open(options.schema, "rb") as file:
            text = file.read()
        try:
            settings["schema"] = text.decode()
        except UnicodeDecodeError as error:
            raise SchemaError(f"the schema {options.schema} is no text in UTF-8: {error}") from error
    for name in ("strict", "ensure"):
        if getattr(options, name, None):
            settings[name] = getattr(options, name)
    tags = getattr(options, "tags", None)
    if tags:
        from pathlib import Path

        settings["tags"] = [Path(tag) if "." in tag and os.path.exists(tag) else tag for tag in tags]
    return Spec(**settings)


def _inputs(options: argparse.Namespace) -> Iterator[tuple[str, BinaryIO]]:
    for name in options.files or ["-"]:
        if name == "-":
            yield name, sys.stdin.buffer
        else:
            with open(name, "rb") as file:
                yield name, file


def _chunks(file: BinaryIO) -> Iterator[bytes]:
    read = getattr(file, "read1", file.read)
    while chunk := read(64 << 10):
        yield chunk


def _parse(options: argparse.Namespace) -> int:
    spec, status = _spec(options), 0
    for _, file in _inputs(options):
        parser = Parser(spec)
        try:
            for chunk in _chunks(file):
                _print(parser.feed_lines(chunk))
            _print(parser.finish_lines())
        except StreamError as error:
            _print(error.lines)
            raise
        status = status or (0 if parser.answer.has_value else _NO_VALUE)
    return status


def _print(text: str) -> None:
    sys.stdout.buffer.write(text.encode())
    sys.stdout.buffer.flush()


def _final(options: argparse.Namespace) -> int:
    spec, status = _spec(options), 0
    for name, file in _inputs(options):
        parser = Parser(spec)
        for chunk in _chunks(file):
            parser.feed_lines(chunk)
        parser.finish_lines()
        answer = parser.answer
        for failure in answer.failures:
            print(f"patchwire: {name}: {failure}", file=sys.stderr)
        if not answer.has_value:
            status = _NO_VALUE
            continue
        text = answer.to_json().decode()
        _print((_pretty(text) if options.pretty else text) + "\n")
        status = status or (_FAILED if answer.failures else 0)
    return status


_TOKENS = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\],:]|[^"{}\[\],:\s]+')


def _pretty(text: str) -> str:
    """JSON with line ends and blanks. Its numbers keep their digits, which they would lose as floats."""
    out: list[str] = []
    depth, before = 0, ""
    for token in _TOKENS.findall(text):
        if token in "}]":
            depth -= 1
        if before in ("{", "[", ",") and before + token not in ("{}", "[]") or token in "}]" and before not in ("{", "["):
            out.append("\n" + "  " * depth)
        out.append(": " if token == ":" else token)
        if token in "{[":
            depth += 1
        before = token
    return "".join(out)


def _check(options: argparse.Namespace) -> int:
    spec, status = _spec(options), 0
    for name, file in _inputs(options):
        report = check(file.read(), spec)
        print(f"{name}: {report!r}")
        if not report:
            print(f"  cut at {report.cuts}\n  whole: {report.whole}\n  cut:   {report.cut}")
            status = _FAILED
    return status


def _prompt(options: argparse.Namespace) -> int:
    _print(_spec(options).prompt())
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
