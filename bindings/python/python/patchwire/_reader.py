"""Readers: a stream of any client in, and the parts of its answer out, at the same time and as they are written."""

from __future__ import annotations

import asyncio
import functools
import inspect
from typing import Any

from ._core import Session
from ._data import beginning, converted, data_of
from ._errors import BusyError, ClosedError, MissingError, NoValue, PatchwireError, SourceError
from ._opening import AsyncOpened, Opened, described, note, refuse
from ._sources import Splitter
from ._spec import spec_of

_REQUIRED: Any = object()


def read(stream: Any, schema: Any = None, *, asynchronous: bool | None = None, **settings: Any) -> Any:
    """Reads a stream of text, bytes, or what the client of a provider sends.

    A stream that can be read both ways, as LiteLLM's, is read async where an event loop runs, or as `asynchronous` says.
    """
    spec = spec_of(schema, settings)
    if isinstance(stream, (str, bytes, bytearray, memoryview)):
        return Reader([stream], spec)
    refuse(stream)
    is_async = hasattr(stream, "__aiter__") or inspect.isawaitable(stream) or hasattr(stream, "__aenter__")
    is_sync = hasattr(stream, "__iter__") or hasattr(stream, "__enter__")
    if is_async and is_sync:
        is_async = _in_a_loop() if asynchronous is None else asynchronous
    if is_async:
        return AsyncReader(stream, spec)
    if is_sync:
        return Reader(stream, spec)
    what = f"`{type(stream).__name__}` cannot be read: pass an iterable or async iterable of text, or a client's stream"
    raise SourceError(what)


def _in_a_loop() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


class _Reading:
    """What both readers have: looking at what was read."""

    _session: Any
    _split: Splitter
    spec: Any

    @property
    def value(self) -> Any:
        """The value so far, which grows in place; `None` before it begins.

        To look after each chunk costs what changed. The objects are alive: copy what has to stay as it is.
        """
        return self._session.value

    @property
    def facts(self) -> dict[str, Any]:
        """What the provider said about the answer: "usage", "stop_reason", "refusal"."""
        return self._split.facts

    @property
    def attempt(self) -> int:
        """The number of the request, from 1."""
        return int(self._session.attempt)

    def _part(self, path: str, type: Any) -> Any:
        """Makes the part at a path a value of a type; none for plain values."""
        return None if type is None else functools.partial(_typed, type, path)

    def _data(self, type: Any, partial: bool) -> Any:
        answer = self._session.answer
        calls = [] if answer.has_value else self._session.all_calls()
        if calls:
            names = ", ".join(f"`{call.name}`" for call in calls)
            raise NoValue(f"the answer has no value: the model called tools ({names})", answer=answer, value=None)
        refusal = self._split.refusal()
        if refusal is not None and not answer.has_value:
            what = f"the model refused, {beginning(refusal)}" if refusal else "the model refused"
            raise NoValue(f"the answer has no value: {what}", answer=answer, value=None)
        return data_of(answer, self.spec.type if type is None else type, partial=partial)

    def __repr__(self) -> str:
        try:
            text = repr(self._session.copy())
        except BusyError:  # another thread reads
            text = "…"
        value = text if len(text) <= 80 else f"{text[:80]}…"
        return f"<{type(self).__name__} {self._session.state} {value}>"


def _typed(type: Any, path: str, value: Any) -> Any:
    return converted(value, type, None, path)


