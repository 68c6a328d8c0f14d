"""Clients in Python that wait inside: what of each call is read as its cap."""

from __future__ import annotations

import pytest

from linking import only_tool, only_wait
from waitlint.linked import Wait

TOOL = '''
from mcp.server.fastmcp import FastMCP
{head}

mcp = FastMCP("mill")


@mcp.tool()
{how} grind(grain: str) -> str:
    """Grind."""
    return str({call})
'''
RUNWAY = "from runwayml import RunwayML\nclient = RunwayML()"
ASSEMBLY = "import assemblyai as aai\ntranscriber = aai.Transcriber()"
TEMPORAL = "from temporalio.client import Client\nfrom datetime import timedelta"
CONNECTED = "(await Client.connect('mill:7233'))"
FABRIC = "from fabric import Connection\nmill = Connection('mill')"
ASYNC_SSH = "import asyncssh"
HUB = "from huggingface_hub import get_inference_endpoint"
LLAMA = "from llama_cloud_services import LlamaParse"

TASK = "from celery import Celery\napp = Celery('mill')\n\n@app.task\ndef ground(grain):\n    return grain"
KIQ = "from mill.broker import broker\n\n@broker.task\nasync def ground(grain: str) -> str:\n    return grain"
ARQ = "from arq import create_pool"

# How the function is made, what is imported, the call, and its cap in seconds; None is for ever.
CALLS: dict[str, tuple[str, str, str, float | None]] = {
    "runway": ("def", RUNWAY, "client.image_to_video.create(prompt_text=grain).wait_for_task_output()", 600),
    "runway with its time": ("def", RUNWAY, "client.tasks.retrieve(grain).wait_for_task_output(timeout=50)", 50),
    "runway without end": ("def", RUNWAY, "client.tasks.retrieve(grain).wait_for_task_output(timeout=None)", None),
    "runway, awaited": (
        "async def",
        "from runwayml import AsyncRunwayML\nclient = AsyncRunwayML()",
        "await (await client.tasks.retrieve(grain)).wait_for_task_output()",
        600,
    ),
    "assemblyai": ("def", ASSEMBLY, "transcriber.transcribe(grain)", None),
    "assemblyai with its time": ("def", ASSEMBLY, "transcriber.transcribe(grain, poll_timeout=80)", 80),
    "temporal": ("async def", TEMPORAL, f"await {CONNECTED}.execute_workflow('grind', grain, id=grain)", None),
    "temporal with its time": (
        "async def",
        TEMPORAL,
        f"await {CONNECTED}.execute_workflow('grind', grain, id=grain, execution_timeout=timedelta(minutes=1))",
        60,
    ),
    "temporal's handle": ("async def", TEMPORAL, f"await {CONNECTED}.get_workflow_handle(grain).result()", None),
    "prefect": ("def", "from prefect.deployments import run_deployment", "run_deployment(grain)", None),
    "prefect with its time": ("def", "from prefect.deployments import run_deployment", "run_deployment(grain, timeout=45)", 45),
    "prefect, awaited": ("async def", "from prefect.deployments import run_deployment", "await run_deployment(grain)", None),
    "celery": ("def", TASK, "ground.delay(grain).get()", None),
    "celery with its time": ("def", TASK, "ground.apply_async(args=[grain]).get(timeout=20)", 20),
    "celery, a task by its name": ("def", TASK, "app.send_task('ground', [grain]).get()", None),
    "taskiq": ("async def", KIQ, "await (await ground.kiq(grain)).wait_result()", None),
    "taskiq with its time": ("async def", KIQ, "await (await ground.kiq(grain)).wait_result(timeout=20)", 20),
    "arq": ("async def", ARQ, "await (await (await create_pool()).enqueue_job('grind', grain)).result()", None),
    "arq with its time": ("async def", ARQ, "await (await (await create_pool()).enqueue_job('grind', grain)).result(timeout=9)", 9),
    "fabric": ("def", FABRIC, "mill.run(f'grind {grain}').stdout", None),
    "fabric with its time": ("def", FABRIC, "mill.run(f'grind {grain}', timeout=30).stdout", 30),
    "asyncssh": ("async def", ASYNC_SSH, "await (await asyncssh.connect('mill')).run(f'grind {grain}')", None),
    "netmiko": ("def", "from netmiko import ConnectHandler", "ConnectHandler(host='mill').send_command(grain)", 10),
    "ansible": ("def", "import ansible_runner", "ansible_runner.run(playbook=grain)", None),
    "ansible with its time": ("def", "import ansible_runner", "ansible_runner.run(playbook=grain, timeout=90)", 90),
    "an endpoint": ("def", HUB, "get_inference_endpoint(grain).wait()", None),
    "an endpoint with its time": ("def", HUB, "get_inference_endpoint(grain).wait(timeout=60)", 60),
    "llama parse": ("def", LLAMA, "LlamaParse(api_key='k').load_data(grain)", 2000),
    "llama parse with its time": ("def", LLAMA, "LlamaParse(api_key='k', max_timeout=60).load_data(grain)", 60),
    "dask": ("def", "from dask.distributed import Client", "Client('mill').submit(len, grain).result()", None),
    "dask with its time": ("def", "from dask.distributed import Client", "Client('mill').submit(len, grain).result(timeout=20)", 20),
    "modal": ("def", "import modal", "modal.FunctionCall.from_id(grain).get()", None),
    "modal with its time": ("def", "import modal", "modal.FunctionCall.from_id(grain).get(timeout=20)", 20),
}  # fmt: skip


