"""The command line, from arguments to exit code, over real files."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import standin
from waitlint import cli


class Run(NamedTuple):
    code: int
    out: str
    err: str


Waitlint = Callable[..., Run]


@pytest.fixture
def waitlint(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]) -> Waitlint:
    """Runs a command line in `tmp_path`, which is a link root, with the stand-in rules."""
    standin.install(monkeypatch)
    monkeypatch.chdir(tmp_path)
    for name in ("NO_COLOR", "FORCE_COLOR", "WAITLINT_CACHE_DIR"):
        monkeypatch.delenv(name, raising=False)
    (tmp_path / "waitlint.toml").write_text("root = true\n")

    def run(*arguments: str) -> Run:
        capfdbinary.readouterr()
        code = cli.run(arguments)
        out, err = capfdbinary.readouterr()
        return Run(code, out.decode(), err.decode())

    return run


def skill(folder: Path, text: str, name: str = "one") -> Path:
    path = folder / "skills" / name / "SKILL.md"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(f"---\nname: {name}\n---\n\n{text}\n".encode())
    return path


def found(run: Run) -> list[tuple[str, int, str]]:
    return [(f["path"], f["line"], f["rule"]) for f in json.loads(run.out)["findings"]]


def test_findings_are_exit_1_and_clean_is_0(waitlint: Waitlint, tmp_path: Path) -> None:
    path = skill(tmp_path, "POLL it")
    run = waitlint("check")
    assert run.code == 1
    assert "loop/keep-calling error: the text says POLL\n" in run.out
    assert "--> skills/one/SKILL.md:5:1\n" in run.out
    assert "Found 1 finding: 1 error." in run.out
    path.write_text("WAIT for it")
    run = waitlint("check")
    assert run.code == 0
    assert run.out.startswith("No findings.\nRead 1 file: 1 skill.\n")


def test_exit_zero(waitlint: Waitlint, tmp_path: Path) -> None:
    skill(tmp_path, "POLL it")
    run = waitlint("check", "--exit-zero", "--output-format", "concise")
    assert run.code == 0
    assert run.out.startswith("skills/one/SKILL.md:5:1: error loop/keep-calling the text says POLL\n")


def test_a_missing_path_is_exit_2_and_named(waitlint: Waitlint) -> None:
    run = waitlint("check", "no/such/place")
    assert run.code == 2
    assert "no/such/place" in run.err
    assert run.out == ""


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["chekc"], "'check'"),
        (["check", "--selct", "loop"], "--select"),
        (["check", "--select", "lop"], "'loop'"),
        (["check", "--ignore", "loop/keep-caling"], "'loop/keep-calling'"),
        (["check", "--output-format", "xml"], "concise"),
        (["check", "--output", "json"], "FORMAT=FILE"),
        (["check", "--output", "xml=a"], "concise"),
        (["check", "--root", "nowhere"], "nowhere"),
        (["check", "--unsafe-fixes"], "--fix"),
        (["check", "-"], "--stdin-filename"),
        (["check", "--statistics", "--output-format", "json"], "--statistics"),
        (["check", "--jobs", "-1"], "--jobs"),
        (["rule", "loop/keep-caling"], "'loop/keep-calling'"),
        (["rule", "loop/keep-calling", "--all"], "--all"),
        (["facts", "--why", "loop/keep-caling"], "'loop/keep-calling'"),
    ],
)
def test_a_wrong_argument_is_exit_2_and_says_what_is_right(
    waitlint: Waitlint, arguments: list[str], words: str
) -> None:
    run = waitlint(*arguments)
    assert run.code == 2
    assert words in run.err
    assert run.out == ""


def test_a_wrong_configuration_is_exit_2(waitlint: Waitlint, tmp_path: Path) -> None:
    (tmp_path / "waitlint.toml").write_text("root = true\npedantik = true\n")
    skill(tmp_path, "POLL")
    run = waitlint("check")
    assert run.code == 2
    assert "waitlint.toml" in run.err
    assert "'pedantic'" in run.err
    assert waitlint("check", "--isolated").code == 1


def test_nothing_scanned_is_said_and_never_called_clean(waitlint: Waitlint, tmp_path: Path) -> None:
    (tmp_path / "photo.png").write_bytes(b"\x89PNG\0")
    run = waitlint("check")
    assert run.code == 0
    assert "Nothing was scanned" in run.out
    assert "No findings" not in run.out
    run = waitlint("check", "--output-format", "json")
    assert "nothing was scanned" in run.err
    assert json.loads(run.out)["summary"]["files"] == 0


def test_advice_and_low_confidence_are_pedantic(waitlint: Waitlint, tmp_path: Path) -> None:
    skill(tmp_path, "a HINT", "one")
    skill(tmp_path, "MAYBE POLL", "two")
    run = waitlint("check")
    assert run.code == 0
    assert "2 findings of advice or low confidence not shown (--pedantic)." in run.out
    run = waitlint("check", "--pedantic", "--output-format", "json")
    assert run.code == 1
    assert [rule for _, _, rule in found(run)] == ["tell/silent-prompt", "loop/keep-calling"]
    (tmp_path / "waitlint.toml").write_text("root = true\npedantic = true\n")
    assert waitlint("check").code == 1


def test_rules_are_chosen_by_line_and_by_configuration(waitlint: Waitlint, tmp_path: Path) -> None:
    skill(tmp_path, "POLL and FIXME")
    both = ["loop/keep-calling", "tell/wrong-cap"]

    def rules(*arguments: str) -> list[str]:
        return [rule for _, _, rule in found(waitlint("check", "--output-format", "json", *arguments))]

    assert rules() == both
    assert rules("--select", "loop") == both[:1]
    assert rules("--select", "loop,tell/wrong-cap") == both
    assert rules("--ignore", "loop") == both[1:]
    (tmp_path / "waitlint.toml").write_text('root = true\nselect = ["tell"]\n')
    assert rules() == both[1:]
    assert rules("--extend-select", "loop") == both
    (tmp_path / "waitlint.toml").write_text('root = true\n[per-file-ignores]\n"skills/**" = ["loop"]\n')
    assert rules() == both[1:]


def test_severity_by_configuration(waitlint: Waitlint, tmp_path: Path) -> None:
    skill(tmp_path, "POLL and HINT")
    (tmp_path / "waitlint.toml").write_text(
        'root = true\n[severity]\nloop = "advice"\n"tell/silent-prompt" = "error"\n'
    )
    run = waitlint("check", "--output-format", "json")
    assert [(f["rule"], f["severity"]) for f in json.loads(run.out)["findings"]] == [("tell/silent-prompt", "error")]


def test_a_rule_that_fails_is_named_with_its_subject_and_the_run_goes_on(waitlint: Waitlint, tmp_path: Path) -> None:
    skill(tmp_path, "BOOM and POLL")
    run = waitlint("check", "--output-format", "json")
    assert run.code == 2
    assert [rule for _, _, rule in found(run)] == ["loop/keep-calling"]
    assert "cap/failing failed on" in run.err
    assert "skills/one/SKILL.md" in run.err
    assert "ZeroDivisionError: boom" in run.err


def test_several_outputs_at_once(waitlint: Waitlint, tmp_path: Path) -> None:
    skill(tmp_path, "POLL it")
    run = waitlint("check", "--output", "json=out/a.json", "--output", "concise=b.txt")
    assert run.code == 2
    assert "out/a.json" in run.err
    run = waitlint("check", "--output", "json=a.json", "--output", "concise=b.txt", "-q")
    assert run.code == 1
    assert json.loads((tmp_path / "a.json").read_text())["findings"][0]["rule"] == "loop/keep-calling"
    assert (tmp_path / "b.txt").read_text().count("\n") == 1
    assert "Found" not in run.out


def test_statistics(waitlint: Waitlint, tmp_path: Path) -> None:
    skill(tmp_path, "POLL POLL FIXME")
    run = waitlint("check", "--statistics", "-q")
    assert run.out.splitlines() == ["2  error    loop/keep-calling", "1  warning  tell/wrong-cap  (1 fixable)"]


def test_standard_input_stands_for_a_file(waitlint: Waitlint, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import io

    class Input:
        buffer = io.BytesIO()

    monkeypatch.setattr(sys, "stdin", Input)
    skill(tmp_path, "all is well")
    for name in ("skills/one/SKILL.md", "skills/new/SKILL.md", str(tmp_path / "skills/new/SKILL.md")):
        Input.buffer = io.BytesIO(b"POLL")
        run = waitlint("check", "--stdin-filename", name, "-", "--output-format", "json")
        assert found(run) == [(os.path.relpath(tmp_path / name, tmp_path), 1, "loop/keep-calling")]
        assert json.loads(run.out)["summary"]["by_surface"] == {"skill": 1}
    assert waitlint("check", "--fix", "--stdin-filename", "SKILL.md", "-").code == 2


def test_only_what_lies_in_the_named_paths_is_reported(waitlint: Waitlint, tmp_path: Path) -> None:
    skill(tmp_path, "SEE ", "one")
    skill(tmp_path, "SEEN", "two")
    skill(tmp_path, "POLL", "three")

    def reported(*paths: str) -> list[str]:
        return [rule for _, _, rule in found(waitlint("check", "--output-format", "json", *paths))]

    assert reported("skills/one") == ["tell/far-reaching"]
    assert reported("skills/two") == ["tell/far-reaching"], "its evidence lies there"
    assert reported("skills/three") == ["loop/keep-calling"]
    assert reported("skills/one", "skills/three/SKILL.md") == ["tell/far-reaching", "loop/keep-calling"]


def test_paths_are_relative_to_the_working_folder(
    waitlint: Waitlint, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    skill(tmp_path, "POLL")
    (tmp_path / "other").mkdir()
    monkeypatch.chdir(tmp_path / "other")
    assert found(waitlint("check", "..", "--output-format", "json"))[0][0] == "../skills/one/SKILL.md"
    monkeypatch.chdir(tmp_path / "skills")
    assert found(waitlint("check", "--output-format", "json"))[0][0] == "one/SKILL.md"


def test_a_file_named_by_hand_is_always_read(waitlint: Waitlint, tmp_path: Path) -> None:
    path = tmp_path / "tests" / "notes" / "odd.md"
    path.parent.mkdir(parents=True)
    path.write_text("POLL")
    assert waitlint("check").code == 0
    assert found(waitlint("check", "tests/notes/odd.md", "--output-format", "json")) == [
        ("tests/notes/odd.md", 1, "loop/keep-calling")
    ]


def test_what_can_not_be_read_is_named_with_its_reason_and_the_run_goes_on(waitlint: Waitlint, tmp_path: Path) -> None:
    bad = {
        "binary": b"PO\0LL",
        "latin": "naïve".encode("latin-1"),
        "wide": "POLL".encode("utf-16"),
        "huge": b"x" * 5_000_001,
    }
    for name, content in bad.items():
        skill(tmp_path, "", name).write_bytes(content)
    skill(tmp_path, "POLL", "good")
    run = waitlint("check", "--output-format", "json")
    assert [path for path, _, _ in found(run)] == ["skills/good/SKILL.md"]
    reasons = {item["path"].split("/")[1]: item["reason"] for item in json.loads(run.out)["summary"]["skipped"]}
    assert reasons == {
        "binary": "binary",
        "latin": "not UTF-8 (byte 2)",
        "wide": "UTF-16, not UTF-8",
        "huge": "larger than 5 MB",
    }


@pytest.mark.skipif(not hasattr(os, "getuid") or os.getuid() == 0, reason="root may read everything")
def test_an_unreadable_file_is_skipped(waitlint: Waitlint, tmp_path: Path) -> None:
    skill(tmp_path, "POLL").chmod(0)
    run = waitlint("check", "--output-format", "json")
    assert json.loads(run.out)["summary"]["skipped"][0]["reason"] == "permission denied"


def test_a_comment_silences_and_an_idle_one_is_told(waitlint: Waitlint, tmp_path: Path) -> None:
    skill(tmp_path, "<!-- waitlint: ignore[loop/keep-calling] on purpose -->\nPOLL")
    run = waitlint("check")
    assert (run.code, "1 silenced by a comment." in run.out) == (0, True)
    skill(tmp_path, "<!-- waitlint: ignore[loop/keep-calling] on purpose -->\nWAIT")
    assert [rule for _, _, rule in found(waitlint("check", "--output-format", "json"))] == [
        "waitlint/unused-suppression"
    ]
    assert waitlint("check", "--select", "tell").code == 0


def test_a_configuration_silences_by_fingerprint(waitlint: Waitlint, tmp_path: Path) -> None:
    skill(tmp_path, "POLL")
    fingerprint = json.loads(waitlint("check", "--output-format", "json").out)["findings"][0]["fingerprint"]
    entry = '[[suppress]]\nrule = "loop/keep-calling"\nfingerprint = "{}"\nreason = "on purpose"\n'
    (tmp_path / "waitlint.toml").write_text("root = true\n" + entry.format(fingerprint))
    run = waitlint("check")
    assert (run.code, "1 silenced" in run.out) == (0, True)
    (tmp_path / "waitlint.toml").write_text("root = true\n" + entry.format("0" * 20))
    run = waitlint("check", "--output-format", "json")
    assert found(run) == [
        ("skills/one/SKILL.md", 5, "loop/keep-calling"),
        ("waitlint.toml", 4, "waitlint/unused-suppression"),
    ]
    assert waitlint("check", "--select", "tell").code == 0
    (tmp_path / "waitlint.toml").write_text("root = true\n" + entry.format("12"))
    assert "fingerprint" in waitlint("check").err


def test_the_cache_changes_nothing_but_the_time(waitlint: Waitlint, tmp_path: Path) -> None:
    path = skill(tmp_path, "POLL")
    first = waitlint("check", "--output-format", "json")
    assert (tmp_path / ".waitlint_cache").is_dir()
    assert waitlint("check", "--output-format", "json") == first
    assert waitlint("check", "--output-format", "json", "--no-cache") == first
    path.write_text("WAIT")
    assert waitlint("check").code == 0
    path.write_text("POLL")
    assert waitlint("check", "--cache-dir", "elsewhere").code == 1
    assert (tmp_path / "elsewhere").is_dir()


def test_no_cache_leaves_no_trace(waitlint: Waitlint, tmp_path: Path) -> None:
    skill(tmp_path, "POLL")
    waitlint("check", "--no-cache")
    assert not (tmp_path / ".waitlint_cache").exists()


def test_several_processes_find_the_same(waitlint: Waitlint, tmp_path: Path) -> None:
    for number in range(40):
        skill(tmp_path, f"number {number}: POLL", f"s{number}")
    one = waitlint("check", "--no-cache", "--jobs", "1", "--output-format", "json")
    two = waitlint("check", "--no-cache", "--jobs", "2", "--output-format", "json")
    assert len(found(one)) == 40
    assert one == two


def test_a_root_below_is_linked_by_itself(waitlint: Waitlint, tmp_path: Path) -> None:
    skill(tmp_path, "SEE ", "one")
    skill(tmp_path / "inner", "SEEN", "two")
    skill(tmp_path / "inner", "POLL", "three")

    def evidence(*paths: str) -> list[Any]:
        run = waitlint("check", "--output-format", "json", *paths)
        return [(f["rule"], [e["path"] for e in f["evidence"]]) for f in json.loads(run.out)["findings"]]

    assert ("tell/far-reaching", ["inner/skills/two/SKILL.md"]) in evidence()
    (tmp_path / "inner/waitlint.toml").write_text("root = true\n")
    assert evidence() == [("loop/keep-calling", []), ("tell/far-reaching", [])]
    assert evidence("inner") == [("loop/keep-calling", [])]
    assert ("tell/far-reaching", ["inner/skills/two/SKILL.md"]) in evidence("--root", ".")


def test_the_nearest_configuration_holds_for_each_file(waitlint: Waitlint, tmp_path: Path) -> None:
    skill(tmp_path, "POLL", "one")
    skill(tmp_path / "lib", "POLL", "two")
    (tmp_path / "lib/waitlint.toml").write_text('ignore = ["loop"]\n')
    run = waitlint("check", "--output-format", "json")
    assert found(run) == [("skills/one/SKILL.md", 5, "loop/keep-calling")]


def test_a_configuration_below_says_what_is_read_there(waitlint: Waitlint, tmp_path: Path) -> None:
    (tmp_path / "lib/texts").mkdir(parents=True)
    (tmp_path / "lib/texts/a.txt").write_text("POLL")
    (tmp_path / "texts").mkdir()
    (tmp_path / "texts/b.txt").write_text("POLL")
    skill(tmp_path / "lib", "POLL", "off")
    (tmp_path / "lib/waitlint.toml").write_text('prompts = ["texts/*.txt"]\n[surfaces]\nskill = false\n')
    run = waitlint("check", "--output-format", "json")
    assert [path for path, _, _ in found(run)] == ["lib/texts/a.txt"]


def test_exclude_takes_a_folders_name(waitlint: Waitlint, tmp_path: Path) -> None:
    skill(tmp_path, "POLL", "one")
    skill(tmp_path / "old", "POLL", "two")
    (tmp_path / "waitlint.toml").write_text('root = true\nexclude = ["old"]\n')
    run = waitlint("check", "--output-format", "json")
    assert [path for path, _, _ in found(run)] == ["skills/one/SKILL.md"]


def test_fix_changes_files_and_reports_what_is_left(waitlint: Waitlint, tmp_path: Path) -> None:
    path = skill(tmp_path, "FIXME")
    run = waitlint("check", "--fix")
    assert (run.code, run.out.splitlines()[:2]) == (0, ["No findings.", "1 finding fixed."])
    path.write_text("FIXME, RISKY, WRONG")
    run = waitlint("check", "--fix", "--output-format", "json")
    assert run.code == 1
    assert path.read_text() == "fixed, RISKY, WRONG"
    assert [f["message"] for f in json.loads(run.out)["findings"]] == ["the text says RISKY", "the text says WRONG"]
    assert "not fixed: skills/one/SKILL.md:1: tell/wrong-cap: it would bring loop/keep-calling" in run.err
    waitlint("check", "--fix", "--unsafe-fixes")
    assert path.read_text() == "fixed, fixed, WRONG"


def test_diff_changes_nothing_and_exits_1_where_something_would(waitlint: Waitlint, tmp_path: Path) -> None:
    path = skill(tmp_path, "FIXME")
    run = waitlint("check", "--diff")
    assert run.code == 1
    assert run.out.splitlines()[:2] == ["--- skills/one/SKILL.md", "+++ skills/one/SKILL.md"]
    assert "-FIXME\n+fixed\n" in run.out
    assert run.err == "Would fix 1 finding in 1 file.\n"
    assert "FIXME" in path.read_text()
    path.write_text("RISKY, POLL")
    run = waitlint("check", "--diff")
    assert (run.code, run.out) == (0, "")


def test_fix_only_is_silent_about_what_is_left(waitlint: Waitlint, tmp_path: Path) -> None:
    path = skill(tmp_path, "FIXME, RISKY, POLL")
    run = waitlint("check", "--fix-only")
    assert (run.code, run.out, run.err) == (0, "", "1 finding fixed.\n")
    assert "fixed, RISKY, POLL" in path.read_text()
    assert waitlint("check", "--fix-only", "--quiet").err == ""


def test_every_fix_can_be_named(waitlint: Waitlint, tmp_path: Path) -> None:
    skill(tmp_path, "FIXME\n\nRISKY")
    lines = [
        "waitlint: fixed: skills/one/SKILL.md:5: tell/wrong-cap: say fixed (safe)",
        "waitlint: fixed: skills/one/SKILL.md:7: tell/wrong-cap: say fixed (unsafe)",
    ]
    run = waitlint("check", "--diff", "--unsafe-fixes", "--show-fixes")
    assert (run.code, run.err.splitlines()[:2]) == (1, lines)
    run = waitlint("check", "--fix", "--unsafe-fixes", "--show-fixes")
    assert (run.code, run.err.splitlines()) == (0, lines)
    assert waitlint("check", "--show-fixes").code == 2


def test_what_fails_a_run_is_a_matter_of_severity(waitlint: Waitlint, tmp_path: Path) -> None:
    skill(tmp_path, "FIXME")
    assert waitlint("check").code == 1
    run = waitlint("check", "--fail-on", "error")
    assert (run.code, "tell/wrong-cap" in run.out) == (0, True)
    (tmp_path / "waitlint.toml").write_text('root = true\nfail-on = "error"\n')
    assert waitlint("check").code == 0
    assert waitlint("check", "--fail-on", "warning").code == 1


def test_findings_below_a_confidence_are_left_out(waitlint: Waitlint, tmp_path: Path) -> None:
    skill(tmp_path, "MAYBE POLL")
    assert waitlint("check", "--pedantic").code == 1
    assert waitlint("check", "--pedantic", "--min-confidence", "medium").code == 0


def test_who_asks_for_findings_of_low_confidence_is_shown_them(waitlint: Waitlint, tmp_path: Path) -> None:
    skill(tmp_path, "MAYBE POLL")
    assert waitlint("check").code == 0
    assert waitlint("check", "--min-confidence", "low").code == 1
    (tmp_path / "waitlint.toml").write_text('root = true\nmin-confidence = "low"\n')
    assert waitlint("check").code == 1
    assert waitlint("check", "--pedantic", "--min-confidence", "high").code == 0


def test_advice_stays_hidden_from_who_asks_for_low_confidence_alone(waitlint: Waitlint, tmp_path: Path) -> None:
    skill(tmp_path, "a HINT")
    assert waitlint("check", "--min-confidence", "low").code == 0
    assert waitlint("check", "--min-confidence", "low", "--pedantic").code == 1


def test_a_baseline_lets_known_findings_pass(waitlint: Waitlint, tmp_path: Path) -> None:
    path = skill(tmp_path, "POLL")
    run = waitlint("check", "--write-baseline", "known.txt")
    assert (run.code, run.err) == (0, "Wrote 1 finding to known.txt.\n")
    assert waitlint("check").code == 1
    run = waitlint("check", "--baseline", "known.txt")
    assert (run.code, "1 known to the baseline." in run.out) == (0, True)
    path.write_text("\n\nPOLL and FIXME")
    run = waitlint("check", "--baseline", "known.txt", "--output-format", "json")
    assert [rule for _, _, rule in found(run)] == ["tell/wrong-cap"]
    path.write_text("all is well")
    run = waitlint("check", "--baseline", "known.txt")
    assert "1 of the baseline no longer there." in run.out
    assert waitlint("check", "--baseline", "nowhere.txt").code == 2
    skill(tmp_path, "POLL", "two")
    assert "whole root" in waitlint("check", "skills/two", "--write-baseline", "known.txt").err


def test_rules_are_listed_and_explained(waitlint: Waitlint) -> None:
    assert [line.split()[0] for line in waitlint("rule").out.splitlines()] == [rule.name for rule in standin.RULES]
    assert waitlint("rule", "loop/keep-calling").out.startswith("# loop/keep-calling\n")
    assert waitlint("rule", "--all").out.count("\n# ") == len(standin.RULES) - 1
    document = json.loads(waitlint("rule", "tell/wrong-cap", "--output-format", "json").out)
    assert document["version"] == 1
    assert [(r["name"], r["family"], r["severity"], r["fixes"]) for r in document["rules"]] == [
        ("tell/wrong-cap", "tell", "warning", "safe/unsafe")
    ]


def test_facts_say_why_a_rule_is_silent(waitlint: Waitlint, tmp_path: Path) -> None:
    skill(tmp_path, "WAIT", "one")
    skill(tmp_path, "POLL", "two")
    run = waitlint("facts", "--why", "loop/keep-calling")
    assert run.code == 0
    assert "quiet    it does not say POLL" in run.out
    assert "error    the text says POLL" in run.out
    document = json.loads(waitlint("facts", "--why", "loop/keep-calling", "--output-format", "json").out)
    assert {answer["message"] for subject in document["subjects"] for answer in subject["answers"]} == {
        "it does not say POLL",
        "the text says POLL",
    }


def test_facts_show_tools_and_texts(waitlint: Waitlint, tmp_path: Path) -> None:
    (tmp_path / "server.py").write_text(
        "import time\n"
        "from mcp.server.fastmcp import FastMCP\n"
        "server = FastMCP('jobs')\n\n\n"
        "@server.tool()\n"
        "def run_job(job: str) -> str:\n"
        '    """Run a job."""\n'
        "    time.sleep(20)\n"
        "    return job\n"
    )
    run = waitlint("facts")
    assert run.code == 0
    assert run.out.startswith("run_job  server.py:")
    assert "20 s" in run.out
    document = json.loads(waitlint("facts", "--output-format", "json").out)
    assert [tool["name"] for root in document["roots"] for tool in root["tools"]] == ["run_job"]
    assert document["roots"][0]["tools"][0]["place"]["path"] == "server.py"


def test_a_reader_that_goes_away_is_no_fault(tmp_path: Path) -> None:
    for number in range(40):
        skill(tmp_path, "Call get_status again and again until the job is done. " * 20, f"s{number}")
    command = [sys.executable, "-m", "waitlint", "check", "--no-cache", "-v", "--pedantic", "."]
    process = subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    errors = process.stderr.read()
    process.stderr.close()
    assert process.wait() in (0, 1)
    assert errors == b""


def test_an_interrupt_is_exit_130(waitlint: Waitlint, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    skill(tmp_path, "POLL")

    def interrupted(*arguments: object, **options: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("waitlint.scanning.read_files", interrupted)
    assert waitlint("check").code == 130


def test_colour_only_where_it_is_wanted(waitlint: Waitlint, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    skill(tmp_path, "POLL")
    assert "\x1b" not in waitlint("check").out
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert "\x1b" in waitlint("check").out
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b" not in waitlint("check").out