class Reader(_Reading):
    """Reads a stream. All verbs may be used at the same time; each reads on when it needs more.

    Leave the `with` block, or call `close`, to close the source.
    """

    def __init__(self, source: Any, spec: Any) -> None:
        self.spec = spec
        self._split = Splitter()
        self._opened = Opened(source)
        self._session = Session(spec, self._opened.items, self._split, spec.tool_types)
        self._main: Any = None

    def __iter__(self) -> Any:
        """The patches: every change of a field. If something was read before, the first patch is the value so far."""
        if self._main is None:
            self._main = self._session.patches()
        return self._main

    def patches(self, path: str | None = None) -> Any:
        """The patches at a path such as `rows[*].name`; all of them without one."""
        return self._session.patches(path)

    def events(self) -> Any:
        """All events: patches, text, reasoning, elements, notices."""
        return self._session.events()

    def get(self, path: str, type: Any = None, default: Any = _REQUIRED) -> Any:
        """Waits for one field to be complete, and returns it.

        A path with wildcards waits for the first field that matches. Raises `MissingError` if the answer ends without
        the field, unless there is a `default`, and `Truncated` if it was cut.
        """
        try:
            for item in self._session.get(path, self._part(path, type)):
                return item
        except MissingError:
            if default is _REQUIRED:
                raise
        return None if default is _REQUIRED else default

    def text(self, path: str) -> Any:
        """The text of one field, delta by delta, until it is complete. What was read before is the first delta."""
        return self._session.text(path)

    def values(self, path: str = "") -> Any:
        """The value of one field so far, after each chunk that changed it. Lists and objects grow in place."""
        return self._session.values(path)

    def each(self, path: str, type: Any = None, *, indexed: bool = False) -> Any:
        """The items of a list, each when it is complete. `indexed` gives (index, item), and corrected items again."""
        convert = self._part(f"{path}[*]", type)
        if convert is not None and indexed:
            inner = convert
            convert = lambda pair: (pair[0], inner(pair[1]))  # noqa: E731
        return self._session.each(path, indexed, convert)

    def reasoning(self) -> Any:
        """The model's reasoning, delta by delta."""
        return self._session.reasoning()

    def calls(self) -> Any:
        """The tool calls, each when it is complete."""
        return self._session.calls()

    def wire(self, protocol: str = "events", *, sse: bool = False, thread: str = "thread", run: str = "run") -> Any:
        """The events in a form that is sent on: "events", "compact", "ops", "json-patch", "ag-ui" or "ui-message"."""
        return self._session.wire(protocol, sse, thread, run)

    def answer(self) -> Any:
        """Reads to the end, and returns the answer with its outcome, notices and failures."""
        while self._session.answer is None:
            if not self._session.pull() and self._session.answer is None:
                raise ClosedError("the reader was closed; `value` has what was read")
        return self._session.answer

    def data(self, type: Any = None, *, partial: bool = False) -> Any:
        """Reads to the end, and returns the value as `type`, or as the type of the schema.

        Raises `Truncated`, `NoValue` or `Invalid`, each with the answer and the value in it.
        """
        self.answer()
        return self._data(type, partial)

    def close(self) -> None:
        """Closes the source. What was read stays readable."""
        self._session.close()
        self._opened.close()

    def __enter__(self) -> Reader:
        return self

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        self._session.close()
        try:
            self._opened.close(kind, error, trace)
        except Exception as failed:
            if error is None:
                raise
            note(error, failed)


class AsyncStream:
    """What a verb of an `AsyncReader` gives, item by item."""

    __slots__ = ("_reader", "_stream")

    def __init__(self, reader: AsyncReader, stream: Any) -> None:
        self._reader = reader
        self._stream = stream

    def __aiter__(self) -> AsyncStream:
        return self

    async def __anext__(self) -> Any:
        take = self._stream.take
        while True:
            item = take()
            if item is not None:
                return item[0]
            await self._reader._more()

    async def aclose(self) -> None:
        """Listens no more. The reader goes on."""
        self._stream.close()

    def __repr__(self) -> str:
        return repr(self._stream)


