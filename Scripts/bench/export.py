#!/usr/bin/env python3
"""Bytes and processor time of `artworkd export` beside ffmpeg, img2webp and gifsicle, at equal quality.

    Scripts/bench/export.py [--size 320] [--seconds 3] [--format webp] [CLIP ...]

The source is a drawn cover in motion, or the beginning of each CLIP in a width of at most `--size`, at 15 frames a second.
Quality is the mean SSIM of red, green and blue over every fourth frame (squares of 7 pixels). A rival with a scale of quality
is run at several, and its bytes at our SSIM are found between them. Above 1 is more than the rival takes. Needs Pillow, numpy,
ffmpeg, img2webp (Debian's webp) and gifsicle.
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
parser.add_argument("--format", choices=["webp", "gif", "png", "avif"], action="append")
parser.add_argument("clips", nargs="*", type=Path)
options = parser.parse_args()
EXACT = ["-sws_flags", "accurate_rnd+full_chroma_int"]


def pictures(path, shape, milliseconds):
    """What a file shows in the middle of each frame of the source, which lasts so long."""
    if path.suffix == ".avif":
        # Pillow takes the nearest chroma sample, which hides what an encoder loses.
        raw = encoder.run("-i", path, *EXACT, "-pix_fmt", "rgb24", "-f", "rawvideo", "-")
        yield from np.frombuffer(raw, np.uint8).reshape(-1, *shape).astype(np.float32)
        return
    image = Image.open(path)
    end, number, shown = 0, -1, None
    while True:
        number += 1
        while shown is None or (number + 0.5) * milliseconds >= end:
            if shown is not None and image.tell() + 1 >= image.n_frames:
                return
            image.seek(image.tell() + (shown is not None))
            shown = np.asarray(image.convert("RGB")).astype(np.float32)
            end += image.info["duration"]
        yield shown


def means(plane):
    """The mean of each square of 7 pixels."""
    sums = np.pad(plane.astype(np.float64).cumsum(0).cumsum(1), ((1, 0), (1, 0), (0, 0)))
    return (sums[7:, 7:] - sums[:-7, 7:] - sums[7:, :-7] + sums[:-7, :-7]) / 49


def likeness(one, other):
    a, b = means(one), means(other)
    aa, bb, ab = means(one * one) - a * a, means(other * other) - b * b, means(one * other) - a * b
    low, high = 0.01 ** 2 * 255 ** 2, 0.03 ** 2 * 255 ** 2
    return (((2 * a * b + low) * (2 * ab + high)) / ((a * a + b * b + low) * (aa + bb + high))).mean()


def ssim(path, source, milliseconds):
    pairs = list(zip(pictures(path, source[0].shape, milliseconds), source))
    assert len(pairs) == len(source), f"{path} shows {len(pairs)} of {len(source)} frames"
    return float(np.mean([likeness(*pair) for pair in pairs[1::4]]))


def drawn(folder):
    cover = draw.cover(options.size, (4, 60), (16, 30), (64, 12))
    # A dark bar.
    side = options.size
    cover.paste((20, 24, 40), (side // 10, int(side * 0.8), side // 2, int(side * 0.88)))
    cover.save(folder / "cover.png")
    seconds([tool(), "animate", folder / "cover.png", "-o", folder, "--key", "1x1", "--seconds", options.seconds])
    return folder / "cover_1x1.mp4", 30


def beginning(clip, folder):
    video = folder / "clip.mp4"
    encoder.run("-i", clip, "-t", options.seconds, "-vf", f"fps=15,scale='trunc(min({options.size},iw)/2)*2':-2", "-an",
                "-c:v", "libx264", "-qp", "0", "-pix_fmt", "yuv420p", video)
    return video, 15


def rivals(video, stills, milliseconds, folder):
    ffmpeg = ["ffmpeg", "-v", "error", "-y", "-threads", "1", "-i", video]
    palette = "split[a][b];[a]palettegen=max_colors={}[p];[b][p]paletteuse=dither={}"
    few = folder / "few.gif"
    encoder.run("-i", video, "-vf", palette.format(128, "none"), few)
    return {
        "webp": {
            "ffmpeg libwebp_anim": [ffmpeg + ["-c:v", "libwebp_anim", "-q:v", q, "-loop", "0", "OUT"] for q in (60, 75, 85, 93)],
            "img2webp": [["img2webp", "-loop", "0", "-lossy", "-q", q, "-d", str(round(milliseconds))] + stills + ["-o", "OUT"]
                         for q in (50, 65, 78, 88, 95)],
        },
        "gif": {
            "ffmpeg bayer": [ffmpeg + ["-vf", palette.format(256, "bayer:bayer_scale=3"), "OUT"]],
            "ffmpeg sierra2_4a": [ffmpeg + ["-vf", palette.format(256, "sierra2_4a"), "OUT"]],
            "gifsicle --lossy": [["gifsicle", "-O3", f"--lossy={loss}", few, "-o", "OUT"] for loss in (20, 60, 100, 200)],
        },
        "png": {"ffmpeg apng": [ffmpeg + ["-f", "apng", "-plays", "0", "OUT"]]},
        "avif": {
            "ffmpeg libaom-av1": [
                ffmpeg + ["-c:v", "libaom-av1", "-threads", "1", "-cpu-used", "6", "-crf", q, "-b:v", "0", "-g", "240", "OUT"]
                for q in (16, 20, 24, 28)],
        },
    }


print("| source | format | beside | SSIM, ours | theirs | bytes | processor time |\n|---|---|---|---:|---:|---:|---:|")
for clip in options.clips or [None]:
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        video, rate = beginning(clip, folder) if clip else drawn(folder)
        # What all start from, as pictures.
        encoder.run("-i", video, *EXACT, folder / "%04d.png")
        stills = sorted(folder.glob("[0-9]*.png"))
        source = [np.asarray(Image.open(path).convert("RGB")).astype(np.float32) for path in stills]
        milliseconds = 1000 / rate
        for format, others in rivals(video, stills, milliseconds, folder).items():
            if options.format and format not in options.format:
                continue
            for quality in [[], ["--quality", "128"]] if format == "gif" else [[]]:
                ours = folder / f"ours.{format}"
                ours.unlink(missing_ok=True)
                spent = seconds([tool(), "export", video, "-o", ours] + quality)
                level, size = ssim(ours, source, milliseconds), ours.stat().st_size
                for name, commands in others.items():
                    points = []
                    for number, command in enumerate(commands):
                        theirs = folder / f"theirs-{number}.{format}"
                        theirs.unlink(missing_ok=True)
                        time = seconds([theirs if part == "OUT" else part for part in command])
                        points.append((ssim(theirs, source, milliseconds), theirs.stat().st_size, time))
                    points.sort()
                    levels = -np.log(1 - np.array([point[0] for point in points]))
                    place = -np.log(1 - level)
                    theirs_size = float(np.exp(np.interp(place, levels, np.log([point[1] for point in points]))))
                    theirs_time = float(np.interp(place, levels, [point[2] for point in points]))
                    their_level = min(max(level, points[0][0]), points[-1][0])
                    title = " ".join([format] + quality[1:])
                    print(f"| {clip.name if clip else 'drawn'} | {title} | {name} | {level:.3f} | {their_level:.3f} | "
                          f"{size / theirs_size:.2f} | {spent / theirs_time:.2f} |", flush=True)
