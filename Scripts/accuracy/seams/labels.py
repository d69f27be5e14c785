"""The labelled clips of a folder: those that make-clips.py writes, and those of a second set with another table."""

import csv
from dataclasses import dataclass, field
import json
from pathlib import Path

AMBIGUOUS, LOOPS, MINOR, CLEAR = -1, 0, 1, 2
# The kinds of a second set, by the names used here. What loops has tier 0 there.
DEFECTS = {"dup": "held", "missing1": "jump", "trim": "jump", "velocity": "held"}


class LabelError(Exception):
    pass


@dataclass
class Clip:
    """`said` is what each judge says of the clip; see measure.py."""

    path: object
    family: str
    half: str
    source: str
    defect: str
    tier: int
    kind: str             # what was done, in a word
    accepted: frozenset   # verdicts that are right
    starved: bool = False # a loop whose coding alone makes its seam visible; its tier is -1
    said: dict = field(default_factory=dict)

    @property
    def name(self):
        return self.path.name

    @property
    def is_raw_cut(self):
        return self.kind == "raw"


def clips(folder):
    if (folder / "labels.json").is_file():
        found = [made(folder, label) for label in json.loads((folder / "labels.json").read_text(encoding="utf-8"))]
    elif (folder / "labels.csv").is_file():
        with open(folder / "labels.csv", newline="", encoding="utf-8") as table:
            found = [of_third_set(folder, row) if "names" in row else of_second_set(folder, row)
                     for row in csv.DictReader(table)]
    else:
        raise LabelError(f"{folder} has neither labels.json nor labels.csv")
    missing = [clip.name for clip in found if not clip.path.exists()]
    if missing:
        raise LabelError(f"{folder}: {len(missing)} clips are missing; {missing[0]} is one")
    return found


def made(folder, label):
    detail, defect = label["detail"], label["defect"]
    kind = detail.get("trap") or detail.get("how") or defect
    if defect == "jump":
        kind = f"{abs(detail['frames'])} {'missing' if detail['frames'] > 0 else 'too many'}" if not detail.get(
            "reaches") else "short dissolve"
    elif defect not in ("seamless", "cut"):
        kind = defect
    accepted = {defect, *detail.get("accept", [])}
    if defect == "reverse" and label["strength"] == 1:
        accepted.add("seamless")
    return Clip(folder / label["file"], label["family"], label["half"], label["source"], defect, label["tier"], kind,
                frozenset(accepted), "coding" in detail)


def of_second_set(folder, row):
    tier, kind = int(row["tier"]), row["kind"]
    defect = DEFECTS.get(kind, kind)
    accepted = {defect, "cut"} if "trim" in (kind, row["recipe"]) else {defect}
    if tier == LOOPS:
        defect = "static" if kind.startswith("static") else "seamless"
        accepted = {defect, "seamless", "reverse"} if kind == "pingpong" else {defect, "seamless"}
    if row["recipe"] in ("raw", "oneshot"):
        kind = "raw"
    return Clip(folder / "clips" / row["file"], row["origin"], "second", row["source"], defect, tier, kind,
                frozenset(accepted))


def of_third_set(folder, row):
    """A set whose table says which names are right; a loop may be called what it is by any of them."""
    tier, names = int(row["tier"]) if row["tier"].isdigit() else AMBIGUOUS, row["names"].split()
    defect = "seamless" if tier == LOOPS or not names else names[0]
    kind = "raw" if row["kind"] == "rawcut" else row["kind"]
    return Clip(folder / "clips" / row["file"], row["origin"], "third", Path(row["file"]).stem.split("_")[-1], defect, tier,
                kind, frozenset({defect, *names}))
