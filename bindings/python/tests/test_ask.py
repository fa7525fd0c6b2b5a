"""Asking again until an answer passes."""

from __future__ import annotations

import asyncio
import dataclasses
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest

import patchwire as pw


@dataclasses.dataclass
class Order:
    sku: str
    total: float


def model(*answers: Any) -> Any:
    """A model that gives these answers in turn, and keeps what it was asked."""
    waiting = list(answers)

    def send(attempt: pw.Attempt) -> Iterator[str]:
        send.asked.append(attempt)  # type: ignore[attr-defined]
        answer = waiting.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return (answer[at : at + 5] for at in range(0, len(answer), 5))

    send.asked = []  # type: ignore[attr-defined]
    return send


GOOD = '{"sku": "a1", "total": 3}'
BAD = '{"sku": "a1", "total": -3}'


def positive(order: Order) -> None:
    if order.total <= 0:
        raise ValueError(f"`total` must be positive, and is {order.total}")


def test_an_exception_is_the_reason() -> None:
    send = model(BAD, GOOD)
    asked = pw.ask(send, Order, prompt="Read the order.")
    asked.validate(positive)
    assert asked.data() == Order("a1", 3.0) and asked.attempt == 2
    first, second = send.asked
    assert (first.number, first.correction, first.full_prompt) == (1, None, "Read the order.")
    assert second.full_prompt == (
        "Read the order.\n\nYour previous answer was not accepted:\n- `total` must be positive, and is -3.0\n"
        "Give the whole answer again, in the same form, with this put right."
    )


def test_the_checks_in_their_order() -> None:
    send = model("I cannot.", '{"sku": ""}', '{"sku": "a1", "total": "much"}', GOOD)
    asked = pw.ask(send, Order, ensure=["sku"])
    assert asked.data() == Order("a1", 3.0)
    corrections = [attempt.correction or "" for attempt in send.asked]
    assert "no value could be read" in corrections[1]
    assert "sku is blank" in corrections[2] and "total is missing" in corrections[2]
    assert "total" in corrections[3]


def test_no_retries_are_left() -> None:
    asked = pw.ask(model(BAD, BAD), Order, max_retries=1, validators=[positive])
    with pytest.raises(pw.Rejected, match="no answer was accepted in 2 attempts: `total` must be positive") as raised:
        asked.data()
    assert raised.value.value == {"sku": "a1", "total": -3} and raised.value.attempts == 2
    assert pw.ask(model(BAD), Order, max_retries=0, validators=[positive], on_exhausted="last").data() == Order("a1", -3.0)


def test_false_and_stop() -> None:
    with pytest.raises(pw.Rejected, match="not accepted"):
        pw.ask(model(GOOD), Order, max_retries=0, validators=[lambda order: False]).data()

    def stop(order: Order) -> None:
        raise pw.Stop("no use")

    send = model(GOOD, GOOD)
    with pytest.raises(pw.Rejected, match="in 1 attempts: no use"):
        pw.ask(send, Order, validators=[stop]).data()
    assert len(send.asked) == 1


def test_sources_that_fail_share_the_retries() -> None:
    def send(attempt: pw.Attempt) -> Iterator[str]:
        yield GOOD[:12]
        if attempt.number < 3:
            raise OSError("dead")
        yield GOOD[12:]

    asked = pw.ask(send, Order)
    assert asked.data() == Order("a1", 3.0) and asked.attempt == 3
    with pytest.raises(pw.SourceError, match="the request failed: dead") as raised:
        pw.ask(model(OSError("dead")), max_retries=0).data()
    assert isinstance(raised.value.__cause__, OSError)


def test_verbs_while_asking() -> None:
    asked = pw.ask(model('{"sku": "wrong", "total": -1}', GOOD), Order, validators=[positive])
    sku = asked.text("sku")
    deltas = [next(sku)]
    asked.answer()
    deltas += sku
    assert any(isinstance(delta, pw.Restart) for delta in deltas)
    text = ""
    for delta in deltas:
        text = str(delta) if isinstance(delta, pw.Restart) else text + delta
    assert text == "a1" and asked.value == {"sku": "a1", "total": 3}
    folded = [patch.op for patch in pw.ask(model(BAD, GOOD), Order, validators=[positive]) if patch.path == ""]
    assert folded == ["open", "done", "remove", "open", "done"]


def test_wire_forms_hear_of_attempts() -> None:
    lines = "".join(pw.ask(model(BAD, GOOD), Order, validators=[positive]).wire("events"))
    assert '{"event":"reset","attempt":2}' in lines and '"attempt":2' in lines


def test_calls_are_answers_if_asked_for() -> None:
    delta = {"choices": [{"delta": {"tool_calls": [{"index": 0, "id": "c", "function": {"name": "f", "arguments": "{}"}}]}}]}
    with pytest.raises(pw.Rejected, match="the model called tools"):
        pw.ask(lambda _: [delta]).answer()
    asked = pw.ask(lambda _: [delta], calls_are_answers=True)
    assert [call.name for call in asked.calls()] == ["f"]


