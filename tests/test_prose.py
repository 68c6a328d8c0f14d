"""What an intent says of a sentence: its place, its names, its numbers, its words for a message."""

from __future__ import annotations

import pytest

from waitlint.facts import Intent
from waitlint.prose import KINDS, Setting, has_cue, near_name, read, same_name


def one(text: str, kind: str, role: str = "prompt") -> Intent:
    found = [intent for intent in read(text, role) if intent.kind == kind]
    assert len(found) == 1, [(i.kind, i.confidence) for i in read(text, role)]
    return found[0]


def excerpt(text: str, intent: Intent) -> str:
    return text[intent.span.start : intent.span.end]


# ---------------------------------------------------------------- places


def test_the_place_is_the_clause_without_bullet_and_conjunction() -> None:
    text = "- Start it.\n- Then **poll** `get_job` until it is done.\n"
    assert excerpt(text, one(text, "poll")) == "**poll** `get_job` until it is done"


def test_the_condition_belongs_to_the_place() -> None:
    text = 'Save the file. If the status is "in_progress", keep calling check-build-status until it resolves.'
    assert excerpt(text, one(text, "poll")).startswith('If the status is "in_progress", keep calling')


def test_the_end_of_a_place_includes_a_closing_backtick() -> None:
    text = "Poll until the state is `done`."
    assert excerpt(text, one(text, "poll")) == "Poll until the state is `done`"


def test_places_hold_over_wrapped_lines_and_links() -> None:
    text = "The export is slow, so\npoll [the status](https://example.com/a(b)) of\n`get_export` every 10 s.\n"
    assert excerpt(text, one(text, "poll")) == (
        "poll [the status](https://example.com/a(b)) of\n`get_export` every 10 s"
    )


def test_places_count_code_points() -> None:
    text = "🚀 Überprüfung: poll `get_job` every 5 s. 🚀"
    assert excerpt(text, one(text, "poll")) == "poll `get_job` every 5 s"


def test_holes_stand_for_what_is_put_in() -> None:
    text = "Job \ufffc is queued. Poll \ufffc every \ufffc seconds until it is done."
    intent = one(text, "poll", "tool-result")
    assert excerpt(text, intent) == "Poll \ufffc every \ufffc seconds until it is done"
    assert intent.seconds is None


def test_intents_come_in_order_of_place() -> None:
    text = "Poll `a_job` until done. Never poll `b_job`. Wait 5 seconds before calling `c_job`."
    starts = [intent.span.start for intent in read(text, "prompt")]
    assert starts == sorted(starts)


# ---------------------------------------------------------------- names


def names(text: str, kind: str = "poll", role: str = "prompt") -> list[tuple[str, bool]]:
    return [(mention.name, mention.quoted) for mention in one(text, kind, role).mentions]


def test_names_in_backticks_and_identifiers_are_mentions() -> None:
    assert names("Poll `get-job` until done.") == [("get-job", True)]
    assert names("Poll get_job until done.") == [("get_job", True)]
    assert names("Keep calling checkJobState until it is done.") == [("checkJobState", True)]


def test_a_call_is_named_without_its_arguments() -> None:
    text = "Poll `get_job(job_id)` until done."
    (mention,) = one(text, "poll").mentions
    assert mention.name == "get_job"
    assert text[mention.span.start : mention.span.end] == "get_job"


def test_plain_words_behind_a_verb_of_calling_are_a_mention() -> None:
    assert ("check build status", False) in names("Keep calling check build status until it resolves.")


def test_states_and_parameters_are_no_mentions() -> None:
    assert names("Poll `get_job` with `job_id` until `status` is `COMPLETED`.") == [("get_job", True)]


@pytest.mark.parametrize("argument", ["job_id", "jobId", "jobIds", "pauseMs", "statusUrl"])
def test_an_argument_in_backticks_is_no_mention_however_it_is_written(argument: str) -> None:
    assert names(f"Poll with the `{argument}` every 5 s until it is done.") == []


@pytest.mark.parametrize("tool", ["getUploadUrl", "createUploadUrl", "refreshToken", "refresh_token"])
def test_what_is_called_is_a_mention_though_it_ends_as_an_argument_does(tool: str) -> None:
    assert names(f"Keep calling `{tool}` until it is ready.") == [(tool, True)]


def test_a_pronoun_means_the_tool_named_last() -> None:
    text = "Start with `start_job`, then use `get_job`. Keep calling it until the status is done."
    (mention,) = one(text, "poll").mentions
    assert mention.name == "get_job"
    assert text[mention.span.start : mention.span.end] == "get_job"


