"""Any cut gives the same: chunk boundaries have no meaning."""

from __future__ import annotations

import asyncio
import copy
import json
from collections.abc import AsyncIterator, Callable
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

import patchwire as pw

SCALARS = st.none() | st.booleans() | st.integers(-(10**30), 10**30) | st.floats(allow_nan=False, allow_infinity=False) | st.text()
KEYS = st.text(max_size=8)


def documents(keys: st.SearchStrategy[str]) -> st.SearchStrategy[Any]:
    values = st.recursive(SCALARS, lambda part: st.lists(part, max_size=4) | st.dictionaries(keys, part, max_size=4), max_leaves=12)
    return st.dictionaries(keys, values, max_size=4) | st.lists(values, max_size=4)


DOCUMENTS = documents(KEYS)


@st.composite
def cut_texts(draw: st.DrawFn, keys: st.SearchStrategy[str] = KEYS) -> tuple[bytes, list[bytes]]:
    """A text that may have slips, and its pieces."""
    text = json.dumps(draw(documents(keys)), ensure_ascii=draw(st.booleans())).encode("utf-8", "surrogatepass")
    for _ in range(draw(st.integers(0, 3))):
        at = draw(st.integers(0, len(text)))
        slip = draw(st.sampled_from([b"'", b",", b"}", b"```", b"<think>", b"\\", b"", b"\xff", b"True"]))
        text = text[:at] + slip + text[at + draw(st.integers(0, 2)) :]
    cuts = sorted(draw(st.lists(st.integers(0, len(text)), max_size=12)))
    return text, [text[a:b] for a, b in zip([0, *cuts], [*cuts, len(text)])]


def joined(events: list[Any]) -> list[Any]:
    """Events with neighbouring deltas of one field joined."""
    out: list[Any] = []
    for event in events:
        delta = getattr(event, "delta", "")
        if event.type == "final":
            continue
        if not delta:
            out.append(repr(event))
            continue
        field = (event.type, getattr(event, "path", None), str(getattr(event, "data", "")))
        if out and isinstance(out[-1], list) and out[-1][0] == field:
            out[-1][1] += delta
        else:
            out.append([field, delta])
    return out


@settings(max_examples=300, deadline=None)
@given(cut_texts())
def test_any_cut_gives_the_same_events(case: tuple[bytes, list[bytes]]) -> None:
    text, pieces = case
    whole, cut = pw.Parser(), pw.Parser()
    expected = whole.feed_events(text) + whole.finish_events()
    found = [event for piece in pieces for event in cut.feed_events(piece)] + cut.finish_events()
    assert joined(found) == joined(expected)
    assert repr(cut.answer.value) == repr(whole.answer.value)
    assert cut.answer.notices == whole.answer.notices


@settings(max_examples=150, deadline=None)
@given(cut_texts())
def test_any_cut_gives_the_same_through_a_reader(case: tuple[bytes, list[bytes]]) -> None:
    text, pieces = case
    expected = pw.parse(text)
    reader = pw.read(iter(pieces))
    try:
        seen = [copy.deepcopy(value) for value in reader.values("")]
    except (pw.MissingError, pw.Truncated):
        seen = None
    assert reader.answer() == expected and reader.value == expected.value
    if seen is not None:
        assert seen[-1] == expected.value


def outcome_of(take: Callable[[], Any]) -> Any:
    """What a verb gives, or the exception that it raises."""
    try:
        return repr(take())
    except pw.PatchwireError as error:
        return type(error).__name__


def parts(pieces: list[bytes]) -> list[Any]:
    """What the verbs give of a few places, each of a reader of its own."""
    return [
        outcome_of(lambda verb=verb: verb(pw.read(iter(pieces))))
        for path in ("[0]", "a", "a.a", "*")
        for verb in (
            lambda reader, path=path: reader.get(path),
            lambda reader, path=path: "".join(map(str, reader.text(path))),
            lambda reader, path=path: [copy.deepcopy(item) for item in reader.each(path)],
        )
    ]


def async_parts(pieces: list[bytes]) -> list[Any]:
    """The same, async."""

    async def source() -> AsyncIterator[bytes]:
        for piece in pieces:
            yield piece

    async def text(reader: Any, path: str) -> str:
        return "".join([str(delta) async for delta in reader.text(path)])

    async def each(reader: Any, path: str) -> list[Any]:
        return [copy.deepcopy(item) async for item in reader.each(path)]

    async def alone(verb: Any, path: str) -> Any:
        async with pw.read(source()) as reader:
            return await verb(reader, path)

    verbs = (lambda reader, path: reader.get(path), text, each)
    return [outcome_of(lambda v=verb, p=path: asyncio.run(alone(v, p))) for path in ("[0]", "a", "a.a", "*") for verb in verbs]


@settings(max_examples=100, deadline=None)
@given(cut_texts(keys=st.sampled_from(["a", "b", "ü"])))
def test_any_cut_gives_the_same_parts(case: tuple[bytes, list[bytes]]) -> None:
    text, pieces = case
    assert parts(pieces) == parts([text])


@settings(max_examples=25, deadline=None)
@given(cut_texts(keys=st.sampled_from(["a", "b", "ü"])))
def test_async_parts_are_those_of_a_reader(case: tuple[bytes, list[bytes]]) -> None:
    _, pieces = case
    assert async_parts(pieces) == parts(pieces)


@settings(max_examples=200, deadline=None)
@given(DOCUMENTS)
def test_valid_json_is_what_json_reads(document: Any) -> None:
    text = json.dumps(document)
    assert repr(pw.loads(text)) == repr(json.loads(text))
    parser = pw.Parser(strict=True)
    parser.feed(text)
    parser.finish()
    assert repr(parser.answer.value) == repr(json.loads(text))


def test_check_cuts_everywhere() -> None:
    report = pw.check('Sure! {"title": "Ünï", "tags": ["a",]} done')
    assert report and report.ok and report.cuttings > 40
    assert report.cuts == [] and report.whole is None
