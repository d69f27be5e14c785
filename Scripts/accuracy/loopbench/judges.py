"""Judges of loops, each a function of a path that returns a score, higher if the clip loops better; `None` if it has none.
They compare the last frame with the first, but for the step ratio, which knows the clip's own steps."""

import json
import subprocess

import numpy as np

import rivals


def of_others(path):
    """PSNR, SSIM and step ratio, as Scripts/accuracy/seams measures them, and pHash."""
    measured = rivals.measure(path)
    if measured is None:
        return {}
    return {**{name: -value for name, value in measured.items()}, "pHash": phash(path)}


def phash(path):
    """The bits that differ in the 64-bit perceptual hashes of the end frames, negative: DCT of 32x32 pixels, its 8x8 lowest
    frequencies, and their median."""
    first = last = None
    for frame in rivals.frames(path):
        first, last = frame if first is None else first, frame
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
