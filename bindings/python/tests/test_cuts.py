"""Any cut gives the same: chunk boundaries have no meaning."""

from __future__ import annotations

import copy
import json
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

import patchwire as pw

SCALARS = st.none() | st.booleans() | st.integers(-(10**30), 10**30) | st.floats(allow_nan=False, allow_infinity=False) | st.text()
VALUES = st.recursive(SCALARS, lambda part: st.lists(part, max_size=4) | st.dictionaries(st.text(max_size=8), part, max_size=4), max_leaves=12)
DOCUMENTS = st.dictionaries(st.text(max_size=8), VALUES, max_size=4) | st.lists(VALUES, max_size=4)


@st.composite
def cut_texts(draw: st.DrawFn) -> tuple[bytes, list[bytes]]:
    """A text that may have slips, and its pieces."""
    text = json.dumps(draw(DOCUMENTS), ensure_ascii=draw(st.booleans())).encode("utf-8", "surrogatepass")
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
