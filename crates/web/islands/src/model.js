// The text of a timeline as marks and bars, and back. Lines that are no mark and no bar are kept at
// the beginning.

const MARK = /^\s*(e|r|t|x|event|required|target|forbidden)\s+([A-Za-z_]\w*)\s*(?:=\s*(.*?))?\s*$/;
const BAR = /^\s*bar\s+(.*?)\s+from\s+([A-Za-z_]\w*)\s+to\s+([A-Za-z_]\w*)\s*$/;

/** Reads a text; bars refer to marks by their identity. */
export function read(text) {
  const model = { head: [], marks: [], bars: [] };
  const pending = [];
  for (const line of text.split("\n")) {
    const plain = line.replace(/#.*/, "");
    const mark = MARK.exec(plain);
    const bar = BAR.exec(plain);
    if (mark) model.marks.push({ id: model.marks.length, kind: mark[1][0] === "f" ? "x" : mark[1][0], name: mark[2], condition: mark[3] ?? "" });
    else if (bar) pending.push(bar);
    else if (line.trim()) model.head.push(line);
  }
  for (const [, condition, from, to] of pending) {
    const at = (name) => model.marks.find((mark) => mark.name === name)?.id ?? 0;
    model.bars.push({ condition, from: at(from), to: at(to) });
  }
  return model;
}

/** Writes the text of a model. */
export function write(model) {
  const name = (id) => model.marks.find((mark) => mark.id === id)?.name ?? "";
  const condition = (mark) => (mark.condition.trim() ? ` = ${mark.condition.trim()}` : "");
  return [
    ...model.head,
    ...model.marks.map((mark) => `${mark.kind} ${mark.name}${condition(mark)}`),
    ...model.bars.map((bar) => `bar ${bar.condition.trim()} from ${name(bar.from)} to ${name(bar.to)}`),
  ].join("\n");
}
