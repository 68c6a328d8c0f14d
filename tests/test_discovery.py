"""Discovery: which files are read, as what, and why the others are not."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

from waitlint import frontends
from waitlint.catalog.surfaces import surface_names
from waitlint.discovery import Candidate, Discovery, MissingPath, discover, granted
from waitlint.source import Source

FILES = {
    "AGENTS.md": "Use the tools.\n",
    "README.md": "For people.\n",
    "docs/guide.md": "For people, too.\n",
    "docs/AGENTS.md": "For models.\n",
    "src/app.py": "x = 1\n",
    "src/app.ts": "const x = 1;\n",
    "tests/test_app.py": "y = 1\n",
    "skills/jobs/SKILL.md": "---\nname: jobs\n---\nBody.\n",
    "skills/jobs/references/api.md": "More.\n",
    "skills/jobs/scripts/run.py": "print('x')\n",
    "cmd/main.go": 'import "github.com/mark3labs/mcp-go/mcp"\n',
    "cmd/util.go": "package main\n",
    "image.png": "\x89PNG",
    ".gitignore": "ignored/\n*.log\n!keep.log\n",
    "ignored/AGENTS.md": "Never read.\n",
    "a.log": "x",
}


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return tmp_path


def git(folder: Path, *arguments: str) -> None:
    identity = ["-c", "user.name=x", "-c", "user.email=x@example.org", "-c", "protocol.file.allow=always"]
    subprocess.run(["git", *identity, *arguments], cwd=folder, check=True, capture_output=True)


def surfaces(found: Discovery) -> dict[str, str]:
    return {one.path: one.surface for one in found.candidates}


EXPECTED = {
    "AGENTS.md": "agents-md",
    "docs/AGENTS.md": "agents-md",
    "src/app.py": "code",
    "src/app.ts": "code",
    "skills/jobs/SKILL.md": "skill",
    "skills/jobs/references/api.md": "skill-ref",
    "skills/jobs/scripts/run.py": "skill-script",
}


@pytest.mark.parametrize("repository", [True, False])
def test_each_file_has_its_surface_or_a_reason(tree: Path, repository: bool) -> None:
    if repository:
        git(tree, "init")
        git(tree, "add", "AGENTS.md")
    found = discover([tree], root=tree)
    assert surfaces(found) == EXPECTED
    reasons = dict(found.skipped)
    assert reasons["README.md"] == "for people"
    assert reasons["docs/guide.md"] == "documentation for people"
    assert reasons["tests/test_app.py"] == "test"
    assert reasons["cmd/main.go"] == "Go is not read"
    assert reasons["cmd/util.go"] == "no place where a model reads"
    assert "ignored/AGENTS.md" not in reasons
    assert "a.log" not in reasons
    by_path = {one.path: one for one in found.candidates}
    assert by_path["src/app.ts"] == Candidate(
        "src/app.ts", str(tree / "src/app.ts"), "typescript", "code", by_path=True
    )
    assert by_path["skills/jobs/references/api.md"].language == "markdown"


def test_nested_gitignores_and_negations_hold_without_git(tree: Path) -> None:
    (tree / "src/.gitignore").write_text("*.ts\n!app.ts\n/gen\n", encoding="utf-8")
    (tree / "src/other.ts").write_text("1", encoding="utf-8")
    (tree / "src/gen").mkdir()
    (tree / "src/gen/a.py").write_text("1", encoding="utf-8")
    (tree / "src/deep/gen").mkdir(parents=True)
    (tree / "src/deep/gen/b.py").write_text("1", encoding="utf-8")
    (tree / "node_modules/x").mkdir(parents=True)
    (tree / "node_modules/x/AGENTS.md").write_text("x", encoding="utf-8")
    found = discover([tree], root=tree)
    assert surfaces(found) == {**EXPECTED, "src/deep/gen/b.py": "code"}
    assert ("node_modules/", "installed packages") in found.skipped


def test_a_file_given_by_name_is_read_whatever_it_is(tree: Path) -> None:
    names = ["README.md", "docs/guide.md", "tests/test_app.py", "a.log", "ignored/AGENTS.md"]
    found = discover([tree / name for name in names], root=tree)
    assert surfaces(found) == {
        **EXPECTED,
        "README.md": "named",
        "docs/guide.md": "named",
        "tests/test_app.py": "code",
        "a.log": "named",
        "ignored/AGENTS.md": "agents-md",
    }
    assert {one.path for one in found.candidates if one.named} == set(names)
    assert found.scope == tuple(names)
    assert found.in_scope("README.md")
    assert not found.in_scope("AGENTS.md")


def test_a_folder_given_by_name_is_no_reason_to_skip_what_is_in_it(tree: Path) -> None:
    assert "tests/test_app.py" not in surfaces(discover([tree / "tests"], root=tree))
    (tree / "tests/server.py").write_text("z = 1\n", encoding="utf-8")
    assert surfaces(discover([tree / "tests"], root=tree))["tests/server.py"] == "code"
    assert "tests/server.py" not in surfaces(discover([tree], root=tree))
    found = discover([tree / "docs"], root=tree)
    assert found.in_scope("docs/AGENTS.md")
    assert not found.in_scope("docs2/AGENTS.md")


def test_a_path_that_is_missing_is_said_to_be(tree: Path) -> None:
    with pytest.raises(MissingPath, match=r"nowhere\.md"):
        discover([tree / "nowhere.md"], root=tree)


def test_users_add_prompts_lift_skips_exclude_and_switch_off(tree: Path) -> None:
    found = discover(
        [tree],
        root=tree,
        prompts=["docs/*.md", "cmd/main.go"],
        include=["tests/**"],
        exclude=["src/*.ts"],
        disabled_surfaces=["skill", "skill-ref"],
    )
    expected = {path: surface for path, surface in EXPECTED.items() if surface not in ("skill", "skill-ref")}
    del expected["src/app.ts"]
    assert surfaces(found) == {
        **expected,
        "docs/guide.md": "configured",
        "docs/AGENTS.md": "configured",
        "cmd/main.go": "configured",
        "tests/test_app.py": "code",
    }
    assert dict(found.skipped)["skills/jobs/SKILL.md"] == "surface skill is switched off"
    assert dict(found.skipped)["src/app.ts"] == "excluded by the configuration"
    assert {"skill", "skill-ref", "n8n", "code"} <= set(surface_names())


def test_equal_documents_are_read_once_and_code_always(tree: Path) -> None:
    for name in ("a/CLAUDE.md", "b/CLAUDE.md", "c/CLAUDE.md"):
        (tree / name).parent.mkdir()
        (tree / name).write_text("Same.\n", encoding="utf-8")
    (tree / "src/copy.py").write_text(FILES["src/app.py"], encoding="utf-8")
    (tree / "d").mkdir()
    (tree / "d/CLAUDE.md").write_text("Sama.\n", encoding="utf-8")
    found = discover([tree], root=tree)
    assert found.duplicates == {"a/CLAUDE.md": ("b/CLAUDE.md", "c/CLAUDE.md")}
    assert {"a/CLAUDE.md", "d/CLAUDE.md", "src/copy.py", "src/app.py"} <= set(surfaces(found))
    assert "b/CLAUDE.md" not in surfaces(found)
    assert discover([tree / "b"], root=tree).duplicates == {"b/CLAUDE.md": ("a/CLAUDE.md", "c/CLAUDE.md")}
    found = discover([tree / "c/CLAUDE.md", tree / "b/CLAUDE.md"], root=tree)
    assert {"b/CLAUDE.md", "c/CLAUDE.md"} <= set(surfaces(found))


def test_links_are_followed_once_and_never_out_of_the_root(
    tree: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    outside = tmp_path_factory.mktemp("outside") / "secret.md"
    outside.write_text("Secret.\n", encoding="utf-8")
    (tree / "docs/rules.md").write_text("Rules.\n", encoding="utf-8")
    (tree / ".cursorrules").symlink_to("docs/rules.md")
    (tree / "CLAUDE.md").symlink_to("AGENTS.md")
    (tree / "GEMINI.md").symlink_to(outside)
    (tree / "WARP.md").symlink_to("nowhere")
    (tree / ".claude").mkdir()
    (tree / ".claude/skills").symlink_to("../skills")
    (tree / "skills/loop").symlink_to("..")
    (tree / "ring").symlink_to("ring")
    for repository in (False, True):
        if repository:
            git(tree, "init")
        found = discover([tree], root=tree)
        assert surfaces(found) == {**EXPECTED, "docs/rules.md": "cursor-legacy"}
        reasons = dict(found.skipped)
        assert reasons["GEMINI.md"] == "a link that leads out of the root"
        assert reasons["WARP.md"] == "a link to nothing"
        assert reasons["CLAUDE.md"] == "a link to AGENTS.md"
        assert reasons["skills/loop"] == "a link to a folder that it stands in"
        assert reasons[".claude/skills/jobs/SKILL.md"] == "a link to skills/jobs/SKILL.md"


def test_names_may_hold_anything(tree: Path) -> None:
    odd = ["skills/a\nb/SKILL.md", "skills/é 😀/SKILL.md", 'skills/"q"/SKILL.md']
    for name in odd:
        (tree / name).parent.mkdir()
        (tree / name).write_text(name, encoding="utf-8")
    git(tree, "init")
    assert set(odd) <= set(surfaces(discover([tree], root=tree)))


def test_submodules_and_installed_packs_are_marked(tree: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    pack = tmp_path_factory.mktemp("pack")
    (pack / "skills/deploy").mkdir(parents=True)
    (pack / "skills/deploy/SKILL.md").write_text("Deploy.\n", encoding="utf-8")
    git(pack, "init")
    git(pack, "add", ".")
    git(pack, "commit", "-m", "x")
    git(tree, "init")
    git(tree, "submodule", "add", str(pack), "packs/ops")
    git(tree, "clone", str(pack), "cloned")
    for name in ("vendor/x/SKILL.md", ".claude/plugins/marketplaces/m/skills/y/SKILL.md"):
        (tree / name).parent.mkdir(parents=True)
        (tree / name).write_text(name, encoding="utf-8")
    (tree / "vendor/x/code.py").write_text("1", encoding="utf-8")
    found = discover([tree], root=tree)
    vendored = {one.path for one in found.candidates if one.vendored}
    vendored |= {path for one in found.candidates if one.vendored for path in found.duplicates.get(one.path, ())}
    assert vendored == {
        "packs/ops/skills/deploy/SKILL.md",
        "cloned/skills/deploy/SKILL.md",
        "vendor/x/SKILL.md",
        ".claude/plugins/marketplaces/m/skills/y/SKILL.md",
    }
    assert dict(found.skipped)["vendor/x/code.py"] == "vendored"


def test_a_repository_runs_nothing_of_its_own(tree: Path) -> None:
    git(tree, "init")
    trap = tree / "trap.sh"
    trap.write_text("#!/bin/sh\ntouch sprung\n", encoding="utf-8")
    trap.chmod(0o755)
    git(tree, "config", "core.fsmonitor", str(trap))
    discover([tree], root=tree)
    assert not (tree / "sprung").exists()


def test_git_variables_of_a_hook_do_not_mislead(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    git(tree, "init")
    monkeypatch.setenv("GIT_DIR", "/nowhere")
    monkeypatch.setenv("GIT_INDEX_FILE", "/nowhere/index")
    assert surfaces(discover([tree], root=tree)) == EXPECTED


def test_what_is_tracked_and_gone_is_no_file(tree: Path) -> None:
    git(tree, "init")
    git(tree, "add", ".")
    os.remove(tree / "AGENTS.md")
    assert "AGENTS.md" not in surfaces(discover([tree], root=tree))


def test_links_grant_a_second_round(tree: Path) -> None:
    (tree / "custom/notes").mkdir(parents=True)
    (tree / "custom/notes/a.md").write_text("A.\n", encoding="utf-8")
    (tree / "custom/notes/b.json").write_text("{}", encoding="utf-8")
    (tree / "skills/notes.md").write_text("N.\n", encoding="utf-8")
    found = discover([tree], root=tree)
    links = {
        "AGENTS.md": [
            "@README.md",
            "@docs/guide.md",
            "@AGENTS.md",
            "@../outside.md",
            "@~/x.md",
            "@no/where.md",
            "@/etc/passwd",
        ],
        "skills/jobs/SKILL.md": ["../notes.md", "references/api.md", "custom/notes/a.md"],
    }
    assert [(one.path, one.surface, one.language) for one in granted(found, links)] == [
        ("README.md", "linked", "markdown"),
        ("custom/notes/a.md", "linked", "markdown"),
        ("docs/guide.md", "linked", "markdown"),
        ("skills/notes.md", "linked", "markdown"),
    ]
    assert [one.path for one in granted(found, {"AGENTS.md": ["custom/"]})] == ["custom/notes/a.md"]


def test_what_a_document_names_is_looked_for_from_its_folder_up(tmp_path: Path) -> None:
    for name in (
        "CLAUDE.md", "kit/skills/fire/SKILL.md", "kit/skills/fire/references/a.md", "kit/shared/kilns.md",
        "kit/workflows/watch.md", "kit/agents/watcher.md", "kit/notes.md", "notes.md", "rules/heat.md",
    ):  # fmt: skip
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(f"Of {name}.\n", encoding="utf-8")
    found = discover([tmp_path], root=tmp_path)
    origin = "kit/skills/fire/references/a.md"
    named = ["shared/kilns.md", "../../../workflows/watch.md", "agents/watcher.md", ".claude/rules/heat.md", "notes.md"]
    assert [(one.path, one.surface) for one in granted(found, {origin: named})] == [
        ("kit/agents/watcher.md", "claude-agents"),
        ("kit/shared/kilns.md", "linked"),
        ("kit/workflows/watch.md", "skill-part"),
        ("rules/heat.md", "linked"),
    ]
    each = granted(found, {"kit/skills/fire/SKILL.md": ["workflows/*.md", "nowhere/*.md"]})
    assert [one.path for one in each] == ["kit/workflows/watch.md"]


def test_what_is_for_people_is_read_if_it_is_imported_or_stands_with_what_names_it(tmp_path: Path) -> None:
    for name in (
        "AGENTS.md", "README.md", "docs/guide.md", "docs/kit/AGENTS.md", "docs/kit/shared/kilns.md",
        "docs/kit/README.md", "tests/cases.md", "evals/case.md", "plain.md", "secret.md", "llms.txt",
        "reports/2025-03-01-kilns.md", "kit/agents/shared/schemas/pots.md",
        "SECURITY.md", "kit/steps/release.md",
    ):  # fmt: skip
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(f"Of {name}.\n", encoding="utf-8")
    found = discover([tmp_path], root=tmp_path, exclude=["/secret.md"])
    named = ["README.md", "docs/guide.md", "tests/cases.md", "evals/case.md", "./plain.md", "./secret.md", "./llms.txt"]
    named += ["reports/2025-03-01-kilns.md", "kit/agents/shared/schemas/pots.md"]
    named += ["./SECURITY.md", "kit/steps/release.md"]
    assert [(one.path, one.surface) for one in granted(found, {"AGENTS.md": named})] == [
        ("kit/agents/shared/schemas/pots.md", "linked"),
        ("kit/steps/release.md", "skill-part"),
        ("plain.md", "linked"),
    ]
    imported = ["@README.md", "@docs/guide.md", "@secret.md"]
    assert [one.path for one in granted(found, {"AGENTS.md": imported})] == ["README.md", "docs/guide.md"]
    beside = ["shared/kilns.md", "README.md"]
    assert [one.path for one in granted(found, {"docs/kit/AGENTS.md": beside})] == ["docs/kit/shared/kilns.md"]


def test_plugin_and_extension_folders_are_found_by_their_anchor(tree: Path) -> None:
    for name in (
        "packs/ops/.claude-plugin/plugin.json", "packs/ops/commands/wait.md", "packs/ops/agents/a/watch.md",
        "ext/gemini-extension.json", "ext/commands/wait.toml", "other/commands/wait.md",
    ):  # fmt: skip
        (tree / name).parent.mkdir(parents=True, exist_ok=True)
        (tree / name).write_text(f'{{"name": "{name}"}}', encoding="utf-8")
    found = surfaces(discover([tree], root=tree))
    assert found["packs/ops/commands/wait.md"] == "claude-commands"
    assert found["packs/ops/agents/a/watch.md"] == "claude-agents"
    assert found["ext/commands/wait.toml"] == "gemini-cmd"
    assert "other/commands/wait.md" not in found


def test_what_a_marketplace_calls_agents_and_commands_is_read_as_that(tmp_path: Path) -> None:
    marketplace = {
        "name": "harbour",
        "plugins": [
            {"name": "quay", "source": "./packs/quay"},
            {"name": "crane", "source": "./", "agents": ["./agents/lift.md"], "commands": ["./orders/"]},
        ],
    }
    files = (
        "README.md", "agents/lift.md", "agents/lower.md", "orders/stack.md",
        "packs/quay/README.md", "packs/quay/agents/moor.md", "packs/quay/commands/berth.md", "packs/quay/notes/tide.md",
    )  # fmt: skip
    for name in files:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(f"Of {name}.\n", encoding="utf-8")
    manifest = tmp_path / ".claude-plugin/marketplace.json"
    manifest.parent.mkdir()
    manifest.write_text(json.dumps(marketplace), encoding="utf-8")
    found = discover([tmp_path], root=tmp_path)
    facts = frontends.read(Source.read(manifest), "json", "claude-plugin")
    read = granted(found, {".claude-plugin/marketplace.json": facts.links})
    assert [(one.path, one.surface) for one in read] == [
        ("agents/lift.md", "claude-agents"),
        ("agents/lower.md", "claude-agents"),
        ("orders/stack.md", "linked"),
        ("packs/quay/agents/moor.md", "claude-agents"),
        ("packs/quay/commands/berth.md", "claude-commands"),
    ]


def test_a_skill_at_the_root_does_not_make_everything_its_reference(tmp_path: Path) -> None:
    for name in ("SKILL.md", "README.md", "notes.md", "references/api.md", "docs/x.md", "scripts/run.sh"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(name, encoding="utf-8")
    found = surfaces(discover([tmp_path], root=tmp_path))
    assert found == {"SKILL.md": "skill", "references/api.md": "skill-ref", "scripts/run.sh": "skill-script"}


def test_a_link_starts_at_its_file_above_a_hidden_folder_or_with_a_path_at_the_root(tree: Path) -> None:
    for name in ("packs/ops/own/a.md", "own/b.md", "c.md", "packs/c.md", "packs/ops/.claude-plugin/plugin.json"):
        (tree / name).parent.mkdir(parents=True, exist_ok=True)
        (tree / name).write_text(name, encoding="utf-8")
    found = discover([tree], root=tree)
    links = {"packs/ops/.claude-plugin/plugin.json": ["./own"], "packs/ops/AGENTS.md": ["own/b.md", "c.md"]}
    assert [one.path for one in granted(found, links)] == ["own/b.md", "packs/ops/own/a.md"]


def test_a_link_to_what_is_read_under_another_name_grants_nothing(tree: Path) -> None:
    (tree / "shared").mkdir()
    (tree / "shared/jobs.md").write_text("Jobs.\n", encoding="utf-8")
    (tree / "skills/jobs/shared").symlink_to("../../shared")
    found = discover([tree], root=tree)
    assert surfaces(found)["shared/jobs.md"] == "skill-ref"
    assert granted(found, {"skills/jobs/SKILL.md": ["shared/jobs.md"]}) == ()
