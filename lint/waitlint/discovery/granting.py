"""Files that are read because something that a model reads leads to them, or code that takes words from them."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from waitlint.catalog import globs
from waitlint.catalog.matching import NOTHING, passed_over, relievable
from waitlint.catalog.surfaces import LINKED, language_of, load_surfaces, row_of
from waitlint.discovery.finding import EXCLUDED, Candidate, Discovery, Skipped
from waitlint.discovery.listing import walk_folder
from waitlint.looking import note

DOCUMENTS = frozenset(
    ("md", "mdx", "mdc", "markdown", "txt", "prompt", "prompty", "j2", "jinja", "jinja2", "hbs", "rst")
)
LOADED = frozenset(("yaml", "yml", "json", "toml"))
MOST_LOADED = 300_000
IMPORTED = "@"
# How many folders above a document say what it is.
NEAR = 2
# The name of what was written on one day: a report, a log, a plan that is done.
_DATED = re.compile(r"(?<!\d)20\d\d[-_]?[01]\d[-_]?[0-3]\d(?!\d)[^/]*\Z")
_ABROAD = ("~", "http:", "https:")


def granted(discovery: Discovery, links: Mapping[str, Sequence[str]]) -> tuple[Candidate, ...]:
    """The documents that the links of what was read make into surfaces, in a second round.

    `links` are `FileFacts.links` by the path of the file they stand in. A link leads to a file, to a folder (its
    Markdown files) or, with wildcards, to all files that fit. What is read already, is no document, stands outside the
    root, does not exist or is excluded is left out; and what is for people, a test, a record or the like, unless it is
    imported, or stands in one place with what leads to it.
    """
    if not any(links.values()):
        return ()
    base = os.path.realpath(discovery.root)
    # Only a file that was given by name can stand under a link: elsewhere links are resolved when files are found.
    known = {
        os.path.realpath(candidate.absolute) if candidate.named else f"{base.rstrip(os.sep)}{os.sep}{candidate.path}"
        for candidate in discovery.candidates
    }
    for further in discovery.duplicates.values():
        known.update(os.path.join(base, path) for path in further)
    origins = {candidate.path: candidate for candidate in discovery.candidates}
    reasons = dict(discovery.skipped)
    listed = {*origins, *reasons, *(copy for further in discovery.duplicates.values() for copy in further)}
    found: dict[str, Candidate] = {}
    for origin in sorted(links):
        leading = origins.get(origin)
        grants = row_of(leading.surface).grants if leading is not None else {}
        for link in links[origin]:
            named = leading is not None and leading.language == "markdown" and not link.startswith(IMPORTED)
            surfaces = load_surfaces().named if named else grants
            for path in targets_of(discovery.root, origin, link, listed if named else None):
                real = os.path.realpath(os.path.join(discovery.root, path))
                if real in known or not is_document(real):
                    continue
                place = os.path.relpath(real, base).replace(os.sep, "/")
                reason = reasons.get(place, NOTHING.reason)
                if reason == EXCLUDED or (named and (_DATED.search(place) or _is_apart(origin, place, reason))):
                    continue
                known.add(real)
                absolute = os.path.normpath(os.path.join(discovery.root, place))
                folders = reversed(place.split("/")[:-1][-NEAR:])
                surface = next((surfaces[folder] for folder in folders if folder in surfaces), LINKED)
                vendored = leading is not None and leading.vendored
                found[place] = Candidate(place, absolute, language_of(place), surface, False, vendored)
    return tuple(found[path] for path in sorted(found))


def _is_apart(origin: str, place: str, reason: str) -> bool:
    """Whether a file is for people, a test or the like where it stands, as seen from what leads to it."""
    if reason == NOTHING.reason:
        return False
    here, there = origin.split("/")[:-1], place.split("/")
    apart = next((at for at, (one, other) in enumerate(zip(here, there, strict=False)) if one != other), len(here))
    return reason not in relievable() or passed_over("/".join(there[apart:])) is not None


def grantable(discovery: Discovery, path: str) -> Candidate | None:
    """The document at a path under the root that code reads or loads, as one more file to read.

    None for what is no document, stands outside of the root, does not exist, or is left out by the configuration. Data
    of more than `MOST_LOADED` bytes holds no prompts.
    """
    absolute = os.path.normpath(os.path.join(discovery.root, path))
    data = path.rpartition(".")[2].lower() in LOADED
    note(absolute)
    if not (data or is_document(path)) or not os.path.isfile(absolute) or not _inside(discovery.root, absolute):
        return None
    if data and os.path.getsize(absolute) > MOST_LOADED:
        return None
    if Skipped(path, EXCLUDED) in discovery.skipped:
        return None
    return Candidate(path, absolute, language_of(path), LINKED)


def is_document(path: str) -> bool:
    """Whether a file is prose by its suffix, or has none."""
    name = os.path.basename(path).lower()
    return "." not in name.lstrip(".") or name.rpartition(".")[2] in DOCUMENTS


def targets_of(root: str, origin: str, link: str, listed: Collection[str] | None = None) -> Iterable[str]:
    """The files that a link written in `origin` means, relative to the root.

    What names a file by its path is written from the file that it stands in, from the folder of its skill or plugin,
    from the root, or from the user's own folder, and means the nearest; `listed` are the files that it may mean. An
    import, what a manifest says, and a folder are looked for where they are said to be.
    """
    imported = link.startswith(IMPORTED)
    link = link[imported:]
    if link.startswith(_ABROAD) or "\0" in link or len(link) > 1000:
        return ()
    link = link.lstrip("/")
    if listed is not None and not imported and "." in link.rpartition("/")[2]:
        return _named(origin, link, listed)
    return _sought(root, origin, link)


def _named(origin: str, link: str, listed: Collection[str]) -> Iterator[str]:
    folder = origin.rpartition("/")[0]
    above = [folder]
    while folder and "/" in link and not link.startswith("../"):
        folder = folder.rpartition("/")[0]
        above.append(folder)
    for written in _written(link):
        for base in above:
            place = os.path.normpath(os.path.join(base, written)).replace(os.sep, "/")
            if place in listed:
                yield place
                return
            if "*" in place and (expression := globs.any_of((f"/{place}",))):
                found = sorted(path for path in listed if expression.match(path))
                yield from found
                if found:
                    return


def _written(link: str) -> Iterator[str]:
    """A path as it is, and where it starts in a client's folder, as it stands in a repository of that folder."""
    yield link
    first, _, below = link.partition("/")
    if below and first.startswith(".") and first.strip("."):
        yield f"{first[1:]}/{below}"
        yield below


