// Replaces the table of a round by a live one, as soon as its data has arrived.
import { mount } from "svelte";
import Tracker from "./Tracker.svelte";

const place = document.querySelector("[data-tracker]");
if (place) {
  const answer = await fetch(`/api/rounds/${place.dataset.tracker}`);
  if (answer.ok) {
    const initial = await answer.json();
    place.replaceChildren();
    mount(Tracker, { target: place, props: { initial, latest: "latest" in place.dataset } });
  }
}
