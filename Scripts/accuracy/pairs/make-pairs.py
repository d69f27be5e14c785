#!/usr/bin/python3
"""Writes labelled pairs of a cover and a motion artwork as release folders.

    Scripts/accuracy/pairs/make-pairs.py FOLDER [--half tuning|reporting] [--count N]

Each of N pictures (default 24) gives seven pairs that show the same thing (same, graded, zoomed, titled, extended to
3x4) and six that do not (another one of its kind, one of its series, one in its colours, a stranger, one colour).
Writes FOLDER/<number>-<name>/{cover.jpg,1x1.mp4 or 3x4.mp4} and FOLDER/labels.json: name to true or false.
The halves have no painter and no seed in common. Needs ffmpeg and numpy.
"""

import json
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from lib import ffmpeg
from lib.tool import Parser
from pairs import pairs

SEEDS = {"tuning": 7, "reporting": 11}


def write(task):
    folder, key, cover, frame, number = task
    folder.mkdir(parents=True)
    # Covers and videos rarely come out of one encoder: several qualities.
    quality = [2, 4, 8][number % 3]
    ffmpeg.still(folder / "cover.jpg", cover, quality=quality)
    codec = ["-c:v", "libx264", "-preset", "ultrafast", "-crf", str([18, 23, 28][number % 3]), "-pix_fmt", "yuv420p"]
    ffmpeg.video(folder / f"{key}.mp4", [frame, frame], codec=codec)


def main():
    parser = Parser(__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--half", choices=SEEDS, default="reporting")
    parser.add_argument("--count", type=int, default=24)
    options = parser.parse_args()
    labels = {}
    with ProcessPoolExecutor() as pool:
        waiting = []
        for number, (name, same, key, cover, frame) in enumerate(pairs(options.half, options.count, SEEDS[options.half])):
            folder = f"{number:04}-{name}"
            labels[folder] = same
            waiting.append(pool.submit(write, (options.folder / folder, key, cover, frame, number)))
        for task in waiting:
            task.result()
    (options.folder / "labels.json").write_text(json.dumps(labels, indent=1) + "\n")


if __name__ == "__main__":
    main()
