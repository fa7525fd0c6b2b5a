"""What clients send, told by its shape: no client is imported.

A splitter takes an item of a source that is no text, and passes its parts to a session: text, reasoning, and parts of
tool calls. What is said about the answer (usage, the reason it stopped) becomes a fact.
"""

from __future__ import annotations

import json
from typing import Any

from ._errors import PatchwireError, SourceError

_OUTPUT_TOOL = "final_result"
"""How the tools begin by which agents of Pydantic AI give their output."""

_ANTHROPIC = frozenset({
    "message_start", "message_delta", "message_stop", "content_block_start", "content_block_delta", "content_block_stop", "ping",
    "text", "thinking", "signature", "citation", "input_json",
})
"""The events of Anthropic's messages, and those of the helper of its SDK."""


def _get(item: Any, name: str, default: Any = None) -> Any:
    """A member of an object or a dict."""
    if isinstance(item, dict):
        return item.get(name, default)
    return getattr(item, name, default)


def _quoted(item: Any) -> str:
    """The beginning of an item, for a message."""
    text = repr(item)
    return text if len(text) <= 80 else f"{text[:80]}…"


def _first(items: Any) -> Any:
    return items[0] if isinstance(items, (list, tuple)) and items else None


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _arguments(value: Any) -> str | None:
    """The arguments of a call: text, or an object that came whole."""
    if value is None or isinstance(value, str):
        return value
    if hasattr(value, "items"):
        value = dict(value)
    return json.dumps(value, ensure_ascii=False)


