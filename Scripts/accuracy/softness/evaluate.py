#!/usr/bin/env python3
"""Says how often the rule `softness` is right about labelled pictures.

    Scripts/accuracy/softness/evaluate.py [--half tuning|reporting] [--count N] [--keep FOLDER] [--list]

Makes short videos of each picture: as it is, reduced, enlarged again by four factors, and blurred. Checks them with ARTWORKD
(.build/release/artworkd by default), and prints for each kind in how many the rule is raised. The pictures are those of
Scripts/accuracy/derive, of which each half has its own packages. Needs numpy, ffmpeg and these packages, once.
"""

import argparse
import collections
import itertools
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
sys.path.append(str(HERE.parent / "derive"))

import labels
import pictures

WIDTH, HEIGHT = 640, 520
WHOLE = {"tuning": "whole-tuning", "reporting": "whole-reporting"}
QUALITIES = (16, 20, 24, 28)
# Pictures of this longer side are reduced first: at their own size, cameras are rarely sharp.
LARGE = 900
# What is soft, and what may be: enlarged less than three times, or blurred by one sample.
SOFT, BETWEEN = ("up3", "up4", "blur1.5", "blur2.5"), ("up1.5", "up2", "blur1")


def sources(half, cache):
    """Names and paths of a half."""
    folder = pictures.photographs(cache)
    paths = {name: folder / name for name in pictures.PHOTOGRAPHS[half]}
    paths.update({name: found[0] for name, found in labels.fetch(WHOLE[half], cache).items()})
    return sorted(paths.items())


def even(number):
    return int(number) // 2 * 2


def variants(number, width, height):
    """Kinds, and the filters of ffmpeg that make them."""
    own = (even(min(width, WIDTH)), even(min(height, HEIGHT)))
    yield "native", f"crop={own[0]}:{own[1]}"
    before = ""
    if max(width, height) >= LARGE:
        share = min(1, HEIGHT / min(width, height))
        width, height = even(width * share), even(height * share)
        before = f"scale={width}:{height}:flags=lanczos,"
    w, h = even(min(width, WIDTH)), even(min(height, HEIGHT))
    base = f"{before}crop={w}:{h}"
    if before:
        yield "reduced", base
    for place, factor in enumerate((1.5, 2, 3, 4)):
        back = ("bicubic", "lanczos")[(number + place) % 2]
        yield f"up{factor}", f"{base},scale={round(w / factor)}:{round(h / factor)}:flags=area,scale={w}:{h}:flags={back}"
    for sigma in (1, 1.5, 2.5):
        yield f"blur{sigma}", f"{base},gblur=sigma={sigma}:steps=3"


def write(picture, quality, videos):
    """Makes videos of two frames, each by its filters."""
    command = ["ffmpeg", "-v", "error", "-y", "-i", picture]
    for path, filters in videos.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        command += ["-frames:v", "2", "-vf",
                    f"format=gbrp,{filters},loop=1:1:0,setpts=N/24/TB,scale=out_color_matrix=bt709:flags=area,format=yuv420p",
                    "-r", "24", "-c:v", "libx264", "-preset", "veryfast", "-threads", "1", "-crf", str(quality),
                    "-colorspace", "bt709", path]
    subprocess.run(command, check=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--half", choices=["tuning", "reporting"], default="reporting")
    parser.add_argument("--keep", type=Path, help="write the videos here and leave them")
    parser.add_argument("--count", type=int, help="only the first pictures of the half")
    parser.add_argument("--list", action="store_true", help="name what the rule is wrong about")
    options = parser.parse_args()
    tool = os.environ.get("ARTWORKD", str(ROOT / ".build/release/artworkd"))
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.keep or Path(temporary)
        kinds = {}
        found = sources(options.half, ROOT / ".build/derive")
        for number, (name, path) in enumerate(itertools.islice(found, options.count)):
            height, width = pictures.load(path).shape[:2]
            videos = {}
            for kind, filters in variants(number, width, height):
                release = f"{number:04}-{Path(name).stem}-{kind}"
                kinds[release] = kind
                videos[folder / release / "1x1.mp4"] = filters
            write(path, QUALITIES[number % 4], videos)
        told = subprocess.run([tool, "check", folder, "--no-cache", "--format", "ndjson", "--quiet", "--fail-on", "never",
                               "--profile", "now-playing"], capture_output=True, text=True, check=True)
    results = collections.defaultdict(list)
    for line in told.stdout.splitlines():
        result = json.loads(line)
        if "path" not in result:
            continue
        release = Path(result["path"]).parent.name
        raised = any(finding["rule"] == "softness" for finding in result.get("findings", []))
        results[kinds[release]].append(raised)
        if options.list and kinds[release] not in BETWEEN and raised != (kinds[release] in SOFT):
            print("false alarm" if raised else "missed", release, result.get("looks", {}).get("fineDetail"), file=sys.stderr)
    print("| picture | raised |\n|---|---:|")
    for kind in ("native", "reduced", *BETWEEN, *SOFT):
        print(f"| {kind} | {sum(results[kind])} of {len(results[kind])} |")
    for title, chosen in (("sharp", ("native", "reduced")), ("soft", SOFT)):
        raised = [one for kind in chosen for one in results[kind]]
        print(f"| **{title}** | {sum(raised)} of {len(raised)} |")


if __name__ == "__main__":
    main()
