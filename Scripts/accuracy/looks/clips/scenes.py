"""Moving pictures that loop, as functions of a count of frames and a size. Those for reporting serve for nothing else."""

import numpy as np


def grid(width, height):
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    return (x + 0.5) / width, (y + 0.5) / height


def phases(count):
    return np.arange(count, dtype=np.float32) / count


def colours(values, stops):
    """Values from 0 to 1 as colours between `stops`."""
    places = np.linspace(0, 1, len(stops))
    return np.stack([np.interp(values, places, [stop[c] for stop in stops]) for c in range(3)], axis=-1).astype(
        np.float32)


def smooth_noise(seed, width, height, cells):
    """Smooth noise from 0 to 1 that tiles."""
    rng = np.random.default_rng(seed)
    coarse = rng.random((cells, cells)).astype(np.float32)
    x, y = grid(width, height)
    x, y = x * cells, y * cells
    left, top = np.floor(x).astype(int) % cells, np.floor(y).astype(int) % cells
    u, v = x - np.floor(x), y - np.floor(y)
    u, v = u * u * (3 - 2 * u), v * v * (3 - 2 * v)
    right, bottom = (left + 1) % cells, (top + 1) % cells
    return (coarse[top, left] * (1 - u) + coarse[top, right] * u) * (1 - v) + (
        coarse[bottom, left] * (1 - u) + coarse[bottom, right] * u) * v


# MARK: For tuning


def orbs(count, width, height, back=(40, 60, 110)):
    x, y = grid(width, height)
    frames = []
    for t in phases(count):
        picture = np.empty((height, width, 3), np.float32)
        picture[:] = back
        picture += 30 * (x + y)[..., None]
        for number, tone in enumerate([(240, 190, 80), (90, 210, 180), (220, 90, 120), (130, 130, 240)]):
            angle = 2 * np.pi * (t + number / 4)
            cx, cy = 0.5 + 0.33 * np.cos(angle), 0.5 + 0.33 * np.sin(angle + number)
            share = np.clip(6 - 30 * np.hypot(x - cx, y - cy), 0, 1)[..., None]
            picture = picture * (1 - share) + np.array(tone, np.float32) * share
        frames.append(picture)
    return np.array(frames)


def carpet(count, width, height, seed=3, shift=1.0):
    """A texture like a photograph's that moves past."""
    noise = sum(smooth_noise(seed + k, width, height, cells) / (k + 1) for k, cells in enumerate((4, 8, 16, 32)))
    noise = (noise - noise.min()) / np.ptp(noise)
    stops = ((30, 40, 30), (90, 110, 60), (180, 160, 110), (240, 230, 200))
    return np.array([colours(np.roll(noise, int(round(t * shift * width)), axis=1), stops) for t in phases(count)])


