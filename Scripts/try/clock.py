#!/usr/bin/env python3
"""Steps the wall clock under a running service by an hour back and forth, and while it restarts: no position may move by it.

    Scripts/try/clock.py              needs a C compiler, and a build of artworkd or ARTWORKD

A library that is loaded before others adds seconds to the wall clock and leaves all other clocks as they are (clock-step.c).
Exit codes: 0 every position is that of the time that has passed, 1 one is not.
"""

from pathlib import Path
import sys
import tempfile
import time

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from lib.service import Service
from lib.tool import compiled

# What a busy machine may take between two looks.
TOLERANCE = 1.5


class Clock:
    """A service whose wall clock can be stepped."""

    def __init__(self, folder):
        self.folder, self.file = folder, folder / "step"
        self.library = compiled(Path(__file__).with_name("clock-step.c"), folder / "step.so", options=("-shared", "-fPIC", "-O1"))
        self.step(0)

    def step(self, seconds):
        self.file.write_text(f"{seconds}")

    def start(self):
        self.service = Service(self.folder, built=".build/debug/artworkd",
                               environment={"LD_PRELOAD": str(self.library), "CLOCK_STEP": str(self.file)})

    def position(self):
        """Where the session is now, as a client with the same clock sees it."""
        playback = self.service.ask("GET", "/v1/sessions/s")["playback"]
        if playback["state"] != "playing":
            return playback["elapsedSeconds"]
        shifted = time.time() + int(self.file.read_text())
        return playback["elapsedSeconds"] + shifted - playback["timestamp"]


def main():
    wrong = 0
    with tempfile.TemporaryDirectory(prefix="artworkd-clock-") as name:
        clock = Clock(Path(name))
        clock.start()
        clock.service.ask("PUT", "/v1/sessions/s", {
            "application": "try", "content": {"kind": "music", "title": "T"},
            "playback": {"state": "playing", "elapsedSeconds": 11, "durationSeconds": 1000}})
        began = time.monotonic()

        def look(what):
            nonlocal wrong
            passed = 11 + time.monotonic() - began
            shown = clock.position()
            is_right = abs(shown - passed) < TOLERANCE
            wrong += not is_right
            print(f"{'ok' if is_right else 'WRONG':5} {what}: {shown:.2f} s shown, {passed:.2f} s passed", flush=True)

        look("at the start")
        for seconds in (-3600, 3600):
            clock.step(seconds)
            time.sleep(1)
            look(f"after a step of {seconds} s")
        clock.service.stop()
        clock.step(-3600)
        clock.start()
        look("after a restart with another step")
        clock.service.ask("PATCH", "/v1/sessions/s", {"playback": {"state": "paused"}})
        look("paused")
        clock.service.stop()
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
