"""Names of tools as people write them: found in sentences, and held against the names that a project has."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from waitlint.facts import Mention, Span
from waitlint.names import words_of as words_joined
from waitlint.prose import lexicon as lex
from waitlint.prose.tokens import Sentence, Token, is_name

_CALL_HEAD = re.compile(r"[A-Za-z_$][\w$.:/-]{1,100}(?=\(|$|[ \t])")
_QUOTES = "`\"'\u201c\u201d\u2018\u2019*_ \t"
_STATE_WORDS = lex.PENDING | lex.DONE | frozenset(["true", "false", "null", "none", "error", "unknown", "open", "new"])
_PARAMETER = re.compile(r"(?:^|_)(?:id|ids|ms|secs?|seconds|url|uri|token|count|limit|timeout|interval|status|state)$")
_ARGUMENT = re.compile(r"[a-z](?:Ids?|Ms|Secs?|Seconds|Ur[li]|Token|Count|Limit|Timeout|Interval)$")
_COMMAND = re.compile(r"[a-z][\w./-]* +(?:[a-z$<{]|--?[a-z])")
_ASKING = frozenset(
    ["status", "state", "progress", "get", "info", "describe", "show", "view", "list", "log", "logs", "result",
     "results", "poll", "check", "query", "inspect", "watch", "runs", "jobs", "curl"]
)  # fmt: skip
_LENGTHS = frozenset(["seconds", "secs", "ms", "duration", "timeout", "time", "minutes", "limit"])
_WAITING = frozenset(["wait", "await", "block"])
_REQUEST = re.compile(r"(?:GET|POST|PUT|PATCH|DELETE|HEAD) ")
_COMPARES = re.compile(r"[=<>!]=|\s[=<>]\s|:\s")
_WORD_OF_A_COMMAND = re.compile(r"[a-z][a-z0-9./_-]*")
_COMMANDS_OF_WAITING = ("sleep", "timeout ", "date", "echo", "cat ", "ls ", "cd ", "kill ")
_CALLING = frozenset(
    ["call", "use", "run", "invoke", "poll", "query", "with", "via", "using", "calling", "polling", "through"]
)
_ASKED = frozenset(["asking", "ask", "asked", "querying", "query"])
_DOES = frozenset(["waits", "says", "tells", "answers", "polls", "blocks", "returns", "once", "again"])
_CALLED = frozenset(["call", "calling", "invoke", "poll", "polling", "use", "query", "run"])
_MEANS = frozenset(["with", "via", "using"])
NEAR = 88.0


@lru_cache(20_000)
def words_of(name: str) -> tuple[str, ...]:
    """The words of a name, without what it is called with."""
    name = name.strip(_QUOTES)
    return words_joined(name.split("(", 1)[0] if "(" in name else name)


def same_name(written: str, tool: str) -> bool:
    """Whether a name in a text is that of a tool, case, joints, backticks, parentheses and server prefix aside."""
    ours, theirs = words_of(written), words_of(tool)
    if not ours or not theirs:
        return False
    if ours == theirs or "".join(ours) == "".join(theirs):
        return True
    if (
        len(theirs) >= 2
        and len(ours) > len(theirs)
        and (":" in written or "." in written or "__" in written or "/" in written)
    ):
        return ours[-len(theirs) :] == theirs
    return (
        len(ours) == len(theirs) + 1
        and len(theirs) >= 2
        and (ours[-1] in ("tool", "function") or ours[0] == "the")
        and (ours[: len(theirs)] == theirs or ours[1:] == theirs)
    )


class NamesMeant:
    """Names of tools, found by how they are written: the answers of `same_name` without asking for each of them."""

    def __init__(self, names: Iterable[str]) -> None:
        self._by_letters: dict[str, list[str]] = {}
        for name in dict.fromkeys(names):
            self._by_letters.setdefault("".join(words_of(name)), []).append(name)

    def of(self, written: str) -> set[str]:
        """Those that a name in a text can mean."""
        words = words_of(written)
        parts = [words, *(words[at:] for at in range(1, len(words))), words[:-1]]
        alike = {name for part in parts for name in self._by_letters.get("".join(part), ())}
        return {name for name in alike if same_name(written, name)}


def near_name(written: str, tools: list[str] | tuple[str, ...]) -> str | None:
    """The one tool whose name is misspelt in a text, or None where none is close or two are equally close.

    The name itself comes first: an exact match is returned as it is.
    """
    for tool in tools:
        if same_name(written, tool):
            return tool
    ours = " ".join(words_of(written))
    if len(ours) < 5:
        return None
    from rapidfuzz import fuzz

    scored = sorted(((fuzz.ratio(ours, " ".join(words_of(tool))), tool) for tool in tools), reverse=True)
    if not scored or scored[0][0] < NEAR:
        return None
    if len(scored) > 1 and scored[1][0] >= scored[0][0] - 2 and scored[1][1] != scored[0][1]:
        return None
    return scored[0][1]


def is_state(tokens: list[Token], index: int) -> bool:
    """Whether a name is the name of a state, a field or a parameter and not of a tool.

    What is called or polled is a tool, even if it is named like a field (`job_status`).
    """
    token = tokens[index]
    text, low = token.text.strip(_QUOTES), token.low.strip(_QUOTES)
    if low in _STATE_WORDS or text.isupper():
        return True
    if token.call or "(" in text or (token.kind == "code" and is_command(text)):
        return False
    if any(mark in text for mark in ("=", "{", "<", ">", '"', "'", "$", "true", "false")) or text.startswith(
        (".", "-", "#", "@")
    ):
        return True
    if _ARGUMENT.search(text):
        low = "_".join(words_of(text))
    called = index - 1 if index and tokens[index - 1].low in lex.DETERMINERS else index
    verb = tokens[called - 1].low if called else ""
    if "_" in low and (verb in _CALLED or verb in _ASKED or (verb in _MEANS and low.endswith(("status", "state")))):
        return False
    following = tokens[index + 1].low if index + 1 < len(tokens) else ""
    if "_" in low and low.endswith(("status", "state")) and following in _DOES:
        return False
    if (
        _PARAMETER.search(low)
        and low.count("_") <= 1
        and not low.startswith(("get", "check", "poll", "fetch", "query", "wait"))
    ):
        return True
    before = tokens[index - 1].low if index else ""
    while index > 1 and before in ('"', "'", "`", "either", "(", "still", "not"):
        index -= 1
        before = tokens[index - 1].low
    return before in (
        "is",
        "=",
        "==",
        "status",
        "state",
        "becomes",
        "equals",
        "returns",
        "reads",
        "says",
        "phase",
        "reaches",
        "as",
    )


def is_command(text: str) -> bool:
    """Whether what stands in backticks is a command of a shell, with its arguments."""
    return bool(_COMMAND.match(text)) and not _COMPARES.search(text)


def shown(name: str) -> str:
    """A name for a message: without its arguments, and of a command what comes before its options."""
    name = name.split("(", 1)[0].strip("`'\" ")
    if " " not in name:
        return name
    words = name.split()
    last = next((at for at, word in enumerate(words) if not _WORD_OF_A_COMMAND.fullmatch(word)), len(words))
    return " ".join(words[: max(last, 1)])


def is_product(tokens: list[Token], index: int) -> bool:
    """Whether a capitalised name outside of backticks belongs to a product ("the OpenRouter dashboard")."""
    token = tokens[index]
    if token.kind != "name" or token.call or not token.text[:1].isupper() or set("_.-") & set(token.text):
        return False
    following = tokens[index + 1] if index + 1 < len(tokens) else None
    return following is not None and following.kind == "word" and not ends_name(following) and following.low != "tool"


def changes(name: str) -> bool:
    """Whether a tool's name begins with a verb of changing: `write_memory`, `sendReport`."""
    words = words_of(name)
    return bool(words) and words[0] in lex.CHANGES