@pytest.mark.parametrize(
    ("written", "tool"),
    [
        ("check build status", "check-build-status"),
        ("checkBuildStatus", "check-build-status"),
        ("`check-build-status`", "check_build_status"),
        ("check_build_status()", "check-build-status"),
        ("check_build_status(build_id)", "checkBuildStatus"),
        ("Check Build Status", "check_build_status"),
        ("the check build status tool".removeprefix("the "), "check_build_status"),
        ("mcp__builds__check_build_status", "check_build_status"),
        ("builds.check_build_status", "check_build_status"),
        ("HTTPStatus", "http_status"),
    ],
)
def test_same_name(written: str, tool: str) -> None:
    assert same_name(written, tool)


@pytest.mark.parametrize(
    ("written", "tool"),
    [
        ("check_build", "check_build_status"),
        ("check_build_state", "check_build_status"),
        ("status", "check_build_status"),
        ("", "check_build_status"),
        ("restart_build", "start_build"),
    ],
)
def test_other_name(written: str, tool: str) -> None:
    assert not same_name(written, tool)


def test_near_name_finds_the_one_that_is_meant() -> None:
    tools = ["check_build_status", "list_builds", "deploy_site"]
    assert near_name("check_build_statsu", tools) == "check_build_status"
    assert near_name("checkBuildStatus", tools) == "check_build_status"
    assert near_name("archive_invoice", tools) is None
    assert near_name("get_job_a", ["get_job_b", "get_job_c"]) is None


# ---------------------------------------------------------------- numbers, states, until


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("Poll `get_job` every 10 seconds.", 10),
        ("Poll `get_job` every 30-60s.", 60),
        ("Poll `get_job` every ~3 min.", 180),
        ("Poll `get_job` every minute.", 60),
        ("Poll `get_job` every 500 ms.", 0.5),
        ("Poll `get_job` every other minute.", 120),
        ("Poll `get_job` every few seconds.", None),
        ("Poll `get_job` every half a minute.", 30),
        ("Poll `get_job` at 2s → 5s → 10s intervals.", 10),
        ("Poll `get_job` until it is done.", None),
        ("Call `get_job` again in 5 seconds.", 5),
        ("Wait two minutes, then call `get_job` again.", 120),
    ],
)
def test_interval_of_a_poll(text: str, seconds: float | None) -> None:
    assert one(text, "poll").seconds == seconds


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("Waits up to 90s for the build to finish.", 90),
        ("Polls every 5 seconds for up to 2 minutes until the build is done.", 120),
        ("Blocks for at most one minute.", 60),
        ("Waits until the build is done.", None),
        ("Long-polls for up to 25 s.", 25),
        ("Waits up to \ufffc seconds.", None),
    ],
)
def test_cap_of_a_stated_wait(text: str, seconds: float | None) -> None:
    assert one(text, "waits", "tool-description").seconds == seconds


def test_seconds_of_long_jobs_and_sleeps() -> None:
    assert one("The render takes 5 to 10 minutes.", "long-job", "tool-description").seconds == 600
    assert one("Run `sleep 45` before the next call.", "model-sleeps").seconds == 45


def test_states_and_until() -> None:
    intent = one('Poll `get_job` until its status is "succeeded" or FAILED.', "poll")
    assert intent.states == ("succeeded", "FAILED")
    assert intent.until.startswith("its status is")
    intent = one('If the status is "in_progress", call `get_job` again.', "poll")
    assert intent.states == ("in_progress",)
    intent = one("Waits until `state` is `READY`.", "waits", "tool-description")
    assert intent.states == ("READY",)


# ---------------------------------------------------------------- confidence and reasons


@pytest.mark.parametrize(
    ("text", "confidence"),
    [
        ("Poll `get_job` every 10 s.", "high"),
        ("Poll the job status until it is done.", "high"),
        ("Keep calling `get_job` until it is done.", "high"),
        ("Poll.", "medium"),
        ("Poll `get_job`.", "medium"),
        ("Keep polling.", "medium"),
        ("Don't poll `get_job` more often than every minute.", "low"),
    ],
)
def test_confidence_is_earned(text: str, confidence: str) -> None:
    assert one(text, "poll").confidence == confidence


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (
            "Poll `get_job` every 30 s until its status changes.",
            "asks for another `get_job` call every 30 s until its status changes",
        ),
        ("Call `get_job` again in 5 seconds.", "asks for another `get_job` call after 5 s"),
        ("Keep checking the export status until it is ready.", "asks for another look at the status until it is ready"),
        ("If it is still running, call `get_job` again.", "asks for another `get_job` call while it is still running"),
        ("Sleep 30 seconds before calling `get_job`.", "tells the model to sleep 30 s between two steps"),
    ],
)
def test_reasons_name_what_made_the_finding(text: str, reason: str) -> None:
    assert reason in [intent.reason for intent in read(text, "prompt")]


