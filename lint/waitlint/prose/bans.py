"""Orders not to look again: bans of polling, bans of its pace alone, and bans that take polling for granted."""

from __future__ import annotations

import re

from waitlint.prose import lexicon as lex
from waitlint.prose import marks
from waitlint.prose.acts import Act
from waitlint.prose.found import Found
from waitlint.prose.scene import Scene


def presumed(scene: Scene, act: Act) -> Found | None:
    """ "Stop polling when it is done" takes the polling for granted."""
    if act.lemma not in lex.POLL or act.form != "ing" or scene.tokens[act.at - 1].low != "stop":
        return None
    if act.clause + 1 >= len(scene.parsed.clauses) or scene.parsed.clauses[act.clause + 1].joined not in (
        "if",
        "when",
        "once",
    ):
        return None
    condition = scene.parsed.clauses[act.clause + 1]
    told = {token.low for token in scene.tokens[condition.first : condition.last]}
    if condition.joined == "if" and not told & (lex.DONE | lex.PENDING | lex.STATUS | {"is", "has", "was", "are"}):
        return None
    if act.at >= 2 and scene.tokens[act.at - 2].low in ("not", "never", "don't"):
        return None
    found = scene.loop("medium", act, act.clause + 2, scene.thing(act))
    found.first = min(found.first, act.at - 1)
    return found


# "**DON'T**: poll the build", "❌ poll the build", and not "Don't forget: poll the build".
_SAYS_NOT_TO = re.compile(
    r"[^\w❌🚫⛔✗✘]{0,6}(?:[❌🚫⛔✗✘]"
    r"|(?:do not|don.?t|never|avoid|wrong|bad|incorrect|forbidden|prohibited|banned|not allowed"
    r"|(?:common )?(?:anti-?\s?patterns?|mistakes?)|not this|instead of(?: this)?|before|not)"
    r"(?: (?:do|do this|this|example|practice|pattern|way|approach))?\W{0,3}(?:[:\u2014\u2013]| -)\W)"
)


def is_labelled(low: str) -> bool:
    """Whether a lower-cased sentence opens with a label that says not to do what follows."""
    return _SAYS_NOT_TO.match(low) is not None


def forbidden(scene: Scene, act: Act) -> Found | None:
    loops = act.lemma in lex.POLL or act.keeps or act.lemma in ("sleep",)
    if not loops and (act.lemma in lex.CALL or act.lemma in lex.LOOK or act.lemma in lex.RETRY):
        limit = marks.reach(scene.parsed, act)
        loops = marks.iteration(scene.parsed, act, limit) is not None
    if not loops:
        return None
    verb = scene.tokens[act.verb_at].low
    return Found("forbids-polling", "high", f"forbids {verb!r}", min(act.start, act.at), scene.end(act.clause + 1))


def cadence(scene: Scene, act: Act) -> Found | None:
    if act.lemma not in lex.POLL and act.lemma not in ("check", "call", "query"):
        return None
    found = scene.loop("low", act, act.clause + 1, scene.thing(act))
    found.reason = "limits only how often the model polls, and so takes polling for granted"
    found.limits = True
    return found
