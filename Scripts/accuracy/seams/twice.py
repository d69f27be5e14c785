#!/usr/bin/env python3
"""Compares what artworkd says of clips with what it says of the same clips twice around, made by copying packets.

    Scripts/accuracy/seams/twice.py FOLDER... [--artworkd PROGRAM]

Needs no label: a clip that plays twice has the seam that it has once. A folder holds videos, or a folder clips with them.
Prints the clips whose verdicts differ, then how many of how many. Exit codes: 0 done, 1 something could not be run, 64 usage.
"""

from pathlib import Path
import subprocess
import sys
import tempfile

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import measure
from lib.tool import Parser, check, tool


def verdicts(paths, artworkd):
    results = check(paths, program=artworkd)
    return {Path(path).name: measure.judgement(result)["verdict"] for path, result in results.items()}


def main(arguments):
    parser = Parser(__doc__)
    parser.add_argument("folders", metavar="FOLDER", type=Path, nargs="+")
    parser.add_argument("--artworkd", type=Path, default=tool(), help="the program; default .build/release/artworkd")
    chosen = parser.parse_args(arguments)
    total = different = 0
    for folder in chosen.folders:
        folder = folder / "clips" if (folder / "clips").is_dir() else folder
        clips = sorted(path for path in folder.iterdir() if path.suffix in (".mp4", ".mov"))
        with tempfile.TemporaryDirectory() as twice:
            for clip in clips:
                subprocess.run(["ffmpeg", "-v", "error", "-stream_loop", "1", "-i", clip, "-map", "0:v:0", "-c", "copy",
                                Path(twice) / clip.name], check=True, stdin=subprocess.DEVNULL)
            once, again = verdicts(clips, chosen.artworkd), verdicts([Path(twice) / clip.name for clip in clips], chosen.artworkd)
        for name in sorted(set(once) & set(again)):
            total += 1
            if once[name] != again[name]:
                different += 1
                print(f"{name}: {once[name]} once, {again[name]} twice around")
    print(f"{different} of {total} clips have another verdict twice around")
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except (OSError, subprocess.CalledProcessError) as error:
        sys.exit(f"twice: {error}")
