"""Scenes of the half that limits are tuned with.

Each function prepares a scene of a size and returns `render(phase)`: a picture of float32 RGB, 0 to 255, where
phase 1 is phase 0. Everything that moves goes round a whole number of times in one loop.
"""

import numpy as np

from lib.draw import (blurred, box, colour, disc, edge, flat, grid, lettering, paint, ramp, sample, segment, spot,
                     turned)

from .noise import LoopedNoise, Octaves, tile

TURN = 2 * np.pi


def vinyl(random, width, height, label=(220, 60, 40), table=(70, 60, 66), turns=1):
    """A record: still sheen, turning label and a scratch."""
    x, y = grid(width, height)
    r, size = np.hypot(x, y), min(width, height)
    angle = np.arctan2(y, x)
    grooves = 24 + 8 * np.sin(r * 1.9) + 40 * np.clip(np.cos(2 * (angle - 0.6)), 0, 1) ** 6
    tones = [colour(*random.uniform(120, 250, 3)) for _ in range(3)]

    def render(phase):
        picture = flat(width, height, table)
        paint(picture, disc(x, y, size * 0.47), (0, 0, 0))
        picture += (disc(x, y, size * 0.47) * grooves)[..., None]
        tx, ty = turned(x, y, TURN * turns * phase)
        paint(picture, disc(x, y, size * 0.19), label)
        for n, tone in enumerate(tones):
            paint(picture, box(tx, ty - size * (0.05 * n - 0.1), size * (0.11 - 0.03 * n), size * 0.012), tone)
        paint(picture, segment(tx, ty, (size * 0.24, 0), (size * 0.43, size * 0.06), 2.5), (190, 190, 200))
        paint(picture, disc(x, y, 2.5), (240, 240, 235))
        return picture
    return render


def blades(random, width, height, count=5, turns=1, back=(20, 30, 60)):
    """Blades of unequal colours round a hub."""
    x, y = grid(width, height)
    size = min(width, height)
    tones = random.uniform(60, 255, (count, 3))

    def render(phase):
        picture = flat(width, height, back) * (1 + 0.3 * y / height)[..., None]
        for n in range(count):
            tx, ty = turned(x, y, TURN * (turns * phase + n / count))
            paint(picture, box(tx - size * 0.25, ty - tx * 0.12, size * 0.17, size * (0.04 + 0.012 * n)), tones[n])
        paint(picture, disc(x, y, size * 0.07), (230, 230, 230))
        return picture
    return render


def orbits(random, width, height, count=6, fastest=2, back=(235, 228, 210)):
    """Squares and discs that go round the middle at different speeds."""
    x, y = grid(width, height)
    size = min(width, height)
    bodies = [(random.uniform(0.12, 0.44) * size, random.uniform(0, 1), int(random.integers(1, fastest + 1)),
               random.uniform(0.03, 0.07) * size, random.uniform(20, 210, 3)) for _ in range(count)]

    def render(phase):
        picture = flat(width, height, back)
        for n, (reach, offset, turns, half, tone) in enumerate(bodies):
            angle = TURN * (offset + turns * phase) * (-1 if n % 3 == 2 else 1)
            dx, dy = x - reach * np.cos(angle), y - reach * np.sin(angle)
            if n % 2:
                paint(picture, disc(dx, dy, half), tone)
            else:
                tx, ty = turned(dx, dy, 2 * angle)
                paint(picture, box(tx, ty, half, half), tone)
        return picture
    return render


def sea(random, width, height, stops=((5, 20, 60), (20, 90, 150), (190, 230, 240)), speed=2, count=7):
    """Travelling waves in several directions."""
    x, y = grid(width, height)
    waves = [(random.uniform(-0.12, 0.12), random.uniform(0.03, 0.2), random.uniform(0, TURN),
              int(random.integers(1, speed + 1)), random.uniform(0.4, 1)) for _ in range(count)]

    def render(phase):
        total = sum(a * np.sin(kx * x + ky * y + p - TURN * n * phase) for kx, ky, p, n, a in waves)
        return ramp(0.5 + total / (1.1 * count), stops)
    return render


