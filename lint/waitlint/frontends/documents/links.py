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
_BACKWARDS = re.compile(r"[\w./@~${}<>*+-]{1,300}")
# Where a path begins that a client or a shell fills in: a skill's or a plugin's own folder, or the user's.
_FILLED_IN = re.compile(r"(?:\$\w+|\$\{\w+\}|\{\{?\w+\}?\}|<[\w-]+>|~)/+")
# What is different each time.
_OPEN = re.compile(r"\{\{?[\w -]+\}?\}|<[\w -]+>|\$\{?\w+\}?|\*")
_UNKNOWN = re.compile(r"[${}<>]|\*\*")
_LONGEST = 300
_BEFORE = 100
READ, WRITTEN = "read", "written"
# What is done with a file: read, or written.
_DONE = re.compile(
    r"(?<![\w/`.$-])(?:(?P<read>(?:read|see|load|open|follow|consult|refer|use|us|check|review|appl|run|execut|invok|describ|defin"
    r"|document|includ|import|view|cat)(?:e?s|e?d|ing|ies|ied|y|e)?|per|from|according|details?|guide|instructions?)"
    r"|(?P<written>(?:writ|sav|creat|updat|generat|append|output|produc|stor|add|log|record|emit|export|cop|edit|modif"
    r"|delet|remov|renam|mov|commit|persist|dump|overwrit|touch|chang|ignor|skip)"
    r"(?:e?s|e?d|ing|ies|ied|y|e|ten|tten|ting|ging|ged|ping)?))\b(?![/-]|\.\w)"
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


def references(text: str, code: Code, start: int, which: str) -> Iterator[str]:
    """Relative files that links point to, without fragments, and documents that are named by their path.

    `which` is that of a surface's `references`: all that are `named`; those that are `linked` to, and of the paths
    those that the reader is told to read; or, of both, those that it is `told` to read. A path with a part that is to
    be filled in has a star for that.
    """
    for pattern in (_LINK, _REFERENCE):
        for found in pattern.finditer(text, start):
            if code.fenced(found.start()) or (which == "told" and _done_before(text, found.start()) != READ):
                continue
            if target := _relative(found.group(1)):
                yield target
    for found in _ENDING.finditer(text, start):
        if path := _named(text, code, found.start(), found.end(), which != "named"):
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
    line = max(text.rfind("\n", 0, dot) + 1, dot - _LONGEST)
    backwards = _BACKWARDS.match(text[line:dot][::-1])
    if backwards is None:
        return ""
    begin = dot - backwards.end()
    written = text[begin:end]
    filled_in = _FILLED_IN.match(written)
    path = written[filled_in.end() :] if filled_in else written
    if text[begin - 1 : begin] == ":" or path.startswith(("/", IMPORTED)) or "..." in path:
        return ""
    done = _done_before(text, begin)
    if done == WRITTEN or (told and done != READ):
        return ""
    if _OPEN.search(path):
        folder, _, name = path.rpartition("/")
        name, open_parts = _OPEN.subn("*", name)
        sure = folder and done == READ and open_parts == 1
        return f"{folder}/{name}" if sure and not _UNKNOWN.search(f"{folder}/{name}") else ""
    if code.fenced(dot):
        return path if "/" in path and (filled_in or done == READ) else ""
    if "/" in path or (text[begin - 1 : begin] == "`" and text[end : end + 1] == "`"):
        return path
    return ""


def _done_before(text: str, begin: int) -> str:
    """What is done with the file that is named from here on: it is `READ` or `WRITTEN`, or nothing says so."""
    before = text[max(text.rfind("\n", 0, begin) + 1, begin - _BEFORE) : begin]
    done = ""
    for found in _DONE.finditer(_CLAUSE.split(before)[-1]):
        done = READ if found.lastgroup == "read" else WRITTEN
    return done
