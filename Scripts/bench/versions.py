#!/usr/bin/env python3
"""Measures the versions that the service makes of videos for players and browsers: bytes and PSNR against the video, and
processor time.

    Scripts/bench/versions.py VIDEO...

Each video is also tried as HEVC (libx265, CRF 22). Needs ffmpeg and a release build of artworkd, or ARTWORKD. Prints markdown.
"""

import json
import os
from pathlib import Path
import re
import subprocess
import sys
import tempfile
import time
import urllib.parse

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from lib.service import Connection, Service, ask


def used(process):
    """Seconds of processor time of a process and of all that it has started."""
    parents, times = {}, {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rsplit(")", 1)[1].split()
        except OSError:
            continue
        parents[int(stat.parent.name)] = int(fields[1])
        # With those of children that have ended.
        times[int(stat.parent.name)] = sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")
    total, group = 0, {process}
    while group:
        total += sum(times.get(each, 0) for each in group)
        group = {each for each, parent in parents.items() if parent in group}
    return total


def likeness(made, video):
    # WebM rounds times to milliseconds: frames are compared by their numbers.
    same = "settb=1/1000,setpts=N,format=yuv420p"
    said = subprocess.run(
        ["ffmpeg", "-i", made, "-i", video, "-lavfi", f"[0:v]{same}[a];[1:v]{same}[b];[a][b]psnr", "-f", "null", "-"],
        check=True, capture_output=True, text=True).stderr
    return float(re.search(r"average:([\d.]+|inf)", said)[1])


def h264(service, name):
    document = {"application": "bench", "artwork": {"1x1": name}, "videoCodecs": ["h264"]}
    ask(service.socket, "PUT", "/v1/sessions/s", document)
    while True:
        answer = json.loads(ask(
            service.socket, "POST", "/v1/sessions/s/artwork/1x1/video?wait=28", {"width": 4000, "height": 4000})[1])
        if answer["url"]:
            return urllib.parse.unquote(urllib.parse.urlsplit(answer["url"]).path)
        if answer["reason"]["code"] != "late":
            raise SystemExit(answer["reason"]["message"])


def webm(service, name):
    path = service.folder / "made.webm"
    while True:
        connection = Connection(service.socket)
        connection.request("GET", f"/v1/artworks/{name}/1x1/video?wait=28", headers={"Accept": "video/webm"})
        answer = connection.getresponse()
        body = answer.read()
        connection.close()
        if answer.status == 200:
            path.write_bytes(body)
            return path
        if answer.status != 504:
            raise SystemExit(body.decode())


def main(videos):
    print("| video | version | bytes | PSNR, dB | processor, s |\n|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        service = Service(folder)
        try:
            for number, video in enumerate(videos):
                hevc = folder / f"{number}.mp4"
                subprocess.run(
                    ["ffmpeg", "-v", "error", "-i", video, "-an", "-c:v", "libx265", "-crf", "22", "-tag:v", "hvc1",
                     "-x265-params", "log-level=none", hevc], check=True)
                for path, name, make in (hevc, f"h{number}", h264), (Path(video), f"v{number}", webm):
                    ask(service.socket, "PUT", f"/v1/artworks/{name}/1x1?wait=28", {"source": {"path": str(path.resolve())}})
                    before = used(service.process.pid)
                    made = make(service, name)
                    time.sleep(0.3)
                    share = os.path.getsize(made) / path.stat().st_size
                    print(f"| {Path(video).stem} | {'HEVC to H.264' if make is h264 else 'WebM'} | x{share:.2f} |"
                          f" {likeness(made, path):.1f} | {used(service.process.pid) - before:.1f} |", flush=True)
        finally:
            service.stop()


if __name__ == "__main__":
    main(sys.argv[1:])
