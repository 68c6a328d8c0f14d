"""What stands near what: folders that two files share, and the package that a file belongs to."""

from __future__ import annotations

from waitlint.project.sources import Sources

PACKAGE_FILES = ("pyproject.toml", "package.json", "setup.py", "setup.cfg")


def shared_folders(left: str, right: str) -> int:
    """How many folders two paths have in common, from the top."""
    count = 0
    for a, b in zip(left.split("/")[:-1], right.split("/")[:-1], strict=False):
        if a != b:
            break
        count += 1
    return count


class PackageFolders:
    """The folders of packages, found by the files that describe one."""

    def __init__(self, sources: Sources) -> None:
        self._sources = sources
        self._known: dict[str, str] = {}

    def of(self, path: str) -> str:
        """The folder of the package that a file belongs to; "" where no file says so."""
        folder = path.rpartition("/")[0]
        if not folder:
            return ""
        known = self._known.get(folder)
        if known is None:
            sources = (self._sources.get(f"{folder}/{name}") for name in PACKAGE_FILES)
            found = any(source is not None and source.text for source in sources)
            known = self._known[folder] = folder if found else self.of(folder)
        return known
