"""Pictures that covers might be, painted from a seed. Each painter belongs to one half of the labelled pairs."""

import numpy as np

from lib import draw

WIDTH, HEIGHT = 360, 480


def palette(rng):
    """Five colours around one hue and its opposite, dark to light."""
    hue, turn = rng.uniform(0, 1), rng.choice([0.08, 0.33, 0.5])
    return [tuple(draw.hue(hue + shift + rng.uniform(-.02, .02), saturation, value)) for shift, saturation, value in (
        (0, .7, .18), (0, .6, .4), (turn, .75, .6), (turn, .5, .8), (0, .15, .95))]


def canvas(tone):
    return draw.flat(WIDTH, HEIGHT, tone)


def smooth(rng, cells):
    """Noise of 0 to 1 that changes over so many cells each way."""
    grid = rng.uniform(0, 1, (cells + 1, cells + 1, 1)).astype(np.float32)
    y, x = np.mgrid[0:HEIGHT, 0:WIDTH].astype(np.float32)
    return draw.sample(grid, x / WIDTH * cells, y / HEIGHT * cells)[..., 0]


def poster(rng, tones):
    picture = canvas(tones[rng.integers(0, 2)])
    x, y = draw.grid(WIDTH, HEIGHT)
    for _ in range(rng.integers(4, 9)):
        cx, cy = rng.uniform(-150, 150), rng.uniform(-200, 200)
        tone = tones[rng.integers(1, 5)]
        if rng.random() < .5:
            mask = draw.disc(x - cx, y - cy, rng.uniform(25, 100))
        else:
            u, v = draw.turned(x - cx, y - cy, rng.uniform(0, 3.1))
            mask = draw.box(u, v, rng.uniform(20, 120), rng.uniform(10, 60))
        draw.paint(picture, mask, tone)
    return picture


def landscape(rng, tones):
    rows = np.linspace(0, 1, HEIGHT, dtype=np.float32)[:, None] * np.ones((1, WIDTH), np.float32)
    picture = draw.ramp(rows, [tones[2], tones[3], tones[4]])
    draw.spot(picture, rng.uniform(60, 300), rng.uniform(100, 220), rng.uniform(18, 45), tones[4])
    x = np.arange(WIDTH, dtype=np.float32)[None, :]
    y = np.arange(HEIGHT, dtype=np.float32)[:, None]
    for layer in range(4):
        base = 220 + 60 * layer + rng.uniform(-20, 20)
        line = base + sum(
            rng.uniform(8, 34) / n * np.sin(x * n * rng.uniform(.008, .02) + rng.uniform(0, 6.3)) for n in (1, 2, 4))
        share = layer / 3
        tone = [(1 - share) * a + share * b for a, b in zip(tones[1], tones[0])]
        draw.paint(picture, draw.edge(y - line), tone)
    return picture


def portrait(rng, tones):
    picture = draw.ramp(smooth(rng, 3), [tones[0], tones[1], tones[2]])
    cx, cy = WIDTH / 2 + rng.uniform(-70, 70), HEIGHT / 2 + rng.uniform(-50, 50)
    x = np.arange(WIDTH, dtype=np.float32)[None, :] - cx
    y = np.arange(HEIGHT, dtype=np.float32)[:, None] - cy
    wide = rng.uniform(50, 85)
    draw.paint(picture, draw.edge((1 - np.hypot(x / (wide * 1.7), (y - 2.6 * wide) / (1.6 * wide))) * wide), tones[3])
    draw.paint(picture, draw.edge((1 - np.hypot(x / (wide * 1.12), (y + .25 * wide) / (1.35 * wide))) * wide), tones[0])
    draw.paint(picture, draw.edge((1 - np.hypot(x / (wide * .85), y / (wide * 1.15))) * wide), tones[4])
    return picture


def mosaic(rng, tones):
    points = rng.uniform(0, 1, (rng.integers(14, 40), 2)) * [WIDTH, HEIGHT]
    y, x = np.mgrid[0:HEIGHT, 0:WIDTH].astype(np.float32)
    nearest = np.argmin([np.hypot(x - px, y - py) for px, py in points], axis=0)
    chosen = np.array([tones[n] for n in rng.integers(0, 5, len(points))], dtype=np.float32)
    return chosen[nearest].copy()


def planets(rng, tones):
    picture = canvas([tone * .3 for tone in tones[0]])
    for _ in range(160):
        draw.spot(picture, rng.uniform(0, WIDTH), rng.uniform(0, HEIGHT), rng.uniform(.4, 1.6), (220, 220, 235))
    for _ in range(rng.integers(1, 4)):
        cx, cy, radius = rng.uniform(50, 310), rng.uniform(80, 400), rng.uniform(25, 95)
        draw.spot(picture, cx, cy, radius * 1.6, [tone * .5 for tone in tones[2]], .7, soft=True)
        draw.spot(picture, cx, cy, radius, tones[rng.integers(1, 5)])
        draw.spot(picture, cx - radius * .3, cy - radius * .3, radius * .55, tones[4], .35)
    return picture


def city(rng, tones):
    rows = np.linspace(0, 1, HEIGHT, dtype=np.float32)[:, None] * np.ones((1, WIDTH), np.float32)
    picture = draw.ramp(rows, [tones[0], tones[1], tones[2]])
    left = 0
    while left < WIDTH:
        wide, top = int(rng.integers(28, 70)), int(rng.integers(120, 330))
        picture[top:, left:left + wide] = [tone * .45 for tone in tones[0]]
        for wy in range(top + 8, HEIGHT - 10, 14):
            for wx in range(left + 5, min(left + wide - 7, WIDTH - 7), 11):
                if rng.random() < .4:
                    picture[wy:wy + 7, wx:wx + 5] = tones[4]
        left += wide + int(rng.integers(0, 8))
    return picture


def lettered(rng, tones):
    picture = draw.ramp(smooth(rng, 2), [tones[3], tones[4], tones[2]])
    word = "".join(rng.choice(list("ABDEHKLMNORSTU"), rng.integers(3, 6)))
    mask = draw.lettering(word, 16)
    top = int(rng.integers(150, 330 - mask.shape[0]))
    left = max(0, (WIDTH - mask.shape[1]) // 2)
    width = min(mask.shape[1], WIDTH - left)
    draw.paint(picture[top:top + mask.shape[0], left:left + width], mask[:, :width], tones[0])
    return picture


PAINTERS = {"tuning": [poster, landscape, portrait], "reporting": [mosaic, planets, city, lettered]}
