"""`tell/unexplained-cap-result`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from waitlint.context import Context
from waitlint.finding import Confidence, Evidence, Finding, Quiet, Severity
from waitlint.fix import Applicability, Repair
from waitlint.linked import Ending, Tool, ToolText, Wait
from waitlint.rule import rule
from waitlint.stating import stated_wait
from waitlint_rules.certain import is_always_passed
from waitlint_rules.denials import denial
from waitlint_rules.telling import again, is_general, told, with_sentence
from waitlint_rules.wording import explains_unfinished, in_seconds, is_for_a_person, longest, waits_for_state

EXPLAINS = re.compile(
    r"\b(?:again|last (?:known )?(?:state|status|phase|result)|latest (?:state|status)|unfinished|incomplete|"
    r"not (?:yet )?(?:done|finished|ready|complete\w*)|still|so far|outlast\w*|time[sd]? ?out|timeout|resum\w+|"
    r"partial\w*|otherwise|or the (?:state|status)|means that|runs? out|in time|by then|has(?: not|n't)|"
    r"pending|in[ _]progress)\b",
    re.IGNORECASE,
)


@rule(subject="Tool", severity=Severity.ADVICE, rules=("R4",), checklist=("C5",), fixes="unsafe")
def check(tool: Tool, context: Context) -> Iterator[Finding | Quiet]:
    """A tool can come back unfinished, and its text does not say what to do then."""
    waits = [wait for wait in waits_for_state(tool) if _comes_back(wait)]
    text = tool.description
    if not waits or text is None:
        yield Quiet(tool.name, "it is not known to come back unfinished" if text else "it has no description in view")
        return
    reason = _silent_because(tool, text)
    if reason:
        yield Quiet(tool.name, reason)
        return
    wait = longest(waits)
    yield context.finding(
        text.place(0, len(text.text.value)),
        f"after {in_seconds(wait.cap.value)} the tool comes back unfinished, and its text does not say what to do then",
        help="Say what an unfinished result looks like, and what a second call is for: “Call it again only if …”",
        scope=tool.name,
        excerpt=text.text.value,
        tools=(tool.name,),
        confidence=Confidence.MEDIUM,
        evidence=[Evidence(wait.place, f"the wait: {wait.cap.how}")],
        repair=_repair(tool, text, wait),
    )


def _comes_back(wait: Wait) -> bool:
    """Whether a wait that every call comes to hands its last state over when it reaches its cap."""
    if not is_always_passed(wait):
        return False
    return wait.kind == "loop" and wait.within is None and wait.cap.known and wait.ending is Ending.LAST_STATE


def _silent_because(tool: Tool, text: ToolText) -> str:
    if denial(tool) is not None or not stated_wait(tool):
        return "its text does not say that it waits: other rules speak of that"
    if not text.text.complete or tool.description_unknown:
        return "its description is not known in full"
    if is_for_a_person(tool) or is_general(tool, longest(list(tool.waits))):
        return "what it runs, or whom it asks, explains itself"
    own = [text, *(parameter.description for parameter in tool.parameters), *tool.texts]
    for one in own:
        if one is not None and (explains_unfinished(one) or EXPLAINS.search(one.text.value)):
            return "its text says what an unfinished result means"
    said = text.text.value.lower()
    states = {state.lower() for wait in tool.waits for state in wait.states}
    if any(re.search(rf"\b{re.escape(state)}\b", said) for state in states):
        return "its text names the state of unfinished work"
    return ""


def _repair(tool: Tool, text: ToolText, wait: Wait) -> Repair | None:
    second = again(told(tool, wait), text)
    change = with_sentence(text, f"{second[0].upper()}{second[1:]}.") if second else None
    if change is None:
        return None
    return Repair("say what a second call is for", Applicability.UNSAFE, (change,))
