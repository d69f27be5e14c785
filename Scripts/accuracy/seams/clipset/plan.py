"""Which clips there are: scenes, labels and variants, the same list on every run."""

from dataclasses import dataclass

from . import encode, seamless
from .catalogue import scenes
from .noise import stable

GRAINS = (0, 2, 0, 4, 0, 8, 0, 3)      # for clips whose label does not ask for some; their number is no multiple of 17
TRAPS_PER_SCENE = 7


@dataclass(frozen=True)
class Entry:
    scene: str
    half: str
    defect: str
    strength: int
    trap: str
    turn: int
    number: int
    variant: encode.Variant
    grain: int

    @property
    def file(self):
        trap = f"-{self.trap}" if self.trap else ""
        return (f"{self.scene}-{self.defect}{self.strength}{trap}-{self.number:02d}{self.variant.name}"
                f".{self.variant.suffix}")


def labels(scene, place):
    """(defect, strength) for the scene at a place of its half: the table turns from scene to scene."""
    third, half = place % 3 + 1, place % 2
    yield "held", 1 if scene.slow else 2
    yield "jump", third
    yield "jump", third % 3 + 1
    yield "cut", third
    yield "fade", (place + 1) % 3 + 1
    yield "freeze", (place + 2) % 3 + 1
    yield "shift", third
    yield "reverse", (place + 1) % 3 + 1
    yield "pop", (place + 2) % 3 + 1
    if half:
        yield "held", 3
        yield "freeze", 2
        yield "pop", 2 + place // 2 % 2
        yield "static", 2 if place % 4 == 1 else 3
    else:
        yield "fade", 2
        yield "shift", 2 + place // 2 % 2
        if place % 4 == 0:
            yield "static", 1


def drawn(scene, place):
    traps = list(seamless.BUILDERS)
    turns = range(place * (TRAPS_PER_SCENE - 1), (place + 1) * (TRAPS_PER_SCENE - 1))
    turning = [traps[1 + n % (len(traps) - 1)] for n in turns]
    wanted = [("seamless", 0, trap) for trap in ["plain", *turning]]
    return wanted + [(defect, strength, "") for defect, strength in labels(scene, place)]


def vector(scene, place):
    traps = ("twos", "lowrate", "rest", "pulse", "slowends", "threes", "grain", "strobe")
    yield from (("seamless", 0, "plain"), ("seamless", 0, traps[place % 8]))
    yield ("reverse", 1, "") if place % 2 else ("seamless", 0, traps[(place + 3) % 8])
    yield from (("jump", 2, ""), ("jump", (3, 1, 2)[place % 3], ""))
    turning = (("freeze", 2), ("fade", 3), ("shift", 2), ("held", 2), ("cut", 3), ("pop", 3), ("freeze", 3),
               ("fade", 2), ("shift", 3), ("reverse", 2))
    yield from ((*turning[(3 * place + n) % len(turning)], "") for n in range(3))
    yield "cut", 2, "unclosed"


def blended(scene, place):
    yield from (("seamless", 0, trap) for trap in ("plain", "crossfade", "crossfade", ("grain", "lowrate")[place % 2]))
    yield from (("cut", 2, "unclosed"), ("jump", 2, "earlydissolve"), ("jump", 3, "earlydissolve"),
                ("jump", 1, "ghost"))
    turning = (("freeze", 2), ("fade", 3), ("shift", 2), ("held", 2), ("jump", 3), ("pop", 3), ("jump", 2),
               ("reverse", 1))
    yield from ((*turning[(2 * place + n) % len(turning)], "") for n in range(3))


WANTED = {"drawn": drawn, "vector": vector, "blended": blended}


def entries(family="drawn"):
    made, counters = [], {}
    places = {"tuning": 0, "reporting": 0}
    for scene in scenes(family):
        place = places[scene.half]
        places[scene.half] += 1
        wanted = WANTED[family](scene, place)
        for number, (defect, strength, trap) in enumerate(wanted):
            key = scene.half, defect, strength, trap
            turn = counters[key] = counters.get(key, -1) + 1
            offset = stable("/".join(map(str, key)))
            variant = encode.VARIANTS[(offset + turn) % len(encode.VARIANTS)]
            if not suits(variant, defect, strength, trap, turn):
                variant = encode.STARVED if defect == "pop" else encode.VARIANTS[(offset + turn) % 3]
            grain = GRAINS[(offset // 64 + turn) % len(GRAINS)]
            made.append(Entry(scene.name, scene.half, defect, strength, trap, turn, number, variant, grain))
    return made


def suits(variant, defect, strength, trap, turn):
    """Whether a label can be had with a variant: starved and low-rate encodes and dropped frames need H.264."""
    if defect == "pop" and turn % 2 == 0:
        return False
    if trap in ("vfr", "lowrate") or (defect == "static" and strength == 2):
        return variant.codec == "h264"
    return True


def subset(every):
    """Each trap once, and each defect at strengths 2 and 3 (and the ping-pong) once in each half."""
    chosen, seen, load = [], set(), {}
    for entry in every:
        ways = 2 if entry.defect in ("pop", "jump") else 1
        keys = [(entry.half, entry.defect, entry.strength)] if entry.strength >= 2 else []
        keys += [("trap", entry.trap)] if entry.trap else []
        keys += [("pingpong",)] if (entry.defect, entry.strength) == ("reverse", 1) else []
        keys = [(*key, entry.turn % ways) for key in keys if key[0] != "trap"] + [k for k in keys if k[0] == "trap"]
        if any(key not in seen for key in keys) and load.get(entry.scene, 0) < 6:
            seen.update(keys)
            load[entry.scene] = load.get(entry.scene, 0) + 1
            chosen.append(entry)
    return chosen
