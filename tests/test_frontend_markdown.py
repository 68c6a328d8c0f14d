"""Markdown and plain text: front matter of each kind, comments, imports, links, templates."""

from __future__ import annotations

import time

import pytest

from waitlint import frontends
from waitlint.facts import FileFacts, Span, Text
from waitlint.fix import RewriteText
from waitlint.linked import ToolText
from waitlint.source import Source


def read(text: str, surface: str = "skill", path: str = "x/SKILL.md", language: str = "markdown") -> FileFacts:
    return frontends.read(Source(path, text), language, surface)


def by_key(facts: FileFacts) -> dict[str, str]:
    return {text.key: text.value for text in facts.texts}


def check_places(source: str, text: Text) -> None:
    for (at, place), (following, _) in zip(text.places, text.places[1:], strict=False):
        for offset in range(at, following):
            char = text.value[offset]
            if char not in " \n\ufffc" and source[place + offset - at] != "\\":
                assert source[place + offset - at] == char


def test_a_skill_is_its_description_and_its_body() -> None:
    text = (
        "---\nname: jobs\ndescription: >-\n  Watch a job.\n  Poll it.\nlicense: MIT\n---\n\n# Jobs\r\n\nPoll get_job.\n"
    )
    facts = read(text)
    assert by_key(facts) == {
        "name": "jobs",
        "description": "Watch a job. Poll it.",
        "": "\n# Jobs\r\n\nPoll get_job.\n",
    }
    assert [one.role for one in facts.texts] == ["front-matter", "front-matter", "document"]
    for one in facts.texts:
        check_places(text, one)
    body = facts.texts[-1]
    assert body.places == ((0, text.index("\n# Jobs")), (len(body.value), len(text)))


def test_front_matter_of_cursor_rules_is_no_yaml() -> None:
    text = "---\ndescription: Jobs: poll them\nglobs: **/*.ts,*.tsx\nalwaysApply: false\n---\nBody.\n"
    facts = read(text, "cursor-mdc", "a.mdc")
    assert by_key(facts) == {"description": "Jobs: poll them", "": "Body.\n"}
    assert facts.problems == ()
    check_places(text, facts.texts[0])
    assert read(text).problems[0].startswith("line 2: not valid YAML")


@pytest.mark.parametrize(
    ("lines", "value"),
    [
        ("description: a: b\n", "a: b"),
        ("description: 'it''s: x' \nx: y: z\n", "it's: x"),
        ('description: "a \\"b\\": c"\nx: y: z\n', 'a "b": c'),
        ("description: a\n  b: c\n   d\nx: y: z\n", "a b: c d"),
        ("description: |\n  a: b\n  c\nx: y: z\n", "a: b c"),
        ("x: y: z\ndescription:   a  \n", "a"),
    ],
)
def test_front_matter_that_is_no_yaml_is_read_line_by_line(lines: str, value: str) -> None:
    text = f"---\n{lines}---\nBody.\n"
    facts = read(text)
    assert by_key(facts)["description"] == value
    assert len(facts.problems) == 1
    check_places(text, facts.texts[0])


@pytest.mark.parametrize(
    "text",
    [
        "---\n\n# Title\n\nPoll it.\n\n---\nMore.\n",
        "---\nPoll it.\n",
        "# T\n---\nPoll it.\n---\n",
        " ---\na: b\n---\nx\n",
    ],
)
def test_rules_across_the_page_are_no_front_matter(text: str) -> None:
    facts = read(text)
    assert by_key(facts) == {"": text}
    assert facts.problems == ()


def test_licence_lines_may_stand_before_the_front_matter_of_a_dotprompt() -> None:
    header = "# Copyright\n# More\n\n---\ninput:\n  schema:\n    job: string, the job to poll\n---\n"
    text = header + '{{role "system"}}\nWatch {{job}}.\n'
    facts = read(text, "dotprompt", "a.prompt")
    assert by_key(facts) == {"input.schema.job": "string, the job to poll", "": "\nWatch \ufffc.\n"}
    for one in facts.texts:
        check_places(text, one)


