"""The table of surfaces as a matcher: skips and their exceptions, globs, speed."""

from __future__ import annotations

import time

import pathspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from waitlint.catalog import globs
from waitlint.catalog.dotfiles import put_at
from waitlint.catalog.matching import Matcher, anchors_among
from waitlint.catalog.surfaces import Match, Skip, load_surfaces, row_of, surface_names, surface_of


def nothing() -> bytes:
    return b""


def never() -> bytes:
    raise AssertionError("the name alone decides")


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("README.md", "for people"),
        ("prompts/README.md", "for people"),
        ("CHANGELOG", "for people"),
        (".github/ISSUE_TEMPLATE/prompts/bug.md", "for people"),
        ("docs/prompts/a.md", "documentation for people"),
        ("website/prompts/a.md", "documentation for people"),
        ("node_modules/x/index.js", "installed packages"),
        ("third_party/x/a.py", "vendored"),
        ("tests/a.py", "test"),
        ("src/a.test.ts", "test"),
        ("src/a.test-d.ts", "test"),
        ("src/a.spec-d.mts", "test"),
        ("src/test_a.py", "test"),
        ("spec/a.ts", "test"),
        ("fixtures/AGENTS.md", "test data"),
        ("a/__snapshots__/SKILL.md", "test data"),
        ("evals/a.py", "evaluation"),
        ("dist/a.js", "build output"),
        ("a.min.js", "minified"),
        ("types/a.d.ts", "generated"),
        (".github/workflows/triage.lock.yml", "generated"),
        (".mcp.json", "it only says how servers are started"),
        ("llms.txt", "surface llms-txt is off by default"),
        ("data/rows.csv", "no place where a model reads"),
    ],
)
def test_what_is_not_read_has_its_reason(path: str, reason: str) -> None:
    assert surface_of(path, nothing) == Skip(reason)


@pytest.mark.parametrize(
    ("path", "surface"),
    [
        ("docs/AGENTS.md", "agents-md"),
        ("tests/CLAUDE.md", "claude-md"),
        ("website/.cursorrules", "cursor-legacy"),
        ("examples/a/CLAUDE.md", "claude-md"),
        ("docs/skills/x/SKILL.md", "skill"),
        ("website/src/app.ts", "code"),
        ("src/readme.py", "code"),
        ("src/security.py", "code"),
        ("specs/a.prompt.md", "copilot-prompt"),
    ],
)
def test_names_that_speak_for_themselves_are_read_anywhere(path: str, surface: str) -> None:
    decided = surface_of(path, never)
    assert isinstance(decided, Match)
    assert decided.surface == surface


def test_vendored_packs_are_read_and_marked() -> None:
    assert surface_of("vendor/x/SKILL.md", never) == Match("skill", "markdown", vendored=True)
    assert surface_of("node_modules/x/AGENTS.md", never) == Match("agents-md", "markdown", vendored=True)
    path = ".claude/plugins/marketplaces/m/skills/x/SKILL.md"
    assert surface_of(path, never) == Match("skill", "markdown", vendored=True)


def test_contents_decide_where_names_do_not() -> None:
    assert surface_of("a.json", nothing) == Skip("no place where a model reads")
    flow = b'{"nodes": [{"type": "n8n-nodes-base.set"}], "connections": {}}'
    assert surface_of("a.json", lambda: flow) == Match("n8n", "json")
    assert surface_of("package.json", lambda: b'{"name": "x"}') == Skip("no place where a model reads")
    tools = b'[{"name": "x", "description": "y", "input_schema": {}}]'
    assert surface_of("a/b.json", lambda: tools) == Match("tool-json", "json")
    assert surface_of("tests/b.json", lambda: tools) == Skip("test")


HELPERS = b"var a=Object.create;var b=Object.defineProperty;var c=Object.getOwnPropertyDescriptor;\n"
ONE_LINE = b"function k(e,t){if(!e)return t;var n=e.kiln||{};return n.lit?n.heat(t):null}" * 400
BY_HAND = b"export function heat(kiln, target) {\n  return kiln.lit ? kiln.heat(target) : null;\n}\n" * 400
WORDS = b'export const PROMPT = "' + b"Fire the pots, one shelf at a time, and look at each of them. " * 600 + b'";\n'


