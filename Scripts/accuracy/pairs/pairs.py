"""Labelled pairs of a static cover and the first frame of a motion artwork: the same thing, or not."""

import numpy as np

from lib import draw
from pictures import HEIGHT, PAINTERS, WIDTH, palette

TOP = (HEIGHT - WIDTH) // 2


def square(tall, top=TOP):
    return tall[top:top + WIDTH]


def graded(picture, rng):
    grey = picture.mean(axis=2, keepdims=True)
    toned = grey + (picture - grey) * rng.uniform(.6, 1.3)
    return 255 * (np.clip(toned, 0, 255) / 255) ** rng.uniform(.8, 1.25) * rng.uniform(.92, 1.08, 3)


def zoomed(picture, rng):
    height, width = picture.shape[:2]
    scale = 1 / rng.uniform(1.04, 1.18)
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    free = 1 - scale
    return draw.sample(picture, x * scale + free * width * rng.uniform(.2, .8), y * scale + free * height * rng.uniform(.2, .8))


def titled(picture, rng):
    picture = picture.copy()
    word = "".join(rng.choice(list("ABDEHKLMNORSTU"), 8))
    mask = draw.lettering(word, 7)
    top = picture.shape[0] - mask.shape[0] - 24 if rng.random() < .5 else 24
    left = (picture.shape[1] - mask.shape[1]) // 2
    draw.paint(picture[top:top + mask.shape[0], left:left + mask.shape[1]], mask, (245, 245, 245))
    return picture


def pairs(half, count, seed):
    """Yields (name, same, key, cover, frame); pictures as float arrays of height x width x 3."""
    for number in range(count):
        rng = np.random.default_rng([seed, number])
        painter = PAINTERS[half][number % len(PAINTERS[half])]
        tones = palette(rng)
        tall = painter(rng, tones)
        cover = square(tall)
        name = painter.__name__
        yield f"{name}-same", True, "1x1", cover, cover
        yield f"{name}-graded", True, "1x1", cover, graded(cover, rng)
        yield f"{name}-zoomed", True, "1x1", cover, zoomed(cover, rng)
        yield f"{name}-titled", True, "1x1", titled(cover, rng), cover
        yield f"{name}-extended", True, "3x4", cover, tall
        yield f"{name}-extended-up", True, "3x4", square(tall, HEIGHT - WIDTH), graded(tall, rng)
        yield f"{name}-extended-titled", True, "3x4", titled(square(tall, 20), rng), zoomed(tall, rng)
        other = np.random.default_rng([seed, number, 1])
        yield f"{name}-another", False, "1x1", cover, square(painter(other, palette(other)))
        yield f"{name}-another-tall", False, "3x4", cover, painter(other, palette(other))
        yield f"{name}-series", False, "1x1", cover, square(painter(other, tones))
        stranger = PAINTERS[half][(number + 1) % len(PAINTERS[half])]
        yield f"{name}-colours", False, "1x1", cover, square(stranger(other, tones))
        yield f"{name}-stranger", False, "3x4", cover, stranger(other, palette(other))
        yield f"{name}-plain", False, "1x1", cover, np.broadcast_to(cover.mean(axis=(0, 1)), cover.shape)
