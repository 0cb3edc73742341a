// The steps of an execution as rows, and the values of variables at each of them.

/** A row for each small step, with its lane and its effects in words. */
export function rows(trace, lanes) {
  const lane = new Map(lanes.map((name, index) => [name, index]));
  let before = 0;
  let holds = trace.start?.holds ?? null;
  return trace.steps.map((step, index) => {
    const starts = trace.cycle != null && step.step >= trace.cycle && before < trace.cycle;
    before = step.step;
    const turned = propositions(holds, step.observed?.holds ?? null);
    holds = step.observed?.holds ?? holds;
    return {
      index,
      step,
      id: step.parts === 1 || step.part === 1 ? `step-${step.step}` : `step-${step.step}-${step.part}`,
      number: step.parts === 1 ? `${step.step}` : `${step.step}.${step.part}`,
      lane: lane.get(step.by.process) ?? 0,
      partner: step.partner ? lane.get(step.partner.process) ?? 0 : -1,
      starts,
      effects: [...effects(step), ...turned],
    };
  });
}

/**
 * Names automatic variables of C after their function, as changes name them in the function itself, and notes which variables
 * end before each step.
 */
export function qualify(trace) {
  // For each thread, the functions that are under way and the variables of each.
  const threads = new Map();
  for (const step of trace.steps) {
    const { pid, process } = step.by;
    if (!threads.has(pid)) threads.set(pid, [{ name: process.replace(/\(\d+\)$/, ""), own: new Set() }]);
    const frames = threads.get(pid);
    const depth = step.depth ?? 0;
    step.ends = frames.slice(depth + 1).flatMap((frame) => [...frame.own]);
    frames.length = Math.min(frames.length, depth + 1);
    for (const call of step.calls ?? []) frames[depth + 1] = { name: call.function, own: new Set() };
    for (const change of step.changes) {
      const frame = change.frame == null ? undefined : frames[change.frame];
      change.shown = change.name;
      if (!frame) continue;
      change.name = `${frame.name}:${change.name.includes("::") ? change.name.slice(change.name.indexOf("::") + 2) : change.name}`;
      frame.own.add(change.name);
    }
  }
}

/** The propositions that a step turns. */
function propositions(before, after) {
  if (before === null || after === null) return [];
  const now = after.filter((one) => !before.includes(one)).map((one) => ({ name: "", text: `${one} holds`, kind: "proposition" }));
  const past = before.filter((one) => !after.includes(one)).map((one) => ({ name: "", text: `not ${one}`, kind: "proposition" }));
  return [...now, ...past];
}

/** The marks of a violated timeline by the index of their step. */
export function marksAt(all, marks) {
  const found = new Map();
  for (const mark of marks) {
    if (mark.step == null) continue;
    // A mark is matched in the state behind a step, that is, behind the last of its parts.
    const index = Math.max(0, all.findLastIndex((row) => row.step.step === mark.step));
    found.set(index, [...(found.get(index) ?? []), mark]);
  }
  return found;
}

/** The value of an expression after each step. */
export function series(trace, initial, value) {
  const values = new Map(initial);
  return trace.steps.map((step) => {
    for (const name of step.ends ?? []) values.delete(name);
    for (const change of step.changes) { values.set(change.name, change.new); values.set(change.shown ?? change.name, change.new); }
    return value(values);
  });
}

/** The effects of a step, each with the variable that it concerns. */
export function effects(step) {
  const own = `${step.by.process}:`;
  const short = (name) => (name.startsWith(own) ? name.slice(own.length) : name);
  const found = [];
  for (const message of step.messages) {
    const text = `${message.channel}${/received|copied/.test(message.kind) ? "?" : "!"}${message.values.join(",")}`;
    found.push({ name: message.channel, text: message.kind === "lost" ? `${text} lost` : text, kind: "message" });
  }
  for (const read of step.reads ?? []) {
    if (!step.changes.some((change) => change.name === read.name)) {
      found.push({ name: read.name, text: `reads ${short(read.name)} = ${read.value}`, kind: "read" });
    }
  }
  for (const change of step.changes) {
    const name = short(change.shown ?? change.name);
    const text = change.new == null ? `${name} ends`
      : change.old == null ? (change.new === "running" ? `${name} starts` : `${name} = ${change.new}`)
      : `${name}: ${change.old} → ${change.new}`;
    found.push({ name: change.name, text, kind: "change" });
  }
  for (const note of step.notes ?? []) if (note.text) found.push({ name: "", text: note.text, kind: "note" });
  if (step.printed) found.push({ name: "", text: `prints ${JSON.stringify(step.printed)}`, kind: "note" });
  if (step.held?.length) found.push({ name: "", text: `holds ${step.held.join(", ")}`, kind: "note" });
  return found;
}

/** All variables of an execution, in the order of their first change. */
export function variables(trace) {
  const known = new Map();
  for (const step of trace.steps) {
    for (const change of step.changes) if (!known.has(change.name)) known.set(change.name, change.frame == null ? change.old : null);
    for (const read of step.reads ?? []) if (!known.has(read.name)) known.set(read.name, read.value);
  }
  return known;
}

/** The values after the step with an index; `changed` are those that the steps from another one on changed. */
export function valuesAt(trace, initial, index, from = index) {
  const values = new Map(initial);
  const changed = new Map();
  for (let at = 0; at <= index; at += 1) {
    for (const name of trace.steps[at].ends ?? []) { values.delete(name); changed.delete(name); }
    for (const change of trace.steps[at].changes) {
      if (at >= from && !changed.has(change.name)) changed.set(change.name, values.get(change.name) ?? change.old);
      values.set(change.name, change.new);
    }
  }
  for (const [name, old] of changed) if (from < index && values.get(name) === old) changed.delete(name);
  return { values, changed };
}

/** Variables as a tree: by process or function, then by the parts of their names; those in `changed` first. */
export function tree(names, changed = new Map()) {
  const groups = new Map();
  for (const name of names) {
    const colon = name.indexOf(":");
    const owner = colon > 0 && name[colon + 1] !== ":" ? name.slice(0, colon) : "";
    const rest = owner ? name.slice(colon + 1) : name;
    const root = /^[^.[]*/.exec(rest)[0];
    if (!groups.has(owner)) groups.set(owner, new Map());
    const own = groups.get(owner);
    if (!own.has(root)) own.set(root, []);
    own.get(root).push({ name, part: rest });
  }
  // Changes come first.
  const order = (list, isFirst) => [...list.filter(isFirst), ...list.filter((one) => !isFirst(one))];
  const hasChange = (root) => root.items.some((item) => changed.has(item.name));
  const all = [...groups].map(([owner, roots]) => ({
    owner,
    roots: order([...roots].map(([root, items]) => ({ root, items: order(items, (item) => changed.has(item.name)) })), hasChange),
  }));
  return order(all, (group) => group.roots.some(hasChange));
}
