"""Which versions of a package the code of a file is written for: from lock files, manifests and the file itself."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from functools import cache

from msgspec import Struct

from waitlint.project.packages import Packages
from waitlint.project.sources import Sources

Version = tuple[int, ...]

PYTHON_LOCKS = ("uv.lock", "poetry.lock", "pdm.lock", "pylock.toml", "Pipfile.lock")
PYTHON_MANIFESTS = (
    "pyproject.toml",
    "requirements.txt",
    "requirements.in",
    "requirements-dev.txt",
    "requirements/base.txt",
    "constraints.txt",
    "setup.cfg",
    "setup.py",
    "Pipfile",
    "environment.yml",
    "environment.yaml",
)
SCRIPT_LOCKS = ("package-lock.json", "npm-shrinkwrap.json", "pnpm-lock.yaml", "yarn.lock", "bun.lock")
NUMBER = re.compile(r"v?(\d+(?:\.\d+)*)")
CLAUSE = re.compile(r"(===|==|~=|>=|<=|!=|>|<|\^|~|=)?\s*v?(\d+(?:\.\d+)*)(\.\*|\.x)?")
HYPHEN = re.compile(r"v?(\d+(?:\.\d+)*)\s+-\s+v?(\d+(?:\.\d+)*)")
NAME_LINE = re.compile(r"^\s*(?:name\s*=\s*[\"']([^\"']+)[\"'])", re.MULTILINE)
VERSION_LINE = re.compile(r"^\s*version\s*=\s*[\"']([^\"'{}]+)[\"']", re.MULTILINE)
TOP = 8


class Versions(Struct, frozen=True):
    """The versions from `least` on and below `below`; None where nothing bounds them above."""

    least: Version
    below: Version | None = None

    @property
    def exact(self) -> bool:
        return self.below is not None and self.below == (*self.least, 0)

    def meets(self, since: Version | None, below: Version | None) -> bool:
        """Whether any of them lies from `since` on and below `below`."""
        if below is not None and _padded(self.least) >= _padded(below):
            return False
        return since is None or self.below is None or _padded(self.below) > _padded(since)


def exactly(version: Version) -> Versions:
    return Versions(version, (*version, 0))


def parse_version(text: str) -> Version | None:
    """The numbers at the start of a version; None for what is none."""
    found = NUMBER.match(text.strip())
    return tuple(int(part) for part in found.group(1).split(".")[:4]) if found else None


def parse_range(text: str) -> Versions | None:
    """The versions that a requirement such as `>=1.2,<2`, `^5.0.1` or `==1.0.*` allows; None for anything else."""
    text = text.partition(";")[0].partition("||")[0].strip()
    between = HYPHEN.fullmatch(text)
    if between:
        return Versions(_numbers(between.group(1)), _next(_numbers(between.group(2))))
    least: Version = ()
    below: Version | None = None
    found = list(CLAUSE.finditer(text))
    for clause in found:
        operator, version = clause.group(1) or "==", _numbers(clause.group(2))
        low, high = _bounds(operator, version, bool(clause.group(3)))
        least = max(least, low, key=_padded)
        if high is not None and (below is None or _padded(high) < _padded(below)):
            below = high
    return Versions(least, below) if found else None


def _bounds(operator: str, version: Version, is_open: bool) -> tuple[Version, Version | None]:
    if operator in ("==", "===", "="):
        return version, _next(version) if is_open or len(version) < 3 else (*version, 0)
    if operator == "^":
        return version, _next_major(version)
    if operator == "~":
        return version, _next(version[:2])
    if operator == "~=":
        return version, _next(version[:-1] or version)
    if operator == "<":
        return (), version
    if operator == "<=":
        return (), (*version, 0)
    return (version, None) if operator in (">=", ">") else ((), None)


def _numbers(text: str) -> Version:
    return tuple(int(part) for part in text.split("."))


def _next(version: Version) -> Version:
    return (*version[:-1], version[-1] + 1)


def _next_major(version: Version) -> Version:
    """The first version that a caret leaves out: the first number that is not 0 goes up."""
    for index, part in enumerate(version):
        if part:
            return (*version[:index], part + 1)
    return _next(version)


def _padded(version: Version) -> Version:
    return (*version, *(0 for _ in range(6 - len(version))), len(version) > 3)


class InstalledVersions:
    """Finds versions by package and by the file that uses it; what was found is kept."""

    def __init__(self, sources: Sources, packages: Packages) -> None:
        self._sources = sources
        self._packages = packages
        self._known: dict[tuple[str, str], Versions | None] = {}
        self._own: dict[str, tuple[str, Versions | None]] = {}

    def of(self, path: str, package: str) -> Versions | None:
        """The versions of a package that the file at `path` is written for; None where nothing tells."""
        written = self._in_file(path, package)
        if written is not None:
            return written
        folder = posixpath.dirname(path)
        key = (folder, package)
        if key not in self._known:
            is_script = not path.endswith((".py", ".pyi", ".ipynb"))
            self._known[key] = self._script(folder, package) if is_script else self._python(folder, package)
        return self._known[key]

    def distribution(self, path: str) -> tuple[str, Versions | None]:
        """The name and version of the package that a file is a part of; "" where it is a part of none."""
        folder = posixpath.dirname(path)
        if folder not in self._own:
            is_script = not path.endswith((".py", ".pyi", ".ipynb"))
            self._own[folder] = self._own_script(path) if is_script else self._own_python(folder)
        return self._own[folder]

    # ------------------------------------------------------------ Python

    def _in_file(self, path: str, package: str) -> Versions | None:
        """What a script says of itself (`# dependencies = ["x>=1"]`), or a notebook installs."""
        source = self._sources.get(path)
        if source is None:
            return None
        head = source.text[:3000] if not path.endswith(".ipynb") else source.text
        if "# /// script" not in head and "pip install" not in head:
            return None
        return _in_requirements(head, package)

    def _python(self, folder: str, package: str) -> Versions | None:
        asked: Versions | None = None
        for above in _upwards(folder):
            for name in PYTHON_LOCKS:
                found = _in_python_lock(self._text(above, name), package)
                if found is not None and (asked is None or found.meets(asked.least, asked.below)):
                    return found
            for name in PYTHON_MANIFESTS if asked is None else ():
                found = _in_requirements(self._text(above, name), package)
                if found is not None:
                    asked = found
                    break
        return asked

    def _own_python(self, folder: str) -> tuple[str, Versions | None]:
        for above in _upwards(folder):
            for name in ("pyproject.toml", "setup.cfg", "setup.py"):
                text = self._text(above, name)
                named = NAME_LINE.search(text) or re.search(r"^\s*name\s*=\s*([\w.-]+)\s*$", text, re.MULTILINE)
                if named:
                    version = VERSION_LINE.search(text)
                    number = parse_version(version.group(1)) if version else None
                    return _normal(named.group(1)), exactly(number) if number else None
        return "", None

    # ------------------------------------------------------------ TypeScript and JavaScript

    def _script(self, folder: str, package: str) -> Versions | None:
        asked: Versions | None = None
        inner = ""
        for above in _upwards(folder):
            manifest = self._packages.in_folder(above)
            wanted = manifest.wants(package) if manifest is not None and asked is None else None
            if wanted is not None:
                if wanted.startswith("workspace:"):
                    return self._in_workspace(package)
                number = self._packages.version(posixpath.join(above, "index.ts"), package)
                asked = parse_range(wanted) or (Versions(number) if number else Versions(()))
                inner = above
            for name in SCRIPT_LOCKS if asked is not None else ():
                text = self._text(above, name)
                member = posixpath.relpath(inner or ".", above or ".")
                found = _in_script_lock(name, text, package, member) if text else None
                if found is not None:
                    return found
        return asked if asked is not None and asked.least else None

    def _in_workspace(self, package: str) -> Versions | None:
        own = self._packages.named(package)
        number = parse_version(str(own.content.get("version") or "")) if own is not None else None
        return exactly(number) if number else None

    def _own_script(self, path: str) -> tuple[str, Versions | None]:
        for package in self._packages.around(path):
            if package.name:
                number = parse_version(str(package.content.get("version") or ""))
                return package.name, exactly(number) if number else None
        return "", None

    def _text(self, folder: str, name: str) -> str:
        source = self._sources.get(posixpath.join(folder, name))
        return source.text if source is not None else ""


def _upwards(folder: str) -> Iterator[str]:
    for _ in range(TOP):
        yield folder
        if not folder:
            return
        folder = posixpath.dirname(folder)


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


@cache
def _python_name(package: str) -> str:
    """A distribution's name as an expression: dashes, dots and underscores are the same."""
    return r"[-_.]".join(re.escape(part) for part in re.split(r"[-_.]+", package))


