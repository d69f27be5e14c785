#!/usr/bin/env python3
"""Makes clips of the loops of labelled folders: events that fall on the seam and happen inside as well, and faults of the
end frames. The sets tell whether a seam is judged by what else the clip does.

    Scripts/accuracy/seams/make-variants.py OUT FOLDER...

FOLDER is what Scripts/accuracy/seams/evaluate.py takes, and so is OUT. Its labels: loops (tier 0) with a lamp that is
switched on inside and off at the seam, a light that flickers at any time, a screen that cuts, a blink, motion in impulses,
drawings held for five frames or so at 60 fps, few frames a second, a swing; and defects, clear (2) or minor (1).
Needs Python 3.9 or later with numpy, and ffmpeg 5.1 or later. Exit codes: 0 done, 64 usage.
"""

import csv
from pathlib import Path
import random
import subprocess
import sys

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import labels
from lib import ffmpeg

SIDE = 320
EACH = 10
SHORTEST, LONGEST = 24, 160


def decoded(path):
    data = ffmpeg.run("-i", path, "-an", "-vf", f"scale={SIDE}:{SIDE}:flags=area,format=rgb24", "-fps_mode", "passthrough",
                      "-f", "rawvideo", "-")
    return np.frombuffer(data, np.uint8).reshape(-1, SIDE, SIDE, 3)


def rate(path):
    command = ["ffprobe", "-v", "error", "-select_streams", "v:0", "-show_entries", "stream=avg_frame_rate", "-of",
               "default=noprint_wrappers=1:nokey=1"]
    over, _, under = subprocess.run([*command, str(path)], check=True, capture_output=True, text=True).stdout.split()[0].partition("/")
    return float(over) / float(under or 1)


def encode(frames, fps, path, crf):
    ffmpeg.run(*ffmpeg.raw(SIDE, SIDE, f"{fps:.5g}"), "-c:v", "libx264", "-crf", crf, "-pix_fmt", "yuv420p", path,
               data=np.clip(frames, 0, 255).astype(np.uint8).tobytes())


def spot(dice, least, most):
    """A soft disc somewhere: 1 inside, 0 outside."""
    y, x = np.mgrid[0:SIDE, 0:SIDE] / SIDE
    (across, down), size = (dice.uniform(0.25, 0.75), dice.uniform(0.25, 0.75)), dice.uniform(least, most)
    return np.clip(2 - 2 * ((x - across) ** 2 + (y - down) ** 2) / size**2, 0, 1)[None, :, :, None]


def light(frames, factors, part):
    return frames * (1 + (np.asarray(factors) - 1)[:, None, None, None] * part)


