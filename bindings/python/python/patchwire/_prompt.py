"""Instructions for a model."""

from __future__ import annotations

from typing import Any

from ._spec import spec_of


def prompt(schema: Any = None, format: str | None = None, **settings: Any) -> str:
    """The text that makes a model write what is expected, in a form that a reader of the same settings reads."""
    return spec_of(schema, {"format": format, **settings}).prompt()
