"""Sources are opened and closed, whatever they are and whatever happens."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any

import pytest

import patchwire as pw


class Tokens:
    """A stream that knows whether it was closed."""

    def __init__(self, *items: Any) -> None:
        self.items, self.closed = items, 0

    def __iter__(self) -> Iterator[Any]:
        yield from self.items

    def close(self) -> None:
        self.closed += 1


class AsyncTokens:
    """The same, async."""

    def __init__(self, *items: Any) -> None:
        self.items, self.closed = items, 0

    async def __aiter__(self) -> AsyncIterator[Any]:
        for item in self.items:
            await asyncio.sleep(0)
            yield item

    async def close(self) -> None:
        self.closed += 1


class Manager:
    """A request that is sent when its block begins, as Anthropic's `messages.stream`."""

    def __init__(self, stream: Any) -> None:
        self.stream, self.left = stream, []  # type: ignore[var-annotated]

    def __enter__(self) -> Any:
        if isinstance(self.stream, Exception):
            raise self.stream
        return self.stream

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        self.left.append(kind)


class AsyncManager:
    def __init__(self, stream: Any) -> None:
        self.stream, self.left = stream, []  # type: ignore[var-annotated]

    async def __aenter__(self) -> Any:
        if isinstance(self.stream, Exception):
            raise self.stream
        return self.stream

    async def __aexit__(self, kind: Any, error: Any, trace: Any) -> None:
        self.left.append(kind)


def test_each_attempt_closes_its_stream() -> None:
    sent: list[Any] = []

    def send(attempt: pw.Attempt) -> Any:
        sent.append(Tokens('{"ok":', "true}" if attempt.number > 1 else "false}"))
        return sent[-1]

    def accepted(value: Any) -> None:
        assert value["ok"], "not ok"

    assert pw.ask(send, validators=[accepted]).data() == {"ok": True}
    assert [stream.closed for stream in sent] == [1, 1]
    with pw.ask(send) as asked:
        next(iter(asked))
    assert sent[-1].closed == 1


def test_each_attempt_closes_its_async_stream() -> None:
    sent: list[Any] = []

    async def send(attempt: pw.Attempt) -> Any:
        sent.append(AsyncTokens('{"ok":', "true}" if attempt.number > 1 else "false}"))
        return sent[-1]

    async def main() -> None:
        asked = pw.ask(send, validators=[lambda value: value["ok"]])
        assert await asked.data() == {"ok": True} and [stream.closed for stream in sent] == [1, 1]
        async with pw.ask(send) as asked:
            await anext(aiter(asked))
        assert sent[-1].closed == 1

    asyncio.run(main())


def test_a_generator_is_closed_while_it_waits() -> None:
    states: list[str] = []

    async def endless() -> AsyncIterator[str]:
        try:
            yield '{"a":1,'
            await asyncio.sleep(60)
        finally:
            states.append("closed")

    async def send(attempt: pw.Attempt) -> Any:
        return endless()

    async def main() -> None:
        async with pw.ask(send) as asked:
            assert await asked.get("a") == 1
        assert states == ["closed"]

    asyncio.run(main())


def test_requests_may_give_managers_and_text() -> None:
    manager = Manager(Tokens("[1]"))
    assert pw.ask(lambda _: manager).data() == [1] and manager.left == [None]
    assert pw.ask(lambda _: "[2]").data() == [2]

    async def send(attempt: pw.Attempt) -> Any:
        return other

    async def main() -> Any:
        return await pw.ask(send).data()

    other: Any = AsyncManager(AsyncTokens("[3]"))
    assert asyncio.run(main()) == [3] and other.left == [None]
    other = Tokens("[4]")
    assert asyncio.run(main()) == [4] and other.closed == 1
    other = "[5]"
    assert asyncio.run(main()) == [5]


