"""Artwork for the catalogue: discs that circle over a soft background and come round after a whole number of frames."""

import numpy as np

from clipset import raster

WIDTH, HEIGHT = 324, 432
COUNT = 36


def tones(rng):
    hue = rng.uniform(0, 1)
    found = []
    for shift, saturation, value in ((0, .6, .25), (.05, .6, .5), (.5, .7, .8), (.33, .6, .65), (.08, .2, .95)):
        h = (hue + shift) % 1 * 6
        rgb = np.clip([abs(h - 3) - 1, 2 - abs(h - 2), 2 - abs(h - 4)], 0, 1)
        found.append(255 * value * (1 - saturation + saturation * rgb))
    return found


class Scene:
    """A tall picture that moves; the square variant is its middle."""

    def __init__(self, seed):
        rng = np.random.default_rng(seed)
        self.tones = tones(rng)
        grid = rng.uniform(0, 1, (5, 5, 1)).astype(np.float32)
        y, x = np.mgrid[0:HEIGHT, 0:WIDTH].astype(np.float32)
        soft = raster.sample(grid, x / WIDTH * 4, y / HEIGHT * 4)[..., 0]
        fine = raster.sample(rng.uniform(-1, 1, (64, 64, 1)).astype(np.float32), x / 5, y / 5)[..., 0]
        self.background = raster.ramp(soft, self.tones[:2] + [self.tones[3]]) + 9 * fine[..., None]
        self.discs = [
            (rng.uniform(60, WIDTH - 60), rng.uniform(110, HEIGHT - 110), rng.uniform(18, 44), rng.uniform(24, 60),
             rng.uniform(0, 6.3), rng.choice([-1, 1]), self.tones[2 + n % 3])
            for n in range(4)]

    def frame(self, phase):
        """The picture at a phase of 0 to 1, where 1 is 0 again."""
        picture = self.background.copy()
        for x, y, radius, orbit, start, sense, tone in self.discs:
            angle = start + sense * phase * 2 * np.pi
            raster.spot(picture, x + orbit * np.cos(angle), y + orbit * np.sin(angle), radius, tone)
        return picture


def loop(seed, count=COUNT, turns=1.0):
    """All frames of a tall loop; with other than whole `turns` it does not come round."""
    scene = Scene(seed)
    return [scene.frame(n * turns / count) for n in range(count)]


def square(picture):
    top = (picture.shape[0] - WIDTH) // 2
    return picture[top:top + WIDTH]


def key_of(picture, key):
    return square(picture) if key == "1x1" else picture
