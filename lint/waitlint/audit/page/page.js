"use strict";
(() => {
  const filter = document.querySelector("form.filter");
  const rows = [...document.querySelectorAll(".row")].map((element) => ({ element, words: null }));
  const told = filter.querySelector("output");
  filter.hidden = false;

  const matches = (row, words, item, answer, severity, repository) => {
    const { kind, repository: own } = row.element.dataset;
    if (repository && own !== repository) return false;
    if (severity && kind === "finding" && row.element.dataset.severity !== severity) return false;
    if (kind === "tool" && (item || answer)) {
      const answers = answer ? [answer] : ["yes", "no", "unknown"];
      const listed = answers.flatMap((one) => (row.element.getAttribute(`data-${one}`) || "").trim().split(" "));
      if (!listed.some((one) => one && (!item || one === item))) return false;
    }
    if (kind === "loop" && answer && !(row.element.getAttribute(`data-${answer}`) || "").trim()) return false;
    if (kind === "finding" && item && !` ${row.element.dataset.items || ""} `.includes(` ${item} `)) return false;
    if (!words.length) return true;
    row.words ??= row.element.textContent.toLowerCase();
    return words.every((word) => row.words.includes(word));
  };

  const apply = () => {
    const given = new FormData(filter);
    const words = String(given.get("words") || "").toLowerCase().split(/\s+/).filter(Boolean);
    const rest = ["item", "answer", "severity", "repository"].map((name) => String(given.get(name) || ""));
    let shown = 0;
    for (const row of rows) {
      const on = matches(row, words, ...rest);
      shown += on;
      row.element.toggleAttribute("data-hidden", !on);
    }
    told.textContent = words.length || rest.some(Boolean) ? `${shown} of ${rows.length} entries` : "";
  };
  let waiting = 0;
  filter.addEventListener("input", () => {
    cancelAnimationFrame(waiting);
    waiting = requestAnimationFrame(apply);
  });
  filter.addEventListener("reset", () => setTimeout(apply));
  filter.addEventListener("submit", (event) => event.preventDefault());

  const form = document.querySelector("form.assumptions");
  if (form) {
    const costs = [...document.querySelectorAll(".cost")];
    const counted = (number, word) => `${number.toLocaleString("en")} ${word}${number === 1 ? "" : "s"}`;
    const update = () => {
      const given = {};
      for (const input of form.querySelectorAll("input")) {
        given[input.name] = input.valueAsNumber > 0 ? input.valueAsNumber : Number(input.defaultValue);
      }
      const found = costs.map((element) => {
        const known = (name) => Number(element.dataset[name]) || given[name];
        const looks = Math.max(1, Math.ceil(known("duration") / known("every")));
        const calls = Math.max(1, Math.ceil(known("duration") / known("cap")));
        return { element, looks, calls };
      });
      const longest = Math.max(1, ...found.map((one) => Math.max(one.looks, one.calls)));
      for (const { element, looks, calls } of found) {
        const added = looks * given.look;
        const again = looks * given.before + (given.look * looks * (looks - 1)) / 2;
        const over = looks > given.steps;
        element.querySelector(".before").style.width = `${(100 * looks) / longest}%`;
        element.querySelector(".after").style.width = `${(100 * calls) / longest}%`;
        element.querySelector(".looks").textContent = counted(looks, "poll");
        element.querySelector(".calls").textContent = counted(calls, "call");
        const effect = element.querySelector(".effect");
        effect.classList.toggle("over", over);
        effect.textContent =
          `${counted(looks, "poll")}, cap ${given.steps.toLocaleString("en")}` +
          `${over ? ": the steps are spent before the work is done" : ""} · ` +
          `${Math.round(added).toLocaleString("en")} tokens added, ` +
          `${((100 * added) / given.window).toFixed(1)} % of the context window · ` +
          `${Math.round(again).toLocaleString("en")} tokens read again`;
      }
    };
    form.addEventListener("input", update);
    form.addEventListener("submit", (event) => event.preventDefault());
  }
})();
