from collections.abc import AsyncIterable, AsyncIterator, Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from os import PathLike
from types import TracebackType
from typing import Any, Generic, Literal, Protocol, TypeVar, overload

from ._ask import Attempt as Attempt
from ._ask import Retry as Retry
from ._ask import Stop as Stop
from ._core import Answer as Answer
from ._core import ArrowArray as ArrowArray
from ._core import ArrowChunks as ArrowChunks
from ._core import ArrowType as ArrowType
from ._core import Call as Call
from ._core import Element as Element
from ._core import Event as Event
from ._core import Failure as Failure
from ._core import Notice as Notice
from ._core import Parser as Parser
from ._core import Patch as Patch
from ._core import Report as Report
from ._core import Spec as Spec
from ._core import __version__ as __version__
from ._core import arrow_type as arrow_type
from ._core import check as check
from ._core import loads as loads
from ._core import parse as parse
from ._core import parse_arrow as parse_arrow
from ._errors import AnswerError as AnswerError
from ._errors import BusyError as BusyError
from ._errors import ClosedError as ClosedError
from ._errors import ColumnError as ColumnError
from ._errors import InternalError as InternalError
from ._errors import Invalid as Invalid
from ._errors import MissingError as MissingError
from ._errors import NoValue as NoValue
from ._errors import PatchwireError as PatchwireError
from ._errors import PathError as PathError
from ._errors import Rejected as Rejected
from ._errors import SchemaError as SchemaError
from ._errors import SourceError as SourceError
from ._errors import SpecError as SpecError
from ._errors import StreamError as StreamError
from ._errors import Truncated as Truncated
from ._live import live as live
from ._prompt import prompt as prompt
from ._schema import example as example
from ._values import Restart as Restart

T = TypeVar("T")
U = TypeVar("U")
T_co = TypeVar("T_co", covariant=True)

WireForm = Literal["events", "compact", "ops", "json-patch", "ag-ui", "ui-message"]
Tags = str | Mapping[str, Any] | PathLike[str] | Sequence[str | Mapping[str, Any] | PathLike[str]]
Tools = Mapping[str, Any] | Sequence[Any]

class _Manager(Protocol[T_co]):
    def __enter__(self) -> T_co: ...
    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None, /
    ) -> object: ...

class _AsyncManager(Protocol[T_co]):
    async def __aenter__(self) -> T_co: ...
    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None, /
    ) -> object: ...

Source = Iterable[Any] | _Manager[Iterable[Any]]
AsyncSource = AsyncIterable[Any] | Awaitable[AsyncIterable[Any]] | _AsyncManager[AsyncIterable[Any]]

class AsyncStream(AsyncIterator[T]):
    def __aiter__(self) -> AsyncStream[T]: ...
    async def __anext__(self) -> T: ...
    async def aclose(self) -> None: ...

class Reader(Generic[T]):
    spec: Spec
    @property
    def value(self) -> Any: ...
    @property
    def facts(self) -> dict[str, Any]: ...
    @property
    def attempt(self) -> int: ...
    def __iter__(self) -> Iterator[Patch]: ...
    def patches(self, path: str | None = None) -> Iterator[Patch]: ...
    def events(self) -> Iterator[Patch | Notice | Failure | Event]: ...
    @overload
    def get(self, path: str, type: type[U], default: U = ...) -> U: ...
    @overload
    def get(self, path: str, type: Any = None, default: Any = ...) -> Any: ...
    def text(self, path: str) -> Iterator[str]: ...
    def values(self, path: str = "") -> Iterator[Any]: ...
    @overload
    def each(self, path: str, type: type[U], *, indexed: Literal[True]) -> Iterator[tuple[int, U]]: ...
    @overload
    def each(self, path: str, type: Any = None, *, indexed: Literal[True]) -> Iterator[tuple[int, Any]]: ...
    @overload
    def each(self, path: str, type: type[U], *, indexed: Literal[False] = False) -> Iterator[U]: ...
    @overload
    def each(self, path: str, type: Any = None, *, indexed: Literal[False] = False) -> Iterator[Any]: ...
    def reasoning(self) -> Iterator[str]: ...
    def calls(self) -> Iterator[Call]: ...
    def wire(
        self, protocol: WireForm = "events", *, sse: bool = False, thread: str = "thread", run: str = "run"
    ) -> Iterator[str]: ...
    def answer(self) -> Answer: ...
    @overload
    def data(self, *, partial: bool = False) -> T: ...
    @overload
    def data(self, type: type[U], *, partial: bool = False) -> U: ...
    @overload
    def data(self, type: Any, *, partial: bool = False) -> Any: ...
    def close(self) -> None: ...
    def __enter__(self) -> Reader[T]: ...
    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None, /
    ) -> None: ...

