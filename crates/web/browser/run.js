// Browser tests: the main tasks of a user, axe-core on every screen, and screenshots.
// Usage: node run.js AXLE REPOSITORY CHROMIUM [--quick | --tasks | --screenshots FOLDER | --sequences FILE FOLDER | --measure FILE | --pages FILE]
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { byKeyboard, withoutScript, zoomed } from "./access.js";
import { daily } from "./daily.js";
import { editing } from "./editing.js";
import { axle, broken, empty, exchange, folder, inject, ready, remove, serve, write } from "./project.js";
import { FILES } from "./gate.js";
import { measure } from "./measure.js";
import { measurePages } from "./measure_pages.js";
import { postgres } from "./postgres.js";
import { sequences } from "./sequences.js";
import { software } from "./software.js";
import { tasks } from "./tasks.js";

const [program, repository, browserPath, option, output, pictures] = process.argv.slice(2);
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const roots = [];
let failures = 0;

function fail(message) {
  failures += 1;
  console.error(`FAILED ${message}`);
}

const browser = await chromium.launch({ executablePath: browserPath, args: ["--no-sandbox"] });

/** A page with the session of a server. */
async function open(server, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 860 }, ...options });
  // axe-core is injected by the test; the pages themselves allow no inline script.
  const page = await context.newPage();
  page.on("pageerror", (error) => fail(`script error on ${page.url()}: ${error.message}`));
  page.on("console", (message) => {
    if (message.type() === "error" && /Content Security Policy|Refused/.test(message.text())) fail(`${page.url()}: ${message.text()}`);
  });
  await ready(page, server);
  return page;
}

/** Serious and critical findings of axe-core. */
async function accessible(page, name) {
  const session = await page.context().newCDPSession(page);
  await session.send("Page.setBypassCSP", { enabled: true });
  await page.reload({ waitUntil: "load" });
  await page.waitForTimeout(300);
  await page.evaluate(axe);
  const found = await page.evaluate(async () => (await globalThis.axe.run(document, { resultTypes: ["violations"] })).violations);
  for (const one of found.filter((one) => ["serious", "critical"].includes(one.impact))) {
    fail(`${name}: axe ${one.id} (${one.impact}): ${one.nodes.slice(0, 3).map((node) => node.html.slice(0, 140)).join(" | ")}`);
  }
  await session.send("Page.setBypassCSP", { enabled: false });
}

/** Nothing is wider than the window. */
async function fits(page, name) {
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  if (wide > 1) fail(`${name}: the page is ${wide} px wider than the window`);
}

