"""A model's server for the clients: OpenAI's chat completions and Anthropic's messages, with one answer for everybody."""

import json
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

PIECES = ["Here it is: {\"title\": \"Caf", "é ☃\", \"tags\"", ": [\"a\", \"b", "\"], \"n\": 12", "}"]
TEXT = "".join(PIECES)
USAGE = {"prompt_tokens": 7, "completion_tokens": 5, "total_tokens": 12}


def chunk(index, delta, reason=None, **more):
    choice = {"index": index, "delta": delta, "finish_reason": reason}
    return {"id": "c-1", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": [choice], **more}


def openai_stream(body):
    count = body.get("n") or 1
    for index in range(count):
        yield None, chunk(index, {"role": "assistant", "content": ""})
    for piece in PIECES:
        for index in range(count):
            yield None, chunk(index, {"content": piece})
    for index in range(count):
        yield None, chunk(index, {}, "stop")
    if (body.get("stream_options") or {}).get("include_usage"):
        yield None, {**chunk(0, {}), "choices": [], "usage": USAGE}


def openai_whole(body):
    choices = [
        {"index": index, "message": {"role": "assistant", "content": TEXT}, "finish_reason": "stop"}
        for index in range(body.get("n") or 1)
    ]
    return {"id": "c-1", "object": "chat.completion", "created": 1, "model": "m", "choices": choices, "usage": USAGE}


def message(content, reason):
    return {"id": "m-1", "type": "message", "role": "assistant", "model": "m", "content": content, "stop_reason": reason,
            "stop_sequence": None, "usage": {"input_tokens": 7, "output_tokens": 5}}


def anthropic_stream(_):
    yield "message_start", {"type": "message_start", "message": message([], None)}
    yield "content_block_start", {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}}
    yield "ping", {"type": "ping"}
    for piece in PIECES:
        delta = {"type": "text_delta", "text": piece}
        yield "content_block_delta", {"type": "content_block_delta", "index": 0, "delta": delta}
    yield "content_block_stop", {"type": "content_block_stop", "index": 0}
    delta = {"stop_reason": "end_turn", "stop_sequence": None}
    yield "message_delta", {"type": "message_delta", "delta": delta, "usage": {"output_tokens": 5}}
    yield "message_stop", {"type": "message_stop"}


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def send(self, status, body):
        data = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def refuse(self, status, what):
        self.send(status, {"type": "error", "error": {"type": "invalid_request_error", "message": what}})

    def do_GET(self):
        model = {"id": "m", "object": "model", "created": 1, "owned_by": "clients"}
        self.send(200, {"object": "list", "data": [model]})

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        key = self.headers.get("authorization") or self.headers.get("x-api-key") or ""
        if "patchwire" in body or any("patchwire" in name.lower() for name in self.headers):
            return self.refuse(400, "the options of the gateway were passed on")
        if not key.endswith("client-key") and self.path.startswith("/v1/") and "keyless" not in body.get("model", ""):
            return self.refuse(401, f"wrong key {key}")
        is_chat = self.path.startswith("/v1/chat/completions")
        if not body.get("stream"):
            whole = openai_whole(body) if is_chat else message([{"type": "text", "text": TEXT}], "end_turn")
            return self.send(200, whole)
        self.send_response(200)
        self.send_header("content-type", "text/event-stream; charset=utf-8")
        self.send_header("connection", "close")
        self.end_headers()
        for name, event in openai_stream(body) if is_chat else anthropic_stream(body):
            head = f"event: {name}\n" if name else ""
            self.wfile.write(f"{head}data: {json.dumps(event)}\n\n".encode())
            self.wfile.flush()
        if is_chat:
            self.wfile.write(b"data: [DONE]\n\n")
        self.close_connection = True


server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(f"http://127.0.0.1:{server.server_port}", flush=True)
sys.stdout.close()
server.serve_forever()
