"""What verbs give beside plain values."""

from __future__ import annotations


class Restart(str):
    """A text that begins again: the deltas before it are void.

    `text` gives one if the end of the answer corrects the field, or if the request is repeated.
    """

    __slots__ = ()

    def __repr__(self) -> str:
        return f"Restart({str(self)!r})"
