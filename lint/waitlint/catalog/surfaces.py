"""Where a model reads text: `surfaces.yaml` as typed rows, and which row a path belongs to."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any, Literal

import msgspec
from msgspec import Struct

if TYPE_CHECKING:
    from waitlint.catalog.matching import Matcher

PROMPTS = "configured"
LINKED = "linked"
NAMED = "named"
# Agents, of which front matter says which tools they have.
AGENT_FILES = frozenset(("claude-agents", "agent-definition"))
# Why a test is not read, as the table says it.
TEST = "test"

LANGUAGES = {
    **dict.fromkeys(("py", "pyw"), "python"),
    **dict.fromkeys(("ts", "tsx", "mts", "cts", "js", "jsx", "mjs", "cjs"), "typescript"),
    **dict.fromkeys(("md", "mdx", "mdc", "markdown", "prompty", "prompt"), "markdown"),
    **dict.fromkeys(("json", "jsonc", "json5", "af", "snap", "hook"), "json"),
    **dict.fromkeys(("yaml", "yml"), "yaml"),
    "toml": "toml",
    "ipynb": "notebook",
}


class At(Struct, frozen=True):
    """Texts of a data file: which, and what they are to the model (a role of `facts.Text`)."""

    at: str
    role: str = ""


class Row(Struct, frozen=True, forbid_unknown_fields=True):
    """One row of the table; the fields are explained at the head of `surfaces.yaml`."""

    id: str
    tier: str
    files: tuple[str, ...]
    about: str
    part_of: str = ""
    excepted: tuple[str, ...] = msgspec.field(name="except", default=())
    nocase: bool = False
    wherever: bool = False
    language: str = ""
    sniff: tuple[tuple[str, ...], ...] = ()
    body: str = ""
    front_matter: tuple[str | At, ...] = ()
    read: tuple[str | At, ...] = ()
    never: tuple[str, ...] = ()
    shape: tuple[str, ...] = ()
    operations: bool = False
    hidden_comments: bool = False
    imports: bool = False
    references: Literal["", "named", "linked", "told"] = ""
    follow: tuple[str, ...] = ()
    plugins: tuple[str, ...] = ()
    grants: dict[str, str] = {}
    tools: tuple[str, ...] = ()
    template: str = ""
    deliberate: bool = False
    aside: bool = False
    confidence: str = "high"
    default: bool = True
    unread: str = ""

    @property
    def name(self) -> str:
        """What settings and counts call it."""
        return self.part_of or self.id

    @property
    def fields(self) -> tuple[At, ...]:
        """The texts of a data file that are read."""
        return tuple(_with_role(item, "prompt") for item in self.read)

    @property
    def header(self) -> tuple[At, ...]:
        """The texts of the front matter that are read."""
        return tuple(_with_role(item, "front-matter") for item in self.front_matter)


def _with_role(item: str | At, role: str) -> At:
    return At(item, role) if isinstance(item, str) else At(item.at, item.role or role)


class Anchor(Struct, frozen=True, forbid_unknown_fields=True):
    """A file that makes the folder `up` levels above it a place where globs can begin.

    `root` is what it is called instead where that folder is the root of everything; `under` are names of which its
    folder has one, `within` names of which the folder above has one.
    """

    file: str
    up: int
    root: str = ""
    nocase: bool = False
    under: tuple[str, ...] = ()
    within: tuple[str, ...] = ()


class SkipRule(Struct, frozen=True, forbid_unknown_fields=True):
    """A reason why a file is not read; the fields are explained in `surfaces.yaml`."""

    reason: str
    names: tuple[str, ...] = ()
    folders: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    suffixes: tuple[str, ...] = ()
    firm: bool = False
    loud: bool = False


class Vendored(Struct, frozen=True, forbid_unknown_fields=True):
    folders: tuple[str, ...]
    paths: tuple[str, ...]


class Table(Struct, frozen=True, forbid_unknown_fields=True):
    anchors: dict[str, Anchor]
    surfaces: tuple[Row, ...]
    named: dict[str, str]
    skips: tuple[SkipRule, ...]
    vendored: Vendored


class Match(Struct, frozen=True):
    """The row that a file belongs to, and the front end that reads it."""

    surface: str
    language: str
    vendored: bool = False


class Skip(Struct, frozen=True):
    """Why a file is not read, in words."""

    reason: str


_EXTRA = (
    Row(id=PROMPTS, tier="config", files=(), body="prompt", about="a file that the configuration calls a prompt"),
    Row(
        id=LINKED,
        tier="demand",
        files=(),
        body="document",
        imports=True,
        references="told",
        aside=True,
        about="a file that something a model reads points to",
    ),
    Row(id=NAMED, tier="demand", files=(), body="document", about="a file that was given by name"),
)


@cache
def load_surfaces() -> Table:
    """The table as it is shipped."""
    import yaml

    text = resources.files(__package__).joinpath("surfaces.yaml").read_text(encoding="utf-8")
    loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    return msgspec.convert(yaml.load(text, Loader=loader), Table)


@cache
def _rows() -> dict[str, Row]:
    return {row.id: row for row in (*load_surfaces().surfaces, *_EXTRA)}


def row_of(surface: str) -> Row:
    """The row of a surface; for a name that no row has, one that reads a document as a whole."""
    return _rows().get(surface) or Row(id=surface, tier="demand", files=(), body="document", about="")


@cache
def given_by_links() -> frozenset[str]:
    """The surfaces that a file may have because another leads to it."""
    by_manifests = (surface for row in _rows().values() for surface in row.grants.values())
    return frozenset((LINKED, *load_surfaces().named.values(), *by_manifests))


def surface_names() -> tuple[str, ...]:
    """The names by which settings switch surfaces on and off, in the order of the table."""
    rows = load_surfaces().surfaces
    return tuple(dict.fromkeys(name for row in rows for name in (row.name, row.id)))


def language_of(path: str) -> str:
    """The front end for a path by its suffix; plain text where the suffix says nothing."""
    name = path.rpartition("/")[2]
    suffix = name.rpartition(".")[2].lower() if "." in name.lstrip(".") else ""
    return LANGUAGES.get(suffix, "text")


Head = Callable[[], bytes]


def surface_of(path: str, head: Head, *, anchors: Sequence[tuple[str, str]] = ()) -> Match | Skip:
    """The surface of a path by the table alone; `discovery` uses a `Matcher` with the user's settings.

    `path` is relative to the root with forward slashes, `head` reads the file's beginning (only called where the name
    alone doesn't decide), `anchors` are (kind, folder) of the anchor files in view.
    """
    return _matcher().bound(anchors).surface_of(path, head)


@cache
def _matcher() -> Matcher:
    from waitlint.catalog.matching import Matcher

    return Matcher()
