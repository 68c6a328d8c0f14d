"""What stands around a loop earns it its confidence: other loops, a procedure, a document to work by."""

from __future__ import annotations

import pytest

from linking import linked
from waitlint.facts import Intent
from waitlint.project.link import link
from waitlint.prose import Setting, read
from waitlint.prose.blocks import split
from waitlint.prose.documents import share_of_code
from waitlint.reading import facts_of
from waitlint.source import Source

LOOPS = {"poll", "model-sleeps"}
# Enough of anything else to be no brief note.
THINGS = "\n\n".join(f"The {thing} of the kiln is kept in the ledger." for thing in ("lid", "door", "floor", "vent"))
# What tells that an agent is spoken to, but not what makes any of its sentences an order.
FILLING = f"{THINGS}\n\nKeep the user's pots out of your context."
ALONE = f"# Kilns\n\n{FILLING}\n\n## Colours\n\nGlazes dry slowly, so poll the job.\n\n{FILLING}\n"
ASIDE = Setting(aside=True)


def sure(text: str, setting: Setting | None = None) -> list[Intent]:
    intents = read(text, "document", setting or Setting())
    return [one for one in intents if one.kind in LOOPS and one.confidence != "low" and one.backing >= 0]


def test_a_lone_aside_in_a_page_of_knowledge_is_not_borne_out() -> None:
    assert not sure(ALONE)
    (loop,) = (one for one in read(ALONE, "document") if one.kind == "poll")
    assert loop.backing < 0


def test_the_same_words_in_a_brief_note_are_an_order() -> None:
    assert sure("Glazes dry slowly, so poll the job.")


@pytest.mark.parametrize(
    "other",
    ["Poll `firing_state` until it is `done`.", "Keep polling the firing until it has finished."],
)
def test_another_loop_that_names_its_end_bears_it_out(other: str) -> None:
    assert len(sure(f"{ALONE}\n## Firing\n\n{other}\n")) == 2


@pytest.mark.parametrize(
    ("heading", "borne_out"),
    [("Workflow", True), ("Step 3: fire", True), ("Colours of old", False), ("Glossary", False)],
)
def test_a_procedure_bears_it_out_and_a_page_of_knowledge_does_not(heading: str, borne_out: bool) -> None:
    text = f"# Kilns\n\n{FILLING}\n\n## {heading}\n\nStart the firing.\n\nPoll the job.\n\n{FILLING}\n"
    plain = f"# Kilns\n\n{FILLING}\n\n## {heading}\n\nThe firing is slow.\n\nThen poll the job.\n\n{FILLING}\n"
    assert bool(sure(text)) == bool(sure(plain)) == borne_out


def test_what_is_opened_to_look_something_up_needs_more_than_the_skill_itself() -> None:
    text = f"# Kilns\n\n{THINGS}\n\n## Steps\n\nThe firing is slow.\n\nThen poll the job.\n\n{THINGS}\n"
    assert sure(text)
    assert not sure(text, ASIDE)


@pytest.mark.parametrize(
    ("purpose", "borne_out"),
    [("Fires pots in a kiln", True), ("Patterns for implementing clients of the kiln's API", False)],
)
def test_a_skill_that_teaches_code_needs_more_than_one_that_does_something(purpose: str, borne_out: bool) -> None:
    text = f"# Kilns\n\n{FILLING}\n\n## Steps\n\nThe firing is slow.\n\nThen poll the job.\n\n{FILLING}\n"
    assert bool(sure(text, Setting(purpose=purpose))) == borne_out


@pytest.mark.parametrize(
    ("said", "borne_out"),
    [
        ("Ask the user which glaze to take, and have a subagent sieve it.", True),
        ("Glazes are known by their colours.", False),
        ("```python\nkiln = Kiln()\nkiln.fire()\n```\n\nThe user brings the glaze.", False),
    ],
)
def test_a_document_that_speaks_to_an_agent_orders_more_than_one_for_people_or_code(said: str, borne_out: bool) -> None:
    text = f"# Kilns\n\n{THINGS}\n\n## Workflow\n\nThe firing is slow.\n\nThen poll the job.\n\n{said}\n"
    assert bool(sure(text)) == borne_out


