"""`stop/unread-signal`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from waitlint.context import Context
from waitlint.finding import Confidence, Evidence, Finding, Quiet, Severity
from waitlint.linked import AgentLoop, Mentioned
from waitlint.rule import rule
from waitlint_rules.stopping import asked_in, is_first, scope, subject
from waitlint_rules.wording import is_python

NAMED = re.compile(r"\"([^\"]+)\"")


@rule(subject="Mentioned", severity=Severity.WARNING, seeds=(3,), fixes="")
def check(mentioned: Mentioned, context: Context) -> Iterator[Finding | Quiet]:
    """The text asks for a done marker that the code never looks for, or that it finds anywhere in the prose."""
    if mentioned.intent.kind != "done-marker":
        return
    name = NAMED.search(mentioned.intent.reason)
    shown = name[1] if name else ""
    marker = _plain(shown)
    loops = [loop for loop in context.project.loops_told(mentioned.text) if loop.kind == "loop"]
    if not loops:
        yield Quiet(subject(mentioned.text), "no loop is known in which the model is told this")
    elif mentioned.intent.confidence == "low" or not is_first(mentioned, context):
        yield Quiet(subject(mentioned.text), "it is not certain that this is a marker, or another sentence asks for it")
    elif any(marker in _plain(read) or _plain(read) in marker for loop in loops for read in loop.markers):
        yield Quiet(subject(mentioned.text), "the code looks for it")
    elif any(marker == _plain(read) for loop in loops for read in loop.loose_markers):
        yield _finding(mentioned, context, loops[0], f"the code takes “{shown}” for the end wherever it stands")
    elif mentioned.tools or any(_is_spoken_of(context, loop, marker) for loop in loops):
        yield Quiet(subject(mentioned.text), "the code knows the word: it may read it where that is not in view")
    else:
        yield _finding(mentioned, context, loops[0], f"no code looks for “{shown}”")


def _finding(mentioned: Mentioned, context: Context, loop: AgentLoop, what: str) -> Finding:
    return context.finding(
        mentioned.place,
        f"{mentioned.intent.reason}, and {what}: the model can't end the work by saying so",
        help=_help(mentioned, loop),
        scope=scope(mentioned.text),
        confidence=Confidence(mentioned.intent.confidence),
        evidence=(*loop.signal.places, Evidence(loop.place, "the loop"), *list(asked_in(loop))[:1]),
    )


def _help(mentioned: Mentioned, loop: AgentLoop) -> str:
    """The marker as a token, compared as code does it."""
    name = NAMED.search(mentioned.intent.reason)
    marker = name[1] if name else "DONE"
    if is_python(loop.place.path):
        code = f'if reply.strip().splitlines()[-1] == "{marker}": break'
    else:
        code = f'if (reply.trim().split("\\n").at(-1) === "{marker}") break;'
    return f"Compare it as a whole line, `{code}`, above the floor."


def _plain(marker: str) -> str:
    return re.sub(r"\W+", "", marker).lower()


def _is_spoken_of(context: Context, loop: AgentLoop, marker: str) -> bool:
    """Whether the code of the loop's file names the marker somewhere outside of the words for the model."""
    return marker in context.project.names_in(loop.place.path)
