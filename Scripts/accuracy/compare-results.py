#!/usr/bin/env python3
"""Compares what two runs of `artworkd check --format ndjson` say of the same files, for example under two versions of FFmpeg.

    Scripts/accuracy/compare-results.py ONE.ndjson OTHER.ndjson

Prints each difference in facts, verdicts, errors and findings, and exits with 1 if there is any. Measurements may differ in
the last digits, so the seam's verdict counts and its score does not. Versions of FFmpeg count streams differently, and give
the last frame a length that differs by less than a millisecond.
"""

import json
import sys


def results(path):
    with open(path, encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    return {row["path"]: row for row in rows if "path" in row}


def said(row):
    """What counts of a result, by the name that a difference is printed with."""
    facts = {f"facts.{name}": value for name, value in row.get("facts", {}).items() if name != "streamIndex"}
    findings = sorted(f'{f["severity"]} {f["rule"]} for {f["profile"]}' for f in row["findings"])
    return facts | {
        "key": row.get("key"), "verdict": row["verdict"], "error": row.get("error", {}).get("code"),
        "seam": row.get("seam", {}).get("verdict"), "findings": findings}


def alike(name, one, other):
    return one == other or (name.endswith("Seconds") and None not in (one, other) and abs(one - other) < 0.001)


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    one, other = (results(path) for path in sys.argv[1:])
    differing = 0
    for path in sorted(one.keys() | other.keys()):
        if path not in one or path not in other:
            print(f"{path}: only in {sys.argv[1 if path in one else 2]}")
            differing += 1
            continue
        before, after = said(one[path]), said(other[path])
        changed = [name for name in sorted(before.keys() | after.keys()) if not alike(name, before.get(name), after.get(name))]
        for name in changed:
            print(f"{path}: {name}: {before.get(name)} -> {after.get(name)}")
        differing += bool(changed)
    print(f"{len(one.keys() | other.keys()) - differing} files alike, {differing} different")
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
