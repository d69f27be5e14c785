"""PyAV: the first two frames, a seek to the last key frame, the last two frames, their difference, a PNG.

usage: pyav_check.py [--fast-png] OUTPUT_DIR FILE...

The PNG is written as PyAV's documentation does, with Pillow (`frame.to_image().save`); with --fast-png by FFmpeg's own
encoder at its fastest useful setting (zlib level 1, filter "up").
"""

import pathlib
import sys

import av
import numpy


def write_png_fast(frame, target):
    encoder = av.CodecContext.create("png", "w")
    encoder.width, encoder.height = frame.width, frame.height
    encoder.pix_fmt = "rgb24"
    encoder.time_base = frame.time_base
    encoder.options = {"compression_level": "1", "pred": "up"}
    packets = encoder.encode(frame.reformat(format="rgb24")) + encoder.encode(None)
    target.write_bytes(b"".join(map(bytes, packets)))


def write_png(frame, target):
    frame.to_image().save(target)


def gray(frame):
    return frame.reformat(format="gray").to_ndarray().astype(numpy.int16)


def check(path, folder, write):
    with av.open(path) as container:
        stream = container.streams.video[0]
        head = [frame for frame, _ in zip(container.decode(stream), range(2))]
        end = (stream.start_time or 0) + stream.duration
        container.seek(end, stream=stream)
        tail = []
        for frame in container.decode(stream):
            tail = [*tail[-1:], frame]
        difference = numpy.abs(gray(head[0]) - gray(tail[-1])).mean()
        write(head[0], folder / f"{pathlib.Path(path).stem}.png")
        print(path, head[0].width, head[0].height, head[0].pts, tail[-1].pts, f"{difference:.3f}")


arguments = sys.argv[1:]
fast = arguments[:1] == ["--fast-png"]
folder, *paths = arguments[1:] if fast else arguments
for path in paths:
    check(path, pathlib.Path(folder), write_png_fast if fast else write_png)
