#!/usr/bin/env python3
"""Compares the flash rule with IRIS, Electronic Arts' detector (PyPI: iris-pse-detection), on the clips of
Scripts/accuracy/looks/make-clips.py, or on any videos.

    Scripts/accuracy/iris.py FOLDER [--list] [--artworkd PROGRAM]

FOLDER has clips with labels.json, or videos without labels. IRIS reads a file once, so both get each clip twice in a row, and
a clip of a second or less until it has two. Prints how often each agrees with the label, if there is one, and with the other,
and what IRIS finds beyond flashes: extended failures (2 to 3 flashes a second for 4 of 5 seconds) and spatial patterns. Needs
iris-pse-detection, which needs opencv.
"""

import collections
import json
import os
from pathlib import Path
import subprocess
import sys
import tempfile

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from lib import tool


def main(arguments):
    parser = tool.Parser(__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--list", action="store_true", help="name the clips on which they differ")
    parser.add_argument("--artworkd", type=Path, default=tool.tool())
    chosen = parser.parse_args(arguments)
    # It looks for a display's libraries otherwise.
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    labels = chosen.folder / "labels.json"
    clips = [label for label in json.loads(labels.read_text(encoding="utf-8")) if label["kind"] == "flash"] if labels.exists() \
        else [{"file": path.relative_to(chosen.folder), "flash": None} for path in sorted(chosen.folder.rglob("*"))
              if path.suffix in (".mp4", ".mov", ".webm", ".mkv")]
    counts, more = collections.Counter(), collections.Counter()
    with tempfile.TemporaryDirectory() as folder:
        for label in clips:
            twice = Path(folder) / "twice.mkv"
            made = subprocess.run(["ffmpeg", "-v", "error", "-y", "-stream_loop", "2" if label.get("short") else "1", "-i",
                                   str(chosen.folder / label["file"]), "-c:v", "libx264", "-qp", "0", "-an", str(twice)],
                                  check=False)
            if made.returncode:
                print(f"{label['file']}: ffmpeg cannot encode it", file=sys.stderr)
                continue
            ours, theirs = flashes(chosen.artworkd, twice), iris(twice, folder)
            general = bool({"LuminanceFlashFailure", "RedFlashFailure"} & theirs)
            counts[label["flash"], ours, general] += 1
            more.update(theirs)
            if chosen.list and len({ours, general, ours if label["flash"] is None else bool(label["flash"])}) > 1:
                print(f"{label['file']}: labelled {label['flash']}, ours {ours}, IRIS {sorted(theirs)}", file=sys.stderr)
    total = sum(counts.values())
    if labels.exists():
        print(f"ours agrees with the label of {count(counts, lambda l, o, i: l == o)}, IRIS with that of "
              f"{count(counts, lambda l, o, i: l == i)}")
    print(f"{total} clips: they agree with one another on {count(counts, lambda l, o, i: o == i)}")
    for name, number in sorted(more.items()):
        print(f"IRIS: {name} on {number}")


def count(counts, condition):
    return sum(number for key, number in counts.items() if condition(*map(bool, key)))


def flashes(program, path):
    made = subprocess.run([program, "check", path, "--no-cache", "--thorough", "--select", "flash", "--format", "json"],
                          capture_output=True, check=False)
    return bool(json.loads(made.stdout)["results"][0]["findings"])


def iris(path, folder):
    """The names of its results."""
    from iris_pse_detection.configuration import Configuration
    from iris_pse_detection.video_analyser import VideoAnalyser

    settings = Configuration()
    settings.results_path, settings.pattern_detection_enabled = f"{folder}/results/", True
    # It prints its progress, from C++.
    kept = os.dup(1)
    with open(os.devnull, "w", encoding="utf-8") as nowhere:
        os.dup2(nowhere.fileno(), 1)
    try:
        result = VideoAnalyser(settings).analyse_video(str(path))
    finally:
        os.dup2(kept, 1)
        os.close(kept)
    return {item.name for item in result.results} or {result.overall_result.name}


main(sys.argv[1:])
