"""The real clients, with a transport that answers from memory."""

from __future__ import annotations

import asyncio
import importlib
import importlib.util
import json
from typing import Any

import pytest

import patchwire as pw

TEXT = '{"city": "Rome", "days": 3}'


def sse(items: list[Any], named: bool = False) -> bytes:
    """A body of server-sent events."""
    frames = []
    for item in items:
        name = f"event: {item['type']}\n" if named else ""
        frames.append(f"{name}data: {item if isinstance(item, str) else json.dumps(item)}\n\n")
    return "".join(frames).encode()


def transport(body: bytes, kind: str = "text/event-stream", package: str = "httpx") -> Any:
    httpx = pytest.importorskip(package)
    return httpx.MockTransport(lambda request: httpx.Response(200, content=body, headers={"content-type": kind}))


def chat_chunk(delta: dict[str, Any], reason: str | None = None) -> dict[str, Any]:
    choice = {"index": 0, "delta": delta, "finish_reason": reason}
    return {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": [choice]}


CHAT = sse([chat_chunk({"role": "assistant"}), *(chat_chunk({"content": TEXT[at : at + 4]}) for at in range(0, len(TEXT), 4)),
            chat_chunk({}, "stop"), "[DONE]"])


def test_openai_chat() -> None:
    openai = pytest.importorskip("openai")
    import httpx

    client = openai.OpenAI(api_key="k", http_client=httpx.Client(transport=transport(CHAT)))
    stream = client.chat.completions.create(model="m", messages=[], stream=True)
    with pw.read(stream, {"city": "str", "days": "int"}) as reader:
        assert reader.get("city") == "Rome" and reader.data() == {"city": "Rome", "days": 3}
        assert reader.facts["stop_reason"] == "stop"
    with client.chat.completions.stream(model="m", messages=[]) as helper:
        assert pw.read(helper).data() == {"city": "Rome", "days": 3}
    assert pw.read(client.chat.completions.stream(model="m", messages=[])).data() == {"city": "Rome", "days": 3}

    async def main() -> Any:
        asynchronous = openai.AsyncOpenAI(api_key="k", http_client=httpx.AsyncClient(transport=transport(CHAT)))
        async with pw.read(asynchronous.chat.completions.create(model="m", messages=[], stream=True)) as reader:
            return await asyncio.gather(reader.get("city"), reader.data())

    assert asyncio.run(main()) == ["Rome", {"city": "Rome", "days": 3}]


def test_openai_calls() -> None:
    openai = pytest.importorskip("openai")
    import httpx

    def part(index: int, arguments: str, **more: Any) -> dict[str, Any]:
        return chat_chunk({"tool_calls": [{"index": index, "function": {"arguments": arguments, **more.pop("function", {})}, **more}]})

    body = sse([part(0, "", id="c1", type="function", function={"name": "weather"}), part(0, '{"city": "Ro'), part(0, 'me"}'),
                chat_chunk({}, "tool_calls"), "[DONE]"])
    client = openai.OpenAI(api_key="k", http_client=httpx.Client(transport=transport(body)))
    stream = client.chat.completions.create(model="m", messages=[], stream=True)
    (call,) = pw.read(stream).calls()
    assert (call.id, call.name, call.arguments) == ("c1", "weather", {"city": "Rome"})


def test_openai_responses() -> None:
    openai = pytest.importorskip("openai")
    import httpx

    def delta(text: str, number: int) -> dict[str, Any]:
        return {"type": "response.output_text.delta", "delta": text, "item_id": "m", "output_index": 0, "content_index": 0,
                "sequence_number": number, "logprobs": []}

    body = sse([delta(TEXT[:9], 1), delta(TEXT[9:], 2)], named=True)
    client = openai.OpenAI(api_key="k", http_client=httpx.Client(transport=transport(body)))
    assert pw.read(client.responses.create(model="m", input="", stream=True)).data() == {"city": "Rome", "days": 3}


def test_anthropic() -> None:
    anthropic = pytest.importorskip("anthropic")
    package = "httpx2" if importlib.util.find_spec("httpx2") else "httpx"
    httpx = importlib.import_module(package)

    def delta(text: str) -> dict[str, Any]:
        return {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": text}}

    message = {"id": "m", "type": "message", "role": "assistant", "content": [], "model": "m", "stop_reason": None,
               "stop_sequence": None, "usage": {"input_tokens": 1, "output_tokens": 1}}
    body = sse([
        {"type": "message_start", "message": message},
        {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
        delta(TEXT[:9]), delta(TEXT[9:]),
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", "delta": {"stop_reason": "end_turn", "stop_sequence": None}, "usage": {"output_tokens": 7}},
        {"type": "message_stop"},
    ], named=True)
    client = anthropic.Anthropic(api_key="k", http_client=httpx.Client(transport=transport(body, package=package)))
    arguments: dict[str, Any] = {"model": "m", "max_tokens": 9, "messages": [{"role": "user", "content": "x"}]}
    reader = pw.read(client.messages.create(stream=True, **arguments))
    assert reader.data() == {"city": "Rome", "days": 3} and reader.facts["stop_reason"] == "end_turn"
    with pw.read(client.messages.stream(**arguments)) as reader:
        assert reader.data() == {"city": "Rome", "days": 3}
    with client.messages.stream(**arguments) as stream:
        assert pw.read(stream.text_stream).data() == {"city": "Rome", "days": 3}


def test_ollama() -> None:
    ollama = pytest.importorskip("ollama")
    parts = [{"model": "m", "message": {"role": "assistant", "content": text}, "done": False} for text in (TEXT[:9], TEXT[9:])]
    parts.append({"model": "m", "message": {"role": "assistant", "content": ""}, "done": True, "done_reason": "stop"})
    body = "".join(json.dumps(part) + "\n" for part in parts).encode()
    client = ollama.Client(transport=transport(body, "application/x-ndjson"))
    reader = pw.read(client.chat(model="m", messages=[], stream=True))
    assert reader.data() == {"city": "Rome", "days": 3} and reader.facts["stop_reason"] == "stop"


def test_google_genai() -> None:
    types = pytest.importorskip("google.genai.types")

    def response(text: str, thought: bool = False) -> Any:
        part = types.Part(text=text, thought=thought or None)
        return types.GenerateContentResponse(candidates=[types.Candidate(content=types.Content(parts=[part], role="model"))])

    reader = pw.read([response("Hm.", True), response(TEXT[:9]), response(TEXT[9:])])
    assert "".join(reader.reasoning()) == "Hm." and reader.data() == {"city": "Rome", "days": 3}
    call = types.Part(function_call=types.FunctionCall(name="weather", args={"city": "Rome"}))
    item = types.GenerateContentResponse(candidates=[types.Candidate(content=types.Content(parts=[call]))])
    assert [call.arguments for call in pw.read([item]).calls()] == [{"city": "Rome"}]


def test_litellm(monkeypatch: pytest.MonkeyPatch) -> None:
    # Its prices are not fetched.
    monkeypatch.setenv("LITELLM_LOCAL_MODEL_COST_MAP", "True")
    litellm = pytest.importorskip("litellm")
    stream = litellm.completion(model="gpt-4o", messages=[{"role": "user", "content": "x"}], stream=True, mock_response=TEXT)
    assert pw.read(stream).data() == {"city": "Rome", "days": 3}

    async def main() -> Any:
        asked = litellm.acompletion(model="gpt-4o", messages=[], stream=True, mock_response=TEXT)
        async with pw.read(asked) as reader:
            return await reader.data()

    assert asyncio.run(main()) == {"city": "Rome", "days": 3}


def test_langchain_messages() -> None:
    models = pytest.importorskip("langchain_core.language_models.fake_chat_models")
    messages = pytest.importorskip("langchain_core.messages")
    model = models.GenericFakeChatModel(messages=iter([messages.AIMessage(content=TEXT)] * 2))
    assert pw.read(model.stream("x")).data() == {"city": "Rome", "days": 3}

    async def main() -> Any:
        async with pw.read(model.astream("x")) as reader:
            return await reader.data()

    assert asyncio.run(main()) == {"city": "Rome", "days": 3}
