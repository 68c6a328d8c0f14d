"""An agent with all its guards is clean, and each guard that is taken out is missed by its one rule alone."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from harness import FIXTURES, run
from waitlint.factview import lines
from waitlint.scanning import Request, scan

SAMPLE = FIXTURES / "agent"


Swaps = list[tuple[str, str]]
FLAT = "A basic question needs less, a deep comparison more. Make at least 6 tool calls."
SCALED = "A basic question needs at least 3 tool calls, a standard question at least 6, a deep comparison at least 10."

NO_CLOCK_PYTHON = [
    ("        if time.monotonic() - started > SECONDS:\n", ""),
    ('            raise BudgetSpent(f"no answer in {SECONDS} s")\n', ""),
]
NO_CLOCK_TYPESCRIPT = [
    ("    if (Date.now() - started > SECONDS * 1000) throw new BudgetSpent(`no answer in ${SECONDS} s`);\n", "")
]

NO_SPEND_PYTHON = [
    ("        if spent_tokens > MAX_TOKENS:\n", ""),
    ('            raise BudgetSpent(f"no answer in {MAX_TOKENS} tokens")\n', ""),
]
NO_SPEND_TYPESCRIPT = [
    ("    if (spentTokens > MAX_TOKENS) throw new BudgetSpent(`no answer in ${MAX_TOKENS} tokens`);\n", "")
]

CHECKED_PYTHON = """    try:
        answer = tool(model.model_validate(given))
    except ValidationError as error:
        answer = f"These arguments do not fit: {error}"
