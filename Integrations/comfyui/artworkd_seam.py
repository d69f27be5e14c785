"""A node of ComfyUI: judges whether generated frames loop. Copy this file into custom_nodes, and install artworkd with pip
into ComfyUI's Python. The frames go through unchanged, so that the node fits between a sampler and a saver."""

import os
import tempfile

import artworkd
import numpy
from PIL import Image


class ArtworkdSeam:
    CATEGORY = "video"
    FUNCTION = "judge"
    RETURN_TYPES = ("IMAGE", "BOOLEAN", "FLOAT", "STRING")
    RETURN_NAMES = ("images", "loops", "score", "what")

    @classmethod
    def INPUT_TYPES(cls):
        return {"required": {
            "images": ("IMAGE",),
            "frame_rate": ("FLOAT", {"default": 16.0, "min": 1.0, "max": 120.0}),
        }}

    def judge(self, images, frame_rate):
        pixels = numpy.asarray(images.cpu() if hasattr(images, "cpu") else images)
        frames = [Image.fromarray(frame) for frame in (pixels.clip(0, 1) * 255 + 0.5).astype(numpy.uint8)]
        if len(frames) < 2:
            return (images, False, 0.0, "a single frame does not loop")
        with tempfile.TemporaryDirectory() as folder:
            clip = os.path.join(folder, "frames.png")
            # An animated PNG keeps every sample.
            frames[0].save(
                clip, save_all=True, append_images=frames[1:], duration=1000 / frame_rate, loop=0, compress_level=1)
            seam = artworkd.seam(clip)
        return (images, seam.loops, seam.score, f"{seam.verdict}: {seam.sentence}")


NODE_CLASS_MAPPINGS = {"ArtworkdSeam": ArtworkdSeam}
NODE_DISPLAY_NAME_MAPPINGS = {"ArtworkdSeam": "Does it loop? (artworkd)"}
