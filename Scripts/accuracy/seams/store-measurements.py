#!/usr/bin/env python3
"""Writes Tests/Fixtures/seams.ndjson.gz: what is measured at the seams of labelled clips, which a test judges by day.

    Scripts/accuracy/seams/store-measurements.py FOLDER...

FOLDER is what Scripts/accuracy/seams/evaluate.py takes. To be run when what is measured changes, in ten minutes.
"""

import gzip
import json
from pathlib import Path
import sys

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import labels, measure
from lib.tool import ROOT


def main(folders):
    if not folders or folders[0].startswith("-"):
        print(__doc__, file=sys.stderr)
        return 64
    clips = sum((labels.clips(Path(folder).resolve()) for folder in folders), [])
    # Five digits decide as all do, and take half the bytes.
    rounded = (json.loads(line, parse_float=lambda text: float(f"{float(text):.5g}"))
               for line in measure.trial("store", clips).splitlines())
    lines = [json.dumps(clip, separators=(",", ":")) for clip in rounded]
    path = ROOT / "Tests/Fixtures/seams.ndjson.gz"
    # Without a name and a time, so that the same measurements are the same file.
    path.write_bytes(gzip.compress("\n".join(lines).encode(), 9, mtime=0))
    print(f"{len(lines)} clips, {path.stat().st_size} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
