"""Words, names and marks of a plain string, and its sentences."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache

from waitlint.prose.blocks import Block
from waitlint.prose.inline import Flat

HOLE = "\ufffc"
# A sentence of more tokens is cut: what is looked up for each of its verbs stays bounded.
LONGEST = 240
# Texts of one repository are written in the same few thousand words.
WORDS_KEPT = 8192

_TOKEN = re.compile(
    r"(?P<name>[^\W\d][\w$]*(?:(?:[.-]|::|->(?=\w))[\w$]+|['\u2019][^\W\d]+)*)(?P<call>\((?:[^()\n]{0,120})\))?"
    r"|(?P<number>\d+(?:[.,]\d+)*)"
    r"|(?P<path>(?<![\w`)])/[\w{}:.*-]+(?:/[\w{}:.*-]*)*)"
    r"|(?P<arrow>-{1,3}>|={1,2}>|[\u2192\u21d2\u27a1\u279c\u2794\u21a6\u25b6\u2190]\ufe0f?)"
    r"|(?P<range>(?<=\d)[\u2013\u2014](?=\d))"
    r"|(?P<dash>--+|[\u2014\u2013]|(?<=\s)-(?=\s))"
    r"|(?P<dots>\.{2,}|\u2026)"
    r"|(?P<mark>\S)"
    r"|(?P<break>\n)"
)
_CAMEL = re.compile(r"[a-z0-9][A-Z]")
_ABBREVIATIONS = frozenset(
    [
        "e.g",
        "i.e",
        "eg",
        "ie",
        "etc",
        "vs",
        "approx",
        "cf",
        "fig",
        "ca",
        "incl",
        "resp",
        "no",
        "max",
        "min",
        "sec",
        "ms",
    ]
)
_ALWAYS_INSIDE = frozenset(["e.g", "i.e", "eg", "ie", "vs", "cf", "approx", "incl"])
_DOMAINS = frozenset(["com", "org", "net", "gov", "io", "dev", "ai", "edu", "app", "co", "de", "uk"])
_QUOTES = {'"': '"', "\u201c": "\u201d", "\u00ab": "\u00bb", "\u300c": "\u300d", "\u201e": "\u201c"}
_JOINTS = frozenset(["and", "by"])
COMPOUNDS = frozenset(
    [
        "re",
        "long",
        "short",
        "up",
        "non",
        "well",
        "real",
        "self",
        "half",
        "pre",
        "post",
        "multi",
        "follow",
        "built",
        "in",
    ]
)


@dataclass(slots=True)
class Token:
    """`kind`: word, name (an identifier), code (in backticks), number, path, mark, arrow, dash, dots, hole."""

    text: str
    low: str
    start: int
    end: int
    kind: str
    quoted: bool = False
    call: bool = False


@dataclass(slots=True)
class Sentence:
    """`low` is the plain text from the first token's start, lower-cased, one character for one."""

    tokens: list[Token]
    flat: Flat
    block: Block
    number: int
    low: str
    ending: str = ""
    cache: dict[str, object] = field(default_factory=dict)

    @property
    def start(self) -> int:
        return self.tokens[0].start

    @property
    def end(self) -> int:
        return self.tokens[-1].end

    def place(self, offset: int) -> int:
        """The place in the text of an offset in the plain string."""
        return self.flat.places[offset]


def lower(text: str) -> str:
    """Lower case, character by character, so that offsets hold."""
    low = text.lower()
    if len(low) == len(text):
        return low
    return "".join(c.lower() if len(c.lower()) == 1 else c for c in text)


@lru_cache(WORDS_KEPT)
def is_name(text: str) -> bool:
    """Written as an identifier: snake_case, camelCase, dotted, or with two hyphens and more."""
    if "_" in text.strip("_"):
        return True
    if "'" in text or "\u2019" in text:
        return False
    if "." in text and text.lower().rsplit(".", 1)[1] in _DOMAINS:
        return False
    if "." in text or "::" in text:
        return text.lower() not in _ABBREVIATIONS and not text.lower().startswith(("e.g", "i.e"))
    if text.count("-") >= 2:
        parts = text.split("-")
        return text.islower() and parts[0] not in COMPOUNDS and not _JOINTS & set(parts) and parts[0] != parts[-1]
    return bool(_CAMEL.search(text))


def tokenise(flat: Flat) -> list[Token]:
    text = flat.text
    low = lower(text)
    tokens: list[Token] = []
    code = iter(_code_tokens(flat))
    span = next(code, None)
    position = 0
    while True:
        match = _TOKEN.search(text, position)
        if span is not None and (match is None or match.end() > span[0]):
            if match is not None and match.start() < span[0]:
                match = _TOKEN.match(text, match.start(), span[0])
                if match is not None:
                    tokens.append(_token(match, low))
                    position = match.end()
                    continue
            inner = text[span[0] : span[1]]
            tokens.append(Token(inner, low[span[0] : span[1]], span[0], span[1], "code", call="(" in inner))
            position = span[1]
            span = next(code, None)
            continue
        if match is None:
            break
        found = _token(match, low)
        if found.kind == "call":
            begin = match.start("call")
            tokens.append(Token(match["name"], low[match.start() : begin], match.start(), begin, "word"))
            position = begin
            tokens.append(Token("(", "(", begin, begin + 1, "mark"))
            position = begin + 1
            continue
        tokens.append(found)
        position = match.end()
    _mark_quotes(tokens, text)
    return tokens


