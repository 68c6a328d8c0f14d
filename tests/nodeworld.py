"""TypeScript fixtures as plain modules that Node can run, with stand-ins for the packages that they import.

Types are taken out of the text, and nothing else: what runs is what stands in the file.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from tree_sitter import Node

from goldens import fixed_once
from waitlint.changing import changes
from waitlint.frontends.typescript.syntax import Tree
from waitlint.source import Source

HERE = Path(__file__).parent
SCRIPTS = {".ts", ".js", ".mjs"}
DROPPED = {
    "type_annotation",
    "type_parameters",
    "type_arguments",
    "interface_declaration",
    "type_alias_declaration",
    "accessibility_modifier",
}
STAND_INS = {
    "zod": """
const any = (most) => new Proxy(() => {}, {
  get: (_, name) => (name === "greatest" ? most : (...args) => any(name === "max" ? args[0] : most)),
});
export const z = new Proxy({}, { get: () => () => any() });
""",
    "ai": """
export const tool = (definition) => definition;
export const stepCountIs = (steps) => ({ steps });
export const hasToolCall = () => ({ steps: Infinity });
export const generateText = async ({ stopWhen = { steps: 1 }, abortSignal }) => {
  const most = Math.min(...[stopWhen].flat().map((condition) => condition.steps));
  for (let step = 0; step < most; step += 1) await world.read({ signal: abortSignal });
  return { text: "done", steps: most };
};
""",
    "@langchain/core/tools": "export const tool = (execute, definition) => ({ ...definition, execute });\n",
    "@modelcontextprotocol/server": """
export class McpServer {
  registerTool(name, definition, handler) {
    world.tools[name] = handler;
    world.most[name] = definition.inputSchema;
  }
  tool(name, ...rest) {
    world.tools[name] = rest.at(-1);
  }
}
""",
    "@modelcontextprotocol/sdk/server/index.js": """
export class Server {
  setRequestHandler(schema, handler) {
    world.handlers[schema] = handler;
  }
}
""",
    "@modelcontextprotocol/sdk/types.js": """
export const CallToolRequestSchema = "call";
export const ListToolsRequestSchema = "list";
""",
    "axios": """
const asking = (defaults) => ({
  get: async (url, options = {}) => {
    const { signal, timeout } = { ...defaults, ...options };
    return { data: await world.read({ signal, timeout, late: "AxiosError", stopped: "CanceledError" }) };
  },
  create: asking,
});
const axios = asking({});
export default axios;
""",
    "p-retry": """
export default async (run, { retries = 10, forever = false } = {}) => {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await run();
    } catch (error) {
      if (!forever && attempt >= retries) throw error;
      await new Promise((resolve) => setTimeout(resolve, 1_000));
    }
  }
};
""",
    "cockatiel": """
export const handleAll = {};
export const retry = (policy, { maxAttempts = Infinity }) => ({
  execute: async (run) => {
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await run();
      } catch (error) {
        if (attempt >= maxAttempts) throw error;
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    }
  },
});
""",
    "openai": """
