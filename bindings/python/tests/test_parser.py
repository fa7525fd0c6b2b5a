"""Pushing chunks, and reading whole texts."""

from __future__ import annotations

import copy
import math
import pickle
from typing import Any

import pytest

import patchwire as pw


def test_patches_as_they_come() -> None:
    parser = pw.Parser()
    patches = [patch for chunk in ['{"title": "Hel', 'lo", "n": 1', "2}"] for patch in parser.feed(chunk)]
    patches += parser.finish()
    assert [(patch.op, patch.path, patch.delta, patch.value) for patch in patches] == [
        ("open", "", "", {}),
        ("open", "title", "", ""),
        ("delta", "title", "Hel", None),
        ("delta", "title", "lo", None),
        ("done", "title", "", "Hello"),
        ("done", "n", "", 12),
        ("done", "", "", None),
    ]
    assert parser.answer.value == {"title": "Hello", "n": 12}
    assert parser.answer.outcome == "complete"


def test_patches_match_by_position() -> None:
    match pw.Parser().feed('{"a": "x')[-1]:
        case pw.Patch("delta", "a", text):
            assert text == "x"
        case _:
            raise AssertionError


def test_reprs_are_worth_reading() -> None:
    parser = pw.Parser()
    patches = parser.feed('{"a": "x", "b": [1,')
    assert [repr(patch) for patch in patches] == [
        "<Patch open '' {}>",
        "<Patch open 'a' ''>",
        "<Patch delta 'a' 'x'>",
        "<Patch done 'a' 'x'>",
        "<Patch open 'b' []>",
        "<Patch done 'b[0]' 1>",
    ]
    parser.finish()
    assert repr(parser.answer) == "<Answer truncated {'a': 'x', 'b': [1]} 1 notice>"
    assert repr(parser) == "<Parser json truncated>"
    assert repr(pw.Spec({"a": "str"}, format="hybrid")) == "<Spec hybrid with a schema>"


def test_the_steps_of_a_path() -> None:
    patches = pw.Parser().feed('{"rows": [{"odd key": {"a.b": [true]}}]}')
    assert ("rows", 0, "odd key", "a.b", 0) in [patch.loc for patch in patches]
    assert 'rows[0]["odd key"]["a.b"][0]' in [patch.path for patch in patches]
    quoted = pw.Parser().feed('{"say \\"[x]\\" \\\\": {"\\n": 1}}')
    assert ('say "[x]" \\', "\n") in [patch.loc for patch in quoted]


def test_other_events() -> None:
    parser = pw.Parser()
    events = parser.feed_events("<think>Hm.</think>Sure: {'a': 1}") + parser.finish_events()
    kinds = [event.type for event in events]
    assert {"element_open", "reasoning", "element_close", "text", "notice", "patch", "root_complete", "final"} <= set(kinds)
    reasoning = next(event for event in events if event.type == "reasoning")
    assert isinstance(reasoning, pw.Event) and reasoning.delta == "Hm." and reasoning.span == (7, 10)
    assert parser.answer.reasoning == "Hm." and parser.answer.elements[0].name == "think"


def test_watched_paths_alone_become_objects() -> None:
    parser = pw.Parser({"rows": [{"name": "str", "n": "int"}], "s": "str"})
    parser.watch("rows[*].name")
    patches = parser.feed('{"rows": [{"name": "a", "n": 1}, {"name": "b", "n": 2}], "s": "x"}') + parser.finish()
    assert {patch.path for patch in patches} == {"rows[0].name", "rows[1].name"}
    with pytest.raises(pw.PathError, match="did you mean `rows\\[\\*\\].name`"):
        parser.watch("rows[*].nmae")


def test_large_chunks_give_the_same() -> None:
    text = '{"rows": [' + ", ".join('{"name": "%d", "n": %d}' % (n, n) for n in range(4000)) + "]}"
    large, small = pw.Parser(), pw.Parser()
    whole = large.feed(text)
    pieces = [patch for at in range(0, len(text), 1000) for patch in small.feed(text[at : at + 1000])]
    done = lambda patches: [(patch.path, patch.value, patch.span) for patch in patches if patch.is_complete]  # noqa: E731
    assert done(whole) == done(pieces)
    assert [patch for patch in whole if patch.op != "delta"] == [patch for patch in pieces if patch.op != "delta"]


def test_bytes_of_all_kinds() -> None:
    for chunk in ('{"a": 1}', b'{"a": 1}', bytearray(b'{"a": 1}'), memoryview(b'{"a": 1}')):
        assert pw.loads(chunk) == {"a": 1}
    with pytest.raises(pw.SourceError, match="`int`"):
        pw.Parser().feed(7)  # type: ignore[arg-type]


def test_halves_of_surrogate_pairs() -> None:
    assert pw.loads('{"a": "\ud83d\ude00"}') == {"a": "😀"}
    assert pw.loads('{"a": "\ud83d"}') == {"a": "\ufffd"}


def test_numbers_are_exact() -> None:
    assert pw.loads("[12345678901234567890123, -0, 1.5, 1e400]") == [12345678901234567890123, 0, 1.5, math.inf]
    answer = pw.parse("[0.10000000000000000000001]")
    assert answer.to_json() == b"[0.10000000000000000000001]"


