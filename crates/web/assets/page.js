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

/** Filters of lists that the user has saved, each with a name; they are kept in the browser. */
function savedFilters() {
  const place = document.querySelector("[data-saved-filters]");
  if (!place) return;
  const key = `axle-filters:${document.querySelector(".project-name")?.textContent ?? ""}`;
  const read = () => { try { return JSON.parse(localStorage.getItem(key)) ?? []; } catch { return []; } };
  const write = (filters) => { localStorage.setItem(key, JSON.stringify(filters)); draw(); };
  const button = (text, label, act) => {
    const one = document.createElement("button");
    one.type = "button";
    one.className = "button is-small";
    one.textContent = text;
    if (label) one.setAttribute("aria-label", label);
    one.addEventListener("click", act);
    return one;
  };
  const draw = () => {
    const items = read().flatMap(({ name, query }) => {
      const link = document.createElement("a");
      link.href = `/properties${query}`;
      link.textContent = name;
      if (query === location.search) link.setAttribute("aria-current", "page");
      const item = document.createElement("span");
      item.className = "saved-filter";
      item.append(link, button("\u00d7", `remove the saved filter ${name}`, () => write(read().filter((one) => one.name !== name))));
      return [item];
    });
    const save = [];
    if (location.search && !read().some((one) => one.query === location.search)) {
      const input = document.createElement("input");
      input.setAttribute("aria-label", "Name of the filter");
      input.placeholder = "name of this filter";
      const keep = () => {
        const name = input.value.trim();
        if (name) write([...read().filter((one) => one.name !== name), { name, query: location.search }]);
      };
      input.addEventListener("keydown", (event) => { if (event.key === "Enter") { event.preventDefault(); keep(); } });
      save.push(input, button("Save filter", null, keep));
    }
    place.replaceChildren(...items, ...save);
    place.hidden = items.length + save.length === 0;
  };
  draw();
}

/** An option of a list: a name, and what it names. */
function option(id, one) {
  const item = document.createElement("li"), name = document.createElement("span"), kind = document.createElement("span");
  item.id = id;
  item.setAttribute("role", "option");
  name.textContent = one.name;
  kind.textContent = one.kind;
  kind.className = "quiet";
  item.append(name, kind);
  return item;
}

/** The command palette: screens, properties, requirements and actions, by a few letters of their names. */
function palette() {
  const bar = document.querySelector(".top-bar-space");
  if (!bar || !HTMLDialogElement.prototype.showModal) return;
  const dialog = document.createElement("dialog");
  dialog.className = "palette";
  dialog.setAttribute("aria-label", "Go to");
  dialog.innerHTML = `<input role="combobox" aria-expanded="true" aria-controls="palette-list" aria-autocomplete="list" aria-label="Command" placeholder="Screen, property, requirement or action" autocomplete="off" spellcheck="false"><ul id="palette-list" role="listbox" aria-label="Commands"></ul>`;
  document.body.append(dialog);
  const input = dialog.querySelector("input"), list = dialog.querySelector("ul");
  const screens = () => [...document.querySelectorAll(".menu a")].map((link) => ({ name: link.textContent.trim(), kind: "screen", href: link.getAttribute("href") }));
  const own = () => [...document.querySelectorAll("main .actions :is(a, button):not(:disabled)")].map((one) => ({ name: one.textContent.trim(), kind: "on this page", act: () => one.click() }));
  let fetched = [];
  const load = async () => {
    const get = async (path) => { try { const answer = await fetch(path); return answer.ok ? await answer.json() : {}; } catch { return {}; } };
    const [properties, requirements] = await Promise.all([get("/api/properties"), get("/api/requirements")]);
    const stated = (properties.properties ?? []).map((one) => ({ name: one.name, kind: `property, ${one.state.replace("-", " ")}`, href: `/properties/${encodeURIComponent(one.name)}` }));
    const address = (one) => `/requirements/${one.document.split("/").map(encodeURIComponent).join("/")}#${encodeURIComponent(one.anchor)}`;
    const documents = (requirements.sections ?? []).map((one) => ({ name: one.heading, kind: "requirement", href: address(one) }));
    fetched = [...stated, ...documents];
    draw();
  };
  /** How well a name contains the words, best at starts of words; lower is better, none if it lacks one. */
  const score = (name, words) => {
    const text = name.toLowerCase();
    let sum = 0;
    for (const word of words) {
      const at = text.indexOf(word);
      if (at < 0) return null;
      sum += at === 0 ? 0 : /[^a-z0-9]/.test(text[at - 1]) ? 1 : 2;
    }
    return sum;
  };
  let shown = [], chosen = 0;
  const mark = () => {
    [...list.children].forEach((item, index) => item.setAttribute("aria-selected", String(index === chosen)));
    const item = list.children[chosen];
    if (item) { input.setAttribute("aria-activedescendant", item.id); item.scrollIntoView({ block: "nearest" }); } else input.removeAttribute("aria-activedescendant");
  };
  const draw = () => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    const scored = [...own(), ...screens(), ...fetched].map((one) => [score(`${one.name} ${one.kind}`, words), one]);
    shown = scored.filter(([points]) => points !== null).sort((a, b) => a[0] - b[0]).slice(0, 40).map(([, one]) => one);
    chosen = 0;
    list.replaceChildren(...shown.map((one, index) => {
      const item = option(`palette-${index}`, one);
      item.addEventListener("click", () => run(one));
      return item;
    }));
    mark();
  };
  const run = (one) => {
    dialog.close();
    if (one?.href) location.assign(one.href);
    else one?.act();
  };
  const show = () => { input.value = ""; draw(); dialog.showModal(); input.focus(); if (fetched.length === 0) load(); };
  input.addEventListener("input", draw);
  dialog.addEventListener("click", (event) => { if (event.target === dialog) dialog.close(); });
  dialog.addEventListener("keydown", (event) => {
    const by = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10 }[event.key];
    if (by) { event.preventDefault(); chosen = Math.min(Math.max(chosen + by, 0), shown.length - 1); mark(); }
    if (event.key === "Enter") { event.preventDefault(); if (shown[chosen]) run(shown[chosen]); }
  });
  document.addEventListener("keydown", (event) => {
    if ((event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && event.key.toLowerCase() === "k") {
      event.preventDefault();
      if (dialog.open) dialog.close(); else show();
    }
  });
  // The top bar may be replaced, so its button is found by its class.
  document.addEventListener("click", (event) => { if (event.target.closest(".palette-button")) show(); });
}

