#!/usr/bin/env python3
"""Says in how many labelled pictures `artworkd derive` keeps the box that must stay visible, beside the crop in the middle.

    Scripts/accuracy/derive/evaluate.py [--half tuning|reporting|whole-tuning|whole-reporting] [--keep FOLDER]

Makes short clips (pictures.py), asks `artworkd derive --dry-run` for the part of each, and counts those that hold at least
98 % of the box. ARTWORKD names the binary; .build/release/artworkd by default. Needs numpy, ffmpeg and pip, and PyPI once;
the halves with whole pictures need Debian's packages, too.
"""

import json
from pathlib import Path
import subprocess
import sys

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from accuracy.derive.labels import LABELS
from accuracy.derive.pictures import pictures
from lib import ffmpeg, labelled
from lib.tool import tool

VISIBLE = .98
X264 = ["-c:v", "libx264", "-preset", "veryfast", "-crf", "16"]


def visible(box, window):
    """The share of the box inside the window."""
    def overlap(start, length, first, size):
        return max(0, min(start + length, first + size) - max(start, first)) / length
    return overlap(box[0], box[2], window["x"], window["width"]) * overlap(box[1], box[3], window["y"], window["height"])


def main():
    parser = labelled.Parser(__doc__, [*labelled.HALVES, *LABELS])
    parser.add_argument("--keep", type=Path, help="write the clips here and leave them")
    options = parser.parse_args()
    counts = labelled.Counts()
    with labelled.folder(options.keep) as folder:
        for picture in pictures(options.half):
            clip = folder / f"{picture.name}.mp4"
            ffmpeg.encode(clip, picture.frames, X264)
            told = json.loads(subprocess.run([tool(), "derive", clip, "--key", picture.key, "--dry-run", "--format", "json"],
                                             capture_output=True, text=True, check=True).stdout)
            chosen, middle = visible(picture.box, told["window"]), visible(picture.box, told["center"])
            counts.add("chosen", chosen >= VISIBLE)
            counts.add("middle", middle >= VISIBLE)
            if chosen < VISIBLE:
                print(f"{picture.name} as {picture.key}: {100 * chosen:.0f} % of the box is visible ({100 * middle:.0f} % in the middle)")
    for name in counts.found:
        print(f"{name}: {counts.cell(name)} boxes stay visible")


if __name__ == "__main__":
    main()
