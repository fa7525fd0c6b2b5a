"""Asking a model until its answer passes."""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Iterable, Iterator
from contextlib import aclosing
from typing import Any, NamedTuple

from ._core import Answer, correction
from ._data import data_of
from ._errors import AnswerError, PatchwireError, Rejected, SourceError, SpecError, StreamError
from ._opening import AsyncOpened, Opened
from ._reader import AsyncReader, Reader
from ._sources import Splitter
from ._spec import spec_of


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


class _Verdict(NamedTuple):
    """Whether an answer passes, and why not."""

    reasons: list[str]
    """Why it does not pass; empty if it passes."""
    stops: bool = False
    """Whether asking again is of no use."""
    cause: Exception | None = None
    """The exception of the validator that it did not pass."""


_PASSED = _Verdict([])


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
        if not callable(send):
            raise SpecError(f"`send` is a function that gets an `Attempt`, and not `{type(send).__name__}`")
        if isinstance(max_retries, bool) or not isinstance(max_retries, int) or max_retries < 0:
            raise SpecError(f"`max_retries` is a number from 0 on, and not {max_retries!r}")
        if on_exhausted not in ("fail", "last"):
            raise SpecError(f"`on_exhausted` is `fail` or `last`, and not `{on_exhausted}`")
        self.send = send
        self.prompt = prompt
        self.max_retries = max_retries
        self.validators: list[Callable[..., Any]] = []
        for check in validators:
            self.add(check)
        self.on_exhausted = on_exhausted
        self.calls_are_answers = calls_are_answers
        self.number = 1
        self.correction: str | None = None

    def attempt(self) -> Attempt:
        return Attempt(self.number, self.max_retries, self.prompt, self.correction)

    def add(self, check: Callable[..., Any]) -> None:
        if not callable(check):
            raise SpecError(f"a validator is a function that gets the value, and not `{type(check).__name__}`")
        self.validators.append(check)

    def checked(self, answer: Answer, has_calls: bool) -> _Verdict:
        """The verdict on an answer before the validators run."""
        if has_calls and not answer.has_value:
            # The model waits for the results of its calls.
            return _PASSED if self.calls_are_answers else _Verdict(["the model called tools"], stops=True)
        return _Verdict([failure.message for failure in answer.failures])

    def again(self, verdict: _Verdict) -> bool:
        """Notes why an answer was not accepted. Whether another request follows."""
        self.correction = correction(verdict.reasons) if verdict.reasons else None
        if verdict.stops or self.number > self.max_retries:
            return False
        self.number += 1
        return True

    def is_over(self, answer: Answer, verdict: _Verdict) -> bool:
        """Whether this answer is the last. Raises if it was not accepted, unless the last one counts all the same."""
        if not verdict.reasons:
            return True
        if self.again(verdict):
            return False
        if self.on_exhausted == "last":
            return True
        raise self._rejected(answer, verdict.reasons) from verdict.cause

    def survives(self, error: Exception) -> bool:
        """Whether another request follows one that failed. The model is told what it wrote wrong, and not that the source failed."""
        if isinstance(error, SpecError):
            return False
        return self.again(_Verdict([str(error)] if isinstance(error, StreamError) else []))

    def _rejected(self, answer: Answer, reasons: list[str]) -> Rejected:
        what = f"no answer was accepted in {self.number} attempts: {'; '.join(reasons)}"
        value = answer.value
        return Rejected(what, answer=answer, value=value, reasons=reasons, attempts=self.number)


def _typed(answer: Answer, spec: Any) -> tuple[Any, _Verdict]:
    """The value for validators, or why it does not fit the type."""
    try:
        return data_of(answer, spec.type), _PASSED
    except AnswerError as error:
        return None, _Verdict([str(error)], cause=error)


def _raised(error: Exception) -> _Verdict:
    """The verdict of a validator that raised."""
    return _Verdict([_reason(error)], isinstance(error, Stop), error)


def _returned(passed: Any) -> _Verdict:
    return _Verdict(["not accepted"]) if passed is False else _PASSED


def _reason(error: Exception) -> str:
    return str(error) or f"not accepted ({type(error).__name__})"


