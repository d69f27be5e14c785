"""Pictures made by others, and drawn ones that only look damaged, for the labelled set of blocks and bands.

Photographs and paintings are those of Scripts/accuracy/derive; wallpapers and tiles come from more packages of Debian,
downloaded once. No package is in both halves, and neither is a drawn kind's seed.
"""

from pathlib import Path

import numpy as np

from accuracy.derive import labels, pictures
from lib import ffmpeg, packages

PAINTED = ("wesnoth-", "planetblupi", "renpy")
WALLPAPERS = {
    "tuning": {
        "gnome-backgrounds": {
            "render": ["adwaita-l.webp", "adwaita-d.webp", "pixels-d.webp", "truchet-l.webp", "licorice-l.webp", "wood-d.webp"],
            "flat": ["drool-l.svg", "dune-d.svg", "field-l.svg", "blobs-d.svg", "oceans.svg", "symbolic-l.webp", "grid-d.webp"]},
        "mate-backgrounds": {
            "photo": ["nature/Blinds.jpg", "nature/Dune.jpg", "nature/Storm.jpg", "nature/Garden.jpg", "nature/RainDrops.jpg"],
            "render": ["abstract/Gulp.png"],
            "flat": ["desktop/Stripes.png", "desktop/Float-into-MATE.png", "desktop/GreenTraditional.jpg"]}},
    "reporting": {
        "plasma-workspace-wallpapers": {
            "render": [f"{name}/contents/images/{size}" for name, size in (
                ("Cascade", "3840x2160.png"), ("Cluster", "3840x2160.png"), ("Flow", "5120x2880.jpg"),
                ("Elarun", "2560x1600.png"), ("Shell", "5120x2880.jpg"), ("Grey", "2560x1600.jpg"), ("Opal", "3840x2160.png"))],
            "flat": [f"{name}/contents/images/{size}" for name, size in (
                ("Altai", "5120x2880.png"), ("PastelHills", "3200x2000.jpg"), ("MilkyWay", "5120x2880.png"),
                ("Kay", "5120x2880.png"), ("Patak", "5120x2880.png"), ("Honeywave", "5120x2880.jpg"))],
            "photo": [f"{name}/contents/images/2560x1600.jpg" for name in (
                "EveningGlow", "BytheWater", "DarkestHour", "ColorfulCups", "ColdRipple")]},
        "desktop-base": {
            "flat": [f"{name}-theme/wallpaper/contents/images/1920x1080.svg" for name in (
                "emerald", "futureprototype", "joy", "lines", "moonlight", "softwaves", "spacefun")]},
        "ukui-wallpapers": {"render": ["city.png", "fluent-color.png", "rhythm.jpg", "string.jpg"]}},
}
# Pictures of small squares, enlarged without smoothing: made as such.
TILES = {
    "tuning": {"crawl-tiles-data": ["tiles/wall.png", "tiles/floor.png", "tiles/gui.png"]},
    "reporting": {"angband-data": ["graf/16x16.png", "graf/8x8.png", "graf/8x16.png"]},
}
SHORT = (480, 540, 640, 720, 1080)


def unpacked(package, cache):
    """The folder of a package of Debian, downloaded once."""
    folder = cache / package
    if not folder.exists():
        with packages.unpacked(package, cache) as content:
            content.rename(folder)
    return folder


def member(package, name, cache):
    return next(path for path in sorted(unpacked(package, cache).rglob(Path(name).name))
                if str(path).endswith("/" + name) and path.is_file() and not path.is_symlink())


def area(picture, width, height):
    """The picture in a size, each sample a mean; never larger."""
    made = ffmpeg.run(*ffmpeg.raw(picture.shape[1], picture.shape[0]), "-vf", f"scale={width}:{height}:flags=area+accurate_rnd",
                      "-f", "rawvideo", "-pix_fmt", "rgb24", "-", data=picture.tobytes())
    return np.frombuffer(made, np.uint8).reshape(height, width, 3)


def fitted(picture, number, margin):
    """A canvas whose window, without the margin, is one of the sizes."""
    height, width = picture.shape[:2]
    sides = [side for side in SHORT if side + margin <= 0.95 * min(width, height)]
    if not sides:
        return picture
    scale = (sides[number % len(sides)] + margin) / min(width, height)
    made = area(picture, round(width * scale), round(height * scale))
    longest = sides[number % len(sides)] * 4 // 3 + margin
    return made[:longest, :longest]


