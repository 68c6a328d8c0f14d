"""When a model may stop: forced steps, floors, the model's own say, done markers, bans on looping in words alone.

These are set phrases more than grammar, so they are patterns; every gap in them is bounded and none can backtrack.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from waitlint.prose.acts import Parsed
from waitlint.prose.context import Context
from waitlint.prose.depths import tells_apart
from waitlint.prose.found import Found, tokens_of
from waitlint.prose.guarded import Guarded
from waitlint.prose.tokens import Token

_N = (
    r"(?:\d{1,3}|one|two|three|four|five|six|seven|eight|nine|ten|twelve|fifteen|twenty|"
    r"\ufffc|[{<]{1,2}\w{1,40}[}>]{1,2})"
)
_STEP = (
    r"(?:tool[- ]calls?|tool[- ]uses?|function calls?|(?:tool[- ]using )?steps?|(?:web[_ -]?)?search(?:es)?(?! quer)|"
    r"(?:web_)?fetch(?:es)?|(?:search )?queries|iterations|rounds|sources|calls|lookups|(?:file )?reads|turns|actions|"
    r"questions|candidate answers|passes)"
)
# Up to three words between the number and what is counted: "five different web searches".
_OF = r" (?:(?!times|times\b)[\w-]{1,20} ){0,3}?"
_FLOOR = Guarded(
    rf"\b(?:at ?least|a minimum of|minimum of|minimum|no fewer than|not fewer than|no less than|not less than)"
    rf" {_N}\+?{_OF}{_STEP}\b"
    rf"|\b{_N}\+{_OF}(?:tool[- ]calls?|(?:web )?search(?:es)?|queries|lookups|sources)\b"
    rf"|\b{_N}{_OF}{_STEP} (?:minimum\b|at least\b|or more\b)"
    rf"|\b(?:call|use|run|invoke|query|search)\b[^.;\n]{{0,40}}\bat least {_N} times\b"
    r"|\bminimum number of (?:tool calls|steps|searches|iterations)\b",
    ("least", "minimum", "fewer than", "less than", "+", "or more"),
)
_EXACT = re.compile(
    rf"\bexactly {_N}{_OF}{_STEP}\b"
    rf"|\b(?:always|must) (?:make|perform|run|do|execute|use|issue|conduct) {_N}{_OF}{_STEP}\b"
    rf"|\b(?:make|perform|run|do|conduct|issue) {_N} ?(?:-|\u2013|to) ?{_N}{_OF}{_STEP}\b"
)
_LIMITED = re.compile(
    r"\b(?:at most|maximum|max|up to|no more than|not more than|limit\w{0,4}|exceed|fewer than|less than)\b"
)
# Sources are what an answer is made of; a number of them is one of steps where they are to be looked for.
_OF_SOURCES = re.compile(r"\b(?:sources|candidate answers)\b")
_LOOKS_FOR = re.compile(
    r"\b(?:use|using|consult|search|check|read|visit|fetch|find|gather|collect|query|look (?:up|at|for))\w*\b"
)
# Made by the answer itself, which has that form: what is counted is then no step on the way to it.
_OF_OUTPUT = re.compile(r"\b(?:sources|candidate answers|questions|(?:search )?queries)\b")
_OF_ONE_WAY = re.compile(r" (?:for|of) (?:that|this)\b")
_OF_ANSWER = re.compile(r"\b(?:candidate answers|questions)\b")
_MAKES = re.compile(
    r"\b(?:produc|generat|writ|output|return|provid|creat|suggest|propos|list|giv|draft|formulat|compos|devis|emit|"
    r"respond|reply|contain|includ|rewrit|break|split|decompos)\w{0,4}\b"
)
_IF_POSSIBLE = re.compile(r"\b(?:when|if|where|as far as) (?:it is )?(?:possible|available|feasible|they exist)\b")
# One is a guard against none, and what holds for each turn is a form that replies have.
_OF_ONE = re.compile(r"\b(?:one|1)\b")
_EACH_TIME = re.compile(
    r"\b(?:per|each|every|in a single) (?:turn|response|message|reply|step|time|round|session|run|day|batch)\b"
    r"|\bat a time\b"
)
_NAMED_STEPS = re.compile(
    r"\b(?:in (?:this |the following |that )?order|as follows|in sequence|the following)\b|: ?1[.)]"
)
_SCALES = re.compile(
    r"\b(?:depending on|for (?:\w{1,12} )?(?:simple|basic|standard|complex|deep|quick|hard)|scaled?|by depth)\b"
)
# A verdict that something is wrong is no end, and "sure to" promises something.
_ENOUGH = (
    r"(?:enough|sufficient(?:ly)?|satisfied|confident|certain|sure(?! to\b)|comfortable|convinced|can answer|"
    r"able to answer|have the answer|gathered what)(?! that you (?:do not|don't|can't|cannot))"
    r"(?![^,.;\n]{0,60}\b(?:incorrect|wrong|invalid)\b)"
)
_STOPS = (
    r"(?:stop|finish|answer|respond|conclude|end|terminate|submit|finalize|reply|wrap up|exit|provide|output|write|"
    r"call\b[^.;\n]{0,40}?(?:final|finish|submit|complete|done|end)\w*|tell)"
)
_IF = r"\b(?:when|once|if|as soon as|after)\b[^.;\n]{0,12}?"
# "if you don't have enough" says what to do without it, and ends nothing.
_NOT = r"(?:\bnot\b|n['\u2019]t\b|\bnever\b|\bcannot\b|\black)"
_HAS = rf"\b(?:you|you've|you're|the agent|the model|it)\b(?:(?!{_NOT})[^.;\n]){{0,40}}?"
_LOOKS = (
    r"(?:us(?:e|ing)|search\w*|research\w*|investigat\w*|read\w*|gather\w*|explor\w*|look\w*|ask\w*|continu\w*|keep|"
    r"call\w*|collect\w*|dig\w*|go|query\w*|brows\w*|stop|finish|answer)"
)
_DECIDES = Guarded(
    rf"\b{_STOPS}\b[^.;\n]{{0,80}}?{_IF}{_HAS}\b{_ENOUGH}\b"
    rf"|{_IF}{_HAS}\b{_ENOUGH}\b[^.;\n]{{0,120}}?\b{_STOPS}\b"
    rf"|(?<!before )(?<!without )\b{_LOOKS}\b[^.;\n]{{0,80}}?\b(?:until|unless)\b[^.;\n]{{0,12}}?{_HAS}\b{_ENOUGH}\b"
    r"|\b(?:ends|is (?:over|done|complete)) when you have enough\b"
    r"|\buse your (?:own |best )?judge?ment (?:to decide |on |about )when to stop\b",
    (
        "enough",
        "sufficient",
        "satisfied",
        "confident",
        "certain",
        "sure",
        "comfortable",
        "convinced",
        "can answer",
        "able to answer",
        "have the answer",
        "gathered what",
        "judg",
    ),
)
_DONE_WORD = re.compile(
    r"(?<![a-z])(?:done|ready|completed?|finished|final|finish|terminate|task_complete|final_answer|end_turn|stop|eot|"
    r"isfinalturn|attempt_completion)(?![a-z])"
)
_MARKER_WORDS = frozenset(
    ["token", "marker", "tag", "sentinel", "signal", "literal", "exact", "exactly", "keyword", "phrase", "word"]
)
_CALLED_A_MARKER = frozenset(["token", "marker", "sentinel"])
_WRITES = frozenset(
    ["end", "finish", "conclude", "write", "output", "print", "emit", "reply", "respond", "say", "include", "append",
     "close", "signal", "send", "add", "set", "call", "use", "type", "mark"]
)  # fmt: skip
_STATE_OF = frozenset(["status", "state", "until", "returns", "becomes", "phase"])
_NO = r"(?:do not|don't|never|(?<!to )avoid|must not|should not|shouldn't|not|no)"
_BAN = Guarded(
    rf"\b{_NO}\b[^.;\n]{{0,30}}?\bloop(?:ing)?\b(?! (?:over|through))"
    rf"|\b{_NO}\b[^.;\n]{{0,20}}?\b(?:stuck|trapped|caught|going|get) in (?:a |an )?(?:infinite |endless )?loops?\b"
    rf"|\b{_NO}\b[^.;\n]{{0,20}}?\b(?:call|use|invoke|run|try|repeat|retry|attempt|search|make|issue)(?:ing|s)?\b[^.;\n]{{0,50}}?"
    rf"\b(?:more than (?:once|twice|{_N} (?:times|tool calls|calls|searches))|repeatedly|over and over|again and again|"
    r"indefinitely|forever|endlessly|in a loop)\b"
    rf"|\b{_NO}\b[^.;\n]{{0,12}}?\bkeep (?:retrying|trying|calling|searching|repeating|looping)\b"
    rf"|\b(?:at most|maximum of|maximum|max|up to|no more than|limit(?:ed)? to|max up to) {_N}{_OF}calls?\b"
    rf"|\b{_NO}\b[^.;\n]{{0,12}}?\b(?:poll|loop|retry|wait) (?:forever|indefinitely|endlessly)\b"
    rf"|\b{_N}(?: ?(?:-|\u2013|to) ?{_N})?{_OF}tool calls? (?:maximum|max|at most|in total)\b"
    rf"|\b(?:call|use|invoke)\b[^.;\n]{{0,40}}?"
    rf"\b(?:max(?:imum)? up to|maximum|max|at most|up to|no more than) {_N} times\b"
    rf"|\b(?:stop|give up|escalate|abort)\b[^.;\n]{{0,30}}?"
    rf"\bafter {_N}{_OF}(?:attempts?|tries|iterations|failures|tool calls)\b"
    rf"|\bloop (?:at most|up to) {_N} times\b",
    ("loop", "more than", "repeatedly", "over and over", "again and again", "indefinitely", "forever", "endlessly",
     "keep ", "call", "times", "after "),
)  # fmt: skip
# More words in quotation marks are a sentence.
IN_MARKS = 5
_PUSH = re.compile(r"\bpoll\w{0,3}\b(?! forever| indefinitely)|\bnotif\w{1,9}\b|\bevery \d")


def read_stops(parsed: Parsed, context: Context) -> list[Found]:
    """What a sentence says about when the model may stop."""
    if context.role == "parameter-description":
        return []
    low = parsed.sentence.low
    found: list[Found] = []
    steps = _steps(parsed)
    if steps is not None:
        found.append(steps)
    if match := _find(_DECIDES, parsed):
        found.append(
            Found("model-decides", "medium", "leaves the end to the model's own judgement", *tokens_of(parsed, match))
        )
    if (marker := _marker(parsed)) is not None:
        found.append(marker)
    if (apart := tells_apart(low)) is not None:
        found.append(
            Found("depths", "medium", f'tells kinds of questions apart: "{apart[0]}"', *tokens_of(parsed, apart))
        )
    if context.role != "tool-description" and (match := _find(_BAN, parsed)) and not _PUSH.search(low):
        found.append(Found("soft-ban", "medium", f'limits looping in words: "{match[0]}"', *tokens_of(parsed, match)))
    return found


def _steps(parsed: Parsed) -> Found | None:
    """A floor, or a number of steps that is forced."""
    low = parsed.sentence.low
    for kind, pattern, unsure in (("floor", _FLOOR, _SCALES), ("forced-steps", _EXACT, _NAMED_STEPS)):
        match = _find(pattern, parsed)
        if match is None or _OF_ONE.search(match[0]) or _IF_POSSIBLE.search(low):
            continue
        if _EACH_TIME.search(low):
            return None
        if _OF_SOURCES.search(match[0]) and not _LOOKS_FOR.search(low[max(0, match.start() - 30) : match.start()]):
            continue
        if kind == "forced-steps" and _OF_ONE_WAY.match(low[match.end() :]):
            continue
        if kind == "floor" and _OF_ANSWER.search(match[0]) and _MAKES.search(low[: match.start()]):
            continue
        clause = low[max(low.rfind(mark, 0, match.start()) for mark in ",;:") + 1 : match.start()]
        if kind == "forced-steps" and _OF_OUTPUT.search(match[0]) and _MAKES.search(clause):
            continue
        end = match.start() if kind == "floor" else match.end()
        if not _LIMITED.search(low[max(0, match.start() - 24) : end]):
            if kind == "forced-steps" and low[match.end() :].strip(" *_\n") == ":":
                return None  # the steps follow, each by its name
            confidence = "low" if unsure.search(low) else "medium"
            return Found(kind, confidence, f'asks for "{match[0]}"', *tokens_of(parsed, match))
    return None


def _find(pattern: re.Pattern[str] | Guarded, parsed: Parsed) -> re.Match[str] | None:
    """The first match, unless it stands in quotation marks: there it is spoken of and not said."""
    match = pattern.search(parsed.sentence.low)
    if match is None:
        return None
    first, last = tokens_of(parsed, match)
    return None if parsed.tokens[first].quoted and parsed.tokens[last - 1].quoted else match


def _is_called_a_marker(tokens: Sequence[Token], index: int) -> bool:
    """Whether a literal in capitals or marks is called a marker by the words before it."""
    token = tokens[index]
    is_literal = (token.text.isupper() and len(token.text) > 3) or token.quoted or token.kind == "code"
    return is_literal and any(back.low in _CALLED_A_MARKER for back in tokens[max(0, index - 4) : index])


def _marker(parsed: Parsed) -> Found | None:
    """A literal for the end that the model is told to write, or a tool for it that it is told to call."""
    tokens = parsed.tokens
    words = {token.low for token in tokens}
    if words & _STATE_OF or not words & _WRITES:
        return None
    for index, token in enumerate(tokens):
        if token.kind not in ("word", "name", "code") or len(token.text) > 40:
            continue
        if not _DONE_WORD.search(token.low) and not _is_called_a_marker(tokens, index):
            continue
        before = tokens[index - 1].text if index else ""
        bracketed = before in ("[", "<", "/") or (token.kind == "code" and token.text[:1] in "[<{#")
        literal = bracketed or token.quoted or token.kind == "code" or (token.kind == "word" and token.text.isupper())
        verb = next((back for back in range(index - 1, max(-1, index - 12), -1) if tokens[back].low in _WRITES), None)
        if verb is None:
            continue
        calls = tokens[verb].low in ("call", "use") and token.kind in ("name", "code")
        told = bracketed or token.text.isupper() or bool(words & _MARKER_WORDS)
        if calls or (literal and told):
            name = _quotation(tokens, index) if token.quoted else token.text.strip("`")
            return Found("done-marker", "medium", f'asks for the marker "{name}"', verb, index + 1)
    return None


def _quotation(tokens: Sequence[Token], index: int) -> str:
    """All that stands in the same quotation marks as a token, where that is a short phrase: "I am done"."""
    first = last = index
    while first > 0 and _is_quoted_word(tokens[first - 1]) and index - first < IN_MARKS:
        first -= 1
    while last + 1 < len(tokens) and _is_quoted_word(tokens[last + 1]) and last - index < IN_MARKS:
        last += 1
    words = tokens[first : last + 1]
    return " ".join(word.text for word in words if len(words) <= IN_MARKS) or tokens[index].text.strip("`")


def _is_quoted_word(token: Token) -> bool:
    return token.quoted and token.kind in ("word", "name", "number")
