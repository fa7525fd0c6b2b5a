"""Verbs that begin late: after something was read, or after the end."""

from __future__ import annotations

from typing import Any

import pytest

import patchwire as pw


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