"""
CHECKED_TYPESCRIPT = [
    ("  const parsed = tool.schema.safeParse(given);\n", ""),
    (
        "parsed.success ? await tool.run(parsed.data) : `These arguments do not fit: ${parsed.error.message}`",
        "await tool.run(given)",
    ),
]

PYTHON = [
    ("floor", "stop/unenforced-floor", [("if done and steps >= FLOORS[depth]:", "if done:")]),
    ("signal in code", "stop/unread-signal", [("done = DONE in words.splitlines()", "done = not results")]),
    ("signal as a token", "stop/unread-signal", [("DONE in words.splitlines()", "DONE in words")]),
    ("no other way out", "stop/other-exit", [("        else:\n", "        else:\n            return words\n")]),
    ("depth", "stop/flat-floor", [(SCALED, FLAT), ("FLOORS[depth]", "6")]),
    (
        "step cap",
        "budget/uncapped-loop",
        [("for _ in range(MAX_STEPS):", "while True:"), *NO_CLOCK_PYTHON, *NO_SPEND_PYTHON],
    ),
    (
        "bound of plans",
        "budget/uncapped-loop",
        [("for _ in range(MAX_PLANS):", "while True:"), *NO_SPEND_PYTHON],
    ),
    (
        "a word at the cap",
        "budget/silent-exhaustion",
        [
            ('raise BudgetSpent(f"no answer in {MAX_STEPS} steps")', "return words"),
            ("steps = 0\n", 'steps, words = 0, ""\n'),
        ],
    ),
    ("clock", "budget/no-wall-clock", [*NO_CLOCK_PYTHON, ("timeout=30, ", "")]),
    ("request timeout", "budget/request-without-timeout", [("timeout=30", "timeout=None")]),
    (
        "refusal",
        "budget/unknown-tool",
        [('    if name not in TOOLS:\n        return f"There is no tool {name}."\n', "")],
    ),
    ("output limit", "budget/unbounded-output", [("    answer = answer[:LONGEST]\n", "")]),
    (
        "trail",
        "budget/untraced-loop",
        [("    log.info(\n", "    dict(\n"), ('"tool=%s input=%s observation=%s seconds=%.1f",', "")],
    ),
    ("redaction", "budget/unredacted-trace", [("redacted(given),", "given,")]),
    ("validation", "budget/unknown-tool", [(CHECKED_PYTHON, "    answer = tool(given)\n")]),
    (
        "retries",
        "budget/unbounded-retry",
        [("Retrying(stop=stop_after_attempt(3), reraise=True)", "Retrying(reraise=True)")],
    ),
    (
        "read-only",
        "budget/not-read-only",
        [
            ("symbols_in\n", "symbols_in\nfrom upkeep import forget\n"),
            ("(Look, dependents)}", '(Look, dependents), "forget": (Look, forget)}'),
        ],
    ),
]
TYPESCRIPT = [
    ("floor", "stop/unenforced-floor", [("if (done && steps >= FLOORS[depth])", "if (done)")]),
    ("signal in code", "stop/unread-signal", [('words.split("\\n").includes(DONE)', "results.length === 0")]),
    ("signal as a token", "stop/unread-signal", [('words.split("\\n").includes(DONE)', "words.includes(DONE)")]),
    ("no other way out", "stop/other-exit", [("else messages.push", "else return words; messages.push")]),
    ("depth", "stop/flat-floor", [(SCALED, FLAT), ("FLOORS[depth]", "6")]),
    (
        "step cap",
        "budget/uncapped-loop",
        [("turn < MAX_STEPS;", ";"), *NO_CLOCK_TYPESCRIPT, *NO_SPEND_TYPESCRIPT],
    ),
    ("bound of plans", "budget/uncapped-loop", [("plan < MAX_PLANS;", ";"), *NO_SPEND_TYPESCRIPT]),
    (
        "a word at the cap",
        "budget/silent-exhaustion",
        [
            ("throw new BudgetSpent(`no answer in ${MAX_STEPS} steps`);", "return words;"),
            ('    let words = "";\n', '    words = "";\n'),
            ("  let steps = 0;\n", '  let steps = 0;\n  let words = "";\n'),
        ],
    ),
    ("clock", "budget/no-wall-clock", [*NO_CLOCK_TYPESCRIPT, ("timeout: 30_000, ", "")]),
    ("request timeout", "budget/request-without-timeout", [("timeout: 30_000", "timeout: undefined")]),
    ("refusal", "budget/unknown-tool", [("  if (!tool) return `There is no tool ${name}.`;\n", "")]),
    ("output limit", "budget/unbounded-output", [("  answer = answer.slice(0, LONGEST);\n", "")]),
    ("trail", "budget/untraced-loop", [("  log.info({", "  void ({")]),
    (
        "redaction",
        "budget/unredacted-trace",
        [('pino({ redact: ["*.token"] })', "pino()"), ("input: redacted(given)", "input: given")],
    ),
    ("validation", "budget/unknown-tool", [*CHECKED_TYPESCRIPT]),
    ("retries", "budget/unbounded-retry", [("{ retries: 2 }", "{ forever: true }")]),
    (
        "read-only",
        "budget/not-read-only",
        [
            ('from "./index";\n', 'from "./index";\nimport { forget } from "./upkeep";\n'),
            ("run: dependents }],\n", 'run: dependents }],\n  ["forget", { schema: look, run: forget }],\n'),
        ],
    ),
]
REQUEST_PYTHON = """                reply = client.messages.create(
                    model="claude-sonnet-4-5", max_tokens=2_000, system=PROMPT, tools=SCHEMAS, messages=messages
                )
"""
HELPER_PYTHON = """def ask(messages: list[dict]):
    return client.messages.create(
        model="claude-sonnet-4-5", max_tokens=2_000, system=PROMPT, tools=SCHEMAS, messages=messages
    )


