"""What clients send, as objects of their documented shape. test_clients.py has the real packages."""

from __future__ import annotations

import asyncio
import queue
from collections.abc import AsyncIterator
from types import SimpleNamespace as Object
from typing import Any

import pytest

import patchwire as pw


def made(value: Any) -> Any:
    """Nested objects with attributes, as clients have them."""
    if isinstance(value, dict):
        plain = ("args", "response_metadata", "additional_kwargs")
        return Object(**{name: part if name in plain else made(part) for name, part in value.items()})
    return [made(part) for part in value] if isinstance(value, list) else value


def chat(content: str | None = None, **delta: Any) -> dict[str, Any]:
    return {"choices": [{"index": 0, "delta": {"content": content, **delta}, "finish_reason": None}], "usage": None}


CHAT = [
    chat(role="assistant"),
    chat(reasoning_content="First "),
    chat(reasoning_content="things."),
    chat('{"city": "Ro'),
    chat('me"}'),
    {"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]},
    {"choices": [], "usage": {"completion_tokens": 7}},
]
RESPONSES = [
    {"type": "response.created", "response": {}},
    {"type": "response.reasoning_summary_text.delta", "delta": "First things."},
    {"type": "response.output_item.added", "item": {"type": "message", "id": "m"}},
    {"type": "response.output_text.delta", "delta": '{"city": "Ro', "item_id": "m"},
    {"type": "response.output_text.delta", "delta": 'me"}', "item_id": "m"},
    {"type": "response.completed", "response": {"status": "completed", "usage": {"output_tokens": 7}}},
]
ANTHROPIC = [
    {"type": "message_start", "message": {"usage": {"input_tokens": 3}}},
    {"type": "content_block_start", "index": 0, "content_block": {"type": "thinking", "thinking": ""}},
    {"type": "content_block_delta", "index": 0, "delta": {"type": "thinking_delta", "thinking": "First things."}},
    {"type": "thinking", "thinking": "First things.", "snapshot": "First things."},
    {"type": "content_block_stop", "index": 0},
    {"type": "content_block_start", "index": 1, "content_block": {"type": "text", "text": ""}},
    {"type": "content_block_delta", "index": 1, "delta": {"type": "text_delta", "text": '{"city": "Ro'}},
    {"type": "text", "text": '{"city": "Ro', "snapshot": '{"city": "Ro'},
    {"type": "ping"},
    {"type": "content_block_delta", "index": 1, "delta": {"type": "text_delta", "text": 'me"}'}},
    {"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 7}},
    {"type": "message_stop"},
]
OLLAMA = [
    {"model": "m", "message": {"content": "", "thinking": "First things."}, "done": False},
    {"model": "m", "message": {"content": '{"city": "Ro', "thinking": None}, "done": False},
    {"model": "m", "message": {"content": 'me"}'}, "done": True, "done_reason": "stop", "eval_count": 7, "prompt_eval_count": 1},
]
OLLAMA_GENERATE = [
    {"model": "m", "response": "", "thinking": "First things.", "done": False},
    {"model": "m", "response": '{"city": "Ro', "done": False},
    {"model": "m", "response": 'me"}', "done": True, "done_reason": "stop"},
]
GEMINI = [
    {"candidates": [{"content": {"parts": [{"text": "First things.", "thought": True}]}}], "usage_metadata": None},
    {"candidates": [{"content": {"parts": [{"text": '{"city": "Ro', "thought": None}]}}]},
    {"candidates": [{"content": {"parts": [{"text": 'me"}'}]}, "finish_reason": "STOP"}], "usage_metadata": {"n": 7}},
]
LANGCHAIN = [
    {"type": "AIMessageChunk", "content": [{"type": "reasoning", "reasoning": "First things."}], "additional_kwargs": {},
     "response_metadata": {}, "tool_call_chunks": [], "usage_metadata": None},
    {"type": "AIMessageChunk", "content": '{"city": "Ro', "additional_kwargs": {}, "response_metadata": {},
     "tool_call_chunks": [], "usage_metadata": None},
    {"type": "AIMessageChunk", "content": [{"type": "text", "text": 'me"}'}], "additional_kwargs": {},
     "response_metadata": {"finish_reason": "stop"}, "tool_call_chunks": [], "usage_metadata": {"output_tokens": 7}},
]


def vllm(text: str, tokens: list[int], reason: str | None = None) -> dict[str, Any]:
    return {"request_id": "r", "outputs": [{"index": 0, "text": text, "token_ids": tokens, "finish_reason": reason}]}


CLIENTS = {
    "chat": CHAT, "responses": RESPONSES, "anthropic": ANTHROPIC, "ollama": OLLAMA, "generate": OLLAMA_GENERATE,
    "gemini": GEMINI, "langchain": LANGCHAIN,
}


@pytest.mark.parametrize("name", CLIENTS)
@pytest.mark.parametrize("form", [made, dict])
def test_text_and_reasoning(name: str, form: Any) -> None:
    items = [form(item) for item in CLIENTS[name]]
    if form is dict and name == "langchain":
        items = [made(item) for item in CLIENTS[name]]
    reader = pw.read(iter(items))
    assert "".join(reader.reasoning()) == "First things."
    assert reader.data() == {"city": "Rome"}
    if name != "generate":
        assert "usage" in reader.facts or name == "ollama"
    assert "stop_reason" in reader.facts


@pytest.mark.parametrize("name", CLIENTS)
def test_the_same_async(name: str) -> None:
    async def source() -> AsyncIterator[Any]:
        for item in CLIENTS[name]:
            yield made(item)

    async def main() -> Any:
        async with pw.read(source()) as reader:
            return await reader.get("city")

    assert asyncio.run(main()) == "Rome"


def call(index: int, arguments: str, id: str | None = None, name: str | None = None) -> dict[str, Any]:
    return {"index": index, "id": id, "function": {"name": name, "arguments": arguments}}


CALLS = {
    "chat": [
        chat(tool_calls=[call(0, "", "c1", "weather")]),
        chat(tool_calls=[call(0, '{"city": "Ro')]),
        chat(tool_calls=[call(0, 'me", "days": "3"}')]),
        chat(tool_calls=[call(1, '{"city": "Oslo", "days": 2}', "c2", "weather")]),
    ],
    "responses": [
        {"type": "response.output_item.added", "item": {"type": "function_call", "id": "f1", "call_id": "c1", "name": "weather"}},
        {"type": "response.function_call_arguments.delta", "item_id": "f1", "delta": '{"city": "Rome",'},
        {"type": "response.function_call_arguments.delta", "item_id": "f1", "delta": ' "days": 3}'},
        {"type": "response.output_item.added", "item": {"type": "function_call", "id": "f2", "call_id": "c2", "name": "weather"}},
        {"type": "response.function_call_arguments.delta", "item_id": "f2", "delta": '{"city": "Oslo", "days": 2}'},
    ],
    "anthropic": [
        {"type": "content_block_start", "index": 0, "content_block": {"type": "tool_use", "id": "c1", "name": "weather", "input": {}}},
        {"type": "content_block_delta", "index": 0, "delta": {"type": "input_json_delta", "partial_json": '{"city": "Rome", '}},
        {"type": "input_json", "partial_json": '{"city": "Rome", ', "snapshot": {}},
        {"type": "content_block_delta", "index": 0, "delta": {"type": "input_json_delta", "partial_json": '"days": 3}'}},
        {"type": "content_block_start", "index": 1, "content_block": {"type": "tool_use", "id": "c2", "name": "weather", "input": {}}},
        {"type": "content_block_delta", "index": 1, "delta": {"type": "input_json_delta", "partial_json": '{"city": "Oslo", "days": 2}'}},
    ],
    "ollama": [
        {"model": "m", "done": False, "message": {"content": "", "tool_calls": [
            {"function": {"name": "weather", "arguments": {"city": "Rome", "days": 3}}},
            {"function": {"name": "weather", "arguments": {"city": "Oslo", "days": 2}}}]}},
    ],
    "gemini": [
        {"candidates": [{"content": {"parts": [
            {"text": None, "function_call": {"name": "weather", "id": None, "args": {"city": "Rome", "days": 3}}},
            {"text": None, "function_call": {"name": "weather", "id": None, "args": {"city": "Oslo", "days": 2}}}]}}]},
    ],
    "langchain": [
        {"type": "AIMessageChunk", "content": "", "additional_kwargs": {}, "response_metadata": {}, "usage_metadata": None,
         "tool_call_chunks": [{"index": 0, "id": "c1", "name": "weather", "args": '{"city": "Rome",'}]},
        {"type": "AIMessageChunk", "content": "", "additional_kwargs": {}, "response_metadata": {}, "usage_metadata": None,
         "tool_call_chunks": [{"index": 0, "id": None, "name": None, "args": ' "days": 3}'},
                              {"index": 1, "id": "c2", "name": "weather", "args": '{"city": "Oslo", "days": 2}'}]},
    ],
}


@pytest.mark.parametrize("name", CALLS)
def test_calls(name: str) -> None:
    items = [made(item) if name != "ollama" else item for item in CALLS[name]]
    tools = {"weather": {"city": "str", "days": "int"}}
    reader = pw.read(iter(items), tools=tools)
    calls = list(reader.calls())
    assert [call.name for call in calls] == ["weather", "weather"]
    assert [call.arguments for call in calls] == [{"city": "Rome", "days": 3}, {"city": "Oslo", "days": 2}]
    assert [call.number for call in calls] == [1, 2] and all(call.is_complete for call in calls)
    if name in ("chat", "responses", "anthropic", "langchain"):
        assert [call.id for call in calls] == ["c1", "c2"]
    with pytest.raises(pw.NoValue, match="called tools \\(`weather`, `weather`\\)"):
        reader.data()


def test_patches_of_calls() -> None:
    patches = list(pw.read(map(made, CALLS["chat"])))
    assert [(patch.call, patch.path, patch.value) for patch in patches if patch.op == "done"] == [
        (1, "city", "Rome"), (1, "days", "3"), (1, "", None), (2, "city", "Oslo"), (2, "days", 2), (2, "", None), 
    ]
    assert {patch.document for patch in patches} == {1, 2}
    wire = "".join(pw.read(map(made, CALLS["chat"])).wire("events"))
    assert '"call":2' in wire and '"weather"' in wire


def test_calls_come_as_soon_as_they_are_complete() -> None:
    seen = []

    def source() -> Any:
        for item in CALLS["chat"]:
            seen.append(item)
            yield made(item)

    first = next(pw.read(source()).calls())
    assert first.arguments["city"] == "Rome" and len(seen) == 3


def test_a_call_that_was_cut() -> None:
    reader = pw.read(map(made, CALLS["chat"][:2]))
    (cut,) = reader.calls()
    assert (cut.arguments, cut.is_complete) == ({"city": "Ro"}, False)
    with pytest.raises(pw.Truncated):
        cut.data()
    assert cut.data(partial=True) == {"city": "Ro"}


def test_custom_tools_take_text() -> None:
    items = [
        {"type": "response.output_item.added", "item": {"type": "custom_tool_call", "id": "f", "call_id": "c", "name": "run"}},
        {"type": "response.custom_tool_call_input.delta", "item_id": "f", "delta": "print("},
        {"type": "response.custom_tool_call_input.delta", "item_id": "f", "delta": "1)"},
    ]
    (call,) = pw.read(map(made, items)).calls()
    assert (call.name, call.text, call.arguments) == ("run", "print(1)", None)


def test_vllm_gives_the_whole_text_or_deltas() -> None:
    whole = [vllm('{"a"', [1]), vllm('{"a": "x', [1, 2, 3]), vllm('{"a": "xy"}', [1, 2, 3, 4], "stop")]
    deltas = [vllm('{"a"', [1]), vllm(': "x', [2, 3]), vllm('y"}', [4], "stop")]
    repeated = [vllm("ha", [5]), vllm("ha", [5]), vllm("ha", [5]), vllm("haha", [5, 5])]
    for items in (whole, deltas):
        assert pw.read(map(made, items)).data() == {"a": "xy"}
    assert pw.read(map(made, repeated)).answer().text == "hahahahaha"


def test_only_the_first_of_several_answers_is_read() -> None:
    second = {"choices": [{"index": 1, "delta": {"content": "[2]"}}]}
    assert pw.read(map(made, [*CHAT[:4], second, *CHAT[4:]])).data() == {"city": "Rome"}


def test_errors_of_providers() -> None:
    for item in (
        {"type": "error", "message": "overloaded"},
        {"type": "error", "error": {"message": "overloaded"}},
        {"type": "response.failed", "response": {"error": {"message": "overloaded"}}},
    ):
        with pytest.raises(pw.SourceError, match="overloaded"):
            pw.read([made(item)]).answer()


def test_whole_responses_are_refused_with_advice() -> None:
    response = made({"choices": [{"index": 0, "message": {"content": "[1]"}}]})
    with pytest.raises(pw.SourceError, match="stream=True"):
        pw.read(response)
    with pytest.raises(pw.SourceError, match="stream=True"):
        pw.read([response]).answer()
    with pytest.raises(pw.SourceError, match="stream=True"):
        pw.read([("id", "x")]).answer()


def chunk(delta: dict[str, Any], reason: str | None = None) -> dict[str, Any]:
    return {"choices": [{"index": 0, "delta": delta, "finish_reason": reason}]}


@pytest.mark.parametrize(
    "items",
    [
        [chunk({"refusal": "I can"}), chunk({"refusal": "not."}, "stop")],
        [{"type": "response.refusal.delta", "delta": "I can"}, {"type": "response.refusal.delta", "delta": "not."}],
    ],
)
def test_refusals(items: list[Any]) -> None:
    reader = pw.read(items)
    with pytest.raises(pw.NoValue, match="the model refused, which is “I cannot.”"):
        reader.data()
    assert reader.facts["refusal"] == "I cannot."


def test_a_refusal_without_words() -> None:
    with pytest.raises(pw.NoValue, match="the model refused$"):
        pw.read([{"type": "message_delta", "delta": {"stop_reason": "refusal"}}]).data()


@pytest.mark.parametrize(
    "item",
    [
        {"choices": [], "error": {"message": "overloaded"}},
        {"choices": [{"index": 0, "delta": {}, "finish_reason": "error"}], "error": {"message": "overloaded"}},
        {"error": {"message": "overloaded"}},
        {"type": "error", "error": {"message": "overloaded"}},
        {"type": "response.failed", "response": {"error": {"message": "overloaded"}}},
    ],
)
def test_errors_inside_streams(item: Any) -> None:
    with pytest.raises(pw.SourceError, match="the provider sent an error: overloaded"):
        pw.read([item]).data()


def test_events_of_somebody_else() -> None:
    cohere = {"type": "content-delta", "delta": {"message": {"content": {"text": "[1]"}}}}
    with pytest.raises(pw.SourceError, match="no text that is known.*content-delta"):
        pw.read([cohere]).data()
    # A kind of event that Anthropic adds is passed over.
    start = {"type": "message_start", "message": {"usage": {}}}
    text = {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "[1]"}}
    assert pw.read([start, {"type": "new_kind"}, text]).data() == [1]


def test_items_with_wrong_types() -> None:
    for item in (chunk({"content": 5}), chunk({"tool_calls": 5}), chunk({"tool_calls": [{"index": 0, "function": {"arguments": b"x"}}]})):
        with pytest.raises(pw.SourceError, match="cannot be read"):
            pw.read([item]).data()


def test_calls_of_whole_messages_of_langchain() -> None:
    messages = pytest.importorskip("langchain_core.messages")
    message = messages.AIMessage(content="", tool_calls=[{"name": "weather", "args": {"city": "Rome"}, "id": "c"}])
    (call,) = pw.read([message]).calls()
    assert (call.id, call.name, call.arguments) == ("c", "weather", {"city": "Rome"})


class Streamer:
    """The shape of `TextIteratorStreamer` of transformers: an iterator whose end is an item of its queue."""

    def __init__(self, *texts: str) -> None:
        self.text_queue: queue.Queue[Any] = queue.Queue()
        self.stop_signal, self.timeout = None, None
        for text in (*texts, self.stop_signal):
            self.text_queue.put(text, timeout=self.timeout)

    def __iter__(self) -> Any:
        return self

    def __next__(self) -> str:
        value = self.text_queue.get(timeout=self.timeout)
        if value == self.stop_signal:
            raise StopIteration
        return str(value)


def test_streamers_of_transformers() -> None:
    assert pw.read(Streamer("", '{"a"', ": ", "1}", "")).data() == {"a": 1}


def test_the_async_engine_of_vllm() -> None:
    class Output:
        def __init__(self, text: str, count: int) -> None:
            self.request_id, self.prompt_token_ids = "r", [1]
            one = {"index": 0, "text": text, "token_ids": list(range(count)), "finish_reason": None}
            self.outputs = [one]

    async def generate() -> Any:
        for count, text in enumerate(['{"a"', '{"a": [1', '{"a": [1, 2]}'], 2):
            yield Output(text, count)

    async def main() -> Any:
        async with pw.read(generate()) as reader:
            return [item async for item in reader.each("a")], await reader.data()

    assert asyncio.run(main()) == ([1, 2], {"a": [1, 2]})
