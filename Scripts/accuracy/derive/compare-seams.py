#!/usr/bin/env python3
"""Says for how many derived clips the verdict on the loop is that of their source.

    Scripts/accuracy/derive/compare-seams.py [--seconds N] [FOLDER...]

Derives both variants of each video in the folders, by default Tests/Fixtures/media and ../shared/media, with `artworkd derive`,
which inspects both files. Sources of one frame have no loop, and those that cannot be derived are counted apart. Prints each
clip whose verdict differs. Another crop is another picture: what jumps in the source may be a cut there. So clips that agree
on whether they loop at all are counted, too. A clip may take N seconds, 120 by default. ARTWORKD names the binary;
.build/release/artworkd by default.
"""

import json
from pathlib import Path
import subprocess
import sys
import tempfile

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from lib.tool import MEDIA, SHARED, Parser, tool

LOOPS = {"seamless", "static", "reverse"}
MOVIES = {".mp4", ".mov", ".m4v", ".mkv", ".webm", ".avi", ".ts", ".3gp"}


def main():
    parser = Parser(__doc__)
    parser.add_argument("--seconds", type=float, default=120)
    parser.add_argument("folders", nargs="*", type=Path, default=[MEDIA, SHARED / "media"])
    arguments = parser.parse_args()
    same, alike, all_clips, refused, late = 0, 0, 0, 0, 0
    for folder in arguments.folders:
        for path in sorted(p for p in folder.rglob("*") if p.suffix.lower() in MOVIES):
            for key in ("1x1", "3x4"):
                with tempfile.TemporaryDirectory() as temporary:
                    try:
                        run = subprocess.run([tool(), "derive", path, "--key", key, "-o", f"{temporary}/new.mp4", "--format", "json"],
                                             capture_output=True, text=True, timeout=arguments.seconds)
                    except subprocess.TimeoutExpired:
                        late += 1
                        continue
                if run.returncode not in (0, 1):
                    refused += 1
                    continue
                made = json.loads(run.stdout)["files"][0]
                if "sourceSeam" not in made:
                    continue
                all_clips += 1
                same += made.get("seam") == made["sourceSeam"]
                alike += (made.get("seam") in LOOPS) == (made["sourceSeam"] in LOOPS)
                if made.get("seam") != made["sourceSeam"]:
                    print(f"{path.relative_to(folder)} as {key}: {made['sourceSeam']} became {made.get('seam')}", flush=True)
    print(f"{same} of {all_clips} derived clips ({100 * same / max(1, all_clips):.1f} %) have the verdict of their source"
          f"; {alike} ({100 * alike / max(1, all_clips):.1f} %) loop, or do not, as their source"
          f"; {refused} cannot be derived, {late} took too long")


if __name__ == "__main__":
    main()
