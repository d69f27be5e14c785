#!/usr/bin/env python3
"""Checks the words that users read: all Markdown, and the sentences in Sources (help, messages, findings).

    Scripts/check-words.py [--self-test | --count]

It fails if README.md or ARCHITECTURE.md is longer than a newcomer reads, if all Markdown together has more than WORDS
words, if a link leads nowhere, or if a sentence contains a phrase from PHRASES, which are constructions that native readers
stumble over. --count prints the words of each document. --self-test checks that planted lines are found.
"""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LINES = {"README.md": 150, "ARCHITECTURE.md": 200}
WORDS = 29_000

# What is wrong, and what to write instead.
PHRASES = [
    (r"which is nothing", "say what is wrong with it"),
    (r"that (?:is|are) none", "say what it is, or leave it out"),
    (r"\bno [a-z]+(?: [a-z]+){0,3} that is one\b", "X is not a Y"),
    (r"\bwhat is no\b", "anything else"),
    (r"\bis no error\b", "is not an error"),
    (r"\bwaited for\b", "name the time limit"),
    (r"\bwhoever\b", "the client that, anyone who"),
    (r"\banew\b", "again"),
    (r"\bas many [^.;]* as may\b", "limit reached"),
    (r"\bdid not come\b", "timed out"),
    (r"\bnobody (?:has )?said\b", "not registered, not set"),
    (r"\b(?:looked|looks) at (?:at once|anew|in full)\b", "check in parallel, check again"),
    (r"\b(?:is|are|was|were|be) told\b(?! apart| from)", "report"),
    (r"\bforetells?\b", "predict"),
    (r"\bstands? for itself\b", "is closed, is independent"),
    (r"\bhas to say\b|\bhas to tell\b", "contains, reports"),
]
PATTERNS = [(re.compile(pattern, re.IGNORECASE), advice) for pattern, advice in PHRASES]


def paragraphs(text):
    """Line number and text of each paragraph, since sentences continue over lines. Code blocks are left out."""
    start, lines, is_code = 1, [], False
    for number, line in enumerate(text.splitlines() + [""], 1):
        fence = line.lstrip().startswith("```")
        if fence:
            is_code = not is_code
        if not line.strip() or fence or is_code:
            if lines:
                yield start, " ".join(lines)
            start, lines = number + 1, []
        else:
            lines.append(line.strip())


def sentences(source):
    """Line number and text of each string literal in Swift that has a space in it. Comments are left out."""
    long = re.compile(r'"""\n(.*?)"""', re.DOTALL)
    for found in long.finditer(source):
        yield source.count("\n", 0, found.start()) + 1, re.sub(r"\\?\s+", " ", found[1])
    rest = long.sub(lambda found: "\n" * found[0].count("\n"), source)
    for number, line in enumerate(rest.splitlines(), 1):
        if line.lstrip().startswith("//"):
            continue
        for literal in re.findall(r'"((?:[^"\\]|\\.)*)"', line):
            if " " in literal:
                yield number, literal


def problems(name, found):
    for number, text in found:
        for pattern, advice in PATTERNS:
            if match := pattern.search(text):
                yield f'{name}:{number}: "{match[0]}": {advice}'


def markdown():
    """All Markdown files of the repository."""
    names = subprocess.run(["git", "ls-files", "*.md"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return [ROOT / name for name in names.splitlines() if (ROOT / name).exists()]


def anchors(text):
    """The anchors that GitHub gives to headings."""
    for heading in re.findall(r"^#+ +(.+)$", re.sub(r"^```.*?^```", "", text, flags=re.S | re.M), re.M):
        yield re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")


def broken_links(page, text):
    """Links to files or headings that do not exist."""
    for target in re.findall(r"\]\(([^)\s]+)\)", re.sub(r"^```.*?^```", "", text, flags=re.S | re.M)):
        if re.match(r"[a-z]+:", target):
            continue
        name, _, anchor = target.partition("#")
        file = (page.parent / name).resolve() if name else page
        if not file.exists():
            yield f"{page.relative_to(ROOT)}: {target} does not exist"
        elif anchor and file.suffix == ".md" and anchor not in set(anchors(file.read_text() if name else text)):
            yield f"{page.relative_to(ROOT)}: {target}: no such heading"


def self_test():
    planted = [
        ("a.md", list(paragraphs("A picture may be wide,\nwhich is nothing for a phone.\n"))),
        ("b.swift", list(sentences('/// Whoever asks.\nlet help = "ask whoever published it"\n'))),
        ("c.swift", list(sentences('let text = """\n  The answer \\\n  did not come within 5 s.\n  """\n'))),
    ]
    expected = ["a.md:1", "b.swift:2", "c.swift:1"]
    found = [problem.rsplit(': "', 1)[0] for name, lines in planted for problem in problems(name, lines)]
    page = ROOT / "README.md"
    links = list(broken_links(page, "[a](no.md) [b](#no-heading) [c](#here) [d](LICENSE)\n\n# Here\n"))
    if found != expected or len(links) != 2:
        print(f"expected {expected} and two links, found {found} and {links}")
    return found == expected and len(links) == 2


def main():
    documents = markdown()
    if sys.argv[1:] == ["--self-test"]:
        return 0 if self_test() else 1
    if sys.argv[1:] == ["--count"]:
        counts = {path.relative_to(ROOT): len(path.read_text().split()) for path in documents}
        for path, words in [*counts.items(), ("total", sum(counts.values()))]:
            print(f"{words:7}  {path}")
        return 0
    if sys.argv[1:]:
        print(__doc__.strip(), file=sys.stderr)
        return 64
    found = [] if self_test() else ["the self-test fails"]
    for name, most in LINES.items():
        lines = len((ROOT / name).read_text().splitlines())
        if lines > most:
            found.append(f"{name}: {lines} lines (limit {most})")
    words = sum(len(path.read_text().split()) for path in documents)
    if words > WORDS:
        found.append(f"all Markdown has {words} words (limit {WORDS}): Scripts/check-words.py --count")
    for path in documents:
        found += broken_links(path, path.read_text())
        found += problems(path.relative_to(ROOT), paragraphs(path.read_text()))
    for path in sorted((ROOT / "Sources").rglob("*.swift")):
        found += problems(path.relative_to(ROOT), sentences(path.read_text()))
    print("\n".join(found), end="\n" if found else "")
    return 1 if found else 0


sys.exit(main())
