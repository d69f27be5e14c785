#!/usr/bin/env python3
"""Says in how many labelled pictures `artworkd derive` keeps the box that must stay visible, beside the crop in the middle.

    Scripts/accuracy/derive/evaluate.py [--half tuning|reporting|whole-tuning|whole-reporting] [--keep FOLDER]

Makes short clips (pictures.py), asks `artworkd derive --dry-run` for the part of each, and counts those that hold at least
98 % of the box. ARTWORKD names the binary; .build/release/artworkd by default. Needs numpy, ffmpeg and pip, and PyPI once;
the halves with whole pictures need Debian's packages, too.
"""

import argparse
import json
import os
from pathlib import Path
import subprocess
import sys
import tempfile

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "Scripts/accuracy/derive"))

from labels import LABELS
from pictures import pictures

VISIBLE = .98


def write(path, frames):
    height, width = frames[0].shape[:2]
    subprocess.run(["ffmpeg", "-v", "error", "-y", "-f", "rawvideo", "-pix_fmt", "rgb24", "-s", f"{width}x{height}", "-r", "24",
                    "-i", "-", "-c:v", "libx264", "-preset", "veryfast", "-crf", "16", "-vf",
                    "scale=out_color_matrix=bt709,format=yuv420p", "-colorspace", "bt709", path],
                   input=b"".join(frame.tobytes() for frame in frames), check=True)


def visible(box, window):
    """The share of the box inside the window."""
    def overlap(start, length, first, size):
        return max(0, min(start + length, first + size) - max(start, first)) / length
    return overlap(box[0], box[2], window["x"], window["width"]) * overlap(box[1], box[3], window["y"], window["height"])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--half", choices=["tuning", "reporting", *LABELS], default="reporting")
    parser.add_argument("--keep", type=Path, help="write the clips here and leave them")
    arguments = parser.parse_args()
    tool = os.environ.get("ARTWORKD", str(ROOT / ".build/release/artworkd"))
    counts = {"chosen": 0, "middle": 0}
    with tempfile.TemporaryDirectory() as temporary:
        folder = arguments.keep or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        made = pictures(arguments.half, ROOT / ".build/derive")
        for picture in made:
            clip = folder / f"{picture.name}.mp4"
            write(clip, picture.frames)
            told = json.loads(subprocess.run([tool, "derive", clip, "--key", picture.key, "--dry-run", "--format", "json"],
                                             capture_output=True, text=True, check=True).stdout)
            shares = {"chosen": visible(picture.box, told["window"]), "middle": visible(picture.box, told["center"])}
            for name, share in shares.items():
                counts[name] += share >= VISIBLE
            if shares["chosen"] < VISIBLE:
                print(f"{picture.name} as {picture.key}: {100 * shares['chosen']:.0f} % of the box is visible"
                      f" ({100 * shares['middle']:.0f} % in the middle)")
    for name, count in counts.items():
        print(f"{name}: {count} of {len(made)} boxes stay visible")


if __name__ == "__main__":
    main()
