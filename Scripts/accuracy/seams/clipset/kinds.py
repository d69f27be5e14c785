"""Kinds of clips that scenes with one even motion lack: light in rhythm, rests that are meant, blank frames, single
events, low rates, small fast things. Each kind is a function of a random generator that returns the frames, the rate, and
what the clip is; it draws another scene each time. The first twenty scenes of a kind tune, the others report.
"""

from dataclasses import dataclass, replace

import numpy as np

from lib.draw import colour, flat, grid, lettering, paint, ramp, spot

from . import encode
from .noise import LoopedNoise, Octaves, random_of

SIZE = (192, 192)
SCENES = 40
TURN = 2 * np.pi


@dataclass
class Clip:
    """`defect` is the name of the right verdict; tier 0 loops, 2 is a clear defect. `accept` has other right verdicts."""

    frames: list
    fps: int
    defect: str = "seamless"
    accept: tuple = ()

    @property
    def tier(self):
        return 0 if self.defect in ("seamless", "static") else 2


def tone(random, least=40, most=255):
    return colour(*random.uniform(least, most, 3))


def painted(random, light=1.0, radius=0.35):
    """A view that moves a little: a function of the phase."""
    noise = Octaves(random, *SIZE[::-1], (3, 3), 4, 0.6, radius)
    stops = [random.uniform(0, 90, 3), random.uniform(40, 170, 3), random.uniform(110, 255, 3)]
    return lambda phase: ramp(0.5 + 0.22 * noise.at(phase % 1.0), stops) * np.float32(light)


def ease(t):
    t = float(np.clip(t, 0, 1))
    return t * t * (3 - 2 * t)


def decay(frame, every, speed):
    """The strength of a light that flashes every so many frames and dies away."""
    return float(np.exp(-(frame % every) / speed))


# MARK: Light in rhythm


