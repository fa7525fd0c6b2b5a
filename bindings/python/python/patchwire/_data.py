"""Values as types: models of Pydantic, dataclasses, TypedDicts, structs of msgspec."""

from __future__ import annotations

import dataclasses
import datetime
import decimal
import enum
import json
import sys
import types
import typing
import uuid
from typing import Any

from ._errors import Invalid, NoValue, Truncated
from ._schema import _hints, _name, is_required, is_typed_dict, uses_pydantic

_QUOTED = 60


def data_of(answer: Any, type: Any = None, *, partial: bool = False) -> Any:
    """The value of an answer as a type; a plain value without one."""
    if not answer.has_value:
        raise no_value(answer)
    if answer.outcome == "truncated" and not partial:
        path = cut_path(answer)
        where = f" inside `{path}`" if path else ""
        what = f"the answer was cut{where}; `value` has what arrived, and `data(partial=True)` accepts it"
        raise Truncated(what, answer=answer, value=answer.value, path=path)
    failures = answer.failures
    if failures and not partial:
        what = "; ".join(failure.message for failure in failures)
        raise Invalid(what, answer=answer, value=answer.value, errors=failures)
    return converted(answer.value, type, answer)


def cut_path(answer: Any) -> str:
    """The path of the value that was being written when the answer was cut."""
    cuts = [notice.path for notice in answer.notices if notice.code == "truncated"]
    return cuts[-1] if cuts else ""


def no_value(answer: Any) -> NoValue:
    """Says what the model wrote in place of a value, and quotes its first words."""
    text, reasoning = answer.text.strip(), answer.reasoning.strip()
    if answer.outcome == "tool_calls":
        what = "the model called tools (" + ", ".join(f"`{call.name}`" for call in answer.calls) + ")"
    elif text:
        what = f"the model wrote only text, {beginning(text)}"
    elif reasoning:
        what = f"the model wrote only reasoning, {beginning(reasoning)}"
    else:
        what = "the model wrote nothing"
    return NoValue(f"the answer has no value: {what}", answer=answer, value=None)


def beginning(text: str) -> str:
    line = " ".join(text.split())
    return f"which is “{line}”" if len(line) <= _QUOTED else f"which begins “{line[:_QUOTED]}…”"


def converted(value: Any, type: Any, answer: Any = None, path: str = "") -> Any:
    """A plain value as a type. Raises `Invalid`, which holds the plain value."""
    if type is None:
        return value
    try:
        return _as_type(value, type, answer if path == "" else None)
    except _Misfit as misfit:
        place = _joined(path, misfit.path)
        what = f"`{place}` {misfit}" if place else f"the value {misfit}"
        raise Invalid(what, answer=answer, value=value, errors=[what]) from misfit.__cause__
    except Exception as error:
        if not _is_validation_error(error):
            raise
        listed: Any = getattr(error, "errors", None)
        errors = listed() if callable(listed) else [str(error)]
        raise Invalid(str(error), answer=answer, value=value, errors=errors) from error


def _joined(path: str, below: str) -> str:
    return f"{path}{'' if not path or not below or below.startswith('[') else '.'}{below}"


def _is_validation_error(error: Exception) -> bool:
    return type(error).__name__ == "ValidationError"


def _as_type(value: Any, of: Any, answer: Any) -> Any:
    # Models read JSON: what they take from text differs from what they take from objects.
    def text() -> Any:
        return json.dumps(value) if answer is None else answer.to_json()

    if hasattr(of, "model_validate_json"):
        return of.model_validate_json(text())
    if hasattr(of, "validate_json"):
        return of.validate_json(text())
    if hasattr(of, "__struct_fields__"):
        import msgspec

        return msgspec.json.decode(text(), type=of)
    if "pydantic" in sys.modules and uses_pydantic(of):
        import pydantic

        adapter: Any = pydantic.TypeAdapter(of)
        return adapter.validate_json(text())
    return build(value, of, "")


class _Misfit(Exception):
    """A value that does not fit a type."""

    def __init__(self, path: str, message: str) -> None:
        super().__init__(message)
        self.path = path