@pytest.mark.parametrize(
    ("skill", "borne_out"),
    [
        ("Ask the user. Tell the user. Warn the user.\n\n```bash\ncurl https://kilns.example/v1/firings\n```", True),
        ("```python\nkiln = Kiln()\nkiln.fire()\n```", False),
    ],
)
def test_a_skill_says_of_its_references_whether_they_are_worked_by(skill: str, borne_out: bool) -> None:
    files = {
        "kilns/SKILL.md": f"---\nname: kilns\ndescription: Fires pots in a kiln\n---\n\n# Kilns\n\n{skill}\n",
        "kilns/references/firing.md": (
            f"# Firing\n\n{FILLING}\n\n## Steps\n\nThe firing is slow.\n\nThen poll the job.\n"
        ),
    }
    surfaces = {"kilns/SKILL.md": "skill", "kilns/references/firing.md": "skill-ref"}
    facts = {path: facts_of(Source(path, text), "markdown", surfaces[path]) for path, text in files.items()}
    sources = {path: Source(path, text) for path, text in files.items()}
    project = link(facts, read_source=sources.__getitem__)
    (text,) = (text for text in project.texts if text.path.endswith("firing.md"))
    (loop,) = (one.intent for one in project.mentions_in(text) if one.intent.kind == "poll")
    assert (loop.confidence != "low") == borne_out


@pytest.mark.parametrize(("polled", "borne_out"), [("`firing_state`", True), ("the job", False)])
def test_among_code_a_tool_that_is_named_is_called_and_a_job_is_polled_by_the_code(
    polled: str, borne_out: bool
) -> None:
    code = "```python\n" + "\n".join(f"kiln.set({number})" for number in range(30)) + "\n```"
    text = f"# Kilns\n\n{FILLING}\n\n{code}\n\n## Running\n\nStart the firing.\n\nPoll {polled}.\n"
    assert bool(sure(text)) == borne_out


def test_a_short_heading_is_an_order_beside_a_loop_that_names_its_end() -> None:
    label = f"# Kilns\n\n{FILLING}\n\n## Poll results\n\nThe kiln answers with a list.\n\n{FILLING}\n"
    assert not sure(label)
    assert len(sure(f"{label}\n## Steps\n\n1. Poll `firing_state` until it is `done`.\n")) == 2


def test_a_tag_heads_what_it_encloses() -> None:
    inside = "- **Firings**: light the kiln, poll the job until it is done\n- **Glazes**: mix, weigh and sieve them"
    assert not sure(f"<capabilities>\n{inside}\n</capabilities>")
    assert sure(f"<workflow>\n{inside}\n</workflow>")
    assert sure(f"<capabilities>\nGlazing\n</capabilities>\n\n{inside}")


def test_a_tool_in_view_needs_no_other_witness() -> None:
    server = """
        from mcp.server.fastmcp import FastMCP

        mcp = FastMCP("kilns")

        @mcp.tool()
        def kiln_state(number: str) -> str:
            \"\"\"The state of a firing.\"\"\"
            return STATES[number]
    """
    guide = ALONE.replace("so poll the job", "pots crack, lids stick, cups warp, so poll `{name}`").replace(
        FILLING, THINGS
    )
    for name, borne_out in (("kiln_state", True), ("oven_state", False)):
        project = linked({"kilns.py": server, "kilns.md": guide.replace("{name}", name)})
        (text,) = (text for text in project.texts if text.path == "kilns.md")
        (loop,) = (one.intent for one in project.mentions_in(text) if one.intent.kind == "poll")
        assert (loop.confidence != "low") == borne_out


def test_a_title_that_only_mentions_best_practices_is_no_document_on_code() -> None:
    work, design = "# Moor a ship with best practices\n\nMoor it.\n", "# Best practices of mooring\n\nMoor it.\n"
    assert (share_of_code(work, split(work)), share_of_code(design, split(design))) == (0.0, 1.0)


