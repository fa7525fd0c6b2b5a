"""What a gateway costs for each token of the model, beside nginx, which only passes bytes on.

    python3 benches/gateway/bench.py target/release/patchwire [--streams 20,100,500] [--tokens 200] [--litellm PYTHON]

The model's server (model.py), the gateway and the clients are processes of their own on this machine. What counts is the time of the
processor that the gateway took, from /proc, divided by the tokens of all streams. Prints a table in Markdown. Needs Linux; nginx is
left out where it is not installed, LiteLLM's proxy where no Python with it is named.
"""

import argparse
import asyncio
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from processes import Server, cpu_seconds, first_line, resident_kib

HERE = Path(__file__).parent
INTRODUCTION = """
## The gateway: time of the processor a token

The model, the gateway and the clients are processes of their own on one machine. The model sends a token every 20 ms, or slower where the
streams are many. *Beside nginx* is the time divided by nginx's, which passes the same bytes on in this run.
"""
# All clients and the model together send no more events a second than this, so that they do not wait for the processor.
RATE = 4000
# The last bytes of a stream, in which its end is looked for.
END = 4096


class Patchwire(Server):
    def __init__(self, command, model, folder):
        listen = [command, "serve", "--listen", "127.0.0.1:0", "--upstream", f"{model}/v1", "--max-streams", "4096"]
        super().__init__(listen, stdout=subprocess.PIPE)
        self.address = first_line(self)[0].rstrip("/")


class Nginx(Server):
    def __init__(self, model, folder):
        settings = (
            f"worker_processes 1; daemon off; pid {folder}/pid; error_log {folder}/log; worker_rlimit_nofile 16384;\n"
            "events { worker_connections 8192; }\n"
            f"http {{ access_log off; client_body_temp_path {folder}; proxy_temp_path {folder}; fastcgi_temp_path {folder};\n"
            f"uwsgi_temp_path {folder}; scgi_temp_path {folder};\n"
            f"server {{ listen 127.0.0.1:39818 backlog=4096; location / {{ proxy_pass {model}; proxy_buffering off; proxy_http_version 1.1; }} }} }}\n"
        )
        path = Path(folder) / "nginx.conf"
        path.write_text(settings)
        super().__init__([shutil.which("nginx") or "/usr/sbin/nginx", "-c", str(path), "-p", str(folder)])
        self.address = "http://127.0.0.1:39818"
        wait_for(39818)


class LiteLlm(Server):
    def __init__(self, python, model, folder):
        path = Path(folder) / "litellm.json"
        route = {"model": "openai/m", "api_base": f"{model}/v1", "api_key": "none"}
        models = [{"model_name": "m", "litellm_params": route}]
        # Without a key of its own it starts only where that is said.
        general = {"dangerously_permit_weak_or_unset_master_key": True}
        path.write_text(json.dumps({"model_list": models, "general_settings": general}))
        command = [str(Path(python).parent / "litellm"), "--config", str(path), "--host", "127.0.0.1", "--port", "39819", "--num_workers", "1"]
        super().__init__(command, stdout=subprocess.DEVNULL)
        self.address = "http://127.0.0.1:39819"
        wait_for(39819)


def wait_for(port):
    for _ in range(600):
        try:
            return asyncio.run(open_and_close(port))
        except OSError:
            time.sleep(0.1)
    raise TimeoutError(f"nothing listens at port {port}")


async def open_and_close(port):
    _, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.close()