def is_for_waiting(name: str) -> bool:
    """Whether a tool's name says that it waits: `wait_for_print`, `awaitProof`."""
    words = set(words_of(name))
    return bool(_WAITING & words) and not (_LENGTHS | {"no"}) & words


def may_be_asked(name: str) -> bool:
    """Whether a name is one that can be asked about work that runs: a tool of two words, a path, a fitting command."""
    plain = name.strip(_QUOTES)
    if _REQUEST.match(plain):
        return True
    if is_command(plain):
        return bool((_ASKING | lex.STRONG_STATUS) & set(words_of(plain)))
    if plain.endswith("/") or (plain.count(".") >= 2 and "/" not in plain and not plain.startswith("mcp")):
        return False
    return "/" in plain or len(words_of(plain)) >= 2 or "\ufffc" in plain or plain[:1].isupper()


def reads(name: str) -> bool:
    """Whether a tool's name says that it looks: `get_parcel`, `jobStatus`."""
    words = words_of(name)
    return bool(words) and (words[0] in lex.OBSERVES or bool(lex.OBSERVED & set(words)))


def mention_of(sentence: Sentence, index: int) -> Mention | None:
    """The mention that a token makes, or None where it can't mean a tool."""
    tokens = sentence.tokens
    token = tokens[index]
    if token.kind not in ("name", "code", "path") or is_state(tokens, index):
        return None
    text = token.text.strip()
    name, begin, end = text, token.start, token.end
    if token.kind == "code":
        if text.lower().startswith(_COMMANDS_OF_WAITING) or len(text) > 120 or "\n" in text:
            return None
        if " " in text and text[0].isupper() and "(" not in text and not _REQUEST.match(text):
            return None
        head = _CALL_HEAD.match(text)
        if head is not None and (text[head.end() : head.end() + 1] == "(" or " " not in text):
            name = head[0]
            begin, end = token.start, token.start + len(name)
        elif head is None:
            return None
    elif token.kind == "name":
        end = begin + len(text)
    return Mention(name, Span(sentence.place(begin), sentence.place(end - 1) + 1), True)


