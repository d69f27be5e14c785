"""What a clip shows: a list of shots, each a phase of a scene and what was done to it."""

from dataclasses import dataclass, field, replace

import numpy as np

from lib.draw import blurred


@dataclass(frozen=True)
class Shot:
    """One frame. `source` is "own", "other" (the same kind with other chances) or "else" (another scene).

    `looks` are names with arguments, applied in order; `over` is a second shot that covers `cover` of this one.
    """
    phase: float
    source: str = "own"
    looks: tuple = ()
    over: object = None
    cover: float = 0.0

    def with_look(self, *look):
        return replace(self, looks=(*self.looks, look))


@dataclass
class Check:
    """How the seam is compared with what it should have been; see visible.py."""
    how: str
    expected: Shot
    shown: Shot


@dataclass
class Strip:
    shots: list
    detail: dict = field(default_factory=dict)
    check: object = None
    clear: object = None      # True or False where the builder knows, None where strength and check say it
    encoding: dict = field(default_factory=dict)


def gain(picture, factor):
    return picture * np.float32(factor)


def gamma(picture, exponent):
    return 255 * (picture / 255) ** np.float32(exponent)


def tint(picture, red, green, blue):
    return picture * np.array([red, green, blue], dtype=np.float32)


def veil(picture, red, green, blue, amount):
    return picture + np.float32(amount) * (np.array([red, green, blue], dtype=np.float32) - picture)


def bars(picture, share, upright):
    """Black bars over a share of the picture at two opposite sides."""
    picture = picture.copy()
    depth = int(picture.shape[1 if upright else 0] * share)
    sides = picture.swapaxes(0, 1) if upright else picture
    sides[:depth] = 0
    sides[len(sides) - depth:] = 0
    return picture


LOOKS = {"gain": gain, "gamma": gamma, "tint": tint, "veil": veil, "blur": blurred, "bars": bars}


class Deck:
    """Renders shots of a scene and keeps the pictures that it has rendered."""

    def __init__(self, scene, another):
        self.scene, self.another = scene, another
        self.makers, self.kept = {}, {}

    def rendered(self, source, phase):
        phase = round(phase % 1.0, 9) % 1.0
        key = source, phase
        if key not in self.kept:
            if source not in self.makers:
                from_scene = self.another if source == "else" else self.scene
                self.makers[source] = from_scene.renderer(self.scene.size, other=source == "other")
            self.kept[key] = np.clip(np.rint(self.makers[source](phase)), 0, 255).astype(np.uint8)
        return self.kept[key]

    def picture(self, shot):
        """The shot as float32 RGB without grain."""
        picture = self.rendered(shot.source, shot.phase).astype(np.float32)
        if shot.over is not None:
            picture += np.float32(shot.cover) * (self.picture(shot.over) - picture)
        for name, *arguments in shot.looks:
            picture = LOOKS[name](picture, *arguments)
        return np.clip(picture, 0, 255)

    def frames(self, shots, sigma, random):
        """Raw rgb24 of all shots, each with new grain of that spread."""
        width, height = self.scene.size
        for shot in shots:
            picture = self.picture(shot)
            if sigma:
                picture = picture + sigma * random.standard_normal((height, width, 1), dtype=np.float32)
            yield np.clip(np.rint(picture), 0, 255).astype(np.uint8)
