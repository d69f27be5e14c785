"""The scenes: what they show, how large, how fast, and which half of the set they belong to.

No kind of scene is in both halves, so that limits found on one half are tried on something else. `slow` scenes
move so little from frame to frame that one doubled frame is hard to see. The motion of scenes that are not
`tracked` (fire, sparks, flashes) has no path that the eye follows, so that a few missing frames show only where
they change the picture more than every frame does. `start` is a phase in the middle of motion, for scenes that
rest; seams of clips with a defect are put there.
"""

from dataclasses import dataclass, field

from . import scenes_blended as blended
from . import scenes_reporting as reporting
from . import scenes_tuning as tuning
from . import scenes_vector as vector
from .noise import random_of


@dataclass(frozen=True)
class Scene:
    name: str
    kind: str
    half: str
    make: object
    size: tuple
    fps: str
    frames: int
    options: dict = field(default_factory=dict)
    slow: bool = False
    tracked: bool = True
    start: float = 0.0
    family: str = "drawn"

    def renderer(self, size=None, other=False):
        """`render(phase)` for this scene at its or another size.

        `other` is the same kind with other chances, and mirrored with its colours exchanged, since some scenes leave
        little to chance.
        """
        width, height = size or self.size
        render = self.make(random_of(self.name, "other" if other else "own"), width, height, **self.options)
        return (lambda phase: render(phase)[:, ::-1, [1, 2, 0]]) if other else render


def scene(make, name, kind, size, fps, frames, slow=False, tracked=True, start=0.0, **options):
    half = make.__module__.rsplit("scenes_", 1)[1]
    return Scene(name, kind, half, make, size, str(fps), frames, options, slow, tracked, start)


BLUE_PRINT = ((20, 40, 90), (24, 46, 100), (34, 60, 120))
PASTEL = ((240, 225, 230), (225, 235, 245), (235, 245, 230))
EMBER = ((8, 6, 6), (40, 20, 16), (90, 50, 30))


def scenes(family="drawn"):
    return {"drawn": drawn, "vector": vectors, "blended": blends}[family]()


def family_of(name):
    """Which family the scene of that name is of."""
    return next(family for family in ("drawn", "vector", "blended") if any(s.name == name for s in scenes(family)))


def drawn():
    t, r = tuning, reporting
    return [
        scene(t.vinyl, "vinyl", "rotation", (192, 192), 30, 60),
        scene(t.vinyl, "vinylslow", "rotation", (240, 240), 50, 120, slow=True, label=(240, 200, 60)),
        scene(t.blades, "blades", "rotation", (192, 192), 25, 50),
        scene(t.orbits, "orbits", "rotation", (180, 240), 30, 72),
        scene(t.sea, "sea", "waves", (192, 192), 24, 72, slow=True),
        scene(t.ripples, "ripples", "waves", (200, 152), 30, 48),
        scene(t.snow, "snow", "particles", (180, 240), 30, 90),
        scene(t.sparks, "sparks", "particles", (192, 192), 30, 60, tracked=False),
        scene(t.bokeh, "bokeh", "particles", (240, 240), 24, 96, slow=True),
        scene(t.credits, "credits", "text", (192, 192), 25, 100),
        scene(t.ticker, "ticker", "text", (240, 136), 60, 96),
        scene(t.fire, "fire", "fire", (192, 192), 24, 48, tracked=False),
        scene(t.fire, "smoke", "fire", (180, 240), 30, 90, tracked=False, rise=1, calm=-0.1,
              stops=((40, 42, 48), (90, 92, 98), (170, 170, 172), (215, 214, 210))),
        scene(t.pan, "panslow", "pan", (192, 192), 30, 120, slow=True, tile_size=(96, 192)),
        scene(t.pan, "pan", "pan", (320, 320), "30000/1001", 96, tile_size=(384, 320)),
        scene(t.pan, "panfast", "pan", (192, 192), 30, 48, tile_size=(600, 200), tint=EMBER),
        scene(t.club, "club", "flicker", (192, 192), 24, 48, tracked=False),
        scene(t.neon, "neon", "flicker", (202, 198), 30, 60),
        scene(t.drawn, "twos", "drawn", (192, 192), 24, 48, steps=24),
        scene(t.drawn, "threes", "drawn", (222, 166), 24, 72, steps=24, paper=(30, 34, 50), ink=(220, 225, 240)),
        scene(t.drift, "drift", "gradients", (192, 192), 30, 72),
        scene(t.drift, "driftfaint", "gradients", (180, 240), 60, 120, slow=True, stops=PASTEL),
        scene(t.pulse, "pulse", "gradients", (240, 240), 25, 50),

        scene(r.plasma, "plasma", "noise", (192, 192), 30, 72, slow=True),
        scene(r.contours, "contours", "noise", (192, 192), 25, 75),
        scene(r.cube, "cube", "solids", (192, 192), 30, 60),
        scene(r.torus, "torus", "solids", (192, 192), 24, 60),
        scene(r.spheres, "spheres", "solids", (240, 240), 50, 100),
        scene(r.tunnel, "tunnel", "zoom", (192, 192), 30, 48),
        scene(r.tunnel, "tunnelslow", "zoom", (180, 240), 30, 96, slow=True, depth=0.9,
              stops=((20, 40, 30), (60, 120, 80), (170, 210, 150))),
        scene(r.tunnel, "vortex", "zoom", (320, 320), 60, 72, turns=1, steps=2),
        scene(r.beacon, "beacon", "tiny", (320, 320), 24, 72, start=0.115),
        scene(r.firefly, "firefly", "tiny", (240, 240), 30, 90),
        scene(r.breathing, "breathing", "tiny", (192, 192), 25, 100, slow=True),
        scene(r.cinemagraph, "cinemagraph", "tiny", (180, 240), 30, 60),
        scene(r.kaleidoscope, "kaleidoscope", "kaleidoscope", (192, 192), 30, 90),
        scene(r.kaleidoscope, "mandala", "kaleidoscope", (242, 242), 25, 60, folds=8, wander=60.0,
              tones=((0, 60, 90), (30, 160, 170), (245, 250, 240))),
        scene(r.clouds, "clouds", "clouds", (240, 180), 30, 120, slow=True),
        scene(r.clouds, "storm", "clouds", (192, 192), 24, 48, winds=2, radius=0.6,
              sky=((10, 12, 18), (40, 46, 58), (120, 124, 130))),
        scene(r.starfield, "starfield", "stars", (192, 192), 30, 60, speed=1),
        scene(r.parallax, "parallax", "stars", (240, 180), 60, 120),
        scene(r.logo, "logo", "logo", (192, 192), 30, 72, start=0.25),
        scene(r.logo, "logorests", "logo", (180, 240), "24000/1001", 72, start=0.25, rest=0.4, text="NOX",
              back=(20, 60, 70), moves=2),
        scene(r.logo, "logoslide", "logo", (222, 148), 50, 80, start=0.5, moves=1, how="slide", text="ECHO",
              ink=(20, 20, 20), back=(235, 200, 60)),
        scene(r.handheld, "handheld", "handheld", (192, 192), 24, 96),
        scene(r.handheld, "handheldfast", "handheld", (240, 240), 30, 60, shake=11.0, tones=BLUE_PRINT),
    ]


