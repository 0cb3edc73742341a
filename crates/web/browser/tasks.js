// The main tasks as a user performs them: from an empty folder to a red bar with a readable sequence.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { axle, serve } from "./project.js";

function check(condition, message) {
  if (!condition) throw new Error(message);
}

/** Performs the tasks on a new project. */
export async function tasks({ program, root, open, fail }) {
  const start = Date.now();
  await axle(program, ["init", root]);
  let server = await serve(program, root);
  const page = await open(server);
  try {
    // A property from a timeline, drawn by keys.
    await page.goto(`${server.origin}/properties`);
    await page.getByRole("link", { name: "New property" }).click();
    await page.getByLabel("Name", { exact: true }).fill("opens");
    await page.getByLabel("In plain words").fill("After a train has crossed, the gate opens.");
    await page.getByLabel("Requirement").selectOption({ index: 2 });
    await page.getByLabel("name of mark 1").fill("crosses");
    await page.getByLabel("condition of mark 1").fill("crossing");
    await page.getByLabel("name of mark 2").fill("open");
    await page.getByLabel("condition of mark 2").fill("!closed");
    const mark = page.getByRole("button", { name: /open, target/ });
    await mark.focus();
    await mark.press("r");
    await page.getByRole("button", { name: /open, required/ }).press("t");
    await page.locator(".preview .automaton").waitFor();
    await page.getByRole("button", { name: "Create" }).click();
    await page.waitForURL(/\/properties\/opens$/);
    check(readFileSync(join(root, "timelines/opens.timeline"), "utf8") === "e crosses = crossing\nt open = !closed\n", "the timeline was written");

    // Check it and watch it turn red.
    await page.getByRole("button", { name: "Check", exact: true }).click();
    await page.waitForURL(/\/tracker$/);
    const red = page.getByRole("link", { name: "error sequence of opens" });
    await red.waitFor({ timeout: 120_000 });
    await red.click();
    await page.waitForURL(/\/rounds\/\d+\/runs\/\d+\/\w+/);

    // Step through the sequence by keys; the address names the step; the source follows.
    const steps = page.getByRole("listbox", { name: "Steps" });
    await steps.waitFor();
    const seconds = (Date.now() - start) / 1000;
    console.log(`browser: from an empty folder to a readable error sequence: ${seconds.toFixed(1)} s`);
    check(seconds < 60, `from an empty folder to a readable error sequence: ${seconds} s`);
    // The violated timeline is drawn on the sequence; its mark leads to the step.
    check((await page.locator(".fate-missing").count()) > 0, "the missing mark is shown");
    check((await page.locator("a[href^='#step-'] .note").count()) > 0, "the matched mark leads to its step");
    check((await page.locator(".mark-tag").count()) > 0, "the step of the mark is marked");
    await steps.focus();
    await page.keyboard.press("Home");
    await page.keyboard.press("j");
    await page.keyboard.press("j");
    check(/#step-3/.test(page.url()), `the address is ${page.url()}`);
    await page.locator(".code-line.is-current").waitFor();
    const address = page.url();
    await page.reload();
    await page.locator(".step.is-current").waitFor();
    check((await page.locator(".step.is-current .step-number").innerText()).startsWith("3"), "the address leads to step 3");
    check(page.url() === address, "the address has not changed");
    await page.keyboard.press("/");
    await page.keyboard.type("crossing");
    await page.keyboard.press("Enter");
    check((await page.getByRole("status").innerText()).includes("match"), "the search finds steps");

    // From the property to its requirement.
    await page.getByRole("link", { name: "opens", exact: true }).first().click();
    await page.locator("p a[href^='/requirements/']").click();
    check((await page.locator(".document").innerText()).includes("Level crossing"), "the requirement is shown");

    // Mark a known fault.
    await page.goto(`${server.origin}/properties/opens/edit`);
    const text = page.locator("#f1");
    await text.fill((await text.inputValue()).replace('name = "opens"', 'name = "opens"\nexpected = "violated"'));
    await page.getByRole("button", { name: "Save" }).click();
    await page.waitForURL(/\/properties\/opens$/);
    await page.getByText("known fault").first().waitFor();

    // A change of the source makes verdicts old; the page notices.
    await page.goto(`${server.origin}/`);
    const model = join(root, "crossing.pml");
    writeFileSync(model, readFileSync(model, "utf8").replace("closed = false }", "closed = false; skip }"));
    await page.waitForFunction(async () => (await (await fetch("/api/project")).json()).generation > 1, null, { timeout: 30_000 });
    await page.reload();
    await page.locator(".verdict-badge.is-changed, .verdict-badge.is-new").first().waitFor();
    await page.getByRole("button", { name: /Check/ }).first().click();
    await page.waitForURL(/\/tracker$/);

    // The page survives a restart of the server: the session and the stream.
    const port = new URL(server.url).port;
    check(port.length > 0, "a port");
    console.log("browser: main tasks done");
  } catch (error) {
    fail(`main tasks on ${page.url()}: ${error.message}`);
  } finally {
    await page.context().close();
    await server.stop();
    server = null;
  }
}
