#!/usr/bin/env python3
"""Counts the mistakes that artworkd makes about the seams of labelled clips. Prints markdown.

    Scripts/accuracy/seams/evaluate.py FOLDER... [--half tuning|all] [--artworkd PROGRAM] [--jobs N] [--quick]

A folder is one that Scripts/accuracy/seams/make-clips.py wrote, or one of another set: labels.csv with the columns file, origin,
source, recipe, kind and tier, and the clips in its folder clips. Such a set counts as a second one, in neither half.
Every clip is checked by `artworkd check`, once as it is and, without --quick, once with --thorough.

What counts. Tier 0 loops: any warning or error about its seam is a false alarm. Tier 2 is a clear defect, and caught
by any warning or error. Tier 1 is minor, and noticed by these or by its name. Tier -1 counts nowhere. A defect is
named right by its own name or one in its detail.accept.

Answers are kept in FOLDER/.accuracy, or --cache DIR, by the digests of the program and of each clip.
Needs Python 3.9 or later with numpy, and ffmpeg 5.1 or later.
Exit codes: 0 done, 1 something could not be run, 64 usage.
"""

from pathlib import Path
import subprocess
import sys

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import labels, measure, report
from lib.tool import Parser, tool


def options(arguments):
    parser = Parser(__doc__)
    parser.add_argument("folders", metavar="FOLDER", type=Path, nargs="+")
    parser.add_argument("--artworkd", type=Path, default=tool(), help="the program; default .build/release/artworkd")
    parser.add_argument("--half", choices=["reporting", "tuning", "all"], default="reporting")
    parser.add_argument("--cache", type=Path, help="keep answers here, for folders that are not to be written to")
    parser.add_argument("--output", type=Path, help="write the report here")
    parser.add_argument("--quick", action="store_true", help="without --thorough")
    parser.add_argument("--jobs", type=int, default=1, help="clips at a time")
    return parser.parse_args(arguments)


def main(arguments):
    chosen = options(arguments)
    clips = []
    try:
        for folder in chosen.folders:
            some = labels.clips(folder.resolve())
            cache = chosen.cache or folder / ".accuracy"
            measure.measure(cache, some, chosen.artworkd.resolve(), chosen.jobs, chosen.quick)
            clips += some
        text = report.report(clips, chosen.half, measure.modes(chosen.quick))
        if chosen.output:
            chosen.output.write_text(text, encoding="utf-8")
        else:
            print(text, end="")
    except (OSError, RuntimeError, ValueError, labels.LabelError, measure.MeasureError, subprocess.CalledProcessError) as error:
        print(f"evaluate: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
