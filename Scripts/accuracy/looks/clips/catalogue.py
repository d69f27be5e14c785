"""Every clip, with a coding dealt out to those that ask for none."""

from dataclasses import replace

from . import blank, flash, letterbox
from .clip import DEALT

# A few of each kind and half, positives and traps, that the tests make in some seconds.
SUBSET = {
    "flash": ("strobe", "wave", "red", "over-seam", "strobe-three", "too-faint", "spot", "noise"),
    "letterbox": ("wide", "pillars-turned", "dim", "logo-large", "frame", "dusk", "vignette-strong"),
    "blank": ("black", "fade-white", "grain", "night", "spot", "line-white", "last-black"),
}


def clips():
    found = []
    for kind in (flash, letterbox, blank):
        for number, clip in enumerate(kind.clips()):
            found.append(clip if clip.coding else replace(clip, coding=DEALT[number % len(DEALT)]))
    files = [clip.file for clip in found]
    if len(set(files)) != len(files):
        raise ValueError("two clips of one name")
    return found


def subset(found):
    return [clip for clip in found if clip.half == "reporting" and clip.name in SUBSET[clip.kind]]
