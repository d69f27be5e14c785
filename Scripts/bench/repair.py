#!/usr/bin/env python3
"""Compares `artworkd repair` with `ffmpeg -c copy` and one decode of the copy by ffmpeg, in wall and processor time.

    Scripts/bench/repair.py [--repeats 3] [--seconds 10] [--side 1080]

Makes two clips (HEVC tagged hev1, and H.264 with sound), and repairs each in turn with both. ffmpeg decodes with one thread, as
workers do. The goal is 1.2x. `after check` is a run that finds the clip's measurements in the cache. ARTWORKD
names the binary; .build/release/artworkd by default.
"""

import os
from pathlib import Path
import statistics
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from lib import ffmpeg
from lib.tool import Parser, tool, usage

PICTURE = "testsrc2=s={0}x{0}:r=30,noise=alls=8:allf=t,format=yuv420p"
CLIPS = {
    "hev1": ["-c:v", "libx265", "-preset", "fast", "-x265-params", "log-level=none", "-tag:v", "hev1", "-an"],
    "sound": ["-c:v", "libx264", "-preset", "fast", "-crf", "20", "-c:a", "aac"],
}


def measured(*commands):
    """Wall and processor seconds of commands, one after the other. artworkd exits with 1 where findings are left."""
    used = [usage(command, (0, 1)) for command in commands]
    return sum(one.wall for one in used), sum(one.cpu for one in used)


def main():
    parser = Parser(__doc__)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--side", type=int, default=1080)
    arguments = parser.parse_args()
    print("| clip | ffmpeg, wall | ours, wall | | ffmpeg, processor | ours, processor | |\n|---|---:|---:|---:|---:|---:|---:|")
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        os.environ["ARTWORKD_CACHE_DIR"] = str(folder / "cache")
        for name, codec in CLIPS.items():
            clip = folder / f"{name}.mp4"
            ffmpeg.run("-f", "lavfi", "-i", PICTURE.format(arguments.side), "-f", "lavfi", "-i", "sine",
                       "-t", arguments.seconds, *codec, clip)
            # The cache does not believe files that have only just been written.
            time.sleep(3)
            subprocess.run([tool(), "check", clip], capture_output=True)
            theirs, ours, warm = [], [], []
            for turn in range(arguments.repeats):
                copy = folder / f"copy{turn}.mp4"
                theirs.append(measured(
                    ["ffmpeg", "-v", "error", "-y", "-i", clip, "-map", "0:v:0", "-c", "copy", "-movflags", "+faststart", copy],
                    ["ffmpeg", "-v", "error", "-threads", "1", "-i", copy, "-f", "null", "-"]))
                ours.append(measured([tool(), "repair", clip, "--no-cache", "--output-dir", folder / f"{name}{turn}"]))
                warm.append(measured([tool(), "repair", clip, "--output-dir", folder / f"{name}{turn}.warm"]))
            a, c = map(statistics.median, zip(*theirs))
            for label, rows in ((name, ours), (f"{name}, after check", warm)):
                b, d = map(statistics.median, zip(*rows))
                print(f"| {label} | {a:.2f} s | {b:.2f} s | {b / a:.2f}x | {c:.2f} s | {d:.2f} s | {d / c:.2f}x |")


if __name__ == "__main__":
    main()