class Splitter:
    """Passes the parts of items to a session. It belongs to one stream."""

    def __init__(self) -> None:
        self.facts: dict[str, Any] = {}
        self._handle: Any = None
        self._kind: Any = None
        self._whole = 0
        self._vllm: tuple[str, list[int]] | None = None
        self._is_cumulative: bool | None = None
        self._has_known_events = False
        # The keys of the calls of Pydantic AI, by the index of their part; none for the output tool.
        self._agent_parts: dict[Any, str | None] = {}

    def __call__(self, item: Any, out: Any) -> None:
        try:
            kind = type(item)
            if kind is not self._kind or kind is dict:
                self._handle = self._handler(item)
                self._kind = kind
            self._handle(item, out)
        except (AttributeError, LookupError, TypeError, ValueError) as error:
            if isinstance(error, PatchwireError):
                raise
            what = f"an item of the source cannot be read ({type(error).__name__}: {error}): {_quoted(item)}"
            raise SourceError(what) from error

    def refusal(self) -> str | None:
        """What the provider says of a refusal; none if the model did not refuse."""
        if "refusal" in self.facts:
            return str(self.facts["refusal"])
        return "" if self.facts.get("stop_reason") == "refusal" else None

    def _handler(self, item: Any) -> Any:
        """How items of this type are read. The more special shapes come first."""

        def has(name: str) -> bool:
            return name in item if isinstance(item, dict) else hasattr(item, name)

        if has("choices"):
            return self._chat
        if has("candidates"):
            return self._gemini
        if has("outputs") and (has("request_id") or has("prompt_token_ids")):
            return self._vllm_output
        if has("event_kind"):
            return self._pydantic_ai
        if has("type") and isinstance(_get(item, "type"), str) and not has("tool_call_chunks") and not has("response_metadata"):
            return self._event
        if has("message") and (has("done") or has("model")):
            return self._ollama
        if has("response") and has("done"):
            return self._ollama
        if has("content") and (has("response_metadata") or has("tool_call_chunks") or has("additional_kwargs")):
            return self._langchain
        if has("message") and hasattr(_get(item, "message"), "content"):
            return lambda item, out: self(_get(item, "message"), out)
        if has("data") and hasattr(_get(item, "data"), "choices"):
            return lambda item, out: self._chat(_get(item, "data"), out)
        if has("error") and _get(item, "error"):
            return self._failed
        raise SourceError(self._unknown(item))

    @staticmethod
    def _unknown(item: Any) -> str:
        kind = f"{type(item).__module__}.{type(item).__qualname__}"
        what = f"an item of the source is `{kind}`, which has no text that is known"
        if isinstance(item, dict):
            what = f"{what} ({_quoted(item)})"
        if isinstance(item, tuple):
            return f"{what}: the source may be a whole response; ask the client for a stream (`stream=True`)"
        return f"{what}: pass text, as in `read((item.text for item in source))`"

    def _fact(self, name: str, value: Any) -> None:
        if value is not None:
            self.facts[name] = value

    def _refused(self, delta: Any) -> None:
        if isinstance(delta, str) and delta:
            self.facts["refusal"] = self.facts.get("refusal", "") + delta

    @staticmethod
    def _failed(item: Any, _: Any = None) -> None:
        error = _get(item, "error") or item
        raise SourceError(f"the provider sent an error: {_get(error, 'message') or error}")

    # OpenAI's chat completions, and all who speak them: LiteLLM, vLLM's server, Mistral, Groq, …

    def _chat(self, chunk: Any, out: Any) -> None:
        self._fact("usage", _get(chunk, "usage"))
        if _get(chunk, "error"):
            self._failed(chunk)
        for choice in _get(chunk, "choices") or ():
            # Only the first of several answers is read.
            if _get(choice, "index", 0) not in (0, None):
                continue
            delta = _get(choice, "delta")
            if delta is None:
                if _get(choice, "message") is not None:
                    raise SourceError("the source has whole answers: ask the client for a stream (`stream=True`)")
                self._push(out.push_text, _get(choice, "text"))
            else:
                self._chat_delta(delta, out)
            self._fact("stop_reason", _get(choice, "finish_reason"))

    def _chat_delta(self, delta: Any, out: Any) -> None:
        for name in ("reasoning_content", "reasoning"):
            reasoning = _get(delta, name)
            if isinstance(reasoning, str) and reasoning:
                out.push_reasoning(reasoning)
                break
        self._refused(_get(delta, "refusal"))
        content = _get(delta, "content")
        if isinstance(content, str):
            out.push_text(content)
        elif content is not None:
            self._blocks(content, out)
        for call in _get(delta, "tool_calls") or ():
            function = _get(call, "function")
            index = _get(call, "index")
            key = str(index) if index is not None else _text(_get(call, "id")) or "0"
            out.push_call(key, _get(call, "id"), _get(function, "name"), _arguments(_get(function, "arguments")))

    @staticmethod
    def _push(push: Any, text: Any) -> None:
        if isinstance(text, str) and text:
            push(text)

    # Events with a `type`: OpenAI's responses, Anthropic's messages, and the helpers of both.

    def _event(self, event: Any, out: Any) -> None:
        kind = _get(event, "type")
        if kind == "chunk" and _get(event, "chunk") is not None:
            self._has_known_events = True
            return self._chat(_get(event, "chunk"), out)
        if kind.startswith("response."):
            return self._responses(kind, event, out)
        if kind == "error":
            return self._failed(event)
        if kind in _ANTHROPIC:
            self._has_known_events = True
            return self._anthropic(kind, event, out)
        # Helpers of SDKs repeat what they sent, and providers add kinds of events.
        if not self._has_known_events:
            raise SourceError(self._unknown(event))
        return None

    def _responses(self, kind: str, event: Any, out: Any) -> None:
        if kind == "response.output_text.delta":
            out.push_text(_text(_get(event, "delta")))
        elif kind in ("response.reasoning_text.delta", "response.reasoning_summary_text.delta"):
            out.push_reasoning(_text(_get(event, "delta")))
        elif kind == "response.refusal.delta":
            self._refused(_get(event, "delta"))
        elif kind == "response.output_item.added":
            item = _get(event, "item")
            if _get(item, "type") in ("function_call", "custom_tool_call"):
                is_text = _get(item, "type") == "custom_tool_call"
                out.push_call(_text(_get(item, "id")), _get(item, "call_id"), _get(item, "name"), None, is_text)
        elif kind == "response.function_call_arguments.delta":
            out.push_call(_text(_get(event, "item_id")), None, None, _text(_get(event, "delta")))
        elif kind == "response.custom_tool_call_input.delta":
            out.push_call(_text(_get(event, "item_id")), None, None, _text(_get(event, "delta")), True)
        elif kind in ("response.completed", "response.incomplete"):
            response = _get(event, "response")
            self._fact("usage", _get(response, "usage"))
            self._fact("stop_reason", _get(_get(response, "incomplete_details"), "reason") or _get(response, "status"))
        elif kind == "response.failed":
            self._failed(_get(event, "response"))

    def _anthropic(self, kind: str, event: Any, out: Any) -> None:
        if kind == "content_block_start":
            block = _get(event, "content_block")
            if _get(block, "type") in ("tool_use", "server_tool_use"):
                out.push_call(str(_get(event, "index")), _get(block, "id"), _get(block, "name"))
            else:
                self._push(out.push_text, _get(block, "text"))
        elif kind == "content_block_delta":
            delta = _get(event, "delta")
            self._push(out.push_text, _get(delta, "text"))
            self._push(out.push_reasoning, _get(delta, "thinking"))
            arguments = _get(delta, "partial_json")
            if arguments:
                out.push_call(str(_get(event, "index")), None, None, arguments)
        elif kind == "message_start":
            self._fact("usage", _get(_get(event, "message"), "usage"))
        elif kind == "message_delta":
            self._fact("usage", _get(event, "usage"))
            self._fact("stop_reason", _get(_get(event, "delta"), "stop_reason"))
        # The helper of the SDK repeats deltas as "text", "thinking" and "input_json": they were read already.

    # Ollama: chat and generate.

    def _ollama(self, part: Any, out: Any) -> None:
        message = _get(part, "message")
        if message is None:
            self._push(out.push_reasoning, _get(part, "thinking"))
            self._push(out.push_text, _get(part, "response"))
        else:
            self._push(out.push_reasoning, _get(message, "thinking"))
            self._push(out.push_text, _get(message, "content"))
            for call in _get(message, "tool_calls") or ():
                self._whole_call(_get(call, "function"), out)
        if _get(part, "done"):
            self._fact("stop_reason", _get(part, "done_reason"))
            self._fact("usage", {name: _get(part, name) for name in ("prompt_eval_count", "eval_count")})

    def _whole_call(self, function: Any, out: Any, key: str = "arguments") -> None:
        """A call that comes in one piece."""
        self._whole += 1
        out.push_call(f"whole {self._whole}", _get(function, "id"), _get(function, "name"), _arguments(_get(function, key)))

    # Google's Gemini.

    def _gemini(self, response: Any, out: Any) -> None:
        self._fact("usage", _get(response, "usage_metadata"))
        candidate = _first(_get(response, "candidates"))
        if candidate is None:
            return
        for part in _get(_get(candidate, "content"), "parts") or ():
            text = _get(part, "text")
            if isinstance(text, str) and text:
                (out.push_reasoning if _get(part, "thought") else out.push_text)(text)
            call = _get(part, "function_call")
            if call is not None:
                self._whole_call(call, out, "args")
        self._fact("stop_reason", _get(candidate, "finish_reason"))

    # LangChain.

    def _langchain(self, message: Any, out: Any) -> None:
        reasoning = _get(_get(message, "additional_kwargs"), "reasoning_content")
        self._push(out.push_reasoning, reasoning)
        content = _get(message, "content")
        if isinstance(content, str):
            self._push(out.push_text, content)
        elif content:
            self._blocks(content, out)
        for call in _get(message, "tool_call_chunks") or ():
            index = _get(call, "index")
            key = str(index) if index is not None else _text(_get(call, "id")) or "0"
            out.push_call(key, _get(call, "id"), _get(call, "name"), _arguments(_get(call, "args")))
        # A message that came whole. Those of a stream have the same calls as chunks.
        for call in _get(message, "tool_calls") or () if _get(message, "tool_call_chunks") is None else ():
            self._whole_call(call, out, "args")
        self._fact("usage", _get(message, "usage_metadata"))
        self._fact("stop_reason", _get(_get(message, "response_metadata"), "finish_reason"))

    def _blocks(self, blocks: Any, out: Any) -> None:
        for block in blocks:
            if isinstance(block, str):
                self._push(out.push_text, block)
                continue
            kind = _get(block, "type")
            if kind in ("thinking", "reasoning"):
                self._push(out.push_reasoning, _get(block, "thinking") or _get(block, "reasoning"))
            elif kind in ("text", "output_text", "text_delta", None):
                self._push(out.push_text, _get(block, "text"))

    # Pydantic AI: the events of a run. The arguments of its output tool are the answer.

    def _pydantic_ai(self, event: Any, out: Any) -> None:
        kind, index = _get(event, "event_kind"), _get(event, "index")
        if kind == "part_start":
            part = _get(event, "part")
            kind = _get(part, "part_kind")
            if kind == "text":
                self._push(out.push_text, _get(part, "content"))
            elif kind == "thinking":
                self._push(out.push_reasoning, _get(part, "content"))
            elif kind == "tool-call":
                # Indexes begin again with each response of the model.
                self._whole += 1
                name = _text(_get(part, "tool_name"))
                self._agent_parts[index] = None if name.startswith(_OUTPUT_TOOL) else str(self._whole)
                self._agent_call(index, _get(part, "args"), out, _get(part, "tool_call_id"), name)
        elif kind == "part_delta":
            delta = _get(event, "delta")
            kind = _get(delta, "part_delta_kind")
            if kind == "text":
                self._push(out.push_text, _get(delta, "content_delta"))
            elif kind == "thinking":
                self._push(out.push_reasoning, _get(delta, "content_delta"))
            elif kind == "tool_call":
                self._agent_call(index, _get(delta, "args_delta"), out)

    def _agent_call(self, index: Any, args: Any, out: Any, id: Any = None, name: Any = None) -> None:
        arguments, key = _arguments(args), self._agent_parts.get(index)
        if key is None:
            self._push(out.push_text, arguments)
        else:
            out.push_call(key, id, name, arguments)

    # vLLM's engine. By default every output has the whole text so far.

    def _vllm_output(self, output: Any, out: Any) -> None:
        one = _first(_get(output, "outputs"))
        if one is None:
            return
        text = _text(_get(one, "text"))
        tokens: list[int] = list(_get(one, "token_ids") or ())
        before, known = self._vllm or ("", [])
        if self._vllm is not None and self._is_cumulative is None:
            grew = len(tokens) > len(known) and tokens[: len(known)] == known
            self._is_cumulative = grew and text.startswith(before)
        if self._is_cumulative:
            out.push_text(text[len(before) :])
        else:
            self._push(out.push_text, text)
        self._vllm = (text, tokens)
        self._fact("stop_reason", _get(one, "finish_reason"))


def is_whole_response(source: Any) -> bool:
    """Whether the source is the whole response of a client, which models of Pydantic let one iterate."""
    return not isinstance(source, dict) and not hasattr(source, "__next__") and _first(_get(source, "choices")) is not None
