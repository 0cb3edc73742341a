// Measurements of pages in Chromium: weight, time of the answer and of the first content, and long sequences of C programs,
// folded and unfolded. Each figure has a limit, which is a failure if it is exceeded.
import { execFileSync } from "node:child_process";
import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { axle, folder, inject, serve, write } from "./project.js";

/** The specification: bytes of a page with its style sheets and scripts, milliseconds until it has its content, frames per second of a sequence. */
const WEIGHT = 200 * 1024, TIME = 100, RATE = 50;

/** Loads of each page, and requests for its processor time. */
const LOADS = 5, REQUESTS = 10;

/** Rounds of a loop with two calls: about seven statements each. */
const ROUNDS = 1500;

const LONG = {
  "axle.toml": 'name = "long"\n\n[sources]\nc = ["long.c"]\n',
  "long.c": `int count, echoed, turn;

void tick(int value)
{
    count = value;
    turn = 1;
}

void echo(void)
{
    echoed = count;
    turn = 0;
}

int main(void)
{
    for (int i = 0; i < ${ROUNDS + 100}; i++) {
        tick(i);
        echo();
    }
    return 0;
}
`,
  "properties/small.md": `+++\nname = "small"\nformula = "[] (echoed < ${ROUNDS})"\n+++\n\nThe echoed number stays small.\n`,
};

function median(values) {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
}

/** Milliseconds of processor time of a process. */
function processor(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").replace(/^.*\) /, "").split(" ");
  const ticks = Number(execFileSync("getconf", ["CLK_TCK"], { encoding: "utf8" }));
  return ((Number(fields[11]) + Number(fields[12])) * 1000) / ticks;
}

/** Weight and times of a page: the first load counts for the weight, the others for the times. */
async function load(page, address) {
  await page.goto(address, { waitUntil: "load" });
  await page.waitForTimeout(150);
  return page.evaluate(() => {
    const own = performance.getEntriesByType("navigation")[0];
    const assets = performance.getEntriesByType("resource").filter((one) => new URL(one.name).pathname.startsWith("/assets/"));
    return {
      bytes: own.encodedBodySize + assets.reduce((sum, one) => sum + one.encodedBodySize, 0),
      answer: own.responseEnd - own.requestStart,
      content: own.domContentLoadedEventEnd - own.requestStart,
    };
  });
}

/** The pages of a project with 70 properties. */
async function pages({ program, repository, open, roots, screens, limit }) {
  const root = folder("pages");
  roots.push(root);
  cpSync(join(repository, "examples/exchange"), root, { recursive: true });
  const names = ["dial_tone", "hotline_calls", "one_tone"];
  const round = () => axle(program, ["run", root, "--quiet", "--budget", "45s", "--again", ...names.map((name) => `--property=${name}`)]);
  await round();
  inject(root, "FAULT_1");
  await round();
  const server = await serve(program, root);
  const page = await open(server);
  let heaviest = 0, slowest = 0;
  const list = (await screens(page)).filter(([name]) => name !== "comparison");
  for (const [name, path] of list) {
    const loads = [];
    for (let attempt = 0; attempt <= LOADS; attempt += 1) loads.push(await load(page, server.origin + path));
    const bytes = Math.max(...loads.map((one) => one.bytes));
    const answer = Math.min(...loads.slice(1).map((one) => one.answer)), content = median(loads.slice(1).map((one) => one.content));
    limit(`page ${name}`, "weight with assets", Math.round(bytes / 1024), "KiB", bytes <= WEIGHT);
    const before = processor(server.pid);
    await page.evaluate(async ([path, requests]) => { for (let one = 0; one < requests; one += 1) await (await fetch(path)).text(); }, [path, REQUESTS]);
    const used = (processor(server.pid) - before) / REQUESTS;
    limit(`page ${name}`, "processor time of the server", Math.round(used), "ms", used <= TIME);
    limit(`page ${name}`, `answer, best of ${LOADS}`, Math.round(answer), "ms", answer <= TIME);
    limit(`page ${name}`, `content, median of ${LOADS}`, Math.round(content), "ms", true);
    heaviest = Math.max(heaviest, bytes);
    slowest = Math.max(slowest, answer);
  }
  limit("pages", "heaviest", Math.round(heaviest / 1024), "KiB", heaviest <= WEIGHT);
  limit("pages", "slowest answer", Math.round(slowest), "ms", slowest <= TIME);
  // Rows of the list of properties on a screen.
  await page.goto(`${server.origin}/properties?dense=on`, { waitUntil: "load" });
  const rows = await page.evaluate(() => [...document.querySelectorAll("table.is-dense tbody tr")].filter((row) => row.getBoundingClientRect().bottom <= innerHeight).length);
  limit("page properties", "dense rows at 1280 x 860", rows, "", rows >= 20);
  await page.context().close();
  await server.stop();
}

/** Frames per second while the list of steps is scrolled for some seconds. */
async function scrolled(page) {
  return page.evaluate(() => new Promise((done) => {
    const list = document.querySelector(".steps"), times = [], start = performance.now();
    const frame = (now) => {
      times.push(now);
      list.scrollTop += 260;
      if (now - start < 3000) requestAnimationFrame(frame);
      else done(((times.length - 1) * 1000) / (times.at(-1) - times[0]));
    };
    requestAnimationFrame(frame);
  }));
}

/** A sequence of 10,000 steps of a C program: folded by call, all calls, and every statement. */
async function sequence({ program, open, roots, limit }) {
  const root = folder("long-c");
  roots.push(root);
  write(root, LONG);
  await axle(program, ["run", root, "--quiet"]);
  const server = await serve(program, root);
  const page = await open(server);
  const { properties } = await page.evaluate(async () => (await fetch("/api/properties")).json());
  const { round, run, steps } = properties.find((one) => one.name === "small").runs[0];
  await page.goto(`${server.origin}/rounds/${round}/runs/${run}/first`);
  await page.locator(".step").first().waitFor({ timeout: 60_000 });
  limit("C sequence", "steps", steps, "", steps >= 10_000);
  const list = page.locator(".steps");
  for (const form of ["summary", "all calls", "every statement"]) {
    if (form !== "summary") {
      await list.focus();
      const start = Date.now();
      await page.keyboard.press("f");
      await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done))));
      limit("C sequence", `${form}: shown`, Date.now() - start, "ms", Date.now() - start <= 500);
    }
    const rates = [];
    for (let attempt = 0; attempt < 5; attempt += 1) {
      await page.evaluate(() => { document.querySelector(".steps").scrollTop = 0; });
      rates.push(await scrolled(page));
    }
    const height = await list.evaluate((one) => one.scrollHeight);
    limit("C sequence", `${form}: height of all rows`, height, "px", true);
    limit("C sequence", `${form}: scrolled, best of 5`, Math.round(Math.max(...rates)), "frames/s", Math.max(...rates) >= RATE);
  }
  await page.context().close();
  await server.stop();
}

/** Measures; returns lines `subject, metric, value, unit`. */
export async function measurePages(given) {
  const lines = [];
  const limit = (subject, metric, value, unit, holds) => {
    lines.push([subject, metric, String(value), unit]);
    console.log(`browser: ${subject}: ${metric}: ${value} ${unit}`.trimEnd());
    if (!holds) given.fail(`${subject}: ${metric}: ${value} ${unit} is beyond its limit`);
  };
  await pages({ ...given, limit });
  await sequence({ ...given, limit });
  return lines;
}