class Ask(Reader):
    """A request that is repeated until its answer passes. It is read as any `Reader`; nothing is sent before.

    When another attempt begins, what was read is void: `text` gives a `Restart`, patches begin again with "remove" at the
    root, and `attempt` has grown.
    """

    def __init__(self, asking: _Asking, spec: Any) -> None:
        self._asking = asking
        super().__init__(self._turns(), spec)

    def validate(self, check: Callable[[Any], Any]) -> Callable[[Any], Any]:
        """Adds a validator, as a decorator. It gets the value as the type of the schema."""
        self._asking.add(check)
        return check

    def _turns(self) -> Iterator[None]:
        """The source of this reader. It reads an item itself each time that it is asked, so that it meets its errors."""
        asking = self._asking
        while True:
            try:
                yield from self._attempt()
            except Exception as error:
                if not asking.survives(error):
                    if isinstance(error, PatchwireError):
                        raise
                    raise SourceError(f"the request failed: {_reason(error)}") from error
                self._session.reset()
                continue
            answer = self._session.conclude()
            if asking.is_over(answer, self._verdict(answer)):
                return
            self._session.reset()

    def _attempt(self) -> Iterator[None]:
        session, split = self._session, Splitter()
        self._split = split
        stream = self._asking.send(self._asking.attempt())
        if inspect.isawaitable(stream) or hasattr(stream, "__aiter__"):
            _dismiss(stream)
            raise SpecError("`send` is async: write it as `async def`, or pass `asynchronous=True`")
        opened = Opened(stream)
        try:
            for item in opened.items:
                if not session.push(item):
                    split(item, session)
                yield None
        finally:
            opened.close()

    def _verdict(self, answer: Answer) -> _Verdict:
        verdict = self._asking.checked(answer, bool(self._session.all_calls()))
        if verdict.reasons or not answer.has_value:
            return verdict
        value, verdict = _typed(answer, self.spec)
        for check in self._asking.validators:
            if verdict.reasons:
                break
            verdict = self._checked(check, value)
        return verdict

    @staticmethod
    def _checked(check: Callable[[Any], Any], value: Any) -> _Verdict:
        try:
            passed = check(value)
        except Exception as error:
            return _raised(error)
        if inspect.isawaitable(passed):
            _dismiss(passed)
            raise SpecError("a validator is async, and `send` is not: make `send` an `async def`")
        return _returned(passed)


class AsyncAsk(AsyncReader):
    """A request that is repeated until its answer passes. It is read as any `AsyncReader`. See `Ask`."""

    def __init__(self, asking: _Asking, spec: Any) -> None:
        self._asking = asking
        super().__init__(self._turns(), spec)

    def validate(self, check: Callable[[Any], Any]) -> Callable[[Any], Any]:
        """Adds a validator, async or not, as a decorator. It gets the value as the type of the schema."""
        self._asking.add(check)
        return check

    async def _turns(self) -> AsyncIterator[None]:
        """The source of this reader. It reads an item itself each time that it is asked, so that it meets its errors."""
        asking = self._asking
        while True:
            try:
                async with aclosing(self._attempt()) as items:
                    async for _ in items:
                        yield None
            except Exception as error:
                if not asking.survives(error):
                    if isinstance(error, PatchwireError):
                        raise
                    raise SourceError(f"the request failed: {_reason(error)}") from error
                self._session.reset()
                continue
            answer = self._session.conclude()
            if asking.is_over(answer, await self._verdict(answer)):
                return
            self._session.reset()

    async def _attempt(self) -> AsyncGenerator[None, None]:
        session, split = self._session, Splitter()
        self._split = split
        opened = AsyncOpened(self._asking.send(self._asking.attempt()))
        try:
            async for item in await opened.items():
                if not session.push(item):
                    split(item, session)
                yield None
        finally:
            await opened.close()

    async def _verdict(self, answer: Answer) -> _Verdict:
        verdict = self._asking.checked(answer, bool(self._session.all_calls()))
        if verdict.reasons or not answer.has_value:
            return verdict
        value, verdict = _typed(answer, self.spec)
        for check in self._asking.validators:
            if verdict.reasons:
                break
            verdict = await self._checked(check, value)
        return verdict

    @staticmethod
    async def _checked(check: Callable[[Any], Any], value: Any) -> _Verdict:
        try:
            passed = check(value)
            if isinstance(passed, Awaitable):
                passed = await passed
        except Exception as error:
            return _raised(error)
        return _returned(passed)


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

    `send` gets an `Attempt` and returns a stream, as `read` takes it, which is closed when its attempt ends. An answer
    passes if it has a value and was not cut, no check of the schema or of `ensure` failed, it fits the type, and no
    validator raised. All failures share the retries, those of the source, of limits and of strict reading included. If
    `send` is an `async def`, so is what this returns.
    """
    spec = spec_of(schema, settings)
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