@pytest.mark.parametrize(
    ("content", "minified"),
    [
        (ONE_LINE, True),
        (HELPERS + BY_HAND, True),
        (b"var __commonJS = (cb, mod) => function () {};\n" + BY_HAND, True),
        (BY_HAND, False),
        (WORDS, False),
        (ONE_LINE[:2000], False),
        (b"// esbuild names it __commonJS, webpack __webpack_require__.\n" + BY_HAND, False),
    ],
)
def test_scripts_that_a_bundler_has_written_are_not_read(content: bytes, minified: bool) -> None:
    for path in ("plugin/scripts/server.cjs", "skills/fire/scripts/run.js", "src/server.mjs"):
        found = Matcher().surface_of(path, lambda: content)
        assert (found == Skip("minified")) is minified, path
        assert isinstance(Matcher(include=("**/*",)).surface_of(path, lambda: content), Match)
        assert isinstance(Matcher().surface_of(path, lambda: content, named=True), Match)


@pytest.mark.parametrize(
    ("path", "head", "surface"),
    [
        ("drills/fire.md", "name: fire\ndescription: Fires a kiln.", "definition"),
        ("kit/roles/watcher.md", "name: watcher\ndescription: x\ntools: Bash", "agent-definition"),
        ("kit/drills/fire.md", "name: fire\ndescription: x\ntools:\n  - Kiln", "definition"),
        ("kit/watch.md", "description: x\nargument-hint: '[kiln]'", "definition-of-orders"),
        ("kit/commands/watch.md", "description: x", "definition-of-orders-in-folder"),
        ("kit/rules/watch.md", "description: x", "definition-in-folder"),
        ("wiki/skills/fire.md", "title: Fire\ntype: skill", "skill-page"),
        ("wiki/skills/fire.md", "title: Fire\ntype: page", ""),
        ("registry/fire.script.md", "description: x", "definition-in-folder"),
        ("content/kilns.md", "title: Kilns\ndescription: x", ""),
        ("content/commands/fire.md", "title: fire\ndescription: x", ""),
        ("content/kilns.md", "description: x", ""),
        ("notes/kilns.md", "tags: [a]\n---\nname: x\ndescription: y", ""),
        ("archive/drills/fire.md", "name: fire\ndescription: x", ""),
        ("kit/memory/kilns.md", "name: kilns\ndescription: x", ""),
        ("docs/drills/fire.md", "name: fire\ndescription: x", ""),
        ("tests/fixtures/fire.md", "name: fire\ndescription: x", ""),
        ("README.md", "name: fire\ndescription: x", ""),
    ],
)
def test_front_matter_tells_the_parts_of_an_agent_from_pages_for_people(path: str, head: str, surface: str) -> None:
    decided = surface_of(path, lambda: f"---\n{head}\n---\nBody.\n".encode())
    assert (decided.surface if isinstance(decided, Match) else "") == surface


@pytest.mark.parametrize(
    ("path", "head", "surface"),
    [
        ("agent-prompts/firing.md", "# Firing\n", "agent-prompts"),
        ("docs/agent_prompts/late/firing.md", "# Firing\n", "agent-prompts"),
        ("docs/agent-prompts/README.md", "# Firing\n", ""),
        ("tests/agent-prompts/firing.md", "# Firing\n", ""),
        ("docs/prompts/firing.md", "# Firing\n\nYou are a potter of ours.\n", "role-prompts"),
        ("docs/prompts/firing.md", "# Firing\n\n**Role:** Potter\n", "role-prompts"),
        ("docs/prompts/firing.md", "# How prompts work\n\nWhen you are asked for a pot, …\n", ""),
        ("docs/prompts/firing.md", "# Prompts\n" + "\nA page.\n" * 40 + "You are a potter.\n", ""),
        ("templates/agents/potter.md", "# Potter\n\n## Core Identity\n", "role-prompts"),
        ("templates/agents/potter.md", "# Potter\n\n## Opening hours\n", ""),
        ("instructions/potter.md", "# POTTER\n\n## Your Role\nYou fire what is made.\n", "role-prompts"),
        ("instructions/install.md", "# Install\n\n## Steps\n", ""),
        ("personas/potter.md", "You're the potter of this house.\n", "role-prompts"),
        ("personas/ann.md", "# Ann\n\nAnn buys pots, and has done so for years.\n", ""),
        ("evals/prompts/potter.md", "You are a potter.\n", ""),
        ("archive/personas/potter.md", "You are a potter.\n", ""),
    ],
)
def test_prompts_that_say_who_their_reader_is_are_read_wherever_they_stand(path: str, head: str, surface: str) -> None:
    decided = surface_of(path, lambda: head.encode())
    assert (decided.surface if isinstance(decided, Match) else "") == surface


