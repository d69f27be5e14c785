"""Clips that begin with nothing, and clips that begin with little."""

from functools import partial

import numpy as np

from . import scenes
from .clip import COARSE, FULL, HEVC, HEVC10, PQ, PRORES, STARVED, TURNED, Clip

SIZE = (160, 160)
BLACK, WHITE = (0, 0, 0), (255, 255, 255)


def begun(frames, tone, count=1, grain=0):
    """The first frames of one colour."""
    frames = frames.copy()
    frames[:count] = tone
    if grain:
        frames += np.random.default_rng(2).normal(0, grain, frames.shape[:3])[..., None]
    return frames


def faded(frames, length, tone=BLACK, start=0.0):
    frames = frames.copy()
    for n in range(length):
        share = start + (1 - start) * n / length
        frames[n] = frames[n] * share + np.array(tone) * (1 - share)
    return frames


def uniform(count, width, height, stops):
    """One colour that changes."""
    return np.stack([np.broadcast_to(scenes.colours(np.array(0.5 - 0.5 * np.cos(2 * np.pi * t)), stops),
                                     (height, width, 3)) for t in scenes.phases(count)]).astype(np.float32)


def first(frames, picture):
    frames = frames.copy()
    frames[0] = picture
    return frames


def spot(width, height, back, ink, size):
    x, y = scenes.grid(width, height)
    picture = np.empty((height, width, 3), np.float32)
    picture[:] = back
    picture[(np.abs(x - 0.5) < size / 2) & (np.abs(y - 0.5) < size / 2)] = ink
    return picture


