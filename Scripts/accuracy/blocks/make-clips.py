#!/usr/bin/env python3
"""Makes the labelled set of blocks and bands: make-clips DIR [--half tuning|reporting]

Short videos of pictures made by others (sources.py), clean and damaged (damage.py). labels-HALF.json says how visible blocks and
bands are, by a comparison with the clean picture.
"""

import json
import os
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import numpy as np

import damage
import sources
from lib.labelled import HALVES
from lib.tool import ROOT, Parser


def clips(half, number, name, kind, picture, folder):
    """Makes all clips of a picture, and their labels."""
    if kind == "trap":
        height, width = (min(length, 600) for length in picture.shape[:2])
        canvas = picture[:height, :width]
    else:
        canvas = sources.fitted(picture, number, damage.MARGIN)
    clean = damage.pan(canvas, number)
    truth = [damage.light(clean[frame]) for frame in damage.COMPARED]
    made = []
    for variant, change, first, size, last in damage.plans(number, kind):
        frames, period = clean, 8 * size
        if change and change[0] == "jpeg":
            frames, period = damage.pan(damage.jpeg(np.ascontiguousarray(canvas), *change[1:]), number), 8 * change[2]
        elif change:
            noise = np.random.default_rng(number) if change[0] == "dither" else None
            frames = damage.coarse(clean, change[1], noise)
        release = f"{half[0]}{number:03}-{name}-{variant}"
        path = folder / half / release / "1x1.mp4"
        path.parent.mkdir(parents=True, exist_ok=True)
        damage.write(frames, first, size, last, path)
        seen = damage.luma(path).astype(np.float32)
        pairs = list(zip(seen, truth))
        blocks = [damage.edges(a, b, period) for a, b in pairs]
        if "x264" in variant:
            blocks = [max(one, damage.edges(a, b, 4)) for one, (a, b) in zip(blocks, pairs)]
        made.append({"file": release, "half": half, "source": name, "kind": kind, "variant": variant,
                     "edges": [round(one, 4) for one in blocks], "bands": [round(damage.bands(a, b), 4) for a, b in pairs],
                     "psnr": [round(float(10 * np.log10(255 ** 2 / max(1e-3, ((a - b) ** 2).mean()))), 1) for a, b in pairs]})
    return made


def main():
    parser = Parser(__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--half", choices=HALVES)
    parser.add_argument("--cache", type=Path, default=ROOT / ".build/blocks")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    options.cache.mkdir(parents=True, exist_ok=True)
    for half in [options.half] if options.half else HALVES:
        labels = []
        with ProcessPoolExecutor(int(os.environ.get("JOBS", "2"))) as pool:
            waiting = [pool.submit(clips, half, number, name, kind, picture, options.folder)
                       for number, (name, kind, picture) in enumerate(sources.sources(half, options.cache))]
            for one in waiting:
                labels += one.result()
        (options.folder / f"labels-{half}.json").write_text(json.dumps(labels, indent=1))


if __name__ == "__main__":
    main()
