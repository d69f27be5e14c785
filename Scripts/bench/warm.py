#!/usr/bin/env python3
"""Measures a second `artworkd check` of a tree in which nothing has changed, beside `find -ls` and `git status`.

    swift build -c release --static-swift-stdlib --product artworkd
    Scripts/bench/warm.py                # 4,000 and 10,000 files in pairs: ten minutes, most of them for the cold runs
    Scripts/bench/warm.py --files 400    # a minute, to see that it works

ARTWORKD names another binary. The tree is made of the fixtures under .build/bench/warm. Prints markdown: medians of
processor time, user and system, of each program and the processes that it waited for. Fails where a warm run says
something else than the cold one; a missed target is printed as MISSED and does not change the exit code.
"""

import json
import os
from pathlib import Path
import platform
import shutil
import statistics
import subprocess
import sys
import time

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from lib.tool import MEDIA, ROOT, Parser, tool, usage

BENCH = ROOT / ".build" / "bench" / "warm"
# The square and the tall variant. Half of the pairs begin with different pictures, which takes the longest to find.
PAIRS = [
    ("good-1x1", "good-3x4"), ("good-1x1-2s", "good-3x4-apple"), ("loop-jump", "good-3x4"),
    ("look-letterbox", "good-3x4"), ("look-letterbox", "good-3x4-apple"), ("look-letterbox", "aspect-3x4-off-1.6pct"),
]
TARGETS = {4_000: 1.5, 10_000: 4.0}  # seconds of processor time


def copy(source, target, number):
    """A copy with bytes of its own: players skip the `free` box at its end (ISO/IEC 14496-12)."""
    box = (16).to_bytes(4, "big") + b"free" + number.to_bytes(8, "big")
    target.write_bytes(source + box)


def make_tree(files):
    """`files` files in pairs. Returns the folder."""
    tree = BENCH / f"{files}"
    done = BENCH / f"{files}.done"
    if done.exists():
        return tree
    shutil.rmtree(tree, ignore_errors=True)
    media = {name: (MEDIA / f"{name}.mp4").read_bytes() for pair in PAIRS for name in pair}
    for number in range(files // 2):
        folder = tree / f"release-{number:05}"
        folder.mkdir(parents=True)
        square, tall = PAIRS[number % len(PAIRS)]
        copy(media[square], folder / "1x1.mp4", 2 * number)
        copy(media[tall], folder / "3x4.mp4", 2 * number + 1)
    git = ["git", "-C", str(tree)]
    subprocess.run([*git, "init", "-q"], check=True)
    subprocess.run([*git, "add", "."], check=True)
    # A file that was changed just now may change again unseen: it is not kept yet.
    time.sleep(3)
    done.touch()
    return tree


def run(command, environment=None):
    """Processor seconds, wall seconds, standard output."""
    used = usage(command, (0, 1), environment)
    return used.cpu, used.wall, used.output


def results(output):
    """Everything that a run says of its files, in the order of their paths."""
    lines = [json.loads(line) for line in output.splitlines()]
    return sorted((line for line in lines if "path" in line), key=lambda line: line["path"])


def measure(files, repeats, tool):
    tree, cache = make_tree(files), BENCH / f"{files}.cache"
    shutil.rmtree(cache, ignore_errors=True)
    environment = {"ARTWORKD_CACHE_DIR": str(cache)}
    lines = [tool, "check", tree, "--format", "ndjson"]
    contenders = {
        "artworkd check, text": ([tool, "check", tree], environment),
        "artworkd check, ndjson": (lines, environment),
        "git status": (["git", "-C", tree, "status", "--porcelain"], None),
        "find -ls": (["find", tree, "-name", "*.mp4", "-ls"], None),
    }
    cold = run(lines, environment)
    if results(run(lines, environment)[2]) != results(cold[2]):
        sys.exit("the warm run says something else than the cold one")
    runs = {name: [run(*contender) for _ in range(repeats)] for name, contender in contenders.items()}
    print(f"\n| {files:,} files | processor time | a file | wall time |\n|---|---|---|---|")
    rows = {"artworkd check, cold": cold[:2]}
    for name, measured in runs.items():
        rows[name] = [statistics.median(values) for values in list(zip(*measured))[:2]]
    for name, (processor, wall) in rows.items():
        print(f"| {name} | {processor:.2f} s | {1e6 * processor / files:,.0f} us | {wall:.2f} s |")
    if target := TARGETS.get(files):
        used = rows["artworkd check, text"][0]
        print(f"\n{'MISSED' if used > target else 'met'}: at most {target} s of processor time for text, {used:.2f} s used")


def main():
    parser = Parser(__doc__)
    parser.add_argument("--files", type=int, nargs="+", default=list(TARGETS))
    parser.add_argument("--repeats", type=int, default=5)
    arguments = parser.parse_args()
    print(f"{time.strftime('%Y-%m-%d')}, {platform.machine()}, {os.cpu_count()} processors, Linux {platform.release()}")
    for files in arguments.files:
        measure(files, arguments.repeats, tool())


if __name__ == "__main__":
    main()
