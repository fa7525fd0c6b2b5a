"""The exceptions of the package. All are a `PatchwireError`."""

from __future__ import annotations

from typing import Any


class PatchwireError(Exception):
    """Whatever this package raises. Its attributes say more than its message."""

    def __init__(self, message: str = "", **attributes: Any) -> None:
        super().__init__(message)
        self.__dict__.update(attributes)

    def __reduce__(self) -> Any:
        attributes = dict(self.__dict__)
        answer = attributes.get("answer")
        if answer is not None:
            try:
                answer.__reduce__()
            except SpecError:
                # Its bytes were not kept. The error matters more than the answer in it.
                attributes["answer"] = None
        return _restored, (type(self), str(self), attributes)


def _restored(kind: type[PatchwireError], message: str, attributes: dict[str, Any]) -> PatchwireError:
    return kind(message, **attributes)


class SpecError(PatchwireError, ValueError):
    """Settings that do not exist, contradict each other, or are too large."""


class SchemaError(SpecError):
    """A schema that cannot be read. The message has the reason and the place."""


class PathError(PatchwireError, LookupError):
    """A path that cannot be parsed, that the schema does not have, or that leads to no value of the kind that was asked for."""


class MissingError(PathError):
    """The answer ended without a value at this path."""


class ColumnError(PatchwireError, TypeError):
    """A column that cannot be read: no Arrow, no strings, or too large for one batch. A row is never the reason."""


class StreamError(PatchwireError):
    """The stream cannot be read on: a limit was reached, or strict reading found an error."""

    code: str
    """The stable name, such as "limit_depth"."""
    offset: int
    """The byte at which the stream stopped."""
    value: Any
    """What was read."""
    patches: list[Any]
    """What `Parser.feed` or `finish` would have returned without the error."""
    lines: str
    """What `Parser.feed_lines` or `finish_lines` would have returned, and the line of the error."""


class SourceError(PatchwireError):
    """The source raised, or gave something that is no text. `__cause__` has the exception of the source."""


class BusyError(PatchwireError, RuntimeError):
    """The reader is reading already, in another thread or further up in this one."""


class ClosedError(PatchwireError, RuntimeError):
    """The reader was closed before the end."""


class AnswerError(PatchwireError, ValueError):
    """The answer is not what was asked for. It holds what there is."""

    answer: Any
    """The answer, with text, reasoning and notices."""
    value: Any
    """The value, as far as it came."""


class Truncated(AnswerError):
    """The answer was cut. `data(partial=True)` accepts what arrived."""

    path: str
    """The path of the value that was being written; empty if none is known."""


class NoValue(AnswerError):
    """The model wrote prose, reasoning, tool calls or nothing, and no value."""


class Invalid(AnswerError):
    """A check failed, or the value does not fit the type."""

    errors: list[Any]
    """The failures of the schema, or the errors of Pydantic."""


class Rejected(AnswerError):
    """No attempt of `ask` was accepted."""

    reasons: list[str]
    """Why the last answer was not accepted."""
    attempts: int
    """How many requests were made."""


class InternalError(PatchwireError):
    """A bug in this package. Please report the input."""
