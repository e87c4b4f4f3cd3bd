/** Files on their way to the server: two at a time, with what is done of each, and going on while other steps are shown. */
import { send } from "$/utils/portal/sending";

const AT_ONCE = 2;
const EMPTY = [];
// By draft and field. Only what is not told by the server yet stands here; gone with the page.
const shelves = new Map();
let counter = 0;

const shelfOf = (place) => {
  if (!shelves.has(place)) shelves.set(place, { rows: EMPTY, gone: new Set(), keys: new Map(), listeners: new Set(), changed: null });
  return shelves.get(place);
};
const put = (shelf, rows) => {
  shelf.rows = rows;
  for (const listener of shelf.listeners) listener();
  watch();
};
const update = (shelf, key, change) => put(shelf, shelf.rows.map((row) => (row.key === key ? { ...row, ...change } : row)));

export const isRunning = ({ state }) => state === "waiting" || state === "sending" || state === "checking";
export const isSending = () => all().some(isRunning);
const all = () => [...shelves.values()].flatMap(({ rows }) => rows);

// The browser asks before it closes a page from which a file is still being sent.
const warn = (event) => event.preventDefault();
let warning = false;
const watch = () => {
  const wanted = isSending();
  if (wanted === warning) return;
  warning = wanted;
  window[wanted ? "addEventListener" : "removeEventListener"]("beforeunload", warn);
};

/** Break off everything that is on its way: the customer leaves. */
export const stopAll = () => {
  for (const shelf of shelves.values()) for (const row of shelf.rows.filter(isRunning)) drop(shelf, row);
};

const next = (shelf) => {
  const busy = shelf.rows.filter(({ state }) => state === "sending" || state === "checking").length;
  const row = busy < AT_ONCE && shelf.rows.find(({ state }) => state === "waiting");
  if (row) start(shelf, row);
};

const start = async (shelf, { key, file }) => {
  const job = send(shelf.draft, shelf.field, file, (sent) => {
    update(shelf, key, { sent, state: sent < file.size ? "sending" : "checking" });
  });
  update(shelf, key, { state: "sending", sent: 0, job });
  next(shelf);
  const answer = await job.answer;
  if (!shelf.rows.some((row) => row.key === key && row.job === job)) return; // taken away meanwhile
  if (answer.success) {
    shelf.keys.set(answer.data.id, key);
    update(shelf, key, { ...answer.data, state: "done", job: null });
    shelf.changed?.();
  } else if (answer.error === "session_ended") {
    window.removeEventListener("beforeunload", warn);
    window.location.reload();
  } else update(shelf, key, { state: "failed", code: answer.error, job: null });
  next(shelf);
};

const drop = (shelf, row) => {
  put(shelf, shelf.rows.filter(({ key }) => key !== row.key));
  row.job?.stop();
};

/** What a field does with its files. `place` names draft and field. */
export const filesOf = (draft, field) => {
  const shelf = shelfOf(`${draft}/${field}`);
  Object.assign(shelf, { draft, field });
  return {
    subscribe: (listener) => {
      shelf.listeners.add(listener);
      return () => shelf.listeners.delete(listener);
    },
    rows: () => shelf.rows,
    /** Tell what the server knows: its files come first, each under the name it had on its way. */
    shown: (known) => {
      const ids = new Set(known.map(({ id }) => id));
      const told = known.filter(({ id }) => !shelf.gone.has(id)).map((file) => ({ ...file, key: shelf.keys.get(file.id) ?? file.id, state: "done" }));
      return [...told, ...shelf.rows.filter(({ id }) => !id || !ids.has(id))];
    },
    /** Forget what the server tells by itself now. */
    settle: (known) => {
      const ids = new Set(known.map(({ id }) => id));
      if (shelf.rows.some(({ id }) => id && ids.has(id))) put(shelf, shelf.rows.filter(({ id }) => !id || !ids.has(id)));
    },
    onChange: (changed) => {
      shelf.changed = changed;
    },
    add: (files, problem) => {
      const rows = files.map((file) => {
        const code = problem(file);
        return { key: `new-${++counter}`, name: file.name, size: file.size, file, sent: 0, state: code ? "failed" : "waiting", code, final: Boolean(code) };
      });
      put(shelf, [...shelf.rows, ...rows]);
      for (let n = 0; n < AT_ONCE; n++) next(shelf);
    },
    again: (key) => {
      update(shelf, key, { state: "waiting", code: "", sent: 0 });
      next(shelf);
    },
    remove: async (row) => {
      if (!row.id) {
        drop(shelf, row);
        next(shelf);
        return;
      }
      shelf.gone.add(row.id);
      put(shelf, shelf.rows.filter(({ key }) => key !== row.key));
      const answer = await fetch(`/files/uploads/${row.id}`, { method: "DELETE" }).catch(() => null);
      if (answer?.status === 401) window.location.reload();
      // Nothing is said to be gone that is still there.
      if (!answer?.ok && answer?.status !== 404) shelf.gone.delete(row.id);
      put(shelf, [...shelf.rows]);
      shelf.changed?.();
    },
  };
};
