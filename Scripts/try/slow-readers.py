#!/usr/bin/env python3
"""Memory of `artworkd serve` under clients that ask for a video and do not read it: at most 1 MiB for each of them, and
given back when they have closed.

    Scripts/try/slow-readers.py [CLIENTS]   900 clients; two minutes

Needs ffmpeg and a built tool: .build/release/artworkd, or what ARTWORKD names. Part of Scripts/nightly.
"""

from pathlib import Path
import resource
import socket
import sys
import tempfile
import time

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from lib import ffmpeg
from lib.service import Service, ask

# MiB. Of the 370 in use, the system's allocator keeps 8 to 80: an arena may have a piece in use on many pages. What is lost in
# each turn would be above the limit in the third.
EACH, LEFT = 1.0, 96.0


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 900
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    failures = 0
    with tempfile.TemporaryDirectory(prefix="artworkd-") as name:
        folder = Path(name)
        clip = folder / "noise.mp4"
        ffmpeg.run("-f", "lavfi", "-i", "color=gray:s=1080x1080:r=24:d=2,noise=alls=60:allf=t", "-pix_fmt", "yuv420p",
                   "-c:v", "libx264", "-preset", "ultrafast", clip)
        service = Service(folder, "--connections", str(count + 100))
        try:
            # An answer may be late while the work goes on.
            for _ in range(5):
                if ask(service.socket, "PUT", "/v1/artworks/a/1x1?wait=28", {"source": {"path": str(clip)}})[0] != 504:
                    break
            if len(ask(service.socket, "GET", "/v1/artworks/a/1x1/video")[1]) != clip.stat().st_size:
                raise SystemExit("slow-readers: the video is not there")

            before = service.memory()
            for turn in range(3):
                clients = []
                for _ in range(count):
                    client = socket.socket(socket.AF_UNIX)
                    client.connect(str(service.socket))
                    client.sendall(b"GET /v1/artworks/a/1x1/video?wait=28 HTTP/1.1\r\nHost: localhost\r\n\r\n")
                    clients.append(client)
                for client in clients:
                    client.settimeout(60)
                    if client.recv(12, socket.MSG_PEEK) != b"HTTP/1.1 200":
                        raise SystemExit("slow-readers: a client was refused")
                most = 0
                for _ in range(10):
                    time.sleep(0.5)
                    most = max(most, service.memory())
                for client in clients:
                    client.close()
                for _ in range(40):
                    time.sleep(0.5)
                    left = service.memory() - before
                    if left <= LEFT:
                        break
                each = (most - before) / count
                held = each <= EACH and left <= LEFT
                failures += not held
                print(f"{'ok    ' if held else 'FAILED'} turn {turn + 1}: {each:.2f} MiB for each of {count} clients "
                      f"(at most {EACH}), {left:.0f} MiB more than before when they have closed (at most {LEFT:.0f})",
                      flush=True)
        finally:
            service.stop()
    return failures > 0


if __name__ == "__main__":
    sys.exit(main())
