#!/usr/bin/env python3
"""Says how often the rule `inset-cover` is right about labelled releases.

    Scripts/accuracy/inset/evaluate.py [--half tuning|reporting] [--count N] [--keep FOLDER] [--list]

Makes a square and a tall video of each release (covers.py), checks them with ARTWORKD (.build/release/artworkd by default),
and prints for each kind in how many the rule is raised. Needs numpy, ffmpeg and the packages of Scripts/accuracy/derive, once.
"""

import itertools
import json
from pathlib import Path
import sys

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import covers
from lib import ffmpeg, labelled
from lib.tool import rules


def write(path, picture, crf):
    path.parent.mkdir(parents=True, exist_ok=True)
    ffmpeg.encode(path, [ffmpeg.rounded(picture)] * 2, ["-c:v", "libx264", "-preset", "ultrafast", "-crf", crf])


def main():
    options = labelled.Parser(__doc__, makes_clips=True).parse_args()
    with labelled.folder(options.keep) as folder:
        labels = {}
        for number, (name, kind, is_inset, square, tall) in enumerate(itertools.islice(covers.releases(options.half), options.count)):
            release = f"{number:04}-{name}-{kind}"
            write(folder / release / "1x1.mp4", square, (16, 20, 26)[number % 3])
            write(folder / release / "3x4.mp4", tall, (16, 22, 28)[number // 3 % 3])
            labels[release] = (not is_inset, kind)
        results = labelled.releases(folder)
    counts = labelled.Counts(options.list)
    for release, (is_own, kind) in labels.items():
        insets = [result["looks"]["inset"] for result in results[release] if "inset" in result.get("looks", {})]
        counts.add((is_own, kind), any("inset-cover" in rules(result) for result in results[release]), not is_own, release,
                   json.dumps(insets[-1] if insets else None))
    rows = [(key[1], counts.cell(key)) for key in sorted(counts.found)]
    rows += [(title, counts.cell(*(key for key in counts.found if key[0] == is_own)))
             for is_own, title in ((False, "**an inset cover**"), (True, "**a picture of its own**"))]
    print(labelled.table(["tall variant", "raised"], rows))


if __name__ == "__main__":
    main()