def sources(half, cache):
    """Yields names, kinds and pictures of a half."""
    derived = cache / "derive"
    folder = pictures.photographs(derived)
    for name in pictures.PHOTOGRAPHS[half]:
        yield Path(name).stem, "photo", pictures.load(folder / name)
    part = f"whole-{half}"
    owner = {row[0]: package for package, rows in labels.LABELS[part].items() for row in rows}
    found = labels.fetch(part, derived)
    painted = [name for name in found if owner[name].startswith(PAINTED)]
    photos = [name for name in found if not owner[name].startswith(PAINTED)]
    for kind, names in (("painted", painted), ("photo", photos)):
        step = max(1, len(names) // (10 if kind == "painted" else 12))
        for name in sorted(names)[::step]:
            picture = pictures.load(found[name][0])
            # What a camera or another encoder left is gone once it is reduced.
            if kind == "painted" or min(picture.shape[:2]) >= 1.2 * SHORT[0]:
                yield name, kind, picture
    for package, kinds in WALLPAPERS[half].items():
        for kind, names in kinds.items():
            for name in names:
                short = name.split("/")[0] if "contents" in name else Path(name).stem
                yield short, kind, pictures.load(member(package, name, cache))
    for name, picture in traps(half, cache):
        yield name, "trap", picture


def traps(half, cache):
    """Yields names and pictures that are meant to have squares, steps or lines."""
    rng = np.random.default_rng({"tuning": 42, "reporting": 43}[half])
    side = 620
    for package, names in TILES[half].items():
        for place, name in enumerate(names):
            tile = pictures.load(member(package, name, cache))
            for scale in ((2, 4), (3, 8), (5, 6))[place]:
                need = side // scale + 1
                top, left = (int(rng.integers(0, max(1, length - need))) for length in tile.shape[:2])
                cut = tile[top:top + need, left:left + need]
                yield f"{Path(name).stem}-x{scale}", cut.repeat(scale, 0).repeat(scale, 1)
    photos = [pictures.load(path) for path, *_ in list(labels.fetch(f"whole-{half}", cache / "derive").values())[3:90:5]]
    y, x = np.mgrid[0:side, 0:side]
    for size in (8, 12, 16):
        small = area(photos[size % 5], side // size + 1, side // size + 1)
        yield f"pixelated-{size}", small.repeat(size, 0).repeat(size, 1)[:side, :side]
    for size, contrast in ((8, 20), (16, 90), (24, 8), (10, 40)):
        tone = rng.integers(60, 160, 3)
        yield f"checkers-{size}-{contrast}", np.uint8(tone + contrast * ((x // size + y // size) % 2)[..., None])
    for size in (16, 24, 40):
        tones = rng.integers(30, 225, 3) + rng.normal(0, 12, (side // size + 1, side // size + 1, 1))
        mosaic = tones.repeat(size, 0).repeat(size, 1)[:side, :side]
        joint = ((x % size < 2) | (y % size < 2))[..., None] & (size > 16)
        yield f"mosaic-{size}", clipped(np.where(joint, 90, mosaic))
    for high, wide, joint in ((16, 48, 2), (24, 64, 3), (32, 80, 1)):
        row = y // high
        column = (x + row % 2 * wide // 2) // wide
        tone = np.array([150, 80, 60]) * rng.uniform(0.75, 1.2, (side, side))[row, column][..., None]
        gap = ((y % high < joint) | ((x + row % 2 * wide // 2) % wide < joint))[..., None]
        yield f"bricks-{high}", clipped(np.where(gap, 170, tone) + rng.normal(0, 4, (side, side, 1)))
    for period in (8, 16, 22):
        light = 90 + 110 * (y % period) / period + 20 * x / side
        yield f"blinds-{period}", clipped(np.repeat(light[..., None], 3, 2) * rng.uniform(0.7, 1, 3))
    for size in (80, 128, 104):
        rows = [np.concatenate([area(photos[int(rng.integers(len(photos)))], size, size) for _ in range(side // size + 1)], 1)
                for _ in range(side // size + 1)]
        yield f"albums-{size}", np.concatenate(rows, 0)[:side, :side]
    for levels in (4, 6, 8):
        photo = pictures.resized(photos[levels % 7], side, side)
        for _ in range(3):
            photo = (photo + np.roll(photo, 3, 0) + np.roll(photo, -3, 0) + np.roll(photo, 3, 1) + np.roll(photo, -3, 1)) / 5
        yield f"cells-{levels}", clipped(np.round(photo / 255 * levels) / levels * 255)
    for count, most in ((6, 40), (9, 14), (14, 22)):
        picture = np.full((side, side, 3), rng.integers(20, 120, 3), float)
        for layer in range(count):
            ridge = side * (layer + 1) / (count + 1) + 40 * np.sin(x / rng.uniform(40, 160) + rng.uniform(0, 6))
            picture += np.where(y > ridge, 1, 0)[..., None] * rng.uniform(most / 3, most, 3)
        yield f"layers-{count}", clipped(picture)
    for count in (60, 200):
        points, tones = rng.uniform(0, side, (count, 2)), rng.uniform(40, 220, (count, 3))
        nearest = np.argmin((y[..., None] - points[:, 0]) ** 2 + (x[..., None] - points[:, 1]) ** 2, -1)
        yield f"facets-{count}", np.uint8(tones[nearest] * 0.5 + 60)
    for count in (9, 15):
        rings = (np.hypot(x - side / 2, y - side / 2) // (side / 2 / count)).astype(int)
        tones = np.cumsum(rng.uniform(4, 18, (2 * count, 3)), 0)
        yield f"rings-{count}", clipped(20 + tones[np.minimum(rings, 2 * count - 1)])


def clipped(values):
    return np.clip(np.broadcast_to(values, values.shape[:2] + (3,)) + 0.5, 0, 255).astype(np.uint8)
