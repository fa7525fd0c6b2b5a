"""Opening what a client gives, and closing it again: iterables, managers, and awaitables of both."""

from __future__ import annotations

import inspect
from collections.abc import AsyncIterable, AsyncIterator, Iterator, Mapping
from typing import Any

from ._errors import BusyError, PatchwireError, SourceError
from ._sources import is_whole_response

_TEXTS = (str, bytes, bytearray, memoryview)
_NOTHING = (None, None, None)


def described(error: BaseException) -> str:
    """The type of an exception, and its message if it has one."""
    text = str(error)
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def refuse(source: Any) -> None:
    """Raises if the source can be iterated and is no stream."""
    if is_whole_response(source) or isinstance(source, Mapping) and "choices" in source:
        raise SourceError("this is a whole response: ask the client for a stream (`stream=True`), or use `parse`")
    if isinstance(source, Mapping):
        raise SourceError("a dict is no stream: pass its text, or a list of such dicts if they are what a client sends")
    if hasattr(source, "_session"):
        raise SourceError("this is a reader already: use its own verbs, or pass what it reads")


def _unreadable(source: Any) -> SourceError:
    what = f"`{type(source).__name__}` cannot be read: pass an iterable or async iterable of text, or a client's stream"
    return SourceError(what)


def _not_opened(error: Exception) -> SourceError:
    return SourceError(f"the source cannot be opened: {described(error)}")


class Opened:
    """A source that is open: its items, and what closes it."""

    def __init__(self, source: Any) -> None:
        self._manager: Any = None
        self._source = source
        self.items: Any = None
        try:
            self.items = self._open(source)
        except PatchwireError:
            raise
        except Exception as error:
            raise _not_opened(error) from error

    def _open(self, source: Any) -> Iterator[Any]:
        if isinstance(source, _TEXTS):
            return iter([source])
        refuse(source)
        if not hasattr(source, "__iter__") and hasattr(source, "__enter__"):
            self._source = source.__enter__()
            self._manager = source
        if not hasattr(self._source, "__iter__"):
            self.close()
            raise _unreadable(self._source)
        return iter(self._source)

    def close(self, kind: Any = None, error: Any = None, trace: Any = None) -> None:
        """Closes the source. A manager hears of the exception that ended its block."""
        manager, self._manager = self._manager, None
        if manager is not None:
            manager.__exit__(kind, error, trace)
            return
        for source in (self._source, self.items):
            if getattr(source, "gi_running", False):
                what = "the source is being read, by another thread or by itself: it can be closed when it has given its item"
                raise BusyError(what)
            close = getattr(source, "close", None)
            if callable(close):
                close()
                return


class AsyncOpened:
    """An async source, which is opened when it is first read."""

    def __init__(self, source: Any) -> None:
        self._manager: Any = None
        self._source = source
        self._items: Any = None

    async def items(self) -> AsyncIterable[Any]:
        """Opens the source. A source that is not async is read all the same."""
        try:
            self._items = await self._open()
        except PatchwireError:
            raise
        except Exception as error:
            raise _not_opened(error) from error
        return self._items  # type: ignore[no-any-return]

    async def _open(self) -> AsyncIterable[Any]:
        source: Any = self._source
        if inspect.isawaitable(source):
            source = self._source = await source
        if isinstance(source, _TEXTS):
            return _each([source])
        refuse(source)
        if not hasattr(source, "__aiter__") and hasattr(source, "__aenter__"):
            self._manager = source
            source = self._source = await self._entered(source)
        if hasattr(source, "__aiter__"):
            return source.__aiter__()  # type: ignore[no-any-return]
        if hasattr(source, "__iter__"):
            return _each(source)
        await self.close()
        raise _unreadable(source)

    async def _entered(self, manager: Any) -> Any:
        try:
            return await manager.__aenter__()
        except BaseException:
            # What could not be entered is not left.
            self._manager = None
            raise

    async def close(self, kind: Any = None, error: Any = None, trace: Any = None) -> None:
        """Closes the source. A manager hears of the exception that ended its block."""
        sources, self._source, self._items = (self._source, self._items), None, None
        manager, self._manager = self._manager, None
        if manager is not None:
            await manager.__aexit__(kind, error, trace)
            return
        for source in sources:
            close = getattr(source, "aclose", None) or getattr(source, "close", None)
            if callable(close):
                closing = close()
                if inspect.isawaitable(closing):
                    await closing
                return


async def _each(items: Any) -> AsyncIterator[Any]:
    for item in items:
        yield item


def note(error: Any, failed: Exception) -> None:
    """Notes at the exception that ended a block that its source could not be closed either."""
    if hasattr(error, "add_note"):
        error.add_note(f"and the source could not be closed: {described(failed)}")