class AsyncReader(_Reading):
    """Reads an async stream. All verbs may be used at the same time, in any number of tasks.

    One task of the reader reads the source, only as far as somebody waits for more. So a task that is cancelled takes
    nothing from the others. Leave the `async with` block, or call `aclose`, to cancel the read and close the source.
    """

    def __init__(self, source: Any, spec: Any) -> None:
        self.spec = spec
        self._split = Splitter()
        self._opened = AsyncOpened(source)
        self._session = Session(spec, None, self._split, spec.tool_types)
        self._main: AsyncStream | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._task: asyncio.Task[None] | None = None
        self._demand: asyncio.Event | None = None
        self._waiters: set[asyncio.Future[None]] = set()

    def __aiter__(self) -> AsyncStream:
        """The patches: every change of a field. If something was read before, the first patch is the value so far."""
        if self._main is None:
            self._main = AsyncStream(self, self._session.patches())
        return self._main

    def patches(self, path: str | None = None) -> AsyncStream:
        """The patches at a path such as `rows[*].name`; all of them without one."""
        return AsyncStream(self, self._session.patches(path))

    def events(self) -> AsyncStream:
        """All events: patches, text, reasoning, elements, notices."""
        return AsyncStream(self, self._session.events())

    def get(self, path: str, type: Any = None, default: Any = _REQUIRED) -> Any:
        """Waits for one field to be complete, and returns it. A wrong path raises at once. See `Reader.get`."""
        return self._first(AsyncStream(self, self._session.get(path, self._part(path, type))), default)

    @staticmethod
    async def _first(stream: AsyncStream, default: Any) -> Any:
        try:
            async for item in stream:
                return item
        except MissingError:
            if default is _REQUIRED:
                raise
        return None if default is _REQUIRED else default

    def text(self, path: str) -> AsyncStream:
        """The text of one field, delta by delta, until it is complete. What was read before is the first delta."""
        return AsyncStream(self, self._session.text(path))

    def values(self, path: str = "") -> AsyncStream:
        """The value of one field so far, after each chunk that changed it. Lists and objects grow in place."""
        return AsyncStream(self, self._session.values(path))

    def each(self, path: str, type: Any = None, *, indexed: bool = False) -> AsyncStream:
        """The items of a list, each when it is complete. `indexed` gives (index, item), and corrected items again."""
        convert = self._part(f"{path}[*]", type)
        if convert is not None and indexed:
            inner = convert
            convert = lambda pair: (pair[0], inner(pair[1]))  # noqa: E731
        return AsyncStream(self, self._session.each(path, indexed, convert))

    def reasoning(self) -> AsyncStream:
        """The model's reasoning, delta by delta."""
        return AsyncStream(self, self._session.reasoning())

    def calls(self) -> AsyncStream:
        """The tool calls, each when it is complete."""
        return AsyncStream(self, self._session.calls())

    def wire(
        self, protocol: str = "events", *, sse: bool = False, thread: str = "thread", run: str = "run"
    ) -> AsyncStream:
        """The events in a form that is sent on: "events", "compact", "ops", "json-patch", "ag-ui" or "ui-message"."""
        return AsyncStream(self, self._session.wire(protocol, sse, thread, run))

    async def answer(self) -> Any:
        """Reads to the end, and returns the answer with its outcome, notices and failures."""
        while self._session.answer is None:
            if self._session.state == "failed":
                raise self._session.error
            if self._session.state == "closed":
                raise ClosedError("the reader was closed; `value` has what was read")
            await self._more()
        return self._session.answer

    async def data(self, type: Any = None, *, partial: bool = False) -> Any:
        """Reads to the end, and returns the value as `type`, or as the type of the schema. See `Reader.data`."""
        await self.answer()
        return self._data(type, partial)

    async def aclose(self) -> None:
        """Cancels the read, and closes the source. What was read stays readable."""
        await self._stopped()
        await self._opened.close()

    async def _stopped(self) -> None:
        self._session.close()
        task, self._task = self._task, None
        if task is not None and not task.done():
            task.cancel()
            await asyncio.wait([task])
        self._wake()

    async def __aenter__(self) -> AsyncReader:
        return self

    async def __aexit__(self, kind: Any, error: Any, trace: Any) -> None:
        await self._stopped()
        try:
            await self._opened.close(kind, error, trace)
        except Exception as failed:
            if error is None:
                raise
            note(error, failed)

    async def _more(self) -> None:
        """Waits until another item was read, or the end."""
        if self._session.state != "reading":
            return
        loop = asyncio.get_running_loop()
        if self._loop is not loop:
            if self._loop is not None:
                raise BusyError("the reader belongs to the event loop that read it first: use it there alone")
            self._loop, self._demand = loop, asyncio.Event()
        assert self._demand is not None
        self._demand.set()
        if self._task is None:
            self._task = loop.create_task(self._run(), name="patchwire reader")
        waiter: asyncio.Future[None] = loop.create_future()
        self._waiters.add(waiter)
        try:
            await waiter
        finally:
            self._waiters.discard(waiter)

    def _wake(self) -> None:
        waiters, self._waiters = self._waiters, set()
        for waiter in waiters:
            if not waiter.done():
                waiter.set_result(None)

    async def _run(self) -> None:
        """Reads the source, as far as somebody waits for more."""
        session, demand = self._session, self._demand
        assert demand is not None
        try:
            source = await self._opened.items()
            demand.clear()
            async for item in source:
                if not session.push(item):
                    self._split(item, session)
                self._wake()
                await demand.wait()
                demand.clear()
            session.finish()
        except PatchwireError as error:
            session.fail(error)
        except Exception as error:
            failed = SourceError(f"the source failed: {described(error)}; `reader.value` has what was read")
            failed.__cause__ = error
            session.fail(failed)
        except BaseException:
            session.close()
            raise
        finally:
            self._wake()
