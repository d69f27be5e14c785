"""Ways to make a clip blocky or banded, and how visible it became: measured with the clean picture beside."""

import subprocess

import numpy as np

from lib import ffmpeg

RATE, FRAMES, MARGIN = 12, 24, 32
# Frames that are compared with the clean ones.
COMPARED = (0, FRAMES // 2)
OUT = "scale=out_color_matrix=bt709:flags=area+accurate_rnd,format=yuv420p"


def x264(quality, *more):
    return ["-c:v", "libx264", "-preset", "veryfast", "-threads", "1", "-crf", str(quality), *more]


def plans(number, kind):
    """Yields variants: a name, what is done to the picture, the encodings before the last, a size, and the last encoding."""
    turn = number % 4
    other = (["-c:v", "libx265", "-preset", "veryfast", "-crf", "20", "-x265-params", "log-level=error:pools=1", "-tag:v", "hvc1"],
             ["-c:v", "libvpx-vp9", "-crf", "24", "-b:v", "0", "-deadline", "realtime", "-cpu-used", "6"])[number % 2]
    yield "clean", None, None, 1, x264((12, 16, 18, 20)[turn])
    yield "clean-other", None, None, 1, other
    yield "usual", None, None, 1, x264(26)
    if kind == "trap":
        return
    fine = x264(15)
    yield "blocky-mpeg4", None, ["-c:v", "mpeg4", "-q:v", str((9, 14, 20, 31)[turn])], 1, fine
    yield "blocky-mpeg2", None, ["-c:v", "mpeg2video", "-q:v", str((12, 18, 24, 31)[turn])], 1, fine
    starved = x264((34, 38, 42, 46)[turn], "-x264-params", "no-deblock=1")
    if number % 2:
        yield "blocky-x264", None, None, 1, starved
    else:
        yield "blocky-x264-again", None, starved, 1, fine
    yield "blocky-jpeg", ("jpeg", (10, 15, 20, 25)[turn], 1), None, 1, fine
    yield "blocky-jpeg-larger", ("jpeg", (25, 20, 15, 10)[turn], (1.5, 2)[number // 2 % 2]), None, 1, fine
    yield "blocky-mpeg4-larger", None, ["-c:v", "mpeg4", "-q:v", str((10, 16, 24, 31)[turn])], (1.5, 2, 1.25)[number % 3], fine
    yield "bands-5", ("bits", 5), None, 1, fine
    yield "bands-6", ("bits", 6), None, 1, fine
    yield "dithered", ("dither", 5), None, 1, fine
    yield "bands-x264", None, None, 1, x264((38, 40, 42, 44)[turn])


def jpeg(picture, quality, shrink):
    """The picture after it was a small file, enlarged again."""
    height, width = picture.shape[:2]
    before = f"scale={round(width / shrink / 2) * 2}:{round(height / shrink / 2) * 2}:flags=area,format=yuvj420p"
    # The quantiser of ffmpeg is near 5000 / quality / 16 of libjpeg's tables below 50.
    small = ffmpeg.run(*ffmpeg.raw(width, height), "-vf", before, "-c:v", "mjpeg", "-q:v", min(31, round(5000 / quality / 16)),
                       "-f", "mjpeg", "-", data=picture.tobytes())
    large = ffmpeg.run("-f", "mjpeg", "-i", "-", "-vf", f"scale={width}:{height}:flags=bicubic", "-f", "rawvideo", "-pix_fmt", "rgb24",
                       "-", data=small)
    return np.frombuffer(large, np.uint8).reshape(picture.shape)


def coarse(frames, bits, rng=None):
    """Frames in fewer bits, with noise of one step before if there is a generator."""
    step = 255 / (2 ** bits - 1)
    made = []
    for frame in frames:
        noise = rng.uniform(-0.5, 0.5, frame.shape) if rng else 0
        made.append(np.clip(np.round(frame / step + noise) * step + 0.5, 0, 255).astype(np.uint8))
    return made


def pan(canvas, number):
    """Windows that move gently over the canvas, or hardly."""
    height, width = (length - MARGIN & ~15 for length in canvas.shape[:2])
    speed = (1, 0.5, 0, 1)[number % 4]
    made = []
    for frame in range(FRAMES):
        x = round(speed * frame)
        y = round(speed * frame * (0, 1, 0, 0.5)[number // 4 % 4])
        made.append(np.ascontiguousarray(canvas[y:y + height, x:x + width]))
    return made


def write(frames, first, size, last, path):
    """Encodes frames once or twice."""
    height, width = frames[0].shape[:2]
    source = ffmpeg.raw(width, height, RATE)
    small = f"scale={round(width / size / 2) * 2}:{round(height / size / 2) * 2}:out_color_matrix=bt709:flags=area+accurate_rnd,format=yuv420p"
    between = path.with_suffix(".nut")
    data = b"".join(frame.tobytes() for frame in frames)
    if first:
        ffmpeg.run(*source, "-vf", small, *first, between, data=data)
        source, data = ["-i", between], None
        after = f"scale={width}:{height}:flags=bicubic,format=yuv420p"
    else:
        after = OUT
    ffmpeg.run(*source, "-vf", after, *last, *ffmpeg.TAGS, path, data=data)
    between.unlink(missing_ok=True)


def luma(path):
    """The compared frames of a video, as lines of numbers."""
    size = subprocess.run(["ffprobe", "-v", "error", "-show_entries", "stream=width,height", "-of", "csv=p=0", path],
                          capture_output=True, text=True, check=True).stdout
    width, height = map(int, size.split()[0].split(",")[:2])
    # Limited range stays as it is coded.
    data = np.frombuffer(ffmpeg.run("-i", path, "-vf", f"select=eq(n\\,{COMPARED[0]})+eq(n\\,{COMPARED[1]})", "-vsync", "0",
                                    "-f", "rawvideo", "-pix_fmt", "yuv420p", "-"), np.uint8)
    return data.reshape(-1, height * width * 3 // 2)[:, :height * width].reshape(-1, height, width)


def light(frame):
    """The luma of a picture, not rounded."""
    return 16 + frame.astype(np.float32) @ np.float32([0.2126, 0.7152, 0.0722]) * (219 / 255)


def box(values, size):
    """Means over squares."""
    padded = np.pad(values, size // 2, mode="edge").astype(np.float64)
    total = np.pad(padded.cumsum(0).cumsum(1), ((1, 0), (1, 0)))
    return ((total[size:, size:] - total[:-size, size:] - total[size:, :-size] + total[:-size, :-size]) / size ** 2
            ).astype(np.float32)


def edges(clip, clean, period):
    """The share of a grid's edges that show: eight samples of a border whose error steps by three codes, where nothing
    else is near. Edges half a period beside are taken off; the best offset counts."""
    best = 0
    for error, truth in ((clip - clean, clean), ((clip - clean).T, clean.T)):
        step = error[:, 2:-1] - error[:, 1:-2] if period == round(period) else (error[:, 3:] - error[:, :-3])
        busy = np.abs(truth[:, 3:] - truth[:, :-3])
        rows = step.shape[0] // 8 * 8
        step = np.abs(step[:rows].reshape(-1, 8, step.shape[1]).mean(1))
        calm = busy[:rows].reshape(-1, 8, busy.shape[1]).max(1) < 16
        seen, calm = ((step >= 3) & calm).sum(0), calm.sum(0)
        shares = []
        for offset in range(int(np.ceil(period))):
            places = np.round(np.arange(offset, step.shape[1] - 1, period)).astype(int)
            shares.append(seen[places].sum() / max(calm[places].sum(), 200))
        place = int(np.argmax(shares))
        best += max(0, shares[place] - shares[(place + len(shares) // 2) % len(shares)]) / 2
    return float(best)


def bands(clip, clean):
    """The share of a picture near steps of two codes and more, flat on both sides, that its smooth clean picture has not."""
    smooth = box(clean, 15)
    slope = np.hypot(*np.gradient(smooth))
    calm = (slope > 0.02) & (slope < 0.8) & (box((clean - smooth) ** 2, 15) < 1.5)
    shown = np.zeros(clip.shape, bool)
    for turned in (False, True):
        a, b, m = (clip.T, clean.T, shown.T) if turned else (clip, clean, shown)
        def step(v):
            sums = np.pad(v.astype(np.float64).cumsum(1), ((0, 0), (1, 0)))
            means = (sums[:, 4:] - sums[:, :-4]) / 4
            return means[:, 5:] - means[:, :-5], means
        (ours, means), (theirs, _) = step(a), step(b)
        squares = np.pad((a.astype(np.float64) ** 2).cumsum(1), ((0, 0), (1, 0)))
        flat = (squares[:, 4:] - squares[:, :-4]) / 4 - means ** 2 < 0.4
        found = (np.abs(ours) - np.abs(theirs) >= 1.5) & (np.abs(ours) < 12) & flat[:, 5:] & flat[:, :-5]
        m[:, 4:4 + found.shape[1]] |= found
    near = box(shown, 17) > 0.02
    return float((near & calm).mean())
