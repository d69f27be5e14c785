"""Judges of loops, each a function of a path that returns a score, higher if the clip loops better; `None` if it has none.
They compare the last frame with the first, but for the step ratio, which knows the clip's own steps."""

import json
import subprocess

import numpy as np

SIDE = 8  # of the windows that SSIM compares


def of_others(path):
    """PSNR, SSIM, step ratio and pHash, on 8-bit luma at native size. Nothing of a clip that ffmpeg does not decode."""
    first = last = None
    steps = []
    for frame in frames(path):
        if last is not None:
            steps.append(float(np.abs(frame - last).mean()))
        first, last = frame if first is None else first, frame
    if not steps:
        return {}
    ratio = float(np.abs(first - last).mean()) / max(float(np.median(steps)), 0.05)
    return {"PSNR": psnr(first, last), "SSIM": ssim(first, last), "step ratio": -ratio, "pHash": phash(first, last)}


def frames(path):
    command = ["ffmpeg", "-v", "error", "-nostdin", "-threads", "1", "-i", str(path), "-map", "0:v:0", "-fps_mode",
               "passthrough", "-vf", "format=yuv420p,extractplanes=y", "-f", "yuv4mpegpipe", "-"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        header = process.stdout.readline().split()
        sizes = {word[:1]: int(word[1:]) for word in header[1:] if word[:1] in (b"W", b"H")}
        while process.stdout.readline():  # FRAME
            pixels = process.stdout.read(sizes[b"W"] * sizes[b"H"])
            if len(pixels) < sizes[b"W"] * sizes[b"H"]:
                break
            yield np.frombuffer(pixels, np.uint8).reshape(sizes[b"H"], sizes[b"W"]).astype(np.float32)


def psnr(first, last):
    error = float(((first - last) ** 2).mean())
    return 100.0 if error == 0 else float(10 * np.log10(255**2 / error))


def ssim(first, last):
    """The mean structural similarity (Wang et al. 2004) over all windows of 8x8 pixels, all of one weight."""
    first, last = first.astype(np.float64), last.astype(np.float64)
    mean_first, mean_last = window_means(first), window_means(last)
    variance_first = window_means(first * first) - mean_first**2
    variance_last = window_means(last * last) - mean_last**2
    covariance = window_means(first * last) - mean_first * mean_last
    small, tiny = (0.03 * 255) ** 2, (0.01 * 255) ** 2
    likeness = ((2 * mean_first * mean_last + tiny) * (2 * covariance + small)
                / ((mean_first**2 + mean_last**2 + tiny) * (variance_first + variance_last + small)))
    return float(likeness.mean())


def window_means(picture):
    sums = np.pad(picture, ((1, 0), (1, 0))).cumsum(0).cumsum(1)
    return (sums[SIDE:, SIDE:] - sums[:-SIDE, SIDE:] - sums[SIDE:, :-SIDE] + sums[:-SIDE, :-SIDE]) / SIDE**2


def phash(first, last):
    """The bits that differ in the 64-bit perceptual hashes of the end frames, negative: DCT of 32x32 pixels, its 8x8 lowest
    frequencies, and their median."""
    return -int((bits(first) != bits(last)).sum())


def bits(frame):
    rows = [part.mean(0) for part in np.array_split(frame, 32)]
    small = np.array([[part.mean() for part in np.array_split(row, 32)] for row in rows])
    place = np.arange(32)
    basis = np.cos(np.pi / 32 * np.outer(np.arange(8), place + 0.5))
    low = (basis @ small @ basis.T).ravel()
    return low > np.median(low[1:])


def loopsmith(path):
    """Its correlation of the first and the last frame (PyPI: loopsmith), which are the only ones that it gets."""
    import loopsmith as module

    *_, count = module.extract_frames(str(path), 1 << 30)
    rows, numbers, *_ = module.extract_frames(str(path), max(1, count - 1))
    # It leaves out frames without contrast, and those that OpenCV cannot read.
    return float(module.compute_ncc_matrix(rows, numbers)[0][0, -1]) if len(rows) > 1 else None


def run(command, paths):
    """Any program that reads paths from standard input and prints a line of JSON for each, with `path` and `score`."""
    made = subprocess.run(command, input="\n".join(map(str, paths)), capture_output=True, text=True, check=False)
    return {row["path"]: row["score"] for row in map(json.loads, made.stdout.splitlines())}
