#!/usr/bin/env python3
"""Compares the sizes of previews: PNG as artworkd writes it, WebP without and with loss, and JPEG.

    Scripts/bench/preview-size.py [VIDEO...]      the default is every fixture

Needs cwebp (Debian: webp), ffmpeg and a release build of artworkd, or ARTWORKD. Prints markdown: bytes of all files
together as a share of the PNGs, processor time of cwebp or ffmpeg with their starts, and the median PSNR (of Y', Cb and Cr)
and SSIM (of red, green and blue) of the lossy files against the PNGs.
"""

from pathlib import Path
import re
import statistics
import subprocess
import sys
import tempfile

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from lib.tool import MEDIA, seconds, tool

CHOICES = {f"lossless, effort {effort}": ["-z", str(effort)] for effort in (0, 2, 4, 6, 9)}
CHOICES |= {f"lossy, quality {quality}": ["-q", str(quality), "-m", "2"] for quality in (75, 90, 95)}
# libavcodec's encoder, as in artworkd.
JPEG = {f"JPEG, quantizer {quantizer}": ["-c:v", "mjpeg", "-pix_fmt", "yuvj420p", "-q:v", str(quantizer)] for quantizer in (2, 3, 5)}


def compare(picture, png, space, filter, pattern):
    said = subprocess.run(["ffmpeg", "-i", picture, "-i", png, "-lavfi", f"[0]format={space}[a];[1]format={space}[b];[a][b]{filter}",
                           "-f", "null", "-"], check=True, capture_output=True, text=True).stderr
    return float(re.search(pattern, said)[1])


def measure(pngs, options, output):
    size, time, ratios, likeness = 0, 0, [], []
    for png in pngs:
        command = (["cwebp", "-exact", *options, png, "-o", output] if output.suffix == ".webp"
                   else ["ffmpeg", "-v", "error", "-y", "-i", png, *options, output])
        time += seconds(command)
        size += output.stat().st_size
        if "-z" not in options:
            ratios.append(compare(output, png, "yuv444p", "psnr", r"average:([\d.]+|inf)"))
            likeness.append(compare(output, png, "gbrp", "ssim", r"All:([\d.]+)"))
    return size, time, statistics.median(ratios) if ratios else None, statistics.median(likeness) if likeness else None


def main():
    videos = sys.argv[1:] or sorted(MEDIA.iterdir())
    with tempfile.TemporaryDirectory() as folder:
        pngs = []
        for number, video in enumerate(videos):
            png = Path(folder) / f"{number}.png"
            # Not every fixture has a picture.
            if subprocess.run([tool(), "preview", video, "-o", png], capture_output=True).returncode == 0:
                pngs.append(png)
        total = sum(png.stat().st_size for png in pngs)
        pixels = 0
        for png in pngs:
            header = png.read_bytes()[16:24]
            pixels += int.from_bytes(header[:4], "big") * int.from_bytes(header[4:], "big")
        print(f"{len(pngs)} pictures, {pixels / 1e6:.1f} million pixels, {total / 1e3:.0f} kB as PNG.\n")
        print("| file | bytes | processor, ns a pixel | median PSNR | median SSIM |\n|---|---|---|---|---|")
        for name, options in (CHOICES | JPEG).items():
            output = Path(folder) / ("out.jpg" if name in JPEG else "out.webp")
            size, time, ratio, likeness = measure(pngs, options, output)
            print(f"| {name} | {100 * size / total:.0f} % | {1e9 * time / pixels:.0f} | {f'{ratio:.1f} dB' if ratio else 'exact'} "
                  f"| {f'{likeness:.3f}' if likeness else 'exact'} |", flush=True)


main()
