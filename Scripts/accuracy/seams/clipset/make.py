"""Makes the clips of one scene and says what they are."""

from dataclasses import replace
from fractions import Fraction

import numpy as np

from . import defects, encode, openends, seamless, tiers, visible
from .catalogue import family_of, scenes
from .noise import random_of
from .stage import Stage
from .strip import Deck


def deck_of(name):
    """The scene of that name, with another one of its half for cuts to something else."""
    every = scenes(family_of(name))
    scene = next(scene for scene in every if scene.name == name)
    strangers = [other for other in every if other.half == scene.half and other.kind != scene.kind]
    return Deck(scene, strangers[random_of("stranger", name).integers(len(strangers))])


def strip_of(entry, scene):
    stage = Stage(scene, entry.turn, random_of("stage", entry.file), anywhere=entry.defect == "seamless")
    if entry.defect == "seamless":
        strip = seamless.BUILDERS[entry.trap](stage)
        strip.detail = {"trap": entry.trap, **strip.detail}
        strip.clear = True
        return strip
    if entry.trap:
        return openends.BUILDERS[entry.trap](stage, entry.strength)
    return defects.BUILDERS[entry.defect](stage, entry.strength)


def make(entry, deck, folder):
    """Writes the clip of an entry; returns its label."""
    scene = deck.scene
    strip = strip_of(entry, scene)
    wishes = strip.encoding
    grain = wishes.get("grain", entry.grain)
    variant = replace(entry.variant, **{key: wishes[key] for key in ("crf", "keyint") if key in wishes})
    frames = list(deck.frames(strip.shots, grain, random_of("grain", entry.file)))
    path = folder / entry.file
    dropped = wishes.get("dropped", ())
    encode.encode(path, (frame.tobytes() for frame in frames), scene.size, scene.fps, variant, wishes.get("zones", ""),
                  dropped)
    clear, detail = entry.strength >= 2, dict(strip.detail)
    if strip.check:
        seen, measured = visible.judged(strip.check, deck, grain)
        clear, detail["seen"] = clear and seen, measured
    elif entry.defect == "pop":
        seen, detail["seen"] = visible.starved(np.array(frames), encode.decoded(path, scene.size))
        clear = clear and seen
    elif entry.defect == "seamless" or strip.detail.get("trap") == "pingpong":
        left, seen = np.delete(np.array(frames), dropped, axis=0), encode.decoded(path, scene.size)
        blank = int(entry.trap == "blankfirst")
        pops, measured = visible.coding_seen(left[blank:], seen[blank:])
        if deck.scene.family == "vector" and min(float(np.ptp(visible.blocks(left[n:][:1]))) for n in (0, -1)) < 8:
            detail["accept"] = ["fade"]      # comes from an empty ground and goes back to it
        if deck.scene.family != "drawn" and not pops:
            pops, measured = visible.jump_seen(seen[blank:], share=1.0)
        if pops:
            strip.clear, detail["coding"] = False, measured
    if deck.scene.family != "drawn" and (entry.defect == "jump" or entry.trap == "unclosed"):
        # Eased motion and beats have steps of their own that a jump has to stand out from.
        seen, detail["seen"] = visible.jump_seen(np.array(frames), share=1.0)
        clear = entry.strength >= 2 and seen
    if entry.defect == "held" and not scene.tracked:
        clear = clear and entry.strength == 3
    if variant.rotate:
        detail["rotate"] = variant.rotate
    label = {"file": entry.file, "family": scene.family, "source": scene.name, "scene": scene.name,
             "kind": scene.kind, "half": scene.half, "defect": entry.defect,
            "strength": entry.strength, "clear": clear if strip.clear is None else strip.clear, "detail": detail,
            "fps": round(float(Fraction(scene.fps)), 3), "frames": len(frames) - len(dropped),
            "width": scene.size[0], "height": scene.size[1], "codec": variant.codec, "crf": variant.crf,
            "grain": grain}
    return {**label, "tier": tiers.tier(label)}
