"""Repairs that would be right alone and are wrong where they stand: the project's own tests hold the call as it is, or
nothing runs the file any more. Their findings stay and say so.

Tests are read as text: what they assert of a mock is found by the mock's name and by what the file replaces.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import NamedTuple

import msgspec

from waitlint.facts import FileFacts, Import, Span
from waitlint.finding import Evidence, Finding, Place
from waitlint.fix import BoundByDeadline, BoundCall, Change, HandOn, SetOption
from waitlint.scanning import Group

Called = BoundCall | BoundByDeadline | HandOn | SetOption
# What asserts the arguments of a mock: what stands before it is the mock, but for `expect(mock)`.
_ASSERTED = re.compile(
    r"\.assert_(?:called_with|called_once_with|any_call|has_calls|awaited_with|awaited_once_with|any_await|has_awaits)\b"
    r"|\.(?:call_args|call_args_list|mock_calls|await_args)\s*==\s*"
    r"|\.(?:calledWithExactly|calledOnceWithExactly)\b"
    r"|expect\(\s*(?P<spy>[^()]*?)\s*\)\s*\.\s*to(?:HaveBeen|Be)(?:Last|Nth)?CalledWith\b"
    r"|expect\(\s*(?P<seen>[^()]*?)\.mock\.(?:calls|lastCall)[^()]*\)\s*\.\s*to(?:Strict)?Equal\b"
)
_MOCK = re.compile(r"[\w.]+\Z")
LONGEST_NAME = 100
# A stand-in with a list of parameters of its own: a further argument would be too much for it.
_STAND_IN = re.compile(
    r"setattr\(\s*(?:[\w.]+\s*,\s*)?[\"'](?P<target>[\w.]+)[\"']\s*,\s*(?P<name>\w+)\b"
    r"|(?:patch|patch\.object)\(\s*(?:[\w.]+\s*,\s*)?[\"'](?P<patched>[\w.]+)[\"'][^\n]*?"
    r"(?:side_effect|new|wraps)\s*=\s*(?P<effect>\w+)\b"
)
_MARKS = (
    "assert_",
    "CalledWith",
    "CalledOnceWith",
    "call_args",
    "mock_calls",
    ".mock.calls",
    "setattr(",
    "side_effect",
)
_SETTING_PYTHON = re.compile(
    r"\btimeout=((?:(?:self|cls|settings|config|cfg|[A-Z]\w*)\.)*_?(?:[A-Z][A-Z\d_]+|(?<=\.)\w*timeout\w*))(?=\s*[,)\n])"
)
_SETTING_SCRIPT = re.compile(
    r"\btimeout:\s*((?:(?:this|config|settings|options|env|[A-Z]\w*)\.)*"
    r"(?:[A-Z][A-Z\d_]{2,}|(?<=\.)\w*[tT]imeout\w*|\w+[tT]imeout|\w+TimeoutMs|timeoutMs))(?=\s*[,}\n])"
)
_OLD = frozenset(
    {"old", "bak", "backup", "orig", "original", "deprecated", "obsolete", "unused", "archive", "archived"}
)
_LAST_CALLED = re.compile(r"(\w+)\s*(?:<[^<>()]*>)?\s*\(")
_PACKAGES = ("package.json", "pyproject.toml", "setup.py", "setup.cfg", "Dockerfile")
CODE = (".py", ".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs")
MOST_TESTS = 3000
LONGEST_TEST = 500_000


class Held(NamedTuple):
    """Something that a test fixes the arguments of, by the words of its name, and where."""

    name: str
    place: Place


class Withholding:
    """What speaks against the repairs of a group's findings. The tests are read when they are first asked for."""

    def __init__(self, group: Group) -> None:
        self.group = group
        self._held: dict[str, list[Held]] = {}

    def judged(self, finding: Finding) -> Finding:
        """The finding, without its repair where others would have to pay for that."""
        if finding.repair is None or finding.repair.is_of_words:
            return finding
        changes = finding.repair.changes
        for change in changes:
            callees = _callees(self.group, change)
            place = self._holding(change.path, callees, _names_of(finding)) if callees else None
            if place is not None:
                shown = Evidence(place, "a test holds the arguments of this call as they are")
                help = f"{finding.help} A test holds this call as it is: change both."
                return msgspec.structs.replace(finding, repair=None, help=help, evidence=(*finding.evidence, shown))
        setting = next((found for change in changes if (found := self._own_setting(change))), "")
        if setting:
            help = f"{finding.help} The file has a timeout of its own, `{setting}`: take that here as well."
            return msgspec.structs.replace(finding, repair=None, help=help)
        if any(_is_left_over(self.group, change.path) for change in changes):
            help = f"{finding.help} Nothing runs this file any more, as it seems: it may as well go."
            return msgspec.structs.replace(finding, repair=None, help=help)
        return finding

    def _holding(self, path: str, callees: Iterable[str], names: Collection[str]) -> Place | None:
        """Where a test that names the module at `path` and what is in it fixes the arguments of one of the callees."""
        wanted = {_plain(callee) for callee in callees} - {""}
        stem = _stem(path)
        names_it = re.compile(rf"(?<![a-zA-Z0-9]){re.escape(stem)}(?![a-zA-Z0-9])")
        for test in self._tests_of(path):
            text = self._text(test)
            if stem not in text or names_it.search(text) is None:
                continue
            if names and not any(name in text for name in names):
                continue
            if test not in self._held:
                self._held[test] = list(_held(test, text))
            matching = [one for one in self._held[test] if one.name in wanted]
            if matching:
                return matching[0].place
        return None

    def _own_setting(self, change: Change) -> str:
        """The name from which other calls in the same file have their timeout: a number beside it would go past it."""
        if not isinstance(change, BoundCall):
            return ""
        named = _SETTING_PYTHON if change.path.endswith((".py", ".ipynb")) else _SETTING_SCRIPT
        found = named.search(self.group.read_source(change.path).text)
        return found[1] if found is not None else ""

    def _tests_of(self, path: str) -> list[str]:
        """The tests of the package that a file is in, or of all where it is in none."""
        described = {one.rpartition("/")[0] for one in _beside(self.group.listed, path)} - {""}
        package = max(described, key=len, default="")
        inside = f"{package}/" if package else ""
        return [one for one in self.group.tests if one.startswith(inside) and one.endswith(CODE)][:MOST_TESTS]

    def _text(self, path: str) -> str:
        return self.group.read_source(path).text[:LONGEST_TEST]


