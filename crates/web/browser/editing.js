// Properties that exist: fields, a timeline that is drawn by dragging, a known fault by one click, and a line of the
// source by one click.
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { axle, folder, serve } from "./project.js";

function check(condition, message) {
  if (!condition) throw new Error(message);
}

/** Drags from the middle of an element by a number of pixels. */
async function drag(page, element, by) {
  const box = await element.boundingBox();
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  for (let part = 1; part <= 8; part += 1) await page.mouse.move(x + (by * part) / 8, y);
  await page.mouse.up();
}

/** Performs the tasks on the group of lifts with its fault. */
export async function editing({ program, repository, roots, open, fail }) {
  const root = folder("editing");
  roots.push(root);
  cpSync(join(repository, "tests/sequences/lifts"), root, { recursive: true });
  const manifest = join(root, "axle.toml");
  writeFileSync(manifest, readFileSync(manifest, "utf8").replace("[sources]\n", '[sources]\ndefine = ["FAULT"]\n'));
  await axle(program, ["run", root, "--quiet"]);
  const server = await serve(program, root);
  const page = await open(server);
  const property = () => readFileSync(join(root, "properties/door.md"), "utf8");
  try {
    // A known fault by one click, and back.
    await page.goto(`${server.origin}/properties/door`);
    await page.getByRole("button", { name: "Mark as known fault" }).click();
    await page.getByText("known fault", { exact: true }).first().waitFor();
    check(property().includes('expected = "violated"'), "the mark is in the file");
    await page.getByRole("button", { name: "Remove known fault" }).click();
    await page.getByRole("button", { name: "Mark as known fault" }).waitFor();
    check(!property().includes("expected"), "the mark is removed");

    // A field, and a timeline by dragging: a mark, and the end of a bar.
    await page.getByRole("link", { name: "Edit" }).click();
    await page.getByLabel("Weight").fill("3");
    const text = page.locator("textarea[data-timeline-editor]");
    await page.locator(".preview").getByText("violates").waitFor();
    await drag(page, page.getByRole("button", { name: /^opens, must not occur/ }), -160);
    const order = (value) => value.split("\n").filter((line) => /^[ertx] /.test(line)).map((line) => line.split(" ")[1]).join(" ");
    check(order(await text.inputValue()) === "opens moves", `a mark was dragged: ${await text.inputValue()}`);
    await drag(page, page.getByRole("button", { name: /^opens, must not occur/ }), 160);
    check(order(await text.inputValue()) === "moves opens", `and back: ${await text.inputValue()}`);
    await page.getByRole("button", { name: "Add mark" }).click();
    check((await text.inputValue()).includes("from moves to opens"), "the bar stays");
    await drag(page, page.getByRole("button", { name: /^end of bar 1/ }), 170);
    check(/from moves to mark_\d/.test(await text.inputValue()), `the end of a bar was dragged: ${await text.inputValue()}`);
    await page.getByRole("button", { name: /^end of bar 1/ }).press("ArrowLeft");
    check((await text.inputValue()).includes("from moves to opens"), "and moved back by a key");
    await page.getByRole("button", { name: "remove mark 3" }).click();
    await page.getByRole("button", { name: "Save" }).click();
    await page.waitForURL(/\/properties\/door$/);
    check(property().includes("weight = 3"), "the field is in the file");

    // A line of the source by one click; the answer has a link and a chart.
    await page.goto(`${server.origin}/source/lift.c`);
    const line = readFileSync(join(root, "lift.c"), "utf8").split("\n").findIndex((one) => one.includes("door_open(l);")) + 1;
    await page.locator(`#L${line}`).hover();
    await page.locator(`#L${line}`).getByRole("button").click();
    await page.waitForURL(/\/diagnose\/1$/);
    await page.getByText(`An execution reaches lift.c:${line}`).first().waitFor();
    check((await page.locator("svg.chart").count()) === 1, "the answer has a chart");

    // Deletion asks first.
    await page.goto(`${server.origin}/properties/door/edit`);
    await page.getByText("Delete this property").click();
    await page.getByRole("checkbox").check();
    await page.getByRole("button", { name: "Delete" }).click();
    await page.waitForURL(/\/properties$/);
    check((await page.getByRole("link", { name: "door", exact: true }).count()) === 0, "the property is gone");
    console.log("browser: tasks of editing done");
  } catch (error) {
    fail(`editing on ${page.url()}: ${error.message}`);
  } finally {
    await page.context().close();
    await server.stop();
  }
}