def test_comments_for_waitlint_are_no_text_and_other_comments_are() -> None:
    text = (
        "---\n# waitlint: ignore[a]\nname: x\n---\nPoll it. <!-- expect: loop/keep-calling -->\n"
        "<!-- waitlint: ignore[b]\n why -->\n<!-- poll again -->\n`<!-- waitlint: no -->`\n"
        "```text\n<!-- waitlint: no -->\nPoll. <!-- expect: c -->\n```\n"
    )
    facts = read(text)
    assert [comment.text for comment in facts.comments] == [
        "waitlint: ignore[a]", "expect: loop/keep-calling", "waitlint: ignore[b]\n why", "expect: c",
    ]  # fmt: skip
    body = facts.texts[-1]
    assert len(body.value) == len(text) - text.index("Poll it.")
    assert "expect" not in body.value
    assert "ignore[b]" not in body.value
    assert "<!-- poll again -->" in body.value
    assert body.value.count("<!-- waitlint: no -->") == 2
    assert body.value.count("\n") == text[text.index("Poll it.") :].count("\n")
    check_places(text, body)


def test_comments_on_lines_of_their_own_are_dropped_from_a_file_that_is_loaded_without_them() -> None:
    text = "Poll it. <!-- inline -->\n<!-- block\n poll -->\n```\n<!-- fenced -->\n```\n"
    (body,) = read(text, "claude-md", "CLAUDE.md").texts
    assert "block" not in body.value
    assert "<!-- inline -->" in body.value
    assert "<!-- fenced -->" in body.value


def test_imports_are_followed_outside_of_code() -> None:
    text = (
        "See @README.md and @docs/guide.md. Mail me@x.org.\n- @~/.claude/own.md\n`@no/code.md`\n"
        "```\n@no/fence.md\n```\n(@./local.txt)\n@Makefile @param\n"
    )
    assert read(text, "claude-md", "CLAUDE.md").links == (
        "@README.md",
        "@docs/guide.md",
        "@~/.claude/own.md",
        "@./local.txt",
    )
    assert read(text, "copilot-instr").links == ()


def test_links_of_a_skill_are_relative_files() -> None:
    text = (
        '[a](references/a.md) [b](../shared/b.md#part "t") [c](https://x.org/c.md) [d](#d) [e](<my file.md>)\n'
        "Read `guides/f.md`, not `f.md`.\n[g]: ./g.txt\n```\n[no](no.md)\n```\n![i](mailto:x)\n"
    )
    assert set(read(text).links) == {"references/a.md", "../shared/b.md", "my file.md", "guides/f.md", "./g.txt"}


@pytest.mark.parametrize(
    ("written", "path"),
    [
        ("Read references/kilns.md first.", "references/kilns.md"),
        ("Then follow `kilns.md`.", "kilns.md"),
        ("Load `${CLAUDE_PLUGIN_ROOT}/shared/kilns.md`.", "shared/kilns.md"),
        ("See $SKILL_DIR/../shared/kilns.md for that.", "../shared/kilns.md"),
        ("Use `{baseDir}/kilns.md`", "kilns.md"),
        ("Rules: ~/.claude/rules/kilns.md", ".claude/rules/kilns.md"),
        ("```\nRead rules/kilns.md\n```", "rules/kilns.md"),
        ("```bash\ncat ${ROOT}/rules/kilns.md\n```", "rules/kilns.md"),
        ("Load the phases of the kiln from `kilns/<name>.md`.", "kilns/*.md"),
        ("Read every `rules/*.md` first.", "rules/*.md"),
        ("- `tools/append-log.sh`, `schemas/log.json`, `rules/kilns.md`", "rules/kilns.md"),
        ("Update `notes.md`, but only as `rules/kilns.md` says: read it.", "rules/kilns.md"),
    ],
)
def test_a_path_that_a_sentence_sends_its_reader_to_is_a_link(written: str, path: str) -> None:
    assert read(f"# Kilns\n\n{written}\n").links == (path,)


def test_what_is_linked_or_only_named_counts_by_what_the_document_is() -> None:
    text = "[Kilns](kilns.md)\n\n- `rules/heat.md` is about heat\n- Read `rules/glaze.md`, then see [pots](pots.md).\n"
    named = ("kilns.md", "pots.md", "rules/heat.md", "rules/glaze.md")
    assert read(text).links == named
    assert read(text, "agents-md").links == ("kilns.md", "pots.md", "rules/glaze.md")
    assert read(text, "linked").links == ("pots.md", "rules/glaze.md")


