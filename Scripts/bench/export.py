#!/usr/bin/env python3
"""Bytes and processor time of `artworkd export` beside ffmpeg and img2webp, at equal quality.

    Scripts/bench/export.py [--size 320] [--seconds 3]

The source is a drawn cover in motion. Quality is the mean PSNR of the colours over all frames. A rival with a scale of quality
is run at several, and its bytes at our PSNR are found between them. Above 1 is more than the rival takes. Needs Pillow, numpy,
ffmpeg and img2webp (Debian's webp).
"""
from pathlib import Path
import sys
import tempfile

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import numpy as np
from PIL import Image

from lib import draw
from lib import ffmpeg as encoder
from lib.tool import Parser, seconds, tool

parser = Parser(__doc__)
parser.add_argument("--size", type=int, default=320)
parser.add_argument("--seconds", type=float, default=3)
options = parser.parse_args()


def pictures(path):
    if path.suffix == ".avif":
        # Pillow takes the nearest chroma sample, which hides what an encoder loses.
        raw = encoder.run("-i", path, "-sws_flags", "accurate_rnd+full_chroma_int", "-pix_fmt", "rgb24", "-f", "rawvideo", "-")
        yield from np.frombuffer(raw, np.uint8).reshape(-1, options.size, options.size, 3).astype(np.float32)
        return
    image = Image.open(path)
    for number in range(image.n_frames):
        image.seek(number)
        yield np.asarray(image.convert("RGB")).astype(np.float32)


def psnr(path, source):
    values = [10 * np.log10(255 ** 2 / max(0.01, ((a - b) ** 2).mean())) for a, b in zip(pictures(path), source, strict=True)]
    return float(np.mean(values))


with tempfile.TemporaryDirectory() as folder:
    folder = Path(folder)
    cover = draw.cover(options.size, (4, 60), (16, 30), (64, 12))
    # A dark bar.
    side = options.size
    cover.paste((20, 24, 40), (side // 10, int(side * 0.8), side // 2, int(side * 0.88)))
    cover.save(folder / "cover.png")
    seconds([tool(), "animate", folder / "cover.png", "-o", folder, "--key", "1x1", "--seconds", options.seconds])
    video = folder / "cover_1x1.mp4"
    # What all start from, as pictures.
    encoder.run("-i", video, "-sws_flags", "accurate_rnd+full_chroma_int", folder / "%04d.png")
    stills = sorted(folder.glob("[0-9]*.png"))
    source = [np.asarray(Image.open(path).convert("RGB")).astype(np.float32) for path in stills]
    ffmpeg = ["ffmpeg", "-v", "error", "-y", "-threads", "1", "-i", video]
    palette = "split[a][b];[a]palettegen[p];[b][p]paletteuse=dither="
    rivals = {
        "webp": {
            "ffmpeg libwebp_anim": [ffmpeg + ["-c:v", "libwebp_anim", "-q:v", q, "-loop", "0", "OUT"] for q in (60, 75, 85, 93)],
            "img2webp": [["img2webp", "-loop", "0", "-lossy", "-q", q, "-d", "33"] + stills + ["-o", "OUT"] for q in (60, 75, 85, 93)],
        },
        "gif": {
            "ffmpeg bayer": [ffmpeg + ["-vf", palette + "bayer:bayer_scale=3", "OUT"]],
            "ffmpeg sierra2_4a": [ffmpeg + ["-vf", palette + "sierra2_4a", "OUT"]],
        },
        "png": {"ffmpeg apng": [ffmpeg + ["-f", "apng", "-plays", "0", "OUT"]]},
        "avif": {
            "ffmpeg libaom-av1": [
                ffmpeg + ["-c:v", "libaom-av1", "-threads", "1", "-cpu-used", "6", "-crf", q, "-b:v", "0", "-g", "240", "OUT"]
                for q in (16, 20, 24, 28)],
        },
    }
    print("| format | beside | PSNR, ours | theirs | bytes | processor time |\n|---|---|---:|---:|---:|---:|")
    for format, others in rivals.items():
        ours = folder / f"ours.{format}"
        spent = seconds([tool(), "export", video, "-o", ours])
        quality, size = psnr(ours, source), ours.stat().st_size
        for name, commands in others.items():
            points = []
            for number, command in enumerate(commands):
                theirs = folder / f"theirs-{number}.{format}"
                theirs.unlink(missing_ok=True)
                time = seconds([theirs if part == "OUT" else part for part in command])
                points.append((psnr(theirs, source), theirs.stat().st_size, time))
            points.sort()
            levels = [point[0] for point in points]
            theirs_size = float(np.exp(np.interp(quality, levels, np.log([point[1] for point in points]))))
            theirs_time = float(np.interp(quality, levels, [point[2] for point in points]))
            their_quality = min(max(quality, levels[0]), levels[-1])
            print(f"| {format} | {name} | {quality:.1f} dB | {their_quality:.1f} dB | {size / theirs_size:.2f} | "
                  f"{spent / theirs_time:.2f} |", flush=True)
