#!/usr/bin/env python3
"""What it costs to give a session its own file with a video, by size and way, beside cp and ln.

    Scripts/bench/leases.py [--sizes 1,10,50,200,1000] [--repeats 5] [FOLDER...]

FOLDER is on the file system to measure; the default is a temporary folder and, for root with mkfs.btrfs and mkfs.xfs, an
image of each. Needs `swift build -c release --product store-trial`, or STORE_TRIAL. Prints markdown: milliseconds, the
median of the repeats. "copy" and "link" are forced; "reflink" is what the store chooses where the file system can. A
link has two figures: for the first session, and for each further one, whose video is read again to compare its digest.
cp and ln are whole processes. "cp" shares blocks where it can, "cp --reflink=never" does not.
"""

import contextlib
import os
from pathlib import Path
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from lib.tool import ROOT, Parser

TRIAL = os.environ.get("STORE_TRIAL", ROOT / ".build/release/store-trial")
RIVALS = {"cp": ["cp"], "cp --reflink=never": ["cp", "--reflink=never"], "ln": ["ln"]}


def lease(folder, video, limit, repeats):
    """The way that the store chose, and the milliseconds of the first session and of further ones."""
    with tempfile.TemporaryDirectory(dir=folder) as place:
        said = subprocess.run([TRIAL, "leases", place, video, "--copy-limit", str(limit), "--repeats", str(repeats)],
                              check=True, capture_output=True, text=True).stdout.split()
    times = [float(word) for word in said[1:]]
    return said[0], times[0], statistics.median(times[1:] or times)


def rival(command, video, repeats):
    target, times = video.with_name("rival"), []
    for _ in range(repeats):
        start = time.perf_counter()
        subprocess.run([*command, video, target], check=True)
        times.append(1e3 * (time.perf_counter() - start))
        target.unlink()
    return statistics.median(times)


def measure(name, folder, sizes, repeats):
    print(f"\n{name}, milliseconds:\n\n| MB | reflink | copy | link, first | link, further | "
          + " | ".join(RIVALS) + " |\n|" + "---:|" * (5 + len(RIVALS)))
    for size in sizes:
        video = Path(folder) / "video.mp4"
        with open(video, "wb") as file:
            for _ in range(size):
                file.write(os.urandom(1_000_000))
            os.fsync(file.fileno())
        way, _, copied = lease(folder, video, 1 << 50, repeats)
        cells = [copied, None] if way == "reflink" else [None, copied]
        if way == "copy":
            _, first, further = lease(folder, video, 0, repeats)
            cells += [first, further]
        else:
            cells += [None, None]
        cells += [rival(command, video, repeats) for command in RIVALS.values()]
        print(f"| {size} | " + " | ".join("" if cell is None else f"{cell:.1f}" for cell in cells) + " |", flush=True)
        video.unlink()


@contextlib.contextmanager
def image(kind, folder):
    file, place = Path(folder) / f"{kind}.img", Path(folder) / kind
    with open(file, "wb") as made:
        made.truncate(12 << 30)
    place.mkdir()
    subprocess.run([f"mkfs.{kind}", "-q", file], check=True, capture_output=True)
    subprocess.run(["mount", "-o", "loop", file, place], check=True)
    try:
        yield place
    finally:
        subprocess.run(["umount", place], check=True)


def main():
    parser = Parser(__doc__)
    parser.add_argument("folders", nargs="*")
    parser.add_argument("--sizes", default="1,10,50,200,1000")
    parser.add_argument("--repeats", type=int, default=5)
    options = parser.parse_args()
    sizes = [int(size) for size in options.sizes.split(",")]
    for folder in options.folders:
        with tempfile.TemporaryDirectory(dir=folder) as place:
            measure(folder, place, sizes, options.repeats)
    if options.folders:
        return
    with tempfile.TemporaryDirectory() as folder:
        kind = subprocess.run(["stat", "-f", "-c", "%T", folder], capture_output=True, text=True).stdout.strip()
        measure(kind, folder, sizes, options.repeats)
        for kind in ("btrfs", "xfs"):
            if os.geteuid() == 0 and shutil.which(f"mkfs.{kind}"):
                with image(kind, folder) as place:
                    measure(kind, place, sizes, options.repeats)


main()
