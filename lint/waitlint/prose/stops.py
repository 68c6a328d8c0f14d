"""When a model may stop: forced steps, floors, the model's own say, done markers, bans on looping in words alone."""

from __future__ import annotations

import re

from waitlint.prose.acts import Parsed
from waitlint.prose.context import Context
from waitlint.prose.found import Found, tokens_of

_NUMBER = r"(?:\d{1,3}|one|two|three|four|five|six|seven|eight|nine|ten|twelve|fifteen|twenty|n|\ufffc|\{\w{1,40}\})"
_STEPS = (
    r"(?:(?:[\w-]{1,20} ){0,3}?)(?:tool[- ]calls?|tool[- ]uses?|tool[- ]using steps|searches|search(?:es)? queries|web_?search(?:es)?|"
    r"web_?fetch(?:es)?|queries|steps|iterations|rounds|sources|calls|function calls|lookups|reads|file reads|turns|actions|"
    r"different (?:searches|sources|queries))"
)
_FLOOR = re.compile(
    rf"\b(?:at least|a minimum of|minimum of|minimum|no fewer than|not fewer than|no less than|min\.?) {_NUMBER}\+? {_STEPS}\b"
    rf"|\b{_NUMBER}\+ {_STEPS}\b|\bminimum number of (?:tool calls|steps|searches)\b"
    rf"|\b{_NUMBER} {_STEPS} (?:at )?(?:minimum|at least|or more)\b"
)
_EXACT = re.compile(
    rf"\b(?:exactly|always (?:make|perform|run|do|execute)|must (?:make|perform|run|do|execute|use)) {_NUMBER} {_STEPS}\b"
    rf"|\b{_NUMBER} ?(?:-|\u2013|to) ?{_NUMBER} (?:tool calls|searches|web searches)\b"
)
_NAMED_PIPELINE = re.compile(r"\b(?:in (?:this |the following )?order|as follows|in sequence|the following)\b")
_AT_MOST = re.compile(
    r"\b(?:at most|maximum|max|up to|no more than|not more than|limit\w*|never exceed|fewer than|less than)\b"
)
_DECIDES = re.compile(
    r"\b(?:stop|finish|answer|respond|conclude|end|terminate|submit|finalize|complete|reply|call|proceed|done)\b[^.;]{0,60}?"
    r"\b(?:when|once|if|as soon as|after|until)\b[^.;]{0,30}?"
    r"\b(?:(?:you|the agent|it)(?: have|'ve| has)?(?: gathered| collected| found| got| obtained)? (?:feel|think|believe|are|is|were)?"
    r"[^.;]{0,24}(?:enough|sufficient|satisfied|confident|certain|sure|comfortable|ready|can answer|able to answer))"
    r"|\b(?:when|once|if|as soon as)\b[^.;]{0,20}\b(?:you|the agent)\b[^.;]{0,24}"
    r"\b(?:enough|sufficient|satisfied|confident|fully sure|certain)\b[^.;]{0,80}"
    r"\b(?:stop|finish|answer|respond|conclude|end|terminate|submit|finalize|reply|call|provide|output|tell|write)\b"
    r"|\b(?:until|unless) (?:you|the agent)[^.;]{0,24}\b(?:enough|sufficient|satisfied|confident|fully sure|certain|sure|have the answer)\b"
    r"|\bstop when you can answer\b|\buse your (?:own )?judg(?:e)?ment (?:to|on|about) (?:when )?(?:to )?(?:stop|decide when)\b"
)
_MARKER = re.compile(
    r"\b(?:end|finish|conclude|write|output|print|emit|reply|respond|say|include|append|close|signal|return|type|send)\w{0,3}\b[^.;\n]{0,60}?"
    r"\b(?:token|marker|tag|word|line|string|phrase|keyword|sentinel|signal|literal|message|with|the exact)\b[^.;\n]{0,24}?"
    r"(?:[\"'`\u201c\[<]{1,3}[\w /-]{2,40}[\"'`\u201d\]>]{1,3})"
)
_DONE_WORD = re.compile(
    r"\b(?:done|ready|complete[d]?|finished|final|end|stop|terminate|finish|final_answer|task_complete|eot)\b"
)
_BAN = re.compile(
    r"\b(?:do not|don't|never|avoid|must not|should not|shouldn't|not)\b[^.;\n]{0,50}?"
    r"(?:\bloop(?:ing|s)?\b(?! (?:over|through))|\b(?:stuck|going) in (?:a |an )?(?:infinite |endless )?loops?\b"
    r"|\b(?:call|use|invoke|run|try|repeat|retry|attempt|search)\w{0,4}\b[^.;\n]{0,50}?"
    r"\b(?:more than (?:once|twice|\w{1,8} times)|repeatedly|over and over|in a loop|again and again|indefinitely|forever|endlessly))"
    rf"|\b(?:at most|maximum of|max(?:imum)?|up to|no more than|limit\w{{0,3}} (?:of|to)|max up to) {_NUMBER} ?{_STEPS}\b"
    rf"|\b{_NUMBER} (?:[\w-]{{1,16}} ){{0,2}}?tool calls? (?:max(?:imum)?|at most|per)\b"
    r"|\b(?:call|use)\b[^.;\n]{0,40}\b(?:max(?:imum)?(?: up to)?|at most|up to|no more than) \w{1,8} times\b"
    r"|\bstop\b[^.;\n]{0,30}\bafter \w{1,8} (?:attempts?|tries|iterations|failures)\b"
)


def read_stops(parsed: Parsed, context: Context) -> list[Found]:
    """What a sentence says about when the model may stop."""
    if context.role in ("parameter-description",):
        return []
    low = parsed.sentence.low
    found: list[Found] = []
    if (match := _FLOOR.search(low)) and not _banned(low, match):
        kind = "floor"
        found.append(Found(kind, "medium", f"asks for {match[0]!r}", *tokens_of(parsed, match)))
        if not _scaled(low):
            found.append(Found("forced-steps", "low", f"asks for {match[0]!r}", *tokens_of(parsed, match)))
    elif (match := _EXACT.search(low)) and not _banned(low, match):
        confidence = "low" if _NAMED_PIPELINE.search(low) else "medium"
        found.append(Found("forced-steps", confidence, f"asks for {match[0]!r}", *tokens_of(parsed, match)))
    if match := _DECIDES.search(low):
        found.append(
            Found("model-decides", "medium", "leaves the end to the model's own judgement", *tokens_of(parsed, match))
        )
    if (match := _MARKER.search(low)) and _DONE_WORD.search(match[0]):
        found.append(Found("done-marker", "medium", f"asks for a marker: {match[0]!r}", *tokens_of(parsed, match)))
    if match := _BAN.search(low):
        found.append(Found("soft-ban", "medium", f"bans looping in words: {match[0]!r}", *tokens_of(parsed, match)))
    return found


def _banned(low: str, match: re.Match[str]) -> bool:
    return bool(_AT_MOST.search(low[max(0, match.start() - 24) : match.start()]))


def _scaled(low: str) -> bool:
    return bool(re.search(r"\bdepending on\b|\bfor (?:simple|basic|complex|deep)\b", low))
