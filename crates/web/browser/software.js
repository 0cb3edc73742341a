// The tasks around a C program: its lines in the sequence, a known fault, a change and what it affects, a second machine, a
// test's events, a comparison, and a restart of the server.
import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { FILES, GATE } from "./gate.js";
import { axle, folder, serve, write } from "./project.js";

function check(condition, message) {
  if (!condition) throw new Error(message);
}

/** Starts a worker of another machine. */
function worker(program, server, token) {
  const child = spawn(program, ["worker", "--server", server.origin, "--quiet"], { env: { ...process.env, AXLE_TOKEN: token }, stdio: ["ignore", "inherit", "inherit"] });
  return { name: `-${child.pid}`, stop: () => new Promise((done) => { child.on("close", done); child.kill("SIGINT"); }) };
}

/** Performs the tasks. */
export async function software({ program, roots, open, fail, accessible }) {
  const root = folder("gate");
  roots.push(root);
  write(root, FILES);
  const token = (await axle(program, ["serve", root, "--add-token", "far=worker"])).split("\n")[0].trim();
  let server = await serve(program, root);
  const page = await open(server);
  let far = null;
  try {
    // Check everything; the property turns red on the tracker without a reload.
    await page.goto(`${server.origin}/properties`);
    await page.getByRole("button", { name: "Check all" }).click();
    await page.waitForURL(/\/tracker$/);
    const red = page.getByRole("link", { name: "violated: error sequence of safe" });
    await red.waitFor({ timeout: 120_000 });
    await red.click();

    // Step to the line of C, by keys, and back from the line to its step.
    await page.locator(".step").first().waitFor();
    const source = page.locator(".source-panel h3");
    for (let step = 0; step < 200 && !(await source.innerText()).includes("gate.c:14"); step += 1) await page.keyboard.press("j");
    check((await source.innerText()).includes("gate.c:14"), "no step leads to line 14 of gate.c");
    check((await page.locator(".code-line.is-current code").innerText()).includes("crossing = 1"), "the line of the step is marked");
    await page.keyboard.press("Home");
    await page.getByRole("button", { name: "line 14: go to its next step" }).click();
    check((await source.innerText()).includes("gate.c:14"), "the line leads to its step");

    // Watch an expression, hide a variable, show only changes.
    await page.keyboard.press("w");
    await page.keyboard.type("2 * crossing + 1");
    await page.keyboard.press("Enter");
    await page.getByText("2 * crossing + 1", { exact: true }).waitFor();
    check((await page.locator(".watch-tag").count()) > 0, "the watched expression is shown at the steps that turn it");
    const shown = await page.locator(".step").count();
    await page.getByLabel("only changes").check();
    check((await page.locator(".step").count()) <= shown, "only changes");
    await accessible(page, "sequence of C");
    const sequence = page.url().replace(/#.*/, "");

    // The comparison with an execution that satisfies the property.
    await page.getByRole("link", { name: "Compare with the nearest satisfying execution" }).click();
    await page.getByRole("button", { name: "Search" }).click();
    await page.locator("table.comparison, .empty").first().waitFor({ timeout: 90_000 });
    check((await page.locator("table.comparison").count()) === 1, "a satisfying execution was found");
    check((await page.locator(".is-first, .is-second, .is-differs").count()) > 0, "the executions differ");
    await accessible(page, "comparison");

    // Change the source, inspect what is affected, check again: the property holds.
    writeFileSync(join(root, "gate.c"), GATE.replace("        if (seen)\n            signal_train();", "        (void)seen;\n        signal_train();"));
    await page.goto(`${server.origin}/changes`);
    await page.getByText("signal_train();").first().waitFor({ timeout: 30_000 });
    check((await page.locator(".is-removed").count()) > 0, "the change is shown");
    check((await page.locator("#affected ~ * a[href='/properties/safe']").count()) > 0, "the affected property is shown");
    await accessible(page, "changes");
    await page.getByRole("button", { name: "Check the affected properties" }).click();
    await page.waitForURL(/\/tracker$/);
    await page.locator("tr", { hasText: "safe" }).getByText("holds", { exact: true }).first().waitFor({ timeout: 120_000 });

    // A second machine with a token takes jobs and is on the board.
    far = worker(program, server, token);
    for (let attempt = 0; attempt < 10; attempt += 1) {
      await page.goto(`${server.origin}/machines`);
      if ((await page.locator("main").innerText()).includes(far.name)) break;
      const started = await page.evaluate(async () => {
        const form = document.querySelector('meta[name="form-token"]').content;
        return (await fetch("/api/rounds", { method: "POST", headers: { "x-axle-form": form }, body: '{"again":true}' })).status;
      });
      check(started === 202 || started === 409, `a round is started: ${started}`);
      await page.waitForTimeout(4000);
    }
    check((await page.locator("main").innerText()).includes(far.name), "the second machine is on the board");

    // The events of a test: a run that shows them, and a line that is reached.
    await page.goto(`${server.origin}/diagnose`);
    await page.locator("textarea").fill("signal_train()\ntrain_passes()");
    await page.getByRole("button", { name: /Ask|Search|Find|Diagnose/ }).first().click();
    await page.getByText("The software shows all of it").first().waitFor({ timeout: 90_000 });

    // A restart of the server on the same address: session, stream and page go on.
    await page.goto(`${server.origin}/tracker`);
    await page.locator("[data-run]").first().waitFor();
    const port = new URL(server.url).port;
    await far.stop();
    far = null;
    await server.stop();
    await page.getByText("The connection is lost").waitFor({ timeout: 20_000 });
    server = await serve(program, root, port);
    await page.getByText("The connection is lost").waitFor({ state: "detached", timeout: 30_000 });
    const before = await page.locator("h1").innerText();
    await page.evaluate(async () => {
      const form = document.querySelector('meta[name="form-token"]').content;
      for (let attempt = 0; attempt < 30; attempt += 1) {
        const answer = await fetch("/api/rounds", { method: "POST", headers: { "x-axle-form": form }, body: '{"again":true}' });
        if (answer.status === 202) return;
        await new Promise((done) => setTimeout(done, 1000));
      }
    });
    await page.waitForFunction((old) => document.querySelector("h1").innerText !== old && document.querySelector("[data-run]"), before, { timeout: 60_000 });
    check((await page.goto(sequence)).status() === 200, "the link to the sequence is permanent");
    console.log("browser: tasks around a C program done");
  } catch (error) {
    fail(`tasks around a C program on ${page.url()}: ${error.message}`);
  } finally {
    await far?.stop();
    await page.context().close();
    await server.stop();
  }
}
