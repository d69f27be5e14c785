"""The report, in markdown."""

from collections import Counter
from functools import partial
import math

import counts, rivals
from labels import CLEAR, LOOPS, MINOR
from lib import labelled
from lib.labelled import share

table = partial(labelled.table, rule="---")
ORDER = ["seamless", "static", "held", "jump", "cut", "fade", "freeze", "shift", "reverse", "pop", "uncertain", "none",
         "error", "gap"]
NAMED = "of the caught named right"
CERTAIN = "of the certain wrong"
MODES = ["default", "thorough"]
BITS = [0, 0.03, 0.1, 0.3, math.inf]
HALVES = ["reporting", "second", "third", "tuning"]
FIGURES = {
    "loops": (counts.loops, None),
    "false alarms": (counts.loops, counts.false_alarm),
    "false errors": (counts.loops, counts.false_error),
    "clear caught": (counts.clear, counts.caught),
    NAMED: (counts.clear, counts.named_right),
    CERTAIN: (lambda clips: counts.loops(clips) + counts.clear(clips), counts.wrong),
    "minor noticed": (counts.minor, counts.noticed),
    "starved loops alarmed": (counts.starved, counts.alarmed),
    "all loops alarmed": (lambda clips: counts.loops(clips) + counts.starved(clips), counts.alarmed),
    "raw cuts caught": (lambda clips: [clip for clip in counts.clear(clips) if clip.is_raw_cut], counts.caught),
}


def report(clips, half, judges):
    """`judges` are those to report on: artworkd's modes and, where it was asked, the reference."""
    chosen = [clip for clip in clips if half == "all" or clip.half in (half, "second", "third")]
    parts = ["# Seams: what is judged wrong", f"{len(clips)} clips; those that are ambiguous count nowhere."]
    for judge in judges:
        parts += [f"## By family and half: {judge}", by_family(clips, judge)]
    if all("rivals" in clip.said for clip in clips):
        parts += [f"## Beside rivals: {half}", *beside_rivals(clips, chosen, judges)]
    for judge in judges:
        if judge in MODES:
            parts += [f"## Loops by bits per pixel: {half}, {judge}", by_bits(chosen, judge)]
        parts += [f"## Verdicts: {half}, {judge}", confusion(chosen, judge), "### Missed, by kind",
                  misses(chosen, judge)]
    parts += [f"## Mistakes: {half}", mistakes(chosen, judges)]
    return "\n\n".join(parts) + "\n"


def by_family(clips, judge):
    groups = {}
    for clip in clips:
        groups.setdefault((HALVES.index(clip.half), clip.family), []).append(clip)
        groups.setdefault((HALVES.index(clip.half), "~all"), []).append(clip)
    rows = []
    for (half, family), some in sorted(groups.items()):
        rows.append([family.replace("~", ""), HALVES[half], *figures(some, judge)])
    return table(["family", "half", *FIGURES], rows)


def figures(clips, judge):
    values = []
    for name, (those, test) in FIGURES.items():
        counted = {NAMED: counts.caught, CERTAIN: counts.certain}.get(name, lambda clip, judge: True)
        some = [clip for clip in those(clips) if counted(clip, judge)]
        values.append(len(some) if test is None else share(sum(test(clip, judge) for clip in some), len(some)))
    return values


def by_bits(clips, judge):
    """Coding that takes few bits leaves a seam of its own: the first frame is sharper and elsewhere than the last."""
    rows = []
    for low, high in zip(BITS, BITS[1:]):
        some = [clip for clip in counts.loops(clips) if low <= (clip.said[judge]["bits"] or 0) < high]
        rows.append([f"{low:g} to {high:g}", share(sum(counts.false_alarm(clip, judge) for clip in some), len(some)),
                     share(sum(counts.false_error(clip, judge) for clip in some), len(some))])
    return table(["bits per pixel", "false alarms", "false errors"], rows)


def beside_rivals(clips, chosen, judges):
    """Each rival with the threshold that is best on the tuning halves."""
    tuning = [clip for clip in clips if clip.half == "tuning"]
    quiet, loud, rows = counts.loops(chosen), counts.clear(chosen), []
    for judge in judges:
        rows.append([judge, "", share(sum(counts.false_alarm(clip, judge) for clip in quiet), len(quiet)),
                     share(sum(counts.caught(clip, judge) for clip in loud), len(loud))])
    for name in rivals.NAMES:
        limit = counts.best_threshold(tuning or chosen, name)
        if limit is None:
            continue
        above = [[clip.said["rivals"][name] > limit for clip in some if clip.said["rivals"]] for some in (quiet, loud)]
        rows.append([name, f"{limit:.3g}", *(share(sum(some), len(some)) for some in above)])
    note = "tuning halves" if tuning else "very clips they are counted on: no tuning half was given"
    return [f"Thresholds are the best for the {note}.",
            table(["alarm by", "threshold", "false alarms", "clear caught"], rows)]


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
            lost[clip.family, clip.defect, clip.kind] += counts.missed(clip, judge)
    rows = [[*key, share(count, every[key])] for key, count in lost.most_common() if count]
    return table(["family", "defect", "kind", "missed"], rows) if rows else "None."


def mistakes(clips, judges):
    lines = []
    for clip in sorted(clips, key=lambda clip: (clip.tier, clip.family, clip.name)):
        wrong = [judge for judge in judges if counts.false_alarm(clip, judge) or counts.missed(clip, judge)]
        if wrong:
            said = clip.said[wrong[0]]
            lines.append(f"- {'missed' if clip.tier else 'false alarm'} by {', '.join(wrong)}: `{clip.name}` "
                         f"({clip.family}, {clip.defect}: {clip.kind}): {said['words'] or said['verdict']}")
    return "\n".join(lines) or "None."
