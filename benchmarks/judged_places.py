"""How often a loop that is shown is one, and how many are found, by places of public repositories judged by reading.

    python benchmarks/judged_places.py CHECKOUTS [--show]

`judged_places.tsv` names the places, each with its repository, commit, path and line. The verdict is `right` where a
model that reads it is told to look again and again or to sleep, `wrong` where it is not, else `doubtful`. `drawn` says
how it was come by: from what was `shown` at that time, from what was of `low` confidence, or `read` in the text without
looking at findings. CHECKOUTS is a folder of checkouts at these commits, each in a folder `owner+name`; those that
are missing are named and left out.

Rules were mended with these places in view, so what they say of a later state is no measure of it on texts that nobody
has seen. They show what a change costs.
"""

from __future__ import annotations

import argparse
import csv
import subprocess
import sys
from collections import Counter, defaultdict
from pathlib import Path
from typing import NamedTuple

import msgspec

TABLE = Path(__file__).with_suffix(".tsv")
LOOPS = frozenset(["loop/keep-calling", "loop/model-sleeps", "tell/prompt-contradicts-tool"])
# A finding may begin in the line above the one that was noted, or end below it.
NEAR = 1


SAID = ("shown", "low", "nothing")
VERDICTS = ("right", "wrong", "doubtful")
DRAWN = ("shown", "low", "read")


class Loop(msgspec.Struct):
    """A finding, as the JSON output has it."""

    rule: str
    path: str
    line: int
    end_line: int
    confidence: str


class Findings(msgspec.Struct):
    """What the JSON output holds."""

    findings: list[Loop]


class Place(NamedTuple):
    """A place that was judged, as the table has it."""

    repository: str
    commit: str
    path: str
    line: int
    verdict: str
    drawn: str


def places() -> list[Place]:
    """All places of the table."""
    with TABLE.open(encoding="utf-8", newline="") as file:
        rows = csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        return [
            Place(row["repository"], row["commit"], row["path"], int(row["line"]), row["verdict"], row["drawn"])
            for row in rows
        ]


def loops_in(checkout: Path) -> list[Loop] | None:
    """The loops that waitlint finds in a checkout; None where it did not end as it should."""
    command = [sys.executable, "-m", "waitlint", "check", "--no-cache", "--isolated", "--pedantic"]
    run = subprocess.run([*command, "--output-format", "json", "."], cwd=checkout, capture_output=True, check=False)
    if run.returncode not in (0, 1):
        return None
    return [one for one in msgspec.json.decode(run.stdout, type=Findings).findings if one.rule in LOOPS]


def said_of(place: Place, loops: list[Loop]) -> str:
    """What waitlint says of a place: `shown`, `low` or `nothing`."""
    near = [
        one.confidence
        for one in loops
        if one.path == place.path and one.line - NEAR <= place.line <= one.end_line + NEAR
    ]
    if not near:
        return "nothing"
    return "low" if set(near) == {"low"} else "shown"


def main() -> int:
    """Judge the checkouts and print the counts."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("checkouts", type=Path)
    parser.add_argument("--show", action="store_true", help="name the places of which it says what they are not")
    asked = parser.parse_args()
    by_repository: defaultdict[str, list[Place]] = defaultdict(list)
    for place in places():
        by_repository[place.repository].append(place)
    counts: Counter[tuple[str, str, str]] = Counter()
    for repository, judged in by_repository.items():
        checkout = asked.checkouts / repository.replace("/", "+")
        loops = loops_in(checkout) if checkout.is_dir() else None
        if loops is None:
            print(f"left out: {repository} at {judged[0].commit}", file=sys.stderr)
            continue
        for place in judged:
            said = said_of(place, loops)
            counts[place.drawn, place.verdict, said] += 1
            if asked.show and (said == "shown") != (place.verdict == "right") and place.verdict != "doubtful":
                print(f"{place.verdict}, {said}: {repository} {place.path}:{place.line}")
    for drawn in DRAWN:
        for verdict in VERDICTS:
            told = ", ".join(f"{counts[drawn, verdict, said]} {said}" for said in SAID)
            print(f"drawn from what was {drawn}, {verdict}: {told}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
