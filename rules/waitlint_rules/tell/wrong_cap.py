"""`tell/wrong-cap`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from waitlint.context import Context
from waitlint.finding import Confidence, Evidence, Finding, Quiet, Severity
from waitlint.fix import Applicability, Repair, RewriteText
from waitlint.linked import Mentioned, Tool, Wait
from waitlint.names import UNITS
from waitlint.rule import rule
from waitlint_rules.certain import bounds_whole_tool, is_always_passed
from waitlint_rules.wording import how_known, in_seconds, longest, real_waits

ROUNDING = 0.1
NO_CAP = re.compile(
    r"\b(?:at least|minimum|between (?:attempts|checks|polls|laps|tries|reads|calls)|each|every|interval|"
    r"about|around|approximately|roughly|usually|typically|often|an estimated)\b|~",
    re.IGNORECASE,
)
RANGE = re.compile(r"\b(\d+(?:\.\d+)?) ?(?:-|–|to|\.\.) ?(\d+(?:\.\d+)?)\b")
PART_OF_RANGE = re.compile(r"\d ?(?:[-–~]|to|or|and) ?$|[-–~] ?$")
NUMBER = re.compile(
    r"\b(?P<number>\d+(?:\.\d+)?|an?|one|two|three|four|five|six|seven|eight|nine|ten|fifteen|twenty|thirty)"
    r"(?P<gap>[ -]?)(?P<unit>seconds?|secs?|s|minutes?|mins?|m|hours?|h|ms)\b",
    re.IGNORECASE,
)
WORDS = {
    "one": 1,
    "two": 2,
    "three": 3,
    "four": 4,
    "five": 5,
    "six": 6,
    "seven": 7,
    "eight": 8,
    "nine": 9,
    "ten": 10,
    "a": 1,
    "an": 1,
    "fifteen": 15,
    "twenty": 20,
    "thirty": 30,
}
DOCUMENTS = (".md", ".mdc", ".mdx", ".txt", ".prompt")
OWN_ROLES = ("tool-description", "parameter-description")


@rule(subject="Mentioned", severity=Severity.ERROR, rules=("R4",), checklist=("C5",), fixes="safe/unsafe")
def check(mentioned: Mentioned, context: Context) -> Iterator[Finding | Quiet]:
    """A description or prompt names another cap than the code."""
    if mentioned.intent.kind != "waits" or len({tool.handler or tool.place for tool in mentioned.tools}) != 1:
        return
    tool = max(mentioned.tools, key=lambda tool: len(tool.waits))
    said = _said(mentioned, tool)
    waits = real_waits(tool)
    if said is None or not waits:
        yield Quiet(tool.name, "its text names no cap" if said is None else "it does not wait")
        return
    numbers = sorted(_numbers(tool))
    if any(not wait.cap.known for wait in waits) or not numbers:
        yield Quiet(tool.name, "its cap in code is not known, or there is none")
        return
    if any(_same(said, number) for number in numbers) or any(_fits(said, wait) for wait in waits):
        yield Quiet(tool.name, f"its text names {in_seconds(said)}, as the code does")
        return
    if _says_another_right(mentioned, numbers, context):
        yield Quiet(tool.name, "its text names the cap of the code elsewhere")
        return
    wait = longest(waits)
    seconds = _limit(mentioned, wait)
    yield context.finding(
        mentioned.place,
        f"the words say {in_seconds(said)}, and the code waits up to {in_seconds(seconds)}{how_known(wait.cap)}",
        help=f"Write “{in_seconds(seconds)}”, the cap of the code; or make the code keep to {in_seconds(said)}.",
        scope=mentioned.text.owner or mentioned.text.text.key,
        excerpt=_words(mentioned),
        tools=(tool.name,),
        confidence=_confidence(mentioned, tool),
        evidence=[Evidence(wait.place, "the wait"), *wait.cap.places],
        repair=_repair(mentioned, said, seconds, tool) if bounds_whole_tool(tool, wait) else None,
    )


def _words(mentioned: Mentioned) -> str:
    span = mentioned.intent.span
    return mentioned.text.text.value[span.start : span.end]


def _said(mentioned: Mentioned, tool: Tool) -> float | None:
    """The cap in seconds that the words name; for an argument the greatest of its range."""
    words = _words(mentioned)
    if mentioned.intent.seconds is not None:
        return None if NO_CAP.search(words) else mentioned.intent.seconds
    if mentioned.text.text.role != "parameter-description":
        return None
    found = RANGE.search(mentioned.text.text.value)
    is_chosen = any(_is_chosen(wait, mentioned.text.text.key) for wait in tool.waits)
    return float(found[2]) if found and is_chosen and "milli" not in mentioned.text.text.value else None


def _is_chosen(wait: Wait, name: str) -> bool:
    chosen = wait.chosen
    return chosen is not None and chosen.what == "cap" and chosen.name == name and wait.kind != "call"


def _limit(mentioned: Mentioned, wait: Wait) -> float:
    asked_for_most = mentioned.text.text.role == "parameter-description" and wait.most is not None and wait.most.known
    return wait.most.value if asked_for_most and wait.most is not None else wait.cap.value


def _numbers(tool: Tool) -> set[float]:
    """Every number of seconds that words about the tool's waits may rightly name."""
    found: set[float] = set()
    outer = 0.0
    for wait in tool.waits:
        for seconds in (wait.cap, wait.worst, wait.most, wait.pause, *(read.timeout for read in wait.reads)):
            if seconds is not None and seconds.known:
                found.add(seconds.value)
        outer += wait.cap.value if wait.within is None and wait.cap.known else 0.0
    found.update(read.timeout.value for read in tool.reads if read.timeout.known)
    return {number for number in (*found, outer) if number > 0}