/** A screenshot as WebP. */
async function shoot(page, file, fullPage = false) {
  const png = await page.screenshot({ fullPage, animations: "disabled" });
  const painter = await browser.newPage();
  const webp = await painter.evaluate(async (data) => {
    const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${data}`)).blob());
    const canvas = new OffscreenCanvas(image.width, image.height);
    canvas.getContext("2d").drawImage(image, 0, 0);
    const blob = await canvas.convertToBlob({ type: "image/webp", quality: 0.72 });
    return btoa(String.fromCharCode(...new Uint8Array(await blob.arrayBuffer())));
  }, png.toString("base64"));
  await painter.close();
  writeFileSync(file, Buffer.from(webp, "base64"));
}

/** The screens of a project: name and path. */
async function screens(page) {
  const list = [["overview", "/"], ["properties", "/properties"], ["new-property", "/properties/new"], ["tracker", "/tracker"], ["rounds", "/rounds"], ["changes", "/changes"], ["analysis", "/analysis"],
    ["requirements", "/requirements"], ["model", "/model"], ["machines", "/machines"], ["diagnose", "/diagnose"], ["tutorial", "/tutorial"], ["settings", "/settings"]];
  const { properties } = await page.evaluate(async () => (await fetch("/api/properties")).json());
  const violated = properties.find((one) => one.state === "violated");
  const run = violated?.runs.find((one) => one.phases.length > 0 && one.state === "violated");
  if (run) {
    const phase = ["shortest", "first"].find((one) => run.phases.includes(one));
    list.push(["property", `/properties/${violated.name}`], ["edit", `/properties/${violated.name}/edit`], ["run", `/rounds/${run.round}/runs/${run.run}`],
      ["sequence", `/rounds/${run.round}/runs/${run.run}/${phase}`],
      ["comparison", `/rounds/${run.round}/runs/${run.run}/${phase}/compare`],
      ["round-changes", `/rounds/${run.round}/changes`]);
  }
  const document = await page.evaluate(async () => {
    const text = await (await fetch("/requirements")).text();
    return new DOMParser().parseFromString(text, "text/html").querySelector("section h2 a")?.getAttribute("href");
  });
  if (document) list.push(["requirement", document]);
  list.push(["source", "/source/axle.toml"]);
  return list;
}

async function checkScreens(server, state, themes, widths) {
  for (const theme of themes) {
    for (const width of widths) {
      const page = await open(server, { viewport: { width, height: width < 500 ? 800 : 860 }, colorScheme: theme });
      for (const [name, path] of await screens(page)) {
        if (state === "failing" && name === "new-property") continue;
        await page.goto(server.origin + path, { waitUntil: "load" });
        await page.waitForTimeout(name === "sequence" || name === "new-property" ? 700 : 150);
        if (name === "comparison" && (await page.getByRole("button", { name: "Search" }).count()) > 0) {
          await page.getByRole("button", { name: "Search" }).click({ timeout: 90_000 });
          await page.locator("table.comparison, .empty").first().waitFor({ timeout: 90_000 });
        }
        await fits(page, `${state} ${name} ${theme} ${width}`);
        if (option === "--screenshots") await shoot(page, join(output, `${state}-${name}-${theme}-${width}.webp`));
        else await accessible(page, `${state} ${name} ${theme} ${width}`);
      }
      await page.context().close();
    }
  }
}

/** All tests, or all screenshots. */
async function all() {
  for (const [state, make] of [["empty", empty], ["failing", broken]]) {
    const root = make();
    roots.push(root);
    const server = await serve(program, root);
    await checkScreens(server, state, themes, widths);
    await server.stop();
  }
  const root = exchange(repository);
  roots.push(root);
  const names = ["dial_tone", "bell_stops", "one_tone", "abandoned_call", "hotline_calls", "conference"];
  // A round without the fault and one with it: verdicts turn.
  const round = () => axle(program, ["run", root, "--quiet", "--budget", "90s", ...names.map((name) => `--property=${name}`)]);
  await round();
  inject(root, "FAULT_1");
  await round();
  const server = await serve(program, root);
  await checkScreens(server, "full", themes, widths);
  if (option !== "--screenshots") await conditions(server);
  await server.stop();
  if (option === "--screenshots") await readable(output, IN_DOCUMENTATION);
  else {
    const pictures = folder("pictures");
    roots.push(pictures);
    await readable(pictures);
    await allTasks();
  }
}

/** The screens of a small project only. */
async function quick() {
  const root = folder("quick");
  roots.push(root);
  write(root, FILES);
  await axle(program, ["run", root, "--quiet"]);
  const server = await serve(program, root);
  await checkScreens(server, "quick", ["light"], widths);
  await conditions(server);
  await server.stop();
}

/** The sequences whose screenshots are part of the documentation. */
const IN_DOCUMENTATION = ["lifts", "sessions", "pool", "fault-1", "fault-11"];

/** Readable error sequences, with a screenshot of each in a folder. */
function readable(folder, only) {
  return sequences({ program, repository, open, roots, fits, shoot, fail, output: folder, only });
}

/** Reading and working under other conditions. */
async function conditions(server) {
  const page = await open(server);
  const list = await screens(page);
  await page.context().close();
  await zoomed({ open, server, screens, fits, fail });
  await withoutScript({ browser, server, list, fail });
  await byKeyboard({ open, server, fail });
}

/** The tasks of a user. */
async function allTasks() {
  const start = folder("tasks");
  roots.push(start);
  await tasks({ program, root: start, open, fail });
  await daily({ program, roots, open, fail });
  await editing({ program, repository, roots, open, fail });
  await software({ program, roots, open, fail, accessible });
  await postgres({ program, roots, open, fail });
}

const themes = ["light", "dark"], widths = [1280, 400];
if (option === "--screenshots") mkdirSync(output, { recursive: true });
try {
  if (option === "--measure") {
    const lines = await measure({ program, open, roots, fail });
    writeFileSync(output, lines.map((line) => `${line.join("\t")}\n`).join(""));
  } else if (option === "--pages") {
    const lines = await measurePages({ program, repository, open, roots, screens, fail });
    writeFileSync(output, lines.map((line) => `${line.join("\t")}\n`).join(""));
  } else if (option === "--sequences") {
    mkdirSync(pictures, { recursive: true });
    const lines = await readable(pictures);
    writeFileSync(output, lines.map((line) => `${line.join("\t")}\n`).join(""));
  } else if (option === "--quick") {
    await quick();
  } else if (option === "--tasks") {
    await allTasks();
  } else {
    await all();
  }
} catch (error) {
  fail(error.stack ?? String(error));
} finally {
  await browser.close();
  remove(roots);
}

console.log(failures === 0 ? "browser: no failures" : `browser: ${failures} failures`);
process.exit(failures === 0 ? 0 : 1);
