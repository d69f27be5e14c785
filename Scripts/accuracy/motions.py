#!/usr/bin/env python3
"""Covers of every kind through every motion of `artworkd animate`: what is written, what is refused, and how it looks.

    Scripts/accuracy/motions.py [--covers 200] [--size 160] [--seconds 3] [--photos DIR] [--sheets DIR] [MOTION...]

Draws covers of eight kinds, and takes crops of the pictures in DIR in addition. Of each loop: what `check` says, how far a
sample of its first frame is at most from the cover's in 4:2:0, before coding, and the PSNR of its worst frame beside what was
drawn, over all samples. With --sheets, a picture of five frames of some loops of each motion. Needs Pillow, numpy, ffmpeg, a C
compiler and libavcodec's headers.
"""
import collections
import math
import os
from pathlib import Path
import subprocess
import sys
import tempfile

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import numpy as np
from PIL import Image, ImageDraw, ImageFilter, ImageFont

from lib import ffmpeg
from lib.tool import Parser, check, compiled, tool

MOTIONS = ["drift", "breathe", "parallax", "light", "shimmer", "grain"]
parser = Parser(__doc__)
parser.add_argument("motions", nargs="*", default=MOTIONS, metavar="MOTION")
parser.add_argument("--covers", type=int, default=200)
parser.add_argument("--size", type=int, default=160)
parser.add_argument("--seconds", type=float, default=3)
parser.add_argument("--key", choices=["1x1", "3x4"], default="1x1")
parser.add_argument("--photos", type=Path)
parser.add_argument("--sheets", type=Path)
options = parser.parse_args()
side = options.size


def clouds(random, low, high, cells=(3, 9, 27)):
    """Soft noise of several sizes."""
    picture = np.zeros((side, side, 3))
    for count in cells:
        layer = random.normal(0, 1 / math.sqrt(count), (count, count, 3)).astype(np.float32)
        for channel in range(3):
            picture[..., channel] += np.asarray(Image.fromarray(layer[..., channel]).resize((side, side), Image.BICUBIC))
    picture = (picture - picture.min()) / np.ptp(picture)
    return Image.fromarray((low + picture * (high - low)).astype(np.uint8))


def color(random, low=0, high=255):
    return tuple(int(value) for value in random.integers(low, high + 1, 3))


def words(picture, random, ink, lines=3):
    draw = ImageDraw.Draw(picture)
    for line in range(lines):
        text = "".join(random.choice(list("ABDEGHKMNORSTW"), int(random.integers(3, 7))))
        size = side * random.uniform(0.1, 0.22)
        font = ImageFont.load_default(size)
        draw.text((side * random.uniform(0.05, 0.25), side * (0.08 + 0.3 * line)), text, fill=ink, font=font)
    return picture


def shapes(picture, random, count, low=0, high=255):
    draw = ImageDraw.Draw(picture)
    for _ in range(count):
        x, y = random.uniform(0, side, 2)
        reach = side * random.uniform(0.05, 0.35)
        box = [x - reach, y - reach, x + reach * random.uniform(0.3, 1), y + reach]
        (draw.ellipse if random.random() < 0.5 else draw.rectangle)(box, fill=color(random, low, high))
    return picture


