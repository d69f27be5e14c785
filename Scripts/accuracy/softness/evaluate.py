#!/usr/bin/env python3
"""Says how often the rule `softness` is right about labelled pictures.

    Scripts/accuracy/softness/evaluate.py [--half tuning|reporting] [--count N] [--keep FOLDER] [--list]

Makes short videos of each picture: as it is, reduced, enlarged again by four factors, and blurred. Checks them with ARTWORKD
(.build/release/artworkd by default), and prints for each kind in how many the rule is raised. The pictures are those of
Scripts/accuracy/derive, of which each half has its own packages. Needs numpy, ffmpeg and these packages, once.
"""

import itertools
from pathlib import Path
import sys

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from accuracy.derive import pictures
from lib import ffmpeg, labelled
from lib.tool import rules

WIDTH, HEIGHT = 640, 520
QUALITIES = (16, 20, 24, 28)
# Pictures of this longer side are reduced first: at their own size, cameras are rarely sharp.
LARGE = 900
# What is soft, and what may be: enlarged less than three times, or blurred by one sample.
SOFT, BETWEEN = ("up3", "up4", "blur1.5", "blur2.5"), ("up1.5", "up2", "blur1")


def even(number):
    return int(number) // 2 * 2


def variants(number, width, height):
    """Kinds, and the filters of ffmpeg that make them."""
    own = (even(min(width, WIDTH)), even(min(height, HEIGHT)))
    yield "native", f"crop={own[0]}:{own[1]}"
    before = ""
    if max(width, height) >= LARGE:
        share = min(1, HEIGHT / min(width, height))
        width, height = even(width * share), even(height * share)
        before = f"scale={width}:{height}:flags=lanczos,"
    w, h = even(min(width, WIDTH)), even(min(height, HEIGHT))
    base = f"{before}crop={w}:{h}"
    if before:
        yield "reduced", base
    for place, factor in enumerate((1.5, 2, 3, 4)):
        back = ("bicubic", "lanczos")[(number + place) % 2]
        yield f"up{factor}", f"{base},scale={round(w / factor)}:{round(h / factor)}:flags=area,scale={w}:{h}:flags={back}"
    for sigma in (1, 1.5, 2.5):
        yield f"blur{sigma}", f"{base},gblur=sigma={sigma}:steps=3"


def write(picture, quality, videos):
    """Makes videos of two frames, each by its filters."""
    command = ["-i", picture]
    for path, filters in videos.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        command += ["-frames:v", "2", "-vf",
                    f"format=gbrp,{filters},loop=1:1:0,setpts=N/24/TB,scale=out_color_matrix=bt709:flags=area,format=yuv420p",
                    "-r", "24", "-c:v", "libx264", "-preset", "veryfast", "-threads", "1", "-crf", str(quality),
                    "-colorspace", "bt709", path]
    ffmpeg.run(*command)


def main():
    options = labelled.Parser(__doc__, makes_clips=True).parse_args()
    with labelled.folder(options.keep) as folder:
        kinds = {}
        for number, (name, path) in enumerate(itertools.islice(sorted(pictures.paths(options.half).items()), options.count)):
            height, width = pictures.load(path).shape[:2]
            videos = {}
            for kind, filters in variants(number, width, height):
                release = f"{number:04}-{Path(name).stem}-{kind}"
                kinds[release] = kind
                videos[folder / release / "1x1.mp4"] = filters
            write(path, QUALITIES[number % 4], videos)
        results = labelled.releases(folder)
    counts = labelled.Counts(options.list)
    for release, (result,) in results.items():
        kind = kinds[release]
        counts.add(kind, "softness" in rules(result), None if kind in BETWEEN else kind in SOFT, release,
                   result.get("looks", {}).get("fineDetail"))
    rows = [(kind, counts.cell(kind)) for kind in ("native", "reduced", *BETWEEN, *SOFT)]
    rows += [("**sharp**", counts.cell("native", "reduced")), ("**soft**", counts.cell(*SOFT))]
    print(labelled.table(["picture", "raised"], rows))


if __name__ == "__main__":
    main()
