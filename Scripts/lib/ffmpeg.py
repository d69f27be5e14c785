"""What the scripts ask of ffmpeg: to encode drawn frames, and to decode files. Scripts without pictures do without numpy."""

import os
import subprocess

# No dates, versions and random identifiers in a file.
EXACT = ("-flags", "+bitexact", "-fflags", "+bitexact")
TAGS = ("-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709")
FAST_START = (*TAGS, "-movflags", "+faststart")
GOOD = ("-c:v", "libx264", "-preset", "veryfast", "-crf", "16", "-pix_fmt", "yuv420p", "-threads", "1")


def run(*arguments, data=None):
    """What ffmpeg writes to its standard output; `data` is its standard input."""
    command = ["ffmpeg", "-v", "error", "-y", *(["-nostdin"] if data is None else []), *map(str, arguments)]
    ended = subprocess.run(command, input=data, stdin=subprocess.DEVNULL if data is None else None, capture_output=True)
    if ended.returncode:
        raise RuntimeError(f"{' '.join(command)}\n{ended.stderr.decode(errors='replace')}")
    return ended.stdout


def raw(width, height, rate=None, pixels="rgb24"):
    """The arguments for raw frames at the standard input."""
    return ["-f", "rawvideo", "-pix_fmt", pixels, "-s", f"{width}x{height}", *(["-r", str(rate)] if rate else []), "-i", "-"]


def rounded(frame):
    import numpy as np
    return np.clip(np.rint(frame), 0, 255).astype(np.uint8)


def rounded_up(frame):
    """With halves upwards, not to even numbers."""
    import numpy as np
    return np.clip(frame + .5, 0, 255).astype(np.uint8)


def encode(path, frames, codec, filters=("scale=out_color_matrix=bt709", "format=yuv420p"), tags=("-colorspace", "bt709"), rate=24):
    """Writes frames of 8 bits, height x width x 3, as a video."""
    height, width = frames[0].shape[:2]
    run(*raw(width, height, rate), *codec, "-vf", ",".join(filters), *tags, path, data=b"".join(frame.tobytes() for frame in frames))


def encode_exactly(path, data, size, rate, filters, codec, tags, pixels="rgb24", dropped=(), degrees=0):
    """Writes a file that is complete or not there at all, and the same on every run. `dropped` frames are left out: the ones
    before them are held. It gets a display matrix of so many degrees."""
    if dropped:
        filters = ["select='not(" + "+".join(f"eq(n,{n})" for n in dropped) + ")'", *filters]
    partial, turned = (path.with_name(f".{name}-{path.name}") for name in ("partial", "turned"))
    run(*raw(*size, rate, pixels), "-vf", ",".join(filters), "-vsync", "vfr" if dropped else "passthrough", *codec,
        "-threads", "1", *tags, "-map_metadata", "-1", *EXACT, partial, data=data)
    if degrees:
        # This ffmpeg writes a display matrix only where it copies a stream.
        run("-i", partial, "-c", "copy", "-map_metadata", "-1", "-metadata:s:v:0", f"rotate={degrees}", *EXACT, turned)
        os.replace(turned, partial)
    os.replace(partial, path)


def decode(path, width, height, *before, after=(), pixels="rgb24"):
    """All frames of a file; with options before and after its name."""
    import numpy as np
    data = run("-threads", "1", *before, "-i", path, *after, "-vsync", "passthrough", "-f", "rawvideo", "-pix_fmt", pixels, "-")
    return np.frombuffer(data, "<u2" if pixels.endswith("le") else np.uint8).reshape(-1, height, width, 3)


# MARK: Releases


def video(path, frames, rate=24, codec=GOOD, tags=FAST_START, size=None, filters=()):
    """Writes frames (height x width x 3, one shape) as a clip; `filters` come after the conversion to BT.709."""
    height, width = frames[0].shape[:2]
    scale = f"scale={size or f'{width}:{height}'}:flags=bicubic+accurate_rnd:out_color_matrix=bt709:out_range=tv"
    run(*raw(width, height, rate), "-vf", ",".join([scale, "setsar=1", *filters]), *codec, *tags, "-map_metadata", "-1", path,
        data=b"".join(rounded_up(frame).tobytes() for frame in frames))


def still(path, picture, size=None, quality=2):
    height, width = picture.shape[:2]
    scale = ["-vf", f"scale={size}:flags=bicubic"] if size else []
    run(*raw(width, height), *scale, "-frames:v", 1, "-q:v", quality, path, data=rounded_up(picture).tobytes())
