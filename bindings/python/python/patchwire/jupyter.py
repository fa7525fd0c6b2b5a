"""Jupyter: an answer as a form that fills in."""

from __future__ import annotations

import html
from typing import Any

import ipywidgets

from ._errors import MissingError, Truncated
from ._live import _Pace

_STYLE = (
    "<style>.pw{font-family:var(--jp-ui-font-family,sans-serif);border-collapse:collapse}"
    ".pw th,.pw td{text-align:left;vertical-align:top;padding:.1em .8em .1em 0;border:0}"
    ".pw th{font-weight:600;color:#0a7a8a}.pw .n{color:#8a2be2}.pw .i{color:#888}</style>"
)


class LiveForm(ipywidgets.HTML):  # type: ignore[misc,unused-ignore]
    """A widget that shows the value so far of a reader. Made by `live`."""

    def show(self, value: Any, state: str) -> None:
        """Draws a value."""
        self.value = f"{_STYLE}<div class='pw i'>{html.escape(state)}</div>{form(value)}"


def live(reader: Any, *, refresh_per_second: float = 12.5, display: bool = True) -> Any:
    """Shows the fields of a reader in the output of the cell while they are written, and returns the answer.

    For an `AsyncReader` await it: `answer = await live(reader)`.
    """
    widget = LiveForm()
    if display:
        from IPython.display import display as show  # type: ignore[import-not-found,unused-ignore]

        show(widget)  # type: ignore[no-untyped-call,unused-ignore]
    pace = _Pace(1 / refresh_per_second)
    return _live_async(reader, widget, pace) if hasattr(reader, "__aiter__") else _live(reader, widget, pace)


def _live(reader: Any, widget: LiveForm, pace: _Pace) -> Any:
    try:
        for value in reader.values(""):
            if pace.is_due():
                widget.show(value, "…")
    except (MissingError, Truncated):
        pass  # The answer says so.
    answer = reader.answer()
    widget.show(answer.value, answer.outcome)
    return answer


async def _live_async(reader: Any, widget: LiveForm, pace: _Pace) -> Any:
    try:
        async for value in reader.values(""):
            if pace.is_due():
                widget.show(value, "…")
    except (MissingError, Truncated):
        pass  # The answer says so.
    answer = await reader.answer()
    widget.show(answer.value, answer.outcome)
    return answer


def form(value: Any) -> str:
    """A value as a table of HTML. What the model wrote is text, and never markup."""
    if isinstance(value, (dict, list)):
        pairs = value.items() if isinstance(value, dict) else enumerate(value)
        rows = "".join(f"<tr><th>{html.escape(str(name))}</th><td>{form(part)}</td></tr>" for name, part in pairs)
        return f"<table class='pw'>{rows}</table>"
    if isinstance(value, str):
        return html.escape(value).replace("\n", "<br>")
    words = {id(True): "true", id(False): "false", id(None): "null"}
    return f"<span class='n'>{html.escape(words.get(id(value), str(value)))}</span>"
