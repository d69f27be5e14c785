"""A running service for the tests of the clients: $ARTWORKD is the tool, $FIXTURES the folder of sample clips."""

import http.client
import json
import os
import socket
import subprocess
import sys
import tempfile
import time
import urllib.parse
from pathlib import Path

if not {"ARTWORKD", "FIXTURES"} <= set(os.environ):
    sys.exit(__doc__)
CLIP = os.path.join(os.environ["FIXTURES"], "good-1x1.mp4")
COVER = os.path.join(os.environ["FIXTURES"], "cover.jpg")
VP9 = os.path.join(os.environ["FIXTURES"], "codec-vp9.webm")
BROKEN = os.path.join(os.environ["FIXTURES"], "broken-text.mp4")

# What each client has to get for a square artwork: the sample clip, what the session plays, and whether a version is made or why
# there is no video.
CASES = json.loads((Path(__file__).parent / "cases.json").read_text())["videos"]

# What JSON, C and HTTP find hard: quotes, controls, lines, the largest two-byte, three-byte and four-byte characters.
HARD_TEXTS = [
    'a "quoted" \\ back\\slash / slash', "line\nfeed\r\ttab\b\f", "\x01\x1f\x7f\x80", "Ünïcödé 夜のドライブ 🎵",
    "\u07ff\u0800\uffff\U00010000\U0010ffff\u2028", "%2e%00?#&+ ;../..", "e\u0301\u200b\ufeff",
]


def until(condition, what, seconds=60):
    """Waits until ``condition()`` is true, and returns what it returns."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if result := condition():
            return result
        time.sleep(0.01)
    raise AssertionError(f"{what}: not within {seconds} s")


class Service:
    """`artworkd serve` in a folder of its own. Asks it with nothing of the clients, to see what others see."""

    def __init__(self, *arguments):
        self._folder = tempfile.TemporaryDirectory(prefix="artworkd-clients-")
        self.folder = Path(self._folder.name)
        self.socket = str(self.folder / "run/a.sock")
        self.token = str(self.folder / "run/token")
        self._arguments = arguments
        self.start()

    def start(self):
        self.log = open(self.folder / "log", "w+", encoding="utf-8")
        self.process = subprocess.Popen(
            [os.environ["ARTWORKD"], "serve", "--socket", self.socket, "--store", str(self.folder / "store"),
             *self._arguments],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=self.log)
        until(self.is_up, "the service listens")

    def is_up(self):
        if self.process.poll() is not None:
            raise AssertionError((self.folder / "log").read_text())
        try:
            return self.ask("GET", "/healthz")[0] == 200
        except OSError:
            return False

    def kill(self):
        self.process.kill()
        self.process.wait()
        self.log.close()

    def close(self):
        self.kill()
        self._folder.cleanup()

    def ask(self, method, path, body=None):
        """The status, and the body as JSON or None."""
        connection = http.client.HTTPConnection("localhost")
        connection.sock = socket.socket(socket.AF_UNIX)
        connection.sock.settimeout(60)
        try:
            connection.sock.connect(self.socket)
            data = None if body is None else json.dumps(body)
            connection.request(method, path, data, {"Content-Type": "application/json"} if data else {})
            response = connection.getresponse()
            content = response.read()
            return response.status, json.loads(content) if content else None
        finally:
            connection.close()

    def session(self, name):
        """The session as the service lists it, or None."""
        sessions = self.ask("GET", "/v1/now-playing")[1]["sessions"]
        return next((session for session in sessions if session["id"] == name), None)

    def leases(self):
        return self.ask("GET", "/v1/leases")[1]["leases"]

    def file_of_lease(self):
        """The file of the only lease."""
        [lease] = self.leases()
        return urllib.parse.unquote(urllib.parse.urlsplit(lease["url"]).path)
