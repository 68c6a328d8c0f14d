"""The files below a root: what git lists, or what a walk finds that respects .gitignore."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator

from waitlint import looking
from waitlint.git import GitFailed, answer
from waitlint.looking import Entry, Listing

PRUNED = {
    **dict.fromkeys((".git", ".hg", ".svn"), "version control"),
    **dict.fromkeys(("node_modules", "bower_components", ".venv", "venv", ".tox", ".nox"), "installed packages"),
    **dict.fromkeys(("__pycache__", ".mypy_cache", ".ruff_cache", ".pytest_cache", ".hypothesis"), "a cache"),
}


def list_files(root: str) -> Listing:
    """All files below `root`, none of them ignored; symbolic links are listed as they are."""
    known = looking.known_listing(root)
    if known is not None:
        return known
    listed = _by_git(root, set(), 0) or _by_walk(root)
    looking.note_listing(root, listed)
    return listed


def _by_git(root: str, seen: set[str], depth: int) -> Listing | None:
    """Git's list. A repository inside another (a submodule, a clone) is listed by itself and is foreign."""
    seen.add(os.path.realpath(root))
    try:
        listed = answer(root, "ls-files", "-co", "--exclude-standard", "-z")
    except GitFailed:
        return None
    entries: list[Entry] = []
    pruned: list[tuple[str, str]] = []
    for raw in dict.fromkeys(listed.split(b"\0")):
        if not raw:
            continue
        name = os.fsdecode(raw)
        full = os.path.join(root, name)
        inner = name.rstrip("/")
        if not name.endswith("/") and not _is_folder(full):
            entries.append(Entry(name))
        elif os.path.realpath(full) not in seen and depth < 8:
            below = _by_git(full, seen, depth + 1) if os.path.exists(os.path.join(full, ".git")) else None
            if below is not None:
                entries.extend(Entry(f"{inner}/{entry.path}", True) for entry in below.entries)
                pruned.extend((f"{inner}/{path}", reason) for path, reason in below.pruned)
            else:
                pruned.append((inner, "a repository of its own whose files can't be listed"))
    return Listing(entries, pruned)


def _is_folder(path: str) -> bool:
    status = looking.status_of(path)
    return status is not None and stat.S_ISDIR(status.st_mode)


def _by_walk(root: str) -> Listing:
    entries: list[Entry] = []
    pruned: list[tuple[str, str]] = []
    stack: list[tuple[str, tuple[tuple[str, object], ...]]] = [("", ())]
    while stack:
        folder, rules = stack.pop()
        found = _scan(os.path.join(root, folder) if folder else root)
        if any(entry.name == ".gitignore" for entry in found):
            rules = (*rules, (folder, _spec(os.path.join(root, folder, ".gitignore"))))
        for entry in found:
            path = f"{folder}/{entry.name}" if folder else entry.name
            is_folder = entry.is_dir(follow_symlinks=False)
            if is_folder and entry.name in PRUNED:
                pruned.append((path, PRUNED[entry.name]))
            elif rules and _ignored(path, is_folder, rules):
                continue
            elif is_folder:
                stack.append((path, rules))
            elif entry.is_symlink() or entry.is_file(follow_symlinks=False):
                entries.append(Entry(path))
    return Listing(entries, pruned)


def _scan(folder: str) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as found:
            return list(found)
    except OSError:
        return []


def _spec(path: str) -> object:
    import pathspec

    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            lines = file.read(1_000_000).splitlines()
        return pathspec.GitIgnoreSpec.from_lines(lines)
    except (OSError, ValueError):
        return pathspec.GitIgnoreSpec([])


def _ignored(path: str, is_folder: bool, rules: tuple[tuple[str, object], ...]) -> bool:
    """Whether the nearest .gitignore with an opinion ignores the path."""
    import pathspec

    for folder, spec in reversed(rules):
        if not isinstance(spec, pathspec.GitIgnoreSpec):
            continue
        below = path[len(folder) + 1 :] if folder else path
        verdict = spec.check_file(f"{below}/" if is_folder else below)
        if verdict.include is not None:
            return verdict.include
    return False


def walk_folder(root: str, folder: str) -> Iterator[str]:
    """The files below a folder that a link leads to, relative to `root`; no link inside it is followed."""
    stack = [folder]
    while stack:
        here = stack.pop()
        looking.note_folder(os.path.join(root, here))
        for entry in sorted(_scan(os.path.join(root, here)), key=lambda one: one.name):
            path = f"{here}/{entry.name}"
            if entry.is_dir(follow_symlinks=False):
                if entry.name not in PRUNED:
                    stack.append(path)
            elif entry.is_file(follow_symlinks=False):
                looking.note(os.path.join(root, path))
                yield path