def waited(how: str, head: str, call: str) -> Wait:
    return only_wait({"mill.py": TOOL.format(how=how, head=head, call=call)})


@pytest.mark.parametrize(("how", "head", "call", "seconds"), CALLS.values(), ids=CALLS.keys())
def test_the_cap_of_a_client_that_waits(how: str, head: str, call: str, seconds: float | None) -> None:
    cap = waited(how, head, call).cap
    assert cap.absent if seconds is None else cap.value == seconds


ONCE = {
    "a task that is made": ("def", RUNWAY, "client.image_to_video.create(prompt_text=grain).id"),
    "a transcript that is handed in": ("def", ASSEMBLY, "transcriber.submit(grain).id"),
    "a workflow that is started": ("async def", TEMPORAL, f"(await {CONNECTED}.start_workflow('grind', grain, id=grain)).id"),
    "a task that is handed out": ("def", TASK, "ground.delay(grain).id"),
    "a call that is spawned": ("def", "import modal", "modal.Function.from_name('mill', 'grind').spawn(grain).object_id"),
}  # fmt: skip


@pytest.mark.parametrize(("how", "head", "call"), ONCE.values(), ids=ONCE.keys())
def test_what_only_starts_waits_for_nothing(how: str, head: str, call: str) -> None:
    assert not only_tool({"mill.py": TOOL.format(how=how, head=head, call=call)}).waits


def test_a_command_on_another_machine_is_read_as_long_as_its_channel_lets_it() -> None:
    head = "import paramiko\nmill = paramiko.SSHClient()"
    unbounded = "mill.exec_command(grain)[1].read()"
    tool = only_tool({"mill.py": TOOL.format(how="def", head=head, call=unbounded)})
    assert [read.timeout.absent for read in tool.reads] == [True]
    bounded = "mill.exec_command(grain, timeout=20)[1].read()"
    tool = only_tool({"mill.py": TOOL.format(how="def", head=head, call=bounded)})
    assert [read.timeout.value for read in tool.reads] == [20]


def test_words_that_are_joined_to_a_line_say_how_long_a_command_runs() -> None:
    head = "import asyncssh\nimport shlex"
    call = "await (await asyncssh.connect('mill')).run(shlex.join({words}))"
    quick = only_tool(
        {"mill.py": TOOL.format(how="async def", head=head, call=call.format(words="['realpath', grain]"))}
    )
    assert [wait.of_quick_command for wait in quick.waits] == [True]
    assert waited("async def", head, call.format(words="['timeout', '20', 'grind', grain]")).cap.value == 20
