"""instructor: a mode whose answers are read by patchwire, in any format of a schema.

`register()` makes `instructor.Mode.MD_JSON` of OpenAI-compatible clients use it. Prompts say the format, slips are repaired,
and `create_partial` and `create_iterable` get clean JSON while the model writes.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterator
from typing import Any

import instructor
from instructor.v2.core.decorators import register_mode_handler
from instructor.v2.core.providers import Provider
from instructor.v2.providers.openai.handlers import OpenAIMDJSONHandler

from ._core import Spec, parse
from ._reader import AsyncReader, Reader


def register(provider: Any = Provider.OPENAI, mode: Any = instructor.Mode.MD_JSON, *, format: str = "json", **settings: Any) -> None:
    """Makes a mode of a provider, or of several, use patchwire. Call it before the client is made.

    The clients have to speak chat completions: OpenAI, LiteLLM, Together, vLLM, …
    """

    class Handler(PatchwireHandler):
        pass

    Handler.mode = mode
    Handler.settings = {"format": format, **settings}
    register_mode_handler(provider, mode)(Handler)


class PatchwireHandler(OpenAIMDJSONHandler):  # type: ignore[misc,unused-ignore]
    """Prompts, reads and streams answers of one mode."""

    settings: dict[str, Any] = {}

    def prepare_request(self, response_model: Any, kwargs: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
        """Adds what the model has to write to the system message."""
        self._register_streaming_from_kwargs(response_model, kwargs)
        if response_model is None:
            return None, kwargs
        prompt = Spec(response_model, **self.settings).prompt()
        messages = [dict(message) for message in kwargs.get("messages", [])]
        if messages and messages[0]["role"] == "system" and isinstance(messages[0]["content"], str):
            messages[0]["content"] += f"\n\n{prompt}"
        else:
            messages.insert(0, {"role": "system", "content": prompt})
        return response_model, {**kwargs, "messages": messages}

    def parse_response(
        self,
        response: Any,
        response_model: Any,
        validation_context: dict[str, Any] | None = None,
        strict: bool | None = None,
        stream: bool = False,
        is_async: bool = False,
    ) -> Any:
        """Reads a whole answer. What does not fit raises Pydantic's error, so that instructor asks again."""
        if self._should_parse_streaming(response_model, stream):
            return self._parse_streaming_response(response_model, response, validation_context, strict)
        text = self._extract_text_content(response)
        answer = parse(text, response_model, **self.settings)
        # A text without a value is what the error of Pydantic shows.
        found = answer.to_json() if answer.has_value else text
        parsed = response_model.model_validate_json(found, context=validation_context, strict=strict)
        return self._finalize_parsed_result(response_model, response, parsed)

    def extract_streaming_json(self, completion: Any) -> Iterator[str]:
        """Clean JSON, as it is written."""
        writer = JsonWriter()
        for patch in Reader(completion, Spec(**self.settings)):
            yield from writer.write(patch)

    async def extract_streaming_json_async(self, completion: Any) -> AsyncIterator[str]:
        """Clean JSON, as it is written."""
        writer = JsonWriter()
        async for patch in AsyncReader(completion, Spec(**self.settings)):
            for text in writer.write(patch):
                yield text


class JsonWriter:
    """Writes patches as the text of one JSON value. Corrections of the end come too late for it."""

    def __init__(self) -> None:
        # For each open container, how many values it has, and what closes it.
        self._open: list[tuple[int, str]] = []

    def write(self, patch: Any) -> Iterator[str]:
        """The text that a patch adds."""
        if patch.document or patch.call is not None:
            return
        if patch.op == "open":
            yield self._place(patch)
            if isinstance(patch.value, str):
                yield '"'
            else:
                is_object = isinstance(patch.value, dict)
                self._open.append((0, "}" if is_object else "]"))
                yield "{" if is_object else "["
        elif patch.op == "delta":
            yield json.dumps(patch.delta)[1:-1]
        elif patch.op == "done" and isinstance(patch.value, str):
            yield '"'
        elif patch.op == "done" and len(patch.loc) == len(self._open) - 1:
            yield self._open.pop()[1]
        elif patch.op == "done":
            yield self._place(patch) + json.dumps(patch.value)

    def _place(self, patch: Any) -> str:
        """The comma and the key before a value."""
        if not patch.loc:
            return ""
        count, closer = self._open[-1]
        self._open[-1] = (count + 1, closer)
        last = patch.loc[-1]
        return ("," if count else "") + (f"{json.dumps(last)}:" if isinstance(last, str) else "")
