"""The closed word classes that the grammar is built on. Words of content are data here; what they mean together is not."""

from __future__ import annotations


def _inflect(lemma: str) -> dict[str, tuple[str, str]]:
    """All forms of a regular verb: base, -s, -ing, -ed."""
    head = lemma
    doubled = lemma in ("run", "get", "stop", "rerun", "re-run", "spin", "ping") and lemma != "ping"
    silent_e = lemma.endswith("e") and not lemma.endswith(("ee", "ye"))
    stem = head[:-1] if silent_e else head
    if doubled:
        stem = head + head[-1]
    third = head + ("es" if head.endswith(("s", "sh", "ch", "x", "z")) else "s")
    past = stem + "ed"
    if head.endswith("y") and head[-2] not in "aeiou":
        third, past = head[:-1] + "ies", head[:-1] + "ied"
    return {head: (lemma, "base"), third: (lemma, "s"), stem + "ing": (lemma, "ing"), past: (lemma, "ed")}


def _table(*lemmas: str, irregular: dict[str, tuple[str, str]] | None = None) -> dict[str, tuple[str, str]]:
    table: dict[str, tuple[str, str]] = {}
    for lemma in lemmas:
        table.update(_inflect(lemma))
    table.update(irregular or {})
    return table


POLL = frozenset(["poll", "re-poll", "repoll", "long-poll", "busy-poll"])
LOOK = frozenset(
    ["check", "recheck", "re-check", "double-check", "monitor", "watch", "query", "requery", "re-query", "probe", "re-probe", "inspect", "consult", "track", "observe", "verify", "refresh", "ping", "look", "ask", "tail", "read", "re-read", "view", "test"]
)
FETCH = frozenset(["get", "fetch", "refetch", "re-fetch", "retrieve", "list", "request", "pull", "grab", "load", "reload"])
CALL = frozenset(
    ["call", "recall", "re-call", "invoke", "re-invoke", "use", "run", "rerun", "re-run", "execute", "re-execute", "hit", "issue", "send", "try"]
)
RETRY = frozenset(["retry", "re-try"])
KEEP = frozenset(["keep", "continue", "resume", "proceed"])
WAIT = frozenset(["wait", "sleep", "pause", "hold", "block", "delay", "await"])
REPEAT = frozenset(["repeat", "loop", "iterate", "cycle"])

VERBS: dict[str, tuple[str, str]] = {
    **_table(*sorted(POLL | LOOK | FETCH | CALL | RETRY | KEEP | WAIT | REPEAT)),
    **{word: ("get", form) for word, form in (("got", "ed"), ("gotten", "ed"))},
    **{word: ("run", form) for word, form in (("ran", "ed"),)},
    **{word: ("keep", form) for word, form in (("kept", "ed"),)},
    **{word: ("sleep", form) for word, form in (("slept", "ed"),)},
    **{word: ("send", form) for word, form in (("sent", "ed"),)},

}
for _wrong in ("runed", "keeped", "sleeped", "sended", "readed", "geted", "getted", "runned", "holded", "hited"):
    VERBS.pop(_wrong, None)
VERBS["retries"] = ("retry", "s")
VERBS["held"] = ("hold", "ed")
VERBS["hitting"] = ("hit", "ing")

# Verbs whose base form begins an order of another kind; they end the scope of what came before.
OTHER_ORDERS = frozenset(
    ["add", "adjust", "allow", "analyze", "announce", "answer", "append", "apply", "ask", "assign", "attach", "avoid", "begin", "break", "build", "choose", "click", "clone", "close", "collect", "combine", "compare", "complete", "compute", "configure", "confirm", "consider", "copy", "create", "decide", "define", "delete", "deploy", "describe", "determine", "display", "do", "download", "draft", "edit", "enable", "end", "ensure", "enqueue", "enter", "escalate", "evaluate", "exit", "explain", "export", "extract", "fail", "fall", "fill", "filter", "find", "finish", "fix", "follow", "generate", "give", "go", "handle", "identify", "ignore", "implement", "import", "include", "increase", "inform", "install", "kick", "launch", "leave", "let", "lint", "log", "make", "map", "mark", "merge", "move", "note", "notify", "obtain", "open", "optimize", "output", "parse", "pass", "paste", "perform", "pick", "plan", "post", "prefer", "prepare", "present", "print", "process", "produce", "prompt", "provide", "publish", "push", "put", "raise", "re-run", "record", "redirect", "remember", "remove", "rename", "render", "replace", "reply", "report", "reset", "resolve", "respond", "restart", "resubmit", "return", "review", "rewrite", "save", "say", "schedule", "scroll", "search", "select", "set", "share", "show", "skip", "start", "state", "stop", "store", "submit", "summarize", "surface", "switch", "take", "tell", "terminate", "treat", "trigger", "turn", "type", "understand", "update", "upload", "validate", "visit", "warn", "write"]
)

