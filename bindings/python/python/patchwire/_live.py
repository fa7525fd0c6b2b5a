"""An answer in a terminal, as the form that fills in. Needs Rich."""

from __future__ import annotations

from typing import Any

from ._errors import MissingError, PatchwireError, Truncated

_WIDEST = 400


def live(reader: Any, *, console: Any = None, refresh_per_second: float = 12.5) -> Any:
    """Draws the fields of a reader while they are written, and returns the answer.

    For an `AsyncReader` await it: `answer = await live(reader)`.
    """
    try:
        from rich.live import Live
    except ImportError as error:
        raise PatchwireError("`live` draws with Rich: pip install rich") from error
    display = Live(console=console, refresh_per_second=refresh_per_second, auto_refresh=False)
    pace = _Pace(1 / refresh_per_second)
    if hasattr(reader, "__aiter__"):
        return _live_async(reader, display, pace)
    with display:
        try:
            for _ in reader.values(""):
                if pace.is_due():
                    display.update(drawn(reader), refresh=True)
        except (MissingError, Truncated):
            pass  # The answer says so.
        answer = reader.answer()
        display.update(drawn(reader), refresh=True)
    return answer


async def _live_async(reader: Any, display: Any, pace: _Pace) -> Any:
    with display:
        try:
            async for _ in reader.values(""):
                if pace.is_due():
                    display.update(drawn(reader), refresh=True)
        except (MissingError, Truncated):
            pass  # The answer says so.
        answer = await reader.answer()
        display.update(drawn(reader), refresh=True)
    return answer


class _Pace:
    """How often the screen is drawn."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._last = 0.0

    def is_due(self) -> bool:
        from time import monotonic

        now = monotonic()
        if now - self._last < self._seconds:
            return False
        self._last = now
        return True


def drawn(reader: Any) -> Any:
    """The value so far as a form of Rich."""
    from rich.panel import Panel
    from rich.text import Text

    value = reader.value
    title = "reading" if reader._session.state == "reading" else reader._session.state
    body = Text("…", style="dim") if value is None else form(value)
    return Panel(body, title=title, title_align="left")


def form(value: Any) -> Any:
    """A value as a table: names at the left, values at the right."""
    from rich.table import Table
    from rich.text import Text

    if isinstance(value, dict):
        table = Table.grid(padding=(0, 2))
        table.add_column(style="bold cyan", no_wrap=True)
        table.add_column(overflow="fold")
        for name, part in value.items():
            table.add_row(Text(str(name)), form(part))
        return table
    if isinstance(value, list):
        table = Table.grid(padding=(0, 1))
        table.add_column(style="dim", justify="right")
        table.add_column(overflow="fold")
        for index, part in enumerate(value):
            table.add_row(Text(str(index)), form(part))
        return table
    if isinstance(value, str):
        # A long text shows its end, where it grows.
        return Text(value if len(value) <= _WIDEST else "…" + value[-_WIDEST:])
    words = {id(True): "true", id(False): "false", id(None): "null"}
    return Text(words.get(id(value), str(value)), style="magenta")
