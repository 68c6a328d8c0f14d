"""What stands where a text for a model may stand."""

from __future__ import annotations

from dataclasses import dataclass

from waitlint.facts import Expr
from waitlint.interpret.frames import Frame

SHORTEST = 12


@dataclass(frozen=True, slots=True)
class Site:
    """An expression whose value a model may read.

    `sure` is `yes`, `more` (if it is more than a word or a question to a person), or `long` (if it is long and speaks
    to a model). `deep` where strings inside of an object or list count, too. `key` is the name it stands under.
    """

    expr: Expr
    frame: Frame
    role: str = "prompt"
    sure: str = "yes"
    key: str = ""
    deep: bool = False