def _in_python_lock(text: str, package: str) -> Versions | None:
    if not text:
        return None
    name = _python_name(package)
    found = re.search(rf"^name = \"{name}\"\s*\nversion = \"([^\"]+)\"", text, re.MULTILINE | re.IGNORECASE)
    found = found or re.search(rf"\"{name}\": \{{[^{{}}]*?\"version\": \"==([^\"]+)\"", text, re.IGNORECASE)
    number = parse_version(found.group(1)) if found else None
    return exactly(number) if number else None


def _in_requirements(text: str, package: str) -> Versions | None:
    """What a requirement of a package allows, in any of the forms that Python has for it."""
    if not text:
        return None
    name = _python_name(package)
    plain = rf"(?:^|[\"'\s,=-]){name}(?:\[[^\]]*\])?\s*@?\s*(?P<range>(?:===?|~=|[<>]=?|!=)[^\"'\n#\\]*)"
    found = re.search(plain, text, re.MULTILINE | re.IGNORECASE)
    if found:
        return parse_range(found["range"])
    table = rf"^\s*\"?{name}\"?\s*=\s*(?:\{{[^}}]*?version\s*=\s*)?[\"']([^\"']+)[\"']"
    found = re.search(table, text, re.MULTILINE | re.IGNORECASE)
    return parse_range(found.group(1)) if found else None


