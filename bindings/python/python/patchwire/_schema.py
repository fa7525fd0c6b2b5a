"""Schemas from what programs have: JSON Schema, the output DSL, examples, and types."""

from __future__ import annotations

import dataclasses
import datetime
import decimal
import enum
import json
import types
import typing
import uuid
from typing import Any, NamedTuple

from ._errors import SchemaError


class ReadSchema(NamedTuple):
    """A schema as a form and a text, and the type of the value if there is one."""

    text: tuple[str, str]
    type: Any


class Example:
    """A value that looks like the answer. Made by `example`."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value

    def __repr__(self) -> str:
        return f"example({self.value!r})"


def example(value: Any) -> Example:
    """A schema from a value that looks like the answer: `example({"title": "Spring", "n": 3})`.

    Every member of an object is declared. The items of a list take the type of the items of the example.
    """
    return Example(value)


def as_schema(schema: Any) -> ReadSchema:
    """Reads a schema of any kind."""
    if isinstance(schema, str):
        return ReadSchema(("auto", schema), None)
    if isinstance(schema, Example):
        return _json_schema(_of_value(schema.value), None)
    if isinstance(schema, (dict, list, bool)):
        try:
            return ReadSchema(("auto", json.dumps(schema)), None)
        except (TypeError, ValueError) as error:
            what = "a schema as a dict has only what JSON has; for types write the type itself, for values `example(…)`"
            raise SchemaError(f"{what}: {error}") from error
    if not isinstance(schema, type) and (dataclasses.is_dataclass(schema) or hasattr(schema, "model_json_schema")):
        # An object is an example of its own type.
        schema = type(schema)
    return _of_type(schema)


def _json_schema(schema: Any, of: Any) -> ReadSchema:
    return ReadSchema(("json_schema", json.dumps(schema)), of)


def _of_type(schema: Any) -> ReadSchema:
    try:
        return _json_schema(_written(schema), schema)
    except SchemaError:
        raise
    # Libraries of models have exceptions of their own.
    except Exception as error:
        raise SchemaError(f"a schema cannot be made of `{_shown(schema)}`: {error}") from error


def _written(schema: Any) -> Any:
    """A type as JSON Schema."""
    if hasattr(schema, "model_json_schema"):
        return schema.model_json_schema()
    if hasattr(schema, "json_schema") and hasattr(schema, "validate_json"):
        return schema.json_schema()
    if hasattr(schema, "__struct_fields__"):
        import msgspec

        return msgspec.json.schema(schema)
    if uses_pydantic(schema):
        import pydantic

        return pydantic.TypeAdapter(schema).json_schema()
    return TypeWriter().written(schema)


def _shown(schema: Any) -> str:
    return schema.__name__ if isinstance(schema, type) else repr(schema)


def is_typed_dict(of: Any) -> bool:
    """Whether a class is a TypedDict, be it of `typing` or of `typing_extensions`."""
    return isinstance(of, type) and issubclass(of, dict) and hasattr(of, "__required_keys__")


def uses_pydantic(schema: Any, seen: set[int] | None = None) -> bool:
    """Whether a type is Pydantic's, or has one of Pydantic's in it."""
    seen = set() if seen is None else seen
    if id(schema) in seen:
        return False
    seen.add(id(schema))
    # A model, a type of Pydantic, or what an `Annotated` says to it.
    if hasattr(schema, "__get_pydantic_core_schema__") or type(schema).__module__.startswith(("pydantic.", "annotated_types")):
        return True
    parts: list[Any] = list(typing.get_args(schema))
    if isinstance(schema, type) and (dataclasses.is_dataclass(schema) or is_typed_dict(schema)):
        parts.extend(_hints(schema).values())
    return any(uses_pydantic(part, seen) for part in parts)


def _hints(of: Any) -> dict[str, Any]:
    try:
        return typing.get_type_hints(of, include_extras=True)
    except NameError as error:
        raise SchemaError(f"a type in `{of.__name__}` cannot be found: {error}") from error


_SIMPLE: dict[Any, dict[str, Any]] = {
    str: {"type": "string"},
    int: {"type": "integer"},
    float: {"type": "number"},
    bool: {"type": "boolean"},
    type(None): {"type": "null"},
    None: {"type": "null"},
    Any: {},
    object: {},
    dict: {"type": "object"},
    list: {"type": "array"},
    decimal.Decimal: {"type": "number"},
    datetime.datetime: {"type": "string", "format": "date-time"},
    datetime.date: {"type": "string", "format": "date"},
    datetime.time: {"type": "string", "format": "time"},
    uuid.UUID: {"type": "string", "format": "uuid"},
}
_LISTS = (list, tuple, set, frozenset)


class TypeWriter:
    """Writes dataclasses, TypedDicts and the types of the standard library as JSON Schema."""

    def __init__(self) -> None:
        self._names: dict[Any, str] = {}
        self._definitions: dict[str, Any] = {}

    def written(self, of: Any) -> dict[str, Any]:
        schema = self._type(of)
        return {**schema, "$defs": self._definitions} if self._definitions else schema

    def _type(self, of: Any) -> dict[str, Any]:
        try:
            simple = _SIMPLE.get(of)
        except TypeError:
            simple = None
        if simple is not None:
            return dict(simple)
        origin, arguments = typing.get_origin(of), typing.get_args(of)
        if origin is typing.Annotated:
            return self._annotated(arguments)
        if origin is typing.Literal:
            return {"enum": [one.value if isinstance(one, enum.Enum) else one for one in arguments]}
        if origin in (typing.Union, types.UnionType):
            return {"anyOf": [self._type(part) for part in arguments]}
        if _name(origin) in ("Required", "NotRequired", "ReadOnly"):
            return self._type(arguments[0])
        if origin in _LISTS or str(getattr(origin, "__module__", "")) == "collections.abc" and arguments:
            return self._collection(origin, arguments)
        if origin is dict:
            return {"type": "object", "additionalProperties": self._type(arguments[1])} if arguments else {"type": "object"}
        if isinstance(of, type):
            return self._class(of)
        raise SchemaError(f"a schema cannot be made of `{of!r}`: write a type, JSON Schema, or `example(…)`")

    def _annotated(self, arguments: tuple[Any, ...]) -> dict[str, Any]:
        schema = self._type(arguments[0])
        texts = [note for note in arguments[1:] if isinstance(note, str)]
        return {**schema, "description": texts[0]} if texts and "$ref" not in schema else schema

    def _collection(self, origin: Any, arguments: tuple[Any, ...]) -> dict[str, Any]:
        if origin not in _LISTS and len(arguments) == 2:
            return {"type": "object", "additionalProperties": self._type(arguments[1])}
        return {"type": "array", "items": self._type(arguments[0])} if arguments else {"type": "array"}

    def _class(self, of: type) -> dict[str, Any]:
        if issubclass(of, enum.Enum):
            return {"enum": [member.value for member in of]}
        if not (dataclasses.is_dataclass(of) or is_typed_dict(of)):
            raise SchemaError(f"a schema cannot be made of `{of.__name__}`: write a dataclass, a TypedDict or a model")
        if of not in self._names:
            self._names[of] = self._free_name(of.__name__)
            self._definitions[self._names[of]] = self._object(of)
        return {"$ref": f"#/$defs/{self._names[of]}"}

    def _free_name(self, name: str) -> str:
        taken = set(self._names.values())
        return name if name not in taken else f"{name}_{len(taken)}"

    def _object(self, of: type) -> dict[str, Any]:
        hints = _hints(of)
        if dataclasses.is_dataclass(of):
            missing = dataclasses.MISSING
            fields = [field for field in dataclasses.fields(of) if field.init]
            names = [field.name for field in fields]
            required = [f.name for f in fields if f.default is missing and f.default_factory is missing]
        else:
            names = list(hints)
            required = [name for name in names if is_required(of, name, hints)]
        properties = {name: self._type(hints[name]) for name in names}
        schema: dict[str, Any] = {"type": "object", "properties": properties, "required": required}
        text = of.__doc__ or ""
        # A dataclass without a docstring has its signature there, and a TypedDict that of `dict`.
        if text and not text.startswith(f"{of.__name__}(") and text != dict.__doc__:
            schema["description"] = text.strip()
        return schema


def is_required(of: Any, name: str, hints: dict[str, Any]) -> bool:
    """Whether a TypedDict requires a member. Where annotations are texts, only the hints know."""
    marked = _name(typing.get_origin(hints[name]))
    return marked == "Required" or marked != "NotRequired" and name in of.__required_keys__


def _name(of: Any) -> str:
    return str(getattr(of, "_name", None) or getattr(of, "__name__", ""))


def _of_value(value: Any) -> dict[str, Any]:
    if isinstance(value, dict):
        properties = {str(name): _of_value(part) for name, part in value.items()}
        return {"type": "object", "properties": properties, "required": list(properties)}
    if isinstance(value, (list, tuple)):
        kinds: list[dict[str, Any]] = []
        for item in value:
            schema = _of_value(item)
            if schema not in kinds:
                kinds.append(schema)
        items = kinds[0] if len(kinds) == 1 else {"anyOf": kinds} if kinds else {}
        return {"type": "array", "items": items}
    simple = _SIMPLE.get(type(value)) if value is None or isinstance(value, (str, int, float)) else None
    if simple is None:
        raise SchemaError(f"an example has only what JSON has, and not `{type(value).__name__}`")
    return dict(simple)