def face(random):
    """A head before a soft background."""
    picture = clouds(random, 40, 200).filter(ImageFilter.GaussianBlur(side / 20))
    draw = ImageDraw.Draw(picture)
    x, y, reach = side * random.uniform(0.35, 0.65), side * random.uniform(0.4, 0.55), side * random.uniform(0.15, 0.3)
    skin = tuple(int(value) for value in np.array([224, 180, 150]) * random.uniform(0.4, 1))
    draw.rectangle([x - reach * 1.6, y + reach * 1.3, x + reach * 1.6, side], fill=color(random, 20, 160))
    draw.ellipse([x - reach, y - reach * 1.3, x + reach, y + reach * 1.4], fill=skin)
    for eye in (-0.4, 0.4):
        draw.ellipse([x + (eye - 0.14) * reach, y - reach * 0.25, x + (eye + 0.14) * reach, y], fill=(30, 25, 20))
    draw.arc([x - reach * 0.4, y + reach * 0.3, x + reach * 0.4, y + reach * 0.8], 10, 170, fill=(120, 40, 40), width=max(1, side // 60))
    return picture.filter(ImageFilter.GaussianBlur(side / 400))


def drawn(kind, random):
    if kind == "clouds":
        return clouds(random, 10, 245)
    if kind == "type":
        return words(Image.new("RGB", (side, side), color(random)), random, color(random))
    if kind == "type on picture":
        return words(clouds(random, 20, 180), random, (245, 240, 230), lines=2)
    if kind == "drawing":
        return shapes(Image.new("RGB", (side, side), color(random)), random, int(random.integers(4, 14)))
    if kind == "dark":
        return shapes(clouds(random, 0, 30), random, 2, 10, 70)
    if kind == "white":
        return shapes(Image.new("RGB", (side, side), (255, 255, 255)), random, 2, 120, 255)
    if kind == "face":
        return face(random)
    count = int(random.integers(4, 24))
    y, x = np.mgrid[0:side, 0:side] / side * 2 * math.pi
    angle = random.uniform(0, math.pi)
    wave = np.sin(count * (x * math.cos(angle) + y * math.sin(angle)))
    return Image.fromarray((128 + wave[..., None] * random.uniform(30, 110, 3)).astype(np.uint8))


def covers():
    random = np.random.default_rng(7)
    made = []
    if options.photos:
        for path in sorted(options.photos.rglob("*")):
            try:
                photo = Image.open(path).convert("RGB")
            except OSError:
                continue
            # The whole of it, and a part.
            for share in (1.0, 0.6):
                reach = int(min(photo.size) * share)
                left, top = (int(random.integers(0, length - reach + 1)) for length in photo.size)
                part = photo.crop((left, top, left + reach, top + reach))
                made.append(("photo", part.resize((side, side), Image.LANCZOS)))
    kinds = ["clouds", "type", "type on picture", "drawing", "dark", "white", "face", "pattern"]
    for number in range(max(0, options.covers - len(made))):
        kind = kinds[number % len(kinds)]
        made.append((kind, drawn(kind, random)))
    return made[:options.covers]


def frames(path, choice=None):
    part = ["-vf", choice, "-vsync", "0"] if choice else ["-frames:v", "1"]
    return ffmpeg.run("-i", path, *part, "-pix_fmt", "rgb24", "-f", "rawvideo", "-")


def still(cover):
    """The planes of a cover as the encoder of a still of it is given them."""
    raw = ffmpeg.run("-i", cover, "-vf", "scale=out_color_matrix=bt709:out_range=tv:flags="
                     "bicubic+accurate_rnd+full_chroma_int+full_chroma_inp,format=yuv420p", "-f", "rawvideo", "-")
    return np.frombuffer(raw, np.uint8).astype(int)


def worst_frame(drawn, made, size):
    """The least PSNR of a frame of a video beside the planes that its encoder was given."""
    raw = ffmpeg.run("-i", made, "-pix_fmt", "yuv420p", "-vsync", "0", "-f", "rawvideo", "-")
    count = size[0] * size[1] + 2 * ((size[0] + 1) // 2) * ((size[1] + 1) // 2)
    one, other = (np.frombuffer(data, np.uint8).reshape(-1, count) for data in (drawn.read_bytes(), raw))
    if len(one) != len(other):
        raise SystemExit(f"{made}: {len(other)} frames of {len(one)}")
    errors = [((a.astype(np.float32) - b) ** 2).mean() for a, b in zip(one, other)]
    return 10 * math.log10(255 ** 2 / max(1e-3, max(errors)))


with tempfile.TemporaryDirectory() as root:
    root = Path(root)
    everything = covers()
    watch = compiled(Path(__file__).with_name("motions-frames.c"), root / "frames.so", options=("-O2", "-shared", "-fPIC", "-ldl"))
    drawn_frames = root / "frames"
    for number, (_, cover) in enumerate(everything):
        cover.save(root / f"{number:03}.png")
    table = collections.Counter()
    refused = collections.defaultdict(collections.Counter)
    instead = collections.Counter()
    quality, apart = {}, collections.Counter()
    bad = []
    for motion in options.motions:
        out = root / motion
        for number, (kind, _) in enumerate(everything):
            done = subprocess.run(
                [tool(), "animate", root / f"{number:03}.png", "-o", out, "--motion", motion, "--key", options.key,
                 "--seconds", str(options.seconds), "--no-isolation"], capture_output=True, text=True,
                env={**os.environ, "LD_PRELOAD": str(watch), "FRAMES": str(drawn_frames)})
            table[motion, kind] += done.returncode == 0
            if done.returncode:
                reason = done.stderr.split(": ", 2)[-1].splitlines()[0]
                refused[motion, kind][reason] += 1
                continue
            if "instead of" in done.stdout:
                instead[motion, kind] += 1
            height = side if options.key == "1x1" else int(done.stdout.split(f"{side}x")[-1].split(";")[0])
            level = worst_frame(drawn_frames, out / f"{number:03}_{options.key}.mp4", (side, height))
            quality.setdefault(motion, []).append((round(level, 1), number, kind))
            if options.key == "1x1":
                planes = still(root / f"{number:03}.png")
                given = np.fromfile(drawn_frames, np.uint8, len(planes))
                apart[motion] = max(apart[motion], int(np.abs(given - planes).max()))
        for path, result in check(out, "--key", options.key).items():
            seam = [f["rule"] for f in result["findings"] if f["rule"] in ("loop-seam", "fade", "loop-gap", "flash")]
            if result["seam"]["verdict"] != "seamless" or seam:
                bad.append((motion, Path(path).name, result["seam"]["verdict"], seam))
        if options.sheets:
            options.sheets.mkdir(parents=True, exist_ok=True)
            count = int(options.seconds * 30)
            picks = [0, count // 6, count // 3, count // 2, count * 5 // 6]
            chosen = sorted(out.glob("*.mp4"))[:: max(1, len(everything) // 12)][:14]
            sheet = Image.new("RGB", (side * len(picks), side * len(chosen)))
            for row, path in enumerate(chosen):
                raw = frames(path, "select=" + "+".join(f"eq(n\\,{pick})" for pick in picks))
                for column, pick in enumerate(np.frombuffer(raw, np.uint8).reshape(len(picks), side, -1, 3)[:, :, :side]):
                    sheet.paste(Image.fromarray(pick), (column * side, row * side))
            sheet.save(options.sheets / f"{motion}.png")
        print(f"{motion}: done", file=sys.stderr)
    kinds = sorted({kind for kind, _ in everything})
    total = collections.Counter(kind for kind, _ in everything)
    print("| written of | " + " | ".join(f"{kind} ({total[kind]})" for kind in kinds) + " | first frame | worst frame |")
    print("|---|" + "---:|" * (len(kinds) + 2))
    for motion in options.motions:
        cells = [str(table[motion, kind]) + (f" ({instead[motion, kind]} drift)" if instead[motion, kind] else "")
                 for kind in kinds]
        print(f"| {motion} | " + " | ".join(cells) + f" | {apart[motion]} | {min(quality[motion])[0]:.1f} dB |")
    for motion in options.motions:
        low = sorted(item for item in quality[motion] if item[0] < 40)
        print(f"{motion}: {len(low)} of {len(quality[motion])} below 40 dB", *low[:5])
    for (motion, kind), reasons in sorted(refused.items()):
        for reason, count in reasons.items():
            print(f"refused: {motion}, {kind}: {count} x {reason}")
    print(f"{len(bad)} of {sum(table.values())} written loops with a remark of the seam")
    for item in bad:
        print("  ", *item)
    sys.exit(1 if bad else 0)