def test_deep_values() -> None:
    depth = 200
    value = pw.loads("[" * depth + "]" * depth)
    for _ in range(depth - 1):
        (value,) = value
    assert value == []
    with pytest.raises(pw.StreamError) as raised:
        pw.loads("[" * 100_000)
    assert raised.value.code == "limit_depth" and isinstance(raised.value.value, list)
    assert pw.loads("[" * 100_000 + "]" * 100_000, limits={"depth": 200_000}) != []


def test_strict_reading() -> None:
    with pytest.raises(pw.StreamError) as raised:
        pw.loads("{'a': 1}", strict=True)
    assert (raised.value.code, raised.value.offset) == ("syntax_expected_key", 1)
    parser = pw.Parser(strict=True)
    with pytest.raises(pw.StreamError) as late:
        parser.feed('{"a": 1, b}')
    assert late.value.value == {"a": 1}
    assert parser.value == {"a": 1}
    with pytest.raises(pw.StreamError):
        parser.feed("}")


def test_the_end_comes_once() -> None:
    parser = pw.Parser()
    with pytest.raises(pw.StreamError, match="too early"):
        _ = parser.answer
    parser.feed("[1]")
    parser.finish()
    assert parser.finish() == []
    with pytest.raises(pw.StreamError, match="finish"):
        parser.feed("x")
    parser.reset()
    parser.feed("[2]")
    parser.finish()
    assert parser.answer.value == [2]


def test_a_parser_can_be_copied_in_the_middle() -> None:
    parser = pw.Parser()
    parser.feed('{"a": "x')
    other = copy.copy(parser)
    parser.feed('y"}')
    other.feed('z"}')
    parser.finish(), other.finish()
    assert (parser.answer.value, other.answer.value) == ({"a": "xy"}, {"a": "xz"})


def test_no_value() -> None:
    with pytest.raises(pw.NoValue, match="only text, which is “I cannot help with that.”") as raised:
        pw.loads("I cannot help with that.")
    assert raised.value.answer.text == "I cannot help with that."
    answer = pw.parse("I cannot help.")
    assert (answer.has_value, answer.value, answer.outcome) == (False, None, "failed")


def test_calls_in_text() -> None:
    text = "<tool_call><function=weather><parameter=days>3</parameter></function></tool_call>"
    answer = pw.parse(text, tags="qwen", format="text", tools={"weather": {"days": "int"}})
    (call,) = answer.calls
    assert (call.name, call.arguments, call.is_complete) == ("weather", {"days": 3}, True)
    assert repr(call) == "<Call weather({'days': 3})>"
    assert answer.outcome == "tool_calls"


def test_a_panic_becomes_an_exception(capfd: pytest.CaptureFixture[str]) -> None:
    parser = pw.Parser()
    with pytest.raises(pw.InternalError, match="a test: a bug in patchwire"):
        parser._panic()  # type: ignore[attr-defined]
    assert pw.loads("[1]") == [1]


def test_values_specs_and_errors_can_be_pickled() -> None:
    spec = pw.Spec({"a": "str"}, format="hybrid", tags=["think"], limits={"depth": 9}, ensure="a")
    for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
        assert pickle.loads(pickle.dumps(spec, protocol)) == spec
        for patch in pw.Parser().feed('{"a": "x", "b": [1,'):
            assert pickle.loads(pickle.dumps(patch, protocol)) == patch
        answer = pw.parse("Sure! {'a': [1,", {"a": ["int"]})
        again = pickle.loads(pickle.dumps(answer, protocol))
        assert again == answer and again.notices == answer.notices
        with pytest.raises(pw.Truncated) as raised:
            answer.data()
        error = pickle.loads(pickle.dumps(raised.value, protocol))
        assert (type(error), error.value, error.path) == (pw.Truncated, {"a": [1]}, "a")


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"format": "jsn"}, "no format is called `jsn`; write one of json"),
        ({"tags": "thinks"}, "no tag set is called `thinks`; write one of think"),
        ({"tags": ["none", "think"]}, "cannot be combined"),
        ({"limits": {"deep": 1}}, "no limit is called `deep`"),
        ({"forbid": "x"}, "no leniency is called `x`"),
        ({"roots": "x"}, "no choice of roots"),
        ({"view": "x"}, "no view is called"),
        ({"strict": True, "tags": "think"}, "strict reading allows no tag set"),
        ({"start_in": "x"}, "no family of the tag set is called `x`"),
        ({"ensure": "a..b"}, "`a..b` is not a path"),
        ({"colour": 1}, "there is no setting `colour`; there are align"),
        ({"schema": {"type": "object", "properties": 3}}, "invalid value"),
        ({"schema": "{"}, "could not be read"),
        ({"schema": {"a": object()}}, "only what JSON has"),
        ({"schema": 7}, "a schema cannot be made of `7`"),
        ({"tools": [7]}, "a tool is a type"),
    ],
)
def test_settings_that_cannot_be_used(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(pw.SpecError, match=message):
        pw.Spec(settings.pop("schema", None), **settings)


def test_a_spec_takes_no_more_settings() -> None:
    with pytest.raises(pw.SpecError, match="has all settings"):
        pw.parse("[1]", pw.Spec(), format="json")
