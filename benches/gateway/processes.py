"""Processes that are started, measured and ended. Needs Linux: the figures are those of /proc."""

import os
import signal
import subprocess
import sys
from pathlib import Path

TICK = os.sysconf("SC_CLK_TCK")


def descendants(pid):
    """A process and its children."""
    known = {pid}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                parent = int((entry / "stat").read_text().rsplit(")", 1)[1].split()[1])
            except (OSError, IndexError):
                continue
            if parent in known:
                known.add(int(entry.name))
    return known


def cpu_seconds(pid):
    total = 0
    for one in descendants(pid):
        try:
            fields = Path(f"/proc/{one}/stat").read_text().rsplit(")", 1)[1].split()
        except OSError:
            continue
        total += int(fields[11]) + int(fields[12])
    return total / TICK


def resident_kib(pid):
    total = 0
    for one in descendants(pid):
        try:
            lines = Path(f"/proc/{one}/status").read_text().splitlines()
        except OSError:
            continue
        total += next((int(line.split()[1]) for line in lines if line.startswith("VmRSS")), 0)
    return total


class Server:
    """A process that is ended with its children."""

    def __init__(self, command, **more):
        self.process = subprocess.Popen(command, stderr=subprocess.DEVNULL, start_new_session=True, **more)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()


def first_line(server):
    line = server.process.stdout.readline().decode().split()
    if not line:
        sys.exit(f"{server.process.args[0]} did not start")
    return line