/** Completes the names of the software in fields of conditions and formulas: the list is below the field. */
function completion() {
  const isField = (one) => one?.matches?.("input.condition, textarea.code");
  let names = null, list = null, field = null, chosen = 0, shown = [], status = null;
  const load = async () => {
    if (names) return;
    names = [];
    try { const answer = await fetch("/api/names"); if (answer.ok) names = (await answer.json()).names; } catch { names = null; }
  };
  /** The name before the caret. */
  const prefix = () => /[A-Za-z_]\w*$/.exec(field.value.slice(0, field.selectionStart))?.[0] ?? "";
  const close = () => {
    list?.remove();
    list = null;
    shown = [];
    field?.removeAttribute("aria-activedescendant");
  };
  const mark = () => {
    [...list.children].forEach((item, index) => item.setAttribute("aria-selected", String(index === chosen)));
    field.setAttribute("aria-activedescendant", list.children[chosen].id);
    list.children[chosen].scrollIntoView({ block: "nearest" });
  };
  const insert = (name) => {
    const end = field.selectionStart, start = end - prefix().length;
    field.setRangeText(name, start, end, "end");
    close();
    field.dispatchEvent(new Event("input", { bubbles: true }));
    close();
  };
  const draw = () => {
    const begun = prefix();
    close();
    if (begun.length < 1 || !names) return;
    const word = begun.toLowerCase();
    shown = names.filter((one) => one.name.toLowerCase().startsWith(word) && one.name !== begun).slice(0, 12);
    if (shown.length === 0) return;
    list = document.createElement("ul");
    list.className = "completion";
    list.id = "completion";
    list.setAttribute("role", "listbox");
    list.setAttribute("aria-label", "Names of the software");
    list.append(...shown.map((one, index) => {
      const item = option(`completion-${index}`, one);
      item.addEventListener("pointerdown", (event) => { event.preventDefault(); insert(one.name); });
      return item;
    }));
    // The list follows the field and is not clipped by its panel.
    const box = field.getBoundingClientRect();
    document.body.append(list);
    list.style.left = `${box.left + scrollX}px`;
    list.style.top = `${box.bottom + scrollY + 2}px`;
    list.style.minWidth = `${Math.min(box.width, 320)}px`;
    chosen = 0;
    mark();
    status ??= Object.assign(document.body.appendChild(document.createElement("p")), { className: "hidden" });
    status.setAttribute("role", "status");
    status.textContent = `${shown.length} names; arrows choose, Tab completes`;
  };
  document.addEventListener("focusin", (event) => { if (isField(event.target)) { field = event.target; field.setAttribute("aria-autocomplete", "list"); load(); } });
  document.addEventListener("focusout", (event) => { if (event.target === field) close(); });
  document.addEventListener("input", (event) => { if (event.target === field && event.isTrusted) draw(); });
  document.addEventListener("keydown", (event) => {
    if (!list || event.target !== field) return;
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (by) { chosen = (chosen + by + shown.length) % shown.length; mark(); }
    else if (event.key === "Tab" || (event.key === "Enter" && field.tagName === "INPUT")) insert(shown[chosen].name);
    else if (event.key === "Escape") close();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }, true);
}

selection();
live();
menu();
savedFilters();
palette();
completion();