def test_async() -> None:
    answers = [BAD, GOOD]

    async def send(attempt: pw.Attempt) -> AsyncIterator[str]:
        async def stream() -> AsyncIterator[str]:
            yield answers.pop(0)

        return stream()

    async def main() -> Any:
        asked = pw.ask(send, Order)

        @asked.validate
        async def check(order: Order) -> None:
            await asyncio.sleep(0)
            positive(order)

        async with asked:
            return await asyncio.gather(asked.data(), asked.get("sku")), asked.attempt

    (data, sku), attempt = asyncio.run(main())
    assert (data, sku, attempt) == (Order("a1", 3.0), "a1", 2)


def test_async_failures() -> None:
    async def send(attempt: pw.Attempt) -> AsyncIterator[str]:
        yield BAD

    async def main() -> None:
        with pytest.raises(pw.Rejected, match="in 2 attempts"):
            await pw.ask(send, Order, validators=[positive], max_retries=1).data()

    asyncio.run(main())


def test_a_mixed_loop_is_refused_with_advice() -> None:
    async def check(order: Order) -> None:
        pass

    with pytest.raises(pw.SpecError, match="make `send` an `async def`"):
        pw.ask(model(GOOD), Order, validators=[check]).data()

    async def stream() -> AsyncIterator[str]:
        yield GOOD

    with pytest.raises(pw.SpecError, match="asynchronous=True"):
        pw.ask(lambda _: stream(), Order).data()

    async def main() -> Any:
        return await pw.ask(lambda _: stream(), Order, asynchronous=True).data()

    assert asyncio.run(main()) == Order("a1", 3.0)
    with pytest.raises(pw.SpecError, match="`fail` or `last`"):
        pw.ask(model(GOOD), on_exhausted="x")


def test_reading_that_fails_takes_another_attempt() -> None:
    overloaded = {"type": "error", "error": {"message": "overloaded"}}
    send = model_of([overloaded], ['{"a": 1}'])
    assert pw.ask(send).data() == {"a": 1} and send.asked[1].correction is None
    send = model_of(["{'a': 1}"], ['{"a": 1}'])
    assert pw.ask(send, strict=True).data() == {"a": 1}
    assert "single" in send.asked[1].correction or "quote" in send.asked[1].correction
    send = model_of(["[[[[1]]]]"], ["[1]"])
    assert pw.ask(send, limits={"depth": 2}).data() == [1] and send.asked[1].correction
    with pytest.raises(pw.StreamError) as raised:
        pw.ask(model_of(["[[[[1]]]]"]), limits={"depth": 2}, max_retries=0).data()
    assert raised.value.code == "limit_depth"


def model_of(*streams: Any) -> Any:
    """A model that sends these items in turn, and keeps what it was asked."""
    waiting = list(streams)

    def send(attempt: pw.Attempt) -> Any:
        send.asked.append(attempt)  # type: ignore[attr-defined]
        return waiting.pop(0)

    send.asked = []  # type: ignore[attr-defined]
    return send


def test_the_state_of_an_attempt_ends_with_it() -> None:
    def so_far(text: str, count: int) -> dict[str, Any]:
        one = {"index": 0, "text": text, "token_ids": list(range(count)), "finish_reason": "stop" if text[-1] == "}" else None}
        return {"request_id": "r", "outputs": [one]}

    def send(attempt: pw.Attempt) -> Any:
        ok = "true" if attempt.number > 1 else "false"
        return [so_far('{"ok"', 2), so_far(f'{{"ok": {ok}}}', 5)]

    asked = pw.ask(send, validators=[lambda value: value["ok"]])
    assert asked.data() == {"ok": True} and asked.facts == {"stop_reason": "stop"}


def test_the_exception_of_a_validator_is_kept() -> None:
    with pytest.raises(pw.Rejected) as raised:
        pw.ask(model(GOOD), Order, max_retries=0, validators=[lambda order: order.nothing]).data()
    assert isinstance(raised.value.__cause__, AttributeError)
    with pytest.raises(pw.Rejected) as raised:
        pw.ask(model('{"sku": "a1", "total": 3'), Order, max_retries=0).data()
    assert isinstance(raised.value.__cause__, pw.Truncated)


def test_arguments_are_checked_before_anything_is_sent() -> None:
    send = model()
    for wrong in ({"max_retries": "3"}, {"max_retries": -1}, {"max_retries": True}, {"validators": [3]}, {"on_exhausted": "no"}):
        with pytest.raises(pw.SpecError):
            pw.ask(send, **wrong)
    with pytest.raises(pw.SpecError, match="`send` is a function"):
        pw.ask(3)  # type: ignore[arg-type]
    with pytest.raises(pw.SpecError, match="has all settings"):
        pw.ask(send, pw.Spec(), format="json")
