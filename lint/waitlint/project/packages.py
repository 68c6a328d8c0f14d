"""What `package.json` and `tsconfig.json` say: names, entry points and versions of packages, other names for paths."""

from __future__ import annotations

import json
import posixpath
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import TypeAlias

from waitlint import frontends
from waitlint.facts import Const, Do, Expr, Map, Seq, Str
from waitlint.project.sources import Sources

Plain: TypeAlias = "str | int | float | bool | list[Plain] | dict[str, Plain] | None"
Version: TypeAlias = tuple[int, ...]

CONDITIONS = ("source", "development", "types", "import", "module", "node", "default", "require", "browser")
ENTRIES = ("source", "module", "types", "typings", "main")
DEPENDENCIES = ("dependencies", "devDependencies", "peerDependencies", "optionalDependencies")
CONFIGS = ("tsconfig.json", "jsconfig.json")
NUMBERS = re.compile(r"^[\^~>=<v\s]*(\d+)(?:\.(\d+|[x*]))?(?:\.(\d+|[x*]))?")
MOST_EXTENDED = 6
MOST_REFERENCES = 12


class Aliases:
    """The other names that a `tsconfig.json` gives to paths. `base` is None where it sets no base for bare names."""

    def __init__(self, base: str | None, paths: dict[str, list[str]]) -> None:
        self.base = base
        self._paths = sorted(paths.items(), key=lambda pair: -len(pair[0].partition("*")[0]))

    def targets(self, module: str) -> Iterator[str]:
        """The paths, relative to the root, that a bare name may stand for, the most exact first."""
        for pattern, targets in self._paths:
            before, star, after = pattern.partition("*")
            if not star:
                if module == pattern:
                    yield from targets
            elif module.startswith(before) and module.endswith(after) and len(module) >= len(before) + len(after):
                middle = module[len(before) : len(module) - len(after)]
                yield from (target.replace("*", middle, 1) for target in targets)
        if self.base is not None:
            yield posixpath.join(self.base, module)


class Package:
    """One `package.json`. `folder` is where it stands, relative to the root."""

    def __init__(self, folder: str, content: dict[str, Plain]) -> None:
        self.folder = folder
        self.content = content
        name = content.get("name")
        self.name = name if isinstance(name, str) else ""

    def wants(self, package: str) -> str | None:
        """The version of a package that it asks for, as written."""
        for key in DEPENDENCIES:
            wanted = self.content.get(key)
            if isinstance(wanted, dict) and isinstance(found := wanted.get(package), str):
                return found
        return None

    def targets(self, sub: str) -> Iterator[str]:
        """The files, relative to its folder, that `name` or `name/sub` may mean."""
        exports = self.content.get("exports")
        key = f"./{sub}" if sub else "."
        if isinstance(exports, str | list) and not sub:
            yield from _conditional(exports)
        elif isinstance(exports, dict):
            if not any(name.startswith(".") for name in exports):
                yield from _conditional(exports) if not sub else ()
            yield from _matching(exports, key)
        if not sub:
            yield from (entry for name in ENTRIES if isinstance(entry := self.content.get(name), str))
            yield "index"
            yield "src/index"
        else:
            yield sub
            yield f"src/{sub}"

    def own(self, module: str) -> Iterator[str]:
        """What a name that begins with `#` means inside the package."""
        imports = self.content.get("imports")
        if isinstance(imports, dict):
            yield from _matching(imports, module)


