"""OpenCV: the first frame as a PNG, every frame up to the last, the difference of the two.

usage: opencv_check.py OUTPUT_DIR FILE
"""

import pathlib
import sys

import cv2

folder, path = sys.argv[1:]
video = cv2.VideoCapture(path)
found, first = video.read()
assert found, path
last = first
while found:
    found, frame = video.read()
    if found:
        last = frame
cv2.imwrite(str(pathlib.Path(folder, pathlib.Path(path).stem + ".png")), first)
print(path, first.shape[1], first.shape[0], f"{cv2.absdiff(first, last).mean():.3f}")