def _same(said: float, number: float) -> bool:
    """Whether two lengths of time differ by no more than rounding."""
    return abs(said - number) <= max(1.0, ROUNDING * max(said, number))


def _fits(said: float, wait: Wait) -> bool:
    """Whether the words count the reads as well, or one lap more or less."""
    written = all(read.timeout.places for read in wait.reads)
    if written and wait.worst.known and wait.cap.value <= said <= wait.worst.value:
        return True
    return wait.pause.known and abs(said - wait.cap.value) <= wait.pause.value


def _says_another_right(mentioned: Mentioned, numbers: list[float], context: Context) -> bool:
    """Whether the same text names a cap of the tool elsewhere: then these words speak of something else."""
    others = [other for other in context.project.mentions_in(mentioned.text) if other.tools == mentioned.tools]
    said = [other.intent.seconds for other in others if other.intent.kind in ("waits", "long-job")]
    return any(_same(one, number) for one in said if one is not None for number in numbers)


def _confidence(mentioned: Mentioned, tool: Tool) -> Confidence:
    if tool.confidence != "high" or mentioned.intent.confidence != "high":
        return Confidence.MEDIUM
    return Confidence.HIGH


def _repair(mentioned: Mentioned, said: float, seconds: float, tool: Tool) -> Repair | None:
    """The number in the words put right, where it is written once and in one piece."""
    text = mentioned.text
    start, end = mentioned.intent.span.start, mentioned.intent.span.end
    found = [match for match in NUMBER.finditer(text.text.value, start, end) if _is_number(match, said)]
    if len(found) != 1 or text.built or not text.text.complete or text.paths or seconds != int(seconds):
        return None
    match, value = found[0], text.text.value
    if PART_OF_RANGE.search(value[: match.start()]):
        return None
    unit = match["unit"] if match["unit"].lower().startswith("s") else "s"
    number = f"{seconds:.0f}{match['gap']}{unit}"
    if text.path.endswith(DOCUMENTS):
        change = RewriteText(text.path, text.place(match.start(), match.end()).span, number)
    else:
        change = RewriteText(text.path, text.text.span, value[: match.start()] + number + value[match.end() :], value)
    own = text.text.role in OWN_ROLES and _confidence(mentioned, tool) is Confidence.HIGH
    sure = own and is_always_passed(longest(real_waits(tool)))
    applicability = Applicability.SAFE if sure else Applicability.UNSAFE
    return Repair("name the cap of the code", applicability, (change,))


def _is_number(match: re.Match[str], said: float) -> bool:
    number = WORDS.get(match["number"].lower()) or float(match["number"])
    return abs(number * UNITS[match["unit"].lower()] - said) < 0.5
