#!/usr/bin/env python3
"""LoopBench: how well programs tell loops from damaged twins of the same pictures.

    Scripts/accuracy/loopbench/loopbench.py FOLDER... [--judge NAME=COMMAND]... [--artworkd PROGRAM]

FOLDER is made by Scripts/accuracy/seams/make-clips.py (families drawn, vector, blended, footage), from sources of PyPI and
Debian that others can get. Only the half `reporting` counts.

A pair is a loop and a clip of the same source with a defect that viewers see. A judge is right if it gives the loop the
higher score; equal scores count half. AUC is the same over all loops and defects, whatever their source; `right` is the mean
of the shares of loops and of defects on their side of 0.5, for judges whose scores are from 0 to 1.

A COMMAND reads paths from standard input, and prints a line of JSON for each, with `path` and `score`: higher loops better.
Needs ffmpeg; numpy and loopsmith come from PyPI into .build/loopbench.
"""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
import shlex
import statistics
import sys

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parents[1]), str(HERE.parent / "seams")]

from lib import packages, tool

packages.enter_environment("loopbench", "numpy", "loopsmith==0.1.0")

import judges
import labels


def options(arguments):
    parser = tool.Parser(__doc__)
    parser.add_argument("folders", metavar="FOLDER", type=Path, nargs="+")
    parser.add_argument("--judge", action="append", default=[])
    parser.add_argument("--artworkd", type=Path, default=tool.tool())
    return parser.parse_args(arguments)


def main(arguments):
    chosen = options(arguments)
    clips = [clip for folder in chosen.folders for clip in labels.clips(folder.resolve())
             if clip.half == "reporting" and clip.tier != labels.AMBIGUOUS]
    scores = {}
    commands = {"artworkd": f"{shlex.quote(str(chosen.artworkd.resolve()))} seam --format json -"}
    commands.update(text.split("=", 1) for text in chosen.judge)
    for name, command in commands.items():
        scores[name] = judges.run(shlex.split(command), [clip.path for clip in clips])
    with ThreadPoolExecutor(2) as pool:
        for clip, found in zip(clips, pool.map(judges.of_others, [clip.path for clip in clips])):
            for name, score in found.items():
                scores.setdefault(name, {})[str(clip.path)] = score
    scores["loopsmith"] = {str(clip.path): judges.loopsmith(clip.path) for clip in clips}
    print(f"{sum(clip.tier == labels.LOOPS for clip in clips)} loops, {sum(clip.tier > 0 for clip in clips)} defects\n")
    print("| judge | pairs | ordered rightly | AUC | right | without a score |\n|---|---|---|---|---|---|")
    for name, found in scores.items():
        print(row(name, clips, found))
    return 0


def row(name, clips, scores):
    scored = [(clip, scores[str(clip.path)]) for clip in clips if scores.get(str(clip.path)) is not None]
    loops = [(clip, score) for clip, score in scored if clip.tier == labels.LOOPS]
    defects = [(clip, score) for clip, score in scored if clip.tier > 0]
    pairs = [order(one, other) for loop, one in loops for twin, other in defects
             if (loop.family, loop.source) == (twin.family, twin.source)]
    auc = statistics.fmean(order(one, other) for _, one in loops for _, other in defects)
    right = "" if any(not 0 <= score <= 1 for _, score in scored) else percent(statistics.fmean([
        statistics.fmean(score >= 0.5 for _, score in loops), statistics.fmean(score < 0.5 for _, score in defects)]))
    return (f"| {name} | {len(pairs)} | {percent(statistics.fmean(pairs))} | {auc:.3f} | {right} | "
            f"{len(clips) - len(scored)} |")


def order(loop, defect):
    return 1 if loop > defect else 0.5 if loop == defect else 0


def percent(share):
    return f"{100 * share:.1f} %"


sys.exit(main(sys.argv[1:]))
