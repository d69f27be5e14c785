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
TABLES = json.loads((Path(__file__).parent / "cases.json").read_text())
CASES = TABLES["videos"]

# Sessions with every field that a player can publish.
SESSIONS = TABLES["sessions"]


def check_tables(description):
    """Fails if the service takes a field that the tables lack: no client may forget it. ``description`` is openapi.json."""
    schemas = description["components"]["schemas"]

    def resolved(schema):
        while "$ref" in schema:
            target = description
            for part in schema["$ref"].split("/")[1:]:
                target = target[part]
            schema = target
        return [each for form in schema["oneOf"] for each in resolved(form)] if "oneOf" in schema else [schema]

    def missing(schema, values, place):
        for form in resolved(schema):
            for name, inner in form.get("properties", {}).items():
                found = [value[name] for value in values if isinstance(value, dict) and name in value]
                if not found:
                    yield f"{place}.{name}"
                elif place != "session.commands":  # clients take what a command has as it is
                    yield from missing(inner, found, f"{place}.{name}")
            if "items" in form:
                items = [item for value in values if isinstance(value, list) for item in value]
                yield from missing(form["items"], items, f"{place}[]")

    lacking = list(missing(schemas["SessionRequest"], SESSIONS, "session"))
    for name, known in TABLES["requests"].items():
        taken = {field for form in resolved(schemas[name]) for field in form["properties"]}
        lacking += [f"{name}.{field}" for field in sorted(taken ^ set(known))]
    assert not lacking, f"let the clients send {lacking}, then add them to cases.json"

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

    def check_published(self, test, name, document):
        """Whether the service has all of a document of ``SESSIONS`` but its owner."""
        def check(seen, wanted, place):
            if isinstance(wanted, dict):
                for field in wanted:  # the service adds what is so by default
                    test.assertIn(field, seen, place)
                    check(seen[field], wanted[field], f"{place}.{field}")
            elif isinstance(wanted, list):
                test.assertEqual(len(seen), len(wanted), place)
                for pair in zip(seen, wanted):
                    check(*pair, f"{place}[]")
            elif place.endswith(".timestamp"):
                test.assertAlmostEqual(seen, wanted, places=3)
            else:
                test.assertEqual(seen, wanted, place)

        check(self.session(name), {field: document[field] for field in document.keys() - {"owner"}}, name)

    def leases(self):
        return self.ask("GET", "/v1/leases")[1]["leases"]

    def file_of_lease(self):
        """The file of the only lease."""
        [lease] = self.leases()
        return urllib.parse.unquote(urllib.parse.urlsplit(lease["url"]).path)
