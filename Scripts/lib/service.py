"""A running `artworkd serve`, asked over its Unix socket."""

import http.client
import json
import os
from pathlib import Path
import re
import socket
import subprocess
import time

from lib.tool import tool


class Connection(http.client.HTTPConnection):
    """HTTP over the Unix socket at a path."""

    def __init__(self, path, timeout=60):
        super().__init__("localhost", timeout=timeout)
        self.path = str(path)

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(self.timeout)
        self.sock.connect(self.path)


def ask(path, method, target, document=None):
    """The status and the body of the answer."""
    connection = Connection(path)
    connection.request(method, target, json.dumps(document) if document else None,
                       {"Content-Type": "application/json"} if document else {})
    answer = connection.getresponse()
    body = answer.read()
    connection.close()
    return answer.status, body


def memory(process):
    """Resident MiB."""
    return int(re.search(r"VmRSS:\s+(\d+)", Path(f"/proc/{process}/status").read_text())[1]) / 1024


class Service:
    """Listens at `run/a.sock` of a folder, with its store beside it and its errors in `log`."""

    def __init__(self, folder, *options, built=".build/release/artworkd", environment=None):
        self.folder, self.socket = folder, folder / "run/a.sock"
        with open(folder / "log", "a", encoding="utf-8") as log:
            self.process = subprocess.Popen(
                [tool(built), "serve", "--socket", self.socket, "--store", folder / "store", *options], stderr=log,
                stdout=subprocess.DEVNULL, env={**os.environ, **(environment or {})})
        for _ in range(500):
            try:
                ask(self.socket, "GET", "/healthz")
                return
            except OSError:
                time.sleep(0.04)
        self.stop()
        raise SystemExit("the service does not listen: " + (folder / "log").read_text())

    def ask(self, method, target, document=None):
        """The JSON of the answer."""
        return json.loads(ask(self.socket, method, target, document)[1] or "null")

    def memory(self):
        return memory(self.process.pid)

    def stop(self):
        self.process.terminate()
        self.process.wait(30)
