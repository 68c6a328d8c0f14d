"""What to write instead of an order to poll, by its shape, with the tool named."""

from __future__ import annotations

import re

from waitlint.facts import Intent
from waitlint.linked import Mentioned, Tool
from waitlint.prose import is_command, shown

_ANOTHER_LOOK = re.compile(r"^asks for (?:another look(?: at the [\w/'-]+)?|the same call again)")
_LOOKS = re.compile(r"^asks for another look")
_CALL = re.compile(r"^asks for another `(?P<name>[^`]+)` call")
_POINTS = re.compile(r"\b(?:this|it)\b", re.IGNORECASE)
OWN_ROLES = frozenset({"tool-description", "parameter-description", "tool-result"})
_WATCHES = re.compile(r"\b(?:monitor|watch|track|periodically|regularly|from time to time|every few)", re.IGNORECASE)
_LONGEST_NAME = 40


def reason(mentioned: Mentioned) -> str:
    """Why a sentence is a finding, with the project's own tool named where the sentence only points to it."""
    names = _names(mentioned.tools)
    if not names or _may_mean_another(mentioned):
        return mentioned.intent.reason
    return _ANOTHER_LOOK.sub(f"asks for another {names} call", mentioned.intent.reason)


def _may_mean_another(mentioned: Mentioned) -> bool:
    """Whether a tool's own text has something looked at again and says neither "this" nor a name."""
    intent = mentioned.intent
    said = mentioned.text.text.value[intent.span.start : intent.span.end]
    own = mentioned.text.text.role in OWN_ROLES and not intent.mentions
    return own and bool(_LOOKS.match(intent.reason)) and not _POINTS.search(said)


def instead(mentioned: Mentioned, code: str = "") -> str:
    """The help of a finding: who should own the loop, and the sentence that takes the place of this one.

    `code` is how the tool would own it, where that is known.
    """
    name = named(mentioned)
    owner = name or "the tool"
    own = f"Let {owner} own the loop: poll inside, up to a cap below the idle timeout. "
    if _is_command(mentioned):
        script = f"a script that runs {name or 'it'} until it is done or a deadline has passed"
        own = f"Let one command own the loop: {script}. "
    words = _wording(mentioned, name or "the tool")
    return f"{code}\n{words}" if code else own + words


def named(mentioned: Mentioned) -> str:
    """The tools that a sentence asks for again, in backticks: the project's, else what the sentence calls it, or ""."""
    if mentioned.tools:
        return _names(mentioned.tools)
    told = _CALL.match(mentioned.intent.reason)
    quoted = (shown(mention.name) for mention in mentioned.intent.mentions if mention.quoted)
    name = told["name"] if told is not None else next(quoted, "")
    return f"`{name}`" if 0 < len(name) <= _LONGEST_NAME else ""


def _names(tools: tuple[Tool, ...]) -> str:
    return " and ".join(f"`{name}`" for name in dict.fromkeys(tool.name for tool in tools))


def _is_command(mentioned: Mentioned) -> bool:
    """Whether what is run again is a command of a shell, which has no description that could say that it waits."""
    return not mentioned.tools and any(is_command(mention.name) for mention in mentioned.intent.mentions)


def _wording(mentioned: Mentioned, name: str) -> str:
    intent = mentioned.intent
    unfinished = _unfinished(intent)
    title = mentioned.text.text.value[intent.span.start : intent.span.end]
    if mentioned.text.text.role == "tool-result":
        return (
            "Then return the state and why it came back: “still unfinished: this call has already waited. "
            f"Call {name} again only if the result is needed now.”"
        )
    if _is_command(mentioned):
        return "The text then says: “Run it once: it waits. Run it again only if the deadline passed first.”"
    if _is_heading(mentioned):
        return "The title then is “Wait for the result (one call)”."
    if unfinished and not intent.until:
        return (
            f"Then write: “If it comes back {unfinished}, its wait ran out: say that it is still going, then call "
            f"{name} once more.”"
        )
    if intent.seconds:
        return (
            f"Then write: “{_capital(name)} looks every {intent.seconds:g} s itself and returns as soon as the work "
            "is over: call it once rather than polling.”"
        )
    if intent.until:
        again = unfinished or "unfinished"
        return f"Then write: “Call {name} once: it waits. Call it again only if it comes back {again}.”"
    if _WATCHES.search(title):
        return "Then write: “You will be told when it is over; do not check on it”, or have one call wait for it."
    return f"Then write: “Get the result with one call to {name}: it waits.”"


def _unfinished(intent: Intent) -> str:
    """The state, in quotes, at which the text has the call made again; "" where it names none."""
    if " while " not in intent.reason or not intent.states:
        return ""
    return " or ".join(f"“{state}”" for state in intent.states[:2])


def _is_heading(mentioned: Mentioned) -> bool:
    value = mentioned.text.text.value
    start = value.rfind("\n", 0, mentioned.intent.span.start) + 1
    return value[start : mentioned.intent.span.start].lstrip().startswith("#")


def _capital(name: str) -> str:
    return name if name.startswith("`") else name.capitalize()