def test_references_that_show_commands_speak_sooner_to_who_runs_them() -> None:
    words = "# Berths\n\n{}\n\nPoll the berth for the result.\n" + "".join(f"\nOf ships, {n}.\n" for n in range(9))
    shell = words.format("```bash\nharbour berth show 7\n```")
    program = words.format("```python\nharbour.berth(7)\n```")
    told = [read(text, "document", Setting(aside=True))[0].backing for text in (shell, program)]
    at_work = [read(text, "document", Setting())[0].backing for text in (shell, program)]
    assert told[0] - at_work[0] == told[1] - at_work[1] + 3


@pytest.mark.parametrize(
    ("shown", "borne_out"),
    [
        ("POST https://kiln.test/oauth/token?grant_type=device_code", False),
        ('if (answer.error === "authorization_pending") continue;', False),
        ("kilnctl token show", True),
    ],
)
def test_the_protocol_by_which_an_app_signs_users_in_is_the_apps_own_loop(shown: str, borne_out: bool) -> None:
    order = "Poll at the interval (5 seconds) until the user has signed in."
    text = (
        f"# Kilns\n\n{FILLING}\n\n## Step 3: sign in\n\nShow the code.\n\n{order}\n\n```\n{shown}\n```\n\n{FILLING}\n"
    )
    assert bool(sure(text)) == borne_out


@pytest.mark.parametrize(
    ("path", "surface", "shown"),
    [
        ("docs/specs/kilns.md", "linked", False),
        ("docs/guides/kilns.md", "linked", True),
        ("specs/SKILL.md", "skill", True),
        ("feature-management/kilns/PROMPT.md", "prompt-files", False),
        ("specs.md", "linked", True),
    ],
)
def test_what_is_kept_among_specifications_says_what_is_to_be_built(path: str, surface: str, shown: bool) -> None:
    facts = facts_of(Source(path, "Poll the kiln until it is `hot`.\n"), "markdown", surface)
    (loop,) = (one for text in facts.texts for one in text.intents if one.kind == "poll")
    assert (loop.confidence != "low") == shown


def test_the_tools_that_an_agent_has_of_itself_are_no_methods_of_code() -> None:
    order = "# Kilns\n\n{}\n\n## Running\n\nThen poll `{}` until it is done.\n\n{}\n"
    own, other = (
        read(order.format(FILLING, name, FILLING), "document")[0].backing for name in ("TaskOutput", "KilnOutput")
    )
    assert own > other


@pytest.mark.parametrize(
    ("more", "less"),
    [
        ("So poll the job: `kilnctl show 7`.", "So poll the job."),
        ("Poll the job every few minutes.", "Poll the job."),
        ("Then poll the job.", "Glazes dry slowly, so poll the job."),
    ],
)
def test_commands_and_paces_bear_an_order_out_and_so_does_its_place(more: str, less: str) -> None:
    text = f"# Kilns\n\n{FILLING}\n\n## Firing\n\nThe firing is slow.\n\n{{}}\n\n{FILLING}\n"
    backed, other = (read(text.format(order), "document") for order in (more, less))
    (one,), (two,) = ([loop for loop in found if loop.kind in LOOPS] for found in (backed, other))
    assert one.backing > two.backing


def test_code_that_waits_below_is_rather_what_looks_again() -> None:
    text = f"# Kilns\n\n{FILLING}\n\n## Firing\n\nThen poll the job.\n\n{{}}It glows.\n\n```bash\n{{}}\n```\n"
    waits = "while kilnctl lit; do\n  sleep 5\ndone"
    section, below, none = (
        read(text.format(between, code), "document")[0].backing
        for between, code in (("", waits), ("## As code\n\n", waits), ("## As code\n\n", "kilnctl lit"))
    )
    assert section < below < none


@pytest.mark.parametrize(
    ("purpose", "informs"),
    [
        ("Fires the pots and waits for them", False),
        ("Reference of the kiln's commands", True),
        ("Kiln API リファレンス。窯の状態", True),
        ("Справочник по печи", True),
        ("Referencia de la API del horno", True),
        ("Brennt die Töpfe und wartet", False),
        ("窯を焚く手順", False),
    ],
)
def test_a_skill_that_informs_says_so_in_any_of_the_languages(purpose: str, informs: bool) -> None:
    assert Setting(purpose=purpose).informs is informs
