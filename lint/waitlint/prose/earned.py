"""Confidence that is earned: what speaks for a loop being the reader's own, weighed.

A sentence alone seldom tells whether the model that reads it is to look again, or the code that it writes, or a person.
Of 1,930 sentences of 320 public repositories that read like an order to look again, each judged by reading, four in
five were one. What each sign is worth was fitted to them all at once (a logistic regression, so that signs which come
together are not counted twice). Of 812 others, of 165 repositories and down to what is shown with low confidence, 58 in
100 were one; signs were added, and weights moved, where that foretold them better in repositories left out of the fit.
The unit is a fifth of the logarithm of the odds: five of them make a loop nearly three times as likely.

What is named is worth most. Of a hundred of the 812 that poll a named thing until a named end 95 were right, 94 that
name a state, 81 that name a tool or a command, 90 that are due on a condition; 47 of those with neither end nor pace.
Then come the other loops of the document (76 beside another one, 86 beside three or one that names its end, 44 alone),
the headings (76 below that of a step, 44 below that of an explanation), whom the document speaks to (see `addressee`),
and code that waits: 0 of 32 right above a loop, 22 in a hundred with one further down in the section. Of those that
the grammar took for told rather than ordered, 21 were right after all, and 35 of the pauses; of asides in parentheses
21, of what is looked into 42.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

# So much is needed. Of the 812, by which the weights were moved, 756 in 1,000 of the right ones are found then, and of
# what is found 89 in 100 are right, 96 if what was doubtful is left aside: so well it fits, which is no measure.
ENOUGH = 10
# So much beyond it makes high confidence: 95 in 100 of the 812 are right, 98 without the doubtful.
SURE = 8
# What the words of a loop and the place where they stand are worth, by the signs in `signs`.
LOOP: Mapping[str, int] = {
    # The order to look again. What the grammar took for told counts against it.
    "told": -10,
    "polls": 3,
    "polls until": 2,
    "polls a name until": 3,
    "watches": 1,
    "checks": -1,
    "checks at intervals": 2,
    "does": -6,
    "neither end nor pace": -2,
    "permitted": -2,
    "paced": 2,
    "provided": 2,
    "label": 2,
    "of a run": 1,
    "comes in": -2,
    # The order to wait.
    "pauses": 1,
    "pause told": -6,
    "pauses after": 3,
    "pauses in a list": 2,
    # What the sentence says, whatever it orders.
    "tempered": -4,
    "names": 2,
    "names a tool": 1,
    "names a method": -2,
    "names a time": 3,
    "rarely": -2,
    "names a state": 2,
    "names a command": 3,
    "names nothing": 1,
    "terminal": 2,
    "of an ID": 2,
    "you": -2,
    "wordy": -3,
    "opens": 1,
    "in parentheses": -4,
    # Where it stands.
    "in a paragraph": 1,
    "in a fence": -2,
    "above commands": 1,
    "in a column of what to do": 2,
    "below a procedure": 2,
    "somewhere in a procedure": 1,
    "below a step": 2,
    "below an explanation": -1,
    "behind a start": 1,
    "behind an ID": 2,
    "above a loop": -9,
    "loop in the section": -4,
    "loop below": -2,
    "bounded": -1,
    "looked into": -3,
    "teaches": -4,
    "informs": -2,
    # What is spoken of around it.
    "takes time": 1,
    "sign-in": -1,
    "sign-in of an app": -11,
}
# What a document is worth for its own loops, by the signs in `addressee` and of its form.
DOCUMENT: Mapping[str, int] = {
    "users": 2,
    "users often": 1,
    "agents": 1,
    "commands": 1,
    "programs": -1,
    "only programs": -2,
    "only commands": 2,
    "short": 2,
    "lengthy": -1,
    "long": -2,
    "steps": 2,
    "brief": 12,
}
# What its code is worth beside that where a model opens it only to look something up.
LOOKED_INTO: Mapping[str, int] = {"only commands": 1, "only programs": -2}
# What a skill is worth for the loops of its references.
LENT: Mapping[str, int] = {"requests": 2, "users often": 1, "only programs": -4, "informs": -2}
BY_ANOTHER = 4
BY_SEVERAL = 2
BY_ONE_WITH_AN_END = 1
# A short label counts as ordered beside a loop that names its end.
BY_AN_ORDER = 10
_SEVERAL = 3


@dataclass(slots=True)
class Claim:
    """A loop that a document asks for: the place of its intent among all, the `signs` of its own words and their place,
    whether it names its end, whether the grammar took it for told, and whether it did so for its brevity alone."""

    intent: int
    signs: frozenset[str]
    ends: bool
    told: bool
    label: bool


def worth(signs: Iterable[str], table: Mapping[str, int]) -> int:
    """What signs are worth together."""
    return sum(table.get(sign, 0) for sign in signs)


def backings(claims: Sequence[Claim], document: Iterable[str], *, aside: bool) -> list[tuple[int, int]]:
    """The intents of a document's loops, each with how much bears it out beyond what is needed; below zero, too little.

    `document` are the signs of the document; `aside` where a model opens it only to look something up.
    """
    document = frozenset(document)
    ordered = [claim for claim in claims if not claim.told]
    with_an_end = sum(claim.ends for claim in ordered)
    own = worth(document, DOCUMENT) + (worth(document, LOOKED_INTO) if aside else 0)
    return [
        (claim.intent, worth(claim.signs, LOOP) + own + _borne_out(claim, len(ordered), with_an_end) - ENOUGH)
        for claim in claims
    ]


def _borne_out(claim: Claim, ordered: int, with_an_end: int) -> int:
    others = ordered - (not claim.told)
    weight = BY_ANOTHER * (others > 0) + BY_SEVERAL * (others >= _SEVERAL)
    if with_an_end > (claim.ends and not claim.told):
        weight += BY_ONE_WITH_AN_END + BY_AN_ORDER * (claim.told and claim.label)
    return weight


def lent(signs: Iterable[str]) -> int:
    """What a skill with these signs lends to the loops of its references."""
    return worth(signs, LENT)


def confidence_of(backing: int) -> str:
    """What so much beyond what is needed makes of a loop."""
    return "low" if backing < 0 else "high" if backing >= SURE else "medium"