# ---------------------------------------------------------------- the contract


def test_every_kind_has_a_meaning() -> None:
    assert len(KINDS) == 17
    assert all(meaning and "\n" not in meaning for meaning in KINDS.values())


def test_a_text_without_a_cue_is_not_read() -> None:
    assert not has_cue("Answer in three sentences. Be kind.")
    assert read("Answer in three sentences. Be kind.", "prompt") == ()
    assert has_cue("POLL IT")


@pytest.mark.parametrize(
    "text", ["", " ", "\n\n", "`", "**", "|", "|\n|-|\n", "```", "\ufffc", "1.", "-", "(((", "every", "until"]
)
def test_scraps_are_read_without_complaint(text: str) -> None:
    for role in ("document", "prompt", "tool-description", "tool-result", "front-matter"):
        assert read(text, role) == ()


def test_spans_lie_in_the_text_and_kinds_are_known() -> None:
    text = (
        "# Jobs\n\nStart with `start_job`; it returns a job ID immediately.\n\n| State | Do |\n|---|---|\n"
        "| `queued` | Wait 5 s and call `get_job` again |\n\nAt least 3 searches. Stop when you have enough.\n"
    )
    for role in ("document", "prompt", "tool-description", "tool-result", "parameter-description"):
        for intent in read(text, role):
            assert intent.kind in KINDS
            assert intent.confidence in ("high", "medium", "low")
            assert 0 <= intent.span.start < intent.span.end <= len(text)
            assert intent.reason
            for mention in intent.mentions:
                assert 0 <= mention.span.start < mention.span.end <= len(text)


def test_a_bounded_wait_makes_calling_again_good_wording() -> None:
    good = (
        "It waits for the build to finish, so call it once rather than polling. "
        'Call it again only if it returns "in_progress".'
    )
    kinds = {intent.kind for intent in read(good, "prompt")}
    assert "call-again-if-unfinished" in kinds
    assert "call-once" in kinds
    assert "poll" not in kinds
    bad = 'It reads the build once. If it returns "in_progress", call it again.'
    assert "poll" in {intent.kind for intent in read(bad, "prompt")}


def test_a_range_is_no_end() -> None:
    assert not [
        one for one in read("Query the logs from `opened_at` until `closed_at`.", "prompt") if one.kind == "poll"
    ]
    assert [one for one in read("Poll the kiln from the office until it is cold.", "prompt") if one.kind == "poll"]


def test_a_process_that_does_not_block_says_nothing_of_the_tool() -> None:
    text = "Writes to a running non-blocking process and returns its answer."
    assert not [one for one in read(text, "tool-description") if one.kind == "starts"]
    assert [one for one in read("A non-blocking call that fires the kiln.", "tool-description") if one.kind == "starts"]


def test_another_case_in_a_list_names_no_tool_of_the_case_before() -> None:
    text = "The kiln is idle:\n- For a new firing: call `light_kiln`.\n- For a long firing: check again later.\n"
    assert all(one.mentions == () for one in read(text, "tool-result") if one.kind == "poll")


def test_progress_that_is_measured_against_a_plan_is_the_reader_s_own() -> None:
    assert not read("Read the brief again so that you can keep tracking progress against it.", "prompt")
    assert one("Keep tracking the progress of the job.", "poll").kind == "poll"


@pytest.mark.parametrize(
    ("mark", "setting", "polls"),
    [
        ("<CodeGroup>\n\n</CodeGroup>", Setting(aside=True), False),
        ("<CodeGroup>\n\n</CodeGroup>", Setting(), True),
        ('<a href="https://kiln.example" class="link">the kiln</a>', Setting(), False),
        ('<a href="https://kiln.example">the kiln</a>', Setting(aside=True), True),
    ],
)
def test_a_page_of_a_documentation_site_orders_nothing(mark: str, setting: Setting, polls: bool) -> None:
    text = f"# Firing\n\nStart the firing, then poll `get_firing` every 10 s until it is done.\n\n{mark}\n"
    assert any(intent.kind == "poll" for intent in read(text, "document", setting)) == polls
