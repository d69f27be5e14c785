#!/usr/bin/env python3
"""Memory of `artworkd serve` under clients that ask for a video and do not read it: at most 1 MiB for each of them, and
given back when they have closed.

    Scripts/try/slow-readers.py [CLIENTS]   900 clients; two minutes

Needs ffmpeg and a built tool: .build/release/artworkd, or what ARTWORKD names. Part of Scripts/nightly.
"""

import json
import os
import pathlib
import re
import resource
import socket
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
# MiB.
EACH, LEFT = 1.0, 32.0


def ask(path, method, target, document=None):
    """The whole response to one request."""
    body = json.dumps(document).encode() if document else b""
    with socket.socket(socket.AF_UNIX) as client:
        client.settimeout(60)
        client.connect(str(path))
        client.sendall(f"{method} {target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
                       f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body)
        return b"".join(iter(lambda: client.recv(1 << 16), b""))


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 900
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    tool = os.environ.get("ARTWORKD", ROOT / ".build/release/artworkd")
    failures = 0
    with tempfile.TemporaryDirectory(prefix="artworkd-") as name:
        folder = pathlib.Path(name)
        clip, path = folder / "noise.mp4", folder / "run/a.sock"
        subprocess.run(
            ["ffmpeg", "-v", "error", "-f", "lavfi", "-i", "color=gray:s=1080x1080:r=24:d=2,noise=alls=60:allf=t",
             "-pix_fmt", "yuv420p", "-c:v", "libx264", "-preset", "ultrafast", clip], check=True)
        with open(folder / "log", "w", encoding="utf-8") as log:
            service = subprocess.Popen(
                [tool, "serve", "--socket", path, "--store", folder / "store", "--connections", str(count + 100)],
                stderr=log)
        try:
            for _ in range(500):
                if path.exists():
                    break
                time.sleep(0.02)
            # An answer may be late while the work goes on.
            for _ in range(5):
                if b" 504 " not in ask(path, "PUT", "/v1/artworks/a/1x1?wait=28", {"source": {"path": str(clip)}})[:13]:
                    break
            size = len(ask(path, "GET", "/v1/artworks/a/1x1/video"))
            if size < clip.stat().st_size:
                raise SystemExit("slow-readers: the video is not there")

            def memory():
                text = pathlib.Path(f"/proc/{service.pid}/status").read_text(encoding="utf-8")
                return int(re.search(r"VmRSS:\s+(\d+)", text)[1]) / 1024

            before = memory()
            for turn in range(3):
                clients = []
                for _ in range(count):
                    client = socket.socket(socket.AF_UNIX)
                    client.connect(str(path))
                    client.sendall(b"GET /v1/artworks/a/1x1/video?wait=28 HTTP/1.1\r\nHost: localhost\r\n\r\n")
                    clients.append(client)
                for client in clients:
                    client.settimeout(60)
                    if client.recv(12, socket.MSG_PEEK) != b"HTTP/1.1 200":
                        raise SystemExit("slow-readers: a client was refused")
                most = 0
                for _ in range(10):
                    time.sleep(0.5)
                    most = max(most, memory())
                for client in clients:
                    client.close()
                for _ in range(40):
                    time.sleep(0.5)
                    left = memory() - before
                    if left <= LEFT:
                        break
                each = (most - before) / count
                held = each <= EACH and left <= LEFT
                failures += not held
                print(f"{'ok    ' if held else 'FAILED'} turn {turn + 1}: {each:.2f} MiB for each of {count} clients "
                      f"(at most {EACH}), {left:.0f} MiB more than before when they have closed (at most {LEFT:.0f})",
                      flush=True)
        finally:
            service.terminate()
            service.wait(30)
    return failures > 0


if __name__ == "__main__":
    sys.exit(main())