def _in_script_lock(name: str, text: str, package: str, member: str) -> Versions | None:
    """The version that a lock file holds for a package of the workspace member `member`."""
    quoted = re.escape(package)
    patterns: tuple[str, ...]
    if name.endswith(".json"):
        inner = "" if member == "." else re.escape(f"{member}/")
        patterns = (
            rf"\"{inner}node_modules/{quoted}\": \{{\s*\"version\": \"([^\"]+)\"",
            rf"\"node_modules/{quoted}\": \{{\s*\"version\": \"([^\"]+)\"",
            rf"^    \"{quoted}\": \{{\s*\"version\": \"([^\"]+)\"",
        )
    elif name == "pnpm-lock.yaml":
        text = _pnpm_member(text, member)
        patterns = (rf"^\s+'?{quoted}'?:\s*\n\s+specifier: .*\n\s+version: '?([^\s'(]+)",)
    elif name == "yarn.lock":
        patterns = (rf"^\"?{quoted}@[^\n]*:\s*\n\s+version:? \"?([^\s\"]+)",)
    else:
        patterns = (rf"\"{quoted}\": \[\"{quoted}@([^\"]+)\"",)
    for pattern in patterns:
        found = re.search(pattern, text, re.MULTILINE)
        number = parse_version(found.group(1)) if found else None
        if number:
            return exactly(number)
    return None


def _pnpm_member(text: str, member: str) -> str:
    """The part of a pnpm lock file that speaks of one member of the workspace."""
    found = re.search(rf"^  '?{re.escape(member)}'?:\s*$(.*?)(?=^  \S|\Z)", text, re.MULTILINE | re.DOTALL)
    return found.group(1) if found else ""
