"""Scenes of the half that results are reported on; see scenes_tuning.py for what a scene is."""

import numpy as np

from lib.draw import (blurred, box, colour, disc, edge, flat, grid, lettering, paint, ramp, sample, segment, spot,
                     turned)

from .noise import LoopedNoise, Octaves, random_of, tile

TURN = 2 * np.pi


def plasma(random, width, height, cells=(5, 5), radius=0.9, stops=((10, 20, 60), (40, 160, 150), (250, 230, 120))):
    """Looped noise in colours."""
    field = Octaves(random, width, height, cells, 2, 0.5, radius)
    return lambda phase: ramp(0.5 + 0.2 * field.at(phase), stops)


def contours(random, width, height, cells=(5, 5), radius=0.8, ink=(30, 30, 40), paper=(240, 236, 220), lines=2.2):
    """Lines of equal height of looped noise, like ink."""
    field = LoopedNoise(random, width, height, cells, radius)

    def render(phase):
        heights = field.at(phase) * lines
        picture = flat(width, height, paper)
        paint(picture, np.clip(2.2 - 9 * np.abs(heights - np.round(heights)), 0, 1), ink)
        return picture
    return render


def rotation(ax, ay):
    """The matrix of a turn about the vertical axis, then of a tilt."""
    ca, sa, cb, sb = np.cos(ay), np.sin(ay), np.cos(ax), np.sin(ax)
    return np.array([[1, 0, 0], [0, cb, -sb], [0, sb, cb]]) @ np.array([[ca, 0, sa], [0, 1, 0], [-sa, 0, ca]])


def projected(points, scale):
    depth = 3.2 / (3.2 + points[:, 2])
    return points[:, :2] * depth[:, None] * scale


def cube(random, width, height, turns=1, ink=(120, 255, 190), back=(8, 14, 18)):
    """The edges of a cube that spins; its edges have different colours."""
    x, y = grid(width, height)
    corners = np.array([[a, b, c] for a in (-1, 1) for b in (-1, 1) for c in (-1, 1)], dtype=float)
    pairs = [(a, b) for a in range(8) for b in range(a) if bin(a ^ b).count("1") == 1]
    tones = [np.clip(colour(*ink) + random.uniform(-90, 40, 3), 0, 255) for _ in pairs]

    def render(phase):
        turn = rotation(0.5 + 0.3 * np.sin(TURN * phase), TURN * turns * phase)
        points = projected(corners @ turn.T, min(width, height) * 0.24)
        picture = flat(width, height, back)
        for (a, b), tone in zip(pairs, tones):
            paint(picture, segment(x, y, points[a], points[b], 3), tone)
        return picture
    return render


def torus(random, width, height, turns=1, ink=(250, 160, 60), back=(30, 20, 40), rings=26, along=14):
    """A torus of points that tumbles."""
    u, v = np.meshgrid(np.arange(rings) / rings * TURN, np.arange(along) / along * TURN)
    points = np.stack([(1 + 0.42 * np.cos(v)) * np.cos(u), (1 + 0.42 * np.cos(v)) * np.sin(u), 0.42 * np.sin(v)], -1)
    points = points.reshape(-1, 3)
    shades = 0.45 + 0.55 * random.uniform(size=len(points))

    def render(phase):
        moved = points @ rotation(TURN * turns * phase, TURN * turns * phase + 0.4).T
        places = projected(moved, min(width, height) * 0.3) + (width / 2, height / 2)
        picture = flat(width, height, back)
        for n in np.argsort(-moved[:, 2], kind="stable"):
            near = 1.2 - 0.4 * moved[n, 2]
            spot(picture, places[n, 0], places[n, 1], 1.6 * near, colour(*ink) * shades[n] * min(near, 1.1), 0.95)
        return np.clip(picture, 0, 255)
    return render


def spheres(random, width, height, count=5, turns=1, back=(200, 205, 215)):
    """Shaded spheres that go round each other."""
    x, y = grid(width, height)
    size = min(width, height)
    tones = random.uniform(50, 240, (count, 3))

    def render(phase):
        picture = flat(width, height, back) * (1 - 0.25 * y / height)[..., None]
        bodies = []
        for n in range(count):
            angle = TURN * (turns * phase + n / count)
            bodies.append((np.sin(angle), np.cos(angle), n))
        for depth, side, n in sorted(bodies):
            radius = size * (0.1 + 0.012 * n) * (1 + 0.3 * depth)
            dx, dy = x - side * size * 0.33, y - depth * size * 0.1 - (n - 2) * 6
            up = np.sqrt(np.clip(1 - (dx * dx + dy * dy) / radius**2, 0, 1))
            light = np.clip((-0.5 * dx - 0.6 * dy) / radius + 0.62 * up, 0.1, 1)
            mask = disc(dx, dy, radius)[..., None]
            picture += mask * (light[..., None] * tones[n] * 1.15 - picture)
        return np.clip(picture, 0, 255)
    return render


