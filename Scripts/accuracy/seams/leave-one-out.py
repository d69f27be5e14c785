#!/usr/bin/env python3
"""Counts the mistakes about seams with limits that are chosen without the source of each clip. Prints markdown.

    Scripts/accuracy/seams/leave-one-out.py FOLDER...

FOLDER is what Scripts/accuracy/seams/evaluate.py takes. For every source (a scene, a film, an animation), each limit takes the
multiple of itself with the fewest mistakes on all other sources, and the clips of that source are judged with these limits.
What is measured, and which tests there are, stays as it is. Clips are judged by seam-trial, which takes ten minutes.
"""

import json
from pathlib import Path
import sys

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import labels, measure, report

JUDGE = "left out"


def main(folders):
    if not folders or folders[0].startswith("-"):
        print(__doc__, file=sys.stderr)
        return 64
    sets = {Path(folder).name: labels.clips(Path(folder).resolve()) for folder in folders}
    clips = sum(sets.values(), [])
    answers = measure.trial("left-out", clips)
    said = {line["path"]: measure.judgement(line) for line in map(json.loads, answers.splitlines())}
    for clip in clips:
        clip.said[JUDGE] = said[str(clip.path)]
    print(f"{len({(clip.family, clip.source) for clip in clips})} sources")
    rows = [[name, *report.figures(some, JUDGE)] for name, some in {**sets, "all": clips}.items()]
    print(report.table(["set", *report.FIGURES], rows))
    print(report.mistakes(clips, [JUDGE]))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
