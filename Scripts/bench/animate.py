#!/usr/bin/env python3
"""Processor time of `artworkd animate` beside ffmpeg with the same encoder settings.

    Scripts/bench/animate.py [--size 1080] [--repeats 3]

Beside each motion: libswscale's Lanczos filter on each of its frames and libx264 (`same frames`), which is what a C program
without a judgement takes. Parallax moves each pixel by itself, which libswscale cannot: beside it is FFmpeg's cubic `perspective`.
Once, FFmpeg's zoompan filter, the usual way: it moves by whole pixels, so its loops shake, and are cheaper to encode. Needs
Pillow, numpy, ffmpeg and 1 GB in the folder for temporary files.
"""
from pathlib import Path
import sys
import tempfile

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from lib import draw, ffmpeg
from lib.tool import Parser, seconds, tool

parser = Parser(__doc__)
parser.add_argument("--size", type=int, default=1080, help="pixels each way of the cover and the loop")
parser.add_argument("--repeats", type=int, default=3)
options = parser.parse_args()
COUNT = 120  # frames


with tempfile.TemporaryDirectory() as folder:
    folder = Path(folder)
    draw.cover(options.size, (4, 60), (16, 30), (64, 20), (256, 10)).save(folder / "cover.png")
    zoom = "zoompan=z='1+0.03*(1-cos(2*PI*on/240))':x='iw/2-iw/zoom/2':y='ih/2-ih/zoom/2'"
    encoder = ["-c:v", "libx264", "-threads", "1", "-crf", "16", "-bf", "0", folder / "rival.mp4"]
    rival = [
        "ffmpeg", "-v", "error", "-y", "-threads", "1", "-i", folder / "cover.png",
        "-vf", f"{zoom}:d={COUNT}:s={options.size}x{options.size}:fps=30,format=yuv420p"] + encoder
    print("| | processor seconds | same frames | ratio | MB |\n|---|---:|---:|---:|---:|")
    best = min(seconds(rival) for _ in range(options.repeats))
    print(f"| ffmpeg zoompan | {best:.1f} | | | {(folder / 'rival.mp4').stat().st_size / 1e6:.1f} |")
    for motion in ("drift", "breathe", "parallax", "light", "shimmer", "grain"):
        made = folder / motion / "cover_1x1.mp4"
        times = []
        for _ in range(options.repeats):
            made.unlink(missing_ok=True)
            times.append(seconds([
                tool(), "animate", folder / "cover.png", "-o", folder / motion, "--motion", motion, "--key", "1x1",
                "--width", str(options.size), "--seconds", str(COUNT // 30)]))
        ffmpeg.run("-i", made, "-f", "rawvideo", "-pix_fmt", "rgb24", folder / "frames")
        size = f"{options.size}x{options.size}"
        # A part in its full size, as a zoom has it.
        part = options.size * 97 // 100
        lanczos = f"crop={part}:{part},scale={options.size}:{options.size}:flags=lanczos"
        low, high = options.size // 100, options.size * 99 // 100
        warp = (f"format=gbrp,perspective=x0={low}:y0={low}:x1={high}:y1={low + 2}:x2={low - 2}:y2={high}:x3={high + 2}:y3={high}:"
                "interpolation=cubic")
        same = min(seconds([
            "ffmpeg", "-v", "error", "-y", "-threads", "1", "-f", "rawvideo", "-pix_fmt", "rgb24", "-s", size, "-r", "30", "-i",
            folder / "frames", "-vf", f"{warp if motion == 'parallax' else lanczos},format=yuv420p",
        ] + encoder) for _ in range(options.repeats))
        print(f"| animate --motion {motion} | {min(times):.1f} | {same:.1f} | {min(times) / same:.2f} | "
              f"{made.stat().st_size / 1e6:.1f} |", flush=True)
