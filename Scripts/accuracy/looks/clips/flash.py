"""Clips that flash, and clips that only look lively. What is true follows from the sequence that is drawn."""

from functools import partial

import numpy as np

from . import scenes
from .clip import COARSE, FULL, HALF_TURNED, HEVC, HEVC10, PLAIN, PQ, PRORES, STARVED, TURNED, Clip
from .encode import code, linear

SIZE = (128, 128)
WHOLE = (0, 0, 1, 1)


def strobe(count, fps, hertz, duty=0.5):
    """1 where it is on, `hertz` times a second, from dark on."""
    return np.array([1.0 if (n * hertz / fps) % 1 >= 1 - duty else 0.0 for n in range(count)])


def at(count, *on):
    sequence = np.zeros(count)
    sequence[list(on)] = 1
    return sequence


def wave(count, fps, hertz):
    return 0.5 - 0.5 * np.cos(2 * np.pi * hertz * np.arange(count) / fps)


def blended(scene, sequence, area=WHOLE, on=(255, 255, 255), off=None, size=SIZE):
    """The scene, in `area` (left, top, right, bottom) mixed in linear light with `on` by the sequence, and with `off`
    for the rest of it."""
    frames = scene(len(sequence), *size).copy()
    height, width = frames.shape[1:3]
    left, top, right, bottom = (int(round(v * s)) for v, s in zip(area, (width, height, width, height)))
    part = linear(frames[:, top:bottom, left:right] / 255)
    amount = np.asarray(sequence)[:, None, None, None]
    dark = part if off is None else np.broadcast_to(linear(np.array(off) / 255), part.shape)
    frames[:, top:bottom, left:right] = code(dark * (1 - amount) + linear(np.array(on) / 255) * amount)
    return frames


def grey(light):
    """The grey of a relative luminance."""
    return (float(code(light)),) * 3


def layered(scene, *layers, size=SIZE):
    """Several areas with a sequence each."""
    frames = scene(len(layers[0][0]), *size)
    for sequence, area, on, off in layers:
        frames = blended(lambda *_: frames, sequence, area, on, off, size)
    return frames


def stripes(count, fps, hertz, width, height, tones=(20, 230), periods=4):
    """Smooth bars that move: each place brightens and darkens, the picture does not."""
    x, _ = scenes.grid(width, height)
    return np.array([np.repeat((tones[0] + (tones[1] - tones[0]) * (
        0.5 + 0.5 * np.sin(2 * np.pi * (periods * x - hertz * n / fps))))[..., None], 3, axis=2) for n in range(count)])


def slides(count, fps, per_second, width, height, seed):
    """Other pictures one after the other."""
    pictures = [scenes.carpet(1, width, height, seed=seed + 10 * k)[0] * (0.35 + 0.65 * (k % 2)) for k in range(32)]
    return np.array([pictures[int(n * per_second / fps) % 32] for n in range(count)])


def checker(count, width, height, squares=64):
    x, y = scenes.grid(width, height)
    board = (np.floor(x * squares) + np.floor(y * squares)) % 2
    return np.array([np.repeat((255 * np.abs(board - n % 2))[..., None], 3, axis=2) for n in range(count)])


def static_noise(count, width, height):
    rng = np.random.default_rng(5)
    return np.repeat(rng.uniform(0, 255, (count, height, width, 1)), 3, axis=3).astype(np.float32)


def held(sequence):
    """Frames that repeat the one before, but for the last: left out, they make a variable rate."""
    return tuple(n for n in range(1, len(sequence) - 1) if sequence[n] == sequence[n - 1])