@pytest.mark.parametrize(
    "written",
    [
        "Write the plan to `plans/today.md`.",
        "Save what you found in notes/found.md",
        "```bash\necho done > notes/found.md\n```",
        "```\nskills/\n  kilns/SKILL.md\n```",
        "See https://kilns.example/docs/api.md for more.",
        "Each plan is at `plans/{date}-<topic>.md`.",
        "Read the last `plans/{date}-<topic>.md`.",
        "The file kilns.md is old.",
        "It is at /etc/kilns/rules.md.",
        "Mail me@kilns.md.",
    ],
)
def test_a_path_that_is_written_listed_or_elsewhere_is_no_link(written: str) -> None:
    assert read(f"# Kilns\n\n{written}\n").links == ()


def test_templates_have_holes_and_no_comments() -> None:
    text = "{# waitlint: ignore #}{# poll #}Watch {{ job }}.\n{% if x %}Poll {{ tool|upper }}.{% endif %}\n"
    facts = read(text, "jinja", "prompts/a.j2", "text")
    (body,) = facts.texts
    assert body.value == "                      Watch \ufffc.\nPoll \ufffc.\n"
    assert [comment.text for comment in facts.comments] == ["waitlint: ignore"]
    check_places(text, body)


def test_handlebars_blocks_are_silent_and_values_are_holes() -> None:
    text = "{{! poll }}{{#each jobs}}Job {{name}} {{{raw}}}{{/each}}{{!-- }} poll --}} {{> tail}}"
    (body,) = read(text, "handlebars", "prompts/a.hbs", "text").texts
    assert body.value == "Job \ufffc \ufffc \ufffc"


def test_the_text_of_poml_is_read_and_attributes_and_comments_are_not() -> None:
    text = '<poml><!-- poll --><task caption="poll">Watch <b>it</b>.</task><hint src="poll.md"/>{{ x }}</poml>'
    (body,) = read(text, "poml", "a.poml", "text").texts
    assert body.value == "\n\nWatch it.\n\n\ufffc\n"
    check_places(text, body)


@pytest.mark.parametrize(
    "text",
    [
        "{{" * 200_000,
        "<!--" * 200_000,
        "[a](" * 200_000,
        "`" * 300_000,
        "@a " * 200_000,
        "```\n" * 100_000,
        "{#" * 200_000,
    ],
)
@pytest.mark.parametrize(
    ("surface", "language"), [("prompty", "markdown"), ("jinja", "text"), ("skill", "markdown"), ("poml", "text")]
)
def test_hostile_text_costs_bounded_time(text: str, surface: str, language: str) -> None:
    started = time.process_time()
    read(text, surface, "a.md", language)
    assert time.process_time() - started < 4


def test_nothing_to_read_is_no_text() -> None:
    assert read("").texts == ()
    assert read("\n \n").texts == ()
    assert read("", "jinja", "a.j2", "text").texts == ()


def test_a_rewritten_sentence_keeps_its_placeholders() -> None:
    text = "Say it. Poll {{ tool }} for {{job}} until done. Stop.\n"
    (body,) = read(text, "jinja", "prompts/a.j2", "text").texts
    sentence = "Poll \ufffc for \ufffc until done."
    start = body.value.index(sentence)
    span = ToolText("prompts/a.j2", "jinja", body).place(start, start + len(sentence)).span
    new = "Call \ufffc once: it waits for \ufffc."
    assert rewritten(text, span, new) == "Say it. Call {{ tool }} once: it waits for {{job}}. Stop.\n"
    span = ToolText("prompts/a.j2", "jinja", body).place(start, start + len("Poll \ufffc for \ufffc")).span
    assert rewritten(text, span, "Await \ufffc, \ufffc") == "Say it. Await {{ tool }}, {{job}} until done. Stop.\n"
    assert rewritten(text, span, "Await \ufffc") is None


def rewritten(text: str, span: Span, new: str) -> str | None:
    edits = frontends.edits(Source("prompts/a.j2", text), "text", RewriteText("prompts/a.j2", span, new))
    if edits is None:
        return None
    (edit,) = edits
    return text[: edit.start] + edit.text + text[edit.end :]
