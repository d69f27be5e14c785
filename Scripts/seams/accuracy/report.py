"""The report, in markdown."""

from collections import Counter
from statistics import mean, median

import numpy as np

from accuracy import counts, rivals
from accuracy.measure import DEFAULT_WINDOW, EVERYTHING, WINDOWS

MODES = {"default": counts.default, "thorough": counts.thorough}
ORDER = ["seamless", "static", "held", "jump", "cut", "fade", "freeze", "shift", "reverse", "pop", "uncertain", "none",
         "error"]
NUMBERS = {
    "surprise, every frame": counts.trial_number("surprise", EVERYTHING),
    f"surprise, window {DEFAULT_WINDOW}": counts.trial_number("surprise", str(DEFAULT_WINDOW)),
    "score, every frame": counts.trial_number("score", EVERYTHING),
    f"score, window {DEFAULT_WINDOW}": counts.trial_number("score", str(DEFAULT_WINDOW)),
    **{f"{name}, last to first": counts.rival_number(name) for name in rivals.NAMES},
}


def is_jump_or_cut(clip):
    return counts.is_clear_defect(clip) and counts.defect(clip) in ("jump", "cut")


TASKS = {"jump and cut": is_jump_or_cut, "all clear": counts.is_clear_defect}


def report(sets, half, names_clips):
    tuning = [clip for _, clips in sets for clip in clips if clip.label["half"] == "tuning"]
    parts = ["# Seams: what is judged wrong"]
    for name, clips in sets:
        chosen = [clip for clip in clips if half == "all" or (clip.label["half"] == "tuning") == (half == "tuning")]
        if chosen:
            parts += section(name, chosen, half, tuning, names_clips)
        else:
            parts.append(f"## {name}\n\nNo clips in this half.")
    return "\n\n".join(parts) + "\n"


def section(name, clips, half, tuning, names_clips):
    seamless = sum(map(counts.is_seamless, clips))
    clear = sum(map(counts.is_clear_defect, clips))
    parts = [f"## {name}: {half}", f"{len(clips)} clips: {seamless} seamless, {clear} with clear defects.",
             "### Figures", figures(clips)]
    for mode, judge in MODES.items():
        parts += [f"### Verdicts, {mode} mode", confusion(clips, judge)]
    parts += ["### Misses", misses(clips), "### Beside rivals", *beside_rivals(clips, tuning),
              "### Windows", window_curve(clips)]
    failed = not_inspected(clips)
    if failed:
        parts += ["### Not inspected", bullets(failed)]
    if names_clips:
        parts += ["### Clips with mistakes", mistakes(clips)]
    return parts


# MARK: Parts


def figures(clips):
    rows = []
    seamless = [clip for clip in clips if counts.is_seamless(clip)]
    clear = [clip for clip in clips if counts.is_clear_defect(clip)]
    turning = [clip for clip in clear if counts.defect(clip) == "reverse"]
    for mode, judge in MODES.items():
        said = {clip.file: judge(clip) for clip in clips}

        def those(chosen, test):
            return [clip for clip in chosen if test(clip, said[clip.file].name)]

        alarms = those(seamless, counts.is_false_alarm)
        caught = those(clear, counts.is_caught)
        caught_turning = those(turning, counts.is_caught)
        jumps = [clip for clip in clips if counts.is_one_frame_jump(clip)]
        rows.append([
            mode, share(len(alarms), len(seamless)),
            share(sum(said[clip.file].severity == "warning" for clip in alarms), len(alarms)),
            share(len(caught), len(clear)),
            share(len(caught) - len(caught_turning), len(clear) - len(turning)),
            share(len(those(caught, counts.is_right)), len(caught)),
            share(len(those(jumps, counts.is_caught)), len(jumps)),
            share(sum(one.looked_twice for one in said.values()), len(clips)),
        ])
    return table(["", "false alarms", "of these only warnings", "clear defects caught", "without reverse",
                  "of the caught named right", "one-frame jumps noticed", "looked at twice"], rows, turned=True)


def confusion(clips, judge):
    rows, used = {}, Counter()
    for clip in clips:
        said = judge(clip).name
        rows.setdefault(row_name(clip), Counter())[said] += 1
        used[said] += 1
    columns = [name for name in ORDER if used[name]] + sorted(set(used) - set(ORDER))
    order = [f"{name}{kind}" for name in ORDER for kind in ("", ", clear", ", minor")]
    lines = [[name, *(rows[name][column] or "" for column in columns), sum(rows[name].values())]
             for name in sorted(rows, key=lambda name: order.index(name) if name in order else len(order))]
    return table(["labelled", *columns, "clips"], lines)


def row_name(clip):
    name = counts.defect(clip)
    if name in ("seamless", "static"):
        return name
    return name + (", clear" if clip.label["clear"] else ", minor")


def misses(clips):
    """Missed of all, by defect and strength; an accepted verdict is no miss."""
    defects = [clip for clip in clips if not counts.is_seamless(clip)]
    rows = []
    for name in ORDER + sorted({counts.defect(clip) for clip in defects} - set(ORDER)):
        for clear in (True, False):
            for strength in range(4):
                some = [clip for clip in defects
                        if (counts.defect(clip), bool(clip.label["clear"]), clip.label["strength"])
                        == (name, clear, strength)]
                if some:
                    missed = [sum(counts.is_missed(clip, judge(clip).name) for clip in some)
                              for judge in MODES.values()]
                    rows.append([name, strength, "yes" if clear else "no", *missed, len(some)])
    return table(["defect", "strength", "clear", *(f"missed, {mode}" for mode in MODES), "clips"], rows)


