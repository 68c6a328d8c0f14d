"""The names of files in the source folder of a manager of dotfiles: what they are called where they are put.

chezmoi writes the attributes of a file and its leading dot into its name (`dot_claude/exact_skills/readonly_SKILL.md`).
Source: twpayne/chezmoi v2.72.0, `internal/chezmoi/attr.go` and `chezmoi.go`. What is encrypted, removed, a link or a
script that changes another file holds none of the words that end up there: such names are left as they are.
"""

from __future__ import annotations

import re
from functools import lru_cache

_MARK = "dot_"
_FOLDER = re.compile(r"(?:external_)?(?:exact_)?(?:private_)?(?:readonly_)?(?:(dot_)|literal_)?(?=.)")
_FILE = re.compile(r"(?:create_)?(?:private_)?(?:readonly_)?(?:empty_)?(?:executable_)?(?:(dot_)|literal_)?(?=.)")
_ENDING = re.compile(r"(?:\.literal|\.tmpl)\Z")


def put_at(path: str) -> str:
    """The path by which a file is known where it is put; the path itself where no part of it is a name of chezmoi's.

    Only a leading dot is written in a way that no other tool writes it in: a path without one is taken as it stands.
    """
    if _MARK not in path:
        return path
    folder, _, name = path.rpartition("/")
    above = _folder_at(folder)
    if above is None:
        if not (found := _FILE.match(name)) or not found.group(1):
            return path
        above = folder
    return f"{above}/{_named(name, _FILE, ending=True)}" if above else _named(name, _FILE, ending=True)


@lru_cache(maxsize=4096)
def _folder_at(folder: str) -> str | None:
    """A folder as it is put; None where nothing says that it is one of chezmoi's."""
    parts = folder.split("/")
    if not any((found := _FOLDER.match(part)) and found.group(1) for part in parts):
        return None
    return "/".join(_named(part, _FOLDER) for part in parts)


def _named(written: str, attributes: re.Pattern[str], *, ending: bool = False) -> str:
    found = attributes.match(written)
    if found is None:
        return written
    name = f"{'.' if found.group(1) else ''}{written[found.end() :]}"
    return _ENDING.sub("", name) if ending else name
