"""Frames to files, through ffmpeg."""

import subprocess

import numpy as np

GOOD = ["-c:v", "libx264", "-preset", "veryfast", "-crf", "16", "-pix_fmt", "yuv420p", "-threads", "1"]
TAGS = ["-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709", "-movflags", "+faststart"]


def run(*arguments, data=None):
    subprocess.run(["ffmpeg", "-v", "error", "-nostdin", "-y", *map(str, arguments)] if data is None
                   else ["ffmpeg", "-v", "error", "-y", *map(str, arguments)], input=data, check=True)


def raw(frames):
    return b"".join(np.clip(frame + .5, 0, 255).astype(np.uint8).tobytes() for frame in frames)


def video(path, frames, rate=24, codec=GOOD, tags=TAGS, size=None, filters=()):
    """Writes frames (height x width x 3, one shape) as a clip; `filters` come after the conversion to BT.709."""
    height, width = frames[0].shape[:2]
    scale = f"scale={size or f'{width}:{height}'}:flags=bicubic+accurate_rnd:out_color_matrix=bt709:out_range=tv"
    run("-f", "rawvideo", "-pix_fmt", "rgb24", "-s", f"{width}x{height}", "-r", rate, "-i", "-",
        "-vf", ",".join([scale, "setsar=1", *filters]), *codec, *tags, "-map_metadata", "-1", path, data=raw(frames))


def remux(source, path, *arguments):
    run("-i", source, "-c", "copy", *arguments, path)


def still(path, picture, size=None, quality=2):
    height, width = picture.shape[:2]
    scale = ["-vf", f"scale={size}:flags=bicubic"] if size else []
    run("-f", "rawvideo", "-pix_fmt", "rgb24", "-s", f"{width}x{height}", "-i", "-", *scale, "-frames:v", 1,
        "-q:v", quality, path, data=raw([picture]))
