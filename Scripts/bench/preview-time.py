#!/usr/bin/env python3
"""Measures the first request for a preview in a size: `artworkd serve` beside Pillow, and beside a decode of the video.

    swift build -c release
    Scripts/bench/preview-time.py [VIDEO...]      the default is a fractal of 1080x1080 with film grain, and one without

Needs ffmpeg, and Pillow from PyPI, which it puts into .build/bench/pillow. ARTWORKD names another binary. Prints markdown:
medians and 99th percentiles over 40 sizes from 64 to 720 pixels, in ms, and how much the pictures differ from decoded ones
in code values. Pillow opens the same stored picture, reduces it by the same filter and writes a PNG with its quickest
compression. The decode is `artworkd preview --size`, the start of its process included.
"""

import json
from pathlib import Path
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import http.client

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from lib import ffmpeg, packages
from lib.tool import tool
from service import TCPService

SIDES = random.Random(7).sample(range(64, 721), 40)
CLIPS = {"grain": "mandelbrot=s=1080x1080:r=24:start_scale=0.3,noise=alls=12:allf=t", "clean": "mandelbrot=s=1080x1080:r=24"}
# Seconds with the decoding of the stored picture, and without.
PILLOW = """
import io, json, sys, time
from PIL import Image
data, took = open(sys.argv[1], 'rb').read(), []
for side in json.loads(sys.argv[2]):
    start = time.perf_counter()
    picture = Image.open(io.BytesIO(data)); picture.load(); opened = time.perf_counter()
    picture.resize((side, side), Image.LANCZOS).save(io.BytesIO(), 'PNG', compress_level=1)
    end = time.perf_counter()
    took.append([end - start, end - opened])
print(json.dumps(took))
"""
DIFFERENCE = """
import sys
from PIL import Image, ImageChops, ImageStat
found = [ImageChops.difference(*(Image.open(name).convert('RGB') for name in pair.split())) for pair in sys.stdin]
print(max(high for one in found for _, high in one.getextrema()),
      sum(sum(ImageStat.Stat(one).mean) / 3 for one in found) / len(found))
"""


def pillow(*arguments, text=None):
    return subprocess.run([packages.environment("bench/pillow", "pillow"), "-c", *arguments], check=True, capture_output=True, text=True, input=text).stdout


def row(name, seconds):
    ms = sorted(1000 * second for second in seconds)
    print(f"| {name} | {statistics.median(ms):.1f} | {ms[-1 - len(ms) // 100]:.1f} |", flush=True)


def ask(service, target, accept):
    """The first answer and how long it took."""
    client = http.client.HTTPConnection("127.0.0.1", service.port, timeout=60)
    client.connect()
    start = time.perf_counter()
    client.request("GET", target, headers={"Authorization": f"Bearer {service.token}", "Accept": accept})
    answer = client.getresponse()
    body = answer.read()
    took = time.perf_counter() - start
    if answer.status != 200:
        sys.exit(f"preview-time: {target}: {answer.status}")
    return body, took


def measure(service, folder, name, clip):
    print(f"\n## {name}\n\n| | median, ms | p99, ms |\n|---|---:|---:|", flush=True)
    service.ask("PUT", f"/v1/artworks/{name}/1x1", {"source": {"path": str(clip)}})
    target = f"/v1/artworks/{name}/1x1/preview"
    original = folder / "original.png"
    original.write_bytes(ask(service, target, "image/png")[0])
    pairs, first = [], None
    for accept in ("image/png", "image/webp", "image/jpeg"):
        took = []
        for number, side in enumerate(SIDES):
            body, seconds = ask(service, f"{target}?width={side}", accept)
            # The very first one reads the stored picture.
            if first is None:
                first = seconds
            else:
                took.append(seconds)
            if accept == "image/png":
                (folder / f"{number}.png").write_bytes(body)
        row(f"artworkd serve, {accept[6:]}", took)
    print(f"| artworkd serve, the first of all | {1000 * first:.1f} | |")
    rival = json.loads(pillow(PILLOW, original, json.dumps(SIDES)))
    row("Pillow", [one[0] for one in rival])
    row("Pillow, the picture decoded already", [one[1] for one in rival])
    took = []
    for number, side in enumerate(SIDES):
        decoded = folder / f"decoded-{number}.png"
        start = time.perf_counter()
        subprocess.run([tool(), "preview", clip, "--size", f"{side}x{side}", "-o", decoded], check=True, capture_output=True)
        took.append(time.perf_counter() - start)
        pairs.append(f"{folder / f'{number}.png'} {decoded}")
    row("decoding the video again", took)
    most, mean = pillow(DIFFERENCE, text="\n".join(pairs)).split()
    print(f"\nDifference from decoded pictures: {float(mean):.2f} code values on average, {most} at most.")


def main():
    folder = Path(tempfile.mkdtemp(prefix="artworkd-"))
    service = None
    try:
        clips = {Path(name).stem: Path(name).resolve() for name in sys.argv[1:]}
        for name, source in CLIPS.items() if not clips else ():
            clips[name] = folder / f"{name}.mp4"
            ffmpeg.run("-f", "lavfi", "-i", source, "-t", "2", "-pix_fmt", "yuv420p", "-c:v", "libx264", "-crf", "18", clips[name])
        service = TCPService(folder)
        for name, clip in clips.items():
            measure(service, folder, name, clip)
    finally:
        if service:
            service.stop()
        shutil.rmtree(folder)


main()
