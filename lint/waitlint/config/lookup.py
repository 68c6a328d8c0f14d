"""Which configuration holds for a file: the nearest one above it."""

from __future__ import annotations

from pathlib import Path

from waitlint.config.model import Config
from waitlint.config.reading import FILES, ConfigError, load_table, read_config


class Configs:
    """Finds, reads and remembers configurations.

    The nearest one above a file holds for it as a whole; nothing is merged, except what `extend` names. `isolated`
    leaves all settings at their defaults, and only heeds where a root is.
    """

    def __init__(self, *, isolated: bool = False) -> None:
        self.isolated = isolated
        self._own: dict[Path, Config | None] = {}
        self._roots: dict[Path, bool] = {}
        self._nearest: dict[Path, Config] = {}

    def for_file(self, path: Path) -> Config:
        """The configuration of an absolute path. Raises ConfigError where it is wrong."""
        return self.for_folder(path.parent)

    def for_folder(self, folder: Path) -> Config:
        """The configuration of the files in an absolute folder. Raises ConfigError where it is wrong."""
        known = self._nearest.get(folder)
        if known is None:
            known = self._nearest[folder] = self._find(folder)
        return known

    def _find(self, folder: Path) -> Config:
        if self.isolated:
            return Config(folder=folder)
        own = self._own_config(folder)
        if own is not None:
            return own
        if folder.parent == folder:
            return Config(folder=folder)
        return self.for_folder(folder.parent)

    def _own_config(self, folder: Path) -> Config | None:
        if folder not in self._own:
            self._own[folder] = None
            for name in FILES:
                path = folder / name
                table = load_table(path)
                if table is not None:
                    self._own[folder] = read_config(path, table)
                    break
        return self._own[folder]

    def is_root(self, folder: Path) -> bool:
        """Whether a folder's own configuration says `root = true`. An isolated run heeds that, too."""
        if folder not in self._roots:
            self._roots[folder] = (
                _says_root(folder) if self.isolated else bool(own.root if (own := self._own_config(folder)) else False)
            )
        return self._roots[folder]


def _says_root(folder: Path) -> bool:
    """As `Configs.is_root`, where nothing but this one key is of interest and a broken file is nobody's fault."""
    for name in FILES:
        try:
            table = load_table(folder / name)
        except ConfigError:
            continue
        if table is not None:
            return table.get("root") is True
    return False