# ---------------------------------------------------------------- tests


def _names_of(finding: Finding) -> set[str]:
    """What a test of the code that a finding is about would name: its function, or the tools that it is for."""
    return {finding.scope.rpartition(".")[2], *finding.tools} - {""}


def _callees(group: Group, change: Change) -> set[str]:
    """What is called where a change adds an argument: by its name in the code, and in the catalog."""
    if not isinstance(change, Called):
        return set()
    text = group.read_source(change.path).text[change.span.start : change.span.end]
    api = getattr(change, "api", "")
    names = {api.removesuffix("()").rpartition(".")[2]} if api else set(_LAST_CALLED.findall(text)[:1])
    if api.startswith("boto3."):
        names = {"client"}
    first = _LAST_CALLED.search(text)
    return names | ({first[1]} if first is not None else set())


def _held(path: str, text: str) -> Iterator[Held]:
    if not any(mark in text for mark in _MARKS):
        return
    for found in _ASSERTED.finditer(text):
        mock = found["spy"] or found["seen"] or _before(text, found.start())
        at = Place(path, Span(found.start(), found.end()))
        for name in _names(mock):
            yield Held(name, at)
    for found in _STAND_IN.finditer(text):
        target, name = found["target"] or found["patched"], found["name"] or found["effect"]
        if _takes_fixed_arguments(text, name):
            yield Held(_plain(target.rpartition(".")[2]), Place(path, Span(found.start(), found.end())))


def _before(text: str, end: int) -> str:
    name = _MOCK.search(text, max(0, end - LONGEST_NAME), end)
    return name[0] if name is not None else ""


def _names(mock: str) -> set[str]:
    """What a mock stands for, by its name: the whole of its last parts, and their last word."""
    parts = [part for part in re.split(r"[^\w]+", mock) if part and part not in ("return_value", "mock", "calls")]
    names: set[str] = set()
    for part in parts[-2:]:
        words = re.findall(r"[A-Z]?[a-z0-9]+|[A-Z]+(?![a-z])", part)
        names |= {_plain(part), _plain(words[-1]) if words else ""}
        if len(words) > 1 and words[-1].lower() in ("mock", "spy", "fn", "stub", "fake"):
            names.add(_plain(words[-2]))
    return names - {""}


def _plain(name: str) -> str:
    """A name without what marks it as a stand-in, in letters and digits."""
    low = re.sub(r"[^a-z0-9]", "", name.lower())
    for mark in ("mocked", "mock", "spy", "fake", "stub", "patched"):
        low = low.removeprefix(mark) if low != mark else ""
        low = low.removesuffix(mark)
    return low


def _takes_fixed_arguments(text: str, name: str) -> bool:
    if name == "lambda":
        return not re.search(r"lambda[^:\n]*\*\*", text)
    defined = re.search(rf"def {re.escape(name)}\(([^)]*)\)", text)
    return defined is not None and "**" not in defined[1]


def _stem(path: str) -> str:
    folder, _, name = path.rpartition("/")
    stem = name.partition(".")[0]
    return folder.rpartition("/")[2] or stem if stem in ("__init__", "index", "mod", "main") else stem


# ---------------------------------------------------------------- files that nothing runs


def _is_left_over(group: Group, path: str) -> bool:
    """Whether a file is called an old one, and neither code nor what describes its package names it."""
    name = path.rpartition("/")[2]
    stem = name.partition(".")[0]
    if not _OLD & set(re.findall(r"[a-z]+", name.rpartition(".")[0].lower())):
        return False
    if any(_imports(facts, stem) for other, facts in group.facts.items() if other != path):
        return False
    described = [one for one in _beside(group.listed, path) if stem in group.read_source(one).text]
    return not described


def _imports(facts: FileFacts, stem: str) -> bool:
    bodies = (facts.body, *(function.body for function in facts.functions))
    return any(
        isinstance(stmt, Import) and (stem in re.split(r"[./]", stmt.module) or stmt.name == stem)
        for body in bodies
        for stmt in body
    )


def _beside(listed: Sequence[str], path: str) -> list[str]:
    """The files that describe the packages around a file."""
    folders = ["", *(path[: found.start()] for found in re.finditer("/", path))]
    wanted = {f"{folder}/{name}".lstrip("/") for folder in folders for name in _PACKAGES}
    return [one for one in listed if one in wanted]
