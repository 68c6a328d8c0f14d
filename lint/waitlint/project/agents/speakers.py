"""Calls that wait for what someone says: a person, or a client that is served."""

from __future__ import annotations

import re

PERSON = re.compile(
    r"input|raw_input|question|read_?line|nextLine|chat_input|ask_?[uU]ser\w*|get_?(?:[uU]ser|[pP]layer)_?\w*|user_?[iI]nput|"
    r"wait_?[fF]or_?[uU]ser\w*|(?:get_|ask_)?human\w*|interrupt|prompt_user\w*|promptUser\w*|read_user\w*|"
    r"input_with\w*|confirm(?:_with\w*|_action|_user)?|prompt_(?:yes_no|\w*approval)|prompt\w*Approval"
)
PROMPTS = re.compile(
    r"(?:click|typer|questionary|inquirer|@inquirer|rich|prompts|enquirer|@clack|prompt_toolkit|InquirerPy|readline|"
    r"streamlit|chainlit|gradio)\b.*\.(?:prompt|confirm|ask|select|text|input|question|default|checkbox|unsafe_ask|send|"
    r"chat_input|AskUserMessage)"
)
SERVES = re.compile(
    r"recv(?:_\w+)?|receive(?:_\w+)?|receive[A-Z]\w*|accept|get_?[uU]pdates|brpop|blpop|xread\w*|xReadGroup|consume|"
    r"dequeue|next_(?:task|job|message)|get_(?:next_)?(?:task|job|message)s?|listen|serve_forever|wait_condition"
)
QUEUES = re.compile(r".*[Qq]ueue\.get(?:_nowait|Nowait)?")


def is_person(name: str) -> bool:
    """Whether what has a qualified name waits for someone's answer."""
    return bool(PERSON.fullmatch(name.rpartition(".")[2]) or PROMPTS.fullmatch(name))


def is_client(name: str) -> bool:
    """Whether what has a qualified name waits for what a client, a queue or a socket brings."""
    return bool(SERVES.fullmatch(name.rpartition(".")[2]) or QUEUES.fullmatch(name))
