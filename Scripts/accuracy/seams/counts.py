"""What is a mistake, and which threshold on a number tells loops from defects best."""

import numpy as np

from labels import CLEAR, LOOPS, MINOR


# The rules that speak of the seam, or of a clip that does not move.
SEAM_RULES = ("loop-seam", "fade", "static")


def severities(clip, judge):
    return {clip.said[judge]["rules"].get(rule) for rule in SEAM_RULES}


def alarms(clip, judge):
    return bool(severities(clip, judge) & {"warning", "error"})


def fails(clip, judge):
    return "error" in severities(clip, judge)


def named_right(clip, judge):
    return clip.said[judge]["verdict"] in clip.accepted


def loops(clips):
    return [clip for clip in clips if clip.tier == LOOPS]


def clear(clips):
    return [clip for clip in clips if clip.tier == CLEAR]


def minor(clips):
    return [clip for clip in clips if clip.tier == MINOR]


def false_alarm(clip, judge):
    """A warning is one, too; a ping-pong that is called reverse is right."""
    return clip.tier == LOOPS and alarms(clip, judge) and not named_right(clip, judge)


def starved(clips):
    """Loops whose coding alone makes their seams visible: an alarm is neither right nor wrong there."""
    return [clip for clip in clips if clip.starved]


def alarmed(clip, judge):
    return alarms(clip, judge) and not named_right(clip, judge)


def false_error(clip, judge):
    return false_alarm(clip, judge) and fails(clip, judge)


def caught(clip, judge):
    """A first frame that is blank catches a fade, too, and another rule finds a gap."""
    other = {"fade": "blank-first-frame", "gap": "loop-gap"}.get(clip.defect)
    return alarms(clip, judge) or clip.said[judge]["rules"].get(other) in ("warning", "error")


def noticed(clip, judge):
    """Minor defects need no more than the right name."""
    return caught(clip, judge) or named_right(clip, judge)


def missed(clip, judge):
    return clip.tier == CLEAR and not caught(clip, judge)


def wrong(clip, judge):
    return false_alarm(clip, judge) or missed(clip, judge)


def certain(clip, judge):
    return clip.said[judge].get("certainty") == "certain"


def best_threshold(clips, name):
    """Halfway between two values: alarms above it are right most often, as the mean of loops and clear defects."""
    quiet, loud = (np.array([clip.said["rivals"][name] for clip in some if clip.said["rivals"]])
                   for some in (loops(clips), clear(clips)))
    if not len(quiet) or not len(loud):
        return None
    values = np.unique(np.concatenate([quiet, loud]))
    steps = np.concatenate([[values[0] - 1], (values[1:] + values[:-1]) / 2])
    recall = 1 - np.searchsorted(np.sort(loud), steps, side="right") / len(loud)
    silence = np.searchsorted(np.sort(quiet), steps, side="right") / len(quiet)
    return float(steps[np.argmax(recall + silence)])