def vectors():
    def tune(make, name, size, fps, frames, start, **options):
        return Scene(name, name, "tuning", make, size, str(fps), frames, options, start=start, family="vector")

    def report(make, name, size, fps, frames, start, **options):
        return Scene(name, name, "reporting", make, size, str(fps), frames, options, start=start, family="vector")

    v = vector
    return [
        tune(v.spinner, "spinner", (360, 360), 30, 60, 0.3),
        tune(v.signature, "signature", (480, 360), 60, 150, 0.25),
        tune(v.equaliser, "equaliser", (360, 360), 30, 64, 0.04),
        tune(v.cards, "cards", (360, 480), 60, 180, 0.15),
        tune(v.bounce, "bounce", (360, 360), 25, 40, 0.3),
        tune(v.confetti, "confetti", (432, 540), 30, 75, 0.2),
        tune(v.reveal, "reveal", (360, 480), 30, 108, 0.12),

        report(v.clockwork, "clockwork", (360, 480), 30, 120, 0.02),
        report(v.strings, "strings", (480, 360), 30, 72, 0.1),
        report(v.radar, "radar", (360, 360), 30, 90, 0.1),
        report(v.typed, "typed", (360, 360), 60, 150, 0.12),
        report(v.hop, "hop", (540, 720), 30, 96, 0.07),
        report(v.blob, "blob", (360, 360), 24, 96, 0.09),
        report(v.flashes, "flashes", (360, 360), 30, 60, 0.11),
        report(v.shutters, "shutters", (432, 540), 25, 75, 0.2),
    ]


DUSK = ((20, 16, 50), (90, 40, 110), (240, 120, 90), (255, 220, 160))
MOSS = ((16, 30, 24), (50, 90, 60), (150, 170, 90), (240, 240, 200))
SEA = ((6, 20, 40), (20, 80, 110), (120, 190, 190), (245, 250, 245))
ROSE = ((50, 10, 30), (150, 50, 70), (240, 170, 160), (255, 240, 230))


def blends():
    def tune(make, name, size, fps, frames, stops, **options):
        return Scene(name, make.__name__, "tuning", make, size, str(fps), frames, {"stops": stops, **options},
                     family="blended")

    def report(make, name, size, fps, frames, stops, **options):
        return Scene(name, make.__name__, "reporting", make, size, str(fps), frames, {"stops": stops, **options},
                     family="blended")

    b = blended
    return [
        tune(b.drift, "dusk", (360, 360), 24, 160, DUSK),
        tune(b.drift, "moss", (360, 480), 30, 200, MOSS, reach=22.0, turns=(0, 1)),
        tune(b.drift, "haze", (480, 480), 24, 144, ROSE, turns=(0, 0), radius=0.9),
        tune(b.embers, "embers", (360, 480), 24, 140, DUSK),

        report(b.breath, "tide", (360, 360), 24, 150, SEA),
        report(b.breath, "garden", (432, 540), 30, 180, MOSS, depth=0.15, reach=12.0),
        report(b.figure, "sitter", (360, 480), 24, 150, ROSE),
        report(b.figure, "portrait", (480, 480), 30, 170, SEA, skin=(120, 80, 60)),
    ]
