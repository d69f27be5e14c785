#!/usr/bin/env python3
"""Prints what is inside a portable tool as SPDX 2.3: Swift packages, Debian's sources, the Swift runtime.

    Scripts/lib/sbom.py TOOL VERSION PACKAGES      PACKAGES is packages.tsv of Scripts/lib/static-libraries
"""

import datetime
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys

SOURCES = pathlib.Path(__file__).resolve().parents[2]


def main(tool: str, version: str, packages: str) -> None:
    digest = hashlib.sha256(pathlib.Path(tool).read_bytes()).hexdigest()
    made = datetime.datetime.fromtimestamp(int(os.environ["SOURCE_DATE_EPOCH"]), datetime.timezone.utc)
    inside = [
        (line.split("\t")[0], line.split("\t")[1], f"pkg:deb/debian/{line.split(chr(9))[0]}@{line.split(chr(9))[1]}?arch=source")
        for line in pathlib.Path(packages).read_text().splitlines()
    ]
    for pin in json.loads((SOURCES / "Package.resolved").read_text())["pins"]:
        name = pin["location"].removeprefix("https://").removesuffix(".git")
        inside.append((pin["identity"], pin["state"]["version"], f"pkg:swift/{name}@{pin['state']['version']}"))
    swift = subprocess.run(["swift", "--version"], capture_output=True, text=True).stdout
    inside.append(("swift-runtime", re.search(r"Swift version ([0-9.]+)", swift).group(1), None))
    entries = [entry("artworkd", version, None, digest)] + [entry(*item, None) for item in inside]
    print(json.dumps({
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": f"artworkd-{version}",
        "documentNamespace": f"https://artworkd.example/spdx/{version}/{digest}",
        "creationInfo": {"created": made.strftime("%Y-%m-%dT%H:%M:%SZ"), "creators": ["Tool: artworkd Scripts/lib/sbom.py"]},
        "packages": entries,
        "relationships": [relationship("SPDXRef-DOCUMENT", "DESCRIBES", entries[0]["SPDXID"])]
        + [relationship(entries[0]["SPDXID"], "STATIC_LINK", other["SPDXID"]) for other in entries[1:]],
    }, indent=1))


def entry(name, version, purl, digest):
    item = {
        "SPDXID": "SPDXRef-" + re.sub("[^A-Za-z0-9.-]", "-", name), "name": name, "versionInfo": version,
        "downloadLocation": "NOASSERTION", "filesAnalyzed": False, "copyrightText": "NOASSERTION",
        "licenseConcluded": "GPL-3.0-or-later" if digest else "NOASSERTION", "licenseDeclared": "NOASSERTION",
    }
    if digest:
        item["checksums"] = [{"algorithm": "SHA256", "checksumValue": digest}]
    if purl:
        item["externalRefs"] = [
            {"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl", "referenceLocator": purl}]
    return item


def relationship(one, kind, other):
    return {"spdxElementId": one, "relationshipType": kind, "relatedSpdxElement": other}


if len(sys.argv) != 4:
    sys.exit(__doc__)
main(*sys.argv[1:])
