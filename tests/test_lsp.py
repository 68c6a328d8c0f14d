"""The language server, asked by a real client over standard input and output."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path

import pytest

pytest.importorskip("pygls")

from lsprotocol import types
from pygls.lsp.client import LanguageClient

from waitlint import cli
from waitlint.editor.positions import Positions

SECONDS = 120.0
SERVER = '''\
import httpx
from mcp.server.fastmcp import FastMCP

mcp = FastMCP("kiln")
http = httpx.AsyncClient(timeout=5)


@mcp.tool()
async def firing(kiln: str) -> str:
    """Looks at the 🔥 in a kiln."""
    for _ in range(9):
        state = (await http.get(f"/kilns/{kiln}")).json()["state"]
        if state != "firing":
            break
        await asyncio.sleep(5)
    return state
'''.replace("import httpx", "import asyncio\n\nimport httpx", 1)
SKILL = (
    "---\nname: kiln\ndescription: Fires bricks.\n---\n\nCheck `firing` every 20 seconds until the bricks are done.\n"
)


class Editor(LanguageClient):
    """Keeps the last diagnostics of each document, and what it was told."""

    def __init__(self) -> None:
        super().__init__("editor", "1")
        self.found: dict[str, types.PublishDiagnosticsParams] = {}
        self.told: list[str] = []
        self.news = asyncio.Event()

        def diagnosed(params: types.PublishDiagnosticsParams) -> None:
            self.found[params.uri] = params
            self.news.set()

        def told(params: types.ShowMessageParams) -> None:
            self.told.append(params.message)
            self.news.set()

        self.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)(diagnosed)
        self.feature(types.WINDOW_SHOW_MESSAGE)(told)

    async def until(self, holds: Callable[[], bool]) -> None:
        async with asyncio.timeout(SECONDS):
            while not holds():
                self.news.clear()
                await self.news.wait()

    def codes(self, uri: str) -> list[str]:
        found = self.found.get(uri)
        return sorted(str(one.code) for one in found.diagnostics) if found else ["nothing yet"]


def project(folder: Path) -> tuple[Path, Path]:
    (folder / "waitlint.toml").write_text("root = true\n")
    server, skill = folder / "server.py", folder / "skills" / "kiln" / "SKILL.md"
    skill.parent.mkdir(parents=True)
    server.write_text(SERVER, encoding="utf-8")
    skill.write_text(SKILL, encoding="utf-8")
    return server, skill


def with_editor(folder: Path, story: Callable[[Editor], Awaitable[None]]) -> None:
    """Start the server, tell a story to it, and end it."""

    async def run() -> None:
        editor = Editor()
        await editor.start_io(sys.executable, "-m", "waitlint", "lsp", "--stdio")
        try:
            capabilities = types.ClientCapabilities()
            folders = [types.WorkspaceFolder(folder.as_uri(), folder.name)]
            parameters = types.InitializeParams(capabilities, root_uri=folder.as_uri(), workspace_folders=folders)
            async with asyncio.timeout(SECONDS):
                await editor.initialize_async(parameters)
            editor.initialized(types.InitializedParams())
            await story(editor)
            async with asyncio.timeout(SECONDS):
                await editor.shutdown_async(None)
            editor.exit(None)
        finally:
            await editor.stop()  # type: ignore[no-untyped-call]

    asyncio.run(run())


def open_document(editor: Editor, path: Path, text: str | None = None) -> str:
    uri = path.as_uri()
    shown = path.read_text(encoding="utf-8") if text is None else text
    editor.text_document_did_open(
        types.DidOpenTextDocumentParams(types.TextDocumentItem(uri, "python", version=1, text=shown))
    )
    return uri


def change(editor: Editor, uri: str, version: int, text: str) -> None:
    editor.text_document_did_change(
        types.DidChangeTextDocumentParams(
            types.VersionedTextDocumentIdentifier(version=version, uri=uri),
            [types.TextDocumentContentChangeWholeDocument(text=text)],
        )
    )


def test_findings_come_as_one_types_and_go_again(tmp_path: Path) -> None:
    server, skill = project(tmp_path)

    async def story(editor: Editor) -> None:
        told = open_document(editor, skill)
        await editor.until(lambda: editor.codes(told) == ["tell/prompt-contradicts-tool"])
        (diagnostic,) = editor.found[told].diagnostics
        assert diagnostic.range.start == types.Position(5, 0)
        assert diagnostic.severity is types.DiagnosticSeverity.Error
        assert [one.location.uri for one in diagnostic.related_information or ()] == [server.as_uri()]
        change(editor, told, 2, SKILL.replace("Check `firing` every 20 seconds until the bricks are done.", "Fire it."))
        await editor.until(lambda: editor.codes(told) == [])
        assert editor.found[told].version == 2
        # The tool stops waiting in a buffer that was never saved: the skill then tells to poll what reads once.
        code = open_document(editor, server, SERVER.replace("        await asyncio.sleep(5)\n", ""))
        change(editor, told, 3, SKILL)
        await editor.until(lambda: editor.codes(told) == ["loop/keep-calling"])
        editor.text_document_did_close(types.DidCloseTextDocumentParams(types.TextDocumentIdentifier(code)))
        await editor.until(lambda: editor.codes(told) == ["tell/prompt-contradicts-tool"])

    with_editor(tmp_path, story)
    assert skill.read_text(encoding="utf-8") == SKILL


def test_hover_explains_and_an_action_repairs(tmp_path: Path) -> None:
    server, _ = project(tmp_path)

    async def story(editor: Editor) -> None:
        uri = open_document(editor, server)
        await editor.until(lambda: "tell/silent-wait" in editor.codes(uri))
        (diagnostic,) = [one for one in editor.found[uri].diagnostics if one.code == "tell/silent-wait"]
        document = types.TextDocumentIdentifier(uri)
        hover = await editor.text_document_hover_async(types.HoverParams(document, diagnostic.range.start))
        assert hover is not None
        assert isinstance(hover.contents, types.MarkupContent)
        assert "# tell/silent-wait" in hover.contents.value
        elsewhere = types.HoverParams(document, types.Position(0, 0))
        assert await editor.text_document_hover_async(elsewhere) is None
        actions = await editor.text_document_code_action_async(
            types.CodeActionParams(document, diagnostic.range, types.CodeActionContext([diagnostic]))
        )
        assert actions is not None
        mending = [one for one in actions if isinstance(one, types.CodeAction) and "description" in one.title]
        assert mending
        assert mending[0].edit is not None
        assert mending[0].edit.changes is not None
        mended = applied(SERVER, mending[0].edit.changes[uri])
        assert "🔥 in a kiln. Waits up to 45 s" in mended
        change(editor, uri, 2, mended)
        await editor.until(lambda: "tell/silent-wait" not in editor.codes(uri))

    with_editor(tmp_path, story)


def applied(text: str, edits: Sequence[types.TextEdit]) -> str:
    lines = Positions(text)
    for edit in sorted(edits, key=lambda one: (one.range.start.line, one.range.start.character), reverse=True):
        start = lines.offset(edit.range.start.line, edit.range.start.character)
        end = lines.offset(edit.range.end.line, edit.range.end.character)
        text = text[:start] + edit.new_text + text[end:]
    return text


def test_what_no_model_reads_has_no_diagnostics(tmp_path: Path) -> None:
    project(tmp_path)
    readme = tmp_path / "README.md"
    readme.write_text("Check `firing` every 20 seconds until the bricks are done.\n")

    async def story(editor: Editor) -> None:
        uri = open_document(editor, readme)
        await editor.until(lambda: uri in editor.found)
        assert editor.codes(uri) == []

    with_editor(tmp_path, story)


def test_a_broken_configuration_is_told_and_ends_nothing(tmp_path: Path) -> None:
    server, _ = project(tmp_path)
    (tmp_path / "waitlint.toml").write_text("root = 7\n")

    async def story(editor: Editor) -> None:
        uri = open_document(editor, server)
        await editor.until(lambda: bool(editor.told))
        (tmp_path / "waitlint.toml").write_text("root = true\n")
        change(editor, uri, 2, SERVER + "\n")
        await editor.until(lambda: "tell/silent-wait" in editor.codes(uri))

    with_editor(tmp_path, story)


def test_without_pygls_it_says_what_is_missing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "waitlint.editor.server", None)
    assert cli.run(["lsp"]) == 2
    assert "waitlint[lsp]" in capsys.readouterr().err


TEXT = "a🔥b\r\nä\rc\n\u2028d"


@pytest.mark.parametrize(("encoding", "fire"), [("utf-16", 2), ("utf-8", 4), ("utf-32", 1)])
def test_positions_count_as_the_protocol_does(encoding: str, fire: int) -> None:
    lines = Positions(TEXT, encoding)
    assert lines.at(TEXT.index("b")) == (0, 1 + fire)
    assert lines.at(TEXT.index("c")) == (2, 0)
    assert lines.at(TEXT.index("d")) == (3, 3 if encoding == "utf-8" else 1)
    assert [lines.offset(*lines.at(offset)) for offset in range(len(TEXT) + 1)] == list(range(len(TEXT) + 1))
    assert lines.at(10**6) == lines.at(len(TEXT))
    assert lines.offset(99, 0) == len(TEXT)


def test_the_server_ends_when_its_editor_is_gone(tmp_path: Path) -> None:
    async def run() -> int | None:
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "waitlint",
            "lsp",
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.DEVNULL,
            cwd=tmp_path,
            env=dict(os.environ),
        )
        assert process.stdin is not None
        process.stdin.close()
        async with asyncio.timeout(SECONDS):
            return await process.wait()

    assert asyncio.run(run()) is not None
