"""Settings as people write them, turned into the plain values of the extension module."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from typing import Any

from ._core import Spec
from ._errors import SpecError
from ._schema import as_schema

_TEXTS = frozenset({"format", "roots", "view", "start_in", "root_tag", "document_name", "unwrap_fences"})
_SWITCHES = frozenset({"strict", "valid", "exact", "keep_raw", "keep_value", "align"})
_LISTS = frozenset({"ensure", "ensure_present", "forbid"})
_KNOWN = _TEXTS | _SWITCHES | _LISTS | {"schema", "tags", "tools", "limits"}


def spec_of(schema: Any, settings: dict[str, Any]) -> Spec:
    """A spec that is there already, or one of a schema and settings."""
    if not isinstance(schema, Spec):
        return Spec(schema, **settings)
    if any(value is not None for value in settings.values()):
        raise SpecError("a `Spec` has all settings: leave the keyword arguments out, or give them to the `Spec`")
    return schema


def resolved(schema: Any = None, **settings: Any) -> dict[str, Any]:
    """The settings as texts, numbers, lists and dicts, and the types of values."""
    given: dict[str, Any] = {}
    if schema is not None:
        read = as_schema(schema)
        given["schema"] = read.text
        if read.type is not None:
            given["type"] = read.type
    for name, value in settings.items():
        if value is None:
            continue
        if name == "tags":
            given["tags"] = _tags(value)
        elif name == "tools":
            _tools(value, given)
        elif name in _LISTS:
            given[name] = _texts(name, value)
        elif name == "limits":
            given[name] = _limits(value)
        elif name in _TEXTS:
            given[name] = _of_kind(name, value, str, "a text")
        elif name in _SWITCHES:
            given[name] = _of_kind(name, value, bool, "True or False")
        else:
            raise SpecError(f"there is no setting `{name}`; there are {', '.join(sorted(_KNOWN))}")
    return given


def _of_kind(name: str, value: Any, kind: type, what: str) -> Any:
    if not isinstance(value, kind):
        raise SpecError(f"`{name}` is {what}, and not {value!r}")
    return value


def _texts(name: str, value: Any) -> list[str]:
    """One text, or any number of them."""
    if isinstance(value, str):
        return [value]
    if not isinstance(value, Iterable) or isinstance(value, (bytes, Mapping)):
        raise SpecError(f"`{name}` is a text or a list of texts, and not {value!r}")
    return [_of_kind(name, one, str, "a text or a list of texts") for one in value]


def _limits(value: Any) -> dict[str, int]:
    """Limits by name."""
    if not isinstance(value, Mapping):
        raise SpecError(f"`limits` is a dict such as {{\"depth\": 64}}, and not {value!r}")
    for name, most in value.items():
        _of_kind("limits", name, str, "a dict of names")
        if isinstance(most, bool) or not isinstance(most, int) or not 0 <= most < 1 << 63:
            raise SpecError(f"the limit `{name}` is a number from 0 on, and not {most!r}")
    return dict(value)


def _tags(value: Any) -> list[tuple[str, str]]:
    """Tag sets by name ("qwen"), as a dict, or in a file; "none" and an empty list are no tags."""
    if isinstance(value, (str, dict, os.PathLike)):
        value = [value]
    if not isinstance(value, Iterable):
        raise SpecError(f"`tags` is a tag set or a list of them, and not {value!r}")
    sets = [_tag_set(one) for one in value]
    if ("preset", "none") in sets:
        if len(sets) > 1:
            raise SpecError("the tags `none` cannot be combined with other tag sets")
        return []
    return sets


def _tag_set(value: Any) -> tuple[str, str]:
    if isinstance(value, str):
        return "preset", value
    if isinstance(value, dict):
        try:
            return "json", json.dumps(value)
        except (TypeError, ValueError) as error:
            raise SpecError(f"a tag set as a dict has only what JSON has: {error}") from error
    if isinstance(value, os.PathLike):
        path = os.fspath(value)
        try:
            with open(path, encoding="utf-8") as file:
                text = file.read()
        except (OSError, UnicodeDecodeError) as error:
            raise SpecError(f"cannot read the tag set {path}: {error}") from error
        return ("json" if str(path).endswith(".json") else "toml"), text
    raise SpecError(f"a tag set is a name, a dict or a path, and not {type(value).__name__}")


def _tools(value: Any, given: dict[str, Any]) -> None:
    """Tools: a dict of names and schemas, or a list of types or of tools as providers take them."""
    if not isinstance(value, Iterable) or isinstance(value, (str, bytes)):
        raise SpecError(f"`tools` is a dict of names and schemas or a list of tools, and not {value!r}")
    named = value.items() if isinstance(value, dict) else [named for tool in value for named in _named(tool)]
    schemas: dict[str, Any] = {}
    types: dict[str, Any] = {}
    for name, schema in named:
        read = as_schema(schema)
        schemas[name] = read.text
        if read.type is not None:
            types[name] = read.type
    given["tools"] = schemas
    if types:
        given["tool_types"] = types


def _named(tool: Any) -> list[tuple[str, Any]]:
    """The names and the schemas of what a provider takes as one tool."""
    if isinstance(tool, type):
        return [(tool.__name__, tool)]
    # LangChain's tools.
    if not isinstance(tool, dict) and isinstance(getattr(tool, "name", None), str) and hasattr(tool, "args_schema"):
        return [(tool.name, tool.args_schema or {"type": "object"})]
    if isinstance(tool, dict):
        # Gemini's tools have any number of functions.
        functions = tool.get("function_declarations") or tool.get("functionDeclarations")
        if isinstance(functions, list):
            return [named for one in functions for named in _named(one)]
        # OpenAI's `function`, Anthropic's `input_schema`, Bedrock's `toolSpec`.
        inner = tool.get("function") or tool.get("toolSpec") or tool
        name = inner.get("name") if isinstance(inner, dict) else None
        if isinstance(name, str) and name:
            return [(name, _parameters(inner))]
    raise SpecError("a tool is a type, or a dict with `name` and `parameters` as providers take it")


def _parameters(tool: dict[str, Any]) -> Any:
    """The schema of a tool's arguments. Without one it takes any object."""
    for key in ("parameters", "input_schema", "inputSchema", "parametersJsonSchema", "parameters_json_schema"):
        schema = tool.get(key)
        if schema is not None:
            return schema.get("json", schema) if isinstance(schema, dict) else schema
    return {"type": "object"}
