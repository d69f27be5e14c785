#!/usr/bin/env python3
"""Seeks in a running mpv, and fails if its position ever stands still for more than half a second.

    mpv --input-ipc-server=/tmp/mpv --loop-file=inf --script=Integrations/players/artworkd.lua song.flac &
    Scripts/try/seeks.py /tmp/mpv [SECONDS [INTERVAL]]      600 seconds, and a seek every 10

Prints the longest standstill. Positions are drawn with a fixed seed, the last second of the song included, where mpv repeats it.
"""

import json
import random
import socket
import sys
import time

ALLOWED = 0.5


def main(path, seconds=600.0, interval=10.0):
    connection = socket.socket(socket.AF_UNIX)
    connection.connect(path)
    stream = connection.makefile("rw")

    def command(*words):
        stream.write(json.dumps({"command": words, "request_id": 1}) + "\n")
        stream.flush()
        while (message := json.loads(stream.readline())).get("request_id") != 1:
            pass
        return message.get("data")

    duration, places = command("get_property", "duration"), random.Random(7)
    start = now = time.monotonic()
    position, moved, sought, longest, seeks = None, now, now, 0.0, 0
    while now < start + seconds:
        if now >= sought + interval:
            target = duration - 1 if seeks % 5 == 4 else places.uniform(0, duration - 1)
            command("seek", target, "absolute")
            sought, seeks = now, seeks + 1
        if (read := command("get_property", "time-pos")) != position:
            position, moved = read, now
        longest = max(longest, now - moved)
        time.sleep(0.01)
        now = time.monotonic()
    print(f"{seeks} seeks, longest standstill {longest:.2f} s")
    sys.exit(longest > ALLOWED)


if __name__ == "__main__":
    main(sys.argv[1], *map(float, sys.argv[2:]))
