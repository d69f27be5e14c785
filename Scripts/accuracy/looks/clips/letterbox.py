"""Pictures with bars beside them, and pictures that are only dark, plain or framed at their sides."""

from functools import partial

import numpy as np

from . import scenes
from .clip import COARSE, FULL, HALF_TURNED, HEVC, HEVC10, PQ, PRORES, STARVED, TURNED, Clip

BLACK, WHITE = (0, 0, 0), (255, 255, 255)


def barred(scene, size, top=0, bottom=None, left=0, right=None, bars=BLACK, count=24, grain=0):
    """The scene at the size that is left, with bars around."""
    bottom, right = top if bottom is None else bottom, left if right is None else right
    width, height = size
    inner = scene(count, width - left - right, height - top - bottom)
    frames = np.empty((count, height, width, 3), np.float32)
    frames[:] = bars
    frames[:, top:height - bottom, left:width - right] = inner
    if grain:
        frames += np.random.default_rng(1).normal(0, grain, frames.shape[:3])[..., None]
    return frames


def dimmed(frames, share):
    return frames * share


def fading(frames, length):
    frames = frames.copy()
    for n in range(length):
        frames[n] *= n / length
    return frames


def vignette(frames, strength, round_it=True):
    height, width = frames.shape[1:3]
    x, y = scenes.grid(width, height)
    distance = np.hypot(x - 0.5, y - 0.5) / 0.707 if round_it else np.abs(y - 0.5) * 2
    return frames * np.clip(1 - strength * distance**2, 0, 1)[None, ..., None]


def disc(frames, back=BLACK):
    height, width = frames.shape[1:3]
    x, y = scenes.grid(width, height)
    frames = frames.copy()
    frames[:, np.hypot(x - 0.5, y - 0.5) > 0.47] = back
    return frames


def card(frames, back, margin, corner):
    """The scene with round corners on one colour."""
    height, width = frames.shape[1:3]
    x, y = scenes.grid(width, height)
    dx, dy = np.abs(x - 0.5) - 0.5 + margin + corner, np.abs(y - 0.5) - 0.5 + margin + corner
    outside = np.hypot(np.maximum(dx, 0), np.maximum(dy, 0)) > corner
    frames = frames.copy()
    frames[:, outside] = back
    return frames


def bands(count, width, height, tones):
    """A flag: plain bands, the middle one changes its colour."""
    frames = np.empty((count, height, width, 3), np.float32)
    third = height // 3
    for n in range(count):
        frames[n, :third], frames[n, 2 * third:] = tones[0], tones[0]
        frames[n, third:2 * third] = np.array(tones[1]) * (0.75 + 0.25 * np.cos(2 * np.pi * n / count))
    return frames


