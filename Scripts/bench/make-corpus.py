#!/usr/bin/env python3
"""Builds the benchmark corpus under .build/bench with ffmpeg and libx264/libx265.

Every clip is moving, noise-like art that loops. Files that exist are kept, so a
second run does nothing. The same ffmpeg version makes the same bytes: one
encoder thread, seeded noise, no dates in the files.
"""

import concurrent.futures
import fractions
import os
import pathlib
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass

BENCH = pathlib.Path(__file__).resolve().parents[2] / ".build" / "bench"


@dataclass(frozen=True)
class Clip:
    codec: str
    gop: str  # "250" is the encoder's default, "1s" a key frame a second, "intra" for ProRes
    size: str
    rate: str
    seconds: float
    flags: str = ""  # of "faststart", "audio", "10bit"

    @property
    def name(self):
        rate = f"{float(fractions.Fraction(self.rate)):.4g}"
        flags = "".join("-" + flag for flag in self.flags.split())
        suffix = ".mov" if self.codec == "prores" else ".mp4"
        return f"{self.codec}-{self.gop}-{self.size}-{rate}fps-{self.seconds:g}s{flags}{suffix}"

    @property
    def pixels(self):
        """Width and height."""
        width, height = self.size.split("x")
        return int(width), int(height)

    @property
    def frames(self):
        return round(self.seconds * fractions.Fraction(self.rate))

    @property
    def weight(self):
        """A guess at the encoding time, to start the longest first."""
        width, height = self.pixels
        return width * height * self.frames * {"h264": 1, "hevc": 3, "prores": 0.5}[self.codec]


CORPUS = [
    Clip("h264", "250", "540x540", "24", 3),
    Clip("h264", "250", "540x540", "30", 8, "faststart"),
    Clip("h264", "250", "540x720", "30", 30),
    Clip("h264", "250", "720x720", "30000/1001", 8, "audio"),
    Clip("h264", "250", "720x960", "30", 15),
    Clip("h264", "250", "810x1080", "24", 10, "faststart"),
    Clip("h264", "250", "1080x1080", "30", 5),
    Clip("h264", "250", "1080x1080", "30", 8, "faststart audio"),
    Clip("h264", "250", "1080x1080", "60", 10),
    Clip("h264", "250", "1080x1080", "24000/1001", 20),
    Clip("h264", "250", "1080x1440", "30", 8),
    Clip("h264", "250", "1080x1440", "25", 15, "faststart"),
    Clip("h264", "250", "1440x1440", "30", 6),
    Clip("h264", "250", "2160x2160", "30", 5),
    Clip("h264", "250", "2048x2732", "24", 6),
    Clip("h264", "250", "3840x3840", "24", 4),
    Clip("h264", "1s", "540x540", "30", 10),
    Clip("h264", "1s", "540x540", "60", 30),
    Clip("h264", "1s", "720x720", "24", 15, "audio"),
    Clip("h264", "1s", "810x1080", "30", 20, "faststart"),
    Clip("h264", "1s", "1080x1080", "30", 10, "faststart audio"),
    Clip("h264", "1s", "1080x1080", "60000/1001", 8),
    Clip("h264", "1s", "1080x1080", "30", 30),
    Clip("h264", "1s", "1080x1440", "24", 10),
    Clip("h264", "1s", "1080x1440", "60", 6, "faststart"),
    Clip("h264", "1s", "1440x1920", "30", 8),
    Clip("h264", "1s", "2048x2732", "30", 5),
    Clip("h264", "1s", "2048x2732", "24", 10, "faststart"),
    Clip("h264", "1s", "3840x3840", "24", 3),
    Clip("hevc", "250", "540x540", "30", 8),
    Clip("hevc", "250", "720x960", "24", 10, "faststart"),
    Clip("hevc", "250", "1080x1080", "30", 6),
    Clip("hevc", "1s", "1080x1080", "30", 10, "faststart"),
    Clip("hevc", "1s", "1080x1440", "24", 5, "10bit audio"),
    Clip("hevc", "250", "2048x2732", "24", 3),
    Clip("prores", "intra", "540x540", "24", 5),
    Clip("prores", "intra", "1080x1080", "30", 4),
    Clip("prores", "intra", "1080x1440", "24", 3, "faststart audio"),
    Clip("prores", "intra", "3840x3840", "24", 3),
]

# What is left of a clip that does not loop: the rest of its packets are cut off.
BROKEN = 0.83

# One loop of five seconds; the longer clips repeat its very packets.
DURATION_LOOP = Clip("h264", "1s", "1080x1080", "30", 5)
DURATIONS = [5, 10, 20, 30]

SMALL = [
    Clip("h264", gop, size, rate, seconds)
    for size in ["128x128", "180x240", "240x240", "256x256", "270x360"]
    for seconds in [1, 2]
    for gop, rate in [("250", "24"), ("250", "30"), ("1s", "24"), ("1s", "30"), ("1s", "60")]
]
SMALL_COPIES = 20

SCALING_FILES = 200