def beside_rivals(clips, tuning):
    header = ["alarm by"]
    for task in TASKS:
        header += [f"AUC, {task}", "threshold", "false alarms", "caught"]
    rows = []
    clips, lost = with_numbers(clips)
    for name, number in NUMBERS.items():
        row = [name]
        for is_loud in TASKS.values():
            quiet, loud = values(clips, number, counts.is_seamless), values(clips, number, is_loud)
            threshold = fitted(number, is_loud, with_numbers(tuning)[0] or clips)
            row.append(decimal(counts.auc(quiet, loud), 3))
            row += ["", "", ""] if threshold is None else [
                f"{threshold:.4g}", share(int((quiet > threshold).sum()), len(quiet)),
                share(int((loud > threshold).sum()), len(loud))]
        rows.append(row)
    for mode, judge in MODES.items():
        row = [f"verdict, {mode} mode"]
        for is_loud in TASKS.values():
            quiet, loud = [list(filter(test, clips)) for test in (counts.is_seamless, is_loud)]
            row += ["", "", share(sum(counts.is_false_alarm(clip, judge(clip).name) for clip in quiet), len(quiet)),
                    share(sum(counts.is_caught(clip, judge(clip).name) for clip in loud), len(loud))]
        rows.append(row)
    source = (f"Thresholds from {len(tuning)} clips of the tuning half." if tuning else
              "No tuning clips were given: each threshold is the best for the very clips it is counted on.")
    if lost:
        source += f" Without {lost} clips that ffmpeg or seam-trial cannot read."
    return [source, table(header, rows)]


def with_numbers(clips):
    """Those that all numbers exist of, and how many others there are."""
    some = [clip for clip in clips if clip.rival and all("error" not in line for line in clip.trial.values())]
    return some, len(clips) - len(some)


def values(clips, number, test):
    return np.array([number(clip) for clip in clips if test(clip)])


def fitted(number, is_loud, clips):
    quiet, loud = values(clips, number, counts.is_seamless), values(clips, number, is_loud)
    return counts.best_threshold(quiet, loud) if len(quiet) and len(loud) else None


def window_curve(clips):
    seamless = [clip for clip in clips if counts.is_seamless(clip)]
    clear = [clip for clip in clips if counts.is_clear_defect(clip)]
    read = with_numbers(clips)[0]
    rows = []
    for window in [*WINDOWS, EVERYTHING] if read else []:
        alone = {clip.file: counts.verdict(clip, str(window)) for clip in clips}
        said = {clip.file: counts.default(clip, window) for clip in clips}
        rows.append([
            window, share(sum(alone[clip.file].name == "seamless" for clip in seamless), len(seamless)),
            share(sum(counts.is_false_alarm(clip, said[clip.file].name) for clip in seamless), len(seamless)),
            share(sum(counts.is_caught(clip, said[clip.file].name) for clip in clear), len(clear)),
            share(sum(one.looked_twice for one in said.values()), len(clips)),
            decimal(median(alone[clip.file].milliseconds for clip in read), 1),
            decimal(mean(said[clip.file].milliseconds for clip in read), 1),
            decimal(median(alone[clip.file].packets for clip in read), 0),
            decimal(mean(said[clip.file].packets for clip in read), 1),
        ])
    return table(["frames at each end", "seamless settled by the ends", "false alarms", "clear defects caught",
                  "looked at twice", "ms, median of the ends", "ms, mean with second looks",
                  "packets, median of the ends", "packets, mean with second looks"], rows)


def not_inspected(clips):
    lines = []
    for clip in clips:
        modes = {}
        for mode, line in clip.trial.items():
            if "error" in line:
                modes.setdefault(line["error"], []).append(mode)
        lines += [f"`{clip.file}` ({', '.join(some)}): {error}" for error, some in modes.items()]
    return lines


def mistakes(clips):
    lines = []
    for clip in clips:
        for mode, judge in MODES.items():
            said = judge(clip).name
            if counts.is_false_alarm(clip, said):
                lines.append(f"false alarm, {mode}: `{clip.file}` {said}")
            elif counts.is_clear_defect(clip) and counts.is_missed(clip, said):
                lines.append(f"clear defect missed, {mode}: `{clip.file}` {said}")
    return bullets(lines) if lines else "None."


# MARK: Markdown


def share(count, of):
    return f"{count} of {of} ({100 * count / of:.1f} %)" if of else "-"


def decimal(number, places):
    return "-" if number != number else f"{number:.{places}f}"


def bullets(lines):
    return "\n".join(f"- {line}" for line in lines)


def table(header, rows, turned=False):
    if turned:
        header, *rows = map(list, zip(header, *rows))
    lines = [header, ["---"] + ["---:"] * (len(header) - 1), *rows]
    return "\n".join("| " + " | ".join(map(str, line)) + " |" for line in lines)
