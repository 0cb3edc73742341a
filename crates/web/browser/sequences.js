// Readable error sequences, measured: the faults of the exchange and the projects of tests/sequences. On the first screen, the
// default view has few rows and shows the headline, the part of the software with the fault, the events, and the violation.
import { cpSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { axle, folder, inject, serve } from "./project.js";

/** The specification. */
const MOST_ROWS = 25;
const VIEWPORT = { width: 1280, height: 860 };

/** The function with the fault: the last definition before the directive. */
function faulty(sources, macro) {
  for (const file of readdirSync(sources).filter((name) => name.endsWith(".c"))) {
    const lines = readFileSync(join(sources, file), "utf8").split("\n");
    const at = lines.findIndex((line) => new RegExp(`^#\\s*ifn?def ${macro}\\b`).test(line));
    if (at < 0) continue;
    for (let line = at; line >= 0; line -= 1) {
      const name = /^[a-z][\w\s*]*?(\w+)\([^;]*$/.exec(lines[line])?.[1];
      if (name) return { name, file, from: line + 1, to: at + lines.slice(at).findIndex((one) => one.startsWith("}")) + 1 };
    }
  }
  throw new Error(`no source has ${macro}`);
}

/** All projects: name, the fault, and the property under its constraint. */
function cases(repository) {
  const table = readFileSync(join(repository, "examples/exchange/faults.tsv"), "utf8").trim().split("\n").slice(1);
  const exchange = table.map((row) => {
    const [, macro, property, constraint] = row.split("\t");
    return { name: macro.toLowerCase().replace("_", "-"), macro, property, constraint, from: "examples/exchange", sources: "src" };
  });
  const own = readFileSync(join(repository, "tests/sequences/cases.tsv"), "utf8").trim().split("\n").slice(1).map((row) => {
    const [name, run] = row.split("\t");
    const [property, constraint] = run.split("@");
    return { name, macro: "FAULT", property, constraint, from: `tests/sequences/${name}`, sources: "" };
  });
  return [...own, ...exchange];
}

/** What the first screen shows. */
function seen(fault) {
  const inside = (one) => {
    const box = one.getBoundingClientRect(), list = one.closest(".steps")?.getBoundingClientRect();
    return box.top >= Math.max(0, list?.top ?? 0) - 1 && box.bottom <= Math.min(innerHeight, list?.bottom ?? innerHeight) + 1 && box.height > 0;
  };
  const rows = [...document.querySelectorAll(".step")], shown = rows.filter(inside);
  return {
    rows: Number(rows[0]?.getAttribute("aria-setsize")),
    shown: shown.length,
    headline: inside(document.querySelector(".lead .violation")),
    text: document.querySelector(".lead .violation").textContent,
    current: inside(document.querySelector(".step.is-current") ?? document.body),
    at: shown.map((row) => Number(row.id.replace("row-", ""))),
    ending: [...document.querySelectorAll(".sequence-ending")].every(inside),
  };
}

/** Measures, and takes a screenshot of each: of the first screen or, for the documentation, of those in `only` as a whole. */
export async function sequences({ program, repository, open, roots, fits, shoot, fail, output, only }) {
  const lines = [];
  for (const one of cases(repository).filter(({ name }) => !only || only.includes(name))) {
    const root = folder(one.name);
    roots.push(root);
    cpSync(join(repository, one.from), root, { recursive: true });
    const manifest = join(root, "axle.toml");
    if (one.macro === "FAULT") writeFileSync(manifest, readFileSync(manifest, "utf8").replace("[sources]\n", '[sources]\ndefine = ["FAULT"]\n'));
    else inject(root, one.macro);
    await axle(program, ["run", root, "--quiet", "--property", one.property, ...(one.constraint === "any" ? [] : ["--constraint", one.constraint])]);
    const server = await serve(program, root);
    const page = await open(server, { viewport: VIEWPORT, colorScheme: "light" });
    try {
      const { properties } = await page.evaluate(async () => (await fetch("/api/properties")).json());
      const run = properties.find(({ name }) => name === one.property).runs.find(({ constraint, phases }) => constraint === one.constraint && phases.length > 0);
      const phase = ["shortest", "first"].find((phase) => run.phases.includes(phase));
      const path = `/rounds/${run.round}/runs/${run.run}/${phase}`;
      await page.goto(server.origin + path, { waitUntil: "load" });
      await page.locator(".step").first().waitFor();
      await page.waitForTimeout(500);
      const { trace, rows } = await page.evaluate(async (path) => (await fetch(`/api${path}`)).json(), path);
      const found = await page.evaluate(seen);
      // The cause: a row with a step of the function that has the fault. Events: rows that say so.
      const place = faulty(join(root, one.sources), one.macro);
      const isFaulty = ({ by }) => by.place?.file.endsWith(place.file) && by.place.line >= place.from && by.place.line <= place.to;
      const shown = found.at.map((at) => rows[at]);
      const cause = shown.some((row) => row && trace.steps.slice(row.first, row.last + 1).some(isFaulty));
      const events = shown.filter((row) => row && ["event", "message"].includes(row.rank)).length;
      console.log(`browser: sequence ${one.name}: ${found.rows} rows, ${found.shown} on the first screen, ${events} of events: ${found.text}`);
      const wrong = [];
      if (!(found.rows <= MOST_ROWS)) wrong.push(`${found.rows} rows`);
      if (!found.headline) wrong.push("no headline on the first screen");
      if (!cause) wrong.push(`nothing of ${place.name} on the first screen`);
      if (events === 0) wrong.push("no event on the first screen");
      if (!found.current || !found.ending) wrong.push("no violation on the first screen");
      if (wrong.length > 0) fail(`sequence of ${one.name}: ${wrong.join(", ")}`);
      await fits(page, `sequence of ${one.name}`);
      await shoot(page, join(output, `sequence-${one.name}-light-1280.webp`), only !== undefined);
      lines.push([`sequence ${one.name}`, "rows of the default view", String(found.rows), ""], [`sequence ${one.name}`, "of which on the first screen", String(found.shown), ""]);
    } catch (error) {
      fail(`sequence of ${one.name}: ${error.message}`);
    } finally {
      await page.context().close();
      await server.stop();
    }
  }
  return lines;
}
