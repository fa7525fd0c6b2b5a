"""A model's server whose answers are attacks: the name of the model says which.

Prints its address. Speaks OpenAI's chat completions, streaming only, over HTTP/1.1 with chunks.
"""

import asyncio
import json

HEAD = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\nconnection: close\r\n\r\n"


def event(**delta):
    choice = {"index": 0, "delta": delta, "finish_reason": None}
    return b"data: " + json.dumps({"id": "c", "object": "chat.completion.chunk", "choices": [choice]}).encode() + b"\n\n"


def small():
    """A small answer, in tokens."""
    text = json.dumps({"title": "A report", "tags": ["a", "b"], "body": "word by word " * 20})
    for at in range(0, len(text), 4):
        yield event(content=text[at : at + 4])


def long():
    """A text of nearly 16 MiB."""
    yield event(content='{"body": "')
    for _ in range(250):
        yield event(content="word by word " * 5000)
    yield event(content='"}')


def deltas():
    """A text of 16 MiB in deltas of one KiB."""
    yield event(content='{"body": "')
    for _ in range(16 << 10):
        yield event(content="word " * 204 + "more")
    yield event(content='"}')


def calls():
    """A hundred thousand tool calls."""
    for number in range(100_000):
        function = {"name": "f", "arguments": '{"a":1}'}
        yield event(tool_calls=[{"index": number, "id": f"call-{number}", "type": "function", "function": function}])


def usage():
    """One event of 8 MB."""
    members = ",".join(f'"k{number}":{number}' for number in range(500_000))
    yield b'data: {"choices":[],"usage":{%s}}\n\n' % members.encode()


def values():
    """An answer of a million small values."""
    yield event(content="[")
    for _ in range(1000):
        yield event(content="1," * 1000)
    yield event(content="1]")


def nested():
    """Objects in each other, as deep as they may be, again and again."""
    yield event(content="[")
    for _ in range(2000):
        yield event(content='{"a":' * 200 + "1" + "}" * 200 + ",")
    yield event(content="1]")


ANSWERS = {answer.__name__: answer for answer in (small, long, deltas, calls, usage, values, nested)}


async def answer(reader, writer):
    try:
        head = await reader.readuntil(b"\r\n\r\n")
        length = next((int(line.split(b":")[1]) for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")), 0)
        name = json.loads(await reader.readexactly(length))["model"]
        writer.write(HEAD)
        for data in ANSWERS[name]():
            writer.write(b"%x\r\n%s\r\n" % (len(data), data))
            await writer.drain()
        end = b'data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n'
        writer.write(b"%x\r\n%s\r\n0\r\n\r\n" % (len(end), end))
        await writer.drain()
    except (OSError, asyncio.IncompleteReadError):
        pass
    finally:
        writer.close()


async def main():
    server = await asyncio.start_server(answer, "127.0.0.1", 0, backlog=4096)
    print(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}", flush=True)
    await server.serve_forever()


asyncio.run(main())
