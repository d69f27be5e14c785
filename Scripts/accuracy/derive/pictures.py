"""Pictures with a box that must stay visible, for the choice of the crop window.

Half of them are parts of photographs in the package scikit-image of PyPI (public domain and CC0), in which the boxes were
drawn by hand. The others are painted: one subject on a background that may be as busy. Each half of the set has its own
photographs, subjects and seeds. Two more parts have whole pictures of other packages (labels.py).
"""

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from accuracy.derive import labels
from lib import ffmpeg, packages
from lib.tool import ROOT

CACHE = ROOT / ".build/derive"
PACKAGE = "scikit-image==0.25.2"
# What a person looks at: x, y, width and height in the photograph.
PHOTOGRAPHS = {
    "tuning": {
        "astronaut.png": (154, 17, 150, 167), "coffee.png": (170, 20, 250, 300),
        "horse.png": (300, 7, 92, 110), "rocket.jpg": (293, 118, 58, 290)},
    "reporting": {
        "camera.png": (157, 60, 170, 130), "chelsea.png": (135, 80, 226, 200),
        "moon.png": (85, 52, 70, 70), "motorcycle_left.png": (222, 150, 290, 260)},
}
SHAPES = {"16x9": (640, 360), "1x1": (480, 480), "3x4": (450, 600)}
# From which shape to which key a window has a choice.
CHOICES = [("16x9", "1x1"), ("16x9", "3x4"), ("1x1", "3x4"), ("3x4", "1x1")]
# The longer side of a whole picture.
LONGEST = 640
KINDS = ["noise", "light", "sway"]


@dataclass
class Picture:
    name: str
    key: str
    frames: list  # height x width x 3, 8 bits
    box: tuple  # x, y, width, height in the frame