def ripples(random, width, height, stops=((250, 240, 220), (220, 90, 60), (60, 10, 60)), turns=4, length=22.0):
    """Rings that leave two centres."""
    x, y = grid(width, height)
    centres = random.uniform(-0.3, 0.3, (2, 2)) * (width, height)

    def render(phase):
        total = 0
        for cx, cy in centres:
            r = np.hypot(x - cx, y - cy)
            total = total + np.sin(TURN * (r / length - turns * phase)) / (1 + r / 120)
        return ramp(0.5 + 0.3 * total, stops)
    return render


def snow(random, width, height, count=90, back=((18, 24, 46), (70, 80, 110)), tone=(240, 244, 255), fastest=2):
    """Flakes that fall and sway; the near ones are large and fast."""
    flakes = [(random.uniform(), random.uniform(), int(random.integers(1, fastest + 1)), random.uniform(0.8, 1.6),
               random.uniform(0, TURN)) for _ in range(count)]
    backdrop = ramp(np.broadcast_to(np.linspace(0, 1, height)[:, None], (height, width)), back)

    def render(phase):
        picture = backdrop.copy()
        for fx, fy, speed, radius, sway in flakes:
            px = (fx * width + 6 * np.sin(TURN * phase + sway)) % width
            py = ((fy + speed * phase) % 1) * (height + 12) - 6
            spot(picture, px, py, radius * speed, tone, 0.9)
        return picture
    return render


def sparks(random, width, height, count=70, lives=2, back=(12, 8, 10)):
    """Sparks from below, each with its own life; they fly, fall and go out."""
    seeds = [(random.uniform(), random.uniform(-0.5, 0.5), random.uniform(0.7, 1.25), random.uniform(1.2, 2.4))
             for _ in range(count)]

    def render(phase):
        picture = flat(width, height, back)
        for offset, side, power, radius in seeds:
            t = (phase * lives + offset) % 1
            px = width * (0.5 + side * t * 1.2)
            py = height * (1.02 - 2.6 * power * t + 2.2 * power * t * t)
            spot(picture, px, py, radius * 3, (255, 170 * (1 - t) + 60, 60), min(1, 4 * t) * (1 - t), soft=True)
        return np.clip(picture, 0, 255)
    return render


def bokeh(random, width, height, count=22, back=(26, 16, 40)):
    """Large soft lights that drift in small circles and breathe."""
    lights = [(*random.uniform(0, 1, 2) * (width, height), random.uniform(10, 30), random.uniform(30, 140, 3),
               random.uniform(0, TURN), int(random.integers(1, 3))) for _ in range(count)]

    def render(phase):
        picture = flat(width, height, back)
        for cx, cy, radius, tone, offset, speed in lights:
            angle = TURN * speed * phase + offset
            spot(picture, cx + 14 * np.cos(angle), cy + 14 * np.sin(angle), radius, tone,
                 0.7 + 0.3 * np.sin(angle), soft=True)
        return np.clip(picture, 0, 255)
    return render


CREDITS = ("DIRECTED BY", "R. MALONE", "", "MUSIC", "THE NORTHERN", "LIGHTS", "", "DRUMS", "K. WAVE", "BASS",
           "ZOE FLUX", "", "ARTWORK", "VIC TONE")


