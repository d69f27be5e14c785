"""Prints values of a JSON document or of NDJSON lines on standard input, one line for each value or object that has any.

pick PATH...: a path has names and `*` for each element, such as `results.*.status`; of several paths the values that
belong to one element are in one line.
"""

import json
import sys

text = sys.stdin.read()
try:
    documents = [json.loads(text)]
except json.JSONDecodeError:
    documents = [json.loads(line) for line in text.splitlines()]


def values(found, names):
    if not names:
        return [found]
    name, rest = names[0], names[1:]
    if name == "*":
        elements = found if isinstance(found, list) else []
        return [value for element in elements for value in values(element, rest)]
    return values(found.get(name) if isinstance(found, dict) else None, rest)


for document in documents:
    for row in zip(*(values(document, path.split(".")) for path in sys.argv[1:])):
        if any(value is not None for value in row):
            print(*(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False) for value in row))
