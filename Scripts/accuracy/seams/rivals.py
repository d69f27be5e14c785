"""What others use to compare the last frame of a loop with its first one: PSNR, SSIM and the ratio of steps.

On 8-bit luma at native size, as ffmpeg decodes it. All are turned so that more is worse.
"""

import subprocess

import numpy as np

NAMES = ["PSNR", "SSIM", "step ratio"]
SIDE = 8  # of the windows that SSIM compares


def measure(path):
    """`None` for a clip that ffmpeg does not decode."""
    first = last = None
    steps = []
    for frame in frames(path):
        if last is not None:
            steps.append(float(np.abs(frame - last).mean()))
        first, last = frame if first is None else first, frame
    if not steps:
        return None
    seam = float(np.abs(first - last).mean())
    return {"PSNR": -psnr(first, last), "SSIM": 1 - ssim(first, last),
            "step ratio": seam / max(float(np.median(steps)), 0.05)}


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
