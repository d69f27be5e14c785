#!/usr/bin/env python3
"""Says how often the rules `blockiness` and `banding` are right about the clips of make-clips.py: evaluate.py DIR [--half HALF] [--list]

Checks the clips with ARTWORKD (.build/release/artworkd by default). A defect counts where the comparison with the clean picture
in labels.json shows that it is visible; hardly visible ones are counted apart.
"""

import argparse
import collections
import json
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
# Shares of visible edges and bands (damage.py): visible from the first on, and mild from the second.
EDGES, BANDS = (0.05, 0.02), (0.25, 0.05)
KINDS = ("photo", "painted", "render", "flat", "trap")


def level(value, limits):
    return "visible" if value >= limits[0] else "mild" if value >= limits[1] else "hidden"


def classes(label):
    """What a clip counts as, for each rule: damaged, or clean."""
    variant, fine = label["variant"], f"clean {label['kind']}"
    if variant.startswith("blocky"):
        return {"blockiness": level(label["edges"][0], EDGES)}
    if variant == "bands-x264":
        return {"banding": level(label["bands"][0], BANDS)}
    if variant.startswith("bands"):
        return {"blockiness": fine, "banding": level(label["bands"][0], BANDS)}
    return {"blockiness": fine, "banding": fine}


def findings(folder, tool):
    """The report of each clip, by its file."""
    told = subprocess.run([tool, "check", folder, "--no-cache", "--format", "ndjson", "--quiet", "--fail-on", "never",
                           "--profile", "now-playing"], capture_output=True, text=True, check=True)
    results = (json.loads(line) for line in told.stdout.splitlines())
    return {Path(one["path"]).parent.name: one for one in results if "path" in one}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--half", choices=["tuning", "reporting"], default="reporting")
    parser.add_argument("--list", action="store_true", help="name what the rules are wrong about")
    options = parser.parse_args()
    tool = os.environ.get("ARTWORKD", str(ROOT / ".build/release/artworkd"))
    labels = json.loads((options.folder / f"labels-{options.half}.json").read_text())
    results = findings(options.folder / options.half, tool)
    counts = collections.defaultdict(list)
    soft = []
    for label in labels:
        result = results[label["file"]]
        raised = {finding["rule"] for finding in result.get("findings", [])}
        for rule, kind in classes(label).items():
            counts[rule, kind].append(rule in raised)
            wrong = rule not in raised if kind == "visible" else rule in raised and kind.startswith("clean")
            if options.list and wrong:
                looks = result.get("looks", {})
                print("missed" if kind == "visible" else "false alarm", rule, label["file"], label["edges"][0], label["bands"][0],
                      looks.get("blockEdges"), looks.get("bands"), file=sys.stderr)
        if label["variant"] in ("clean", "clean-other"):
            soft.append("softness" in raised)
    print("| | blockiness | banding |\n|---|---:|---:|")
    for kind in ("visible", "mild", *(f"clean {kind}" for kind in KINDS)):
        cells = [f"{sum(counts[rule, kind])} of {len(counts[rule, kind])}" for rule in ("blockiness", "banding")]
        print(f"| {kind} | {' | '.join(cells)} |")
    print(f"\nClean clips that are called soft: {sum(soft)} of {len(soft)}")


if __name__ == "__main__":
    main()
