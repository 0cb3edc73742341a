// Daily work: why a property turned red, a known fault by one click, one provisioning of several, and the ways around: the
// command palette, saved filters, groups, the completion of names, and the tutorial.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { axle, folder, serve, write } from "./project.js";

function check(condition, message) {
  if (!condition) throw new Error(message);
}

const MODEL = `bool closed, crossing, has_sensor;

active proctype train() {
  do
  :: closed -> crossing = true; crossing = false; closed = false
  od
}

active proctype gate() {
  do
  :: !closed -> closed = true
  od
}
`;

const FILES = {
  "axle.toml": 'name = "daily"\n\n[sources]\npromela = ["gate.pml"]\n\n[flags]\nsensor = "has_sensor"\n\n[constraints]\nwith-sensor = "sensor == 1"\nwithout-sensor = "sensor == 0"\n',
  "gate.pml": MODEL,
  "properties/safe.md": '+++\nname = "safe"\nfeature = "sensor"\nformula = "[] (crossing -> closed)"\nconstraints = ["with-sensor", "without-sensor"]\n+++\n\nWhile a train crosses, the gate is closed.\n',
  "properties/opens.md": '+++\nname = "opens"\nformula = "[] (crossing -> !crossing || closed)"\nconstraints = ["with-sensor"]\n+++\n\nThe gate is closed for a train.\n',
};

/** Performs the tasks. */
export async function daily({ program, roots, open, fail }) {
  const root = folder("daily");
  roots.push(root);
  write(root, FILES);
  await axle(program, ["run", root, "--quiet"]);
  // Last week's change: the train no longer waits for the gate.
  writeFileSync(join(root, "gate.pml"), MODEL.replace(":: closed -> crossing", ":: true -> crossing"));
  await axle(program, ["run", root, "--quiet"]);
  const server = await serve(program, root);
  const page = await open(server);
  try {
    // Why did the property turn red? From the overview to the round, the changed part, and the execution.
    await page.goto(`${server.origin}/`);
    const turned = page.locator(".turned li", { hasText: "safe@with-sensor" });
    await turned.first().waitFor();
    await turned.first().getByRole("link").first().click();
    await page.waitForURL(/\/rounds\/2\/runs\/\d+$/);
    await page.locator(".crumbs").getByRole("link", { name: "Round 2" }).click();
    await page.getByRole("link", { name: "what has changed" }).click();
    await page.waitForURL(/\/rounds\/2\/changes$/);
    check((await page.locator("main").innerText()).includes(":: true -> crossing"), "the changed line is shown");
    await page.locator(".turned").getByRole("link").first().waitFor();
    await page.goto(`${server.origin}/properties/safe`);
    const verdicts = await page.locator("#history ~ * tbody tr").allInnerTexts();
    check(verdicts.length === 2 && verdicts[0].includes("violated") && verdicts[1].includes("holds"), `the history: ${verdicts}`);
    check((await page.getByText("expected for a check").count()) === 1, "the expected cost is shown");

    // A known fault by one click.
    await page.getByRole("button", { name: "Mark as known fault" }).click();
    await page.getByText("known fault", { exact: true }).first().waitFor();
    await page.getByRole("button", { name: "Remove known fault" }).click();
    await page.getByRole("button", { name: "Mark as known fault" }).waitFor();

    // One of two provisionings.
    await page.getByRole("checkbox", { name: "check under without-sensor" }).check();
    await page.getByRole("button", { name: "Check", exact: true }).click();
    await page.waitForURL(/\/tracker$/);
    await page.getByRole("heading", { name: "Tracker: round 3" }).waitFor({ timeout: 60_000 });
    await page.locator("tr[data-run]").first().waitFor();
    check((await page.locator("tr[data-run]").count()) === 1, "the round has one run");
    check((await page.locator("tr[data-run]").innerText()).includes("without-sensor"), "it is the selected one");

    // The command palette.
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: "Command" }).fill("opens");
    await page.getByRole("option", { name: /opens/ }).first().waitFor();
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/properties\/opens$/);

    // A group, and a filter that is saved; dense rows.
    await page.goto(`${server.origin}/properties`);
    await page.getByLabel("Group by").selectOption("feature");
    await page.getByLabel("dense rows").check();
    await page.getByRole("button", { name: "Filter", exact: true }).click();
    check((await page.locator(".group").count()) >= 2, "the rows are grouped");
    const height = await page.locator("table.is-dense tbody tr:not(.group)").first().evaluate((row) => row.getBoundingClientRect().height);
    check(height <= 26, `a dense row has ${height} px`);
    await page.getByLabel("Name of the filter").fill("by feature");
    await page.getByRole("button", { name: "Save filter" }).click();
    await page.goto(`${server.origin}/properties`);
    await page.getByRole("link", { name: "by feature" }).click();
    await page.waitForURL(/group=feature/);

    // Names are completed in the editor.
    await page.goto(`${server.origin}/properties/new`);
    const condition = page.getByLabel("condition of mark 1");
    await condition.click();
    await page.waitForTimeout(300);
    await condition.fill("");
    await page.keyboard.type("!cro");
    await page.getByRole("option", { name: /crossing/ }).waitFor();
    await page.keyboard.press("Tab");
    check((await condition.inputValue()) === "!crossing", `the name is completed: ${await condition.inputValue()}`);
    check((await page.locator("textarea[data-timeline-editor]").inputValue()).includes("!crossing"), "and in the text");

    // The tutorial knows what has been done.
    await page.goto(`${server.origin}/tutorial`);
    check((await page.locator(".tutorial .is-done").count()) >= 4, "steps are done");
    check(readFileSync(join(root, "properties/safe.md"), "utf8").includes('name = "safe"'), "the file is there");
    console.log("browser: daily tasks done");
  } catch (error) {
    fail(`daily tasks on ${page.url()}: ${error.message}`);
  } finally {
    await page.context().close();
    await server.stop();
  }
}
