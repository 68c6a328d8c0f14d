"""Data documents (JSON, YAML, TOML): the document as one expression, and the texts that its surface names."""

from __future__ import annotations

import re

from waitlint.catalog.surfaces import Row, row_of
from waitlint.facts import Do, Expr, FileFacts, Text
from waitlint.fix import AddDescription, Change, Edit, RewriteText
from waitlint.frontends.documents import comments
from waitlint.frontends.documents.adding import with_description
from waitlint.frontends.documents.formats import parse
from waitlint.frontends.documents.rewriting import rewritten_data
from waitlint.frontends.documents.selectors import select
from waitlint.frontends.documents.texts import selected, strings, worded
from waitlint.frontends.manifest.operations import operation_texts
from waitlint.source import Source

_FILE = re.compile(r"(?:file://|\$\[file\(['\"])([^'\"\r\n]+?)(?:['\"]\)\])?(?::\w+)?")
_PATH = re.compile(r"[^\s{}]{1,400}")


def read(source: Source, surface: str) -> FileFacts:
    """The documents of a file, one statement each, with the texts and links of its surface."""
    row = row_of(surface)
    kind, tree = parse(source.path, source.text)
    texts: list[Text] = []
    links: list[str] = []
    for root in tree.roots:
        if _has_shape(root, row):
            links.extend(_links(root, row))
            texts.extend(text for text in _texts(root, row) if not _FILE.fullmatch(text.value.strip()))
    return FileFacts(
        language=kind,
        surface=surface,
        body=tuple(Do(root.span, root) for root in tree.roots),
        texts=tuple(texts),
        comments=tuple(comments.of_spans(source.text, tree.comments)),
        links=tuple(dict.fromkeys(links)),
        problems=worded(source, tree.problems),
    )


def _has_shape(root: Expr, row: Row) -> bool:
    return all(any(True for _ in select(root, [one])) for one in row.shape)


def _texts(root: Expr, row: Row) -> list[Text]:
    found = list(selected(root, row.fields, row.never, row.template))
    if row.operations:
        known = {text.span for text in found}
        found.extend(text for text in operation_texts(root) if text.span not in known)
        found.sort(key=lambda text: text.span.start)
    return found


def _links(root: Expr, row: Row) -> list[str]:
    """Paths and globs that the document points to."""
    links: list[str] = []
    for string in strings(root, row.follow):
        value = (string.literal or "").strip()
        if found := _FILE.fullmatch(value):
            links.append(found.group(1))
        elif _PATH.fullmatch(value) and "://" not in value and ("/" in value or "." in value):
            links.append(value)
    for string in strings(root, row.plugins):
        value = (string.literal or "").strip()
        if _PATH.fullmatch(value) and "://" not in value and value.startswith("."):
            links.extend(f"{value.rstrip('/')}/{folder}/**/*.md" for folder in row.grants)
    return links


def edits(source: Source, change: Change) -> tuple[Edit, ...] | None:
    """New wording in the style of the old, or a description after the name; None where the outcome is not certain."""
    if isinstance(change, RewriteText):
        edit = rewritten_data(source, change)
    elif isinstance(change, AddDescription):
        edit = with_description(source, change)
    else:
        return None
    return (edit,) if edit else None
