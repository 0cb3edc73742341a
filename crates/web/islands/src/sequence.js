// Replaces the table of an error sequence by the viewer, as soon as its data has arrived.
import { mount } from "svelte";
import Sequence from "./Sequence.svelte";

const place = document.querySelector("[data-sequence]");
if (place) {
  const answer = await fetch(place.dataset.sequence);
  if (answer.ok) {
    const sequence = await answer.json();
    if (sequence.trace.steps.length > 0) {
      place.replaceChildren();
      mount(Sequence, { target: place, props: { sequence } });
    }
  }
}
