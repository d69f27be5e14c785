"""Clips cut from footage: raw cuts, loops made of it, and those loops with something wrong.

Each builder takes a Cutter and returns a Take, which says what is wrong and measures, on the frames before coding,
whether it can be seen: tier 0 loops, 1 is minor, 2 is clear, -1 is neither and does not count.
"""

from dataclasses import dataclass, field
import math

import numpy as np

from . import encode, footage, visible
from .noise import random_of
from .visible import blocks, change, jump_seen, seam_step


@dataclass
class Take:
    frames: np.ndarray
    defect: str
    tier: int
    strength: int = 0
    detail: dict = field(default_factory=dict)
    zones: str = ""


class Cutter:
    """Chooses parts of a reel, by chance that is the same on every run. `turn` numbers the clips of one recipe."""

    def __init__(self, reel, others, turn, random):
        self.reel, self.others, self.turn, self.random = reel, others, turn, random

    def part(self, least, most, reel=None):
        """Frames of one shot, between so many seconds long or as long as the shot is."""
        reel = reel or self.reel
        length = max(int(self.random.uniform(least, most) * reel.rate), 16)
        long = [shot for shot in reel.shots if shot[1] - shot[0] >= length]
        if not long:
            long = [max(reel.shots, key=lambda shot: shot[1] - shot[0])]
        first, end = long[self.random.integers(len(long))]
        if length > end - first:
            length = max(int(self.random.uniform(0.6, 1.0) * (end - first)), 10)
        start = first + int(self.random.integers(end - first - length + 1))
        return reel.frames[start:start + length]

    def loop(self, turning=None):
        """(frames of a seamless loop, how it was made), its seam where there is motion."""
        if turning is None:
            turning = self.random.random() < 0.5
        if turning:
            part = self.part(1.0, 2.5)
            frames = np.concatenate([part, part[-2:0:-1]])
            return np.roll(frames, -self.busy(frames), axis=0), {"loop": "pingpong"}
        fade = (8, 12, 16, 24)[self.turn % 4]
        part = self.part(1.8, 4.5)
        fade = min(fade, len(part) // 3)
        covers = (np.arange(1, fade + 1, dtype=np.float32) / (fade + 1))[:, None, None, None]
        mixed = part[-fade:] * (1 - covers) + part[:fade] * covers
        frames = np.concatenate([part[fade:-fade], np.rint(mixed).astype(np.uint8)])
        if self.turn % 2:
            frames = np.roll(frames, -self.busy(frames), axis=0)
        return frames, {"loop": "crossfade", "fade": fade}

    def busy(self, frames):
        """A frame with much motion around it."""
        small = blocks(frames)
        steps = change(small, np.roll(small, 1, axis=0))[1]
        around = sum(np.roll(steps, n) for n in range(-3, 4))
        best = np.argsort(around)[-max(len(frames) // 5, 1):]
        return int(best[self.random.integers(len(best))])

    def other(self):
        return self.others[int(self.random.integers(len(self.others)))]


# MARK: What a person sees


def level_seen(a, b, frames):
    means = frames[::2].mean(axis=(1, 2))
    usual = float(np.abs(np.diff(means, axis=0)).max())
    level = float(np.abs(a.mean(axis=(0, 1)) - b.mean(axis=(0, 1))).max())
    return level >= max(visible.LEVEL, 1.5 * usual), {"level": round(level, 2), "usual": round(usual, 2)}


def happens_inside(small):
    """Whether the step from last to first frame is one of those inside, forwards or backwards."""
    def unlike(frame, others):
        return np.abs(others - frame).mean(axis=(1, 2))

    first, last = small[0], small[-1]
    step = float(np.abs(first - last).mean())
    forwards = unlike(last, small[:-1]) + unlike(first, small[1:])
    backwards = unlike(first, small[:-1]) + unlike(last, small[1:])
    return min(float(forwards.min()), float(backwards.min())) < 0.5 * step


# MARK: Loops


def pingpong(cutter):
    frames, detail = cutter.loop(turning=True)
    if cutter.turn % 2:       # as most are: from one turn to the next
        part = cutter.part(1.0, 3.0)
        frames = np.concatenate([part, part[-2:0:-1]])
    return Take(frames, "seamless", 0, detail={"trap": "pingpong", "accept": ["reverse"]})


def crossfade(cutter):
    frames, detail = cutter.loop(turning=False)
    return Take(frames, "seamless", 0, detail={"trap": "crossfade", "frames": detail["fade"]})


# MARK: Cuts


def raw(cutter):
    """A part of a film, as it was cut out."""
    frames = cutter.part(1.5, 7.0)
    seen, measured = jump_seen(frames)
    return Take(frames, "cut", 2 if seen else -1, 3, {"how": "raw", "accept": ["jump"], "seen": measured})


def elsewhere(cutter):
    """Cuts to another film before the end: a cut inside must not excuse the one at the seam."""
    own, other = cutter.part(1.2, 3.0), cutter.other()
    length = (4, 8, 20, 45)[cutter.turn % 4]
    tail = cutter.part(1.0, 2.5, other)[:length]
    frames = np.concatenate([own, tail])
    seen, measured = jump_seen(frames, inner=[len(own) - 1])
    return Take(frames, "cut", 2 if seen else -1, 3, {"how": "elsewhere", "frames": len(tail),
                "with": other.source.name, "accept": ["jump"], "seen": measured})


def edited(cutter):
    """A few shots of unequal length from several films: cuts are usual in it, but it does not come round."""
    shots, lengths = [], (22, 41, 30, 55, 26)
    for n in range(3 + cutter.turn % 3):
        shots.append(cutter.part(2.5, 3.0, cutter.reel if n in (0, 2) else cutter.other())[:lengths[n]])
    frames = np.concatenate(shots)
    inner = np.cumsum([len(shot) for shot in shots])[:-1] - 1
    seen, measured = jump_seen(frames, inner=inner)
    return Take(frames, "cut", 2 if seen else -1, 3, {"how": "edited", "cuts": len(shots) - 1, "accept": ["jump"],
                                                      "seen": measured})


# MARK: Loops with something wrong


def missing(cutter):
    count = (3, 6, 1)[cutter.turn % 3]
    loop, detail = cutter.loop()
    small, starts = blocks(loop), cutter.random.integers(len(loop), size=8)
    start = max((0, *starts), key=lambda n: seam_step(np.roll(small, -n, axis=0)[:-count])[1])
    frames = np.roll(loop, -start, axis=0)[:-count]
    seen, measured = jump_seen(frames)
    if happens_inside(blocks(frames)):      # frames that are missing at a turn only make it turn earlier
        seen, measured["inside"] = False, True
    tier = 1 if count == 1 and "inside" not in measured else 2 if seen else -1
    return Take(frames, "jump", tier, 1 + count // 3, {**detail, "frames": count, "seen": measured})


def fade(cutter):
    loop, detail = cutter.loop()
    length = min((6, 10, 15)[cutter.turn % 3], len(loop) // 4)
    tone = (0, 255, 0, 24)[cutter.turn % 4]
    ends = (("out",), ("in",), ("out", "in"))[cutter.turn % 3]
    frames = loop.astype(np.float32)
    for n in range(length):
        amount = (length - n) / length
        for place in [-1 - n] * ("out" in ends) + [n] * ("in" in ends):
            frames[place] += amount * (tone - frames[place])
    mean = float(np.abs(loop[0].astype(np.float32) - tone).mean())
    return Take(np.rint(frames).astype(np.uint8), "fade", 2 if mean >= visible.TONE else -1, 3,
                {**detail, "frames": length, "colour": [tone] * 3, "ends": list(ends),
                 "seen": {"mean": round(mean, 1)}})


def freeze(cutter):
    loop, detail = cutter.loop()
    length = max((6, 9, 15)[cutter.turn % 3], math.ceil(0.2 * cutter.reel.rate) + 1)
    small = blocks(loop)
    steps = change(small, np.roll(small, 1, axis=0))[1]
    beside = float(min(steps[-1], steps[0])) / max(float(np.median(steps)), 0.1)
    patch = visible.patch_difference(loop[-1].astype(np.float32), loop[2].astype(np.float32))
    seen = beside >= 0.5 and patch >= visible.DIFFERENCE
    return Take(np.concatenate([loop, np.repeat(loop[-1:], length, axis=0)]), "freeze", 2 if seen else -1, 2,
                {**detail, "frames": length, "where": "end", "how": "stall",
                 "seen": {"difference": round(patch, 1), "beside": round(beside, 2)}})


def shift(cutter):
    """Exposure or colour drifts over the loop, or changes in its last third."""
    loop, detail = cutter.loop()
    amount, count = (0.12, -0.12, 0.2, -0.08)[cutter.turn % 4], len(loop)
    drifts, colour = cutter.turn % 2 == 0, cutter.turn % 3 == 2
    shares = [(n + 1) / count if drifts else float(n >= count * 2 // 3) for n in range(count)]
    gains = np.array([(1 + amount * s, 1 if colour else 1 + amount * s, (1 - amount * s) if colour else 1 + amount * s)
                      for s in shares], np.float32)
    frames = np.clip(np.rint(loop * gains[:, None, None, :]), 0, 255).astype(np.uint8)
    seen, measured = level_seen(frames[-1], loop[-1], loop)
    return Take(frames, "shift", 2 if seen else -1, 2, {**detail, "what": "colour" if colour else "exposure",
                "how": "drift" if drifts else "step", "percent": round(100 * amount), "seen": measured})


def doubled(cutter):
    loop, detail = cutter.loop()
    return Take(np.concatenate([loop, loop[:1]]), "held", 1, 1, {**detail, "frames": 1})


def pop(cutter):
    """The rate runs out towards the end."""
    loop, detail = cutter.loop()
    count, most = len(loop), (44, 50)[cutter.turn % 2]
    zones = "/".join(f"{n},{n},q={round(18 + (most - 18) * min(1.0, 1.5 * n / count) ** 0.7)}" for n in range(count))
    return Take(loop, "pop", 1, 2, {**detail, "how": "starved", "qp": most}, zones)


RECIPES = {"raw": raw, "elsewhere": elsewhere, "edited": edited, "pingpong": pingpong, "crossfade": crossfade,
           "missing": missing, "fade": fade, "freeze": freeze, "shift": shift, "doubled": doubled, "pop": pop}


def wanted(place):
    """What is made of a source at a place of its half: the table turns from source to source."""
    turning = ["fade", "freeze", "shift", "doubled", "elsewhere", "edited", "pop"]
    return ["raw", "raw", "pingpong", "pingpong", "crossfade", "crossfade", "missing", "missing",
            turning[2 * place % 7], turning[(2 * place + 1) % 7], "raw" if place % 2 else "crossfade"]


# MARK: Making them


def make(path, recipe, turn, variant, reel, others):
    """Writes one clip; returns its label."""
    take = RECIPES[recipe](Cutter(reel, others, turn, random_of("footage", path.name)))
    encode.encode(path, (frame.tobytes() for frame in take.frames), reel.size, reel.fps, variant, take.zones)
    if take.defect == "seamless":
        seen = encode.decoded(path, reel.size)
        pops, measured = visible.coding_seen(take.frames, seen)
        jumps, more = jump_seen(seen)
        if pops or jumps:
            take.tier, take.detail["coding"] = -1, {**measured, **more}
    if variant.rotate:
        take.detail["rotate"] = variant.rotate
    return {"file": path.name, "family": "footage", "source": reel.source.name, "scene": reel.source.name,
            "kind": reel.source.kind, "half": reel.source.half, "defect": take.defect, "strength": take.strength,
            "tier": take.tier, "clear": take.tier in (0, 2), "detail": take.detail, "fps": round(reel.rate, 3),
            "frames": len(take.frames), "width": reel.size[0], "height": reel.size[1], "codec": variant.codec,
            "crf": variant.crf, "grain": 0}


def mates(source, paths):
    """The films of its half that are there, and its place among them."""
    some = [other for other in footage.SOURCES if other.half == source.half]
    return [other for other in some if other.name in paths], some.index(source)


def entries(source, paths):
    """(name, recipe, turn, variant) of each clip of a source."""
    place, used = mates(source, paths)[1], {}
    for number, recipe in enumerate(wanted(place)):
        turn = place + used.get(recipe, 0)
        used[recipe] = used.get(recipe, 0) + 1
        variant = encode.STARVED if recipe == "pop" else encode.VARIANTS[(7 * place + number) % len(encode.VARIANTS)]
        yield f"{source.name}-{recipe}-{number:02d}{variant.name}.{variant.suffix}", recipe, turn, variant


def files(source, paths):
    return [file for file, *_ in entries(source, paths)]


def make_source(source, paths, folder):
    """Writes all clips of a source; returns their labels and what went wrong."""
    some, place = mates(source, paths)
    size = footage.SIZES[place % len(footage.SIZES)]
    reel = footage.reel(source, paths[source.name], size)
    strangers = [other for other in some if other.kind != source.kind]
    others = [strangers[(place + n) % len(strangers)] for n in (0, 3)]
    others = [footage.reel(other, paths[other.name], size) for other in others]
    labels, problems = [], []
    for file, recipe, turn, variant in entries(source, paths):
        try:
            labels.append(make(folder / file, recipe, turn, variant, reel, others))
        except (RuntimeError, OSError) as error:
            problems.append(f"{file}: {error}")
    return labels, problems
