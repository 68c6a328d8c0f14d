"""The word classes that the grammar is built on. The words are data (`lexicon.txt`); what they mean together is not."""

from __future__ import annotations

from functools import cache
from importlib import resources


@cache
def _sections() -> dict[str, frozenset[str]]:
    sections: dict[str, frozenset[str]] = {}
    name = ""
    found: list[str] = []
    text = resources.files(__package__).joinpath("lexicon.txt").read_text(encoding="utf-8")
    for line in [*text.splitlines(), "[]"]:
        if line.startswith("["):
            if name:
                sections[name] = frozenset(found)
            name, found = line[1:-1], []
        elif not line.startswith("#"):
            found.extend(line.split())
    return sections


def words(section: str) -> frozenset[str]:
    """The words of a section of `lexicon.txt`."""
    return _sections()[section]


POLL = words("poll")
LOOK = words("look")
FETCH = words("fetch")
CALL = words("call")
RETRY = words("retry")
KEEP = words("keep")
WAIT = words("wait")
GIVES = words("gives")
REPEAT = words("repeat")

# Verbs whose base form begins an order of another kind; they end the reach of what came before.
OTHER_ORDERS = words("other-orders")
CREATES = words("creates")
MODALS = words("modals")
SEMI_MODALS = words("semi-modals")
ADVERBS = words("adverbs")
MARKERS = words("markers")
DETERMINERS = words("determiners")
PREPOSITIONS = words("prepositions")

MODEL = words("model")
PERSON = words("person")
PROGRAM = words("program")

STATUS = words("status")
# Nouns that speak of an outside process and hardly of anything else: with these a bare marker is enough.
STRONG_STATUS = words("strong-status")
PENDING = words("pending")
DONE = words("done")
DRAIN = words("drain")
FIX = words("fix")
USER = words("user")
ANEW = words("anew")
VAGUE_ITERATION = words("vague-iteration")
FAST_ONLY = words("fast-only")
WATCHING = POLL | words("watching")
CALLISH = words("callish")
CHANGES = words("changes")
MENDS = words("mends")
SCHEDULES = words("schedules")
GIVEN = words("given")
FINISHES = words("finishes")
AN_END = words("an-end")
OBSERVES = words("observes")
OBSERVED = words("observed")

_IRREGULAR = {
    "getting": ("get", "ing"),
    "got": ("get", "ed"),
    "running": ("run", "ing"),
    "ran": ("run", "ed"),
    "rerunning": ("rerun", "ing"),
    "re-running": ("re-run", "ing"),
    "kept": ("keep", "ed"),
    "slept": ("sleep", "ed"),
    "sent": ("send", "ed"),
    "held": ("hold", "ed"),
    "hitting": ("hit", "ing"),
}
_NOT_A_FORM = frozenset(
    # Nouns, hardly ever forms of a verb.
    [
        "snapshots",
        "screenshots",
        "re-snapshots",
        "geting",
        "geted",
        "runing",
        "runed",
        "reruning",
        "re-runing",
        "keeped",
        "sleeped",
        "sended",
        "holded",
        "hiting",
    ]
)


def third_person(lemma: str) -> str:
    """The form of a verb behind "it": `finishes`, `applies`."""
    if lemma.endswith(("s", "sh", "ch", "x", "z", "o")):
        return lemma + "es"
    return lemma[:-1] + "ies" if lemma.endswith("y") and lemma[-2] not in "aeiou" else lemma + "s"


def _inflect(lemma: str) -> dict[str, tuple[str, str]]:
    """The forms of a verb (base, -s, -ing, -ed), each with its lemma."""
    stem = lemma[:-1] if lemma.endswith("e") and not lemma.endswith(("ee", "ye")) else lemma
    past = stem + "ed"
    if lemma.endswith("y") and lemma[-2] not in "aeiou":
        past = lemma[:-1] + "ied"
    forms = {lemma: "base", third_person(lemma): "s", stem + "ing": "ing", past: "ed"}
    return {word: (lemma, form) for word, form in forms.items() if word not in _NOT_A_FORM}


VERBS: dict[str, tuple[str, str]] = {}
for _lemma in sorted(POLL | LOOK | FETCH | CALL | RETRY | KEEP | WAIT | REPEAT):
    VERBS.update(_inflect(_lemma))
VERBS.update(_IRREGULAR)

# "After fixing it": the forms of the orders that mend.
MENDING = frozenset(word for lemma in MENDS for word, (_, form) in _inflect(lemma).items() if form in ("ing", "ed"))

BOUNDARY_WORDS = frozenset(["if", "when", "until", "but"])
# Heads of columns, lists and sections: what stands below them is wanted, or is not.
GOOD_HEADS = (
    "instead do",
    "do instead",
    "better",
    "solution",
    "fix",
    "do this",
    "✅",
    "✔",
    "do:",
    "correct ",
    "recommended",
)
BAD_HEADS = (
    "don't", "don’t", "do not", "dont", "never", "avoid", "anti-pattern", "antipattern", "anti pattern", "mistake",
    "bad", "wrong", "❌", "🚫", "⛔", "✗", "✘", "not to do", "forbidden", "prohibited",
    "instead of", "excuse", "rationaliz", "smell", "incorrect", "what not", "not allowed", "out of scope", "non-goals",
    "banned", "before:", "must not", "negatives",
)  # fmt: skip


def is_base_form(word: str) -> bool:
    """Whether a lower-cased word is that of an order where it stands at its head."""
    return word in OTHER_ORDERS or VERBS.get(word, ("", ""))[1] == "base"