def night(count, width, height):
    """Windows of a dark town, twinkling."""
    rng = np.random.default_rng(7)
    picture = np.zeros((height, width, 3), np.float32) + (10, 12, 20)
    x = 0
    lit = []
    while x < width:
        wide, tall = int(rng.integers(6, 16)), int(rng.integers(height // 5, height // 2))
        picture[height - tall:, x:x + wide] = (22, 22, 30)
        for wy in range(height - tall + 3, height - 3, 5):
            for wx in range(x + 1, min(x + wide - 1, width - 1), 4):
                if rng.random() < 0.35:
                    lit.append((wy, wx, rng.random()))
        x += wide + int(rng.integers(0, 3))
    frames = []
    for t in phases(count):
        frame = picture.copy()
        for wy, wx, phase in lit:
            frame[wy:wy + 2, wx:wx + 2] = np.array((200, 170, 90)) * (0.6 + 0.4 * np.cos(2 * np.pi * (t + phase)))
        frames.append(frame)
    return np.array(frames)


def logo(count, width, height, back=(0, 0, 0), ink=(235, 235, 235), size=0.2):
    """A ring that turns on one colour."""
    x, y = grid(width, height)
    frames = []
    for t in phases(count):
        picture = np.empty((height, width, 3), np.float32)
        picture[:] = back
        r = np.hypot(x - 0.5, (y - 0.5) * height / width)
        angle = np.arctan2(y - 0.5, x - 0.5) / (2 * np.pi) + t
        mark = (np.abs(r - size) < size / 4) & (np.mod(angle * 3, 1) < 0.75)
        picture[mark] = ink
        frames.append(picture)
    return np.array(frames)


def plasma(count, width, height, stops=((20, 10, 60), (140, 30, 120), (250, 140, 60), (255, 240, 170))):
    x, y = grid(width, height)
    frames = []
    for t in phases(count):
        a = 2 * np.pi * t
        value = np.sin(7 * x + a) + np.sin(9 * y - a) + np.sin(6 * (x + y) + a) + np.sin(11 * np.hypot(x - 0.5, y - 0.4) - a)
        frames.append(colours(value / 8 + 0.5, stops))
    return np.array(frames)


def shards(count, width, height):
    """Hard-edged wedges that turn slowly."""
    x, y = grid(width, height)
    tones = np.array([(200, 60, 50), (240, 200, 90), (40, 90, 130), (230, 230, 220), (60, 130, 90), (90, 40, 80), (250, 150, 90)],
                     np.float32)
    angle = np.arctan2(y - 0.45, x - 0.55) / (2 * np.pi)
    ring = np.floor(np.hypot(x - 0.55, y - 0.45) * 6).astype(int)
    return np.array([
        tones[(np.floor((angle + t / 7 * np.where(ring % 2, 1, -1)) * 7).astype(int) + ring) % 7] for t in phases(count)])


def stars(count, width, height, density=0.004):
    """Points on black that drift."""
    rng = np.random.default_rng(21)
    amount = max(8, int(width * height * density))
    px, py, tone = rng.integers(0, width, amount), rng.integers(0, height, amount), rng.uniform(90, 255, amount)
    frames = []
    for t in phases(count):
        picture = np.zeros((height, width, 3), np.float32)
        picture[py, (px + int(round(t * width))) % width] = tone[:, None]
        frames.append(picture)
    return np.array(frames)


def sea(count, width, height, horizon=0.5, sky=(12, 14, 24)):
    """A plain dark sky, a straight horizon, waves."""
    x, y = grid(width, height)
    frames = []
    for t in phases(count):
        waves = 90 + 50 * np.sin(40 * (y - horizon) / (0.2 + y) + 5 * np.sin(2 * np.pi * x) + 2 * np.pi * t)
        picture = np.stack([waves * 0.4, waves * 0.8, waves], axis=-1).astype(np.float32)
        picture[y < horizon] = sky
        frames.append(picture)
    return np.array(frames)


def bottle(count, width, height, back=(250, 250, 250)):
    """A product on one colour that sways."""
    x, y = grid(width, height)
    frames = []
    for t in phases(count):
        cx = 0.5 + 0.04 * np.sin(2 * np.pi * t)
        body = (np.abs(x - cx) < 0.13) & (y > 0.4) & (y < 0.85)
        neck = (np.abs(x - cx) < 0.05) & (y > 0.15) & (y <= 0.4)
        picture = np.empty((height, width, 3), np.float32)
        picture[:] = back
        picture[body | neck] = (30, 90, 50)
        picture[(np.abs(x - cx) < 0.13) & (y > 0.55) & (y < 0.7)] = (220, 200, 150)
        frames.append(picture)
    return np.array(frames)


def ribbons(count, width, height):
    """Bands that flow over a bright ground."""
    x, y = grid(width, height)
    frames = []
    for t in phases(count):
        picture = np.stack([200 + 40 * y, 190 + 30 * x, 170 + 50 * (1 - y)], axis=-1).astype(np.float32)
        for number, tone in enumerate([(180, 40, 70), (40, 80, 160), (30, 140, 120), (240, 170, 40)]):
            middle = 0.2 + 0.2 * number + 0.07 * np.sin(2 * np.pi * (x * (1 + number % 2) + t + number / 3))
            share = np.clip(1.5 - np.abs(y - middle) * 40, 0, 1)[..., None]
            picture = picture * (1 - share) + np.array(tone, np.float32) * share
        frames.append(picture)
    return np.array(frames)


def mosaic(count, width, height):
    """Tiles of many colours that slide past one another."""
    rng = np.random.default_rng(77)
    tones = rng.integers(20, 250, (9, 12, 3)).astype(np.float32)
    x, y = grid(width, height)
    row = np.floor(y * 9).astype(int)
    return np.array([
        tones[row, np.floor(np.mod(x * 8 + 12 * t * np.where(row % 2, 1, -1), 12)).astype(int)] for t in phases(count)])


def cellar(count, width, height):
    """A dark wall of stones, a lamp that swings."""
    x, y = grid(width, height)
    stones = 0.4 + 0.6 * smooth_noise(31, width, height, 14)
    stones *= np.where((np.mod(y * 10, 1) < 0.1) | (np.mod(x * 6 + np.floor(y * 10) / 2, 1) < 0.06), 0.5, 1)
    frames = []
    for t in phases(count):
        distance = np.hypot(x - 0.5 - 0.2 * np.sin(2 * np.pi * t), y - 0.35)
        light = 8 + 70 * np.exp(-12 * distance**2)
        frames.append((stones * light)[..., None] * np.array((1.0, 0.8, 0.5), np.float32))
    return np.array(frames, np.float32)


def embers(count, width, height):
    """A few sparks that rise through the dark."""
    rng = np.random.default_rng(13)
    amount = width * height // 500
    px, py, tone = rng.integers(0, width - 1, amount), rng.integers(0, height, amount), rng.uniform(120, 255, amount)
    frames = []
    for t in phases(count):
        picture = np.zeros((height, width, 3), np.float32)
        row = (py - int(round(t * height))) % height
        for shift in (0, 1):
            picture[row, px + shift] = tone[:, None] * np.array((1, 0.6, 0.2), np.float32)
        frames.append(picture)
    return np.array(frames)


# MARK: For reporting


def hills(count, width, height):
    """Ranges of hills, each before the next, drifting, under a bright sky."""
    x, y = grid(width, height)
    frames = []
    for t in phases(count):
        picture = np.stack([150 + 90 * y, 180 + 50 * y, 235 - 20 * y], axis=-1).astype(np.float32)
        for layer, tone in enumerate([(150, 170, 190), (110, 140, 150), (70, 110, 90), (35, 70, 45)]):
            speed = layer // 2 + 1
            edge = 0.35 + 0.14 * layer + 0.06 * np.sin(2 * np.pi * (2 * x + speed * t + 0.3 * layer)) + 0.03 * np.sin(
                2 * np.pi * (5 * x - speed * t))
            picture[y > edge] = tone
        frames.append(picture)
    return np.array(frames)


def weave(count, width, height):
    """Crossing threads of many colours, at an angle, sliding."""
    x, y = grid(width, height)
    rng = np.random.default_rng(90)
    warp, weft = (rng.integers(15, 250, (14, 3)).astype(np.float32) for _ in range(2))
    frames = []
    for t in phases(count):
        u, v = (x + 0.6 * y) * 14 + 14 * t / 7 * 2, (y - 0.6 * x) * 14
        over = (np.floor(u) + np.floor(v)) % 2 == 0
        frames.append(np.where(over[..., None], warp[np.floor(u).astype(int) % 14], weft[np.floor(v).astype(int) % 14]))
    return np.array(frames)


def attic(count, width, height):
    """A dark room: beams, and dust in a slanting ray that wanders."""
    x, y = grid(width, height)
    dust = 0.5 + 0.5 * smooth_noise(55, width, height, 24)
    beams = np.where(np.mod(x * 5 + y, 1) < 0.18, 0.55, 1.0)
    frames = []
    for t in phases(count):
        ray = np.exp(-60 * (x - 0.3 - 0.4 * y - 0.08 * np.sin(2 * np.pi * t)) ** 2)
        frames.append((beams * (9 + 12 * dust) + 38 * ray * dust)[..., None] * np.array((0.9, 0.95, 1.0), np.float32))
    return np.array(frames, np.float32)


def snowfall(count, width, height):
    """Single flakes that fall through a black night."""
    rng = np.random.default_rng(34)
    amount = width * height // 400
    px, py = rng.integers(0, width, amount), rng.integers(0, height, amount)
    tone, speed = rng.uniform(100, 240, amount), rng.integers(1, 3, amount)
    frames = []
    for t in phases(count):
        picture = np.zeros((height, width, 3), np.float32)
        sway = np.rint(3 * np.sin(2 * np.pi * t + px)).astype(int)
        picture[(py + np.rint(t * height * speed).astype(int)) % height, (px + sway) % width] = tone[:, None]
        frames.append(picture)
    return np.array(frames)
