// The event stream with replay: events arrive in the order of their ids, each once, over restarts of the server and lost
// connections. A browser reconnects by itself after most faults; after an answer that is an error it does not.

const RETRY = 2000;

/** Follows the stream behind an id. `on` has a function for each kind of event; `on.state(connected)` is told about faults. */
export function follow(after, on) {
  let last = after, source, timer;
  const open = () => {
    clearTimeout(timer);
    source?.close();
    if (document.hidden) return;
    const own = new EventSource(`/events?after=${last}`);
    source = own;
    own.onopen = () => on.state?.(true);
    own.onerror = () => {
      on.state?.(false);
      if (own.readyState === EventSource.CLOSED && own === source) timer = setTimeout(open, RETRY);
    };
    own.addEventListener("project", (event) => on.project?.(JSON.parse(event.data)));
    own.addEventListener("job", (event) => {
      const id = Number(event.lastEventId);
      // What was sent again after a lost connection is known.
      if (id <= last) return;
      last = id;
      on.job?.(JSON.parse(event.data), id);
    });
  };
  // A browser opens few connections to a server: pages in the background keep none, and continue where they were.
  const visibility = () => { if (document.hidden) source?.close(); else open(); };
  document.addEventListener("visibilitychange", visibility);
  addEventListener("pagehide", () => source?.close());
  addEventListener("pageshow", (event) => { if (event.persisted) open(); });
  open();
  return () => { clearTimeout(timer); source?.close(); document.removeEventListener("visibilitychange", visibility); };
}
