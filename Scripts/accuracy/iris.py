#!/usr/bin/env python3
"""Compares the flash rule with IRIS, Electronic Arts' detector (PyPI: iris-pse-detection), on the clips of
Scripts/accuracy/looks/make-clips.py.

    Scripts/accuracy/iris.py FOLDER [--list] [--artworkd PROGRAM]

IRIS reads a file once, so both get each clip twice in a row, and a clip of a second or less until it has two. Prints how
often each agrees with the label and with the other, and what IRIS finds beyond flashes: extended failures (2 to 3 flashes a
second for 4 of 5 seconds) and spatial patterns. Needs iris-pse-detection, which needs opencv.
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
    clips = [label for label in json.loads((chosen.folder / "labels.json").read_text(encoding="utf-8"))
             if label["kind"] == "flash"]
    counts, more = collections.Counter(), collections.Counter()
    with tempfile.TemporaryDirectory() as folder:
        for label in clips:
            twice = Path(folder) / "twice.mkv"
            subprocess.run(["ffmpeg", "-v", "error", "-y", "-stream_loop", "2" if label.get("short") else "1", "-i",
                            str(chosen.folder / label["file"]), "-c:v", "libx264", "-qp", "0", "-an", str(twice)], check=True)
            ours, theirs = flashes(chosen.artworkd, twice), iris(twice, folder)
            general = bool({"LuminanceFlashFailure", "RedFlashFailure"} & theirs)
            counts[label["flash"], ours, general] += 1
            more.update(theirs)
            if chosen.list and len({bool(label["flash"]), ours, general}) > 1:
                print(f"{label['file']}: labelled {label['flash']}, ours {ours}, IRIS {sorted(theirs)}", file=sys.stderr)
    total = sum(counts.values())
    print(f"{total} clips: ours agrees with the label of {count(counts, lambda l, o, i: l == o)}, IRIS with that of "
          f"{count(counts, lambda l, o, i: l == i)}, and they with one another on {count(counts, lambda l, o, i: o == i)}")
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
    result = VideoAnalyser(settings).analyse_video(str(path))
    return {item.name for item in result.results} or {result.overall_result.name}


main(sys.argv[1:])
