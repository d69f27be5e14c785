#!/usr/bin/env python3
"""Measures `artworkd import`: its time beside the least that the libraries allow, what B-frames would change of its bytes, and
how near the decoded frames are.

    swift build -c release
    Scripts/bench/import.py [--repeats N] [--seconds S] [ANIMATION...]

Without names it takes a fractal as GIF and APNG, and a gradient that turns as GIF, all of 540x540. Needs ffmpeg and a C
compiler. ARTWORKD names another binary. Prints markdown: medians of processor time over N runs (5), all to 1080x1080.
`import.c` is the least: the same decoder, scaler and libx264 settings, without a sandbox and without the check of the
result. ffmpeg has one thread and the same settings.
"""

from pathlib import Path
import re
import statistics
import subprocess
import sys
import tempfile

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from lib import ffmpeg as encoder
from lib.tool import Parser, compiled, seconds, tool

SIDE = 1080
X264 = "threads=1:lookahead-threads=1:sync-lookahead=0"
SOURCES = {
    "fractal.gif": "mandelbrot=s=540x540:r=25:start_scale=0.3",
    "fractal.apng": "mandelbrot=s=540x540:r=25:start_scale=0.3",
    "gradient.gif": "gradients=s=540x540:r=25:speed=0.02:c0=navy:c1=orange:seed=3",
}


# import ends with 1 where the result breaks a rule: a fractal that zooms does not loop.
CODES = (0, 1)


def median(repeats, output, command):
    times = []
    for _ in range(repeats):
        output.unlink(missing_ok=True)
        times.append(seconds(command, CODES))
    return statistics.median(times)


def ffmpeg(source, output, frames_between):
    # ffmpeg's own conversion, to BT.709 as import makes it.
    scale = f"scale={SIDE}:{SIDE}:flags=lanczos+accurate_rnd:out_color_matrix=bt709:out_range=tv,format=yuv420p"
    return ["ffmpeg", "-v", "error", "-y", "-threads", "1", "-filter_threads", "1", "-i", source, "-vf", scale, "-fps_mode",
            "passthrough", "-c:v", "libx264", "-crf", "16", "-bf", frames_between, "-x264-params", X264, "-movflags",
            "+faststart", output]


def likeness(source, video):
    """The PSNR of luma in dB, of the worst frame."""
    graph = (f"[0]scale={SIDE}:{SIDE}:flags=lanczos+accurate_rnd:out_color_matrix=bt709:out_range=tv,format=yuv420p,"
             "settb=1/25,setpts=N[a];[1]settb=1/25,setpts=N[b];[a][b]psnr=stats_file=-")
    done = subprocess.run(["ffmpeg", "-v", "error", "-i", str(source), "-i", str(video), "-lavfi", graph, "-f", "null", "-"],
                          capture_output=True, text=True)
    found = re.findall(r"psnr_y:(\S+)", done.stdout)
    return min(float(value) for value in found)


def main():
    options = Parser(__doc__)
    options.add_argument("--repeats", type=int, default=5)
    options.add_argument("--seconds", type=float, default=4)
    options.add_argument("animations", nargs="*", type=Path)
    options = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        least = compiled(Path(__file__).with_suffix(".c"), folder / "least", "libavformat", "libavcodec", "libswscale", "libavutil")
        sources = options.animations
        if not sources:
            for name, pattern in SOURCES.items():
                palette = ["-filter_complex", "split[a][b];[a]palettegen[p];[b][p]paletteuse"] if name.endswith("gif") else []
                encoder.run("-f", "lavfi", "-t", options.seconds, "-i", pattern, *palette,
                            "-plays" if name.endswith("apng") else "-loop", "0", folder / name)
                sources.append(folder / name)
        print("| animation | least | artworkd | ffmpeg | to least | bytes | with B-frames | worst frame |")
        print("|---|---:|---:|---:|---:|---:|---:|---:|")
        for source in sources:
            made, other = folder / "made.mp4", folder / "other.mp4"
            size = f"{SIDE}x{SIDE}"
            lowest = median(options.repeats, other, [least, source, SIDE, SIDE, other])
            theirs = median(options.repeats, other, ffmpeg(source, other, "0"))
            ours = median(options.repeats, made, [tool(), "import", source, "--size", size, "-o", made])
            seconds(ffmpeg(source, other, "3"))
            saved = other.stat().st_size / made.stat().st_size - 1
            print(f"| {source.name} | {lowest:.2f} s | {ours:.2f} s | {theirs:.2f} s | {ours / lowest:.2f}x "
                  f"| {made.stat().st_size:,} | {saved:+.0%} | {likeness(source, made):.1f} dB |", flush=True)


if __name__ == "__main__":
    main()