MODALS = frozenset(["must", "should", "shall", "can", "could", "may", "might", "will", "would", "ought", "cannot", "can't"])
SEMI_MODALS = frozenset(
    ["need", "needs", "have", "has", "want", "wants", "required", "expected", "supposed", "able", "allowed", "free", "responsible"]
)

ADVERBS = frozenset(
    ["again", "also", "always", "automatically", "briefly", "carefully", "constantly", "continually", "continuously", "efficiently", "explicitly", "first", "finally", "frequently", "immediately", "instead", "intermittently", "internally", "just", "later", "manually", "merely", "next", "now", "occasionally", "often", "only", "patiently", "periodically", "please", "politely", "proactively", "promptly", "quickly", "quietly", "regularly", "repeatedly", "silently", "simply", "slowly", "sometimes", "soon", "still", "then", "there", "therefore", "thereafter", "thus", "afterwards", "afterward", "subsequently", "eventually", "usually", "typically", "actively", "really", "actually", "too", "either", "both", "ideally", "preferably", "optionally", "alternatively", "meanwhile", "otherwise", "once", "twice", "rather", "actively", "asynchronously", "synchronously", "closely", "directly", "gently", "gradually", "likewise", "blindly", "busy-wait", "tightly", "forever", "indefinitely", "naturally", "initially", "specifically", "obviously"]
)
MARKERS = frozenset(
    ["and", "or", "then", "but", "so", "plus", "&", "also", "next", "finally", "instead", "otherwise", "now", "please", "just", "first", "second", "third", "lastly", "so", "note", "important", "warning", "tip", "hint", "remember", "always", "simply", "therefore", "afterwards", "afterward", "meanwhile", "alternatively", "ok", "okay", "yes", "no", "else", "step", "after", "that", "either", "thus", "hence", "critical", "mandatory", "required", "optional", "optionally", "recommended", "optionally"]
)
DETERMINERS = frozenset(
    ["a", "an", "the", "this", "that", "these", "those", "each", "every", "any", "some", "no", "its", "your", "their", "his", "her", "our", "my", "one", "two", "three", "four", "five", "per", "another", "next", "previous", "last", "first", "same", "such", "which", "what", "whose", "many", "more", "most", "few", "several", "all", "both", "single", "initial", "final", "subsequent", "following", "further", "extra", "additional", "only", "full", "new"]
)
PREPOSITIONS = frozenset(
    ["of", "for", "with", "in", "on", "at", "by", "from", "via", "through", "during", "between", "without", "into", "onto", "about", "over", "under", "per", "as", "than", "like", "against", "across", "within", "after", "before", "despite", "upon", "towards", "toward", "around", "among", "using"]
)

