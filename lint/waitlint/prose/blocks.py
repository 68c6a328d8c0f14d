"""Markdown cut into blocks: paragraphs, list items, headings, table cells, quotes, lines of unlabelled fences.

Reading is line by line and in one pass. A block knows the lines it was made of (without their markers) and what stands
around it: the heading above, the sentence that leads its list in, the head of its column, the other cells of its row.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from waitlint.prose import lexicon as lex
from waitlint.prose.cells import cells_of
from waitlint.prose.inline import wrapped_code

PROSE_FENCES = frozenset({"", "text", "txt", "markdown", "md", "mdx", "prompt", "plaintext", "plain", "none", "xml"})

PROGRAMMING = frozenset(
    ["python", "py", "typescript", "ts", "tsx", "javascript", "js", "jsx", "mjs", "java", "go", "golang", "rust",
     "csharp", "cs", "ruby", "php", "kotlin", "swift", "c", "cpp", "c++", "scala", "dart", "elixir", "r", "luau", "lua"]
)  # fmt: skip

SHELLS = frozenset(["bash", "sh", "shell", "zsh", "console", "terminal", "powershell", "http", "curl", "fish"])
# The line below a comment waits by itself.
_BLOCKS = re.compile(
    r"(?<=\w) (?:wait|watch)\b|--(?:wait|watch|follow|poll)\b|(?<=\w) [\w-]{2,40}[_-](?:wait|watch|poll)\b"
    r"|/(?:[\w.-]{1,40}[-_])?(?:wait|watch|poll)(?:[-_][\w-]{1,40})?(?:\.(?:py|sh|js|mjs|ts))?(?= |$)"
    r"|\b(?:kubectl|oc) .{0,200} -w\b|\blogs .{0,120}-f\b|\btail .{0,40}-[fF]\b"
)
# "sleep 30 && acme status ID" below a comment.
_SLEEPS_FIRST = re.compile(r"sleep (\d{1,4}(?:\.\d)?)(s|m)? ?(?:&&|;) ?[a-z./$]")
# "sleep 60", "sleep 60  # until the glaze has set"; in a script or a function it is the script that sleeps.
_SLEEPS = re.compile(
    r"(?:[a-z./$][^;&\n]{2,160} (?:&&|;) )?(sleep \d{1,4}s?)(?: ?(?:&&|;) |[ \t]{0,40}(#[^\n]{0,100})?$)"
)
_OF_A_SCRIPT = re.compile(r"#!|(?:for|while|until) .{1,300}\bdo$|(?:function )?\w+ ?\(\) ?\{|function \w")
_WAITS = re.compile(r"(?<![a-z])(?<!no[-_])(?:wait|watch|follow|until|poll)(?![a-z])|--(?:interval|poll-interval|bg)\b")
_FENCE = re.compile(r"[ \t]{0,20}(`{3,20}|~{3,20})[ \t]{0,8}\{?\.?([\w+#.-]{0,30})")
_HEADING = re.compile(r"[ \t]{0,8}#{1,6}[ \t]+")
_ITEM = re.compile(
    r"([ \t]*)(?:([-*+•–◦▪‣]|[-*+][ \t]+\[[ xX]\])|(\d{1,3}|[a-zA-Z])[.)]|(\d{1,3})\uFE0F?\u20E3)(?:[ \t]+|$)"
    r"(?:\[[ xX]\][ \t]+)?"
)
_QUOTE = re.compile(r"[ \t]{0,8}>[ \t]?")
_RULE = re.compile(r"[ \t]*[-*_=~─═]{3,200}[ \t]*$")
_TABLE_RULE = re.compile(r"[ \t]*\|?[ \t:|-]{2,2000}$")
_TAG_LINE = re.compile(r"[ \t]*<(/?)([A-Za-z][\w:-]{0,60})(?:[ \t][^<>]{0,200})?(/?)>[ \t]*$")
# So many tags can be open at once; what is deeper stands below the last of them.
_ITEMS_OF_A_STEP = 8
_DEEPEST = 8
_OF_HTML = lex.words("of-html")
_LOOP_LINE = re.compile(
    r"(?:while|until)\b(?: ?\(|.{0,300}(?:; ?do\b|:)[^:]{0,80}$|.{0,300}\bdo$)"
    r"|for\b.{0,200}(?:\bseq\b|\brange\(|\{\d{1,3}\.\.|\bin(?: \d{1,4}){2,20};)|for ?\(|do ?\{|setInterval\("
)
_CONTENTS = re.compile(r"\[[^\]\n]{1,200}\]\(#[^)\n]{1,200}\)[ \t]*$")
_LOOP_INSIDE = re.compile(r"(?:&&|;|\|\|) ?(?:while|until|for) .{0,200}; ?do\b")
_DRAWN = frozenset("↓▼⬇│├└┌┐┘┬┴┼")
_ENTRY = re.compile(r"[ \t]*[`\"']?[\w-]{2,40}[`\"']?[ \t]+(?:→|->|=>)[ \t]")
_SECTION = re.compile(
    r"[ \t]*(?:args|arguments|parameters|params|returns|raises|yields|examples?|notes?|usage|warning|input|output)"
    r":[ \t]*$",
    re.IGNORECASE,
)
_FRONT_KEY = re.compile(r"[A-Za-z_][\w-]{0,60}[ \t]*:|[ \t]+\S|-[ \t]|#|$")
_COMMENT = 160
_CODE_LINE = re.compile(
    r"[ \t]*(?:"
    r"//|#|/\*|\*[ \t/]|\"\"\"|'''|--[a-z]|<!|\$[ \t]|>>>|[{}\[\]()]+[;,]?[ \t]*$"
    r"|(?:import|from|const|let|var|def|class|return|async|await|export|function|fn|pub|if|for|while|switch|case|elif"
    r"|else|try|except|catch|print|echo|curl|npm|npx|pip|git|gh|docker|kubectl|sudo|cd|aws|az|gcloud)\b[^.]{0,400}"
    r"(?:[;:{(]|--?[a-z]|=|$)"
    r"|[\w.\[\]\"']{1,80}[ \t]{0,8}(?:=|:=|\+=)[ \t]{0,8}\S"
    r"|[\w.]{1,80}\([^()]{0,200}\)[;,]?[ \t]*$"
    r"|[\"'][\w-]{1,60}[\"'][ \t]{0,4}:[ \t]{0,4}[\[{\d\"'tfn]"
    r"|[^\n]{0,400}[;{][ \t]*$"
    r")"
)


# "prompt: "Watch the run …"", handed to another agent in a sample of a call.
_PROMPT = re.compile(r"""[ \t]{0,40}["']?prompt["']?[ \t]{0,4}[:=][ \t]{0,4}f?(["'`])(?=\w)""")
# "acme status ID  # poll every 5 s"
_BEHIND_A_COMMAND = re.compile(r"^[a-z$./][^#\n]{4,300}[ \t]{1,20}# (?=[A-Za-z])")
# The comment says what such a command or an option does, and the command looks again by itself.
_LOOKS_ITSELF = re.compile(
    rf"{_BLOCKS.pattern}|--?[\w-]{{0,20}}(?:interval|every|poll|period|delay|sleep|loop)\b|(?<=\w) poll (?=[^#\n]*#)"
)


@dataclass(slots=True)
class Block:
    """`lines` are half-open spans in the text, markers left out. `code` is the language of the fence that
    follows and is led in, `shown` of any that follows, `looped` whether that code loops; `drawn` where the block is a
    part of a drawing; `opens` whether a heading stands right above; `slept` how long the command below a comment sleeps
    before it looks, in seconds; `sleeps` whether the block is a line of a shell's that does nothing but sleep."""

    kind: str
    lines: list[tuple[int, int]]
    step: str = ""
    indent: int = 0
    heading: str = ""
    lead: str = ""
    column: str = ""
    row: tuple[str, ...] = ()
    quoted: bool = False
    comment: bool = False
    index: int = 0
    fence: str = ""
    code: str = ""
    opens: bool = False
    looped: bool = False
    drawn: bool = False
    shown: str = ""
    slept: float = 0.0
    first_column: str = ""
    sleeps: bool = False
    headings: tuple[str, ...] = field(default=())


def raw(text: str, block: Block) -> str:
    """The block's text as it is written, lines joined."""
    return " ".join(text[start:end] for start, end in block.lines)


def is_diagram(text: str, block: Block) -> bool:
    """Whether a line of a fence is a part of a diagram: what one part of a system does to another."""
    start, end = block.lines[0]
    if block.drawn:
        return True
    return block.kind == "fence" and text.startswith(("|", "│"), start) and text.find("->", start, end) >= 0


class _Splitter:
    def __init__(self, text: str) -> None:
        self.text = text
        self.blocks: list[Block] = []
        self.open: Block | None = None
        self.headings: list[tuple[int, str]] = []
        self.tags: list[str] = []
        self.leads: list[tuple[int, str]] = []
        self.fence = ""
        self.fence_language = ""
        self.fence_from = 0
        self.fence_drawn = False
        self.fence_looped = False
        self.columns: tuple[str, ...] = ()
        self.table_rows = 0
        self.comment = False
        self.section: Block | None = None
        self.fence_indent = 0
        self.indented_code = 0

    def run(self) -> list[Block]:
        text = self.text
        position = _after_front_matter(text)
        length = len(text)
        while position < length:
            end = text.find("\n", position)
            if end < 0:
                end = length
            stop = end - 1 if end > position and text[end - 1] == "\r" else end
            self.line(position, stop)
            position = end + 1
        return self.blocks

    def line(self, start: int, end: int) -> None:
        text = self.text
        if self.fence:
            self.fence_line(start, end)
            return
        first = start
        while first < end and text[first] in " \t":
            first += 1
        if first == end:
            self.close()
            self.columns = ()
            self.table_rows = 0
            return
        char = text[first]
        if char in "`~":
            opened = _FENCE.match(text, start, end)
            if opened and "`" not in text[opened.end() : end]:
                self.close(keep_lead=True)
                self.fence = opened[1]
                self.fence_from, self.fence_drawn, self.fence_looped = len(self.blocks), False, False
                self.fence_indent = end - start
                self.fence_language = opened[2].lower()
                if self.blocks and self.blocks[-1].kind in ("paragraph", "item"):
                    self.blocks[-1].shown = self.fence_language
                if self.blocks and self.leads_in(self.blocks[-1]):
                    self.blocks[-1].code = self.fence_language
                return
        if char == "#" and (mark := _HEADING.match(text, start, end)):
            self.heading(first, mark.end(), end)
            return
        quoted = False
        if char == ">":
            while start < end and (mark := _QUOTE.match(text, start, end)):
                start = mark.end()
                quoted = True
            first = start
            while first < end and text[first] in " \t":
                first += 1
            if first == end:
                self.close()
                return
            char = text[first]
        if char == "<":
            if text.startswith("<!--", first):
                self.close()
                self.comment = "-->" not in text[first:end]
                self.add(Block("paragraph", [(first + 4, self._comment_end(first, end))], comment=True))
                self.close()
                return
            if mark := _TAG_LINE.match(text, start, end):
                self.close()
                self.tag(mark[2].lower(), closes=bool(mark[1]), empty=bool(mark[3]))
                return
        if self.comment:
            stop = text.find("-->", start, end)
            if stop >= 0:
                self.comment = False
                end = stop
        if char == "/" and text.startswith("// ", first):
            self.close()
            return
        if char in _DRAWN or (char == "+" and text.startswith("   ", first + 1)):
            self.close()
            return
        if (char == "|" and not self._is_a_wrapped_pipe(first, end)) or (self.columns and "|" in text[first:end]):
            self.table_line(first, end, quoted)
            return
        if char in "-*_=~─═" and _RULE.match(text, start, end):
            self.close()
            return
        item = _ITEM.match(text, start, end) if not char.isalpha() or text[first + 1 : first + 2] in ".)" else None
        if item and _CONTENTS.match(text, item.end(), end):
            self.close()
            return
        if item and item.end() < end:
            self.item(item, start, end, quoted)
            return
        self.continue_or_open(start, first, end, quoted)

    def _is_a_wrapped_pipe(self, first: int, end: int) -> bool:
        """ "run `tail -f log", and on the next line "| jq .` to see": a sentence goes on inside of backticks."""
        if self.open is None or self.open.kind not in ("paragraph", "item") or self.columns:
            return False
        return wrapped_code(self.text, self.open.lines[-1], (first, end)) is not None

    def _comment_end(self, start: int, end: int) -> int:
        stop = self.text.find("-->", start, end)
        return end if stop < 0 else stop

    def fence_line(self, start: int, end: int) -> None:
        text = self.text
        stripped = text[start:end].strip()
        if "prompt" in stripped and (told := _PROMPT.match(text, start, end)) is not None:
            self.close(keep_lead=True)
            stop = text.rfind(told[1], told.end(), end)
            if stop > told.end():
                self.add(Block("fence", [(told.end(), stop)], fence="prompt"))
                self.close(keep_lead=True)
                return
        if stripped.startswith(self.fence) and not stripped.strip(self.fence[0]):
            self.fence = ""
            self.close(keep_lead=True)
            for block in self.blocks[self.fence_from :] if self.fence_drawn else ():
                block.drawn = True
            return
        self.fence_drawn = self.fence_drawn or stripped[:1] in _DRAWN
        if self.fence_language not in PROSE_FENCES or not stripped:
            self.close(keep_lead=True)
            self.line_of_code(stripped, start, end)
            return
        if stripped[0] in "❌✅✓✗✔✘⚠⏳🔴🟢" or _CODE_LINE.match(text, start, min(end, start + 600)):
            self.close(keep_lead=True)
            return
        first = start + len(text[start:end]) - len(text[start:end].lstrip())
        mark = _ITEM.match(text, start, end)
        step = ""
        if mark and mark.end() < end:
            first = mark.end()
            step = mark[3] or mark[4] or ""
        elif self.open is not None and stripped[0].islower() and len(self.open.lines) < 12:
            self.open.lines.append((first, end))
            return
        self.close(keep_lead=True)
        self.add(Block("fence", [(first, end)], step=step, fence=self.fence_language or "none"))

    def line_of_code(self, stripped: str, start: int, end: int) -> None:
        """A line of a program: whether it loops is kept, and a comment of a shell's is read as the model reads it."""
        inside = _LOOP_INSIDE.search(stripped) if self.fence_language in SHELLS else None
        looped = bool(inside or _LOOP_LINE.match(stripped))
        if looped and self.blocks and self.blocks[-1].code:
            self.blocks[-1].looped = True
        if looped and self.section is not None:
            self.section.looped = True
        if looped:
            self.step_loops()
        before = self.blocks[self.fence_from - 1] if self.fence_from else None
        comment = stripped.startswith("#")
        if before is not None and before.shown and (looped or (_BLOCKS.search(stripped) and not comment)):
            before.looped = True
        above = self.blocks[self.fence_from :]
        if above and (looped or (above[-1].lines[-1][1] >= start - 1 and _WAITS.search(stripped))):
            for block in above:
                block.looped = True
        slept = _SLEEPS_FIRST.match(stripped) if self.fence_language in SHELLS else None
        if slept and above and above[-1].lines[-1][1] >= start - 1 and not looped:
            above[-1].slept = float(slept[1]) * (60 if slept[2] == "m" else 1)
        indent = len(self.text[start:end].rstrip()) - len(stripped)
        self.fence_indent = min(self.fence_indent, indent) if stripped else self.fence_indent
        inside_a_branch = indent > self.fence_indent + 1
        of_a_shell = self.fence_language in SHELLS and stripped.startswith("# ") and len(stripped) < _COMMENT
        if of_a_shell and not inside_a_branch:
            self.add(Block("fence", [(self.text.index("#", start) + 2, end)], fence=self.fence_language, comment=False))
            self.close(keep_lead=True)
        self.fence_looped = self.fence_looped or looped
        self.fence_looped = self.fence_looped or _OF_A_SCRIPT.match(stripped) is not None
        sleeps = _SLEEPS.match(stripped) if self.fence_language in SHELLS and not self.fence_looped else None
        if sleeps is not None:
            at = self.text.index(stripped, start)
            told = (at + sleeps.start(1), at + max(sleeps.end(1), sleeps.end(2)))
            self.add(Block("fence", [told], fence=self.fence_language, sleeps=True))
            self.close(keep_lead=True)
            return
        behind = _BEHIND_A_COMMAND.search(stripped) if self.fence_language in SHELLS and not comment else None
        if behind is not None and not self.fence_looped and not _LOOKS_ITSELF.search(stripped):
            first = self.text.index(stripped, start) + behind.end()
            self.add(Block("fence", [(first, end)], fence=self.fence_language, comment=False))
            self.close(keep_lead=True)

    def step_loops(self) -> None:
        """A loop in the fence of a step, below what the step's items say of it: they and the step tell of the loop."""
        above = self.blocks[max(0, self.fence_from - _ITEMS_OF_A_STEP) : self.fence_from]
        if not above or above[-1].kind != "item" or not above[-1].indent:
            return
        indent = above[-1].indent
        for block in reversed(above):
            if block.kind != "item":
                return
            block.looped = True
            if block.indent < indent:
                return

    def heading(self, first: int, body: int, end: int) -> None:
        text = self.text
        self.close()
        self.leads = []
        level = 0
        while text[first + level : first + level + 1] == "#":
            level += 1
        while end > body and text[end - 1] in "# \t":
            end -= 1
        while self.headings and self.headings[-1][0] >= level:
            self.headings.pop()
        self.section = self.add(Block("heading", [(body, end)], step=str(level)))
        self.close()
        self.headings.append((level, text[body:end].lower()))

    def tag(self, name: str, *, closes: bool, empty: bool) -> None:
        """A tag alone on its line heads what it encloses: `<workflow>`, `<capabilities>`."""
        if closes and name in self.tags:
            del self.tags[self.tags.index(name) :]
        elif not (closes or empty or name in _OF_HTML) and len(self.tags) < _DEEPEST:
            self.tags.append(name)

    def item(self, mark: re.Match[str], start: int, end: int, quoted: bool) -> None:
        self.close(keep_lead=True)
        indent = len(mark[1].expandtabs(4))
        while self.leads and self.leads[-1][0] >= indent and self.leads[-1][0] >= 0:
            self.leads.pop()
        step = mark[3] or mark[4] or ""
        self.add(Block("item", [(mark.end(), end)], step=step, indent=indent, quoted=quoted))

    def table_line(self, first: int, end: int, quoted: bool) -> None:
        text = self.text
        self.close()
        if _TABLE_RULE.match(text, first, end):
            return
        cells = cells_of(text, first, end)
        words = tuple(text[a:b].strip().lower() for a, b in cells)
        if not self.columns:
            self.columns = words or ("",)
            self.table_rows = 0
            following = text[end : end + 2000].lstrip("\r\n").split("\n", 1)[0]
            if following and _TABLE_RULE.match(following):
                return
        self.table_rows += 1
        heads = self.columns if self.table_rows > 1 or len(self.columns) != len(words) or words != self.columns else ()
        for number, (a, b) in enumerate(cells):
            if a < b:
                head = heads[number] if number < len(heads) else ""
                self.add(Block("cell", [(a, b)], column=head, row=words, step=str(number), quoted=quoted))
                self.blocks[-1].first_column = heads[0] if heads else ""
                self.close()

    def continue_or_open(self, start: int, first: int, end: int, quoted: bool) -> None:
        text = self.text
        block = self.open
        if first - start < self.indented_code:
            self.indented_code = 0
        if _ENTRY.match(text, start, end):
            self.close()
            block = None
        if _SECTION.match(text, start, end):
            self.close()
            self.add(Block("paragraph", [(first, end)], quoted=quoted))
            self.close()
            return
        indent = first - start
        if indent >= 4 and (self.indented_code or _CODE_LINE.match(text, start, min(end, start + 600))):
            self.indented_code = indent
            return
        if block is not None and block.kind in ("paragraph", "item"):
            block.lines.append((first, end))
            return
        if indent == 0 and not quoted:
            self.leads = []
        self.add(Block("paragraph", [(first, end)], indent=indent, quoted=quoted, comment=self.comment))

    def add(self, block: Block) -> Block:
        block.heading = self.headings[-1][1] if self.headings else ""
        block.headings = (*(words for _, words in self.headings), *(name.replace("_", " ") for name in self.tags))
        block.lead = " ".join(words for _, words in self.leads)
        block.index = len(self.blocks)
        block.opens = bool(self.blocks) and self.blocks[-1].kind == "heading"
        self.blocks.append(block)
        self.open = block
        return block

    def leads_in(self, block: Block) -> bool:
        """Whether a block introduces what follows: a heading, a bold line, a sentence that ends with a colon."""
        if block.kind == "heading":
            return True
        first, last = block.lines[0], block.lines[-1]
        words = self.text[last[0] : last[1]].rstrip()
        bold = len(block.lines) == 1 and self.text.startswith("**", first[0]) and words.endswith("**")
        return bold or words.rstrip("*_").endswith((":", "\uff1a"))

    def close(self, *, keep_lead: bool = False) -> None:
        block = self.open
        self.open = None
        if block is None or block.kind not in ("paragraph", "item"):
            return
        length = block.lines[-1][1] - block.lines[0][0]
        if length < 400 and self.leads_in(block):
            words = raw(self.text, block).lower()
            if block.kind == "item":
                self.leads.append((block.indent, words))
            elif block.indent:  # Inside an item: what is led in stands there, too.
                self.leads = [lead for lead in self.leads if lead[0] < block.indent - 1]
                self.leads.append((block.indent - 1, words))
            else:
                self.leads = [(-1, words)]


def _after_front_matter(text: str) -> int:
    """Where the body begins: behind a front matter, which is another text with another role."""
    if not text.startswith(("---\n", "---\r\n")):
        return 0
    position = text.find("\n") + 1
    for _ in range(200):
        end = text.find("\n", position)
        line = text[position : end if end >= 0 else len(text)].rstrip()
        if line == "---":
            return end + 1 if end >= 0 else len(text)
        if not _FRONT_KEY.match(line) or end < 0:
            return 0
        position = end + 1
    return 0


def split(text: str) -> list[Block]:
    """All blocks of a text, in order."""
    return _Splitter(text).run()
