#!/usr/bin/env python3
"""Says how often the rule `inset-cover` is right about labelled releases.

    Scripts/accuracy/inset/evaluate.py [--half tuning|reporting] [--count N] [--keep FOLDER] [--list]

Makes a square and a tall video of each release (covers.py), checks them with ARTWORKD (.build/release/artworkd by default),
and prints for each kind in how many the rule is raised. Needs numpy, ffmpeg and the packages of Scripts/accuracy/derive, once.
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
sys.path.insert(0, str(HERE))

import numpy as np

import covers


def write(path, picture, crf):
    frame = np.clip(np.rint(picture), 0, 255).astype(np.uint8)
    height, width = frame.shape[:2]
    subprocess.run(["ffmpeg", "-v", "error", "-y", "-f", "rawvideo", "-pix_fmt", "rgb24", "-s", f"{width}x{height}", "-r", "24",
                    "-i", "-", "-c:v", "libx264", "-preset", "ultrafast", "-crf", str(crf), "-vf",
                    "scale=out_color_matrix=bt709,format=yuv420p", "-colorspace", "bt709", path], input=frame.tobytes() * 2, check=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--half", choices=["tuning", "reporting"], default="reporting")
    parser.add_argument("--keep", type=Path, help="write the videos here and leave them")
    parser.add_argument("--count", type=int, help="only the first releases of the half")
    parser.add_argument("--list", action="store_true", help="name what the rule is wrong about")
    options = parser.parse_args()
    tool = os.environ.get("ARTWORKD", str(ROOT / ".build/release/artworkd"))
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.keep or Path(temporary)
        labels, insets = {}, {}
        for number, (name, kind, inset, square, tall) in enumerate(
                itertools.islice(covers.releases(options.half, ROOT / ".build/derive"), options.count)):
            release = f"{number:04}-{name}-{kind}"
            (folder / release).mkdir(parents=True, exist_ok=True)
            write(folder / release / "1x1.mp4", square, (16, 20, 26)[number % 3])
            write(folder / release / "3x4.mp4", tall, (16, 22, 28)[number // 3 % 3])
            labels[release] = (kind, inset)
        told = subprocess.run([tool, "check", folder, "--no-cache", "--format", "ndjson", "--quiet", "--fail-on", "never",
                               "--profile", "now-playing"], capture_output=True, text=True, check=True)
        raised = set()
        for line in told.stdout.splitlines():
            result = json.loads(line)
            if "path" not in result:
                continue
            release = Path(result["path"]).parent.name
            if "inset" in result.get("looks", {}):
                insets[release] = result["looks"]["inset"]
            if any(finding["rule"] == "inset-cover" for finding in result.get("findings", [])):
                raised.add(release)
    kinds = collections.defaultdict(list)
    for release, (kind, inset) in labels.items():
        kinds[(not inset, kind)].append(release in raised)
        if options.list and inset != (release in raised):
            print("missed" if inset else "false alarm", release, json.dumps(insets.get(release)), file=sys.stderr)
    print("| tall variant | raised |\n|---|---:|")
    for (_, kind), found in sorted(kinds.items()):
        print(f"| {kind} | {sum(found)} of {len(found)} |")
    for inset in (True, False):
        found = [release in raised for release, label in labels.items() if label[1] == inset]
        print(f"| **{'an inset cover' if inset else 'a picture of its own'}** | {sum(found)} of {len(found)} |")


if __name__ == "__main__":
    main()
