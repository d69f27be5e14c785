"""Labelled sets: which half counts, how often a rule is right, and the table that is printed.

Limits are chosen on the half `tuning`; figures come from `reporting`.
"""

from collections import defaultdict
import contextlib
from pathlib import Path
import sys
import tempfile

from lib import tool

HALVES = ("tuning", "reporting")


class Parser(tool.Parser):
    """The arguments of an evaluation: its half, and whether to name mistakes."""

    def __init__(self, documentation, halves):
        super().__init__(documentation)
        self.add_argument("--half", choices=halves, default="reporting")
        self.add_argument("--list", action="store_true", help="name the mistakes")


@contextlib.contextmanager
def folder(keep):
    """The folder for made clips: one that goes, or one that stays."""
    with tempfile.TemporaryDirectory() as temporary:
        made = keep or Path(temporary)
        made.mkdir(parents=True, exist_ok=True)
        yield made


class Counts:
    """In how many of the clips of a kind something is true."""

    def __init__(self, lists_mistakes=False):
        self.found, self.lists_mistakes = defaultdict(list), lists_mistakes

    def add(self, kind, is_raised, should=None, *words):
        """Counts a clip. `should` is None where neither is a mistake; `words` name the clip in the list of mistakes."""
        self.found[kind].append(is_raised)
        if self.lists_mistakes and should is not None and should != is_raised:
            print("missed" if should else "false alarm", *words, file=sys.stderr)

    def cell(self, *kinds):
        found = [one for kind in kinds for one in self.found[kind]]
        return f"{sum(found)} of {len(found)}"


def share(count, of):
    return f"{count} of {of} ({100 * count / of:.1f} %)" if of else "-"


def table(header, rows, rule="---:"):
    """A table of Markdown. The columns but the first are numbers, to the right."""
    head, *lines = ("| " + " | ".join(map(str, line)) + " |" for line in (header, *rows))
    return "\n".join([head, "|---|" + f"{rule}|" * (len(header) - 1), *lines])
