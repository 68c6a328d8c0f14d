"""Where in Python code a model reads: one sentence in each such place is found exactly there, and nowhere else."""

from __future__ import annotations

from textwrap import dedent

import pytest

from linking import linked

SAID = "Keep calling get_job until it resolves."
LONG = (
    "You are an assistant of a depot. Use the tools that you are given, and answer in one sentence. "
    "Never make a number up. If the user asks for prices, say that you do not know them. "
)


def places(code: str, path: str = "app/agent.py", **more: str) -> list[tuple[str, str, int]]:
    """Where the sentence is read: role, path and offset, each once."""
    files = {path: dedent(code), **{name.replace("__", "/") + ".py": text for name, text in more.items()}}
    found: list[tuple[str, str, int]] = []
    for text in linked(files).texts:
        start = text.text.value.find(SAID)
        while start >= 0:
            place = text.place(start, start + len(SAID))
            found.append((text.text.role, place.path, place.span.start))
            start = text.text.value.find(SAID, start + 1)
    return sorted(set(found))


READ = {
    "a constant": f'SYSTEM_PROMPT = "{SAID} Do so at once, and tell the user what comes of it."',
    "a constant that is wrapped": f"""
        import textwrap
        PROMPT = textwrap.dedent('''
            You look after jobs.
            {SAID}
        ''').strip()
        """,
    "a part of a name": f'PLANNER_INSTR_V2 = "You plan. {SAID} Then tell the user what the job said."',
    "a long guide": f'JOBS_GUIDE = "{LONG}{SAID}"',
    "a long description": f'WATCH_DESCRIPTION = """{LONG}\n{SAID}\n"""',
    "the name of a field": f"""
        class Watcher:
            instructions = "{SAID} Then tell the user what the job said to you."
        """,
    "a table of prompts": f'PROMPTS = {{"watch": "You watch. {SAID} Then tell the user what it said."}}',
    "a local prompt": f"""
        def run(model, job):
            prompt = f"You watch {{job}}. {SAID} Then tell the user what it said."
            return model.complete(prompt)
        """,
    "a concatenation": f'PROMPT = "You watch jobs of a depot, " + "and you are patient. " + "{SAID}"',
    "a join": f'PROMPT = "\\n".join(["You watch jobs of a depot, patiently.", "{SAID}"])',
    "a format": f'PROMPT = "You watch {{job}} of a depot. {SAID} Then stop.".format(job=1)',
    "a percent": f'PROMPT = "You watch %s of a depot. {SAID} Then stop." % "x"',
    "literals side by side": f"""
        PROMPT = (
            "You watch jobs of a depot, and you are patient. "
            "{SAID}"
        )
        """,
    "instructions of an agent": f"""
        from agents import Agent
        agent = Agent(name="watcher", instructions="{SAID}")
        """,
    "a handoff": f"""
        from agents import Agent
        agent = Agent(name="watcher", handoff_description="{SAID}")
        """,
    "a description of an agent": f"""
        from google.adk.agents import LlmAgent
        agent = LlmAgent(name="watcher", description="{SAID}")
        """,
    "goal and backstory": f"""
        from crewai import Agent
        agent = Agent(role="watcher", goal="{SAID}", backstory="a clerk")
        """,
    "a task": f"""
        from crewai import Task
        task = Task(description="{SAID}", expected_output="a list", agent=None)
        """,
    "the system of a request": f"""
        def ask(client):
            return client.messages.create(model="m", system="{SAID}", messages=[])
        """,
    "blocks of a system": f"""
        def ask(client):
            return client.messages.create(model="m", system=[{{"type": "text", "text": "{SAID}"}}], messages=[])
        """,
    "a system message": f"""
        def ask(client):
            return client.chat(messages=[{{"role": "system", "content": "{SAID}"}}])
        """,
    "a developer message in parts": f"""
        def ask(client):
            return client.chat([{{"role": "developer", "content": [{{"type": "input_text", "text": "{SAID}"}}]}}])
        """,
    "a message object": f"""
        from langchain_core.messages import SystemMessage
        first = SystemMessage(content="{SAID}")
        """,
    "a message by position": f"""
        from langchain_core.messages import SystemMessage
        first = SystemMessage("{SAID}")
        """,
    "a message with a role": f"""
        from llama_index.core.llms import ChatMessage, MessageRole
        first = ChatMessage(role=MessageRole.SYSTEM, content="{SAID}")
        """,
    "a factory of messages": f"""
        from haystack.dataclasses import ChatMessage
        first = ChatMessage.from_system("{SAID}")
        """,
    "a pair": f"""
        from langchain_core.prompts import ChatPromptTemplate
        chat = ChatPromptTemplate.from_messages([("system", "{SAID}"), ("human", "{{question}}")])
        """,
    "a template": f"""
        from langchain_core.prompts import PromptTemplate
        chat = PromptTemplate.from_template("{SAID}")
        """,
    "a template by name": f"""
        from langchain_core.prompts import PromptTemplate
        chat = PromptTemplate(template="{SAID}", input_variables=[])
        """,
    "a history": f"""
        def start(history):
            history.add_system_message("{SAID}")
        """,
    "a preset": f"""
        from claude_agent_sdk import ClaudeAgentOptions
        options = ClaudeAgentOptions(system_prompt={{"type": "preset", "preset": "claude_code", "append": "{SAID}"}})
        """,
    "a definition of an agent": f"""
        from claude_agent_sdk import AgentDefinition
        watcher = AgentDefinition(description="watches", prompt="{SAID} Then tell the user what the job said.")
        """,
    "a signature": f'''
        import dspy
        class Watch(dspy.Signature):
            """{SAID}"""
            job: str = dspy.InputField(desc="the job")
        ''',
    "a field of a signature": f"""
        import dspy
        class Watch(dspy.Signature):
            job: str = dspy.InputField(desc="{SAID}")
        """,
    "an offered prompt": f"""
        from mcp.server.fastmcp import FastMCP
        mcp = FastMCP("depot")
        @mcp.prompt()
        def watch(job: str) -> str:
            return f"Watch {{job}} until it is over. {SAID}"
        """,
    "messages of an offered prompt": f"""
        from mcp.server.fastmcp import FastMCP
        from mcp.server.fastmcp.prompts import base
        mcp = FastMCP("depot")
        @mcp.prompt(title="Watch")
        def watch(job: str) -> list[base.Message]:
            return [base.UserMessage("Watch my job for me, please."), base.AssistantMessage("{SAID} I will do so.")]
        """,
    "an offered resource": f"""
        from fastmcp import FastMCP
        mcp = FastMCP("depot")
        @mcp.resource("depot://rules")
        def rules() -> str:
            return "These are the rules of the depot. {SAID}"
        """,
    "the docstring of an offered prompt": f'''
        from fastmcp import FastMCP
        mcp = FastMCP("depot")
        @mcp.prompt
        def watch(job: str) -> str:
            """{SAID}"""
            return make(job)
        ''',
    "instructions by a function": f"""
        from pydantic_ai import Agent
        agent = Agent("model")
        @agent.instructions
        def rules(ctx) -> str:
            return "These are the rules of the depot. {SAID}"
        """,
    "a builder of prompts": f"""
        def build_system_prompt(name):
            head = f"You are {{name}}, and you work for a depot. "
            return head + "{SAID}"
        """,
    "a property with a prompt": f"""
        class Watcher:
            @property
            def system_prompt(self) -> str:
                return "You work for a depot, and you watch its jobs. {SAID}"
        """,
    "a schema for answers": f"""
        from pydantic import BaseModel, Field
        answer = {{"response_format": {{"schema": {{"properties": {{"job": {{"description": "{SAID}"}}}}}}}}}}
        """,
}