def mentions(sentence: Sentence, first: int, last: int) -> tuple[Mention, ...]:
    """Names between two tokens that may mean tools; plain words count behind a verb of calling, or before "tool"."""
    found: list[Mention] = []
    tokens = sentence.tokens
    for index in range(first, min(last, len(tokens))):
        token = tokens[index]
        one = mention_of(sentence, index)
        if one is not None:
            found.append(one)
        elif token.kind == "word" and token.low in _CALLING:
            plain = _plain_name(sentence, index + 1, last)
            if plain is not None:
                found.append(plain)
        elif token.kind == "word" and _is_kebab(token) and not is_state(tokens, index):
            found.append(Mention(token.text, _span(sentence, index, index), False))
    unique: dict[tuple[str, int], Mention] = {}
    for one in found:
        unique.setdefault((one.name, one.span.start), one)
    return tuple(unique.values())


def _is_kebab(token: Token) -> bool:
    """`check-status`: a verb and one more word, joined by a hyphen."""
    verb, hyphen, _ = token.low.partition("-")
    return bool(hyphen) and verb in lex.VERBS and token.low not in lex.VERBS


def _plain_name(sentence: Sentence, index: int, last: int) -> Mention | None:
    tokens = sentence.tokens
    while index < last and tokens[index].kind == "word" and tokens[index].low in ("the", "your", "our", "a", "an"):
        index += 1
    first = index
    while index < min(last, first + 5) and tokens[index].kind == "word" and not ends_name(tokens[index]):
        index += 1
    stop = index
    if stop > first and tokens[stop - 1].low in ("tool", "function"):
        stop -= 1
    if stop - first < 2:
        return None
    name = " ".join(token.text for token in tokens[first:stop])
    return Mention(name, _span(sentence, first, stop - 1), False)


def ends_name(token: Token) -> bool:
    """Whether a word can't be a part of a name, nor a noun behind one."""
    low = token.low
    return (
        low in lex.PREPOSITIONS
        or low in lex.ADVERBS
        or low
        in (
            "until",
            "till",
            "every",
            "each",
            "to",
            "and",
            "or",
            "then",
            "again",
            "if",
            "when",
            "while",
            "is",
            "it",
            "as",
        )
        or low in lex.DETERMINERS
    )


def _span(sentence: Sentence, first: int, last: int) -> Span:
    tokens = sentence.tokens
    return Span(sentence.place(tokens[first].start), sentence.place(tokens[last].end - 1) + 1)


__all__ = ["is_name", "mention_of", "mentions", "near_name", "same_name", "words_of"]
