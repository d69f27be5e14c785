#!/usr/bin/python3
"""Says how often the rule `complementary` is right about labelled pairs.

    Scripts/accuracy/pairs/evaluate.py TOOL FOLDER

TOOL is an artworkd, FOLDER was written by make-pairs.py. Prints, for each kind of pair, how many are told apart as they
should be, the area under the ROC curve, and what other limits would give. Exit code 0 whatever comes out.
"""

import collections
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from lib.tool import check


def likeness(tool, folder):
    """Of each pair, by asking for a likeness that none has."""
    configuration = folder / "artwork.yml"
    configuration.write_text("rules: {complementary: {likeness: 1.01}}\n")
    results = check(folder, program=tool)
    configuration.unlink()
    found = {}
    for result in results.values():
        for finding in result.get("findings", []):
            if finding["rule"] == "complementary":
                found[Path(result["path"]).parent.name] = float(finding["measured"].split()[-1])
    return found


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    tool, folder = sys.argv[1], Path(sys.argv[2])
    labels = json.loads((folder / "labels.json").read_text())
    values = likeness(tool, folder)
    # A frame of one colour is not compared: other rules speak of it.
    skipped = [name for name in labels if name not in values]
    limit = 0.65
    kinds = collections.defaultdict(list)
    for name, value in values.items():
        kinds[(labels[name], name.split("-", 2)[2])].append(value)
    for (same, kind), found in sorted(kinds.items(), reverse=True):
        right = sum((value >= limit) == same for value in found)
        print(f"{'same ' if same else 'other'} {kind:16} {right:3} of {len(found):3} right, {min(found):.2f} to {max(found):.2f}")
    same = [value for name, value in values.items() if labels[name]]
    other = [value for name, value in values.items() if not labels[name]]
    wins = sum((a > b) + (a == b) / 2 for a in same for b in other)
    print(f"area under the curve {wins / len(same) / len(other):.4f}; not compared: {len(skipped)}")
    for limit in (0.55, 0.6, 0.65, 0.7, 0.75, 0.85):
        hits = sum(value < limit for value in other) / len(other)
        alarms = sum(value < limit for value in same) / len(same)
        print(f"limit {limit:.2f}: {hits:6.1%} of the other pictures noticed, {alarms:6.1%} false alarms")


if __name__ == "__main__":
    main()
