"""What the package gives can be pickled and copied, and is the same afterwards."""

from __future__ import annotations

import concurrent.futures
import copy
import multiprocessing
import pickle
from collections.abc import Callable
from typing import Any

import pytest

import patchwire as pw

WAYS: list[Callable[[Any], Any]] = [lambda it: pickle.loads(pickle.dumps(it)), copy.copy, copy.deepcopy]
CALL = 'Sure: <tool_call>{"name":"f","arguments":{"n":1.50,"s":"é"}}</tool_call>'
THOUGHT = [
    {"choices": [{"index": 0, "delta": {"reasoning_content": "Hmm"}, "finish_reason": None}]},
    {"choices": [{"index": 0, "delta": {"content": '{"a": '}}]},
    {"choices": [{"index": 0, "delta": {"reasoning_content": "So"}}]},
    {"choices": [{"index": 0, "delta": {"content": "1}"}}]},
]


def provider_calls() -> list[dict[str, Any]]:
    def chunk(arguments: str, name: str | None = None) -> dict[str, Any]:
        call = {"index": 0, "id": "c1" if name else None, "function": {"name": name, "arguments": arguments}}
        return {"choices": [{"index": 0, "delta": {"tool_calls": [call]}}]}

    return [chunk('{"city": "Ro', "weather"), chunk('me", "days": "3",}')]


def same(it: Any) -> None:
    for way in WAYS:
        made = way(it)
        assert made == it and type(made) is type(it) and hash(made) == hash(it)
        assert repr(made) == repr(it)
        # Once more: what came out of one process goes into another.
        assert pickle.loads(pickle.dumps(made)) == it


def test_events_notices_and_failures() -> None:
    parser = pw.Parser({"a": ["int", "", True], "b": "int"}, tags=["think", "hermes-json"])
    text = f"<think>Hm</think>Sure: {CALL} ```json\n{{'b': 'x',}}\n```"
    events = parser.feed_events(text) + parser.finish_events()
    assert {event.type for event in events} >= {"patch", "notice", "verdict", "text", "reasoning", "element_open"}
    for event in events:
        same(event)
    for part in (*parser.answer.notices, *parser.answer.failures, *parser.answer.elements):
        same(part)
    assert parser.answer.failures and parser.answer.elements and parser.answer.notices
    assert len({repr(event) for event in events if event in events[:1]}) == 1
    costs = [notice for notice in pw.parse('{"a": "x" "b": [1 2}').notices if notice.cost is not None]
    for notice in costs:
        same(notice)
        assert pickle.loads(pickle.dumps(notice)).cost == notice.cost


def test_reports() -> None:
    report = pw.check('{"a": 1}')
    same(report)
    assert pickle.loads(pickle.dumps(report)).cuttings == report.cuttings


def test_answers_with_reasoning_of_a_provider() -> None:
    answer = pw.read(THOUGHT).answer()
    assert answer.reasoning == "HmmSo"
    same(answer)
    assert pickle.loads(pickle.dumps(answer)).reasoning == "HmmSo"
    parser = pw.Parser()
    parser.feed_reasoning("Hm")
    parser.feed("[1")
    parser.feed_reasoning(b"m\xe2")
    parser.feed_reasoning(b"\x80\xa6")
    parser.feed("]")
    parser.finish()
    assert parser.answer.reasoning == "Hmm…"
    same(parser.answer)


def test_answers_with_a_second_reading() -> None:
    answer = pw.parse("```json\n{\"a\": 1}\n<tool_call>{\"name\": \"f\", \"arguments\": {}}</tool_call>", tags="hermes-json")
    for part in filter(None, (answer, answer.alternative)):
        same(part)


@pytest.mark.parametrize("text", [CALL, CALL[:-20], CALL.replace('"n":1.50', "'n': 1, [")])
def test_calls_that_were_written_as_text(text: str) -> None:
    answer = pw.parse(text, tags="hermes-json")
    assert answer.calls
    for call in answer.calls:
        same(call)
        same(call.answer)
    reader = pw.read(iter([text[:9], text[9:]]), tags="hermes-json", tools={"f": {"n": "int"}})
    for call in list(reader.calls()):
        same(call)
        same(call.answer)


def test_calls_in_the_middle_of_a_stream() -> None:
    reader = pw.read(iter([CALL, " and "]), tags="hermes-json")
    call = next(reader.calls())
    same(call)
    parser = pw.Parser(tags="hermes-json")
    parser.feed(CALL)
    for call in parser.calls:
        same(call)
    parser.finish()
    for call in parser.calls:
        same(call)


def test_calls_of_a_provider() -> None:
    for tools in ({}, {"tools": {"weather": {"city": "str", "days": "int"}}}):
        calls = list(pw.read(iter(provider_calls()), **tools).calls())
        assert calls[0].arguments["days"] == (3 if tools else "3")
        for call in calls:
            same(call)
            same(call.answer)


def raised(run: Callable[[], Any]) -> pw.PatchwireError:
    with pytest.raises(pw.PatchwireError) as error:
        run()
    return error.value


ERRORS: list[Callable[[], Any]] = [
    lambda: pw.parse("{}", {"a": ["int", "", True]}).data(),
    lambda: pw.read(['{"a":"x']).get("a"),
    lambda: pw.read(['{"a":"x']).data(),
    lambda: pw.read(THOUGHT[:2]).get("a"),
    lambda: pw.read(['{"a":1}']).get("b"),
    lambda: pw.loads("I cannot"),
    lambda: pw.loads("I cannot", {"a": "int"}),
    lambda: pw.read(["[" * 400]).answer(),
    lambda: pw.Parser().feed("[" * 400),
    lambda: pw.Parser({"a": "nothing"}),
    lambda: pw.read(iter(provider_calls())).data(),
]


@pytest.mark.parametrize("run", ERRORS)
def test_errors(run: Callable[[], Any]) -> None:
    error = raised(run)
    for way in WAYS:
        made = way(error)
        assert type(made) is type(error) and str(made) == str(error)
        assert made.__dict__ == error.__dict__


def test_errors_leave_an_answer_behind_whose_bytes_were_not_kept() -> None:
    error = raised(lambda: pw.parse('{"a":"x', keep_raw=False).data())
    made = pickle.loads(pickle.dumps(error))
    assert isinstance(made, pw.Truncated) and made.value == {"a": "x"} and made.answer is None


def failing(at: int) -> Any:
    return ERRORS[at]()


def test_errors_cross_a_pool_of_processes() -> None:
    context = multiprocessing.get_context("spawn")
    with concurrent.futures.ProcessPoolExecutor(1, mp_context=context) as pool:
        for at, run in enumerate(ERRORS[:6]):
            error = pool.submit(failing, at).exception(60)
            assert type(error) is type(raised(run)) and str(error) == str(raised(run))