def _sought(root: str, origin: str, link: str) -> Iterator[str]:
    folder = origin.rpartition("/")[0]
    above, _, name = folder.rpartition("/")
    bases = [folder]
    if name.startswith("."):
        bases.append(above)
    if "/" in link:
        bases.append("")
    places = (os.path.normpath(os.path.join(base, link)).replace(os.sep, "/") for base in bases)
    for place in dict.fromkeys(places):
        if place == ".." or place.startswith("../") or place in ("", "."):
            continue
        absolute = os.path.join(root, place)
        note(absolute)
        if not _inside(root, absolute):
            continue
        if os.path.isfile(absolute):
            yield place
            return
        if os.path.isdir(absolute):
            yield from (path for path in walk_folder(root, place) if path.lower().endswith((".md", ".mdc", ".mdx")))
            return
        if any(char in place for char in "*?[") and (expression := globs.any_of((place,))):
            fixed = place.split("*")[0].split("?")[0].split("[")[0].rpartition("/")[0]
            note(os.path.join(root, fixed))
            if os.path.isdir(os.path.join(root, fixed)):
                yield from (
                    path for path in walk_folder(root, fixed or ".") if expression.match(path.removeprefix("./"))
                )
                return


def _inside(root: str, path: str) -> bool:
    real, base = os.path.realpath(path), os.path.realpath(root)
    return real == base or real.startswith(base + os.sep)
