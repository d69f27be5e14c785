#!/usr/bin/env python3
"""Compares `artworkd derive` with the least C program that crops and encodes the same part (derive.c).

    Scripts/bench/derive.py [--repeats 3] [--seconds 10] [--size 1920x1080] [--key 3x4]

Both use one thread and the same settings of libx264. The goal is 1.1x of processor time. ARTWORKD names the binary;
.build/release/artworkd by default. Needs a C compiler and the development packages of FFmpeg.
"""

import argparse
import json
import os
from pathlib import Path
import resource
import statistics
import subprocess
import tempfile

ROOT = Path(__file__).resolve().parents[2]
LIBRARIES = ["libavcodec", "libavformat", "libavutil"]


def processor(command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--size", default="1920x1080")
    parser.add_argument("--key", default="3x4")
    arguments = parser.parse_args()
    tool = os.environ.get("ARTWORKD", str(ROOT / ".build/release/artworkd"))
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        flags = subprocess.run(["pkg-config", "--cflags", "--libs", *LIBRARIES], check=True, capture_output=True, text=True).stdout
        limit = folder / "derive"
        subprocess.run(["cc", "-O2", "-o", limit, ROOT / "Scripts/bench/derive.c", *flags.split()], check=True)
        clip = folder / "clip.mp4"
        subprocess.run(["ffmpeg", "-v", "error", "-f", "lavfi", "-i",
                        f"testsrc2=s={arguments.size}:r=30,noise=alls=4:allf=t,format=yuv420p", "-t", str(arguments.seconds), "-c:v",
                        "libx264", "-preset", "fast", "-crf", "18", clip], check=True)
        os.environ["ARTWORKD_CACHE_DIR"] = str(folder / "cache")
        plan = subprocess.run([tool, "derive", clip, "--key", arguments.key, "--dry-run", "--format", "json"], check=True,
                              capture_output=True, text=True).stdout
        window = json.loads(plan)["window"]
        places = [str(window[name] // 2 * 2) for name in ("x", "y", "width", "height")]
        theirs = [processor([limit, clip, folder / "theirs.mp4", *places]) for _ in range(arguments.repeats)]
        def derive(*options):
            out = folder / "ours.mp4"
            out.unlink(missing_ok=True)
            return processor([tool, "derive", clip, "--key", arguments.key, "-o", out, *options])

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
