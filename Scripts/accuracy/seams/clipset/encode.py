"""Encoders: variants of codec, rate and structure, and the ffmpeg command lines for them.

One thread each, and no dates or versions in the files, so that they come out the same on every run.
"""

from dataclasses import dataclass

import numpy as np

from lib import ffmpeg


@dataclass(frozen=True)
class Variant:
    name: str
    codec: str = "h264"
    crf: int = 23
    bframes: int = 3
    keyint: int = 250
    preset: str = "veryfast"
    rotate: int = 0

    @property
    def suffix(self):
        return {"prores": "mov", "vp9": "webm"}.get(self.codec, "mp4")


# Neighbours differ in as much as possible, so that any dozen in a row meets all there is. 17 of them: prime, so
# that they do not keep step with whatever else alternates.
VARIANTS = (
    Variant("b23", crf=23),
    Variant("n30", crf=30, bframes=0),
    Variant("l16", crf=16, bframes=2, keyint=9999, preset="medium"),
    Variant("hevc23", "hevc", 23),
    Variant("s37", crf=37, bframes=2, keyint=12),
    Variant("vp9", "vp9", 30),
    Variant("n16", crf=16, bframes=0, keyint=24),
    Variant("m30", crf=30, bframes=5, preset="medium"),
    Variant("hevc10", "hevc10", 30),
    Variant("l37", crf=37, bframes=3, keyint=9999),
    Variant("rot23", crf=23, bframes=2, rotate=90),
    Variant("prores", "prores", 0),
    Variant("s23", crf=23, bframes=0, keyint=10, preset="medium"),
    Variant("b30", crf=30, bframes=3, keyint=48),
    Variant("n37", crf=37, bframes=0, keyint=9999),
    Variant("b16", crf=16, bframes=3, preset="medium"),
    Variant("hevc37", "hevc", 37, keyint=30),
)
STARVED = Variant("starved", crf=23, bframes=0, keyint=9999)


def codec_arguments(variant, zones):
    if variant.codec == "h264":
        x264 = f"threads=1:keyint={variant.keyint}:min-keyint=1:bframes={variant.bframes}"
        if variant.keyint == 9999:
            x264 += ":scenecut=0"
        if zones:
            x264 += f":zones={zones}"
        return ["-c:v", "libx264", "-preset", variant.preset, "-crf", str(variant.crf), "-x264-params", x264,
                "-pix_fmt", "yuv420p"]
    if variant.codec in ("hevc", "hevc10"):
        x265 = f"pools=none:frame-threads=1:log-level=error:info=0:keyint={variant.keyint}:bframes={variant.bframes}"
        return ["-c:v", "libx265", "-preset", "ultrafast", "-crf", str(variant.crf), "-x265-params", x265,
                "-tag:v", "hvc1", "-pix_fmt", "yuv420p10le" if variant.codec == "hevc10" else "yuv420p"]
    if variant.codec == "vp9":
        return ["-c:v", "libvpx-vp9", "-crf", str(variant.crf), "-b:v", "0", "-deadline", "realtime", "-cpu-used", "8",
                "-g", str(variant.keyint), "-pix_fmt", "yuv420p"]
    return ["-c:v", "prores_ks", "-profile:v", "2", "-pix_fmt", "yuv422p10le"]


def encode(path, frames, size, fps, variant, zones="", dropped=()):
    """Writes frames, raw rgb24, to a file that is complete or not there at all."""
    ffmpeg.encode_exactly(path, b"".join(frames), size, fps, ["scale=out_color_matrix=bt709:flags=bicubic+accurate_rnd+full_chroma_int+bitexact"],
                          codec_arguments(variant, zones), ffmpeg.TAGS, dropped=dropped, degrees=variant.rotate)


def decoded(path, size):
    """All frames of a file as float32 RGB."""
    return ffmpeg.decode(path, *size, "-noautorotate").astype(np.float32)
