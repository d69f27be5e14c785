"""What is a mistake, and the report of them in markdown."""

from collections import Counter
from functools import partial

from labels import CLEAR, LOOPS, MINOR
from lib import labelled
from lib.labelled import share

table = partial(labelled.table, rule="---")
ORDER = ["seamless", "static", "held", "jump", "cut", "fade", "freeze", "shift", "reverse", "pop", "uncertain", "none",
         "error", "gap"]
HALVES = ["reporting", "second", "third", "tuning"]
# The rules that speak of the seam, or of a clip that does not move.
SEAM_RULES = ("loop-seam", "fade", "static")

# MARK: What counts


def severities(clip, judge):
    return {clip.said[judge]["rules"].get(rule) for rule in SEAM_RULES}


def alarms(clip, judge):
    return bool(severities(clip, judge) & {"warning", "error"})


def named_right(clip, judge):
    return clip.said[judge]["verdict"] in clip.accepted


def alarmed(clip, judge):
    """A warning is an alarm, too; a ping-pong that is called reverse is right."""
    return alarms(clip, judge) and not named_right(clip, judge)


def false_alarm(clip, judge):
    return clip.tier == LOOPS and alarmed(clip, judge)


def false_error(clip, judge):
    return false_alarm(clip, judge) and "error" in severities(clip, judge)


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


def of(*tiers, starved=False):
    """Clips of these tiers; `starved` adds loops whose coding alone makes their seams visible."""
    return lambda clip, _: clip.tier in tiers or starved and clip.starved


def both(*tests):
    return lambda clip, judge: all(test(clip, judge) for test in tests)


# Each counts, of the clips of the first test, those of the second.
FIGURES = {
    "loops": (of(LOOPS), None),
    "false alarms": (of(LOOPS), false_alarm),
    "false errors": (of(LOOPS), false_error),
    "clear caught": (of(CLEAR), caught),
    "of the caught named right": (both(of(CLEAR), caught), named_right),
    "of the certain wrong": (both(of(LOOPS, CLEAR), certain), wrong),
    "minor noticed": (of(MINOR), noticed),
    "starved loops alarmed": (of(starved=True), alarmed),
    "all loops alarmed": (of(LOOPS, starved=True), alarmed),
    "raw cuts caught": (lambda clip, _: clip.tier == CLEAR and clip.is_raw_cut, caught),
}


def figures(clips, judge):
    values = []
    for counted, test in FIGURES.values():
        some = [clip for clip in clips if counted(clip, judge)]
        values.append(len(some) if test is None else share(sum(test(clip, judge) for clip in some), len(some)))
    return values


# MARK: The report


def report(clips, half, judges):
    chosen = [clip for clip in clips if half == "all" or clip.half in (half, "second", "third")]
    parts = ["# Seams: what is judged wrong", f"{len(clips)} clips; those that are ambiguous count nowhere."]
    for judge in judges:
        parts += [f"## By family and half: {judge}", by_family(clips, judge)]
    for judge in judges:
        parts += [f"## Verdicts: {half}, {judge}", confusion(chosen, judge), "### Missed, by kind", misses(chosen, judge)]
    parts += [f"## Mistakes: {half}", mistakes(chosen, judges)]
    return "\n\n".join(parts) + "\n"


def by_family(clips, judge):
    groups = {}
    for clip in clips:
        groups.setdefault((HALVES.index(clip.half), clip.family), []).append(clip)
        groups.setdefault((HALVES.index(clip.half), "~all"), []).append(clip)
    rows = [[family.replace("~", ""), HALVES[half], *figures(some, judge)] for (half, family), some in sorted(groups.items())]
    return table(["family", "half", *FIGURES], rows)


def confusion(clips, judge):
    rows, used = {}, Counter()
    for clip in clips:
        if clip.tier >= 0:
            said = clip.said[judge]["verdict"]
            name = clip.defect + {LOOPS: "", MINOR: ", minor", CLEAR: ", clear"}[clip.tier]
            rows.setdefault((ORDER.index(clip.defect), clip.tier, name), Counter())[said] += 1
            used[said] += 1
    columns = sorted(used, key=lambda name: ORDER.index(name) if name in ORDER else len(ORDER))
    lines = [[key[2], *(row[column] or "" for column in columns), sum(row.values())]
             for key, row in sorted(rows.items())]
    return table(["labelled", *columns, "clips"], lines)


def misses(clips, judge):
    every, lost = Counter(), Counter()
    for clip in clips:
        if clip.tier == CLEAR:
            every[clip.family, clip.defect, clip.kind] += 1
            lost[clip.family, clip.defect, clip.kind] += missed(clip, judge)
    rows = [[*key, share(count, every[key])] for key, count in lost.most_common() if count]
    return table(["family", "defect", "kind", "missed"], rows) if rows else "None."


def mistakes(clips, judges):
    lines = []
    for clip in sorted(clips, key=lambda clip: (clip.tier, clip.family, clip.name)):
        mistaken = [judge for judge in judges if wrong(clip, judge)]
        if mistaken:
            said = clip.said[mistaken[0]]
            lines.append(f"- {'missed' if clip.tier else 'false alarm'} by {', '.join(mistaken)}: `{clip.name}` "
                         f"({clip.family}, {clip.defect}: {clip.kind}): {said['words'] or said['verdict']}")
    return "\n".join(lines) or "None."