@pytest.mark.parametrize(
    ("path", "meant"),
    [
        ("dot_claude/commands/watch.md", ".claude/commands/watch.md"),
        ("home/exact_dot_agents/exact_skills/exact_kilns/readonly_SKILL.md", "home/.agents/skills/kilns/SKILL.md"),
        ("private_dot_config/opencode/agent/watch.md.tmpl", ".config/opencode/agent/watch.md"),
        ("private_notes/readonly_SKILL.md", "private_notes/readonly_SKILL.md"),
        ("dot_claude/encrypted_CLAUDE.md", ".claude/encrypted_CLAUDE.md"),
        ("dot_claude/symlink_CLAUDE.md", ".claude/symlink_CLAUDE.md"),
        ("dot_claude/literal_dot_x.md.literal", ".claude/dot_x.md"),
        ("executable_dot_profile.tmpl", ".profile"),
        ("dot_", "dot_"),
    ],
)
def test_names_of_chezmoi_are_those_of_the_files_that_it_puts(path: str, meant: str) -> None:
    assert put_at(path) == meant


def test_a_skill_in_the_source_folder_of_chezmoi_has_its_references() -> None:
    skill = "exact_dot_agents/exact_skills/exact_kilns"
    matcher = Matcher(anchors=anchors_among([f"{skill}/readonly_SKILL.md"]))
    assert matcher.surface_of(f"{skill}/readonly_SKILL.md", never) == Match("skill", "markdown")
    assert matcher.surface_of(f"{skill}/exact_references/readonly_fire.md", never) == Match("skill-ref", "markdown")


def test_anchors_are_the_folders_of_their_files() -> None:
    paths = ["SKILL.md", "a/skill.md", "b/.claude-plugin/plugin.json", "b/plugin.json", "c/gemini-extension.json"]
    assert anchors_among(paths) == (("extension", "c"), ("plugin", "b"), ("root-skill", ""), ("skill", "a"))


def test_a_folder_of_skills_makes_a_kit_of_the_folder_that_it_stands_in() -> None:
    paths = ["skills/fire/SKILL.md", "kits/x/skills/fire/SKILL.md", "kits/y/fire/SKILL.md"]
    kits = [place for kind, place in anchors_among(paths) if kind == "kit"]
    assert kits == ["", "kits/x"]
    matcher = Matcher(anchors=anchors_among(paths))
    assert matcher.surface_of("kits/x/commands/fire.md", nothing) == Match("kit-commands", "markdown")
    assert isinstance(matcher.surface_of("commands/LOG.md", nothing), Skip)
    assert isinstance(Matcher().surface_of("commands/fire.md", nothing), Skip)


def test_the_innermost_skill_decides() -> None:
    matcher = Matcher(anchors=anchors_among(["tests/x/SKILL.md", "tests/x/evals/y/SKILL.md"]))
    assert matcher.surface_of("tests/x/notes.md", never) == Match("skill-ref", "markdown")
    assert matcher.surface_of("tests/x/evals/notes.md", nothing) == Skip("test")
    assert matcher.surface_of("tests/x/evals/y/notes.md", never) == Match("skill-ref", "markdown")
    assert matcher.surface_of("tests/x/LICENSE.md", nothing) == Skip("for people")