def tunnel(random, width, height, steps=1, turns=0, stops=((10, 10, 20), (90, 60, 140), (230, 200, 220)), depth=1.2):
    """Endless zoom: a pattern over the logarithm of the distance, which moves by whole patterns."""
    x, y = grid(width, height)
    r, angle = np.hypot(x, y) + 0.7, np.arctan2(y, x)
    texture = 0.5 + 0.17 * tile(random, 256, 256, (4, 4), 4)
    texture[:, ::32] += 0.25
    texture[::64, :] += 0.25
    u = (np.log(r) / depth * 256).astype(np.float32)
    v = (angle / TURN * 256).astype(np.float32)
    shade = np.clip(r / (0.12 * width), 0, 1)[..., None]

    def render(phase):
        return ramp(sample(texture, v + 256 * turns * phase, u - 256 * steps * phase), stops) * shade
    return render


def still_picture(random, width, height, tones, marks=24):
    """A picture with detail, for scenes where little moves."""
    picture = ramp(0.5 + 0.18 * tile(random, width, height, (3, 3), 6, 0.62), tones)
    for _ in range(marks):
        spot(picture, random.uniform(0, width), random.uniform(0.4 * height, height), random.uniform(2, 10),
             random.uniform(10, 200, 3), 0.8)
    return picture


DUSK = ((16, 20, 34), (70, 64, 90), (200, 150, 120))


def beacon(random, width, height, blinks=3, tones=DUSK, radius=5):
    """A small light that blinks on a large still picture."""
    still = still_picture(random, width, height, tones)

    def render(phase):
        picture = still.copy()
        power = np.clip(1.5 * np.sin(TURN * blinks * phase + 0.7) + 0.2, 0, 1)
        spot(picture, width * 0.62, height * 0.3, radius * 3, (255, 120, 80), 0.8 * power, soft=True)
        spot(picture, width * 0.62, height * 0.3, radius, (255, 235, 200), power)
        return np.clip(picture, 0, 255)
    return render


def firefly(random, width, height, tones=DUSK, turns=1):
    """A small light that moves along a closed path over a still picture."""
    still = still_picture(random, width, height, tones)

    def render(phase):
        picture = still.copy()
        angle = TURN * turns * phase
        cx, cy = width * (0.5 + 0.3 * np.sin(angle)), height * (0.45 + 0.2 * np.sin(2 * angle + 0.5))
        spot(picture, cx, cy, 16, (160, 190, 60), 0.6, soft=True)
        spot(picture, cx, cy, 4, (250, 255, 190))
        return np.clip(picture, 0, 255)
    return render


def breathing(random, width, height, amount=0.045, tones=((60, 40, 40), (150, 120, 100), (245, 225, 200)), breaths=1):
    """A still picture that grows and shrinks a little."""
    still = still_picture(random, width, height, tones, 40)
    x, y = grid(width, height)

    def render(phase):
        zoom = 1 - amount * (1 + np.sin(TURN * breaths * phase))
        return sample(still, x * zoom + width / 2 + 0 * y, y * zoom + height / 2 + 0 * x)
    return render


def cinemagraph(random, width, height, tones=((30, 40, 50), (110, 120, 110), (220, 215, 190)), flows=2):
    """A still picture with a waterfall in a small part of it."""
    still = still_picture(random, width, height, tones)
    x, y = grid(width, height)
    water = LoopedNoise(random, width, height, (10, 44), 0.7, (-flows, 0))
    mask = np.clip(box(x - width * 0.18, y - height * 0.05, width * 0.09, height * 0.3), 0, 1)
    mask = blurred(mask, 1.5)[..., None]

    def render(phase):
        stream = ramp(0.5 + 0.22 * water.at(phase), ((60, 90, 120), (150, 190, 210), (250, 252, 255)))
        return still + mask * (stream - still)
    return render


def kaleidoscope(random, width, height, folds=6, turns=1, wander=40.0,
                 tones=((20, 0, 60), (200, 30, 90), (250, 200, 60), (240, 250, 240))):
    """A turning texture, folded into equal sectors."""
    x, y = grid(width, height)
    r, angle = np.hypot(x, y), np.arctan2(y, x)
    texture = ramp(0.5 + 0.24 * tile(random, 256, 256, (5, 5), 3), tones)
    for _ in range(26):
        spot(texture, *random.uniform(20, 236, 2), random.uniform(5, 14), random.uniform(0, 255, 3))

    def render(phase):
        sector = TURN / folds
        folded = np.abs((angle + 0.3 * np.sin(TURN * phase)) % sector - sector / 2)
        sx, sy = r * np.cos(folded), r * np.sin(folded)
        tx, ty = turned(sx, sy, TURN * turns * phase)
        return sample(texture, tx + 128 + wander * np.cos(TURN * phase), ty + 128 + wander * np.sin(TURN * phase))
    return render


