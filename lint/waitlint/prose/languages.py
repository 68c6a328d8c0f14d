"""The commonest polling phrases of eight other languages; found at low confidence alone."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from waitlint.prose.guarded import has_any

_Patterns = Sequence[tuple[str, re.Pattern[str]]]


class _Phrases(NamedTuple):
    """How a language orders a loop: a verb of looking, then an interval, or "until" and an end; or one idiom."""

    verbs: str
    repeats: str
    until: str
    ends: str


_UNIT = r"(?:s|sek|seg|sec|min|сек\w{0,4}|мин\w{0,3}|sekunden?|segundos?|secondes?|minuten?|minutos?|minutes?)"
_LATIN = {
    "German": _Phrases(
        r"frage|rufe?|prüfe?|überprüfe?|polle?n?|kontrolliere?|warte",
        rf"alle \d{{1,4}} ?{_UNIT}|wiederholt|erneut|regelmäßig",
        r"\bbis\b",
        r"status|fertig|abgeschlossen|bereit|beendet",
    ),
    "Spanish": _Phrases(
        r"consulta|comprueba|verifica|revisa|llama|sondea|repite|espera|sigue",
        rf"cada \d{{1,4}} ?{_UNIT}|repetidamente|periódicamente",
        r"\bhasta que\b",
        r"estado|complet\w{1,4}|termin\w{1,5}|list[oa]|finali\w{2,5}",
    ),
    "French": _Phrases(
        r"interroge[zr]?|vérifie[zr]?|appelle[zr]?|consulte[zr]?|sonde[zr]?|attends|attendez|continue[zr]?",
        rf"toutes les \d{{1,4}} ?{_UNIT}|régulièrement|en boucle|périodiquement",
        r"\bjusqu'à ce qu",
        r"statut|état|termin\w{1,3}|prêt\w?|complet\w?|fini\w?",
    ),
    "Portuguese": _Phrases(
        r"consulte|verifique|chame|cheque|aguarde|espere|repita|continue",
        rf"a cada \d{{1,4}} ?{_UNIT}|repetidamente|periodicamente",
        r"\baté que\b",
        r"status|estado|conclu\w{2,4}|termin\w{1,4}|pront[oa]|complet\w{1,3}",
    ),
    "Russian": _Phrases(
        r"опрашивай\w{0,2}|проверяй\w{0,2}|вызывай\w{0,2}|запрашивай\w{0,2}|повторяй\w{0,2}|жди\w{0,2}",
        rf"кажды[ей] \d{{1,4}} ?{_UNIT}|периодически",
        r"\b(?:пока|до тех пор)\b",
        r"статус|готов\w{0,2}|заверш\w{1,6}|законч\w{1,5}|выполн\w{1,6}",
    ),
}
_IDIOMS = {
    "Chinese": (
        r"轮询[^。！？\n]{0,20}(?:状态|任务|结果|直到|接口|进度)",
        r"每隔?[^。！？\n]{0,6}(?:秒|分钟)[^。！？\n]{0,20}(?:查询|检查|调用|轮询|请求)",
        r"(?:查询|检查|调用|重复|不断|持续)[^。！？\n]{0,30}直到[^。！？\n]{0,20}(?:完成|成功|失败|就绪|结束|状态)",
    ),
    "Japanese": (
        r"ポーリング(?:を(?:継続|続け|優先|行|実行)|し(?:て|ます|続け))",
        r"\d{1,4} ?(?:秒|分)(?:ごと|おき|間隔)に?[^。！？\n]{0,30}(?:確認|呼び出|ポーリング|チェック|取得)",
        r"(?:完了|成功|終了|準備)[^。！？\n]{0,12}まで[^。！？\n]{0,24}(?:呼び出し|確認し|ポーリング|チェックし)続け",
        r"(?:完了|成功|終了|準備)[^。！？\n]{0,12}まで[^。！？\n]{0,24}繰り返し(?:呼び出|確認|取得|チェック)",
    ),
    "Korean": (
        r"\d{1,4} ?(?:초|분) ?(?:마다|간격으로)[^.!?\n]{0,30}(?:확인|호출|조회|폴링)",
        r"(?:완료|성공|종료|준비)[^.!?\n]{0,12}때까지[^.!?\n]{0,30}(?:호출|확인|조회|폴링|반복)",
        r"폴링(?:하세요|하십시오|합니다|을 (?:계속|반복))",
    ),
}

# "If it is still running, wait 10 seconds and look again": while something is pending, and not after an error.
_NAMED = "pending|running|in_progress|processing|queued"
_STILL = {
    "Spanish": rf"\b(?:sigue|aún|todavía|pendiente|{_NAMED})\b[^.!?\n]{{0,60}}\bespera\b[^.!?\n]{{0,40}}\b(?:vuelve a "
    r"(?:consultar|comprobar|verificar|revisar|llamar)"
    r"|(?:consulta|comprueba|verifica|revisa|llama)\b[^.!?\n]{0,30}\b(?:de nuevo|otra vez|nuevamente))\b",
    "French": rf"\b(?:encore|toujours|en cours|{_NAMED})\b[^.!?\n]{{0,60}}\b(?:attends|attendez)\b[^.!?\n]{{0,40}}"
    r"\b(?:revérifie[zr]?|réessaie|réessayez"
    r"|(?:vérifie|consulte|appelle|interroge)z?\b[^.!?\n]{0,30}(?:à nouveau|de nouveau))\b",
    "Portuguese": rf"\b(?:ainda|pendente|{_NAMED})\b[^.!?\n]{{0,60}}\b(?:aguarde|espere)\b[^.!?\n]{{0,40}}"
    r"\b(?:consulte|verifique|chame|cheque)\b[^.!?\n]{0,30}\b(?:novamente|de novo|outra vez)\b",
    "Russian": rf"\b(?:ещё|еще|{_NAMED})\b[^.!?\n]{{0,60}}\b(?:подожди|жди)\w{{0,2}}\b[^.!?\n]{{0,40}}"
    r"\b(?:(?:проверь|вызови|запроси|опроси)(?:те)?\b[^.!?\n]{0,30}\b(?:снова|ещё раз|еще раз|повторно)"
    r"|(?:снова|ещё раз|еще раз|повторно) (?:проверь|вызови|запроси|опроси)(?:те)?)\b",
    "Chinese": rf"(?:仍|还在|还未|尚未|未完成|进行中|处理中|{_NAMED})[^。！？\n]{{0,20}}(?:等待|稍后|稍候|稍等)"
    r"[^。！？\n]{0,16}(?:再次?|重新)(?:查询|检查|调用|轮询|查看|请求)",
    "Japanese": rf"(?:まだ|実行中|処理中|{_NAMED})[^。！？\n]{{0,20}}(?:待って|待ち)[^。！？\n]{{0,14}}"
    r"(?:再度|もう一度|再び)[^。！？\n]{0,20}(?:確認|呼び出|チェック|取得)",
    "Korean": rf"(?:아직|실행 중|진행 중|{_NAMED})[^.!?\n]{{0,30}}(?:초|분|잠시) ?(?:후에?|뒤에?)[^.!?\n]{{0,20}}"
    r"다시 (?:확인|호출|조회)",
}
_PERSON = re.compile(r"用户|ユーザー|사용자|usuari|utilisat|usuári|пользовател|\buser\b")


def _pattern(phrases: _Phrases) -> re.Pattern[str]:
    gap = r"[^.!?\n]{0,80}"
    return re.compile(
        rf"\b(?:{phrases.verbs})\b{gap}(?:\b(?:{phrases.repeats})\b"
        rf"|{phrases.until}[^.!?\n]{{0,40}}\b(?:{phrases.ends})\b)"
    )


_PATTERNS = tuple(
    [(language, _pattern(phrases)) for language, phrases in _LATIN.items()]
    + [(language, re.compile("|".join(idioms))) for language, idioms in _IDIOMS.items()]
)
_STILLS = tuple((language, re.compile(pattern)) for language, pattern in _STILL.items())
_NOT = re.compile(
    r"\b(?:nicht|kein\w{0,2}|nie|no|nunca|sin|ne|pas|jamais|sans|não|sem|не|никогда|нельзя|без)\b"
    r"|不要|不用|不必|无需|禁止|请勿|避免|しない|せず|不要|ない|하지 마|말고|없이|금지"
)
# Bans alone: "尚未", "aún no" and "ещё не" say that something is pending.
_FORBIDS = re.compile(
    r"\b(?:nunca|sin|jamais|sans|sem|никогда|нельзя|без)\b|\bno esper|\bn'attend|\bnão (?:aguarde|espere)"
    r"|\bне (?:по)?жди|不要|不用|不必|无需|禁止|请勿|避免|待たず|しない|せず|하지 마|말고|없이|금지"
)
# A negator that belongs to what is waited for: "пока не готово", "jusqu'à ce qu'il ne soit plus".
_WAITED_FOR = re.compile(r"\bпока\b[^.!?\n]{0,30}?\bне\b")
_CUES = (
    "alle ", " bis ", "cada ", "hasta que", "toutes les", "jusqu", "até que", "repetid", "periódic", "périodi",
    "wiederholt", "erneut", "regelmäßig", "boucle", "régulièrement", "periodicamente",
    "espera ", "attends ", "attendez ", "aguarde ", "espere ",
)  # fmt: skip
_WIDE_CUES = (
    "ポーリング", "轮询", "폴링", "秒", "分", "直到", "まで", "마다", "때까지", "간격", "кажд", "пока", "периодич",
    "до тех пор", "подожди", "稍", "等待", "待って", "待ち", "잠시", "초 ",
)  # fmt: skip


def foreign_cues(low: str) -> tuple[str, ...]:
    """The words of which each phrase needs one, as far as a lower-cased text can hold them."""
    return _CUES if low.isascii() else _CUES + _WIDE_CUES


def foreign(low: str) -> tuple[int, int, str] | None:
    """Start, end and language of a polling phrase in a lower-cased sentence, or None."""
    if not has_any(low, foreign_cues(low)):
        return None
    found = _first(low, _PATTERNS, lambda near: _NOT.search(_WAITED_FOR.sub("", near)) is not None)
    if found is not None or _PERSON.search(low):
        return found  # What a person is to be told while something is pending is no order.
    return _first(low, _STILLS, lambda near: _FORBIDS.search(near) is not None)


def _first(low: str, patterns: _Patterns, is_ruled_out: Callable[[str], bool]) -> tuple[int, int, str] | None:
    """Start, end and language of the first of some phrases that no word at or in it rules out."""
    for language, pattern in patterns:
        match = pattern.search(low)
        if match is not None and not is_ruled_out(low[max(0, match.start() - 24) : match.end() + 8]):
            return match.start(), match.end(), language
    return None
