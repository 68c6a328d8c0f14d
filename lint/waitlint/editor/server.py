"""The language server: diagnostics as one types, hover with the rule, code actions. Over pygls, an extra."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from lsprotocol import types
from msgspec import Struct
from pygls.lsp.server import LanguageServer
from pygls.uris import from_fs_path, to_fs_path

import waitlint
from waitlint.config import ConfigError
from waitlint.editor.checking import Checked, Mark, check, page_of
from waitlint.editor.positions import Positions

PAUSE = 0.3
SEVERITIES = {
    "error": types.DiagnosticSeverity.Error,
    "warning": types.DiagnosticSeverity.Warning,
    "advice": types.DiagnosticSeverity.Information,
}


class Open(Struct, frozen=True):
    """An open document as it was when a check began."""

    uri: str
    version: int | None
    text: str


class State(Struct, frozen=True):
    """What the last check said of an open document, in the text that it was made of."""

    open: Open
    marks: tuple[Mark, ...]
    texts: Mapping[Path, str]


class Editor:
    """Checks what is open, one check at a time, a moment after the last change."""

    def __init__(self, server: LanguageServer) -> None:
        self.server = server
        self.states: dict[str, State] = {}
        self.told: set[str] = set()
        self._timer: asyncio.TimerHandle | None = None
        self._task: asyncio.Task[None] | None = None
        self._again = False

    def schedule(self, pause: float) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = asyncio.get_running_loop().call_later(pause, self._start)

    def _start(self) -> None:
        if self._task is not None and not self._task.done():
            self._again = True
            return
        self._task = asyncio.get_running_loop().create_task(self._check())

    async def _check(self) -> None:
        by_folder = self._documents()
        for folder, documents in by_folder.items():
            texts = {path: one.text for path, one in documents.items()}
            try:
                checked = await asyncio.to_thread(check, folder, texts)
            except (ConfigError, OSError) as error:
                self._tell(str(error))
                continue
            for fault in checked.faults:
                self._tell(f"internal error: {fault}")
            self._publish(documents, checked)
        if self._again:
            self._again = False
            self.schedule(0)

    def _documents(self) -> dict[Path, dict[Path, Open]]:
        """What is open, by the folder that it is checked in."""
        found: dict[Path, dict[Path, Open]] = {}
        workspace = self.server.workspace
        for uri, document in workspace.text_documents.items():
            name = to_fs_path(uri)
            if name is not None and uri.startswith("file:"):
                path = Path(name)
                one = Open(uri, document.version, document.source)
                found.setdefault(self._folder_of(path), {})[path] = one
        return found

    def _folder_of(self, path: Path) -> Path:
        workspace = self.server.workspace
        roots = [to_fs_path(uri) for uri in workspace.folders] or [workspace.root_path]
        above = [Path(root) for root in roots if root and path.is_relative_to(root)]
        return max(above, key=lambda root: len(root.parts), default=path.parent)

    def _publish(self, documents: Mapping[Path, Open], checked: Checked) -> None:
        for path, one in documents.items():
            if one.uri not in self.server.workspace.text_documents:
                continue
            state = State(one, checked.marks[path], checked.texts)
            self.states[one.uri] = state
            lines = self.positions(one.text)
            diagnostics = [self._diagnostic(mark, lines, checked.texts) for mark in state.marks]
            self.server.text_document_publish_diagnostics(
                types.PublishDiagnosticsParams(uri=one.uri, diagnostics=diagnostics, version=one.version)
            )

    def forget(self, uri: str) -> None:
        """No diagnostics for a document that is closed."""
        self.states.pop(uri, None)
        self.server.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri=uri, diagnostics=[]))

    def positions(self, text: str) -> Positions:
        return Positions(text, str(getattr(encoding := self.server.workspace.position_encoding, "value", encoding)))

    def current(self, uri: str) -> State | None:
        """What is known of a document, if it has not changed since."""
        state = self.states.get(uri)
        document = self.server.workspace.text_documents.get(uri)
        return state if state is not None and document is not None and document.source == state.open.text else None

    def _diagnostic(self, mark: Mark, lines: Positions, texts: Mapping[Path, str]) -> types.Diagnostic:
        finding = mark.finding
        related = [
            types.DiagnosticRelatedInformation(
                types.Location(from_fs_path(str(path)) or "", _range(self.positions(texts[path]), start, end)), shown
            )
            for path, start, end, shown in mark.related
            if path in texts
        ]
        return types.Diagnostic(
            range=_range(lines, mark.start, mark.end),
            message=f"{finding.message}\n{finding.help}",
            severity=SEVERITIES[finding.severity],
            code=finding.rule,
            source="waitlint",
            related_information=related,
        )

    def _tell(self, text: str) -> None:
        """Say something that is no finding, once."""
        if text not in self.told:
            self.told.add(text)
            self.server.window_show_message(types.ShowMessageParams(types.MessageType.Warning, f"waitlint: {text}"))

    def hover(self, uri: str, position: types.Position) -> types.Hover | None:
        """What is found at a position, and the page of its rule."""
        state = self.current(uri)
        if state is None:
            return None
        lines = self.positions(state.open.text)
        offset = lines.offset(position.line, position.character)
        here = [mark for mark in state.marks if mark.start <= offset <= mark.end]
        if not here:
            return None
        inner = min(here, key=lambda mark: mark.end - mark.start)
        parts = [f"**{mark.finding.rule}** {mark.finding.message}\n\n{mark.finding.help}" for mark in here]
        parts.append(page_of(inner.finding.rule))
        value = "\n\n---\n\n".join(filter(None, parts))
        return types.Hover(types.MarkupContent(types.MarkupKind.Markdown, value), _range(lines, inner.start, inner.end))

    def actions(self, uri: str, wanted: types.Range) -> list[types.CodeAction]:
        """The repairs of what is found in a range; none while a check is still to come."""
        state = self.current(uri)
        if state is None:
            return []
        lines = self.positions(state.open.text)
        start = lines.offset(wanted.start.line, wanted.start.character)
        end = lines.offset(wanted.end.line, wanted.end.character)
        return [
            self._action(mark, state, lines)
            for mark in state.marks
            if mark.mended is not None and mark.start <= end and start <= mark.end
        ]

    def _action(self, mark: Mark, state: State, lines: Positions) -> types.CodeAction:
        assert mark.mended is not None
        changes: dict[str, list[types.TextEdit]] = {}
        for one in mark.mended.replacements:
            text = state.texts[one.path]
            uri = state.open.uri if text is state.open.text else from_fs_path(str(one.path)) or ""
            edit = types.TextEdit(_range(self.positions(text), one.start, one.end), one.text)
            changes.setdefault(uri, []).append(edit)
        meaning = "" if mark.mended.safe else " (may change a meaning)"
        return types.CodeAction(
            title=f"waitlint: {mark.mended.title}{meaning}",
            kind=types.CodeActionKind.QuickFix,
            diagnostics=[self._diagnostic(mark, lines, state.texts)],
            is_preferred=mark.mended.safe,
            edit=types.WorkspaceEdit(changes=changes),
        )


def _range(lines: Positions, start: int, end: int) -> types.Range:
    return types.Range(types.Position(*lines.at(start)), types.Position(*lines.at(end)))


def make() -> LanguageServer:
    """The server, with what it answers to."""
    server = LanguageServer("waitlint", waitlint.__version__)
    editor = Editor(server)

    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    def opened(_: types.DidOpenTextDocumentParams) -> None:
        editor.schedule(0)

    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    def changed(_: types.DidChangeTextDocumentParams) -> None:
        editor.schedule(PAUSE)

    @server.feature(types.TEXT_DOCUMENT_DID_SAVE)
    def saved(_: types.DidSaveTextDocumentParams) -> None:
        editor.schedule(0)

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def closed(params: types.DidCloseTextDocumentParams) -> None:
        editor.forget(params.text_document.uri)
        editor.schedule(PAUSE)

    @server.feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    def elsewhere(_: Any) -> None:
        editor.schedule(PAUSE)

    @server.feature(types.TEXT_DOCUMENT_HOVER)
    def hover(params: types.HoverParams) -> types.Hover | None:
        return editor.hover(params.text_document.uri, params.position)

    @server.feature(
        types.TEXT_DOCUMENT_CODE_ACTION, types.CodeActionOptions(code_action_kinds=[types.CodeActionKind.QuickFix])
    )
    def actions(params: types.CodeActionParams) -> list[types.CodeAction]:
        return editor.actions(params.text_document.uri, params.range)

    return server


def serve() -> None:
    """Speak with an editor over standard input and output until it says goodbye."""
    gc.enable()
    make().start_io()