def credits(random, width, height, ink=(235, 235, 225), back=(16, 16, 20), size=2, lines=CREDITS, shown=1):
    """Lines of text that scroll upwards."""
    step = 5 * size + 3 * size
    page = np.zeros((max(step * len(lines), height) if shown == 1 else step * len(lines), width), dtype=np.float32)
    for n, line in enumerate(lines):
        mask = lettering(line, size)[:, :width] if line else np.zeros((5 * size, 0), dtype=np.float32)
        left = max((width - mask.shape[1]) // 2, 0)
        page[n * step:n * step + 5 * size, left:left + mask.shape[1]] = mask
    page = blurred(page, 0.2)
    x, y = np.meshgrid(np.arange(width), np.arange(height))

    def render(phase):
        picture = flat(width, height, back)
        paint(picture, sample(page, x, y + phase * shown * page.shape[0]), ink)
        return picture
    return render


def ticker(random, width, height, ink=(255, 210, 40), back=(40, 40, 48), text="NEW SINGLE OUT NOW . LISTEN . ", size=5):
    """A band of large text that runs to the left over a still pattern."""
    band = blurred(lettering(text, size), 0.2)
    band = np.pad(band, ((3 * size, 3 * size), (0, 0)))
    wall = flat(width, height, back) + 10 * tile(random, width, height)[..., None]
    top = (height - band.shape[0]) // 2
    x, y = np.meshgrid(np.arange(width), np.arange(band.shape[0]))

    def render(phase):
        picture = wall.copy()
        strip = picture[top:top + band.shape[0]]
        strip *= 0.4
        paint(strip, sample(band, x + phase * band.shape[1], y), ink)
        return picture
    return render


def fire(random, width, height, rise=2, stops=((4, 2, 6), (120, 20, 5), (240, 120, 20), (255, 230, 140)), calm=0.0):
    """Noise that rises, changes on its way and is bright below."""
    coarse = LoopedNoise(random, width, height, (6, 5), 0.8, (-rise, 0))
    fine = LoopedNoise(random, width, height, (14, 12), 1.2, (-2 * rise, 0))
    low = np.linspace(-0.25, 1.05, height)[:, None] + calm

    def render(phase):
        return ramp(low * 0.75 + 0.13 * coarse.at(phase) + 0.09 * fine.at(phase), stops)
    return render


def pan(random, width, height, tile_size=(256, 256), move=(1, 0), tint=((30, 40, 30), (120, 140, 90), (230, 220, 190)),
        marks=30):
    """A camera that passes over a pattern which tiles."""
    columns, rows = tile_size
    texture = ramp(0.5 + 0.16 * tile(random, columns, rows, (4, 4)), tint)
    for _ in range(marks):
        cx, cy, radius = random.uniform(0, columns), random.uniform(0, rows), random.uniform(4, 12)
        tone = random.uniform(10, 245, 3)
        for dx in (-columns, 0, columns):
            for dy in (-rows, 0, rows):
                spot(texture, cx + dx, cy + dy, radius, tone)
    x, y = np.meshgrid(np.arange(width), np.arange(height))

    def render(phase):
        return sample(texture, x + phase * move[0] * columns, y + phase * move[1] * rows)
    return render


def club(random, width, height, steps=24, beams=5):
    """Beams of light that switch by a table, over a still crowd."""
    x, y = grid(width, height)
    table = (random.uniform(size=(steps, beams)) > 0.55).astype(np.float32)
    tones = random.uniform(20, 200, (beams, 3))
    crowd = edge(y - height * 0.32 + 6 * np.sin(x * 0.35) + 4 * np.sin(x * 0.13 + 1))

    def render(phase):
        picture = flat(width, height, (10, 8, 16))
        now = table[int(np.floor(phase % 1 * steps + 1e-6)) % steps]
        for n in range(beams):
            sweep = 0.35 * np.sin(TURN * (phase + n / beams))
            middle = (n + 0.5 - beams / 2) * width / beams + (y + height / 2) * sweep
            mask = np.clip(1 - np.abs(x - middle) / (8 + 0.1 * (y + height / 2)), 0, 1)
            picture += (mask * now[n])[..., None] * colour(*tones[n])
        paint(picture, crowd, (4, 3, 8))
        return np.clip(picture, 0, 255)
    return render


def neon(random, width, height, text="OPEN", tone=(255, 60, 160), steps=60):
    """A sign that hums and at times fails, with a small light that circles it."""
    size = max(width // (4 * len(text) + 4), 2)
    mask = np.zeros((height, width), dtype=np.float32)
    letters = lettering(text, size)
    top, left = (height - letters.shape[0]) // 2, (width - letters.shape[1]) // 2
    mask[top:top + letters.shape[0], left:left + letters.shape[1]] = letters
    sharp, glow = blurred(mask, 0.8), blurred(mask, 7)
    wall = 34 + 9 * tile(random, width, height)
    power = np.where(random.uniform(size=steps) < 0.18, random.uniform(0.2, 0.6, steps), 1.0)

    def render(phase):
        now = power[int(np.floor(phase % 1 * steps + 1e-6)) % steps] * (0.92 + 0.08 * np.sin(TURN * 15 * phase))
        picture = np.repeat(wall[..., None], 3, axis=2) + (now * (0.5 * glow + sharp))[..., None] * colour(*tone)
        angle = TURN * phase
        spot(picture, width * (0.5 + 0.42 * np.cos(angle)), height * (0.5 + 0.34 * np.sin(angle)), 7, (90, 200, 255))
        return np.clip(picture, 0, 255)
    return render


def drawn(random, width, height, steps=24, paper=(245, 240, 228), ink=(40, 36, 60), bounces=2):
    """A bouncing ball and a waving line, drawn anew in every step: the lines boil."""
    x, y = grid(width, height)
    boil = random.normal(0, 0.9, (steps, 8, 2))
    size = min(width, height)

    def render(phase):
        step = int(np.floor(phase % 1 * steps + 1e-6)) % steps
        p = step / steps
        picture = flat(width, height, paper)
        bounce = abs(np.sin(np.pi * bounces * p))
        cx, cy = size * 0.32 * np.sin(TURN * p) + boil[step, 0, 0], size * (0.28 - 0.5 * bounce) + boil[step, 0, 1]
        paint(picture, disc(x - cx, y - cy, size * 0.11), (225, 90, 70))
        paint(picture, edge(1.6 - np.abs(np.hypot(x - cx, y - cy) - size * 0.11)), ink)
        points = [((n - 3.5) * width / 7.5 + boil[step, n, 0],
                   height * 0.42 + 6 * np.sin(TURN * (p + n / 4)) + boil[step, n, 1]) for n in range(8)]
        for start, end in zip(points, points[1:]):
            paint(picture, segment(x, y, start, end, 3), ink)
        return picture
    return render


def drift(random, width, height, stops=((250, 120, 90), (240, 200, 120), (90, 80, 200), (30, 20, 90)), turns=1):
    """A gradient whose direction goes round."""
    (x, y), size = grid(width, height), np.hypot(width, height)

    def render(phase):
        angle = TURN * turns * phase
        bend = 0.12 * np.sin(x / size * 5 + angle) * np.cos(y / size * 4 - angle)
        return ramp(0.5 + (x * np.cos(angle) + y * np.sin(angle)) / size + bend, stops)
    return render


def pulse(random, width, height, beats=2, stops=((20, 10, 40), (160, 30, 120), (255, 190, 120))):
    """A glow that beats, with a ring that runs outwards at each beat."""
    r = np.hypot(*grid(width, height)) / min(width, height)
    cloud = Octaves(random, width, height, (3, 3), 2)

    def render(phase):
        beat = (phase * beats) % 1
        glow = np.exp(-(r / (0.22 + 0.12 * np.sin(TURN * beats * phase))) ** 2)
        ring = np.exp(-((r - 0.8 * beat) / 0.03) ** 2) * np.sin(np.pi * beat) ** 2
        return ramp(0.1 + 0.7 * glow + 0.5 * ring + 0.06 * cloud.at(phase), stops)
    return render
