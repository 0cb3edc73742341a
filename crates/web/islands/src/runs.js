// The runs of a round, changed by events. The order is that of attention, as on pages without script.

/** States of a run in the order of attention, with the icons and words of the pages. */
export const STATES = {
  violated: ["violated", "M4 4l8 8M12 4l-8 8"],
  failed: ["failed", "M8 2.5v7M8 12.5v.5"],
  "known-fault": ["known fault", "M4 13.5V2.5h8.5l-2.5 3 2.5 3H4"],
  unknown: ["unknown", "M5.5 6a2.5 2.5 0 1 1 3.6 2.2C8.3 8.7 8 9 8 10M8 12.7v.3"],
  new: ["new", "M8 3.5v9M3.5 8h9"],
  vacuous: ["vacuous", "M12.7 3.3l-9.4 9.4M13.5 8A5.5 5.5 0 1 1 2.5 8a5.5 5.5 0 0 1 11 0z"],
  holds: ["holds", "M3 8.5l3.5 3.5L13 4.5"],
};

const ORDER = Object.keys(STATES);

/** What a job does now: nothing, or a cycle that waits or runs. */
export function activity(run) {
  if (run.job !== "waiting" && run.job !== "leased") return null;
  const cycle = Number(run.step?.split("-")[1] ?? 0);
  return { cycle, runs: run.job === "leased", second: run.step?.startsWith("second") ?? false };
}

/** The last cycle that ended. */
export function ended(run) {
  return run.cycle ?? run.endedCycle ?? null;
}

/** The run after an event of its job. */
export function after(run, event) {
  const next = { ...run, step: event.step, job: event.state, worker: event.worker };
  if (event.state === "completed" && event.step?.startsWith("cycle-")) {
    next.endedCycle = Math.max(run.endedCycle ?? -1, Number(event.step.slice(6)));
  }
  return next;
}

/** What happens in a run, in words. */
export function now(run) {
  const own = activity(run);
  if (own === null) return run.carried_from == null ? "" : `carried over from round ${run.carried_from}`;
  const what = own.second ? "second phase" : `cycle ${own.cycle}`;
  return own.runs ? `${what} on ${run.worker ?? "a worker"}` : `${what} waits`;
}

/** The classes of the eight cells of a bar. */
export function cells(run) {
  const own = activity(run), last = ended(run);
  return Array.from({ length: 8 }, (_, cell) => {
    if (own && own.cycle === cell) return own.runs ? "runs" : "waits";
    if (last === null) return "open";
    return cell < last ? "ended" : cell === last ? "last" : "open";
  });
}

/** The class of how the searches ended: a proof covers every execution; otherwise none was exhaustive. */
export function end(run) {
  if (run.state === "holds" || run.state === "vacuous") return " is-proof";
  return run.state === "unknown" && activity(run) === null ? " is-budget" : "";
}

/** The bar in words. */
export function bar(run) {
  const last = ended(run), own = activity(run), how = end(run);
  const plain = last === null ? "no cycle ended" : last === 7 ? "exact search ended" : `cycle ${last} of 7 ended`;
  const open = last === null ? "not searched" : last === 7 ? "the exact search ended without a proof" : `not exhaustive, ${plain}`;
  const done = how === " is-proof" ? "proved by an exhaustive search" : how === " is-budget" ? open : plain;
  return `${STATES[run.state][0]}, ${done}${own ? `, cycle ${own.cycle} ${own.runs ? "runs" : "waits"}` : ""}`;
}

/** Runs that a worker executes first, the others in the order of attention, those without a verdict before the others. */
export function sorted(runs) {
  const rank = (run) => (run.job === "leased" ? -1 : ORDER.indexOf(run.state) * 2 + (run.verdict === null ? 0 : 1));
  return [...runs].sort((a, b) => rank(a) - rank(b) || a.run - b.run);
}

/** The address of the error sequence of a violated run. */
export function sequence(round, run) {
  if (run.state !== "violated" && run.state !== "known-fault") return null;
  const phase = ["shortest", "first", "likeliest"].find((one) => run.phases.includes(one));
  return phase ? `/rounds/${round}/runs/${run.run}/${phase}` : null;
}

/** Seconds as on the pages. */
export function seconds(value) {
  if (value < 0.0005) return "0 s";
  if (value < 1) return `${Math.max(1, Math.round(value * 1000))} ms`;
  if (value < 60) return `${value.toFixed(1)} s`;
  const all = Math.round(value);
  return all < 3600 ? `${Math.floor(all / 60)} min ${all % 60} s` : `${Math.floor(all / 3600)} h ${Math.floor(all / 60) % 60} min`;
}