def strobe(random):
    """A view under flashes, each of another colour, which die away."""
    fps, every = int(random.choice([24, 25, 30])), int(random.integers(8, 16))
    beats = int(random.integers(5, 9))
    view, tones = painted(random, random.uniform(0.2, 0.6)), [tone(random) for _ in range(beats)]
    speed, count = random.uniform(1.0, 4.0), beats * every
    frames = [view(n / count) * (1 - 0.5 * decay(n, every, speed)) + tones[n // every] * decay(n, every, speed)
              for n in range(count)]
    return Clip(frames, fps)


def pulse(random):
    """A view that comes out of black on every beat, at once, and sinks back."""
    fps, every = int(random.choice([24, 25, 30])), int(random.integers(9, 20))
    beats = int(random.integers(4, 8))
    view, count = painted(random), beats * every
    speed, floor = random.uniform(2.5, 7), random.uniform(0, 0.06)
    return Clip([view(n / count) * max(floor, decay(n, every, speed)) for n in range(count)], fps, accept=("fade",)[:0])


def neon(random):
    """Signs that flicker now and then and rest in between."""
    fps = int(random.choice([24, 30]))
    count = int(random.integers(60, 110))
    signs = [(lettering("".join(random.choice(list("ABCDEFGHKLMNOPRST"), 4)), 8), tone(random, 120), random.integers(10, 150))
             for _ in range(2)]
    states = np.ones((2, count))
    for _ in range(int(random.integers(2, 5))):
        start, sign = int(random.integers(0, count)), int(random.integers(2))
        for n in range(int(random.integers(4, 12))):
            states[sign, (start + n) % count] = random.choice([0.1, 1.0, 0.5])
    # A flicker may lie on the loop point.
    if random.random() < 0.5:
        states[0, -2:], states[0, :2] = [0.1, 1.0], [0.15, 1.0]
        states[0, count // 2 - 2:count // 2 + 2] = [0.1, 1.0, 0.15, 1.0]
    back = random.uniform(8, 40, 3)
    frames = []
    for n in range(count):
        canvas = flat(*SIZE, back)
        for (mask, ink, top), state in zip(signs, states[:, n]):
            view = canvas[top:top + mask.shape[0], 30:30 + mask.shape[1]]
            paint(view, mask[:view.shape[0], :view.shape[1]] * float(0.12 + 0.88 * state), ink)
        frames.append(canvas)
    return Clip(frames, fps, accept=("static",))


def club(random):
    """Beams that sweep, in light that jumps to another colour on every beat."""
    fps, every = int(random.choice([25, 30])), int(random.integers(10, 16))
    beats = int(random.integers(4, 8))
    count, x_y = beats * every, grid(*SIZE)
    tones = [tone(random, 60) for _ in range(beats)]
    beams = [(random.uniform(0, TURN), int(random.choice([-2, -1, 1, 2])), random.uniform(0.1, 0.25)) for _ in range(4)]
    angle = np.arctan2(x_y[1] + SIZE[1] / 2, x_y[0])
    frames = []
    for n in range(count):
        light = np.zeros(SIZE[::-1], np.float32)
        for start, turns, width in beams:
            at = np.pi / 2 + 0.9 * np.sin(start + TURN * turns * n / count)
            light += np.clip(1 - np.abs(angle - at) / width, 0, 1)
        strength = 0.55 + 0.45 * decay(n, every, 4)
        frames.append(np.clip(light, 0, 1.4)[..., None] * tones[n // every] * strength + 12)
    return Clip(frames, fps)


# MARK: Rests


def slides(random):
    """Three or four pictures that stand and dissolve into each other."""
    fps = int(random.choice([24, 25, 30]))
    stand, melt = int(fps * random.uniform(0.7, 1.2)), int(fps * random.uniform(0.5, 1.1))
    pictures = [painted(random)(0) for _ in range(int(random.integers(3, 5)))]
    frames = []
    for one, other in zip(pictures, pictures[1:] + pictures[:1]):
        frames += [one] * stand + [one + (other - one) * ease((n + 1) / (melt + 1)) for n in range(melt)]
    # Where the file begins is chance: in a rest, in a dissolve, or where a rest begins.
    shift = int(random.choice([0, stand // 2, stand + melt // 2, stand]))
    return Clip(frames[shift:] + frames[:shift], fps)


def authored(random):
    """Things that move with easing and rest at the loop point, as animated icons do."""
    fps = int(random.choice([24, 25, 30, 60]))
    moving, resting = int(fps * random.uniform(1.0, 2.0)), int(fps * random.uniform(0.5, 0.8))
    back, ink, other = random.uniform(180, 255, 3), tone(random, 0), tone(random, 0)
    way, kind = random.uniform(30, 60), int(random.integers(3))

    def draw(t):
        canvas, t = flat(*SIZE, back), ease(t)
        swing = np.sin(TURN * t)
        if kind == 0:        # a ball that hops, and its shadow
            spot(canvas, 96, 150, 22 - 8 * abs(swing), back * 0.7)
            spot(canvas, 96, 110 - way * abs(swing), 30, ink)
        elif kind == 1:      # two that change places
            spot(canvas, 96 - way * np.cos(TURN * t), 96 - way * swing, 24, ink)
            spot(canvas, 96 + way * np.cos(TURN * t), 96 + way * swing, 24, other)
        else:                # a disc that breathes, with a satellite
            spot(canvas, 96, 96, 40 + 14 * np.sin(TURN * t) ** 2, ink)
            spot(canvas, 96 + 75 * np.cos(TURN * t), 96 + 75 * swing, 10, other)
        return canvas

    frames = [draw(n / moving) for n in range(moving)] + [draw(1.0)] * resting
    shift = int(random.choice([0, 0, resting // 2]))
    return Clip(frames[len(frames) - shift:] + frames[:len(frames) - shift], fps)


def event(random):
    """A still with one thing that happens in the middle."""
    fps, count = int(random.choice([24, 30])), int(random.integers(60, 110))
    view, start = painted(random)(0), int(random.integers(count // 4, count // 2))
    length, kind, ink = int(random.integers(5, 16)), int(random.integers(3)), tone(random, 120)
    x, y = random.uniform(50, 140, 2)
    frames = []
    for n in range(count):
        canvas, t = view.copy(), (n - start) / length
        if 0 <= t < 1:
            if kind == 0:            # the light drops
                canvas *= 1 - 0.6 * np.float32(np.sin(np.pi * t))
            elif kind == 1:          # a spark
                spot(canvas, x, y, 25, ink, np.sin(np.pi * t), soft=True)
            else:                    # something flies past
                spot(canvas, -20 + 240 * t, y, 12, ink)
        frames.append(canvas)
    return Clip(frames, fps)


def nearly(random):
    """Next to nothing moves: a small glow, a slow cloud."""
    fps, count = int(random.choice([24, 30])), int(random.integers(60, 100))
    view, haze = painted(random, 0.8)(0), LoopedNoise(random, *SIZE[::-1], (3, 3), 0.4)
    strength = random.uniform(1.0, 3.0)
    return Clip([view + np.float32(strength) * haze.at(n / count)[..., None] for n in range(count)], fps,
                accept=("static",))


# MARK: Low rates, small things, fine detail


def dance(random):
    """A figure whose pose jumps five or six times a second."""
    fps, count = int(random.choice([5, 6, 8])), int(random.integers(10, 20))
    view, ink = painted(random, 0.6)(0), tone(random, 100)
    poses = random.uniform(-0.9, 0.9, (count, 4))
    frames = []
    for pose in poses:
        canvas = view.copy()
        spot(canvas, 96 + 12 * pose[0], 60, 16, ink)
        for n, (side, length) in enumerate([(-1, 45), (1, 45), (-1, 55), (1, 55)]):
            top = 85 if n < 2 else 120
            angle = pose[n] + (0.2 if n < 2 else 1.1)
            for t in np.linspace(0, 1, 12):
                spot(canvas, 96 + 12 * pose[0] * (1 - n // 2) + side * length * t * np.cos(angle),
                     top + length * t * np.sin(angle), 7, ink)
        frames.append(canvas)
    return Clip(frames, fps)


def small(random):
    """A small thing that moves fast: a pendulum, balls that are juggled."""
    fps, count = int(random.choice([24, 25, 30])), int(random.integers(30, 60))
    view, ink, kind = painted(random, 0.5)(0), tone(random, 170), int(random.integers(2))
    swings, balls = int(random.integers(1, 3)), int(random.integers(2, 4))
    frames = []
    for n in range(count):
        canvas = view.copy()
        if kind == 0:
            angle = 1.0 * np.sin(TURN * swings * n / count)
            spot(canvas, 96 + 120 * np.sin(angle), 20 + 120 * np.cos(angle), 9, ink)
        else:
            for ball in range(balls):
                t = (n / count * swings + ball / balls) % 1.0
                spot(canvas, 96 + 50 * np.cos(TURN * t), 150 - 480 * ((2 * t) % 1) * (1 - (2 * t) % 1), 8, ink)
        frames.append(canvas)
    return Clip(frames, fps)


def automaton(random, count=None):
    """A cellular automaton, of which every generation is new, played to and fro; on a dark ground."""
    count = count or int(random.integers(16, 40))
    cells, size = (random.random((48, 48)) < 0.35).astype(int), SIZE[0] // 48
    generations = []
    for _ in range(count):
        near = sum(np.roll(cells, (a, b), (0, 1)) for a in (-1, 0, 1) for b in (-1, 0, 1)) - cells
        cells = ((near == 3) | (cells == 1) & (near == 2)).astype(int)
        generations.append(np.kron(cells, np.ones((size, size)))[..., None].astype(np.float32))
    ink, back = tone(random, 90), random.uniform(0, 30, 3)
    pictures = [back + mask * (ink - back) for mask in generations]
    return Clip(pictures + pictures[-2:0:-1], int(random.choice([12, 15, 24])), accept=("reverse",))


# MARK: Defects


def blank(random):
    """One black, white or coloured frame at an end of a loop of fine or dark art."""
    kind = int(random.integers(3))
    if kind == 0:
        whole = automaton(random)
    else:
        view, count = painted(random, (0.25, 0.9)[kind - 1]), int(random.integers(40, 80))
        whole = Clip([view(n / count) for n in range(count)], 25)
    level = [0, 255, None][int(random.integers(3))] if kind else random.choice([0, 255])
    frame = flat(*SIZE, random.uniform(0, 255, 3) if level is None else [level] * 3)
    frames = [frame] + whole.frames[1:] if random.random() < 0.5 else whole.frames[:-1] + [frame]
    return Clip(frames, whole.fps, "cut", ("jump", "fade", "shift"))


def stopped(random):
    """A motion that stops at the loop point for no reason: a dot, a view, a drawing."""
    fps, kind = int(random.choice([24, 25, 30])), int(random.integers(3))
    count, held = int(random.integers(70, 140)), int(random.integers(fps // 3, fps // 2 + 4))
    view, ink = painted(random, radius=0.7), tone(random, 170)
    still, turns = view(0) * 0.5, int(random.integers(1, 4))

    def draw(phase):
        if kind == 0:
            return view(phase)
        canvas = still.copy() if kind == 1 else flat(*SIZE, (245, 240, 235))
        at = TURN * turns * phase
        spot(canvas, 96 + 60 * np.cos(at), 96 + 60 * np.sin(at), 7 if kind == 1 else 26, ink if kind == 1 else (40, 60, 160))
        return canvas

    frames = [draw(n / count) for n in range(count)]
    return Clip(frames + [frames[-1]] * held, fps, "freeze", ("held", "jump"))


def missing(random):
    """Three or four frames are missing where the loop closes."""
    fps, count, gone = int(random.choice([24, 25, 30])), int(random.integers(60, 110)), int(random.integers(3, 5))
    kind = int(random.integers(3))
    view, ink = painted(random, 0.4)(0), tone(random, 150)
    stars = random.uniform(0, 192, (60, 2))
    turns = int(random.integers(2, 4))

    def draw(phase):
        canvas = view.copy()
        if kind == 0:        # stars that drift
            for x, y in stars:
                spot(canvas, (x + 192 * turns * phase) % 192, y, 2.2, ink)
        elif kind == 1:      # a drawing that turns
            for arm in range(3):
                at = TURN * (turns * phase + arm / 3)
                for t in np.linspace(0.2, 1, 8):
                    spot(canvas, 96 + 70 * t * np.cos(at), 96 + 70 * t * np.sin(at), 8, ink)
        else:                # a bar that sweeps
            canvas[:, :, :] = np.roll(canvas, int(192 * turns * phase), axis=1)
        return canvas

    return Clip([draw(n / count) for n in range(count - gone)], fps, "jump", ("cut",))


KINDS = (strobe, pulse, neon, club, slides, authored, event, nearly, dance, small, automaton, blank, stopped, missing)
VARIANTS = [variant for variant in encode.VARIANTS if variant.codec in ("h264", "hevc", "vp9") and not variant.rotate
            and variant.crf <= 30]


def files():
    """(file, kind, number) of every clip."""
    return [(f"{kind.__name__}-{number:02d}.mp4", kind, number) for kind in KINDS for number in range(SCENES)]


def make(file, kind, number, folder):
    """Writes a clip; returns its labels and what went wrong, as the other families do."""
    clip = kind(random_of("kinds", kind.__name__, number))
    variant = replace(VARIANTS[(number + 3 * KINDS.index(kind)) % len(VARIANTS)], keyint=(250, 24)[number % 3 == 2])
    if variant.codec == "vp9":
        variant = replace(variant, codec="h264", crf=20)
    pictures = [np.clip(frame + 0.5, 0, 255).astype(np.uint8) for frame in clip.frames]
    try:
        encode.encode(folder / file, (picture.tobytes() for picture in pictures), SIZE, str(clip.fps), variant)
    except (RuntimeError, OSError) as error:
        return [], [f"{file}: {error}"]
    return [{"file": file, "family": "kinds", "source": f"{kind.__name__}/{number}", "scene": kind.__name__,
             "kind": kind.__name__, "half": ("tuning", "reporting")[number >= 20], "defect": clip.defect, "strength": clip.tier,
             "clear": clip.tier != 1, "detail": {"accept": list(clip.accept), "how": kind.__name__, "frames": 1},
             "fps": clip.fps, "frames": len(pictures), "width": SIZE[0], "height": SIZE[1], "codec": variant.codec,
             "crf": variant.crf, "grain": 0, "tier": clip.tier}], []
