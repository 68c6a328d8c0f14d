"""Whom a document speaks to: an agent that does things itself, or somebody who writes code or looks something up.

A document by which an agent works speaks of "the user" in the third person, of what only an agent has (subagents, tool
calls, a context window) and shows commands to run. Of 1,930 sentences that order another look, 86 in 100 were meant for
the reader in documents that speak of the user, 72 in the others; 84 where something of an agent's is named; 56 where
programs are shown and no commands. Where a skill has its references beside it, the skill says as much of them.
"""

from __future__ import annotations

import re

from waitlint.prose.blocks import PROGRAMMING
from waitlint.prose.documents import fences

_USER = re.compile(r"\b(?:the user|user's|askuserquestion|ask the human|your human)\b", re.IGNORECASE)
_OF_AN_AGENT = re.compile(
    r"\b(?:sub-?agents?|tool calls?|mcp|claude|bash tool|the agent|your turn|slash command|todowrite|this skill)\b"
    r"|mcp__",
    re.IGNORECASE,
)
_COMMAND = re.compile(r"\bcurl ")
_RUNS = re.compile(r"[ \t]*(?:\$ )?(?:curl|gh|npx|python3?|node|git|az|aws|gcloud|kubectl|bash) \S", re.MULTILINE)
_OFTEN = 3
# From so many lines on a text explains more than it orders, and is the manual of a product, gathered from its pages.
_LENGTHY = 400
_LONG = 1500


def address_of(value: str) -> frozenset[str]:
    """The signs of whom a document speaks to. Takes time in proportion to its length."""
    users = len(_USER.findall(value))
    programs, shells = _shown(value)
    lines = value.count("\n")
    found = (
        ("users", users > 0),
        ("users often", users >= _OFTEN),
        ("agents", _OF_AN_AGENT.search(value) is not None),
        ("requests", _COMMAND.search(value) is not None),
        ("commands", shells),
        ("programs", programs),
        ("only programs", programs and not shells),
        ("only commands", shells and not programs),
        ("lengthy", lines > _LENGTHY),
        ("long", lines > _LONG),
    )
    return frozenset(sign for sign, holds in found if holds)


def _shown(value: str) -> tuple[bool, bool]:
    """Whether a document shows code in languages of programs, and commands to run."""
    programs = shells = False
    for language, start, end in fences(value):
        if language in PROGRAMMING:
            programs = True
        elif language not in _DATA and (language in _SHELLS or _RUNS.search(value, start, end)):
            shells = True
    return programs, shells


_SHELLS = frozenset(["bash", "sh", "shell", "zsh", "console", "terminal", "powershell", "curl", "fish"])
_DATA = frozenset(["json", "yaml", "yml", "toml", "xml", "http"])
