// Measurements in Chromium: an error sequence of 10,000 steps, and the live tracker with 100 properties.
// Each figure has a limit, which is a failure if it is exceeded.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { axle, folder, serve, write } from "./project.js";

/** The specification: the viewer is visible so many milliseconds after its data, scrolls at this rate, and the live tracker takes at most this part of a core. */
const VISIBLE = 500, RATE = 50, LIVE = 5;

/** Seconds of the round that the tracker follows before a simulated machine takes part, the longest time until the round ends, and the pause of the machine behind
 * each job in milliseconds. */
const ALONE = 20, LONGEST = 420, PAUSE = 50;

/** Properties that pass all cycles, and further ones that are violated soon. */
const UNDECIDED = 100, VIOLATED = 10;

/** Steps of the long sequence: six for each number that is echoed. */
const ECHOED = 1667;

const LONG = {
  "axle.toml": 'name = "long"\n\n[sources]\npromela = ["model.pml"]\n',
  "model.pml": `/* Two processes take turns, so that the only execution is long. */
short count, echoed;
byte turn;

active proctype counter() {
    do
    :: turn == 0 && count < 2600 -> count++; turn = 1
    od
}

active proctype echo() {
    do
    :: turn == 1 -> echoed = count; turn = 0
    od
}
`,
  "properties/stays-small.md": `+++\nname = "stays-small"\nformula = "[] (echoed < ${ECHOED})"\n+++\n\nThe echoed number stays small.\n`,
};

/** A model that no cycle exhausts, with many properties. Workers of the round itself take no long jobs. */
function many() {
  const files = {
    "axle.toml": 'name = "many"\n\n[sources]\npromela = ["model.pml"]\n\n[limits]\ntime = "1s"\n',
    "model.pml": "int a, b, c, d;\nactive [2] proctype p() {\n    do\n    :: a < 30000 -> a++\n    :: b < 30000 -> b++\n    :: c < 30000 -> c++\n    :: d < 30000 -> d++\n    od\n}\n",
  };
  for (let number = 0; number < UNDECIDED + VIOLATED; number += 1) {
    const name = `bound-${String(number).padStart(3, "0")}`;
    // Some are violated soon, so that verdicts change, too.
    const limit = number % 11 === 0 ? 5 : 40000 + number;
    files[`properties/${name}.md`] = `+++\nname = "${name}"\nformula = "[] (a + b < ${limit})"\n+++\n\nA bound.\n`;
  }
  return files;
}

/** Times of frames while the list of steps is scrolled for some seconds. */
async function scrolled(page) {
  return page.evaluate(() => new Promise((done) => {
    const list = document.querySelector(".steps");
    const times = [];
    const start = performance.now();
    const frame = (now) => {
      times.push(now);
      list.scrollTop += 260;
      if (now - start < 3000) requestAnimationFrame(frame);
      else done(times);
    };
    requestAnimationFrame(frame);
  }));
}

async function long({ program, open, roots, limit }) {
  const root = folder("long");
  roots.push(root);
  write(root, LONG);
  await axle(program, ["run", root, "--quiet"]);
  const server = await serve(program, root);
  const page = await open(server);
  const visible = [];
  let rate = 0, steps = 0, selected = 0, rows = 0;
  for (let attempt = 0; attempt < 5; attempt += 1) {
    await page.goto(`${server.origin}/rounds/1/runs/0/first`);
    await page.waitForFunction(() => performance.getEntriesByName("axle:visible").length > 0, null, { timeout: 60_000 });
    visible.push(await page.evaluate(() => performance.getEntriesByName("axle:visible")[0].duration));
    const times = await scrolled(page);
    rate = Math.max(rate, ((times.length - 1) * 1000) / (times.at(-1) - times[0]));
    rows = Math.max(rows, await page.locator(".step").count());
  }
  steps = Number(/of ([\d,.]+)/.exec(await page.locator(".viewer-position").innerText())[1].replace(/\D/g, ""));
  selected = await page.evaluate(async () => {
    const list = document.querySelector(".steps");
    const press = (key) => list.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
    const start = performance.now();
    press("End");
    await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
    return performance.now() - start;
  });
  visible.sort((a, b) => a - b);
  limit("error sequence", "steps", steps, "", steps >= 10_000);
  limit("error sequence", "rows in the page", rows, "", rows < 120);
  limit("error sequence", "visible after its data, median of 5", Math.round(visible[2]), "ms", visible[2] <= VISIBLE);
  limit("error sequence", "scrolled, best of 5", Math.round(rate), "frames/s", rate >= RATE);
  limit("error sequence", "last step selected by End", Math.round(selected), "ms", selected <= VISIBLE);
  await page.context().close();
  await server.stop();
}

/** Seconds of processor time of a process. */
function processor(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").replace(/^.*\) /, "").split(" ");
  const ticks = Number(execFileSync("getconf", ["CLK_TCK"], { encoding: "utf8" }));
  return (Number(fields[11]) + Number(fields[12])) / ticks;
}