def line(width, height, back, ink):
    """A line of writing."""
    rng = np.random.default_rng(11)
    picture = np.empty((height, width, 3), np.float32)
    picture[:] = back
    for x in range(width // 4, 3 * width // 4, 5):
        tall = int(rng.integers(4, 8))
        picture[height // 2 - tall // 2:height // 2 + tall // 2, x:x + 2] = ink
    return picture


def variants(number, bright, busy, dark, sparse):
    """The same ideas with other pictures: 0 to 2 for tuning, 3 for reporting."""
    half, mark = ("reporting", "") if number == 3 else ("tuning", ("", "-b", "-c")[number])

    def pick(*options):
        return options[number % len(options)]

    lines = []

    def clip(title, about, draw, coding=None, raises=True, fps=24, **detail):
        lines.append(
            Clip(title + mark, half, "blank", about, draw, fps, coding, ("blank-first-frame",) if raises else (), (), detail))

    quiet = partial(clip, raises=False)
    many = pick(36, 30, 33)
    # MARK: blank
    clip("black", "one black frame", lambda: begun(bright(many, *SIZE), BLACK))
    clip("white", "one white frame", lambda: begun(busy(many, *SIZE), WHITE), HEVC)
    clip("colour", "one frame of one colour", lambda: begun(bright(many, *SIZE), pick((200, 40, 60), (30, 120, 160), (160, 130, 30))))
    clip("colour-dull", "of a dull colour", lambda: begun(busy(many, *SIZE), (90, 80, 70)), PRORES)
    clip("black-few", "five black frames", lambda: begun(bright(many, *SIZE), BLACK, 5), COARSE)
    clip("black-long", "black for a second", lambda: begun(busy(72, *SIZE), BLACK, 24), HEVC10)
    clip("fade", "from black", lambda: faded(bright(many, *SIZE), 8))
    clip("fade-white", "from white", lambda: faded(busy(many, *SIZE), 10, WHITE), FULL)
    clip("fade-slow", "from black over a second", lambda: faded(busy(72, *SIZE), 24), HEVC)
    clip("fade-both", "from and to black", lambda: faded(faded(bright(48, *SIZE), 10)[::-1], 10)[::-1], TURNED)
    clip("grain", "a black frame with grain", lambda: begun(bright(many, *SIZE), (12, 12, 12), 1, 2.5))
    clip("grain-grey", "a grey frame with grain", lambda: begun(busy(many, *SIZE), (128, 128, 128), 2, 3), COARSE)
    clip("starved", "few bits", lambda: begun(busy(many, *SIZE), BLACK), STARVED)
    clip("full", "full range", lambda: begun(bright(many, *SIZE), BLACK, 2), FULL)
    clip("turned", "turned by its display matrix", lambda: begun(busy(many, *SIZE), WHITE, 2), TURNED)
    clip("pq", "in high dynamic range", lambda: begun(bright(many, *SIZE), BLACK), PQ)
    clip("before-night", "black before a night picture", lambda: begun(dark(many, *SIZE), BLACK), HEVC)
    clip("both-ends", "black at both ends, a picture between", lambda: begun(
        begun(bright(60, *SIZE), BLACK, 6)[::-1], BLACK, 6)[::-1])
    clip("before-logo", "black before a mark on black", lambda: begun(sparse(many, *SIZE), BLACK, 3))
    clip("nearly", "a hundredth of the picture's light", lambda: first(
        bright(many, *SIZE), bright(many, *SIZE)[0] * 0.015), COARSE)
    # MARK: not blank
    quiet("scene", "the scene", partial(bright, many, *SIZE))
    quiet("busy", "a picture full of edges", partial(busy, many, *SIZE), HEVC)
    quiet("night", "a night picture", partial(dark, many, *SIZE))
    quiet("night-starved", "the same with few bits", partial(dark, many, *SIZE), STARVED)
    quiet("sparse", "hardly anything on black, all the time", partial(sparse, many, *SIZE), PRORES)
    quiet("spot", "a small mark on black before the picture", lambda: first(
        bright(many, *SIZE), spot(*SIZE, BLACK, (230, 230, 230), 0.08)))
    quiet("spot-white", "a small mark on white", lambda: first(
        busy(many, *SIZE), spot(*SIZE, WHITE, (30, 30, 30), 0.06)), COARSE)
    quiet("line", "a line of writing on black", lambda: first(bright(many, *SIZE), line(*SIZE, BLACK, WHITE)), HEVC10)
    quiet("line-white", "a line of writing on white", lambda: first(busy(many, *SIZE), line(*SIZE, WHITE, BLACK)), TURNED)
    quiet("one-colour", "one colour all the time", partial(uniform, 24, *SIZE, ((120, 60, 40), (120, 60, 40))))
    quiet("changing-colour", "one colour that changes", partial(
        uniform, 48, *SIZE, pick(((20, 20, 60), (220, 160, 80)), ((0, 0, 0), (240, 240, 240)), ((200, 40, 40), (40, 60, 200)))))
    quiet("fade-from-third", "from a third of the light", lambda: faded(bright(many, *SIZE), 10, BLACK, 0.3), FULL)
    quiet("last-black", "the last frame is black", lambda: begun(bright(many, *SIZE)[::-1], BLACK)[::-1])
    quiet("middle-white", "a white frame in the middle", lambda: np.roll(
        begun(busy(many, *SIZE), WHITE), 12, axis=0), PRORES)
    quiet("low-contrast", "fog", lambda: 150 + 0.12 * (busy(many, *SIZE) - 128), HEVC)
    quiet("fog-lifts", "fog that lifts", lambda: faded(bright(many, *SIZE), 12, (160, 160, 160), 0.15))
    quiet("dim", "a dim picture that brightens", lambda: faded(busy(many, *SIZE), 10, BLACK, 0.12), COARSE)
    quiet("gradient", "a plain gradient before the picture", lambda: first(
        busy(many, *SIZE), np.repeat((40 + 60 * scenes.grid(*SIZE)[1])[..., None], 3, axis=2)), STARVED)
    quiet("isoluminant", "two colours of one luma before the picture", lambda: first(
        bright(many, *SIZE), np.where(scenes.grid(*SIZE)[0][..., None] < 0.5, (150, 90, 90), (90, 112, 100))), HEVC)
    quiet("scene-pq", "a picture in high dynamic range", partial(bright, many, *SIZE), PQ)
    return lines


def clips():
    return (variants(0, scenes.orbs, scenes.carpet, scenes.night, scenes.logo)
            + variants(1, scenes.plasma, scenes.shards, partial(scenes.sea, horizon=0.6), scenes.stars)
            + variants(2, scenes.ribbons, scenes.mosaic, scenes.cellar, scenes.embers)
            + variants(3, scenes.hills, scenes.weave, scenes.attic, scenes.snowfall))
