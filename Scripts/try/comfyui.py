"""Tries the node for ComfyUI with frames as ComfyUI gives them; used by Scripts/try/install."""

import subprocess
import sys

import artworkd_seam
import numpy


class Tensor:
    def __init__(self, values):
        self.values = values

    def cpu(self):
        return self.values


for name, loops in (("loop-seamless-fast.mp4", True), ("loop-jump.mp4", False)):
    raw = subprocess.run(
        ["ffmpeg", "-v", "error", "-i", f"{sys.argv[1]}/{name}", "-vf", "scale=96:96", "-f", "rawvideo", "-pix_fmt", "rgb24", "-"],
        capture_output=True, check=True).stdout
    images = Tensor(numpy.frombuffer(raw, numpy.uint8).reshape(-1, 96, 96, 3).astype(numpy.float32) / 255)
    node = artworkd_seam.NODE_CLASS_MAPPINGS["ArtworkdSeam"]()
    given, found, score, what = getattr(node, node.FUNCTION)(images, 24.0)
    assert given is images and found == loops and (score > 0.5) == loops, (name, found, score, what)
    print(f"ComfyUI: {name}: {what}")
