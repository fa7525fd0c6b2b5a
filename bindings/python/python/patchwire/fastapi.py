"""FastAPI and Starlette: a reader as a streaming response, in any wire form."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Mapping
from typing import Any

from starlette.responses import StreamingResponse

from ._errors import PatchwireError

_HEADERS = {"cache-control": "no-cache", "x-accel-buffering": "no"}
_OF_PROTOCOL = {"ui-message": {"x-vercel-ai-ui-message-stream": "v1"}}


def respond(
    reader: Any, protocol: str = "events", *, sse: bool = True, headers: Mapping[str, str] | None = None, **names: str
) -> StreamingResponse:
    """A response that streams the events of a reader: "events", "compact", "ops", "json-patch", "ag-ui" or "ui-message".

    It has frames of server-sent events, or lines if `sse` is false. The source is closed when the response ends, also when
    the client goes away. A failure ends the stream in the way of the protocol.
    """
    messages = reader.wire(protocol, sse=sse, **names)
    body = _async_body(reader, messages) if hasattr(reader, "__aiter__") else _body(reader, messages)
    media_type = "text/event-stream" if sse else "application/x-ndjson"
    all_headers = {**_HEADERS, **_OF_PROTOCOL.get(protocol, {}), **(headers or {})}
    return StreamingResponse(body, media_type=media_type, headers=all_headers)


def _body(reader: Any, messages: Iterator[str]) -> Iterator[str]:
    try:
        yield from messages
    except PatchwireError:
        # The protocol has said so already.
        return
    finally:
        reader.close()


async def _async_body(reader: Any, messages: AsyncIterator[str]) -> AsyncIterator[str]:
    try:
        async for message in messages:
            yield message
    except PatchwireError:
        return
    finally:
        await reader.aclose()