def variants(number, dull, rich, seed):
    """The same ideas with other pictures, rates and numbers: 0 to 2 for tuning, 3 for reporting."""
    half, mark = ("reporting", "") if number == 3 else ("tuning", ("", "-b", "-c")[number])

    def pick(*options):
        return options[number % len(options)]

    lines = []

    def clip(title, about, draw, fps=30, coding=None, raises=True, dropped=(), **detail):
        lines.append(Clip(title + mark, half, "flash", about, draw, fps, coding, ("flash",) if raises else (), dropped, detail))

    quiet = partial(clip, raises=False)
    # MARK: too many
    clip("strobe", "the whole picture flashes white", partial(blended, dull, strobe(60, 30, pick(5, 6, 4.5))))
    clip("strobe-fast", "faster, at another rate", partial(blended, dull, strobe(50, 25, pick(12.5, 8, 6.25))), 25, HEVC)
    clip("strobe-four", "just too often: four times a second",
         partial(blended, rich, strobe(48, 24, 4)), 24, COARSE)
    clip("half-picture", "half of the picture flashes", partial(
        blended, rich, strobe(60, 30, 5), pick((0, 0, 0.5, 1), (0, 0.5, 1, 1)), off=(10, 10, 10)), coding=FULL)
    clip("corner", "a tenth of the picture, in one corner", partial(
        blended, dull, strobe(50, 25, 5), pick((0, 0, 0.34, 0.32), (0.62, 0.64, 1, 1), (0.3, 0.66, 0.62, 1)), off=(0, 0, 0)), 25, TURNED)
    clip("wave", "light swells and fades without a cut", partial(blended, dull, wave(60, 30, pick(5, 4, 4.5))), coding=HEVC10)
    clip("wave-sixty", "the same at sixty frames a second", partial(blended, rich, wave(120, 60, pick(4, 6))), 60)
    clip("faint", "from a luminance of 0.30 to 0.45", partial(
        blended, dull, strobe(60, 30, 5), (0.1, 0.1, 0.9, 0.9), grey(0.45), grey(pick(0.30, 0.28))), coding=PRORES)
    clip("red", "saturated red and a grey of the same luminance", partial(
        blended, dull, strobe(60, 30, 5), on=(255, 0, 0), off=grey(0.2126)))
    clip("red-black", "saturated red and black", partial(
        blended, rich, strobe(50, 25, 6.25), (0.1, 0.1, 0.8, 0.9), (pick(200, 240, 220), 0, 0), (0, 0, 0)), 25, HEVC)
    clip("short-loop", "a quarter of a second that repeats: once each time",
         partial(blended, dull, strobe(pick(8, 6), pick(32, 24), 4)), pick(32, 24))
    clip("two-a-loop", "half a second, two flashes each time",
         partial(blended, dull, at(15, *pick((3, 4, 10, 11), (2, 3, 9, 10, 11)))), coding=COARSE)
    clip("over-seam", "two flashes before the end and two after the start",
         partial(blended, dull, at(90, 1, 2, 7, 8, 80, 81, 86, 87)), coding=HALF_TURNED)
    clip("middle", "a burst in the middle of a longer clip", partial(
        blended, rich, np.concatenate([np.zeros(60), strobe(30, 30, 6), np.zeros(60)])))
    clip("held", "the same times, with frames that are held", partial(blended, dull, strobe(60, 30, pick(5, 3.75))),
         dropped=held(strobe(60, 30, pick(5, 3.75))))
    clip("opposed", "two halves in turn", lambda: layered(
        dull, (strobe(60, 30, 5), (0, 0, 0.5, 1), (255, 255, 255), (0, 0, 0)),
        (1 - strobe(60, 30, 5), (0.5, 0, 1, 1), (255, 255, 255), (0, 0, 0))), coding=HEVC)
    clip("wandering", "lightning that is elsewhere each time", lambda: layered(dull, *[
        (at(60, *[n for n in range(60) if n % 24 in (6 * place, 6 * place + 1)]), area, (255, 255, 255), None)
        for place, area in enumerate([(0, 0, 0.6, 0.6), (0.4, 0.4, 1, 1), (0, 0.4, 0.6, 1), (0.4, 0, 1, 0.6)])]))
    clip("pq", "in high dynamic range", partial(blended, dull, strobe(50, 25, 5)), 25, PQ)
    clip("starved", "few bits", partial(blended, rich, strobe(60, 30, 5)), coding=STARVED)
    clip("seven", "seven changes in a second: half a flash too many",
         partial(blended, dull, np.concatenate([np.zeros(30), strobe(28, 30, 3.75)[4:], np.ones(36)])), border="half a flash")
    # MARK: not too many
    quiet("strobe-three", "three times a second", partial(blended, dull, strobe(60, 30, 3)))
    quiet("strobe-two", "twice a second", partial(blended, rich, strobe(50, 25, pick(2.5, 2))), 25, HEVC)
    quiet("three-and-rest", "three flashes, then a rest", partial(
        blended, dull, np.concatenate([at(30, 3, 4, 5, 13, 14, 15, 23, 24, 25), np.zeros(45)])), coding=COARSE)
    quiet("spot", "a small light at ten a second", partial(
        blended, rich, strobe(60, 30, 10), (0.42, 0.4, 0.6, 0.58), off=(0, 0, 0)))
    quiet("too-faint", "by a luminance of 0.06", partial(
        blended, dull, strobe(60, 30, 6), on=grey(0.36), off=grey(0.30)), coding=FULL)
    quiet("too-bright", "between two near whites", partial(
        blended, dull, strobe(60, 30, 6), on=grey(1.0), off=grey(0.84)), coding=HEVC10)
    quiet("loop-once", "half a second, one flash each time", partial(blended, dull, at(15, 9, 10, 11)))
    quiet("over-seam-once", "one flash before the end and one after the start",
          partial(blended, dull, at(75, 2, 3, 70, 71)), 25, PRORES)
    quiet("four-in-two", "four flashes in two seconds", partial(
        blended, dull, at(90, 2, 3, 4, 20, 21, 22, 38, 39, 40, 56, 57, 58)), coding=TURNED)
    quiet("checker", "a fine chequerboard that alternates", partial(checker, 30, *SIZE))
    quiet("noise", "the snow of an empty channel", partial(static_noise, 30, *SIZE), coding=PLAIN)
    quiet("pan", "a texture that races past", partial(scenes.carpet, 30, *SIZE, seed=seed, shift=pick(1.0, 2.0)))
    quiet("scene", "nothing but the scene", partial(rich, 60, *SIZE))
    quiet("scene-fast", "the scene at three times the speed", lambda: np.tile(rich(20, *SIZE), (3, 1, 1, 1)), coding=HEVC)
    quiet("stripes", "bars that move, twice a second past a place", partial(stripes, 60, 30, 2, *SIZE))
    quiet("slides", "another picture three times a second", partial(slides, 60, 30, 3, *SIZE, seed=seed))
    quiet("breath", "light that swells once a second", partial(blended, dull, wave(60, 30, 1)), coding=PQ)
    quiet("hues", "blue and green of one luminance in turn", partial(
        blended, dull, strobe(60, 30, 6), on=(0, 120, 0), off=pick((90, 90, 255), (40, 105, 255), (70, 98, 255))))
    quiet("held-three", "three a second, with frames that are held", partial(blended, dull, strobe(60, 30, 3)),
          dropped=held(strobe(60, 30, 3)))
    quiet("dull-red", "red that is not saturated", partial(
        blended, dull, strobe(60, 30, 6), on=(150, 95, 95), off=(120, 110, 105)))
    return lines


def clips():
    return (variants(0, scenes.logo, scenes.orbs, 3) + variants(1, scenes.stars, scenes.plasma, 61)
            + variants(2, scenes.embers, scenes.ribbons, 120)
            + variants(3, scenes.snowfall, scenes.hills, 200))
