"""Serves a model on the loopback interface with llama.cpp's own HTTP server, until it is killed.

Usage: serve.py FILE.gguf
Prints the address on a line of its own when it listens.
"""

import socket
import sys
import time

import xllamacpp


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


settings = xllamacpp.CommonParams()
settings.model.path = sys.argv[1]
settings.n_ctx = 4096
settings.n_parallel = 2
settings.n_predict = 1500
settings.warmup = False
settings.cpuparams.n_threads = 1
settings.hostnames = ["127.0.0.1"]
settings.port = free_port()
server = xllamacpp.Server(settings)
print(server.listening_address, flush=True)
while True:
    time.sleep(1)
