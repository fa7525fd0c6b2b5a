"""The memory of the gateway under attacks, and whether it is given back.

    python3 benches/gateway/memory.py target/release/patchwire

A model's server (hostile_model.py), the gateway and the clients are processes of their own. First many small answers are read. What the
gateway takes then is the measure. Each attack runs, and after a pause the memory is taken again. Prints a table in Markdown. The status
is 1 if the gateway takes more than 1.5 times the measure after an attack, or no longer answers. Takes ten minutes. Needs Linux.
"""

import argparse
import asyncio
import json
import socket
import subprocess
import sys
import time
from pathlib import Path

from processes import Server, first_line

HERE = Path(__file__).parent
# The most that the gateway may take after an attack, beside what it took before the first.
MOST = 1.5
# Seconds until what an attack left behind must be gone. For 30 seconds, streams are kept for clients that come back.
PAUSE = 45


class Gateway(Server):
    def __init__(self, command, upstream):
        listen = [command, "serve", "--listen", "127.0.0.1:0", "--upstream", f"{upstream}/v1", "--max-streams", "4096", "--per-address", "4096"]
        super().__init__(listen, stdout=subprocess.PIPE)
        self.host, self.port = first_line(self)[0].rstrip("/").removeprefix("http://").split(":")

    def mib(self, name):
        lines = Path(f"/proc/{self.process.pid}/status").read_text().splitlines()
        return next(int(line.split()[1]) for line in lines if line.startswith(name)) / 1024

    def forget_peak(self):
        Path(f"/proc/{self.process.pid}/clear_refs").write_text("5")

    @staticmethod
    def request(body):
        data = json.dumps({"stream": True, "messages": [{"role": "user", "content": "go"}], **body}).encode()
        head = (
            "POST /v1/fields HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\ncontent-type: application/json\r\n"
            f"content-length: {len(data)}\r\n\r\n"
        )
        return head.encode() + data

    async def read(self, **body):
        """Sends a request and reads its response to the end. Returns the last bytes."""
        end = b""
        try:
            reader, writer = await asyncio.open_connection(self.host, int(self.port))
            writer.write(self.request(body))
            while chunk := await reader.read(1 << 16):
                end = end[-400:] + chunk
            writer.close()
        except OSError:
            pass
        return end[-400:]

    async def drip(self, seconds, **body):
        """Reads one byte a second, with the least buffer that the system gives, and goes away."""
        loop = asyncio.get_running_loop()
        with socket.socket() as client:
            client.setblocking(False)
            client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
            try:
                await loop.sock_connect(client, (self.host, int(self.port)))
                await loop.sock_sendall(client, self.request(body))
                for _ in range(seconds):
                    await loop.sock_recv(client, 1)
                    await asyncio.sleep(1)
            except OSError:
                pass


def references(count):
    """A schema of definitions that name each other in a chain."""
    parts = {f"d{number}": {"type": "object", "properties": {"a": {"$ref": f"#/$defs/d{number + 1}"}}} for number in range(count)}
    return {"$defs": {**parts, f"d{count}": {"type": "string"}}, "$ref": "#/$defs/d0"}


def wide(count):
    return {"type": "object", "properties": {f"member{number}": {"type": "integer"} for number in range(count)}}


def together(count, request):
    return lambda gateway: asyncio.gather(*(request(gateway) for _ in range(count)))


def attacks():
    read = lambda **body: lambda gateway: gateway.read(**body)
    fields = lambda **settings: {"patchwire": {"format": "json", **settings}}
    yield "1,000 small answers, 100 at once", repeated(10, together(100, read(model="small")))
    yield "3 responses of 100,000 tool calls at once", together(3, read(model="calls"))
    yield "10 answers of 16 MiB at once", together(10, read(model="long"))
    yield "100 clients that read a byte a second of 16 MiB", in_turn(100, lambda gateway: gateway.drip(20, model="deltas"))
    yield "the same in events of 64 KiB", in_turn(100, lambda gateway: gateway.drip(20, model="long"))
    yield "4 answers of a million values at once", together(4, read(model="values"))
    yield "4 answers of 2,000 towers at once", together(4, read(model="nested"))
    yield "an event of 8 MB, 4 at once", together(4, read(model="usage"))
    yield "schemas of 40,000 definitions, 4 at once", together(4, read(model="small", **fields(schema=references(40_000))))
    yield "schemas of 50,000 members, 4 at once", together(4, read(model="small", **fields(schema=wide(50_000))))
    yield "600,000 needed paths, 4 at once", together(4, read(model="small", **fields(ensure=["a"] * 600_000)))


def in_turn(count, request):
    """Begins a request every twentieth of a second, so that none is refused because others wait."""

    async def run(gateway):
        requests = []
        for _ in range(count):
            requests.append(asyncio.ensure_future(request(gateway)))
            await asyncio.sleep(0.05)
        await asyncio.gather(*requests)

    return run


def repeated(count, attack):
    async def run(gateway):
        for _ in range(count):
            await attack(gateway)

    return run


async def measure(gateway):
    """Prints the table. Whether the memory was given back."""
    held = True
    await repeated(10, together(100, lambda gateway: gateway.read(model="small")))(gateway)
    await asyncio.sleep(PAUSE)
    before = gateway.mib("VmRSS")
    print("| attack | seconds | MiB before | most | after | beside the measure |")
    print("|---|--:|--:|--:|--:|--:|")
    for name, attack in attacks():
        start, first = time.monotonic(), gateway.mib("VmRSS")
        gateway.forget_peak()
        await attack(gateway)
        took = time.monotonic() - start
        await asyncio.sleep(PAUSE)
        most, after = gateway.mib("VmHWM"), gateway.mib("VmRSS")
        print(f"| {name} | {took:.1f} | {first:.0f} | {most:.0f} | {after:.0f} | {after / before:.2f} |", flush=True)
        answers = b"event: final" in await gateway.read(model="small")
        held = held and answers and after <= MOST * before
    return held


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("command", help="the command `patchwire`, a release build with the feature `serve`")
    args = parser.parse_args()
    with Server([sys.executable, HERE / "hostile_model.py"], stdout=subprocess.PIPE) as server:
        with Gateway(args.command, first_line(server)[0]) as gateway:
            sys.exit(0 if asyncio.run(measure(gateway)) else 1)


main()
