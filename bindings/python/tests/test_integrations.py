"""The frameworks, each with the real package."""

from __future__ import annotations

import asyncio
import io
import json
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pydantic
import pytest

import patchwire as pw
from test_clients import chat_chunk, sse, transport

TEXT = 'Sure! {"title": "Mill", "rows": [{"sku": "a1"}, {"sku": "b2"}], done: True,}'


class Row(pydantic.BaseModel):
    sku: str


class Report(pydantic.BaseModel):
    title: str
    rows: list[Row]
    done: bool


REPORT = Report(title="Mill", rows=[Row(sku="a1"), Row(sku="b2")], done=True)


def chunks(text: str = TEXT) -> Iterator[str]:
    return (text[at : at + 6] for at in range(0, len(text), 6))


async def achunks(text: str = TEXT) -> AsyncIterator[str]:
    for chunk in chunks(text):
        yield chunk


# LangChain.


def test_langchain() -> None:
    pytest.importorskip("langchain_core")
    from langchain_core.exceptions import OutputParserException
    from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
    from langchain_core.messages import AIMessage

    from patchwire.langchain import PatchwireParser

    def chain(**settings: Any) -> Any:
        return GenericFakeChatModel(messages=iter([AIMessage(content=TEXT)] * 3)) | PatchwireParser(Report, **settings)

    patches = list(chain().stream("x"))
    assert "".join(patch.delta for patch in patches if patch.path == "title") == "Mill"
    values = list(chain(streams="values").stream("x"))
    assert values[-1] == json.loads(REPORT.model_dump_json()) and len(values) > 3 and values[0] != values[-1]
    assert chain().invoke("x") == REPORT
    with pytest.raises(OutputParserException, match="rows"):
        PatchwireParser(Report).parse('{"title": "Mill"}')
    assert "sku" in PatchwireParser(Report).get_format_instructions()

    async def main() -> Any:
        return [patch async for patch in chain().astream("x")], [v async for v in chain(streams="values").astream("x")]

    later, grown = asyncio.run(main())
    assert later == patches and grown[-1] == values[-1]


# Pydantic AI.


def test_pydantic_ai_text() -> None:
    pytest.importorskip("pydantic_ai")
    from pydantic_ai import Agent
    from pydantic_ai.models.function import FunctionModel

    async def model(messages: Any, info: Any) -> AsyncIterator[str]:
        for chunk in chunks():
            yield chunk

    async def main() -> Any:
        agent = Agent(FunctionModel(stream_function=model), instructions=pw.prompt(Report))
        async with agent.run_stream("x") as result:
            async with pw.read(result.stream_text(delta=True, debounce_by=None), Report) as reader:
                rows = [row async for row in reader.each("rows", Row)]
                return rows, await reader.data()

    assert asyncio.run(main()) == (REPORT.rows, REPORT)


def test_pydantic_ai_output_tools() -> None:
    pytest.importorskip("pydantic_ai")
    from pydantic_ai import Agent
    from pydantic_ai.models.function import DeltaThinkingPart, DeltaToolCall, FunctionModel

    text = REPORT.model_dump_json()
    asked = []

    async def model(messages: Any, info: Any) -> AsyncIterator[Any]:
        asked.append(messages)
        if len(asked) == 1:
            yield {0: DeltaThinkingPart(content="Hm.")}
            yield {1: DeltaToolCall(name="look", json_args='{"where": ', tool_call_id="t1")}
            yield {1: DeltaToolCall(json_args='"up"}')}
            return
        yield {0: DeltaToolCall(name=info.output_tools[0].name, json_args=text[:20], tool_call_id="t2")}
        yield {0: DeltaToolCall(json_args=text[20:])}

    async def main() -> Any:
        agent = Agent(FunctionModel(stream_function=model), output_type=Report)

        @agent.tool_plain
        def look(where: str) -> str:
            return where

        async with pw.read(agent.run_stream_events("x"), Report) as reader:
            title, reasoning, calls, data = await asyncio.gather(
                reader.get("title"), _listed(reader.reasoning()), _listed(reader.calls()), reader.data()
            )
            return title, "".join(reasoning), [(call.name, call.arguments) for call in calls], data

    assert asyncio.run(main()) == ("Mill", "Hm.", [("look", {"where": "up"})], REPORT)


async def _listed(items: AsyncIterator[Any]) -> list[Any]:
    return [item async for item in items]


# instructor.


def completion(text: str) -> dict[str, Any]:
    choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": text}}
    return {"id": "c", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice]}