def lettered(frames, depth, bars, ink, seed):
    """Bands above and below with writing in them."""
    rng = np.random.default_rng(seed)
    frames = frames.copy()
    height, width = frames.shape[1:3]
    frames[:, :depth], frames[:, height - depth:] = bars, bars
    for top in (depth // 3, height - depth + depth // 3):
        for x in range(width // 8, width * 7 // 8, 6):
            tall = int(rng.integers(depth // 6, depth // 3 + 1))
            frames[:, top:top + tall, x:x + 3] = ink
    return frames


def curtain(frames, most):
    """Black from above and below that opens and closes."""
    frames = frames.copy()
    count, height = frames.shape[:2]
    for n in range(count):
        depth = int(round(most * (0.5 + 0.5 * np.cos(2 * np.pi * n / count))))
        if depth:
            frames[n, :depth], frames[n, height - depth:] = 0, 0
    return frames


def variants(number, bright, busy, dark, sparse, seed):
    """The same ideas with other pictures: 0 to 2 for tuning, 3 for reporting."""
    half, mark = ("reporting", "") if number == 3 else ("tuning", ("", "-b", "-c")[number])

    def pick(*options):
        return options[number % len(options)]

    lines = []
    square, tall = (192, 192), (144, 192)

    def clip(title, about, draw, coding=None, raises=(), **detail):
        lines.append(Clip(title + mark, half, "letterbox", about, draw, 24, coding, raises, (), detail))

    def bars(title, about, scene, size, coding=None, change=None, raises=("letterbox",), **bars):
        make = partial(barred, scene, size, **bars)
        where = {side: bars.get(side, bars.get(other, 0)) for side, other in (
            ("top", "top"), ("bottom", "top"), ("left", "left"), ("right", "left"))}
        clip(title, about, (lambda: change(make())) if change else make, coding, raises, bars=where)

    quiet = clip
    # MARK: bars
    bars("wide", "16:9 in a square", bright, square, top=42)
    bars("wide-busy", "16:9 in a square, a picture full of edges", busy, square, HEVC, top=42)
    bars("four-three", "4:3 in a square", busy, square, COARSE, top=24)
    bars("cinema", "21:9 in a tall picture", bright, tall, HEVC10, top=65)
    bars("square-in-tall", "a square in a tall picture", busy, tall, FULL, top=24)
    bars("pillars", "a tall picture in a square", bright, square, left=24)
    bars("pillars-turned", "the same, turned by its display matrix", busy, square, TURNED, left=28)
    bars("wide-turned", "16:9 in a tall picture, turned", bright, tall, TURNED, top=54)
    bars("upside", "16:9 upside down in the file", busy, square, HALF_TURNED, top=42)
    bars("white", "white bars", bright, square, HEVC, top=42, bars=WHITE)
    bars("coloured", "bars of one colour", busy, square, top=36, bars=pick((150, 40, 60), (20, 90, 110), (110, 90, 20)))
    bars("grey", "grey pillars", bright, tall, PRORES, left=18, bars=(70, 70, 70))
    bars("thin", "bars of two hundredths", busy, square, top=4)
    bars("uneven", "one pixel more below", bright, square, COARSE, top=40, bottom=43)
    bars("starved", "few bits", busy, square, STARVED, top=42)
    bars("dim", "a dim picture", bright, square, top=42, change=lambda frames: dimmed(frames, 0.35))
    bars("wide-night", "a night picture", dark, square, HEVC, top=42)
    bars("fade", "the picture fades in", busy, square, change=lambda frames: fading(frames, 6), top=42,
         raises=("letterbox", "blank-first-frame"))
    bars("both", "deep bars above and below, shallow ones at the sides", bright, square, top=45, left=6)
    bars("odd", "sizes that no block fits", busy, (186, 186), FULL, top=37, bottom=38)
    bars("grain", "grain over everything", bright, square, top=42, grain=1.5)
    bars("pq", "in high dynamic range", busy, square, PQ, top=42)
    # MARK: no bars
    quiet("logo", "a mark on black", partial(sparse, 24, *square))
    quiet("logo-large", "a ring that nearly touches the sides", partial(scenes.logo, 24, *square, size=pick(0.36, 0.4, 0.38)), HEVC)
    quiet("on-white", "a thing on white", pick(
        partial(scenes.logo, 24, *square, back=WHITE, ink=(40, 40, 60)), partial(scenes.bottle, 24, *square),
        partial(scenes.bottle, 24, *square, back=(225, 230, 235))))
    quiet("night", "a night picture", partial(dark, 24, *square))
    quiet("night-coarse", "the same with few bits", partial(dark, 24, *tall), STARVED)
    quiet("dusk", "plain sky above a straight horizon", partial(scenes.sea, 24, *square, horizon=pick(0.35, 0.5, 0.42)))
    quiet("vignette", "dark corners", lambda: vignette(bright(24, *square), 1.0))
    quiet("vignette-strong", "corners and sides that are black", lambda: vignette(busy(24, *square), 2.0), COARSE)
    quiet("shaded", "darker towards above and below, without an edge", lambda: vignette(bright(24, *square), 1.2, False), HEVC10)
    quiet("disc", "a disc on black", lambda: disc(busy(24, *square)))
    quiet("card", "a card with round corners on one colour", lambda: card(bright(24, *square), (230, 225, 215), 0.08, 0.08))
    quiet("card-black", "the same on black", lambda: card(busy(24, *square), BLACK, 0.1, 0.05), HEVC)
    quiet("frame", "a white border all round", partial(barred, busy, square, top=12, left=12, bars=WHITE))
    quiet("frame-black", "a black border all round", partial(barred, bright, square, top=16, left=16), TURNED)
    quiet("frame-deep", "a paper mount, deeper above and below", partial(
        barred, bright, tall, top=40, left=16, bars=(235, 230, 220)))
    quiet("flag", "plain bands", partial(bands, 24, *square, pick(
        ((170, 30, 40), (240, 240, 240)), ((20, 20, 20), (200, 160, 60)), ((0, 90, 70), (250, 210, 60)))))
    quiet("lettered", "bands with writing", lambda: lettered(busy(24, *square), 40, BLACK, WHITE, seed))
    quiet("title", "a plain band below only", partial(barred, bright, square, top=0, bottom=36, bars=(15, 15, 15)), FULL)
    quiet("curtain", "black that opens and closes", lambda: curtain(busy(24, *square), 50))
    quiet("full", "the scene", partial(bright, 24, *square), PRORES)
    quiet("full-busy", "a picture full of edges", partial(busy, 24, *tall), HALF_TURNED)
    quiet("full-starved", "the same with few bits", partial(busy, 24, *square), STARVED)
    return lines


def clips():
    return (variants(0, scenes.orbs, scenes.carpet, scenes.night, scenes.logo, 4)
            + variants(1, scenes.plasma, scenes.shards, partial(scenes.sea, horizon=0.3), scenes.stars, 9)
            + variants(2, scenes.ribbons, scenes.mosaic, scenes.cellar, scenes.embers, 15)
            + variants(3, scenes.hills, scenes.weave, scenes.attic, scenes.snowfall, 23))
