"""BAML: prompts and descriptions in a language whose comments, clients and tests no model reads."""

from __future__ import annotations

import re
from collections.abc import Iterator

from waitlint.facts import Span, Text
from waitlint.frontends.documents import templates
from waitlint.frontends.documents.places import Mapped, verbatim
from waitlint.frontends.documents.texts import text_of
from waitlint.frontends.documents.toml_tree import unescaped

_TOKEN = re.compile(r'//[^\n]*|(?P<hash>#+)"|"(?P<plain>[^"\\\n]*(?:\\.[^"\\\n]*)*)"|(?P<word>@{0,2}[A-Za-z_]\w*)|[{}]')
_SILENT = frozenset(("client", "generator", "test", "retry_policy"))


def read(text: str) -> tuple[list[Text], list[Span]]:
    """The texts, and the spans of all comments."""
    texts: list[Text] = []
    comments: list[Span] = []
    depth = 0
    block = word = name = ""
    position = 0
    while found := _TOKEN.search(text, position):
        position = found.end()
        token = found.group()
        if token.startswith("//"):
            comments.append(Span(found.start(), found.end()))
        elif token == "{":
            depth += 1
        elif token == "}":
            depth = max(0, depth - 1)
            word = ""
        elif found["word"]:
            if depth == 0 and word == block:
                name = token
            if depth == 0 and token in ("function", "template_string", "class", "enum", *_SILENT):
                block, name = token, ""
            word = token
        else:
            inner, end = position, found.end("plain")
            if found["hash"]:
                closing = '"' + found["hash"]
                end = text.find(closing, position)
                if end < 0:
                    break
                position = end + len(closing)
                mapped = verbatim(text, inner, end)
            else:
                mapped = unescaped(text, found.start("plain"), end)
            texts.extend(_texts(mapped, Span(found.start(), position), block, word, name, depth))
    return texts, comments


def _texts(mapped: Mapped, span: Span, block: str, word: str, name: str, depth: int) -> Iterator[Text]:
    if block in _SILENT or not mapped.text.strip():
        return
    key = f"{name}.{word.lstrip('@')}" if name else word.lstrip("@")
    if word == "prompt":
        yield text_of("prompt", templates.rendered(mapped, "jinja"), span, key)
    elif word in ("@description", "@@description"):
        yield text_of("parameter-description", mapped, span, key)
    elif block == "template_string" and depth == 0:
        yield text_of("prompt", templates.rendered(mapped, "jinja"), span, name or "template")
