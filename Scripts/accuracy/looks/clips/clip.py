"""One clip of the set: how it is drawn, how it is coded, and what is true of it."""

from dataclasses import dataclass, field
from typing import Callable

RULES = ("flash", "letterbox", "blank-first-frame")


@dataclass(frozen=True)
class Coding:
    name: str
    codec: str = "h264"
    crf: int = 20
    full_range: bool = False
    rotate: int = 0
    pq: bool = False
    keyint: int = 250

    @property
    def suffix(self):
        return "mov" if self.codec == "prores" else "mp4"


PLAIN = Coding("h264")
COARSE = Coding("coarse", crf=34)
STARVED = Coding("starved", crf=40)
FULL = Coding("full", full_range=True)
TURNED = Coding("turned", rotate=90)
HALF_TURNED = Coding("half-turned", rotate=180)
HEVC = Coding("hevc", "hevc", 24)
HEVC10 = Coding("hevc10", "hevc10", 24)
PRORES = Coding("prores", "prores")
PQ = Coding("pq", "hevc10", 20, pq=True)
SHORT_GOP = Coding("gop12", crf=26, keyint=12)
# Neighbours differ in as much as possible; dealt out in turn where a clip asks for none.
DEALT = (PLAIN, HEVC, COARSE, FULL, HEVC10, TURNED, SHORT_GOP, PRORES, HALF_TURNED)


@dataclass
class Clip:
    """`draw` gives float32 RGB frames from 0 to 255 (sRGB code values), (frames, height, width, 3)."""

    name: str
    half: str
    kind: str
    about: str
    draw: Callable
    fps: float = 30
    coding: Coding = None
    # Rules that must be raised.
    raises: tuple = ()
    # Frames that are left out: the ones before them are held.
    dropped: tuple = ()
    detail: dict = field(default_factory=dict)

    @property
    def file(self):
        return f"{self.kind}-{self.half}-{self.name}.{self.coding.suffix}"

    def label(self):
        return {"file": self.file, "half": self.half, "kind": self.kind, "about": self.about,
                "coding": self.coding.name, **{rule: rule in self.raises for rule in RULES}, **self.detail}
