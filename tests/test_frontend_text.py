"""Plain text: the whole of a prompt, and what programs for prompts and scripts hold of it."""

from __future__ import annotations

import pytest

from waitlint import frontends
from waitlint.facts import FileFacts, Span
from waitlint.fix import RewriteText
from waitlint.source import Source


def read(text: str, surface: str = "prompt-files", path: str = "prompts/a.txt") -> FileFacts:
    return frontends.read(Source(path, text), "text", surface)


def test_a_prompt_is_read_whole_without_marks() -> None:
    text = "<rules>\n<!-- expect: loop/keep-calling -->\nPoll it {# waitlint: ignore #} now.\n</rules>\n"
    facts = read(text)
    (body,) = facts.texts
    assert body.role == "prompt"
    assert len(body.value) == len(text)
    assert body.value.split() == ["<rules>", "Poll", "it", "now.", "</rules>"]
    assert [comment.text for comment in facts.comments] == ["expect: loop/keep-calling", "waitlint: ignore"]


def test_marks_inside_marks_count_once() -> None:
    (body,) = read("a <!-- waitlint: {# waitlint: b #} --> c").texts
    assert body.value == "a" + " " * 38 + "c"


@pytest.mark.parametrize(
    ("path", "new", "after"),
    [
        ("a.sh", "Call it once.", 'echo "Call it once."\n'),
        ("a.sh", 'Call "it" once.', None),
        ("a.sh", "Call $it once.", None),
        ("a.txt", 'Call "it" once.', 'echo "Call "it" once."\n'),
    ],
)
def test_scripts_are_rewritten_only_where_no_escape_is_needed(path: str, new: str, after: str | None) -> None:
    text = 'echo "Poll it."\n'
    edits = frontends.edits(Source(path, text), "text", RewriteText(path, Span(6, 14), new))
    if after is None:
        assert edits is None
    else:
        assert edits is not None
        (edit,) = edits
        assert text[: edit.start] + edit.text + text[edit.end :] == after


def test_scripts_print_in_several_languages() -> None:
    text = (
        'if x; then echo "one $job ${x:-y}"; fi # echo "no"\n'
        'printf \'%s two\\n\' "$x"\nWrite-Host "three"\nputs \'four\'\nlog="no"\necho_thing "no"\n'
        "cat <<'END' > out\nfive\nEND\ncat <<-EOF\n\tsix $(date)\n\tEOF\n"
    )
    facts = read(text, "skill-script", "skills/a/scripts/a.sh")
    words = [one.value.strip() for one in facts.texts]
    assert words == ["one \ufffc \ufffc", "%s two\\n", "\ufffc", "three", "four", "six \ufffc"]
    assert {one.role for one in facts.texts} == {"tool-result"}
    for one in facts.texts:
        start = one.places[0][1]
        assert one.value[0] == "\ufffc" or text[start] == one.value[0]


def test_baml_keeps_escapes_blocks_and_names_apart() -> None:
    text = (
        'client<llm> C { options { system "no" } }\nenum E { A @description("say \\"a\\"") @alias("no") }\n'
        'function F(x: string) -> E { client C prompt ##"hash "# inside {{ x }}"## }\n'
        '// waitlint: ignore\ngenerator g { output_dir "no" }\n'
    )
    facts = read(text, "baml", "baml_src/a.baml")
    assert [(one.key, one.value) for one in facts.texts] == [
        ("E.description", 'say "a"'),
        ("F.prompt", 'hash "# inside \ufffc'),
    ]
    assert [comment.text for comment in facts.comments] == ["waitlint: ignore"]


def test_what_a_filter_prints_into_a_pipe_is_no_text_that_a_script_prints() -> None:
    text = "ps | awk '{print $2}' | head -1 || echo \"?\"\n}\nwait_for() { echo 'still cold'; }\nsleep 2; x=\"y\"\n"
    assert [one.value for one in read(text, "skill-script", "skills/a/scripts/a.sh").texts] == ["?", "still cold"]
