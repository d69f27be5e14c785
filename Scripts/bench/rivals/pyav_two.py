"""PyAV: the first frame, a seek to the last key frame, the last frame, their mean absolute difference. No more.

usage: pyav_two.py FILE...
"""

import sys

import av
import numpy


def luma(frame):
    """The first plane, not converted where it has samples of eight or sixteen bits."""
    plane = frame.planes[0]
    wide = plane.line_size >= 2 * frame.width
    rows = numpy.frombuffer(plane, numpy.uint16 if wide else numpy.uint8).reshape(plane.height, -1)
    return rows[:, : frame.width].astype(numpy.int16)


def check(path):
    with av.open(path) as container:
        stream = container.streams.video[0]
        first = next(container.decode(stream))
        container.seek((stream.start_time or 0) + stream.duration, stream=stream)
        for last in container.decode(stream):
            pass
        print(path, first.pts, last.pts, f"{numpy.abs(luma(first) - luma(last)).mean():.3f}")


for path in sys.argv[1:]:
    check(path)
