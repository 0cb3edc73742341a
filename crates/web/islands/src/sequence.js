// Replaces the table of an error sequence by the viewer, as soon as its data has arrived.
import { mount } from "svelte";
import Sequence from "./Sequence.svelte";

const place = document.querySelector("[data-sequence]");
if (place) {
  const answer = await fetch(place.dataset.sequence);
  if (answer.ok) {
    const sequence = await answer.json();
    performance.mark("axle:data");
    if (sequence.trace.steps.length > 0) {
      place.replaceChildren();
      mount(Sequence, { target: place, props: { sequence } });
      // Behind the next frame the viewer is visible; the browser tests measure this time.
      requestAnimationFrame(() => setTimeout(() => performance.measure("axle:visible", "axle:data")));
    }
  }
}
