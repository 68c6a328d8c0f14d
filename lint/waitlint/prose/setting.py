"""What a text is in its repository, as far as that tells whom its sentences speak to."""

from __future__ import annotations

import re
from dataclasses import dataclass

# What a skill says of itself that is there to have code written, and not to do something itself.
_TEACHES = re.compile(
    r"\b(?:building|implement(?:s|ing)?|sdks?|best practices|patterns?|expert|(?:integration|unit|end-to-end) tests?"
    r"|develop(?:ing|ment)? against|api development|developer kit|oauth)\b"
)
# The same of a skill whose references are looked into: they tell the more of code.
_INFORMS = re.compile(
    r"\b(?:build(?:ing)?|implement(?:s|ing)?|sdks?|best practices|patterns?|expert|tests?|testing|integrat\w{1,5}"
    r"|reference|guidance|design\w{0,3}|develop\w{0,5}|architect\w{0,4}|documentation)\b"
)
# "Reference", "manual" and "documentation" in other languages.
_REFERENCE_ABROAD = re.compile(
    r"\b(?:referenz|nachschlagewerk|dokumentation|referencia|documentación|référence|documentação|справочник"
    r"|документация)\b|リファレンス|ドキュメント|参考文档|手册|레퍼런스"
)
_SPECIFICATIONS = frozenset(
    ["specs", "spec", "specifications", "requirements", "prd", "prds", "trd", "trds", "rfc", "rfcs", "adr", "adrs",
     "proposals", "explorations", "design-docs", "user-stories", "feature-management", "feature-requests"]
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Setting:
    """`aside` where a model opens the text only to look something up; `purpose` is what its front matter says that it
    is for, and the words of its path: a page of `kiln-expert/` is of a skill that explains. `specifies` where it is
    kept among the specifications of what is to be built."""

    aside: bool = False
    purpose: str = ""
    specifies: bool = False

    @property
    def teaches(self) -> bool:
        """Whether the document is about code that somebody is to write."""
        return _TEACHES.search(self.purpose.lower()) is not None

    @property
    def informs(self) -> bool:
        """Whether a skill is there to know about something, and to have code written rather than to do it itself."""
        purpose = self.purpose.lower()
        return _INFORMS.search(purpose) is not None or _REFERENCE_ABROAD.search(purpose) is not None


def is_among_specifications(path: str) -> bool:
    """Whether a path leads through a folder of specifications, requirements, proposals or decisions."""
    return not _SPECIFICATIONS.isdisjoint(path.lower().split("/")[:-1])


NOWHERE = Setting()
