"""Python's clients, unchanged but for their base URL, read patches from their own objects."""

import asyncio
import json
import sys
from importlib.metadata import version

import anthropic
import httpx
import openai
from langchain_openai import ChatOpenAI

GATEWAY = sys.argv[1]
TEXT = "Here it is: {\"title\": \"Café ☃\", \"tags\": [\"a\", \"b\"], \"n\": 12}"
VALUE = {"title": "Café ☃", "tags": ["a", "b"], "n": 12}
ASKED = [{"role": "user", "content": "Go."}]
OPTIONS = {"patchwire": {"schema": {"title": "str", "tags": ["str"], "n": "int"}}}


def title(patches):
    return "".join(patch.get("delta", "") for patch in patches if patch.get("pointer") == "/title")


def check(name, content, patches, answer):
    assert content == TEXT, (name, content)
    assert title(patches) == "Café ☃", (name, patches)
    assert (answer["event"], answer["value"]) == ("final", VALUE), (name, answer)
    print(f"ok: {name}")


def openai_python():
    name = f"openai {version('openai')} (Python)"
    client = openai.OpenAI(base_url=f"{GATEWAY}/v1", api_key="client-key")
    assert [model.id for model in client.models.list()] == ["m"]
    contents, patches, answers, usage = {}, {}, {}, None
    for chunk in client.chat.completions.create(
        model="m", messages=ASKED, stream=True, n=2, stream_options={"include_usage": True}, extra_body=OPTIONS
    ):
        usage = chunk.usage or usage
        for choice in chunk.choices:
            contents[choice.index] = contents.get(choice.index, "") + (choice.delta.content or "")
            patches.setdefault(choice.index, []).extend(getattr(choice.delta, "patches", []))
            answers[choice.index] = getattr(choice.delta, "answer", None) or answers.get(choice.index)
    assert usage.total_tokens == 12
    for index in range(2):
        check(f"{name}, stream, choice {index}", contents[index], patches[index], answers[index])
    whole = client.chat.completions.create(model="m", messages=ASKED, extra_body=OPTIONS).choices[0].message
    check(f"{name}, whole", whole.content, [{"pointer": "/title", "delta": "Café ☃"}], whole.answer)
    with client.chat.completions.stream(model="m", messages=ASKED, extra_body=OPTIONS) as stream:
        final = stream.get_final_completion()
    assert final.choices[0].message.content == TEXT
    plain = client.chat.completions.create(model="m", messages=ASKED)
    assert not hasattr(plain.choices[0].message, "answer")
    header = {"patchwire": json.dumps(OPTIONS["patchwire"])}
    whole = client.chat.completions.create(model="m", messages=ASKED, extra_headers=header).choices[0].message
    assert whole.answer["value"] == VALUE
    for wrong, status in [({"patchwire": {"shema": 1}}, 400), ({"model": "x"}, 401)]:
        wrong_key = client.with_options(api_key="client-kez-0123456789")
        try:
            (wrong_key if status == 401 else client).chat.completions.create(model="m", messages=ASKED, extra_body=wrong)
            raise AssertionError("it was accepted")
        except openai.APIStatusError as error:
            assert error.status_code == status, error
            assert "0123456789" not in str(error), error
    try:
        client.responses.create(model="m", input="Go.")
        raise AssertionError("nothing is spoken there")
    except openai.NotFoundError as error:
        assert error.code == "endpoint_not_spoken", error
    asyncio.run(openai_async())
    print(f"ok: {name}, errors")


async def openai_async():
    client = openai.AsyncOpenAI(base_url=f"{GATEWAY}/v1", api_key="client-key")
    stream = await client.chat.completions.create(model="m", messages=ASKED, stream=True, extra_body=OPTIONS)
    content, patches, answer = "", [], None
    async for chunk in stream:
        for choice in chunk.choices:
            content += choice.delta.content or ""
            patches += getattr(choice.delta, "patches", [])
            answer = getattr(choice.delta, "answer", answer)
    check(f"openai {version('openai')} (Python), async", content, patches, answer)


class WithPatches(ChatOpenAI):
    """LangChain keeps only what it knows of a delta; this is its own hook for more."""

    def _convert_chunk_to_generation_chunk(self, chunk, *rest):
        generation = super()._convert_chunk_to_generation_chunk(chunk, *rest)
        for choice in chunk.get("choices") or []:
            for name in {"patches", "answer"} & set(choice["delta"] or {}):
                generation.message.additional_kwargs[name] = choice["delta"][name]
        return generation


def langchain():
    name = f"langchain-openai {version('langchain-openai')}"
    settings = {"base_url": f"{GATEWAY}/v1", "api_key": "client-key", "model": "m", "extra_body": OPTIONS}
    assert "".join(chunk.text for chunk in ChatOpenAI(**settings).stream("Go.")) == TEXT
    assert ChatOpenAI(**settings).invoke("Go.").text == TEXT
    content, patches, answer = "", [], None
    for chunk in WithPatches(**settings).stream("Go."):
        content += chunk.text
        patches += chunk.additional_kwargs.get("patches", [])
        answer = chunk.additional_kwargs.get("answer", answer)
    check(f"{name}, stream", content, patches, answer)


def anthropic_python():
    name = f"anthropic {version('anthropic')}"
    client = anthropic.Anthropic(base_url=GATEWAY, api_key="client-key")
    asked = {"model": "m", "max_tokens": 100, "messages": ASKED, "extra_body": OPTIONS}
    content, patches, answer = "", [], None
    for event in client.messages.create(stream=True, **asked):
        if event.type == "content_block_delta":
            content += event.delta.text
        if event.type in ("content_block_delta", "message_delta"):
            patches += getattr(event.delta, "patches", None) or []
            answer = getattr(event.delta, "answer", None) or answer
    check(f"{name}, stream", content, patches, answer)
    with client.messages.stream(**asked) as stream:
        final = stream.get_final_message()
    assert (final.content[0].text, final.usage.output_tokens) == (TEXT, 5)
    whole = client.messages.create(**asked)
    check(f"{name}, whole", whole.content[0].text, [{"pointer": "/title", "delta": "Café ☃"}], whole.answer)


def fields():
    asked = {"model": "keyless", "messages": ASKED, **OPTIONS}
    with httpx.stream("POST", f"{GATEWAY}/v1/fields", json=asked, timeout=None) as response:
        data = [json.loads(line[6:]) for line in response.iter_lines() if line.startswith("data: ")]
    check(f"httpx {version('httpx')}, /v1/fields", TEXT, data, data[-1])


openai_python()
langchain()
anthropic_python()
fields()
