"""Labelled releases: a square video, and a tall one that is that square with something around it, or that is not.

The pictures are those of Scripts/accuracy/derive, of which each half has its own.
"""

from pathlib import Path

import numpy as np

from accuracy.derive import pictures

SIDE, HEIGHT = 480, 640


def sources(half):
    """Names and pictures of a half, at least as large as a square cover here."""
    for name, path in pictures.paths(half).items():
        picture = pictures.load(path)
        if min(picture.shape[:2]) >= 240:
            yield Path(name).stem, picture


def cut(picture, width, height, across=.5, down=.5):
    """The largest part of a shape, in that size."""
    scale = min(picture.shape[1] / width, picture.shape[0] / height)
    w, h = int(width * scale), int(height * scale)
    x, y = int((picture.shape[1] - w) * across), int((picture.shape[0] - h) * down)
    return pictures.resized(picture[y:y + h, x:x + w], width, height)


def blurred(picture, sigma):
    reach = int(3 * sigma)
    weights = np.exp(-.5 * (np.arange(-reach, reach + 1) / sigma) ** 2)
    weights /= weights.sum()
    for axis in (0, 1):
        padded = np.pad(picture, [(reach, reach) if n == axis else (0, 0) for n in range(3)], mode="edge")
        picture = sum(weight * np.take(padded, np.arange(n, n + picture.shape[axis]), axis=axis)
                      for n, weight in enumerate(weights))
    return picture


def behind(rng, cover):
    """The cover, enlarged, out of focus and mostly darker: what editors put behind one."""
    small = pictures.resized(cover, SIDE // 4, SIDE // 4)
    soft = blurred(small, rng.uniform(2, 8))
    return cut(soft, SIDE, HEIGHT) * rng.uniform(.5, 1)


def put(tall, cover, top, left=0):
    tall = tall.copy()
    tall[top:top + cover.shape[0], left:left + cover.shape[1]] = cover
    return tall


def blur(rng, cover, _):
    return put(behind(rng, cover), cover, (HEIGHT - SIDE) // 2)


def flush(rng, cover, _):
    return put(behind(rng, cover), cover, int(rng.choice([0, HEIGHT - SIDE])))


def card(rng, cover, _):
    side = int(SIDE * rng.uniform(.6, .92)) // 2 * 2
    return put(behind(rng, cover), pictures.resized(cover, side, side), int((HEIGHT - side) * rng.uniform(.3, .5)), (SIDE - side) // 2)


def mirror(_, cover, __):
    band = (HEIGHT - SIDE) // 2
    return np.concatenate([cover[:band][::-1], cover, cover[-band:][::-1]])


def plain(rng, cover, _):
    tone = cover.mean((0, 1)) * rng.uniform(.2, .7) if rng.random() < .7 else rng.uniform(0, 255, 3)
    return put(np.broadcast_to(tone, (HEIGHT, SIDE, 3)), cover, (HEIGHT - SIDE) // 2)


def gradient(rng, cover, _):
    a, b = cover.mean((0, 1)) * rng.uniform(.2, .6), np.minimum(255, cover.mean((0, 1)) * rng.uniform(.9, 1.6))
    t = np.linspace(0, 1, HEIGHT)[:, None, None] * np.ones((1, SIDE, 1))
    return put(a + (b - a) * t, cover, (HEIGHT - SIDE) // 2)


def graded(rng, picture):
    grey = picture.mean(axis=2, keepdims=True)
    return 255 * (np.clip(grey + (picture - grey) * rng.uniform(.7, 1.3), 0, 255) / 255) ** rng.uniform(.8, 1.2)


def framed(rng, picture, width, height):
    rim = int(rng.uniform(.03, .1) * width)
    tone = np.array(rng.choice([[10, 10, 12], [240, 238, 230], [120, 30, 30]]), float)
    return put(np.broadcast_to(tone, (height, width, 3)), cut(picture, width - 2 * rim, height - 2 * rim), rim, rim)


def strips(rng, picture, others, height):
    """Three pictures above each other; the middle one is the widest."""
    middle = int(height * rng.uniform(.4, .6))
    top = (height - middle) // 2
    return np.concatenate([cut(others[0], SIDE, top), cut(picture, SIDE, middle), cut(others[1], SIDE, height - top - middle)])


def bands(rng, picture, height):
    """A poster: a photograph between plain fields."""
    middle = int(SIDE * rng.uniform(.45, .7))
    top = (height - middle) // 2
    poster = np.broadcast_to(rng.uniform(0, 255, 3), (height, SIDE, 3))
    return put(poster, cut(picture, SIDE, middle), top)


def releases(half):
    """Yields (name, kind, inset, square, tall), pictures as float arrays from 0 to 255."""
    rng = np.random.default_rng({"tuning": 21, "reporting": 22}[half])
    found = list(sources(half))
    for number, (name, picture) in enumerate(found):
        others = [found[(number + n) % len(found)][1] for n in (1, 2)]
        cover = cut(picture, SIDE, SIDE)
        makers = [blur, mirror, card, gradient, flush, plain]
        for maker in (makers[number % 6], makers[(number + 2) % 6], makers[(number + 3) % 6]):
            yield name, maker.__name__, True, cover, maker(rng, cover, others)
        tall = cut(picture, SIDE, HEIGHT)
        top = int((HEIGHT - SIDE) * rng.uniform(0, 1))
        yield name, "extended", False, tall[top:top + SIDE], tall
        kind = ("cropped", "graded", "framed", "strips", "bands", "titled")[number % 6]
        if kind == "cropped":
            yield name, kind, False, cover, tall
        elif kind == "graded":
            yield name, kind, False, tall[80:560], graded(rng, tall)
        elif kind == "framed":
            seed = rng.integers(1 << 30)
            square, tall = (framed(np.random.default_rng(seed), picture, SIDE, height) for height in (SIDE, HEIGHT))
            yield name, kind, False, square, tall
        elif kind == "strips":
            tall = strips(rng, picture, others, HEIGHT)
            yield name, kind, False, tall[80:560], tall
        elif kind == "bands":
            seed = rng.integers(1 << 30)
            square, tall = (bands(np.random.default_rng(seed), picture, height) for height in (SIDE, HEIGHT))
            yield name, kind, False, square, tall
        else:
            tall = tall.copy()
            tall[540:] *= .35
            yield name, kind, False, cover, tall
