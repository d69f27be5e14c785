#!/usr/bin/env python3
"""Measures how many files an hour `artworkd check --evidence` manages on this machine, for each class of file.

    Scripts/dist
    Scripts/bench/catalogue.py                     # the corpus of Scripts/bench/make-corpus.py; some minutes
    Scripts/bench/catalogue.py --seconds 2         # less exact
    Scripts/bench/catalogue.py --files FOLDER      # other files: those of a real catalogue
    Scripts/bench/catalogue.py --price 0.04        # also what 10 million cost at this price of a core for an hour

Each class is checked over and over, without the cache, until the time is up. `needs` is what a disk or network has to deliver
to keep one core busy: where it delivers less, that is the bottleneck. ARTWORKD names another binary. Prints markdown. Run it
on an idle machine, and a second time if files were not in memory before.
"""

import collections
import json
import os
from pathlib import Path
import subprocess
import sys
import tempfile

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from lib.tool import ROOT, Parser, tool, usage

TOOL = tool("dist/artworkd")
CORPUS = ROOT / ".build" / "bench" / "corpus"
CATALOGUE = 10_000_000
AREAS = ((1_000_000, "to 1 megapixel"), (4_000_000, "to 4 megapixels"), (sys.maxsize, "larger"))


def check(files):
    """Results, and seconds of wall and processor time."""
    with tempfile.NamedTemporaryFile("w") as names:
        names.write("\n".join(map(str, files)))
        names.flush()
        used = usage(["sh", "-c", 'exec "$0" check --evidence --no-cache --format ndjson --exit-zero --quiet - <"$1"', TOOL, names.name])
    rows = [json.loads(line) for line in used.output.splitlines()][:-1]
    return rows, used.wall, used.cpu


def classes(files):
    """Files by codec and size of picture."""
    found = collections.defaultdict(list)
    for row in check(files)[0]:
        facts = row.get("facts")
        if facts:
            area = facts["codedWidth"] * facts["codedHeight"]
            found[facts["codec"], next(title for most, title in AREAS if area <= most)].append(Path(row["path"]))
    return sorted(found.items())


def main():
    parser = Parser(__doc__)
    parser.add_argument("--files", type=Path)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--price", type=float)
    options = parser.parse_args()
    folder = (options.files or CORPUS).resolve()
    if options.files is None:
        subprocess.run([ROOT / "Scripts" / "bench" / "make-corpus.py"], check=True)
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    cores = len(os.sched_getaffinity(0))
    print(f"{cores} cores; 10 million files of one class:\n")
    cost = options.price is not None
    print("| codec | picture | mean size | files an hour | core time a file | core hours | needs |"
          + (" cost |" if cost else ""))
    print("|---|---|---:|---:|---:|---:|---:|" + ("---:|" if cost else ""))
    for (codec, picture), paths in classes(files):
        count, wall, processor = 0, 0.0, 0.0
        while wall < options.seconds:
            rows, seconds, used = check(paths)
            count, wall, processor = count + len(rows), wall + seconds, processor + used
        size = sum(path.stat().st_size for path in paths) / len(paths)
        each = processor / count
        hours = each * CATALOGUE / 3600
        print(f"| {codec} | {picture} | {size / 1e6:.1f} MB | {3600 * count / wall:,.0f} | {each:.3f} s | {hours:,.0f} "
              f"| {size / 1e6 / each:.0f} MB/s |" + (f" {hours * options.price:,.0f} |" if cost else ""), flush=True)


if __name__ == "__main__":
    main()
