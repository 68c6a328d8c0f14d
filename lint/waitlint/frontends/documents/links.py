"""The files that a document sends its reader to: imports, links, and paths that its sentences name."""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import unquote

from waitlint.frontends.documents.markdown_blocks import Code

IMPORTED = "@"
_IMPORT = re.compile(r"(?:^|(?<=[\s(\[\"'*]))@((?:\./|\.\./|~/|/)?[\w.][^\s`\"'<>()\[\]*|]*)", re.MULTILINE)
_TARGET = r"(<[^<>\r\n]{0,500}>|[^()\[\]<>\s]{1,500}+)"
_LINK = re.compile(rf"\[[^\[\]\r\n]{{0,400}}\]\([ \t]{{0,9}}{_TARGET}(?:[ \t]{{1,9}}[\"'(][^)\r\n]{{0,300}})?\)")
_REFERENCE = re.compile(rf"^[ ]{{0,3}}\[[^\[\]\r\n]{{1,400}}\]:[ \t]{{0,9}}{_TARGET}", re.MULTILINE)
_ENDING = re.compile(r"\.(?:mdx?|mdc|txt)(?![\w/-])")
# Written from its end to its beginning: the characters of a path before its ending.
_BACKWARDS = re.compile(r"[\w./@~${}<>+-]{1,300}")
# Where a path begins that a client or a shell fills in: a skill's or a plugin's own folder, or the user's.
_FILLED_IN = re.compile(r"(?:\$\w+|\$\{\w+\}|\{\{?\w+\}?\}|<[\w-]+>|~)/+")
_UNKNOWN = re.compile(r"[${}<>]|\.\.\.")
_BEFORE = 100
# What is done with a file: read, or written.
_DONE = re.compile(
    r"\b(?:(?P<read>read|see|load|open|follow|consult|refer|us(?:e|ing)|per|from|check|review|apply|run|execute|invoke"
    r"|described|defined|documented|include|import|view|cat|according|details?|guide|instructions?)\w*"
    r"|(?P<written>writ(?:e|ten|ing)|sav(?:e|ing)|creat|updat|generat|append|output|produc|stor(?:e|ing)|add|log|record"
    r"|emit|export|cop(?:y|ies)|edit|modif|delet|remov|renam|mov(?:e|ing)|commit|persist|dump|overwrit|touch|chang|ignor|skip)\w*)\b"
    r"|(?P<into>(?:>>?|-o|\btee)[ \t]*[\"'`]?\Z)|(?P<denied>\bnot[ \t]*`?\Z)",
    re.IGNORECASE,
)
_CLAUSE = re.compile(r"[.;!?][ \t]|,[ \t](?:but|then|and then)\b", re.IGNORECASE)


def imports(text: str, code: Code, start: int = 0) -> Iterator[str]:
    """The paths of `@path` imports outside of code, each with its `@`: they are loaded, whatever they are."""
    if "@" not in text:
        return
    for found in _IMPORT.finditer(text, start):
        path = found.group(1).rstrip(".,;:!?")
        if path and not code.holds(found.start()) and ("/" in path or "." in path or path.isupper()):
            yield f"{IMPORTED}{path}"


def references(text: str, code: Code, start: int = 0, *, told: bool = False) -> Iterator[str]:
    """Relative files that links point to, without fragments, and documents that are named by their path.

    With `told`, of the latter those alone that the reader is told to read.
    """
    for pattern in (_LINK, _REFERENCE):
        for found in pattern.finditer(text, start):
            if not code.fenced(found.start()) and (target := _relative(found.group(1))):
                yield target
    for found in _ENDING.finditer(text, start):
        if path := _named(text, code, found.start(), found.end(), told):
            yield path


def _relative(target: str) -> str:
    target = target.strip("<>").split("#")[0].split("?")[0]
    if not target or "://" in target or target.startswith(("mailto:", "data:", "//", "{{")):
        return ""
    return _plain(unquote(target))


def _plain(path: str) -> str:
    return f"./{path}" if path.startswith(IMPORTED) else path


def _named(text: str, code: Code, dot: int, end: int, told: bool) -> str:
    """The path that ends here, if it is one that the reader is sent to. In a code block that has to be said."""
    line = max(text.rfind("\n", 0, dot) + 1, dot - 300)
    backwards = _BACKWARDS.match(text[line:dot][::-1])
    if backwards is None:
        return ""
    begin = dot - backwards.end()
    written = text[begin:end]
    filled_in = _FILLED_IN.match(written)
    path = written[filled_in.end() :] if filled_in else written
    if "://" in written or text[begin - 1 : begin] == ":" or _UNKNOWN.search(path) or path.startswith(("/", IMPORTED)):
        return ""
    done = _last_done(text[max(line, begin - _BEFORE) : begin])
    if done == "written" or (told and done != "read"):
        return ""
    if code.fenced(dot):
        return path if "/" in path and (filled_in or done == "read") else ""
    if "/" in path or (text[begin - 1 : begin] == "`" and text[end : end + 1] == "`"):
        return path
    return ""


def _last_done(before: str) -> str:
    done = ""
    for found in _DONE.finditer(_CLAUSE.split(before)[-1]):
        done = "read" if found.lastgroup == "read" else "written"
    return done
