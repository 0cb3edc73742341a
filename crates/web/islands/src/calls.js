// The rows of an execution as a tree of calls, and which of them are visible.

/** Forms of the list: the rows that explain most, all calls, every statement. */
export const FORMS = ["summary", "calls", "statements"];

/** The rows of the tree; without calls, a row for each step. */
export function treeRows(all, rows) {
  const statement = (at, first) => ({ kind: "statement", rank: "statement", level: 0, parent: null, first, last: first, shown: true, at });
  const given = rows?.length ? rows : all.map((_, at) => statement(at, at));
  const parents = new Set(given.map((row) => row.parent));
  return given.map((row, at) => {
    const step = all[row.first];
    const isStatement = row.kind === "statement";
    return {
      ...row,
      at,
      parent: row.parent ?? -1,
      step: step.step,
      id: step.id,
      number: step.number,
      lane: step.lane,
      partner: isStatement ? step.partner : -1,
      text: isStatement ? step.step.by.statement : row.text,
      effects: isStatement ? step.effects : (row.effects ?? []).map((text) => ({ name: "", text, kind: "change" })),
      starts: false,
      canOpen: parents.has(at),
    };
  });
}

/** The visible rows: `form` for all of them, `opened` (true or false) for single rows. */
export function visibleRows(tree, form, opened) {
  const seen = new Array(tree.length).fill(false);
  const within = (row) => form === "statements" || (form === "calls" ? row.rank !== "statement" : row.shown);
  for (const row of tree) {
    if (row.parent < 0) { seen[row.at] = within(row); continue; }
    seen[row.at] = seen[row.parent] && (opened.get(row.parent) ?? within(row));
  }
  return tree.filter((row) => seen[row.at]);
}

/** The innermost visible row that contains a step, by position. */
export function rowAt(visible, step) {
  let low = 0, high = visible.length - 1, found = 0;
  while (low <= high) {
    const middle = (low + high) >> 1;
    if (visible[middle].first <= step) { found = middle; low = middle + 1; } else high = middle - 1;
  }
  while (found > 0 && visible[found].last < step) found -= 1;
  return found;
}

/** Opens the rows above the statement of a step. */
export function reveal(tree, opened, step) {
  const next = new Map(opened);
  let at = tree.findLastIndex((row) => row.first <= step && step <= row.last);
  for (at = at < 0 ? -1 : tree[at].parent; at >= 0; at = tree[at].parent) next.set(at, true);
  return next;
}
