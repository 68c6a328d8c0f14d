"""The story of one status tool in two languages: what is found in it, whatever its names and wherever its code."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import pytest

from harness import FIXTURES, marks, run, run_once
from transforms import Move, Names, Tree, load, moved, renamed, store
from waitlint.report import Report

STORY = FIXTURES / "story"
LANGUAGES = ("python", "typescript")
FOUND: Mapping[str, Counter[str]] = {
    "before": Counter({"loop/keep-calling": 2, "loop/single-read-status": 1}),
    "first-repair": Counter(
        [
            "cancel/read-ignores-signal",
            "cancel/deadline-between-laps",
            "tell/silent-wait",
            "tell/prompt-contradicts-tool",
            "cap/over-idle-timeout",
        ]
    ),
    "after": Counter(),
}
CHAPTERS = [(language, chapter) for language in LANGUAGES for chapter in FOUND]


class Seen(NamedTuple):
    """A finding without its place."""

    rule: str
    severity: str
    confidence: str
    tools: tuple[str, ...]


def seen(report: Report, tools: Mapping[str, str] | None = None) -> list[Seen]:
    """The findings without their places, with other names for the tools."""
    names = tools or {}
    return sorted(
        Seen(f.rule, f.severity, f.confidence, tuple(sorted(names.get(tool, tool) for tool in f.tools)))
        for f in report.findings
    )


@pytest.mark.parametrize(("language", "chapter"), CHAPTERS)
def test_the_marks_tell_the_story(language: str, chapter: str) -> None:
    marked = marks(STORY / language / chapter)
    assert Counter(hit.rule for hit in marked.expected.elements()) == FOUND[chapter]
    assert not marked.todo


@pytest.mark.parametrize(("language", "chapter"), CHAPTERS)
def test_the_story_is_found(language: str, chapter: str) -> None:
    report = run_once(STORY / language / chapter)
    assert not report.errors
    assert Counter(finding.rule for finding in report.findings) == FOUND[chapter]


def test_the_cap_between_the_limits_is_advice() -> None:
    for language in LANGUAGES:
        found = run_once(STORY / language / "first-repair").findings
        assert [f.severity for f in found if f.rule == "cap/over-idle-timeout"] == ["advice"]
        assert all(f.severity != "advice" for f in found if f.rule != "cap/over-idle-timeout")


# ---------------------------------------------------------------- other names

PYTHON_NAMES = {
    "plain": Names(
        code={
            "LarkspurClient": "SiteApi",
            "Preview": "Draft",
            "get_preview": "fetch_draft",
            "create_preview": "make_draft",
            "register": "install",
            "preview_id": "draft_id",
            "REQUEST_SECONDS": "HTTP_LIMIT",
            "_http": "_session",
        },
        tools={"preview_status": "draft_outcome", "publish_preview": "submit_draft"},
        stems={"larkspur_mcp": "siteserver", "client": "api", "limits": "constants", "previews": "drafts"},
    ),
    "opaque": Names(
        code={
            "LarkspurClient": "Zq",
            "Preview": "Wv",
            "get_preview": "kx",
            "create_preview": "ky",
            "register": "kz",
            "preview_id": "v1_id",
            "REQUEST_SECONDS": "C1",
            "_http": "_v2",
        },
        tools={"preview_status": "umber_seven", "publish_preview": "umber_eight"},
        stems={"larkspur_mcp": "m0", "client": "m1", "limits": "m2", "previews": "m3"},
    ),
}
PYTHON_MORE: Mapping[str, dict[str, dict[str, str]]] = {
    "before": {"plain": {}, "opaque": {}},
    "first-repair": {
        "plain": {
            "wait_for_preview": "follow",
            "stop": "halted",
            "preview": "draft",
            "deadline": "end",
            "POLL_SECONDS": "EVERY",
            "WAIT_SECONDS": "AT_MOST",
        },
        "opaque": {
            "wait_for_preview": "kw",
            "stop": "v3",
            "preview": "v4",
            "deadline": "v5",
            "POLL_SECONDS": "C2",
            "WAIT_SECONDS": "C3",
        },
    },
}
PYTHON_MORE = {
    **PYTHON_MORE,
    "after": {
        "plain": {
            **PYTHON_MORE["first-repair"]["plain"],
            "left": "rest",
            "answer": "pending",
            "give_up": "latest",
            "_send": "_exchange",
            "_loop": "_events",
            "STOP_CHECK_SECONDS": "GLANCE",
        },
        "opaque": {
            **PYTHON_MORE["first-repair"]["opaque"],
            "left": "v6",
            "answer": "v7",
            "give_up": "v8",
            "_send": "_kv",
            "_loop": "_v9",
            "STOP_CHECK_SECONDS": "C4",
        },
    },
}
TYPESCRIPT_NAMES = {
    "plain": Names(
        code={
            "LarkspurClient": "SiteApi",
            "Preview": "Draft",
            "getPreview": "fetchDraft",
            "createPreview": "makeDraft",
            "previewId": "draftId",
            "REQUEST_TIMEOUT_MS": "HTTP_LIMIT",
            "send": "exchange",
            "client": "api",
        },
        tools={"previewStatus": "draftOutcome", "publishPreview": "submitDraft"},
        stems={"larkspur-client": "site-api", "limits": "constants", "preview-tools": "drafts"},
    ),
    "opaque": Names(
        code={
            "LarkspurClient": "Zq",
            "Preview": "Wv",
            "getPreview": "kx",
            "createPreview": "ky",
            "previewId": "v1Id",
            "REQUEST_TIMEOUT_MS": "C1",
            "send": "kz",
            "client": "v2",
        },
        tools={"previewStatus": "umberSeven", "publishPreview": "umberEight"},
        stems={"larkspur-client": "m1", "limits": "m2", "preview-tools": "m3"},
    ),
}
TYPESCRIPT_MORE: Mapping[str, dict[str, dict[str, str]]] = {
    "before": {"plain": {}, "opaque": {}},
    "first-repair": {
        "plain": {
            "waitForPreview": "follow",
            "stop": "userSignal",
            "deadline": "end",
            "preview": "draft",
            "POLL_INTERVAL_MS": "EVERY",
            "MAX_WAIT_MS": "AT_MOST",
        },
        "opaque": {
            "waitForPreview": "kw",
            "stop": "v3",
            "deadline": "v5",
            "preview": "v4",
            "POLL_INTERVAL_MS": "C2",
            "MAX_WAIT_MS": "C3",
        },
    },
}
TYPESCRIPT_MORE = {**TYPESCRIPT_MORE, "after": TYPESCRIPT_MORE["first-repair"]}
NAMES = {"python": (PYTHON_NAMES, PYTHON_MORE), "typescript": (TYPESCRIPT_NAMES, TYPESCRIPT_MORE)}


@pytest.mark.parametrize("style", ["plain", "opaque"])
@pytest.mark.parametrize(("language", "chapter"), CHAPTERS)
def test_other_names_change_nothing(language: str, chapter: str, style: str, tmp_path: Path) -> None:
    base, more = NAMES[language]
    names = base[style]._replace(code={**base[style].code, **more[chapter][style]})
    store(renamed(load(STORY / language / chapter), names), tmp_path)
    report = run(tmp_path)
    assert not report.errors
    assert seen(report) == seen(run_once(STORY / language / chapter), names.tools)


# ---------------------------------------------------------------- other files

API = "larkspur_mcp/client.py"
TOOLS = "larkspur_mcp/previews.py"
LIMITS = "larkspur_mcp/limits.py"
PYTHON_MOVES = {
    "client": [Move(("Preview", "LarkspurClient"), API, "larkspur_mcp/web/api.py")],
    "constants": [Move(("REQUEST_SECONDS",), LIMITS, "larkspur_mcp/web/times.py")],
    "loop": [Move(("wait_for_preview",), TOOLS, "larkspur_mcp/waiting/previews.py")],
    "constants beside the loop": [Move(("POLL_SECONDS", "WAIT_SECONDS"), LIMITS, TOOLS)],
    "everything": [
        Move(("wait_for_preview",), TOOLS, "larkspur_mcp/waiting.py"),
        Move(("POLL_SECONDS", "WAIT_SECONDS"), LIMITS, "larkspur_mcp/waiting.py"),
        Move(("Preview", "LarkspurClient"), API, "shared/larkspur.py"),
        Move(("REQUEST_SECONDS",), LIMITS, "shared/times.py"),
    ],
}
CLIENT = "lib/larkspur-client.ts"
EXPORTS = "lib/preview-tools.ts"
TIMES = "lib/limits.ts"
TYPESCRIPT_MOVES = {
    "client": [Move(("Preview", "LarkspurClient"), CLIENT, "lib/api/client.ts")],
    "constants": [Move(("REQUEST_TIMEOUT_MS",), TIMES, "config/times.ts")],
    "loop": [Move(("waitForPreview",), EXPORTS, "lib/waiting/preview.ts")],
    "constants beside the loop": [
        Move(("waitForPreview",), EXPORTS, "lib/waiting.ts"),
        Move(("POLL_INTERVAL_MS", "MAX_WAIT_MS"), TIMES, "lib/more/waits.ts"),
    ],
    "everything": [
        Move(("waitForPreview",), EXPORTS, "server/waiting.ts"),
        Move(("POLL_INTERVAL_MS", "MAX_WAIT_MS"), TIMES, "server/times.ts"),
        Move(("Preview", "LarkspurClient"), CLIENT, "server/api/client.ts"),
        Move(("REQUEST_TIMEOUT_MS",), TIMES, "server/api/times.ts"),
        Move(("client",), EXPORTS, "server/api/instance.ts"),
        Move(("previewStatus",), EXPORTS, "app/api/chat/tools/status.ts"),
    ],
}
MOVES = {"python": PYTHON_MOVES, "typescript": TYPESCRIPT_MOVES}
LATER = ("loop", "constants beside the loop", "everything")
SHIFTS = [
    (language, chapter, recipe)
    for language, chapter in CHAPTERS
    for recipe in MOVES[language]
    if chapter != "before" or recipe not in LATER
]


@pytest.mark.parametrize(("language", "chapter", "recipe"), SHIFTS)
def test_other_files_change_nothing(language: str, chapter: str, recipe: str, tmp_path: Path) -> None:
    tree: Tree = load(STORY / language / chapter)
    for move in MOVES[language][recipe]:
        tree = moved(tree, move)
    store(tree, tmp_path)
    report = run(tmp_path)
    assert not report.errors
    assert seen(report) == seen(run_once(STORY / language / chapter))
