"""What git knows of a repository: its top, what has changed, what a file was before.

Nothing that the repository configures is run.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

from msgspec import Struct

from waitlint.source import MAX_BYTES

SECONDS = 60
AT_ONCE = 1000
# A commit of some files has an index of its own, and a hook is told which repository it is called for.
OF_A_COMMIT = ("GIT_INDEX_FILE", "GIT_DIR", "GIT_WORK_TREE")


class GitFailed(Exception):
    """Git can't answer; the message says why, in its words."""


class Changes(Struct, frozen=True):
    """Files that are new or differ, and the content of those that are gone; by absolute path."""

    changed: tuple[Path, ...]
    deleted: dict[Path, bytes]


def top_of(folder: Path) -> Path:
    """The top of the work tree that a folder is in, without following links. Raises GitFailed where it is in none."""
    return Path(os.path.normpath(folder / os.fsdecode(_git(folder, "rev-parse", "--show-cdup").rstrip(b"\n"))))


def changes_since(folder: Path, revision: str) -> Changes:
    """What differs between the work tree, with its untracked files, and where it parted from a revision."""
    top = top_of(folder)
    if revision.startswith("-"):
        raise GitFailed(f"{revision!r} is no revision")
    base = _git(top, "merge-base", revision, "HEAD").decode().strip()
    deleted = _names(top, "diff", "--no-renames", "--name-only", "-z", "--diff-filter=D", base)
    changed = _names(top, "diff", "--no-renames", "--name-only", "-z", "--diff-filter=d", base)
    untracked = _names(top, "ls-files", "--others", "--exclude-standard", "-z")
    return Changes(tuple(top / name for name in (*changed, *untracked)), _contents(top, base, deleted))


def name_of(folder: Path, revision: str) -> str:
    """The full name of the commit that a revision means. Raises GitFailed."""
    if revision.startswith("-"):
        raise GitFailed(f"{revision!r} is no revision")
    try:
        return _git(folder, "rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}").decode().strip()
    except GitFailed as error:
        top_of(folder)
        raise GitFailed(f"{revision!r} is no commit of this repository") from error


def write_tree(top: Path, revision: str, place: Path) -> None:
    """Lay the files of a commit out in an empty folder that becomes a repository of its own. Raises GitFailed.

    They are written as they are stored: no filter that the repository configures is run. Links, other repositories and
    files that are too large to be read are left out.
    """
    listed = _git(top, "ls-tree", "-r", "-z", "--long", "--full-tree", revision)
    found = [entry.split(b"\t", 1) for entry in listed.split(b"\0") if entry]
    files = []
    for head, name in found:
        mode, kind, identity, size = head.split()
        if kind == b"blob" and mode != b"120000" and int(size) <= MAX_BYTES and not _leads_out(name):
            files.append((identity, name))
    for first in range(0, len(files), AT_ONCE):
        some = files[first : first + AT_ONCE]
        output = answer(top, "cat-file", "--batch", given=b"\n".join(identity for identity, _ in some) + b"\n")
        at = 0
        for _, name in some:
            end = output.index(b"\n", at)
            length = int(output[at:end].split()[2])
            path = place / os.fsdecode(name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(output[end + 1 : end + 1 + length])
            at = end + length + 2
    answer(place, "init", "--quiet", "--template=")
    index = b"".join(b"100644 " + identity + b"\t" + name + b"\0" for identity, name in files)
    answer(place, "update-index", "-z", "--index-info", given=index)


def _leads_out(name: bytes) -> bool:
    """Whether a name in a tree that nobody has checked would write elsewhere."""
    parts = name.split(b"/")
    return any(part in (b"", b".", b"..") or part.lower() == b".git" for part in parts)


def staged_deletions(folder: Path) -> dict[Path, bytes]:
    """The files that the commit in preparation deletes."""
    top = top_of(folder)
    deleted = _names(top, "diff", "--cached", "--no-renames", "--name-only", "-z", "--diff-filter=D")
    return _contents(top, "HEAD", deleted)


def deletions_between(folder: Path, first: str, last: str) -> dict[Path, bytes]:
    """The files that are there at one revision and not at a later one."""
    top = top_of(folder)
    for revision in (first, last):
        if revision.startswith("-"):
            raise GitFailed(f"{revision!r} is no revision")
    deleted = _names(top, "diff", "--no-renames", "--name-only", "-z", "--diff-filter=D", f"{first}...{last}")
    base = _git(top, "merge-base", first, last).decode().strip()
    return _contents(top, base, deleted)


def _names(top: Path, *arguments: str) -> list[str]:
    return [os.fsdecode(name) for name in _git(top, *arguments).split(b"\0") if name]


def _contents(top: Path, revision: str, names: Sequence[str]) -> dict[Path, bytes]:
    return {top / name: content for name, content in _blobs(top, revision, names)}


def _blobs(top: Path, revision: str, names: Sequence[str]) -> Iterator[tuple[str, bytes]]:
    for name in names:
        yield name, _git(top, "cat-file", "blob", f"{revision}:{name}")


def _git(folder: Path, *arguments: str) -> bytes:
    return answer(folder, *arguments, keep=OF_A_COMMIT)


def answer(folder: str | Path, *arguments: str, keep: Collection[str] = (), given: bytes | None = None) -> bytes:
    """What git answers in a folder, to `given` on its standard input. Raises GitFailed.

    Of git's own variables in the environment only those to `keep` are handed on.
    """
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_") or name in keep}
    environment.update(GIT_OPTIONAL_LOCKS="0", LC_ALL="C")
    command = ["git", "-c", "core.fsmonitor=false", "-c", f"core.hooksPath={os.devnull}", *arguments]
    try:
        done = subprocess.run(
            command,
            cwd=folder,
            env=environment,
            capture_output=True,
            timeout=SECONDS,
            check=False,
            input=given or b"",
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise GitFailed(str(error)) from error
    if done.returncode:
        raise GitFailed(done.stderr.decode("utf-8", "replace").strip() or f"git {arguments[0]} failed")
    return done.stdout