def survey("""
REQUEST_TYPESCRIPT = """\
    const request = { model: "claude-sonnet-4-5", max_tokens: 2_000, system: PROMPT, tools: SCHEMAS, messages };
    const reply = await pRetry(() => client.messages.create(request), { retries: 2 });
"""
HELPER_TYPESCRIPT = """async function ask(messages: Anthropic.MessageParam[]) {
  const given = { model: "claude-sonnet-4-5", max_tokens: 2_000, system: PROMPT, tools: SCHEMAS, messages };
  return await client.messages.create(given);
}

export async function survey("""
MOVED: dict[str, Swaps] = {
    "python": [(REQUEST_PYTHON, "                reply = ask(messages)\n"), ("def survey(", HELPER_PYTHON)],
    "typescript": [
        (REQUEST_TYPESCRIPT, "    const reply = await pRetry(() => ask(messages), { retries: 2 });\n"),
        ("export async function survey(", HELPER_TYPESCRIPT),
    ],
}
CASES = [
    *(("python", "surveyor.py", *case) for case in PYTHON),
    *(("typescript", "surveyor.ts", *case) for case in TYPESCRIPT),
]


def without(language: str, file: str, swaps: Swaps, folder: Path) -> None:
    """Write the sample agent with each of `swaps` made in its file."""
    shutil.copytree(SAMPLE / language, folder, dirs_exist_ok=True)
    text = (folder / file).read_text(encoding="utf-8")
    for old, new in swaps:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    (folder / file).write_text(text, encoding="utf-8")


@pytest.mark.parametrize("moved", [False, True], ids=["in the loop", "in a helper"])
@pytest.mark.parametrize(
    ("language", "file", "guard", "rule", "swaps"), CASES, ids=[f"{case[0]}: {case[2]}" for case in CASES]
)
def test_a_guard_that_is_taken_out_is_missed_by_its_rule_alone(
    language: str, file: str, guard: str, rule: str, swaps: Swaps, moved: bool, tmp_path: Path
) -> None:
    without(language, file, [*(MOVED[language] if moved else ()), *swaps], tmp_path)
    if guard == "step cap":  # floor and marker together are enough, unless it is asked for
        (tmp_path / "waitlint.toml").write_text("root = true\nrequire-step-cap = true\n", encoding="utf-8")
    found = run(tmp_path)
    assert [finding.rule for finding in found.findings] == [rule], [finding.message for finding in found.findings]


@pytest.mark.parametrize(("language", "file"), [("python", "surveyor.py"), ("typescript", "surveyor.ts")])
def test_the_agent_is_clean_wherever_the_model_is_asked(language: str, file: str, tmp_path: Path) -> None:
    without(language, file, MOVED[language], tmp_path)
    assert not run(tmp_path).findings


def shown_of(folder: Path) -> list[str]:
    scanned = scan(Request(cwd=folder, paths=(folder,), use_cache=False, jobs=1))
    return ["".join(piece.text for piece in line) for line in lines(scanned)]


# Guards that no rule asks for: they are shown, and that they are missing.
SHOWN = [
    ("python", "surveyor.py", "spend", NO_SPEND_PYTHON),
    ("typescript", "surveyor.ts", "spend", NO_SPEND_TYPESCRIPT),
    ("python", "surveyor.py", "checks", [("wrong = verify_places(words)", "wrong = words.count('?')")]),
    ("typescript", "surveyor.ts", "checks", [("verifyPlaces(words);", 'words.split("?");')]),
]


@pytest.mark.parametrize(("language", "file", "label", "swaps"), SHOWN, ids=[f"{one[0]}: {one[2]}" for one in SHOWN])
def test_the_facts_show_a_guard_and_that_it_is_missing(
    language: str, file: str, label: str, swaps: Swaps, tmp_path: Path
) -> None:
    def has(folder: Path) -> bool:
        return any(line.split()[:2] == [label, "yes:"] for line in shown_of(folder))

    without(language, file, swaps, tmp_path)
    assert has(SAMPLE / language)
    assert not has(tmp_path)


@pytest.mark.parametrize("language", ["python", "typescript"])
def test_the_facts_show_each_budget(language: str) -> None:
    shown = shown_of(SAMPLE / language)
    labels = ("steps", "at the cap", "time", "spend", "request", "timeout", "retries", "refusal", "arguments", "output")
    for label in (*labels, "checks", "again", "trail: tool", "inputs", "results", "durations", "redaction", "floor"):
        assert any(line.strip().startswith(label) for line in shown), label
    assert any(line.split() == ["again", "up", "to", "3", "times"] for line in shown)
    assert any("24 laps" in line for line in shown)
    assert any("6 steps for standard" in line for line in shown)
    assert any(line.split()[:2] == ["done", "marker"] and "SURVEYED" in line for line in shown)