def clouds(random, width, height, sky=((40, 90, 170), (130, 180, 225), (250, 250, 252)), winds=1, radius=0.3):
    """Clouds that pass and change shape."""
    field = Octaves(random, width, height, (2, 3), 5, 0.6, radius, (0, winds))
    slope = np.linspace(0.25, 0.45, height)[:, None]
    return lambda phase: ramp(slope + 0.2 * field.at(phase), sky)


def starfield(random, width, height, count=160, speed=1, back=(4, 4, 12)):
    """Stars that come towards the viewer."""
    stars = random.uniform(-1, 1, (count, 2))
    depths = random.uniform(0, 1, count)
    tones = 200 + 55 * random.uniform(-1, 1, (count, 3))

    def render(phase):
        picture = flat(width, height, back)
        z = 1 - (depths + speed * phase) % 1
        for (sx, sy), depth, tone in zip(stars, z, tones):
            place = 0.13 / (depth + 0.03)
            fade = min(1, 5 * (1 - depth)) * min(1, depth * 12)
            radius = 0.6 + 0.28 / (depth + 0.12)
            spot(picture, width * (0.5 + sx * place), height * (0.5 + sy * place), radius, tone, fade)
        return picture
    return render


def parallax(random, width, height, layers=3, count=50, back=(14, 10, 34)):
    """Stars in layers that pass sideways, the near ones faster."""
    sky = [(random.uniform(size=(count, 2)), n + 1) for n in range(layers)]
    haze = ramp(0.3 + 0.1 * tile(random, width, height, (2, 2)), (back, (90, 50, 110)))

    def render(phase):
        picture = haze.copy()
        for places, speed in sky:
            for fx, fy in places:
                px = ((fx - speed * phase) % 1) * (width + 8) - 4
                spot(picture, px, fy * height, 0.5 + 0.5 * speed, (255, 250, 235), 0.5 + 0.16 * speed)
        return picture
    return render


def eased(t):
    return t * t * t * (t * (6 * t - 15) + 10)


def emblem(width, height, text):
    """The mask of a sign with letters, in the middle of its picture."""
    x, y = grid(width, height)
    size = min(width, height)
    mask = np.clip(edge(2.5 - np.abs(np.hypot(x, y) - size * 0.3)), 0, 1)
    letters = lettering(text, max(size // 26, 2))
    top, left = (height - letters.shape[0]) // 2, (width - letters.shape[1]) // 2
    mask[top:top + letters.shape[0], left:left + letters.shape[1]] = letters
    return blurred(mask, 0.25)


def logo(random, width, height, text="SOL", ink=(250, 250, 250), back=(190, 40, 50), rest=0.0, moves=2, how="turn"):
    """A sign that makes `moves` eased moves in a loop: it turns or slides, and rests for a part of each move."""
    mask = emblem(width, height, text)
    x, y = grid(width, height)
    glow = flat(width, height, back) * (1 - 0.3 * np.hypot(x, y) / max(width, height))[..., None]

    def render(phase):
        whole, part = divmod(phase % 1 * moves, 1)
        t = (whole + eased(np.clip((part - rest / 2) / (1 - rest), 0, 1))) / moves
        picture = glow.copy()
        if how == "turn":
            tx, ty = turned(x, y, TURN * t)
        else:
            tx, ty = (x + t * moves * width + width / 2) % width - width / 2 + 0 * y, y + 0 * x
        paint(picture, sample(mask, tx + (width - 1) / 2, ty + (height - 1) / 2), ink)
        return picture
    return render


def handheld(random, width, height, shake=7.0, fastest=6, tones=((24, 22, 20), (120, 105, 90), (235, 225, 205)),
             sharp=0.6):
    """A picture with detail, filmed by hand: the camera sways, trembles and turns a little."""
    texture = ramp(0.5 + 0.17 * tile(random, 256, 256, (3, 3), 6, 0.66), tones)
    for _ in range(30):
        spot(texture, *random.uniform(15, 241, 2), random.uniform(3, 12), random.uniform(0, 240, 3))
    texture = blurred(texture, sharp)
    x, y = grid(width, height)
    sway = [(n, random.uniform(0.3, 1) / n**0.8, random.uniform(0, TURN), axis) for axis in range(3)
            for n in range(1, fastest + 1)]
    walker = random_of("walker", width, height).uniform(30, 220, 3)

    def render(phase):
        shift = [sum(a * np.sin(TURN * n * phase + p) for n, a, p, k in sway if k == axis) for axis in range(3)]
        tx, ty = turned(x + shake * shift[0], y + shake * shift[1], 0.012 * shift[2])
        picture = sample(texture, tx + 128, ty + 128)
        spot(picture, width * (0.5 + 0.3 * np.cos(TURN * phase)) - shake * shift[0],
             height * (0.6 + 0.1 * np.sin(TURN * phase)) - shake * shift[1], 9, walker)
        return picture
    return render