MODEL = frozenset(
    ["you", "agent", "agents", "assistant", "assistants", "claude", "codex", "gpt", "gemini", "copilot", "cursor", "model", "models", "llm", "llms", "ai", "subagent", "subagents", "sub-agent", "sub-agents", "bot", "orchestrator", "coordinator"]
)
PERSON = frozenset(
    ["user", "users", "human", "humans", "people", "person", "developer", "developers", "operator", "operators", "team", "teams", "reviewer", "reviewers", "customer", "customers", "engineer", "engineers", "admin", "admins", "administrator", "client's", "they", "he", "she", "someone", "anyone", "everyone", "owner", "owners", "player", "players", "visitor", "visitors", "students", "student", "maintainers", "maintainer", "manager", "managers", "staff", "we"]
)
PROGRAM = frozenset(
    ["tool", "tools", "function", "functions", "method", "methods", "command", "commands", "server", "servers", "endpoint", "endpoints", "api", "apis", "call", "calls", "script", "scripts", "sdk", "helper", "helpers", "wrapper", "library", "cli", "hook", "hooks", "daemon", "daemons", "watcher", "watchers", "worker", "workers", "process", "processes", "service", "services", "workflow", "workflows", "action", "actions", "runner", "runners", "system", "systems", "backend", "backends", "frontend", "frontends", "ui", "widget", "widgets", "app", "apps", "application", "applications", "page", "pages", "browser", "browsers", "dashboard", "dashboards", "job", "jobs", "cron", "scheduler", "schedulers", "loop", "loops", "thread", "threads", "program", "programs", "code", "implementation", "implementations", "integration", "integrations", "pipeline", "pipelines", "plugin", "plugins", "extension", "extensions", "gateway", "gateways", "listener", "listeners", "consumer", "consumers", "client", "clients", "caller", "callers", "this", "it", "which", "that", "class", "module", "component", "components", "host", "hosts", "harness", "waiter", "skill", "skills", "provider", "providers", "query", "queries", "container", "containers", "engine", "engines", "handler", "handlers", "webhook", "webhooks", "lambda", "controller", "controllers", "operator's", "task", "tasks", "future", "promise", "stream", "streams", "websocket", "adapter", "adapters", "driver", "drivers", "device", "devices", "software", "platform", "platforms", "middleware", "flag", "option", "mode", "router", "kernel", "producer", "subscriber", "subscribers", "receiver", "monitor", "monitors", "bridge", "proxy"]
)

STATUS = frozenset(
    ["status", "statuses", "state", "states", "progress", "result", "results", "completion", "job", "jobs", "task", "tasks", "run", "runs", "build", "builds", "deploy", "deployment", "deployments", "rollout", "pipeline", "pipelines", "workflow", "workflows", "operation", "operations", "execution", "executions", "ci", "checks", "check", "queue", "inbox", "output", "outputs", "log", "logs", "endpoint", "url", "port", "balance", "token", "token's", "response", "responses", "export", "exports", "render", "renders", "import", "scan", "scans", "query", "queries", "session", "sessions", "process", "processes", "batch", "batches", "transaction", "transactions", "tx", "receipt", "confirmation", "confirmations", "health", "readiness", "availability", "replication", "provisioning", "cluster", "instance", "pr", "checkrun", "message", "messages", "event", "events", "reply", "replies", "update", "updates", "notification", "approval", "mission", "missions", "generation", "generations", "crawl", "crawls", "backtest", "backtests", "analysis", "stack", "server", "service", "page", "image", "video", "download", "upload", "file", "prediction", "predictions", "invoice", "payment", "order", "orders", "swap", "bridge", "request", "ticket", "signal", "outputs", "terminal", "shell", "command", "program", "child", "agent", "agents", "subagent", "subagents", "worker", "workers", "sandbox", "environment", "container", "pod", "pods", "vm", "node", "nodes", "index", "indexing", "migration", "migrations", "simulation", "experiment", "training", "finetune", "fine-tune", "review", "reviews", "comment", "comments", "answer"]
)
# Nouns that speak of an outside process and hardly of anything else: with these a bare marker is enough.
STRONG_STATUS = frozenset(
    ["status", "statuses", "progress", "job", "jobs", "task", "build", "builds", "deployment", "deployments", "rollout", "pipeline", "workflow", "operation", "execution", "ci", "run", "completion", "scan", "export", "render", "generation", "backtest", "crawl", "batch", "prediction", "transaction", "tx", "receipt", "mission", "provisioning", "replication", "health", "readiness", "queue", "inbox", "checks", "state"]
)

