#!/usr/bin/env python3
"""Says how often the rules `blockiness` and `banding` are right about the clips of make-clips.py: evaluate.py DIR [--half HALF] [--list]

Checks the clips with ARTWORKD (.build/release/artworkd by default). A defect counts where the comparison with the clean picture
in labels.json shows that it is visible; hardly visible ones are counted apart.
"""

import json
from pathlib import Path
import sys

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from lib import labelled
from lib.tool import rules

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


def main():
    parser = labelled.Parser(__doc__)
    parser.add_argument("folder", type=Path)
    options = parser.parse_args()
    labels = json.loads((options.folder / f"labels-{options.half}.json").read_text())
    results = labelled.releases(options.folder / options.half)
    counts, soft = labelled.Counts(options.list), labelled.Counts()
    for label in labels:
        result, = results[label["file"]]
        looks = result.get("looks", {})
        for rule, kind in classes(label).items():
            should = True if kind == "visible" else False if kind.startswith("clean") else None
            counts.add((rule, kind), rule in rules(result), should, rule, label["file"], label["edges"][0], label["bands"][0],
                       looks.get("blockEdges"), looks.get("bands"))
        if label["variant"] in ("clean", "clean-other"):
            soft.add("soft", "softness" in rules(result))
    print(labelled.table(["", "blockiness", "banding"], (
        [kind, *(counts.cell((rule, kind)) for rule in ("blockiness", "banding"))]
        for kind in ("visible", "mild", *(f"clean {kind}" for kind in KINDS)))))
    print(f"\nClean clips that are called soft: {soft.cell('soft')}")


if __name__ == "__main__":
    main()