SERVERS = {
    "server instructions": f"""
        from mcp.server.fastmcp import FastMCP
        mcp = FastMCP("depot", instructions="{SAID}")
        """,
    "server instructions by position": f"""
        from fastmcp import FastMCP
        mcp = FastMCP("depot", "{SAID} It is quick, and it does not take a minute.")
        """,
    "low-level server instructions": f"""
        from mcp.server import Server
        server = Server("depot", version="1", instructions="{SAID}")
        """,
}

UNREAD = {
    "a comment": f"# {SAID}\nx = 1",
    "a log": f'import logging\nlogging.info("{SAID}")',
    "the docstring of a helper": f'def helper():\n    """{SAID}"""',
    "the docstring of a module": f'"""{SAID}"""',
    "a short message": f'MESSAGE = "{SAID}"',
    "an error": f'ERROR_MESSAGE = "{LONG}{SAID}"',
    "help for people": f'import argparse\nparser = argparse.ArgumentParser(description="{SAID}")',
    "a question to a person": f"""
        import click
        @click.command()
        @click.option("--job", prompt="{SAID} Will you do that, please, for the sake of it?")
        def main(job): ...
        """,
    "input": f'answer = input("{SAID} Will you do that, please, for the sake of it?")',
    "a question by name": f'confirm_prompt = "{SAID} Will you do that, please, for the sake of it?"',
    "a path": f'PROMPT_PATH = "{SAID} Will you do that, please, for the sake of it?"',
    "a page": f'PAGE_TEMPLATE = "<html><body>{LONG}{SAID}</body></html>"',
    "mail": f'EMAIL_TEMPLATE = "{LONG}{SAID}"',
    "a query": f'CYPHER_TEMPLATE = "MATCH (n) RETURN n /* {LONG}{SAID} */"',
    "a long text without a name for a model": f'ABOUT = "{LONG}{SAID}"',
    "a local message": f'def f():\n    message = "{LONG}{SAID}"\n    return message',
    "a plain value": f'JOBS = ["{SAID}"]',
    "what people say": f'HISTORY = [("system_name", "{SAID}")]',
}