PENDING = frozenset(
    ["running", "pending", "queued", "processing", "in_progress", "in-progress", "inprogress", "incomplete", "unfinished", "starting", "building", "bootstrapping", "provisioning", "initializing", "initialising", "creating", "updating", "deploying", "submitted", "working", "busy", "loading", "waiting", "uploading", "indexing", "syncing", "rendering", "generating", "transcribing", "not_ready", "unready", "unresolved", "scheduled", "pending_review", "computing", "transitional", "in-flight", "backgrounded", "non-terminal", "nonterminal", "propagating", "still", "yet"]
)
DONE = frozenset(
    ["complete", "completes", "completed", "done", "finished", "finish", "finishes", "ready", "terminal", "succeeded", "succeeds", "success", "successful", "failed", "fails", "failure", "available", "active", "exits", "exited", "exit", "up", "online", "appears", "appear", "arrives", "arrived", "arrive", "published", "indexed", "live", "settled", "confirmed", "confirms", "processed", "resolved", "resolves", "healthy", "stable", "deployed", "landed", "merged", "ends", "ended", "returns", "returned", "idle", "stopped", "cancelled", "canceled", "over", "expired", "expires", "error", "errored", "lands", "settles", "loaded", "loads", "responds", "responding", "reachable", "running", "gone", "started", "starts", "accepts", "listening", "green", "visible", "changes", "changed", "leaves", "propagated", "populated", "present", "exists", "materializes", "paid", "detected", "received", "mined", "finalized", "included", "accepted", "connected", "unlocked", "freed", "respond", "closed", "answered"]
)
DRAIN = frozenset(
    ["page", "pages", "cursor", "cursors", "next", "next_token", "nexttoken", "next_cursor", "remaining", "remain", "remains", "exhausted", "empty", "last_page", "null", "token", "more", "batch", "batches", "items", "item", "entries", "rows", "records", "zero", "list", "backlog", "left", "has_more", "hasmore", "chunk", "chunks", "pagetoken", "nextpagetoken", "continuation", "drained", "covered", "every", "all", "each", "offset"]
)
FIX = frozenset(
    ["test", "tests", "pass", "passes", "passed", "passing", "errors", "warnings", "lint", "linter", "clean", "fixed", "fix", "correct", "valid", "validates", "validation", "coverage", "converge", "converges", "converged", "compiles", "compile", "satisfied", "happy", "satisfactory", "accurate", "perfect", "solved", "quality", "requirements", "criteria", "issues", "bugs", "feedback", "violations", "findings", "failures", "typecheck", "typechecks", "consensus", "confidence", "confident", "certain", "sure", "good", "acceptable", "enough", "understand", "clear", "clarity", "insight", "approves", "hypothesis", "reviewer", "match", "matches"]
)
USER = frozenset(
    ["user", "users", "human", "humans", "user's", "they", "customer", "engineer", "reviewer", "approves", "approve", "approved", "agrees", "asks", "tells", "says", "interrupts", "interrupted", "stops", "satisfied", "happy", "instructed", "told", "you", "you're", "you've", "we", "person", "partner"]
)

BOUNDARY_WORDS = frozenset(["if", "when", "until", "but"])
AGAIN = frozenset(["again", "anew", "afresh", "once more"])
VAGUE_ITERATION = frozenset(
    ["periodically", "regularly", "repeatedly", "continuously", "continually", "frequently", "constantly", "intermittently", "occasionally", "recurrently"]
)
FAST_ONLY = frozenset(["continuously", "continually", "constantly", "frequently", "occasionally", "regularly"])
NEGATORS = frozenset(
    ["not", "never", "don't", "don’t", "doesn't", "dont", "can't", "cannot", "won't", "shouldn't", "mustn't", "needn't", "without", "avoid", "avoids", "avoiding", "neither", "nor", "n't", "isn't", "aren't", "wasn't", "no", "stop", "stops", "stopping", "forbid", "forbids", "forbidden", "cease", "nothing", "refrain", "prevents", "prevent", "prevents", "unnecessary", "isnt", "refuse", "rather", "eliminates", "eliminate", "instead"]
)
SCHEDULES = frozenset(
    ["cron", "crontab", "heartbeat", "heartbeats", "launchd", "systemd", "scheduler", "scheduled", "schedule", "nightly", "daily", "weekly", "monthly", "hourly", "quarterly"]
)
BAD_HEADS = (
    "don't", "don’t", "do not", "dont", "never", "avoid", "anti-pattern", "antipattern", "anti pattern", "mistake",
    "bad", "wrong", "❌", "🚫", "⛔", "✗", "✘", "red flag", "pitfall", "not to do", "forbidden", "prohibited", "instead of", "excuse",
    "rationaliz", "smell", "incorrect", "what not", "not allowed", "out of scope", "non-goals", "banned", "before:",
)  # fmt: skip