class Packages:
    """The packages and aliases of a project, each file read when it is first asked for."""

    def __init__(self, files: Iterable[str], sources: Sources) -> None:
        self._folders = frozenset(above for path in files for above in _upwards(posixpath.dirname(path)))
        self._sources = sources
        self._packages: dict[str, Package | None] = {}
        self._aliases: dict[str, Aliases | None] = {}
        self._by_name: dict[str, Package] | None = None
        self._catalogs: dict[str, Plain] | None = None

    # ------------------------------------------------------------ packages

    def in_folder(self, folder: str) -> Package | None:
        if folder not in self._packages:
            content = self._read(posixpath.join(folder, "package.json"))
            self._packages[folder] = Package(folder, content) if content else None
        return self._packages[folder]

    def around(self, path: str) -> Iterator[Package]:
        """The packages that a file belongs to, the innermost first."""
        for folder in _upwards(posixpath.dirname(path)):
            found = self.in_folder(folder)
            if found is not None:
                yield found

    def named(self, name: str) -> Package | None:
        """The package of the project with this name, if there is one."""
        if self._by_name is None:
            self._by_name = {}
            for folder in sorted(self._folders, key=lambda one: (one.count("/"), one)):
                found = self.in_folder(folder)
                if found is not None and found.name:
                    self._by_name.setdefault(found.name, found)
        return self._by_name.get(name)

    def version(self, path: str, package: str) -> Version | None:
        """The least version of a package that the file at `path` is written for; None if nothing says so."""
        for one in self.around(path):
            wanted = one.wants(package)
            if wanted is None:
                continue
            if wanted.startswith("catalog:"):
                wanted = self._from_catalog(wanted.removeprefix("catalog:"), package)
            elif wanted.startswith("npm:"):
                wanted = wanted.rpartition("@")[2]
            return version_of(wanted)
        return None

    def depends_on(self, path: str, package: str) -> bool:
        return any(one.wants(package) is not None for one in self.around(path))

    def _from_catalog(self, catalog: str, package: str) -> str:
        """The version that a pnpm workspace has for `catalog:`."""
        if self._catalogs is None:
            self._catalogs = self._read("pnpm-workspace.yaml")
        default = self._catalogs.get("catalog")
        named = self._catalogs.get("catalogs")
        chosen = named.get(catalog) if catalog not in ("", "default") and isinstance(named, dict) else default
        found = chosen.get(package) if isinstance(chosen, dict) else None
        return found if isinstance(found, str) else ""

    # ------------------------------------------------------------ aliases

    def aliases(self, path: str) -> Aliases | None:
        """What the nearest `tsconfig.json` above a file says of names."""
        folder = posixpath.dirname(path)
        if folder not in self._aliases:
            self._aliases[folder] = self._nearest_aliases(folder)
        return self._aliases[folder]

    def _nearest_aliases(self, folder: str) -> Aliases | None:
        for name in CONFIGS:
            content = self._read(posixpath.join(folder, name))
            if content:
                found = self._aliases_of(content, folder, MOST_EXTENDED)
                if found is not None:
                    return found
        return self.aliases(folder) if folder else None

    def _aliases_of(self, content: dict[str, Plain], folder: str, depth: int) -> Aliases | None:
        options = content.get("compilerOptions")
        options = options if isinstance(options, dict) else {}
        base = options.get("baseUrl")
        base = _under(folder, base) if isinstance(base, str) else None
        paths = options.get("paths")
        if isinstance(paths, dict):
            targets = {
                key: [_under(base or folder, one) or "" for one in _texts(found)] for key, found in paths.items()
            }
            return Aliases(base, targets)
        if depth > 0:
            for inherited in _texts(content.get("extends")):
                found = self._aliases_at(inherited, folder, depth - 1)
                if found is not None:
                    return found if base is None else Aliases(base, dict(found._paths))
            references = content.get("references")
            for reference in references[:MOST_REFERENCES] if isinstance(references, list) and base is None else ():
                target = reference.get("path") if isinstance(reference, dict) else None
                if isinstance(target, str):
                    found = self._aliases_at(target, folder, 0)
                    if found is not None:
                        return found
        return Aliases(base, {}) if base is not None else None

    def _aliases_at(self, target: str, folder: str, depth: int) -> Aliases | None:
        """The aliases of the configuration that another one extends or refers to."""
        if not target.startswith("."):
            return None
        path = _under(folder, target)
        if path is None:
            return None
        candidates = (path,) if path.endswith(".json") else (f"{path}.json", posixpath.join(path, "tsconfig.json"))
        for candidate in candidates:
            content = self._read(candidate)
            if content:
                return self._aliases_of(content, posixpath.dirname(candidate), depth)
        return None

    # ------------------------------------------------------------ reading

    def _read(self, path: str) -> dict[str, Plain]:
        """The object in a JSON or YAML file; empty where there is none."""
        source = self._sources.get(path)
        if source is None or not source.text.strip():
            return {}
        language = "yaml" if path.endswith(".yaml") else "json"
        if language == "json":
            # Most hold nothing that only the front end understands, such as comments, which takes ten times as long.
            with suppress(ValueError, RecursionError):
                whole = json.loads(source.text)
                return whole if isinstance(whole, dict) else {}
        for stmt in frontends.read(source, language, "").body:
            content = plain(stmt.value) if isinstance(stmt, Do) else None
            if isinstance(content, dict):
                return content
        return {}


def plain(expr: Expr) -> Plain:
    """A document as plain data; what is neither data nor text is None."""
    match expr:
        case Str():
            return expr.literal
        case Const(value=value):
            return value
        case Seq(items=items):
            return [plain(item) for item in items]
        case Map(entries=entries):
            return {
                entry.key.literal: plain(entry.value)
                for entry in entries
                if isinstance(entry.key, Str) and entry.key.literal is not None
            }
        case _:
            return None


def version_of(wanted: str) -> Version | None:
    """The least version that a range such as `^3.35.0` allows."""
    found = NUMBERS.match(wanted.partition("||")[0].strip())
    if not found:
        return None
    return tuple(int(part) if part and part.isdigit() else 0 for part in found.groups())


def _upwards(folder: str) -> Iterator[str]:
    while folder:
        yield folder
        folder = posixpath.dirname(folder)
    yield ""


def _under(folder: str, target: str) -> str | None:
    """A path as written in a file of `folder`, relative to the root; None if it leads out of it."""
    path = posixpath.normpath(posixpath.join(folder, target))
    if path.startswith(("..", "/")):
        return None
    return "" if path == "." else path


def _texts(value: Plain) -> list[str]:
    items = value if isinstance(value, list) else [value]
    return [item for item in items if isinstance(item, str)]


def _conditional(target: Plain) -> Iterator[str]:
    """The files that an entry of `exports` leads to, whatever the conditions."""
    if isinstance(target, str):
        yield target
    elif isinstance(target, list):
        for item in target:
            yield from _conditional(item)
    elif isinstance(target, dict):
        for key in (*CONDITIONS, *(key for key in target if key not in CONDITIONS)):
            if key in target:
                yield from _conditional(target[key])


def _matching(entries: dict[str, Plain], key: str) -> Iterator[str]:
    """The files of the entries whose name or pattern fits."""
    if key in entries:
        yield from _conditional(entries[key])
        return
    for pattern, target in entries.items():
        before, star, after = pattern.partition("*")
        if star and key.startswith(before) and key.endswith(after) and len(key) > len(before) + len(after) - 1:
            middle = key[len(before) : len(key) - len(after)] if after else key[len(before) :]
            yield from (one.replace("*", middle) for one in _conditional(target))