def test_a_manager_hears_of_the_exception() -> None:
    manager = Manager(Tokens("[1,", "2]"))
    with pytest.raises(KeyError), pw.read(manager) as reader:
        next(iter(reader))
        raise KeyError
    assert manager.left == [KeyError]
    assert pw.read(Manager(Tokens("[1]"))).data() == [1]

    async def main() -> list[Any]:
        manager = AsyncManager(AsyncTokens("[1,", "2]"))
        with pytest.raises(KeyError):
            async with pw.read(manager) as reader:
                await anext(aiter(reader))
                raise KeyError
        return manager.left

    assert asyncio.run(main()) == [KeyError]


def test_sources_that_cannot_be_opened() -> None:
    with pytest.raises(pw.SourceError, match="cannot be opened: OSError: dead") as raised:
        pw.read(Manager(OSError("dead")))
    assert isinstance(raised.value.__cause__, OSError)
    manager = Manager(7)
    with pytest.raises(pw.SourceError, match="`int` cannot be read"):
        pw.read(manager)
    assert manager.left == [None]

    class Broken:
        def __iter__(self) -> Any:
            raise OSError("dead")

    with pytest.raises(pw.SourceError, match="cannot be opened: OSError: dead"):
        pw.read(Broken())

    async def main(source: Any) -> Any:
        return await pw.read(source).data()

    with pytest.raises(pw.SourceError, match="cannot be opened: OSError: dead") as raised:
        asyncio.run(main(AsyncManager(OSError("dead"))))
    assert isinstance(raised.value.__cause__, OSError)
    with pytest.raises(pw.SourceError, match="`int` cannot be read"):
        asyncio.run(main(AsyncManager(7)))


def test_what_a_coroutine_returns_is_read() -> None:
    async def main(given: Any) -> Any:
        async def request() -> Any:
            return given

        return await pw.read(request()).data()

    assert asyncio.run(main("[1]")) == [1]
    assert asyncio.run(main(iter(["[", "2]"]))) == [2]
    with pytest.raises(pw.SourceError, match="whole response"):
        asyncio.run(main({"choices": [{"message": {"content": "[1]"}}]}))


def test_what_is_no_stream() -> None:
    with pytest.raises(pw.SourceError, match="a dict is no stream"):
        pw.read({"a": 1})
    with pytest.raises(pw.SourceError, match="a reader already"):
        pw.read(pw.read(["[1]"]))


def test_the_exception_of_a_block_outlives_a_close_that_fails() -> None:
    class Sticky(Tokens):
        def close(self) -> None:
            raise OSError("still open")

    with pytest.raises(KeyError), pw.read(Sticky("[1]")):
        raise KeyError
    with pytest.raises(OSError), pw.read(Sticky("[1]")):
        pass


def test_closing_while_another_thread_reads() -> None:
    waits, goes = threading.Event(), threading.Event()

    def slow() -> Iterator[str]:
        yield "[1,"
        waits.set()
        goes.wait(10)
        yield "2]"

    reader = pw.read(slow())
    failed: list[BaseException] = []

    def drain(action: Callable[[], Any]) -> None:
        try:
            action()
        except BaseException as error:  # noqa: BLE001
            failed.append(error)

    thread = threading.Thread(target=drain, args=[reader.data])
    thread.start()
    waits.wait(10)
    with pytest.raises(pw.BusyError, match="can be closed when it has given its item"):
        reader.close()
    goes.set()
    thread.join(10)
    assert [type(error) for error in failed] == [pw.ClosedError]
    reader.close()


def test_one_event_loop_reads() -> None:
    class Slow(AsyncTokens):
        async def __aiter__(self) -> AsyncIterator[Any]:
            yield '{"a":1,'
            await asyncio.sleep(60)

    reader = pw.read(Slow())

    async def elsewhere() -> None:
        with pytest.raises(pw.BusyError, match="belongs to the event loop"):
            await asyncio.wait_for(reader.get("b"), 5)

    async def main() -> None:
        assert await reader.get("a") == 1
        await asyncio.to_thread(asyncio.run, elsewhere())
        await reader.aclose()

    asyncio.run(main())
