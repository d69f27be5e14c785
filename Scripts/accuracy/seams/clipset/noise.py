"""Seeds that are the same everywhere, and noise that tiles in space and loops in time."""

import hashlib

import numpy as np


def stable(text):
    """A number for a text that is the same on every run and machine, unlike Python's hash()."""
    return int.from_bytes(hashlib.sha256(text.encode("utf-8")).digest()[:8], "big")


def random_of(*parts):
    return np.random.Generator(np.random.PCG64(stable("/".join(map(str, parts)))))


def spline(positions, cells):
    """The matrix that interpolates `cells` periodic samples at `positions` (in cells) with a cubic B-spline."""
    positions = np.asarray(positions, dtype=np.float64)
    whole = np.floor(positions).astype(int)
    t = positions - whole
    weights = [(1 - t) ** 3 / 6, (3 * t**3 - 6 * t**2 + 4) / 6, (-3 * t**3 + 3 * t**2 + 3 * t + 1) / 6, t**3 / 6]
    matrix = np.zeros((len(positions), cells), dtype=np.float32)
    for offset, weight in zip((-1, 0, 1, 2), weights):
        np.add.at(matrix, (np.arange(len(positions)), (whole + offset) % cells), weight)
    return matrix


class LoopedNoise:
    """Noise in four dimensions: two tile in the picture, two are walked through on a circle.

    `at(phase)` is a picture with mean 0 and spread 1; phase 1 is exactly phase 0. `radius` says how much it
    changes on the way round: the circle has a length of 2 pi radius cells. `drift` moves it by whole tiles
    (down, right) in one loop.
    """

    def __init__(self, random, width, height, cells=(6, 6), radius=0.6, drift=(0, 0), tiles=1):
        self.lattice = random.standard_normal((*cells, 8, 8)).astype(np.float32)
        self.width, self.height, self.cells = width, height, cells
        self.radius, self.drift, self.tiles = radius, drift, tiles
        self.scale = 1 / (self.raw(0.0).std() + 1e-6)

    def raw(self, phase):
        angle = 2 * np.pi * (phase % 1.0)
        across = spline([3 + self.radius * np.cos(angle)], 8)[0]
        along = spline([3 + self.radius * np.sin(angle)], 8)[0]
        samples = self.lattice @ along @ across
        rows, columns = self.cells
        y = (np.arange(self.height) / self.height * self.tiles - self.drift[0] * phase) * rows
        x = (np.arange(self.width) / self.width * self.tiles - self.drift[1] * phase) * columns
        return spline(y, rows) @ samples @ spline(x, columns).T

    def at(self, phase):
        return self.raw(phase) * self.scale


class Octaves:
    """Several LoopedNoise, each twice as fine as the one before and `gain` as strong."""

    def __init__(self, random, width, height, cells=(3, 3), count=4, gain=0.55, radius=0.4, drift=(0, 0), speedup=1):
        self.layers = [LoopedNoise(random, width, height, (cells[0] << n, cells[1] << n), radius * (1 + 0.5 * n),
                                   (drift[0] * speedup**n, drift[1] * speedup**n)) for n in range(count)]
        self.gains = [gain**n for n in range(count)]
        self.total = sum(gain * gain for gain in self.gains) ** 0.5

    def at(self, phase):
        return sum(gain * layer.at(phase) for gain, layer in zip(self.gains, self.layers)) / self.total


def tile(random, width, height, cells=(3, 3), count=5, gain=0.6):
    """A still picture that tiles, mean 0 and spread 1."""
    return Octaves(random, width, height, cells, count, gain).at(0.0)
