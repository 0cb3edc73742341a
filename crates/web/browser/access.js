// Reading and working under other conditions: 200 % zoom, no script, only a keyboard.

/** At 200 % zoom a window of 1280 pixels has 640: nothing is cut off, and no text is smaller than 12 pixels. */
export async function zoomed({ open, server, screens, fits, fail }) {
  const page = await open(server, { viewport: { width: 640, height: 430 }, deviceScaleFactor: 2 });
  for (const [name, path] of await screens(page)) {
    await page.goto(server.origin + path, { waitUntil: "load" });
    await page.waitForTimeout(200);
    await fits(page, `${name} at 200 %`);
    const small = await page.evaluate(() => [...document.querySelectorAll("main *")]
      .filter((one) => one.childNodes.length === 1 && one.firstChild.nodeType === Node.TEXT_NODE && one.getClientRects().length > 0)
      .filter((one) => !one.closest("svg") && parseFloat(getComputedStyle(one).fontSize) < 11.5).map((one) => one.outerHTML.slice(0, 80))[0]);
    if (small) fail(`${name}: the text is too small: ${small}`);
  }
  await page.context().close();
}

/** Without script every screen has its heading and content, and a sequence its steps. */
export async function withoutScript({ browser, server, list, fail }) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 860 }, javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(server.url);
  for (const [name, path] of list) {
    await page.goto(server.origin + path, { waitUntil: "load" });
    const text = await page.locator("main").innerText();
    if ((await page.locator("h1").count()) !== 1 || text.length < 60) fail(`${name} without script: ${text.slice(0, 80)}`);
    const rows = { sequence: "table.sequence tbody tr", tracker: "table.tracker tbody tr", properties: "table tbody tr" }[name];
    if (rows && (await page.locator(rows).count()) === 0) fail(`${name} without script has no rows`);
  }
  await context.close();
}

/** With a keyboard alone: the skip link, the menu, a visible focus everywhere, and a round from the list of properties. */
export async function byKeyboard({ open, server, fail }) {
  const page = await open(server);
  await page.goto(`${server.origin}/properties`);
  const focus = () => page.evaluate(() => {
    const one = document.activeElement, style = getComputedStyle(one);
    const box = one.getBoundingClientRect();
    return { name: one.textContent.trim() || one.getAttribute("aria-label") || one.name, tag: one.tagName, seen: box.width > 0 && box.height > 0,
      outline: style.outlineStyle !== "none" && parseFloat(style.outlineWidth) > 0 };
  });
  await page.keyboard.press("Tab");
  if ((await focus()).name !== "Skip to content") fail("keyboard: the first stop is not the skip link");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  if (!(await page.evaluate(() => document.querySelector("main").contains(document.activeElement)))) fail("keyboard: the skip link does not lead to the content");
  await page.goto(`${server.origin}/properties`);
  const reached = new Set();
  for (let stop = 0; stop < 120; stop += 1) {
    await page.keyboard.press("Tab");
    const { name, tag, seen, outline } = await focus();
    if (tag === "BODY") break;
    reached.add(name);
    if (!seen) fail(`keyboard: the focus is on ${tag} '${name}', which is not visible`);
    if (!outline) fail(`keyboard: no visible focus on ${tag} '${name}'`);
  }
  for (const name of ["Overview", "Tracker", "Changes", "Analysis", "Settings", "New property"]) if (!reached.has(name)) fail(`keyboard: '${name}' is not reached`);
  await page.context().close();
}
