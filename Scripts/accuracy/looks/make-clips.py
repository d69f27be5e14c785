#!/usr/bin/env python3
"""Makes a labelled set of small clips that flash, have bars or begin blank, or do not; labels.json says which.

    Scripts/accuracy/looks/make-clips.py OUT_DIR [--subset] [--only WORD] [--jobs 2]
    Scripts/accuracy/looks/make-clips.py --list

Needs Python 3.9 or later with numpy, and ffmpeg 5.1 with libx264 and libx265. Clips are identical from run to run
with the same versions of these.
Exit codes: 0 done, 1 a clip could not be made, 64 usage.
"""

from concurrent.futures import ProcessPoolExecutor
import json
import os
from pathlib import Path
import sys

os.environ["OPENBLAS_NUM_THREADS"] = "1"
sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from clips import catalogue
from clips.encode import encode
from lib.tool import Parser


def main():
    parser = Parser(__doc__)
    parser.add_argument("folder", nargs="?", type=Path)
    parser.add_argument("--subset", action="store_true", help="those of the tests")
    parser.add_argument("--only", help="those with this in their name")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--list", action="store_true")
    arguments = parser.parse_args()
    clips = catalogue.clips()
    if arguments.subset:
        clips = catalogue.subset(clips)
    clips = [clip for clip in clips if not arguments.only or arguments.only in clip.file]
    if arguments.list:
        for clip in clips:
            print(f"{clip.file:42} {'+' if clip.raises else '-'} {clip.about}")
        for kind in sorted({clip.kind for clip in clips}):
            for half in ("tuning", "reporting"):
                part = [clip for clip in clips if (clip.kind, clip.half) == (kind, half)]
                print(f"{kind} {half}: {sum(bool(clip.raises) for clip in part)} of {len(part)}")
        return 0
    if not arguments.folder or not clips:
        print(__doc__, file=sys.stderr)
        return 64
    arguments.folder.mkdir(parents=True, exist_ok=True)
    with ProcessPoolExecutor(max_workers=max(1, arguments.jobs)) as pool:
        problems = list(filter(None, pool.map(make, [clip.file for clip in clips], [arguments.folder] * len(clips))))
    text = "[\n" + ",\n".join(json.dumps(clip.label()) for clip in clips) + "\n]\n"
    (arguments.folder / "labels.json").write_text(text, encoding="utf-8")
    for problem in problems:
        print(problem, file=sys.stderr)
    print(f"{len(clips) - len(problems)} clips, {len(problems)} could not be made")
    return 1 if problems else 0


def make(file, folder):
    """Clips are made from functions, which do not cross processes: found again by name."""
    clip = next(clip for clip in catalogue.clips() if clip.file == file)
    try:
        encode(clip, clip.draw(), folder / file)
    except (RuntimeError, OSError) as error:
        return f"{file}: {error}"
    return None


if __name__ == "__main__":
    sys.exit(main())