class AsyncReader(Generic[T]):
    spec: Spec
    @property
    def value(self) -> Any: ...
    @property
    def facts(self) -> dict[str, Any]: ...
    @property
    def attempt(self) -> int: ...
    def __aiter__(self) -> AsyncStream[Patch]: ...
    def patches(self, path: str | None = None) -> AsyncStream[Patch]: ...
    def events(self) -> AsyncStream[Patch | Notice | Failure | Event]: ...
    @overload
    async def get(self, path: str, type: type[U], default: U = ...) -> U: ...
    @overload
    async def get(self, path: str, type: Any = None, default: Any = ...) -> Any: ...
    def text(self, path: str) -> AsyncStream[str]: ...
    def values(self, path: str = "") -> AsyncStream[Any]: ...
    @overload
    def each(self, path: str, type: type[U], *, indexed: Literal[True]) -> AsyncStream[tuple[int, U]]: ...
    @overload
    def each(self, path: str, type: Any = None, *, indexed: Literal[True]) -> AsyncStream[tuple[int, Any]]: ...
    @overload
    def each(self, path: str, type: type[U], *, indexed: Literal[False] = False) -> AsyncStream[U]: ...
    @overload
    def each(self, path: str, type: Any = None, *, indexed: Literal[False] = False) -> AsyncStream[Any]: ...
    def reasoning(self) -> AsyncStream[str]: ...
    def calls(self) -> AsyncStream[Call]: ...
    def wire(
        self, protocol: WireForm = "events", *, sse: bool = False, thread: str = "thread", run: str = "run"
    ) -> AsyncStream[str]: ...
    async def answer(self) -> Answer: ...
    @overload
    async def data(self, *, partial: bool = False) -> T: ...
    @overload
    async def data(self, type: type[U], *, partial: bool = False) -> U: ...
    @overload
    async def data(self, type: Any, *, partial: bool = False) -> Any: ...
    async def aclose(self) -> None: ...
    async def __aenter__(self) -> AsyncReader[T]: ...
    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None, /
    ) -> None: ...

class Ask(Reader[T]):
    def validate(self, check: Callable[[T], Any]) -> Callable[[T], Any]: ...

class AsyncAsk(AsyncReader[T]):
    def validate(self, check: Callable[[T], Any]) -> Callable[[T], Any]: ...

@overload
def read(stream: Source, schema: type[T], *, asynchronous: bool | None = None, **settings: Any) -> Reader[T]: ...
@overload
def read(stream: Source, schema: Any = None, *, asynchronous: bool | None = None, **settings: Any) -> Reader[Any]: ...
@overload
def read(stream: AsyncSource, schema: type[T], *, asynchronous: bool | None = None, **settings: Any) -> AsyncReader[T]: ...
@overload
def read(stream: AsyncSource, schema: Any = None, *, asynchronous: bool | None = None, **settings: Any) -> AsyncReader[Any]: ...

_Send = Callable[[Attempt], Iterable[Any]]
_AsyncSend = Callable[[Attempt], Awaitable[AsyncIterable[Any] | Iterable[Any]] | AsyncIterable[Any]]

@overload
def ask(
    send: _AsyncSend,
    schema: type[T],
    *,
    prompt: str = "",
    max_retries: int = 3,
    validators: Iterable[Callable[..., Any]] = (),
    on_exhausted: Literal["fail", "last"] = "fail",
    calls_are_answers: bool = False,
    asynchronous: bool | None = None,
    **settings: Any,
) -> AsyncAsk[T]: ...
@overload
def ask(
    send: _AsyncSend,
    schema: Any = None,
    *,
    prompt: str = "",
    max_retries: int = 3,
    validators: Iterable[Callable[..., Any]] = (),
    on_exhausted: Literal["fail", "last"] = "fail",
    calls_are_answers: bool = False,
    asynchronous: bool | None = None,
    **settings: Any,
) -> AsyncAsk[Any]: ...
@overload
def ask(
    send: _Send,
    schema: type[T],
    *,
    prompt: str = "",
    max_retries: int = 3,
    validators: Iterable[Callable[..., Any]] = (),
    on_exhausted: Literal["fail", "last"] = "fail",
    calls_are_answers: bool = False,
    asynchronous: bool | None = None,
    **settings: Any,
) -> Ask[T]: ...
@overload
def ask(
    send: _Send,
    schema: Any = None,
    *,
    prompt: str = "",
    max_retries: int = 3,
    validators: Iterable[Callable[..., Any]] = (),
    on_exhausted: Literal["fail", "last"] = "fail",
    calls_are_answers: bool = False,
    asynchronous: bool | None = None,
    **settings: Any,
) -> Ask[Any]: ...