/** A machine that ends each cycle at once without a verdict; returns the function that ends it. */
function simulated(server, token) {
  let open = true, jobs = 0;
  const post = async (path, body) => {
    const answer = await fetch(`${server.origin}/api/worker/${path}`, { method: "POST", headers: { authorization: `Bearer ${token}`, "content-type": "application/json" }, body: JSON.stringify(body) });
    return answer.json();
  };
  const work = async () => {
    while (open) {
      // At its end the server closes connections: the loop ends with `open`.
      const { work } = await post("lease", { worker: "simulated", wait: 1 }).catch(() => ({ work: null }));
      if (!work) continue;
      const cycle = Number(/\/cycle-(\d)$/.exec(work.task)?.[1] ?? 7);
      const { property, constraint, key } = work.payload;
      await post("complete", { lease: work.lease, outcome: {
        run: `${property}@${constraint}`, key: key.hash, cycle, verdict: "unknown", reason: "simulated", next: cycle < 7 ? cycle + 1 : null,
        states: 1000, transitions: 2000, memory: 1 << 20, seconds: 0.1, coverage: { automaton_states: [2, 1], automaton_transitions: [2, 1] },
      } });
      jobs += 1;
      await new Promise((done) => setTimeout(done, PAUSE));
    }
  };
  const ended = work();
  return async () => { open = false; await ended; return jobs; };
}

async function live({ program, open, roots, limit }) {
  const root = folder("many");
  roots.push(root);
  write(root, many());
  const token = (await axle(program, ["serve", root, "--add-token", "simulated=worker"])).split("\n")[0].trim();
  const server = await serve(program, root);
  const page = await open(server);
  await page.goto(`${server.origin}/properties`);
  await page.getByRole("button", { name: /^Check/ }).first().click();
  await page.locator("[data-run]").first().waitFor({ timeout: 180_000 });
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  const metric = async (name) => (await session.send("Performance.getMetrics")).metrics.find((one) => one.name === name).value;
  /** Parts of a core that the page and the server use during some work, and its time. */
  const used = async (work) => {
    const [before, own, start] = [await metric("TaskDuration"), processor(server.pid), Date.now()];
    await work();
    const seconds = (Date.now() - start) / 1000;
    return { seconds, page: (100 * ((await metric("TaskDuration")) - before)) / seconds, server: (100 * (processor(server.pid) - own)) / seconds };
  };
  // First the round alone; then with a machine that lets all runs pass their cycles. Its requests go to another server of the same project, so that their cost is
  // not that of the server that shows the round.
  const alone = await used(() => page.waitForTimeout(ALONE * 1000));
  const other = await serve(program, root);
  const end = simulated(other, token);
  const ended = async () => (await page.evaluate(async () => (await fetch("/api/rounds/1")).json())).ended;
  const whole = await used(async () => {
    for (const start = Date.now(); Date.now() - start < LONGEST * 1000 && (await ended()) === null;) await page.waitForTimeout(5000);
  });
  const jobs = await end();
  await other.stop();
  await page.waitForTimeout(1500);
  const cells = await page.locator(".cycle-bar .last, .cycle-bar .ended").count();
  const subject = `live tracker, ${UNDECIDED + VIOLATED} properties`, cycles = UNDECIDED * 8;
  limit(subject, "page, workers of this machine", alone.page.toFixed(1), "% of a core", alone.page < LIVE);
  limit(subject, "server, workers of this machine", alone.server.toFixed(1), "% of a core", alone.server < LIVE);
  limit(subject, "cycles that have ended", cells, "", cells >= cycles);
  limit(subject, "jobs of the simulated machine", jobs, "", jobs > cycles / 2);
  limit(subject, "whole round", whole.seconds.toFixed(0), "s", true);
  limit(subject, "page, whole round", whole.page.toFixed(1), "% of a core", whole.page < LIVE);
  limit(subject, "server, whole round", whole.server.toFixed(1), "% of a core", whole.server < LIVE);
  // A round that has not ended is cancelled.
  await page.evaluate(async () => {
    const body = new URLSearchParams({ form_token: document.querySelector('meta[name="form-token"]').content });
    await fetch("/rounds/cancel", { method: "POST", body });
  });
  await page.context().close();
  await server.stop();
}

/** Measures; returns lines `subject, metric, value, unit`. */
export async function measure(given) {
  const lines = [];
  const limit = (subject, metric, value, unit, holds) => {
    lines.push([subject, metric, String(value), unit]);
    console.log(`browser: ${subject}: ${metric}: ${value} ${unit}`.trimEnd());
    if (!holds) given.fail(`${subject}: ${metric}: ${value} ${unit} is beyond its limit`);
  };
  await long({ ...given, limit });
  await live({ ...given, limit });
  return lines;
}
