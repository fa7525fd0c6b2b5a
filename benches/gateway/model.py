"""A model's server that costs little: every answer is the same list of prepared events, one each PACE milliseconds.

Prints its address. Speaks OpenAI's chat completions, streaming only, over HTTP/1.1 with chunks.
"""

import asyncio
import json
import sys

PACE = float(sys.argv[1]) / 1000
TOKENS = int(sys.argv[2])

FIELD = 'word by word, "%s" of an answer that has a few fields and a long text. '


def text():
    """About four bytes a token, in an object with one long text and a list."""
    parts = ['{"title": "A report", "summary": "']
    while sum(map(len, parts)) < TOKENS * 4 - 60:
        parts.append(FIELD.replace('"', "") % len(parts))
    return "".join(parts) + '", "tags": ["a", "b"]}'


def events():
    answer = text()
    step = max(1, len(answer) // TOKENS)
    for at in range(0, len(answer), step):
        choice = {"index": 0, "delta": {"content": answer[at : at + step]}, "finish_reason": None}
        yield {"id": "c-1", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": [choice]}
    choice = {"index": 0, "delta": {}, "finish_reason": "stop"}
    yield {"id": "c-1", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": [choice]}


def framed(data):
    return b"%x\r\n%s\r\n" % (len(data), data)


EVENTS = [framed(f"data: {json.dumps(event)}\n\n".encode()) for event in events()]
EVENTS[-1] += framed(b"data: [DONE]\n\n") + b"0\r\n\r\n"
HEAD = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\nconnection: close\r\n\r\n"


async def answer(reader, writer):
    try:
        head = await reader.readuntil(b"\r\n\r\n")
        length = next((int(line.split(b":")[1]) for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")), 0)
        await reader.readexactly(length)
        writer.write(HEAD)
        clock = asyncio.get_running_loop().time
        start = clock()
        for number, event in enumerate(EVENTS):
            await asyncio.sleep(max(0, start + number * PACE - clock()))
            writer.write(event)
        await writer.drain()
    except (ConnectionError, asyncio.IncompleteReadError):
        pass
    finally:
        writer.close()


async def main():
    server = await asyncio.start_server(answer, "127.0.0.1", 0, backlog=4096)
    port = server.sockets[0].getsockname()[1]
    print(f"http://127.0.0.1:{port}", len(EVENTS), flush=True)
    await server.serve_forever()


asyncio.run(main())
