"""Markdown that a model reads: skills, rules, agents, commands, and templates with front matter."""

from __future__ import annotations

from waitlint.catalog.surfaces import Row, row_of
from waitlint.facts import Comment, FileFacts, Map, Span, Text
from waitlint.fix import Change, Edit, RewriteText
from waitlint.frontends.documents import comments, templates
from waitlint.frontends.documents import links as linking
from waitlint.frontends.documents import markdown_blocks as blocks
from waitlint.frontends.documents.delimited import Delimiters
from waitlint.frontends.documents.header import parse_header
from waitlint.frontends.documents.places import Mapped, replaced, verbatim
from waitlint.frontends.documents.rewriting import rewritten_document, rewritten_header
from waitlint.frontends.documents.texts import blank, selected, text_of, without, worded
from waitlint.frontends.documents.tree import Problem
from waitlint.source import Source

_HTML = Delimiters(("<!--", "-->"))


def read(source: Source, surface: str) -> FileFacts:
    """The body as one text, and the keys of the front matter that a model reads."""
    row = row_of(surface)
    text = source.text
    texts: list[Text] = []
    marks: list[Comment] = []
    problems: list[Problem] = []
    body = 0
    header = blocks.front_matter(text, lead=source.path.endswith(".prompt"))
    if header:
        tree = parse_header(text, header.start, header.end)
        root = tree.roots[0] if tree.roots else None
        if isinstance(root, Map) and root.entries:
            body = header.body
            texts.extend(selected(root, row.header, row.never, ""))
            marks.extend(comments.of_spans(text, tree.comments))
            if not source.path.endswith(".mdc"):
                problems.extend(tree.problems)
    code = blocks.Code(text, body)
    found = _marks(text, body, code, row)
    marks.extend(found)
    mapped = without(verbatim(text, body, len(text)), found, body)
    if row.hidden_comments:
        mapped = _without_block_comments(mapped, text, body, code)
    mapped = templates.rendered(mapped, row.template)
    if mapped.text.strip():
        texts.append(text_of(row.body or "document", mapped, Span(body, len(text))))
    links: list[str] = []
    if row.imports:
        links.extend(linking.imports(text, code, body))
    if row.references:
        links.extend(linking.references(text, code, body, row.references))
    return FileFacts(
        language="markdown",
        surface=surface,
        texts=tuple(texts),
        comments=tuple(marks),
        links=tuple(dict.fromkeys(links)),
        problems=worded(source, problems),
    )


def _marks(text: str, body: int, code: blocks.Code, row: Row) -> list[Comment]:
    """Comments for waitlint. In code they are samples of such comments, except for a fixture's marks in a fence."""
    found = [*comments.html(text, body), *(comments.template(text, body) if row.template else ())]
    kept = [
        mark
        for mark in found
        if not code.holds(mark.span.start) or (comments.expects(mark.text) and code.fenced(mark.span.start))
    ]
    return sorted(kept, key=lambda mark: mark.span.start)


def _without_block_comments(mapped: Mapped, text: str, body: int, code: blocks.Code) -> Mapped:
    """Blanks for comments that begin a line: a client that loads the file drops them."""
    cuts = []
    for stretch in _HTML.find(text, body):
        line = text.rfind("\n", 0, stretch.start) + 1
        if not text[line : stretch.start].strip() and not code.fenced(stretch.start):
            start, end = stretch.start - body, stretch.end - body
            cuts.append((start, end, blank(mapped.text[start:end])))
    return replaced(mapped, cuts) if cuts else mapped


def edits(source: Source, change: Change) -> tuple[Edit, ...] | None:
    """New wording, written as it stands; in the front matter by the rules of YAML."""
    if not isinstance(change, RewriteText):
        return None
    header = blocks.front_matter(source.text, lead=source.path.endswith(".prompt"))
    if header and header.start <= change.span.start < header.end:
        edit = rewritten_header(source, header.start, header.end, change)
    else:
        edit = rewritten_document(source, change)
    return (edit,) if edit else None
