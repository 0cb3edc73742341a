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
  const version = document.querySelector('meta[name="version"]')?.content;
  let due = false, busy = false, last = 0;
  const refresh = async () => {
    if (busy || document.hidden) { due = true; return; }
    busy = true;
    due = false;
    last = Date.now();
    try {
      const answer = await fetch(location.href, { headers: { accept: "text/html" } });
      // The server may be busy: the change that was announced is read later.
      if (!answer.ok) { if (answer.status === 429 || answer.status >= 500) due = true; return; }
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const bar = page.querySelector(".top-bar"), own = document.querySelector(".top-bar");
      if (bar && own && bar.textContent !== own.textContent) own.replaceWith(bar);
      const alarms = page.getElementById("alarms"), shown = document.getElementById("alarms");
      if (alarms && shown && alarms.innerHTML !== shown.innerHTML) shown.replaceChildren(...alarms.childNodes);
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
    } catch {
      // No connection at present.
      due = true;
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
  // A process may end a moment after the last event of its round.
  setInterval(() => { if (!document.hidden && document.querySelector(".dot.is-busy")) schedule(); }, 2000);
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
    const own = new EventSource("/events");
    source = own;
    let first = true;
    own.addEventListener("project", (event) => {
      const { generation, history } = JSON.parse(event.data);
      // The first event describes the present, which may be later than the page.
      if (!first || version !== `${generation}.${history}`) schedule();
      first = false;
    });
    own.addEventListener("job", schedule);
    // After an answer that is an error, the browser does not connect again by itself.
    own.onerror = () => { if (own === source && own.readyState === EventSource.CLOSED) setTimeout(listen, 5000); };
  };
  document.addEventListener("visibilitychange", () => { listen(); if (!document.hidden) schedule(); });
  addEventListener("pagehide", () => source?.close());
  addEventListener("pageshow", (event) => { if (event.persisted) listen(); });
  listen();
}

/** Closes the menu of small screens after a choice. */
function menu() {
  const menu = document.getElementById("menu");
  menu?.addEventListener("click", (event) => { if (event.target.closest("a")) menu.hidePopover?.(); });
}

selection();
live();
menu();
