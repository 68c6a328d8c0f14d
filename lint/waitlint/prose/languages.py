"""The commonest polling phrases of eight other languages; found at low confidence alone."""

from __future__ import annotations

import re

_UNIT = r"(?:s|sek|seg|sec|min|сек\w{0,4}|мин\w{0,3}|sekunden?|segundos?|secondes?|minuten?|minutos?|minutes?)"
_PHRASES: tuple[tuple[str, str], ...] = (
    # German
    (r"\b(?:frage|rufe?|prüfe?|überprüfe?|polle?|kontrolliere?|warte)\b[^.!?\n]{0,80}\b(?:alle \d{1,4} ?" + _UNIT + r"|wiederholt|erneut|regelmäßig)\b", "de"),
    (r"\b(?:frage|rufe?|prüfe?|überprüfe?|polle?|pollen|warte)\b[^.!?\n]{0,80}\bbis\b[^.!?\n]{0,40}\b(?:status|fertig|abgeschlossen|bereit|beendet|läuft nicht)\b", "de"),
    # Spanish
    (r"\b(?:consulta|comprueba|verifica|revisa|llama|sondea|repite|espera)\b[^.!?\n]{0,80}\b(?:cada \d{1,4} ?" + _UNIT + r"|repetidamente|periódicamente|de nuevo hasta)\b", "es"),
    (r"\b(?:consulta|comprueba|verifica|revisa|llama|sondea|sigue)\b[^.!?\n]{0,80}\bhasta que\b[^.!?\n]{0,40}\b(?:estado|complet\w{1,4}|termin\w{1,5}|list[oa]|finali\w{2,5})\b", "es"),
    # French
    (r"\b(?:interroge[zr]?|vérifie[zr]?|appelle[zr]?|consulte[zr]?|sonde[zr]?|attends|attendez)\b[^.!?\n]{0,80}\b(?:toutes les \d{1,4} ?" + _UNIT + r"|régulièrement|en boucle|périodiquement)\b", "fr"),
    (r"\b(?:interroge[zr]?|vérifie[zr]?|appelle[zr]?|consulte[zr]?|continue[zr]?)\b[^.!?\n]{0,80}\bjusqu'à ce qu[^.!?\n]{0,50}\b(?:statut|état|termin\w{1,3}|prêt\w?|complet\w?|fini\w?)\b", "fr"),
    # Portuguese
    (r"\b(?:consulte|verifique|chame|cheque|aguarde|espere|repita|continue)\b[^.!?\n]{0,80}\b(?:a cada \d{1,4} ?" + _UNIT + r"|repetidamente|periodicamente)\b", "pt"),
    (r"\b(?:consulte|verifique|chame|cheque|continue)\b[^.!?\n]{0,80}\baté que\b[^.!?\n]{0,40}\b(?:status|estado|conclu\w{2,4}|termin\w{1,4}|pront[oa]|complet\w{1,3})\b", "pt"),
    # Russian
    (r"\b(?:опрашивай\w{0,2}|проверяй\w{0,2}|вызывай\w{0,2}|запрашивай\w{0,2}|повторяй\w{0,2}|жди\w{0,2})\b[^.!?\n]{0,80}\b(?:кажды[ей] \d{1,4} ?" + _UNIT + r"|периодически|пока не|до тех пор)\b", "ru"),
    # Chinese
    (r"轮询[^。！？\n]{0,20}(?:状态|任务|结果|直到|接口|进度)", "zh"),
    (r"每隔?[^。！？\n]{0,6}(?:秒|分钟)[^。！？\n]{0,20}(?:查询|检查|调用|轮询|请求)", "zh"),
    (r"(?:查询|检查|调用|重复|不断|持续)[^。！？\n]{0,30}直到[^。！？\n]{0,20}(?:完成|成功|失败|就绪|结束|状态)", "zh"),
    # Japanese
    (r"ポーリング(?:を(?:継続|続け|優先|行|実行)|し(?:て|ます|続け))", "ja"),
    (r"\d{1,4} ?(?:秒|分)(?:ごと|おき|間隔)に?[^。！？\n]{0,30}(?:確認|呼び出|ポーリング|チェック|取得)", "ja"),
    (r"(?:完了|成功|終了|準備)[^。！？\n]{0,12}(?:まで|するまで)[^。！？\n]{0,24}(?:呼び出し|確認し|ポーリング|チェックし)続け", "ja"),
    # Korean
    (r"\d{1,4} ?(?:초|분) ?(?:마다|간격으로)[^.!?\n]{0,30}(?:확인|호출|조회|폴링)", "ko"),
    (r"(?:완료|성공|종료|준비)[^.!?\n]{0,12}때까지[^.!?\n]{0,30}(?:호출|확인|조회|폴링|반복)", "ko"),
    (r"폴링(?:하세요|하십시오|합니다|을 (?:계속|반복))", "ko"),
)  # fmt: skip
_PATTERNS = tuple((re.compile(pattern), language) for pattern, language in _PHRASES)
_NOT = re.compile(
    r"\b(?:nicht|kein\w{0,2}|no|nunca|sin|ne|pas|jamais|sans|não|nunca|sem|не|никогда|нельзя|без)\b|不要|不用|无需|禁止|请勿|避免|しない|せず|不要|禁止|ない|하지 마|말고|없이|금지"
)
_HINTS = ("ポーリング", "轮询", "폴링", "秒", "分", "直到", "まで", "마다", "때까지", "간격")
_LATIN = ("alle ", " bis ", "cada ", "hasta que", "toutes les", "jusqu", "até que", "repetid", "periódic", "périodi",
          "wiederholt", "erneut", "regelmäßig", "boucle", "régulièrement", "periodicamente", "кажд", "пока не", "периодич", "до тех пор")  # fmt: skip
NAMES = {"de": "German", "es": "Spanish", "fr": "French", "pt": "Portuguese", "zh": "Chinese", "ja": "Japanese", "ko": "Korean", "ru": "Russian"}  # fmt: skip


def has_foreign_cue(low: str) -> bool:
    if any(word in low for word in _LATIN):
        return True
    return not low.isascii() and any(word in low for word in _HINTS)


def foreign(low: str) -> tuple[int, int, str] | None:
    """Start, end and language of a polling phrase in a lower-cased sentence, or None."""
    if not has_foreign_cue(low):
        return None
    for pattern, language in _PATTERNS:
        match = pattern.search(low)
        if match is not None and not _NOT.search(low[max(0, match.start() - 24) : match.end() + 8]):
            return match.start(), match.end(), NAMES[language]
    return None
