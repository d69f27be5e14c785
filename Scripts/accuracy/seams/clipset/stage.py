"""The loop that a clip is cut from: where its seam is and how fast it runs."""

from .strip import Shot


class Stage:
    """A scene's perfect loop of `count` frames. `turn` numbers the clips of one label, to vary what is free.

    Seams are in the middle of motion in scenes that rest; with `anywhere` half of them are in the rest.
    """

    def __init__(self, scene, turn, random, anywhere=False):
        self.scene, self.turn, self.random = scene, turn, random
        self.count = scene.frames
        self.start = scene.start if scene.start else 6 * turn % scene.frames / scene.frames
        if anywhere and turn % 2:
            self.start = 0.0

    def at(self, frame, source="own", speed=1):
        """The shot at a frame number, which may be a fraction, negative or beyond the loop."""
        return Shot(self.start + speed * frame / self.count, source)

    def loop(self, count=None, speed=1):
        return [self.at(n, speed=speed) for n in range(count or self.count)]
