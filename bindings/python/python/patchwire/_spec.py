"""Settings as people write them, turned into the plain values of the extension module."""

from __future__ import annotations

import json
import os
from typing import Any

from ._errors import SpecError
from ._schema import as_schema

_PLAIN = frozenset({
    "format", "strict", "valid", "exact", "limits", "roots", "view", "start_in", "root_tag", "document_name",
    "unwrap_fences", "keep_raw", "keep_value", "align",
})
_LISTS = frozenset({"ensure", "ensure_present", "forbid"})


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
            given[name] = [value] if isinstance(value, str) else list(value)
        elif name in _PLAIN:
            given[name] = value
        else:
            known = ", ".join(sorted(_PLAIN | _LISTS | {"schema", "tags", "tools"}))
            raise SpecError(f"there is no setting `{name}`; there are {known}")
    return given


def _tags(value: Any) -> list[tuple[str, str]]:
    """Tag sets by name ("qwen"), as a dict, or in a file; "none" and an empty list are no tags."""
    if isinstance(value, (str, dict, os.PathLike)):
        value = [value]
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
        return "json", json.dumps(value)
    if isinstance(value, os.PathLike):
        path = os.fspath(value)
        try:
            with open(path, encoding="utf-8") as file:
                text = file.read()
        except OSError as error:
            raise SpecError(f"cannot read the tag set {path}: {error}") from error
        return ("json" if str(path).endswith(".json") else "toml"), text
    raise SpecError(f"a tag set is a name, a dict or a path, and not {type(value).__name__}")


def _tools(value: Any, given: dict[str, Any]) -> None:
    """Tools: a dict of names and schemas, or a list of types or of tools as providers take them."""
    named = value.items() if isinstance(value, dict) else [_named(tool) for tool in value]
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


def _named(tool: Any) -> tuple[str, Any]:
    if isinstance(tool, type):
        return tool.__name__, tool
    if isinstance(tool, dict):
        # OpenAI's `function`, Anthropic's `input_schema`, Bedrock's `toolSpec`.
        inner = tool.get("function") or tool.get("toolSpec") or tool
        name = inner.get("name")
        for key in ("parameters", "input_schema", "inputSchema", "parametersJsonSchema"):
            schema = inner.get(key)
            if name and schema is not None:
                return name, schema.get("json", schema) if isinstance(schema, dict) else schema
    raise SpecError("a tool is a type, or a dict with `name` and `parameters` as providers take it")
