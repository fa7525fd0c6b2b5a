"""Reads what a language model writes, field by field, while it is being written.

| to | see |
|---|---|
| read a stream | `read`, `Reader`, `AsyncReader` |
| push chunks | `Parser` |
| read a whole text | `loads`, `parse` |
| read a column of texts | `parse_arrow`, `arrow_type` |
| ask until an answer passes | `ask`, `Ask.validate` |
| say what is expected | `Spec`, `example`, `prompt` |
| test your own outputs | `check` |
| show an answer in a terminal | `live` |
"""

from ._core import (
    Answer,
    Call,
    Element,
    Event,
    Failure,
    Notice,
    Parser,
    Patch,
    Report,
    Spec,
    __version__,
    check,
    loads,
    parse,
)

# The rest is read when it is first used: an import of the package costs what the lines above cost.
_LATER = {
    "AsyncReader": "_reader",
    "AsyncStream": "_reader",
    "Reader": "_reader",
    "read": "_reader",
    "ArrowArray": "_core",
    "ArrowChunks": "_core",
    "ArrowType": "_core",
    "arrow_type": "_core",
    "parse_arrow": "_core",
    "Restart": "_values",
    "example": "_schema",
    "prompt": "_prompt",
    "ask": "_ask",
    "Ask": "_ask",
    "Attempt": "_ask",
    "Retry": "_ask",
    "Stop": "_ask",
    "live": "_live",
    "AnswerError": "_errors",
    "BusyError": "_errors",
    "ClosedError": "_errors",
    "ColumnError": "_errors",
    "InternalError": "_errors",
    "Invalid": "_errors",
    "MissingError": "_errors",
    "NoValue": "_errors",
    "PatchwireError": "_errors",
    "PathError": "_errors",
    "Rejected": "_errors",
    "SchemaError": "_errors",
    "SourceError": "_errors",
    "SpecError": "_errors",
    "StreamError": "_errors",
    "Truncated": "_errors",
}

__all__ = [
    "Answer",
    "Call",
    "Element",
    "Event",
    "Failure",
    "Notice",
    "Parser",
    "Patch",
    "Report",
    "Spec",
    "__version__",
    "check",
    "loads",
    "parse",
    *_LATER,
]


def __getattr__(name):
    module = _LATER.get(name)
    if module is None:
        raise AttributeError(f"module 'patchwire' has no attribute {name!r}")
    from importlib import import_module

    found = getattr(import_module(f"patchwire.{module}"), name)
    globals()[name] = found
    return found


def __dir__():
    return sorted(__all__)