def build(value: Any, of: Any, path: str) -> Any:
    """A value as a type of the standard library."""
    if of in (Any, object) or of is None and value is None:
        return value
    origin, arguments = typing.get_origin(of), typing.get_args(of)
    if origin is typing.Annotated or _name(origin) in ("Required", "NotRequired", "ReadOnly"):
        return build(value, arguments[0], path)
    if origin is typing.Literal:
        for one in arguments:
            plain = one.value if isinstance(one, enum.Enum) else one
            # `True` is not 1 in JSON.
            if value == plain and isinstance(value, bool) == isinstance(plain, bool):
                return one
        raise _Misfit(path, f"should be one of {', '.join(map(repr, arguments))}, and is {value!r}")
    if origin in (typing.Union, types.UnionType):
        return _first_that_fits(value, arguments, path)
    if origin is dict:
        _expect(value, dict, path)
        of_key, of_item = arguments or (str, Any)
        return {_key(key, of_key, path): build(item, of_item, _joined(path, key)) for key, item in value.items()}
    if origin is tuple and arguments and arguments[-1] is not ...:
        _expect(value, list, path)
        if len(value) != len(arguments):
            raise _Misfit(path, f"should have {len(arguments)} items, and has {len(value)}")
        return tuple(build(item, part, f"{path}[{at}]") for at, (item, part) in enumerate(zip(value, arguments)))
    if origin in (list, tuple, set, frozenset) or origin is not None and arguments:
        return _items(value, origin, arguments, path)
    return _plain(value, of, path)


def _items(value: Any, origin: Any, arguments: tuple[Any, ...], path: str) -> Any:
    if origin not in (list, tuple, set, frozenset) and len(arguments) == 2:
        return build(value, types.GenericAlias(dict, arguments), path)
    _expect(value, list, path)
    of_item = arguments[0] if arguments else Any
    items = [build(item, of_item, f"{path}[{at}]") for at, item in enumerate(value)]
    if origin not in (tuple, set, frozenset):
        return items
    try:
        return origin(items)
    except TypeError as error:
        raise _Misfit(path, f"cannot be a {origin.__name__}: {error}") from error


def _key(key: str, of: Any, path: str) -> Any:
    """A key as the type of keys. In JSON all are texts."""
    if of is str or of is Any:
        return key
    try:
        return build(int(key) if of is int else float(key) if of is float else key, of, path)
    except ValueError as error:
        raise _Misfit(_joined(path, key), f"should have {_NAMES[of]} as its name") from error


def _first_that_fits(value: Any, parts: tuple[Any, ...], path: str) -> Any:
    misfits: list[_Misfit] = []
    for part in parts:
        try:
            return build(value, part, path)
        except _Misfit as misfit:
            misfits.append(misfit)
    # The misfit that is deepest says most.
    raise max(misfits, key=lambda misfit: len(misfit.path))


_NAMES = {dict: "an object", list: "a list", str: "a string", int: "an integer", float: "a number", bool: "true or false"}


def _expect(value: Any, kind: type, path: str) -> None:
    if not isinstance(value, kind):
        raise _Misfit(path, f"should be {_NAMES.get(kind, kind.__name__)}, and is {value!r}")


_TEXTS: dict[type, Any] = {
    datetime.datetime: lambda text: datetime.datetime.fromisoformat(text.replace("Z", "+00:00")),
    datetime.date: datetime.date.fromisoformat,
    datetime.time: datetime.time.fromisoformat,
    uuid.UUID: uuid.UUID,
}


def _plain(value: Any, of: Any, path: str) -> Any:
    if of is type(None):
        if value is not None:
            raise _Misfit(path, f"should be null, and is {value!r}")
        return None
    if of in (int, float, decimal.Decimal):
        if isinstance(value, bool) or not isinstance(value, int if of is int else (int, float)):
            raise _Misfit(path, f"should be {'an integer' if of is int else 'a number'}, and is {value!r}")
        return decimal.Decimal(str(value)) if of is decimal.Decimal else of(value)
    if of in _TEXTS:
        _expect(value, str, path)
        try:
            return _TEXTS[of](value)
        except ValueError as error:
            raise _Misfit(path, f"should be a {of.__name__}: {error}") from error
    if isinstance(of, type) and issubclass(of, enum.Enum):
        try:
            return of(value)
        except ValueError:
            values = ", ".join(repr(member.value) for member in of)
            raise _Misfit(path, f"should be one of {values}, and is {value!r}") from None
    if dataclasses.is_dataclass(of) or is_typed_dict(of):
        return _object(value, of, path)
    _expect(value, of, path)
    return value


def _object(value: Any, of: Any, path: str) -> Any:
    _expect(value, dict, path)
    hints = _hints(of)
    if is_typed_dict(of):
        names = list(hints)
        needed = {name for name in names if is_required(of, name, hints)}
    else:
        fields = [field for field in dataclasses.fields(of) if field.init]
        names = [field.name for field in fields]
        missing = dataclasses.MISSING
        needed = {f.name for f in fields if f.default is missing and f.default_factory is missing}
    members = {
        name: build(value[name], hints[name], _joined(path, name)) for name in names if name in value
    }
    for name in names:
        if name in needed and name not in members:
            raise _Misfit(_joined(path, name), "is missing")
    if is_typed_dict(of):
        return members
    try:
        return of(**members)
    # What a class checks itself says why it was not accepted.
    except Exception as error:
        raise _Misfit(path, f"is not accepted by `{of.__name__}`: {error}") from error
