#!/usr/bin/env python3
"""Compares `artworkd derive` with the least C program that crops and encodes the same part (derive.c).

    Scripts/bench/derive.py [--repeats 3] [--seconds 10] [--size 1920x1080] [--key 3x4]

Both use one thread and the same settings of libx264. The goal is 1.1x of processor time. ARTWORKD names the binary;
.build/release/artworkd by default. Needs a C compiler and the development packages of FFmpeg.
"""

import json
import os
from pathlib import Path
import statistics
import sys
import tempfile

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from lib import ffmpeg
from lib.tool import Parser, compiled, seconds, tool, usage


def main():
    parser = Parser(__doc__)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--size", default="1920x1080")
    parser.add_argument("--key", default="3x4")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        limit = compiled(Path(__file__).with_suffix(".c"), folder / "derive", "libavcodec", "libavformat", "libavutil")
        clip = folder / "clip.mp4"
        ffmpeg.run("-f", "lavfi", "-i", f"testsrc2=s={arguments.size}:r=30,noise=alls=4:allf=t,format=yuv420p", "-t", arguments.seconds,
                   "-c:v", "libx264", "-preset", "fast", "-crf", "18", clip)
        os.environ["ARTWORKD_CACHE_DIR"] = str(folder / "cache")
        window = json.loads(usage([tool(), "derive", clip, "--key", arguments.key, "--dry-run", "--format", "json"]).output)["window"]
        places = [str(window[name] // 2 * 2) for name in ("x", "y", "width", "height")]
        theirs = [seconds([limit, clip, folder / "theirs.mp4", *places]) for _ in range(arguments.repeats)]

        def derive(*options):
            out = folder / "ours.mp4"
            out.unlink(missing_ok=True)
            return seconds([tool(), "derive", clip, "--key", arguments.key, "-o", out, *options])

        # The plan has put the measurements of the clip into the cache, as `check` does.
        known = [derive() for _ in range(arguments.repeats)]
        new = [derive("--no-cache") for _ in range(arguments.repeats)]
        limit_time = statistics.median(theirs)
        print(f"{arguments.size} as {arguments.key}, {arguments.seconds:g} s: the C program {limit_time:.2f} s of processor time")
        for name, times in (("after check", known), ("without its measurements", new)):
            time = statistics.median(times)
            print(f"artworkd {name}: {time:.2f} s ({time / limit_time:.2f}x)")


if __name__ == "__main__":
    main()