def source(clip):
    """A filter graph: two layers of a fractal scroll across each other, under film grain."""
    width, height = clip.pixels
    period = clip.frames
    seed = sum(map(ord, clip.name)) % 1000
    return (
        f"mandelbrot=s={width}x{height}:rate={clip.rate}:start_scale=0.02:maxiter=400,"
        f"trim=end_frame=1,noise=alls=12:all_seed={seed},gblur=sigma=1.6,format=yuv444p,"
        f"loop=loop=-1:size=1,setpts=N,split[a][b];"
        f"[a]scroll=h={1 / period:.9f}[c];"
        f"[b]hflip,scroll=v={-1 / period:.9f}[d];"
        f"[c][d]blend=all_mode=average,setpts=N/({clip.rate})/TB,"
        f"noise=alls=5:allf=t:all_seed={seed}"
    )


def encoder(clip):
    rate = fractions.Fraction(clip.rate)
    width, height = clip.pixels
    large = width * height > 1080 * 1080
    key_frames = str(round(rate)) if clip.gop == "1s" else clip.gop
    if clip.codec == "prores":
        return ["-c:v", "prores_aw", "-profile:v", "2"]
    if clip.codec == "hevc":
        pixel_format = "yuv420p10le" if "10bit" in clip.flags else "yuv420p"
        # The frame threads and the pool are fixed because the output depends on them.
        options = f"log-level=error:keyint={key_frames}:pools=none:frame-threads=1"
        return ["-c:v", "libx265", "-tag:v", "hvc1", "-pix_fmt", pixel_format,
                "-preset", "superfast", "-bf", "4", "-x265-params", options]
    options = ["-c:v", "libx264", "-pix_fmt", "yuv420p", "-preset", "veryfast" if large else "medium"]
    return options + (["-g", key_frames, "-sc_threshold", "0"] if clip.gop == "1s" else [])


def ffmpeg(arguments, target):
    """Runs ffmpeg into a temporary name and renames."""
    partial = target.with_name("partial-" + target.name)
    command = ["ffmpeg", "-nostdin", "-v", "error", "-y", *arguments,
               "-fflags", "+bitexact", "-flags", "+bitexact", "-map_metadata", "-1", str(partial)]
    subprocess.run(command, check=True)
    partial.rename(target)


def make(clip, folder):
    target = folder / clip.name
    if target.exists():
        return
    started = time.monotonic()
    pixel_format = "yuv422p10le" if clip.codec == "prores" else "yuv420p"
    arguments = ["-filter_threads", "1", "-f", "lavfi", "-i", f"{source(clip)},format={pixel_format}"]
    if "audio" in clip.flags:
        arguments += ["-f", "lavfi", "-i", f"sine=f=220:d={clip.seconds}", "-c:a", "aac"]
    arguments += ["-threads", "1", "-frames:v", str(clip.frames), *encoder(clip)]
    arguments += ["-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709"]
    if "faststart" in clip.flags:
        arguments += ["-movflags", "+faststart"]
    ffmpeg(arguments, target)
    print(f"{time.monotonic() - started:6.1f} s  {target.relative_to(BENCH)}", file=sys.stderr)


def link(source_file, target):
    if not target.exists():
        os.link(source_file, target)


def main():
    folders = {name: BENCH / name for name in ["corpus", "broken", "small", "small/distinct", "scaling", "duration"]}
    for folder in folders.values():
        folder.mkdir(parents=True, exist_ok=True)
    for stale in BENCH.rglob("partial-*"):
        stale.unlink()

    jobs = [(clip, folders["corpus"]) for clip in CORPUS]
    jobs += [(clip, folders["small/distinct"]) for clip in SMALL]
    jobs += [(DURATION_LOOP, folders["duration"])]
    jobs.sort(key=lambda job: -job[0].weight)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for done in [pool.submit(make, *job) for job in jobs]:
            done.result()

    for clip in CORPUS:
        target = folders["broken"] / clip.name
        if not target.exists():
            ffmpeg(["-i", str(folders["corpus"] / clip.name), "-map", "0:v", "-c", "copy", "-t", str(BROKEN * clip.seconds)],
                   target)

    loop = folders["duration"] / DURATION_LOOP.name
    for seconds in DURATIONS:
        target = folders["duration"] / f"{seconds:02}s.mp4"
        if not target.exists():
            times = seconds // DURATION_LOOP.seconds
            ffmpeg(["-stream_loop", str(times - 1), "-i", str(loop), "-c", "copy"], target)

    for number in range(len(SMALL) * SMALL_COPIES):
        target = folders["small"] / f"{number:04}.mp4"
        if not target.exists():
            shutil.copyfile(folders["small/distinct"] / SMALL[number % len(SMALL)].name, target)

    sources = [clip for clip in CORPUS if clip.gop == "1s" and clip.pixels[0] < 1080]
    for number in range(SCALING_FILES):
        clip = sources[number % len(sources)]
        link(folders["corpus"] / clip.name, folders["scaling"] / f"{number:03}.mp4")


if __name__ == "__main__":
    main()
