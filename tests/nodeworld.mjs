// A world in which fixed fixtures run: a clock that only they move, and a web that never ends its work, or hangs.
// The packages of the fixtures are stand-ins on top of it; see nodeworld.py.
import { syncBuiltinESMExports } from "node:module";
import timers from "node:timers/promises";

const turn = setImmediate;
const MOST_MS = 20 * 60_000;
const queue = [];
let made = 0;
export const world = { now: 0, reads: 0, hangs: false, fails: false, state: "", tools: {}, handlers: {}, most: {} };
globalThis.world = world;

const later = (ms, run) => {
  const entry = { when: world.now + Math.max(0, ms || 0), order: (made += 1), run, gone: false, unref() {}, ref() {} };
  queue.push(entry);
  return entry;
};
const named = (name, reason) => Object.assign(new Error(name), { name, cause: reason });

const nap = (ms, value, options) =>
  new Promise((resolve, reject) => {
    const signal = options?.signal;
    if (signal?.aborted) return reject(named("AbortError", signal.reason));
    const entry = later(ms, () => resolve(value));
    signal?.addEventListener("abort", () => {
      entry.gone = true;
      reject(named("AbortError", signal.reason));
    });
  });

globalThis.setTimeout = (run, ms, ...args) => later(ms, () => run(...args));
globalThis.clearTimeout = (entry) => entry && (entry.gone = true);
Date.now = () => 1_700_000_000_000 + world.now;
AbortSignal.timeout = (ms) => {
  const controller = new AbortController();
  later(ms, () => controller.abort(new DOMException("the time is over", "TimeoutError")));
  return controller.signal;
};
timers.setTimeout = nap;
timers.scheduler = { wait: (ms, options) => nap(ms, undefined, options), yield: () => Promise.resolve() };
syncBuiltinESMExports();

// A read: `timeout` in ms, undefined for none; `late` and `stopped` are the names of the errors when it is cut off.
world.read = ({ signal, timeout, late = "TimeoutError", stopped } = {}) => {
  world.reads += 1;
  return new Promise((resolve, reject) => {
    const cut = () => reject(stopped ? named(stopped, signal.reason) : signal.reason);
    if (signal?.aborted) return cut();
    signal?.addEventListener("abort", cut);
    if (timeout) later(timeout, () => reject(named(late)));
    if (world.fails) later(50, () => reject(named("ServerError")));
    else if (!world.hangs) later(50, () => resolve(world.state));
  });
};
const told = (state) => (typeof state === "string" ? state : JSON.stringify(state));
globalThis.fetch = async (url, { signal } = {}) => {
  const state = await world.read({ signal });
  return { ok: true, status: 200, json: async () => state, text: async () => told(state) };
};

// How a call of a tool ends, in the world's time; a stop comes after `after` ms.
export async function drive(call, after) {
  const stop = new AbortController();
  let end;
  call(stop.signal).then(
    (value) => (end = { how: "returned", value }),
    (error) => (end = { how: error?.name ?? String(error), value: null }),
  );
  if (after !== null) later(after, () => stop.abort());
  for (;;) {
    for (let lap = 0; lap < 12; lap += 1) await new Promise((resolve) => turn(resolve));
    if (end) return { ...end, ms: world.now, reads: world.reads };
    for (let at = queue.length - 1; at >= 0; at -= 1) if (queue[at].gone) queue.splice(at, 1);
    const next = [...queue].sort((a, b) => a.when - b.when || a.order - b.order)[0];
    if (!next) return { how: "hangs for ever", value: null, ms: world.now, reads: world.reads };
    next.gone = true;
    world.now = next.when;
    if (world.now > MOST_MS) return { how: "goes on", value: null, ms: world.now, reads: world.reads };
    next.run();
  }
}
