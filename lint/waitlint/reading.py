"""Files to facts: from the cache, in this process, or in several.

This process alone reads files and the cache; workers are handed bytes and hand back encoded facts. So what is kept
under a content's hash was made from that very content, and one hostile file costs one worker at most.
"""

from __future__ import annotations

import multiprocessing
import os
import re
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct

from waitlint import frontends
from waitlint.cache import Entry, FactCache, key_of
from waitlint.catalog.surfaces import LINKED, row_of
from waitlint.contents import Contents
from waitlint.deferred import CODE, NO_HEAD, Head, deferred, head_of
from waitlint.facts import FileFacts, Text
from waitlint.limits.naming import code_may_state
from waitlint.looking import digest_of
from waitlint.source import Source, Unreadable

if TYPE_CHECKING:
    from waitlint.prose import Setting

POOL_FROM = 30
CHUNK_FILES = 24
CHUNK_BYTES = 400_000
CRASHED = "the reader crashed on it"

_ENCODER = msgspec.msgpack.Encoder()
_DECODER = msgspec.msgpack.Decoder(FileFacts)
_HEADS = msgspec.msgpack.Decoder(Head)


class Wanted(Struct, frozen=True, array_like=True):
    """A file to read. `path` is relative to its link root, with forward slashes."""

    path: str
    absolute: str
    language: str
    surface: str


class _Task(Struct, frozen=True, array_like=True):
    index: int
    wanted: Wanted
    content: bytes


class _Answer(Struct, frozen=True, array_like=True):
    """Facts, or why there are none; `fault` where that is a fault of waitlint.

    Facts are `encoded` where they go to another process or into the cache, and `made` is them where they don't.
    """

    index: int
    encoded: bytes = b""
    made: FileFacts | None = None
    head: bytes | None = None
    silent: bool = False
    reason: str = ""
    fault: str = ""


class Reading(Struct):
    """What came of a list of files, by their index in it: `facts`, or the reason in `skipped`.

    `keys` are those of their facts in the cache, if there is one. `silent` is code that states no timeout.
    """

    facts: dict[int, FileFacts] = {}
    skipped: dict[int, str] = {}
    keys: dict[int, bytes] = {}
    silent: set[int] = set()
    faults: list[str] = []


SKILL = "skill"
# Documents that only a link or their name makes an agent's: they may say what is to be built.
MAY_SPECIFY = frozenset((LINKED, "prompt-files"))
_WORDS_OF_A_PATH = re.compile(r"[/._-]+")


def facts_of(source: Source, language: str, surface: str) -> FileFacts:
    """The facts of a source, with what its sentences ask for."""
    facts = frontends.read(source, language, surface)
    if not facts.texts:
        return facts
    from waitlint import prose

    said = " ".join(text.value for text in facts.texts if text.role == "front-matter")
    purpose = f"{said} {_WORDS_OF_A_PATH.sub(' ', source.path)}"
    row = row_of(surface)
    specifies = surface in MAY_SPECIFY and prose.is_among_specifications(source.path)
    setting = prose.Setting(row.aside, purpose, specifies)
    texts = tuple(_understood(text, setting) for text in facts.texts)
    lends = _lent(facts.texts, said) if surface == SKILL else 0
    return msgspec.structs.replace(facts, texts=texts, lends=lends)


def _lent(texts: Sequence[Text], purpose: str) -> int:
    """What a skill is worth for the loops of its references; its front matter says its `purpose`."""
    from waitlint import prose

    body = next((text.value for text in texts if text.role == "document"), "")
    signs = prose.address_of(body)
    return prose.lent({*signs, "informs"} if prose.Setting(purpose=purpose).informs else signs)


def _understood(text: Text, setting: Setting) -> Text:
    from waitlint import prose

    if not prose.has_cue(text.value):
        return text
    intents = prose.read(text.value, text.role, setting)
    return msgspec.structs.replace(text, intents=intents)