def _code_tokens(flat: Flat) -> Iterator[tuple[int, int]]:
    """Code spans that are one token; a whole sentence in backticks is read as words."""
    for start, end in flat.code:
        inner = flat.text[start:end]
        words = inner.split()
        if not words:
            continue  # Nothing stands between the backticks of two lines.
        plain = sum(word.strip(".,:;!?'\"()").isalpha() for word in words)
        if len(words) >= 5 and plain * 5 >= len(words) * 4 and "--" not in inner and "=" not in inner:
            if end - start < 0.7 * len(flat.text):
                yield start, end
            continue
        yield start, end


def _token(match: re.Match[str], low: str) -> Token:
    kind = match.lastgroup or "mark"
    start, end = match.span()
    text = match[0]
    if kind == "name":
        return Token(text, low[start:end].replace("\u2019", "'"), start, end, "name" if is_name(text) else "word")
    if kind == "call":
        name, call = match.group("name", "call")
        if call in ("(s)", "(es)"):
            return Token(name + call[1:-1], low[start : start + len(name)] + call[1:-1], start, end, "word")
        if not is_name(name) and (call != "()" and " " in call):
            return Token(text, low[start:end], start, end, "call")
        return Token(name, low[start : start + len(name)], start, end, "name", call=True)
    if kind == "range":
        kind = "mark"
    if text == HOLE:
        kind = "hole"
    return Token(text, low[start:end], start, end, kind)


def _mark_quotes(tokens: list[Token], text: str) -> None:
    """Flag what stands between quotation marks; quotes around the whole, or around a JSON value, are none."""
    opened: dict[str, int] = {}
    pairs: list[tuple[int, int]] = []
    for index, token in enumerate(tokens):
        char = token.text
        if token.kind == "break":
            opened.clear()
        elif char in ('"', "\u201c", "\u00ab", "\u300c", "\u201e", "\u201d", "\u00bb", "\u300d", "'"):
            closing = next((key for key in opened if _QUOTES.get(key, key) == char), None)
            if char == "'" and closing is None and token.start and text[token.start - 1].isalnum():
                continue
            if char == "'" and closing is not None and text[token.end : token.end + 1].isalnum():
                continue
            if closing is not None:
                pairs.append((opened.pop(closing), index))
            elif char in _QUOTES or char == "'":
                opened[char] = index
    last = len(tokens) - 1
    for begin, stop in pairs:
        if begin == 0 and stop >= last - 2:
            continue
        keyed = begin >= 2 and tokens[begin - 1].text == ":" and tokens[begin - 2].text in ('"', "'")
        if keyed and " " in text[tokens[begin].end : tokens[stop].start]:
            continue
        for token in tokens[begin : stop + 1]:
            token.quoted = True


def sentences(flat: Flat, block: Block) -> list[Sentence]:
    """Cut a block into sentences."""
    tokens = tokenise(flat)
    text = flat.text
    low = lower(text)
    found: list[Sentence] = []
    current: list[Token] = []

    def finish(ending: str) -> None:
        if current:
            start, end = current[0].start, current[-1].end
            found.append(Sentence(list(current), flat, block, len(found), low[start:end], ending))
            current.clear()

    for index, token in enumerate(tokens):
        if token.kind == "break":
            finish("\n")
            continue
        if token.kind == "mark" and token.text in ".!?\u3002\uff01\uff1f" and _ends(tokens, index, text):
            current.append(token)
            following = tokens[index + 1] if index + 1 < len(tokens) else None
            if following is not None and following.text in ("\"')\u201d\u00bb") and following.start == token.end:
                continue
            finish(token.text)
            continue
        if (
            current
            and token.text in "\"')\u201d\u00bb"
            and current[-1].text in (".", "!", "?")
            and token.start == current[-1].end
        ):
            current.append(token)
            finish(current[-2].text)
            continue
        current.append(token)
        if len(current) >= LONGEST:
            finish("")
    finish("")
    return found


def _ends(tokens: list[Token], index: int, text: str) -> bool:
    token = tokens[index]
    if token.text in "\u3002\uff01\uff1f":
        return True
    after = text[token.end : token.end + 1]
    if after and not after.isspace() and after not in "\"')\u201d\u00bb*":
        return False
    if token.text != ".":
        return True
    before = tokens[index - 1] if index else None
    if before is None or before.end != token.start:
        return before is not None
    if before.low in _ALWAYS_INSIDE:
        return False
    if before.kind == "number" and index == 1:
        return False
    if before.low in _ABBREVIATIONS and index + 1 < len(tokens):
        following = tokens[index + 1]
        return following.text[:1].isupper() or following.kind == "break"
    return True