def states(dice, count):
    """A number for each frame that grows at a few times, five frames apart."""
    places = sorted(dice.sample(range(5, count - 5, 5), min(dice.randint(3, 6), max(1, count // 12))))
    return np.searchsorted(places, np.arange(count), side="right")


def between(frames, places):
    low = np.floor(places).astype(int)
    share = (places - low)[:, None, None, None]
    return frames[low % len(frames)] * (1 - share) + frames[(low + 1) % len(frames)] * share


def lamp(dice, frames, fps, _):
    on = np.arange(len(frames)) >= dice.randint(len(frames) // 4, 3 * len(frames) // 4)
    return light(frames, np.where(on, dice.choice([0.55, 1.5]), 1), spot(dice, 0.12, 0.3)), fps


def flicker(dice, frames, fps, _):
    state = states(dice, len(frames))
    return light(frames, np.array([dice.uniform(0.6, 1.5) for _ in range(state.max() + 1)])[state], spot(dice, 0.12, 0.3)), fps


def screen(dice, frames, fps, others):
    part = spot(dice, 0.15, 0.25) > 0.3
    state = states(dice, len(frames))
    return np.where(part, np.stack([others[number % len(others)] for number in state]), frames), fps


def blink(dice, frames, fps, _):
    closed, first = np.zeros(len(frames)), dice.randint(len(frames) // 4, len(frames) // 2)
    closed[first:first + 4] = closed[-4:] = 1
    return light(frames, 1 - 0.7 * closed, spot(dice, 0.04, 0.07)), fps


def impulses(_, frames, fps, __):
    return (frames[[n for n in range(len(frames)) if n % 9 < 7]], fps) if len(frames) % 9 == 0 else None


def fives(_, frames, fps, __):
    step = max(1, round(fps / 11))
    drawings = frames[::step]
    return (np.repeat(drawings, [5 + n % 2 for n in range(len(drawings))], 0), 60) if len(frames) % step == 0 else None


def slow(_, frames, fps, __):
    step = next((step for step in (3, 2, 4) if len(frames) % step == 0 and len(frames) >= 8 * step), None)
    return (frames[::step], fps / step) if step else None


def swing(_, frames, fps, __):
    count = int(1.6 * len(frames))
    return between(frames, 0.3 * len(frames) * (1 - np.cos(2 * np.pi * np.arange(count) / count))), fps


EVENTS = [lamp, flicker, screen, blink, impulses, fives, slow, swing]


def ramp(frames, most):
    return [most * number / len(frames) for number in range(len(frames))]


def tinted(frame):
    return frame * np.array([1.15, 1, 0.7], np.float32)


def changed(frames, places, change):
    frames = frames.copy()
    for place in places:
        frames[place] = change(frames[place])
    return frames


def contrast(frames, most):
    return np.stack([(frame - frame.mean()) * (1 + share) + frame.mean() for frame, share in zip(frames, ramp(frames, most))])


def dip(frames):
    reach = min(10, len(frames) // 4)
    near = np.minimum(np.arange(len(frames)), len(frames) - 1 - np.arange(len(frames)))
    return light(frames, np.minimum(1, 0.35 + 0.65 * near / reach), 1)


# Tier, right names, and what is done to a loop.
FAULTS = {
    "control": (0, "", lambda f: f),
    "last-yellow": (2, "shift cut jump", lambda f: changed(f, [-1], tinted)),
    "last-two-yellow": (2, "shift cut jump", lambda f: changed(f, [-1, -2], tinted)),
    "last-bright": (2, "shift cut jump", lambda f: changed(f, [-1], lambda frame: 1.3 * frame)),
    "first-bright": (2, "shift cut jump", lambda f: changed(f, [0], lambda frame: 1.3 * frame)),
    "last-twice": (1, "held", lambda f: np.concatenate([f, f[-1:]])),
    "last-three-times": (1, "held", lambda f: np.concatenate([f, f[-1:], f[-1:]])),
    "last-five-times": (2, "held freeze", lambda f: np.concatenate([f, *[f[-1:]] * 4])),
    "first-twice": (1, "held", lambda f: np.concatenate([f[:1], f])),
    "contrast": (2, "shift", lambda f: contrast(f, 0.25)),
    "gamma": (2, "shift", lambda f: np.stack([255 * (frame / 255) ** (1 - share) for frame, share in zip(f, ramp(f, 0.2))])),
    "dip": (2, "fade", dip),
}


def main(arguments):
    if len(arguments) < 2 or arguments[0].startswith("-"):
        print(__doc__, file=sys.stderr)
        return 64
    out, dice = Path(arguments[0]), random.Random(5)
    (out / "clips").mkdir(parents=True, exist_ok=True)
    loops = [clip for folder in arguments[1:] for clip in labels.clips(Path(folder).resolve())
             if clip.tier == 0 and clip.defect != "static"]
    dice.shuffle(loops)
    loops = [(clip, frames) for clip in loops[:8 * EACH] for frames in [decoded(clip.path)]
             if SHORTEST <= len(frames) <= LONGEST]
    others = [frames[5] for _, frames in loops[:8]]
    rows = []

    def add(clip, name, tier, names, frames, fps):
        path = out / "clips" / f"{name}_{clip.path.stem}.mp4"
        encode(frames, fps, path, dice.choice([18, 21, 24]))
        rows.append({"file": path.name, "source": clip.source, "origin": "variants", "kind": name, "tier": tier, "names": names})

    for event in EVENTS:
        made = 0
        for clip, frames in loops:
            result = event(dice, frames.astype(np.float32), rate(clip.path), others) if made < EACH else None
            if result and len(result[0]) >= 8:
                add(clip, event.__name__, 0, "reverse" if event is swing else "", *result)
                made += 1
        print(f"{event.__name__}: {made} clips", file=sys.stderr)
    for clip, frames in loops[-EACH:]:
        for name, (tier, names, change) in FAULTS.items():
            add(clip, name, tier, names, change(frames.astype(np.float32)), rate(clip.path))
    with open(out / "labels.csv", "w", newline="", encoding="utf-8") as table:
        writer = csv.DictWriter(table, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