def read_files(
    wanted: Sequence[Wanted],
    *,
    cache: FactCache | None = None,
    contents: Contents | None = None,
    jobs: int = 0,
    overlay: Mapping[str, bytes] | None = None,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> Reading:
    """Read files to facts.

    `contents` knows what has not changed since an earlier run. `overlay` holds the content of files, by absolute path,
    that goes over what is on disk. `jobs` is the number of processes, 0 for as many as there are processors.
    """
    reading = Reading()
    read: dict[int, bytes] = {}
    if cache is not None:
        for index, file in enumerate(wanted):
            try:
                digest = contents.digest(file.absolute) if contents is not None and not overlay else None
                if digest is None:
                    content = read[index] = _content(file.absolute, overlay)
                    digest = _learnt(content, file, contents, overlay)
            except Unreadable as error:
                reading.skipped[index] = str(error)
                continue
            reading.keys[index] = key_of(digest, file.path, file.language, file.surface)
        _take_known(reading, wanted, cache, overlay)
        read = {index: content for index, content in read.items() if index not in reading.facts}
    tasks: list[_Task] = []
    for index, file in enumerate(wanted):
        if index in reading.facts or index in reading.skipped:
            continue
        try:
            content = read[index] if index in read else _content(file.absolute, overlay)
        except Unreadable as error:
            reading.skipped[index] = str(error)
            continue
        if cache is not None and index not in read:
            digest = _learnt(content, file, contents, overlay)
            reading.keys[index] = key_of(digest, file.path, file.language, file.surface)
        tasks.append(_Task(index, file, content))
    total, done = len(wanted), len(wanted) - len(tasks)
    fresh: dict[bytes, Entry] = {}
    for answer in _answers(tasks, jobs or processors(), encode=cache is not None):
        done += 1
        progress(done, total)
        if answer.reason:
            reading.skipped[answer.index] = answer.reason
            if answer.fault:
                reading.faults.append(answer.fault)
            continue
        facts = answer.made if answer.made is not None else _DECODER.decode(answer.encoded)
        reading.facts[answer.index] = facts
        if answer.silent:
            reading.silent.add(answer.index)
        if cache is not None:
            fresh[reading.keys[answer.index]] = Entry(answer.encoded, facts.links, answer.head)
    if cache is not None:
        cache.put(fresh)
    return reading


def known_links(
    wanted: Sequence[Wanted], cache: FactCache, contents: Contents | None = None
) -> dict[int, tuple[str, ...]] | None:
    """What files point to, by their index, by the cache alone; None where it does not know all of them."""
    keys = {}
    for index, file in enumerate(wanted):
        try:
            digest = contents.digest(file.absolute) if contents is not None else None
            digest = digest or _learnt(_content(file.absolute, None), file, contents, None)
            keys[index] = key_of(digest, file.path, file.language, file.surface)
        except Unreadable:
            continue
    found = cache.links(keys.values())
    if any(key not in found for key in keys.values()):
        return None
    return {index: found[key] for index, key in keys.items() if found[key]}


def _learnt(content: bytes, file: Wanted, contents: Contents | None, overlay: Mapping[str, bytes] | None) -> bytes:
    """The digest of a content that was just read, remembered where it is what is on disk."""
    if contents is None or (overlay and file.absolute in overlay):
        return digest_of(content)
    return contents.learn(file.absolute, content)


def processors() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _content(path: str, overlay: Mapping[str, bytes] | None) -> bytes:
    """A file's bytes, with the limits of `Source.from_bytes` on its size held before it is read."""
    if overlay and path in overlay:
        return overlay[path]
    try:
        if not os.path.isfile(path):
            raise Unreadable("vanished while it was to be read" if not os.path.exists(path) else "not a regular file")
        with open(path, "rb") as file:
            return file.read()
    except OSError as error:
        raise Unreadable((error.strerror or type(error).__name__).lower()) from error


def _take_known(
    reading: Reading, wanted: Sequence[Wanted], cache: FactCache, overlay: Mapping[str, bytes] | None
) -> None:
    """Take what the cache knows; of code only what is asked of every file, as long as nobody asks for more."""
    heads = cache.heads(key for index, key in reading.keys.items() if wanted[index].language in CODE)
    rest = cache.get(key for key in reading.keys.values() if key not in heads)
    later = _Later(cache.folder)
    for index, key in reading.keys.items():
        file = wanted[index]
        try:
            if key in heads:
                head = _HEADS.decode(heads[key]) if heads[key] else NO_HEAD
                load = partial(later.load, key, file, overlay)
                reading.facts[index] = deferred(file.language, file.surface, head, load)
                if not head.states:
                    reading.silent.add(index)
            elif key in rest:
                reading.facts[index] = _DECODER.decode(rest[key])
        except (msgspec.MsgspecError, RecursionError):
            continue


class _Later:
    """The cache when what was left there is asked for. What is not there any more is read anew."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        # What one process has opened, a copy of it must not use.
        self._caches: dict[int, FactCache] = {}
        self._lock = threading.Lock()

    def load(self, key: bytes, file: Wanted, overlay: Mapping[str, bytes] | None) -> FileFacts:
        with self._lock:
            process = os.getpid()
            if process not in self._caches:
                self._caches[process] = FactCache(self._folder, by_threads=True)
            data = self._caches[process].get((key,)).get(key)
        try:
            if data is not None:
                return _DECODER.decode(data)
        except (msgspec.MsgspecError, RecursionError):
            pass
        try:
            source = Source.from_bytes(file.path, _content(file.absolute, overlay))
            return facts_of(source, file.language, file.surface)
        except (Unreadable, RecursionError, MemoryError):
            return FileFacts(file.language, file.surface)


def _answers(tasks: Sequence[_Task], jobs: int, *, encode: bool) -> Iterator[_Answer]:
    if jobs < 2 or len(tasks) <= POOL_FROM:
        yield from (_answer(task, encode=encode) for task in tasks)
        return
    chunks = deque(_chunks(tasks))
    while chunks:
        suspects: list[_Task] = []
        yield from _pooled(chunks, jobs, suspects)
        for task in suspects:
            yield _alone(task)


def _chunks(tasks: Sequence[_Task]) -> Iterator[list[_Task]]:
    """The largest files first, so that no worker is left with one at the end; small ones together."""
    chunk: list[_Task] = []
    size = 0
    for task in sorted(tasks, key=lambda task: -len(task.content)):
        chunk.append(task)
        size += len(task.content)
        if len(chunk) >= CHUNK_FILES or size >= CHUNK_BYTES:
            yield chunk
            chunk, size = [], 0
    if chunk:
        yield chunk


def _pool(jobs: int) -> ProcessPoolExecutor:
    context = multiprocessing.get_context("fork" if sys.platform == "linux" else None)
    return ProcessPoolExecutor(jobs, mp_context=context, initializer=_start_worker)


def _start_worker() -> None:
    """Leave Ctrl-C to the parent, which ends its workers."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _pooled(chunks: deque[list[_Task]], jobs: int, suspects: list[_Task]) -> Iterator[_Answer]:
    """The answers to chunks, which are taken from the queue.

    If a worker dies, it ends early: what was being read then is in `suspects`, what was not begun still in the queue.
    """
    executor = _pool(min(jobs, len(chunks)))
    running: dict[Future[list[_Answer]], list[_Task]] = {}
    done = False
    try:
        while chunks or running:
            while chunks and len(running) < 3 * jobs:
                future = executor.submit(_answer_all, chunks[0])
                running[future] = chunks.popleft()
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                yield from future.result()
                del running[future]
        done = True
    except BrokenProcessPool:
        suspects.extend(task for chunk in running.values() for task in chunk)
    finally:
        executor.shutdown(wait=done, cancel_futures=True)


def _alone(task: _Task) -> _Answer:
    """One file in a process of its own: what is left after a worker died."""
    with _pool(1) as executor:
        try:
            return executor.submit(_answer, task).result()
        except BrokenProcessPool:
            return _Answer(task.index, reason=CRASHED, fault=f"{task.wanted.path}: {CRASHED}")


def _answer_all(tasks: list[_Task]) -> list[_Answer]:
    return [_answer(task) for task in tasks]


def _answer(task: _Task, *, encode: bool = True) -> _Answer:
    wanted = task.wanted
    try:
        source = Source.from_bytes(wanted.path, task.content)
        facts = facts_of(source, wanted.language, wanted.surface)
        is_code = wanted.language in CODE
        states = is_code and code_may_state(wanted.path, task.content)
        silent = is_code and not states
        if not encode:
            return _Answer(task.index, made=facts, silent=silent)
        head = head_of(facts, states=states)
        apart = None if not is_code else b"" if head == NO_HEAD else _ENCODER.encode(head)
        return _Answer(task.index, _ENCODER.encode(facts), head=apart, silent=silent)
    except Unreadable as error:
        return _Answer(task.index, reason=str(error))
    except RecursionError:
        return _Answer(task.index, reason="too deeply nested")
    except MemoryError:
        return _Answer(task.index, reason="too large for the memory at hand")
    except Exception as error:
        text = f"{type(error).__name__}: {error}"
        fault = f"{wanted.path}: reading it as {wanted.language} failed with {text}"
        return _Answer(task.index, reason=f"a fault of waitlint ({text})", fault=fault)
