"""Asking a model until its answer passes."""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator
from typing import Any

from ._core import Answer, Spec, correction
from ._data import data_of
from ._errors import AnswerError, PatchwireError, Rejected, SourceError, SpecError
from ._reader import AsyncReader, Reader


@dataclasses.dataclass(frozen=True)
class Attempt:
    """One request."""

    number: int
    """From 1."""
    max_retries: int
    """How often the request may be repeated."""
    prompt: str
    """The prompt of the caller."""
    correction: str | None
    """Why the answer before was not accepted, for the model. `None` at first, and if only the source failed."""

    @property
    def full_prompt(self) -> str:
        """The prompt, followed by the correction if there is one."""
        return "\n\n".join(part for part in (self.prompt, self.correction) if part)


class Retry(Exception):
    """Raised by a validator: the answer does not pass, for this reason. Any other exception means the same."""


class Stop(Exception):
    """Raised by a validator: the answer does not pass, and the request is not repeated."""


class _Asking:
    """What both kinds have: the number of retries, the checks, and the next request."""

    def __init__(
        self,
        send: Callable[[Attempt], Any],
        *,
        prompt: str,
        max_retries: int,
        validators: Iterable[Callable[..., Any]],
        on_exhausted: str,
        calls_are_answers: bool,
    ) -> None:
        if on_exhausted not in ("fail", "last"):
            raise SpecError(f"`on_exhausted` is `fail` or `last`, and not `{on_exhausted}`")
        self.send = send
        self.prompt = prompt
        self.max_retries = max_retries
        self.validators = list(validators)
        self.on_exhausted = on_exhausted
        self.calls_are_answers = calls_are_answers
        self.number = 1
        self.correction: str | None = None

    def attempt(self) -> Attempt:
        return Attempt(self.number, self.max_retries, self.prompt, self.correction)

    def reasons(self, answer: Answer, has_calls: bool) -> tuple[list[str], bool]:
        """Why the answer does not pass, without validators; and whether asking again is of no use."""
        if has_calls and not answer.has_value:
            # The model waits for the results of its calls.
            return ([], False) if self.calls_are_answers else (["the model called tools"], True)
        return [failure.message for failure in answer.failures], False

    def again(self, reasons: list[str], stops: bool) -> bool:
        """Notes why an answer was not accepted. Whether another request follows."""
        self.correction = correction(reasons) if reasons else None
        if stops or self.number > self.max_retries:
            return False
        self.number += 1
        return True

    def is_over(self, answer: Answer, reasons: list[str], stops: bool) -> bool:
        """Whether this answer is the last. Raises if it was not accepted, unless the last one counts all the same."""
        if not reasons:
            return True
        if self.again(reasons, stops):
            return False
        if self.on_exhausted == "last":
            return True
        raise self._rejected(answer, reasons)

    def _rejected(self, answer: Answer, reasons: list[str]) -> Rejected:
        what = f"no answer was accepted in {self.number} attempts: {'; '.join(reasons)}"
        value = answer.value
        return Rejected(what, answer=answer, value=value, reasons=reasons, attempts=self.number)


def _typed(answer: Answer, spec: Any) -> tuple[Any, list[str]]:
    """The value for validators, or why it does not fit the type."""
    try:
        return data_of(answer, spec.type), []
    except AnswerError as error:
        return None, [str(error)]


def _reason(error: Exception) -> str:
    return str(error) or f"not accepted ({type(error).__name__})"


def _verdict(passed: Any) -> list[str]:
    return ["not accepted"] if passed is False else []