def test_users_settings_go_over_the_table() -> None:
    matcher = Matcher(prompts=["docs/**/*.txt"], include=["tests/**"], disabled=["goose"], enabled=["llms-txt"])
    assert matcher.surface_of("docs/a/b.txt", never) == Match("configured", "text")
    assert matcher.surface_of("tests/a.py", never) == Match("code", "python")
    assert matcher.surface_of(".goosehints", never) == Skip("surface goose is switched off")
    assert matcher.surface_of("llms.txt", never) == Match("llms-txt", "markdown")


def test_every_row_is_one_of_the_known_forms() -> None:
    table = load_surfaces()
    assert len({row.id for row in table.surfaces}) == len(table.surfaces)
    assert all(row.tier in ("auto", "demand", "user", "config", "code") for row in table.surfaces)
    assert all(row.body in ("", "document", "prompt") for row in table.surfaces)
    roles = {field.role for row in table.surfaces for field in (*row.fields, *row.header)}
    assert roles <= {"prompt", "tool-description", "parameter-description", "server-instructions", "front-matter"}
    assert all(not row.part_of or row_of(row.part_of).id == row.part_of for row in table.surfaces)
    assert row_of("claude-loop").deliberate
    assert "goose" in surface_names()
    assert "goose-recipe" in surface_names()


PARTS = st.sampled_from(["a", "b.md", "*.md", "**", "x*", "?", "[ab]", "[!a]", "ab", "a.b"])
NAMES = st.sampled_from(["a", "b", "b.md", "ab", "x", "xy.md", "a.b", "c"])


@given(st.lists(PARTS, min_size=2, max_size=4).map("/".join), st.lists(NAMES, min_size=1, max_size=4).map("/".join))
@settings(max_examples=500, deadline=None)
def test_globs_mean_what_gitignore_means(glob: str, path: str) -> None:
    if glob.endswith("**/**") or "**/**" in glob:
        return
    spec = pathspec.GitIgnoreSpec.from_lines([glob])
    parents = ["/".join(path.split("/")[:count]) for count in range(1, path.count("/") + 1)]
    whole = pathspec.GitIgnoreSpec.from_lines([glob]).match_file(path)
    by_parent = any(spec.match_file(parent) for parent in parents)
    assert bool(globs.compiled(glob).match(path)) == whole or by_parent


GLOBS = st.one_of(PARTS, st.lists(PARTS, min_size=1, max_size=3).map("/".join), PARTS.map("**/{}".format))


@given(st.lists(GLOBS, min_size=1, max_size=4), st.lists(NAMES, min_size=1, max_size=4).map("/".join))
@settings(max_examples=500, deadline=None)
def test_one_expression_for_several_globs_fits_where_one_of_them_does(several: list[str], path: str) -> None:
    expression = globs.any_of(tuple(several))
    assert expression is not None
    assert bool(expression.match(path)) == any(globs.compiled(glob).match(path) for glob in several)


def test_braces_are_alternatives() -> None:
    assert list(globs.alternatives("a.{md,txt}/{x,}")) == ["a.md/x", "a.md/", "a.txt/x", "a.txt/"]
    expression = globs.any_of(("*.{md,txt}", "/x/**"))
    assert expression is not None
    assert [bool(expression.match(path)) for path in ("d/a.md", "a.rst", "x/y/z", "y/x/z")] == [
        True,
        False,
        True,
        False,
    ]


def test_tens_of_thousands_of_paths_a_second() -> None:
    suffixes = ("py", "ts", "md", "png", "css", "txt")
    paths = [f"packages/p{n % 200}/src/m{n % 9}/file{n}.{suffixes[n % 6]}" for n in range(20_000)]
    matcher = Matcher(anchors=anchors_among([f"skills/s{n}/SKILL.md" for n in range(2000)]))
    matcher.surface_of("AGENTS.md", nothing)
    started = time.process_time()
    for path in paths:
        matcher.surface_of(path, nothing)
    assert time.process_time() - started < 3
