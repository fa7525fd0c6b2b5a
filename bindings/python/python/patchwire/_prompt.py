"""Instructions for a model."""

from __future__ import annotations

from typing import Any

from ._core import Spec


def prompt(schema: Any = None, format: str | None = None, **settings: Any) -> str:
    """The text that makes a model write what is expected, in a form that a reader of the same settings reads."""
    if isinstance(schema, Spec) and format is None and not settings:
        return schema.prompt()
    return Spec(schema, format=format, **settings).prompt()
