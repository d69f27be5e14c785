#!/usr/bin/env python3
"""Steps the wall clock under a running service by an hour back and forth, and while it restarts: no position may move by it.

    Scripts/try/clock.py              needs gcc, and a build of artworkd or ARTWORKD

A library that is loaded before others adds seconds to the wall clock and leaves all other clocks as they are (clock-step.c).
Exit codes: 0 every position is that of the time that has passed, 1 one is not.
"""

import http.client
import json
import os
from pathlib import Path
import socket
import subprocess
import sys
import tempfile
import time

ROOT = Path(__file__).resolve().parents[2]
TOOL = os.environ.get("ARTWORKD", ROOT / ".build/debug/artworkd")
# What a busy machine may take between two looks.
TOLERANCE = 1.5


class Service:
    def __init__(self, folder):
        self.folder = folder
        self.library = folder / "step.so"
        subprocess.run(["gcc", "-shared", "-fPIC", "-O1", "-o", self.library, Path(__file__).parent / "clock-step.c"], check=True)
        self.step(0)

    def step(self, seconds):
        (self.folder / "step").write_text(f"{seconds}")

    def start(self):
        self.process = subprocess.Popen(
            [TOOL, "serve", "--socket", self.folder / "run/a.sock", "--store", self.folder / "store"],
            env=dict(os.environ, LD_PRELOAD=str(self.library), CLOCK_STEP=str(self.folder / "step")),
            stderr=(self.folder / "log").open("a"))
        for _ in range(400):
            try:
                self.ask("GET", "/healthz")
                return
            except OSError:
                time.sleep(0.05)
        sys.exit("the service does not listen: " + (self.folder / "log").read_text())

    def stop(self):
        self.process.terminate()
        self.process.wait(30)

    def ask(self, method, target, body=None):
        connection = http.client.HTTPConnection("localhost")
        connection.sock = socket.socket(socket.AF_UNIX)
        connection.sock.connect(str(self.folder / "run/a.sock"))
        connection.request(method, target, json.dumps(body) if body else None, {"Content-Type": "application/json"} if body else {})
        return json.loads(connection.getresponse().read() or "null")

    def position(self):
        """Where the session is now, as a client with the same clock sees it."""
        playback = self.ask("GET", "/v1/sessions/s")["playback"]
        if playback["state"] != "playing":
            return playback["elapsedSeconds"]
        shifted = time.time() + int((self.folder / "step").read_text())
        return playback["elapsedSeconds"] + shifted - playback["timestamp"]


def main():
    wrong = 0
    with tempfile.TemporaryDirectory(prefix="artworkd-clock-") as name:
        service = Service(Path(name))
        service.start()
        service.ask("PUT", "/v1/sessions/s", {
            "application": "try", "content": {"kind": "music", "title": "T"},
            "playback": {"state": "playing", "elapsedSeconds": 11, "durationSeconds": 1000}})
        began = time.monotonic()

        def look(what):
            nonlocal wrong
            passed = 11 + time.monotonic() - began
            shown = service.position()
            is_right = abs(shown - passed) < TOLERANCE
            wrong += not is_right
            print(f"{'ok' if is_right else 'WRONG':5} {what}: {shown:.2f} s shown, {passed:.2f} s passed", flush=True)

        look("at the start")
        for seconds in (-3600, 3600):
            service.step(seconds)
            time.sleep(1)
            look(f"after a step of {seconds} s")
        service.stop()
        service.step(-3600)
        service.start()
        look("after a restart with another step")
        service.ask("PATCH", "/v1/sessions/s", {"playback": {"state": "paused"}})
        look("paused")
        service.stop()
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