async def client(address, path, body, mark, latest):
    """Reads one stream to its end. Returns its bytes, and the seconds to the first `mark` in it."""
    host, port = address.removeprefix("http://").split(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    data = json.dumps(body).encode()
    writer.write(
        f"POST {path} HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\ncontent-type: application/json\r\n"
        f"content-length: {len(data)}\r\n\r\n".encode() + data
    )
    start, first, count, end = time.monotonic(), None, 0, b""
    while chunk := await reader.read(1 << 16):
        count += len(chunk)
        # What is looked for may be cut by a read.
        end = end[-END:] + chunk
        if first is None and mark in end:
            first = time.monotonic() - start
    writer.close()
    if first is None or latest not in end:
        raise RuntimeError(f"{path}: the stream of {address} did not end as it should: {end[-200:]!r}")
    return count, first


async def measure(server, path, body, mark, latest, streams, tokens):
    # What is made once, at the first requests, is not the cost of a stream.
    await asyncio.gather(*(client(server.address, path, body, mark, latest) for _ in range(3)))
    pid = server.process.pid
    resident, cpu = resident_kib(pid), cpu_seconds(pid)
    clients = asyncio.gather(*(client(server.address, path, body, mark, latest) for _ in range(streams)))
    most = resident
    while not clients.done():
        await asyncio.sleep(0.5)
        most = max(most, resident_kib(pid))
    ends = await clients
    spent = cpu_seconds(pid) - cpu
    return {
        "us": spent / streams / tokens * 1e6,
        "bytes": statistics.mean(count for count, _ in ends) / tokens,
        "kib": (most - resident) / streams,
        "first": statistics.median(first for _, first in ends) * 1000,
    }


def ways(args):
    """Name, server, path, body, what marks the first event, what the end must have."""
    chat = {"model": "m", "stream": True, "messages": [{"role": "user", "content": "go"}]}
    fields = {**chat, "patchwire": {"format": "json"}}
    patchwire = lambda model, folder: Patchwire(args.command, model, folder)
    yield "patchwire, `/v1/fields`", patchwire, "/v1/fields", fields, b"event: patch", b"event: final"
    compact = {**chat, "patchwire": {"format": "json", "wire": "compact"}}
    yield "patchwire, `/v1/fields`, compact", patchwire, "/v1/fields", compact, b"title", b"event: final"
    yield "patchwire, chat completions with patches", patchwire, "/v1/chat/completions", fields, b"patches", b"[DONE]"
    yield "patchwire, chat completions passed on", patchwire, "/v1/chat/completions", chat, b"content", b"[DONE]"
    if shutil.which("nginx") or os.path.exists("/usr/sbin/nginx"):
        yield "nginx, passed on", Nginx, "/v1/chat/completions", chat, b"content", b"[DONE]"
    if args.litellm:
        litellm = lambda model, folder: LiteLlm(args.litellm, model, folder)
        yield "LiteLLM's proxy", litellm, "/v1/chat/completions", chat, b"content", b"[DONE]"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("command", help="the command `patchwire`, a release build with the feature `serve`")
    parser.add_argument("--streams", default="20,100,500")
    parser.add_argument("--tokens", type=int, default=200)
    parser.add_argument("--litellm", metavar="PYTHON", help="a Python with `litellm[proxy]`; measured at the fewest streams only")
    args = parser.parse_args()
    counts = [int(count) for count in args.streams.split(",")]
    print(INTRODUCTION)
    print("| | streams | µs of CPU a token | beside nginx | bytes a token | KiB a stream | ms to the first event |")
    print("|---|--:|--:|--:|--:|--:|--:|")
    for streams in counts:
        rows = {}
        pace = max(20.0, streams / RATE * 1000)
        for name, start, path, body, mark, latest in ways(args):
            if name.startswith("LiteLLM") and streams != counts[0]:
                continue
            with tempfile.TemporaryDirectory() as folder:
                os.chmod(folder, 0o777)
                with Server([sys.executable, HERE / "model.py", str(pace), str(args.tokens)], stdout=subprocess.PIPE) as model:
                    address, tokens = first_line(model)
                    with start(address, folder) as server:
                        rows[name] = asyncio.run(measure(server, path, body, mark, latest, streams, int(tokens)))
        beside = rows.get("nginx, passed on", {}).get("us")
        for name, row in rows.items():
            ratio = f"{row['us'] / beside:.2f}" if beside else "–"
            print(f"| {name} | {streams} | {row['us']:.1f} | {ratio} | {row['bytes']:.0f} | {row['kib']:.0f} | {row['first']:.0f} |", flush=True)


main()
