"""Moving pictures like those that image models make: a painted view that drifts, warps and breathes.

Like the other scenes: a function of a size that returns `render(phase)`, where phase 1 is phase 0. They are mostly
shown for less than a whole loop, with the end dissolved into the beginning.
"""

import numpy as np

from lib.draw import blurred, colour, grid, ramp, sample

from .noise import LoopedNoise, Octaves, tile

TURN = 2 * np.pi


class Warp:
    """Slow, large and smooth displacement, in pixels."""

    def __init__(self, random, width, height, reach, radius=0.5, cells=(3, 3)):
        self.across = LoopedNoise(random, width, height, cells, radius)
        self.down = LoopedNoise(random, width, height, cells, radius)
        self.reach = reach

    def at(self, phase):
        return self.reach * self.across.at(phase), self.reach * self.down.at(phase)


def painting(random, width, height, stops, cells=(3, 3), contrast=0.22):
    """A still picture with soft areas, edges and brush marks, that tiles."""
    body = tile(random, width, height, cells, 5, 0.55)
    marks = tile(random, width, height, (cells[0] * 4, cells[1] * 4), 3, 0.7)
    light = ramp(0.5 + contrast * body, stops)
    return np.clip(light * (1 + 0.12 * np.sign(marks) * np.abs(marks) ** 0.5)[..., None], 0, 255).astype(np.float32)


def places(width, height):
    x, y = grid(width, height)
    return np.broadcast_to(x, (height, width)), np.broadcast_to(y, (height, width))


def drift(random, width, height, stops, reach=14.0, turns=(1, 0), morph=True, radius=0.5):
    """Two paintings that change into each other in places while both drift and warp."""
    x, y = places(width, height)
    views = [painting(random, width, height, stops), painting(random, width, height, stops[::-1])]
    warp, mix = Warp(random, width, height, reach, radius), LoopedNoise(random, width, height, (2, 2), 0.7)

    def render(phase):
        dx, dy = warp.at(phase)
        picture = sample(views[0], x + dx + turns[0] * width * phase, y + dy + turns[1] * height * phase)
        if morph:
            other = sample(views[1], x - dy + turns[0] * width * phase, y + dx + turns[1] * height * phase)
            weight = np.clip(0.5 + 0.7 * mix.at(phase), 0, 1)[..., None]
            picture = picture * (1 - weight) + other * weight
        return picture
    return render


def breath(random, width, height, stops, depth=0.08, reach=6.0):
    """A view that comes nearer and goes back while its parts warp."""
    x, y = places(width, height)
    view, warp = painting(random, width, height, stops, (4, 4)), Warp(random, width, height, reach, 0.6, (4, 4))
    glow = LoopedNoise(random, width, height, (4, 4), 0.5)

    def render(phase):
        zoom = 1 + depth * np.sin(TURN * phase)
        dx, dy = warp.at(phase)
        return sample(view, x / zoom + dx, y / zoom + dy) * np.clip(1 + 0.08 * glow.at(phase), 0.7, 1.3)[..., None]
    return render


def figure(random, width, height, stops, skin=(214, 170, 140)):
    """A head and shoulders that sway before a view which hardly moves; hair that flows."""
    x, y = places(width, height)
    size = min(width, height)
    view = blurred(painting(random, width, height, stops), 3)
    hair = painting(random, width, height, ((40, 24, 18), (90, 56, 36), (150, 100, 60)), (6, 6))
    warp = Warp(random, width, height, 8.0, 0.8, (4, 4))

    def render(phase):
        dx, dy = warp.at(phase)
        picture = sample(view, x + 0.3 * dx, y + 0.3 * dy)
        sway, nod = size * 0.05 * np.sin(TURN * phase), size * 0.02 * np.sin(2 * TURN * phase)
        hx, hy = x - sway + 0.5 * dx, y + height * 0.08 - nod + 0.5 * dy
        for mask, tone in ((np.clip((1 - np.hypot(hx / (size * 0.3), (hy - size * 0.05) / (size * 0.36))) * 12, 0, 1),
                            sample(hair, x + dx, y + dy + 30 * np.sin(TURN * phase))),
                           (np.clip((1 - np.hypot((x - 0.4 * sway) / (size * 0.42), (y - height * 0.5) / (size * 0.26)))
                                    * 20, 0, 1), np.broadcast_to(colour(70, 60, 90), picture.shape)),
                           (np.clip((1 - np.hypot(hx / (size * 0.17), hy / (size * 0.23))) * 12, 0, 1),
                            np.broadcast_to(colour(*skin), picture.shape) * (1 - 0.3 * hx / size)[..., None])):
            picture = picture + mask[..., None] * (tone - picture)
        for side in (-1, 1):
            eye = np.clip((1 - np.hypot((hx - side * size * 0.07) / (size * 0.028), hy / (size * 0.012))) * 6, 0, 1)
            picture = picture + eye[..., None] * (colour(40, 30, 30) - picture)
        return picture
    return render


def embers(random, width, height, stops, reach=10.0, rise=2):
    """Light that rises through a dark view and flickers as it does."""
    x, y = places(width, height)
    view = painting(random, width, height, stops, (3, 3), 0.3)
    smoke = Octaves(random, width, height, (3, 3), 4, 0.6, 0.5, drift=(rise, 0))
    warp = Warp(random, width, height, reach, 0.6)

    def render(phase):
        dx, dy = warp.at(phase)
        light = np.clip(smoke.at(phase) + 0.2, 0, 2.5)[..., None]
        return sample(view, x + dx, y + dy) * 0.6 + light * colour(120, 60, 24)
    return render