def test_instructor() -> None:
    instructor = pytest.importorskip("instructor")
    openai = pytest.importorskip("openai")
    httpx = pytest.importorskip("httpx")
    from patchwire.instructor import register

    register()
    asked: list[Any] = []
    answers = [json.dumps(completion('{"title": "Mill"}')), json.dumps(completion(TEXT))]

    def respond(request: Any) -> Any:
        asked.append(json.loads(request.content))
        if asked[-1].get("stream"):
            body = sse([*(chat_chunk({"content": chunk}) for chunk in chunks()), chat_chunk({}, "stop"), "[DONE]"])
            return httpx.Response(200, content=body, headers={"content-type": "text/event-stream"})
        return httpx.Response(200, content=answers.pop(0), headers={"content-type": "application/json"})

    raw = openai.OpenAI(api_key="k", http_client=httpx.Client(transport=httpx.MockTransport(respond)))
    client = instructor.from_openai(raw, mode=instructor.Mode.MD_JSON)
    messages = [{"role": "user", "content": "Report."}]
    assert client.create(response_model=Report, model="m", messages=messages, max_retries=2).model_dump() == REPORT.model_dump()
    assert "sku" in asked[0]["messages"][0]["content"] and len(asked) == 2
    partials = list(client.create_partial(response_model=Report, model="m", messages=messages))
    assert partials[-1].model_dump() == REPORT.model_dump() and len(partials) > 3


def test_json_is_written_clean() -> None:
    pytest.importorskip("instructor")
    from patchwire.instructor import JsonWriter

    for text in (TEXT, "[1, {'a': [], 'b': {}}, \"x\\n\\u00e4\", null,]", "{}"):
        writer = JsonWriter()
        written = "".join(piece for patch in pw.read(chunks(text)) for piece in writer.write(patch))
        assert json.loads(written) == pw.loads(text), text


# FastAPI.


def test_fastapi() -> None:
    fastapi = pytest.importorskip("fastapi")
    pytest.importorskip("httpx")
    from fastapi.testclient import TestClient

    from patchwire.fastapi import respond

    closed = []

    async def source() -> AsyncIterator[str]:
        try:
            async for chunk in achunks():
                yield chunk
        finally:
            closed.append(True)

    async def broken() -> AsyncIterator[str]:
        yield '{"a'
        raise OSError("dead")

    app = fastapi.FastAPI()
    app.get("/async/{protocol}")(lambda protocol: respond(pw.read(source(), Report), protocol))
    app.get("/sync/{protocol}")(lambda protocol: respond(pw.read(chunks(), Report), protocol, sse=False))
    app.get("/broken/{protocol}")(lambda protocol: respond(pw.read(broken()), protocol))
    with TestClient(app) as client:
        for protocol in ("events", "compact", "ops", "json-patch", "ag-ui", "ui-message"):
            streamed = client.get(f"/async/{protocol}")
            expected = "".join(pw.read(chunks(), Report).wire(protocol, sse=True))
            assert streamed.text == expected and streamed.headers["content-type"].startswith("text/event-stream")
            lines = client.get(f"/sync/{protocol}")
            assert lines.text == "".join(pw.read(chunks(), Report).wire(protocol))
            failed = client.get(f"/broken/{protocol}").text
            # JSON Patch has no way to say it.
            assert "dead" in failed or protocol == "json-patch"
        assert client.get("/async/ui-message").headers["x-vercel-ai-ui-message-stream"] == "v1"
    assert len(closed) == 7


# Terminals and notebooks.


def test_rich() -> None:
    pytest.importorskip("rich")
    from rich.console import Console

    out = io.StringIO()
    console = Console(file=out, force_terminal=True, width=60)
    answer = pw.live(pw.read(chunks(), Report), console=console)
    assert answer.outcome == "repaired" and "Mill" in out.getvalue() and "b2" in out.getvalue()

    async def main() -> Any:
        return await pw.live(pw.read(achunks(TEXT[:40])), console=console)

    assert asyncio.run(main()).outcome == "truncated"


def test_jupyter() -> None:
    pytest.importorskip("ipywidgets")
    from patchwire import jupyter

    drawn = []

    class Spy(jupyter.LiveForm):
        def show(self, value: Any, state: str) -> None:
            super().show(value, state)
            drawn.append(self.value)

    widget = Spy()
    answer = jupyter._live(pw.read(chunks('{"a": "<b>x</b>", "n": [1, true]}')), widget, _always())
    assert answer.value["n"] == [1, True]
    assert "&lt;b&gt;x&lt;/b&gt;" in widget.value and "<b>" not in widget.value and "true" in widget.value
    assert len(drawn) > 3 and drawn[0] != drawn[-1]
    assert jupyter.live(pw.read(chunks()), display=False).has_value

    async def main() -> Any:
        return await jupyter.live(pw.read(achunks()), display=False)

    assert asyncio.run(main()).has_value


class _always:
    def is_due(self) -> bool:
        return True
