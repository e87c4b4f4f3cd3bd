/** Files that are being sent: two at a time, with the progress of each, also while other steps are shown. */
import { createStore } from "$/utils/portal/common";
import { send } from "$/utils/portal/sending";

const AT_ONCE = 2;
const EMPTY = [];
// By draft and field: the files that the server does not list yet; in memory only.
const queues = new Map();
let counter = 0;

const queueOf = (place) => {
  if (!queues.has(place)) queues.set(place, { rows: createStore(EMPTY), gone: new Set(), keys: new Map(), places: new Map(), changed: null });
  return queues.get(place);
};
const put = (queue, rows) => {
  queue.rows.set(rows);
  warnWhileSending();
};
const update = (queue, key, change) => put(queue, queue.rows.get().map((row) => (row.key === key ? { ...row, ...change } : row)));

export const isRunning = ({ state }) => state === "waiting" || state === "sending" || state === "checking";
export const isSending = () => all().some(isRunning);
const all = () => [...queues.values()].flatMap(({ rows }) => rows.get());

// The browser asks before it closes a page from which a file is still being sent.
const warn = (event) => event.preventDefault();
let warning = false;
const warnWhileSending = () => {
  const wanted = isSending();
  if (wanted === warning) return;
  warning = wanted;
  window[wanted ? "addEventListener" : "removeEventListener"]("beforeunload", warn);
};

/** Stops everything that is being sent: the customer leaves. */
export const stopAll = () => {
  for (const queue of queues.values()) for (const row of queue.rows.get().filter(isRunning)) drop(queue, row);
};

const next = (queue) => {
  const busy = queue.rows.get().filter(({ state }) => state === "sending" || state === "checking").length;
  const row = busy < AT_ONCE && queue.rows.get().find(({ state }) => state === "waiting");
  if (row) start(queue, row);
};

const start = async (queue, { key, file }) => {
  const job = send(queue, file, (sent) => {
    update(queue, key, { sent, state: sent < file.size ? "sending" : "checking" });
  });
  update(queue, key, { state: "sending", sent: 0, job });
  next(queue);
  const answer = await job.answer;
  if (!queue.rows.get().some((row) => row.key === key && row.job === job)) return; // removed meanwhile
  if (answer.success) {
    queue.keys.set(answer.data.id, key);
    update(queue, key, { ...answer.data, state: "done", job: null });
    queue.changed?.();
  } else if (answer.error === "session_ended") {
    window.removeEventListener("beforeunload", warn);
    window.location.reload();
  } else update(queue, key, { state: "failed", code: answer.error, job: null });
  next(queue);
};

const drop = (queue, row) => {
  put(queue, queue.rows.get().filter(({ key }) => key !== row.key));
  row.job?.stop();
};

/** What a field can do with its files. */
export const filesOf = (at, draft, field) => {
  const queue = queueOf(`${draft}/${field}`);
  Object.assign(queue, { at, draft, field });
  return {
    rows: queue.rows,
    /** The files to show, each under its key and in its place of before: a row that moves is pressed by mistake. */
    merged: (known) => {
      const ids = new Set(known.map(({ id }) => id));
      const stored = known.filter(({ id }) => !queue.gone.has(id)).map((file) => ({ ...file, key: queue.keys.get(file.id) ?? file.id, state: "done" }));
      const rows = [...stored, ...queue.rows.get().filter(({ id }) => !id || !ids.has(id))];
      for (const { key } of rows) if (!queue.places.has(key)) queue.places.set(key, queue.places.size);
      return rows.sort((one, other) => queue.places.get(one.key) - queue.places.get(other.key));
    },
    /** Forgets what the server lists by itself now. */
    settle: (known) => {
      const ids = new Set(known.map(({ id }) => id));
      if (queue.rows.get().some(({ id }) => id && ids.has(id))) put(queue, queue.rows.get().filter(({ id }) => !id || !ids.has(id)));
    },
    onChange: (changed) => {
      queue.changed = changed;
    },
    add: (files, problem) => {
      const rows = files.map((file) => {
        const code = problem(file);
        return { key: `new-${++counter}`, name: file.name, size: file.size, file, sent: 0, state: code ? "failed" : "waiting", code, final: Boolean(code) };
      });
      put(queue, [...queue.rows.get(), ...rows]);
      for (let n = 0; n < AT_ONCE; n++) next(queue);
    },
    again: (key) => {
      update(queue, key, { state: "waiting", code: "", sent: 0 });
      next(queue);
    },
    remove: async (row) => {
      if (!row.id) {
        drop(queue, row);
        next(queue);
        return;
      }
      queue.gone.add(row.id);
      put(queue, queue.rows.get().filter(({ key }) => key !== row.key));
      const answer = await fetch(`${queue.at}/uploads/${row.id}`, { method: "DELETE" }).catch(() => null);
      if (answer?.status === 401) window.location.reload();
      // What is still there must not seem removed.
      if (!answer?.ok && answer?.status !== 404) queue.gone.delete(row.id);
      put(queue, [...queue.rows.get()]);
      queue.changed?.();
    },
  };
};