@pytest.mark.parametrize("form", READ)
def test_a_text_for_a_model_is_read_where_it_stands(form: str) -> None:
    code = dedent(READ[form])
    assert places(code) == [("prompt", "app/agent.py", code.index(SAID))] or (
        form == "a schema for answers" and places(code) == [("parameter-description", "app/agent.py", code.index(SAID))]
    )


@pytest.mark.parametrize("form", SERVERS)
def test_instructions_of_a_server_are_those(form: str) -> None:
    code = dedent(SERVERS[form])
    assert places(code) == [("server-instructions", "app/agent.py", code.index(SAID))]


@pytest.mark.parametrize("form", UNREAD)
def test_a_text_for_people_or_programs_is_not_read(form: str) -> None:
    assert places(UNREAD[form]) == []


def test_a_prompt_of_another_file_is_read_there_once() -> None:
    words = f'WATCH_PROMPT = "You watch jobs of a depot. {SAID}"\n'
    code = """
        from agents import Agent
        from app.words import WATCH_PROMPT
        one = Agent(name="one", instructions=WATCH_PROMPT)
        two = Agent(name="two", instructions="Be brief. " + WATCH_PROMPT)
        """
    assert places(code, app__words=words) == [("prompt", "app/words.py", words.index(SAID))]


def test_two_lines_of_one_prompt_are_one_text_and_each_stands_on_its_line() -> None:
    code = dedent(
        """
        HEAD = "You work for a depot. "
        def build_prompt(name):
            return (
                HEAD
                + f"Your name is {name}. Keep calling "
                "get_job until "
                "it resolves."
            )
        """
    )
    texts = [text for text in linked({"agent.py": code}).texts if "get_job" in text.text.value]
    assert len(texts) == 1
    value = texts[0].text.value
    assert value == "You work for a depot. Your name is \ufffc. Keep calling get_job until it resolves."
    for words in ("You work", "Keep calling", "get_job until", "it resolves"):
        assert texts[0].place(value.index(words), value.index(words) + 1).span.start == code.index(words)


def test_what_a_skill_s_script_prints_is_read_and_what_it_logs_is_not() -> None:
    from waitlint import frontends
    from waitlint.project.link import link
    from waitlint.source import Source

    code = f'import logging\nlogging.info("no: {SAID}")\nprint(f"Job {{x}}: {SAID}")\n'
    source = Source("skills/jobs/scripts/start.py", code)
    facts = frontends.read(source, "python", "skill-script")
    project = link({source.path: facts}, read_source=lambda path: source)
    (text,) = [text for text in project.texts if SAID in text.text.value]
    at = text.text.value.index(SAID)
    assert text.place(at, at + 1).span.start == code.rindex(SAID)