export default class OpenAI {
  constructor({ timeout } = {}) {
    const create = () => world.read({ timeout, late: "APIConnectionTimeoutError" });
    this.responses = { create };
    this.chat = { completions: { create } };
  }
}
""",
    "@anthropic-ai/claude-agent-sdk": "export const query = () => {};\n",
    "@inngest/agent-kit": "export const createNetwork = () => {};\nexport const createAgent = () => {};\n",
    "@openai/agents": "export class Agent {}\nexport const run = () => {};\n",
}
STAND_INS["@modelcontextprotocol/sdk/server/mcp.js"] = STAND_INS["@modelcontextprotocol/server"]


class Ended(NamedTuple):
    """How a call ended: `how` is `returned`, the name of an error, `goes on` (for 20 min) or `hangs for ever`."""

    how: str
    value: Any
    ms: float
    reads: int


class Scene(NamedTuple):
    """What the world does: `state` is what each read answers; a stop comes after `stop_ms`, None for never."""

    state: Any = ""
    hangs: bool = False
    fails: bool = False
    stop_ms: float | None = None


def run(folder: Path, project: Path, module: str, call: str, scene: Scene, *, repaired: bool = True) -> Ended:
    """Run `call`, code in which `it` is the module and `signal` the stop, on a copy of a fixture in `folder`."""
    files = {path.relative_to(project): path.read_bytes() for path in project.rglob("*") if path.suffix in SCRIPTS}
    if repaired:
        before, after = fixed_once(project)
        files |= {change.absolute.relative_to(project): change.after for change in changes(before, after.scan)}
    sources = {path: content.decode() for path, content in files.items() if path.suffix in SCRIPTS}
    for path, text in sources.items():
        target = (folder / path).with_suffix(".mjs")
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(plain(path, text, sources))
    _packages(folder)
    world = json.dumps({"state": scene.state, "hangs": scene.hangs, "fails": scene.fails})
    (folder / "world.mjs").write_text((HERE / "nodeworld.mjs").read_text())
    (folder / "run.mjs").write_text(
        'import { drive, world } from "./world.mjs";\n'
        f"Object.assign(world, {world});\n"
        f'const it = await import("./{Path(module).with_suffix(".mjs").as_posix()}");\n'
        f"console.log(JSON.stringify(await drive(async (signal) => {call}, {json.dumps(scene.stop_ms)})));\n"
        "process.exit(0);\n"
    )
    done = subprocess.run(["node", "run.mjs"], cwd=folder, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout.splitlines()[-1])
    return Ended(told["how"], told.get("value"), told["ms"], told["reads"])


def _packages(folder: Path) -> None:
    for name, text in STAND_INS.items():
        parts = name.split("/")
        package = "/".join(parts[:2] if name.startswith("@") else parts[:1])
        inside = name.removeprefix(package).lstrip("/") or "index.js"
        inside = inside if inside.endswith(".js") else f"{inside}.js"
        target = folder / "node_modules" / package / inside
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text)
        described = {"type": "module", "exports": {".": "./index.js", "./*.js": "./*.js", "./*": "./*.js"}}
        (folder / "node_modules" / package / "package.json").write_text(json.dumps(described))


# ---------------------------------------------------------------- TypeScript without its types


def plain(path: Path, text: str, files: Mapping[Path, str]) -> str:
    """A module without types, whose imports name the modules beside it as they are called here."""
    tree = Tree(Source(path.as_posix(), text))
    assert not tree.errors(), (path, tree.errors())
    for start, end, new in sorted(set(_without_types(tree.root, text, path, files)), reverse=True):
        text = text[:start] + new + text[end:]
    return text


def _without_types(node: Node, text: str, path: Path, files: Mapping[Path, str]) -> Iterator[tuple[int, int, str]]:
    if node.type in DROPPED or _is_of_types(node):
        yield node.start_byte, node.end_byte, ""
        return
    match node.type:
        case "as_expression" | "satisfies_expression":
            yield node.children[0].end_byte, node.end_byte, ""
        case "non_null_expression":
            yield node.children[0].end_byte, node.end_byte, ""
        case "import_statement" | "export_statement":
            source = node.child_by_field_name("source")
            written = text[source.start_byte + 1 : source.end_byte - 1] if source is not None else ""
            if source is not None and written.startswith("."):
                yield source.start_byte + 1, source.end_byte - 1, _beside(path, written, files)
        case "method_definition":
            yield from _kept_parameters(node, text)
        case _:
            pass
    optional = node.type in ("optional_parameter", "public_field_definition", "required_parameter")
    for child in node.children:
        if optional and child.type in ("?", "readonly"):
            yield child.start_byte, child.end_byte, ""
        elif node.type not in ("as_expression", "satisfies_expression") or child is node.children[0]:
            yield from _without_types(child, text, path, files)


def _is_of_types(node: Node) -> bool:
    if node.type not in ("import_statement", "export_statement", "import_specifier", "export_specifier"):
        return False
    if any(child.type == "type" for child in node.children):
        return True
    declared = node.child_by_field_name("declaration") if node.type == "export_statement" else None
    return declared is not None and declared.type in DROPPED


def _kept_parameters(method: Node, text: str) -> Iterator[tuple[int, int, str]]:
    """The parameters of a constructor that are fields, too."""
    parameters, body = method.child_by_field_name("parameters"), method.child_by_field_name("body")
    names = []
    for one in parameters.named_children if parameters is not None else ():
        pattern = one.child_by_field_name("pattern")
        if pattern is not None and any(child.type == "accessibility_modifier" for child in one.children):
            names.append(text[pattern.start_byte : pattern.end_byte])
    if names and body is not None:
        kept = "".join(f" this.{name} = {name};" for name in names)
        yield body.start_byte + 1, body.start_byte + 1, kept


def _beside(path: Path, written: str, files: Mapping[Path, str]) -> str:
    """An import of a file of the project, as a file that is there."""
    bare = written
    for ending in (".js", ".ts", ".mjs"):
        bare = bare.removesuffix(ending)
    parts: list[str] = []
    for part in (path.parent / bare).as_posix().split("/"):
        if part == "..":
            parts.pop()
        elif part != ".":
            parts.append(part)
    inside = "/".join(parts)
    known = {one.with_suffix("").as_posix() for one in files}
    inside = inside if inside in known else f"{inside}/index"
    assert inside in known, (path, written)
    ups = "../" * (len(path.parts) - 1) or "./"
    return f"{ups}{inside}.mjs"
