// What every page does with script: selection, live regions, previews of timelines.
// Pages are complete without it.

/** Selects all properties that are shown. */
function selection() {
  const all = document.querySelector("[data-select-all]");
  if (!all) return;
  const boxes = () => [...document.querySelectorAll('input[name="property"]')];
  const submit = all.closest("form")?.querySelector('button[type="submit"]');
  const label = submit?.textContent;
  const update = () => {
    const chosen = boxes().filter((box) => box.checked).length;
    all.checked = chosen > 0 && chosen === boxes().length;
    all.indeterminate = chosen > 0 && !all.checked;
    if (submit) submit.textContent = chosen > 0 ? `${label} (${chosen})` : "Check all";
  };
  all.addEventListener("change", () => { for (const box of boxes()) box.checked = all.checked; update(); });
  document.addEventListener("change", (event) => { if (event.target.name === "property") update(); });
  update();
}

/** Replaces the live region of the page when the project, its history or its queue has changed. */
function live() {
  const region = document.querySelector("[data-live]");
  let due = false, busy = false, last = 0;
  const refresh = async () => {
    if (busy || document.hidden) { due = true; return; }
    busy = true;
    due = false;
    last = Date.now();
    try {
      const answer = await fetch(location.href, { headers: { accept: "text/html" } });
      if (!answer.ok) return;
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const bar = page.querySelector(".top-bar"), own = document.querySelector(".top-bar");
      if (bar && own && bar.textContent !== own.textContent) own.replaceWith(bar);
      // The tracker has appeared: its island needs a page of its own.
      if (page.querySelector("[data-tracker]") && !document.querySelector("[data-tracker]")) { location.reload(); return; }
      const next = page.getElementById(region?.id ?? "");
      const current = document.getElementById(region?.id ?? "");
      if (next && current && next.innerHTML !== current.innerHTML) {
        const focused = document.activeElement?.getAttribute("href");
        const open = [...current.querySelectorAll("details")].map((one) => one.open);
        current.replaceChildren(...next.childNodes);
        current.querySelectorAll("details").forEach((one, index) => { one.open = open[index] ?? one.open; });
        if (focused) current.querySelector(`[href="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
      }
    } finally {
      busy = false;
      if (due) schedule();
    }
  };
  let timer;
  const schedule = () => {
    clearTimeout(timer);
    timer = setTimeout(refresh, Math.max(50, 1000 - (Date.now() - last)));
  };
  // A browser opens few connections to a server, so pages in the background keep none.
  let source;
  // The tracker follows the stream itself and says when the rest of the page is out of date.
  if (document.querySelector("[data-tracker]")) {
    document.addEventListener("axle:refresh", schedule);
    return;
  }
  const listen = () => {
    source?.close();
    if (document.hidden) return;
    source = new EventSource("/events");
    let first = true;
    source.addEventListener("project", () => { if (first) first = false; else schedule(); });
    source.addEventListener("job", schedule);
  };
  document.addEventListener("visibilitychange", () => { listen(); if (!document.hidden) schedule(); });
  addEventListener("pagehide", () => source?.close());
  addEventListener("pageshow", (event) => { if (event.persisted) listen(); });
  listen();
  if (region) setInterval(() => { if (document.querySelector(".dot.is-busy")) schedule(); }, 2000);
}

/** Closes the menu of small screens after a choice. */
function menu() {
  const menu = document.getElementById("menu");
  menu?.addEventListener("click", (event) => { if (event.target.closest("a")) menu.hidePopover?.(); });
}

selection();
live();
menu();