def window(width, height, key):
    """The size of the largest window of a key."""
    w, h = (1, 1) if key == "1x1" else (3, 4)
    unit = min(width // w, height // h)
    return unit * w, unit * h


def photographs(cache=CACHE):
    """The folder with the photographs, which are downloaded once."""
    names = [name for half in PHOTOGRAPHS.values() for name in half]
    if not all((cache / name).exists() for name in names):
        with packages.unpacked(PACKAGE, cache) as content:
            for name in names:
                (content / "skimage/data" / name).replace(cache / name)
    return cache


def load(path):
    """The picture as it is shown: a camera may say that it has to be turned."""
    turned = ffmpeg.run("-i", path, "-frames:v", "1", "-pix_fmt", "rgb24", "-c:v", "ppm", "-f", "image2pipe", "-")
    _, size, _, raw = turned.split(b"\n", 3)
    width, height = map(int, size.split())
    return np.frombuffer(raw, np.uint8).reshape(height, width, 3)


def resized(picture, width, height):
    """Bilinear; a mean first where it is much larger."""
    while picture.shape[0] >= 2 * height and picture.shape[1] >= 2 * width:
        even = picture[:picture.shape[0] // 2 * 2, :picture.shape[1] // 2 * 2].astype(np.float32)
        picture = (even[::2, ::2] + even[1::2, ::2] + even[::2, 1::2] + even[1::2, 1::2]) / 4
    y = (np.arange(height) + .5) * picture.shape[0] / height - .5
    x = (np.arange(width) + .5) * picture.shape[1] / width - .5
    y0 = np.clip(np.floor(y), 0, picture.shape[0] - 2).astype(int)
    x0 = np.clip(np.floor(x), 0, picture.shape[1] - 2).astype(int)
    fy = np.clip(y - y0, 0, 1)[:, None, None]
    fx = np.clip(x - x0, 0, 1)[None, :, None]
    p = picture.astype(np.float32)
    top = p[y0][:, x0] * (1 - fx) + p[y0][:, x0 + 1] * fx
    bottom = p[y0 + 1][:, x0] * (1 - fx) + p[y0 + 1][:, x0 + 1] * fx
    return top * (1 - fy) + bottom * fy


def moving(rng, picture, box, kind, count=12):
    """Frames of a loop: noise of a camera, a light on the subject, or a sway of everything."""
    height, width = picture.shape[:2]
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    cx, cy = box[0] + box[2] / 2, box[1] + box[3] / 2
    spot = np.exp(-(((x - cx) / (box[2] / 2)) ** 2 + ((y - cy) / (box[3] / 2)) ** 2))[..., None]
    frames = []
    for n in range(count):
        turn = 2 * np.pi * n / count
        frame = picture.astype(np.float32)
        if kind == "light":
            frame = frame * (1 + .15 * np.sin(turn) * spot)
        elif kind == "sway":
            frame = np.roll(frame, round(2 * np.sin(turn)), axis=1)
        frames.append(np.clip(frame + rng.normal(0, 1.5, frame.shape), 0, 255).astype(np.uint8))
    return frames


def part(rng, photograph, box, shape, key):
    """A part of a photograph in a shape, with the box somewhere in it but not in its middle; None where it has no room."""
    width, height = SHAPES[shape]
    for _ in range(200):
        zoom = rng.uniform(.45, 1) * min(photograph.shape[1] / width, photograph.shape[0] / height)
        w, h = width * zoom, height * zoom
        window_width, window_height = window(w, h, key)
        if box[2] > .9 * window_width or box[3] > .9 * window_height:
            continue
        x = rng.uniform(max(0, box[0] + box[2] - w), min(box[0], photograph.shape[1] - w) + 1e-6)
        y = rng.uniform(max(0, box[1] + box[3] - h), min(box[1], photograph.shape[0] - h) + 1e-6)
        if x < 0 or y < 0 or x + w > photograph.shape[1] or y + h > photograph.shape[0] \
                or x > box[0] or y > box[1] or x + w < box[0] + box[2] or y + h < box[1] + box[3]:
            continue
        cut = photograph[int(y):int(y + h), int(x):int(x + w)]
        scale = width / cut.shape[1], height / cut.shape[0]
        found = ((box[0] - int(x)) * scale[0], (box[1] - int(y)) * scale[1], box[2] * scale[0], box[3] * scale[1])
        picture = resized(cut, width, height)
        if rng.random() < .5:
            picture, found = picture[:, ::-1], (width - found[0] - found[2], *found[1:])
        return picture, found
    return None


def background(rng, width, height, kind):
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    a, b = rng.uniform(20, 235, 3), rng.uniform(20, 235, 3)
    if kind == "gradient":
        t = (x / width * rng.uniform(-1, 1) + y / height * rng.uniform(.3, 1))
        t = (t - t.min()) / (t.max() - t.min())
    elif kind == "clouds":
        t = sum(resized(rng.uniform(0, 1, (n + 2, n + 2, 1)), width, height)[..., 0] / n for n in (3, 6, 12, 24))
        t = (t - t.min()) / (t.max() - t.min())
    elif kind == "stripes":
        t = .5 + .5 * np.sign(np.sin((x * rng.uniform(-.2, .2) + y * rng.uniform(.02, .2))))
        b = a * .7 + b * .3
    else:  # grain
        t = rng.uniform(0, 1, (height, width)).astype(np.float32)
        b = a * .6 + b * .4
    return a + (b - a) * t[..., None]


def painted(rng, subject, shape, key):
    """One subject on a background, with a box around it."""
    width, height = SHAPES[shape]
    picture = background(rng, width, height, rng.choice(["gradient", "clouds", "stripes", "grain"]))
    window_width, window_height = window(width, height, key)
    w, h = rng.uniform(.3, .8) * window_width * .8, rng.uniform(.3, .8) * window_height * .6
    if subject in ("face", "disc", "star", "flower"):
        w = h = min(w, h)
    x, y = rng.uniform(0, width - w), rng.uniform(0, height - h)
    v, u = np.mgrid[0:height, 0:width].astype(np.float32)
    u, v = (u - x) / w * 2 - 1, (v - y) / h * 2 - 1  # -1...1 in the box
    tone, other = rng.uniform(0, 255, 3), rng.uniform(0, 255, 3)
    while np.abs(tone - picture.mean((0, 1))).max() < 60:
        tone = rng.uniform(0, 255, 3)
    r = np.hypot(u, v)
    angle = np.arctan2(v, u)
    inside = (np.abs(u) <= 1) & (np.abs(v) <= 1)
    if subject == "disc":
        mask = r <= 1
        paint = [(mask, tone)]
    elif subject == "face":
        eyes = np.minimum(np.hypot(u - .35, v + .2), np.hypot(u + .35, v + .2)) < .13
        mouth = (np.abs(np.hypot(u, v - .1) - .45) < .06) & (v > .2)
        paint = [(r <= 1, tone), (eyes | mouth, 255 - tone)]
    elif subject == "star":
        paint = [(r <= .6 + .4 * np.cos(5 * angle), tone)]
    elif subject == "flower":
        paint = [(r <= .7 + .3 * np.cos(8 * angle), tone), (r < .3, other)]
    elif subject == "words":
        letters = (np.sin(u * 40) > .2) & (np.abs(np.sin(v * 6 + .6)) > .35) & (np.sin(u * 13 + v * 3) > -.8)
        paint = [(inside & letters, tone)]
    else:  # tower
        paint = [(inside & (np.abs(u) < .25 + .2 * v), tone), (inside & (np.abs(u) < .1) & (np.sin(v * 20) > 0), other)]
    for mask, colour in paint:
        picture = np.where((mask & inside)[..., None], colour, picture)
    return picture, (x, y, w, h)


SUBJECTS = {"tuning": ["disc", "words", "flower"], "reporting": ["face", "star", "tower"]}


def whole(part):
    """The whole pictures of a part, scaled."""
    rng = np.random.default_rng({"whole-tuning": 7, "whole-reporting": 8}[part])
    made = []
    for n, (name, (path, key, (left, top, right, bottom))) in enumerate(labels.fetch(part, CACHE).items()):
        picture = load(path)
        scale = LONGEST / max(picture.shape[:2])
        width, height = (max(2, round(side * scale / 2) * 2) for side in picture.shape[1::-1])
        box = (left * width / 100, top * height / 100, (right - left) * width / 100, (bottom - top) * height / 100)
        kind = KINDS[n % 3]
        frames = moving(rng, resized(picture, width, height), box, kind)
        made.append(Picture(f"{n:02}-{name}-{kind}", key, frames, box))
    return made


def pictures(half, count=30):
    """The pictures of a half of the set, or of a part with whole pictures."""
    if half in labels.LABELS:
        return whole(half)
    rng = np.random.default_rng({"tuning": 5, "reporting": 6}[half])
    folder = photographs()
    loaded = {name: load(folder / name) for name in PHOTOGRAPHS[half]}
    names = list(loaded)
    made = []
    n = 0
    while len(made) < count:
        shape, key = CHOICES[n % len(CHOICES)]
        if n % 2 == 0:
            name = names[n // 2 % len(names)]
            found = part(rng, loaded[name], PHOTOGRAPHS[half][name], shape, key)
        else:
            name = SUBJECTS[half][n // 2 % len(SUBJECTS[half])]
            found = painted(rng, name, shape, key)
        kind = KINDS[n % 3]
        # The next shape in the next round, also for the photographs.
        n += 1 if n % 8 != 7 else 2
        if found is None:
            continue
        picture, box = found
        made.append(Picture(f"{len(made):02}-{Path(name).stem}-{kind}", key, moving(rng, picture, box, kind), box))
    return made
