"""Labelled clips with what seam-trial and the rivals say of them, kept in FOLDER/.accuracy."""

from dataclasses import dataclass, field
import hashlib
import json
import os
from pathlib import Path
import subprocess
import sys

from accuracy import rivals

WINDOWS = (2, 3, 5, 8, 16)
DEFAULT_WINDOW = 5
EVERYTHING = "everything"
MODES = [str(window) for window in WINDOWS] + [EVERYTHING]


class MeasureError(Exception):
    pass


@dataclass
class Clip:
    """An entry of labels.json, the lines of seam-trial by mode and the rivals' numbers by name."""

    label: dict
    trial: dict = field(default_factory=dict)
    rival: dict = field(default_factory=dict)

    @property
    def file(self):
        return self.label["file"]


def clips(folder, trial, jobs):
    labels = json.loads((folder / "labels.json").read_text(encoding="utf-8"))
    paths = {}
    for label in labels:
        beside = folder / label["file"]
        paths[label["file"]] = beside if beside.exists() else folder / "clips" / label["file"]
    if len(paths) < len(labels):
        raise MeasureError(f"{folder}: files that are labelled twice")
    found = {file: Clip(label) for file, label in zip(paths, labels)}
    set_digest = digest_of_set(folder, paths)
    cache = folder / ".accuracy"
    cache.mkdir(exist_ok=True)

    kept = cache / f"trial-{digest(trial)}-{set_digest}.jsonl"
    command = [str(trial), str(folder), "--windows", ",".join(map(str, WINDOWS)), "--jobs", str(jobs)]
    lines = keep(kept, lambda out: run(command, out))
    for line in map(json.loads, lines.splitlines()):
        found[line["file"]].trial[line["mode"]] = line
    without = [clip.file for clip in found.values() if set(clip.trial) != set(MODES)]
    if without:
        kept.unlink()
        raise MeasureError(f"seam-trial said too little of {len(without)} clips; {without[0]} is one")

    kept = cache / f"rivals-{digest(Path(rivals.__file__))}-{set_digest}.json"
    numbers = keep(kept, lambda out: out.write(json.dumps(compare(paths))))
    for file, values in json.loads(numbers).items():
        found[file].rival = values
    return list(found.values())


def compare(paths):
    print(f"decoding {len(paths)} clips for the rivals", file=sys.stderr)
    return {file: rivals.measure(path) for file, path in paths.items()}


def run(command, out):
    print("running " + " ".join(command), file=sys.stderr)
    subprocess.run(command, stdout=out, check=True)


def keep(path, make):
    """The text at `path`, made by `make`, which is given an open file, where it is missing."""
    if not path.exists():
        partial = path.with_suffix(f".{os.getpid()}.partial")
        try:
            with open(partial, "w", encoding="utf-8") as out:
                make(out)
            partial.replace(path)
        finally:
            partial.unlink(missing_ok=True)
    return path.read_text(encoding="utf-8")


def digest(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()[:12]


def digest_of_set(folder, paths):
    """Of the labels, and of the clips' sizes: as good as their bytes, and at once."""
    sizes = [path.stat().st_size if path.exists() else None for path in paths.values()]
    return hashlib.sha256((folder / "labels.json").read_bytes() + repr(sizes).encode()).hexdigest()[:12]
