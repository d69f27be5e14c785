"""What is a mistake, and how well a number tells seamless clips from defects."""

from dataclasses import dataclass

import numpy as np

from accuracy.measure import DEFAULT_WINDOW, EVERYTHING

QUIET = {"seamless", "static", "reverse"}
# A clip that was not judged is neither right nor caught.
UNJUDGED = {"error", "none"}


@dataclass(frozen=True)
class Verdict:
    """What a mode says of a clip, and how much it took to say it."""

    name: str
    severity: object
    milliseconds: float
    packets: int
    looked_twice: bool = False


def verdict(clip, mode):
    """By `mode` alone."""
    line = clip.trial[mode]
    name = "error" if "error" in line else line.get("verdict", "none")
    return Verdict(name, line.get("severity"), line.get("milliseconds", 0), line.get("packetsDecoded", 0))


def thorough(clip):
    return verdict(clip, EVERYTHING)


def default(clip, window=DEFAULT_WINDOW):
    """By the ends; by every frame where they are in doubt."""
    ends = verdict(clip, str(window))
    if ends.name != "uncertain":
        return ends
    whole = verdict(clip, EVERYTHING)
    return Verdict(whole.name, whole.severity, ends.milliseconds + whole.milliseconds,
                   ends.packets + whole.packets, looked_twice=True)


def defect(clip):
    return clip.label["defect"]


def accepted(clip):
    return {defect(clip), *clip.label["detail"].get("accept", [])}


def is_seamless(clip):
    return defect(clip) == "seamless"


def is_clear_defect(clip):
    return clip.label["clear"] and defect(clip) not in ("seamless", "static")


def is_one_frame_jump(clip):
    return defect(clip) == "jump" and abs(clip.label["detail"].get("frames", 0)) == 1


def is_false_alarm(clip, name):
    return is_seamless(clip) and name not in QUIET | accepted(clip)


def is_right(clip, name):
    return name in accepted(clip)


def is_caught(clip, name):
    return name not in QUIET | UNJUDGED or is_right(clip, name) and name != "seamless"


def is_missed(clip, name):
    return not is_caught(clip, name) and not is_right(clip, name)


# MARK: Numbers that a threshold divides


def trial_number(field, mode):
    """A missing surprise surprises nobody."""
    return lambda clip: float(clip.trial[mode].get(field, 0))


def rival_number(name):
    return lambda clip: float(clip.rival[name])


def auc(quiet, loud):
    """The probability that one of `loud` is above one of `quiet`, ties counting half."""
    if not len(quiet) or not len(loud):
        return float("nan")
    values = np.concatenate([loud, quiet])
    _, places, counts = np.unique(values, return_inverse=True, return_counts=True)
    ranks = (np.cumsum(counts) - (counts - 1) / 2)[places]
    return (ranks[: len(loud)].sum() - len(loud) * (len(loud) + 1) / 2) / (len(loud) * len(quiet))


def best_threshold(quiet, loud):
    """The one above which alarms are right most often, as the mean of both kinds; halfway between two values."""
    values = np.unique(np.concatenate([quiet, loud]))
    steps = np.concatenate([[values[0] - 1], (values[1:] + values[:-1]) / 2])
    recall = 1 - np.searchsorted(np.sort(loud), steps, side="right") / len(loud)
    silence = np.searchsorted(np.sort(quiet), steps, side="right") / len(quiet)
    return float(steps[np.argmax(recall + silence)])
