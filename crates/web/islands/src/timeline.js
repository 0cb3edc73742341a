// Turns the text of a timeline into an editor. The text stays the truth: the editor writes it.
import { mount } from "svelte";
import Timeline from "./Timeline.svelte";

const text = document.querySelector("[data-timeline-editor]");
if (text) {
  const place = document.createElement("div");
  text.before(place);
  mount(Timeline, { target: place, props: { text } });
}