class Ask(Reader):
    """A request that is repeated until its answer passes. It is read as any `Reader`; nothing is sent before.

    When another attempt begins, what was read is void: `text` gives a `Restart`, patches begin again with "remove" at the
    root, and `attempt` has grown.
    """

    def __init__(self, asking: _Asking, spec: Any) -> None:
        self._asking = asking
        super().__init__(self._items(), spec)

    def validate(self, check: Callable[[Any], Any]) -> Callable[[Any], Any]:
        """Adds a validator, as a decorator. It gets the value as the type of the schema."""
        self._asking.validators.append(check)
        return check

    def _items(self) -> Iterator[Any]:
        asking = self._asking
        while True:
            try:
                stream = asking.send(asking.attempt())
                if inspect.isawaitable(stream) or hasattr(stream, "__aiter__"):
                    _dismiss(stream)
                    raise SpecError("`send` is async: write it as `async def`, or pass `asynchronous=True`")
                yield from [stream] if isinstance(stream, (str, bytes)) else stream
            except SpecError:
                raise
            except Exception as error:
                if not asking.again([], False):
                    raise _failed(error) from error
                self._session.reset()
                continue
            answer = self._session.conclude()
            reasons, stops = asking.reasons(answer, bool(self._session.all_calls()))
            if not reasons and answer.has_value:
                value, reasons = _typed(answer, self.spec)
                for check in asking.validators if not reasons else ():
                    reasons, stops = self._checked(check, value)
                    if reasons:
                        break
            if asking.is_over(answer, reasons, stops):
                return
            self._session.reset()

    @staticmethod
    def _checked(check: Callable[[Any], Any], value: Any) -> tuple[list[str], bool]:
        try:
            passed = check(value)
        except Stop as stop:
            return [_reason(stop)], True
        except Exception as error:
            return [_reason(error)], False
        if inspect.isawaitable(passed):
            _dismiss(passed)
            raise SpecError("a validator is async, and `send` is not: make `send` an `async def`")
        return _verdict(passed), False


class AsyncAsk(AsyncReader):
    """A request that is repeated until its answer passes. It is read as any `AsyncReader`. See `Ask`."""

    def __init__(self, asking: _Asking, spec: Any) -> None:
        self._asking = asking
        super().__init__(self._items(), spec)

    def validate(self, check: Callable[[Any], Any]) -> Callable[[Any], Any]:
        """Adds a validator, async or not, as a decorator. It gets the value as the type of the schema."""
        self._asking.validators.append(check)
        return check

    async def _items(self) -> AsyncIterator[Any]:
        asking = self._asking
        while True:
            try:
                stream = asking.send(asking.attempt())
                if isinstance(stream, Awaitable):
                    stream = await stream
                if isinstance(stream, (str, bytes)):
                    yield stream
                elif hasattr(stream, "__aiter__"):
                    async for item in stream:
                        yield item
                else:
                    for item in stream:
                        yield item
            except Exception as error:
                if not asking.again([], False):
                    raise _failed(error) from error
                self._session.reset()
                continue
            answer = self._session.conclude()
            reasons, stops = asking.reasons(answer, bool(self._session.all_calls()))
            if not reasons and answer.has_value:
                value, reasons = _typed(answer, self.spec)
                for check in asking.validators if not reasons else ():
                    reasons, stops = await self._checked(check, value)
                    if reasons:
                        break
            if asking.is_over(answer, reasons, stops):
                return
            self._session.reset()

    @staticmethod
    async def _checked(check: Callable[[Any], Any], value: Any) -> tuple[list[str], bool]:
        try:
            passed = check(value)
            if isinstance(passed, Awaitable):
                passed = await passed
        except Stop as stop:
            return [_reason(stop)], True
        except Exception as error:
            return [_reason(error)], False
        return _verdict(passed), False


def _failed(error: Exception) -> PatchwireError:
    if isinstance(error, PatchwireError):
        return error
    return SourceError(f"the request failed: {_reason(error)}")


def _dismiss(awaitable: Any) -> None:
    """A coroutine that nobody awaits is closed, so that Python does not warn of it."""
    if inspect.iscoroutine(awaitable):
        awaitable.close()


def ask(
    send: Callable[[Attempt], Any],
    schema: Any = None,
    *,
    prompt: str = "",
    max_retries: int = 3,
    validators: Iterable[Callable[..., Any]] = (),
    on_exhausted: str = "fail",
    calls_are_answers: bool = False,
    asynchronous: bool | None = None,
    **settings: Any,
) -> Any:
    """Prepares a request that is repeated until its answer passes.

    `send` gets an `Attempt` and returns a stream, as `read` takes it. An answer passes if it has a value, no check of the
    schema or of `ensure` failed, it fits the type, and no validator raised. All failures share the retries, those of the
    source included. If `send` is an `async def`, so is what this returns.
    """
    spec = schema if isinstance(schema, Spec) and not settings else Spec(schema, **settings)
    asking = _Asking(
        send,
        prompt=prompt,
        max_retries=max_retries,
        validators=validators,
        on_exhausted=on_exhausted,
        calls_are_answers=calls_are_answers,
    )
    if asynchronous is None:
        call = getattr(send, "__call__", None)
        asynchronous = any(
            test(function)
            for test in (inspect.iscoroutinefunction, inspect.isasyncgenfunction)
            for function in (send, call)
        )
    return AsyncAsk(asking, spec) if asynchronous else Ask(asking, spec)
