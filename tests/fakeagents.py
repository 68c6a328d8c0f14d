"""Stand-ins for what asks models, retries and runs agents: models that never come to an end, in a world's time.

Each does with its own options what the library does, as far as a bound goes.
"""

from __future__ import annotations

import types
from collections.abc import AsyncIterator, Callable
from typing import Any

from fakeworld import TimedOut, World, module

HOUR = 3_600.0


class GoesOn(AssertionError):
    """An hour has passed, and there is no end in sight."""


class Spent(Exception):
    """The budget is spent, and the library says so."""


class Failed(Exception):
    """A request that gets an error as its answer."""


def _request(world: World, timeout: float | None) -> Any:
    if world.fails:
        world.sleep(1.0)
        raise Failed
    return types.SimpleNamespace(text=str(world.read(timeout, TimedOut).value), output_text="", tool_calls=["x"])


def _steps(world: World, most: float | None) -> None:
    """The steps of an agent whose model never answers with its last word."""
    begun, step = world.now, 0
    while most is None or step < most:
        world.sleep(1.0)
        step += 1
        if world.now - begun > HOUR:
            raise GoesOn
    raise Spent


def _tried(world: World, run: Callable[..., Any], most: float | None) -> Callable[..., Any]:
    def again(*args: Any, **options: Any) -> Any:
        begun, attempt = world.now, 0
        while True:
            try:
                return run(*args, **options)
            except Exception as error:
                attempt += 1
                if most is not None and attempt >= most:
                    raise Spent from error
                if world.now - begun > HOUR:
                    raise GoesOn from error
                world.sleep(1.0)

    return again


def _tenacity(world: World) -> types.ModuleType:
    def retry(run: Any = None, *, stop: float | None = None, wait: Any = None) -> Any:
        return _tried(world, run, stop) if run is not None else lambda given: _tried(world, given, stop)

    return module(
        "tenacity", retry=retry, stop_after_attempt=lambda attempts: attempts, wait_exponential=lambda **options: None
    )


def _backoff(world: World) -> types.ModuleType:
    def on_exception(wait: Any, error: Any, max_tries: float | None = None) -> Any:
        return lambda run: _tried(world, run, max_tries)

    return module("backoff", on_exception=on_exception, expo=None)


def _clients(world: World) -> dict[str, types.ModuleType]:
    class OpenAI:
        def __init__(self, timeout: float | None = 600.0) -> None:
            self.responses = types.SimpleNamespace(create=lambda **options: _request(world, timeout))

    class Client:
        def __init__(self, http_options: Any = None) -> None:
            limit = (http_options or {}).get("timeout")
            seconds = limit / 1000 if limit else None
            self.models = types.SimpleNamespace(generate_content=lambda **options: _request(world, seconds))

    class InferenceClient:
        def __init__(self, timeout: float | None = None) -> None:
            self.timeout = timeout

        def chat_completion(self, **options: Any) -> Any:
            message = _request(world, self.timeout)
            return types.SimpleNamespace(choices=[types.SimpleNamespace(message=message)])

    genai = module("google.genai", Client=Client)
    return {
        "openai": module("openai", OpenAI=OpenAI),
        "anthropic": module("anthropic", Anthropic=lambda **options: None, APIStatusError=Failed),
        "huggingface_hub": module("huggingface_hub", InferenceClient=InferenceClient),
        "ollama": module("ollama", chat=lambda **options: _request(world, None)),
        "books": module("books", TOOLS=[], answers_to=lambda reply: []),
        "google": module("google", genai=genai),
        "google.genai": genai,
    }


def _boto3(world: World) -> dict[str, types.ModuleType]:
    class Config:
        def __init__(self, read_timeout: float = 60.0) -> None:
            self.read_timeout = read_timeout

    class Client:
        def __init__(self, service: str, config: Config | None = None) -> None:
            self.config = config or Config()

        def describe_restore_job(self, **options: Any) -> Any:
            return _tried(world, self._once, 5)()

        def _once(self) -> Any:
            return world.read(self.config.read_timeout, TimedOut).value

    return {
        "boto3": module("boto3", client=Client),
        "botocore": module("botocore"),
        "botocore.config": module("botocore.config", Config=Config),
    }


def _runners(world: World) -> dict[str, types.ModuleType]:
    class Anything:
        def __init__(self, *args: Any, **options: Any) -> None:
            self.options = options

    class Runner:
        @staticmethod
        async def run(agent: Any, question: str, max_turns: int | None = 10) -> None:
            _steps(world, max_turns)

    class Team(Anything):
        def run(self) -> None:
            _steps(world, self.options.get("max_turns"))

    class LoopAgent(Anything):
        def run(self) -> None:
            _steps(world, self.options.get("max_iterations"))

    class Agent(Anything):
        def __init__(self, model: str, **options: Any) -> None:
            super().__init__(**options)

        async def run(self, question: str, usage_limits: Any) -> None:
            _steps(world, usage_limits.options.get("request_limit", 50))

    class Graph:
        def invoke(self, state: Any, config: Any = None) -> None:
            _steps(world, (config or {}).get("recursion_limit", 10_000))

    async def query(prompt: str, options: Any) -> AsyncIterator[str]:
        yield "begun"
        _steps(world, options.options.get("max_turns"))

    inner: dict[str, dict[str, Any]] = {
        "agents": {"Agent": Anything, "Runner": Runner, "function_tool": lambda run: run},
        "autogen_agentchat": {},
        "autogen_agentchat.agents": {"AssistantAgent": Anything},
        "autogen_agentchat.conditions": {"TextMentionTermination": Anything},
        "autogen_agentchat.teams": {"RoundRobinGroupChat": Team},
        "claude_agent_sdk": {"ClaudeAgentOptions": Anything, "query": query},
        "google.adk": {},
        "google.adk.agents": {"LoopAgent": LoopAgent},
        "pydantic_ai": {"UsageLimits": Anything, "Agent": Agent},
        "langgraph": {},
        "langgraph.prebuilt": {"create_react_agent": lambda *args, **options: Graph()},
    }
    return {name: module(name, **members) for name, members in inner.items()}


def stand_ins(world: World) -> dict[str, types.ModuleType]:
    return {
        "tenacity": _tenacity(world),
        "backoff": _backoff(world),
        **_clients(world),
        **_boto3(world),
        **_runners(world),
    }
